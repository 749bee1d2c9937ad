//! Ways out as the candidate hears them: the words that lead out of a stage or of the interview.

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
    /// The agent that a way out leads to.
    pub(crate) fn agent_after(&self, why: Reason) -> Option<&Agent> {
        self.script.plan().agents.get(self.stage_after(why)?)
    }

    /// Begins a way out: the words that go with it. It is gone through at their first sound.
    pub(crate) fn begin_exit(&mut self, exit: Exit, turn: Option<Turn>) {
        // What a stop interrupted still belongs to the stage that ends.
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
                // Who is taken for silent may only not have been heard.
                let insists = why.is_none() && end != End::CandidateSilent;
                self.begin_goodbye(end, turn, insists);
            }
        }
    }

    /// The same, interrupting the candidate (H04): from a file and not to be interrupted.
    pub(crate) fn begin_cut_in(&mut self, exit: Exit, turn: Option<Turn>) {
        match exit {
            Exit::Stage { why, .. } => {
                let words =
                    format!("{} {}", self.phrase(Phrase::CutIn), self.bridge_text(why, None));
                self.think(Say::Text(words), Purpose::Insist, turn, Some(exit));
            }
            Exit::Interview { end, .. } => self.begin_goodbye(end, turn, true),
        }
    }

    /// A warning, once (X04).
    pub(crate) fn note_max_turns(&mut self) {
        if self.course.close_as_full() {
            let missing = self.open_fields();
            self.outbox.push(Effect::Note(Note::MaxTurns { missing }));
        }
    }
}
