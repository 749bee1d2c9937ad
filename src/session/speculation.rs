//! When to begin a reply ahead: at the first silence of a sentence that may be the last, before anybody knows that it is.

use std::time::Duration;

use crate::{
    interview::Interview,
    listen,
    speak::{Speaker, Words},
};

/// So short a silence is worth a try: it is open for much longer whether a turn has ended.
const QUIET_MIN: Duration = Duration::from_millis(60);
/// Replies that may be begun ahead for one turn, and in one interview. What they cost is counted as all else is.
const TURN_MAX: u32 = 4;
const INTERVIEW_MAX: u32 = 300;

/// What was tried so far.
pub(super) struct Speculation {
    is_wanted: bool,
    /// Whether anything was heard since the last try.
    is_news: bool,
    voiced: bool,
    of_turn: u32,
    of_interview: u32,
}

impl Speculation {
    pub(super) fn new(is_wanted: bool) -> Self {
        Self { is_wanted, is_news: false, voiced: false, of_turn: 0, of_interview: 0 }
    }

    /// Something was heard of the candidate. Whoever speaks again has not finished.
    pub(super) fn hear(&mut self, heard: &listen::Heard, speaker: &mut Speaker) {
        self.is_news = true;
        match heard {
            listen::Heard::SpeechStarted { .. } => {
                self.voiced = true;
                speaker.forget();
            }
            listen::Heard::SpeechStopped { .. } => self.voiced = false,
            listen::Heard::Transcript(_) => {}
        }
    }

    /// A reply was ordered: what was begun ahead is used, or was in vain.
    pub(super) fn ordered(&mut self) {
        self.of_turn = 0;
    }

    /// Begins a reply if they may have finished, `quiet` after their last voice as far as it is known.
    pub(super) fn look(&mut self, interview: &Interview, quiet: Duration, speaker: &mut Speaker) {
        let may_have_finished = !self.voiced || quiet >= QUIET_MIN;
        let is_enough = self.of_turn >= TURN_MAX || self.of_interview >= INTERVIEW_MAX;
        if !self.is_wanted || !self.is_news || !may_have_finished || is_enough {
            return;
        }
        self.is_news = false;
        let foreseen = interview.foresee();
        if let Some(words) = foreseen.and_then(|(say, brief)| Words::new(say, brief))
            && speaker.prepare(words)
        {
            self.of_turn += 1;
            self.of_interview += 1;
        }
    }
}
