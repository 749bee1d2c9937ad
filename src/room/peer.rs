//! One peer connection: a `str0m::Rtc` and its sockets.
//!
//! str0m's contract is "one mutation, then poll until `Output::Timeout`". [`Peer::with`] is the
//! only way to touch the `Rtc`, so the contract holds by construction.

use std::collections::VecDeque;
use std::io;
use std::net::IpAddr;
use std::time::{Duration, Instant};

use str0m::net::{Protocol, Receive};
use str0m::rtp::Extension;
use str0m::{Candidate, Event, Input, Output, Rtc, RtcConfig};

use super::net::{Datagram, UdpSet};
use super::stats::SharedCounters;
use crate::clock;

pub(super) struct Peer {
    name: &'static str,
    rtc: Rtc,
    net: UdpSet,
    counters: SharedCounters,
    events: VecDeque<Event>,
    deadline: Instant,
    /// Candidates that arrived before the remote description; `None` once it is set.
    early_candidates: Option<Vec<Candidate>>,
}

impl Peer {
    pub(super) async fn bind(
        name: &'static str,
        config: RtcConfig,
        ips: &[IpAddr],
        counters: SharedCounters,
    ) -> io::Result<Self> {
        let net = UdpSet::bind(ips).await?;
        let now = clock::instant();
        let mut peer = Self {
            name,
            rtc: config.build(now),
            net,
            counters,
            events: VecDeque::new(),
            deadline: now,
            early_candidates: Some(Vec::new()),
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
                Ok(Output::Transmit(transmit)) => match self.net.send(&transmit) {
                    Ok(_) => self.counters.udp_out.bump(),
                    Err(err) => {
                        self.counters.udp_send_errors.bump();
                        tracing::trace!(peer = self.name, to = %transmit.destination, %err, "sending failed");
                    }
                },
                Ok(Output::Event(event)) => self.events.push_back(event),
                Err(err) => {
                    tracing::warn!(peer = self.name, %err, "a peer connection failed");
                    self.rtc.disconnect();
                    self.events.push_back(Event::Closed);
                    self.deadline = clock::instant() + Duration::from_secs(3600);
                    break;
                }
            }
        }
        result
    }

    pub(super) fn next_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// When [`Peer::handle_timeout`] is due.
    pub(super) fn deadline(&self) -> Instant {
        self.deadline
    }

    pub(super) fn is_connected(&self) -> bool {
        self.rtc.is_connected()
    }

    /// Waits for a datagram (cancel safe); pass it to [`Peer::handle_datagram`].
    pub(super) async fn recv(&mut self) -> Datagram {
        self.net.recv().await
    }

    pub(super) fn handle_datagram(&mut self, datagram: Datagram) {
        self.counters.udp_in.bump();
        let received = Receive::new(
            Protocol::Udp,
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

    /// To be called whenever a remote description has been applied.
    pub(super) fn remote_description_set(&mut self) {
        for candidate in self.early_candidates.take().unwrap_or_default() {
            self.with(|rtc| rtc.add_remote_candidate(candidate));
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
    Rtc::builder()
        .clear_codecs()
        .enable_opus(true, red)
        // Without the transport-wide sequence number str0m sends no congestion feedback, which
        // would be 20 packets per second and of no use for audio. The audio level feeds the
        // server's speaker detection.
        .clear_extension_map()
        .set_extension(1, Extension::AudioLevel)
        .set_extension(4, Extension::RtpMid)
        // See `audio::reorder`.
        .set_reordering_size_audio(0)
}
