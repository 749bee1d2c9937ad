//! The beginnings and ends of speech, from the single decisions of a VAD.

use std::time::Duration;

use super::Heard;
use interview::time::SessionTime;

/// The shortest unbroken voice that counts as speech; less is a click or a cough. The onset of the speech is
/// its first window.
const ONSET: Duration = Duration::from_millis(80);
/// The silence that ends speech.
const HOLD: Duration = Duration::from_millis(200);
/// The longest time for which a VAD reports voice after the voice has faded.
const TAIL_MAX: Duration = Duration::from_millis(160);

/// The state of one candidate's speech.
#[derive(Debug)]
pub(super) struct Speech {
    /// The time that the VAD adds to the end of voice.
    hangover: Duration,
    /// The end of the last window.
    until: SessionTime,
    state: State,
}

/// The content of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Voice,
    Silence,
    /// The sound did not come: there may have been voice or silence.
    Missing,
}

#[derive(Clone, Copy, Debug)]
enum State {
    /// No speech. `missing` is the beginning of missing sound at its end.
    Silence { missing: Option<SessionTime> },
    /// Voice since `voice` that is still too short for speech. With the missing sound before it, it began at
    /// `onset`.
    Perhaps { onset: SessionTime, voice: SessionTime },
    /// Speech with voice up to `last`, or up to now if the rest is missing.
    Voice { onset: SessionTime, last: SessionTime },
    /// Speech with voice up to `last`, and a silence since that is still too short to end it.
    Pause { onset: SessionTime, last: SessionTime },
}

impl Speech {
    pub(super) fn new(hangover: Duration) -> Self {
        let state = State::Silence { missing: None };
        Self { hangover, until: SessionTime::ZERO, state }
    }

    /// Takes the next window, which has `samples` samples and began at `at`. The last sound that had not
    /// faded ended at `loud`.
    pub(super) fn window(
        &mut self,
        at: SessionTime,
        samples: usize,
        kind: Kind,
        loud: SessionTime,
    ) -> Option<Heard> {
        let length = Duration::from_micros(samples as u64 * 1_000_000 / 16_000);
        // Times are rounded, but the processed time must never go back.
        let at = at.max(self.until);
        self.until = at + length;
        let voiced = self.last_voice(loud);
        let (state, fact) = match (self.state, kind) {
            (State::Silence { missing }, Kind::Voice) => {
                self.begun(missing.unwrap_or(at), at, voiced)
            }
            (State::Silence { missing }, Kind::Missing) => {
                (State::Silence { missing: missing.or(Some(at)) }, None)
            }
            (State::Perhaps { onset, voice }, Kind::Voice) => self.begun(onset, voice, voiced),
            (state @ State::Perhaps { .. }, Kind::Missing) => (state, None),
            (State::Silence { .. } | State::Perhaps { .. }, Kind::Silence) => {
                (State::Silence { missing: None }, None)
            }
            (State::Voice { onset, .. } | State::Pause { onset, .. }, Kind::Voice) => {
                (State::Voice { onset, last: voiced }, None)
            }
            (State::Voice { onset, last }, Kind::Missing) => {
                (State::Voice { onset, last: last + length }, None)
            }
            (state @ State::Pause { .. }, Kind::Missing) => (state, None),
            (State::Voice { onset, last } | State::Pause { onset, last }, Kind::Silence) => {
                self.silent(onset, last)
            }
        };
        self.state = state;
        fact
    }

    /// The time up to which it is known whether there was speech.
    pub(super) fn known_until(&self) -> SessionTime {
        match self.state {
            State::Perhaps { onset, .. } => onset,
            State::Silence { missing } => missing.unwrap_or(self.until),
            State::Voice { .. } | State::Pause { .. } => self.until,
        }
    }

    /// How long there has been no voice, while it is open whether speech has ended; otherwise zero.
    pub(super) fn quiet(&self) -> Duration {
        match self.state {
            State::Voice { last, .. } | State::Pause { last, .. } => self.until.since(last),
            State::Silence { .. } | State::Perhaps { .. } => Duration::ZERO,
        }
    }

    /// The end of the last voice, while it is open whether speech has ended with it.
    pub(super) fn pausing(&self) -> Option<SessionTime> {
        match self.state {
            State::Voice { onset, last } | State::Pause { onset, last } if last < self.until => {
                Some(last.max(onset))
            }
            State::Voice { .. }
            | State::Pause { .. }
            | State::Silence { .. }
            | State::Perhaps { .. } => None,
        }
    }

    pub(super) fn is_silence(&self) -> bool {
        matches!(self.state, State::Silence { .. })
    }

    /// Whether there is voice up to now, as far as sound came.
    pub(super) fn is_voice(&self) -> bool {
        matches!(self.state, State::Voice { .. } | State::Perhaps { .. })
    }

    fn begun(
        &self,
        onset: SessionTime,
        voice: SessionTime,
        last: SessionTime,
    ) -> (State, Option<Heard>) {
        if self.until.since(voice) < ONSET {
            return (State::Perhaps { onset, voice }, None);
        }
        (State::Voice { onset, last }, Some(Heard::SpeechStarted { at: onset }))
    }

    fn silent(&self, onset: SessionTime, last: SessionTime) -> (State, Option<Heard>) {
        let ended = last.max(onset);
        if self.until.since(ended) < HOLD {
            return (State::Pause { onset, last }, None);
        }
        (State::Silence { missing: None }, Some(Heard::SpeechStopped { at: ended }))
    }

