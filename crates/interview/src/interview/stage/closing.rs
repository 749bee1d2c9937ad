//! The closing stage: the way out of the interview, where the candidate may still ask or add something.

use crate::interview::{
    stage::kind::{Heard, StageKind},
    understanding::cue::Cue,
};

pub(crate) struct Closing;

impl StageKind for Closing {
    fn read(&self, found: Option<Cue>, turn: Heard<'_>) -> Option<Cue> {
        // "Is there anything else?" "No, bye." The interview ends anyway, as a whole one.
        if found == Some(Cue::Stop) && turn.questions_used_up {
            return Some(Cue::Done);
        }
        // "Is there anything else?" "Yes." They are about to say what.
        let announces = found == Some(Cue::Yes) && !turn.held;
        if announces { Some(Cue::Hold) } else { found }
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
            (Cue::Stop, false, true, Cue::Done),
            (Cue::Stop, false, false, Cue::Stop),
            (Cue::Yes, false, true, Cue::Hold),
            (Cue::Yes, true, true, Cue::Yes),
            (Cue::No, false, true, Cue::No),
        ] {
            let turn = Heard { text: "", held, questions_used_up };
            assert_eq!(Closing.read(Some(found), turn), Some(wanted), "{found:?} {held}");
        }
    }
}
