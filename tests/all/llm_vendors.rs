//! Every kind of model behind a server, over a real socket: one table of what servers do, run against all of
//! them, and what each vendor is asked.

use std::{sync::Arc, time::Duration};

use futures_util::{StreamExt, future::join_all};
use serde_json::{Value, json};
use vivavoce::{
    config::Config,
    providers::{
        Call, JudgeRequest, Llm, Message, Piece, ProviderError, Retry, TalkRequest, Tool, Usage,
        interviewer::Interviewer,
        kind::{Place, Role},
        kinds::KINDS,
        registry::Registry,
    },
};

use crate::{
    anthropic_server,
    chat_server::{self, ChatServer, KEY, Step, answer, chunk, data, head, json_answer},
    gemini_server,
};

/// What a whole answer says, in several alphabets.
const WORDS: &str = "Bread — how lovely! 🥖 Är det svårt? はい。";

/// How a wire format says words and tools.
pub(crate) type Reply = fn(&str, &[(&str, Value)]) -> Vec<Step>;

/// The wire format of a vendor, as its server speaks it.
pub(crate) struct Wire {
    /// A whole reply: words, then calls, for 100 tokens in and 20 out.
    pub(crate) reply: Reply,
    /// A reply that has begun with these words.
    pub(crate) begun: fn(&str) -> Vec<Step>,
    /// Further words.
    words: fn(&str) -> Step,
    /// A reply that ends without any words.
    empty: fn() -> Vec<Step>,
    /// A document that is not streamed.
    pub(crate) document: fn(&str) -> Vec<Step>,
    /// A refusal with a status, headers and a message.
    refusal: fn(&str, &str, &str) -> Vec<Step>,
}

const CHAT: Wire = Wire {
    reply: chat_server::reply,
    begun: |text| vec![head(), chat_server::words(text)],
    words: chat_server::words,
    empty: || [vec![head(), chat_server::finish("stop")], chat_server::end(9, 0)].concat(),
    document: |text| {
        let message = json!({ "role": "assistant", "content": text });
        let choice = json!({ "index": 0, "message": message, "finish_reason": "stop" });
        json_answer("200 OK", &json!({ "choices": [choice] }))
    },
    refusal: |status, headers, message| {
        let error = json!({ "message": message, "type": "x", "code": null });
        answer(status, headers, &json!({ "error": error }).to_string())
    },
};

const ANTHROPIC: Wire = Wire {
    reply: anthropic_server::reply,
    begun: anthropic_server::begun,
    words: anthropic_server::words,
    empty: anthropic_server::empty,
    document: anthropic_server::document,
    refusal: anthropic_server::refusal,
};

const GEMINI: Wire = Wire {
    reply: gemini_server::reply,
    begun: gemini_server::begun,
    words: gemini_server::words,
    empty: gemini_server::empty,
    document: gemini_server::document,
    refusal: gemini_server::refusal,
};

/// The wire format of each kind of model behind a server.
pub(crate) const WIRES: &[(&str, &Wire)] = &[
    ("openai", &CHAT),
    ("anthropic", &ANTHROPIC),
    ("gemini", &GEMINI),
    ("azure-openai", &CHAT),
    ("groq", &CHAT),
    ("mistral", &CHAT),
    ("openrouter", &CHAT),
    ("litellm", &CHAT),
    ("vllm", &CHAT),
    ("ollama", &CHAT),
    ("llama-cpp", &CHAT),
];

/// P10: each kind that can be a model behind a server is in the table, so that all its faults are tried.
#[test]
fn every_model_is_tried() {
    let config = Config::read(None, []).unwrap();
    for kind in KINDS {
        let place = config.providers.get(kind.name).unwrap().place(Role::Llm);
        let is_server = matches!(place, Some(Place::Server(_)));
        let is_tried = WIRES.iter().any(|(name, _)| *name == kind.name);
        assert_eq!(is_server, is_tried, "{}: add its wire format to `WIRES`", kind.name);
    }
}

/// A model of a kind at an address, with further settings.
pub(crate) fn model(kind: &str, base_url: &str, more: &[(&str, &str)]) -> Arc<dyn Interviewer> {
    let config = config(kind, base_url, more);
    Registry::interviewer(&config.speech, &config.providers, Some(&kind.into())).unwrap()
}

