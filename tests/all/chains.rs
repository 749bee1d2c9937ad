//! Whole interviews over real sockets whose first model, recogniser and voice fail, on virtual time: the
//! second ones carry them to their end, and nothing of the failures is noticed (P02).

use std::collections::VecDeque;

use serde_json::{Value, json};
use vivavoce::{
    config::Config,
    interview::{Effect, End, Event, Reason},
    providers::registry::Registry,
    session::Replayed,
};

use crate::{
    chat_server::{Asked, ChatServer, KEY, Step, answer, head, reply, words},
    deepgram_server::{self, DeepgramServer, Heard, Mind},
    llm_interview::{effects, failures, held, said},
    tts_openai::{spoken, tone},
};

/// What the candidate says.
const LINES: [&str; 4] = [
    "I am a backend engineer and I have worked on payment systems for six years",
    "last year I led the move of our billing service to a new database",
    "I split the work into small steps and measured each of them",
    "the hardest part was to keep both systems in step",
];
/// What the model says to the first of them.
const BEGUN: &str = "So you know payment systems";
const REST: &str = "from within. What did you build there?";
const GREETING: &str = "Hello from the model. What do you work on these days?";

/// The limits of models, recognisers and voices: a busy machine must not look like a slow server.
const LIMITS: [&[&str]; 3] = [
    &["FIRST_TOKEN_LIMIT", "STALL_LIMIT", "REPLY_LIMIT", "JUDGE_LIMIT"],
    &["FINAL_LIMIT"],
    &["FIRST_BYTE_LIMIT", "STALL_LIMIT", "SEGMENT_LIMIT"],
];
const PATIENCE: &str = "60s";

/// Six servers: a first and a second one for each role.
struct Servers {
    models: [ChatServer; 2],
    ears: [DeepgramServer; 2],
    voices: [ChatServer; 2],
}

impl Servers {
    /// The interview that they hold.
    fn interview(&self) -> Replayed {
        let (mut settings, mut names) = (Vec::new(), [const { Vec::<String>::new() }; 3]);
        let mut provider = |role: usize, kind: &str, address: String| {
            let name = format!("{}{}", ["model", "ear", "voice"][role], names[role].len() + 1);
            let own = [("KIND", kind), ("BASE_URL", &address), ("API_KEY", KEY)];
            let limits = LIMITS[role].iter().map(|limit| (*limit, PATIENCE));
            for (key, value) in own.into_iter().chain(limits) {
                let key = format!("VIVAVOCE_PROVIDERS__{}__{key}", name.to_uppercase());
                settings.push((key, value.to_owned()));
            }
            names[role].push(name);
        };
        self.models.iter().for_each(|it| provider(0, "openai", it.base_url()));
        self.ears.iter().for_each(|it| provider(1, "deepgram", it.base_url()));
        self.voices.iter().for_each(|it| provider(2, "openai-speech", it.base_url()));
        for (role, names) in ["LLM", "STT", "TTS"].into_iter().zip(names) {
            settings.push((format!("VIVAVOCE_SPEECH__{role}"), names.join(",")));
        }
        for limit in ["LLM_SILENCE_LIMIT", "TTS_SILENCE_LIMIT"] {
            settings.push((format!("VIVAVOCE_SPEECH__{limit}"), PATIENCE.to_owned()));
        }
        for (role, name) in [("VAD", "earshot"), ("TURN_DETECTOR", "off")] {
            settings.push((format!("VIVAVOCE_SPEECH__{role}"), name.to_owned()));
        }
        let config = Config::read(None, settings).unwrap();
        held(&Registry::build(&config.speech, &config.providers, 1).unwrap(), |text| text)
    }
}

/// A model that talks where it may only talk, goes on with what another one has begun, and calls where it
/// may do more.
fn model(asked: &Asked) -> Vec<Step> {
    let lines = asked.body["messages"].as_array().unwrap();
    if !asked.body["tools"].is_null() {
        let assess = json!({ "depth": 4, "key_points": ["payment"], "answer_kind": "full" });
        let leave = json!({ "reason": "enough" });
        return reply("", &[("assess_response", assess), ("transition_stage", leave)]);
    }
    if goes_on(asked) {
        return reply(REST, &[]);
    }
    match knows_payment(lines) {
        true => reply(&format!("{BEGUN} {REST}"), &[]),
        false => reply(GREETING, &[]),
    }
}

/// Whether a model is asked to go on with a reply. What was said of it stands before a line that asks for
/// more.
fn goes_on(asked: &Asked) -> bool {
    let lines = asked.body["messages"].as_array().unwrap();
    lines[0]["content"].as_str().unwrap().contains("cut off")
        && lines[lines.len() - 2] == json!({ "role": "assistant", "content": BEGUN })
}

fn knows_payment(lines: &[Value]) -> bool {
    let answer = lines.iter().rfind(|line| line["role"] == "user").unwrap();
    answer["content"].as_str().unwrap().contains("payment")
}

/// What a recogniser does that hears a line in each stretch of voice.
fn hears(
    lines: &mut VecDeque<&'static str>,
    mind: &mut Mind,
    heard: &Heard,
) -> Vec<deepgram_server::Step> {
    if matches!(heard, Heard::Sound(_)) && mind.pieces.is_multiple_of(10) {
        // Time is virtual, our silence is not: who says nothing for three real seconds is away.
        return vec![deepgram_server::Step::Say(json!({ "type": "Metadata" }))];
    }
    let is_asked = matches!(heard, Heard::Said(said) if said.contains("Finalize"));
    if !is_asked {
        return Vec::new();
    }
    // Voice is full of the samples that stand for words, silence is not.
    let has_voice = mind.has_words();
    let deepgram_server::Step::Say(mut results) = mind.finish(true) else {
        panic!("results are said");
    };
    if has_voice {
        let line = lines.pop_front().unwrap_or("that is all");
        let found = json!({ "transcript": line, "confidence": 0.9, "words": [] });
        results["channel"]["alternatives"][0] = found;
    }
    vec![deepgram_server::Step::Say(results)]
}

