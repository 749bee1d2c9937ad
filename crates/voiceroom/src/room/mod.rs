//! A participant in a LiveKit room: sound both ways, captions, attributes, text, data.
//!
//! [`Room::join`] returns when media is connected and our track is published. From then on the room keeps
//! *one* connection for the application: it resumes signalling, joins again with a fresh token, publishes the
//! track again and sets the attributes again, until [`RoomEvent::Disconnected`].
//!
//! * **Sound out** is pulled: every 20 ms the room takes one [`Frame`] from its [`FrameSource`], and none
//!   while media is disconnected, between [`RoomEvent::LineCut`] and [`RoomEvent::LineBack`]. What was pulled
//!   was sent.
//! * **Sound in** comes as Opus packets in the order of their arrival ([`RoomEvent::Packet`]).
//!   [`reorder`](crate::reorder) puts them in order, [`opus`](crate::opus) decodes them and conceals losses.
//!   There is no playout buffer, so no delay of one either.
//! * Every audio track of the others is subscribed to, except the sound of shared screens. Video never is.
//! * No method of [`Room`] waits, but [`Room::leave`]. All queues are bounded; what does not fit is dropped
//!   and counted in [`Counters`].
//! * After a re-join the same participants are there again under the same identity: those who stayed are
//!   announced by [`RoomEvent::ParticipantUpdated`], those with another sid by [`RoomEvent::ParticipantLeft`]
//!   and [`RoomEvent::ParticipantJoined`], and every track by [`RoomEvent::TrackSubscribed`] anew.

// Inside, bottom up: `net` (UDP sockets), `tcp` and `turn` (connections), `peer` (one str0m peer connection),
// `publisher` (the one that we offer), `signal` (WebSocket), `data` (reliable packets), `caption` and `bytes`
// (streams), `player` (pace and Opus), `session` (one task's state for one LiveKit session), `connection`
// (session after session).

use std::{
    collections::BTreeMap,
    net::IpAddr,
    time::{Duration, Instant},
};

use livekit_protocol::{CandidateProtocol, simulate_scenario};

use crate::Frame;
pub use crate::inbox::{
    Bytes, End, Kind, PRE_CONNECT_TOPIC, Packet, Participant, Quality, RECORDED_TRACK, RoomEvent,
    Source, State, Text, TextChunk, Track,
};
pub use crate::recipient::To;

mod bytes;
mod caption;
mod connection;
mod data;
mod dtls;
mod error;
mod handle;
mod net;
mod peer;
mod player;
mod publisher;
mod reason;
mod sdp;
mod session;
mod signal;
mod stats;
mod tcp;
mod turn;

pub use bytes::ByteStream;
pub use caption::{Caption, Version};
pub use error::{JoinError, SendError};
pub use handle::Room;
use handle::{COMMANDS_MAX, Command, EVENTS_MAX, Events};
pub use stats::{Counter, Counters, SharedCounters};

/// The attribute in which an agent tells frontends what it does: `initializing`, `listening`, `thinking` or
/// `speaking`.
pub const AGENT_STATE: &str = "lk.agent.state";
/// Largest datagram accepted; WebRTC stays below the Ethernet MTU.
const DATAGRAM_BYTES_MAX: usize = 2000;
/// The topic of captions.
pub const TRANSCRIPTION_TOPIC: &str = "lk.transcription";
/// The topic of typed messages.
pub const CHAT_TOPIC: &str = "lk.chat";

/// The sound of our track.
pub trait FrameSource: Send {
    /// Returns the next 20 ms, or `None` for silence; `at` is now. The room calls it in real time on its own
    /// task, so it must not wait.
    fn pull(&mut self, at: Instant) -> Option<Frame>;
}

/// A function that makes a token for each join: the first one and every re-join. Its error is one sentence
/// that says why there is no token.
pub type Tokens = Box<dyn Fn() -> Result<String, String> + Send + Sync>;

/// How to join a room.
pub struct RoomOptions {
    /// The server's address: `ws`, `wss`, `http` or `https`.
    pub url: String,
    /// Tokens for our identity in this room.
    pub tokens: Tokens,
    /// Our attributes from the first moment on. Default: none.
    pub attributes: BTreeMap<String, String>,
    /// How many peer connections. Default: one.
    pub mode: PeerMode,
    /// Whether to negotiate redundant audio (RED, RFC 2198) in both directions. Default: yes.
    pub redundancy: Redundancy,
    /// Whether to announce that what our track said before somebody hears it comes as a byte stream on
    /// [`PRE_CONNECT_TOPIC`]. Default: no.
    pub is_recorded_before: bool,
    /// Local addresses for ICE. Default: none, which means those of all interfaces.
    pub ips: Vec<IpAddr>,
    /// Which ways media may take. Default: all.
    pub ice_transport_policy: IceTransportPolicy,
    /// How long an attempt to connect may take. Default: 5 s.
    pub connect_limit: Duration,
    /// How long to try to get back into the room after a session is lost; zero: never join again. Default:
    /// 150 s.
    pub rejoin_limit: Duration,
    /// Where to count what happens. Default: counters of this room alone.
    pub counters: SharedCounters,
}

impl RoomOptions {
    /// The default options for one server and one identity.
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
            counters: SharedCounters::default(),
        }
    }
}

/// Which ways media may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IceTransportPolicy {
    /// UDP; where that does not get through, TCP and the TURN servers that the LiveKit server hands out.
    #[default]
    All,
    /// The TURN servers alone.
    Relay,
}

/// How many peer connections carry a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeerMode {
    /// One for both directions; falls back to two with a server older than 1.9.2.
    One,
    /// One for each direction.
    Two,
}

/// Whether packets carry the one before them once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redundancy {
    /// Yes, if the server accepts it.
    Offered,
    /// No.
    Off,
}

/// Whether our track sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Microphone {
    /// Frames are pulled and sent.
    Open,
    /// Nothing is pulled, and the others are told that the track is muted.
    Muted,
}

/// A failure to inject into a connection, for tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The signalling connection is cut.
    DropSignal,
    /// The server acts out a failure.
    Simulate(Scenario),
}

/// A failure that a LiveKit server acts out when it is asked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scenario {
    /// The node that runs the room fails: the session is gone, and the server has forgotten us.
    NodeFailure,
    /// The server tells us to leave and to join again.
    ServerLeave,
    /// The room moves to another node: signalling has to be resumed.
    Migration,
    /// The server offers TCP candidates only from now on, as for a client behind a firewall.
    TcpOnly,
}

impl From<Scenario> for simulate_scenario::Scenario {
    fn from(scenario: Scenario) -> Self {
        match scenario {
            Scenario::NodeFailure => Self::NodeFailure(true),
            Scenario::ServerLeave => Self::ServerLeave(true),
            Scenario::Migration => Self::Migration(true),
            Scenario::TcpOnly => Self::SwitchCandidateProtocol(CandidateProtocol::Tcp.into()),
        }
    }
}
