//! One candidate's sound as one line without gaps, from which VAD and STT hear.

use std::{collections::VecDeque, ops::Range, time::Duration};

use super::{
    Heard, Tap,
    fade::Fade,
    recent::Recent,
    speech::{Kind, Speech},
    track::Sound,
};
use crate::providers::{SttStream, Vad, Window};
use audio::{FRAME, FRAME_16, Pcm16, level};
use interview::time::SessionTime;

/// Without sound for so long, silence is as long as the clock says.
const QUIET: Duration = Duration::from_millis(200);
/// Pieces that begin so near to the end of the one before follow it.
const JITTER: Duration = Duration::from_millis(10);
/// For so long sound that breaks off in the middle of a voice is missing; then it is silence.
const MISSING_MAX: Duration = Duration::from_secs(1);
/// Silence that VAD and STT get to hear; what goes beyond is left out.
const SILENCE_MAX: Duration = Duration::from_secs(1);
/// Sound that comes later than this changes decisions: it is counted.
const LATE: Duration = Duration::from_millis(200);
/// Sound may be so much longer than the time in which it came: a line that stood still brings it all at once.
const AHEAD_MAX: Duration = Duration::from_secs(5);
/// After so much silence the recogniser is told that the voice may have ended.
const PAUSED: Duration = Duration::from_millis(80);
/// Sound below this level may be left out, to catch up.
const INAUDIBLE_DBOV: i8 = -60;

pub(super) struct Timeline {
    vad: Box<dyn Vad>,
    stt: Box<dyn SttStream>,
    tap: Option<Tap>,
    /// The last of the sound, if anybody may want to hear it again.
    recent: Option<Recent>,
    fade: Fade,
    speech: Speech,
    flow: Flow,
    /// The end of the sound so far.
    fed: SessionTime,
    /// How far that was ahead of the clock when it came: sound that comes all at once is longer than the time
    /// it took.
    lead: Duration,
    /// How far it may be.
    lead_max: Duration,
    /// Where sound was missing last.
    missing: Range<SessionTime>,
    /// Samples at its end that the VAD keeps for its next window.
    kept: usize,
    windows: Vec<Window>,
    /// The last voice of which the recogniser was told that it may be the end.
    paused: Option<SessionTime>,
    /// Up to when it was said to be silent: what begins later begins here at the earliest.
    silent: SessionTime,
    /// The latest time seen: no fact is later.
    now: SessionTime,
    late: u64,
    flooded: u64,
}

/// Whether sound comes.
#[derive(Clone, Copy, Debug)]
enum Flow {
    /// It does; the last of it at `arrived`.
    Sound { arrived: SessionTime },
    /// It broke off in the middle of a voice: up to `until` it is missing.
    Missing { until: SessionTime },
    /// It does not: what nobody sends is silence.
    Quiet,
}

/// Where sound comes from that is fed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// It came, or is the silence of somebody who sends none.
    Sound,
    /// It was sent and did not come, and was made up.
    Missing,
}

impl Timeline {
    pub(super) fn new(vad: Box<dyn Vad>, stt: Box<dyn SttStream>) -> Self {
        let speech = Speech::new(vad.hangover());
        Self {
            vad,
            stt,
            tap: None,
            recent: None,
            fade: Fade::new(),
            speech,
            flow: Flow::Quiet,
            fed: SessionTime::ZERO,
            lead: Duration::ZERO,
            lead_max: AHEAD_MAX,
            missing: SessionTime::ZERO..SessionTime::ZERO,
            kept: 0,
            windows: Vec::new(),
            paused: None,
            silent: SessionTime::ZERO,
            now: SessionTime::ZERO,
            late: 0,
            flooded: 0,
        }
    }

    pub(super) fn tap(&mut self, tap: Tap) {
        self.tap = Some(tap);
    }

    pub(super) fn keep_sound(&mut self) {
        self.recent = Some(Recent::default());
    }

