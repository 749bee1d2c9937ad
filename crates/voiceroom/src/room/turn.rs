//! Relays (TURN, RFC 8656) that the server hands out: the way for media where neither UDP nor TCP gets
//! through.
//!
//! Each relay is a task with one connection to it, over UDP, TCP or TLS. It asks for an address there, which
//! becomes one of our ICE candidates, and passes packets on between that address and the server.

use std::{
    collections::BTreeSet,
    io,
    net::SocketAddr,
    sync::{Arc, OnceLock},
    task::{Context, Poll},
    time::{Duration, Instant},
};

use livekit_protocol::IceServer;
use rustls::{ClientConfig, RootCertStore, pki_types::ServerName};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpStream, UdpSocket, lookup_host},
    sync::mpsc,
    time::{sleep_until, timeout},
};
use tokio_rustls::TlsConnector;
use turn_client_proto::{
    api::{Transmit, TurnConfig, TurnEvent, TurnPollRet, TurnRecvRet},
    client::TurnClient,
    prelude::{DelayedTransmitBuild as _, TurnClientApi as _},
    tcp::TurnClientTcp,
    types::{Instant as Since, TransportType, TurnCredentials},
    udp::TurnClientUdp,
};

use crate::clock;

/// Relays that are tried at a time.
const RELAYS_MAX: usize = 4;
/// How long the way to a relay may take, and one packet on it.
const CONNECT_LIMIT: Duration = Duration::from_secs(5);
const SEND_LIMIT: Duration = Duration::from_secs(2);
/// Packets that may wait on either side; further ones are dropped, as the network would.
const PACKETS_MAX: usize = 64;
/// What is read at a time.
const READ_BYTES: usize = 16 * 1024;

/// A relay as the server hands it out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TurnServer {
    way: Way,
    host: String,
    port: u16,
    username: String,
    credential: String,
}

/// What leads to a relay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Udp,
    Tcp,
    Tls,
}

impl TurnServer {
    /// All relays among `servers`, the first few of them.
    pub(super) fn all(servers: &[IceServer]) -> Vec<Self> {
        let all = servers.iter().flat_map(|server| {
            server.urls.iter().filter_map(|url| {
                let (way, host, port) = parse(url)?;
                let (username, credential) = (server.username.clone(), server.credential.clone());
                Some(Self { way, host, port, username, credential })
            })
        });
        all.take(RELAYS_MAX).collect()
    }
}

/// RFC 7065. STUN servers are of no use to us, DTLS to a relay is not spoken.
fn parse(url: &str) -> Option<(Way, String, u16)> {
    let (scheme, rest) = url.split_once(':')?;
    let (address, query) = rest.split_once('?').unwrap_or((rest, ""));
    let is_tcp = match query {
        "" => scheme == "turns",
        "transport=udp" => false,
        "transport=tcp" => true,
        _ => return None,
    };
    let (way, usual_port) = match (scheme, is_tcp) {
        ("turn", false) => (Way::Udp, 3478),
        ("turn", true) => (Way::Tcp, 3478),
        ("turns", true) => (Way::Tls, 5349),
        _ => return None,
    };
    // The colons of an IPv6 address stand in brackets.
    let (host, port) = match address.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, port.parse().ok()?),
        _ => (address, usual_port),
    };
    let host = host.trim_start_matches('[').trim_end_matches(']');
    (!host.is_empty()).then(|| (way, host.to_owned(), port))
}

/// A relay in use. Dropped, it gives its address back.
pub(super) struct Relay {
    packets: mpsc::Sender<(SocketAddr, Vec<u8>)>,
    facts: mpsc::Receiver<Fact>,
}

/// What a relay tells.
pub(super) enum Fact {
    /// We have this address there; the connection to the relay comes from `local`.
    Allocated { relayed: SocketAddr, local: SocketAddr },
    /// A packet that somebody sent there.
    Packet { from: SocketAddr, data: Vec<u8> },
}

impl Relay {
    pub(super) fn start(server: TurnServer) -> Self {
        let (packets, to_send) = mpsc::channel(PACKETS_MAX);
        let (came, facts) = mpsc::channel(PACKETS_MAX);
        tokio::spawn(async move {
            let (host, way) = (server.host.clone(), server.way);
            if let Err(error) = run(&server, to_send, came).await {
                tracing::info!(%host, ?way, %error, "a TURN server is of no use");
            }
        });
        Self { packets, facts }
    }

