//! The peer connections of a session: the one that we offer, and the server's where it has one of its own.

use std::time::Instant;

use str0m::Event;

use super::super::{net::Incoming, peer::Peer, publisher::Publisher, turn::TurnServer};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Side {
    Publisher,
    Subscriber,
}

pub(super) struct Peers {
    pub(super) publisher: Publisher,
    pub(super) subscriber: Option<Peer>,
    primary: Side,
    /// ICE of the publisher has been connected once.
    publisher_ice_was_up: bool,
}

impl Peers {
    pub(super) fn new(
        publisher: Publisher,
        subscriber: Option<Peer>,
        is_subscriber_primary: bool,
    ) -> Self {
        let primary = match &subscriber {
            Some(_) if is_subscriber_primary => Side::Subscriber,
            _ => Side::Publisher,
        };
        Self { publisher, subscriber, primary, publisher_ice_was_up: false }
    }

    fn all(&mut self) -> impl Iterator<Item = &mut Peer> {
        [Some(&mut self.publisher.peer), self.subscriber.as_mut()].into_iter().flatten()
    }

    pub(super) fn know_relays(&mut self, relays: &[TurnServer]) {
        self.all().for_each(|peer| peer.know_relays(relays.to_vec()));
    }

    pub(super) fn next_event(&mut self) -> Option<(Side, Event)> {
        if let Some(event) = self.publisher.peer.next_event() {
            return Some((Side::Publisher, event));
        }
        let event = self.subscriber.as_mut().and_then(Peer::next_event)?;
        Some((Side::Subscriber, event))
    }

    pub(super) fn handle(&mut self, side: Side, incoming: Incoming) {
        match (side, &mut self.subscriber) {
            (Side::Publisher, _) => self.publisher.peer.handle(incoming),
            (Side::Subscriber, Some(peer)) => peer.handle(incoming),
            (Side::Subscriber, None) => {}
        }
    }

    /// When [`Self::handle_timeout`] is due.
    pub(super) fn deadline(&self) -> Instant {
        let ours = self.publisher.peer.deadline();
        self.subscriber.as_ref().map_or(ours, |peer| ours.min(peer.deadline()))
    }

    pub(super) fn handle_timeout(&mut self, now: Instant) {
        self.all().for_each(|peer| peer.handle_timeout(now));
    }

    /// ICE of a side is connected.
    pub(super) fn ice_is_up(&mut self, side: Side) {
        self.publisher_ice_was_up |= side == Side::Publisher;
    }

    /// Whether an offer of ours would be understood. pion compares the ICE credentials of an offer with those
    /// of its agent, which has none until it runs. An offer that comes too early counts as an ICE restart:
    /// the answer has new credentials and str0m refuses it.
    pub(super) fn can_offer(&self) -> bool {
        self.publisher.negotiated().is_none() || self.publisher_ice_was_up
    }

    /// Whether both are connected.
    pub(super) fn are_connected(&self) -> bool {
        let is_subscriber_up = self.subscriber.as_ref().is_none_or(Peer::is_connected);
        self.publisher.peer.is_connected() && is_subscriber_up
    }

    /// Whether media gets through, as far as it is needed: what we say only if we say something.
    pub(super) fn are_up(&self, we_speak: bool) -> bool {
        let is_publisher_up = self.publisher.peer.is_up();
        match self.primary {
            Side::Publisher => is_publisher_up,
            Side::Subscriber => {
                let is_subscriber_up = self.subscriber.as_ref().is_some_and(Peer::is_up);
                is_subscriber_up && (is_publisher_up || !we_speak)
            }
        }
    }

    pub(super) fn close(&mut self) {
        self.all().for_each(Peer::close);
    }
}
