//! The outbox: the effects of the event that is being handled, with duplicates of earlier ones left out.

use std::collections::VecDeque;

use crate::interview::{Effect, NotDone, Notice, Status};

/// Ids of control messages that are kept to drop duplicates.
const REQUESTS_MAX: usize = 256;

/// The outbox of an interview.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outbox {
    effects: Vec<Effect>,
    /// The last control messages and what became of them, the oldest first.
    requests: VecDeque<(String, Result<(), NotDone>)>,
    published: Option<Status>,
}

impl Outbox {
    /// Appends an effect.
    pub(crate) fn push(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    /// Takes the effects so far.
    pub(crate) fn take(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// The number of effects so far: a place for [`Self::acknowledge`].
    pub(crate) fn len(&self) -> usize {
        self.effects.len()
    }

    /// Answers a control message at `place`, before the effects that follow from it, and keeps the answer for
    /// duplicates.
    pub(crate) fn acknowledge(&mut self, place: usize, id: String, outcome: Result<(), NotDone>) {
        if self.requests.len() == REQUESTS_MAX {
            self.requests.pop_front();
        }
        self.requests.push_back((id.clone(), outcome));
        self.effects.insert(place, answer(id, outcome));
    }

    /// Repeats the answer to a control message that came before. Returns whether it did come before.
    pub(crate) fn acknowledge_again(&mut self, id: &str) -> bool {
        let seen = self.requests.iter().find(|(seen, _)| seen == id);
        let Some(outcome) = seen.map(|(_, outcome)| *outcome) else { return false };
        self.effects.push(answer(id.to_owned(), outcome));
        true
    }

    /// Publishes the status, if it has changed.
    pub(crate) fn publish(&mut self, status: Status) {
        if self.published.as_ref() != Some(&status) {
            self.published = Some(status.clone());
            self.effects.push(Effect::Publish(Notice::Status(status)));
        }
    }

    /// The effects so far.
    pub(crate) fn effects(&self) -> &[Effect] {
        &self.effects
    }
}

fn answer(id: String, outcome: Result<(), NotDone>) -> Effect {
    Effect::Acknowledge { id, accepted: outcome.is_ok(), why: outcome.err() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interview::AgentState;

    /// R04: a message counts once, and a duplicate gets the answer of the first; ids are kept within a limit.
    #[test]
    fn a_duplicate_gets_the_same_answer() {
        let mut outbox = Outbox::default();
        assert!(!outbox.acknowledge_again("0"));
        for n in 0..=REQUESTS_MAX {
            let outcome = if n == 1 { Ok(()) } else { Err(NotDone::OnceOnly) };
            outbox.acknowledge(outbox.len(), n.to_string(), outcome);
        }
        outbox.take();
        assert!(!outbox.acknowledge_again("0"), "the oldest is forgotten");
        assert!(outbox.acknowledge_again("1"));
        assert!(outbox.acknowledge_again("2"));
        let refused = Err(NotDone::OnceOnly);
        assert_eq!(outbox.effects(), [answer("1".into(), Ok(())), answer("2".into(), refused)]);
    }

    /// R02: an unchanged status is published once.
    #[test]
    fn only_news_are_published() {
        let mut outbox = Outbox::default();
        let status = |asked| Status {
            state: AgentState::Listening,
            stage: "intro".to_owned(),
            asked,
            asks: 3,
            phase: None,
            paused: false,
            question: None,
            has_other_words: false,
            thinking_s: None,
        };
        for asked in [0, 0, 1] {
            outbox.publish(status(asked));
        }
        assert_eq!(outbox.take().len(), 2);
    }
}
