//! From single decisions of a detector to speech that began and ended.

use std::time::Duration;

use super::Heard;
use crate::{providers::Window, time::SessionTime};

/// Voice in a row that is speech; shorter is a click or a cough. Its onset is the first window of the row.
const ONSET: Duration = Duration::from_millis(80);
/// Silence that ends speech.
const HOLD: Duration = Duration::from_millis(200);

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
    /// Speech whose voice lasted up to `voiced`.
    Speech {
        onset: SessionTime,
        voiced: SessionTime,
    },
}

impl Speech {
    pub(super) fn new(hangover: Duration) -> Self {
        Self { hangover, until: SessionTime::ZERO, state: State::Silence }
    }

    /// The next window, which began at `at`.
    pub(super) fn window(&mut self, at: SessionTime, window: Window) -> Option<Heard> {
        let length = Duration::from_micros(window.samples as u64 * 1_000_000 / 16_000);
        // Times are rounded; what is known never goes back by it.
        let at = at.max(self.until);
        self.until = at + length;
        let (state, fact) = match (self.state, window.voiced) {
            (State::Silence, true) => self.begun(at),
            (State::Perhaps { onset }, true) => self.begun(onset),
            (State::Silence | State::Perhaps { .. }, false) => (State::Silence, None),
            (State::Speech { onset, .. }, true) => {
                (State::Speech { onset, voiced: self.until }, None)
            }
            (State::Speech { onset, voiced }, false) => self.silent(onset, voiced),
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
            State::Speech { voiced, .. } => self.until.since(self.last_voice(voiced)),
            State::Silence | State::Perhaps { .. } => Duration::ZERO,
        }
    }

    pub(super) fn is_silence(&self) -> bool {
        matches!(self.state, State::Silence)
    }

    fn begun(&self, onset: SessionTime) -> (State, Option<Heard>) {
        if self.until.since(onset) < ONSET {
            return (State::Perhaps { onset }, None);
        }
        let speech = State::Speech { onset, voiced: self.until };
        (speech, Some(Heard::SpeechStarted { at: onset }))
    }

    fn silent(&self, onset: SessionTime, voiced: SessionTime) -> (State, Option<Heard>) {
        let ended = self.last_voice(voiced).max(onset);
        if self.until.since(ended) < HOLD {
            return (State::Speech { onset, voiced }, None);
        }
        (State::Silence, Some(Heard::SpeechStopped { at: ended }))
    }

    /// What was `voiced` by the detector, less what it adds.
    fn last_voice(&self, voiced: SessionTime) -> SessionTime {
        let hangover = self.hangover.as_micros() as u64;
        SessionTime::from_micros(voiced.as_micros().saturating_sub(hangover))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs windows of 20 ms, `#` voiced and `.` not; gives what was heard, with the window it was told after.
    fn run(hangover_ms: u64, windows: &str) -> String {
        let mut speech = Speech::new(Duration::from_millis(hangover_ms));
        let mut told = Vec::new();
        for (n, window) in (0..).zip(windows.bytes()) {
            let window = Window { samples: 320, voiced: window == b'#' };
            match speech.window(SessionTime::from_millis(20 * n), window) {
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

    /// While it is open whether there is speech, nothing after its onset counts as known.
    #[test]
    fn an_open_onset_holds_back_what_is_known() {
        let mut speech = Speech::new(Duration::ZERO);
        for (n, voiced) in [(0, false), (1, true), (2, true)] {
            speech.window(SessionTime::from_millis(20 * n), Window { samples: 320, voiced });
        }
        assert_eq!(speech.known(), SessionTime::from_millis(20));
        speech.window(SessionTime::from_millis(60), Window { samples: 320, voiced: false });
        assert_eq!(speech.known(), SessionTime::from_millis(80));
    }
}
