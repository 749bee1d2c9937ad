//! How the candidate is called, where the room tells it: nobody who dispatched us did.

use crate::interview::{Interview, course::Phase};

impl Interview {
    /// Whether nobody has told how the candidate is called, and it is still time to: then
    /// [`Event::CandidateNamed`] is worth telling.
    ///
    /// [`Event::CandidateNamed`]: crate::interview::Event::CandidateNamed
    pub fn is_nameless(&self) -> bool {
        self.script.is_nameless() && self.course.phase() == Phase::Lobby
    }

    /// All texts are made anew with the name. Whoever has heard our first words is called nothing else from
    /// then on.
    pub(crate) fn on_named(&mut self, candidate_name: String) {
        if self.is_nameless() {
            self.script.name_candidate(candidate_name);
        }
    }
}
