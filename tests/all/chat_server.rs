//! A server that speaks OpenAI's chat completions over a real socket, with every fault that a server can
//! have.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::{mpsc, oneshot},
};
use vivavoce::{config::Secret, providers::llm_openai::Settings};

use crate::{client::PATIENCE, gate::Gate};

/// What every request must carry.
pub(crate) const KEY: &str = "sk-very-secret";

/// One thing that the server does with a request.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Sends these bytes.
    Send(Vec<u8>),
    /// Sends them one by one, each in a packet of its own.
    Drip(Vec<u8>),
    /// Goes on when the test opens this gate.
    Wait(Gate),
    /// Does nothing until the client goes away, and tells that it did.
    Hang,
    /// Breaks the connection.
    Reset,
}

/// A request that was made.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// Its first line and headers, in small letters.
    pub(crate) head: String,
    /// Its body.
    pub(crate) body: Value,
}

/// The server, on a thread of its own.
pub(crate) struct ChatServer {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<Asked>>>,
    connections: Arc<AtomicUsize>,
    gone: mpsc::UnboundedReceiver<()>,
    _stop: oneshot::Sender<()>,
}

type Answer = Box<dyn FnMut(&Asked) -> Vec<Step> + Send>;

#[derive(Clone)]
struct Shared {
    answer: Arc<Mutex<Answer>>,
    asked: Arc<Mutex<Vec<Asked>>>,
    gone: mpsc::UnboundedSender<()>,
}

impl ChatServer {
    /// Does what `answer` says with each request.
    pub(crate) fn start(answer: impl FnMut(&Asked) -> Vec<Step> + Send + 'static) -> Self {
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let (gone_tx, gone) = mpsc::unbounded_channel();
        let (stop_tx, stop) = oneshot::channel();
        let asked = Arc::default();
        let connections = Arc::new(AtomicUsize::new(0));
        let count = connections.clone();
        let answer: Answer = Box::new(answer);
        let shared = Shared {
            answer: Arc::new(Mutex::new(answer)),
            asked: Arc::clone(&asked),
            gone: gone_tx,
        };
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
        Self { address, asked, connections, gone, _stop: stop_tx }
    }

    /// Answers the first request with the first script, and so on; the last one goes on for ever.
    pub(crate) fn playing(scripts: Vec<Vec<Step>>) -> Self {
        let mut scripts = scripts.into_iter().peekable();
        let mut last = Vec::new();
        Self::start(move |_| {
            last = scripts.next().unwrap_or(last.clone());
            last.clone()
        })
    }

    /// The address to be configured.
    pub(crate) fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// The default configuration, but for address, key and limits: a busy machine reaches none of these.
    pub(crate) fn config(&self) -> Settings {
        Settings {
            base_url: self.base_url().parse().unwrap(),
            model: "stub".to_owned(),
            api_key: Secret::new(KEY),
            first_token_limit: PATIENCE,
            stall_limit: PATIENCE,
            reply_limit: PATIENCE,
            judge_limit: PATIENCE,
            document_limit: PATIENCE,
            ..Settings::default()
        }
    }

    /// The requests so far.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// How many connections there were.
    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// Waits until a client has gone away from a request that hangs.
    pub(crate) async fn is_left(&mut self) {
        let left = tokio::time::timeout(PATIENCE, self.gone.recv()).await;
        left.expect("the client goes away").unwrap();
    }
}

async fn accept(listener: TcpListener, connections: Arc<AtomicUsize>, shared: Shared) {
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        connections.fetch_add(1, Ordering::SeqCst);
        tokio::spawn(serve(stream, shared.clone()));
    }
}

/// Requests follow each other on a connection.
async fn serve(mut stream: TcpStream, shared: Shared) {
    stream.set_nodelay(true).unwrap();
    let mut read = Vec::new();
    while let Some(asked) = request(&mut stream, &mut read).await {
        let steps = (shared.answer.lock().unwrap())(&asked);
        shared.asked.lock().unwrap().push(asked);
        for step in joined(steps) {
            let done = match step {
                Step::Send(bytes) => stream.write_all(&bytes).await,
                Step::Drip(bytes) => drip(&mut stream, &bytes).await,
                Step::Wait(gate) => {
                    gate.passed().await;
                    Ok(())
                }
                Step::Hang => {
                    while stream.read(&mut [0; 64]).await.is_ok_and(|n| n > 0) {}
                    let _ = shared.gone.send(());
                    return;
                }
                Step::Reset => return stream.set_zero_linger().unwrap(),
            };
            if done.is_err() {
                return;
            }
        }
    }
}

