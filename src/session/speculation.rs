//! When to begin a reply ahead: at the first silence of a sentence that may be the last, before anybody knows that it is.

use std::time::Duration;

use crate::{
    interview::Interview,
    listen,
    speak::{Speaker, Words},
};

/// So short a silence is worth a try: it is open for much longer whether a turn has ended.
const QUIET_MIN: Duration = Duration::from_millis(60);
/// Replies that may be begun ahead for one turn on words that may change, on words that do not, and in one interview.
/// What they cost is counted as all else is.
const PARTIAL_MAX: u32 = 3;
const FINAL_MAX: u32 = 6;
const INTERVIEW_MAX: u32 = 300;

/// What was tried so far.
pub(super) struct Speculation {
    is_wanted: bool,
    news: News,
    voiced: bool,
    partials: u32,
    finals: u32,
    of_interview: u32,
}

/// What was heard since the last try.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum News {
    Nothing,
    /// Voice, silence, or words that may change.
    Something,
    /// Words that stay.
    Final,
}

impl Speculation {
    pub(super) fn new(is_wanted: bool) -> Self {
        Self {
            is_wanted,
            news: News::Nothing,
            voiced: false,
            partials: 0,
            finals: 0,
            of_interview: 0,
        }
    }

    /// Something was heard of the candidate. Whoever speaks again has not finished.
    pub(super) fn hear(&mut self, heard: &listen::Heard, speaker: &mut Speaker) {
        let news = match heard {
            listen::Heard::Transcript(words) if words.is_final => News::Final,
            listen::Heard::Transcript(_)
            | listen::Heard::SpeechStarted { .. }
            | listen::Heard::SpeechStopped { .. } => News::Something,
        };
        self.news = self.news.max(news);
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
        (self.partials, self.finals) = (0, 0);
    }

    /// Begins a reply if they may have finished, `quiet` after their last voice as far as it is known.
    pub(super) fn look(&mut self, interview: &Interview, quiet: Duration, speaker: &mut Speaker) {
        let may_have_finished = !self.voiced || quiet >= QUIET_MIN;
        let may_try = match self.news {
            News::Nothing => false,
            News::Something => self.partials < PARTIAL_MAX,
            // It is the best try of all: those before must not use it up.
            News::Final => self.finals < FINAL_MAX,
        };
        if !self.is_wanted || !may_try || !may_have_finished || self.of_interview >= INTERVIEW_MAX {
            return;
        }
        let news = std::mem::replace(&mut self.news, News::Nothing);
        let foreseen = interview.foresee();
        if let Some(words) = foreseen.and_then(|(say, brief)| Words::new(say, brief))
            && speaker.prepare(words)
        {
            self.partials += u32::from(news == News::Something);
            self.finals += u32::from(news == News::Final);
            self.of_interview += 1;
        }
    }
}
