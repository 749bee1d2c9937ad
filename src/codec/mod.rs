//! Sound as bytes: Opus packets, WAV, Ogg and WebM files, recorded candidates.

pub mod fixture;
pub mod ogg;
pub mod opus;
pub mod wav;
pub mod webm;
