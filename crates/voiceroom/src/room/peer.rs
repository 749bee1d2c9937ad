//! One peer connection: a `str0m::Rtc` and its sockets.
//!
//! str0m's contract is "one mutation, then poll until `Output::Timeout`". [`Peer::with`] is the
//! only way to touch the `Rtc`, so the contract holds by construction.

use std::collections::VecDeque;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use str0m::net::{Protocol, Receive, TcpType, Transmit};
use str0m::rtp::Extension;
use str0m::{Candidate, Event, IceConnectionState, Input, Output, Rtc, RtcConfig};

use super::IceTransportPolicy;
use super::dtls;
use super::net::{Datagram, Incoming, Net};
use super::sdp;
use super::stats::SharedCounters;
use super::tcp::Control;
use super::turn::TurnServer;
use crate::clock;

/// How often the path is checked, while it works and while it does not: audio is back so soon after the line
/// is.
const CHECK_EVERY: Duration = Duration::from_millis(500);
/// After so many checks in vain, 15 s, the path is given up. The server's limit is the same.
const CHECKS_MAX: usize = 30;
/// Without a packet for so long, four answers to our checks among them, the line is cut. ICE notices after 15
/// s, and what we say meanwhile nobody hears.
const SILENCE_LIMIT: Duration = Duration::from_secs(2);
/// When UDP has not got through by then, TCP and relays are tried beside it. What works over UDP costs no
/// connection.
const OTHERS_AFTER: Duration = Duration::from_millis(500);
/// The port of a candidate which only opens connections (RFC 6544).
const ACTIVE_PORT: u16 = 9;
/// Addresses of the server that wait for its description; a server has a handful.
const EARLY_CANDIDATES_MAX: usize = 64;

pub(super) struct Peer {
    name: &'static str,
    rtc: Rtc,
    net: Net,
    counters: SharedCounters,
    events: VecDeque<Event>,
    deadline: Instant,
    remote: Remote,
    ice: IceConnectionState,
    policy: IceTransportPolicy,
    others: Others,
    /// Relays that the server has handed out.
    relays: Vec<TurnServer>,
    silence: Silence,
}

/// What the server has told of its side.
struct Remote {
    /// Candidates that arrived before the remote description; `None` once it is set.
    early_candidates: Option<Vec<Candidate>>,
    /// Its ICE session.
    ufrag: Option<String>,
}

impl Remote {
    /// Another remote description. Whether the ICE session is another one, too.
    fn describe(&mut self, sdp: &str) -> bool {
        let ufrag = sdp::ice_ufrag(sdp).map(str::to_owned);
        let is_other = ufrag != self.ufrag;
        self.ufrag = ufrag;
        is_other
    }
}

/// How long nothing has come.
struct Silence {
    /// When something came last.
    heard: Instant,
    /// Whether that is too long ago.
    is_too_long: bool,
}

impl Silence {
    fn since(heard: Instant) -> Self {
        Self { heard, is_too_long: false }
    }

    /// When it is too long, if nothing comes.
    fn limit(&self) -> Instant {
        self.heard + SILENCE_LIMIT
    }

    fn look(&mut self, now: Instant) {
        self.is_too_long |= now >= self.limit();
    }
}

/// Whether more than UDP is tried.
enum Others {
    No,
    /// From then on, if ICE is not connected.
    From(Instant),
    Yes,
}

impl Peer {
    pub(super) async fn bind(
        name: &'static str,
        config: RtcConfig,
        ips: &[IpAddr],
        policy: IceTransportPolicy,
        counters: SharedCounters,
    ) -> io::Result<Self> {
        let net = Net::bind(ips).await?;
        let now = clock::instant();
        let mut peer = Self {
            name,
            rtc: config.build(now),
            net,
            counters,
            events: VecDeque::new(),
            deadline: now,
            remote: Remote { early_candidates: Some(Vec::new()), ufrag: None },
            ice: IceConnectionState::New,
            policy,
            others: Others::No,
            relays: Vec::new(),
            silence: Silence::since(now),
        };
        let addrs: Vec<_> = match policy {
            IceTransportPolicy::All => peer.net.addrs().collect(),
            IceTransportPolicy::Relay => Vec::new(),
        };
        for addr in addrs {
            let candidate = Candidate::host(addr, "udp").map_err(io::Error::other)?;
            peer.with(|rtc| rtc.add_local_candidate(candidate).is_some());
        }
        Ok(peer)
    }

