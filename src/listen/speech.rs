//! From single decisions of a detector to speech that began and ended.

use std::time::Duration;

use super::Heard;
use crate::{providers::Window, time::SessionTime};

/// Voice in a row that is speech; shorter is a click or a cough. Its onset is the first window of the row.
const ONSET: Duration = Duration::from_millis(80);
/// Silence that ends speech.
const HOLD: Duration = Duration::from_millis(200);
/// A detector goes on for so much longer than a voice that has faded, at most.
const TAIL_MAX: Duration = Duration::from_millis(160);

/// Watches one candidate's windows.
#[derive(Debug)]
pub(super) struct Speech {
    /// What the detector adds to the end of voice.
    hangover: Duration,
    /// The end of the last window.
    until: SessionTime,
    state: State,
}

#[derive(Clone, Copy, Debug)]
enum State {
    Silence,
    /// Voice since `onset`, not long enough yet.
    Perhaps {
        onset: SessionTime,
    },
    /// Speech whose voice lasted up to `last`.
    Speech {
        onset: SessionTime,
        last: SessionTime,
    },
}

impl Speech {
    pub(super) fn new(hangover: Duration) -> Self {
        Self { hangover, until: SessionTime::ZERO, state: State::Silence }
    }

    /// The next window, which began at `at`. The last sound that was not faded ended at `loud`.
    pub(super) fn window(
        &mut self,
        at: SessionTime,
        window: Window,
        loud: SessionTime,
    ) -> Option<Heard> {
        let length = Duration::from_micros(window.samples as u64 * 1_000_000 / 16_000);
        // Times are rounded; what is known never goes back by it.
        let at = at.max(self.until);
        self.until = at + length;
        let last = self.last_voice(loud);
        let (state, fact) = match (self.state, window.voiced) {
            (State::Silence, true) => self.begun(at, last),
            (State::Perhaps { onset }, true) => self.begun(onset, last),
            (State::Silence | State::Perhaps { .. }, false) => (State::Silence, None),
            (State::Speech { onset, .. }, true) => (State::Speech { onset, last }, None),
            (State::Speech { onset, last }, false) => self.silent(onset, last),
        };
        self.state = state;
        fact
    }

    /// Up to when it is known whether there was speech.
    pub(super) fn known(&self) -> SessionTime {
        match self.state {
            State::Perhaps { onset } => onset,
            State::Silence | State::Speech { .. } => self.until,
        }
    }

    /// For how long there was no voice, while it is open whether speech has ended.
    pub(super) fn quiet(&self) -> Duration {
        match self.state {
            State::Speech { last, .. } => self.until.since(last),
            State::Silence | State::Perhaps { .. } => Duration::ZERO,
        }
    }

    /// The last voice, while it is open whether speech has ended with it.
    pub(super) fn pausing(&self) -> Option<SessionTime> {
        match self.state {
            State::Speech { onset, last } if last < self.until => Some(last.max(onset)),
            State::Speech { .. } | State::Silence | State::Perhaps { .. } => None,
        }
    }

    pub(super) fn is_silence(&self) -> bool {
        matches!(self.state, State::Silence)
    }

    fn begun(&self, onset: SessionTime, last: SessionTime) -> (State, Option<Heard>) {
        if self.until.since(onset) < ONSET {
            return (State::Perhaps { onset }, None);
        }
        (State::Speech { onset, last }, Some(Heard::SpeechStarted { at: onset }))
    }

    fn silent(&self, onset: SessionTime, last: SessionTime) -> (State, Option<Heard>) {
        let ended = last.max(onset);
        if self.until.since(ended) < HOLD {
            return (State::Speech { onset, last }, None);
        }
        (State::Silence, Some(Heard::SpeechStopped { at: ended }))
    }

    /// The end of the voice, if this window is its last: less what the detector adds, or what has faded.
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
    use crate::audio::FRAME;

    /// Runs windows of 20 ms, `#` voiced and `.` not; gives what was heard, with the window it was told after.
    fn run(hangover_ms: u64, windows: &str) -> String {
        let mut speech = Speech::new(Duration::from_millis(hangover_ms));
        let mut told = Vec::new();
        for (n, window) in (0..).zip(windows.bytes()) {
            let window = Window { samples: 320, voiced: window == b'#' };
            let at = SessionTime::from_millis(20 * n);
            match speech.window(at, window, at + FRAME) {
                Some(Heard::SpeechStarted { at }) => told.push(format!("+{}@{n}", at.as_millis())),
                Some(Heard::SpeechStopped { at }) => told.push(format!("-{}@{n}", at.as_millis())),
                Some(Heard::Transcript(_)) | None => {}
            }
        }
        told.join(" ")
    }

    /// Speech begins with its first voiced window and ends with its last, told 80 and 200 ms later.
    #[test]
    fn speech_has_its_own_times() {
        assert_eq!(run(0, "..######............"), "+40@5 -160@17");
    }

    /// A click is none; a gap inside a word ends nothing.
    #[test]
    fn clicks_and_gaps_are_nothing() {
        assert_eq!(run(0, "..###...#.#.##......"), "");
        assert_eq!(run(0, "####.........####..........."), "+0@3 -340@26");
    }

    /// What the detector adds to the end is taken off the end and off the hold.
    #[test]
    fn hangover_is_taken_off() {
        assert_eq!(run(60, "..#########........."), "+40@5 -160@17");
        assert_eq!(run(180, "..############......"), "+40@5 -100@14");
    }

    /// A voice that has faded has ended, though the detector goes on; not earlier than detectors may, and not while it is loud.
    #[test]
    fn what_has_faded_is_no_voice() {
        let ended = |loud_ms: u64| {
            let mut speech = Speech::new(Duration::from_millis(40));
            let mut windows = (0..40).map(|n| (SessionTime::from_millis(20 * n), n < 20));
            windows.find_map(|(at, voiced)| {
                let loud = SessionTime::from_millis(loud_ms).min(at + FRAME);
                match speech.window(at, Window { samples: 320, voiced }, loud)? {
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

    /// While it is open whether there is speech, nothing after its onset counts as known.
    #[test]
    fn an_open_onset_holds_back_what_is_known() {
        let mut speech = Speech::new(Duration::ZERO);
        for (n, voiced) in [(0, false), (1, true), (2, true)] {
            let at = SessionTime::from_millis(20 * n);
            speech.window(at, Window { samples: 320, voiced }, at);
        }
        assert_eq!(speech.known(), SessionTime::from_millis(20));
        let at = SessionTime::from_millis(60);
        speech.window(at, Window { samples: 320, voiced: false }, at);
        assert_eq!(speech.known(), SessionTime::from_millis(80));
    }
}
