//! A server that speaks OpenAI's transcription over a real socket, with every fault that a server can have.
//!
//! It hears words in sound that says which they are, as the one in `deepgram_server.rs` does.

use std::{
    collections::BTreeMap,
    net::{Ipv4Addr, SocketAddr},
    sync::{Arc, Mutex},
    thread,
};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::oneshot,
};

use crate::deepgram_server::WORDS;

/// One thing that the server does with a call.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Answers with this status and these headers.
    Refuse(u16, &'static str, Value),
    /// Answers with this body.
    Answer(Vec<u8>),
    /// The same, byte by byte.
    Drip(Vec<u8>),
    /// Answers with half a body, and no more.
    Torn(Vec<u8>),
    /// Does nothing until the client goes away.
    Hang,
    /// Breaks the connection.
    Reset,
}

/// A call that was made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    /// The first line and the headers, in small letters.
    pub(crate) head: String,
    /// The fields of the form but for the file.
    pub(crate) fields: BTreeMap<String, String>,
    /// The sound of the file.
    pub(crate) samples: Vec<i16>,
}

impl Asked {
    /// The words in the sound.
    pub(crate) fn words(&self) -> String {
        let mut words: Vec<&str> = Vec::new();
        for sample in &self.samples {
            let n = usize::try_from(sample.saturating_sub(1_000)).unwrap_or(WORDS.len());
            let Some(word) = WORDS.get(n) else { continue };
            if words.last() != Some(word) {
                words.push(word);
            }
        }
        words.join(" ")
    }

    /// What a server answers that works well.
    pub(crate) fn answer(&self) -> Vec<u8> {
        json!({ "text": self.words(), "usage": { "type": "tokens" } }).to_string().into_bytes()
    }

    /// Whether it is a call for words on the way, with this much sound at most.
    pub(crate) fn seconds(&self) -> f64 {
        self.samples.len() as f64 / 16_000.0
    }
}

/// The server, on a thread of its own.
pub(crate) struct TranscriptionServer {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<Asked>>>,
    _stop: oneshot::Sender<()>,
}

type Answer = Box<dyn FnMut(&Asked) -> Step + Send>;

#[derive(Clone)]
struct Shared {
    answer: Arc<Mutex<Answer>>,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl TranscriptionServer {
    /// Does what `answer` says with each call.
    pub(crate) fn start(answer: impl FnMut(&Asked) -> Step + Send + 'static) -> Self {
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let (stop_tx, stop) = oneshot::channel();
        let answer: Answer = Box::new(answer);
        let asked = Arc::default();
        let shared = Shared { answer: Arc::new(Mutex::new(answer)), asked: Arc::clone(&asked) };
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
        Self { address, asked, _stop: stop_tx }
    }

    /// The address to be configured.
    pub(crate) fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// The calls so far.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

async fn accept(listener: TcpListener, shared: Shared) {
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        tokio::spawn(serve(stream, shared.clone()));
    }
}

/// Calls follow each other on a connection. An error says that the client is gone.
async fn serve(mut stream: TcpStream, shared: Shared) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    loop {
        let asked = asked(&mut stream).await?;
        let step = (shared.answer.lock().unwrap())(&asked);
        shared.asked.lock().unwrap().push(asked);
        let whole = |status: u16, headers: &str, body: &[u8]| {
            let length = body.len();
            let kind = "content-type: application/json";
            let head = format!(
                "HTTP/1.1 {status} X\r\n{headers}{kind}\r\ncontent-length: {length}\r\n\r\n"
            );
            [head.as_bytes(), body].concat()
        };
        match step {
            Step::Refuse(status, headers, body) => {
                stream.write_all(&whole(status, headers, body.to_string().as_bytes())).await?;
            }
            Step::Answer(body) => stream.write_all(&whole(200, "", &body)).await?,
            Step::Drip(body) => {
                for byte in whole(200, "", &body) {
                    stream.write_all(&[byte]).await?;
                    tokio::task::yield_now().await;
                }
            }
            Step::Torn(body) => {
                let answer = whole(200, "", &body);
                stream.write_all(&answer[..answer.len() - body.len() / 2]).await?;
                stream.shutdown().await?;
                return until_gone(&mut stream).await;
            }
            Step::Hang => return until_gone(&mut stream).await,
            Step::Reset => return stream.set_zero_linger(),
        }
    }
}

async fn until_gone(stream: &mut TcpStream) -> std::io::Result<()> {
    while stream.read(&mut [0; 64]).await.is_ok_and(|n| n > 0) {}
    Ok(())
}

async fn asked(stream: &mut TcpStream) -> std::io::Result<Asked> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await?);
    }
    let head = String::from_utf8(head).unwrap();
    let lower = head.to_lowercase();
    let header = |name: &str| lower.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    let mut body = vec![0; header("content-length: ").parse().unwrap()];
    stream.read_exact(&mut body).await?;
    let boundary = header("content-type: multipart/form-data; boundary=");
    let mut asked = Asked { head: lower.clone(), ..Asked::default() };
    for part in parts(&body, format!("--{boundary}").as_bytes()) {
        let split = part.windows(4).position(|end| end == b"\r\n\r\n").unwrap();
        let (about, value) = (String::from_utf8_lossy(&part[..split]), &part[split + 4..]);
        let name = about.split("name=\"").nth(1).unwrap().split('"').next().unwrap();
        if name == "file" {
            assert_eq!((&value[..4], &value[8..12]), (&b"RIFF"[..], &b"WAVE"[..]));
            asked.samples =
                value[44..].as_chunks::<2>().0.iter().map(|s| i16::from_le_bytes(*s)).collect();
        } else {
            let value = String::from_utf8(value.to_vec()).unwrap();
            asked.fields.insert(name.to_owned(), value);
        }
    }
    Ok(asked)
}

/// What stands between the boundaries of a form, without the line breaks around it.
fn parts<'a>(body: &'a [u8], boundary: &[u8]) -> Vec<&'a [u8]> {
    let long = boundary.len();
    let at = (0..=body.len() - long).filter(|at| &body[*at..*at + long] == boundary);
    let at: Vec<usize> = at.collect();
    at.windows(2).map(|pair| &body[pair[0] + long + 2..pair[1] - 2]).collect()
}
