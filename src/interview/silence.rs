//! The silence ladder (T02): a gentle nudge, a simpler question, then we move on. Each rung once per question.

use super::{
    Interview, Phase,
    effect::Say,
    floor::{Floor, Purpose},
    transition::{Facts, decide},
};

impl Interview {
    pub(super) fn on_silence(&mut self) {
        let Floor::Open { since } = self.floor else { return };
        if let Phase::Leaving { .. } = self.phase {
            return self.hang_up_as_planned();
        }
        let now = self.own(self.now);
        self.quiet += now.since(since);
        // A way out that waited for an answer waits no longer than the first rung.
        if let Some(exit) = decide(&Facts { questions_used_up: false, ..self.facts() }) {
            return self.begin_exit(exit, None);
        }
        let nudges = &self.plan.agents[self.stage.index].nudges;
        match nudges.get(self.stage.rungs).cloned() {
            Some(words) => {
                self.stage.rungs += 1;
                self.think(Say::Text(words), Purpose::Rung, None, None);
            }
            None => {
                let facts =
                    Facts { silence_limit_passed: true, questions_used_up: false, ..self.facts() };
                if let Some(exit) = decide(&facts) {
                    self.begin_exit(exit, None);
                }
            }
        }
    }
}
