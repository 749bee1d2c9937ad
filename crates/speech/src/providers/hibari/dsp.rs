//! Spectra to sound: frame by frame the sum of pulses at the voice's pitch, shaped by the harmonics'
//! spectrum, of shaped noise, and of a rest with phases of its own. This is Hibari's own signal processing,
//! written so that sound comes before the last frame is known.

use std::{f32::consts::TAU, sync::Arc};

use realfft::{ComplexToReal, RealFftPlanner, RealToComplex, num_complex::Complex32};

/// The sample rate.
pub(super) const RATE: u32 = 24_000;
/// The number of samples from frame to frame: 12.5 ms.
pub(super) const HOP: usize = 300;
/// The number of samples of a spectrum, around each frame.
const WINDOW: usize = 1_200;
/// The number of frames that overlap at any sample.
const OVERLAP: usize = WINDOW / HOP;
/// The number of values of a spectrum.
pub(super) const BINS: usize = WINDOW / 2 + 1;
/// The lowest pitch of voiced frames.
pub(super) const VOICED_HZ: f32 = 40.0;
/// The highest frequency of harmonics.
const HARMONIC_HZ_MAX: f32 = 11_000.0;
/// The highest level (natural logarithm).
const LEVEL_MAX: f32 = 7.0;

/// The transforms and the window, which all sentences share.
pub(super) struct Dsp {
    forward: Arc<dyn RealToComplex<f32>>,
    inverse: Arc<dyn ComplexToReal<f32>>,
    window: Vec<f32>,
}

impl Dsp {
    pub(super) fn new() -> Self {
        // A periodic Hann window.
        let window = |n| 0.5 - 0.5 * (std::f64::consts::TAU * f64::from(n) / WINDOW as f64).cos();
        let mut planner = RealFftPlanner::new();
        Self {
            forward: planner.plan_fft_forward(WINDOW),
            inverse: planner.plan_fft_inverse(WINDOW),
            window: (0..WINDOW as u32).map(|n| window(n) as f32).collect(),
        }
    }
}

/// The synthesis of a sentence.
pub(super) struct Synthesis<'a> {
    dsp: &'a Dsp,
    pulses: Pulses<'a>,
    noise: Noise,
    frame: usize,
    /// The overlapping ends of the last frames, from the first sample on that is not complete.
    overlap: Vec<f32>,
    samples: Vec<f32>,
    spectrum: Vec<Complex32>,
}

impl<'a> Synthesis<'a> {
    /// Begins a sentence whose frames have these pitches. The same seed gives the same noise.
    pub(super) fn new(dsp: &'a Dsp, f0: &'a [f32], seed: u64) -> Self {
        Self {
            dsp,
            pulses: Pulses { f0, phase: 0.0, samples: Vec::with_capacity(f0.len() * HOP) },
            noise: Noise(seed),
            frame: 0,
            overlap: vec![0.0; WINDOW],
            samples: vec![0.0; WINDOW],
            spectrum: vec![Complex32::default(); BINS],
        }
    }

    /// Takes the parts of the next frame (see `graph::Parts`) and appends the sound that they complete to
    /// `out`.
    pub(super) fn push(&mut self, parts: [impl Iterator<Item = f32>; 5], out: &mut Vec<f32>) {
        self.pulse_spectrum();
        let [harmonics, theta, noises, rests, phases] = parts;
        let level = |logarithm: f32| logarithm.min(LEVEL_MAX).exp();
        let parts = harmonics.zip(theta).zip(noises).zip(rests.zip(phases));
        for (bin, (((harmonic, theta), noise), (rest, phase))) in
            self.spectrum.iter_mut().zip(parts)
        {
            // The hyperbolic tangent, by a formula that is faster than the library's.
            let turn = 1.0 - 2.0 / ((2.0 * theta).exp() + 1.0);
            let turned = Complex32::from_polar(level(harmonic), std::f32::consts::PI * turn);
            let noisy = Complex32::new(self.noise.next(), self.noise.next()) * level(noise);
            *bin = *bin * turned + noisy + Complex32::from_polar(level(rest), phase);
        }
        // The first and last value have no phase.
        self.spectrum[0].im = 0.0;
        self.spectrum[BINS - 1].im = 0.0;
        self.dsp
            .inverse
            .process(&mut self.spectrum, &mut self.samples)
            .expect("the buffers are of the transform's own lengths");
        for ((sum, sample), weight) in
            self.overlap.iter_mut().zip(&self.samples).zip(&self.dsp.window)
        {
            *sum += sample * weight / WINDOW as f32;
        }
        self.frame += 1;
        self.complete(self.frame - 1, out);
    }

    /// Appends the end of the sentence to `out`.
    pub(super) fn finish(mut self, out: &mut Vec<f32>) {
        let frames = self.frame;
        for block in frames..frames + OVERLAP / 2 {
            self.complete(block, out);
        }
    }

