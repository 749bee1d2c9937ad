//! What words mean, decided from the words alone: intents, languages, quotes, repeated questions.

pub(crate) mod by_model;
pub mod duplicate;
pub mod english;
pub mod language;
pub(crate) mod meaning;
pub mod quote;
pub(crate) mod sentence;
pub mod signal;
pub mod style;
pub mod unfinished;
pub mod words;
