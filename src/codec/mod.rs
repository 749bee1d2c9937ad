//! Sound as bytes: Opus packets, WAV files, recorded candidates.

pub mod fixture;
pub mod opus;
pub mod wav;
