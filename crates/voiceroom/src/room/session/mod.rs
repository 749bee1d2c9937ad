//! One LiveKit session: its signalling and its peer connections.
//!
//! One task owns it all, so there are no locks around WebRTC. It waits for exactly one input at a time
//! (a message, a datagram, a command, a timer) and handles it without waiting.

mod commands;
mod join;
mod media;
mod members;
mod resume;
mod signalling;

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
    time::{Duration, Instant},
};

use livekit_protocol as proto;
use livekit_signaling::{SignalClient, SignalError, SignalEvent};
use str0m::{
    channel::ChannelId,
    media::{Mid, Pt},
};
use tokio::{
    sync::{mpsc, oneshot},
    time::sleep_until,
};
use tokio_util::sync::CancellationToken;

use super::{
    Command, End, Events, Microphone, RoomEvent, SharedCounters, caption::Captions,
    data::ReliableSender, net::Incoming, peer::Peer, player::Player, publisher::Publisher,
    signal::Signal,
};
use crate::{
    clock,
    inbox::{Inbox, Participant, Track},
};
pub(super) use join::connect;

/// How long it may take until sound can flow: the server has taken our track, too. It gives up after a minute
/// itself.
const PEER_CONNECT_LIMIT: Duration = Duration::from_secs(15);
/// A server that ends a session closes the peer connection and says why on the signalling connection.
/// Nothing orders the two, and the reason decides whether to join again.
const REASON_LIMIT: Duration = Duration::from_millis(500);

/// What a room keeps from one session to the next.
pub(super) struct Carry {
    pub(super) commands: mpsc::Receiver<Command>,
    pub(super) events: Events,
    pub(super) counters: SharedCounters,
    pub(super) leave: CancellationToken,
    pub(super) player: Option<Player>,
    pub(super) microphone: Microphone,
    pub(super) attributes: BTreeMap<String, String>,
    pub(super) captions: Captions,
    /// Who is there, as the application knows it.
    pub(super) participants: BTreeMap<String, Participant>,
    pub(super) line: Line,
}

/// Whether sound can flow.
pub(super) enum Line {
    /// Not yet: whoever waits for it is told.
    New(oneshot::Sender<()>),
    Up,
    Cut,
}

impl Carry {
    /// Sound can flow since now.
    fn line_is_up(&mut self, at: Instant) {
        match std::mem::replace(&mut self.line, Line::Up) {
            Line::New(joined) => drop(joined.send(())),
            Line::Cut => self.events.send(RoomEvent::LineBack { at }),
            Line::Up => {}
        }
    }

    /// No sound can flow since now.
    pub(super) fn line_is_down(&mut self, at: Instant) {
        if matches!(self.line, Line::Up) {
            self.line = Line::Cut;
            self.counters.line_cuts.bump();
            self.events.send(RoomEvent::LineCut { at });
        }
        if let Some(player) = &mut self.player {
            player.stop();
        }
    }
}

/// Our track on its way into the room.
enum Outgoing {
    None,
    /// The server has been asked.
    Requested {
        cid: String,
    },
    /// The server knows it; its section is being negotiated.
    Announced {
        cid: String,
        info: proto::TrackInfo,
    },
    /// Frames can be sent.
    Sending {
        cid: String,
        info: proto::TrackInfo,
        mid: Mid,
        pt: Pt,
    },
}

/// A track that the server sends.
struct Receiving {
    participant: Arc<str>,
    sid: Arc<str>,
    since: Instant,
}

/// A track of somebody else, as the server tells of it.
struct Wished {
    track: Track,
}

/// Where a session is with its resume.
enum Resume {
    No,
    /// The server has been asked; whom it does not answer by then joins again.
    Asked {
        until: Instant,
        reason: proto::ReconnectReason,
    },
    /// The server has agreed; media must come back by then.
    Accepted {
        until: Instant,
    },
}

impl Resume {
    fn deadline(&self) -> Option<Instant> {
        match self {
            Self::No => None,
            Self::Asked { until, .. } | Self::Accepted { until } => Some(*until),
        }
    }
}

type ResumeResult = Result<(proto::ReconnectResponse, Arc<SignalClient>), SignalError>;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Publisher,
    Subscriber,
}

/// How a session ends.
#[derive(Debug)]
pub(super) enum SessionEnd {
    /// For good.
    Final(End),
    /// A new session may go on.
    Again(String),
}

impl SessionEnd {
    fn again(cause: impl Into<String>) -> Self {
        Self::Again(cause.into())
    }
}

pub(super) struct Session {
    pub(super) carry: Carry,
    signal: Signal,
    publisher: Publisher,
    subscriber: Option<Peer>,
    redundancy: super::Redundancy,
    is_recorded_before: bool,
    primary: Side,
    /// When sound has to be able to flow; `None` once it has been.
    connect_deadline: Option<Instant>,
    /// ICE of the publisher has been connected once.
    publisher_ice_was_up: bool,

    local: proto::ParticipantInfo,
    /// Tracks that we asked for, by sid.
    wished: BTreeMap<String, Wished>,
    /// Tracks that the server sends, by side and section.
    receiving: BTreeMap<(Side, Mid), Receiving>,
    /// Channels by side; the server opens those of the subscriber.
    channels: Vec<(Side, ChannelId, String)>,
    outgoing: Outgoing,
    tracks_published: u32,

    reliable: ReliableSender,
    inbox: Inbox,
    /// Packets that wait for the channel to open or to drain.
    data_queue: VecDeque<Vec<u8>>,
    streams_sent: u64,

