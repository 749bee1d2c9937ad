//! ICE over TCP (RFC 6544): we open the connections, each packet has its length before it (RFC 4571).
//!
//! A connection to an address is made when the first ICE check to it is to be sent. The server takes a
//! connection for that of the ICE session which the first check on it names: a restarted session needs new
//! ones, and nothing but a check may be the first packet. A connection that is silent for long is replaced:
//! after an outage TCP itself waits for up to twice as long as that lasted before it tries again.

use std::{
    io,
    net::SocketAddr,
    task::{Context, Poll, ready},
    time::{Duration, Instant},
};

use futures_util::future::{BoxFuture, FutureExt};
use str0m::net::Transmit;
use tokio::{
    io::{AsyncRead, ReadBuf},
    net::{TcpSocket, TcpStream},
};

use super::DATAGRAM_BYTES_MAX;
use crate::clock;

/// Connections at a time: one for each pair of a local address and one of the server's.
const LINKS_MAX: usize = 16;
/// A connection that is not there by then is tried anew: the operating system would wait longer each time.
const CONNECT_LIMIT: Duration = Duration::from_secs(1);
/// A refused connection is not tried again sooner.
const AGAIN_AFTER: Duration = Duration::from_millis(200);
/// Without a byte for so long, while we check twice a second, a connection is stuck.
const SILENCE_LIMIT: Duration = Duration::from_secs(2);
/// What may wait to be sent, here and in the operating system. Sound that waits for long is worth nothing.
const OUT_BYTES_MAX: usize = 16 * 1024;
/// What is read at a time.
const READ_BYTES: usize = 4 * 1024;
/// The length in front of a packet.
const LENGTH_BYTES: usize = 2;

/// Who decides on the path that is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Control {
    #[default]
    Ours,
    /// A server stays with the connection that it has chosen until ICE begins anew: another one would be of
    /// no use.
    Theirs,
}

/// The TCP connections of one peer connection.
#[derive(Default)]
pub(super) struct TcpSet {
    links: Vec<Link>,
    control: Control,
}

/// A connection, from our candidate's address, which is not its real one, to a candidate of the server.
struct Link {
    local: SocketAddr,
    remote: SocketAddr,
    state: State,
}

enum State {
    /// On its way since then, with what is to be sent first.
    Connecting {
        since: Instant,
        stream: BoxFuture<'static, io::Result<TcpStream>>,
        first: Vec<u8>,
    },
    Open(Open),
    /// Broken since then.
    Closed {
        since: Instant,
    },
}

struct Open {
    stream: TcpStream,
    /// When something came last.
    heard: Instant,
    incoming: Vec<u8>,
    outgoing: Vec<u8>,
}

impl TcpSet {
    /// Sends without waiting. What finds no place is dropped, as the network would.
    pub(super) fn send(&mut self, transmit: &Transmit) -> io::Result<()> {
        let now = clock::instant();
        let packet = frame(&transmit.contents)?;
        let is_check = is_check(&transmit.contents);
        let (local, remote) = (transmit.source, transmit.destination);
        let Some(link) = self.links.iter_mut().find(|l| l.local == local && l.remote == remote)
        else {
            if !is_check || self.links.len() >= LINKS_MAX {
                return Err(io::ErrorKind::NotConnected.into());
            }
            let state = connect(local, remote, packet, now);
            self.links.push(Link { local, remote, state });
            return Ok(());
        };
        let is_stuck = match &mut link.state {
            State::Connecting { since, .. } => now.duration_since(*since) >= CONNECT_LIMIT,
            State::Closed { since } => now.duration_since(*since) >= AGAIN_AFTER,
            State::Open(open) => {
                let is_silent = now.duration_since(open.heard) >= SILENCE_LIMIT;
                is_silent && self.control == Control::Ours
            }
        };
        if is_stuck && is_check {
            link.state = connect(local, remote, packet, now);
            return Ok(());
        }
        match &mut link.state {
            State::Open(open) => {
                let sent = open.send(&packet);
                link.close_on_error(sent)
            }
            State::Connecting { first, .. } if is_check => {
                *first = packet;
                Ok(())
            }
            State::Connecting { .. } | State::Closed { .. } => {
                Err(io::ErrorKind::NotConnected.into())
            }
        }
    }

    /// ICE has begun anew: so must the connections.
    pub(super) fn restart(&mut self, control: Control) {
        *self = Self { links: Vec::new(), control };
    }

    /// The next packet, as its source, destination and length in `buf`.
    pub(super) fn poll_recv(
        &mut self,
        cx: &mut Context<'_>,
        buf: &mut [u8],
    ) -> Poll<(SocketAddr, SocketAddr, usize)> {
        for link in &mut self.links {
            if let Poll::Ready(len) = link.poll_recv(cx, buf) {
                return Poll::Ready((link.remote, link.local, len));
            }
        }
        Poll::Pending
    }
}

