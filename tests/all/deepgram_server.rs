//! A server that speaks Deepgram's live streaming over a real socket, with every fault that a server can
//! have.
//!
//! It hears words in sound that says which they are: see [`word`] and [`PAUSE`].

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::{Arc, Mutex},
    thread,
};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::{oneshot, watch},
};
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{
        Message,
        handshake::derive_accept_key,
        protocol::{CloseFrame, Role, frame::coding::CloseCode},
    },
};
use vivavoce::{
    audio::{FRAME_16, Pcm16},
    config::Secret,
    providers::stt_deepgram::Settings,
    time::SessionTime,
};

use crate::{chat_server::KEY, client::PATIENCE, recognisers::Said};

/// What may be said.
pub(crate) const WORDS: &[&str] =
    &["I", "bake", "bread", "and", "cakes", "for", "the", "whole", "town", "daily"];
/// 20 ms pieces of a word, and of the silence after it.
pub(crate) const WORD_PIECES: usize = 15;
pub(crate) const PAUSE_PIECES: usize = 5;

/// 20 ms of a word.
pub(crate) fn word(n: usize) -> Pcm16 {
    Pcm16(vec![1_000 + n as i16; FRAME_16])
}

/// 20 ms of nothing.
pub(crate) fn pause() -> Pcm16 {
    Pcm16(vec![0; FRAME_16])
}

/// What happens on a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    /// It begins, with this first line and these headers.
    Opened(String),
    /// Bytes of sound.
    Sound(usize),
    /// A message.
    Said(String),
    /// The client is gone.
    Gone,
}

/// One thing that the server does.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Answers so instead of opening a WebSocket.
    Http(String),
    /// Says this.
    Say(Value),
    /// Sends this.
    Send(Message),
    /// Says it byte by byte.
    Drip(Value),
    /// Hangs up with a reason.
    Close(u16, &'static str),
    /// Does nothing any more until the client goes away.
    Hang,
    /// Breaks the connection.
    Reset,
}

/// What a connection has understood so far.
#[derive(Default)]
pub(crate) struct Mind {
    /// Which connection it is, from 1.
    pub(crate) connection: usize,
    /// Pieces of sound.
    pub(crate) pieces: usize,
    pub(crate) samples: usize,
    /// Each with where it begins and ends, in samples.
    pub(crate) words: Vec<(String, usize, usize)>,
    /// Samples that finals were told of.
    pub(crate) settled: usize,
}

impl Mind {
    fn hear(&mut self, bytes: &[u8]) {
        self.pieces += 1;
        for sample in bytes.as_chunks::<2>().0 {
            let value = i16::from_le_bytes(*sample);
            self.samples += 1;
            let n = usize::try_from(value.saturating_sub(1_000)).unwrap_or(WORDS.len());
            if n >= WORDS.len() {
                continue;
            }
            match self.words.last_mut() {
                Some((last, _, end)) if last == WORDS[n] => *end = self.samples,
                _ => self.words.push((WORDS[n].to_owned(), self.samples - 1, self.samples)),
            }
        }
    }

    /// Understands what is said to it in any words, each from when on it has sounded, instead of the sound.
    pub(crate) fn listen_to(&mut self, said: &Said) {
        let sample = |at: SessionTime| at.as_micros() as usize * 2 / 125;
        let said = said.lock().unwrap();
        let words = said.iter().map(|(at, word)| (word.clone(), sample(*at), sample(*at) + 1));
        self.words = words.take_while(|(_, begin, _)| *begin < self.samples).collect();
    }

    /// Whether there were words since the last final.
    pub(crate) fn has_words(&self) -> bool {
        self.words.iter().any(|(_, begin, _)| *begin >= self.settled)
    }

    fn results(&self, from_finalize: bool, is_final: bool) -> Value {
        let seconds = |samples: usize| samples as f64 / 16_000.0;
        let open = self.words.iter().filter(|(_, begin, _)| *begin >= self.settled);
        let (mut words, mut texts) = (Vec::new(), Vec::new());
        for (word, begin, end) in open {
            let (start, end) = (seconds(*begin), seconds(*end));
            words.push(json!({
                "word": word.to_lowercase(), "punctuated_word": word,
                "start": start, "end": end, "confidence": 0.9,
            }));
            texts.push(word.as_str());
        }
        let alternative = json!({
            "transcript": texts.join(" "), "confidence": 0.9, "words": words,
        });
        json!({
            "type": "Results", "channel_index": [0, 1], "is_final": is_final,
            "start": seconds(self.settled), "duration": seconds(self.samples - self.settled),
            "speech_final": false, "from_finalize": from_finalize,
            "channel": { "alternatives": [alternative] },
            "metadata": { "request_id": "x" },
        })
    }