    /// Returns the end of the voice, if this window is its last: earlier than the VAD says, by its hangover
    /// and by the part that has faded.
    fn last_voice(&self, loud: SessionTime) -> SessionTime {
        let earlier = |by: Duration| {
            SessionTime::from_micros(self.until.as_micros().saturating_sub(by.as_micros() as u64))
        };
        loud.max(earlier(TAIL_MAX)).min(earlier(self.hangover))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use audio::FRAME;

    /// Processes windows of 20 ms: `#` voice, `?` missing and `.` silence. Returns the facts, each with the
    /// number of the window after which it came.
    fn run(hangover_ms: u64, windows: &str) -> String {
        let mut speech = Speech::new(Duration::from_millis(hangover_ms));
        let mut told = Vec::new();
        for (n, window) in (0..).zip(windows.bytes()) {
            let kind = match window {
                b'#' => Kind::Voice,
                b'?' => Kind::Missing,
                _ => Kind::Silence,
            };
            let at = SessionTime::from_millis(20 * n);
            match speech.window(at, 320, kind, at + FRAME) {
                Some(Heard::SpeechStarted { at }) => told.push(format!("+{}@{n}", at.as_millis())),
                Some(Heard::SpeechStopped { at }) => told.push(format!("-{}@{n}", at.as_millis())),
                Some(Heard::Transcript(_)) | None => {}
            }
        }
        told.join(" ")
    }

    /// Speech begins with its first voiced window and ends with its last; the facts come 80 and 200 ms
    /// later.
    #[test]
    fn speech_has_its_own_times() {
        assert_eq!(run(0, "..######............"), "+40@5 -160@17");
    }

    /// A click is no speech; a gap within a word does not end speech.
    #[test]
    fn clicks_and_gaps_are_nothing() {
        assert_eq!(run(0, "..###...#.#.##......"), "");
        assert_eq!(run(0, "####.........####..........."), "+0@3 -340@26");
    }

    /// Q14: missing sound is not silence. After voice it counts as voice, after silence as silence; voice
    /// after it may have begun in it.
    #[test]
    fn what_is_missing_is_not_silence() {
        assert_eq!(run(0, "######?????????????????????###............"), "+0@3 -600@39");
        assert_eq!(run(0, "######.....?????????????....##............"), "+0@3 -120@24");
        assert_eq!(run(0, "######.....?????????????##................"), "+0@3 -520@35");
        assert_eq!(run(0, "...????####..........."), "+60@10 -220@20");
        assert_eq!(run(0, "...????..####..........."), "+180@12 -260@22");
        assert_eq!(run(0, "..#?#?.......####..........."), "+260@16 -340@26");
        assert_eq!(run(0, "..##??##..........."), "+40@6 -160@17");
    }

    /// Missing sound that may contain voice does not count as known.
    #[test]
    fn what_is_missing_holds_back_what_is_known() {
        let mut speech = Speech::new(Duration::ZERO);
        let mut known = Vec::new();
        let kinds = [Kind::Silence, Kind::Missing, Kind::Missing, Kind::Voice, Kind::Silence];
        for (n, kind) in (0..).zip(kinds) {
            let at = SessionTime::from_millis(20 * n);
            speech.window(at, 320, kind, at);
            known.push(speech.known_until().as_millis());
        }
        assert_eq!(known, [20, 20, 20, 20, 100]);
    }

    /// The hangover of the VAD is taken off the end of speech and off the silence that ends it.
    #[test]
    fn hangover_is_taken_off() {
        assert_eq!(run(60, "..#########........."), "+40@5 -160@17");
        assert_eq!(run(180, "..############......"), "+40@5 -100@14");
    }

    /// A voice that has faded has ended, though the VAD still reports it; but not earlier than a VAD may go
    /// on, and not while the voice is loud.
    #[test]
    fn what_has_faded_is_no_voice() {
        let ended = |loud_ms: u64| {
            let mut speech = Speech::new(Duration::from_millis(40));
            let mut windows = (0..40).map(|n| (SessionTime::from_millis(20 * n), n < 20));
            windows.find_map(|(at, voiced)| {
                let loud = SessionTime::from_millis(loud_ms).min(at + FRAME);
                let kind = if voiced { Kind::Voice } else { Kind::Silence };
                match speech.window(at, 320, kind, loud)? {
                    Heard::SpeechStopped { at: ended } => Some((ended, at + FRAME)),
                    Heard::SpeechStarted { .. } | Heard::Transcript(_) => None,
                }
            })
        };
        let told =
            |ended, at| Some((SessionTime::from_millis(ended), SessionTime::from_millis(at)));
        assert_eq!(ended(300), told(300, 500));
        assert_eq!(ended(100), told(240, 440));
        assert_eq!(ended(u64::MAX / 1_000), told(360, 560));
    }

    /// While it is open whether speech has begun, the time after its onset does not count as known.
    #[test]
    fn an_open_onset_holds_back_what_is_known() {
        let mut speech = Speech::new(Duration::ZERO);
        for (n, kind) in [(0, Kind::Silence), (1, Kind::Voice), (2, Kind::Voice)] {
            let at = SessionTime::from_millis(20 * n);
            speech.window(at, 320, kind, at);
        }
        assert_eq!(speech.known_until(), SessionTime::from_millis(20));
        let at = SessionTime::from_millis(60);
        speech.window(at, 320, Kind::Silence, at);
        assert_eq!(speech.known_until(), SessionTime::from_millis(80));
    }
}
