//! The sockets of one peer connection: UDP behind each ICE host candidate, TCP and relays where that does not
//! get through.
//!
//! Every peer connection gets sockets of its own. LiveKit's UDP mux recognises a peer by the
//! remote address, so two peer connections (two sessions, or publisher and subscriber of one
//! session) must not share a local port.

use std::future::poll_fn;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::task::{Context, Poll};

use str0m::net::{Protocol, Transmit};
use tokio::io::ReadBuf;
use tokio::net::UdpSocket;

use super::DATAGRAM_BYTES_MAX;
use super::tcp::{Control, TcpSet};
use super::turn::{Fact, Relay, TurnServer};

/// Local addresses to offer. Loopback is included only on request: a server that is reached over
/// loopback still offers its interface addresses, which are reachable from both.
pub(super) fn local_ips(loopback: bool) -> io::Result<Vec<IpAddr>> {
    let mut ips: Vec<IpAddr> = if_addrs::get_if_addrs()?
        .iter()
        .filter(|i| loopback || !i.is_loopback())
        .map(|i| i.ip())
        .filter(|ip| match ip {
            IpAddr::V4(v4) => !v4.is_link_local() && !v4.is_unspecified(),
            // IPv6 loopback and link-local add candidates but no reachability here.
            IpAddr::V6(v6) => !v6.is_loopback() && !v6.is_unicast_link_local(),
        })
        .collect();
    ips.sort();
    ips.dedup();
    Ok(ips)
}

/// What comes from outside.
#[derive(Debug, Clone, Copy)]
pub(super) enum Incoming {
    Datagram(Datagram),
    /// A relay has given us this address; the way to it begins at `local`.
    Relayed {
        addr: SocketAddr,
        local: SocketAddr,
    },
    /// It has gone.
    Unrelayed {
        addr: SocketAddr,
    },
}

/// A received datagram. Its payload stays in the receive buffer of the [`Net`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Datagram {
    pub(super) protocol: Protocol,
    pub(super) source: SocketAddr,
    pub(super) destination: SocketAddr,
    len: usize,
}

pub(super) struct Net {
    udp: Vec<(SocketAddr, UdpSocket)>,
    tcp: TcpSet,
    /// Relays, with their addresses as soon as they have given us one.
    relays: Vec<(Option<SocketAddr>, Relay)>,
    buf: Box<[u8; DATAGRAM_BYTES_MAX]>,
}

impl Net {
    /// Binds one ephemeral UDP port per address. Addresses that cannot be bound are skipped.
    pub(super) async fn bind(ips: &[IpAddr]) -> io::Result<Self> {
        let mut udp = Vec::with_capacity(ips.len());
        for ip in ips {
            match UdpSocket::bind(SocketAddr::new(*ip, 0)).await {
                Ok(socket) => udp.push((socket.local_addr()?, socket)),
                Err(err) => tracing::debug!(%ip, %err, "could not bind a local address"),
            }
        }
        if udp.is_empty() {
            return Err(io::Error::new(
                io::ErrorKind::AddrNotAvailable,
                "no network interface has a usable address",
            ));
        }
        let (tcp, relays) = (TcpSet::default(), Vec::new());
        Ok(Self { udp, tcp, relays, buf: Box::new([0; DATAGRAM_BYTES_MAX]) })
    }

    /// The addresses of the UDP sockets.
    pub(super) fn addrs(&self) -> impl Iterator<Item = SocketAddr> {
        self.udp.iter().map(|(addr, _)| *addr)
    }

    /// Uses these relays. Those in use are given up, with the addresses that they have given us.
    pub(super) fn relay(&mut self, servers: &[TurnServer]) -> Vec<SocketAddr> {
        let relays = servers.iter().map(|server| (None, Relay::start(server.clone()))).collect();
        let before = std::mem::replace(&mut self.relays, relays);
        before.into_iter().filter_map(|(addr, _)| addr).collect()
    }

    /// Whether a relay is in use, or soon will be.
    pub(super) fn is_relayed(&self) -> bool {
        !self.relays.is_empty()
    }

    /// Receives what comes next on any socket. Cancel safe: a datagram is only taken when the future
    /// completes.
    pub(super) async fn recv(&mut self) -> Incoming {
        let Self { udp, tcp, relays, buf } = self;
        poll_fn(|cx| {
            for (destination, socket) in udp.iter() {
                let mut read = ReadBuf::new(&mut buf[..]);
                match socket.poll_recv_from(cx, &mut read) {
                    Poll::Ready(Ok(source)) => {
                        return Poll::Ready(Incoming::Datagram(Datagram {
                            protocol: Protocol::Udp,
                            source,
                            destination: *destination,
                            len: read.filled().len(),
                        }));
                    }
                    // ICMP errors of earlier sends surface here; they concern one candidate only.
                    Poll::Ready(Err(err)) => {
                        tracing::trace!(%destination, %err, "receiving failed");
                        cx.waker().wake_by_ref();
                    }
                    Poll::Pending => {}
                }
            }
            if let Poll::Ready(incoming) = poll_relays(relays, cx, &mut buf[..]) {
                return Poll::Ready(incoming);
            }
            tcp.poll_recv(cx, &mut buf[..]).map(|(source, destination, len)| {
                let protocol = Protocol::Tcp;
                Incoming::Datagram(Datagram { protocol, source, destination, len })
            })
        })
        .await
    }

    pub(super) fn payload(&self, datagram: Datagram) -> &[u8] {
        &self.buf[..datagram.len]
    }

    /// Sends without waiting. A full socket buffer drops the packet, as the network would.
    pub(super) fn send(&mut self, transmit: &Transmit) -> io::Result<()> {
        if transmit.proto == Protocol::Tcp {
            return self.tcp.send(transmit);
        }
        let is_source = |(addr, _): &&(Option<SocketAddr>, _)| *addr == Some(transmit.source);
        if let Some((_, relay)) = self.relays.iter().find(is_source) {
            return relay.send(transmit.destination, &transmit.contents);
        }
        let (_, socket) = self
            .udp
            .iter()
            .find(|(addr, _)| *addr == transmit.source)
            .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "no socket for source"))?;
        socket.try_send_to(&transmit.contents, transmit.destination).map(drop)
    }

    /// See [`TcpSet::restart`].
    pub(super) fn restart_tcp(&mut self, control: Control) {
        self.tcp.restart(control);
    }
}

/// The next fact of any relay. What has ended is let go.
fn poll_relays(
    relays: &mut Vec<(Option<SocketAddr>, Relay)>,
    cx: &mut Context<'_>,
    buf: &mut [u8],
) -> Poll<Incoming> {
    let mut n = 0;
    while let Some((addr, relay)) = relays.get_mut(n) {
        match relay.poll_recv(cx) {
            Poll::Pending => n += 1,
            Poll::Ready(Some(Fact::Allocated { relayed, local })) => {
                *addr = Some(relayed);
                return Poll::Ready(Incoming::Relayed { addr: relayed, local });
            }
            Poll::Ready(Some(Fact::Packet { from, data })) => {
                let len = data.len();
                let (Some(destination), Some(place)) = (*addr, buf.get_mut(..len)) else {
                    continue;
                };
                place.copy_from_slice(&data);
                let protocol = Protocol::Udp;
                let datagram = Datagram { protocol, source: from, destination, len };
                return Poll::Ready(Incoming::Datagram(datagram));
            }
            Poll::Ready(None) => {
                let (addr, _) = relays.remove(n);
                if let Some(addr) = addr {
                    return Poll::Ready(Incoming::Unrelayed { addr });
                }
            }
        }
    }
    Poll::Pending
}
