//! Facts of the repository's source, for the rules in `tests/all`: read from its syntax tree, without
//! building it.

pub mod circles;
pub mod size;
pub mod source;
