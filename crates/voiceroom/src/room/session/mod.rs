//! One LiveKit session: its signalling and its peer connections.
//!
//! One task owns it all, so there are no locks around WebRTC. It waits for exactly one input at a time
//! (a message, a datagram, a command, a timer) and handles it without waiting.

mod commands;
mod join;
mod media;
mod members;
mod ours;
mod outbox;
mod peers;
mod resume;
mod signalling;

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

use livekit_protocol as proto;
use livekit_signaling::{SignalClient, SignalError, SignalEvent};
use str0m::channel::ChannelId;
use tokio::{
    sync::{mpsc, oneshot},
    time::sleep_until,
};
use tokio_util::sync::CancellationToken;

use super::{
    Command, End, Events, Microphone, RoomEvent, SharedCounters, caption::Captions, net::Incoming,
    peer::Peer, player::Player, signal::Signal,
};
use crate::{
    clock,
    inbox::{Inbox, Participant, Track},
};
pub(super) use join::{Connected, connect};
use members::Theirs;
use ours::OurTrack;
use outbox::Outbox;
use peers::{Peers, Side};
use resume::Resuming;

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

type ResumeResult = Result<(proto::ReconnectResponse, Arc<SignalClient>), SignalError>;

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
    peers: Peers,
    /// When sound has to be able to flow; `None` once it has been.
    connect_deadline: Option<Instant>,
    local: proto::ParticipantInfo,
    ours: OurTrack,
    theirs: Theirs,
    /// Channels by side; the server opens those of the subscriber.
    channels: Vec<(Side, ChannelId, String)>,
    inbox: Inbox,
    outbox: Outbox,
    resuming: Resuming,
    /// The server closed a peer connection; until when to wait for the reason.
    closed: Option<(Instant, Side)>,
}

/// What woke the session up.
enum Wake {
    Signal(Option<SignalEvent>),
    Datagram(Side, Incoming),
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
        self.peers.close();
        if let SessionEnd::Again(_) = end {
            self.carry.line_is_down(clock::instant());
        }
        self.end_tracks();
        // Closing waits for a resume that is under way.
        self.resuming.results.close();
        self.signal.close().await;
        (self.carry, end)
    }

    async fn step(&mut self) -> Result<(), SessionEnd> {
        self.send_offer();
        self.handle_peer_events();
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
            incoming = self.peers.publisher.peer.recv() => Wake::Datagram(Side::Publisher, incoming),
            incoming = recv(&mut self.peers.subscriber) => Wake::Datagram(Side::Subscriber, incoming),
            result = self.resuming.results.recv() => Wake::Resumed(result),
            command = self.carry.commands.recv() => Wake::Command(command),
            () = sleep_until(deadline.into()) => Wake::Timer,
        }
    }

    fn deadline(&self) -> Instant {
        [
            Some(self.peers.deadline()),
            self.carry.player.as_ref().and_then(Player::deadline),
            self.connect_deadline,
            self.resuming.deadline(),
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
            Wake::Datagram(side, incoming) => self.peers.handle(side, incoming),
            Wake::Command(Some(command)) => self.handle_command(command),
            Wake::Command(None) | Wake::Leave => return Err(self.say_goodbye()),
            Wake::Resumed(Some(result)) => self.handle_resumed(result)?,
            Wake::Resumed(None) | Wake::Timer => {}
        }
        Ok(())
    }

    fn handle_time(&mut self, now: Instant) -> Result<(), SessionEnd> {
        self.play(now);
        self.peers.handle_timeout(now);
        if self.connect_deadline.is_some_and(|at| now >= at) {
            return Err(SessionEnd::again(match self.is_up() {
                true => "the server has not taken our track",
                false => self.peers.publisher.peer.silence(),
            }));
        }
        if let Some((_, side)) = self.closed.filter(|(at, _)| now >= *at) {
            return Err(SessionEnd::again(format!("the server closed the {side:?}")));
        }
        if self.resuming.deadline().is_some_and(|at| now >= at) {
            return Err(SessionEnd::again("the resume took too long"));
        }
        if self.signal.has_overflowed() {
            return Err(SessionEnd::again("signalling is stuck"));
        }
        Ok(())
    }

    /// Whether media gets through, as far as it is needed.
    fn is_up(&self) -> bool {
        self.peers.are_up(self.carry.player.is_some())
    }

    /// Tells when sound can flow and when it no longer can; frames are pulled while it can.
    fn watch_line(&mut self, now: Instant) {
        let is_sending = self.ours.is_sending();
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
