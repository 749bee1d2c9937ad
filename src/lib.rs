//! Vivavoce, a real-time voice interviewer for LiveKit rooms.

pub mod audio;
pub mod blueprint;
pub mod interview;
pub mod journal;
pub mod scripted;
pub mod sim;
pub mod time;

#[cfg(feature = "io")]
pub mod app;
#[cfg(feature = "io")]
pub mod clock;
#[cfg(feature = "io")]
pub mod codec;
#[cfg(feature = "io")]
pub mod config;
#[cfg(feature = "io")]
pub mod listen;
#[cfg(feature = "io")]
pub mod livekit;
#[cfg(feature = "io")]
pub mod providers;
#[cfg(feature = "io")]
pub mod room;
#[cfg(feature = "io")]
pub mod session;
#[cfg(feature = "io")]
pub mod speak;
#[cfg(feature = "io")]
pub mod store;
#[cfg(feature = "io")]
pub mod telemetry;
#[cfg(feature = "io")]
pub mod web;
#[cfg(feature = "io")]
pub mod worker;