/// The settings of such a model.
pub(crate) fn config(kind: &str, base_url: &str, more: &[(&str, &str)]) -> Config {
    let own = [
        ("BASE_URL", base_url),
        ("MODEL", "stub"),
        ("API_KEY", KEY),
        // A busy machine must not look like a slow server.
        ("FIRST_TOKEN_LIMIT", "60s"),
        ("STALL_LIMIT", "60s"),
        ("REPLY_LIMIT", "60s"),
        ("JUDGE_LIMIT", "60s"),
    ];
    let section = kind.to_uppercase().replace('-', "_");
    let settings = own
        .iter()
        .chain(more)
        .map(|(key, value)| (format!("VIVAVOCE_PROVIDERS__{section}__{key}"), (*value).to_owned()));
    Config::read(None, settings).unwrap()
}

fn llm(interviewer: &dyn Interviewer) -> &dyn Llm {
    interviewer.model().expect("it is a model")
}

fn tool() -> Tool {
    Tool {
        name: "assess_response",
        description: "Say how deep the answer is.",
        parameters: json!({
            "type": "object",
            "properties": { "depth": { "type": "integer", "minimum": 1, "maximum": 5 } },
            "required": ["depth"],
        }),
    }
}

pub(crate) fn talk() -> TalkRequest {
    TalkRequest {
        system: "You are an interviewer.".into(),
        messages: vec![
            Message::Assistant("Hello.".into()),
            Message::User("I bake bread — 🥖".into()),
        ],
        tools: vec![tool()],
        temperature: 0.7,
    }
}

fn judge() -> JudgeRequest {
    JudgeRequest {
        system: "Judge.".into(),
        user: "I bake bread.".into(),
        schema: json!({
            "type": "object",
            "properties": { "depth": { "type": "integer" } },
            "required": ["depth"],
            "additionalProperties": false,
        }),
        is_long: false,
    }
}

/// What came of a reply.
#[derive(Debug, Default, PartialEq)]
struct Heard {
    text: String,
    calls: Vec<(String, Value)>,
    usage: Option<Usage>,
    error: Option<ProviderError>,
}

async fn heard(model: &dyn Llm, request: TalkRequest) -> Heard {
    let mut heard = Heard::default();
    let mut pieces = model.talk(request);
    while let Some(piece) = pieces.next().await {
        match piece {
            Ok(Piece::Text(more)) => heard.text.push_str(&more),
            Ok(Piece::Call(Call { name, arguments, .. })) => {
                heard.calls.push((name, serde_json::from_str(&arguments).unwrap()));
            }
            Ok(Piece::Usage(usage)) => heard.usage = Some(usage),
            Err(error) => {
                assert!(pieces.next().await.is_none(), "something follows {error}");
                heard.error = Some(error);
                return heard;
            }
        }
    }
    heard
}

