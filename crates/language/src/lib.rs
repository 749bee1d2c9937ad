//! What a candidate's words mean: an [`Intent`], found by a classifier that is trained from examples.
//!
//! The examples are data, a file for each language; this crate knows no word of any language. It has no I/O,
//! no clock and no randomness: equal examples and equal words give the equal intent.

mod classifier;
mod examples;
mod features;
mod intent;
pub mod measure;
pub mod text;
mod understanding;

pub use examples::{Example, Problem};
pub use intent::{About, Intent, Quality};
pub use understanding::Understanding;
