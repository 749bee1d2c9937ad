//! The model's tools: what it may propose by a call, and whether that is accepted.

pub(crate) mod proposal;
pub(crate) mod rule;