    /// Appends the oldest [`HOP`] overlapping samples to `out`. The first two blocks are before the
    /// sentence.
    fn complete(&mut self, block: usize, out: &mut Vec<f32>) {
        if block >= OVERLAP / 2 {
            let frames = (0..OVERLAP).filter(|n| (0..self.frame).contains(&block.wrapping_sub(*n)));
            let starts: Vec<usize> = frames.map(|n| n * HOP).collect();
            out.extend(self.overlap[..HOP].iter().enumerate().map(|(n, sample)| {
                let weights = starts.iter().map(|start| self.dsp.window[start + n].powi(2));
                sample / weights.sum::<f32>().max(1e-11)
            }));
        }
        self.overlap.drain(..HOP);
        self.overlap.resize(WINDOW, 0.0);
    }

    /// Computes the spectrum of the pulses around the frame: a level of 1 for each harmonic.
    fn pulse_spectrum(&mut self) {
        let begin = self.frame * HOP;
        self.pulses.make(begin + WINDOW / 2);
        for (n, (sample, weight)) in self.samples.iter_mut().zip(&self.dsp.window).enumerate() {
            *sample = self.pulses.mirrored((begin + n) as isize - (WINDOW / 2) as isize) * weight
                / HOP as f32;
        }
        self.dsp
            .forward
            .process(&mut self.samples, &mut self.spectrum)
            .expect("the buffers are of the transform's own lengths");
    }
}

/// The pulses at the voice's pitch: all harmonics up to [`HARMONIC_HZ_MAX`], each with a level of 1.
struct Pulses<'a> {
    f0: &'a [f32],
    /// 0..1
    phase: f64,
    samples: Vec<f32>,
}

impl Pulses<'_> {
    /// Makes the pulses up to this sample, or to the end.
    fn make(&mut self, until: usize) {
        for n in self.samples.len()..until.min(self.f0.len() * HOP) {
            let pitch = self.pitch(n);
            let is_voiced = pitch > VOICED_HZ;
            let pitch = pitch.max(VOICED_HZ);
            self.phase = (self.phase + f64::from(pitch) / f64::from(RATE)).fract();
            let pulse = if is_voiced { pulse(self.phase as f32 * TAU, pitch) } else { 0.0 };
            self.samples.push(pulse);
        }
    }

    /// Returns the pitch at a sample, interpolated between the middles of frames.
    fn pitch(&self, sample: usize) -> f32 {
        let (frame, within) = (sample / HOP, sample % HOP);
        let place = (within as f32 + 0.5) / HOP as f32;
        let at = |frame: usize| self.f0.get(frame).or(self.f0.last()).copied().unwrap_or_default();
        let (from, to, weight) = match within < HOP / 2 {
            true => (at(frame.saturating_sub(1)), at(frame), place + 0.5),
            false => (at(frame), at(frame + 1), place - 0.5),
        };
        from * (1.0 - weight) + to * weight
    }

    /// Returns a sample; beyond the ends the sentence is mirrored.
    fn mirrored(&self, at: isize) -> f32 {
        let at = at.unsigned_abs();
        let length = self.f0.len() * HOP;
        let at = if at < length { at } else { (2 * length).saturating_sub(at + 2) };
        self.samples.get(at).copied().unwrap_or_default()
    }
}

/// Returns the sum of all cosines up to [`HARMONIC_HZ_MAX`], in closed form.
fn pulse(phase: f32, pitch: f32) -> f32 {
    let highest = (HARMONIC_HZ_MAX / pitch).floor() + 0.5;
    let below = 2.0 * (phase * 0.5).sin();
    let sum = if below.abs() > 2e-3 { (highest * phase).sin() / below } else { highest };
    sum - 0.5
}

