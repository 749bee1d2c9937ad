//! What a server of the Gemini API sends, event by event.

use serde_json::{Value, json};

use crate::chat_server::{Step, answer, head, json_answer};

/// An event, with the line ends that Google sends.
pub(crate) fn event(data: &Value) -> Step {
    let event = format!("data: {data}\r\n\r\n");
    Step::Send(format!("{:x}\r\n{event}\r\n", event.len()).into_bytes())
}

/// An answer so far, or as a whole.
fn chunk(parts: &Value, finish: Option<&str>, output: u64) -> Value {
    let mut candidate = json!({ "content": { "parts": parts, "role": "model" }, "index": 0 });
    if let Some(reason) = finish {
        candidate["finishReason"] = reason.into();
    }
    let usage = json!({ "promptTokenCount": 100, "candidatesTokenCount": output });
    json!({ "candidates": [candidate], "usageMetadata": usage, "modelVersion": "stub" })
}

/// Parts of an answer.
pub(crate) fn parts(parts: &Value) -> Step {
    event(&chunk(parts, None, 1))
}

/// Words.
pub(crate) fn words(text: &str) -> Step {
    parts(&json!([{ "text": text }]))
}

/// The end of an answer, and of the stream.
pub(crate) fn end(reason: &str) -> Vec<Step> {
    let last = event(&chunk(&json!([{ "text": "" }]), Some(reason), 20));
    vec![last, Step::Send(b"0\r\n\r\n".to_vec())]
}

/// An answer that has begun with these words.
pub(crate) fn begun(text: &str) -> Vec<Step> {
    vec![head(), words(text)]
}

/// An answer without words.
pub(crate) fn empty() -> Vec<Step> {
    [vec![head()], end("STOP")].concat()
}

/// A whole answer as a model streams it: words, then calls.
pub(crate) fn reply(text: &str, calls: &[(&str, Value)]) -> Vec<Step> {
    let mut steps = vec![head(), parts(&json!([{ "text": "Hm.", "thought": true }]))];
    steps.extend(text.split_inclusive(' ').map(words));
    for (name, arguments) in calls {
        steps.push(parts(&json!([{ "functionCall": { "name": name, "args": arguments } }])));
    }
    steps.extend(end("STOP"));
    steps
}

/// A document that was not streamed.
pub(crate) fn document(text: &str) -> Vec<Step> {
    json_answer("200 OK", &chunk(&json!([{ "text": text }]), Some("STOP"), 5))
}

/// A refusal with such details.
pub(crate) fn refusal_with(status: &str, message: &str, details: &Value) -> Vec<Step> {
    let code = status.split(' ').next().unwrap().parse::<u16>().unwrap();
    let error = json!({ "code": code, "message": message, "status": "X", "details": details });
    json_answer(status, &json!({ "error": error }))
}

/// A refusal.
pub(crate) fn refusal(status: &str, headers: &str, message: &str) -> Vec<Step> {
    let code = status.split(' ').next().unwrap().parse::<u16>().unwrap();
    let error = json!({ "code": code, "message": message, "status": "X" });
    answer(status, headers, &json!({ "error": error }).to_string())
}
