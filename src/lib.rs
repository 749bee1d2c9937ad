#![doc = include_str!("ARCHITECTURE.md")]

pub mod app;
pub mod assessor;
pub mod coach;
pub mod config;
pub mod database;
pub mod mail;
pub mod oidc;
pub mod planning;
pub mod reading;
pub mod recording;
pub mod session;
pub mod sound_check;
pub mod store;
pub mod telemetry;
pub mod usage;
pub mod web;
pub mod writing;

pub use audio::{self, codec};
pub use interview::{self, assess, blueprint, journal, scripted, sim, summary, time};
pub use speech::{clock, judge, listen, providers, settings, speak};
