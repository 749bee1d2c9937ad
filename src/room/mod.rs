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

use crate::audio::Pcm48;

#[cfg(feature = "io")]
mod bytes;
#[cfg(feature = "io")]
mod caption;
#[cfg(feature = "io")]
mod connection;
#[cfg_attr(not(feature = "io"), expect(dead_code, reason = "nothing is sent without it"))]
mod data;
#[cfg(feature = "io")]
mod dtls;
#[cfg(feature = "io")]
mod error;
#[cfg_attr(not(feature = "io"), expect(dead_code, reason = "nothing is sent without it"))]
mod event;
#[cfg(feature = "io")]
mod handle;
mod inbox;
#[cfg(feature = "io")]
mod net;
#[cfg(feature = "io")]
mod peer;
#[cfg(feature = "io")]
mod player;
#[cfg(feature = "io")]
mod publisher;
#[cfg(feature = "io")]
mod sdp;
#[cfg(feature = "io")]
mod session;
#[cfg(feature = "io")]
mod signal;
#[cfg(feature = "io")]
mod stats;
#[cfg(feature = "io")]
mod tcp;
mod text;
#[cfg(feature = "io")]
mod turn;

#[cfg(feature = "io")]
pub use bytes::ByteStream;
#[cfg(feature = "io")]
pub use caption::{Caption, Version};
#[cfg(feature = "io")]
pub use error::{JoinError, SendError};
pub use event::{
    Bytes, End, Kind, Packet, Participant, Quality, RoomEvent, Source, State, Text, TextChunk,
    Track,
};
#[cfg(feature = "io")]
pub use handle::Room;
#[cfg(feature = "io")]
use handle::{COMMANDS_MAX, Command, EVENTS_MAX, Events};
pub use inbox::{Ignored, Inbox};
#[cfg(feature = "io")]
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
/// The attribute of such sound that names the track.
pub const RECORDED_TRACK: &str = "trackId";

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
    /// Which ways media may take.
    pub ice_transport_policy: IceTransportPolicy,
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
            ice_transport_policy: IceTransportPolicy::All,
            connect_limit: Duration::from_secs(5),
            rejoin_limit: Duration::from_secs(150),
        }
    }
}

/// Which ways media may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IceTransportPolicy {
    /// UDP; where that does not get through, TCP and the server's relays.
    #[default]
    All,
    /// The server's relays alone.
    Relay,
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
