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

use super::dtls;
use super::net::{Datagram, Net};
use super::sdp;
use super::stats::SharedCounters;
use super::tcp::Control;
use crate::clock;

/// How often the path is checked, while it works and while it does not: audio is back so soon after the line is.
const CHECK_EVERY: Duration = Duration::from_millis(500);
/// After so many checks in vain, 15 s, the path is given up. The server's limit is the same.
const CHECKS_MAX: usize = 30;
/// Without a packet for so long, four answers to our checks among them, the line is cut. ICE notices after 15 s, and what we
/// say meanwhile nobody hears.
const SILENCE_LIMIT: Duration = Duration::from_secs(2);
/// When UDP has not got through by then, TCP is tried beside it. What works over UDP costs no connection.
const TCP_AFTER: Duration = Duration::from_millis(500);
/// The port of a candidate which only opens connections (RFC 6544).
const ACTIVE_PORT: u16 = 9;

pub(super) struct Peer {
    name: &'static str,
    rtc: Rtc,
    net: Net,
    counters: SharedCounters,
    events: VecDeque<Event>,
    deadline: Instant,
    /// Candidates that arrived before the remote description; `None` once it is set.
    early_candidates: Option<Vec<Candidate>>,
    /// The server's ICE session.
    remote_ufrag: Option<String>,
    ice: IceConnectionState,
    tcp: Tcp,
    /// When something came last, and whether that is too long ago.
    heard: Instant,
    is_silent: bool,
}

/// Whether TCP is tried.
enum Tcp {
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
            early_candidates: Some(Vec::new()),
            remote_ufrag: None,
            ice: IceConnectionState::New,
            tcp: Tcp::No,
            heard: now,
            is_silent: false,
        };
        let addrs: Vec<_> = peer.net.addrs().collect();
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
        match self.tcp {
            Tcp::From(_) if self.ice.is_disconnected() => {
                // Nothing is lost yet: the server has offered nothing but TCP.
                self.events.retain(|event| !matches!(event, Event::IceConnectionStateChange(_)));
                self.try_tcp();
            }
            Tcp::No if self.ice.is_disconnected() => self.try_tcp(),
            Tcp::No | Tcp::From(_) | Tcp::Yes => {}
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
        let tcp = match self.tcp {
            Tcp::From(at) => Some(at),
            Tcp::No | Tcp::Yes => None,
        };
        let silent = self.is_up().then(|| self.heard + SILENCE_LIMIT);
        [tcp, silent].into_iter().flatten().fold(self.deadline, Instant::min)
    }

    pub(super) fn is_connected(&self) -> bool {
        self.rtc.is_connected()
    }

    /// Whether sound gets through, as far as we know: connected, and something has come of late.
    pub(super) fn is_up(&self) -> bool {
        self.is_connected() && !self.is_silent
    }

    /// Waits for a datagram (cancel safe); pass it to [`Peer::handle_datagram`].
    pub(super) async fn recv(&mut self) -> Datagram {
        self.net.recv().await
    }

    pub(super) fn handle_datagram(&mut self, datagram: Datagram) {
        match datagram.protocol {
            Protocol::Tcp => self.counters.tcp_in.bump(),
            _ => self.counters.udp_in.bump(),
        }
        (self.heard, self.is_silent) = (clock::instant(), false);
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
        self.is_silent |= now >= self.heard + SILENCE_LIMIT;
        if matches!(self.tcp, Tcp::From(at) if now >= at) {
            self.tcp = Tcp::No;
            if !self.ice.is_connected() {
                self.try_tcp();
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
        match &mut self.early_candidates {
            Some(early) => early.push(candidate),
            None => self.with(|rtc| rtc.add_remote_candidate(candidate)),
        }
    }

    /// To be called whenever a remote description has been applied. Whoever offers is in control.
    pub(super) fn remote_description_set(&mut self, sdp: &str, control: Control) {
        let ufrag = sdp::ice_ufrag(sdp).map(str::to_owned);
        if ufrag != self.remote_ufrag {
            self.remote_ufrag = ufrag;
            self.net.restart_tcp(control);
            if let Tcp::No = self.tcp {
                self.tcp = Tcp::From(clock::instant() + TCP_AFTER);
            }
        }
        for candidate in self.early_candidates.take().unwrap_or_default() {
            self.with(|rtc| rtc.add_remote_candidate(candidate));
        }
        // Whoever answers would wait for the server's first check, which over TCP cannot come before ours.
        self.deadline = clock::instant();
    }

    /// From now on TCP is tried beside UDP, which is preferred as long as it gets through.
    fn try_tcp(&mut self) {
        self.tcp = Tcp::Yes;
        tracing::info!(peer = self.name, "UDP does not get through, trying TCP beside it");
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
        // See `audio::reorder`.
        .set_reordering_size_audio(0);
    config.set_max_stun_rto(CHECK_EVERY);
    config.set_max_stun_retransmits(CHECKS_MAX);
    config
}
