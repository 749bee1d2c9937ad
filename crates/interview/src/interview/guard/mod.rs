//! The guard: checks each segment of a model's words before it is spoken, and what is said instead.

pub mod check;
pub(crate) mod fallback_words;
