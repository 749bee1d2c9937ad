//! The wire format of chat completions: the request, and the events of the answer.
//!
//! Servers differ in details. Reading is as lenient as possible without guessing.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::providers::{
    Call, JudgeRequest, Message, TalkRequest, Tool, Usage,
    http::Refusal,
    llm_server::{
        Answer, Broken, CallPart, Common, Dialect, GO_ON, Quirk, Shape, plain_arguments,
        plain_name, temperature,
    },
};

/// The end of a stream.
const DONE: &str = "[DONE]";
/// Newer models of OpenAI, Azure and Groq want `max_completion_tokens`; others know only `max_tokens`.
pub(super) const MAX_TOKENS: Quirk = "max_tokens";
/// Some servers do not report the tokens of a stream, or do so without being asked.
pub(super) const STREAM_OPTIONS: Quirk = "stream_options";
/// Fields that some servers or models refuse: newer models of OpenAI every temperature but their own, and
/// servers that call one tool at a time the last one.
const REFUSED: [Quirk; 4] = [MAX_TOKENS, "temperature", STREAM_OPTIONS, "parallel_tool_calls"];

/// The dialect of chat completions.
#[derive(Debug)]
pub(super) struct ChatCompletions;

impl Dialect for ChatCompletions {
    fn answer_name(&self) -> &'static str {
        "chat completion"
    }

    fn think_less(&self) -> &'static str {
        "turn its thinking off at the server (`think: false`, `enable_thinking: false`, \
            `--reasoning-budget 0`)"
    }

    fn talk(&self, common: &Common<'_>, request: &TalkRequest) -> Value {
        let mut lines = vec![json!({ "role": "system", "content": request.system })];
        lines.extend(conversation(&request.messages));
        let mut body = json!({
            "messages": lines,
            "stream": true,
            "stream_options": { "include_usage": true },
            "temperature": temperature(request.temperature),
        });
        if !request.tools.is_empty() {
            body["tools"] = request.tools.iter().map(tool).collect();
            body["parallel_tool_calls"] = true.into();
        }
        finish(body, common)
    }

    fn judge(&self, common: &Common<'_>, request: &JudgeRequest, shape: Shape) -> Value {
        let (system, format) = match shape {
            Shape::Schema => {
                let schema = json!({ "name": "answer", "strict": true, "schema": request.schema });
                (request.system.clone(), json!({ "type": "json_schema", "json_schema": schema }))
            }
            Shape::Otherwise => {
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

    fn quirk(&self, refusal: &str, body: &Value) -> Option<Quirk> {
        let is_it = |quirk: &Quirk| refusal.contains(*quirk) && body.get(*quirk).is_some();
        REFUSED.into_iter().find(is_it)
    }

    fn read(&self, data: &str, answer: &mut Answer) -> Result<(), Broken> {
        if data.trim() == DONE {
            answer.finish();
            return Ok(());
        }
        let chunk: Chunk = serde_json::from_str(data).map_err(|_| Broken::Garbage)?;
        if let Some(error) = &chunk.error {
            return Err(Broken::Error(Refusal::of(error)));
        }
        let usage = chunk.usage.or_else(|| chunk.x_groq.and_then(|groq| groq.usage));
        if let Some(usage) = usage {
            answer.count_thoughts(usage.thoughts());
            answer.count(usage.into());
        }
        // There is one choice, as we request one.
        let Some(choice) = chunk.choices.and_then(|choices| choices.into_iter().next()) else {
            return Ok(());
        };
        if choice.finish_reason.as_deref() == Some("content_filter") {
            return Err(Broken::Filtered);
        }
        if let Some(delta) = choice.delta {
            if delta.has_thought() {
                answer.think();
            }
            for part in delta.tool_calls.into_iter().flatten() {
                answer.call(part.into());
            }
            match delta.content {
                Some(Value::String(words)) => answer.say(words),
                Some(Value::Array(parts)) => parts.iter().for_each(|part| said(part, answer)),
                Some(_) | None => {}
            }
        }
        match choice.finish_reason.as_deref() {
            None | Some("") => {}
            Some("length") => answer.finish_cut_off(),
            Some(_) => answer.finish(),
        }
        Ok(())
    }
}

/// Takes a part of a content in parts, as Mistral gives it: a text, or a thought, which may have a text, too.
fn said(part: &Value, answer: &mut Answer) {
    let kind = part.get("type").and_then(Value::as_str).unwrap_or("text");
    match part.get("text") {
        Some(Value::String(words)) if kind.ends_with("text") => answer.say(words.clone()),
        Some(_) | None if kind.contains("think") || kind.contains("reason") => answer.think(),
        Some(_) | None => {}
    }
}

fn finish(mut body: Value, common: &Common<'_>) -> Value {
    body["model"] = common.model.into();
    body[MAX_TOKENS] = common.answer_tokens_max.into();
    let Value::Object(fields) = &mut body else { return body };
    for quirk in common.quirks {
        let value = fields.remove(*quirk);
        if let (&MAX_TOKENS, Some(value)) = (quirk, value) {
            fields.insert("max_completion_tokens".to_owned(), value);
        }
    }
    body
}

/// Returns the conversation. What is known is in one message with the user's words that follow it: the
/// templates of many models refuse two users in a row.
fn conversation(messages: &[Message]) -> Vec<Value> {
    let go_on = Message::User(GO_ON.to_owned());
    let is_theirs = matches!(messages.last(), Some(Message::User(_) | Message::Answered { .. }));
    let is_called = matches!(messages.last(), Some(Message::Called(_)));
    let go_on = (!is_theirs && !is_called).then_some(&go_on);
    let mut known: Option<&str> = None;
    let mut lines = Vec::new();
    for message in messages.iter().chain(go_on) {
        match (known.take(), message) {
            (None, Message::Known(text)) => known = Some(text),
            (Some(before), Message::User(text)) => {
                lines.push(json!({ "role": "user", "content": format!("{before}\n\n{text}") }));
            }
            (Some(before), message) => {
                lines.extend([json!({ "role": "user", "content": before }), line(message)]);
            }
            (None, message) => lines.push(line(message)),
        }
    }
    lines
}

fn line(message: &Message) -> Value {
    match message {
        Message::Known(text) => json!({ "role": "user", "content": text }),
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

/// Returns a tool call as part of the conversation.
fn called(call: &Call) -> Value {
    let arguments = match plain_arguments(call) {
        // The model's own text, if it makes sense.
        arguments if arguments.as_object().is_some_and(|fields| !fields.is_empty()) => {
            call.arguments.clone()
        }
        arguments => arguments.to_string(),
    };
    let function = json!({ "name": plain_name(call), "arguments": arguments });
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
    x_groq: Option<Groq>,
    error: Option<Value>,
}

/// What Groq adds.
#[derive(Deserialize)]
struct Groq {
    usage: Option<Tokens>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(alias = "message")]
    delta: Option<Delta>,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Delta {
    /// The text, or a list of parts: texts and thoughts.
    content: Option<Value>,
    /// Thoughts that are kept apart, as vLLM, DeepSeek and OpenRouter name them.
    reasoning_content: Option<Value>,
    reasoning: Option<Value>,
    reasoning_details: Option<Value>,
    /// The same, as LiteLLM and others name them.
    thinking: Option<Value>,
    thinking_blocks: Option<Value>,
    tool_calls: Option<Vec<CallDelta>>,
}

impl Delta {
    fn has_thought(&self) -> bool {
        let apart = [
            &self.reasoning_content,
            &self.reasoning,
            &self.reasoning_details,
            &self.thinking,
            &self.thinking_blocks,
        ];
        apart.into_iter().flatten().any(|thought| match thought {
            Value::String(words) => !words.is_empty(),
            Value::Array(parts) => !parts.is_empty(),
            Value::Object(fields) => !fields.is_empty(),
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        })
    }
}

#[derive(Deserialize)]
struct CallDelta {
    index: Option<u64>,
    id: Option<String>,
    function: Option<FunctionDelta>,
}

#[derive(Default, Deserialize)]
struct FunctionDelta {
    name: Option<String>,
    arguments: Option<Value>,
}

impl From<CallDelta> for CallPart {
    fn from(delta: CallDelta) -> Self {
        let FunctionDelta { name, arguments } = delta.function.unwrap_or_default();
        Self { index: delta.index, id: delta.id, name, arguments }
    }
}

#[derive(Clone, Copy, Deserialize)]
struct Tokens {
    prompt_tokens: Option<u64>,
    prompt_tokens_details: Option<TokenDetails>,
    completion_tokens: Option<u64>,
    completion_tokens_details: Option<AnswerDetails>,
}

impl Tokens {
    /// The tokens of thoughts that no field shows.
    fn thoughts(&self) -> u64 {
        self.completion_tokens_details.and_then(|details| details.reasoning_tokens).unwrap_or(0)
    }
}

/// What some servers say of the tokens of an answer.
#[derive(Clone, Copy, Deserialize)]
struct AnswerDetails {
    reasoning_tokens: Option<u64>,
}

/// What some servers say of the tokens of a request.
#[derive(Clone, Copy, Deserialize)]
struct TokenDetails {
    cached_tokens: Option<u64>,
}

impl From<Tokens> for Usage {
    fn from(tokens: Tokens) -> Self {
        let input = tokens.prompt_tokens.unwrap_or(0);
        let cached = tokens.prompt_tokens_details.and_then(|details| details.cached_tokens);
        Self {
            input,
            cached: cached.unwrap_or(0).min(input),
            output: tokens.completion_tokens.unwrap_or(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::providers::{Piece, llm_server::Thinking};

    /// P04: chunks, errors and whole answers are read in the form of each server.
    #[test]
    fn dialects_are_read() {
        let mut answer = Answer::default();
        let mut read = |data: &str| {
            let read = ChatCompletions.read(data, &mut answer);
            let words = answer.take_words().map(|piece| match piece {
                Piece::Text(words) => words,
                other => panic!("{other:?} is no text"),
            });
            let words = words.collect::<String>();
            read.map(|()| (words, answer.has_begun(), answer.has_finished()))
        };
        let silent = Ok((String::new(), false, false));
        assert_eq!(read(r#"{"choices":[{"delta":{"role":"assistant"}}]}"#), silent);
        let thought = r#"{"choices":[{"delta":{"content":[{"type":"thinking"}]}}]}"#;
        assert_eq!(read(thought), silent);
        let apart = r#"{"choices":[{"delta":{"content":null,"reasoning_content":"Hm"}}]}"#;
        assert_eq!(read(apart), silent);
        let parts = r#"{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[]}]}}]}"#;
        assert_eq!(read(parts), silent);
        let hi = Ok(("Hi".into(), true, false));
        assert_eq!(read(r#"{"choices":[{"delta":{"content":"Hi"}}]}"#), hi);
        let over = Ok((String::new(), true, true));
        assert_eq!(read(r#"{"choices":[{"delta":null,"finish_reason":"stop"}]}"#), over);
        let usage = r#"{"choices":null,"usage":{"prompt_tokens":7,"completion_tokens":2}}"#;
        assert_eq!(read(usage), over);
        assert_eq!(read("<html>"), Err(Broken::Garbage));
        let error = read(r#"{"error":{"message":"no\n'Ada'","code":503}}"#);
        let refusal = Refusal { code: "503".into(), reason: "no".into(), wait: None };
        assert_eq!(error, Err(Broken::Error(refusal)));
        assert_eq!(answer.usage(), Some(Usage { input: 7, output: 2, ..Usage::default() }));
        let groq = r#"{"choices":[],"x_groq":{"usage":{"prompt_tokens":3,"completion_tokens":1}}}"#;
        assert_eq!(ChatCompletions.read(groq, &mut answer), Ok(()));
        assert_eq!(answer.usage(), Some(Usage { input: 3, output: 1, ..Usage::default() }));
        let whole = r#"{"choices":[{"message":{"content":"```json\n{\"a\":1}\n```"}}]}"#;
        assert_eq!(answer.thinking(), Some(Thinking::Apart));
        let mut answer = Answer::default();
        assert_eq!(ChatCompletions.read(whole, &mut answer), Ok(()));
        assert_eq!(answer.into_document().as_deref(), Some(r#"{"a":1}"#));
    }

    /// P04: what is known is a message of the user, with the words behind it: no two users are in a row, and
    /// a user has the last word.
    #[test]
    fn what_is_known_is_a_users() {
        let known = || Message::Known("<facts>".into());
        let hello = || Message::Assistant("Hello.".into());
        let hi = || Message::User("Hi.".into());
        let line = |role: &str, text: &str| json!({ "role": role, "content": text });
        let after = |more: &str| line("user", &format!("<facts>\n\n{more}"));
        assert_eq!(conversation(&[known()]), [after(GO_ON)], "nobody has said anything");
        assert_eq!(conversation(&[known(), hi()]), [after("Hi.")]);
        let first = || line("user", "<facts>");
        let said = || line("assistant", "Hello.");
        assert_eq!(conversation(&[known(), hello(), hi()]), [first(), said(), line("user", "Hi.")]);
        assert_eq!(conversation(&[known(), hello()]), [first(), said(), line("user", GO_ON)]);
    }

    /// P04: thoughts are no words, wherever a server puts them, and are noticed.
    #[test]
    fn thoughts_are_kept_apart() {
        for delta in [
            r#"{"reasoning_content":"Hm"}"#,
            r#"{"reasoning":"Hm","reasoning_details":[{"type":"reasoning.text","text":"Hm"}]}"#,
            r#"{"thinking":"Hm"}"#,
            r#"{"thinking_blocks":[{"type":"thinking","thinking":"Hm"}]}"#,
            r#"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm"}]}]}"#,
            r#"{"content":[{"type":"reasoning","text":"Hm"}]}"#,
        ] {
            let mut answer = Answer::default();
            let chunk = format!(r#"{{"choices":[{{"delta":{delta}}}]}}"#);
            assert_eq!(ChatCompletions.read(&chunk, &mut answer), Ok(()), "{delta}");
            assert_eq!(answer.take_words().count(), 0, "{delta}");
            assert_eq!(answer.thinking(), Some(Thinking::Apart), "{delta}");
        }
        let mut answer = Answer::default();
        let plain =
            r#"{"choices":[{"delta":{"content":"Hi","reasoning":null,"reasoning_details":[]}}]}"#;
        assert_eq!(ChatCompletions.read(plain, &mut answer), Ok(()));
        assert_eq!(answer.thinking(), None);
        let counted =
            r#"{"choices":[],"usage":{"completion_tokens_details":{"reasoning_tokens":9}}}"#;
        assert_eq!(ChatCompletions.read(counted, &mut answer), Ok(()));
        assert_eq!(answer.thinking(), Some(Thinking::Counted));
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
            let common = Common { model: "m", answer_tokens_max: 9, quirks };
            ChatCompletions.talk(&common, &request)
        };
        let whole = body(&BTreeSet::new());
        assert_eq!((&whole["temperature"], &whole["max_tokens"]), (&json!(0.7), &json!(9)));
        assert_eq!(
            whole["messages"][1]["role"], "user",
            "some models want a line that is not theirs"
        );
        let refusal = "Unsupported parameter: 'max_tokens' is not supported with this model.";
        assert_eq!(ChatCompletions.quirk(refusal, &whole), Some(MAX_TOKENS));
        let bare = body(&BTreeSet::from(REFUSED));
        assert_eq!(bare["max_completion_tokens"], 9);
        for field in REFUSED {
            assert!(bare.get(field).is_none(), "{field} in {bare}");
        }
        assert_eq!(ChatCompletions.quirk(refusal, &bare), None, "nothing is left out twice");
    }
}
