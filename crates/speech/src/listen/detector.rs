//! From sound to the beginnings and ends of speech: the VAD with all that sharpens its decisions.

use std::{ops::Range, time::Duration};

use super::{
    Heard,
    fade::Fade,
    speech::{Kind, Speech},
};
use crate::providers::{Vad, Window};
use audio::Pcm16;
use interview::time::SessionTime;

/// Where a piece of sound comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// Sound that came, or the silence of a sender who sends none.
    Sound,
    /// A replacement for sound that was sent and did not come.
    Missing,
}

/// The detector of one candidate's speech.
pub(super) struct Detector {
    vad: Box<dyn Vad>,
    fade: Fade,
    speech: Speech,
    /// The last stretch of missing sound.
    missing: Range<SessionTime>,
    /// Number of samples at the end of the sound that the VAD keeps for its next window.
    kept: usize,
    windows: Vec<Window>,
}

impl Detector {
    pub(super) fn new(vad: Box<dyn Vad>) -> Self {
        let speech = Speech::new(vad.hangover());
        let missing = SessionTime::ZERO..SessionTime::ZERO;
        Self { vad, fade: Fade::new(), speech, missing, kept: 0, windows: Vec::new() }
    }

    /// The state of the speech, as far as the sound has been processed.
    pub(super) fn speech(&self) -> &Speech {
        &self.speech
    }

    /// Processes the next sound, which began at `at`, and returns the beginnings and ends of speech in it.
    pub(super) fn push(&mut self, at: SessionTime, sound: &Pcm16, origin: Origin) -> Vec<Heard> {
        let kept = Pcm16(vec![0; self.kept]).duration();
        let mut began =
            SessionTime::from_micros(at.as_micros().saturating_sub(kept.as_micros() as u64));
        self.fade.push(at, sound);
        self.windows.clear();
        self.vad.push(sound, &mut self.windows);
        self.kept += sound.0.len();
        if origin == Origin::Missing {
            let is_next = self.missing.end == at;
            self.missing = if is_next { self.missing.start } else { at }..at + sound.duration();
        }
        let mut facts = Vec::new();
        for window in &self.windows {
            self.kept = self.kept.saturating_sub(window.samples);
            let length = Duration::from_micros(window.samples as u64 * 1_000_000 / 16_000);
            let kind = match window.voiced {
                true => Kind::Voice,
                false if self.missing.contains(&(began + length / 2)) => Kind::Missing,
                false => Kind::Silence,
            };
            facts.extend(self.speech.window(began, window.samples, kind, self.fade.last_loud()));
            began += length;
        }
        facts
    }
}
