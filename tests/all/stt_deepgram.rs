//! Deepgram over a real socket: what it is asked, what becomes of its results, and every fault that it can
//! have.

use std::{
    io::Write,
    net::Ipv4Addr,
    sync::{Arc, mpsc},
    thread,
    time::Duration,
};

use futures_util::future::join_all;
use rustls::{
    ServerConfig, ServerConnection, StreamOwned,
    pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
};
use serde_json::json;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio_tungstenite::tungstenite::{self, Message};
use vivavoce::{
    audio::Pcm16,
    blueprint::Language,
    config::Secret,
    providers::{
        Retry, Stt, SttOut, SttStream, Transcript,
        stt_deepgram::{self, Deepgram},
    },
    time::{SessionTime, Span},
};
use voiceroom::tls;

use crate::{
    chat_server::KEY,
    client::{PATIENCE, deaf_port},
    deepgram_server::{
        DeepgramServer, Heard, Mind, PAUSE_PIECES, Step, WORD_PIECES, WORDS, pause, word,
    },
};

const PIECE: Duration = Duration::from_millis(20);

/// A candidate whom a recogniser listens to.
pub(crate) struct Candidate {
    pub(crate) stream: Box<dyn SttStream>,
    told: UnboundedReceiver<Transcript>,
    pub(crate) at: SessionTime,
    _stt: Arc<dyn Stt>,
}

impl Candidate {
    fn new(config: &stt_deepgram::Settings) -> Self {
        Self::listened_to(config, &[])
    }

    pub(crate) fn listened_to(config: &stt_deepgram::Settings, keyterms: &[String]) -> Self {
        Self::of(Arc::new(Deepgram::new("deepgram", config).unwrap()), keyterms)
    }

    /// A candidate whom any recogniser listens to.
    pub(crate) fn of(stt: Arc<dyn Stt>, keyterms: &[String]) -> Self {
        let (out, told) = unbounded_channel();
        let out: SttOut = Box::new(move |transcript| drop(out.send(transcript)));
        let stream = stt.open_for(keyterms, out).unwrap();
        Self { stream, told, at: SessionTime::from_millis(7_000), _stt: stt }
    }

    pub(crate) fn push(&mut self, sound: Pcm16) {
        self.stream.push(self.at, &sound);
        self.at += PIECE;
    }

    pub(crate) fn silence(&mut self, pieces: usize) {
        (0..pieces).for_each(|_| self.push(pause()));
    }

    /// Says words as `listen` tells of it: the onset 80 ms late, the end 200 ms. Gives both.
    pub(crate) fn say(&mut self, words: std::ops::Range<usize>) -> (SessionTime, SessionTime) {
        let (from, to) = self.speak(words);
        self.stream.speech_stopped(to);
        (from, to)
    }

    /// The same, without telling of the end.
    fn speak(&mut self, words: std::ops::Range<usize>) -> (SessionTime, SessionTime) {
        let (from, mut to) = (self.at, self.at);
        for (n, word_n) in words.enumerate() {
            for piece in 0..WORD_PIECES {
                self.push(word(word_n));
                if (n, piece) == (0, 3) {
                    self.stream.speech_started(from);
                }
            }
            to = self.at;
            self.silence(PAUSE_PIECES);
        }
        self.silence(5);
        (from, to)
    }

    pub(crate) async fn next(&mut self) -> Transcript {
        let told = tokio::time::timeout(PATIENCE, self.told.recv()).await;
        told.expect("something is told").unwrap()
    }

    /// Waits until these words are known on the way.
    async fn is_understood(&mut self, words: std::ops::Range<usize>) {
        while self.next().await.text != text(words.clone()) {}
    }

    /// What is told up to the first final, which it is.
    pub(crate) async fn finally(&mut self) -> Transcript {
        loop {
            let transcript = self.next().await;
            if transcript.is_final {
                return transcript;
            }
        }
    }

    /// What is told up to this text as a final.
    pub(crate) async fn until(&mut self, text: &str) -> Transcript {
        loop {
            let transcript = self.finally().await;
            if transcript.text == text {
                return transcript;
            }
        }
    }
}

pub(crate) fn text(words: std::ops::Range<usize>) -> String {
    WORDS[words].join(" ")
}

fn is_said(heard: &Heard, what: &str) -> bool {
    matches!(heard, Heard::Said(said) if said.contains(what))
}

