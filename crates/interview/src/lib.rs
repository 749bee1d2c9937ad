//! The interview: a state machine that takes events and gives effects. No I/O, no clock, no randomness, no
//! async.
//!
//! [`Interview`] is the machine, [`blueprint`] what an author wrote for it, [`planning`] what a recruiter
//! planned for it, [`journal`] what happened in it, [`summary`] what came out of it, [`values`] the
//! addresses and numbers that people say, [`foreign`] the text of others on its way to a model, and [`sim`]
//! the simulated candidates and faults that prove its invariants.

pub mod assess;
pub mod blueprint;
pub mod foreign;
mod interview;
pub mod journal;
pub mod planning;
pub mod scripted;
pub mod sim;
pub mod summary;
pub mod time;
pub mod values;

pub use interview::*;
