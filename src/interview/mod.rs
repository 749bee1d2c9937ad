//! interview
