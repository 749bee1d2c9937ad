//! What Gemini is asked, and what its answers mean.

use std::collections::BTreeSet;

use super::*;
use crate::providers::llm_server::Thinking;

fn call(id: &str, name: &str, arguments: &str) -> Call {
    Call { id: id.into(), name: name.into(), arguments: arguments.into() }
}

fn answered(id: &str, text: &str) -> Message {
    Message::Answered { id: id.into(), text: text.into() }
}

fn user(part: Value) -> Value {
    json!({ "role": "user", "parts": [part] })
}

fn model(part: Value) -> Value {
    json!({ "role": "model", "parts": [part] })
}

fn text(text: &str) -> Value {
    json!({ "text": text })
}

/// P04, H08: a call goes back with the signature and the id that it came with, and its result with its
/// name; one that is not known has a stand-in where the model wants one.
#[test]
fn calls_go_back_as_they_came() {
    let gemini = Gemini::default();
    let mut answer = Answer::default();
    let parts = json!([
        { "text": "Hm.", "thought": true },
        { "functionCall": { "name": "f", "args": { "a": 1 } }, "thoughtSignature": "c2ln" },
        { "functionCall": { "id": "theirs", "name": "g" } },
    ]);
    let chunk = json!({ "candidates": [{ "content": { "parts": parts } }] });
    gemini.read(&chunk.to_string(), &mut answer).unwrap();
    assert_eq!(answer.take_words().count(), 0, "thoughts are not spoken");
    assert_eq!(answer.thinking(), Some(Thinking::Apart));
    let calls = answer.take_calls().into_iter().map(|piece| match piece {
        super::super::Piece::Call(call) => call,
        other => panic!("{other:?} is no call"),
    });
    let calls = calls.collect::<Vec<_>>();
    assert_eq!(calls[..], [call("gemini-call-0", "f", "{\"a\":1}"), call("theirs", "g", "{}")]);
    let messages = [
        Message::User("Hi.".into()),
        Message::Called(calls),
        answered("gemini-call-0", "accepted"),
        answered("theirs", "refused"),
        Message::Called(vec![call("old", "f", "{")]),
        answered("old", "refused"),
        answered("nobody", "lost"),
    ];
    let result = |name: &str, text: &str| json!({ "name": name, "response": { "output": text } });
    let mut second = result("g", "refused");
    second["id"] = "theirs".into();
    let mut wanted = vec![
        user(text("Hi.")),
        json!({ "role": "model", "parts": [
            { "functionCall": { "name": "f", "args": { "a": 1 } }, "thoughtSignature": "c2ln" },
            { "functionCall": { "id": "theirs", "name": "g", "args": {} } },
        ] }),
        json!({ "role": "user", "parts": [
            { "functionResponse": result("f", "accepted") }, { "functionResponse": second },
        ] }),
        model(json!({ "functionCall": { "name": "f", "args": {} } })),
        user(json!({ "functionResponse": result("f", "refused") })),
    ];
    assert_eq!(gemini.contents(&messages, false), wanted);
    wanted[3]["parts"][0]["thoughtSignature"] = NO_SIGNATURE.into();
    assert_eq!(gemini.contents(&messages, true), wanted);
}

/// P04: the conversation begins and ends with the user, and a call never follows the model's own line.
#[test]
fn contents_begin_and_end_with_the_user() {
    let contents = |messages: &[Message]| Gemini::default().contents(messages, false);
    let hello = || Message::Assistant("Hello.".into());
    assert_eq!(contents(&[]), [user(text(GO_ON))]);
    let spoken = [user(text(GO_ON)), model(text("Hello.")), user(text(GO_ON))];
    assert_eq!(contents(&[hello()]), spoken);
    let called = contents(&[hello(), Message::Called(vec![call("x", "f", "{}")])]);
    let part = json!({ "functionCall": { "name": "f", "args": {} } });
    assert_eq!(called[3], model(part), "{called:?}");
    assert_eq!(called[..3], spoken);
    let known = || Message::Known("<facts>".into());
    let both = |more: &str| json!({ "role": "user", "parts": [text("<facts>"), text(more)] });
    assert_eq!(contents(&[known()]), [both(GO_ON)], "nobody has said anything");
    assert_eq!(contents(&[known(), Message::User("Hi.".into())]), [both("Hi.")]);
    let whole = contents(&[known(), hello(), Message::User("Hi.".into())]);
    assert_eq!(whole, [user(text("<facts>")), model(text("Hello.")), user(text("Hi."))]);
}