    resumed_tx: mpsc::Sender<ResumeResult>,
    resumed_rx: mpsc::Receiver<ResumeResult>,
    resume: Resume,
    /// The server closed a peer connection; until when to wait for the reason.
    closed: Option<(Instant, Side)>,
}

/// What woke the session up.
enum Wake {
    Signal(Option<SignalEvent>),
    Publisher(Incoming),
    Subscriber(Incoming),
    Command(Option<Command>),
    Resumed(Option<ResumeResult>),
    Leave,
    Timer,
}

impl Session {
    /// Runs to its end, and hands back what the next one needs.
    pub(super) async fn run(mut self) -> (Carry, SessionEnd) {
        let end = loop {
            if let Err(end) = self.step().await {
                break end;
            }
        };
        tracing::info!(?end, "session ended");
        self.publisher.peer.close();
        if let Some(peer) = &mut self.subscriber {
            peer.close();
        }
        if let SessionEnd::Again(_) = end {
            self.carry.line_is_down(clock::instant());
        }
        self.end_tracks();
        // Closing waits for a resume that is under way.
        self.resumed_rx.close();
        self.signal.close().await;
        (self.carry, end)
    }

    async fn step(&mut self) -> Result<(), SessionEnd> {
        self.send_offer();
        self.handle_peer_events()?;
        self.watch_line(clock::instant());
        self.flush_data();
        let wake = self.wait().await;
        self.handle(wake)?;
        self.handle_time(clock::instant())
    }

    /// Waits for the next input.
    async fn wait(&mut self) -> Wake {
        let deadline = self.deadline();
        tokio::select! {
            biased;
            () = self.carry.leave.cancelled() => Wake::Leave,
            () = self.carry.events.out.closed() => Wake::Leave,
            event = self.signal.events.recv() => Wake::Signal(event),
            incoming = self.publisher.peer.recv() => Wake::Publisher(incoming),
            incoming = recv(&mut self.subscriber) => Wake::Subscriber(incoming),
            result = self.resumed_rx.recv() => Wake::Resumed(result),
            command = self.carry.commands.recv() => Wake::Command(command),
            () = sleep_until(deadline.into()) => Wake::Timer,
        }
    }

    fn deadline(&self) -> Instant {
        [
            Some(self.publisher.peer.deadline()),
            self.subscriber.as_ref().map(Peer::deadline),
            self.carry.player.as_ref().and_then(Player::deadline),
            self.connect_deadline,
            self.resume.deadline(),
            self.closed.map(|(at, _)| at),
        ]
        .into_iter()
        .flatten()
        .min()
        .expect("the publisher always has a deadline")
    }

    fn handle(&mut self, wake: Wake) -> Result<(), SessionEnd> {
        match wake {
            Wake::Signal(Some(SignalEvent::Message(message))) => self.handle_signal(*message)?,
            Wake::Signal(Some(SignalEvent::Close(cause))) => self.handle_close(&cause)?,
            Wake::Signal(None) => return Err(SessionEnd::again("signalling ended")),
            Wake::Publisher(incoming) => self.publisher.peer.handle(incoming),
            Wake::Subscriber(incoming) => {
                if let Some(peer) = &mut self.subscriber {
                    peer.handle(incoming);
                }
            }
            Wake::Command(Some(command)) => self.handle_command(command),
            Wake::Command(None) | Wake::Leave => return Err(self.say_goodbye()),
            Wake::Resumed(Some(result)) => self.handle_resumed(result)?,
            Wake::Resumed(None) | Wake::Timer => {}
        }
        Ok(())
    }

    fn handle_time(&mut self, now: Instant) -> Result<(), SessionEnd> {
        self.play(now);
        self.publisher.peer.handle_timeout(now);
        if let Some(peer) = &mut self.subscriber {
            peer.handle_timeout(now);
        }
        if self.connect_deadline.is_some_and(|at| now >= at) {
            return Err(SessionEnd::again(match self.is_up() {
                true => "the server has not taken our track",
                false => self.publisher.peer.silence(),
            }));
        }
        if let Some((_, side)) = self.closed.filter(|(at, _)| now >= *at) {
            return Err(SessionEnd::again(format!("the server closed the {side:?}")));
        }
        if self.resume.deadline().is_some_and(|at| now >= at) {
            return Err(SessionEnd::again("the resume took too long"));
        }
        if self.signal.has_overflowed() {
            return Err(SessionEnd::again("signalling is stuck"));
        }
        Ok(())
    }

    /// Whether media gets through, as far as it is needed.
    fn is_up(&self) -> bool {
        let is_publisher_up = self.publisher.peer.is_up();
        match self.primary {
            Side::Publisher => is_publisher_up,
            Side::Subscriber => {
                let is_subscriber_up = self.subscriber.as_ref().is_some_and(Peer::is_up);
                is_subscriber_up && (is_publisher_up || self.carry.player.is_none())
            }
        }
    }

    /// Tells when sound can flow and when it no longer can; frames are pulled while it can.
    fn watch_line(&mut self, now: Instant) {
        let is_sending = matches!(self.outgoing, Outgoing::Sending { .. });
        let is_up = self.is_up();
        if !is_up {
            self.carry.line_is_down(now);
        } else if is_sending || self.carry.player.is_none() {
            self.connect_deadline = None;
            self.carry.line_is_up(now);
        }
        let is_open = self.carry.microphone == Microphone::Open;
        if let Some(player) = &mut self.carry.player {
            match is_up && is_sending && is_open {
                true => player.start(now),
                false => player.stop(),
            }
        }
    }
}

async fn recv(peer: &mut Option<Peer>) -> Incoming {
    match peer {
        Some(peer) => peer.recv().await,
        None => std::future::pending().await,
    }
}
