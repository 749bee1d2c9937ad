//! The recognisers behind servers, each over a real socket: one table of faults that all of them pass. An
//! interview goes on after each, every segment is told, and words are lost only where nothing could bring
//! them.

use std::{any::Any, sync::Arc};

use futures_util::future::join_all;
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;
use vivavoce::{
    config::Config,
    providers::{
        Stt,
        kind::{Place, Resources, Role},
        models::Models,
    },
};

use crate::{
    assemblyai_server,
    chat_server::KEY,
    deepgram_server::{self, DeepgramServer, Heard, Mind, PAUSE_PIECES, WORD_PIECES, word},
    soniox_server,
    stt_deepgram::{Candidate, text},
    transcription_server::{self, TranscriptionServer},
};

/// Nothing takes that long.
const PATIENCE: &str = "60s";

/// Starts a server with a fault.
type Starts = fn(Fault) -> Server;

/// Every kind of recogniser with a server, and a server of its vendor with a fault.
const KINDS: &[(&str, Starts)] = &[
    ("deepgram", deepgram),
    ("soniox", soniox),
    ("assemblyai", assemblyai),
    ("openai-transcription", transcription),
];

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Nothing,
    /// The first call or connection is refused, with these headers.
    RefusedOnce(u16, &'static str),
    /// All are.
    Refused(u16),
    /// The first one is not answered.
    HangsOnce,
    ResetOnce,
    /// Answers come byte by byte.
    Drips,
    /// The first answer is no message, half of one, or 10 MB.
    GarbageOnce,
    TornOnce,
    HugeOnce,
    /// Nothing is understood.
    Deaf,
}

/// What comes of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// All words are told.
    Words,
    /// The segment is told without words, and so is the next one.
    Nothing,
    /// By the vendor: words, or none and those of the next segment.
    NextWords,
}

/// The table of all faults.
const FAULTS: &[(Fault, Outcome)] = &[
    (Fault::Nothing, Outcome::Words),
    (Fault::Refused(401), Outcome::Nothing),
    (Fault::Refused(402), Outcome::Nothing),
    (Fault::Refused(403), Outcome::Nothing),
    (Fault::Refused(404), Outcome::Nothing),
    (Fault::RefusedOnce(429, "retry-after-ms: 5\r\n"), Outcome::Words),
    (Fault::RefusedOnce(500, ""), Outcome::Words),
    (Fault::RefusedOnce(503, "retry-after: 0.01\r\n"), Outcome::Words),
    (Fault::HangsOnce, Outcome::NextWords),
    (Fault::ResetOnce, Outcome::Words),
    (Fault::Drips, Outcome::Words),
    (Fault::GarbageOnce, Outcome::Words),
    (Fault::TornOnce, Outcome::Words),
    (Fault::HugeOnce, Outcome::Words),
    (Fault::Deaf, Outcome::Nothing),
];

/// A server that runs until it is dropped.
struct Server {
    base_url: String,
    _server: Box<dyn Any>,
}

fn refusal() -> serde_json::Value {
    json!({ "error": { "message": format!("no, {KEY}"), "code": "x" } })
}

/// How a vendor speaks that refuses in the handshake.
#[derive(Clone, Copy)]
struct Manner {
    well: fn(&mut Mind, &Heard) -> Vec<deepgram_server::Step>,
    /// What it does if it understands nothing.
    deaf: fn(&mut Mind, &Heard) -> Vec<deepgram_server::Step>,
    /// Half a message.
    torn: &'static str,
}

fn deepgram(fault: Fault) -> Server {
    let manner = Manner {
        well: Mind::well,
        deaf: |mind, heard| match heard {
            Heard::Said(said) if said.contains("Finalize") => {
                mind.listen_to(&deepgram_nothing());
                vec![mind.finish(true)]
            }
            _ => Vec::new(),
        },
        torn: r#"{"type":"Results","channel":{"alternatives":[{"tra"#,
    };
    streaming(fault, manner)
}

/// Where there were no words it says nothing.
fn assemblyai(fault: Fault) -> Server {
    let manner = Manner {
        well: assemblyai_server::well,
        deaf: |_, _| Vec::new(),
        torn: r#"{"type":"Turn","words":[{"te"#,
    };
    streaming(fault, manner)
}