/// The same steps, where what is sent without a wait between is sent at once: whoever waits for the end of an
/// answer only for a moment has it with its last word, however busy the machine is.
pub(crate) fn joined(steps: Vec<Step>) -> Vec<Step> {
    let mut all: Vec<Step> = Vec::new();
    for step in steps {
        match (all.last_mut(), step) {
            (Some(Step::Send(before)), Step::Send(bytes)) => before.extend(bytes),
            (_, step) => all.push(step),
        }
    }
    all
}

async fn drip(stream: &mut TcpStream, bytes: &[u8]) -> std::io::Result<()> {
    for byte in bytes {
        stream.write_all(&[*byte]).await?;
        tokio::task::yield_now().await;
    }
    Ok(())
}

async fn request(stream: &mut TcpStream, read: &mut Vec<u8>) -> Option<Asked> {
    let mut parsed = parse(read);
    while parsed.is_none() {
        let mut piece = [0; 4_096];
        let n = stream.read(&mut piece).await.ok().filter(|n| *n > 0)?;
        read.extend_from_slice(&piece[..n]);
        parsed = parse(read);
    }
    parsed
}

/// Takes one request off what was read, once it is whole.
pub(crate) fn parse(read: &mut Vec<u8>) -> Option<Asked> {
    let head_len = read.windows(4).position(|end| end == b"\r\n\r\n")? + 4;
    let head = String::from_utf8_lossy(&read[..head_len]).to_lowercase();
    let length = head.split("content-length: ").nth(1)?.split("\r\n").next()?;
    let whole_len = head_len + length.parse::<usize>().unwrap();
    let body = serde_json::from_slice(read.get(head_len..whole_len)?).unwrap();
    read.drain(..whole_len);
    Some(Asked { head, body })
}

/// A whole answer.
pub(crate) fn answer(status: &str, headers: &str, body: &str) -> Vec<Step> {
    let length = body.len();
    let text = format!("HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\n\r\n{body}");
    vec![Step::Send(text.into_bytes())]
}

/// An answer that is JSON.
pub(crate) fn json_answer(status: &str, body: &Value) -> Vec<Step> {
    answer(status, "content-type: application/json\r\n", &body.to_string())
}

/// The beginning of a stream.
pub(crate) fn head() -> Step {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\n\
        transfer-encoding: chunked\r\n\r\n";
    Step::Send(head.as_bytes().to_vec())
}

/// An event with this data.
pub(crate) fn data(text: &str) -> Step {
    let event = format!("data: {text}\n\n");
    Step::Send(format!("{:x}\r\n{event}\r\n", event.len()).into_bytes())
}

/// An event with a piece of the answer.
pub(crate) fn delta(delta: &Value) -> Step {
    chunk(&json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": null }] }))
}

/// Words.
pub(crate) fn words(text: &str) -> Step {
    delta(&json!({ "content": text }))
}

/// An event with this chunk.
pub(crate) fn chunk(chunk: &Value) -> Step {
    data(&chunk.to_string())
}

/// The model has said all.
pub(crate) fn finish(reason: &str) -> Step {
    chunk(&json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }] }))
}

/// What it has cost, and the end of the stream.
pub(crate) fn end(input: u64, output: u64) -> Vec<Step> {
    let usage = json!({ "prompt_tokens": input, "completion_tokens": output });
    vec![
        chunk(&json!({ "choices": [], "usage": usage })),
        data("[DONE]"),
        Step::Send(b"0\r\n\r\n".to_vec()),
    ]
}

/// A whole reply as a model streams it: words, then calls.
pub(crate) fn reply(text: &str, calls: &[(&str, Value)]) -> Vec<Step> {
    let mut steps = vec![head(), delta(&json!({ "role": "assistant", "content": "" }))];
    steps.extend(text.split_inclusive(' ').map(words));
    for (index, (name, arguments)) in calls.iter().enumerate() {
        let function = json!({ "name": name, "arguments": "" });
        let id = format!("call-{index}");
        let call = json!({ "index": index, "id": id, "type": "function", "function": function });
        steps.push(delta(&json!({ "tool_calls": [call] })));
        let arguments = arguments.to_string();
        let (front, back) = arguments.split_at(arguments.len() / 2);
        for piece in [front, back] {
            let call = json!({ "index": index, "function": { "arguments": piece } });
            steps.push(delta(&json!({ "tool_calls": [call] })));
        }
    }
    steps.push(finish(if calls.is_empty() { "stop" } else { "tool_calls" }));
    steps.extend(end(100, 20));
    steps
}
