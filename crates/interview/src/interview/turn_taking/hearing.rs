//! Hearing: the candidate's voice, the recogniser, and our own sound that may come back as an echo.

use crate::interview::turn_taking::{echo::Ours, muted::Muted, voices::Voices};
use crate::time::SessionTime;

/// Everything that is known of the candidate's sound.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hearing {
    /// Whether the candidate's voice counts as on.
    voiced: bool,
    pub(crate) voices: Voices,
    pub(crate) recogniser: Recogniser,
    pub(crate) muted: Muted,
    /// Our own sound of the last seconds, which may come back as an echo.
    pub(crate) ours: Ours,
    /// The last end of voice with a score of the turn detector, and the score.
    scored: Option<(SessionTime, u8)>,
}

/// The abilities of the recogniser, learnt from its transcripts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Recogniser {
    /// Whether it sends words while they are spoken.
    pub(crate) has_partials: bool,
    /// Whether it writes full stops and commas: then a missing one means something.
    pub(crate) writes_marks: bool,
}

impl Hearing {
    /// Whether the candidate's voice counts as on.
    pub(crate) fn is_voiced(&self) -> bool {
        self.voiced
    }

    /// Sets whether the candidate's voice counts as on.
    pub(crate) fn set_voiced(&mut self, voiced: bool) {
        self.voiced = voiced;
    }

    /// Takes the turn detector's score of the end of voice at `stopped`, in percent. It is void if the
    /// candidate has spoken since.
    pub(crate) fn score(&mut self, stopped: SessionTime, ended_percent: u8) {
        if matches!(self.voices.last(), Some((_, Some(end))) if end == stopped) {
            self.scored = Some((stopped, ended_percent));
        }
    }

    /// The last end of voice with a score of the turn detector, and the score in percent.
    pub(crate) fn scored(&self) -> Option<(SessionTime, u8)> {
        self.scored
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// T04: a score of a pause that is over is none of the one that lasts.
    #[test]
    fn a_late_score_counts_for_nothing() {
        let at = |seconds: u64| SessionTime::from_millis(seconds * 1_000);
        let mut hearing = Hearing::default();
        hearing.voices.began(at(1));
        hearing.voices.ended(at(2));
        hearing.score(at(2), 90);
        assert_eq!(hearing.scored(), Some((at(2), 90)));
        hearing.voices.began(at(3));
        hearing.score(at(2), 10);
        assert_eq!(hearing.scored(), Some((at(2), 90)));
    }
}
