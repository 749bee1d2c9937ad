#![doc = include_str!("../README.md")]

mod clock;
mod frame;
#[cfg(feature = "net")]
#[doc(hidden)]
pub mod http;
#[doc(hidden)]
pub mod inbox;
pub mod opus;
#[cfg(feature = "net")]
mod recipient;
pub mod reorder;
#[cfg(feature = "net")]
pub mod room;
#[cfg(feature = "net")]
pub mod server;
#[cfg(feature = "net")]
pub mod tls;
#[cfg(feature = "net")]
pub mod worker;

pub use frame::{Frame, FrameError};
