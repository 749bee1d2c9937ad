//! What comes over the data channels: bytes of anybody in the room, as facts.

use livekit_protocol::{DataChannelReceiveState, DataPacket, data_packet::Value};
use prost::Message;

use super::{RoomEvent, data::ReliableReceiver, text::Streams};

/// The data packets of one session: each told once, the texts in them put together.
#[derive(Debug, Default)]
pub struct Inbox {
    received: ReliableReceiver,
    streams: Streams,
}

/// Why a packet tells nothing.
#[derive(Debug, thiserror::Error)]
pub enum Ignored {
    /// It is none.
    #[error("a data packet is malformed: {0}")]
    Malformed(#[from] prost::DecodeError),
    /// It was told before.
    #[error("a data packet came twice")]
    Copy,
}

impl Inbox {
    /// Takes a packet as it came, over the channel on which nothing is lost or over the other one.
    pub fn take(&mut self, bytes: &[u8], is_reliable: bool) -> Result<Vec<RoomEvent>, Ignored> {
        let packet = DataPacket::decode(bytes)?;
        if is_reliable && !self.received.accept(&packet) {
            return Err(Ignored::Copy);
        }
        let (from, sender) = (packet.participant_sid, packet.participant_identity);
        Ok(match packet.value {
            Some(Value::StreamHeader(header)) => self.streams.header(&from, &sender, header),
            Some(Value::StreamChunk(chunk)) => self.streams.chunk(&from, &chunk),
            Some(Value::StreamTrailer(trailer)) => self.streams.trailer(&from, trailer),
            Some(Value::User(user)) => vec![RoomEvent::Data {
                sender: Some(sender).filter(|s| !s.is_empty()),
                topic: user.topic.unwrap_or_default(),
                payload: user.payload,
            }],
            _ => Vec::new(),
        })
    }

    /// A session of somebody is over, and with it the rest of their texts.
    pub fn forget(&mut self, sid: &str) {
        self.streams.forget(sid);
    }

    /// What a resume tells the server.
    pub fn states(&self) -> Vec<DataChannelReceiveState> {
        self.received.states()
    }
}
