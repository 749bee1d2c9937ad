//! The model over a real socket: what it is asked, what is read of its answers, and every fault that a server
//! can have.

use std::{
    io::{Read, Write},
    net::Ipv4Addr,
    ops::RangeInclusive,
    sync::Arc,
    thread,
    time::Duration,
};

use futures_util::{StreamExt, TryStreamExt, future::join_all};
use rustls::{
    ServerConfig, ServerConnection,
    pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
};
use serde_json::{Value, json};
use vivavoce::{
    config::Secret,
    providers::{
        Call, JudgeRequest, Llm, Message, Piece, ProviderError, Retry, TalkRequest, Tool, Usage,
        llm_openai::{self, KeyHeader, Settings},
        llm_server::RemoteModel,
    },
};
use voiceroom::tls;

use crate::{
    chat_server::{
        ChatServer, KEY, Step, answer, chunk, data, delta, end, finish, head, joined, json_answer,
        parse, reply, words,
    },
    client::{PATIENCE, deaf_port},
};

/// Waited for whole where a server hangs. A busy machine may need as long to make a call.
const SHORT: Duration = Duration::from_secs(1);
/// Waited for whole, where there must be words within it.
const LONGER: Duration = Duration::from_secs(10);

fn talk() -> TalkRequest {
    TalkRequest {
        system: "You are an interviewer.".into(),
        messages: vec![
            Message::Assistant("What do you do?".into()),
            Message::User("I bake bread — 🥖 mostly.".into()),
        ],
        tools: vec![Tool {
            name: "transition_stage",
            description: "Hand over.",
            parameters: json!({ "type": "object", "properties": {} }),
        }],
        temperature: 0.7,
    }
}

fn judge() -> JudgeRequest {
    JudgeRequest {
        system: "Judge.".into(),
        user: "I bake bread.".into(),
        schema: json!({ "type": "object", "properties": { "depth": { "type": "integer" } } }),
        is_long: false,
    }
}

/// What came of a reply: its pieces up to the failure, text in one.
async fn heard(model: &RemoteModel) -> (String, Vec<Piece>, Option<ProviderError>) {
    let (mut text, mut others) = (String::new(), Vec::new());
    let mut pieces = model.talk(talk());
    while let Some(piece) = pieces.next().await {
        match piece {
            Ok(Piece::Text(more)) => text.push_str(&more),
            Ok(piece) => others.push(piece),
            Err(error) => {
                assert!(pieces.next().await.is_none(), "something follows {error}");
                return (text, others, Some(error));
            }
        }
    }
    (text, others, None)
}

/// P04: text and two tool calls are streamed, usage is told and counted; what the server is asked is what it
/// documents.
#[tokio::test]
async fn a_reply_is_streamed_with_its_calls() {
    let assess = json!({ "depth": 3, "key_points": ["bread"] });
    let calls = [("assess_response", assess.clone()), ("transition_stage", json!({}))];
    let server = ChatServer::playing(vec![reply("Bread — how lovely! 🥖 Why bread?", &calls)]);
    let model = llm_openai::model("openai", &server.config()).unwrap();
    let (text, others, error) = heard(&model).await;
    assert_eq!(error, None);
    assert_eq!(text, "Bread — how lovely! 🥖 Why bread?");
    let call = |id: &str, name: &str, arguments: &Value| {
        let (id, name, arguments) = (id.into(), name.into(), arguments.to_string());
        Piece::Call(Call { id, name, arguments })
    };
    let usage = Piece::Usage(Usage { input: 100, output: 20, ..Usage::default() });
    let expected = [
        call("call-0", "assess_response", &assess),
        call("call-1", "transition_stage", &json!({})),
        usage,
    ];
    assert_eq!(others, expected);
    assert_eq!(model.tokens_used(), 120);
    assert_eq!(model.for_interview().tokens_used(), 0, "each interview has a count of its own");

    let asked = &server.asked()[0];
    assert!(asked.head.starts_with("post /v1/chat/completions http/1.1\r\n"), "{}", asked.head);
    assert!(asked.head.contains(&format!("authorization: bearer {KEY}\r\n")), "{}", asked.head);
    let body = json!({
        "model": "stub",
        "messages": [
            { "role": "system", "content": "You are an interviewer." },
            { "role": "assistant", "content": "What do you do?" },
            { "role": "user", "content": "I bake bread — 🥖 mostly." },
        ],
        "stream": true,
        "stream_options": { "include_usage": true },
        "temperature": 0.7,
        "max_tokens": 600,
        "tools": [{ "type": "function", "function": {
            "name": "transition_stage",
            "description": "Hand over.",
            "parameters": { "type": "object", "properties": {} },
        } }],
        "parallel_tool_calls": true,
    });
    assert_eq!(asked.body, body);
}

