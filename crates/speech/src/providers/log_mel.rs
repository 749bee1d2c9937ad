//! The log-mel features of Whisper's family of networks: the logarithm of a sound's energy in 80 bands,
//! every 10 ms.

use std::{f64::consts::TAU, sync::Arc};

use realfft::{RealFftPlanner, RealToComplex};

/// The number of samples that the features describe: 8 s at 16 kHz.
pub(super) const SAMPLES: usize = 128_000;
/// The number of bands.
pub(super) const BANDS: usize = 80;
/// The number of times at which the bands are measured.
pub(super) const TIMES: usize = SAMPLES / HOP;
const HOP: usize = 160;
/// The number of samples of one spectrum, around each time.
const WINDOW: usize = 400;
const RATE: f64 = 16_000.0;
/// The least energy that counts.
const FLOOR: f32 = 1e-10;
/// The range below the loudest value, in powers of ten; fainter values are raised to its lower end.
const RANGE: f32 = 8.0;

/// The bands, the window and the plan of the transform.
pub(super) struct LogMel {
    transform: Arc<dyn RealToComplex<f32>>,
    window: Vec<f32>,
    bands: Vec<Band>,
}

/// The weights of a band, from its first part of the spectrum on.
struct Band {
    first: usize,
    weights: Vec<f32>,
}

impl LogMel {
    pub(super) fn new() -> Self {
        // A periodic Hann window.
        let window = |n| 0.5 - 0.5 * (TAU * f64::from(n) / WINDOW as f64).cos();
        Self {
            transform: RealFftPlanner::new().plan_fft_forward(WINDOW),
            window: (0..WINDOW as u32).map(|n| window(n) as f32).collect(),
            bands: bands(),
        }
    }

    /// Returns the features of the last 8 s of a sound, band by band. A shorter sound has silence before it.
    pub(super) fn of(&self, sound: &[i16]) -> Vec<f32> {
        let sound = normal(sound);
        let mut around = self.transform.make_input_vec();
        let mut spectrum = self.transform.make_output_vec();
        let mut scratch = self.transform.make_scratch_vec();
        let mut features = vec![0.0; BANDS * TIMES];
        let mut loudest = f32::MIN;
        for time in 0..TIMES {
            for (n, (sample, weight)) in around.iter_mut().zip(&self.window).enumerate() {
                *sample = sound[mirrored(time * HOP + n)] * weight;
            }
            self.transform
                .process_with_scratch(&mut around, &mut spectrum, &mut scratch)
                .expect("the buffers are of the transform's own lengths");
            for (n, band) in self.bands.iter().enumerate() {
                let parts = spectrum[band.first..].iter().zip(&band.weights);
                let energy: f32 = parts.map(|(part, weight)| part.norm_sqr() * weight).sum();
                let log = energy.max(FLOOR).log10();
                loudest = loudest.max(log);
                features[n * TIMES + time] = log;
            }
        }
        for feature in &mut features {
            *feature = (feature.max(loudest - RANGE) + 4.0) / 4.0;
        }
        features
    }
}

/// Returns the end of a sound, with silence before a short one, at mean 0 and variance 1.
fn normal(sound: &[i16]) -> Vec<f32> {
    let sound = &sound[sound.len().saturating_sub(SAMPLES)..];
    let mut all = vec![0.0; SAMPLES - sound.len()];
    all.extend(sound.iter().map(|sample| f64::from(*sample) / 32_768.0));
    let mean = all.iter().sum::<f64>() / SAMPLES as f64;
    let variance = all.iter().map(|s| (s - mean) * (s - mean)).sum::<f64>() / SAMPLES as f64;
    let deviation = (variance + 1e-7).sqrt();
    all.iter().map(|sample| ((sample - mean) / deviation) as f32).collect()
}

/// Returns the index of the `n`th sample of a sound that is mirrored at both ends for half a window.
fn mirrored(n: usize) -> usize {
    let half = WINDOW / 2;
    match n.checked_sub(half) {
        None => half - n,
        Some(n) if n < SAMPLES => n,
        Some(n) => 2 * (SAMPLES - 1) - n,
    }
}

/// Returns triangles of equal area, each from one band's middle to the next but one; the middles are evenly
/// spaced in mel.
fn bands() -> Vec<Band> {
    let top = mel(RATE / 2.0);
    let edge = |n: usize| hertz(top * n as f64 / (BANDS + 1) as f64);
    let band = |n: usize| {
        let (low, middle, high) = (edge(n), edge(n + 1), edge(n + 2));
        let weight = |part: usize| {
            let hertz = part as f64 * RATE / WINDOW as f64;
            let rise = (hertz - low) / (middle - low);
            let fall = (high - hertz) / (high - middle);
            (rise.min(fall).max(0.0) * 2.0 / (high - low)) as f32
        };
        let weights: Vec<f32> = (0..=WINDOW / 2).map(weight).collect();
        let counts = |weight: &f32| *weight > 0.0;
        let first = weights.iter().position(counts).unwrap_or_default();
        let end = weights.iter().rposition(counts).map_or(first, |last| last + 1);
        Band { first, weights: weights[first..end].to_vec() }
    };
    (0..BANDS).map(band).collect()
}

