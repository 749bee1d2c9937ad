//! Changes the sample rate: a polyphase FIR filter, as long out as in, 1 ms late between 16 and 48 kHz.

use std::f64::consts::PI;

use super::{Pcm16, Pcm48};

/// Zero crossings of the filter's sinc to each side of its middle, at the lower of both rates.
const ZERO_CROSSINGS: u64 = 16;
/// Shape of the Kaiser window: 8 keeps what folds back below -80 dB.
const KAISER_BETA: f64 = 8.0;
/// The filter's middle, relative to half the lower rate: at 16 kHz flat up to 6 kHz, closed from 8.8 kHz.
const CUTOFF: f64 = 0.93;

/// From a room's rate to that of VAD and STT.
pub struct Down(Resampler);

impl Default for Down {
    fn default() -> Self {
        Self(Resampler::new(48_000, 16_000))
    }
}

impl Down {
    /// The next sound; 20 ms give 20 ms.
    pub fn push(&mut self, sound: &Pcm48) -> Pcm16 {
        let mut out = Vec::with_capacity(sound.0.len() / 3 + 1);
        self.0.push(&sound.0, &mut out);
        Pcm16(out)
    }
}

/// From a recording's or a synthesiser's rate to that of a room.
pub struct Up(Resampler);

impl Default for Up {
    fn default() -> Self {
        Self(Resampler::new(16_000, 48_000))
    }
}

impl Up {
    /// The next sound; 20 ms give 20 ms.
    pub fn push(&mut self, sound: &Pcm16) -> Pcm48 {
        let mut out = Vec::with_capacity(sound.0.len() * 3);
        self.0.push(&sound.0, &mut out);
        Pcm48(out)
    }
}

/// Changes any rate into any other, streaming.
pub struct Resampler {
    /// Reduced ratio of the rates: `up` samples out for `down` samples in.
    up: u64,
    down: u64,
    /// One filter per fraction of a sample that an output can lie at, `taps` long, reversed.
    phases: Vec<f32>,
    taps: usize,
    /// The last `taps - 1` samples of the past, then what was pushed.
    past: Vec<f32>,
    /// Where the next output lies after the first sample not yet consumed, in 1/`up` samples.
    next: u64,
}

impl Resampler {
    /// A resampler from `from` Hz to `to` Hz, both 1..=768,000.
    pub fn new(from: u32, to: u32) -> Self {
        assert!((1..=768_000).contains(&from) && (1..=768_000).contains(&to), "{from} to {to} Hz");
        let (from, to) = (u64::from(from), u64::from(to));
        let common = gcd(from, to);
        let (up, down) = (to / common, from / common);
        let half = half_length(from, to);
        let taps = 2 * half + 1;
        let cutoff = CUTOFF * from.min(to) as f64 / from as f64;
        let mut phases = Vec::with_capacity(up as usize * taps);
        for phase in 0..up {
            let fraction = phase as f64 / up as f64;
            let filter: Vec<f64> =
                (0..taps).map(|k| tap(k as f64 - half as f64 - fraction, half, cutoff)).collect();
            // Every phase alone lets a constant through unchanged.
            let gain: f64 = filter.iter().sum();
            phases.extend(filter.iter().map(|t| (t / gain) as f32));
        }
        Self { up, down, phases, taps, past: vec![0.0; taps - 1], next: 0 }
    }

    /// Appends to `out` what `sound` gives: after n samples in, ⌈n · to / from⌉ are out.
    pub fn push(&mut self, sound: &[i16], out: &mut Vec<i16>) {
        self.past.extend(sound.iter().map(|s| f32::from(*s)));
        let until = sound.len() as u64 * self.up;
        while self.next < until {
            let start = (self.next / self.up) as usize;
            let phase = (self.next % self.up) as usize * self.taps;
            let value =
                dot(&self.past[start..start + self.taps], &self.phases[phase..phase + self.taps]);
            // A cast saturates: an overshoot clips and never wraps.
            out.push((value + 0.5_f32.copysign(value)) as i16);
            self.next += self.down;
        }
        self.next -= until;
        self.past.drain(..sound.len());
    }

    /// A resampler that is not late: its first output comes `delay` samples after the first input, so
    /// the last of a recording comes with [`Resampler::flush`].
    pub fn punctual(from: u32, to: u32) -> Self {
        let mut resampler = Self::new(from, to);
        resampler.next = resampler.delay() as u64 * resampler.up;
        resampler
    }

    /// Appends the end of a recording to `out`.
    pub fn flush(mut self, out: &mut Vec<i16>) {
        self.push(&vec![0; self.delay()], out);
    }

    fn delay(&self) -> usize {
        self.taps / 2
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Input samples to each side of the filter's middle.
fn half_length(from: u64, to: u64) -> usize {
    (ZERO_CROSSINGS * from).div_ceil(from.min(to)) as usize
}

/// The windowed sinc at `x` input samples from its middle.
fn tap(x: f64, half: usize, cutoff: f64) -> f64 {
    let edge = x / (half as f64 + 1.0);
    if edge.abs() >= 1.0 {
        return 0.0;
    }
    let window = bessel_i0(KAISER_BETA * (1.0 - edge * edge).sqrt()) / bessel_i0(KAISER_BETA);
    let angle = PI * x * cutoff;
    let sinc = if angle.abs() < 1e-9 { 1.0 } else { angle.sin() / angle };
    sinc * window
}

/// The modified Bessel function of order zero, by its series.
fn bessel_i0(x: f64) -> f64 {
    let quarter = x * x / 4.0;
    let (mut sum, mut term) = (1.0, 1.0);
    for k in 1..50 {
        term *= quarter / f64::from(k * k);
        sum += term;
    }
    sum
}

/// Eight sums side by side, so that the compiler can use vector registers; the order of additions is fixed.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0_f32; 8];
    let (a8, b8) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f32 = a8.remainder().iter().zip(b8.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a8.zip(b8) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a * b;
        }
    }
    sums.iter().sum::<f32>() + rest
}