/// P03, P05: flux tells the ends of turns. A pause in one is told as it is known by then, soon; the end of
/// the turn is said of its last segment, and asked for by nobody.
#[tokio::test]
async fn flux_tells_turns() {
    let server = DeepgramServer::start(|mind, heard| mind.turns(heard, 40));
    let mut candidate = Candidate::new(&stt_deepgram::Settings {
        model: "flux-general-en".to_owned(),
        ..server.config()
    });
    candidate.silence(50);
    let (_, to) = candidate.speak(0..2);
    candidate.is_understood(0..2).await;
    candidate.stream.speech_stopped(to);
    let paused = candidate.finally().await;
    assert_eq!((paused.segment, paused.text, paused.ends_turn), (1, text(0..2), Some(false)));
    candidate.silence(10);
    let (from, to) = candidate.speak(2..5);
    candidate.is_understood(2..5).await;
    candidate.stream.speech_stopped(to);
    let open = candidate.finally().await;
    assert_eq!((open.segment, open.text, open.ends_turn), (2, text(2..5), Some(false)));
    candidate.silence(40);
    let ended = candidate.finally().await;
    let expected = Transcript {
        segment: 2,
        is_final: true,
        from,
        to,
        text: text(2..5),
        confidence: Some(0.9),
        ends_turn: Some(true),
        spans: vec![Span::new(from, to)],
    };
    assert_eq!(ended, expected, "only the last segment is told again");
    candidate.say(5..7);
    candidate.silence(40);
    let next = candidate.until(&text(5..7)).await;
    assert_eq!(next.segment, 3);
    let heard = server.heard();
    let Some((_, Heard::Opened(head))) = heard.first() else { panic!("no connection") };
    assert!(head.starts_with("GET /v2/listen?model=flux-general-en&"), "{head}");
    assert!(!head.contains("interim_results"), "{head}");
    assert!(!heard.iter().any(|(_, heard)| is_said(heard, "")), "{heard:?}");
}

/// P01, P03, P05: sound goes out 20 ms a piece as it comes, words come back as partials that grow and a
/// final; the end of voice asks for it; times are those of the audio clock, the confidence is the
/// alternative's.
#[tokio::test]
async fn words_are_heard_as_they_are_said() {
    let server = DeepgramServer::start(Mind::well);
    let mut config = server.config();
    config.base_url.set_query(Some("tag=a&endpointing=300"));
    let mut candidate = Candidate::new(&config);
    for segment in 1..3 {
        candidate.silence(50);
        let (from, to) = candidate.say(0..5);
        let mut partials: Vec<Transcript> = Vec::new();
        let told = loop {
            match candidate.next().await {
                told if told.is_final => break told,
                partial => partials.push(partial),
            }
        };
        let expected = Transcript {
            segment,
            is_final: true,
            from,
            to,
            text: text(0..5),
            confidence: Some(0.9),
            ends_turn: None,
            spans: vec![Span::new(from, to)],
        };
        assert_eq!(told, expected);
        let partial_texts: Vec<_> = partials.iter().map(|told| told.text.as_str()).collect();
        assert!(partials.len() >= 3, "{partial_texts:?}");
        assert!(partial_texts.is_sorted_by_key(|text| text.len()), "{partial_texts:?}");
        assert!(partials.iter().all(|it| it.segment == segment && it.from == from && it.to <= to));
    }
    let heard = server.heard();
    let (1, Heard::Opened(head)) = &heard[0] else { panic!("{:?}", heard[0]) };
    let first = head.lines().next().unwrap();
    assert_eq!(
        first,
        "GET /v1/listen?tag=a&endpointing=300&model=nova-3&encoding=linear16&sample_rate=16000\
         &language=en&channels=1&interim_results=true&punctuate=true&filler_words=true HTTP/1.1"
    );
    assert!(head.to_lowercase().contains(&format!("authorization: token {KEY}\r\n")), "{head}");
    let sounds = heard.iter().filter(|(_, heard)| matches!(heard, Heard::Sound(_)));
    assert!(sounds.clone().all(|(_, heard)| *heard == Heard::Sound(640)));
    assert_eq!(sounds.count(), 2 * (50 + 5 * (WORD_PIECES + PAUSE_PIECES) + 5));
    let finalized = heard.iter().filter(|(_, heard)| is_said(heard, "Finalize")).count();
    assert_eq!(finalized, 2, "once for each end of voice");
}

