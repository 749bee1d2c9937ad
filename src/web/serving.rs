//! Answers requests over TCP, within limits that no stranger can exceed: header and body of a request have a
//! time to come in, and a number of connections is open at once.

use std::{
    io::{self, ErrorKind},
    net::SocketAddr,
    num::NonZeroU32,
    pin::pin,
    sync::Arc,
    time::Duration,
};

use axum::{Router, body::Body, extract::ConnectInfo, http::Request};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use hyper::{
    body::Incoming,
    server::conn::http1,
    service::{Service as _, service_fn},
};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
    time::sleep,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower_http::timeout::DeadlineBody;
use tracing::{debug, error, warn};

/// Connections that are open at once where the settings say nothing else.
const OPEN_MAX: usize = 1_000;
/// The longest time for the header of a request, and for the pause before it.
const HEADER_LIMIT: Duration = Duration::from_secs(30);
/// The longest time from the header of a request to the end of its body.
const BODY_LIMIT: Duration = Duration::from_secs(30);
/// How long a system that has no more files or memory is left alone.
const ACCEPT_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// What connections may take.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// The longest time for the header of a request, and for the pause before it; then the connection ends.
    pub header_limit: Duration,
    /// The longest time from the header of a request to the end of its body; then the request is refused.
    pub body_limit: Duration,
    /// The most connections that are open at once. Those that come then wait until one of them ends.
    pub open_max: usize,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self { header_limit: HEADER_LIMIT, body_limit: BODY_LIMIT, open_max: OPEN_MAX }
    }
}

/// Answers until `stop`, then lets the requests under way finish. A handler that asks for [`ConnectInfo`]
/// gets the address of who connects.
pub(crate) async fn serve_within(
    limits: ConnectionLimits,
    listener: TcpListener,
    router: Router,
    stop: CancellationToken,
) {
    let router = TowerToHyperService::new(router);
    let entrance = Entrance::new(listener, limits.open_max);
    let connections = TaskTracker::new();
    while let Some((stream, peer, place)) = stop.run_until_cancelled(entrance.next()).await {
        let (router, stop) = (router.clone(), stop.clone());
        connections.spawn(async move {
            answer(stream, peer, router, limits, stop).await;
            drop(place);
        });
    }
    drop(entrance);
    connections.close();
    connections.wait().await;
}

/// Where connections come in, one for each place.
struct Entrance {
    listener: TcpListener,
    places: Arc<Semaphore>,
    open_max: usize,
    /// One a minute says in the log that others wait.
    lines: DefaultDirectRateLimiter,
}

impl Entrance {
    fn new(listener: TcpListener, open_max: usize) -> Self {
        let lines = RateLimiter::direct(Quota::per_minute(NonZeroU32::MIN));
        Self { listener, places: Arc::new(Semaphore::new(open_max)), open_max, lines }
    }

    /// The next connection: it is accepted when there is a place for it.
    async fn next(&self) -> (TcpStream, SocketAddr, OwnedSemaphorePermit) {
        if self.places.available_permits() == 0 && self.lines.check().is_ok() {
            warn!(open_max = self.open_max, "all connections are taken, so others wait");
        }
        let place = self.places.clone().acquire_owned().await.expect("it is never closed");
        loop {
            match self.listener.accept().await {
                Ok((stream, peer)) => return (stream, peer, place),
                Err(why) if has_gone(&why) => {}
                Err(why) => {
                    error!(%why, "a connection could not be accepted");
                    sleep(ACCEPT_AGAIN_AFTER).await;
                }
            }
        }
    }
}

/// Whether whoever connected has gone again before we looked.
fn has_gone(why: &io::Error) -> bool {
    matches!(
        why.kind(),
        ErrorKind::ConnectionRefused | ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset
    )
}

