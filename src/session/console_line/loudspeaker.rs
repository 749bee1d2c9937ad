//! From our frames to what a loudspeaker wants, when it wants it.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::Ordering},
    time::Duration,
};

use tokio::sync::Notify;

use super::{Format, Pace, Troubles};
use crate::{
    audio::{FRAME, FRAME_48, Pcm48, resample::Resampler},
    clock::Clock,
    speak::Mouth,
    time::SessionTime,
};

/// What a room carries, and our voice has.
const RATE: u32 = 48_000;
/// How much of our sound lies ready for the card: what lies there cannot be taken back when somebody speaks
/// over us.
const LEAD_MAX: Duration = Duration::from_millis(60);
/// What a card may want ahead of time.
const AHEAD_MAX: Duration = Duration::from_millis(200);
/// How long a card is left waiting that wants more than that.
const REST: Duration = Duration::from_millis(5);

/// Gives what a loudspeaker wants.
pub struct Loudspeaker {
    ring: Arc<Ring>,
    channels: usize,
    troubles: Troubles,
}

/// Pulls our frames as the card uses them up.
pub(super) struct Pump {
    ring: Arc<Ring>,
    /// None if the card takes our rate.
    resampler: Option<Resampler>,
    pace: Pace,
    out: Vec<i16>,
}

/// Samples of one channel on their way to the card, at its rate.
struct Ring {
    state: Mutex<Queue>,
    /// Rings when the card has taken some.
    wanted: Notify,
    /// Samples of 20 ms.
    frame: usize,
}

#[derive(Default)]
struct Queue {
    samples: VecDeque<i16>,
    /// The most that the card has wanted at once.
    largest: usize,
    /// Whether the card has wanted anything.
    is_running: bool,
}

/// The two sides of a ring.
pub(super) fn pair(format: Format, troubles: Troubles) -> (Loudspeaker, Pump) {
    let frame = format.rate as usize / 50;
    let ring = Arc::new(Ring { state: Mutex::default(), wanted: Notify::new(), frame });
    let channels = usize::from(format.channels.max(1));
    let loudspeaker = Loudspeaker { ring: ring.clone(), channels, troubles };
    let resampler = (format.rate != RATE).then(|| Resampler::new(RATE, format.rate));
    (loudspeaker, Pump { ring, resampler, pace: Pace::default(), out: Vec::new() })
}

impl Loudspeaker {
    /// Fills `out`, the same on every channel. Never waits: what is not there is silence, and counted.
    pub fn fill(&mut self, out: &mut [i16]) {
        let wanted = out.len() / self.channels;
        let mut state = self.ring.lock();
        state.is_running = true;
        state.largest = state.largest.max(wanted);
        let there = wanted.min(state.samples.len());
        let mut samples = state.samples.drain(..there);
        for frame in out.chunks_mut(self.channels) {
            frame.fill(samples.next().unwrap_or(0));
        }
        drop(samples);
        drop(state);
        self.ring.wanted.notify_one();
        self.troubles.missing.fetch_add((wanted - there) as u64, Ordering::Relaxed);
    }
}

impl Pump {
    /// Runs until it is dropped.
    pub(super) async fn run(mut self, mouth: Mouth, clock: Clock) {
        loop {
            self.ring.wanted.notified().await;
            while !self.top_up(&mouth, clock.now()) {
                tokio::time::sleep(REST).await;
            }
        }
    }

    /// Pulls what there is room for; tells whether that was allowed so early.
    fn top_up(&mut self, mouth: &Mouth, now: SessionTime) -> bool {
        while self.ring.has_room() {
            if !self.pace.admits(now, AHEAD_MAX) {
                return false;
            }
            let sound = mouth.pull(now).unwrap_or_else(|| Pcm48(vec![0; FRAME_48]));
            self.out.clear();
            match &mut self.resampler {
                Some(resampler) => resampler.push(&sound.0, &mut self.out),
                None => self.out.extend_from_slice(&sound.0),
            }
            self.ring.lock().samples.extend(&self.out);
        }
        true
    }
}

