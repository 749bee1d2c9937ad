//! Hearing, thinking and speaking: the providers, and what puts their streams together.
//!
//! [`listen`] makes events of packets, [`speak`] makes sound of orders, [`judge`] asks the model about an
//! answer. The vendors stand in [`providers`], a file each.

pub mod clock;
pub mod judge;
pub mod listen;
pub mod providers;
pub mod settings;
pub mod speak;
