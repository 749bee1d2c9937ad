//! Which control messages count: the candidate's buttons, as many as their quota allows, and the operator's
//! signed orders.

use voiceroom::server::Orders;

use super::super::quota::Quota;
use crate::{
    clock,
    interview::{Control, Status},
};

/// What the ids of orders begin with, so that none is a candidate's and their answers go to nobody.
const ORDER: &str = "order-";

/// Reads control messages, and counts those of the candidate.
#[derive(Debug)]
pub(super) struct Controls {
    quota: Quota,
    orders: Orders,
    /// Whether a model words replies: it has other words for every question.
    pub(super) has_model: bool,
}

impl Controls {
    pub(super) fn new(orders: Orders) -> Self {
        Self { quota: Quota::new(clock::instant()), orders, has_model: false }
    }

    /// The requests that the question on the candidate's screen can be helped with, by their names.
    pub(super) fn offered(&self, status: &Status) -> String {
        if status.question.is_none() {
            return String::new();
        }
        match self.has_model || status.has_other_words {
            true => "repeat rephrase more_time skip",
            false => "repeat more_time skip",
        }
        .to_owned()
    }

    /// Whether one more message of the candidate is taken.
    pub(super) fn take(&mut self) -> bool {
        self.quota.take(clock::instant())
    }

    /// A button of the candidate; nothing if there were too many, or it is none of theirs.
    pub(super) fn button(&mut self, payload: &[u8]) -> Option<Control> {
        let button = self.take().then(|| Control::parse(payload)).flatten();
        button.filter(|button| !is_order(&button.id))
    }

    /// An order of the operator; nothing unless it is signed for this room.
    pub(super) fn order(&self, payload: &[u8]) -> Option<Control> {
        let order = Control::parse(self.orders.read(payload)?.as_bytes())?;
        Some(Control { id: format!("{ORDER}{}", order.id), ..order })
    }
}

/// Whether an id is that of an order.
pub(super) fn is_order(id: &str) -> bool {
    id.starts_with(ORDER)
}

#[cfg(test)]
mod tests {
    use voiceroom::server::ApiKeys;

    use super::*;
    use crate::interview::AgentState;

    /// Case 5, R02: other words are offered where there are some, and nothing before a question.
    #[test]
    fn what_can_be_asked_for_is_told() {
        let mut controls = Controls::new(Orders::new(&ApiKeys::new("key", "secret"), "room"));
        let status = |question: Option<&str>, has_other_words| Status {
            state: AgentState::Listening,
            stage: "intro".to_owned(),
            asked: 1,
            asks: 3,
            phase: None,
            paused: false,
            question: question.map(str::to_owned),
            has_other_words,
            thinking_s: None,
        };
        assert_eq!(controls.offered(&status(None, false)), "");
        assert_eq!(controls.offered(&status(Some("Why?"), false)), "repeat more_time skip");
        let all = "repeat rephrase more_time skip";
        assert_eq!(controls.offered(&status(Some("Why?"), true)), all);
        controls.has_model = true;
        assert_eq!(controls.offered(&status(Some("Why?"), false)), all);
    }
}
