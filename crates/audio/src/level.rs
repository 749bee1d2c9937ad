//! How loud a frame is.

/// The level of digital silence, and the lowest that is ever told.
pub const SILENT_DBOV: i8 = -127;

/// RMS level in dB relative to full scale, -127 (silence) to 0, as RFC 6464 wants it.
pub fn dbov(samples: &[i16]) -> i8 {
    let energy: u64 = samples.iter().map(|s| u64::from(s.unsigned_abs()).pow(2)).sum();
    if energy == 0 {
        return SILENT_DBOV;
    }
    let rms = (energy as f64 / samples.len() as f64).sqrt() / f64::from(i16::MAX);
    (20.0 * rms.log10()).clamp(f64::from(SILENT_DBOV), 0.0) as i8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The scale of RFC 6464: 0 is full scale, -127 is silence, half the amplitude is 6 dB less.
    #[test]
    fn level_is_in_dbov() {
        assert_eq!(dbov(&[]), SILENT_DBOV);
        assert_eq!(dbov(&[0; 960]), SILENT_DBOV);
        assert_eq!(dbov(&[i16::MAX; 960]), 0);
        assert_eq!(dbov(&[i16::MIN; 960]), 0);
        assert_eq!(dbov(&[i16::MAX / 2; 960]), -6);
        assert_eq!(dbov(&[1; 960]), -90);
    }
}
