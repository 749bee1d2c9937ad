//! The candidate's name from the room, where the inputs have none.

use crate::interview::{Interview, course::Phase};

impl Interview {
    /// Whether [`Event::CandidateNamed`] still counts: the name is unknown, and nothing was said yet.
    ///
    /// [`Event::CandidateNamed`]: crate::interview::Event::CandidateNamed
    pub fn is_nameless(&self) -> bool {
        self.script.is_nameless() && self.course.phase() == Phase::Lobby
    }

    /// Renders all texts with the name, before the candidate has heard any of them.
    pub(crate) fn on_named(&mut self, candidate_name: String) {
        if self.is_nameless() {
            self.script.name_candidate(candidate_name);
            self.renew_agenda();
        }
    }
}
