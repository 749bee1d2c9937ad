//! AssemblyAI over a real socket: what it is told, what becomes of its turns, and which languages it hears.
//! Its faults are in `stt_faults.rs`.

use std::sync::Arc;

use serde_json::{Value, json};
use vivavoce::{
    blueprint::Language,
    config::Secret,
    providers::{
        Retry, Stt,
        stt_assemblyai::{AssemblyAi, Settings},
    },
    time::Span,
};

use crate::{
    assemblyai_server::well,
    chat_server::KEY,
    client::PATIENCE,
    deepgram_server::{DeepgramServer, Heard, Step},
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

/// The same with its usual limit, which is waited for where no words come.
fn soon(server: &DeepgramServer) -> Settings {
    Settings { final_limit: Settings::default().final_limit, ..config(server) }
}

fn candidate(config: &Settings, keyterms: &[&str]) -> Candidate {
    let keyterms: Vec<String> = keyterms.iter().map(|term| (*term).to_owned()).collect();
    Candidate::of(Arc::new(AssemblyAi::new("assemblyai", config).unwrap()), &keyterms)
}

/// P01, P05: a connection is opened as AssemblyAI documents it, sound comes in pieces that are long enough,
/// and each segment is asked for once and told with its formatted words.
#[tokio::test]
async fn assemblyai_is_spoken_to_as_it_documents() {
    let mut server = DeepgramServer::start(well);
    let too_long = "x".repeat(51);
    let mut candidate = candidate(&config(&server), &["Łukasz", "C++", &too_long]);
    candidate.silence(10);
    let (from, to) = candidate.say(0..3);
    let told = candidate.until(&text(0..3)).await;
    assert_eq!((told.segment, told.from), (1, from));
    assert_eq!(told.spans, [Span::new(from, to)]);
    assert_eq!(told.ends_turn, None, "our own detector says what a turn is");
    candidate.stream.keyterms(&["Ada".to_owned()]);
    candidate.silence(3);
    let update = json!({ "type": "UpdateConfiguration", "keyterms_prompt": ["Ada"] });
    let is = |heard: &Heard, wanted: &Value| match heard {
        Heard::Said(said) => serde_json::from_str::<Value>(said).unwrap() == *wanted,
        Heard::Opened(_) | Heard::Sound(_) | Heard::Gone => false,
    };
    server.until(|_, heard| is(heard, &update)).await;
    drop(candidate);
    server.until(|_, heard| is(heard, &json!({ "type": "Terminate" }))).await;

    let heard = server.heard();
    let Heard::Opened(head) = &heard[0].1 else { panic!("{:?}", heard[0]) };
    let path = head.split(' ').nth(1).unwrap();
    let url = url::Url::parse(&format!("ws://h{path}")).unwrap();
    assert_eq!(url.path(), "/v3/ws");
    let query: Vec<(String, String)> = url.query_pairs().into_owned().collect();
    let wanted = [
        ("speech_model", "universal-streaming-english"),
        ("sample_rate", "16000"),
        ("encoding", "pcm_s16le"),
        ("format_turns", "true"),
        ("keyterms_prompt", r#"["Łukasz","C++"]"#),
    ];
    assert_eq!(query, wanted.map(|(key, value)| (key.to_owned(), value.to_owned())));
    assert!(head.to_lowercase().contains(&format!("\r\nauthorization: {KEY}\r\n")), "{head}");
    for (_, heard) in &heard {
        if let Heard::Sound(bytes) = heard {
            assert!((1_600..=32_000).contains(bytes), "{bytes} bytes are not 50 ms to 1 s");
        }
    }
    let force = json!({ "type": "ForceEndpoint" });
    assert_eq!(heard.iter().filter(|(_, heard)| is(heard, &force)).count(), 1);
}

/// P03: after a cut the sound without finals is sent again; no word is lost, and none is told twice. A voice
/// without words gets an empty final, though the server says nothing.
#[tokio::test]
async fn a_cut_loses_no_word() {
    let server = DeepgramServer::start(|mind, heard| match heard {
        Heard::Sound(_) if mind.connection == 1 && mind.pieces == 30 => vec![Step::Reset],
        heard => well(mind, heard),
    });
    let mut candidate = candidate(&soon(&server), &[]);
    candidate.silence(10);
    let (from, _) = candidate.say(0..5);
    let told = candidate.until(&text(0..5)).await;
    assert_eq!((told.segment, told.from), (1, from));
    candidate.silence(40);
    candidate.say(5..7);
    assert_eq!(candidate.until(&text(5..7)).await.segment, 2);
    candidate.silence(40);
    let noise = candidate.at;
    candidate.stream.speech_started(noise);
    candidate.silence(20);
    candidate.stream.speech_stopped(candidate.at);
    let told = candidate.finally().await;
    assert_eq!((told.segment, told.from, told.text.as_str()), (3, noise, ""));
}

/// P09, P10: `doctor` opens a connection and ends it; an error in a message is one sentence that says how to
/// mend it, shows no key and says whether to try again.
#[tokio::test]
async fn a_check_says_what_is_wrong() {
    let server = DeepgramServer::start(well);
    AssemblyAi::new("assemblyai", &config(&server)).unwrap().check().await.unwrap();
    for (code, says, retry_never) in [
        (4001, "refuses the key (401 Unauthorized): check ASSEMBLYAI_API_KEY or", true),
        (3006, "does not take our call (400 Bad Request): no, (the key); check providers.", true),
        (4002, "has no credit left", true),
        (3009, "takes no more calls for 1 s: no, (the key);", false),
        (3008, "complains: no, (the key)", false),
    ] {
        let server = DeepgramServer::start(move |_, heard| match heard {
            Heard::Opened(_) => vec![
                Step::Say(json!({
                    "type": "Error", "error_code": code, "error": format!("no, {KEY}\nsecond line"),
                })),
                Step::Close(code, "no"),
            ],
            Heard::Sound(_) | Heard::Said(_) | Heard::Gone => Vec::new(),
        });
        let checked = AssemblyAi::new("assemblyai", &config(&server)).unwrap().check().await;
        let error = checked.unwrap_err();
        assert!(error.what.contains(says), "{code}: {error}");
        assert_eq!(error.retry == Retry::Never, retry_never, "{code}: {error}");
        assert!(!error.what.contains(KEY) && error.what.lines().count() == 1, "{code}: {error}");
    }
}

/// Which languages it hears follows from its model.
#[test]
fn assemblyai_knows_its_languages() {
    for (model, knows) in [
        ("universal-streaming-english", [true, false, false]),
        ("universal-streaming-multilingual", [true, true, true]),
        ("universal-3-5-pro", [true, true, true]),
    ] {
        let config = Settings {
            model: model.to_owned(),
            api_key: Secret::new("key"),
            ..Settings::default()
        };
        let stt = AssemblyAi::new("assemblyai", &config).unwrap();
        assert_eq!(Language::ALL.map(|(_, language)| stt.hears(language)), knows, "{model}");
    }
}