    pub(super) fn sound_between(&self, from: SessionTime, to: SessionTime) -> Pcm16 {
        let heard = |recent: &Recent| recent.between(from, to, self.fed);
        self.recent.as_ref().map_or_else(|| Pcm16(Vec::new()), heard)
    }

    /// Sound that arrived now.
    pub(super) fn sound(&mut self, now: SessionTime, piece: &Sound, facts: &mut VecDeque<Heard>) {
        let Sound { at, sound, .. } = piece;
        self.now = self.now.max(now);
        self.flow = Flow::Sound { arrived: now };
        if self.fed > now + self.lead_max {
            self.flooded += 1;
            return;
        }
        let late = self.fed.since(*at);
        if at.since(self.fed) > JITTER {
            self.gap_until(*at, piece.lost, facts);
        } else if late >= FRAME && self.speech.is_silence() && is_inaudible(sound) {
            // Their clock is faster than ours, or a burst was late.
            return;
        } else if late > LATE {
            self.late += 1;
            metrics::counter!("vivavoce_sound_late_total").increment(1);
        }
        let (made_up, came) = split(sound, piece.made_up);
        self.hear(now, &made_up, Origin::Missing, facts);
        self.hear(now, &came, Origin::Sound, facts);
    }

    /// Sound from before that comes all at once now. Its silences were waited for already.
    pub(super) fn before(&mut self, now: SessionTime, sound: &Pcm16, facts: &mut VecDeque<Heard>) {
        self.tick(now, facts);
        for frame in sound.0.chunks(FRAME_16) {
            let frame = Pcm16(frame.to_vec());
            if !(self.speech.is_silence() && is_inaudible(&frame)) {
                self.hear(now, &frame, Origin::Sound, facts);
            }
        }
        self.flow = Flow::Sound { arrived: now };
        // What follows it must not be taken for a flood.
        self.lead_max = AHEAD_MAX + self.lead;
    }

    fn hear(&mut self, now: SessionTime, sound: &Pcm16, what: Origin, facts: &mut VecDeque<Heard>) {
        if sound.0.is_empty() {
            return;
        }
        if let Some(tap) = &mut self.tap {
            tap(self.fed, sound);
        }
        self.feed(sound, what, facts);
        self.lead = self.fed.since(now);
    }

    /// No sound is silence from now on.
    pub(super) fn quiet(&mut self) {
        self.flow = Flow::Quiet;
    }

    pub(super) fn tick(&mut self, now: SessionTime, facts: &mut VecDeque<Heard>) {
        self.now = self.now.max(now);
        if let Flow::Sound { arrived } = self.flow
            && now >= arrived + QUIET
        {
            self.flow = match self.speech.is_voice() {
                true => Flow::Missing { until: arrived + MISSING_MAX },
                false => Flow::Quiet,
            };
        }
        if let Flow::Missing { until } = self.flow {
            self.silence_until(now.min(until) + self.lead, Origin::Missing, facts);
            if now >= until {
                self.flow = Flow::Quiet;
            }
        }
        if let Flow::Quiet = self.flow {
            // Speech that came ahead of the clock ends after as much silence as any other, not when the clock
            // has caught up.
            let lead = if self.speech.is_silence() { Duration::ZERO } else { self.lead };
            self.silence_until(now + lead, Origin::Sound, facts);
            if self.speech.is_silence() {
                self.silent = self.silent.max(now);
            }
        }
    }

    /// While it is quiet and speech has not ended yet, or the VAD may still change its mind.
    pub(super) fn deadline(&self) -> Option<SessionTime> {
        match self.flow {
            Flow::Sound { arrived } => Some(arrived + QUIET),
            Flow::Quiet if self.speech.is_silence() => None,
            Flow::Quiet | Flow::Missing { .. } => Some(earlier(self.fed + FRAME, self.lead)),
        }
    }

    pub(super) fn quiet_for(&self) -> Duration {
        self.speech.quiet()
    }

    pub(super) fn pausing(&self) -> Option<SessionTime> {
        self.speech.pausing().map(|last| self.clamp(last.max(self.silent)))
    }

