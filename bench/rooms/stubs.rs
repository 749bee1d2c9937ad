//! A recogniser, a model and a voice with fixed delays, on one port, in the wire formats of the providers:
//! what is measured is what we add to them.

use std::{
    collections::VecDeque,
    convert::Infallible,
    net::{Ipv4Addr, SocketAddr},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use axum::{
    Json, Router,
    body::{Body, Bytes},
    extract::{
        State, WebSocketUpgrade,
        ws::{Message, WebSocket},
    },
    response::{
        IntoResponse, Response,
        sse::{Event, Sse},
    },
    routing::{get, post},
    serve::ListenerExt,
};
use futures_util::{Stream, stream};
use serde_json::{Value, json};
use tokio::{net::TcpListener, time::sleep_until};
use vivavoce::clock;

/// How fast the three are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Delays {
    /// From the last loud window to the final transcript.
    pub(crate) transcript: Duration,
    /// From a request to the first word.
    pub(crate) first_token: Duration,
    /// Between two words.
    pub(crate) token: Duration,
    /// From a request to the first sound.
    pub(crate) first_byte: Duration,
    /// Whether a partial transcript has the last word as soon as it was said, and stays as it is.
    pub(crate) stable_partials: bool,
}

impl Delays {
    /// Those that all workers are measured with.
    pub(crate) const USUAL: Self = Self {
        transcript: Duration::from_millis(150),
        first_token: Duration::from_millis(200),
        token: Duration::from_millis(10),
        first_byte: Duration::from_millis(100),
        stable_partials: false,
    };
    /// The same with a recogniser whose partial transcripts can be relied on.
    pub(crate) const STABLE: Self = Self { stable_partials: true, ..Self::USUAL };
    /// None, but that a recogniser must hear the end: only our own overhead is left.
    pub(crate) const NONE: Self = Self {
        transcript: SILENCE,
        first_token: Duration::ZERO,
        token: Duration::ZERO,
        first_byte: Duration::ZERO,
        stable_partials: false,
    };
}

/// What was seen at a provider, in the order of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Hop {
    /// The last loud window of the candidate came in.
    LastSound,
    /// The final transcript went out.
    Transcript,
    /// The model was asked.
    Request,
    /// Its first word went out.
    FirstToken,
    /// Its first sentence was whole.
    Clause,
    /// The voice was asked.
    Voice,
    /// The voice's first sound went out.
    FirstByte,
}

/// What the three have seen so far.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<(Instant, Hop)>>>);

impl Log {
    fn note(&self, at: Instant, hop: Hop) {
        self.0.lock().expect("nobody panics with it").push((at, hop));
    }

    /// All of it.
    pub(crate) fn all(&self) -> Vec<(Instant, Hop)> {
        self.0.lock().expect("nobody panics with it").clone()
    }
}

#[derive(Clone)]
struct Stubs {
    delays: Delays,
    log: Log,
}

/// Serves until the program ends; where, and what is seen there.
pub(crate) async fn serve(delays: Delays) -> std::io::Result<(SocketAddr, Log)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let address = listener.local_addr()?;
    let log = Log::default();
    let router = Router::new()
        .route("/v1/listen", get(listen))
        .route("/v1/chat/completions", post(chat))
        .route("/v1/audio/speech", post(speech))
        .with_state(Stubs { delays, log: log.clone() });
    // As real servers do: pieces are not held back until others follow.
    let listener = listener.tap_io(|line| {
        let _ = line.set_nodelay(true);
    });
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok((address, log))
}

// The recogniser.

/// 10 ms at 16 kHz.
const WINDOW: usize = 160;
/// A louder window is speech.
pub(crate) const LOUD: f64 = 600.0;
/// Silence that ends speech.
const SILENCE: Duration = Duration::from_millis(100);
/// Sound that is shorter has no words: somebody coughed.
const WORDS_AFTER: Duration = Duration::from_millis(400);
const PARTIALS_EVERY: Duration = Duration::from_millis(200);

