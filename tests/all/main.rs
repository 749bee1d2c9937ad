//! All tests.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the message")]

#[cfg(feature = "io")]
#[cfg(feature = "io")]
#[cfg(feature = "io")]
#[cfg(feature = "io")]
#[cfg(feature = "io")]
#[cfg(feature = "io")]
#[cfg(feature = "io")]
mod audio;
mod cli;
mod client;
mod codec;
mod livekit_server;
mod providers;
mod room;
mod tidy;
mod web;
