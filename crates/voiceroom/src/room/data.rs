//! Reliable data packets that we send: sequence numbers, and what a resume needs.

use std::collections::VecDeque;

use livekit_protocol::DataPacket;
use prost::Message;

/// Bytes of sent packets kept for a resume.
const HISTORY_BYTES_MAX: usize = 256 * 1024;

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
}
