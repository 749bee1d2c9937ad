//! One candidate's sound as a single line of time without gaps, for VAD and recogniser.

use std::{collections::VecDeque, time::Duration};

use super::{
    Heard, Tap, Troubles,
    detector::{Detector, Origin},
    recent::Recent,
    recogniser::Recogniser,
    speech::Speech,
    track::Sound,
};
use crate::providers::{SttStream, Vad};
use audio::{FRAME, FRAME_16, Pcm16, level};
use interview::time::SessionTime;

/// Without sound for this long, the time that passes is silence.
const QUIET: Duration = Duration::from_millis(200);
/// A piece that begins at most this long after the end of the one before follows it without a gap.
const JITTER: Duration = Duration::from_millis(10);
/// The longest time for which sound that broke off in the middle of a voice counts as missing; after it the
/// candidate is silent.
const MISSING_MAX: Duration = Duration::from_secs(1);
/// The longest silence that VAD and recogniser hear; the rest of a longer one is left out.
const SILENCE_MAX: Duration = Duration::from_secs(1);
/// Sound that comes later than this changes decisions, so it is counted.
const LATE: Duration = Duration::from_millis(200);
/// How much longer sound may be than the time in which it came: a line that stood still brings all of its
/// sound at once.
const AHEAD_MAX: Duration = Duration::from_secs(5);
/// Sound below this level may be left out, to catch up.
const INAUDIBLE_DBOV: i8 = -60;

pub(super) struct Timeline {
    detector: Detector,
    recogniser: Recogniser,
    tap: Option<Tap>,
    /// The last of the sound, if somebody may want to hear it again.
    recent: Option<Recent>,
    flow: Flow,
    /// The end of the sound so far.
    sound_end: SessionTime,
    lead: Lead,
    bounds: Bounds,
    /// Only `late` and `flooded`.
    troubles: Troubles,
}

/// Whether sound comes.
#[derive(Clone, Copy, Debug)]
enum Flow {
    /// Sound comes; the last piece came at `arrived`.
    Sound { arrived: SessionTime },
    /// The sound broke off in the middle of a voice: up to `until` it counts as missing.
    Missing { until: SessionTime },
    /// No sound comes: the candidate is silent.
    Quiet,
}

/// How far the sound is ahead of the clock: sound that comes all at once is longer than the time it took.
struct Lead {
    /// The lead when the last sound came.
    last: Duration,
    /// Sound that comes with a longer lead is dropped.
    max: Duration,
}

/// The times between which a new fact may lie.
struct Bounds {
    /// The end of the time that was told to be silent: no later fact is before it.
    silent_until: SessionTime,
    /// The latest time seen: no fact is after it.
    now: SessionTime,
}

impl Bounds {
    /// Sound that came all at once counts as heard now, not in the future.
    fn at_most_now(&self, at: SessionTime) -> SessionTime {
        at.min(self.now)
    }

    fn clamp(&self, at: SessionTime) -> SessionTime {
        self.at_most_now(at.max(self.silent_until))
    }

    fn clamp_fact(&self, fact: Heard) -> Heard {
        match fact {
            Heard::SpeechStarted { at } => Heard::SpeechStarted { at: self.clamp(at) },
            Heard::SpeechStopped { at } => Heard::SpeechStopped { at: self.clamp(at) },
            Heard::Transcript(_) => fact,
        }
    }
}

impl Timeline {
    pub(super) fn new(vad: Box<dyn Vad>, stt: Box<dyn SttStream>) -> Self {
        Self {
            detector: Detector::new(vad),
            recogniser: Recogniser::new(stt),
            tap: None,
            recent: None,
            flow: Flow::Quiet,
            sound_end: SessionTime::ZERO,
            lead: Lead { last: Duration::ZERO, max: AHEAD_MAX },
            bounds: Bounds { silent_until: SessionTime::ZERO, now: SessionTime::ZERO },
            troubles: Troubles::default(),
        }
    }