/// P03: finals of one utterance come in several pieces and add up; where they reach its end nobody waits for
/// another one.
#[tokio::test]
async fn finals_add_up() {
    let server = DeepgramServer::start(|mind, heard| match heard {
        Heard::Sound(_) if mind.pieces.is_multiple_of(2 * (WORD_PIECES + PAUSE_PIECES)) => {
            vec![mind.finish(false)]
        }
        _ => Vec::new(),
    });
    let mut candidate = Candidate::new(&server.config());
    let (from, to) = candidate.say(0..6);
    let told = candidate.finally().await;
    assert_eq!((told.text, told.from, told.to), (text(0..6), from, to));
    assert_eq!(told.confidence, Some(0.9));
}

/// P03: whenever the connection is cut, the last sound is sent again, and words around the cut are told once,
/// in their order, at their time.
#[tokio::test]
async fn a_cut_loses_no_word_and_tells_none_twice() {
    let cuts = (3..140).step_by(9).map(|cut| async move {
        let server = DeepgramServer::start(move |mind, heard| match heard {
            Heard::Sound(_) if mind.connection == 1 && mind.pieces == cut => vec![Step::Reset],
            Heard::Sound(_) if mind.pieces % 40 == 39 => vec![mind.finish(false)],
            heard => mind.well(heard),
        });
        let mut candidate = Candidate::new(&server.config());
        let (from, to) = candidate.say(0..7);
        let told = candidate.until(&text(0..7)).await;
        assert_eq!((told.segment, told.from, told.to), (1, from, to), "cut after {cut} pieces");
        assert_eq!(server.connections(), 2, "cut after {cut} pieces");
        // What follows is heard at its time, too.
        let (from, to) = candidate.say(7..9);
        let told = candidate.until(&text(7..9)).await;
        assert_eq!((told.segment, told.from, told.to), (2, from, to), "cut after {cut} pieces");
    });
    join_all(cuts).await;
}

/// The configuration with its usual limit, which is waited for where no words come.
fn soon(server: &DeepgramServer) -> stt_deepgram::Settings {
    let final_limit = stt_deepgram::Settings::default().final_limit;
    stt_deepgram::Settings { final_limit, ..server.config() }
}

/// An answer to the handshake that is none.
fn refusal(status: &str, headers: &str) -> Step {
    let body = json!({ "err_code": "X", "err_msg": format!("no, {KEY}"), "request_id": "x" });
    let (body, length) = (body.to_string(), body.to_string().len());
    Step::Http(format!("HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\n\r\n{body}"))
}

/// P02, P09, P10: what keeps a connection from being opened is one sentence that says where and what to do,
/// and never shows the key. Where another try can help there is one, and nothing that was said is lost; where
/// it cannot there is none.
#[tokio::test]
async fn refusals_are_one_sentence_with_advice() {
    use Retry::{After, Never, Now};
    let hour = After(Duration::from_secs(3_600));
    let html = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 2\r\n\r\nhi";
    let garbage = Step::Http("\u{1}\u{2}garbage\r\n\r\n".to_owned());
    let faults = [
        (
            refusal("401 Unauthorized", ""),
            "check DEEPGRAM_API_KEY or providers.deepgram.api_key_file",
            Never,
        ),
        (refusal("403 Forbidden", ""), "whether it may use `nova-3`", Never),
        (
            refusal("404 Not Found", ""),
            "check providers.deepgram.base_url and providers.deepgram.model",
            Never,
        ),
        (
            refusal("400 Bad Request", ""),
            "no, (the key); check providers.deepgram.model and",
            Never,
        ),
        (refusal("402 Payment Required", ""), "has no credit left", Never),
        (refusal("429 Too Many Requests", "retry-after: 3600\r\n"), "for 3600 s", hour),
        (refusal("500 Internal Server Error", ""), "failed with 500", Now),
        (
            Step::Http(html.to_owned()),
            "speaks no WebSocket; is providers.deepgram.base_url right?",
            Never,
        ),
        (garbage, "broke off", Now),
        (Step::Reset, "broke off", Now),
        (Step::Hang, "does not answer within 3 s", Now),
    ];
    let checks = faults.into_iter().map(|(step, says, retry)| async move {
        // Twice: `doctor` and the candidate.
        let mut server = DeepgramServer::start(move |mind, heard| match heard {
            Heard::Opened(_) if mind.connection <= 2 => vec![step.clone()],
            heard => mind.well(heard),
        });
        let error = Deepgram::new("deepgram", &server.config()).unwrap().check().await.unwrap_err();
        assert!(error.what.contains(says), "{error} does not say {says:?}");
        assert_eq!(error.retry, retry, "{error}");
        assert!(error.what.contains("/v1/listen"), "{error}: where?");
        assert!(!error.what.contains(KEY), "{error} shows the key");
        assert_eq!(error.what.lines().count(), 1, "{error}");

        let mut candidate = Candidate::new(&soon(&server));
        candidate.say(0..3);
        match retry {
            // The interview goes on: it is told that nothing was understood, of what is said later, too.
            Never => {
                server.until(|connection, _| connection == 2).await;
                assert_eq!(candidate.finally().await.text, "", "{says}");
                candidate.say(3..5);
                assert_eq!(candidate.finally().await.text, "", "{says}");
                assert_eq!(server.connections(), 2, "{says}: it is not tried again");
            }
            // It would be in 10 s.
            After(_) => {}
            Now => drop(candidate.until(&text(0..3)).await),
        }
    });
    join_all(checks).await;
}

