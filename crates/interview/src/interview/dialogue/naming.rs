//! How the candidate is called, where the room tells it: nobody who dispatched us did.

use std::sync::Arc;

use crate::blueprint::Context;
use crate::interview::{Interview, Phase, model::prompt};

impl Interview {
    /// Whether nobody has told how the candidate is called, and it is still time to: then [`Event::CandidateNamed`] is worth telling.
    ///
    /// [`Event::CandidateNamed`]: crate::interview::Event::CandidateNamed
    pub fn is_nameless(&self) -> bool {
        self.unnamed.is_some() && self.phase == Phase::Lobby
    }

    /// All texts are made anew with the name. Whoever has heard our first words is called nothing else from then on.
    pub(crate) fn on_named(&mut self, candidate_name: String) {
        if !self.is_nameless() {
            return;
        }
        let Some(blueprint) = self.unnamed.take() else { return };
        let context = Context { candidate_name, ..Context::clone(&self.context) };
        let plan = blueprint.for_candidate(&context);
        self.secrets = Arc::new(prompt::secrets(&plan, &context));
        (self.plan, self.context) = (Arc::new(plan), Arc::new(context));
    }
}
