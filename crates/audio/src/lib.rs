//! Sound as data: samples, resampling, the playout queue, and the files that hold sound. No clock.

pub mod codec;
pub mod fit;
pub mod level;
pub mod limiter;
pub mod playout;
pub mod resample;

use std::time::Duration;

/// 16-bit mono PCM at 16 kHz: what VAD and STT hear.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pcm16(pub Vec<i16>);

/// 16-bit mono PCM at 48 kHz: what a room carries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pcm48(pub Vec<i16>);

/// Samples of one 20 ms frame at 16 kHz.
pub const FRAME_16: usize = 320;
/// Samples of one 20 ms frame at 48 kHz.
pub const FRAME_48: usize = 960;
/// The length of a frame.
pub const FRAME: Duration = Duration::from_millis(20);

impl Pcm16 {
    /// How long the sound lasts.
    pub fn duration(&self) -> Duration {
        Duration::from_micros(self.0.len() as u64 * 1_000_000 / 16_000)
    }
}

impl Pcm48 {
    /// How long the sound lasts.
    pub fn duration(&self) -> Duration {
        time_of_48(self.0.len() as u64)
    }
}

/// How long so many samples at 48 kHz last.
pub fn time_of_48(samples: u64) -> Duration {
    Duration::from_micros(samples.saturating_mul(1_000) / 48)
}

/// One sample of each channel, of which there is at least one, as one sample.
pub fn mixed(channels: &[i16]) -> i16 {
    let sum: i32 = channels.iter().map(|sample| i32::from(*sample)).sum();
    (sum / channels.len() as i32) as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Channels that cancel each other are silence, and a sample of each is one of the mix.
    #[test]
    fn channels_are_mixed() {
        assert_eq!(mixed(&[i16::MAX, i16::MAX]), i16::MAX);
        assert_eq!(mixed(&[i16::MIN; 6]), i16::MIN);
        assert_eq!(mixed(&[1_000, -1_000]), 0);
        assert_eq!(mixed(&[1_000, 0]), 500);
    }
}
