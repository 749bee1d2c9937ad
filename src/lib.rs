#![doc = include_str!("ARCHITECTURE.md")]

pub mod audio;

pub use interview;
pub use interview::{blueprint, journal, scripted, sim, time};

#[cfg(feature = "io")]
pub mod app;
#[cfg(feature = "io")]
pub mod clock;
#[cfg(feature = "formats")]
pub mod codec;
#[cfg(feature = "io")]
pub mod config;
#[cfg(feature = "io")]
pub mod judge;
#[cfg(feature = "io")]
pub mod listen;
#[cfg(feature = "io")]
pub mod providers;
#[cfg(feature = "io")]
pub mod recording;
#[cfg(feature = "io")]
pub mod session;
#[cfg(feature = "io")]
pub mod settings;
#[cfg(feature = "io")]
pub mod speak;
#[cfg(feature = "io")]
pub mod store;
#[cfg(feature = "io")]
pub mod telemetry;
#[cfg(feature = "io")]
pub mod web;