impl Link {
    /// The next packet's length. A broken connection is pending for ever.
    fn poll_recv(&mut self, cx: &mut Context<'_>, buf: &mut [u8]) -> Poll<usize> {
        if let State::Connecting { stream, first, .. } = &mut self.state {
            let connected = ready!(stream.poll_unpin(cx)).and_then(|stream| {
                let (heard, incoming) = (clock::instant(), Vec::new());
                stream.set_nodelay(true)?;
                let outgoing = std::mem::take(first);
                Ok(State::Open(Open { stream, heard, incoming, outgoing }))
            });
            self.state = connected.unwrap_or_else(|error| self.closed(&error));
        }
        let State::Open(open) = &mut self.state else { return Poll::Pending };
        match ready!(open.poll(cx, buf)) {
            Ok(len) => Poll::Ready(len),
            Err(error) => {
                self.state = self.closed(&error);
                Poll::Pending
            }
        }
    }

    fn close_on_error(&mut self, result: io::Result<()>) -> io::Result<()> {
        match result {
            Err(error) if error.kind() != io::ErrorKind::WouldBlock => {
                self.state = self.closed(&error);
                Err(error)
            }
            other => other,
        }
    }

    fn closed(&self, error: &io::Error) -> State {
        tracing::debug!(remote = %self.remote, %error, "a TCP connection for media broke");
        State::Closed { since: clock::instant() }
    }
}

