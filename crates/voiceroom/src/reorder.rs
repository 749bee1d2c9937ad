//! The packets of one track, put in order.
//!
//! A room hands packets on in the order of their arrival; those that RED has restored come *after* the packet
//! that carried them. Keep one [`Reorder`] for each track, and start a new one with each new track: LiveKit
//! uses the same section of a peer connection for one track after another, and each of them starts at a
//! sequence number of its own.

use std::{collections::BTreeMap, ops::Add, time::Duration};

/// Packets that may wait for a missing one; with more, it counts as lost.
const WAITING_MAX: usize = 4;
/// How long they may wait: it is better to conceal a loss than to keep a speaker waiting.
const WAIT_LIMIT: Duration = Duration::from_millis(60);

/// A jitter buffer without a delay of its own: sorts packets by sequence number, and waits for a missing one
/// for 60 ms or four further packets, whichever comes first.
///
/// `At` is any clock's time: an [`Instant`](std::time::Instant), or a [`Duration`] since any moment.
///
/// ```
/// use std::time::Duration;
/// use voiceroom::reorder::{InOrder, Reorder};
///
/// let mut reorder = Reorder::default();
/// let now = Duration::ZERO;
/// for (sequence, packet) in [(1, "one"), (3, "three"), (2, "two")] {
///     reorder.push(now, sequence, packet);
/// }
/// let in_order: Vec<_> = std::iter::from_fn(|| reorder.pop(now)).collect();
/// assert_eq!(in_order, ["one", "two", "three"].map(|packet| InOrder { packet, lost: 0 }));
/// ```
#[derive(Debug)]
pub struct Reorder<At, T> {
    next: Option<u64>,
    waiting: BTreeMap<u64, (At, T)>,
}

/// A packet whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InOrder<T> {
    /// The packet.
    pub packet: T,
    /// How many packets directly before it were lost.
    pub lost: u64,
}

impl<At, T> Default for Reorder<At, T> {
    fn default() -> Self {
        Self { next: None, waiting: BTreeMap::new() }
    }
}

impl<At: Copy + Ord + Add<Duration, Output = At>, T> Reorder<At, T> {
    /// Takes a packet that arrived at `at`, with its sequence number without wrap-around. A packet that comes
    /// after its turn, or a second time, is dropped.
    pub fn push(&mut self, at: At, sequence: u64, packet: T) {
        if self.next.is_none_or(|next| sequence >= next) {
            self.waiting.entry(sequence).or_insert((at, packet));
        }
    }

    /// Returns the next packet whose turn it is, if there is one. Call it until there is none, after each
    /// batch of [`Reorder::push`] and at [`Reorder::deadline`]; `at` is now.
    pub fn pop(&mut self, at: At) -> Option<InOrder<T>> {
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
    pub fn deadline(&self) -> Option<At> {
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
            let at = Duration::from_millis(ms);
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

    /// A speaker who stops after a loss is not kept waiting for it.
    #[test]
    fn a_lost_packet_is_given_up_in_time() {
        let at = Duration::ZERO;
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
