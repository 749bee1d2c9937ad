//! The course of an interview: its phase between the lobby and the end, and the counts that span all stages.

use crate::interview::{End, Epoch};
use crate::time::SessionTime;

/// The phase of an interview.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The candidate has not come yet.
    Lobby,
    Running,
    /// The interviewer says goodbye.
    Leaving {
        end: End,
        /// When the goodbye is given up, in the interview's own time.
        until: SessionTime,
    },
    Ended,
}

/// The first words of an interview: they say who asks, and that it is a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FirstWords {
    /// They were not heard to their end yet, and were cut off so many times.
    Unheard {
        cuts: u32,
    },
    Heard,
}

/// After so many cuts the interview goes on without its first words.
const FIRST_WORDS_CUT_MAX: u32 = 3;

/// The course of one interview.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    phase: Phase,
    epoch: Epoch,
    first_words: FirstWords,
    /// The time at which the candidate came, in the interview's own time.
    began: SessionTime,
    limit_passed: bool,
    /// How the interview ends when its last stage does.
    closing_as: End,
    /// The number of committed answers.
    answered: u32,
    /// The number of stages in a row in which the candidate said no word.
    silent_stages: u32,
    /// The number of goodbyes that were begun.
    goodbyes: u32,
    /// Whether a goodbye has begun to sound.
    parted: bool,
}

impl Course {
    pub(crate) fn new() -> Self {
        Self {
            phase: Phase::Lobby,
            epoch: Epoch(0),
            first_words: FirstWords::Unheard { cuts: 0 },
            began: SessionTime::ZERO,
            limit_passed: false,
            closing_as: End::Completed,
            answered: 0,
            silent_stages: 0,
            goodbyes: 0,
            parted: false,
        }
    }

    pub(crate) fn phase(&self) -> Phase {
        self.phase
    }

    /// Counts the stages: each handoff begins a new epoch.
    pub(crate) fn epoch(&self) -> Epoch {
        self.epoch
    }

    /// Whether the first words were heard: nothing that is said before is an answer.
    pub(crate) fn has_opened(&self) -> bool {
        self.first_words == FirstWords::Heard
    }

    /// The first words were heard, or something that comes after them.
    pub(crate) fn open(&mut self) {
        self.first_words = FirstWords::Heard;
    }

    /// The first words were cut off.
    pub(crate) fn cut_opening(&mut self) {
        if let FirstWords::Unheard { cuts } = &mut self.first_words {
            *cuts += 1;
            if *cuts == FIRST_WORDS_CUT_MAX {
                self.open();
            }
        }
    }

    /// The time at which the candidate came, in the interview's own time.
    pub(crate) fn began(&self) -> SessionTime {
        self.began
    }

    /// Whether the time limit of the interview has passed.
    pub(crate) fn limit_passed(&self) -> bool {
        self.limit_passed
    }

    /// How the interview ends when its last stage does.
    pub(crate) fn closing_as(&self) -> End {
        self.closing_as
    }

    /// The number of committed answers.
    pub(crate) fn answered(&self) -> u32 {
        self.answered
    }

    /// The number of stages in a row before this one in which the candidate said no word.
    pub(crate) fn silent_stages(&self) -> u32 {
        self.silent_stages
    }

    /// The number of goodbyes that were begun.
    pub(crate) fn goodbyes(&self) -> u32 {
        self.goodbyes
    }

    /// Whether a goodbye has begun to sound.
    pub(crate) fn has_parted(&self) -> bool {
        self.parted
    }

    /// Begins the interview at `now`: the candidate is there.
    pub(crate) fn begin(&mut self, now: SessionTime) {
        (self.phase, self.began) = (Phase::Running, now);
    }

    /// Notes that the time limit of the interview has passed.
    pub(crate) fn pass_limit(&mut self) {
        self.limit_passed = true;
    }

    /// Counts a committed answer.
    pub(crate) fn count_answer(&mut self) {
        self.answered += 1;
    }

    /// Makes the interview end by its number of answers. Returns whether that is new.
    pub(crate) fn close_as_full(&mut self) -> bool {
        std::mem::replace(&mut self.closing_as, End::MaxTurns) != End::MaxTurns
    }

    /// Begins the next epoch; `spoke` is whether the candidate said a word in the stage that ends.
    pub(crate) fn next_stage(&mut self, spoke: bool) {
        self.epoch = Epoch(self.epoch.0 + 1);
        self.silent_stages = if spoke { 0 } else { self.silent_stages + 1 };
    }

    /// Counts a goodbye.
    pub(crate) fn count_goodbye(&mut self) {
        self.goodbyes += 1;
    }

    /// Sets the number of goodbyes.
    pub(crate) fn set_goodbyes(&mut self, goodbyes: u32) {
        self.goodbyes = goodbyes;
    }

    /// Notes that a goodbye has begun to sound.
    pub(crate) fn part(&mut self) {
        self.parted = true;
    }

    /// Begins the goodbye, which is given up at a time.
    pub(crate) fn leave(&mut self, end: End, until: SessionTime) {
        self.phase = Phase::Leaving { end, until };
    }

    /// Goes on with the interview: the goodbye was said to a candidate who turned out to be there.
    pub(crate) fn take_up_again(&mut self) {
        self.phase = Phase::Running;
        (self.goodbyes, self.parted, self.silent_stages) = (0, false, 0);
    }

    pub(crate) fn end(&mut self) {
        self.phase = Phase::Ended;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// H03, H13: each handoff is an epoch of its own, and only silent stages in a row count.
    #[test]
    fn stages_are_counted() {
        let mut course = Course::new();
        for (spoke, silent) in [(false, 1), (false, 2), (true, 0), (false, 1)] {
            course.next_stage(spoke);
            assert_eq!(course.silent_stages(), silent);
        }
        assert_eq!(course.epoch(), Epoch(4));
    }

    /// R06: the first words are said again when they are cut off, but not for ever.
    #[test]
    fn first_words_are_heard_or_given_up() {
        let mut course = Course::new();
        (1..FIRST_WORDS_CUT_MAX).for_each(|_| course.cut_opening());
        assert!(!course.has_opened());
        let mut heard = course.clone();
        heard.open();
        assert!(heard.has_opened());
        heard.cut_opening();
        assert!(heard.has_opened());
        course.cut_opening();
        assert!(course.has_opened());
    }

    /// X04: too many answers are told once.
    #[test]
    fn a_full_interview_is_told_once() {
        let mut course = Course::new();
        assert!(course.close_as_full());
        assert!(!course.close_as_full());
        assert_eq!(course.closing_as(), End::MaxTurns);
    }

    /// Case 14: whoever is there after all is asked on as if nobody had said goodbye.
    #[test]
    fn a_goodbye_is_taken_back() {
        let mut course = Course::new();
        course.begin(SessionTime::from_millis(7));
        course.next_stage(false);
        course.count_goodbye();
        course.part();
        course.leave(End::CandidateSilent, SessionTime::from_millis(9));
        course.take_up_again();
        assert_eq!(course.phase(), Phase::Running);
        assert_eq!((course.goodbyes(), course.has_parted(), course.silent_stages()), (0, false, 0));
        assert_eq!(course.began(), SessionTime::from_millis(7));
    }
}
