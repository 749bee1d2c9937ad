//! All tests of the document reader.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the message")]

mod broken;
mod kinds;
mod made;
