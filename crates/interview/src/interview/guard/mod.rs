//! The guard: checks each segment of a model's words before it is spoken, and what is said instead.

pub mod acting;
pub mod check;
pub(crate) mod fallback_words;
mod manner;
pub(crate) mod phrases;
pub mod thoughts;
