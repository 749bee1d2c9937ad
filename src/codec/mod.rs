//! Sound as bytes: Opus packets, WAV and Ogg files, recorded candidates.

pub mod fixture;
pub mod ogg;
pub mod opus;
pub mod wav;
