//! Which control messages count: the candidate's buttons, as many as their quota allows, and the operator's
//! signed orders.

use voiceroom::server::Orders;

use super::super::quota::Quota;
use crate::{clock, interview::Control};

/// What the ids of orders begin with, so that none is a candidate's and their answers go to nobody.
const ORDER: &str = "order-";

/// Reads control messages, and counts those of the candidate.
#[derive(Debug)]
pub(super) struct Controls {
    quota: Quota,
    orders: Orders,
}

impl Controls {
    pub(super) fn new(orders: Orders) -> Self {
        Self { quota: Quota::new(clock::instant()), orders }
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
