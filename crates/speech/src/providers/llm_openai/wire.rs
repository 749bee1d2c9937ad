//! The wire format of chat completions: the request, and the answer, which is put together from its chunks.
//!
//! Servers differ in details. Reading is as lenient as possible without guessing.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::providers::{
    Call, JudgeRequest, Message, Piece, TalkRequest, Tool, Usage, http::Refusal,
};

/// The candidate's line after a last line of the interviewer: many models answer only to a line of the user.
const GO_ON: &str = "(The candidate is listening. Go on.)";
/// The most characters of a tool's name.
const NAME_CHARS_MAX: usize = 64;

/// A field that some servers or models refuse. After a refusal by name it is left out, or written otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Quirk {
    /// Newer models of OpenAI want `max_completion_tokens`.
    MaxTokens,
    /// They also refuse every temperature but their own.
    Temperature,
    /// Old servers do not report the tokens of a stream.
    StreamOptions,
    /// Some servers call one tool at a time and refuse the field.
    ParallelToolCalls,
}

impl Quirk {
    const ALL: [Self; 4] =
        [Self::MaxTokens, Self::Temperature, Self::StreamOptions, Self::ParallelToolCalls];

    fn field(self) -> &'static str {
        match self {
            Self::MaxTokens => "max_tokens",
            Self::Temperature => "temperature",
            Self::StreamOptions => "stream_options",
            Self::ParallelToolCalls => "parallel_tool_calls",
        }
    }

    /// Returns the field of `body` that a refusal names.
    pub(super) fn named(refusal: &str, body: &Value) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|quirk| refusal.contains(quirk.field()) && body.get(quirk.field()).is_some())
    }
}

/// The way in which the shape of an answer is requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// The JSON schema is a field of the request.
    Schema,
    /// The request wants JSON; the schema is in the prompt.
    Object,
}

/// The fields that every request has.
#[derive(Clone, Copy)]
pub(super) struct Common<'a> {
    pub(super) model: &'a str,
    pub(super) answer_tokens_max: u32,
    pub(super) quirks: &'a BTreeSet<Quirk>,
}

/// Returns the request for a streamed reply with tools.
pub(super) fn talk_body(common: Common<'_>, request: &TalkRequest) -> Value {
    let mut lines = vec![json!({ "role": "system", "content": request.system })];
    lines.extend(request.messages.iter().map(line));
    if matches!(request.messages.last(), None | Some(Message::Assistant(_))) {
        lines.push(json!({ "role": "user", "content": GO_ON }));
    }
    let mut body = json!({
        "messages": lines,
        "stream": true,
        "stream_options": { "include_usage": true },
        // Only the digits of the f32 that were meant.
        "temperature": (f64::from(request.temperature) * 100.0).round() / 100.0,
    });
    if !request.tools.is_empty() {
        body["tools"] = request.tools.iter().map(tool).collect();
        body["parallel_tool_calls"] = true.into();
    }
    finish(body, common)
}

/// Returns the request for a structured answer.
pub(super) fn judge_body(common: Common<'_>, request: &JudgeRequest, shape: Shape) -> Value {
    let (system, format) = match shape {
        Shape::Schema => {
            let schema = json!({ "name": "answer", "strict": true, "schema": request.schema });
            (request.system.clone(), json!({ "type": "json_schema", "json_schema": schema }))
        }
        Shape::Object => {
            let system = format!(
                "{}\n\nAnswer with one JSON object that follows this schema, and nothing else: {}",
                request.system, request.schema
            );
            (system, json!({ "type": "json_object" }))
        }
    };
    let body = json!({
        "messages": [
            { "role": "system", "content": system },
            { "role": "user", "content": request.user },
        ],
        "temperature": 0,
        "response_format": format,
    });
    finish(body, common)
}

fn finish(mut body: Value, common: Common<'_>) -> Value {
    body["model"] = common.model.into();
    body["max_tokens"] = common.answer_tokens_max.into();
    let Value::Object(fields) = &mut body else { return body };
    for quirk in common.quirks {
        let value = fields.remove(quirk.field());
        if let (Quirk::MaxTokens, Some(value)) = (quirk, value) {
            fields.insert("max_completion_tokens".to_owned(), value);
        }
    }
    body
}

fn line(message: &Message) -> Value {
    match message {
        Message::Assistant(text) => json!({ "role": "assistant", "content": text }),
        Message::User(text) => json!({ "role": "user", "content": text }),
        Message::Called(calls) => {
            let calls: Vec<Value> = calls.iter().map(called).collect();
            json!({ "role": "assistant", "content": null, "tool_calls": calls })
        }
        Message::Answered { id, text } => {
            json!({ "role": "tool", "tool_call_id": id, "content": text })
        }
    }
}

