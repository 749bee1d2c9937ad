//! The rules about the source.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the message")]

mod coverage;
mod rules;
mod size;