    /// Mutates the `Rtc` and drains its output: packets go out, events are queued.
    pub(super) fn with<R>(&mut self, mutate: impl FnOnce(&mut Rtc) -> R) -> R {
        let result = mutate(&mut self.rtc);
        loop {
            match self.rtc.poll_output() {
                Ok(Output::Timeout(at)) => {
                    self.deadline = at;
                    break;
                }
                Ok(Output::Transmit(transmit)) => self.send(&transmit),
                Ok(Output::Event(event)) => {
                    if let Event::IceConnectionStateChange(state) = event {
                        self.ice = state;
                    }
                    self.events.push_back(event);
                }
                Err(err) => {
                    tracing::warn!(peer = self.name, %err, "a peer connection failed");
                    self.rtc.disconnect();
                    self.events.push_back(Event::Closed);
                    self.deadline = clock::instant() + Duration::from_secs(3600);
                    break;
                }
            }
        }
        match self.others {
            Others::From(_) if self.ice.is_disconnected() => {
                // Nothing is lost yet: the server has offered nothing but TCP.
                self.events.retain(|event| !matches!(event, Event::IceConnectionStateChange(_)));
                self.try_others();
            }
            Others::No if self.ice.is_disconnected() => self.try_others(),
            Others::No | Others::From(_) | Others::Yes => {}
        }
        result
    }

    fn send(&mut self, transmit: &Transmit) {
        let sent = self.net.send(transmit);
        let counters = &self.counters;
        match (&sent, transmit.proto) {
            (Ok(()), Protocol::Tcp) => counters.tcp_out.bump(),
            (Ok(()), _) => counters.udp_out.bump(),
            (Err(_), Protocol::Tcp) => counters.tcp_send_errors.bump(),
            (Err(_), _) => counters.udp_send_errors.bump(),
        }
        if let Err(err) = sent {
            tracing::trace!(peer = self.name, to = %transmit.destination, %err, "sending failed");
        }
    }

    pub(super) fn next_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// When [`Peer::handle_timeout`] is due.
    pub(super) fn deadline(&self) -> Instant {
        let others = match self.others {
            Others::From(at) => Some(at),
            Others::No | Others::Yes => None,
        };
        let silent = self.is_up().then(|| self.silence.limit());
        [others, silent].into_iter().flatten().fold(self.deadline, Instant::min)
    }

    pub(super) fn is_connected(&self) -> bool {
        self.rtc.is_connected()
    }

    /// Whether sound gets through, as far as we know: connected, and something has come of late.
    pub(super) fn is_up(&self) -> bool {
        self.is_connected() && !self.silence.is_too_long
    }

