//! Whole interviews with a plan and a model behind a real socket, on virtual time: what the model is
//! asked, and what becomes of it when it refuses, writes nonsense or is too late.

use std::{path::Path, time::Duration};

use serde_json::{Value, json};
use vivavoce::{
    blueprint::{Context, Document, Planned, Urgency},
    codec::fixture::Fixture,
    config::Config,
    interview::{Effect, End, ItemStatus, Origin},
    journal::{self, Inputs, PlanProgress, plan_progress},
    providers::{
        llm_openai::{self, Settings},
        registry::Registry,
        speech::Speech,
    },
    session::{Latencies, Lockstep, Player, Replayed},
};

use crate::{
    chat_server::{Asked, ChatServer, Step, json_answer, reply},
    client::PATIENCE,
    web::launchable,
};

/// A recorded candidate in an interview with a plan, with this model.
fn interviewed(blueprint: &str, context: Context, llm: &Settings) -> (Replayed, PlanProgress) {
    let config = Config::read(None, []).unwrap();
    let speech = Speech {
        stt: "scripted".into(),
        llm: "openai".into(),
        tts: "scripted".into(),
        ..config.speech
    };
    let model = llm_openai::provider("openai", llm.clone());
    let providers = Registry::build(&speech, &config.providers.with("openai", model), 1).unwrap();
    let fixture = Fixture::load(Path::new("audio-fixtures"), "mock-plain").unwrap();
    let inputs = Inputs::new(blueprint, launchable(blueprint).files, context);
    let latencies = Latencies {
        llm: config.lockstep.llm,
        tts: config.lockstep.tts,
        judge: config.lockstep.judge,
    };
    // The sockets are driven by threads of their own; this one plays the interview.
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let _entered = runtime.enter();
    let interview = inputs.interview().unwrap();
    let player = Player::fixture(&fixture);
    let replayed = Lockstep::new(interview, player, &providers, latencies).unwrap().run(|_| {});
    assert!(journal::replay(inputs.interview().unwrap(), &replayed.entries).is_ok());
    let progress = plan_progress(&inputs, &replayed.entries).unwrap();
    (replayed, progress)
}

fn transfer() -> Context {
    let question = |id: &str, text: &str| Planned {
        id: id.to_owned(),
        text: text.to_owned(),
        priority: Urgency::P0,
    };
    let document = Document {
        name: "model.md".into(),
        text: "The loss threshold is 0.3.".into(),
        ..Document::default()
    };
    let read = Document {
        name: "long.md".into(),
        text: "Words without end.".into(),
        summary: "It is about Lyon.".into(),
    };
    Context {
        candidate_name: "Ada".into(),
        plan: vec![
            question("plan-1", "Where does the loss threshold come from?"),
            question("plan-2", "Who repairs the import on Mondays?"),
        ],
        documents: vec![document, read],
        ..Context::default()
    }
}

fn end(replayed: &Replayed) -> Option<End> {
    replayed.entries.iter().flat_map(|entry| &entry.effects).find_map(|effect| match effect {
        Effect::Hangup { end } => Some(*end),
        _ => None,
    })
}

fn is_talk(asked: &Asked) -> bool {
    asked.body["stream"] == true
}

fn system(asked: &Asked) -> &str {
    asked.body["messages"][0]["content"].as_str().unwrap()
}

/// The message that says what is known.
fn known(asked: &Asked) -> &str {
    asked.body["messages"][1]["content"].as_str().unwrap()
}

/// Words of a model for the n-th reply, each time another question.
const QUESTIONS: [&str; 6] = [
    "Which step of the import do you never leave to others?",
    "What would a newcomer get wrong on the first day?",
    "How did the last outage come about?",
    "Whose approval do you wait for most often?",
    "Which number in the report do you trust least?",
    "What do you check before you go home?",
];

/// A judgement by which an answer is thin, and has brought something up.
fn judgement() -> Value {
    json!({
        "depth": 2, "answer_kind": "answer:vague", "key_points": ["import"],
        "facts": [{ "text": "Ada repairs the import by hand.", "confidence": 0.9 }],
        "fields": [], "follow_ups": ["What exactly do you do to the import?"],
        "discovered": [{ "text": "Who owns the server in Lyon?", "priority": "P0" }],
    })
}

fn judged(judgement: &Value) -> Vec<Step> {
    let message = json!({ "role": "assistant", "content": judgement.to_string() });
    json_answer(
        "200 OK",
        &json!({ "choices": [{ "index": 0, "message": message, "finish_reason": "stop" }] }),
    )
}