/// Returns a tool call as part of the conversation. Many servers refuse a malformed name or malformed
/// arguments, even if their own model wrote them; the fault is in the answer to the call.
fn called(call: &Call) -> Value {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let plain = call.name.chars().filter(|c| is_plain(*c)).take(NAME_CHARS_MAX);
    let name = Some(plain.collect::<String>()).filter(|name| !name.is_empty());
    let is_object = serde_json::from_str::<Value>(&call.arguments).is_ok_and(|it| it.is_object());
    let function = json!({
        "name": name.as_deref().unwrap_or("unknown"),
        "arguments": if is_object { call.arguments.as_str() } else { "{}" },
    });
    json!({ "id": call.id, "type": "function", "function": function })
}

fn tool(tool: &Tool) -> Value {
    let Tool { name, description, parameters } = tool;
    let function = json!({ "name": name, "description": description, "parameters": parameters });
    json!({ "type": "function", "function": function })
}

/// An event of a stream, or a whole answer, which has `message` in the place of `delta`.
#[derive(Deserialize)]
struct Chunk {
    choices: Option<Vec<Choice>>,
    usage: Option<Tokens>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(alias = "message")]
    delta: Option<Delta>,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Delta {
    /// The text. Some models put other values here, which are their thinking.
    content: Option<Value>,
    tool_calls: Option<Vec<CallDelta>>,
}

#[derive(Deserialize)]
struct CallDelta {
    index: Option<u64>,
    id: Option<String>,
    function: Option<FunctionDelta>,
}

#[derive(Deserialize)]
struct FunctionDelta {
    name: Option<String>,
    arguments: Option<Value>,
}

#[derive(Clone, Copy, Deserialize)]
struct Tokens {
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
}

impl From<Tokens> for Usage {
    fn from(tokens: Tokens) -> Self {
        Self {
            input: tokens.prompt_tokens.unwrap_or(0),
            output: tokens.completion_tokens.unwrap_or(0),
        }
    }
}

/// The fault of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Broken {
    /// The server reports an error in the middle of a stream.
    Error(Refusal),
    /// The answer is no chat completion.
    Garbage,
    /// The provider's filter stopped the answer.
    Filtered,
}

/// An answer while it is received.
#[derive(Default)]
pub(super) struct Assembly {
    calls: Vec<OpenCall>,
    usage: Option<Usage>,
    has_finished: bool,
    /// The bytes of text and calls so far, from which the tokens are estimated if the server does not count.
    bytes: usize,
}

#[derive(Default)]
struct OpenCall {
    index: Option<u64>,
    id: Option<String>,
    name: String,
    arguments: String,
}

impl Assembly {
    /// Takes the data of one event; returns the words in it.
    pub(super) fn push(&mut self, data: &str) -> Result<Option<String>, Broken> {
        let chunk: Chunk = serde_json::from_str(data).map_err(|_| Broken::Garbage)?;
        if let Some(error) = &chunk.error {
            return Err(Broken::Error(Refusal::of(error)));
        }
        self.usage = chunk.usage.map(Usage::from).or(self.usage);
        // There is one choice, as we request one.
        let Some(choice) = chunk.choices.and_then(|choices| choices.into_iter().next()) else {
            return Ok(None);
        };
        if choice.finish_reason.as_deref() == Some("content_filter") {
            return Err(Broken::Filtered);
        }
        self.has_finished |= choice.finish_reason.is_some_and(|reason| !reason.is_empty());
        let Some(Delta { content, tool_calls }) = choice.delta else { return Ok(None) };
        for delta in tool_calls.into_iter().flatten() {
            self.push_call(delta);
        }
        let Some(Value::String(text)) = content.filter(|content| content != "") else {
            return Ok(None);
        };
        self.bytes += text.len();
        Ok(Some(text))
    }

    fn push_call(&mut self, delta: CallDelta) {
        let FunctionDelta { name, arguments } =
            delta.function.unwrap_or(FunctionDelta { name: None, arguments: None });
        let name = name.filter(|name| !name.is_empty());
        let id = delta.id.filter(|id| !id.is_empty());
        let known = self.calls.iter_mut().rev().find(|call| {
            // Ollama gives all calls of a reply the same index, others give none: then the id separates
            // them.
            let is_other = id.is_some() && call.id.is_some() && call.id != id;
            let begins = delta.index.is_none() && id.is_none() && name.is_some();
            call.index == delta.index && !is_other && !begins
        });
        let call = match known {
            Some(call) => call,
            None => self.calls.push_mut(OpenCall { index: delta.index, ..OpenCall::default() }),
        };
        call.id = call.id.take().or(id);
        if call.name.is_empty() {
            call.name = name.unwrap_or_default();
        }
        let more = match arguments {
            Some(Value::String(text)) => text,
            None | Some(Value::Null) => String::new(),
            // Some servers do not send the arguments as text.
            Some(other) => other.to_string(),
        };
        self.bytes += call.name.len() + more.len();
        call.arguments.push_str(&more);
    }

