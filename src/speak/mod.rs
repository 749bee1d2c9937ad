//! speak
