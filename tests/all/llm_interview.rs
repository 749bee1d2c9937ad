//! Whole interviews with a model behind a real socket, on virtual time.

use std::{collections::BTreeMap, fs, path::Path};

use serde_json::json;
use vivavoce::{
    blueprint::Context,
    codec::fixture::Fixture,
    config::{self, ChatModel, Config},
    interview::{Effect, End, Event, Reason},
    journal::{self, Header, Inputs},
    providers::registry::Registry,
    session::{Latencies, Lockstep, Player, Replayed},
};

use crate::chat_server::{Asked, ChatServer, Step, reply};

/// A recorded candidate in `two-stage`, with this model.
fn interviewed(llm: &ChatModel) -> Replayed {
    let config = Config::read(None, []).unwrap();
    let speech = config::Speech {
        stt: config::Stt::Scripted,
        llm: config::Llm::OpenAi,
        tts: config::Tts::Scripted,
        ..config.speech
    };
    let providers = Registry::build(&speech, llm, 1).unwrap();
    let fixture = Fixture::load(Path::new("audio-fixtures"), "two-stage-plain").unwrap();
    let files: BTreeMap<String, String> = fs::read_dir("agents/two-stage")
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect();
    let context = Context { candidate_name: "Ada".into(), ..Context::default() };
    let inputs = Inputs::new("two-stage", files.into_iter().collect(), context);
    let latencies = Latencies {
        llm: config.lockstep.llm,
        tts: config.lockstep.tts,
        judge: config.lockstep.judge,
    };
    let interview = inputs.interview().unwrap();
    // The sockets are driven by threads of their own; this one plays the interview.
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let _entered = runtime.enter();
    let player = Player::fixture(&fixture);
    let replayed = Lockstep::new(interview, player, &providers, latencies).unwrap().run(|_| {});

    let mut text = journal::line(&Header::new("llm", 0, &inputs));
    text.extend(replayed.entries.iter().map(journal::line));
    let (_, entries) = journal::parse(&text).unwrap();
    assert!(journal::replay(inputs.interview().unwrap(), &entries).is_ok());
    replayed
}

/// A model that asks where it may only talk, and is content with every answer where it may do more.
fn model(asked: &Asked) -> Vec<Step> {
    let lines = asked.body["messages"].as_array().unwrap();
    if asked.body["tools"].is_null() {
        let answer = lines.iter().rfind(|line| line["role"] == "user").unwrap();
        let words = if answer["content"].as_str().unwrap().contains("payment") {
            "So you know payment systems from within. What did you build there?"
        } else {
            "Hello from the model. What do you work on these days?"
        };
        return reply(words, &[]);
    }
    let assess = json!({ "depth": 4, "key_points": ["payment"], "answer_kind": "full" });
    let leave = json!({ "reason": "enough" });
    reply("", &[("assess_response", assess), ("transition_stage", leave)])
}

/// The texts of ours that were heard to their end.
fn said(replayed: &Replayed) -> String {
    let texts = replayed.entries.iter().filter_map(|entry| match &entry.event {
        Event::SegmentReady { text, .. } => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join(" ")
}

fn effects(replayed: &Replayed) -> impl Iterator<Item = &Effect> {
    replayed.entries.iter().flat_map(|entry| &entry.effects)
}

/// P04, H01, H03, H08: a model on a server leads an interview: its words are spoken, its call hands the floor off once,
/// what it is told has the candidate's words in it, and the journal replays to the same effects.
#[test]
fn a_model_on_a_server_leads_an_interview() {
    let server = ChatServer::start(model);
    let replayed = interviewed(&server.config());
    let handoffs: Vec<_> = effects(&replayed)
        .filter_map(|effect| match effect {
            Effect::Handoff { why, .. } => Some(*why),
            _ => None,
        })
        .collect();
    assert_eq!(handoffs, [Reason::Tool], "{}", said(&replayed));
    assert!(matches!(effects(&replayed).last(), Some(Effect::Hangup { end: End::Completed })));
    let said = said(&replayed);
    for words in ["Hello from the model.", "What did you build there?", "Goodbye."] {
        assert!(said.contains(words), "nobody said {words:?}: {said}");
    }
    let last = server.asked().pop().unwrap();
    assert!(last.body["messages"].to_string().contains("billing service"), "{}", last.body);
}

/// P04: an interview that has used its tokens goes on with the words of its blueprint, and asks the model no more.
#[test]
fn an_interview_without_tokens_goes_on_by_template() {
    let server = ChatServer::start(model);
    let replayed = interviewed(&ChatModel { tokens_max: 100, ..server.config() });
    assert_eq!(server.asked().len(), 1, "calls after the last token");
    let failures: Vec<_> = replayed
        .entries
        .iter()
        .filter_map(|entry| match &entry.event {
            Event::ReplyFailed { why, .. } => Some(why.as_str()),
            _ => None,
        })
        .collect();
    assert!(!failures.is_empty() && failures.iter().all(|why| why.contains("llm.tokens_max")));
    assert!(matches!(effects(&replayed).last(), Some(Effect::Hangup { .. })));
    assert!(said(&replayed).ends_with("Goodbye."), "{}", said(&replayed));
}