/// Noise of variance 1 from a seed (SplitMix64). A number is the sum of four uniform ones. As six hundred
/// numbers make a sample, the result is as good as Gaussian noise.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let mixed = mixed ^ (mixed >> 31);
        let sum: u32 = [0, 16, 32, 48].iter().map(|shift| (mixed >> shift) as u32 & 0xffff).sum();
        // Each of the four has a variance of 65,536² / 12.
        (sum as f32 - 2.0 * 65_535.0) * (3.0_f32.sqrt() / 65_536.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two voiced stretches, the first rising, and one that ends with the sentence.
    const F0: [f32; 14] =
        [0.0, 0.0, 120.0, 124.0, 131.0, 140.0, 152.0, 160.0, 0.0, 0.0, 95.0, 90.0, 88.0, 30.0];

    /// Returns parts by formulas that were also given to the original; `noise` is the level of the noise.
    fn parts(frame: usize, noise: f32) -> [std::vec::IntoIter<f32>; 5] {
        let f = frame as f32;
        let part = |of: &dyn Fn(f32) -> f32| {
            (0..BINS).map(|bin| of(bin as f32)).collect::<Vec<_>>().into_iter()
        };
        [
            part(&|b| (0.01 * b + 0.3 * f).sin() - 1.0),
            part(&|b| (0.02 * b + 0.1 * f).cos()),
            part(&|_| noise),
            part(&|b| -3.0 + 0.001 * b),
            part(&|b| 0.05 * b * f),
        ]
    }

    /// The spectrum of the pulses is that of the original (`stft(pulses(f0))`, numpy).
    #[test]
    fn pulses_have_the_originals_spectrum() {
        let dsp = Dsp::new();
        let mut synthesis = Synthesis::new(&dsp, &F0, 0);
        let expected = [
            (0, 0, -0.0001, 0.0),
            (6, 3, -0.7911, 0.4699),
            (13, 4, -0.4982, 0.7758),
            (40, 5, -0.281, 0.5515),
            (77, 6, -0.1072, 0.0503),
            (300, 7, -0.1918, 0.2567),
            (600, 8, 0.1244, 0.0),
            (12, 11, 0.5406, 0.1643),
            (5, 13, 0.1994, -0.6852),
        ];
        for (bin, frame, re, im) in expected {
            synthesis.frame = frame;
            synthesis.pulse_spectrum();
            let away = (synthesis.spectrum[bin] - Complex32::new(re, im)).norm();
            assert!(away < 0.002, "{bin} {frame}: {} {away}", synthesis.spectrum[bin]);
        }
    }

    /// The sound of given parts is that of the original, from the first to the last sample.
    #[test]
    fn parts_become_the_originals_sound() {
        let (dsp, mut sound) = (Dsp::new(), Vec::new());
        let mut synthesis = Synthesis::new(&dsp, &F0, 0);
        for frame in 0..F0.len() {
            synthesis.push(parts(frame, -30.0), &mut sound);
            assert_eq!(sound.len(), frame.saturating_sub(1) * HOP, "sound comes as frames do");
        }
        synthesis.finish(&mut sound);
        assert_eq!(sound.len(), F0.len() * HOP);
        let expected = [
            -3e-05, 7e-05, 9e-05, 0.0013, -5e-05, 0.0001, -0.04963, -0.02244, -0.00508, -0.0003,
            0.0071, -0.00069, -0.01188, 0.00122, -0.05566, -0.00039, 0.00025, 0.00058, -0.00035,
            0.08951, -0.00015, 0.00018, 0.00032, -0.00024, -0.0001,
        ];
        for (n, expected) in expected.into_iter().enumerate() {
            let sample = sound[173 * n];
            assert!((sample - expected).abs() < 3e-4, "{n}: {sample} for {expected}");
        }
    }

    /// Noise is as loud as the original's, the same for the same seed, and different for another.
    #[test]
    fn noise_comes_from_the_seed() {
        let dsp = Dsp::new();
        let flat = |level: f32| vec![level; BINS].into_iter();
        let noise = |seed| {
            let (f0, mut sound) = ([0.0; 400], Vec::new());
            let mut synthesis = Synthesis::new(&dsp, &f0, seed);
            for _ in 0..f0.len() {
                synthesis
                    .push([flat(-30.0), flat(0.0), flat(0.0), flat(-30.0), flat(0.0)], &mut sound);
            }
            synthesis.finish(&mut sound);
            sound[3_000..117_000].to_vec()
        };
        let (one, again, other) = (noise(1), noise(1), noise(2));
        assert!(one == again && one != other);
        let level =
            (one.iter().map(|sample| sample * sample).sum::<f32>() / one.len() as f32).sqrt();
        assert!((level - 0.033_366).abs() < 0.001, "{level}");
        let together: f32 =
            one.iter().zip(&other).map(|(a, b)| a * b).sum::<f32>() / one.len() as f32;
        assert!(together.abs() < 0.05 * level * level, "{together}");
    }

    /// The output of a broken network causes nothing worse than noise.
    #[test]
    fn no_number_is_no_panic() {
        let dsp = Dsp::new();
        for f0 in [vec![f32::NAN], vec![f32::INFINITY; 3], vec![-1.0, 1e30]] {
            let (mut synthesis, mut sound) = (Synthesis::new(&dsp, &f0, 0), Vec::new());
            for _ in 0..f0.len() {
                synthesis.push(
                    [f32::NAN, f32::INFINITY, 9e9, -9e9, f32::NAN]
                        .map(|v| vec![v; BINS].into_iter()),
                    &mut sound,
                );
            }
            synthesis.finish(&mut sound);
            assert_eq!(sound.len(), f0.len() * HOP);
        }
    }
}
