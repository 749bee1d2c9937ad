//! OpenAI's transcription over a real socket: what it is asked, when, and what becomes of its answers.

use std::{sync::Arc, time::Duration};

use serde_json::json;
use vivavoce::{
    blueprint::Language,
    config::Secret,
    providers::{
        Retry, Stt, Transcript,
        stt_openai::{OpenAiStt, Settings},
    },
};

use crate::{
    chat_server::KEY,
    client::PATIENCE,
    deepgram_server::{WORD_PIECES, pause, word},
    stt_deepgram::{Candidate, text},
    transcription_server::{Step, TranscriptionServer},
};

fn config(server: &TranscriptionServer) -> Settings {
    Settings {
        base_url: server.base_url().parse().unwrap(),
        api_key: Secret::new(KEY),
        // A busy machine must not look like a slow server.
        final_limit: PATIENCE,
        ..Settings::default()
    }
}

fn recogniser(config: &Settings) -> Arc<dyn Stt> {
    Arc::new(OpenAiStt::new("openai-transcription", config).unwrap())
}

/// A server that works well.
fn well() -> TranscriptionServer {
    TranscriptionServer::start(|asked| Step::Answer(asked.answer()))
}

/// P03, P05: a segment is sent when its voice has ended, as a WAV file in a form as OpenAI documents it; its
/// words come back with its times. A voice without words is told as that.
#[tokio::test]
async fn a_segment_is_sent_when_it_ends() {
    let server = well();
    let terms = ["Bäcker".to_owned(), "Ada \n Lovelace".to_owned()];
    let quiet = Settings { interim_every: Duration::ZERO, ..config(&server) };
    let mut candidate = Candidate::of(recogniser(&quiet), &terms);
    candidate.silence(200);
    for segment in 1..3 {
        let (from, to) = candidate.say(0..5);
        let told = candidate.next().await;
        let expected = Transcript {
            segment,
            is_final: true,
            from,
            to,
            text: text(0..5),
            confidence: None,
            ends_turn: None,
            spans: Vec::new(),
        };
        assert_eq!(told, expected);
        candidate.silence(50);
    }
    let from = candidate.at;
    candidate.silence(3);
    candidate.stream.speech_started(from);
    candidate.silence(10);
    candidate.stream.speech_stopped(candidate.at);
    let told = candidate.next().await;
    assert_eq!((told.segment, told.is_final, told.text.as_str()), (3, true, ""));

    let asked = &server.asked();
    assert_eq!(asked.len(), 3, "once for each segment");
    let head = &asked[0].head;
    assert!(head.starts_with("post /v1/audio/transcriptions http/1.1\r\n"), "{head}");
    assert!(head.contains(&format!("authorization: bearer {KEY}\r\n")), "{head}");
    let fields: Vec<_> = asked[0].fields.iter().map(|(name, it)| (&**name, &**it)).collect();
    let expected = [
        ("language", "en"),
        ("model", "gpt-4o-mini-transcribe"),
        ("prompt", "Bäcker, Ada Lovelace"),
        ("response_format", "json"),
    ];
    assert_eq!(fields, expected);
    // 300 ms before the voice and 200 ms behind it, of 2 s with the pauses between the words.
    let seconds = asked[0].seconds();
    assert!((2.3..2.6).contains(&seconds), "{seconds}");
}

/// P03: while somebody speaks the words so far are told about every second, and the final ones replace them.
#[tokio::test]
async fn words_are_told_on_the_way() {
    let server = well();
    let mut candidate = Candidate::of(recogniser(&config(&server)), &[]);
    candidate.silence(50);
    let from = candidate.at;
    for n in 0..8 {
        (0..WORD_PIECES).for_each(|_| candidate.push(word(n)));
        if n == 0 {
            candidate.stream.speech_started(from);
        }
        if n % 4 == 3 {
            // A second and more of speech since the last time.
            let told = candidate.next().await;
            assert!(!told.is_final && text(0..n + 1).starts_with(&told.text), "{told:?}");
            assert!(
                told.text.len() > 3 && told.from == from && told.to <= candidate.at,
                "{told:?}"
            );
        }
    }
    let to = candidate.at;
    candidate.silence(10);
    candidate.stream.speech_stopped(to);
    let told = candidate.finally().await;
    assert_eq!((told.segment, told.text, told.to), (1, text(0..8), to));
}

/// P03: at a pause the words are asked for at once. If it was the end, the answer is final and nothing is
/// asked again; if not, the answer is a partial one, and all words are asked for at the end.
#[tokio::test]
async fn a_pause_is_asked_about_at_once() {
    let server = well();
    let quiet = Settings { interim_every: Duration::ZERO, ..config(&server) };
    let mut candidate = Candidate::of(recogniser(&quiet), &[]);
    candidate.silence(50);
    let from = candidate.at;
    (0..WORD_PIECES).for_each(|_| candidate.push(word(0)));
    candidate.stream.speech_started(from);
    let paused = candidate.at;
    candidate.silence(10);
    candidate.stream.speech_paused(paused);
    let told = candidate.next().await;
    assert_eq!((told.is_final, told.text), (false, text(0..1)));

    (0..WORD_PIECES).for_each(|_| candidate.push(word(1)));
    let stopped = candidate.at;
    candidate.silence(10);
    candidate.stream.speech_paused(stopped);
    let told = candidate.next().await;
    assert_eq!((told.is_final, told.text), (false, text(0..2)));
    candidate.silence(15);
    candidate.stream.speech_stopped(stopped);
    let told = candidate.next().await;
    assert_eq!((told.is_final, told.text, told.to), (true, text(0..2), stopped));
    assert_eq!(server.asked().len(), 2, "one for each pause");
}