impl Ring {
    /// Whether one more frame may lie ready. A card that wants more at once than we would keep ready gets it,
    /// or it would play holes.
    fn has_room(&self) -> bool {
        let state = self.lock();
        let lead = self.frame * (LEAD_MAX.as_micros() / FRAME.as_micros()) as usize;
        let lead = lead.max(state.largest + self.frame);
        state.is_running && state.samples.len() + self.frame <= lead
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::iter::repeat_with;

    use super::*;
    use crate::interview::ReplyId;

    /// A card, and a mouth that says a constant for so many seconds.
    fn card(format: Format, seconds: usize) -> (Loudspeaker, Pump, Mouth, Troubles) {
        let troubles = Troubles::default();
        let (loudspeaker, pump) = pair(format, troubles.clone());
        let (mouth, _) = Mouth::new();
        mouth.connect(true);
        mouth.append(ReplyId(1), 0, &Pcm48(vec![5_000; seconds * RATE as usize]));
        mouth.complete(ReplyId(1), 0);
        mouth.open(ReplyId(1), 0);
        (loudspeaker, pump, mouth, troubles)
    }

    /// A card of any rate hears a second of ours as a second, without a hole, on every channel.
    #[test]
    fn a_card_gets_all_of_our_sound() {
        for (rate, channels, piece) in [
            (48_000, 1, 480),
            (48_000, 2, 1_024),
            (44_100, 2, 441),
            (16_000, 1, 160),
            (44_100, 2, 8_820),
        ] {
            let case = format!("{rate} Hz, {channels}, {piece} at a time");
            let (mut loudspeaker, mut pump, mouth, troubles) = card(Format { rate, channels }, 1);
            let mut heard = Vec::new();
            let mut out = vec![0; piece * usize::from(channels)];
            for n in 0..(2 * rate as usize).div_ceil(piece) {
                let us = n as u64 * piece as u64 * 1_000_000 / u64::from(rate);
                loudspeaker.fill(&mut out);
                for frame in out.chunks(usize::from(channels)) {
                    assert!(frame.iter().all(|sample| *sample == frame[0]), "{case}");
                    heard.push(frame[0]);
                }
                assert!(pump.top_up(&mouth, SessionTime::from_micros(us)), "{case}");
            }
            let is_ours = |sample: &i16| sample.unsigned_abs() > 2_500;
            let first = heard.iter().position(is_ours).expect("something is heard");
            let last = heard.iter().rposition(is_ours).expect("something is heard");
            let lasted = last + 1 - first;
            assert!(lasted.abs_diff(rate as usize) < rate as usize / 200, "{case}: {lasted}");
            assert!(heard[first..=last].iter().all(is_ours), "{case}: a hole");
            // Nothing lies ready before it is known what the card wants.
            assert_eq!(troubles.missing(), piece as u64, "{case}");
        }
    }

    /// At most 60 ms lie ready: what comes of a hushed reply afterwards is no more than that.
    #[test]
    fn little_lies_ready() {
        let format = Format { rate: RATE, channels: 1 };
        let (mut loudspeaker, mut pump, mouth, _) = card(format, 1);
        let mut out = vec![0; 480];
        for n in 0..20 {
            loudspeaker.fill(&mut out);
            pump.top_up(&mouth, SessionTime::from_millis(10 * n));
        }
        assert_eq!(out, vec![5_000; 480]);
        mouth.clear(ReplyId(1));
        let mut ours = || {
            loudspeaker.fill(&mut out);
            out.iter().filter(|sample| **sample != 0).count()
        };
        let after: usize = repeat_with(&mut ours).take(20).sum();
        assert!((1..=48 * 60).contains(&after), "{after} samples");
    }

    /// A device without a clock, which wants all at once, does not make us speak faster than time passes.
    #[test]
    fn a_device_without_a_clock_does_not_hurry_us() {
        let (mut loudspeaker, mut pump, mouth, _) = card(Format { rate: RATE, channels: 1 }, 10);
        let mut out = vec![0; 4_800];
        let mut ours = 0;
        for ms in 0..2_000 {
            loudspeaker.fill(&mut out);
            ours += out.iter().filter(|sample| **sample != 0).count();
            pump.top_up(&mouth, SessionTime::from_millis(ms));
        }
        assert!((90_000..=110_000).contains(&ours), "{ours} samples in two seconds");
    }
}
