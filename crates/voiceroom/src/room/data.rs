//! Reliable data packets: sequence numbers, copies, and what a resume needs.

use std::collections::{BTreeMap, VecDeque};

use livekit_protocol::{DataChannelReceiveState, DataPacket};
use prost::Message;

/// Bytes of sent packets kept for a resume.
const HISTORY_BYTES_MAX: usize = 256 * 1024;
/// Senders whose last number is kept; with more, all numbers are forgotten.
const SENDERS_MAX: usize = 1024;

/// Numbers outgoing packets and keeps the recent ones for a resume.
#[derive(Debug, Default)]
pub(super) struct ReliableSender {
    last: u32,
    history: VecDeque<(u32, Vec<u8>)>,
    history_bytes: usize,
}

impl ReliableSender {
    /// Stamps the next sequence number on the packet and encodes it.
    pub(super) fn encode(&mut self, mut packet: DataPacket) -> Vec<u8> {
        self.last += 1;
        packet.sequence = self.last;
        let bytes = packet.encode_to_vec();
        self.history_bytes += bytes.len();
        self.history.push_back((self.last, bytes.clone()));
        while self.history_bytes > HISTORY_BYTES_MAX {
            let Some((_, old)) = self.history.pop_front() else { break };
            self.history_bytes -= old.len();
        }
        bytes
    }

    /// The packets that the server had not received when the connection broke, in order.
    pub(super) fn after(&self, last_received: u32) -> impl Iterator<Item = Vec<u8>> + '_ {
        self.history.iter().filter(move |(n, _)| *n > last_received).map(|(_, bytes)| bytes.clone())
    }
}

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

    /// A resume sends what the server has missed, in order.
    #[test]
    fn missed_packets_are_sent_again() {
        let mut sender = ReliableSender::default();
        for _ in 0..3 {
            sender.encode(DataPacket::default());
        }
        let numbers: Vec<u32> =
            sender.after(1).map(|bytes| DataPacket::decode(&bytes[..]).unwrap().sequence).collect();
        assert_eq!(numbers, [2, 3]);
    }

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