/// P03: a long answer is sent in chunks of half a minute at most, cut where it is quiet, and no word is lost
/// or told twice.
#[tokio::test]
async fn a_long_answer_is_sent_in_chunks() {
    let server = well();
    let quiet = Settings { interim_every: Duration::ZERO, ..config(&server) };
    let mut candidate = Candidate::of(recogniser(&quiet), &[]);
    candidate.silence(50);
    let from = candidate.at;
    let mut said = Vec::new();
    for n in 0..160 {
        (0..WORD_PIECES).for_each(|_| candidate.push(word(n % 10)));
        (0..5).for_each(|_| candidate.push(pause()));
        said.push(text(n % 10..n % 10 + 1));
        if n == 0 {
            candidate.stream.speech_started(from);
        }
        if n % 10 == 0 {
            // More than 10 s may not wait for the recogniser.
            candidate.stream.settle();
        }
    }
    let to = candidate.at;
    candidate.silence(10);
    candidate.stream.speech_stopped(to);
    let told = candidate.finally().await;
    assert_eq!((told.from, told.to), (from, to));
    assert_eq!(told.text, said.join(" "));
    let asked = server.asked();
    assert_eq!(asked.len(), 3, "64 s of it");
    assert!(asked.iter().all(|asked| asked.seconds() <= 28.0));
}

/// P05: Whisper says how sure it is, and is asked; a server that does not know that form of answer is asked
/// for the plain one from then on.
#[tokio::test]
async fn whisper_says_how_sure_it_is() {
    let verbose = |text: &str| {
        let segments = json!([
            { "text": format!(" {text}"), "avg_logprob": -0.105, "no_speech_prob": 0.02 },
            { "text": " Thank you for watching!", "avg_logprob": -1.3, "no_speech_prob": 0.8 },
        ]);
        let all = format!("{text} Thank you for watching!");
        json!({ "task": "transcribe", "text": all, "segments": segments })
    };
    let server = TranscriptionServer::start(move |asked| {
        Step::Answer(verbose(&asked.words()).to_string().into_bytes())
    });
    let model = "Systran/faster-whisper-large-v3".to_owned();
    let whisper = Settings { model: model.clone(), language: String::new(), ..config(&server) };
    let mut candidate = Candidate::of(recogniser(&whisper), &[]);
    candidate.say(0..3);
    let told = candidate.finally().await;
    assert_eq!(told.text, text(0..3), "what is no speech is left out");
    assert!((told.confidence.unwrap() - 0.9).abs() < 0.01, "{told:?}");
    assert_eq!(server.asked()[0].fields["response_format"], "verbose_json");
    assert!(!server.asked()[0].fields.contains_key("language"));

    let server = TranscriptionServer::start(|asked| match &*asked.fields["response_format"] {
        "json" => Step::Answer(asked.answer()),
        other => {
            let why = format!("unknown response_format {other}");
            Step::Refuse(400, "", json!({ "error": { "message": why } }))
        }
    });
    let plain = Settings { model, interim_every: Duration::ZERO, ..config(&server) };
    let mut candidate = Candidate::of(recogniser(&plain), &[]);
    for _ in 0..2 {
        candidate.say(0..3);
        assert_eq!(candidate.finally().await.text, text(0..3));
    }
    assert_eq!(server.asked().len(), 3);
}

/// P05, P10: words in any letters arrive as they are, in one line.
#[tokio::test]
async fn words_in_any_letters_are_heard() {
    let server = TranscriptionServer::start(|_| {
        Step::Answer(json!({ "text": " Łukasz,\n日本  è così " }).to_string().into_bytes())
    });
    let mut candidate = Candidate::of(recogniser(&config(&server)), &[]);
    candidate.say(0..1);
    assert_eq!(candidate.finally().await.text, "Łukasz, 日本 è così");
}

/// P09: the check calls the server, and says in one sentence what is wrong.
#[tokio::test]
async fn the_check_calls_the_server() {
    let server = well();
    let stt = OpenAiStt::new("openai-transcription", &config(&server)).unwrap();
    stt.check().await.unwrap();
    assert_eq!(server.asked()[0].seconds(), 1.0);
    let error = json!({ "error": { "message": format!("no, {KEY}") } });
    for (status, says, retry) in [
        (401, "check OPENAI_API_KEY or providers.openai-transcription.api_key_file", Retry::Never),
        (404, "has no model `gpt-4o-mini-transcribe`: no, (the key)", Retry::Never),
        (400, "check providers.openai-transcription.model and", Retry::Never),
        (500, "failed with 500", Retry::Now),
    ] {
        let error = error.clone();
        let server = TranscriptionServer::start(move |_| Step::Refuse(status, "", error.clone()));
        let stt = OpenAiStt::new("openai-transcription", &config(&server)).unwrap();
        let why = stt.check().await.unwrap_err();
        assert!(why.what.contains(says), "{why} does not say {says:?}");
        assert_eq!(why.retry, retry);
        assert!(!why.what.contains(KEY), "{why} shows the key");
    }
}

/// Which languages it understands follows from its settings.
#[test]
fn it_hears_its_language() {
    for (language, german) in [("en", false), ("de", true), ("", true)] {
        let (language, api_key) = (language.to_owned(), Secret::new(KEY));
        let settings = Settings { language, api_key, ..Settings::default() };
        assert_eq!(recogniser(&settings).hears(Language::German), german, "{settings:?}");
    }
}
