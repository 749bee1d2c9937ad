//! Voices over a WebSocket of JSON messages, a context of its own for each segment.
//!
//! A connection serves one segment at a time and is kept for the next one when a segment has come to its end,
//! so that only the first segment, and the first after a long answer, pays for TLS and the handshake. A
//! segment that is dropped or fails takes its connection with it: the server then stops making its sound.

use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicU64, Ordering},
};
use std::time::Duration;

use futures_util::{
    FutureExt, SinkExt, StreamExt,
    future::BoxFuture,
    stream::{self},
};
use reqwest::Upgraded;
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{
        Message,
        protocol::{CloseFrame, Role, WebSocketConfig},
    },
};

use super::{
    ProviderError,
    http::{Refusal, Site, transient_error},
    sound_samples::{Answer, Part},
    tts_wire::Protocol,
};
use crate::clock::Clock;
use interview::time::SessionTime;

/// The most connections that are kept while nobody speaks.
const IDLE_MAX: usize = 16;
/// The most messages of earlier segments that are passed over on a connection that is used again.
const LEFTOVERS_MAX: usize = 8;
/// The longest message; a longer one is no piece of a sentence.
const MESSAGE_BYTES_MAX: usize = 4 << 20;

/// A vendor's messages.
pub(super) trait Dialect: Send + Sync {
    /// Returns the messages that ask for a segment, all in the context of this name.
    fn ask(&self, context: &str, text: &str) -> Vec<String>;
    /// Reads a message of the server; `None` if it is none of this vendor's.
    fn read(&self, message: &str) -> Option<Heard>;
    /// Returns how long a connection may be idle before the server closes it.
    fn idle_limit(&self) -> Duration;
}

/// A message of the server.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Heard {
    /// The context that it belongs to, if it names one.
    pub(super) context: Option<String>,
    pub(super) said: Said,
}

/// What a message says.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Said {
    /// Sound, the times of words, or both.
    Part(Part),
    /// Sound, and the segment has come to its end.
    Last(Part),
    /// A refusal, by the HTTP status that says the same.
    Refused(u16, Refusal),
    /// What we do not need.
    Other,
}

/// A voice over WebSockets.
pub(super) struct SocketVoice(Arc<Lines>);

/// The connections to one server.
struct Lines {
    site: Arc<Site>,
    dialect: Box<dyn Dialect>,
    clock: Clock,
    /// The connections that are kept, each with the time since when it is idle.
    idle: Mutex<Vec<(SessionTime, Socket)>>,
    contexts: AtomicU64,
}

type Socket = Box<WebSocketStream<Upgraded>>;

impl SocketVoice {
    pub(super) fn new(site: Arc<Site>, dialect: impl Dialect + 'static) -> Self {
        let (dialect, clock) = (Box::new(dialect), Clock::start());
        let (idle, contexts) = (Mutex::default(), AtomicU64::new(0));
        Self(Arc::new(Lines { site, dialect, clock, idle, contexts }))
    }
}

impl Protocol for SocketVoice {
    fn ask(&self, text: String) -> BoxFuture<'static, Result<Answer, ProviderError>> {
        let lines = self.0.clone();
        async move {
            let socket = match lines.kept() {
                Some(socket) => socket,
                None => lines.connect().await?,
            };
            let number = lines.contexts.fetch_add(1, Ordering::Relaxed);
            let context = format!("segment-{number}");
            let mut segment = Segment { lines, socket: Some(socket), context };
            segment.send(&text).await?;
            let next = async |mut segment: Segment| match segment.next().await {
                Ok(part) => Ok(part.map(|part| (part, segment))),
                Err(error) => {
                    segment.lines.forget();
                    Err(error)
                }
            };
            Ok(Answer { claims: None, parts: stream::try_unfold(segment, next).boxed() })
        }
        .boxed()
    }
}

impl Lines {
    /// Returns a connection that is kept and still open.
    fn kept(&self) -> Option<Socket> {
        let (now, limit) = (self.clock.now(), self.dialect.idle_limit());
        let mut idle = self.idle();
        idle.retain(|(since, _)| now.since(*since) < limit);
        while let Some((_, mut socket)) = idle.pop() {
            if is_open(&mut socket) {
                return Some(socket);
            }
        }
        None
    }

