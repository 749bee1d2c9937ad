//! Hearing, thinking and speaking: the providers, and the code that connects their streams.
//!
//! [`listen`] turns packets into events, [`speak`] turns orders into sound, [`judge`] asks the model about
//! an answer. Each vendor has a file of its own in [`providers`].

pub mod clock;
pub mod judge;
pub mod listen;
pub mod providers;
pub mod settings;
pub mod speak;
pub mod spoken;