    /// Whether the model has begun to answer.
    pub(super) fn has_begun(&self) -> bool {
        self.bytes > 0
    }

    /// Whether the model has reported the end of its answer.
    pub(super) fn has_finished(&self) -> bool {
        self.has_finished
    }

    /// Returns the tokens that the server counted.
    pub(super) fn usage(&self) -> Option<Usage> {
        self.usage
    }

    /// Returns the number of bytes of the answer so far.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the tool calls as the model wrote them, in the order in which they began. To be called once,
    /// at the end.
    pub(super) fn take_calls(&mut self) -> Vec<Piece> {
        let mut ids = BTreeSet::new();
        let calls = std::mem::take(&mut self.calls).into_iter().enumerate();
        let calls = calls.map(|(n, OpenCall { id, name, arguments, .. })| {
            // Some servers give no id but require one later; all of them take nine letters and digits.
            let id = id.filter(|id| !ids.contains(id)).unwrap_or_else(|| format!("call{n:05}"));
            ids.insert(id.clone());
            // Some models write an empty text for no arguments.
            let arguments = if arguments.is_empty() { "{}".to_owned() } else { arguments };
            Piece::Call(Call { id, name, arguments })
        });
        calls.collect()
    }
}

/// Returns the text of an answer that was not streamed, without the fence that some models put around JSON.
pub(super) fn whole_answer(body: &[u8]) -> Result<(String, Option<Usage>), Broken> {
    let body = std::str::from_utf8(body).map_err(|_| Broken::Garbage)?;
    let mut assembly = Assembly::default();
    let text = assembly.push(body)?.ok_or(Broken::Garbage)?;
    let fenced = text.trim().strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    let text = fenced.map_or(text.trim(), |inner| inner.trim_start_matches("json").trim());
    Ok((text.to_owned(), assembly.usage()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(deltas: &[Value]) -> Vec<(String, String)> {
        let mut assembly = Assembly::default();
        for delta in deltas {
            let chunk = json!({ "choices": [{ "delta": { "tool_calls": [delta] } }] });
            assert_eq!(assembly.push(&chunk.to_string()), Ok(None));
        }
        let pieces = assembly.take_calls().into_iter().map(|piece| match piece {
            Piece::Call(Call { name, arguments, .. }) => (name, arguments),
            other => panic!("{other:?} is no call"),
        });
        pieces.collect()
    }

    fn call(name: &str, arguments: &str) -> (String, String) {
        (name.to_owned(), arguments.to_owned())
    }

    /// P04: calls are separated by index; by id where all have the same index or none; by name where there
    /// is nothing else.
    #[test]
    fn calls_are_put_together_from_their_pieces() {
        let wanted = [call("f", r#"{"a":1}"#), call("g", r#"{"b":2}"#)];
        let by_index = [
            json!({"index": 0, "id": "x", "function": {"name": "f", "arguments": ""}}),
            json!({"index": 1, "id": "y", "function": {"name": "g", "arguments": "{\"b\""}}),
            json!({"index": 0, "function": {"arguments": "{\"a\":1}"}}),
            json!({"index": 1, "id": "", "function": {"name": null, "arguments": ":2}"}}),
        ];
        assert_eq!(calls(&by_index), wanted);
        let by_id = [
            json!({"index": 0, "id": "x", "function": {"name": "f", "arguments": "{\"a\":"}}),
            json!({"index": 0, "id": "x", "function": {"name": "f", "arguments": "1}"}}),
            json!({"index": 0, "id": "y", "function": {"name": "g", "arguments": "{\"b\":2}"}}),
        ];
        assert_eq!(calls(&by_id), wanted);
        let by_name = [
            json!({"function": {"name": "f", "arguments": "{\"a\":"}}),
            json!({"function": {"arguments": "1}"}}),
            json!({"function": {"name": "g", "arguments": {"b": 2}}}),
        ];
        assert_eq!(calls(&by_name), wanted);
    }

    /// H08: incomplete calls are passed on as they are; no arguments become an empty object.
    #[test]
    fn torn_calls_are_handed_on() {
        let deltas = [
            json!({"index": 0, "function": {"name": "f", "arguments": "{\"a\":"}}),
            json!({"index": 1, "function": {"name": "g"}}),
            json!({"index": 2}),
        ];
        assert_eq!(calls(&deltas), [call("f", r#"{"a":"#), call("g", "{}"), call("", "{}")]);
    }

    /// H08: every call of a reply has an id of its own, whatever the server gave.
    #[test]
    fn calls_have_ids_of_their_own() {
        let mut assembly = Assembly::default();
        for (index, id) in [Some("x"), None, Some("x"), Some("")].into_iter().enumerate() {
            let call = json!({ "index": index, "id": id, "function": { "name": "f" } });
            let chunk = json!({ "choices": [{ "delta": { "tool_calls": [call] } }] });
            assert_eq!(assembly.push(&chunk.to_string()), Ok(None));
        }
        let ids = assembly.take_calls().into_iter().map(|piece| match piece {
            Piece::Call(call) => call.id,
            other => panic!("{other:?} is no call"),
        });
        assert_eq!(ids.collect::<Vec<_>>(), ["x", "call00001", "call00002", "call00003"]);
    }

    /// H08: a malformed call goes back to its model in a form that servers take.
    #[test]
    fn senseless_calls_are_shown_as_calls() {
        for (name, arguments, shown, object) in [
            ("f", r#"{"a":1}"#, "f", r#"{"a":1}"#),
            ("f", r#"{"a":"#, "f", "{}"),
            ("f", "[1]", "f", "{}"),
            ("hire them!", "{}", "hirethem", "{}"),
            ("🥖", "", "unknown", "{}"),
        ] {
            let (id, name, arguments) = ("x".into(), name.into(), arguments.into());
            let function = json!({ "name": shown, "arguments": object });
            let wanted = json!({ "id": "x", "type": "function", "function": function });
            assert_eq!(called(&Call { id, name, arguments }), wanted);
        }
    }

    /// P04: chunks, errors and whole answers are read in the form of each server.
    #[test]
    fn dialects_are_read() {
        let mut assembly = Assembly::default();
        let mut push = |data: &str| assembly.push(data);
        assert_eq!(push(r#"{"choices":[{"delta":{"role":"assistant"}}]}"#), Ok(None));
        assert_eq!(push(r#"{"choices":[{"delta":{"content":[{"type":"thinking"}]}}]}"#), Ok(None));
        assert_eq!(push(r#"{"choices":[{"delta":{"content":"Hi"}}]}"#), Ok(Some("Hi".into())));
        assert_eq!(push(r#"{"choices":[{"delta":null,"finish_reason":"stop"}]}"#), Ok(None));
        let usage = r#"{"choices":null,"usage":{"prompt_tokens":7,"completion_tokens":2}}"#;
        assert_eq!(push(usage), Ok(None));
        assert_eq!(push("<html>"), Err(Broken::Garbage));
        let error = push(r#"{"error":{"message":"no\n'Ada'","code":503}}"#);
        let refusal = Refusal { code: "503".into(), reason: "no".into() };
        assert_eq!(error, Err(Broken::Error(refusal)));
        assert_eq!(assembly.usage(), Some(Usage { input: 7, output: 2 }));
        assert!(assembly.has_begun() && assembly.has_finished());
        assert_eq!(Refusal::read(br#"{"error":"no such model"}"#).reason, "no such model");
        assert_eq!(Refusal::read(br#"{"detail":"Not Found"}"#).reason, "Not Found");
        assert_eq!(Refusal::read(b"<html>"), Refusal::default());
        let whole = br#"{"choices":[{"message":{"content":"```json\n{\"a\":1}\n```"}}]}"#;
        assert_eq!(whole_answer(whole), Ok((r#"{"a":1}"#.into(), None)));
        assert_eq!(whole_answer(b"\xff"), Err(Broken::Garbage));
    }

    /// P04: a field that a server refuses by name is left out from then on; newer models get its new name.
    #[test]
    fn refused_fields_are_left_out() {
        let request = TalkRequest {
            system: "Be kind.".into(),
            messages: Vec::new(),
            tools: vec![Tool { name: "f", description: "", parameters: json!({}) }],
            temperature: 0.7,
        };
        let body = |quirks: &BTreeSet<Quirk>| {
            talk_body(Common { model: "m", answer_tokens_max: 9, quirks }, &request)
        };
        let mut quirks = BTreeSet::new();
        let whole = body(&quirks);
        assert_eq!((&whole["temperature"], &whole["max_tokens"]), (&json!(0.7), &json!(9)));
        assert_eq!(
            whole["messages"][1]["role"], "user",
            "some models want a line that is not theirs"
        );
        let refusal = "Unsupported parameter: 'max_tokens' is not supported with this model.";
        assert_eq!(Quirk::named(refusal, &whole), Some(Quirk::MaxTokens));
        quirks.extend(Quirk::ALL);
        let bare = body(&quirks);
        assert_eq!(bare["max_completion_tokens"], 9);
        for field in ["max_tokens", "temperature", "stream_options", "parallel_tool_calls"] {
            assert!(bare.get(field).is_none(), "{field} in {bare}");
        }
        assert_eq!(Quirk::named(refusal, &bare), None, "nothing is left out twice");
    }
}