fn streaming(fault: Fault, manner: Manner) -> Server {
    use deepgram_server::Step;
    let refused = |status, headers| {
        let body = refusal().to_string();
        let length = body.len();
        Step::Http(format!(
            "HTTP/1.1 {status} No\r\n{headers}content-length: {length}\r\n\r\n{body}"
        ))
    };
    let server = DeepgramServer::start(move |mind, heard| {
        let is_first = mind.connection == 1;
        let opens = matches!(heard, Heard::Opened(_));
        let is_middle = is_first && mind.pieces == 20 && matches!(heard, Heard::Sound(_));
        match fault {
            Fault::Refused(status) if opens => vec![refused(status, "")],
            Fault::RefusedOnce(status, headers) if opens && is_first => {
                vec![refused(status, headers)]
            }
            Fault::HangsOnce if opens && is_first => vec![Step::Hang],
            Fault::ResetOnce if is_middle => vec![Step::Reset],
            Fault::GarbageOnce if is_middle => vec![Step::Send(Message::text("\u{fffd}{not json"))],
            Fault::TornOnce if is_middle => vec![Step::Send(Message::text(manner.torn))],
            Fault::HugeOnce if is_middle => vec![Step::Send(Message::text("x".repeat(10 << 20)))],
            Fault::Deaf => (manner.deaf)(mind, heard),
            Fault::Drips => {
                let steps = (manner.well)(mind, heard).into_iter().map(|step| match step {
                    Step::Say(value) => Step::Drip(value),
                    step => step,
                });
                steps.collect()
            }
            _ => (manner.well)(mind, heard),
        }
    });
    Server { base_url: server.base_url(), _server: Box::new(server) }
}

/// Nothing that was said.
fn deepgram_nothing() -> crate::recognisers::Said {
    Arc::default()
}

