#![doc = include_str!("ARCHITECTURE.md")]

pub mod app;
pub mod assessor;
pub mod config;
pub mod database;
pub mod planning;
pub mod reading;
pub mod recording;
pub mod session;
pub mod store;
pub mod telemetry;
pub mod web;
pub mod writing;

pub use audio::{self, codec};
pub use interview::{self, assess, blueprint, journal, scripted, sim, summary, time};
pub use speech::{clock, judge, listen, providers, settings, speak};
