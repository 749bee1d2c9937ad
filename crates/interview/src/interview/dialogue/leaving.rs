//! Exits as the candidate hears them: the words that lead out of a stage or of the interview.

use crate::blueprint::{Agent, Phrase};
use crate::interview::{
    Interview,
    dialogue::delivery::Purpose,
    effect::{Effect, Say},
    exit::{End, Exit, Reason},
    note::Note,
    turn_taking::turn::Turn,
};

impl Interview {
    /// The agent that an exit leads to.
    pub(crate) fn agent_after(&self, why: Reason) -> Option<&Agent> {
        self.script.plan().agents.get(self.stage_after(why)?)
    }

    /// Begins an exit with its words; it is taken at their first sound.
    pub(crate) fn begin_exit(&mut self, exit: Exit, turn: Option<Turn>) {
        // A turn that a stop interrupted belongs to the stage that ends.
        let turn = turn.or_else(|| {
            let turn = self.turns.take_carried()?;
            let turn = self.turns.named(turn);
            self.call_judge(&turn);
            Some(turn)
        });
        match exit {
            Exit::Stage { why, .. } => {
                self.think(self.bridge(why, turn.as_ref()), Purpose::Ask, turn, Some(exit));
            }
            Exit::Interview { end, why } => {
                // A silent candidate may be there and not be heard.
                let insists = why.is_none() && end != End::CandidateSilent;
                self.begin_goodbye(end, turn, insists);
            }
        }
    }

    /// Begins an exit over the candidate (H04): with words of the file, uninterruptible.
    pub(crate) fn begin_cut_in(&mut self, exit: Exit, turn: Option<Turn>) {
        match exit {
            Exit::Stage { why, .. } => {
                // "Let me stop you there" is all that is said about their words.
                let bridge = self.bridge_words(why, why.is_forced());
                let words = format!("{} {bridge}", self.phrase(Phrase::CutIn));
                self.think(Say::Text(words), Purpose::Insist, turn, Some(exit));
            }
            Exit::Interview { end, .. } => self.begin_goodbye(end, turn, true),
        }
    }

    /// Notes once that the interview closes by its number of answers (X04).
    pub(crate) fn note_max_turns(&mut self) {
        if self.course.close_as_full() {
            let missing = self.open_fields();
            self.outbox.push(Effect::Note(Note::MaxTurns { missing }));
        }
    }
}