    /// Why nothing has come, in words.
    pub(super) fn silence(&self) -> &'static str {
        match self.policy {
            IceTransportPolicy::All => "no answer over UDP or TCP",
            IceTransportPolicy::Relay => {
                "no answer through a TURN server, and ice_transport_policy allows no other way"
            }
        }
    }

    /// Waits for what comes (cancel safe); pass it to [`Peer::handle`].
    pub(super) async fn recv(&mut self) -> Incoming {
        self.net.recv().await
    }

    pub(super) fn handle(&mut self, incoming: Incoming) {
        match incoming {
            Incoming::Datagram(datagram) => self.handle_datagram(datagram),
            Incoming::Relayed { addr, local } => self.add_relayed(addr, local),
            Incoming::Unrelayed { addr } => self.drop_relayed(addr),
        }
    }

    /// We have an address at a relay.
    fn add_relayed(&mut self, addr: SocketAddr, local: SocketAddr) {
        match Candidate::relayed(addr, local, "udp") {
            Ok(candidate) => {
                tracing::info!(peer = self.name, %addr, "a TURN server has given us an address");
                self.counters.relays.bump();
                self.with(|rtc| rtc.add_local_candidate(candidate).is_some());
            }
            Err(error) => tracing::info!(%addr, %error, "a TURN server's address is of no use"),
        }
    }

    /// We have it no longer.
    fn drop_relayed(&mut self, addr: SocketAddr) {
        // What could be added can be made again; the way to it is no part of what a candidate is known by.
        if let Ok(candidate) = Candidate::relayed(addr, addr, "udp") {
            tracing::info!(peer = self.name, %addr, "our address at a TURN server is gone");
            self.with(|rtc| rtc.direct_api().invalidate_candidate(&candidate));
        }
    }

    fn handle_datagram(&mut self, datagram: Datagram) {
        match datagram.protocol {
            Protocol::Tcp => self.counters.tcp_in.bump(),
            _ => self.counters.udp_in.bump(),
        }
        self.silence = Silence::since(clock::instant());
        let received = Receive::new(
            datagram.protocol,
            datagram.source,
            datagram.destination,
            self.net.payload(datagram),
        );
        match received {
            Ok(received) => {
                // `received` borrows the buffer inside `self`, so the input is handled here and
                // drained by an empty mutation.
                if let Err(err) = self.rtc.handle_input(Input::Receive(clock::instant(), received))
                {
                    tracing::debug!(peer = self.name, %err, "a datagram was refused");
                }
                self.with(|_| ());
            }
            Err(err) => tracing::trace!(peer = self.name, %err, "a datagram was no WebRTC"),
        }
    }

    pub(super) fn handle_timeout(&mut self, now: Instant) {
        self.silence.look(now);
        if matches!(self.others, Others::From(at) if now >= at) {
            self.others = Others::No;
            if !self.ice.is_connected() {
                self.try_others();
            }
        }
        if now >= self.deadline {
            let result = self.with(|rtc| rtc.handle_input(Input::Timeout(now)));
            if let Err(err) = result {
                tracing::debug!(peer = self.name, %err, "a timeout failed");
            }
        }
    }

    /// Adds a trickled candidate, or keeps it until the remote description is there.
    pub(super) fn add_remote_candidate(&mut self, candidate: Candidate) {
        match &mut self.remote.early_candidates {
            Some(early) if early.len() >= EARLY_CANDIDATES_MAX => {}
            Some(early) => early.push(candidate),
            None => self.with(|rtc| rtc.add_remote_candidate(candidate)),
        }
    }

    /// To be called whenever a remote description has been applied. Whoever offers is in control.
    pub(super) fn remote_description_set(&mut self, sdp: &str, control: Control) {
        if self.remote.describe(sdp) {
            self.net.restart_tcp(control);
            match self.others {
                Others::No => self.others = Others::From(clock::instant() + OTHERS_AFTER),
                Others::Yes => self.try_relays(),
                Others::From(_) => {}
            }
        }
        for candidate in self.remote.early_candidates.take().unwrap_or_default() {
            self.with(|rtc| rtc.add_remote_candidate(candidate));
        }
        // Whoever answers would wait for the server's first check, which over TCP cannot come before ours.
        self.deadline = clock::instant();
    }

    /// The server has handed out these relays.
    pub(super) fn know_relays(&mut self, relays: Vec<TurnServer>) {
        self.relays = relays;
        let is_wanted =
            self.policy == IceTransportPolicy::Relay || matches!(self.others, Others::Yes);
        if is_wanted && !self.net.is_relayed() {
            self.try_relays();
        }
    }

    /// Begins with the relays, or anew if nothing has come through them of late.
    fn try_relays(&mut self) {
        if !self.net.is_relayed() || self.silence.is_too_long {
            for addr in self.net.relay(&self.relays) {
                self.drop_relayed(addr);
            }
        }
    }

    /// From now on TCP and relays are tried beside UDP, which is preferred as long as it gets through.
    fn try_others(&mut self) {
        self.others = Others::Yes;
        self.try_relays();
        if self.policy == IceTransportPolicy::Relay {
            return;
        }
        tracing::info!(
            peer = self.name,
            "UDP does not get through, trying TCP and relays beside it"
        );
        let ips: Vec<IpAddr> = self.net.addrs().map(|addr| addr.ip()).collect();
        for ip in ips {
            let address = SocketAddr::new(ip, ACTIVE_PORT);
            let candidate = Candidate::builder().tcp().host(address).tcptype(TcpType::Active);
            match candidate.build() {
                Ok(candidate) => {
                    self.with(|rtc| rtc.add_local_candidate(candidate).is_some());
                }
                Err(error) => tracing::debug!(%ip, %error, "no TCP from this address"),
            }
        }
    }

    pub(super) fn close(&mut self) {
        self.with(|rtc| {
            if let Err(err) = rtc.close() {
                tracing::debug!(%err, "closing a peer connection failed");
            }
        });
    }
}

/// Opus only: an agent neither sends nor subscribes to video.
pub(super) fn audio_config(red: bool) -> RtcConfig {
    let mut config = Rtc::builder()
        .set_crypto_provider(dtls::provider())
        .clear_codecs()
        .enable_opus(true, red)
        // Without the transport-wide sequence number str0m sends no congestion feedback, which
        // would be 20 packets per second and of no use for audio. The audio level feeds the
        // server's speaker detection.
        .clear_extension_map()
        .set_extension(1, Extension::AudioLevel)
        .set_extension(4, Extension::RtpMid)
        // See [`crate::reorder`].
        .set_reordering_size_audio(0);
    config.set_max_stun_rto(CHECK_EVERY);
    config.set_max_stun_retransmits(CHECKS_MAX);
    config
}
