//! The events of a room, and how they are made of what comes over the data channels: bytes of anybody in the
//! room.
//!
//! Apart from [`room`](crate::room), since it builds without the feature `net`: for fuzzing.

use std::{collections::BTreeMap, time::Instant};

use livekit_protocol::{DataChannelReceiveState, DataPacket, ParticipantInfo, data_packet::Value};
use prost::Message;

mod event;
#[cfg(test)]
mod hostile;
mod limits;
mod reliable;
mod text;

pub use event::*;
use reliable::ReliableReceiver;
use text::Streams;

/// Sessions of others that are known by identity; of more the rest is believed.
const PEOPLE_MAX: usize = 1024;
/// The topic on which an agent writes in the name of whoever it transcribes.
const TRANSCRIPTION_TOPIC: &str = "lk.transcription";

/// The data packets of one session: each told once, the texts in them put together.
#[derive(Debug, Default)]
pub struct Inbox {
    received: ReliableReceiver,
    streams: Streams,
    /// Whose sid is whose identity.
    people: BTreeMap<String, String>,
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
    /// Its sender writes in the name of somebody else.
    #[error("a data packet came in the name of somebody else")]
    Foreign,
}

impl Inbox {
    /// Takes a packet as it came, over the channel on which nothing is lost or over the other one.
    pub fn take(&mut self, bytes: &[u8], is_reliable: bool) -> Result<Vec<RoomEvent>, Ignored> {
        let packet = DataPacket::decode(bytes)?;
        if is_reliable && !self.received.accept(&packet) {
            return Err(Ignored::Copy);
        }
        let (from, sender) = (packet.participant_sid, packet.participant_identity);
        if self.is_foreign(&from, &sender, packet.value.as_ref()) {
            return Err(Ignored::Foreign);
        }
        Ok(match packet.value {
            Some(Value::StreamHeader(header)) => self.streams.header(&from, &sender, header),
            Some(Value::StreamChunk(chunk)) => self.streams.chunk(&from, &chunk),
            Some(Value::StreamTrailer(trailer)) => self.streams.trailer(&from, trailer),
            Some(Value::User(user)) => vec![RoomEvent::Data {
                sender: Some(sender).filter(|s| !s.is_empty()),
                topic: user.topic.unwrap_or_default(),
                payload: user.payload,
            }],
            Some(Value::SipDtmf(pressed)) => {
                let key = key(&pressed.digit).filter(|_| !sender.is_empty());
                key.map(|key| RoomEvent::Key { sender, key }).into_iter().collect()
            }
            _ => Vec::new(),
        })
    }

    /// Somebody is there. From now on what they send counts as theirs alone: the server lets agents name
    /// whoever they transcribe as the sender.
    pub fn meet(&mut self, sid: &str, identity: &str) {
        if self.people.len() < PEOPLE_MAX {
            self.people.insert(sid.to_owned(), identity.to_owned());
        }
    }

    /// Whether a packet that acts for its sender is somebody else's. Chunks and trailers belong to the stream
    /// of their sid, whoever they name.
    fn is_foreign(&self, from: &str, sender: &str, value: Option<&Value>) -> bool {
        let acts = match value {
            Some(Value::StreamHeader(header)) => header.topic != TRANSCRIPTION_TOPIC,
            Some(Value::User(_) | Value::SipDtmf(_)) => true,
            _ => false,
        };
        acts && self.people.get(from).is_some_and(|whose| whose != sender)
    }

    /// Recordings of the tracks for which `is_heard` are over, whether their sender ends them or not.
    pub fn end_recordings(&mut self, is_heard: impl Fn(&str, Instant) -> bool) -> Vec<RoomEvent> {
        self.streams.end_recordings(is_heard)
    }

    /// A session of somebody is over, and with it the rest of their texts.
    pub fn forget(&mut self, sid: &str) {
        self.streams.forget(sid);
        self.people.remove(sid);
    }

    /// What a resume tells the server.
    pub fn states(&self) -> Vec<DataChannelReceiveState> {
        self.received.states()
    }
}