impl Open {
    fn send(&mut self, packet: &[u8]) -> io::Result<()> {
        if self.outgoing.len() + packet.len() > OUT_BYTES_MAX {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        self.outgoing.extend_from_slice(packet);
        self.flush()
    }

    /// Writes what can be written now; the rest when [`Open::poll`] finds that it can.
    fn flush(&mut self) -> io::Result<()> {
        while !self.outgoing.is_empty() {
            match self.stream.try_write(&self.outgoing) {
                Ok(written) => drop(self.outgoing.drain(..written)),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// The next packet's length in `buf`.
    fn poll(&mut self, cx: &mut Context<'_>, buf: &mut [u8]) -> Poll<io::Result<usize>> {
        while !self.outgoing.is_empty() {
            if self.stream.poll_write_ready(cx)?.is_pending() {
                break;
            }
            self.flush()?;
        }
        loop {
            if let Some(len) = take(&mut self.incoming, buf)? {
                return Poll::Ready(Ok(len));
            }
            let mut bytes = [0; READ_BYTES];
            let mut read = ReadBuf::new(&mut bytes);
            ready!(std::pin::Pin::new(&mut self.stream).poll_read(cx, &mut read))?;
            if read.filled().is_empty() {
                return Poll::Ready(Err(io::ErrorKind::UnexpectedEof.into()));
            }
            self.heard = clock::instant();
            self.incoming.extend_from_slice(read.filled());
        }
    }
}

fn connect(local: SocketAddr, remote: SocketAddr, first: Vec<u8>, now: Instant) -> State {
    let stream = async move {
        let socket = if remote.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
        socket.set_send_buffer_size(OUT_BYTES_MAX as u32)?;
        socket.bind(SocketAddr::new(local.ip(), 0))?;
        socket.connect(remote).await
    };
    State::Connecting { since: now, stream: stream.boxed(), first }
}

/// A packet as it goes on the wire.
fn frame(packet: &[u8]) -> io::Result<Vec<u8>> {
    let length = u16::try_from(packet.len()).map_err(|_| io::ErrorKind::InvalidInput)?;
    Ok([&length.to_be_bytes(), packet].concat())
}

/// Takes a whole packet off what has come; an error if what has come is none of WebRTC's.
fn take(incoming: &mut Vec<u8>, buf: &mut [u8]) -> io::Result<Option<usize>> {
    let Some(length) = incoming.first_chunk::<LENGTH_BYTES>() else { return Ok(None) };
    let length = usize::from(u16::from_be_bytes(*length));
    if length > DATAGRAM_BYTES_MAX.min(buf.len()) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a packet is too long"));
    }
    let Some(packet) = incoming.get(LENGTH_BYTES..LENGTH_BYTES + length) else { return Ok(None) };
    buf[..length].copy_from_slice(packet);
    incoming.drain(..LENGTH_BYTES + length);
    Ok(Some(length))
}

/// Whether a packet is a STUN message, by its first byte (RFC 7983).
fn is_check(packet: &[u8]) -> bool {
    packet.first().is_some_and(|first| *first <= 3)
}

#[cfg(test)]
mod tests {
    use std::{future::poll_fn, net::Ipv4Addr};

    use proptest::prelude::*;
    use str0m::net::Protocol;
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpListener,
        time::timeout,
    };

    use super::*;

    const LIMIT: Duration = Duration::from_secs(20);
    const CHECK: &[u8] = &[0, 1, 2, 3];
    const SOUND: &[u8] = &[0x80, 111, 7];
    /// What waits to be read at the other end, when a test sees to it.
    const RECEIVED_BYTES_MAX: usize = 4 * 1024;

    fn transmit(remote: SocketAddr, contents: &[u8]) -> Transmit {
        let source = SocketAddr::from((Ipv4Addr::LOCALHOST, 9));
        let contents = contents.to_vec().into();
        Transmit { proto: Protocol::Tcp, source, destination: remote, contents }
    }

    /// Receives one packet, or lets the set work while `other` is under way.
    async fn drive<T>(set: &mut TcpSet, other: impl Future<Output = T>) -> T {
        let mut buf = [0; DATAGRAM_BYTES_MAX];
        let working = async {
            loop {
                poll_fn(|cx| set.poll_recv(cx, &mut buf)).await;
            }
        };
        let both = async {
            tokio::select! { done = other => done, () = working => unreachable!() }
        };
        timeout(LIMIT, both).await.expect("in time")
    }

    /// Nothing but a check opens a connection; packets go both ways with their length before them, also in
    /// pieces; a connection that the server closes is made anew by the next check.
    #[tokio::test]
    async fn packets_keep_their_lengths() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let remote = listener.local_addr().unwrap();
        let mut set = TcpSet::default();
        assert!(set.send(&transmit(remote, SOUND)).is_err());
        for _ in 0..2 {
            while set.send(&transmit(remote, CHECK)).is_err() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            let (mut server, _) = drive(&mut set, listener.accept()).await.unwrap();
            let mut got = [0; 2 + CHECK.len()];
            drive(&mut set, server.read_exact(&mut got)).await.unwrap();
            assert_eq!(got, [0, 4, 0, 1, 2, 3]);
            set.send(&transmit(remote, SOUND)).unwrap();
            let mut got = [0; 2 + SOUND.len()];
            drive(&mut set, server.read_exact(&mut got)).await.unwrap();
            assert_eq!(got, [0, 3, 0x80, 111, 7]);
            for piece in [&[0][..], &[3, 9], &[8, 7, 0, 1, 5]] {
                server.write_all(piece).await.unwrap();
            }
            let mut buf = [0; DATAGRAM_BYTES_MAX];
            for expected in [&[9, 8, 7][..], &[5]] {
                let receiving = poll_fn(|cx| set.poll_recv(cx, &mut buf));
                let (source, _, len) = timeout(LIMIT, receiving).await.unwrap();
                assert_eq!((source, &buf[..len]), (remote, expected));
            }
            drop(server);
            let closed = async {
                while set.send(&transmit(remote, SOUND)).is_ok() {
                    let receiving = poll_fn(|cx| set.poll_recv(cx, &mut buf));
                    let _ = timeout(Duration::from_millis(20), receiving).await;
                }
            };
            timeout(LIMIT, closed).await.expect("the end is noticed");
        }
    }

    /// What waits to be sent is bounded, here and in the operating system, and what is sent later is whole.
    #[tokio::test]
    async fn a_stuck_connection_holds_little() {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(RECEIVED_BYTES_MAX as u32).unwrap();
        socket.bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
        let listener = socket.listen(1).unwrap();
        let remote = listener.local_addr().unwrap();
        let mut set = TcpSet::default();
        set.send(&transmit(remote, CHECK)).unwrap();
        let (mut server, _) = drive(&mut set, listener.accept()).await.unwrap();
        let mut first = [0; 2 + CHECK.len()];
        drive(&mut set, server.read_exact(&mut first)).await.unwrap();
        let packet = [0x80; 1_000];
        let sent =
            (0..100_000).take_while(|_| set.send(&transmit(remote, &packet)).is_ok()).count();
        // Linux makes each buffer twice as large as it is asked to, and puts what it knows of the bytes into
        // it, too.
        let most = OUT_BYTES_MAX + 2 * (OUT_BYTES_MAX + RECEIVED_BYTES_MAX);
        let held = sent * (LENGTH_BYTES + packet.len());
        assert!((OUT_BYTES_MAX + 1..=most).contains(&held), "{held} bytes fit");
        for _ in 0..sent {
            let mut got = [0; 1_002];
            drive(&mut set, server.read_exact(&mut got)).await.unwrap();
            assert_eq!((&got[..2], &got[2..]), (&[3, 232][..], &packet[..]));
        }
    }

    proptest! {
        /// Whatever a server sends, reading it is no panic and takes no more than there is.
        #[test]
        fn any_bytes_are_taken_apart(bytes in prop::collection::vec(any::<u8>(), 0..5_000)) {
            let (mut incoming, mut buf) = (bytes.clone(), [0; DATAGRAM_BYTES_MAX]);
            let mut taken = 0;
            while let Ok(Some(len)) = take(&mut incoming, &mut buf) {
                taken += len + LENGTH_BYTES;
            }
            prop_assert_eq!(taken + incoming.len(), bytes.len());
        }
    }
}
