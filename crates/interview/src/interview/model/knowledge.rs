//! The knowledge of an interview: the conversation, the rubric, the memory of the candidate, and answers that
//! the judge still reads.

use crate::foreign::Foreign;
use crate::interview::{
    dialogue::history::History,
    ids::TurnId,
    model::{judgement::Judgeable, memory::Memory, rubric::Rubric},
};

/// Committed turns that may still be judged.
const JUDGEABLE_MAX: usize = 8;

/// The knowledge of an interview so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Knowledge {
    pub(crate) history: History,
    pub(crate) rubric: Rubric,
    pub(crate) memory: Memory,
    /// What recruiters who follow the interview suggest to ask, and how many questions were asked before.
    pub(crate) suggestions: Vec<Suggestion>,
    /// Committed turns that the judge may still say something about, the oldest first.
    judgeable: Vec<Judgeable>,
}

/// What a recruiter suggests to ask.
#[derive(Clone, Debug)]
pub(crate) struct Suggestion {
    /// Their words.
    pub(crate) text: Foreign,
    /// The stage in which they came, and how many of its questions were asked then.
    pub(crate) since: (usize, u32),
}

impl Knowledge {
    /// The judge may still say something about a committed turn.
    pub(crate) fn await_judge(&mut self, turn: Judgeable) {
        if self.judgeable.len() == JUDGEABLE_MAX {
            self.judgeable.remove(0);
        }
        self.judgeable.push(turn);
    }

    /// A committed turn that the judge has said nothing about.
    pub(crate) fn unjudged(&self, turn: TurnId) -> Option<&Judgeable> {
        self.judgeable.iter().find(|known| known.turn == turn)
    }

    /// The turns of a stage that the judge has said nothing about; each is given once.
    pub(crate) fn take_lost(&mut self, stage: usize) -> Vec<(TurnId, u32)> {
        let lost =
            self.judgeable.iter_mut().filter(|known| known.stage == stage && !known.is_retried);
        lost.map(|known| {
            known.is_retried = true;
            (known.turn, known.attempt)
        })
        .collect()
    }

    /// The judge has spoken about an attempt at a turn: what it was, if it still counts.
    pub(crate) fn take_judged(&mut self, turn: TurnId, attempt: u32) -> Option<Judgeable> {
        let is_it = |known: &Judgeable| known.turn == turn && known.attempt == attempt;
        let place = self.judgeable.iter().position(is_it)?;
        Some(self.judgeable.remove(place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A judgement counts once, for the attempt that it is of, and for the last turns only.
    #[test]
    fn a_judgement_counts_once() {
        let mut knowledge = Knowledge::default();
        for turn in 0..=JUDGEABLE_MAX as u32 {
            let turn = TurnId(turn);
            let (question, is_retried) = (None, false);
            knowledge.await_judge(Judgeable { turn, attempt: 1, stage: 0, question, is_retried });
        }
        assert_eq!(knowledge.take_lost(1), []);
        assert_eq!(knowledge.take_lost(0).first(), Some(&(TurnId(1), 1)));
        assert_eq!(knowledge.take_lost(0), [], "nobody is asked a third time");
        assert!(knowledge.take_judged(TurnId(0), 1).is_none());
        assert!(knowledge.take_judged(TurnId(1), 0).is_none());
        assert!(knowledge.take_judged(TurnId(1), 1).is_some());
        assert!(knowledge.take_judged(TurnId(1), 1).is_none());
    }
}