/// What the candidates say, one after the other.
const PROJECTS: [&str; 40] = [
    "alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliett",
    "kilo", "lima", "mike", "november", "oscar", "papa", "quebec", "romeo", "sierra", "tango",
    "uniform", "victor", "whiskey", "xray", "yankee", "zulu", "amber", "birch", "cedar", "daisy",
    "elder", "fern", "grape", "hazel", "iris", "jade", "kale", "lotus", "maple", "nettle",
];

/// All different: what was asked before is not asked again. A turn tells of two projects, so that their
/// number is odd.
const QUESTIONS: [&str; 19] = [
    "What came after it?",
    "How did you find the slowest part?",
    "Who else worked on that with you?",
    "Which mistake would you avoid today?",
    "Why was Rust the right choice for it?",
    "When did the first customer see it?",
    "How many machines did it need?",
    "What happened on its worst day?",
    "Where were the results kept?",
    "Which test failed most often?",
    "How was the work shared out?",
    "What would you throw away first?",
    "Who paid for the servers?",
    "How long did the migration take?",
    "Which number convinced your manager?",
    "What did the review say?",
    "Why did nobody notice earlier?",
    "How do you explain it to a newcomer?",
    "What is still missing from it?",
];

async fn listen(State(stubs): State<Stubs>, upgrade: WebSocketUpgrade) -> Response {
    upgrade.on_upgrade(async move |socket| Recogniser::new(stubs).run(socket).await)
}

struct Recogniser {
    stubs: Stubs,
    /// Samples of a window that is not whole yet.
    rest: Vec<i16>,
    windows: u32,
    /// Loud windows in a row.
    loud: u32,
    /// The first and last loud window of what is being said, and when the last one came.
    speech: Option<(u32, u32, Instant)>,
    turn: usize,
    last_partial: Option<Instant>,
    /// Whether all that was said is in a partial transcript.
    told_whole: bool,
    due: VecDeque<(Instant, Value)>,
}

impl Recogniser {
    fn new(stubs: Stubs) -> Self {
        Self {
            stubs,
            rest: Vec::new(),
            windows: 0,
            loud: 0,
            speech: None,
            turn: 0,
            last_partial: None,
            told_whole: false,
            due: VecDeque::new(),
        }
    }

    async fn run(mut self, mut socket: WebSocket) {
        loop {
            let due = self.due.front().map(|(at, _)| *at);
            let told = async {
                match due {
                    Some(at) => sleep_until(at.into()).await,
                    None => std::future::pending().await,
                }
            };
            let answer = tokio::select! {
                () = told => {
                    self.stubs.log.note(clock::instant(), Hop::Transcript);
                    self.due.pop_front().map(|(_, result)| result)
                }
                message = socket.recv() => match message {
                    Some(Ok(Message::Binary(bytes))) => self.sound(&bytes),
                    Some(Ok(Message::Text(text))) if text.contains("Finalize") => Some(self.result("", true, 0, 0)),
                    Some(Ok(Message::Text(text))) if text.contains("CloseStream") => return,
                    Some(Ok(_)) => None,
                    Some(Err(_)) | None => return,
                },
            };
            if let Some(answer) = answer
                && socket.send(Message::Text(answer.to_string().into())).await.is_err()
            {
                return;
            }
        }
    }