    /// What may still change.
    pub(crate) fn interim(&self) -> Step {
        Step::Say(self.results(false, false))
    }

    /// What will not.
    pub(crate) fn finish(&mut self, from_finalize: bool) -> Step {
        let results = self.results(from_finalize, true);
        self.settled = self.samples;
        Step::Say(results)
    }

    /// A turn as far as it is heard, as flux tells it.
    pub(crate) fn turn(&mut self, event: &str) -> Step {
        let mut turn = self.results(false, false);
        let said = turn["channel"]["alternatives"][0].take();
        let mut words = said["words"].clone();
        for word in words.as_array_mut().into_iter().flatten() {
            word["word"] = word["punctuated_word"].take();
        }
        let seconds = |samples: usize| samples as f64 / 16_000.0;
        let (start, end) = (seconds(self.settled), seconds(self.samples));
        if event == "EndOfTurn" {
            self.settled = self.samples;
        }
        Step::Say(json!({
            "type": "TurnInfo", "event": event, "turn_index": 0, "sequence_id": 1, "request_id": "x",
            "audio_window_start": start, "audio_window_end": end,
            "transcript": said["transcript"], "words": words, "end_of_turn_confidence": 0.8,
        }))
    }

    /// What flux does: a turn ends when nothing was said for so many pieces.
    pub(crate) fn turns(&mut self, heard: &Heard, silence: usize) -> Vec<Step> {
        let silent =
            |(_, _, end): &(String, usize, usize)| self.samples - end >= silence * FRAME_16;
        let is_open = |(_, begin, _): &&(String, usize, usize)| *begin >= self.settled;
        match heard {
            Heard::Opened(_) => vec![Step::Say(json!({ "type": "Connected", "sequence_id": 0 }))],
            Heard::Sound(_) if self.words.last().filter(is_open).is_some_and(silent) => {
                vec![self.turn("EndOfTurn")]
            }
            Heard::Sound(_) if self.pieces.is_multiple_of(12) => vec![self.turn("Update")],
            Heard::Sound(_) | Heard::Said(_) | Heard::Gone => Vec::new(),
        }
    }

    /// What a server does that works well.
    pub(crate) fn well(&mut self, heard: &Heard) -> Vec<Step> {
        match heard {
            Heard::Sound(_) if self.pieces.is_multiple_of(10) => vec![self.interim()],
            Heard::Said(said) if said.contains("Finalize") => vec![self.finish(true)],
            Heard::Said(said) if said.contains("CloseStream") => {
                vec![Step::Say(json!({ "type": "Metadata", "duration": 1.0, "channels": 1 }))]
            }
            Heard::Opened(_) | Heard::Sound(_) | Heard::Said(_) | Heard::Gone => Vec::new(),
        }
    }
}

/// The server, on a thread of its own.
pub(crate) struct DeepgramServer {
    address: SocketAddr,
    heard: watch::Receiver<Vec<(usize, Heard)>>,
    _stop: oneshot::Sender<()>,
}

type Answer = Box<dyn FnMut(&mut Mind, &Heard) -> Vec<Step> + Send>;

#[derive(Clone)]
struct Shared {
    answer: Arc<Mutex<Answer>>,
    heard: watch::Sender<Vec<(usize, Heard)>>,
}

impl Shared {
    fn note(&self, mind: &mut Mind, heard: Heard) -> Vec<Step> {
        let steps = (self.answer.lock().unwrap())(mind, &heard);
        self.heard.send_modify(|all| all.push((mind.connection, heard)));
        steps
    }
}

impl DeepgramServer {
    /// Does what `answer` says with what happens on a connection.
    pub(crate) fn start(
        answer: impl FnMut(&mut Mind, &Heard) -> Vec<Step> + Send + 'static,
    ) -> Self {
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let (stop_tx, stop) = oneshot::channel();
        let (heard_tx, heard) = watch::channel(Vec::new());
        let answer: Answer = Box::new(answer);
        let shared = Shared { answer: Arc::new(Mutex::new(answer)), heard: heard_tx };
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.unwrap().block_on(async {
                let listener = TcpListener::from_std(listener).unwrap();
                tokio::select! {
                    () = accept(listener, shared) => {}
                    _ = stop => {}
                }
            });
        });
        Self { address, heard, _stop: stop_tx }
    }

    /// The address to be configured.
    pub(crate) fn base_url(&self) -> String {
        format!("ws://{}", self.address)
    }

    /// The default configuration, but for address, key and limit: a busy machine does not reach this one.
    pub(crate) fn config(&self) -> Settings {
        Settings {
            base_url: self.base_url().parse().unwrap(),
            api_key: Secret::new(KEY),
            final_limit: PATIENCE,
            ..Settings::default()
        }
    }

    /// What happened so far, each with its connection.
    pub(crate) fn heard(&self) -> Vec<(usize, Heard)> {
        self.heard.borrow().clone()
    }

    /// How many connections there were.
    pub(crate) fn connections(&self) -> usize {
        self.heard().iter().map(|(n, _)| *n).max().unwrap_or(0)
    }

    /// Waits until something has happened.
    pub(crate) async fn until(&mut self, what: impl Fn(usize, &Heard) -> bool) {
        let happened = self.heard.wait_for(|all| all.iter().any(|(n, heard)| what(*n, heard)));
        let in_time = tokio::time::timeout(PATIENCE, happened).await;
        in_time.expect("it happens").unwrap();
    }
}

