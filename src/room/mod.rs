//! A participant in a LiveKit room: sound both ways, captions, attributes, data.
//!
//! ```text
//! let (room, mut events) = Room::join(RoomOptions::new(url, tokens), Some(playout), counters).await?;
//! while let Some(event) = events.recv().await { /* RoomEvent::Packet, ParticipantJoined, LineCut … */ }
//! ```
//!
//! * [`Room::join`] comes back when sound can flow and our track is published (R01). From then on the
//!   room keeps *one* connection for the application: it resumes signalling, joins again with a fresh
//!   token, publishes again and sets the attributes again, until [`RoomEvent::Disconnected`].
//! * The room **pulls**: every 20 ms it takes one frame from its [`FrameSource`], and none between
//!   [`RoomEvent::LineCut`] and [`RoomEvent::LineBack`]. What was pulled was sent.
//! * Packets come as they arrive; `audio::reorder`, decoding and concealment are up to the listener.
//! * No method of [`Room`] waits, but [`Room::leave`]. All queues are bounded; what does not fit is
//!   dropped and counted in [`Counters`].
//! * After a re-join the same participants are there again under the same identity: who stayed is
//!   announced by `ParticipantUpdated`, who has another sid by `ParticipantLeft` and `ParticipantJoined`,
//!   and every track by `TrackSubscribed` anew.
//!
//! Inside, bottom up: `net` (UDP sockets) and `tcp` (connections), `peer` (one str0m peer connection), `publisher` (the one we
//! offer), `signal` (WebSocket), `data` (reliable packets), `text`, `caption` and `bytes` (streams),
//! `player` (pace and Opus), `session` (one task's state for one LiveKit session), `connection`
//! (session after session).

use std::{
    collections::BTreeMap,
    net::IpAddr,
    time::{Duration, Instant},
};

use livekit_protocol::simulate_scenario::Scenario;
use tokio::{sync::mpsc, task::JoinHandle};
use tokio_util::sync::CancellationToken;

use crate::audio::Pcm48;

mod bytes;
mod caption;
mod connection;
mod data;
mod error;
mod event;
mod net;
mod peer;
mod player;
mod publisher;
mod sdp;
mod session;
mod signal;
mod stats;
mod tcp;
mod text;

pub use bytes::ByteStream;
pub use caption::{Caption, Version};
pub use error::{JoinError, SendError};
pub use event::{
    Bytes, End, Kind, Packet, Participant, Quality, RoomEvent, Source, State, Text, TextChunk,
    Track,
};
pub use stats::{Counter, Counters, SharedCounters};

/// The attribute in which an agent tells frontends what it does: `initializing`, `listening`,
/// `thinking` or `speaking`.
pub const AGENT_STATE: &str = "lk.agent.state";
/// The topic of captions.
pub const TRANSCRIPTION_TOPIC: &str = "lk.transcription";
/// The topic of typed messages.
pub const CHAT_TOPIC: &str = "lk.chat";
/// The topic of sound that was recorded before its track was heard.
pub const PRE_CONNECT_TOPIC: &str = "lk.agent.pre-connect-audio-buffer";

/// Facts that may wait for the application; sound keeps out of the last quarter.
const EVENTS_MAX: usize = 1024;
/// Requests that may wait for the room.
const COMMANDS_MAX: usize = 256;
/// How long [`Room::leave`] waits until the server has been told.
const LEAVE_LIMIT: Duration = Duration::from_secs(2);
/// Payload of a data packet; the server takes 64,000 bytes with everything around it.
const PAYLOAD_BYTES_MAX: usize = 60_000;

/// Where our sound comes from.
pub trait FrameSource: Send {
    /// The next 20 ms, exactly `FRAME_48` samples, or `None` for silence. Called in real time on the
    /// room's own task, so it must not wait; `at` is now.
    fn pull(&mut self, at: Instant) -> Option<Pcm48>;
}

/// Makes a token for every join: the first time and for each re-join. Says in one sentence why not.
pub type Tokens = Box<dyn Fn() -> Result<String, String> + Send + Sync>;

/// How to join a room.
pub struct RoomOptions {
    /// The server: `ws`, `wss`, `http` or `https`.
    pub url: String,
    /// Tokens for our identity in this room.
    pub tokens: Tokens,
    /// Our attributes from the first moment on.
    pub attributes: BTreeMap<String, String>,
    /// How many peer connections.
    pub mode: PeerMode,
    /// Whether to negotiate redundant audio (RFC 2198) in both directions.
    pub redundancy: Redundancy,
    /// Whether we announce that what our track said before somebody hears it comes as a byte stream.
    pub is_recorded_before: bool,
    /// Local addresses for ICE; empty: those of all interfaces.
    pub ips: Vec<IpAddr>,
    /// How long an attempt to connect may take.
    pub connect_limit: Duration,
    /// How long to try to get back into the room after a session is lost; zero: never join again.
    pub rejoin_limit: Duration,
}

impl RoomOptions {
    /// The usual options.
    pub fn new(url: impl Into<String>, tokens: Tokens) -> Self {
        Self {
            url: url.into(),
            tokens,
            attributes: BTreeMap::new(),
            mode: PeerMode::One,
            redundancy: Redundancy::Offered,
            is_recorded_before: false,
            ips: Vec::new(),
            connect_limit: Duration::from_secs(5),
            rejoin_limit: Duration::from_secs(150),
        }
    }
}

/// How many peer connections carry a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeerMode {
    /// One for both directions; falls back to two with a server older than 1.9.2.
    One,
    /// One per direction.
    Two,
}

/// Whether packets carry the one before them once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redundancy {
    /// If the server wants it, too.
    Offered,
    /// Never.
    Off,
}