/// K01–K03, K05: a model chooses and words the planned questions in one call, by their ids; the documents
/// are in its prompt; its judge finds facts, a follow-up and a question that nobody had thought of, off
/// the path.
#[test]
fn a_model_works_off_a_backlog() {
    let mut talks = 0;
    let server = ChatServer::start(move |asked| {
        if !is_talk(asked) {
            return judged(&judgement());
        }
        talks += 1;
        match talks {
            1 => {
                let question = "Hello Ada, I am Alba, an AI. Who repairs the import on Mondays?";
                reply(
                    question,
                    &[("ask_question", json!({ "question": question, "thread": "plan-2" }))],
                )
            }
            2 => reply("So it is you. What exactly do you do to it?", &[]),
            n => reply(&format!("I see. {}", QUESTIONS[n % 6]), &[]),
        }
    });
    let (replayed, progress) = interviewed("knowledge-transfer", transfer(), &server.config());
    let asked = server.asked();
    let talk: Vec<&str> = asked.iter().filter(|asked| is_talk(asked)).map(known).collect();
    assert!(
        talk[0].contains("- plan-1 (P0): Where does the loss threshold come from?"),
        "{}",
        talk[0]
    );
    assert!(
        talk[0].contains("<document name=\"model.md\">\nThe loss threshold is 0.3."),
        "{}",
        talk[0]
    );
    assert!(talk[0].contains("It is about Lyon.") && !talk[0].contains("Words without end."));
    let judge = asked.iter().find(|asked| !is_talk(asked)).unwrap();
    let schema = &judge.body["response_format"]["json_schema"]["schema"];
    assert!(schema["required"].as_array().unwrap().contains(&json!("discovered")), "{schema}");
    let told = judge.body["messages"][1]["content"].as_str().unwrap();
    assert!(told.starts_with("<question>Who repairs the import on Mondays?</question>"), "{told}");

    let question = |id: &str| progress.questions.iter().find(|q| q.item.id == id).unwrap();
    let repairs = question("plan-2");
    assert_ne!(repairs.item.status, ItemStatus::Open);
    assert_eq!(repairs.item.facts, ["Ada repairs the import by hand."]);
    assert_eq!(repairs.item.confidence, Some(0.3));
    assert_eq!(question("followup-1").item.text, "What exactly do you do to the import?");
    let discovered = question("discovered-1");
    assert_eq!(
        (discovered.item.origin, discovered.item.priority),
        (Origin::Discovered, Urgency::P0)
    );
    assert!(
        talk.iter()
            .any(|prompt| prompt.contains("discovered-1 (P0): Who owns the server in Lyon?"))
    );
    assert!(end(&replayed).is_some());
}

/// K02, L09: a model that refuses or hangs loses no question and no answer: the
/// plan's own words are said, and answers are kept without facts.
#[test]
fn without_its_model_the_plan_goes_on() {
    let refuses = json!({ "error": { "message": "no", "type": "invalid_request_error" } });
    let soon = Duration::from_millis(300);
    for (name, step, limit) in [
        ("refuses", json_answer("400 Bad Request", &refuses), PATIENCE),
        ("hangs", vec![Step::Hang], soon),
    ] {
        let server = ChatServer::playing(vec![step]);
        let settings = Settings {
            first_token_limit: limit,
            reply_limit: limit,
            judge_limit: limit,
            ..server.config()
        };
        let (replayed, progress) = interviewed("knowledge-transfer", transfer(), &settings);
        let first = &progress.questions[0];
        assert_eq!(first.item.id, "plan-1", "{name}");
        assert!(
            first.asked_as.as_ref().is_some_and(|asked| asked.contains(&first.item.text)),
            "{name}: {first:?}"
        );
        assert!(first.answer.is_some() && first.item.facts.is_empty(), "{name}: {first:?}");
        assert!(!server.asked().is_empty(), "{name}: nobody was asked");
        assert!(end(&replayed).is_some(), "{name}");
    }
}

/// L02, L04, L06: a model explores topics: its prompt has the topic, the next goal and the recruiter's
/// guide in place of the plan's hints; offer and contact data call no model.
#[test]
fn a_model_explores_topics() {
    let mut talks = 0;
    let server = ChatServer::start(move |asked| {
        if !is_talk(asked) {
            return judged(&judgement());
        }
        talks += 1;
        reply(&format!("I see. {}", QUESTIONS[talks % 6]), &[])
    });
    let context = Context { guide: "Ask about the shifts first.".into(), ..transfer() };
    let (replayed, progress) = interviewed("discovery", context, &server.config());
    let asked = server.asked();
    let talks = || asked.iter().filter(|asked| is_talk(asked));
    let first = system(talks().next().unwrap());
    assert!(first.contains("Topic 1 of 3 is marked as `topic`."), "{first}");
    assert!(
        first.contains("Find out now, with one question, what is marked as `goal`."),
        "{first}"
    );
    assert!(!first.contains("Ask about the shifts first."), "{first}");
    let talk: Vec<&str> = talks().map(known).collect();
    assert!(talk[0].contains("<topic>Tools of the day</topic>"), "{}", talk[0]);
    assert!(talk[0].contains("<goal>Which tools do you work with"), "{}", talk[0]);
    assert!(
        talk[0].contains("Ask about the shifts first.") && !talk[0].contains("a sigh is a burden"),
        "{}",
        talk[0]
    );
    assert!(
        progress.topics[0].covered > 0 && progress.topics[0].turns > 0,
        "{:?}",
        progress.topics
    );
    let judge = asked.iter().find(|asked| !is_talk(asked)).unwrap();
    let schema = &judge.body["response_format"]["json_schema"]["schema"];
    assert!(!schema["required"].as_array().unwrap().contains(&json!("discovered")), "{schema}");
    assert!(
        asked.iter().filter(|a| is_talk(a)).all(|a| !system(a).contains("Ask for a consent first"))
    );
    assert!(end(&replayed).is_some());
}

/// L02, L09: without its model a discovery asks the goals of its plan, in order, and comes to its end.
#[test]
fn without_its_model_topics_are_explored() {
    let server = ChatServer::playing(vec![json_answer("500 Internal Server Error", &json!({}))]);
    let (replayed, progress) = interviewed("discovery", Context::default(), &server.config());
    assert!(progress.topics[0].covered > 0, "{:?}", progress.topics);
    assert!(end(&replayed).is_some());
}
