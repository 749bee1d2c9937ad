//! The interview: a state machine that takes events and gives effects. No I/O, no clock, no randomness, no
//! async.
//!
//! [`Interview`] is the machine, [`blueprint`] what an author wrote for it, [`journal`] what happened in it,
//! and [`sim`] the simulated candidates and faults that prove its invariants.

pub mod blueprint;
mod interview;
pub mod journal;
pub mod scripted;
pub mod sim;
pub mod time;

pub use interview::*;
