//! A scripted stage: words as they are written, one question, left after its answer.

use language::Intent;

use crate::interview::{
    stage::kind::{Heard, Opening, StageKind},
    understanding::words::{holds, normal},
};

pub(crate) struct Scripted;

impl StageKind for Scripted {
    fn opening(&self) -> Opening {
        Opening::File
    }

    /// "Are you ready to start?" "Not yet." They need time.
    fn read(&self, found: Intent, turn: Heard<'_>) -> Intent {
        let is_early = found == Intent::No
            && !turn.held
            && normal(turn.text).split(' ').any(|word| holds(" yet ready ", word));
        if is_early { Intent::Hold } else { found }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A01: "not yet" is no answer to whether they are ready, once; any other no is one.
    #[test]
    fn not_yet_is_a_wish_for_time() {
        for (text, held, wanted) in [
            ("not yet", false, Intent::Hold),
            ("no I am not ready", false, Intent::Hold),
            ("not yet", true, Intent::No),
            ("no", false, Intent::No),
        ] {
            let turn = Heard { text, held, questions_used_up: false };
            assert_eq!(Scripted.read(Intent::No, turn), wanted, "{text}");
        }
    }
}
