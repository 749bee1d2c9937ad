//! The unit of sound that a track sends.

use std::time::Duration;

/// The level of digital silence, and the lowest that RFC 6464 knows.
const SILENT_DBOV: i8 = -127;

/// 20 ms of sound: [`Frame::SAMPLES`] samples of 16 bits, mono, at 48 kHz.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame(Vec<i16>);

/// The samples were not those of one frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a frame holds {} samples (20 ms at 48 kHz), not {samples}", Frame::SAMPLES)]
pub struct FrameError {
    /// How many samples there were.
    pub samples: usize,
}

impl Frame {
    /// How many samples a frame holds.
    pub const SAMPLES: usize = 960;
    /// How many samples one second holds.
    pub const SAMPLE_RATE: u32 = 48_000;
    /// How long a frame lasts.
    pub const DURATION: Duration = Duration::from_millis(20);

    /// A frame in which nothing is heard.
    pub fn silence() -> Self {
        Self(vec![0; Self::SAMPLES])
    }

    /// The samples.
    pub fn samples(&self) -> &[i16] {
        &self.0
    }

    /// RMS level in dB relative to full scale, from -127 (silence) to 0, as RFC 6464 sends it beside each
    /// packet.
    pub fn level_dbov(&self) -> i8 {
        let energy: u64 = self.0.iter().map(|s| u64::from(s.unsigned_abs()).pow(2)).sum();
        if energy == 0 {
            return SILENT_DBOV;
        }
        let rms = (energy as f64 / self.0.len() as f64).sqrt() / f64::from(i16::MAX);
        (20.0 * rms.log10()).clamp(f64::from(SILENT_DBOV), 0.0) as i8
    }
}

/// Takes the samples over without copying them; there must be exactly [`Frame::SAMPLES`].
impl TryFrom<Vec<i16>> for Frame {
    type Error = FrameError;

    fn try_from(samples: Vec<i16>) -> Result<Self, FrameError> {
        match samples.len() {
            Self::SAMPLES => Ok(Self(samples)),
            samples => Err(FrameError { samples }),
        }
    }
}

/// Hands the samples over without copying them.
impl From<Frame> for Vec<i16> {
    fn from(frame: Frame) -> Self {
        frame.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(sample: i16) -> i8 {
        Frame::try_from(vec![sample; Frame::SAMPLES]).unwrap().level_dbov()
    }

    /// The scale of RFC 6464: 0 is full scale, -127 is silence, half the amplitude is 6 dB less.
    #[test]
    fn level_is_in_dbov() {
        assert_eq!(Frame::silence().level_dbov(), SILENT_DBOV);
        assert_eq!([i16::MAX, i16::MIN, i16::MAX / 2, 1].map(level), [0, 0, -6, -90]);
    }

    /// A frame is 20 ms long, no more and no less.
    #[test]
    fn other_lengths_are_refused() {
        for samples in [0, Frame::SAMPLES - 1, Frame::SAMPLES + 1] {
            let error = Frame::try_from(vec![0; samples]).unwrap_err();
            assert_eq!(error, FrameError { samples });
            assert!(error.to_string().ends_with(&format!("not {samples}")), "{error}");
        }
        assert_eq!(Vec::from(Frame::silence()).len(), Frame::SAMPLES);
    }
}
