//! A server that speaks as the voices of vendors do, over a real socket, with every fault that a server can
//! have. What happens is the same for all of them; how it is written is each vendor's own.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use futures_util::StreamExt;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::{mpsc, oneshot},
};
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{Message, protocol::Role},
};

use crate::{chat_server::KEY, client::PATIENCE, deepgram_server::switching};

/// How a vendor writes what happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// A call over HTTP with the text in this field, answered with bare samples.
    Http(&'static str),
    /// The same, with a document that is to be spoken.
    Ssml,
    /// ElevenLabs' WebSocket of several contexts.
    ElevenLabs,
    /// Cartesia's WebSocket.
    Cartesia,
}

/// One thing that the server does with a segment.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Answers with this status and these headers, before anything else.
    Refuse(u16, &'static str),
    /// The same, on a WebSocket that is open; elsewhere as [`Step::Refuse`].
    Complain(u16),
    /// Sends bytes of sound.
    Sound(Vec<u8>),
    /// Tells that the sound is not at the rate that it was asked for.
    OtherRate,
    /// Sends what is no message.
    Garbage,
    /// Sends half a message, and no more.
    Torn,
    /// Ends the segment.
    Finish,
    /// Ends the segment and closes the connection.
    FinishAndClose,
    /// Does nothing until the client goes away, and tells that it did.
    Hang,
    /// Breaks the connection.
    Reset,
}

/// What the server does with a segment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    pub(crate) steps: Vec<Step>,
    /// Whether each byte is sent in a packet of its own.
    pub(crate) is_split: bool,
}

/// A segment that was asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    /// The first line and the headers.
    pub(crate) head: String,
    /// The text to be spoken.
    pub(crate) text: String,
    /// All that was sent.
    pub(crate) messages: Vec<Value>,
}

/// The server, on a thread of its own.
pub(crate) struct VoiceServer {
    address: SocketAddr,
    manner: Manner,
    asked: Arc<Mutex<Vec<Asked>>>,
    connections: Arc<AtomicUsize>,
    gone: mpsc::UnboundedReceiver<()>,
    _stop: oneshot::Sender<()>,
}

type Answer = Box<dyn FnMut() -> Script + Send>;

#[derive(Clone)]
struct Shared {
    manner: Manner,
    answer: Arc<Mutex<Answer>>,
    asked: Arc<Mutex<Vec<Asked>>>,
    gone: mpsc::UnboundedSender<()>,
}

impl VoiceServer {
    /// Plays the first script for the first segment, and so on; the last one goes on for ever.
    pub(crate) fn playing(manner: Manner, scripts: Vec<Script>) -> Self {
        let mut scripts = scripts.into_iter();
        let mut last = Script::default();
        let answer: Answer = Box::new(move || {
            last = scripts.next().unwrap_or(last.clone());
            last.clone()
        });
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let (gone_tx, gone) = mpsc::unbounded_channel();
        let (stop_tx, stop) = oneshot::channel();
        let (asked, connections) = (Arc::default(), Arc::new(AtomicUsize::new(0)));
        let shared = Shared {
            manner,
            answer: Arc::new(Mutex::new(answer)),
            asked: Arc::clone(&asked),
            gone: gone_tx,
        };
        let count = connections.clone();
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.unwrap().block_on(async {
                let listener = TcpListener::from_std(listener).unwrap();
                tokio::select! {
                    () = accept(listener, count, shared) => {}
                    _ = stop => {}
                }
            });
        });
        Self { address, manner, asked, connections, gone, _stop: stop_tx }
    }

    /// The address to be configured.
    pub(crate) fn base_url(&self) -> String {
        match self.manner {
            Manner::Http(_) | Manner::Ssml => format!("http://{}", self.address),
            Manner::ElevenLabs | Manner::Cartesia => format!("ws://{}", self.address),
        }
    }

    /// The segments so far.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// How many connections there were.
    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// Waits until a client has gone away from a segment that hangs.
    pub(crate) async fn is_left(&mut self) {
        let left = tokio::time::timeout(PATIENCE, self.gone.recv()).await;
        left.expect("the client goes away").unwrap();
    }
}