    /// Keeps a connection whose segment has come to its end.
    fn keep(&self, socket: Socket) {
        let mut idle = self.idle();
        if idle.len() < IDLE_MAX {
            idle.push((self.clock.now(), socket));
        }
    }

    /// Drops the connections that are kept: where one has failed, the others may have failed, too.
    fn forget(&self) {
        self.idle().clear();
    }

    fn idle(&self) -> MutexGuard<'_, Vec<(SessionTime, Socket)>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn connect(&self) -> Result<Socket, ProviderError> {
        let stream = self.site.open_socket(&[]).await?;
        let config = WebSocketConfig::default()
            .max_message_size(Some(MESSAGE_BYTES_MAX))
            .max_frame_size(Some(MESSAGE_BYTES_MAX));
        Ok(Box::new(WebSocketStream::from_raw_socket(stream, Role::Client, Some(config)).await))
    }
}

/// Whether a connection is open, as far as is known without waiting.
fn is_open(socket: &mut Socket) -> bool {
    for _ in 0..LEFTOVERS_MAX {
        match socket.next().now_or_never() {
            None => return true,
            Some(Some(Ok(Message::Close(_)) | Err(_)) | None) => return false,
            Some(Some(Ok(_))) => {}
        }
    }
    false
}

/// A segment that is being spoken on a connection.
struct Segment {
    lines: Arc<Lines>,
    /// The connection; `None` after the end of the segment.
    socket: Option<Socket>,
    context: String,
}

impl Segment {
    async fn send(&mut self, text: &str) -> Result<(), ProviderError> {
        let Some(socket) = &mut self.socket else { return Ok(()) };
        for message in self.lines.dialect.ask(&self.context, text) {
            if let Err(cause) = socket.send(Message::text(message)).await {
                self.lines.forget();
                return Err(self.lines.site.broken_off(&cause));
            }
        }
        Ok(())
    }

    /// Returns the next part, or `None` after the last one.
    async fn next(&mut self) -> Result<Option<Part>, ProviderError> {
        let Lines { site, dialect, .. } = &*self.lines;
        loop {
            let Some(socket) = &mut self.socket else { return Ok(None) };
            let heard = match socket.next().await {
                Some(Ok(Message::Text(text))) => dialect.read(&text),
                Some(Ok(Message::Binary(_))) => None,
                Some(Ok(Message::Close(frame))) => return Err(hung_up(site, frame.as_ref())),
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => continue,
                Some(Err(cause)) => return Err(site.broken_off(&cause)),
                None => return Err(site.hung_up(None, "")),
            };
            let Some(heard) = heard else { return Err(nonsense(site)) };
            if heard.context.is_some_and(|context| context != self.context) {
                continue;
            }
            match heard.said {
                Said::Part(part) => return Ok(Some(part)),
                Said::Last(part) => {
                    if let Some(socket) = self.socket.take() {
                        self.lines.keep(socket);
                    }
                    return Ok(Some(part));
                }
                Said::Refused(status, refusal) => {
                    return Err(site.refused_in_stream(status, &refusal));
                }
                Said::Other => {}
            }
        }
    }
}

fn nonsense(site: &Site) -> ProviderError {
    transient_error(format!(
        "{} answers with a message that is none of this vendor's; is {} right?",
        site.place,
        site.setting("base_url")
    ))
}

/// Returns the error for a connection that the server closed. Vendors close one for a wrong key or a used-up
/// account, too, and say so in the reason.
fn hung_up(site: &Site, frame: Option<&CloseFrame>) -> ProviderError {
    let Some(frame) = frame else { return site.hung_up(None, "") };
    let (code, reason) = (u16::from(frame.code), frame.reason.to_lowercase());
    let says = |words: &[&str]| words.iter().any(|word| reason.contains(word));
    let status = match code {
        1008 if says(&["quota", "credit", "balance", "insufficient funds"]) => 402,
        1008 if says(&["api key", "api_key", "api-key", "unauthorized", "authori", "authenti"]) => {
            401
        }
        1008 if says(&["limit", "too many", "concurren"]) => 429,
        1008 => 400,
        _ => return site.hung_up(Some(code), &frame.reason),
    };
    site.refused_in_stream(status, &Refusal::new("", &frame.reason))
}