/// Whether our track sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Microphone {
    /// Frames are pulled and sent.
    Open,
    /// Nothing is pulled, the others are told.
    Muted,
}

/// What a test can do to a connection.
#[derive(Clone, Debug)]
pub enum Fault {
    /// Cuts the signalling connection.
    DropSignal,
    /// Lets the server act out a failure.
    Simulate(Scenario),
}

/// Our place in a room. To drop it is to leave without waiting.
pub struct Room {
    commands: mpsc::Sender<Command>,
    leave: CancellationToken,
    task: JoinHandle<()>,
    identity: String,
    counters: SharedCounters,
}

/// What the application asks of the room's task.
enum Command {
    Publish(Box<dyn FrameSource>),
    Unpublish,
    Microphone(Microphone),
    Attributes(BTreeMap<String, String>),
    Caption(Caption),
    Data { topic: String, payload: Vec<u8>, to: Vec<String> },
    Bytes(ByteStream),
    Fault(Fault),
}

impl Room {
    /// Joins, publishes `source` as our microphone if there is one, and comes back when sound can flow.
    pub async fn join(
        options: RoomOptions,
        source: Option<Box<dyn FrameSource>>,
        counters: SharedCounters,
    ) -> Result<(Self, mpsc::Receiver<RoomEvent>), JoinError> {
        connection::join(options, source, counters).await
    }

    /// Our own identity, as the token says.
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// Publishes a microphone track; another source takes over a track that is published already.
    pub fn publish(&self, source: Box<dyn FrameSource>) -> Result<(), SendError> {
        self.request(Command::Publish(source))
    }

    /// Takes the track back.
    pub fn unpublish(&self) -> Result<(), SendError> {
        self.request(Command::Unpublish)
    }

    /// Mutes or unmutes our track.
    pub fn set_microphone(&self, microphone: Microphone) -> Result<(), SendError> {
        self.request(Command::Microphone(microphone))
    }

    /// Changes some of our attributes; an empty value removes one. They survive a re-join.
    pub fn set_attributes(
        &self,
        attributes: impl IntoIterator<Item = (String, String)>,
    ) -> Result<(), SendError> {
        self.request(Command::Attributes(attributes.into_iter().collect()))
    }

    /// Shows words to everybody: ours as they are heard, or the candidate's.
    pub fn caption(&self, caption: Caption) -> Result<(), SendError> {
        self.request(Command::Caption(caption))
    }

    /// Sends bytes on a topic, in order and without loss, to these identities; to none: to all.
    pub fn send_data(&self, topic: &str, payload: Vec<u8>, to: &[&str]) -> Result<(), SendError> {
        if payload.len() > PAYLOAD_BYTES_MAX {
            return Err(SendError::TooLarge);
        }
        let to = to.iter().map(|identity| (*identity).to_owned()).collect();
        self.request(Command::Data { topic: topic.to_owned(), payload, to })
    }

    /// Sends bytes of any length as a stream.
    pub fn send_bytes(&self, stream: ByteStream) -> Result<(), SendError> {
        self.request(Command::Bytes(stream))
    }

    /// Breaks the connection, for tests.
    pub fn inject(&self, fault: Fault) -> Result<(), SendError> {
        self.request(Command::Fault(fault))
    }

    /// What this room has counted so far.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Leaves, and waits until the server has been told. A job's SUCCESS must be reported *before*.
    pub async fn leave(mut self) {
        self.leave.cancel();
        if tokio::time::timeout(LEAVE_LIMIT, &mut self.task).await.is_err() {
            tracing::warn!("leaving a room took too long");
        }
    }

    fn request(&self, command: Command) -> Result<(), SendError> {
        self.commands.try_send(command).map_err(|error| match error {
            mpsc::error::TrySendError::Closed(_) => SendError::Over,
            mpsc::error::TrySendError::Full(_) => {
                self.counters.requests_dropped.bump();
                SendError::Busy
            }
        })
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        self.leave.cancel();
    }
}

/// The room's end of the channel to the application.
struct Events {
    out: mpsc::Sender<RoomEvent>,
    counters: SharedCounters,
}

impl Events {
    /// Sound is the first to go when the application stands still.
    fn send_packet(&self, packet: Packet) {
        let has_place = self.out.capacity() > EVENTS_MAX / 4;
        if !has_place || self.out.try_send(RoomEvent::Packet(packet)).is_err() {
            self.counters.audio_in_dropped.bump();
        }
    }

    fn send(&self, event: RoomEvent) {
        if let Err(mpsc::error::TrySendError::Full(_)) = self.out.try_send(event) {
            self.counters.events_dropped.bump();
            tracing::error!("dropped a room's event, the application stands still");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock;

    /// Sound that an application does not take leaves places for what cannot be made up.
    #[test]
    fn sound_is_the_first_to_be_dropped() {
        let (out, mut taken) = mpsc::channel(EVENTS_MAX);
        let events = Events { out, counters: Default::default() };
        let packet = Packet {
            participant: "a".into(),
            track: "TR_1".into(),
            sequence: 1,
            rtp_time: 0,
            payload: Default::default(),
            arrived: clock::instant(),
        };
        (0..EVENTS_MAX).for_each(|_| events.send_packet(packet.clone()));
        assert_eq!(events.counters.audio_in_dropped.get() as usize, EVENTS_MAX / 4);
        (0..=EVENTS_MAX / 4).for_each(|_| events.send(RoomEvent::Resumed));
        assert_eq!(events.counters.events_dropped.get(), 1);
        let facts = std::iter::from_fn(|| taken.try_recv().ok())
            .filter(|event| matches!(event, RoomEvent::Resumed))
            .count();
        assert_eq!(facts, EVENTS_MAX / 4);
    }
}