    pub(super) fn tap(&mut self, tap: Tap) {
        self.tap = Some(tap);
    }

    pub(super) fn keep_sound(&mut self) {
        self.recent = Some(Recent::default());
    }

    pub(super) fn sound_between(&self, from: SessionTime, to: SessionTime) -> Pcm16 {
        let heard = |recent: &Recent| recent.between(from, to, self.sound_end);
        self.recent.as_ref().map_or_else(|| Pcm16(Vec::new()), heard)
    }

    /// Takes sound that arrived now.
    pub(super) fn sound(&mut self, now: SessionTime, piece: &Sound, facts: &mut VecDeque<Heard>) {
        let Sound { at, sound, .. } = piece;
        self.bounds.now = self.bounds.now.max(now);
        self.flow = Flow::Sound { arrived: now };
        if self.sound_end > now + self.lead.max {
            self.troubles.flooded += 1;
            return;
        }
        let late = self.sound_end.since(*at);
        if at.since(self.sound_end) > JITTER {
            self.gap_until(*at, piece.lost, facts);
        } else if late >= FRAME && self.speech().is_silence() && is_inaudible(sound) {
            // The sender's clock is faster than ours, or a burst was late.
            return;
        } else if late > LATE {
            self.troubles.late += 1;
            metrics::counter!("vivavoce_sound_late_total").increment(1);
        }
        let (concealed, came) = split(sound, piece.concealed);
        self.hear(now, &concealed, Origin::Missing, facts);
        self.hear(now, &came, Origin::Sound, facts);
    }

    /// Takes pre-connect audio, all of which comes now. Its silences are left out: their time has passed.
    pub(super) fn pre_connect(
        &mut self,
        now: SessionTime,
        sound: &Pcm16,
        facts: &mut VecDeque<Heard>,
    ) {
        self.tick(now, facts);
        for frame in sound.0.chunks(FRAME_16) {
            let frame = Pcm16(frame.to_vec());
            if !(self.speech().is_silence() && is_inaudible(&frame)) {
                self.hear(now, &frame, Origin::Sound, facts);
            }
        }
        self.flow = Flow::Sound { arrived: now };
        // The sound after it must not be taken for a flood.
        self.lead.max = AHEAD_MAX + self.lead.last;
    }

    fn hear(
        &mut self,
        now: SessionTime,
        sound: &Pcm16,
        origin: Origin,
        facts: &mut VecDeque<Heard>,
    ) {
        if sound.0.is_empty() {
            return;
        }
        if let Some(tap) = &mut self.tap {
            tap(self.sound_end, sound);
        }
        self.feed(sound, origin, facts);
        self.lead.last = self.sound_end.since(now);
    }

    /// From now on no sound means silence.
    pub(super) fn quiet(&mut self) {
        self.flow = Flow::Quiet;
    }

    pub(super) fn tick(&mut self, now: SessionTime, facts: &mut VecDeque<Heard>) {
        self.bounds.now = self.bounds.now.max(now);
        if let Flow::Sound { arrived } = self.flow
            && now >= arrived + QUIET
        {
            self.flow = match self.speech().is_voice() {
                true => Flow::Missing { until: arrived + MISSING_MAX },
                false => Flow::Quiet,
            };
        }
        if let Flow::Missing { until } = self.flow {
            self.silence_until(now.min(until) + self.lead.last, Origin::Missing, facts);
            if now >= until {
                self.flow = Flow::Quiet;
            }
        }
        if let Flow::Quiet = self.flow {
            // Speech that came ahead of the clock ends after the usual silence, not when the clock has caught
            // up.
            let lead = if self.speech().is_silence() { Duration::ZERO } else { self.lead.last };
            self.silence_until(now + lead, Origin::Sound, facts);
            if self.speech().is_silence() {
                self.bounds.silent_until = self.bounds.silent_until.max(now);
            }
        }
    }