/// P09: nobody there is one sentence, too.
#[tokio::test]
async fn nobody_there_is_named() {
    let (_held, port) = deaf_port();
    let address = format!("127.0.0.1:{port}");
    let base_url = format!("ws://{address}").parse().unwrap();
    let config = stt_deepgram::Settings { base_url, ..stt_deepgram::Settings::default() };
    let error = Deepgram::new("deepgram", &config).unwrap().check().await.unwrap_err();
    assert!(error.what.starts_with(&format!("no recogniser answers at ws://{address}")), "{error}");
}

/// P10: whoever lets us in, says who they are and hangs up is asked again ever more rarely: only results are
/// a service.
#[tokio::test]
async fn a_recogniser_that_hangs_up_is_not_pressed() {
    let mut server = DeepgramServer::start(|mind, heard| match heard {
        Heard::Opened(_) => {
            vec![Step::Say(json!({ "type": "Metadata" })), Step::Close(1011, "NET-0000")]
        }
        heard => mind.well(heard),
    });
    let began = vivavoce::clock::instant();
    let _candidate = Candidate::new(&server.config());
    server.until(|connection, _| connection == 4).await;
    // At once, after 250 ms and after 500 ms.
    assert!(began.elapsed() >= Duration::from_millis(750), "{:?}", began.elapsed());
}

