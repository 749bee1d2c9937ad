//! A few words into a silence that gets long (case 31).

use super::{Checks, Ordered, Rule};
use crate::interview::ReplyId;

/// Turns that have a filler are at least so many apart.
const TURNS_BETWEEN: usize = 2;

impl Checks {
    pub(super) fn fills(&mut self, n: u64, reply: ReplyId) {
        let turns = self.told.turns.len();
        if self.replies.filled.replace(turns).is_some_and(|before| turns < before + TURNS_BETWEEN) {
            self.found(Rule::Filler, n, format!("{reply:?} comes too soon after another"));
        }
        if let Some((before, _)) = self.replies.filler.replace((reply, false)) {
            self.found(Rule::Filler, n, format!("{reply:?} is ordered beside {before:?}"));
        }
        self.replies.ordered.insert(reply, Ordered::new(true, false));
    }

    pub(super) fn sounds_beside_filler(&mut self, n: u64, reply: ReplyId) {
        match &mut self.replies.filler {
            Some((filler, is_heard)) if *filler == reply => *is_heard = true,
            Some((filler, true)) => {
                let what = format!("{reply:?} sounds beside {filler:?}");
                self.found(Rule::Filler, n, what);
            }
            Some((_, false)) | None => {}
        }
    }
}
