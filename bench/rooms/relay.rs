//! A line between each candidate and the server: a relay for datagrams and for the signalling connection, as
//! bad as it is told to be.
//!
//! It is no pair of network namespaces: this needs no root, no `ip` and no netem, leaves nothing behind, and
//! knows what it did to each packet. That nothing goes around it holds by the server's settings (it gives the
//! relay's address as its only one, and as an ICE-lite server looks for nobody itself), and the bench
//! compares what candidates got with what the relay gave them.

use std::{
    collections::BTreeMap,
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use serde::Serialize;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream, UdpSocket},
    time::sleep,
};
use tokio_util::sync::{CancellationToken, DropGuard};
use vivavoce::clock;

use super::line::{Faults, Way};

/// Where the server is, as it tells everybody.
pub(crate) const FRONT: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
/// Ports of clients that one relay serves; a session has one or two.
const FLOWS_MAX: usize = 4_096;
/// Larger ones are cut off, as no WebRTC is.
const DATAGRAM_MAX: usize = 2_048;

/// A running relay. Ends when it is dropped.
pub(crate) struct Relay {
    signalling: SocketAddr,
    lines: Lines,
    ended: CancellationToken,
    _end: DropGuard,
}

type Lines = Arc<Mutex<BTreeMap<IpAddr, Arc<Line>>>>;

/// One candidate's line.
pub(crate) struct Line(Mutex<State>);

struct State {
    up: Way,
    down: Way,
    /// Nothing gets through until then.
    dark_until: Option<Instant>,
    datagrams: Datagrams,
}

/// What a line has done to datagrams.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Datagrams {
    /// The candidate sent.
    pub(crate) up: u64,
    /// The server sent.
    pub(crate) down: u64,
    /// Lost, of both.
    pub(crate) lost: u64,
    /// Given to the candidate.
    pub(crate) given: u64,
}

/// Where a candidate comes in.
pub(crate) struct Access {
    /// Where their client finds the server.
    pub(crate) url: String,
    /// The address that their client is to use: it tells whose datagrams they are.
    pub(crate) ip: IpAddr,
    /// Their line.
    pub(crate) line: Arc<Line>,
}

#[derive(Clone, Copy)]
enum Direction {
    Up,
    Down,
}

impl Relay {
    /// Stands before a server on loopback, which has these ports for signalling and media and says that it is
    /// at [`FRONT`].
    pub(crate) async fn start(signalling: u16, media: u16) -> io::Result<Self> {
        let at = |port| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let front = Arc::new(UdpSocket::bind((FRONT, media)).await?);
        let (lines, ended) = (Lines::default(), CancellationToken::new());
        let datagrams = relay_datagrams(front, at(media), lines.clone(), ended.clone());
        tokio::spawn(ended.clone().run_until_cancelled_owned(datagrams));
        Ok(Self { signalling: at(signalling), lines, _end: ended.clone().drop_guard(), ended })
    }

    /// A line for candidate `n`.
    pub(crate) async fn open(&self, n: u8, faults: Faults, seed: u64) -> io::Result<Access> {
        let ip = IpAddr::from(Ipv4Addr::new(127, 0, 1, n));
        let seed = seed + 2 * u64::from(n);
        let line = Arc::new(Line(Mutex::new(State {
            up: Way::new(faults, seed),
            down: Way::new(faults, seed + 1),
            dark_until: None,
            datagrams: Datagrams::default(),
        })));
        self.lines.lock().expect("nobody panics with it").insert(ip, line.clone());
        let listener = TcpListener::bind((ip, self.signalling.port())).await?;
        let url = format!("ws://{}", listener.local_addr()?);
        let accepting =
            relay_signalling(listener, self.signalling, line.clone(), self.ended.clone());
        tokio::spawn(self.ended.clone().run_until_cancelled_owned(accepting));
        Ok(Access { url, ip, line })
    }
}

impl Line {
    /// Nothing gets through from now on, for so long.
    pub(crate) fn go_dark(&self, length: Duration) {
        self.with(|state| state.dark_until = Some(clock::instant() + length));
    }

    /// What it has done so far.
    pub(crate) fn datagrams(&self) -> Datagrams {
        self.with(|state| state.datagrams)
    }