/// Answers the requests of one connection until it ends.
async fn answer(
    stream: TcpStream,
    peer: SocketAddr,
    router: TowerToHyperService<Router>,
    limits: ConnectionLimits,
    stop: CancellationToken,
) {
    let service = service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(|body| Body::new(DeadlineBody::new(limits.body_limit, body)));
        request.extensions_mut().insert(ConnectInfo(peer));
        router.call(request)
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(limits.header_limit);
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.as_mut().await
        }
    };
    if let Err(why) = ended {
        debug!(%why, "a connection ended before its time");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    use axum::{body::Bytes, routing::post};
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        sync::Notify,
        task::yield_now,
        time::timeout,
    };

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(120);
    /// One that no test meets.
    const LONG: Duration = Duration::from_secs(3_600);
    const SHORT: Duration = Duration::from_millis(30);

    async fn started(limits: ConnectionLimits, router: Router) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(serve_within(limits, listener, router, CancellationToken::new()));
        address
    }

    async fn connected(address: SocketAddr, said: &str) -> TcpStream {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(said.as_bytes()).await.unwrap();
        stream
    }

    /// What comes until the server closes.
    async fn until_closed(stream: &mut TcpStream) -> String {
        let mut all = Vec::new();
        timeout(PATIENCE, stream.read_to_end(&mut all)).await.expect("it is closed").unwrap();
        String::from_utf8(all).unwrap()
    }

    fn takes_a_body() -> Router {
        Router::new().route("/", post(async |body: Bytes| format!("{} bytes", body.len())))
    }

    /// 15.1.3, G16: who sends no header, half of one, or no second request is not waited for.
    #[tokio::test]
    async fn slow_headers_are_closed() {
        let limits = ConnectionLimits { header_limit: SHORT, body_limit: LONG, open_max: 9 };
        let address = started(limits, takes_a_body()).await;
        let mut silent = connected(address, "").await;
        let mut half = connected(address, "POST / HTTP/1.1\r\nhost: x\r\nx-slow: ").await;
        assert!(!until_closed(&mut silent).await.contains("bytes"));
        assert!(!until_closed(&mut half).await.contains("bytes"));
    }

    /// 15.1.3, G16: a body that does not end is refused when its time is over, and its connection ends;
    /// so does one of which a byte comes from time to time.
    #[tokio::test]
    async fn slow_bodies_are_closed() {
        let limits = ConnectionLimits { header_limit: LONG, body_limit: SHORT, open_max: 9 };
        let address = started(limits, takes_a_body()).await;
        let head = "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\nx";
        let mut stopped = connected(address, head).await;
        let said = until_closed(&mut stopped).await;
        assert!(said.starts_with("HTTP/1.1 400"), "{said}");
        let (mut reads, mut writes) = connected(address, head).await.into_split();
        let drips = tokio::spawn(async move { while writes.write_all(b"x").await.is_ok() {} });
        let mut all = Vec::new();
        // What we go on sending may reset the connection before the answer is read.
        let _ = timeout(PATIENCE, reads.read_to_end(&mut all)).await.expect("it is closed");
        assert!(!String::from_utf8_lossy(&all).contains("200 OK"));
        timeout(PATIENCE, drips).await.expect("nobody reads").unwrap();
    }

    /// 15.1.3, G16: as many connections as there are places are answered at once; whoever comes then
    /// waits and is answered when another one has gone.
    #[tokio::test]
    async fn connections_have_places() {
        const OPEN: usize = 2;
        let (inside, gate) = (Arc::new(AtomicUsize::new(0)), Arc::new(Notify::new()));
        let (counted, opened) = (inside.clone(), gate.clone());
        let router = Router::new().route(
            "/",
            post(move || async move {
                counted.fetch_add(1, SeqCst);
                opened.notified().await;
            }),
        );
        let limits = ConnectionLimits { header_limit: LONG, body_limit: LONG, open_max: OPEN };
        let address = started(limits, router).await;
        let ask = "POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
        let mut streams = Vec::new();
        for _ in 0..OPEN + 1 {
            streams.push(connected(address, ask).await);
        }
        // All have been sent: a server without places would take the last one, too.
        for _ in 0..10_000 {
            yield_now().await;
        }
        assert_eq!(inside.load(SeqCst), OPEN);
        for (n, stream) in streams.iter_mut().enumerate() {
            gate.notify_one();
            let said = until_closed(stream).await;
            assert!(said.starts_with("HTTP/1.1 200"), "{n}: {said}");
        }
        assert_eq!(inside.load(SeqCst), OPEN + 1);
    }
}