/// P04: a model is asked to think as little as it can, in the words that it takes.
#[test]
fn models_think_as_little_as_they_can() {
    let request =
        TalkRequest { system: String::new(), messages: vec![], tools: vec![], temperature: 0.7 };
    let mut quirks = BTreeSet::new();
    let mut asked = Vec::new();
    for refusal in [
        "Thinking level MINIMAL is not supported for this model.",
        "Budget 0 is invalid. This model only works in thinking mode.",
        "Thinking is not supported for this model",
        "contents is not specified",
    ] {
        let common = Common { model: "m", answer_tokens_max: 9, quirks: &quirks };
        let body = Gemini::default().talk(&common, &request);
        asked.push(body["generationConfig"]["thinkingConfig"].clone());
        let quirk = Gemini::default().quirk(refusal, &body);
        quirks.extend(quirk);
    }
    let level = |level: &str| json!({ "thinkingLevel": level });
    let wanted = [level("MINIMAL"), json!({ "thinkingBudget": 0 }), level("LOW"), Value::Null];
    assert_eq!(asked, wanted);
    assert_eq!(quirks.len(), 3);
}

/// P04: schemas have the keywords and the spelling that Gemini takes.
#[test]
fn schemas_are_spelled_as_gemini_takes_them() {
    let given = json!({
        "type": "object",
        "properties": {
            "level": { "type": "integer", "enum": [0, 1] },
            "kind": { "type": ["string", "null"], "enum": ["a", "b"] },
            "list": { "type": "array", "items": { "type": "object", "additionalProperties": false } },
        },
        "additionalProperties": false,
    });
    let wanted = json!({
        "type": "OBJECT",
        "properties": {
            "level": { "type": "INTEGER", "description": "(one of [0,1])" },
            "kind": { "type": "STRING", "nullable": true, "enum": ["a", "b"] },
            "list": { "type": "ARRAY", "items": { "type": "OBJECT" } },
        },
    });
    assert_eq!(schema(&given), wanted);
    let empty = Tool {
        name: "f",
        description: "F.",
        parameters: json!({ "type": "object", "properties": {} }),
    };
    assert_eq!(tool(&empty), json!({ "name": "f", "description": "F." }));
}

/// P04: what the filter stops and calls without sense are errors; thoughts are counted.
#[test]
fn ends_are_told_apart() {
    let mut thinking = None;
    let mut read = |chunk: Value| {
        let mut answer = Answer::default();
        let read = Gemini::default().read(&chunk.to_string(), &mut answer);
        thinking = answer.thinking();
        read.map(|()| (answer.has_finished(), answer.usage()))
    };
    let mut ended = |reason: &str| read(json!({ "candidates": [{ "finishReason": reason }] }));
    assert_eq!(ended("STOP"), Ok((true, None)));
    assert_eq!(ended("MAX_TOKENS"), Ok((true, None)));
    assert_eq!(ended("SAFETY"), Err(Broken::Filtered));
    assert!(matches!(ended("MALFORMED_FUNCTION_CALL"), Err(Broken::Error(_))));
    let blocked = json!({ "promptFeedback": { "blockReason": "OTHER" } });
    assert_eq!(read(blocked), Err(Broken::Filtered));
    let usage = json!({ "usageMetadata": {
        "promptTokenCount": 7, "candidatesTokenCount": 2, "thoughtsTokenCount": 5,
    } });
    assert_eq!(read(usage), Ok((false, Some(Usage { input: 7, output: 7, ..Usage::default() }))));
    assert_eq!(thinking, Some(Thinking::Counted));
}
