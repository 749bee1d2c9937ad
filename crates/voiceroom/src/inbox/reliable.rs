//! Reliable data packets that others send: copies, and what a resume needs.

use std::collections::BTreeMap;

use livekit_protocol::{DataChannelReceiveState, DataPacket};

/// Senders whose last number is kept; with more, all numbers are forgotten.
const SENDERS_MAX: usize = 1024;

/// Knows the last sequence number of every sender.
#[derive(Debug, Default)]
pub(super) struct ReliableReceiver {
    last: BTreeMap<String, u32>,
}

impl ReliableReceiver {
    /// Whether the packet is new; a resume may bring copies. Numbers belong to a session's sid.
    pub(super) fn accept(&mut self, packet: &DataPacket) -> bool {
        if packet.sequence == 0 || packet.participant_sid.is_empty() {
            return true; // the server's API, or a sender without numbers
        }
        if self.last.len() >= SENDERS_MAX && !self.last.contains_key(&packet.participant_sid) {
            self.last.clear();
        }
        let last = self.last.entry(packet.participant_sid.clone()).or_default();
        if packet.sequence <= *last {
            return false;
        }
        *last = packet.sequence;
        true
    }

    /// What a resume tells the server.
    pub(super) fn states(&self) -> Vec<DataChannelReceiveState> {
        let state = |(sid, last): (&String, &u32)| DataChannelReceiveState {
            publisher_sid: sid.clone(),
            last_seq: *last,
        };
        self.last.iter().map(state).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Copies are dropped per session of a sender: who comes back starts at 1 again.
    #[test]
    fn copies_are_dropped_per_session_of_a_sender() {
        let packet = |sid: &str, sequence| DataPacket {
            participant_sid: sid.into(),
            sequence,
            ..Default::default()
        };
        let mut receiver = ReliableReceiver::default();
        assert!(receiver.accept(&packet("PA_a", 1)));
        assert!(receiver.accept(&packet("PA_b", 1)));
        assert!(!receiver.accept(&packet("PA_a", 1)));
        assert!(receiver.accept(&packet("PA_a", 5)));
        assert!(receiver.accept(&packet("", 0)));
        assert_eq!(receiver.states().len(), 2);
    }
}
