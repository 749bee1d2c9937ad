//! Whole interviews with a model behind a real socket, on virtual time.

use std::{collections::BTreeMap, fs, path::Path};

use serde_json::{Value, json};
use vivavoce::{
    blueprint::Context,
    codec::fixture::Fixture,
    config::Config,
    interview::{By, Effect, End, Event, Intent, Quality, Reason, Refusal, Verdict},
    journal::{self, Header, Inputs},
    providers::{
        llm_openai::{self, Settings},
        registry::Registry,
        speech::Speech,
    },
    session::{Latencies, Lockstep, Player, Replayed},
};

use crate::chat_server::{Asked, ChatServer, Step, answer, reply};

/// A recorded candidate in `two-stage`, with this model.
pub(crate) fn interviewed(llm: &Settings) -> Replayed {
    interviewed_in(llm, |text| text)
}

/// The same, with an `author` who writes its files anew.
fn interviewed_in(llm: &Settings, author: impl Fn(String) -> String) -> Replayed {
    let config = Config::read(None, []).unwrap();
    let speech = Speech {
        stt: "scripted".into(),
        llm: "openai".into(),
        tts: "scripted".into(),
        ..config.speech
    };
    let model = llm_openai::provider("openai", llm.clone());
    let providers = Registry::build(&speech, &config.providers.with("openai", model), 1).unwrap();
    held(&providers, author)
}

/// A recorded candidate in `two-stage`, with these providers.
pub(crate) fn held(providers: &Registry, author: impl Fn(String) -> String) -> Replayed {
    let config = Config::read(None, []).unwrap();
    let fixture = Fixture::load(Path::new("audio-fixtures"), "two-stage-plain").unwrap();
    let files: BTreeMap<String, String> = fs::read_dir("agents/two-stage")
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, author(fs::read_to_string(path).unwrap()))
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
    let replayed = Lockstep::new(interview, player, providers, latencies).unwrap().run(|_| {});

    let mut text = journal::line(&Header::new("llm", 0, &inputs));
    text.extend(replayed.entries.iter().map(journal::line));
    let (_, entries) = journal::parse(&text).unwrap();
    assert!(journal::replay(inputs.interview().unwrap(), &entries).is_ok());
    replayed
}

