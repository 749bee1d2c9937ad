//! A limiter for what a room is about to hear: noise at full scale becomes quiet, speech stays as it is.
//!
//! It follows the energy of the sound over about 100 ms. Speech, even a loud voice, stays below the limit and
//! passes byte by byte. What is above is brought down by more than it exceeds the limit: the louder the
//! sound, the quieter it becomes.

use super::Pcm48;

/// The RMS that passes unchanged: -9 dB of full scale. The vowels of a loud voice reach about -12 dB.
const RMS_LIMIT: f64 = 11_600.0;
/// How much of a frame's energy enters the followed energy while it rises, and while it falls.
const RISE: f64 = 0.2;
const FALL: f64 = 0.02;
/// Decibels of attenuation for one decibel above the limit.
const STEEPNESS: f64 = 5.0;

/// The limiter of one stream of frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Limiter {
    /// The followed energy: mean squares of samples.
    energy: f64,
    /// The gain at the end of the last frame.
    gain: f64,
}

impl Default for Limiter {
    fn default() -> Self {
        Self { energy: 0.0, gain: 1.0 }
    }
}

impl Limiter {
    /// Limits the next frame. The gain moves evenly over the frame, so that it does not click.
    pub fn limit(&mut self, frame: &mut Pcm48) {
        let samples = frame.0.len();
        if samples == 0 {
            return;
        }
        let sum: f64 = frame.0.iter().map(|sample| f64::from(*sample).powi(2)).sum();
        let difference = sum / samples as f64 - self.energy;
        self.energy += difference * if difference > 0.0 { RISE } else { FALL };
        let from = self.gain;
        let to = (RMS_LIMIT / self.energy.sqrt().max(RMS_LIMIT)).powf(STEEPNESS);
        self.gain = to;
        if from >= 1.0 && to >= 1.0 {
            return;
        }
        for (at, sample) in frame.0.iter_mut().enumerate() {
            let gain = from + (to - from) * (at + 1) as f64 / samples as f64;
            *sample = (f64::from(*sample) * gain) as i16;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FRAME_48, level::dbov};

    /// One frame of noise with samples of up to this size, from a simple generator.
    fn noise(seed: &mut u32, size: i32) -> Pcm48 {
        let mut next = || {
            *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((*seed >> 16) as i32 - 32_768) * size / 32_768
        };
        Pcm48((0..FRAME_48).map(|_| next() as i16).collect())
    }

    fn levels(size: i32, frames: usize) -> Vec<i8> {
        let (mut limiter, mut seed) = (Limiter::default(), 1);
        let limited = (0..frames).map(|_| {
            let mut frame = noise(&mut seed, size);
            limiter.limit(&mut frame);
            dbov(&frame.0)
        });
        limited.collect()
    }

    /// No voice can hurt an ear: noise at full scale is loud for a tenth of a second at most.
    #[test]
    fn noise_becomes_quiet() {
        let levels = levels(32_767, 100);
        assert!(levels[7..].iter().all(|level| *level < -12), "{levels:?}");
        assert!(levels[20..].iter().all(|level| *level < -20), "{levels:?}");
        let mut limiter = Limiter::default();
        let levels = (0..20).map(|_| {
            let mut square = Pcm48([i16::MAX, i16::MIN].repeat(FRAME_48 / 2));
            limiter.limit(&mut square);
            dbov(&square.0)
        });
        let levels: Vec<i8> = levels.collect();
        assert!(levels[19] < -30, "{levels:?}");
    }

    /// Speech passes byte by byte, with single peaks at full scale, too.
    #[test]
    fn speech_stays_as_it_is() {
        let (mut limiter, mut seed) = (Limiter::default(), 7);
        for n in 0..200 {
            // Loud and quiet frames, as syllables are; RMS up to -10 dB.
            let mut frame = noise(&mut seed, if n % 10 < 6 { 18_000 } else { 300 });
            frame.0[0] = i16::MAX;
            let whole = frame.clone();
            limiter.limit(&mut frame);
            assert_eq!(frame, whole, "frame {n}");
        }
    }

    /// After noise, speech is heard again as it is.
    #[test]
    fn speech_comes_back_after_noise() {
        let (mut limiter, mut seed) = (Limiter::default(), 3);
        for size in [32_767; 50].into_iter().chain([3_000; 150]) {
            limiter.limit(&mut noise(&mut seed, size));
        }
        let mut frame = noise(&mut seed, 3_000);
        let whole = frame.clone();
        limiter.limit(&mut frame);
        assert_eq!(frame, whole);
        limiter.limit(&mut Pcm48::default());
    }
}