    /// The next fact; nothing when the relay has ended.
    pub(super) fn poll_recv(&mut self, cx: &mut Context<'_>) -> Poll<Option<Fact>> {
        self.facts.poll_recv(cx)
    }

    /// Sends without waiting.
    pub(super) fn send(&self, to: SocketAddr, data: &[u8]) -> io::Result<()> {
        let sent = self.packets.try_send((to, data.to_vec()));
        sent.map_err(|_| io::ErrorKind::WouldBlock.into())
    }
}

/// Until nobody wants it any more.
async fn run(
    server: &TurnServer,
    mut packets: mpsc::Receiver<(SocketAddr, Vec<u8>)>,
    facts: mpsc::Sender<Fact>,
) -> io::Result<()> {
    let connected = timeout(CONNECT_LIMIT, Wire::connect(server)).await;
    let wire = connected.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))??;
    let mut relaying = Relaying::new(wire, server, facts);
    let mut buf = vec![0; READ_BYTES];
    while let Some(until) = relaying.progress().await? {
        tokio::select! {
            packet = packets.recv() => match packet {
                Some((to, data)) => relaying.send(to, &data).await?,
                None => relaying.give_back(),
            },
            len = relaying.wire.recv(&mut buf) => relaying.receive(&buf[..len?]),
            () = sleep_until(until.into()) => {}
        }
    }
    Ok(())
}

/// The protocol and the connection that it is spoken on.
struct Relaying {
    client: TurnClient,
    wire: Wire,
    local: SocketAddr,
    remote: SocketAddr,
    facts: mpsc::Sender<Fact>,
    /// To whom the way was asked for.
    asked: BTreeSet<SocketAddr>,
    began: Instant,
    is_over: bool,
}

impl Relaying {
    fn new(
        (wire, local, remote): (Wire, SocketAddr, SocketAddr),
        server: &TurnServer,
        facts: mpsc::Sender<Fact>,
    ) -> Self {
        let credentials = TurnCredentials::new(&server.username, &server.credential);
        let config = TurnConfig::new(credentials);
        let client = match wire {
            Wire::Udp(_) => TurnClientUdp::allocate(local, remote, config).into(),
            Wire::Stream(_) => TurnClientTcp::allocate(local, remote, config).into(),
        };
        let (asked, began) = (BTreeSet::new(), clock::instant());
        Self { client, wire, local, remote, facts, asked, began, is_over: false }
    }

    fn now(&self) -> Since {
        Since::from_nanos(clock::instant().duration_since(self.began).as_nanos() as i64)
    }

    /// Sends what is to be sent and tells what has happened; until when to wait, unless all is over.
    async fn progress(&mut self) -> io::Result<Option<Instant>> {
        loop {
            let until = match self.client.poll(self.now()) {
                TurnPollRet::WaitUntil(until) => until,
                TurnPollRet::Closed if self.is_over => return Ok(None),
                TurnPollRet::Closed => {
                    return Err(io::Error::other("it has ended our address"));
                }
                // Of relays to TCP, for which we do not ask.
                TurnPollRet::AllocateTcpSocket { .. } | TurnPollRet::TcpClose { .. } => continue,
            };
            let mut is_idle = true;
            while let Some(transmit) = self.client.poll_transmit(self.now()) {
                self.wire.send(&transmit.data).await?;
                is_idle = false;
            }
            if self.is_over {
                return Ok(None);
            }
            while let Some(event) = self.client.poll_event() {
                self.tell(event)?;
                is_idle = false;
            }
            if is_idle {
                let since = until.duration_since(Since::from_nanos(0));
                return Ok(Some(self.began + since));
            }
        }
    }

    fn tell(&self, event: TurnEvent) -> io::Result<()> {
        match event {
            TurnEvent::AllocationCreated(_, relayed) => {
                let fact = Fact::Allocated { relayed, local: self.local };
                let told = self.facts.try_send(fact);
                told.map_err(|_| io::Error::other("nobody takes its address"))
            }
            TurnEvent::AllocationCreateFailed(_) => Err(io::Error::other("it gives us no address")),
            refused @ (TurnEvent::ChannelCreateFailed(..)
            | TurnEvent::PermissionCreateFailed(..)) => {
                tracing::debug!(?refused, "a TURN server leads to no such address");
                Ok(())
            }
            TurnEvent::PermissionCreated(..)
            | TurnEvent::ChannelCreated(..)
            | TurnEvent::TcpConnected(_)
            | TurnEvent::TcpConnectFailed(_) => Ok(()),
        }
    }

