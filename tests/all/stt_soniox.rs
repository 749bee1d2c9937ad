//! Soniox over a real socket: what it is told, what becomes of its tokens, and which languages it hears. Its
//! faults are in `stt_faults.rs`.

use std::sync::Arc;

use serde_json::json;
use vivavoce::{
    blueprint::Language,
    config::Secret,
    providers::{
        Retry, Stt,
        stt_soniox::{Settings, Soniox},
    },
    time::Span,
};

use crate::{
    chat_server::KEY,
    client::PATIENCE,
    deepgram_server::{DeepgramServer, Heard, Step},
    soniox_server::{hellos, is_hello, refuse, well},
    stt_deepgram::{Candidate, text},
};

fn config(server: &DeepgramServer) -> Settings {
    Settings {
        base_url: server.base_url().parse().unwrap(),
        api_key: Secret::new(KEY),
        final_limit: PATIENCE,
        ..Settings::default()
    }
}

fn candidate(config: &Settings, keyterms: &[&str]) -> Candidate {
    let keyterms: Vec<String> = keyterms.iter().map(|term| (*term).to_owned()).collect();
    Candidate::of(Arc::new(Soniox::new("soniox", config).unwrap()), &keyterms)
}

/// P01, P05: a connection begins as Soniox documents it, with the key in the handshake; tokens become words
/// with their times, and each segment is asked for once.
#[tokio::test]
async fn soniox_is_spoken_to_as_it_documents() {
    let mut server = DeepgramServer::start(well);
    let mut candidate = candidate(&config(&server), &["Łukasz", "C++"]);
    candidate.silence(10);
    let (from, to) = candidate.say(0..3);
    let told = candidate.finally().await;
    assert_eq!((told.segment, told.from, told.text.as_str()), (1, from, &*text(0..3)));
    assert_eq!(told.spans, [Span::new(from, to)]);
    assert!((told.confidence.unwrap() - 0.9).abs() < 0.1, "{told:?}");
    assert_eq!(told.ends_turn, None, "our own detector says what a turn is");
    drop(candidate);
    server.until(|_, heard| *heard == Heard::Said(String::new())).await;

    let heard = server.heard();
    let Heard::Opened(head) = &heard[0].1 else { panic!("{:?}", heard[0]) };
    assert_eq!(head.lines().next().unwrap(), "GET /transcribe-websocket HTTP/1.1");
    assert!(
        head.to_lowercase().contains(&format!("\r\nauthorization: bearer {KEY}\r\n")),
        "{head}"
    );
    assert!(is_hello(&heard[1].1), "{:?}", heard[1]);
    let hello = json!({
        "model": "stt-rt-v5", "audio_format": "pcm_s16le", "sample_rate": 16_000, "num_channels": 1,
        "enable_endpoint_detection": false, "language_hints": ["en"],
        "context": { "terms": ["Łukasz", "C++"] },
    });
    assert_eq!(hellos(&server), [hello]);
    let said = |what: &str| heard.iter().filter(|(_, it)| *it == Heard::Said(what.into())).count();
    assert_eq!(said(r#"{"type":"finalize"}"#), 1);
}

/// P03: after a cut the sound without finals is sent again, on a connection that is told the stage's
/// keyterms first; no word is lost, and none is told twice.
#[tokio::test]
async fn a_cut_loses_no_word() {
    let mut server = DeepgramServer::start(|mind, heard| match heard {
        Heard::Sound(_) if mind.connection == 1 && mind.pieces == 70 => vec![Step::Reset],
        heard => well(mind, heard),
    });
    let mut candidate = candidate(&config(&server), &["Ada"]);
    candidate.stream.keyterms(&["Zürich \"Re\"".to_owned()]);
    candidate.silence(10);
    let (from, _) = candidate.say(0..5);
    let told = candidate.until(&text(0..5)).await;
    assert_eq!((told.segment, told.from), (1, from));
    candidate.silence(40);
    candidate.say(5..7);
    let told = candidate.until(&text(5..7)).await;
    assert_eq!(told.segment, 2);
    server.until(|connection, heard| connection == 2 && is_hello(heard)).await;
    let terms: Vec<_> = hellos(&server).iter().map(|it| it["context"]["terms"].clone()).collect();
    assert_eq!(terms[1], json!(["Zürich \"Re\"", "Ada"]), "{terms:?}");
}

/// P09, P10: `doctor` opens a connection and ends it; an error in a message is one sentence that says how to
/// mend it, shows no key and says whether to try again.
#[tokio::test]
async fn a_check_says_what_is_wrong() {
    let server = DeepgramServer::start(well);
    Soniox::new("soniox", &config(&server)).unwrap().check().await.unwrap();
    for (status, says, retry_never) in [
        (401, "refuses the key (401 Unauthorized): check SONIOX_API_KEY or", true),
        (400, "does not take our call (400 Bad Request): no, (the key); check providers.", true),
        (402, "has no credit left", true),
        (429, "takes no more calls for 1 s: no, (the key);", false),
        (503, "failed with 503 Service Unavailable: no, (the key); try later", false),
    ] {
        let server = DeepgramServer::start(move |mind, heard| match heard {
            heard if is_hello(heard) => refuse(status, &format!("no, {KEY}\nsecond line")),
            heard => well(mind, heard),
        });
        let checked = Soniox::new("soniox", &config(&server)).unwrap().check().await;
        let error = checked.unwrap_err();
        assert!(error.what.contains(says), "{status}: {error}");
        assert_eq!(error.retry == Retry::Never, retry_never, "{status}: {error}");
        assert!(!error.what.contains(KEY) && error.what.lines().count() == 1, "{status}: {error}");
    }
    let server = DeepgramServer::start(|_, heard| match heard {
        Heard::Said(_) => vec![Step::Say(json!({ "type": "Results", "channel_index": [0, 1] }))],
        _ => Vec::new(),
    });
    let error = Soniox::new("soniox", &config(&server)).unwrap().check().await.unwrap_err();
    assert!(error.what.contains("no message of Soniox's; is providers.soniox.base_url"), "{error}");
}

/// Which languages it hears follows from its settings.
#[test]
fn soniox_knows_its_languages() {
    for (set, knows) in [
        ("en", [true, false, false]),
        ("de, IT", [false, true, true]),
        ("multi", [true, true, true]),
        ("en,multi", [true, true, true]),
        ("fr", [false, false, false]),
    ] {
        let config = Settings {
            language: set.to_owned(),
            api_key: Secret::new("key"),
            ..Settings::default()
        };
        let stt = Soniox::new("soniox", &config).unwrap();
        assert_eq!(Language::ALL.map(|(_, language)| stt.hears(language)), knows, "{set}");
    }
}
