//! What comes out of the peer connections: sound and data.

use std::time::Duration;

use livekit_protocol::{DataPacket, ReconnectReason};
use str0m::{
    Event, IceConnectionState,
    media::{Frequency, MediaData},
};

use super::{
    super::{
        Packet,
        publisher::{LOSSY, RELIABLE},
    },
    REASON_LIMIT, Session, Side,
};
use crate::{clock, inbox::Ignored};

/// We hear a track so long before what was recorded of it is over.
const RECORDED_LIMIT: Duration = Duration::from_millis(500);
/// Malformed packets that are in the log; the rest is counted.
const MALFORMED_LOGGED_MAX: u64 = 10;
/// Channels that the server may open.
const CHANNELS_MAX: usize = 16;

impl Session {
    pub(super) fn handle_peer_events(&mut self) {
        while let Some((side, event)) = self.peers.next_event() {
            self.handle_event(side, event);
        }
    }

    fn handle_event(&mut self, side: Side, event: Event) {
        match event {
            Event::Connected => tracing::debug!(?side, "peer connection up"),
            Event::IceConnectionStateChange(state) => self.handle_ice(side, state),
            Event::ChannelOpen(id, label) => {
                if side == Side::Publisher && label == RELIABLE {
                    self.peers.publisher.peer.with(|rtc| {
                        if let Some(mut channel) = rtc.channel(id) {
                            channel.set_buffered_amount_low_threshold(16 * 1024);
                        }
                    });
                }
                if self.channels.len() < CHANNELS_MAX {
                    self.channels.push((side, id, label));
                }
            }
            Event::ChannelData(data) => {
                let known = self.channels.iter().find(|(s, id, _)| *s == side && *id == data.id);
                match known.map(|(_, _, label)| label.as_str()) {
                    Some(RELIABLE) => self.handle_data(&data.data, true),
                    Some(LOSSY) => self.handle_data(&data.data, false),
                    other => tracing::debug!(channel = other, "ignored a message"),
                }
            }
            Event::ChannelClose(id) => self.channels.retain(|(s, c, _)| *s != side || *c != id),
            Event::MediaData(data) => self.handle_media(side, &data),
            Event::Closed => {
                let until = clock::instant() + REASON_LIMIT;
                self.closed.get_or_insert((until, side));
            }
            other => tracing::trace!(?side, ?other, "peer event"),
        }
    }

    fn handle_ice(&mut self, side: Side, state: IceConnectionState) {
        tracing::debug!(?side, ?state, "ICE changed");
        match state {
            // Before its addresses have come, the server looks gone: there is nothing to resume yet.
            IceConnectionState::Disconnected if self.connect_deadline.is_some() => {}
            IceConnectionState::Disconnected => {
                let reason = match side {
                    Side::Publisher => ReconnectReason::RrPublisherFailed,
                    Side::Subscriber => ReconnectReason::RrSubscriberFailed,
                };
                self.start_resume("ICE disconnected", reason);
            }
            IceConnectionState::Connected | IceConnectionState::Completed => {
                self.peers.ice_is_up(side);
                self.finish_resume();
            }
            _ => {}
        }
    }

    fn handle_media(&mut self, side: Side, data: &MediaData) {
        let Some(track) = self.theirs.received(side, data.mid) else {
            tracing::trace!(mid = %data.mid, "ignored sound on an unused section");
            return;
        };
        self.carry.counters.audio_in.bump();
        self.carry.events.send_packet(Packet {
            participant: track.participant.clone(),
            track: track.sid.clone(),
            sequence: **data.seq_range.end(),
            rtp_time: data.time.rebase(Frequency::FORTY_EIGHT_KHZ).numer(),
            payload: data.data.clone(),
            arrived: data.network_time,
        });
    }

    pub(super) fn queue_data(&mut self, mut packet: DataPacket) {
        if self.outbox.is_full() {
            self.carry.counters.data_out_dropped.bump();
            return;
        }
        if packet.participant_identity.is_empty() {
            packet.participant_identity = self.local.identity.clone();
        }
        packet.participant_sid = self.local.sid.clone();
        self.outbox.add(packet);
    }

    pub(super) fn flush_data(&mut self) {
        let Some(id) = self.peers.publisher.channel(RELIABLE) else { return };
        while let Some(bytes) = self.outbox.first() {
            let is_written = self.peers.publisher.peer.with(|rtc| {
                rtc.channel(id).is_some_and(|mut c| c.write(true, bytes).unwrap_or(false))
            });
            // Not open yet, or full: `ChannelOpen` or `ChannelBufferedAmountLow` wakes us up again.
            if !is_written {
                return;
            }
            self.outbox.first_is_sent();
            self.carry.counters.data_out.bump();
        }
    }

    fn handle_data(&mut self, bytes: &[u8], is_reliable: bool) {
        let events = match self.inbox.take(bytes, is_reliable) {
            Ok(events) => events,
            Err(why @ Ignored::Malformed(_)) => {
                // Whoever sends one sends many: all are counted, the first ones are in the log.
                if self.carry.counters.malformed.get() < MALFORMED_LOGGED_MAX {
                    tracing::warn!(%why, "ignored a data packet");
                }
                self.carry.counters.malformed.bump();
                return;
            }
            Err(Ignored::Foreign) => {
                self.carry.counters.malformed.bump();
                return;
            }
            Err(Ignored::Copy) => {
                self.carry.counters.data_in_duplicate.bump();
                return;
            }
        };
        self.carry.counters.data_in.bump();
        // LiveKit's JavaScript SDK records for ten seconds if it is told too soon that somebody hears the
        // track.
        let now = clock::instant();
        // Nor is a recording over that has only just begun, as on a slow page: what it holds comes behind its
        // header.
        let is_heard = |sid: &str, began| {
            now >= began + RECORDED_LIMIT && self.theirs.is_received(sid, now, RECORDED_LIMIT)
        };
        let recordings = self.inbox.end_recordings(is_heard);
        for event in events.into_iter().chain(recordings) {
            self.carry.events.send_message(event);
        }
    }
}