    pub(super) fn heard(&self) -> SessionTime {
        self.silent.max(self.clamp(self.speech.known()))
    }

    /// Sound that came all at once is told as of now, not of a time to come.
    pub(super) fn clamp(&self, at: SessionTime) -> SessionTime {
        at.min(self.now)
    }

    pub(super) fn keyterms(&mut self, keyterms: &[String]) {
        self.stt.keyterms(keyterms);
    }

    pub(super) fn settle(&mut self) {
        self.stt.settle();
    }

    pub(super) fn late(&self) -> u64 {
        self.late
    }

    pub(super) fn flooded(&self) -> u64 {
        self.flooded
    }

    /// Nothing came up to `until`: what was lost at its end is missing, all before that is silence.
    fn gap_until(&mut self, until: SessionTime, lost: Duration, facts: &mut VecDeque<Heard>) {
        self.silence_until(earlier(until, lost), Origin::Sound, facts);
        let what = if lost.is_zero() { Origin::Sound } else { Origin::Missing };
        self.silence_until(until, what, facts);
        let rest = until.since(self.fed).as_micros() as usize * 16 / 1_000;
        self.feed(&Pcm16(vec![0; rest]), what, facts);
    }

    /// Silence up to `until`, in whole frames and a rest.
    fn silence_until(&mut self, until: SessionTime, what: Origin, facts: &mut VecDeque<Heard>) {
        let mut left = until.since(self.fed).min(SILENCE_MAX);
        while left >= FRAME {
            self.feed(&Pcm16(vec![0; FRAME_16]), what, facts);
            left -= FRAME;
        }
        if until.since(self.fed) > FRAME {
            // More silence than anybody needs to hear.
            if let Some(recent) = &mut self.recent {
                recent.skip(until.since(self.fed));
            }
            self.fed = until;
        }
    }

    fn feed(&mut self, sound: &Pcm16, what: Origin, facts: &mut VecDeque<Heard>) {
        self.stt.push(self.fed, sound);
        if let Some(recent) = &mut self.recent {
            recent.push(sound);
        }
        let kept = Pcm16(vec![0; self.kept]).duration();
        let mut began =
            SessionTime::from_micros(self.fed.as_micros().saturating_sub(kept.as_micros() as u64));
        self.fade.push(self.fed, sound);
        self.windows.clear();
        self.vad.push(sound, &mut self.windows);
        self.kept += sound.0.len();
        let fed = self.fed + sound.duration();
        if what == Origin::Missing {
            let is_next = self.missing.end == self.fed;
            self.missing = if is_next { self.missing.start } else { self.fed }..fed;
        }
        self.fed = fed;
        for window in &self.windows {
            self.kept = self.kept.saturating_sub(window.samples);
            let length = Duration::from_micros(window.samples as u64 * 1_000_000 / 16_000);
            let kind = match window.voiced {
                true => Kind::Voice,
                false if self.missing.contains(&(began + length / 2)) => Kind::Missing,
                false => Kind::Silence,
            };
            let fact = self.speech.window(began, window.samples, kind, self.fade.last());
            began += length;
            facts.extend(match fact {
                Some(Heard::SpeechStarted { at }) => {
                    self.stt.speech_started(at);
                    Some(Heard::SpeechStarted { at: self.clamp(at.max(self.silent)) })
                }
                Some(Heard::SpeechStopped { at }) => {
                    self.stt.speech_stopped(at);
                    Some(Heard::SpeechStopped { at: self.clamp(at.max(self.silent)) })
                }
                Some(Heard::Transcript(_)) | None => None,
            });
        }
        let pausing = self.speech.pausing().filter(|_| self.speech.quiet() >= PAUSED);
        if let Some(last) = pausing
            && self.paused != pausing
        {
            self.paused = pausing;
            self.stt.speech_paused(last);
        }
    }
}

/// The first part of a sound, so long, and the rest.
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
