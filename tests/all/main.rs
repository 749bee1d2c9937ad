//! All tests.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the message")]

mod audio;
mod cli;
mod codec;
mod tidy;
mod web;
