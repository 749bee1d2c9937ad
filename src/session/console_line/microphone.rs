//! From a microphone's samples, as they come, to frames at 16 kHz, each at its time.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::sync::mpsc;

use super::{Format, Pace, Troubles};
use crate::{
    audio::{FRAME_16, Pcm16, fit::Fit, mixed, resample::Resampler},
    time::SessionTime,
};

/// What the listener works at.
const RATE: u32 = 16_000;
/// The fit counts in samples at 48 kHz.
const FIT_PER_SAMPLE: u64 = 3;
/// Frames that may wait for the session: 1 s.
const FRAMES_MAX: usize = 50;
/// What a card that was slow may bring at once.
const BURST_MAX: Duration = Duration::from_secs(1);

/// Takes what a microphone gives.
pub struct Microphone {
    channels: usize,
    /// None if the card gives our rate by itself.
    resampler: Option<Resampler>,
    mono: Vec<i16>,
    /// What does not make a frame yet.
    rest: Vec<i16>,
    /// Samples at 16 kHz in all frames so far.
    taken: u64,
    fit: Fit,
    pace: Pace,
    gap: Gap,
    out: mpsc::Sender<(SessionTime, Pcm16)>,
    troubles: Troubles,
}

/// Tells the microphone that its card has lost sound. From any thread.
#[derive(Clone, Debug, Default)]
pub struct Gap(Arc<AtomicBool>);

impl Gap {
    /// What comes next does not follow what came last.
    pub fn tell(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Microphone {
    pub(super) fn new(
        format: Format,
        troubles: Troubles,
    ) -> (Self, mpsc::Receiver<(SessionTime, Pcm16)>) {
        let (out, frames) = mpsc::channel(FRAMES_MAX);
        let microphone = Self {
            channels: usize::from(format.channels.max(1)),
            resampler: (format.rate != RATE).then(|| Resampler::new(format.rate, RATE)),
            mono: Vec::new(),
            rest: Vec::new(),
            taken: 0,
            fit: Fit::default(),
            pace: Pace::default(),
            gap: Gap::default(),
            out,
            troubles,
        };
        (microphone, frames)
    }

    /// Says when sound was lost.
    pub fn gap(&self) -> Gap {
        self.gap.clone()
    }

    /// The next samples, interleaved, which came now. Never waits: what nobody takes is dropped and counted.
    pub fn push(&mut self, now: SessionTime, samples: &[i16]) {
        if self.gap.0.swap(false, Ordering::Relaxed) {
            self.fit = Fit::default();
        }
        self.mono.clear();
        self.mono.extend(samples.chunks_exact(self.channels).map(mixed));
        match &mut self.resampler {
            Some(resampler) => resampler.push(&self.mono, &mut self.rest),
            None => self.rest.extend_from_slice(&self.mono),
        }
        self.fit.learn(now, FIT_PER_SAMPLE * (self.taken + self.rest.len() as u64));
        let whole = self.rest.len() - self.rest.len() % FRAME_16;
        for frame in self.rest[..whole].chunks_exact(FRAME_16) {
            let began = self.fit.time(now, FIT_PER_SAMPLE * self.taken);
            self.taken += FRAME_16 as u64;
            let is_taken = self.pace.admits(now, BURST_MAX)
                && self.out.try_send((began, Pcm16(frame.to_vec()))).is_ok();
            if !is_taken {
                self.troubles.dropped.fetch_add(1, Ordering::Relaxed);
            }
        }
        self.rest.drain(..whole);
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;

    /// A second of a tone on all channels, in pieces of uneven length, as it came.
    fn heard(rate: u32, channels: u16) -> (Vec<(SessionTime, Pcm16)>, Troubles) {
        let troubles = Troubles::default();
        let (mut microphone, mut frames) =
            Microphone::new(Format { rate, channels }, troubles.clone());
        let tone = |n: u32| (f64::from(n) / f64::from(rate) * 440.0 * TAU).sin() * 10_000.0;
        let samples: Vec<i16> = (0..rate)
            .flat_map(|n| std::iter::repeat_n(tone(n) as i16, usize::from(channels)))
            .collect();
        let (mut n, mut at, mut out) = (0, 0, Vec::new());
        for piece in [331, 1_024, 7, 4_096].into_iter().cycle() {
            let end = (at + piece * usize::from(channels)).min(samples.len());
            n += (end - at) / usize::from(channels);
            let now = SessionTime::from_micros(500_000 + n as u64 * 1_000_000 / u64::from(rate));
            microphone.push(now, &samples[at..end]);
            while let Ok(frame) = frames.try_recv() {
                out.push(frame);
            }
            at = end;
            if at == samples.len() {
                return (out, troubles);
            }
        }
        unreachable!("a cycle does not end")
    }

    /// Whatever a card gives becomes 50 frames a second at 16 kHz, as loud as it was, each where it was said.
    #[test]
    fn any_format_becomes_frames() {
        for (rate, channels) in [
            (48_000, 1),
            (48_000, 2),
            (44_100, 2),
            (44_100, 1),
            (16_000, 1),
            (8_000, 2),
            (96_000, 6),
        ] {
            let (frames, troubles) = heard(rate, channels);
            let case = format!("{rate} Hz, {channels}");
            assert_eq!(frames.len(), 50, "{case}");
            assert_eq!(troubles.dropped(), 0, "{case}");
            for (n, (at, sound)) in frames.iter().enumerate() {
                let off = at.as_micros().abs_diff(500_000 + 20_000 * n as u64);
                assert!(off < 1_000, "{case}: frame {n} at {at}");
                assert_eq!(sound.0.len(), FRAME_16);
                let level = crate::audio::level::dbov(&sound.0);
                assert!(n == 0 || (-15..=-13).contains(&level), "{case}: frame {n}, {level} dBov");
            }
        }
    }

    /// Invariant 10: what the session does not take, and what comes faster than time passes, is dropped and
    /// counted.
    #[test]
    fn what_is_too_much_is_dropped() {
        let troubles = Troubles::default();
        let format = Format { rate: 16_000, channels: 1 };
        let (mut microphone, mut frames) = Microphone::new(format, troubles.clone());
        let second = vec![0; 16_000];
        microphone.push(SessionTime::ZERO, &second);
        assert_eq!((frames.len(), troubles.dropped()), (50, 0), "a burst");
        microphone.push(SessionTime::from_millis(1_000), &second);
        assert_eq!((frames.len(), troubles.dropped()), (50, 50), "nobody takes it");
        while frames.try_recv().is_ok() {}
        for _ in 0..10 {
            microphone.push(SessionTime::from_millis(1_001), &second);
        }
        assert!(frames.len() < 50 && troubles.dropped() > 500, "{}", troubles.dropped());
    }

    /// When a card has lost sound, what follows is placed by when it comes, not by what came before.
    #[test]
    fn a_gap_is_a_gap() {
        let format = Format { rate: 16_000, channels: 1 };
        let (mut microphone, mut frames) = Microphone::new(format, Troubles::default());
        let frame = vec![0; FRAME_16];
        microphone.push(SessionTime::from_millis(20), &frame);
        microphone.gap().tell();
        microphone.push(SessionTime::from_millis(820), &frame);
        let mut began = || frames.try_recv().unwrap().0;
        assert_eq!([began(), began()], [0, 800].map(SessionTime::from_millis));
    }
}
