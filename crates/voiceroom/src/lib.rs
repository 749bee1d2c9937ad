#![doc = include_str!("../README.md")]

mod clock;
mod frame;
pub mod opus;
pub mod reorder;
pub mod room;
pub mod server;
pub mod tls;
pub mod worker;

pub use frame::{Frame, FrameError};