    fn with<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.0.lock().expect("nobody panics with it"))
    }

    /// Whether the next datagram is lost, or how long it is kept.
    fn datagram(&self, direction: Direction) -> Option<Duration> {
        self.with(|state| {
            let fate = match direction {
                Direction::Up => state.up.packet(),
                Direction::Down => state.down.packet(),
            };
            let fate = fate.filter(|_| state.darkness().is_zero());
            let counted = &mut state.datagrams;
            match direction {
                Direction::Up => counted.up += 1,
                Direction::Down => counted.down += 1,
            }
            match (direction, fate) {
                (_, None) => counted.lost += 1,
                (Direction::Down, Some(_)) => counted.given += 1,
                (Direction::Up, Some(_)) => {}
            }
            fate
        })
    }

    /// How long the next bytes of signalling are kept.
    fn bytes(&self, direction: Direction) -> Duration {
        self.with(|state| {
            let kept = match direction {
                Direction::Up => state.up.bytes(),
                Direction::Down => state.down.bytes(),
            };
            kept + state.darkness()
        })
    }
}

impl State {
    fn darkness(&self) -> Duration {
        self.dark_until
            .map_or(Duration::ZERO, |until| until.saturating_duration_since(clock::instant()))
    }
}

/// Each port of a client has one at the server's side, as behind a NAT: by it the server tells them apart.
async fn relay_datagrams(
    front: Arc<UdpSocket>,
    server: SocketAddr,
    lines: Lines,
    ended: CancellationToken,
) {
    let mut flows: BTreeMap<SocketAddr, Arc<UdpSocket>> = BTreeMap::new();
    let mut buffer = [0; DATAGRAM_MAX];
    loop {
        // An error belongs to a client that has gone.
        let Ok((length, client)) = front.recv_from(&mut buffer).await else { continue };
        let line = lines.lock().expect("nobody panics with it").get(&client.ip()).cloned();
        if !flows.contains_key(&client) && flows.len() < FLOWS_MAX {
            let Ok(flow) = flow_to(server).await else { continue };
            let back = relay_back(flow.clone(), front.clone(), client, line.clone());
            tokio::spawn(ended.clone().run_until_cancelled_owned(back));
            flows.insert(client, flow);
        }
        let Some(flow) = flows.get(&client).cloned() else { continue };
        let datagram = buffer[..length].to_vec();
        let send = async move { flow.send(&datagram).await.map(drop) };
        pass(line.as_deref(), Direction::Up, send).await;
    }
}

async fn flow_to(server: SocketAddr) -> io::Result<Arc<UdpSocket>> {
    let flow = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    flow.connect(server).await?;
    Ok(Arc::new(flow))
}

async fn relay_back(
    flow: Arc<UdpSocket>,
    front: Arc<UdpSocket>,
    client: SocketAddr,
    line: Option<Arc<Line>>,
) {
    let mut buffer = [0; DATAGRAM_MAX];
    loop {
        let Ok(length) = flow.recv(&mut buffer).await else { continue };
        let (front, datagram) = (front.clone(), buffer[..length].to_vec());
        let send = async move { front.send_to(&datagram, client).await.map(drop) };
        pass(line.as_deref(), Direction::Down, send).await;
    }
}

/// Sends a datagram, at once or later, or never. Who has no line has a good one: the worker.
async fn pass(
    line: Option<&Line>,
    direction: Direction,
    send: impl Future<Output = io::Result<()>> + Send + 'static,
) {
    let fate = line.map_or(Some(Duration::ZERO), |line| line.datagram(direction));
    match fate {
        None => {}
        Some(Duration::ZERO) => drop(send.await),
        Some(kept) => drop(tokio::spawn(async move {
            sleep(kept).await;
            send.await
        })),
    }
}

async fn relay_signalling(
    listener: TcpListener,
    server: SocketAddr,
    line: Arc<Line>,
    ended: CancellationToken,
) {
    while let Ok((client, _)) = listener.accept().await {
        let Ok(server) = TcpStream::connect(server).await else { continue };
        let _ = (client.set_nodelay(true), server.set_nodelay(true));
        let (from_client, to_client) = client.into_split();
        let (from_server, to_server) = server.into_split();
        let up = carry(from_client, to_server, line.clone(), Direction::Up);
        let down = carry(from_server, to_client, line.clone(), Direction::Down);
        tokio::spawn(ended.clone().run_until_cancelled_owned(up));
        tokio::spawn(ended.clone().run_until_cancelled_owned(down));
    }
}

/// Bytes in their order, each piece as late as the line makes it.
async fn carry(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    line: Arc<Line>,
    direction: Direction,
) {
    let mut buffer = [0; 16 * 1024];
    while let Ok(length) = from.read(&mut buffer).await
        && length > 0
    {
        sleep(line.bytes(direction)).await;
        if to.write_all(&buffer[..length]).await.is_err() {
            return;
        }
    }
    // Whoever is left has nothing more to say.
    let _ = to.shutdown().await;
}