fn ear(from: usize) -> DeepgramServer {
    let mut lines: VecDeque<_> = LINES[from..].iter().copied().collect();
    DeepgramServer::start(move |mind, heard| hears(&mut lines, mind, heard))
}

fn refused() -> deepgram_server::Step {
    let answer = "HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n";
    deepgram_server::Step::Http(answer.to_owned())
}

/// What ends a stream in its middle, behind all that was sent.
fn no_chunk() -> Step {
    Step::Send(b"no chunk\r\n".to_vec())
}

fn voice() -> ChatServer {
    ChatServer::start(|_| spoken(&tone(24_000, 24_000), 4_800))
}

/// What must be so of every interview, whatever has failed.
fn goes_well(replayed: &Replayed) {
    assert_eq!(failures(replayed), Vec::<&str>::new());
    let said = said(replayed);
    for sentence in ["Hello from the model.", "What do you work on these days?"] {
        assert_eq!(said.matches(sentence).count(), 1, "{sentence}: {said}");
    }
    assert!(said.ends_with("Goodbye."), "{said}");
    assert_eq!(said.matches(&format!("{BEGUN} {REST}")).count(), 1, "{said}");
    let handoffs: Vec<Reason> = effects(replayed)
        .filter_map(|effect| match effect {
            Effect::Handoff { why, .. } => Some(*why),
            _ => None,
        })
        .collect();
    assert_eq!(handoffs, [Reason::Tool], "{said}");
    assert!(matches!(effects(replayed).last(), Some(Effect::Hangup { end: End::Completed })));
    let heard: Vec<&str> = replayed
        .entries
        .iter()
        .filter_map(|entry| match &entry.event {
            Event::FinalTranscript(words) => Some(words.text.as_str()),
            _ => None,
        })
        .collect();
    assert!(heard.len() >= 2, "{heard:?}");
    assert_eq!(heard[..2], LINES[..2], "no word is lost, none is heard twice");
}

/// P02: an interview whose first model, recogniser and voice do not work at all is held by the second ones.
#[test]
fn second_providers_hold_an_interview() {
    let servers = Servers {
        models: [
            ChatServer::start(|_| answer("503 Service Unavailable", "", "{}")),
            ChatServer::start(model),
        ],
        ears: [DeepgramServer::start(|_, _| vec![refused()]), ear(0)],
        voices: [ChatServer::start(|_| answer("401 Unauthorized", "", "{}")), voice()],
    };
    goes_well(&servers.interview());
    assert_eq!(servers.ears[0].connections(), 1, "a key that is refused is not tried again");
    assert_eq!(servers.voices[0].asked().len(), 1, "nor is it for a voice");
}

/// P02, P03: a recogniser that fails in the middle of an answer, a model that breaks off in the middle of a
/// sentence and a voice that does, are followed by the next ones there: no word is lost, none is said twice.
#[test]
fn second_providers_go_on_where_the_first_ones_stopped() {
    let breaks_off = |asked: &Asked| {
        let is_reply = asked.body["stream"] == true && asked.body["tools"].is_null();
        match is_reply && knows_payment(asked.body["messages"].as_array().unwrap()) {
            true => vec![head(), words(BEGUN), words(" fr"), no_chunk()],
            false => model(asked),
        }
    };
    let mut lines: VecDeque<_> = LINES[..1].iter().copied().collect();
    let mut pieces = 0;
    let fails = move |mind: &mut Mind, heard: &Heard| match heard {
        Heard::Opened(_) if mind.connection > 1 => vec![refused()],
        // The first answer is heard; after a second of the next one the connection breaks.
        Heard::Sound(_) if lines.is_empty() && mind.has_words() => {
            pieces += 1;
            if pieces < 50 { Vec::new() } else { vec![deepgram_server::Step::Reset] }
        }
        Heard::Opened(_) | Heard::Sound(_) | Heard::Said(_) | Heard::Gone => {
            hears(&mut lines, mind, heard)
        }
    };
    let stops = |_: &Asked| {
        let mut steps = spoken(&tone(24_000, 19_200), 4_800);
        steps.pop();
        [steps, vec![no_chunk()]].concat()
    };
    let servers = Servers {
        models: [ChatServer::start(breaks_off), ChatServer::start(model)],
        ears: [DeepgramServer::start(fails), ear(1)],
        voices: [ChatServer::start(stops), voice()],
    };
    goes_well(&servers.interview());
    assert_eq!(servers.models[1].asked().iter().filter(|asked| goes_on(asked)).count(), 1);
    let inputs = |voice: &ChatServer| -> Vec<String> {
        let inputs = voice.asked().into_iter();
        inputs.map(|asked| asked.body["input"].as_str().unwrap().to_owned()).collect()
    };
    let (first, second) = (inputs(&servers.voices[0]), inputs(&servers.voices[1]));
    let rest = first[0].strip_suffix(&second[0]).expect("the rest of what was begun");
    assert!(rest.ends_with(' ') && !second[0].is_empty(), "{rest:?} {:?}", second[0]);
}