/// What a server does, and what comes of it.
struct Row {
    what: &'static str,
    /// What the server does with the first call, the second …
    scripts: fn(&Wire) -> Vec<Vec<Step>>,
    limits: &'static [(&'static str, &'static str)],
    /// The words that are heard.
    text: &'static str,
    /// A part of the sentence and the advice; nothing where the reply succeeds in the end.
    fails: Option<(&'static str, Retry)>,
    calls: usize,
}

/// A reply that succeeds.
const fn passes(what: &'static str, calls: usize, scripts: fn(&Wire) -> Vec<Vec<Step>>) -> Row {
    Row { what, scripts, limits: &[], text: WORDS, fails: None, calls }
}

/// One that fails before its first word, after so many calls.
const fn fails(
    what: &'static str,
    scripts: fn(&Wire) -> Vec<Vec<Step>>,
    says: &'static str,
    retry: Retry,
    calls: usize,
) -> Row {
    Row { what, scripts, limits: &[], text: "", fails: Some((says, retry)), calls }
}

/// One that breaks off after its first words.
const fn breaks(
    what: &'static str,
    scripts: fn(&Wire) -> Vec<Vec<Step>>,
    says: &'static str,
    retry: Retry,
) -> Row {
    Row { what, scripts, limits: &[], text: "Why ", fails: Some((says, retry)), calls: 1 }
}

const HOUR: Retry = Retry::After(Duration::from_secs(3_600));

/// A reply that has begun, and goes on so, behind a good one: only of a model that is known to speak at once
/// words are passed on before they have ended.
fn begun(wire: &Wire, more: Vec<Step>) -> Vec<Vec<Step>> {
    vec![good(wire), [(wire.begun)("Why "), more].concat()]
}

fn good(wire: &Wire) -> Vec<Step> {
    (wire.reply)(WORDS, &[])
}

/// The same bytes, each in a piece of its own but for the last steps: only for a moment the end of an answer
/// is waited for, which has its tokens.
fn split(steps: Vec<Step>) -> Vec<Step> {
    let end = steps.len() - 4;
    let split = |(n, step): (usize, Step)| match step {
        Step::Send(bytes) if n < end && !bytes.starts_with(b"HTTP") => Step::Drip(bytes),
        other => other,
    };
    steps.into_iter().enumerate().map(split).collect()
}

/// The same events, each byte of them in a chunk of HTTP of its own: every frame is split at every byte.
fn split_frames(steps: Vec<Step>) -> Vec<Step> {
    let split = |step| match step {
        Step::Send(bytes) if !bytes.starts_with(b"HTTP") => {
            let from = bytes.windows(2).position(|end| end == b"\r\n").unwrap() + 2;
            let data = &bytes[from..bytes.len() - 2];
            let mut one_each: Vec<u8> = data
                .iter()
                .flat_map(|byte| [b"1\r\n".as_slice(), &[*byte], b"\r\n"].concat())
                .collect();
            if data.is_empty() {
                one_each = bytes;
            }
            Step::Send(one_each)
        }
        other => other,
    };
    steps.into_iter().map(split).collect()
}

const TABLE: &[Row] = &[
    passes("all is well", 1, |wire| vec![good(wire)]),
    passes("dripping byte by byte", 1, |wire| vec![split(good(wire))]),
    passes("every frame is split at every byte", 1, |wire| vec![split_frames(good(wire))]),
    passes("a comment and an empty event", 1, |wire| {
        let mut steps = good(wire);
        steps.insert(1, Step::Send(b"c\r\n: x\n\ndata:\n\n\r\n".to_vec()));
        vec![steps]
    }),
    passes("a reset before the first word, once", 2, |wire| {
        vec![vec![head(), Step::Reset], good(wire)]
    }),
    passes("500 once", 2, |wire| {
        vec![(wire.refusal)("500 Internal Server Error", "", "oops"), good(wire)]
    }),
    passes("429 for a moment", 2, |wire| {
        let headers = "retry-after-ms: 1\r\n";
        vec![(wire.refusal)("429 Too Many Requests", headers, "slow down"), good(wire)]
    }),
    fails(
        "401",
        |wire| vec![(wire.refusal)("401 Unauthorized", "", "no, sk-very-secret")],
        "refuses the key (401 Unauthorized)",
        Retry::Never,
        1,
    ),
    fails(
        "402",
        |wire| vec![(wire.refusal)("402 Payment Required", "", "pay")],
        "has no credit left",
        Retry::Never,
        1,
    ),
    fails(
        "404",
        |wire| vec![(wire.refusal)("404 Not Found", "", "no, sk-very-secret")],
        "has no model `stub`: no, (the key)",
        Retry::Never,
        1,
    ),
    fails(
        "429 for an hour",
        |wire| vec![(wire.refusal)("429 Too Many Requests", "retry-after: 3600\r\n", "limit")],
        "no more calls for 3600 s",
        HOUR,
        1,
    ),
    fails(
        "500 for good",
        |wire| vec![(wire.refusal)("500 Internal Server Error", "", "oops")],
        "failed with 500",
        Retry::Now,
        2,
    ),
    fails(
        "529",
        |wire| vec![(wire.refusal)("529 Overloaded", "retry-after: 3600\r\n", "overloaded")],
        "is overloaded (529)",
        HOUR,
        1,
    ),
    fails(
        "elsewhere",
        |_| vec![answer("307 Temporary Redirect", "location: http://127.0.0.1:1/\r\n", "")],
        "sends us elsewhere",
        Retry::Never,
        1,
    ),
    fails("reset at once", |_| vec![vec![Step::Reset]], "broke off", Retry::Now, 2),
    fails("garbage", |_| vec![vec![head(), data("}{")]], "something that is no ", Retry::Now, 2),
    fails("no words", |wire| vec![(wire.empty)()], "answered with nothing", Retry::Now, 2),
    fails(
        "thoughts alone",
        |wire| vec![(wire.reply)("", &[])],
        "answered with nothing",
        Retry::Now,
        2,
    ),
    passes("a thought before the words", 1, |wire| {
        let text = format!("<think>She seems nervous.</think>{WORDS}");
        vec![(wire.reply)(&text, &[])]
    }),
    fails(
        "a thought without an end",
        |wire| vec![(wire.reply)("<think>She seems nervous.", &[])],
        "answered with nothing but thoughts",
        Retry::Now,
        2,
    ),
    passes("a thought that never began, in the first reply", 1, |wire| {
        let text = format!("She seems nervous. I will ask about work.\n</think>\n{WORDS}");
        vec![(wire.reply)(&text, &[])]
    }),
    fails(
        "reset in the first reply",
        |wire| vec![[(wire.begun)("She seems "), vec![Step::Reset]].concat()],
        "broke off",
        Retry::Now,
        2,
    ),
    breaks(
        "a thought that never began",
        |wire| begun(wire, vec![(wire.words)("</think>I see.")]),
        "thinks aloud before it speaks",
        Retry::Now,
    ),
    fails(
        "a whole answer in the place of a stream",
        |wire| vec![(wire.document)(WORDS)],
        "not with a stream of events; it ignores that a stream is wanted",
        Retry::Never,
        1,
    ),
    fails(
        "an error with a good status",
        |_| vec![json_answer("200 OK", &json!({ "error": { "message": "out of memory" } }))],
        "out of memory",
        Retry::Now,
        2,
    ),
    fails(
        "lines of JSON, as Ollama's own address gives them",
        |_| {
            let lines = "{\"message\":{\"content\":\"Hi\"},\"done\":false}\n{\"done\":true}\n";
            vec![answer("200 OK", "content-type: application/x-ndjson\r\n", lines)]
        },
        "base_url in /v1",
        Retry::Never,
        1,
    ),
    fails(
        "a page",
        |_| vec![answer("200 OK", "content-type: text/html\r\n", "<p>Welcome")],
        "answers with text/html",
        Retry::Never,
        1,
    ),
    Row {
        limits: &[("FIRST_TOKEN_LIMIT", "1s")],
        ..fails(
            "it hangs at once",
            |_| vec![vec![Step::Hang]],
            "no first word within 1 s; take a faster one, or raise ",
            Retry::Now,
            1,
        )
    },
    Row {
        limits: &[("STALL_LIMIT", "1s")],
        ..breaks("it hangs later", |wire| begun(wire, vec![Step::Hang]), "no next word", Retry::Now)
    },
    breaks("reset later", |wire| begun(wire, vec![Step::Reset]), "broke off", Retry::Now),
    breaks(
        "no end",
        |wire| begun(wire, vec![Step::Send(b"0\r\n\r\n".to_vec())]),
        "broke off",
        Retry::Now,
    ),
    breaks(
        "torn JSON",
        |wire| begun(wire, vec![data("{\"type\":\"message_delta\",\"candidates\":[{\"content")]),
        "something that is no ",
        Retry::Now,
    ),
    breaks(
        "no UTF-8",
        |wire| begun(wire, vec![Step::Send(b"9\r\ndata: \xff\n\n\r\n".to_vec())]),
        "something that is no ",
        Retry::Now,
    ),
    breaks(
        "an error in the middle",
        |wire| {
            let error = json!({ "type": "error", "message": "out of memory", "code": 500 });
            begun(wire, vec![chunk(&json!({ "type": "error", "error": error }))])
        },
        "out of memory",
        Retry::Now,
    ),
];

/// P02, P04, P10: whatever a server does, every kind of model makes the same of it: the words, or one
/// sentence that says where and never shows the key, with the right advice.
#[tokio::test]
async fn all_models_take_all_faults() {
    for (kind, wire) in WIRES {
        // All at the same time: some wait for a limit.
        join_all(TABLE.iter().map(|row| check(kind, wire, row))).await;
    }
}

async fn check(kind: &str, wire: &Wire, row: &Row) {
    let server = ChatServer::playing((row.scripts)(wire));
    let interviewer = model(kind, &server.base_url(), row.limits);
    let what = format!("{kind}: {}", row.what);
    let is_known = row.fails.is_some() && !row.text.is_empty();
    if is_known {
        assert_eq!(heard(llm(&*interviewer), talk()).await.text, WORDS, "{what}");
    }
    let heard = heard(llm(&*interviewer), talk()).await;
    assert_eq!(heard.text.trim_start(), row.text.trim_start(), "{what}: {:?}", heard.error);
    match (&heard.error, row.fails) {
        (None, None) => {
            let tokens = heard.usage.map(|usage| (usage.input, usage.output));
            assert_eq!(tokens, Some((100, 20)), "{what}: tokens");
        }
        (Some(error), Some((says, retry))) => {
            assert!(error.what.contains(says), "{what}: {error} does not say {says:?}");
            assert_eq!(error.retry, retry, "{what}: {error}");
            assert!(error.what.contains("http://127.0.0.1:"), "{what}: {error}: where?");
            assert!(!error.what.contains(KEY), "{what}: {error} shows the key");
        }
        (error, fails) => panic!("{what}: {error:?} instead of {fails:?}"),
    }
    let calls = server.asked().len() - usize::from(is_known);
    // On a busy machine a short limit may end a call before it is made.
    let is_short = !row.limits.is_empty();
    assert!(calls == row.calls || is_short && calls < row.calls, "{what}: {calls} calls");
}

/// P04: every kind of model streams its words and hands on whole calls.
#[tokio::test]
async fn all_models_call_tools() {
    join_all(WIRES.iter().map(async |(kind, wire)| {
        let calls = [("assess_response", json!({ "depth": 3 })), ("transition_stage", json!({}))];
        let server = ChatServer::playing(vec![(wire.reply)(WORDS, &calls)]);
        let interviewer = model(kind, &server.base_url(), &[]);
        let heard = heard(llm(&*interviewer), talk()).await;
        let calls = calls.map(|(name, arguments)| (name.to_owned(), arguments)).to_vec();
        // Anthropic counts those from its cache apart.
        let cached = if *kind == "anthropic" { 6 } else { 0 };
        let usage = Some(Usage { input: 100, cached, output: 20 });
        assert_eq!(heard, Heard { text: WORDS.into(), calls, usage, error: None }, "{kind}");
        assert_eq!(llm(&*interviewer).used(), usage, "{kind}");
        assert_eq!(llm(&*interviewer).name().as_deref(), Some("stub"), "{kind}");
    }))
    .await;
}

/// P04: an answer without an end is given up, streamed or whole, before it fills the memory.
#[tokio::test]
async fn all_models_give_up_endless_answers() {
    join_all(WIRES.iter().map(async |(kind, wire)| {
        let megabytes = vec![(wire.words)(&"bread ".repeat(10_000)); 170];
        let page = answer("200 OK", "", &"x".repeat(10 << 20));
        let endless = [(wire.begun)("Why "), megabytes].concat();
        let server = ChatServer::playing(vec![good(wire), endless, page]);
        let interviewer = model(kind, &server.base_url(), &[]);
        assert_eq!(heard(llm(&*interviewer), talk()).await.text, WORDS, "{kind}");
        let heard = heard(llm(&*interviewer), talk()).await;
        let error = heard.error.unwrap();
        assert!(error.what.contains("does not end"), "{kind}: {error}");
        assert!(heard.text.len() < 2 << 20, "{kind}: {} bytes", heard.text.len());
        let error = llm(&*interviewer).judge(judge()).await.unwrap_err();
        assert!(error.what.contains("does not end"), "{kind}: {error}");
    }))
    .await;
}

/// P04: to drop a reply is to cancel the call: the server sees it go.
#[tokio::test]
async fn all_models_can_be_cancelled() {
    join_all(WIRES.iter().map(async |(kind, wire)| {
        let mut server = ChatServer::playing(begun(wire, vec![Step::Hang]));
        let interviewer = model(kind, &server.base_url(), &[]);
        assert_eq!(heard(llm(&*interviewer), talk()).await.text, WORDS, "{kind}");
        let mut pieces = llm(&*interviewer).talk(talk());
        assert_eq!(pieces.next().await, Some(Ok(Piece::Text("Why ".into()))), "{kind}");
        drop(pieces);
        server.is_left().await;
    }))
    .await;
}

/// P04, P10: every kind of model judges by a schema; a judgement that does not come is one sentence.
#[tokio::test]
async fn all_models_judge() {
    join_all(WIRES.iter().map(async |(kind, wire)| {
        let document = |text| (wire.document)(text);
        let server = ChatServer::playing(vec![
            document("```json\n{\"depth\": 3}\n```"),
            document(" "),
            answer("200 OK", "", "{\"type\":\"mess"),
            (wire.refusal)("401 Unauthorized", "", "no"),
        ]);
        let interviewer = model(kind, &server.base_url(), &[]);
        let judges = llm(&*interviewer);
        assert_eq!(judges.judge(judge()).await.unwrap(), "{\"depth\": 3}", "{kind}");
        for says in ["answered with nothing", "something that is no ", "refuses the key"] {
            let error = judges.judge(judge()).await.unwrap_err();
            assert!(error.what.contains(says), "{kind}: {error} does not say {says:?}");
            assert!(!error.what.contains(KEY), "{kind}: {error}");
        }
        assert_eq!(server.asked().len(), 4, "{kind}");
        // A limit that is short is for the call alone that has to reach it.
        let hangs = ChatServer::playing(vec![vec![Step::Hang]]);
        let interviewer = model(kind, &hangs.base_url(), &[("JUDGE_LIMIT", "1s")]);
        let error = llm(&*interviewer).judge(judge()).await.unwrap_err();
        assert!(error.what.contains("no judgement within 1 s"), "{kind}: {error}");
    }))
    .await;
}

/// The request that a kind of model makes, and what it says after a refusal.
async fn asked(kind: &str, wire: &Wire, request: TalkRequest) -> chat_server::Asked {
    let server = ChatServer::playing(vec![good(wire)]);
    let interviewer = model(kind, &server.base_url(), &[]);
    assert_eq!(heard(llm(&*interviewer), request).await.error, None, "{kind}");
    server.asked().remove(0)
}

/// P04: each server is called where it is, with its key in its header, and with the fields that it knows.
#[tokio::test]
async fn presets_are_asked_as_they_want_it() {
    for (kind, header, tokens, counts) in [
        ("openai", "authorization: bearer", "max_tokens", true),
        ("azure-openai", "api-key:", "max_completion_tokens", true),
        ("groq", "authorization: bearer", "max_completion_tokens", true),
        ("mistral", "authorization: bearer", "max_tokens", false),
        ("openrouter", "authorization: bearer", "max_tokens", true),
        ("litellm", "authorization: bearer", "max_tokens", true),
        ("vllm", "authorization: bearer", "max_tokens", true),
        ("ollama", "authorization: bearer", "max_tokens", true),
        ("llama-cpp", "authorization: bearer", "max_tokens", true),
    ] {
        let asked = asked(kind, &CHAT, talk()).await;
        assert!(asked.head.starts_with("post /v1/chat/completions http/1.1\r\n"), "{}", asked.head);
        assert!(asked.head.contains(&format!("\r\n{header} {KEY}\r\n")), "{kind}: {}", asked.head);
        let others = ["max_tokens", "max_completion_tokens"].map(|field| asked.body.get(field));
        assert_eq!(asked.body[tokens], 600, "{kind}");
        assert_eq!(others.iter().flatten().count(), 1, "{kind}");
        assert_eq!(asked.body.get("stream_options").is_some(), counts, "{kind}");
    }
    let keyless =
        Config::read(None, [("VIVAVOCE_SPEECH__LLM".into(), "azure-openai".into())]).unwrap();
    let azure = Registry::interviewer(&keyless.speech, &keyless.providers, None);
    let error = azure.err().unwrap().what;
    assert!(
        error.contains("providers.azure-openai.base_url still has the place holder"),
        "{error}"
    );
}

/// P04: a field that FastAPI refuses (Mistral, vLLM) is left out, too.
#[tokio::test]
async fn fields_that_are_refused_in_a_list_are_left_out() {
    let server = ChatServer::start(|asked| {
        if asked.body.get("parallel_tool_calls").is_none() {
            return good(&CHAT);
        }
        let detail = json!([{
            "type": "extra_forbidden", "loc": ["body", "parallel_tool_calls"],
            "msg": "Extra inputs are not permitted", "input": true,
        }]);
        let body = json!({ "object": "error", "message": { "detail": detail } });
        json_answer("422 Unprocessable Entity", &body)
    });
    let interviewer = model("mistral", &server.base_url(), &[]);
    assert_eq!(heard(llm(&*interviewer), talk()).await.text, WORDS);
    assert_eq!(server.asked().len(), 2);
}

/// P04: what Anthropic is asked is what it documents.
#[tokio::test]
async fn anthropic_is_asked_as_it_documents() {
    let asked = asked("anthropic", &ANTHROPIC, talk()).await;
    assert!(asked.head.starts_with("post /v1/messages http/1.1\r\n"), "{}", asked.head);
    for header in [&format!("x-api-key: {KEY}"), "anthropic-version: 2023-06-01"] {
        assert!(asked.head.contains(&format!("\r\n{header}\r\n")), "{}", asked.head);
    }
    let text = |role: &str, text: &str| {
        let block = json!({ "type": "text", "text": text });
        json!({ "role": role, "content": [block] })
    };
    let body = json!({
        "model": "stub",
        "max_tokens": 600,
        "system": "You are an interviewer.",
        "messages": [
            text("user", "(The candidate is listening. Go on.)"),
            text("assistant", "Hello."),
            text("user", "I bake bread — 🥖"),
        ],
        "stream": true,
        "temperature": 0.7,
        "thinking": { "type": "disabled" },
        "tools": [{
            "name": "assess_response",
            "description": "Say how deep the answer is.",
            "input_schema": tool().parameters,
        }],
    });
    assert_eq!(asked.body, body);
}

/// P04: what a model of Anthropic's refuses is left out, once and from then on; one without structured
/// outputs answers by a tool.
#[tokio::test]
async fn anthropic_models_differ() {
    let server = ChatServer::start(|asked| {
        let refused = |message: &str| anthropic_server::refusal("400 Bad Request", "", message);
        if asked.body.get("temperature").is_some() {
            return refused("`temperature` is deprecated for this model.");
        }
        if asked.body.get("thinking").is_some() {
            return refused(
                "\"thinking.type.disabled\" is not supported for this model. Use \
                    \"thinking.type.adaptive\" and \"output_config.effort\".",
            );
        }
        if asked.body["stream"] == true {
            return good(&ANTHROPIC);
        }
        if asked.body["output_config"].get("format").is_some() {
            return refused("output_config.format: not available");
        }
        assert_eq!(asked.body["tool_choice"], json!({ "type": "tool", "name": "answer" }));
        assert_eq!(asked.body["tools"][0]["input_schema"], judge().schema);
        let input = json!({ "depth": 4 });
        anthropic_server::whole(
            &json!({ "type": "tool_use", "id": "toolu_1", "name": "answer", "input": input }),
        )
    });
    let interviewer = model("anthropic", &server.base_url(), &[]);
    let model = llm(&*interviewer);
    for calls in [3, 4] {
        assert_eq!(heard(model, talk()).await.text, WORDS);
        assert_eq!(server.asked().len(), calls);
    }
    assert_eq!(server.asked()[3].body["output_config"], json!({ "effort": "low" }));
    for calls in [6, 7] {
        assert_eq!(model.judge(judge()).await.unwrap(), "{\"depth\":4}");
        assert_eq!(server.asked().len(), calls);
    }
}

/// P04: what Gemini is asked is what it documents, for both lanes.
#[tokio::test]
async fn gemini_is_asked_as_it_documents() {
    let server = ChatServer::playing(vec![good(&GEMINI), gemini_server::document("{\"depth\":3}")]);
    let interviewer = model("gemini", &server.base_url(), &[]);
    let model = llm(&*interviewer);
    assert_eq!(heard(model, talk()).await.text, WORDS);
    assert_eq!(model.judge(judge()).await.unwrap(), "{\"depth\":3}");
    let [talked, judged] = &server.asked()[..] else { panic!("{:?}", server.asked()) };
    let path = "post /v1/models/stub:streamgeneratecontent?alt=sse http/1.1\r\n";
    assert!(talked.head.starts_with(path), "{}", talked.head);
    let path = "post /v1/models/stub:generatecontent http/1.1\r\n";
    assert!(judged.head.starts_with(path), "{}", judged.head);
    let thinking = json!({ "thinkingLevel": "MINIMAL" });
    for asked in [talked, judged] {
        let header = format!("\r\nx-goog-api-key: {KEY}\r\n");
        assert!(asked.head.contains(&header), "{}", asked.head);
        assert_eq!(asked.body["generationConfig"]["thinkingConfig"], thinking);
        assert_eq!(asked.body["generationConfig"]["maxOutputTokens"], 600);
    }
    let text = |role: &str, text: &str| json!({ "role": role, "parts": [{ "text": text }] });
    let contents = json!([
        text("user", "(The candidate is listening. Go on.)"),
        text("model", "Hello."),
        text("user", "I bake bread — 🥖"),
    ]);
    assert_eq!(talked.body["contents"], contents);
    assert_eq!(
        talked.body["systemInstruction"],
        json!({ "parts": [{ "text": "You are an interviewer." }] })
    );
    let declared = json!([{ "functionDeclarations": [{
        "name": "assess_response",
        "description": "Say how deep the answer is.",
        "parameters": {
            "type": "OBJECT",
            "properties": { "depth": { "type": "INTEGER", "minimum": 1, "maximum": 5 } },
            "required": ["depth"],
        },
    }] }]);
    assert_eq!(talked.body["tools"], declared);
    let config = &judged.body["generationConfig"];
    assert_eq!(config["responseMimeType"], "application/json");
    let schema = json!({
        "type": "OBJECT", "properties": { "depth": { "type": "INTEGER" } }, "required": ["depth"],
    });
    assert_eq!(config["responseSchema"], schema);
}

/// P04, H08: a call goes back to Gemini with the signature that it came with.
#[tokio::test]
async fn gemini_gets_its_signatures_back() {
    let call = json!([{
        "functionCall": { "name": "assess_response", "args": { "depth": 3 } },
        "thoughtSignature": "c2lnbmF0dXJl",
    }]);
    let called = [vec![head(), gemini_server::parts(&call)], gemini_server::end("STOP")].concat();
    let server = ChatServer::playing(vec![called, good(&GEMINI)]);
    let interviewer = model("gemini", &server.base_url(), &[]);
    let model = llm(&*interviewer);
    let mut request = talk();
    let mut pieces = model.talk(request.clone());
    let Some(Ok(Piece::Call(call))) = pieces.next().await else { panic!("no call") };
    let answered = Message::Answered { id: call.id.clone(), text: "accepted".into() };
    request.messages.extend([Message::Called(vec![call]), answered]);
    assert_eq!(heard(model, request).await.text, WORDS);
    let contents = server.asked()[1].body["contents"].as_array().unwrap().clone();
    let called = json!({ "role": "model", "parts": [{
        "functionCall": { "name": "assess_response", "args": { "depth": 3 } },
        "thoughtSignature": "c2lnbmF0dXJl",
    }] });
    let answered = json!({ "role": "user", "parts": [{
        "functionResponse": { "name": "assess_response", "response": { "output": "accepted" } },
    }] });
    assert_eq!(contents[contents.len() - 2..], [called, answered]);
}

/// P02, P04: a key that Google refuses with 400 is a key that is refused, and the wait that it writes into
/// the body of a refusal is taken.
#[tokio::test]
async fn gemini_refuses_in_its_own_way() {
    let info = json!([{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID" }]);
    let retry =
        json!([{ "@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "3600s" }]);
    let server = ChatServer::playing(vec![
        gemini_server::refusal_with("400 Bad Request", "API key not valid.", &info),
        gemini_server::refusal_with("429 Too Many Requests", "You exceeded your quota.", &retry),
    ]);
    let interviewer = model("gemini", &server.base_url(), &[]);
    let model = llm(&*interviewer);
    let error = heard(model, talk()).await.error.unwrap();
    assert!(
        error.what.contains("refuses the key") && error.what.contains("GEMINI_API_KEY"),
        "{error}"
    );
    assert_eq!(error.retry, Retry::Never);
    let error = heard(model, talk()).await.error.unwrap();
    assert!(error.what.contains("no more calls for 3600 s: You exceeded your quota."), "{error}");
    assert_eq!((error.retry, server.asked().len()), (HOUR, 2));
}
