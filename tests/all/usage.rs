//! What interviews use of providers, and what that costs: counted behind real sockets, kept, and shown.

use std::{sync::Arc, time::Duration};

use axum::http::{Request, StatusCode};
use serde_json::Value;
use vivavoce::{
    blueprint::Context,
    clock::Clock,
    config::Config,
    interview::{End, NotDone, Request as Ask, Status},
    journal::{Header, Inputs},
    providers::{
        llm_openai,
        registry::Registry,
        speech::{Chain, Speech},
        usage::{Amount, Used, Vendor, Work},
    },
    session::{Caption, Line, LineEvent, Parts, Session},
    speak::Mouth,
    store::{FileStore, Hold, InterviewId, JournalStore},
    usage::{Purpose, Sheet},
};

use crate::{chat_server::ChatServer, client::PATIENCE, web::launchable};

fn sums(used: &[Used], work: Work) -> Vec<(&str, Option<&Vendor>, Amount)> {
    let of = used.iter().filter(|used| used.source.work == work);
    of.map(|used| (used.source.provider.as_str(), used.source.vendor.as_ref(), used.amount))
        .collect()
}

/// P04: an interview with a list of models counts each for what it did: the first one fails, so that the
/// second has all tokens; the sound is that of the recogniser.
#[test]
fn each_provider_counts_for_itself() {
    let server = ChatServer::start(crate::llm_interview::model);
    let config = Config::read(None, []).unwrap();
    let speech = Speech {
        stt: "scripted".into(),
        llm: Chain::new(["away".to_owned(), "there".to_owned()]),
        tts: "scripted".into(),
        llm_silence_limit: PATIENCE,
        ..config.speech
    };
    let (_held, port) = crate::client::deaf_port();
    let away = llm_openai::Settings {
        base_url: format!("http://127.0.0.1:{port}/v1").parse().unwrap(),
        ..server.config()
    };
    let providers = config.providers.with("away", llm_openai::provider("away", away));
    let providers = providers.with("there", llm_openai::provider("there", server.config()));
    let registry = Registry::build(&speech, &providers, 1).unwrap().for_interview();
    let replayed = crate::llm_interview::held(&registry, |text| text);
    assert!(!replayed.entries.is_empty());
    let used = registry.book().used();
    let [(provider, Some(vendor), tokens)] = sums(&used, Work::Thinking)[..] else {
        panic!("{used:?}")
    };
    assert_eq!(
        (provider, vendor.kind.as_str(), vendor.model.as_str()),
        ("there", "openai", "stub")
    );
    assert!(tokens.calls > 0 && tokens.input_tokens > 0 && tokens.output_tokens > 0, "{tokens:?}");
    let [("scripted", None, heard)] = sums(&used, Work::Hearing)[..] else { panic!("{used:?}") };
    assert!(heard.heard_ms > 10_000, "{heard:?}");
    assert_eq!(registry.for_interview().book().used(), [], "the next interview begins at nothing");
}

/// A candidate who comes and ends the interview when they may speak.
struct Leaver {
    facts: Vec<LineEvent>,
}

impl Line for Leaver {
    async fn next(&mut self) -> LineEvent {
        match self.facts.pop() {
            Some(fact) => fact,
            None => std::future::pending().await,
        }
    }

    fn show(&mut self, _: &Status) {}

    fn caption(&mut self, _: Caption) {}

    fn acknowledge(&mut self, _: &str, _: Result<(), NotDone>) {}

    fn ended(&mut self, _: End) {}
}

/// P04: what a session has used is kept with its interview when it is over.
#[tokio::test]
async fn a_session_keeps_what_it_used() {
    let data = tempfile::tempdir().unwrap();
    let store: Arc<dyn JournalStore> = Arc::new(FileStore::open(data.path()).unwrap());
    let inputs = Inputs::new("two-stage", launchable("two-stage").files, Context::default());
    let id = InterviewId::random();
    store.create(id, &inputs, None).await.unwrap();
    let mut config = Config::read(None, []).unwrap();
    (config.speech.stt, config.speech.tts) = ("scripted".into(), "scripted".into());
    let parts = Parts {
        interview: inputs.interview().unwrap(),
        header: Header::new(&id.to_string(), 0, &inputs),
        before: Vec::new(),
        hold: Hold::take(&store, id).await.unwrap(),
        providers: Registry::build(&config.speech, &config.providers, 1).unwrap(),
        recording: None,
    };
    let clock = Clock::start();
    let (mouth, heard) = Mouth::new();
    let end = LineEvent::Control { id: "end".into(), request: Ask::Terminate, stage: None };
    let mut line = Leaver { facts: vec![end, LineEvent::CandidateJoined] };
    let pull = {
        let mouth = mouth.clone();
        async move {
            loop {
                mouth.pull(clock.now());
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        }
    };
    let session = Session::begin(parts, clock, mouth).unwrap();
    let run = session.run(&mut line, heard, std::future::pending(), |_| {});
    let outcome = tokio::select! {
        outcome = tokio::time::timeout(PATIENCE, run) => outcome.unwrap().unwrap(),
        () = pull => unreachable!(),
    };
    assert!(outcome.end.is_some(), "{outcome:?}");
    let sheet = Sheet::of(&*store, id).await.unwrap();
    let purposes = sheet.by_purpose();
    let [(Purpose::Interview, used)] = &purposes[..] else { panic!("{purposes:?}") };
    let [(_, None, spoken)] = sums(used, Work::Speaking)[..] else { panic!("{used:?}") };
    assert!(spoken.characters > 10, "{spoken:?}");
}

/// P04, U06: what a report has cost is shown to recruiters, priced by the file of prices; in the file too.
#[tokio::test]
async fn a_report_says_what_it_cost() {
    let server = ChatServer::start(crate::report::right);
    let (web, path, _) = crate::report::held_with_model(server.config()).await;
    let cost_path = path.replace("/report", "/cost");
    let (status, before) = web.get(&cost_path).await;
    assert_eq!((status, &before["items"]), (StatusCode::OK, &Value::Array(Vec::new())));
    crate::report::made(&web, &path).await;
    let (_, cost) = web.get(&cost_path).await;
    let item = &cost["items"][0];
    assert_eq!(item["purpose"], "report", "{cost}");
    assert_eq!(item["used"]["input_tokens"], 200, "{cost}");
    assert_eq!(item["used"]["output_tokens"], 40, "{cost}");
    assert_eq!(
        (&item["cost"], &cost["unpriced"]),
        (&Value::Null, &Value::from(1)),
        "no price known"
    );
    let export = path.replace("/report", "/export/json");
    let (_, exported) = web.get(&export).await;
    assert_eq!(exported["cost"], cost);
    let request = Request::get(&cost_path).body(axum::body::Body::empty()).unwrap();
    let nobody = web.raw_as_it_is(request).await.status();
    assert_eq!(nobody, StatusCode::UNAUTHORIZED, "whoever is not signed in reads no cost");
}