    async fn send(&mut self, to: SocketAddr, data: &[u8]) -> io::Result<()> {
        let now = self.now();
        if self.asked.insert(to) {
            // What cannot be sent yet is a check, which ICE repeats.
            let asked = match self.wire {
                Wire::Udp(_) => {
                    let bound = self.client.bind_channel(TransportType::Udp, to, now);
                    bound.map_err(|error| error.to_string())
                }
                // The library does not pad what it sends on a channel, as it must on a stream (RFC 8656,
                // 12.5).
                Wire::Stream(_) => {
                    let allowed = self.client.create_permission(TransportType::Udp, to.ip(), now);
                    allowed.map_err(|error| error.to_string())
                }
            };
            if let Err(error) = asked {
                tracing::debug!(%to, error, "a TURN server leads to no such address");
            }
        }
        match self.client.send_to(TransportType::Udp, to, data, now) {
            Ok(Some(transmit)) => self.wire.send(&transmit.data.build()).await,
            Ok(None) | Err(_) => Ok(()),
        }
    }

    fn receive(&mut self, came: &[u8]) {
        let now = self.now();
        let (local, remote, transport) = (self.local, self.remote, self.client.transport());
        let received = self.client.recv(Transmit::new(came, transport, remote, local), now);
        if let TurnRecvRet::PeerData(data) = received {
            self.pass_on(data.peer, data.data());
        }
        while let Some(data) = self.client.poll_recv(now) {
            self.pass_on(data.peer, data.data());
        }
    }

    fn pass_on(&self, from: SocketAddr, data: &[u8]) {
        // Who does not take it in time loses it, as on the network.
        let _ = self.facts.try_send(Fact::Packet { from, data: data.to_vec() });
    }

    fn give_back(&mut self) {
        self.is_over = true;
        if let Err(error) = self.client.delete(self.now()) {
            tracing::debug!(%error, "a TURN server had no address of ours");
        }
    }
}

/// A connection to a relay.
enum Wire {
    Udp(UdpSocket),
    Stream(Box<dyn Stream>),
}

trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