/// Slaney's mel scale: linear up to 1 kHz, then logarithmic.
const EVEN_TO: f64 = 1_000.0;
const MEL_AT: f64 = 15.0;
const MEL_A_RATIO: f64 = 27.0;
const RATIO: f64 = 6.4;

fn mel(hertz: f64) -> f64 {
    if hertz < EVEN_TO {
        return hertz * MEL_AT / EVEN_TO;
    }
    MEL_AT + (hertz / EVEN_TO).ln() * MEL_A_RATIO / RATIO.ln()
}

fn hertz(mel: f64) -> f64 {
    if mel < MEL_AT {
        return mel * EVEN_TO / MEL_AT;
    }
    EVEN_TO * ((mel - MEL_AT) * RATIO.ln() / MEL_A_RATIO).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(is: f32, wanted: f32, what: &str) {
        assert!((is - wanted).abs() < 0.001, "{what}: {is}, not {wanted}");
    }

    /// T04: silence gives the floor in all bands, whatever its length.
    #[test]
    fn silence_is_the_floor() {
        let log_mel = LogMel::new();
        for length in [0, 1, 16_000, 200_000] {
            let features = log_mel.of(&vec![0; length]);
            assert_eq!(features.len(), BANDS * TIMES);
            // (log10(1e-10) + 4) / 4
            assert!(features.iter().all(|feature| *feature == -1.5), "{length}");
        }
    }

    /// T04: a tone is in its band: the windowed power in three parts of the spectrum, weighted by the band's
    /// triangle.
    #[test]
    fn a_tone_is_in_its_band() {
        let tone: Vec<i16> = (0..SAMPLES)
            .map(|n| (8_000.0 * (TAU * 1_000.0 * n as f64 / RATE).sin()).round() as i16)
            .collect();
        let features = LogMel::new().of(&tone);
        let at = |band: usize| features[band * TIMES + 400];
        // At power 1: 20,000 at 1,000 Hz, a quarter of it 40 Hz to each side.
        let expected = |band: usize| {
            let edge = |n: usize| hertz(mel(8_000.0) * n as f64 / 81.0);
            let (low, middle, high) = (edge(band), edge(band + 1), edge(band + 2));
            let part = |hertz: f64| {
                ((hertz - low) / (middle - low)).min((high - hertz) / (high - middle)).max(0.0)
            };
            let sum = 20_000.0 * part(1_000.0) + 5_000.0 * (part(960.0) + part(1_040.0));
            ((sum * 2.0 / (high - low)).log10() as f32 + 4.0) / 4.0
        };
        for band in 25..=27 {
            near(at(band), expected(band), "near the tone");
        }
        let loudest = (0..BANDS).max_by(|a, b| at(*a).total_cmp(&at(*b)));
        assert_eq!(loudest, Some(26));
        near(at(26), 1.66542, "the loudest");
        near(at(60), 1.66542 - 2.0, "far away");
    }

    /// T04: the features of a noise shorter than 8 s are those that numpy computes by Whisper's rules.
    #[test]
    fn features_are_whispers() {
        let noise: Vec<i16> =
            (0..48_000_i64).map(|n| ((n * n / 7) % 20_011 - 10_005) as i16).collect();
        let features = LogMel::new().of(&noise);
        for (band, time, wanted) in [
            (0, 0, 0.30678),
            (0, 499, 0.89867),
            (0, 500, 1.76705),
            (5, 501, 0.87790),
            (12, 780, 1.13081),
            (20, 560, 0.99561),
            (26, 600, 0.92566),
            (33, 799, 0.90097),
            (40, 620, 1.02867),
            (40, 700, 1.08368),
            (60, 650, 1.03821),
            (79, 640, 1.02934),
            (79, 799, 1.04666),
        ] {
            near(features[band * TIMES + time], wanted, &format!("band {band} at {time}"));
        }
    }

    /// T04: a sound is mirrored before its beginning and behind its end, as numpy computes by the same
    /// rules.
    #[test]
    fn the_ends_are_mirrored() {
        let noise: Vec<i16> =
            (0..SAMPLES as i64).map(|n| ((n * n / 7) % 20_011 - 10_005) as i16).collect();
        let features = LogMel::new().of(&noise);
        for (band, time, wanted) in [
            (0, 0, 1.72072),
            (5, 0, 0.18753),
            (0, 1, 1.66417),
            (12, 1, -0.01750),
            (5, 799, 0.69179),
            (26, 799, 0.88623),
            (79, 799, 1.17226),
        ] {
            near(features[band * TIMES + time], wanted, &format!("band {band} at {time}"));
        }
    }

    /// T04: of a longer sound the last 8 s count; the loudness of a sound does not.
    #[test]
    fn the_end_counts_and_no_loudness() {
        let sound = |n: i64| ((n * n / 7) % 2_011 - 1_005) as i16;
        let end: Vec<i16> = (0..SAMPLES as i64).map(sound).collect();
        let long = [vec![9_000; 5_000], end.clone()].concat();
        let loud: Vec<i16> = end.iter().map(|sample| sample * 16).collect();
        let log_mel = LogMel::new();
        let features = log_mel.of(&end);
        assert_eq!(log_mel.of(&long), features);
        for (is, wanted) in log_mel.of(&loud).iter().zip(&features).step_by(97) {
            near(*is, *wanted, "louder");
        }
    }
}
