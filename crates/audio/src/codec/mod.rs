//! Sound as bytes: WAV, Ogg and WebM files, recorded candidates.

pub mod fixture;
pub mod ogg;
mod riff;
pub mod wav;
pub mod webm;