impl Wire {
    /// A connection, with its own address and the relay's.
    async fn connect(server: &TurnServer) -> io::Result<(Self, SocketAddr, SocketAddr)> {
        let mut last = io::Error::other("its name has no address");
        for remote in lookup_host((&*server.host, server.port)).await? {
            match Self::connect_to(server, remote).await {
                Ok((wire, local)) => return Ok((wire, local, remote)),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    async fn connect_to(server: &TurnServer, remote: SocketAddr) -> io::Result<(Self, SocketAddr)> {
        if server.way == Way::Udp {
            let any = if remote.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" };
            let socket = UdpSocket::bind(any).await?;
            socket.connect(remote).await?;
            let local = socket.local_addr()?;
            return Ok((Self::Udp(socket), local));
        }
        let stream = TcpStream::connect(remote).await?;
        stream.set_nodelay(true)?;
        let local = stream.local_addr()?;
        let stream: Box<dyn Stream> = match server.way {
            Way::Tls => Box::new(encrypted(stream, &server.host, tls_config()?).await?),
            Way::Tcp | Way::Udp => Box::new(stream),
        };
        Ok((Self::Stream(stream), local))
    }

    async fn send(&mut self, data: &[u8]) -> io::Result<()> {
        match self {
            // It comes too late or not at all, as on the network; a relay that is gone is noticed by its
            // silence.
            Self::Udp(socket) => drop(socket.send(data).await),
            Self::Stream(stream) => {
                let sent = async {
                    stream.write_all(data).await?;
                    stream.flush().await
                };
                timeout(SEND_LIMIT, sent).await.map_err(|_| io::ErrorKind::TimedOut)??;
            }
        }
        Ok(())
    }

    /// Cancel safe.
    async fn recv(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Udp(socket) => socket.recv(buf).await,
            Self::Stream(stream) => match stream.read(buf).await? {
                0 => Err(io::ErrorKind::UnexpectedEof.into()),
                len => Ok(len),
            },
        }
    }
}

async fn encrypted(
    stream: TcpStream,
    host: &str,
    config: Arc<ClientConfig>,
) -> io::Result<impl Stream + use<>> {
    let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
    TlsConnector::from(config).connect(name, stream).await
}

/// Whom this machine trusts; read once.
fn tls_config() -> io::Result<Arc<ClientConfig>> {
    static CONFIG: OnceLock<Arc<ClientConfig>> = OnceLock::new();
    if let Some(config) = CONFIG.get() {
        return Ok(config.clone());
    }
    let mut roots = RootCertStore::empty();
    let found = rustls_native_certs::load_native_certs();
    roots.add_parsable_certificates(found.certs);
    if roots.is_empty() {
        return Err(io::Error::other("this machine trusts nobody: install ca-certificates"));
    }
    let config = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    Ok(CONFIG.get_or_init(|| Arc::new(config)).clone())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The addresses of relays are read, with the usual ports, and what is none is passed over.
    #[test]
    fn addresses_are_read() {
        let read = |url: &str| parse(url).map(|(way, host, port)| format!("{way:?} {host} {port}"));
        for (url, expected) in [
            ("turn:10.0.0.1:3479?transport=udp", "Udp 10.0.0.1 3479"),
            ("turn:relay.example", "Udp relay.example 3478"),
            ("turn:[2001:db8::1]:99?transport=tcp", "Tcp 2001:db8::1 99"),
            ("turn:[2001:db8::1]", "Udp 2001:db8::1 3478"),
            ("turns:relay.example:443?transport=tcp", "Tls relay.example 443"),
            ("turns:relay.example", "Tls relay.example 5349"),
        ] {
            assert_eq!(read(url).as_deref(), Some(expected));
        }
        for url in [
            "stun:relay.example:3478",
            "turns:relay.example?transport=udp",
            "turn:relay.example?transport=sctp",
            "turn:relay.example:x",
            "turn::3478",
            "turn",
            "",
        ] {
            assert_eq!(read(url), None, "{url}");
        }
    }

    /// Of many relays the first few are tried, each with the credentials that it came with.
    #[test]
    fn relays_are_taken_from_what_the_server_hands_out() {
        let server = |urls: &[&str], name: &str| IceServer {
            urls: urls.iter().map(|url| (*url).to_owned()).collect(),
            username: name.to_owned(),
            credential: format!("{name}'s"),
        };
        let found = TurnServer::all(&[
            server(&["stun:a", "turn:a"], "one"),
            server(&["turns:b", "turn:c", "turn:d", "turn:e"], "two"),
        ]);
        let found: Vec<_> =
            found.iter().map(|s| (&*s.host, &*s.username, &*s.credential)).collect();
        let two = |host| (host, "two", "two's");
        assert_eq!(found, [("a", "one", "one's"), two("b"), two("c"), two("d")]);
    }

    /// A relay whose certificate nobody vouches for is not used.
    #[tokio::test]
    async fn an_unknown_certificate_is_refused() {
        crate::tls::install();
        let own = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
        let key = own.signing_key.serialize_der().try_into().unwrap();
        let config = rustls::ServerConfig::builder().with_no_client_auth();
        let config = config.with_single_cert(vec![own.cert.der().clone()], key).unwrap();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let accept = tokio::spawn(async move {
            let (stream, _) = listener.accept().await.unwrap();
            tokio_rustls::TlsAcceptor::from(Arc::new(config)).accept(stream).await.map(drop)
        });
        let urls = vec![format!("turns:localhost:{port}?transport=tcp")];
        let servers = TurnServer::all(&[IceServer { urls, ..IceServer::default() }]);
        let error = Wire::connect(&servers[0]).await.map(drop).unwrap_err();
        assert!(error.to_string().contains("certificate"), "{error}");
        assert!(accept.await.unwrap().is_err());
    }

    proptest! {
        /// Whatever a server hands out, reading it is no panic.
        #[test]
        fn any_address_is_read(url in "(turn|turns|stun)?:?[\\PC]{0,40}") {
            if let Some((_, host, _)) = parse(&url) {
                prop_assert!(!host.is_empty());
            }
        }
    }
}