    /// Sound came in; a partial transcript if one is due.
    fn sound(&mut self, bytes: &[u8]) -> Option<Value> {
        let now = clock::instant();
        self.rest.extend(bytes.as_chunks().0.iter().map(|pair| i16::from_le_bytes(*pair)));
        let windows: Vec<i16> = self.rest.drain(..self.rest.len() / WINDOW * WINDOW).collect();
        windows.chunks(WINDOW).for_each(|window| self.window(now, window));
        let (first, last, came) = self.speech?;
        let millis = |windows: u32| Duration::from_millis(u64::from(windows) * 10);
        if millis(self.windows - last) >= SILENCE {
            self.speech = None;
            let has_words = millis(last - first) >= WORDS_AFTER;
            let words = if has_words { self.words() } else { String::new() };
            let result = self.result(&words, true, first, last);
            self.due.push_back((came + self.stubs.delays.transcript, result));
            if has_words {
                self.stubs.log.note(came, Hop::LastSound);
                self.turn += 1;
            }
            return None;
        }
        let is_whole = self.stubs.delays.stable_partials && self.windows >= last + 2;
        if is_whole && !self.told_whole && millis(last - first) >= WORDS_AFTER {
            self.told_whole = true;
            return Some(self.result(&self.words(), false, first, last));
        }
        let is_due = self.last_partial.is_none_or(|at| now - at >= PARTIALS_EVERY);
        if !is_due || millis(self.windows - first) < WORDS_AFTER || self.windows > last + 2 {
            return None;
        }
        self.last_partial = Some(now);
        let said = ((self.windows - first) as usize * 26).div_ceil(1_000);
        let words: Vec<String> = self.words().split(' ').take(said).map(str::to_owned).collect();
        Some(self.result(words.join(" ").trim_end_matches('.'), false, first, self.windows))
    }

    fn window(&mut self, now: Instant, window: &[i16]) {
        self.windows += 1;
        if level(window) <= LOUD {
            self.loud = 0;
            return;
        }
        self.loud += 1;
        self.told_whole = false;
        match &mut self.speech {
            Some((_, last, came)) => (*last, *came) = (self.windows, now),
            None if self.loud >= 3 => self.speech = Some((self.windows - 3, self.windows, now)),
            None => {}
        }
    }

    fn words(&self) -> String {
        let project = PROJECTS[self.turn % PROJECTS.len()];
        format!(
            "In project {project} I built the billing service in Rust and measured the latency of \
                every request."
        )
    }

    fn result(&self, text: &str, is_final: bool, first: u32, last: u32) -> Value {
        let (start, length) = (f64::from(first) / 100.0, f64::from(last - first) / 100.0);
        let count = text.split_whitespace().count().max(1) as f64;
        let words = (0..).zip(text.split_whitespace()).map(|(n, word)| {
            let at = |n: i32| start + length * f64::from(n) / count;
            json!({"word": word, "punctuated_word": word, "start": at(n), "end": at(n + 1), "confidence": 0.99})
        });
        let words: Vec<Value> = words.collect();
        json!({"type": "Results", "start": start, "duration": length, "is_final": is_final, "speech_final": is_final,
            "from_finalize": is_final && first == last, "channel_index": [0, 1],
            "metadata": {"request_id": "bench", "model_uuid": "bench",
                "model_info": {"name": "bench", "version": "0", "arch": "bench"}},
            "channel": {"alternatives": [{"transcript": text, "confidence": 0.99, "words": words}]}})
    }
}

/// Root of the mean square.
pub(crate) fn level(window: &[i16]) -> f64 {
    let energy: f64 = window.iter().map(|sample| f64::from(*sample).powi(2)).sum();
    (energy / window.len().max(1) as f64).sqrt()
}

// The model.

async fn chat(State(stubs): State<Stubs>, Json(request): Json<Value>) -> Response {
    let asked = clock::instant();
    let last = request["messages"].as_array().and_then(|all| {
        let said = |message: &&Value| message["role"] == "user";
        all.iter().rev().find(said)?["content"].as_str().map(str::to_owned)
    });
    let text = reply_to(&last.unwrap_or_default());
    if request["stream"] != true {
        // The judge's: what it gets is no judgement, and nobody waits for it.
        return Json(json!({"choices": [{"message": {"role": "assistant", "content": "{}"}}]}))
            .into_response();
    }
    stubs.log.note(asked, Hop::Request);
    let words: Vec<String> = text.split_inclusive(' ').map(str::to_owned).collect();
    let due = asked + stubs.delays.first_token;
    Sse::new(tokens(stubs, words, due)).into_response()
}