impl Manner {
    /// Whether each segment is a call over HTTP.
    pub(crate) fn is_call(self) -> bool {
        matches!(self, Self::Http(_) | Self::Ssml)
    }

    /// The beginning of an answer over HTTP.
    fn head(self, script: &Script) -> Option<String> {
        if let Some(Step::Refuse(status, headers)) = script.steps.first() {
            return Some(refusal(*status, headers));
        }
        if !self.is_call() {
            return None;
        }
        if let Some(Step::Complain(status)) = script.steps.first() {
            return Some(refusal(*status, ""));
        }
        let has_other_rate = script.steps.iter().any(|step| matches!(step, Step::OtherRate));
        let bare = if self == Self::Ssml { "audio/x-wav" } else { "audio/pcm" };
        let kind = if has_other_rate { "audio/l16; rate=16000; channels=1" } else { bare };
        let closes = script.steps.iter().any(|step| matches!(step, Step::FinishAndClose));
        let closes = if closes { "connection: close\r\n" } else { "" };
        Some(format!(
            "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\n{closes}transfer-encoding: chunked\r\n\r\n"
        ))
    }

    /// A step as this vendor writes it; `None` for what is no message.
    fn written(self, step: &Step, context: &str) -> Option<Vec<u8>> {
        let text = |text: &str| Some(frame(text));
        let json = |value: Value| Some(frame(&value.to_string()));
        let sound = |bytes: &[u8]| base64(bytes);
        match (self, step) {
            (_, Step::Refuse(..) | Step::Hang | Step::Reset) => None,
            (Self::Http(_) | Self::Ssml, Step::Complain(_) | Step::OtherRate) => None,
            (Self::Http(_) | Self::Ssml, Step::Sound(bytes)) => {
                Some([format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat())
            }
            (Self::Http(_) | Self::Ssml, Step::Garbage) => Some(b"xyz\r\n".to_vec()),
            (Self::Http(_) | Self::Ssml, Step::Torn) => Some(b"3e8\r\n\0\0\0\0\0\0".to_vec()),
            (Self::Http(_) | Self::Ssml, Step::Finish | Step::FinishAndClose) => {
                Some(b"0\r\n\r\n".to_vec())
            }
            (_, Step::Garbage) => text("\u{fffd}{not json"),
            (Self::ElevenLabs, Step::Torn) => text(r#"{"audio":"AAAA"#),
            (Self::Cartesia, Step::Torn) => text(r#"{"type":"chunk","data":"AAAA"#),
            (Self::ElevenLabs, Step::Complain(status)) => {
                let error = match status {
                    401 => "invalid_api_key",
                    402 => "quota_exceeded",
                    429 => "too_many_concurrent_requests",
                    _ => "something_else",
                };
                json(json!({ "message": format!("no, {KEY}"), "error": error, "code": 1008 }))
            }
            (Self::ElevenLabs, Step::Sound(bytes)) => json(json!({
                "audio": sound(bytes), "isFinal": null, "contextId": context,
                "normalizedAlignment": null, "alignment": null,
            })),
            (Self::ElevenLabs, Step::OtherRate) => json(json!({
                "audio": "", "isFinal": null, "contextId": context,
                "alignment": { "chars": ["o"], "charStartTimesMs": [0], "charDurationsMs": [90_000] },
            })),
            (Self::ElevenLabs, Step::Finish | Step::FinishAndClose) => {
                json(json!({ "isFinal": true, "contextId": context }))
            }
            (Self::Cartesia, Step::Complain(status)) => json(json!({
                "type": "error", "done": true, "status_code": status, "error_code": "x", "title": "no",
                "message": format!("no, {KEY}"), "request_id": "r", "context_id": context,
            })),
            (Self::Cartesia, Step::Sound(bytes)) => json(json!({
                "type": "chunk", "data": sound(bytes), "done": false, "status_code": 206,
                "step_time": 1.5, "context_id": context,
            })),
            (Self::Cartesia, Step::OtherRate) => json(json!({
                "type": "timestamps", "done": false, "status_code": 206, "context_id": context,
                "word_timestamps": { "words": ["o"], "start": [0.0], "end": [90.0] },
            })),
            (Self::Cartesia, Step::Finish | Step::FinishAndClose) => json(json!({
                "type": "done", "done": true, "status_code": 206, "context_id": context,
            })),
        }
    }

    /// Takes a message of a client; returns the context of a segment that is asked for with it.
    fn heard(self, asked: &mut Asked, message: Value) -> Option<String> {
        let text = |key: &str| message[key].as_str().unwrap_or_default().to_owned();
        let context = text("context_id");
        asked.text += &match self {
            Self::Http(field) => text(field),
            Self::Ssml => unescaped(message.as_str().unwrap_or_default()),
            Self::ElevenLabs => text("text"),
            Self::Cartesia => text("transcript"),
        };
        let is_whole = match self {
            Self::Http(_) | Self::Ssml | Self::Cartesia => true,
            Self::ElevenLabs => message["close_context"] == true,
        };
        asked.messages.push(message);
        is_whole.then_some(context)
    }
}

fn refusal(status: u16, headers: &str) -> String {
    let body = json!({ "error": { "message": format!("no, {KEY}"), "code": "x" } }).to_string();
    let length = body.len();
    format!("HTTP/1.1 {status} No\r\n{headers}content-length: {length}\r\n\r\n{body}")
}

async fn accept(listener: TcpListener, connections: Arc<AtomicUsize>, shared: Shared) {
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        connections.fetch_add(1, Ordering::SeqCst);
        tokio::spawn(serve(stream, shared.clone()));
    }
}

/// Segments follow each other on a connection. An error says that the client is gone.
async fn serve(stream: TcpStream, shared: Shared) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    match shared.manner {
        Manner::Http(_) | Manner::Ssml => serve_calls(stream, &shared).await,
        Manner::ElevenLabs | Manner::Cartesia => serve_socket(stream, &shared).await,
    }
}

async fn serve_calls(mut stream: TcpStream, shared: &Shared) -> std::io::Result<()> {
    loop {
        let mut asked = Asked { head: head(&mut stream).await?, ..Asked::default() };
        let lower = asked.head.to_lowercase();
        let length = lower.lines().find_map(|line| line.strip_prefix("content-length: "));
        let mut body = vec![0; length.unwrap().parse().unwrap()];
        stream.read_exact(&mut body).await?;
        let message = match shared.manner {
            Manner::Ssml => Value::String(String::from_utf8(body).unwrap()),
            _ => serde_json::from_slice(&body).unwrap(),
        };
        shared.manner.heard(&mut asked, message);
        shared.asked.lock().unwrap().push(asked);
        let script = shared.script();
        let head = shared.manner.head(&script).unwrap();
        if !matches!(script.steps.first(), Some(Step::Reset)) {
            send(&mut stream, head.as_bytes(), script.is_split).await?;
        }
        if !play(&mut stream, shared, &script, "").await? {
            return Ok(());
        }
    }
}

async fn serve_socket(mut stream: TcpStream, shared: &Shared) -> std::io::Result<()> {
    let (head, script) = loop {
        let (head, script) = (head(&mut stream).await?, shared.script());
        let Some(refusal) = shared.manner.head(&script) else { break (head, script) };
        shared.asked.lock().unwrap().push(Asked { head, ..Asked::default() });
        stream.write_all(refusal.as_bytes()).await?;
    };
    let mut script = Some(script);
    stream.write_all(switching(&head).as_bytes()).await?;
    let mut socket = WebSocketStream::from_raw_socket(stream, Role::Server, None).await;
    let begun = || Asked { head: head.clone(), ..Asked::default() };
    let mut asked = begun();
    while let Some(Ok(message)) = socket.next().await {
        let Message::Text(text) = message else { continue };
        let message = serde_json::from_str(&text).unwrap();
        let Some(context) = shared.manner.heard(&mut asked, message) else { continue };
        shared.asked.lock().unwrap().push(std::mem::replace(&mut asked, begun()));
        let script = script.take().unwrap_or_else(|| shared.script());
        if !play(socket.get_mut(), shared, &script, &context).await? {
            return Ok(());
        }
    }
    Ok(())
}

impl Shared {
    fn script(&self) -> Script {
        (self.answer.lock().unwrap())()
    }
}

/// Plays a script; whether the connection goes on.
async fn play(
    stream: &mut TcpStream,
    shared: &Shared,
    script: &Script,
    context: &str,
) -> std::io::Result<bool> {
    // What comes without a wait between comes at once.
    let mut bytes = Vec::new();
    for step in &script.steps {
        bytes.extend(shared.manner.written(step, context).into_iter().flatten());
        match step {
            Step::Reset => {
                send(stream, &bytes, script.is_split).await?;
                stream.set_zero_linger()?;
                return Ok(false);
            }
            Step::Hang => {
                send(stream, &bytes, script.is_split).await?;
                until_gone(stream).await?;
                let _ = shared.gone.send(());
                return Ok(false);
            }
            Step::Torn | Step::FinishAndClose => {
                send(stream, &bytes, script.is_split).await?;
                stream.shutdown().await?;
                until_gone(stream).await?;
                return Ok(false);
            }
            Step::Refuse(..)
            | Step::Complain(_)
            | Step::Sound(_)
            | Step::OtherRate
            | Step::Garbage
            | Step::Finish => {}
        }
    }
    send(stream, &bytes, script.is_split).await?;
    Ok(true)
}

async fn send(stream: &mut TcpStream, bytes: &[u8], is_split: bool) -> std::io::Result<()> {
    if !is_split {
        return stream.write_all(bytes).await;
    }
    for byte in bytes {
        stream.write_all(&[*byte]).await?;
        tokio::task::yield_now().await;
    }
    Ok(())
}

async fn until_gone(stream: &mut TcpStream) -> std::io::Result<()> {
    while stream.read(&mut [0; 64]).await.is_ok_and(|n| n > 0) {}
    Ok(())
}

async fn head(stream: &mut TcpStream) -> std::io::Result<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await?);
    }
    Ok(String::from_utf8(head).unwrap())
}

/// The text that a document has within its voice.
fn unescaped(document: &str) -> String {
    let (_, voice) = document.split_once("<voice ").unwrap();
    let (_, text) = voice.split_once('>').unwrap();
    let text = text.strip_suffix("</voice></speak>").unwrap();
    let letters = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    letters.iter().fold(text.to_owned(), |text, (entity, letter)| text.replace(entity, letter))
}

/// A text as one frame of a server.
fn frame(text: &str) -> Vec<u8> {
    let length = text.len();
    let head = match u16::try_from(length) {
        Ok(length @ 0..=125) => vec![0x81, length as u8],
        Ok(length) => [&[0x81, 126], &length.to_be_bytes()[..]].concat(),
        Err(_) => [&[0x81, 127], &(length as u64).to_be_bytes()[..]].concat(),
    };
    [&head, text.as_bytes()].concat()
}

/// Bytes in base64.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |n: usize| u32::from(three.get(n).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for n in 0..4 {
            let digit = char::from(DIGITS[(bits >> (18 - 6 * n) & 63) as usize]);
            text.push(if n <= three.len() { digit } else { '=' });
        }
    }
    text
}
