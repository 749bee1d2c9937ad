//! What words mean, decided from the words alone: intents, languages, quotes, repeated questions.

pub mod cue;
pub mod duplicate;
pub mod language;
pub(crate) mod meaning;
pub mod quote;
pub(crate) mod sentence;
pub mod signal;
pub mod style;
pub mod unfinished;
pub mod words;
