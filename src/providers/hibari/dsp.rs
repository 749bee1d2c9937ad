//! Spectra to sound: pulses at the voice's pitch shaped by the harmonics' spectrum, shaped noise, and a rest with phases of its own,
//! frame by frame; Hibari's own signal processing, written so that sound comes before the last frame is known.

use std::{f32::consts::TAU, sync::Arc};

use realfft::{ComplexToReal, RealFftPlanner, RealToComplex, num_complex::Complex32};

/// Samples a second.
pub(super) const RATE: u32 = 24_000;
/// Samples from frame to frame: 12.5 ms.
pub(super) const HOP: usize = 300;
/// Samples of which a spectrum is made, around each frame.
const WINDOW: usize = 1_200;
/// Frames that overlap at any sample.
const OVERLAP: usize = WINDOW / HOP;
/// Values of a spectrum.
pub(super) const BINS: usize = WINDOW / 2 + 1;
/// A lower pitch is none.
pub(super) const VOICED_HZ: f32 = 40.0;
/// Harmonics go up to here.
const HARMONIC_HZ_MAX: f32 = 11_000.0;
/// Levels are no higher (natural logarithm).
const LEVEL_MAX: f32 = 7.0;

/// Transforms and window, shared by all sentences.
pub(super) struct Dsp {
    forward: Arc<dyn RealToComplex<f32>>,
    inverse: Arc<dyn ComplexToReal<f32>>,
    window: Vec<f32>,
}

impl Dsp {
    pub(super) fn new() -> Self {
        // Hann's, as of a signal that goes on.
        let window = |n| 0.5 - 0.5 * (std::f64::consts::TAU * f64::from(n) / WINDOW as f64).cos();
        let mut planner = RealFftPlanner::new();
        Self {
            forward: planner.plan_fft_forward(WINDOW),
            inverse: planner.plan_fft_inverse(WINDOW),
            window: (0..WINDOW as u32).map(|n| window(n) as f32).collect(),
        }
    }
}

/// The sound of a sentence, as it is made.
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

    /// Takes the next frame's parts (see `graph::Parts`) and appends what sound they complete to `out`.
    pub(super) fn push(&mut self, parts: [impl Iterator<Item = f32>; 5], out: &mut Vec<f32>) {
        self.pulse_spectrum();
        let [harmonics, theta, noises, rests, phases] = parts;
        let level = |logarithm: f32| logarithm.min(LEVEL_MAX).exp();
        let parts = harmonics.zip(theta).zip(noises).zip(rests.zip(phases));
        for (bin, (((harmonic, theta), noise), (rest, phase))) in self.spectrum.iter_mut().zip(parts) {
            let turned = Complex32::from_polar(level(harmonic), std::f32::consts::PI * theta.tanh());
            let noisy = Complex32::new(self.noise.next(), self.noise.next()) * level(noise);
            *bin = *bin * turned + noisy + Complex32::from_polar(level(rest), phase);
        }
        // They have no phase.
        self.spectrum[0].im = 0.0;
        self.spectrum[BINS - 1].im = 0.0;
        self.dsp
            .inverse
            .process(&mut self.spectrum, &mut self.samples)
            .expect("the buffers are of the transform's own lengths");
        for ((sum, sample), weight) in self.overlap.iter_mut().zip(&self.samples).zip(&self.dsp.window) {
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

    /// Hands out the oldest [`HOP`] samples of what overlaps. The first two blocks lie before the sentence.
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

    /// The spectrum of the pulses around the frame: a level of 1 for each harmonic.
    fn pulse_spectrum(&mut self) {
        let begin = self.frame * HOP;
        self.pulses.make(begin + WINDOW / 2);
        for (n, (sample, weight)) in self.samples.iter_mut().zip(&self.dsp.window).enumerate() {
            *sample = self.pulses.mirrored((begin + n) as isize - (WINDOW / 2) as isize) * weight / HOP as f32;
        }
        self.dsp
            .forward
            .process(&mut self.samples, &mut self.spectrum)
            .expect("the buffers are of the transform's own lengths");
    }
}

/// Pulses at the voice's pitch: all harmonics up to [`HARMONIC_HZ_MAX`], each with a level of 1.
struct Pulses<'a> {
    f0: &'a [f32],
    /// 0..1
    phase: f64,
    samples: Vec<f32>,
}

impl Pulses<'_> {
    /// Makes them up to this sample, or to the end.
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

    /// The pitch at a sample, on a line between the middles of frames.
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

    /// A sample; beyond the ends of the sentence it runs back.
    fn mirrored(&self, at: isize) -> f32 {
        let at = at.unsigned_abs();
        let length = self.f0.len() * HOP;
        let at = if at < length { at } else { (2 * length).saturating_sub(at + 2) };
        self.samples.get(at).copied().unwrap_or_default()
    }
}

/// The sum of all cosines up to [`HARMONIC_HZ_MAX`], in closed form.
fn pulse(phase: f32, pitch: f32) -> f32 {
    let highest = (HARMONIC_HZ_MAX / pitch).floor() + 0.5;
    let below = 2.0 * (phase * 0.5).sin();
    let sum = if below.abs() > 2e-3 { (highest * phase).sin() / below } else { highest };
    sum - 0.5
}

/// Noise of variance 1 from a seed (SplitMix64). A number is the sum of four uniform ones: six hundred of them make a sample, so that
/// it makes no difference to Gauss's.
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
