//! Data packets on their way to the server.

use std::collections::VecDeque;

use livekit_protocol::DataPacket;

use super::super::data::ReliableSender;

/// Messages that may wait for the channel; more are dropped and counted.
const QUEUE_MAX: usize = 1024;

#[derive(Default)]
pub(super) struct Outbox {
    reliable: ReliableSender,
    /// Packets that wait for the channel to open or to drain.
    queue: VecDeque<Vec<u8>>,
    /// How many streams of bytes were sent.
    streams: u64,
}

impl Outbox {
    pub(super) fn is_full(&self) -> bool {
        self.queue.len() >= QUEUE_MAX
    }

    pub(super) fn add(&mut self, packet: DataPacket) {
        self.queue.push_back(self.reliable.encode(packet));
    }

    /// Sends again what the server has missed, and after it what was queued since.
    pub(super) fn requeue(&mut self, last_received: u32) {
        self.queue = self.reliable.after(last_received).collect();
    }

    pub(super) fn first(&self) -> Option<&[u8]> {
        self.queue.front().map(Vec::as_slice)
    }

    pub(super) fn first_is_sent(&mut self) {
        self.queue.pop_front();
    }

    /// The number of the next stream of bytes, from 1.
    pub(super) fn next_stream(&mut self) -> u64 {
        self.streams += 1;
        self.streams
    }
}