async fn accept(listener: TcpListener, shared: Shared) {
    for connection in 1.. {
        let (stream, _) = listener.accept().await.unwrap();
        tokio::spawn(serve(stream, Mind { connection, ..Mind::default() }, shared.clone()));
    }
}

async fn serve(mut stream: TcpStream, mut mind: Mind, shared: Shared) {
    stream.set_nodelay(true).unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let Ok(byte) = stream.read_u8().await else { return };
        head.push(byte);
    }
    let head = String::from_utf8(head).unwrap();
    let steps = shared.note(&mut mind, Heard::Opened(head.clone()));
    match steps.first() {
        Some(Step::Http(answer)) => {
            stream.write_all(answer.as_bytes()).await.unwrap();
            // Read to the end, or closing would be a reset.
            while stream.read(&mut [0; 64]).await.is_ok_and(|n| n > 0) {}
            return;
        }
        Some(Step::Reset) => return stream.set_zero_linger().unwrap(),
        Some(Step::Hang) => {
            while stream.read(&mut [0; 64]).await.is_ok_and(|n| n > 0) {}
            return;
        }
        _ => stream.write_all(switching(&head).as_bytes()).await.unwrap(),
    }
    let mut socket = WebSocketStream::from_raw_socket(stream, Role::Server, None).await;
    let mut steps = steps;
    loop {
        for step in std::mem::take(&mut steps) {
            if !carry_out(step, &mut socket).await {
                shared.note(&mut mind, Heard::Gone);
                return;
            }
        }
        let heard = match socket.next().await {
            Some(Ok(Message::Binary(bytes))) => {
                mind.hear(&bytes);
                Heard::Sound(bytes.len())
            }
            Some(Ok(Message::Text(text))) => Heard::Said(text.to_string()),
            Some(Ok(_)) => continue,
            Some(Err(_)) | None => {
                shared.note(&mut mind, Heard::Gone);
                return;
            }
        };
        steps = shared.note(&mut mind, heard);
    }
}

/// The answer to a handshake.
pub(crate) fn switching(head: &str) -> String {
    let key = head.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("sec-websocket-key").then_some(value.trim())
    });
    let accept = derive_accept_key(key.unwrap().as_bytes());
    format!(
        "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n\
            sec-websocket-accept: {accept}\r\n\r\n"
    )
}

/// Whether the connection goes on.
async fn carry_out(step: Step, socket: &mut WebSocketStream<TcpStream>) -> bool {
    match step {
        Step::Say(value) => socket.send(Message::text(value.to_string())).await.is_ok(),
        Step::Send(message) => socket.send(message).await.is_ok(),
        Step::Drip(value) => {
            for byte in frame(&value.to_string()) {
                if socket.get_mut().write_all(&[byte]).await.is_err() {
                    return false;
                }
                tokio::task::yield_now().await;
            }
            true
        }
        Step::Close(code, reason) => {
            let frame = CloseFrame { code: CloseCode::from(code), reason: reason.into() };
            let _ = socket.close(Some(frame)).await;
            while let Some(Ok(_)) = socket.next().await {}
            false
        }
        Step::Hang => {
            while let Some(Ok(_)) = socket.next().await {}
            false
        }
        Step::Reset => {
            socket.get_ref().set_zero_linger().unwrap();
            false
        }
        Step::Http(_) => panic!("it is too late for that"),
    }
}

/// A text as one frame of a server.
fn frame(text: &str) -> Vec<u8> {
    let length = u16::try_from(text.len()).unwrap();
    let head = match u8::try_from(length) {
        Ok(length @ 0..=125) => vec![0x81, length],
        _ => [&[0x81, 126], &length.to_be_bytes()[..]].concat(),
    };
    [&head, text.as_bytes()].concat()
}