/// H08: a model is shown what it called and what became of each call, in their order and under their ids, and
/// nobody speaks between them and its next words.
#[tokio::test]
async fn calls_go_back_with_what_became_of_them() {
    let server = ChatServer::playing(vec![reply("Why bread?", &[])]);
    let model = llm_openai::model("openai", &server.config()).unwrap();
    let call = |id: &str, name: &str, arguments: &str| Call {
        id: id.into(),
        name: name.into(),
        arguments: arguments.into(),
    };
    let answered = |id: &str, text: &str| Message::Answered { id: id.into(), text: text.into() };
    let mut request = talk();
    request.messages.extend([
        Message::Called(vec![call("b", "assess_response", r#"{"depth":3}"#), call("a", "f", "{")]),
        answered("b", "accepted"),
        answered("a", "refused: there is no tool `f`"),
        Message::Called(vec![call("c", "wait_more", "{}")]),
        answered("c", "refused: you cannot wait now: answer"),
    ]);
    assert_eq!(heard(&model).await, heard_well());
    let pieces: Vec<Piece> = model.talk(request).try_collect().await.unwrap();
    assert_eq!(pieces[0], Piece::Text("Why ".into()));
    let call = |id: &str, name: &str, arguments: &str| {
        let function = json!({ "name": name, "arguments": arguments });
        json!({ "id": id, "type": "function", "function": function })
    };
    let calls =
        |calls: &[Value]| json!({ "role": "assistant", "content": null, "tool_calls": calls });
    let told =
        |id: &str, text: &str| json!({ "role": "tool", "tool_call_id": id, "content": text });
    let expected = [
        calls(&[call("b", "assess_response", r#"{"depth":3}"#), call("a", "f", "{}")]),
        told("b", "accepted"),
        told("a", "refused: there is no tool `f`"),
        calls(&[call("c", "wait_more", "{}")]),
        told("c", "refused: you cannot wait now: answer"),
    ];
    let asked = &server.asked()[1];
    let lines = asked.body["messages"].as_array().unwrap();
    assert_eq!(lines[2]["role"], "user");
    assert_eq!(lines[3..], expected);
}

/// A fault and what comes of it.
struct Fault {
    what: &'static str,
    /// What the server does with the first call, the second …
    scripts: Vec<Vec<Step>>,
    text: &'static str,
    /// A part of the sentence and the advice; nothing where the reply succeeds in the end.
    fails: Option<(&'static str, Retry)>,
    calls: RangeInclusive<usize>,
}

impl Fault {
    fn fails(
        what: &'static str,
        script: Vec<Step>,
        text: &'static str,
        says: &'static str,
        retry: Retry,
        calls: usize,
    ) -> Self {
        let (scripts, fails) = (vec![script], Some((says, retry)));
        Self { what, scripts, text, fails, calls: calls..=calls }
    }

    fn passes(what: &'static str, scripts: Vec<Vec<Step>>) -> Self {
        let calls = scripts.len()..=scripts.len();
        Self { what, scripts, text: "Why bread?", fails: None, calls }
    }
}

/// All at the same time: some wait for a limit.
async fn check(limits: impl Fn(&mut Settings), faults: Vec<Fault>) {
    join_all(faults.into_iter().map(|fault| check_one(&limits, fault))).await;
}

async fn check_one(limits: &impl Fn(&mut Settings), fault: Fault) {
    let Fault { what, mut scripts, text, fails, calls } = fault;
    // Only of a model that is known to speak at once words are passed on before they have ended.
    let is_known = fails.is_some() && !text.is_empty();
    if is_known {
        scripts.insert(0, good());
    }
    let server = ChatServer::playing(scripts);
    let mut config = server.config();
    limits(&mut config);
    let model = llm_openai::model("openai", &config).unwrap();
    if is_known {
        assert_eq!(heard(&model).await, heard_well(), "{what}");
    }
    let (said, _, error) = heard(&model).await;
    assert_eq!(said, text, "{what}");
    match (&error, fails) {
        (None, None) => {}
        (Some(error), Some((says, retry))) => {
            assert!(error.what.contains(says), "{what}: {error} does not say {says:?}");
            assert_eq!(error.retry, retry, "{what}: {error}");
            assert!(error.what.contains("/v1/chat/completions"), "{what}: {error}: where?");
            assert!(!error.what.contains(KEY), "{what}: {error} shows the key");
        }
        (error, fails) => panic!("{what}: {error:?} instead of {fails:?}"),
    }
    let made = server.asked().len() - usize::from(is_known);
    assert!(calls.contains(&made), "{what}: {made} calls made");
}

fn good() -> Vec<Step> {
    reply("Why bread?", &[])
}

fn refusal(status: &str, headers: &str, code: &str) -> Vec<Step> {
    let error = json!({ "error": { "message": format!("no, {KEY}"), "code": code } });
    answer(status, headers, &error.to_string())
}

/// P02, P04, P10: what a server refuses, by its status: retried once where that can help, never where it
/// cannot; the sentence says where and how to mend it and never shows the key.
#[tokio::test]
async fn refusals_are_one_sentence_with_advice() {
    let hour = Retry::After(Duration::from_secs(3_600));
    let refused = |status: &'static str, says, retry, calls| {
        Fault::fails(status, refusal(status, "", "x"), "", says, retry, calls)
    };
    let faults = vec![
        refused("401 Unauthorized", "check OPENAI_API_KEY", Retry::Never, 1),
        refused("403 Forbidden", "whether it may use `stub`", Retry::Never, 1),
        refused("404 Not Found", "has no model `stub`: no, (the key)", Retry::Never, 1),
        refused("400 Bad Request", "check providers.openai.model", Retry::Never, 1),
        refused(
            "302 Found",
            "set providers.openai.base_url to the address itself",
            Retry::Never,
            1,
        ),
        refused("500 Internal Server Error", "failed with 500", Retry::Now, 2),
        refused("503 Service Unavailable", "try later", Retry::Now, 2),
        Fault::fails(
            "429 for an hour",
            refusal("429 Too Many Requests", "retry-after: 3600\r\n", "rate_limit_exceeded"),
            "",
            "no more calls for 3600 s",
            hour,
            1,
        ),
        Fault::fails(
            "429 for good",
            refusal("429 Too Many Requests", "", "insufficient_quota"),
            "",
            "has no credit left",
            Retry::Never,
            1,
        ),
        Fault::passes(
            "429 for a moment",
            vec![refusal("429 Too Many Requests", "retry-after-ms: 1\r\n", ""), good()],
        ),
        Fault::passes("500 once", vec![refusal("500 Oops", "", ""), good()]),
    ];
    check(|_| {}, faults).await;
}

/// A stream that has begun with a word.
fn begun(more: Vec<Step>) -> Vec<Step> {
    [vec![head(), words("Why ")], more].concat()
}

/// P04, P10: what can go wrong once an answer has begun. A call is made again only while nothing was handed
/// on.
#[tokio::test]
async fn broken_answers_are_errors() {
    use Retry::{Never, Now};
    let html = answer("200 OK", "content-type: text/html\r\n", "<p>Welcome");
    let nothing = answer("200 OK", "content-type: text/event-stream\r\n", "");
    let torn = r#"{"choices":[{"delta":{"content":"bre"#;
    let error = json!({ "error": { "message": "out of memory", "code": 500 } });
    let empty = [vec![head(), finish("stop")], end(9, 0)].concat();
    let no_utf8 = Step::Send(b"9\r\ndata: \xff\n\n\r\n".to_vec());
    let broke_off = "chat/completions broke off";
    let garbage = "no chat completion";
    let fails = Fault::fails;
    let faults = vec![
        fails("reset at once", vec![Step::Reset], "", "broke off", Now, 2),
        fails("reset later", begun(vec![Step::Reset]), "Why ", broke_off, Now, 1),
        fails("no end", begun(end(1, 1)[2..].to_vec()), "Why ", broke_off, Now, 1),
        fails("nothing", nothing, "", broke_off, Now, 2),
        fails("garbage", vec![head(), data("}{")], "", garbage, Now, 2),
        fails("no UTF-8", begun(vec![no_utf8]), "Why ", garbage, Now, 1),
        fails("torn", begun(vec![data(torn)]), "Why ", garbage, Now, 1),
        fails("wrong type", html, "", "answers with text/html", Never, 1),
        fails("error", begun(vec![chunk(&error)]), "Why ", "out of memory", Now, 1),
        fails(
            "filtered",
            begun(vec![finish("content_filter")]),
            "Why ",
            "stopped the answer",
            Never,
            1,
        ),
        fails("empty", empty, "", "answered with nothing", Now, 2),
        fails(
            "without an end",
            vec![head(), data(&"x".repeat(2 << 20))],
            "",
            "does not end",
            Now,
            2,
        ),
    ];
    check(|_| {}, faults).await;
}

/// P04, P10: what looks broken and is a whole answer: in tiny pieces, with comments and thoughts, without its
/// last event, and at the second try.
#[tokio::test]
async fn odd_answers_are_whole() {
    let dripped = good().into_iter().map(|step| match step {
        Step::Send(bytes) => Step::Drip(bytes),
        other => other,
    });
    let drip = dripped.collect();
    let thinks = [
        vec![head(), data(""), delta(&json!({ "reasoning_content": "Hm." }))],
        vec![Step::Send(b"5\r\n: x\n\n\r\n".to_vec())],
        good()[1..].to_vec(),
    ];
    let done = || vec![words("bread?"), finish("stop")];
    let faults = vec![
        Fault::passes("slow drip", vec![drip]),
        Fault::passes("comments and thoughts", vec![thinks.concat()]),
        Fault::passes("no [DONE]", vec![begun([done(), end(1, 1)[2..].to_vec()].concat())]),
        Fault::passes("no [DONE] but a reset", vec![begun([done(), vec![Step::Reset]].concat())]),
        Fault::passes("no [DONE] for ever", vec![begun([done(), vec![Step::Hang]].concat())]),
        Fault::passes("reset once", vec![vec![Step::Reset], good()]),
        Fault::passes("reset before a word", vec![vec![head(), Step::Reset], good()]),
    ];
    check(|_| {}, faults).await;
}

/// P04, P10: a server that hangs before or in the middle of its answer is given up in time, and told by which
/// limit.
#[tokio::test]
async fn hanging_servers_are_given_up() {
    let late = |what, script, says| Fault {
        calls: 0..=1,
        ..Fault::fails(what, script, "", says, Retry::Now, 1)
    };
    let no_word =
        "no first word within 1 s; take a faster one, or raise providers.openai.first_token_limit";
    let faults = vec![
        late("before its answer", vec![Step::Hang], no_word),
        late("before its first word", vec![head(), Step::Hang], no_word),
        late("thinking", vec![head(), delta(&json!({ "role": "assistant" })), Step::Hang], no_word),
    ];
    let late = check(|config| config.first_token_limit = SHORT, faults);
    let begun = || vec![head(), words("Why "), Step::Hang];
    let stall = "no next word within 1 s; take a faster one, or raise providers.openai.stall_limit";
    let faults = vec![Fault::fails("stall", begun(), "Why ", stall, Retry::Now, 1)];
    let stalls = check(|config| config.stall_limit = SHORT, faults);
    let whole =
        "no whole answer within 10 s; take a faster one, or raise providers.openai.reply_limit";
    let faults = vec![Fault::fails("endless", begun(), "Why ", whole, Retry::Now, 1)];
    let goes_on = check(|config| config.reply_limit = LONGER, faults);
    tokio::join!(late, stalls, goes_on);
}

/// P09, P10: nobody there is one sentence, too.
#[tokio::test]
async fn nobody_there_is_named() {
    let (_held, port) = deaf_port();
    let address = format!("127.0.0.1:{port}");
    let base_url = format!("http://{address}/v1").parse().unwrap();
    let config = Settings { base_url, ..Settings::default() };
    let (_, _, error) = heard(&llm_openai::model("openai", &config).unwrap()).await;
    let error = error.unwrap();
    assert!(error.what.starts_with(&format!("no model answers at http://{address}")), "{error}");
    assert_eq!(error.retry, Retry::Now);
}

/// P04: to drop the stream is to cancel the call: the server sees it go, before the first word and after;
/// both count.
#[tokio::test]
async fn a_dropped_reply_is_cancelled() {
    let begins = vec![head(), words("Why "), Step::Hang];
    let mut server = ChatServer::playing(vec![good(), begins, vec![Step::Hang]]);
    let model = llm_openai::model("openai", &server.config()).unwrap();
    assert_eq!(heard(&model).await, heard_well());
    let before = model.tokens_used();
    let mut pieces = model.talk(talk());
    assert_eq!(pieces.next().await, Some(Ok(Piece::Text("Why ".into()))));
    drop(pieces);
    server.is_left().await;
    let cost = model.tokens_used() - before;
    assert!(cost > 50, "a cancelled call costs, too: {cost}");

    let mut pieces = model.talk(talk());
    tokio::select! {
        piece = pieces.next() => panic!("{piece:?} from a server that hangs"),
        () = async { while server.asked().len() < 3 { tokio::task::yield_now().await } } => {}
    }
    let before = model.tokens_used();
    drop(pieces);
    server.is_left().await;
    let cost = model.tokens_used() - before;
    assert!(cost > 50, "it costs before its first word as well: {cost}");
}

/// P04: calls of all interviews follow each other on an open connection.
#[tokio::test]
async fn a_connection_is_used_again() {
    let server = ChatServer::playing(vec![good()]);
    let model = llm_openai::model("openai", &server.config()).unwrap();
    for _ in 0..5 {
        let _: Vec<Piece> = model.for_interview().talk(talk()).try_collect().await.unwrap();
    }
    // One connection, but for a call that is made before the pool has it back.
    assert!(server.connections() < 5, "{} connections for 5 calls", server.connections());
}

/// P04: an interview that has used its tokens makes no further call, on either lane; another one may.
#[tokio::test]
async fn an_interview_has_its_tokens() {
    let server = ChatServer::playing(vec![good()]);
    let config = Settings { tokens_max: 120, ..server.config() };
    let model = llm_openai::model("openai", &config).unwrap();
    assert_eq!(heard(&model).await.2, None);
    let error = heard(&model).await.2.unwrap();
    assert!(error.what.contains("has used 120 tokens and may use 120"), "{error}");
    assert_eq!(error.retry, Retry::Never);
    assert_eq!(model.judge(judge()).await.unwrap_err().retry, Retry::Never);
    assert_eq!(server.asked().len(), 1);
    assert_eq!(heard(&model.for_interview()).await.2, None);
}

fn judged(text: &str) -> Vec<Step> {
    let message = json!({ "role": "assistant", "content": text });
    let usage = json!({ "prompt_tokens": 50, "completion_tokens": 5 });
    let choice = json!({ "index": 0, "message": message, "finish_reason": "stop" });
    json_answer("200 OK", &json!({ "choices": [choice], "usage": usage }))
}

/// A judgement comes by its schema, in one piece; a server that does not know schemas is asked for an object,
/// once and from then on.
#[tokio::test]
async fn judgements_are_asked_for_by_schema() {
    let server = ChatServer::playing(vec![
        judged("{\"depth\":3}"),
        refusal("400 Bad Request", "", "unsupported"),
        judged("```json\n{\"depth\":4}\n```"),
    ]);
    let model = llm_openai::model("openai", &server.config()).unwrap();
    for expected in [r#"{"depth":3}"#, r#"{"depth":4}"#, r#"{"depth":4}"#] {
        assert_eq!(model.judge(judge()).await.unwrap(), expected);
    }
    assert_eq!(model.tokens_used(), 3 * 55);
    let formats: Vec<Value> =
        server.asked().iter().map(|asked| asked.body["response_format"]["type"].clone()).collect();
    assert_eq!(formats, ["json_schema", "json_schema", "json_object", "json_object"]);
    let asked = &server.asked()[0].body;
    assert_eq!(asked["response_format"]["json_schema"]["schema"], judge().schema);
    assert_eq!((&asked["stream"], &asked["temperature"]), (&Value::Null, &json!(0)));
    let system = server.asked()[3].body["messages"][0]["content"].clone();
    assert!(system.as_str().unwrap().contains(r#""depth":{"type":"integer"}"#), "{system}");
}

/// P10: a judgement that does not come is an error, in time.
#[tokio::test]
async fn judgements_fail_in_one_sentence() {
    for (script, says, limit) in [
        (vec![Step::Hang], "no judgement within 1 s", SHORT),
        (vec![Step::Reset], "broke off", PATIENCE),
        (answer("200 OK", "", "<html>"), "no chat completion", PATIENCE),
        (answer("200 OK", "", "{\"choices\":[]}"), "no chat completion", PATIENCE),
        (refusal("401 Unauthorized", "", ""), "refuses the key", PATIENCE),
        (refusal("400 Bad Request", "", ""), "does not take our call", PATIENCE),
    ] {
        let server = ChatServer::playing(vec![script]);
        let model =
            llm_openai::model("openai", &Settings { judge_limit: limit, ..server.config() })
                .unwrap();
        let error = model.judge(judge()).await.unwrap_err();
        assert!(error.what.contains(says), "{error} does not say {says:?}");
        assert!(!error.what.contains(KEY), "{error}");
    }
}

/// P04: a field that a server or model refuses by name is left out, then and from then on, and nobody waits
/// for it.
#[tokio::test]
async fn refused_fields_are_left_out() {
    let server = ChatServer::start(|asked| {
        for field in ["max_tokens", "temperature"] {
            if asked.body.get(field).is_some() {
                let message = format!("Unsupported parameter: '{field}' is not supported.");
                return json_answer("400 Bad Request", &json!({ "error": { "message": message } }));
            }
        }
        reply("Why bread?", &[])
    });
    let model = llm_openai::model("openai", &server.config()).unwrap();
    for calls in [3, 4] {
        assert_eq!(heard(&model).await, heard_well());
        assert_eq!(server.asked().len(), calls);
    }
    assert_eq!(server.asked()[3].body["max_completion_tokens"], 600);
}

fn heard_well() -> (String, Vec<Piece>, Option<ProviderError>) {
    (
        "Why bread?".into(),
        vec![Piece::Usage(Usage { input: 100, output: 20, ..Usage::default() })],
        None,
    )
}

/// P01: the key is in no debug output; without one only servers nearby are called; files of it that are not
/// there are named.
#[tokio::test]
async fn keys_are_found_and_never_shown() {
    let config = Settings::default();
    let error = llm_openai::model("openai", &config).unwrap_err();
    assert_eq!(
        error.what,
        "there is no key to https://api.openai.com/v1/chat/completions: set OPENAI_API_KEY, or \
            providers.openai.api_key_file to a file that holds it"
    );
    let missing = Settings { api_key_file: Some("/nowhere/key".into()), ..config.clone() };
    let error = llm_openai::model("openai", &missing).unwrap_err().what;
    let unread = "cannot read providers.openai.api_key_file /nowhere/key: ";
    assert!(error.starts_with(unread), "{error}");
    let broken = Settings { api_key: Secret::new("sk-hush\nhush"), ..config };
    let error = llm_openai::model("openai", &broken).unwrap_err().what;
    assert!(error.contains("characters that no key has") && !error.contains("hush"), "{error}");

    // Azure has the key in a header of its own, and a version in the address.
    let server = ChatServer::playing(vec![good()]);
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), format!("{KEY}\n")).unwrap();
    let azure = Settings {
        base_url: format!("{}/?api-version=1", server.base_url()).parse().unwrap(),
        api_key: Secret::new(""),
        api_key_file: Some(file.path().into()),
        api_key_header: KeyHeader::ApiKey,
        ..server.config()
    };
    let model = llm_openai::model("openai", &azure).unwrap();
    assert_eq!(heard(&model).await, heard_well());
    assert!(!format!("{model:?}").contains("very-secret"), "{model:?}");
    let head = &server.asked()[0].head;
    assert!(head.starts_with("post /v1/chat/completions?api-version=1 "), "{head}");
    assert!(head.contains(&format!("api-key: {KEY}\r\n")), "{head}");

    let open = Settings { api_key: Secret::new(""), ..server.config() };
    assert_eq!(heard(&llm_openai::model("openai", &open).unwrap()).await, heard_well());
    assert!(!server.asked()[1].head.contains("authorization"), "{}", server.asked()[1].head);
}

/// P04: over TLS with a certificate of one's own: refused in one sentence until it is trusted, never a panic.
#[tokio::test]
async fn tls_with_a_certificate_of_ones_own() {
    tls::install();
    let own = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let base_url: url::Url = tls_server(&own, good()).parse().unwrap();
    let config = Settings::default();
    let api_key = Secret::new(KEY);
    let unknown = Settings { base_url, api_key, first_token_limit: PATIENCE, ..config };
    let error = heard(&llm_openai::model("openai", &unknown).unwrap()).await.2.unwrap();
    assert!(error.what.contains("certificate"), "{error}");

    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), own.cert.pem()).unwrap();
    let trusted = Settings { ca_file: Some(file.path().into()), ..unknown };
    assert_eq!(heard(&llm_openai::model("openai", &trusted).unwrap()).await, heard_well());
}

/// Answers one request per connection over TLS.
pub(crate) fn tls_server(own: &rcgen::CertifiedKey<rcgen::KeyPair>, steps: Vec<Step>) -> String {
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(own.signing_key.serialize_der()));
    let config = ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(vec![own.cert.der().clone()], key)
        .unwrap();
    let config = Arc::new(config);
    let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let url = format!("https://localhost:{}/v1", listener.local_addr().unwrap().port());
    let steps = joined(steps);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut connection = ServerConnection::new(config.clone()).unwrap();
            let mut tls = rustls::Stream::new(&mut connection, &mut stream);
            let mut read = Vec::new();
            while parse(&mut read).is_none() {
                let mut piece = [0; 4_096];
                let Ok(n @ 1..) = tls.read(&mut piece) else { break };
                read.extend_from_slice(&piece[..n]);
            }
            for step in &steps {
                if let Step::Send(bytes) = step {
                    let _ = tls.write_all(bytes);
                }
            }
        }
    });
    url
}