/// A participant out of what a server says of them, for fuzzing; nothing if it says nothing.
pub fn participant(bytes: &[u8]) -> Option<Participant> {
    ParticipantInfo::decode(bytes).ok().map(|info| Participant::from(&info))
}

/// What is on a key of a phone, if it is one.
fn key(digit: &str) -> Option<char> {
    let mut all = digit.chars();
    let key = all.next().filter(|_| all.next().is_none())?;
    matches!(key, '0'..='9' | '*' | '#' | 'A'..='D').then_some(key)
}

#[cfg(test)]
mod tests {
    use livekit_protocol::{SipDtmf, UserPacket, data_stream};

    use super::*;

    fn packet(identity: &str, sequence: u32, value: Value) -> Vec<u8> {
        DataPacket {
            participant_sid: format!("PA_{identity}"),
            participant_identity: identity.to_owned(),
            sequence,
            value: Some(value),
            ..Default::default()
        }
        .encode_to_vec()
    }

    fn user(topic: &str) -> Value {
        let topic = Some(topic.to_owned());
        Value::User(UserPacket { payload: b"hello".to_vec(), topic, ..Default::default() })
    }

    /// A key of a phone is told with whoever pressed it; what is no key, or nobody's, is not.
    #[test]
    fn keys_of_phones_are_told() {
        let mut inbox = Inbox::default();
        let mut pressed = |who: &str, digit: &str| {
            let dtmf = Value::SipDtmf(SipDtmf { code: 1, digit: digit.to_owned() });
            match &inbox.take(&packet(who, 1, dtmf), false).unwrap()[..] {
                [] => None,
                [RoomEvent::Key { sender, key }] => Some(format!("{sender} {key}")),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(pressed("sip_1", "1").as_deref(), Some("sip_1 1"));
        assert_eq!(pressed("sip_1", "#").as_deref(), Some("sip_1 #"));
        for odd in ["", "12", "x", "é", "E"] {
            assert_eq!(pressed("sip_1", odd), None, "{odd}");
        }
        assert_eq!(pressed("", "1"), None);
    }

    /// A packet that comes again over the reliable channel is told once; over the other one numbers mean
    /// nothing. Who has no identity is the server's API, or
    /// hidden.
    #[test]
    fn each_packet_is_told_once() {
        let mut inbox = Inbox::default();
        let mut senders = |identity: &str, is_reliable: bool| match inbox
            .take(&packet(identity, 1, user("a topic")), is_reliable)
        {
            Ok(events) => match &events[..] {
                [RoomEvent::Data { sender, topic, payload }] => {
                    assert_eq!((topic.as_str(), &payload[..]), ("a topic", &b"hello"[..]));
                    format!("{sender:?}")
                }
                other => panic!("{other:?}"),
            },
            Err(why) => why.to_string(),
        };
        let ada = r#"Some("ada")"#;
        assert_eq!(
            ["ada", "ada", "bob"].map(|who| senders(who, false)),
            [ada, ada, r#"Some("bob")"#]
        );
        assert_eq!(
            [senders("ada", true), senders("ada", true), senders("", true)],
            [ada, "a data packet came twice", "None"]
        );
    }

    /// What somebody has begun to write is forgotten with their session, and only that.
    #[test]
    fn who_leaves_ends_no_text() {
        use data_stream::header::ContentHeader;
        let mut inbox = Inbox::default();
        let stream_id = || "a text".to_owned();
        let begins = Value::StreamHeader(data_stream::Header {
            stream_id: stream_id(),
            content_header: Some(ContentHeader::TextHeader(Default::default())),
            ..Default::default()
        });
        let goes_on = Value::StreamChunk(data_stream::Chunk {
            stream_id: stream_id(),
            content: b"hello".to_vec(),
            ..Default::default()
        });
        for who in ["ada", "bob"] {
            inbox.take(&packet(who, 1, begins.clone()), true).unwrap();
        }
        inbox.forget("PA_ada");
        let mut told =
            |who: &str| inbox.take(&packet(who, 2, goes_on.clone()), true).unwrap().len();
        assert_eq!([told("ada"), told("bob")], [0, 1]);
    }
}