/// A wrong key is refused in the handshake, everything else by a message.
fn soniox(fault: Fault) -> Server {
    use deepgram_server::Step;
    let server = DeepgramServer::start(move |mind, heard| {
        let is_first = mind.connection == 1;
        let (opens, begins) = (matches!(heard, Heard::Opened(_)), soniox_server::is_hello(heard));
        let is_middle = is_first && mind.pieces == 20 && matches!(heard, Heard::Sound(_));
        let says = format!("no, {KEY}");
        match fault {
            Fault::Refused(status @ (401 | 403)) if opens => {
                let (body, line) = (refusal().to_string(), format!("HTTP/1.1 {status} No"));
                let length = body.len();
                vec![Step::Http(format!("{line}\r\ncontent-length: {length}\r\n\r\n{body}"))]
            }
            Fault::Refused(status) if begins => soniox_server::refuse(status, &says),
            Fault::RefusedOnce(status, _) if begins && is_first => {
                soniox_server::refuse(status, &says)
            }
            Fault::HangsOnce if opens && is_first => vec![Step::Hang],
            Fault::ResetOnce if is_middle => vec![Step::Reset],
            Fault::GarbageOnce if is_middle => vec![Step::Send(Message::text("\u{fffd}{not json"))],
            Fault::TornOnce if is_middle => vec![Step::Send(Message::text(r#"{"tokens":[{"tex"#))],
            Fault::HugeOnce if is_middle => vec![Step::Send(Message::text("x".repeat(10 << 20)))],
            Fault::Deaf => match heard {
                Heard::Said(said) if said.contains("finalize") => {
                    mind.listen_to(&deepgram_nothing());
                    vec![soniox_server::finish(mind)]
                }
                _ => Vec::new(),
            },
            Fault::Drips => {
                let steps = soniox_server::well(mind, heard).into_iter().map(|step| match step {
                    Step::Say(value) => Step::Drip(value),
                    step => step,
                });
                steps.collect()
            }
            _ => soniox_server::well(mind, heard),
        }
    });
    Server { base_url: server.base_url(), _server: Box::new(server) }
}

fn transcription(fault: Fault) -> Server {
    use transcription_server::Step;
    let mut calls = 0;
    let server = TranscriptionServer::start(move |asked| {
        calls += 1;
        let is_first = calls == 1;
        match fault {
            Fault::Refused(status) => Step::Refuse(status, "", refusal()),
            Fault::RefusedOnce(status, headers) if is_first => {
                Step::Refuse(status, headers, refusal())
            }
            Fault::HangsOnce if is_first => Step::Hang,
            Fault::ResetOnce if is_first => Step::Reset,
            Fault::GarbageOnce if is_first => Step::Answer("\u{fffd}{not json".into()),
            Fault::TornOnce if is_first => Step::Torn(asked.answer()),
            Fault::HugeOnce if is_first => Step::Answer(vec![b'x'; 10 << 20]),
            Fault::Drips => Step::Drip(asked.answer()),
            Fault::Deaf => Step::Answer(json!({ "text": "" }).to_string().into_bytes()),
            _ => Step::Answer(asked.answer()),
        }
    });
    Server { base_url: server.base_url(), _server: Box::new(server) }
}

/// A recogniser of a kind, with settings of its own beside address and key.
fn recogniser(kind: &str, base_url: &str, settings: &[(&str, &str)]) -> Arc<dyn Stt> {
    let section = kind.to_uppercase().replace('-', "_");
    let all = [("base_url", base_url), ("api_key", KEY)];
    let settings = all.iter().chain(settings).map(|(key, value)| {
        (format!("VIVAVOCE_PROVIDERS__{section}__{}", key.to_uppercase()), (*value).to_owned())
    });
    let config = Config::read(None, settings).unwrap();
    let offer = config.providers.get(kind).unwrap().stt.clone().unwrap();
    let models = Models::new(None);
    offer.open(&Resources { models: &models, interviews: 1 }).unwrap()
}

/// One fault with one kind of recogniser.
async fn check(kind: &str, server: fn(Fault) -> Server, fault: Fault, outcome: Outcome) {
    let what = format!("{kind}: {fault:?}");
    let server = server(fault);
    // A busy machine must not look like a slow server; where nothing comes, the limit is waited for.
    let settings: &[(&str, &str)] = match (kind, fault, outcome) {
        // Waited for whole; words on the way would take the fault upon them.
        ("openai-transcription", Fault::HangsOnce, _) => {
            &[("final_limit", "10s"), ("interim_every", "0s")]
        }
        ("openai-transcription", ..) => &[("final_limit", PATIENCE), ("interim_every", "0s")],
        (_, _, Outcome::Nothing) => &[],
        (_, _, Outcome::Words | Outcome::NextWords) => &[("final_limit", PATIENCE)],
    };
    let mut candidate = Candidate::of(recogniser(kind, &server.base_url, settings), &[]);
    candidate.silence(10);
    let (from, _) = candidate.say(0..3);
    let first = match outcome {
        Outcome::Words => candidate.until(&text(0..3)).await,
        Outcome::Nothing | Outcome::NextWords => candidate.finally().await,
    };
    assert_eq!((first.segment, first.from), (1, from), "{what}");
    if outcome == Outcome::Nothing {
        assert_eq!(first.text, "", "{what}");
    }
    candidate.silence(40);
    let (from, _) = candidate.say(3..5);
    let next = match outcome {
        Outcome::Words | Outcome::NextWords => candidate.until(&text(3..5)).await,
        Outcome::Nothing => candidate.finally().await,
    };
    assert_eq!((next.segment, next.from), (2, from), "{what}");
    if outcome == Outcome::Nothing {
        assert_eq!(next.text, "", "{what}");
    }
}

/// P03, P10: every fault with every kind of recogniser: each segment is told, the interview goes on, and
/// words are lost only where nothing could bring them.
#[tokio::test]
async fn every_recogniser_survives_every_fault() {
    for (kind, server) in KINDS {
        // All at the same time: some wait for a limit.
        let each = FAULTS.iter().map(|(fault, outcome)| check(kind, *server, *fault, *outcome));
        join_all(each).await;
    }
}

/// P03: a connection that is opened again in the middle of a word, before the voice is told of, asks for no
/// finals: they would make a segment of the half of it that was said by then.
#[tokio::test]
async fn a_cut_before_the_voice_is_known_cuts_no_word() {
    let mut server = DeepgramServer::start(|mind, heard| match heard {
        Heard::Sound(_) if mind.connection == 1 && mind.pieces == 4 => {
            vec![deepgram_server::Step::Reset]
        }
        heard => mind.well(heard),
    });
    let mut candidate = Candidate::listened_to(&server.config(), &[]);
    let from = candidate.at;
    (0..4).for_each(|_| candidate.push(word(0)));
    server.until(|connection, heard| connection == 2 && matches!(heard, Heard::Sound(_))).await;
    candidate.stream.speech_started(from);
    (4..WORD_PIECES).for_each(|_| candidate.push(word(0)));
    candidate.silence(PAUSE_PIECES);
    (0..WORD_PIECES).for_each(|_| candidate.push(word(1)));
    let to = candidate.at;
    candidate.silence(10);
    candidate.stream.speech_stopped(to);
    let told = candidate.finally().await;
    assert_eq!((told.segment, told.text, told.from, told.to), (1, text(0..2), from, to));
}

/// P10: a kind of recogniser with a server that is not in the table above fails here.
#[test]
fn every_recogniser_with_a_server_is_in_the_table() {
    let config = Config::read(None, []).unwrap();
    let mut servers: Vec<_> = config.providers.names(Role::Stt);
    servers.retain(|name| {
        matches!(config.providers.get(name).unwrap().place(Role::Stt), Some(Place::Server(_)))
    });
    let mut tested: Vec<_> = KINDS.iter().map(|(kind, _)| *kind).collect();
    servers.sort_unstable();
    tested.sort_unstable();
    assert_eq!(tested, servers);
}