/// A model that asks where it may only talk, and is content with every answer where it may do more.
pub(crate) fn model(asked: &Asked) -> Vec<Step> {
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
pub(crate) fn said(replayed: &Replayed) -> String {
    let mut written = BTreeMap::new();
    let texts = replayed.entries.iter().filter_map(|entry| match &entry.event {
        Event::SegmentReady { reply, n, text } => {
            written.insert((*reply, *n), text.as_str());
            None
        }
        Event::SegmentHeard { reply, n } => written.remove(&(*reply, *n)),
        _ => None,
    });
    texts.collect::<Vec<_>>().join(" ")
}

/// Why replies failed.
pub(crate) fn failures(replayed: &Replayed) -> Vec<&str> {
    let whys = replayed.entries.iter().filter_map(|entry| match &entry.event {
        Event::ReplyFailed { why, .. } => Some(why.as_str()),
        _ => None,
    });
    whys.collect()
}

/// What became of the model's calls.
fn verdicts(replayed: &Replayed) -> Vec<&Verdict> {
    let verdicts = effects(replayed).filter_map(|effect| match effect {
        Effect::Answer { verdict, .. } => Some(verdict),
        _ => None,
    });
    verdicts.collect()
}

pub(crate) fn effects(replayed: &Replayed) -> impl Iterator<Item = &Effect> {
    replayed.entries.iter().flat_map(|entry| &entry.effects)
}

/// P04, H01, H03, H08: a model on a server leads an interview: its words are spoken, its call hands the floor
/// off once, what it is told has the candidate's words in it, and the journal replays to the same effects.
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

/// P04: an interview that has used its tokens goes on with the words of its blueprint, and asks the model no
/// more.
#[test]
fn an_interview_without_tokens_goes_on_by_template() {
    let server = ChatServer::start(model);
    let replayed = interviewed(&Settings { tokens_max: 100, ..server.config() });
    assert_eq!(server.asked().len(), 1, "calls after the last token");
    let failures = failures(&replayed);
    assert!(
        !failures.is_empty()
            && failures.iter().all(|why| why.contains("providers.openai.tokens_max"))
    );
    assert!(matches!(effects(&replayed).last(), Some(Effect::Hangup { .. })));
    assert!(said(&replayed).ends_with("Goodbye."), "{}", said(&replayed));
}

const QUESTIONS: [&str; 8] = [
    "What do you build these days?",
    "Which part of that is the hardest?",
    "Who depends on your work?",
    "How large is your team?",
    "When did something break badly?",
    "Why did you choose that database?",
    "Where would you like to be in a year?",
    "Whom do you ask for advice?",
];

/// A model that calls this wherever it may, and asks one of its questions once it `knows` what became of its
/// calls. The judge is not there.
fn calls_first(
    name: &'static str,
    arguments: Value,
    knows: impl Fn(&[Value]) -> bool + Send + 'static,
) -> impl FnMut(&Asked) -> Vec<Step> + Send {
    let mut questions = QUESTIONS.into_iter();
    move |asked| {
        if asked.body["stream"] != true {
            return answer("404 Not Found", "", "{}");
        }
        if asked.body["tools"].is_null() || knows(asked.body["messages"].as_array().unwrap()) {
            return reply(questions.next().unwrap_or("Please go on."), &[]);
        }
        reply("", &[(name, arguments.clone())])
    }
}

/// A model that writes this before its words, and this within them. The judge is not there.
pub(crate) fn tagging(
    before: &'static str,
    within: &'static str,
) -> impl FnMut(&Asked) -> Vec<Step> + Send {
    let mut questions = QUESTIONS.into_iter();
    move |asked| {
        if asked.body["stream"] != true {
            return answer("404 Not Found", "", "{}");
        }
        let question = questions.next().unwrap_or("Would you like to go on?");
        reply(&format!("{before}I see. {within}{question}"), &[])
    }
}

/// A01: of the tags that a model writes only one before its words counts, however well it is chosen; none is
/// spoken, and the interview comes to its end.
#[test]
fn tags_of_a_model_are_read_and_never_spoken() {
    let full = Intent::Answer(Quality::Full);
    for (before, within, intent) in [
        ("<full><stop>", "<stop> ", Some(full)),
        ("<repeat> ", "", Some(Intent::Repeat)),
        ("", "<stop> ", None),
        ("<a_fine_answer>", "</a_fine_answer>", None),
    ] {
        let server = ChatServer::start(tagging(before, within));
        let replayed = interviewed(&server.config());
        let tags: Vec<Intent> = replayed
            .entries
            .iter()
            .filter_map(|entry| match &entry.event {
                Event::Understood { intent, by: By::Model, .. } => Some(*intent),
                _ => None,
            })
            .collect();
        assert_eq!(!tags.is_empty(), intent.is_some(), "{before}{within}");
        assert!(tags.iter().all(|tag| Some(*tag) == intent), "{before}{within}: {tags:?}");
        let said = said(&replayed);
        assert!(said.contains("I see.") && !said.contains(['<', '>']), "{said}");
        let repeats = said.contains("Of course.");
        assert_eq!(repeats, intent == Some(Intent::Repeat), "{before}{within}: {said}");
        assert!(matches!(effects(&replayed).last(), Some(Effect::Hangup { end: End::Completed })));
        let told = lines_asked(&server).concat();
        assert!(
            told.iter().all(|line| line["role"] != "assistant" || !line.to_string().contains('<'))
        );
    }
}

fn is_told(lines: &[Value]) -> bool {
    lines.last().is_some_and(|line| line["role"] == "tool")
}

/// The lines of each request on the response path.
fn lines_asked(server: &ChatServer) -> Vec<Vec<Value>> {
    let bodies = server.asked().into_iter().map(|asked| asked.body);
    let talks = bodies.filter(|body| body["stream"] == true);
    talks.map(|body| body["messages"].as_array().unwrap().clone()).collect()
}

fn assessment() -> Value {
    json!({ "depth": 2, "key_points": ["payment"] })
}

/// H08: a model that calls before it speaks is told what became of its call and asks its question then, one
/// latency later; no reply fails.
#[test]
fn a_model_that_calls_first_speaks_when_it_is_told() {
    let server = ChatServer::start(calls_first("assess_response", assessment(), is_told));
    let replayed = interviewed(&server.config());
    assert_eq!(failures(&replayed), Vec::<&str>::new());
    assert!(matches!(effects(&replayed).last(), Some(Effect::Hangup { end: End::Completed })));
    assert!(verdicts(&replayed).iter().all(|verdict| verdict.is_accepted()));
    assert!(said(&replayed).contains(QUESTIONS[1]), "{}", said(&replayed));
    let asked = lines_asked(&server);
    let [before @ .., called, told] = &asked[2][..] else { panic!("{:?}", asked[2]) };
    assert_eq!(before, asked[1], "the same reply, a step further");
    let function = json!({ "name": "assess_response", "arguments": assessment().to_string() });
    let call = json!({ "id": "call-0", "type": "function", "function": function });
    assert_eq!(*called, json!({ "role": "assistant", "content": null, "tool_calls": [call] }));
    assert_eq!((&told["role"], &told["tool_call_id"]), (&json!("tool"), &json!("call-0")));
    let guided = told["content"].as_str().unwrap();
    assert!(guided.starts_with("accepted: Something is known, not enough"), "{guided}");
    let mut entries = replayed.entries.iter();
    let proposed = entries.find(|entry| matches!(entry.event, Event::Proposed { .. })).unwrap();
    let ready = entries.find(|entry| matches!(entry.event, Event::SegmentReady { .. })).unwrap();
    let latency = Config::read(None, []).unwrap().lockstep.llm;
    assert_eq!(ready.at, proposed.at + latency, "a step takes as long as a call of the model");
}

/// H08: a model whose handoff is refused is told why in the same turn, asks on, and hands off when it may.
#[test]
fn a_model_that_is_refused_asks_on() {
    let server = ChatServer::start(calls_first("transition_stage", json!({}), is_told));
    let wants_two = |text: String| text.replace("questions_min = 1", "questions_min = 2");
    let replayed = interviewed_in(&server.config(), wants_two);
    let refused = Verdict::Refused(Refusal::TooFewAnswers { wanted: 2 });
    let verdicts = verdicts(&replayed);
    assert_eq!(verdicts, [&refused, &Verdict::Accepted, &refused, &Verdict::Accepted]);
    assert_eq!(failures(&replayed), Vec::<&str>::new());
    let told = lines_asked(&server)[2].pop().unwrap();
    assert_eq!(told["content"], "refused: get at least 2 answer(s) first");
    assert!(said(&replayed).contains(QUESTIONS[1]), "{}", said(&replayed));
    let handoffs = effects(&replayed).filter(|effect| matches!(effect, Effect::Handoff { .. }));
    assert_eq!(handoffs.count(), 1);
    assert!(matches!(effects(&replayed).last(), Some(Effect::Hangup { end: End::Completed })));
}

/// H08, case 32: a model that does nothing but call is asked three times a turn; then the blueprint speaks,
/// and the interview comes to its end.
#[test]
fn a_model_that_only_calls_is_replaced() {
    let server = ChatServer::start(calls_first("assess_response", assessment(), |_| false));
    let replayed = interviewed(&server.config());
    let failures = failures(&replayed);
    assert!(failures.len() >= 2, "{failures:?}");
    assert!(failures.iter().all(|why| *why == "the model said nothing"), "{failures:?}");
    let told = |lines: &Vec<Value>| lines.iter().filter(|line| line["role"] == "tool").count();
    let steps: Vec<usize> = lines_asked(&server).iter().map(told).collect();
    assert_eq!(steps.iter().filter(|told| **told == 2).count(), failures.len(), "{steps:?}");
    assert_eq!(steps.iter().max(), Some(&2), "a fourth step: {steps:?}");
    assert!(matches!(effects(&replayed).last(), Some(Effect::Hangup { end: End::Completed })));
    assert!(said(&replayed).ends_with("Goodbye."), "{}", said(&replayed));
}

/// P04, H08: each step of a reply counts: the tokens of an interview can end between two of them.
#[test]
fn every_step_uses_tokens() {
    let server = ChatServer::start(calls_first("assess_response", assessment(), is_told));
    let replayed = interviewed(&Settings { tokens_max: 200, ..server.config() });
    assert_eq!(lines_asked(&server).len(), 2, "120 tokens for the opening, 120 for the first step");
    let failures = failures(&replayed);
    assert!(
        !failures.is_empty()
            && failures.iter().all(|why| why.contains("providers.openai.tokens_max"))
    );
}
