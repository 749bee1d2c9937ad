//! The closing stage: the way out of the interview, where the candidate may still ask or add something.

use language::Intent;

use crate::interview::stage::{
    Place,
    kind::{Heard, StageKind},
    phase::Phase,
};

pub(crate) struct Closing;

impl StageKind for Closing {
    fn read(&self, found: Intent, turn: Heard<'_>) -> Intent {
        // "Is there anything else?" "No, bye." The interview ends anyway, as a whole one.
        if found == Intent::Stop && turn.questions_used_up {
            return Intent::Done;
        }
        // "Is there anything else?" "Yes." They are about to say what.
        let announces = found == Intent::Yes && !turn.held;
        if announces { Intent::Hold } else { found }
    }

    fn phase(&self, at: Place<'_>) -> Option<Phase> {
        at.agenda.topics.are_there().then_some(Phase::FinalGoodbye)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// X05: who says goodbye to the last question ends a whole interview, and a yes to it announces more,
    /// once.
    #[test]
    fn the_last_question_is_answered_by_a_goodbye_or_announced_by_a_yes() {
        for (found, held, questions_used_up, wanted) in [
            (Intent::Stop, false, true, Intent::Done),
            (Intent::Stop, false, false, Intent::Stop),
            (Intent::Yes, false, true, Intent::Hold),
            (Intent::Yes, true, true, Intent::Yes),
            (Intent::No, false, true, Intent::No),
        ] {
            let turn = Heard { text: "", held, questions_used_up };
            assert_eq!(Closing.read(found, turn), wanted, "{found:?} {held}");
        }
    }
}