/// P03, P10: whatever happens in the middle of an answer, all of its words are told: after an error, a
/// farewell, a message without an end and a silence on another connection, after nonsense and a slow drip on
/// the same one.
#[tokio::test]
async fn faults_in_mid_stream_lose_nothing() {
    let error = json!({ "type": "Error", "description": format!("no, {KEY}"), "variant": "X" });
    let long = Message::text(format!("{{\"type\":\"{}\"}}", "x".repeat(2 << 20)));
    let torn = Message::text(r#"{"type":"Results","channel":{"alternatives":[{"transcript":"I ba"#);
    let other = json!({ "type": "Results", "start": 1e12, "duration": -5, "channel": [] });
    let faults: [(&str, Vec<Step>, usize); 9] = [
        ("an error", vec![Step::Say(error)], 2),
        ("no sound in 10 s", vec![Step::Close(1011, "NET-0001")], 2),
        ("no sound of theirs", vec![Step::Close(1008, "DATA-0000")], 2),
        ("a message without an end", vec![Step::Send(long)], 2),
        ("silence", vec![Step::Hang], 2),
        ("garbage", vec![Step::Send(Message::text("\u{fffd}{not json")), Step::Send(torn)], 1),
        ("bytes", vec![Step::Send(Message::binary(vec![255_u8; 64]))], 1),
        ("wrong types and times", vec![Step::Say(other)], 1),
        ("a drip", vec![], 1),
    ];
    let checks = faults.into_iter().map(|(what, steps, connections)| async move {
        let server = DeepgramServer::start(move |mind, heard| match heard {
            Heard::Sound(_) if mind.connection == 1 && mind.pieces == 50 => steps.clone(),
            heard => {
                let drips = what == "a drip";
                let steps = mind.well(heard).into_iter().map(|step| match step {
                    Step::Say(value) if drips => Step::Drip(value),
                    step => step,
                });
                steps.collect()
            }
        });
        let mut candidate = Candidate::new(&server.config());
        let (from, to) = candidate.say(0..6);
        let told = candidate.until(&text(0..6)).await;
        assert_eq!((told.segment, told.from, told.to), (1, from, to), "{what}");
        assert_eq!(server.connections(), connections, "{what}");
    });
    join_all(checks).await;
}

/// P03: a connection on which nothing is said is kept open, and is the one on which the answer is heard.
#[tokio::test]
async fn a_silent_connection_is_kept() {
    let mut server = DeepgramServer::start(Mind::well);
    let mut candidate = Candidate::new(&server.config());
    server.until(|_, heard| is_said(heard, r#"{"type":"KeepAlive"}"#)).await;
    // Sound began long after the connection: its times are right all the same.
    candidate.at = SessionTime::from_millis(60_000);
    let (from, to) = candidate.say(0..2);
    let told = candidate.finally().await;
    assert_eq!((told.text, told.from, told.to), (text(0..2), from, to));
    assert_eq!(server.connections(), 1);
}

/// P03: speech whose transcript does not come has an explicit one without words, and the better one if it
/// comes later.
#[tokio::test]
async fn what_is_late_is_told_as_nothing_and_then_better() {
    let server = DeepgramServer::start(|mind, heard| match heard {
        // The next answer shakes the last one loose.
        Heard::Sound(_) if mind.pieces == 70 => vec![mind.finish(false)],
        _ => Vec::new(),
    });
    let mut candidate = Candidate::new(&soon(&server));
    let (from, to) = candidate.say(0..2);
    let gap = candidate.finally().await;
    assert_eq!((gap.segment, gap.text.as_str(), gap.from, gap.to), (1, "", from, to));
    candidate.silence(30);
    let better = candidate.finally().await;
    assert_eq!((better.segment, better.text), (1, text(0..2)));
    assert_eq!((better.from, better.to), (from, to));
}

/// P03: a server that answers the end of voice before it has decided tells its words later (as a stub of it
/// does): what is interim is not given up for the empty answer.
#[tokio::test]
async fn an_empty_answer_gives_up_no_interim_words() {
    let server = DeepgramServer::start(|mind, heard| match heard {
        Heard::Said(said) if said.contains("Finalize") => {
            let seconds = mind.pieces as f64 * 0.02;
            let empty = json!({
                "type": "Results", "is_final": true, "from_finalize": true, "start": seconds,
                "duration": 0.0, "channel": { "alternatives": [{ "transcript": "" }] },
            });
            vec![Step::Say(empty), mind.finish(false)]
        }
        heard => mind.well(heard),
    });
    let mut candidate = Candidate::new(&server.config());
    candidate.say(0..4);
    assert_eq!(candidate.finally().await.text, text(0..4));
}

/// P03, P10: sound without a word is told as such, at once; words that no voice was seen for are a piece of
/// speech of their own.
#[tokio::test]
async fn empty_sound_and_missed_voice() {
    let server = DeepgramServer::start(|mind, heard| match heard {
        Heard::Sound(_) if mind.pieces == 200 => vec![mind.finish(false)],
        heard => mind.well(heard),
    });
    let mut candidate = Candidate::new(&server.config());
    let from = candidate.at;
    candidate.silence(20);
    candidate.stream.speech_started(from);
    candidate.silence(20);
    candidate.stream.speech_stopped(from + 15 * PIECE);
    let told = candidate.finally().await;
    assert_eq!((told.segment, told.text.as_str()), (1, ""));

    candidate.silence(100);
    let missed = candidate.at;
    (0..WORD_PIECES).for_each(|_| candidate.push(word(3)));
    candidate.silence(50);
    let told = candidate.finally().await;
    assert_eq!((told.segment, told.text.as_str()), (2, "and"));
    assert_eq!((told.from, told.to), (missed, missed + WORD_PIECES as u32 * PIECE));
    let (from, _) = candidate.say(0..2);
    let told = candidate.finally().await;
    assert_eq!((told.segment, told.text, told.from), (3, text(0..2), from));
}

/// P01: candidates share a thread and nothing else; who leaves says so.
#[tokio::test]
async fn candidates_are_apart() {
    let mut server = DeepgramServer::start(Mind::well);
    let mut first = Candidate::new(&server.config());
    let (out, told) = unbounded_channel();
    let stream = first._stt.open(Box::new(move |transcript| drop(out.send(transcript)))).unwrap();
    let other = Deepgram::new("deepgram", &server.config()).unwrap();
    let mut second = Candidate { stream, told, at: SessionTime::ZERO, _stt: Arc::new(other) };
    first.say(0..3);
    second.say(3..6);
    assert_eq!(first.finally().await.text, text(0..3));
    assert_eq!(second.finally().await.text, text(3..6));
    drop(first);
    server.until(|_, heard| is_said(heard, "CloseStream")).await;
    server.until(|_, heard| *heard == Heard::Gone).await;
    second.say(6..9);
    assert_eq!(second.finally().await.text, text(6..9));
}

/// P01: on virtual time a candidate speaks much faster than a person, and every final is there when it is
/// waited for.
#[test]
fn lockstep_waits_for_finals() {
    let server = DeepgramServer::start(Mind::well);
    let mut candidate = Candidate::new(&server.config());
    for words in [0..5, 2..9, 0..1] {
        candidate.say(words.clone());
        candidate.stream.settle();
        let mut told = std::iter::from_fn(|| candidate.told.try_recv().ok());
        let last = told.find(|told| told.is_final).expect("it was waited for");
        assert_eq!(last.text, text(words));
        candidate.silence(50);
        candidate.stream.settle();
    }
}

/// A recogniser knows the language that its settings say; `multi` is all of them.
#[test]
fn a_recogniser_knows_its_language() {
    for (set, knows) in [
        ("en", [true, false, false]),
        ("EN-gb", [true, false, false]),
        ("de", [false, true, false]),
        ("it", [false, false, true]),
        ("multi", [true, true, true]),
    ] {
        let config = stt_deepgram::Settings {
            language: set.to_owned(),
            api_key: Secret::new("key"),
            ..stt_deepgram::Settings::default()
        };
        let stt = Deepgram::new("deepgram", &config).unwrap();
        assert_eq!(Language::ALL.map(|(_, language)| stt.hears(language)), knows, "{set}");
    }
}

/// P01: the key is read from its file; without one only servers nearby are called; no message shows it.
#[test]
fn keys_are_found_and_never_shown() {
    let config = stt_deepgram::Settings::default();
    let error = Deepgram::new("deepgram", &config).err().unwrap();
    assert_eq!(
        error.what,
        "there is no key to wss://api.deepgram.com/v1/listen: set DEEPGRAM_API_KEY, or \
            providers.deepgram.api_key_file to a file that holds it"
    );
    let broken = stt_deepgram::Settings { api_key: Secret::new("hush\nhush"), ..config.clone() };
    let error = Deepgram::new("deepgram", &broken).err().unwrap().what;
    assert!(error.contains("characters that no key has") && !error.contains("hush"), "{error}");
    let missing = stt_deepgram::Settings { api_key_file: Some("/nowhere/key".into()), ..config };
    let error = Deepgram::new("deepgram", &missing).err().unwrap().what;
    assert!(
        error.starts_with("cannot read providers.deepgram.api_key_file /nowhere/key: "),
        "{error}"
    );
}

/// P05: over TLS with a certificate of one's own: refused in one sentence until it is trusted, never a panic.
#[tokio::test]
async fn tls_with_a_certificate_of_ones_own() {
    tls::install();
    let own = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let (url, said) = tls_server(&own);
    let config = stt_deepgram::Settings::default();
    let base_url = url.parse().unwrap();
    let unknown = stt_deepgram::Settings { base_url, api_key: Secret::new(KEY), ..config };
    let error = Deepgram::new("deepgram", &unknown).unwrap().check().await.unwrap_err();
    assert!(error.what.contains("certificate"), "{error}");

    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(own.cert.pem().as_bytes()).unwrap();
    let trusted = stt_deepgram::Settings { ca_file: Some(file.path().into()), ..unknown };
    Deepgram::new("deepgram", &trusted).unwrap().check().await.unwrap();
    assert_eq!(said.recv().unwrap(), r#"{"type":"CloseStream"}"#);
}

/// Answers the first message of each connection over TLS, and tells it.
fn tls_server(own: &rcgen::CertifiedKey<rcgen::KeyPair>) -> (String, mpsc::Receiver<String>) {
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(own.signing_key.serialize_der()));
    let config = ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(vec![own.cert.der().clone()], key)
        .unwrap();
    let config = Arc::new(config);
    let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let url = format!("wss://localhost:{}", listener.local_addr().unwrap().port());
    let (said_tx, said) = mpsc::channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let connection = ServerConnection::new(config.clone()).unwrap();
            let tls = StreamOwned::new(connection, stream.unwrap());
            let Ok(mut socket) = tungstenite::accept(tls) else { continue };
            let Ok(Message::Text(text)) = socket.read() else { continue };
            let _ = socket.send(Message::text(r#"{"type":"Metadata"}"#));
            if said_tx.send(text.to_string()).is_err() {
                return;
            }
        }
    });
    (url, said)
}