/// To each project its own question, which nobody has asked yet.
fn reply_to(said: &str) -> String {
    let named = |project: &&str| said.contains(&format!("project {project} "));
    // A hole in what was heard makes two answers of one: what comes after the second has not been told.
    match PROJECTS.iter().rposition(named) {
        None => "Hello, nice to meet you. What did you build last year?".to_owned(),
        Some(n) => {
            let (project, question) = (PROJECTS[n], QUESTIONS[n % QUESTIONS.len()]);
            format!("Thank you for telling me about {project}, that is a clear answer. {question}")
        }
    }
}

fn tokens(
    stubs: Stubs,
    words: Vec<String>,
    first: Instant,
) -> impl Stream<Item = Result<Event, Infallible>> {
    stream::unfold((0, first), move |(n, due)| {
        let (stubs, words) = (stubs.clone(), words.clone());
        async move {
            sleep_until(due.into()).await;
            let now = clock::instant();
            if n == 0 {
                stubs.log.note(now, Hop::FirstToken);
            }
            let ends = |word: &String| word.trim_end().ends_with(['.', '!', '?']);
            if words.get(n).is_some_and(ends) && !words[..n].iter().any(ends) {
                stubs.log.note(now, Hop::Clause);
            }
            let event = match n.checked_sub(words.len()) {
                None => chunk(&json!({"index": 0, "delta": {"content": words[n]}})),
                Some(0) => chunk(&json!({"index": 0, "delta": {}, "finish_reason": "stop"})),
                Some(1) => "[DONE]".to_owned(),
                Some(_) => return None,
            };
            let pause = if n < words.len() { stubs.delays.token } else { Duration::ZERO };
            Some((Ok(Event::default().data(event)), (n + 1, due + pause)))
        }
    })
}

/// With all that other clients look for.
fn chunk(choice: &Value) -> String {
    json!({"id": "bench", "object": "chat.completion.chunk", "created": 0, "model": "bench", "choices": [choice]})
        .to_string()
}

// The voice.

/// Of what it gives: PCM, 24 kHz, 16 bits, mono.
const RATE: usize = 24_000;
const CHARACTER: Duration = Duration::from_millis(25);
/// So many times as fast as it is spoken.
const HASTE: u32 = 8;
const CHUNK: Duration = Duration::from_millis(20);

async fn speech(State(stubs): State<Stubs>, Json(request): Json<Value>) -> Response {
    let now = clock::instant();
    stubs.log.note(now, Hop::Voice);
    let text = request["input"].as_str().unwrap_or_default();
    let length = CHARACTER * u32::try_from(text.chars().count()).unwrap_or(u32::MAX).max(4);
    let chunks = length.div_duration_f64(CHUNK).ceil() as u32;
    sleep_until((now + stubs.delays.first_byte).into()).await;
    let began = clock::instant();
    stubs.log.note(began, Hop::FirstByte);
    let sound = stream::unfold(0, move |n| async move {
        if n == chunks {
            return None;
        }
        sleep_until((began + CHUNK * n / HASTE).into()).await;
        Some((Ok::<_, Infallible>(tone(n)), n + 1))
    });
    ([("content-type", "audio/pcm")], Body::from_stream(sound)).into_response()
}

/// One chunk of a tone that never falls silent.
fn tone(n: u32) -> Bytes {
    let samples = RATE / 50;
    let first = n as usize * samples;
    let sample = |at: usize| {
        (9_000.0 * (at as f64 / RATE as f64 * 600.0 * std::f64::consts::TAU).sin()) as i16
    };
    (first..first + samples).flat_map(|at| sample(at).to_le_bytes()).collect()
}