    /// When the next tick is due, if no sound comes before. `None` while the candidate is known to be silent.
    pub(super) fn deadline(&self) -> Option<SessionTime> {
        match self.flow {
            Flow::Sound { arrived } => Some(arrived + QUIET),
            Flow::Quiet if self.speech().is_silence() => None,
            Flow::Quiet | Flow::Missing { .. } => {
                Some(earlier(self.sound_end + FRAME, self.lead.last))
            }
        }
    }

    pub(super) fn quiet_for(&self) -> Duration {
        self.speech().quiet()
    }

    pub(super) fn pausing(&self) -> Option<SessionTime> {
        self.speech().pausing().map(|last| self.bounds.clamp(last))
    }

    pub(super) fn heard(&self) -> SessionTime {
        self.bounds.clamp(self.speech().known_until())
    }

    /// Sound that came all at once counts as heard now, not in the future.
    pub(super) fn at_most_now(&self, at: SessionTime) -> SessionTime {
        self.bounds.at_most_now(at)
    }

    pub(super) fn keyterms(&mut self, keyterms: &[String]) {
        self.recogniser.keyterms(keyterms);
    }

    pub(super) fn keep_in_step(&mut self) {
        self.recogniser.keep_in_step();
    }

    pub(super) fn troubles(&self) -> Troubles {
        self.troubles
    }

    fn speech(&self) -> &Speech {
        self.detector.speech()
    }

    /// Fills the gap up to `until`, where no sound came: its end is missing as far as it was lost, the rest
    /// is silence.
    fn gap_until(&mut self, until: SessionTime, lost: Duration, facts: &mut VecDeque<Heard>) {
        self.silence_until(earlier(until, lost), Origin::Sound, facts);
        let origin = if lost.is_zero() { Origin::Sound } else { Origin::Missing };
        self.silence_until(until, origin, facts);
        let rest = until.since(self.sound_end).as_micros() as usize * 16 / 1_000;
        self.feed(&Pcm16(vec![0; rest]), origin, facts);
    }

    /// Feeds silence up to `until`, in whole frames and a rest.
    fn silence_until(&mut self, until: SessionTime, origin: Origin, facts: &mut VecDeque<Heard>) {
        let mut left = until.since(self.sound_end).min(SILENCE_MAX);
        while left >= FRAME {
            self.feed(&Pcm16(vec![0; FRAME_16]), origin, facts);
            left -= FRAME;
        }
        if until.since(self.sound_end) > FRAME {
            // The part of the silence that is left out.
            if let Some(recent) = &mut self.recent {
                recent.skip(until.since(self.sound_end));
            }
            self.sound_end = until;
        }
    }

    fn feed(&mut self, sound: &Pcm16, origin: Origin, facts: &mut VecDeque<Heard>) {
        self.recogniser.push(self.sound_end, sound);
        if let Some(recent) = &mut self.recent {
            recent.push(sound);
        }
        let found = self.detector.push(self.sound_end, sound, origin);
        self.sound_end += sound.duration();
        for fact in found {
            self.recogniser.tell(&fact);
            facts.push_back(self.bounds.clamp_fact(fact));
        }
        self.recogniser.tell_pause(self.detector.speech());
    }
}

/// Divides a sound behind its first part, which is `first` long.
fn split(sound: &Pcm16, first: Duration) -> (Pcm16, Pcm16) {
    let samples = first.as_micros() as usize * 16 / 1_000;
    let (first, rest) = sound.0.split_at(samples.min(sound.0.len()));
    (Pcm16(first.to_vec()), Pcm16(rest.to_vec()))
}

fn earlier(at: SessionTime, by: Duration) -> SessionTime {
    SessionTime::ZERO + at.since(SessionTime::ZERO).saturating_sub(by)
}

fn is_inaudible(sound: &Pcm16) -> bool {
    level::dbov(&sound.0) < INAUDIBLE_DBOV
}
