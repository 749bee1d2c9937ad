//! The packets of one track, put in order.
//!
//! A section of a peer connection is used again for another track, whose sequence numbers start
//! anywhere; a buffer that belongs to the section drops half of such tracks. So the room hands
//! packets on as they come, what RED restores *after* the packet that carried it, and whoever
//! decodes keeps one [`Reorder`] per track.

use std::{collections::BTreeMap, time::Duration};

use crate::time::SessionTime;

/// Packets that may wait for a missing one; with more, it counts as lost.
const WAITING_MAX: usize = 4;
/// How long they may wait: it is better to conceal a loss than to keep a speaker waiting.
const WAIT_LIMIT: Duration = Duration::from_millis(60);

/// Sorts packets by sequence number and gives up on missing ones in time.
#[derive(Debug)]
pub struct Reorder<T> {
    next: Option<u64>,
    waiting: BTreeMap<u64, (SessionTime, T)>,
}

/// A packet whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InOrder<T> {
    /// The packet.
    pub packet: T,
    /// How many packets directly before it were lost.
    pub lost: u64,
}

impl<T> Default for Reorder<T> {
    fn default() -> Self {
        Self { next: None, waiting: BTreeMap::new() }
    }
}

impl<T> Reorder<T> {
    /// Takes a packet, numbered without wrap-around. One that comes after its turn, or twice, is dropped.
    pub fn push(&mut self, at: SessionTime, sequence: u64, packet: T) {
        if self.next.is_none_or(|next| sequence >= next) {
            self.waiting.entry(sequence).or_insert((at, packet));
        }
    }

    /// The next packet whose turn it is, if there is one. To be called until there is none, after all
    /// packets of one instant were pushed, and at [`Reorder::deadline`].
    pub fn pop(&mut self, at: SessionTime) -> Option<InOrder<T>> {
        let first = *self.waiting.first_key_value()?.0;
        let lost = self.next.map_or(0, |next| first - next);
        let is_overdue =
            self.waiting.len() > WAITING_MAX || self.deadline().is_some_and(|due| at >= due);
        if lost > 0 && !is_overdue {
            return None;
        }
        let (sequence, (_, packet)) = self.waiting.pop_first()?;
        self.next = Some(sequence.saturating_add(1));
        Some(InOrder { packet, lost })
    }

    /// When [`Reorder::pop`] gives up on a missing packet.
    pub fn deadline(&self) -> Option<SessionTime> {
        self.waiting.values().map(|(at, _)| *at + WAIT_LIMIT).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pushes packets one millisecond apart; returns what came out, losses as `!`.
    fn run(sequences: &[u64]) -> String {
        let mut reorder = Reorder::default();
        let mut out = Vec::new();
        for (ms, sequence) in (0..).zip(sequences) {
            let at = SessionTime::from_millis(ms);
            reorder.push(at, *sequence, *sequence);
            while let Some(InOrder { packet, lost }) = reorder.pop(at) {
                out.push(format!("{}{packet}", "!".repeat(usize::try_from(lost).unwrap())));
            }
        }
        out.join(" ")
    }

    /// RED restores a packet after the one that carried it, and duplicates are no new packets.
    #[test]
    fn packets_come_in_order_and_once() {
        assert_eq!(run(&[7, 8, 10, 9, 9, 11]), "7 8 9 10 11");
    }

    /// A late packet is given up after four others, and dropped when it comes after all.
    #[test]
    fn a_lost_packet_is_given_up_after_four_others() {
        assert_eq!(run(&[1, 3, 4, 5, 6]), "1");
        assert_eq!(run(&[1, 3, 4, 5, 6, 7, 2]), "1 !3 4 5 6 7");
        assert_eq!(run(&[1, 4, 5, 6, 7, 8]), "1 !!4 5 6 7 8");
    }

    /// A candidate who stops after a loss is not kept waiting for it.
    #[test]
    fn a_lost_packet_is_given_up_in_time() {
        let at = SessionTime::ZERO;
        let mut reorder = Reorder::default();
        reorder.push(at, 1, ());
        assert_eq!(reorder.pop(at), Some(InOrder { packet: (), lost: 0 }));
        reorder.push(at, 3, ());
        assert_eq!(reorder.pop(at), None);
        assert_eq!(reorder.deadline(), Some(at + WAIT_LIMIT));
        assert_eq!(reorder.pop(at + WAIT_LIMIT), Some(InOrder { packet: (), lost: 1 }));
    }

    /// Sequence numbers come from outside: the largest one must not overflow.
    #[test]
    fn the_largest_sequence_number_is_a_number() {
        assert_eq!(run(&[u64::MAX, u64::MAX]), format!("{0} {0}", u64::MAX));
    }
}
