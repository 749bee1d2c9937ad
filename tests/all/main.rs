//! All tests.
#![allow(clippy::unwrap_used, reason = "tests fail by panic, helpers too")]

mod audio;
