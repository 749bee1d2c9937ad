//! A model of Anthropic's, over the Messages API.
//!
//! Sources, read in November 2026: <https://platform.claude.com/docs/en/api/messages> and `…/api/errors`,
//! `…/build-with-claude/streaming` (events; unknown ones are to be ignored), `…/build-with-claude/
//! structured-outputs` (`output_config.format`), the migration guides of the models, and Anthropic's Python
//! client 2.14 (`types/message_create_params.py`, `types/thinking_config_param.py`, and
//! `lib/_parse/_transform.py` for the keywords of schemas).

use std::{collections::BTreeMap, path::PathBuf};

use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    JudgeRequest, Message, ProviderError, TalkRequest, Tool, Usage,
    http::{Access, Header, Names, Refusal, Site},
    kind::Kind,
    llm_server::{
        self, Answer, Broken, CallPart, Common, Dialect, GO_ON, Quirk, RemoteModel, Shape,
        keep_keywords, model_settings, plain_arguments, plain_name, temperature,
    },
};
use crate::settings::{Secret, Section, rules};

/// The version of the API, which every request names.
const VERSION: &str = "2023-06-01";
/// The tool that a model without structured outputs is made to answer with.
const ANSWER_TOOL: &str = "answer";
/// The keywords of JSON schemas that structured outputs take.
const KEYWORDS: [&str; 14] = [
    "$defs",
    "$ref",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "default",
    "description",
    "enum",
    "items",
    "properties",
    "required",
    "title",
    "type",
];

/// Newer models take no temperature but their own.
const TEMPERATURE: Quirk = "temperature";
/// Some models cannot be kept from thinking; they are asked to think little.
const THINKING: Quirk = "thinking";
/// Sonnet 5.5 has another word for not thinking before its first word.
const THINKING_DISABLED: Quirk = "thinking.disabled";
/// Models before 4.5 do not know how much effort to make.
const EFFORT: Quirk = "effort";

model_settings! {
    /// A model of Anthropic's.
    pub struct Settings {
        /// Where it is; `/messages` is added to its path, its query is kept.
        base_url: url::Url = "https://api.anthropic.com/v1", rules::HTTP_URL;
        /// The model's name: one that does not think long before its first word.
        model: String = "claude-haiku-4-5", rules::name("the name of a model");
        /// Servers in one's own network may need none.
        api_key: Secret = "", rules::SECRET, also "ANTHROPIC_API_KEY";
        /// A file that holds the key, instead.
        api_key_file: Option<PathBuf> = "", rules::FILE;
        /// A certificate in PEM to be trusted beside those of the system.
        ca_file: Option<PathBuf> = "", rules::FILE;
    }
}

/// The kind of providers that speak Anthropic's Messages API.
pub const KIND: Kind = Kind {
    name: "anthropic",
    doc: "Anthropic's Claude words replies and judges answers.",
    fields: Settings::FIELDS,
    read: |name, reader| llm_server::provider(name, Settings::read(reader), model),
};

/// Returns the model of a provider. Reads the key and the certificate; makes no connection yet.
pub fn model(name: &str, settings: &Settings) -> Result<RemoteModel, ProviderError> {
    let site = Site::new(&Access {
        names: Names::new(&KIND, name, "model", ", which mostly ends in /v1,", &["model"]),
        base_url: &settings.base_url,
        path: "/messages",
        query: &[],
        model: &settings.model,
        api_key: &settings.api_key,
        api_key_file: settings.api_key_file.as_deref(),
        key_header: Header::Named("x-api-key"),
        ca_file: settings.ca_file.as_deref(),
    })?;
    let site = site.with_header("anthropic-version", VERSION);
    let limits = settings.limits();
    Ok(RemoteModel::new(site.into(), &settings.model, limits, Box::new(Messages), []))
}

/// The dialect of the Messages API.
#[derive(Debug)]
struct Messages;

impl Dialect for Messages {
    fn answer_name(&self) -> &'static str {
        "message of the Messages API"
    }

    fn think_less(&self) -> &'static str {
        "it was asked not to by `thinking`: turn that off at a server of another vendor"
    }

    fn talk(&self, common: &Common<'_>, request: &TalkRequest) -> Value {
        let mut body = json!({
            "system": request.system,
            "messages": turns(&request.messages),
            "stream": true,
            "temperature": temperature(request.temperature),
        });
        if !request.tools.is_empty() {
            body["tools"] = request.tools.iter().map(tool).collect();
        }
        finish(body, common)
    }

    fn judge(&self, common: &Common<'_>, request: &JudgeRequest, shape: Shape) -> Value {
        let mut body = json!({
            "system": request.system,
            "messages": [{ "role": "user", "content": request.user }],
            "temperature": 0,
        });
        match shape {
            Shape::Schema => {
                let schema = closed(keep_keywords(&request.schema, &KEYWORDS));
                body["output_config"] =
                    json!({ "format": { "type": "json_schema", "schema": schema } });
            }
            Shape::Otherwise => {
                body["tools"] = json!([{
                    "name": ANSWER_TOOL,
                    "description": "Give the answer.",
                    "input_schema": request.schema,
                }]);
                body["tool_choice"] = json!({ "type": "tool", "name": ANSWER_TOOL });
            }
        }
        finish(body, common)
    }

    fn quirk(&self, refusal: &str, body: &Value) -> Option<Quirk> {
        let kind = body.pointer("/thinking/type").and_then(Value::as_str);
        match kind {
            _ if refusal.contains("temperature") && body.get(TEMPERATURE).is_some() => {
                Some(TEMPERATURE)
            }
            _ if refusal.contains("effort") && body.pointer("/output_config/effort").is_some() => {
                Some(EFFORT)
            }
            Some("disabled") if refusal.contains("between_tools") => Some(THINKING_DISABLED),
            Some(_) if refusal.contains("thinking") => Some(THINKING),
            Some(_) | None => None,
        }
    }

    fn read(&self, data: &str, answer: &mut Answer) -> Result<(), Broken> {
        let event: Event = serde_json::from_str(data).map_err(|_| Broken::Garbage)?;
        match event {
            Event::MessageStart { message } => count(answer, &message.usage),
            Event::ContentBlockStart { index, content_block } => {
                block(answer, Some(index), content_block);
            }
            Event::ContentBlockDelta { delta: BlockDelta::TextDelta { text }, .. } => {
                answer.say(text);
            }
            Event::ContentBlockDelta {
                index,
                delta: BlockDelta::InputJsonDelta { partial_json },
            } => {
                let (index, arguments) = (Some(index), Some(Value::String(partial_json)));
                answer.call(CallPart { index, arguments, ..CallPart::default() });
            }
            Event::ContentBlockDelta { delta: BlockDelta::ThinkingDelta, .. } => answer.think(),
            Event::ContentBlockDelta { delta: BlockDelta::Other, .. } | Event::Other => {}
            Event::MessageDelta { delta, usage } => {
                count(answer, &usage);
                end(answer, delta.stop_reason.as_deref())?;
            }
            Event::MessageStop => answer.finish(),
            Event::Message { content, stop_reason, usage } => {
                count(answer, &usage);
                for (index, content) in content.into_iter().enumerate() {
                    block(answer, u64::try_from(index).ok(), content);
                }
                end(answer, stop_reason.as_deref())?;
            }
            Event::Error { error } => return Err(Broken::Error(Refusal::of(&error))),
        }
        Ok(())
    }
}

fn finish(mut body: Value, common: &Common<'_>) -> Value {
    body["model"] = common.model.into();
    body["max_tokens"] = common.answer_tokens_max.into();
    // A person waits for the first word.
    body["thinking"] = json!({ "type": "disabled" });
    if common.quirks.contains(THINKING_DISABLED) {
        body["thinking"] = json!({ "type": "between_tools" });
    }
    let has = |quirk| common.quirks.contains(quirk);
    if has(THINKING) && !has(EFFORT) {
        body["output_config"]["effort"] = "low".into();
    }
    if let Value::Object(fields) = &mut body {
        for quirk in [TEMPERATURE, THINKING] {
            if has(quirk) {
                fields.remove(quirk);
            }
        }
    }
    body
}

/// Returns the conversation in turns that alternate and begin with the user. The results of calls come first
/// in the turn after the calls. The ids of calls are ours: each may be there once, and other vendors' ids
/// look otherwise.
fn turns(messages: &[Message]) -> Vec<Value> {
    let mut turns: Vec<(&str, Vec<Value>)> = Vec::new();
    let mut ids: BTreeMap<&str, String> = BTreeMap::new();
    let mut calls = 0;
    for message in messages {
        let (role, blocks) = match message {
            Message::Assistant(text) => ("assistant", text_block(text)),
            Message::Known(text) | Message::User(text) => ("user", text_block(text)),
            Message::Called(called) => {
                let blocks = called.iter().map(|call| {
                    calls += 1;
                    let id = format!("call_{calls}");
                    ids.insert(&call.id, id.clone());
                    let (name, input) = (plain_name(call), plain_arguments(call));
                    json!({ "type": "tool_use", "id": id, "name": name, "input": input })
                });
                ("assistant", blocks.collect())
            }
            Message::Answered { id, text } => {
                let Some(id) = ids.get(id.as_str()) else { continue };
                let block = json!({ "type": "tool_result", "tool_use_id": id, "content": text });
                ("user", vec![block])
            }
        };
        if blocks.is_empty() {
            continue;
        }
        match turns.last_mut() {
            Some((last, said)) if *last == role => said.extend(blocks),
            Some(_) | None => {
                if turns.is_empty() && role == "assistant" {
                    turns.push(("user", text_block(GO_ON)));
                }
                turns.push((role, blocks));
            }
        }
    }
    match turns.last_mut() {
        Some(("user", said)) if matches!(messages.last(), Some(Message::Known(_))) => {
            said.extend(text_block(GO_ON));
        }
        Some(("user", _)) => {}
        Some(_) | None => turns.push(("user", text_block(GO_ON))),
    }
    turns.into_iter().map(|(role, content)| json!({ "role": role, "content": content })).collect()
}

/// Returns a text as blocks; an empty one would be refused.
fn text_block(text: &str) -> Vec<Value> {
    let block = || json!({ "type": "text", "text": text });
    if text.trim().is_empty() { Vec::new() } else { vec![block()] }
}

fn tool(tool: &Tool) -> Value {
    let Tool { name, description, parameters } = tool;
    json!({ "name": name, "description": description, "input_schema": parameters })
}

/// Returns a schema whose objects have no further fields, as structured outputs require.
fn closed(mut schema: Value) -> Value {
    if let Value::Object(fields) = &mut schema {
        for value in fields.values_mut() {
            let inner = value.take();
            *value = match inner {
                Value::Object(_) => closed(inner),
                Value::Array(items) => items.into_iter().map(closed).collect(),
                inner => inner,
            };
        }
        if fields.get("type").is_some_and(|kind| kind == "object") {
            fields.insert("additionalProperties".to_owned(), false.into());
        }
    }
    schema
}

/// An event of a stream, or a whole message.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Event {
    MessageStart {
        message: Started,
    },
    ContentBlockStart {
        index: u64,
        content_block: Block,
    },
    ContentBlockDelta {
        index: u64,
        delta: BlockDelta,
    },
    MessageDelta {
        delta: Stopped,
        #[serde(default)]
        usage: Tokens,
    },
    MessageStop,
    Message {
        content: Vec<Block>,
        stop_reason: Option<String>,
        #[serde(default)]
        usage: Tokens,
    },
    Error {
        error: Value,
    },
    /// `ping`, `content_block_stop`, and what is still to come.
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Started {
    #[serde(default)]
    usage: Tokens,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block {
    Text {
        text: String,
    },
    ToolUse {
        id: String,
        name: String,
        input: Value,
    },
    Thinking,
    /// A thought that is encrypted.
    RedactedThinking,
    /// The tools of servers.
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum BlockDelta {
    TextDelta {
        text: String,
    },
    InputJsonDelta {
        partial_json: String,
    },
    ThinkingDelta,
    /// Signatures, and what is still to come.
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Stopped {
    stop_reason: Option<String>,
}

/// The tokens so far. Those of the request that were read from a cache or written to it are counted apart.
#[derive(Clone, Copy, Default, Deserialize)]
struct Tokens {
    input_tokens: Option<u64>,
    cache_creation_input_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    output_tokens: Option<u64>,
}

fn count(answer: &mut Answer, tokens: &Tokens) {
    let before = answer.usage().unwrap_or_default();
    let inputs =
        [tokens.input_tokens, tokens.cache_creation_input_tokens, tokens.cache_read_input_tokens];
    let input = inputs.into_iter().flatten().fold(0, u64::saturating_add);
    // The last event may leave the tokens of the request out.
    let input = if tokens.input_tokens.is_some() { input } else { before.input };
    let cached = tokens.cache_read_input_tokens.unwrap_or(before.cached).min(input);
    answer.count(Usage { input, cached, output: tokens.output_tokens.unwrap_or(before.output) });
}

fn block(answer: &mut Answer, index: Option<u64>, block: Block) {
    match block {
        Block::Text { text } => answer.say(text),
        Block::ToolUse { id, name, input } => {
            // In a stream the input begins as an empty object, and its text follows in pieces.
            let is_empty = input.as_object().is_none_or(serde_json::Map::is_empty);
            let arguments = (!is_empty).then_some(input);
            answer.call(CallPart { index, id: Some(id), name: Some(name), arguments });
        }
        Block::Thinking | Block::RedactedThinking => answer.think(),
        Block::Other => {}
    }
}

/// Handles the reason for the end.
fn end(answer: &mut Answer, stop_reason: Option<&str>) -> Result<(), Broken> {
    match stop_reason {
        Some("refusal") => return Err(Broken::Filtered),
        Some("max_tokens") => answer.finish_cut_off(),
        Some(_) => answer.finish(),
        None => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::providers::{Call, llm_server::Thinking};

    fn call(id: &str, name: &str, arguments: &str) -> Call {
        Call { id: id.into(), name: name.into(), arguments: arguments.into() }
    }

    fn answered(id: &str, text: &str) -> Message {
        Message::Answered { id: id.into(), text: text.into() }
    }

    /// H08, P04: turns alternate and begin and end with the user; results follow their calls, with ids that
    /// are there once.
    #[test]
    fn turns_alternate() {
        let messages = [
            Message::Assistant("Hello.".into()),
            Message::User("Hi.".into()),
            Message::User(" ".into()),
            Message::Called(vec![call("call00000", "f", "{\"a\":1}"), call("x", "g!", "{")]),
            answered("call00000", "accepted"),
            answered("x", "refused"),
            Message::Called(vec![call("call00000", "f", "{}")]),
            answered("call00000", "refused"),
            answered("nobody", "lost"),
        ];
        let text = |text: &str| json!({ "type": "text", "text": text });
        let called = |id: &str, name: &str, input: Value| {
            let kind = "tool_use";
            json!({ "type": kind, "id": id, "name": name, "input": input })
        };
        let result = |id: &str, text: &str| {
            let kind = "tool_result";
            json!({ "type": kind, "tool_use_id": id, "content": text })
        };
        let wanted = [
            json!({ "role": "user", "content": [text(GO_ON)] }),
            json!({ "role": "assistant", "content": [text("Hello.")] }),
            json!({ "role": "user", "content": [text("Hi.")] }),
            json!({ "role": "assistant", "content": [
                called("call_1", "f", json!({ "a": 1 })), called("call_2", "g", json!({})),
            ] }),
            json!({ "role": "user", "content": [
                result("call_1", "accepted"), result("call_2", "refused"),
            ] }),
            json!({ "role": "assistant", "content": [called("call_3", "f", json!({}))] }),
            json!({ "role": "user", "content": [result("call_3", "refused")] }),
        ];
        assert_eq!(turns(&messages), wanted);
        let begun = json!({ "role": "user", "content": [text(GO_ON)] });
        assert_eq!(turns(&[]), std::slice::from_ref(&begun));
        assert_eq!(turns(&messages[..1]), [wanted[0].clone(), wanted[1].clone(), begun]);
        let known = || Message::Known("<facts>".into());
        let both = |more: &str| json!({ "role": "user", "content": [text("<facts>"), text(more)] });
        assert_eq!(turns(&[known()]), [both(GO_ON)], "nobody has said anything");
        assert_eq!(turns(&[known(), messages[1].clone()]), [both("Hi.")]);
        let whole = turns(&[known(), messages[0].clone(), messages[1].clone()]);
        let first = json!({ "role": "user", "content": [text("<facts>")] });
        assert_eq!(whole, [first, wanted[1].clone(), wanted[2].clone()]);
    }

    /// P04: thoughts are no words, shown or encrypted, streamed or whole, and are noticed.
    #[test]
    fn thoughts_are_kept_apart() {
        let start = |block: Value| {
            let kind = "content_block_start";
            json!({ "type": kind, "index": 0, "content_block": block })
        };
        let thought =
            json!({ "type": "thinking", "thinking": "She seems nervous.", "signature": "c2ln" });
        let hidden = json!({ "type": "redacted_thinking", "data": "c2ln" });
        let delta = json!({ "type": "thinking_delta", "thinking": "She seems nervous." });
        let text = json!({ "type": "text", "text": "{\"a\":1}" });
        for event in [
            start(thought.clone()),
            start(hidden.clone()),
            json!({ "type": "content_block_delta", "index": 0, "delta": delta }),
            json!({ "type": "message", "content": [thought, hidden, text], "stop_reason": "end_turn" }),
        ] {
            let mut answer = Answer::default();
            assert_eq!(Messages.read(&event.to_string(), &mut answer), Ok(()), "{event}");
            assert_eq!(answer.thinking(), Some(Thinking::Apart), "{event}");
            let document = event.get("content").map(|_| "{\"a\":1}".to_owned());
            assert_eq!(answer.into_document(), document, "{event}");
        }
    }

    /// P04: what a model refuses by name is left out or asked for otherwise, each once.
    #[test]
    fn refused_fields_are_left_out() {
        let request = TalkRequest {
            system: String::new(),
            messages: vec![],
            tools: vec![],
            temperature: 0.7,
        };
        let body = |quirks: &[Quirk]| {
            let quirks = quirks.iter().copied().collect::<BTreeSet<_>>();
            let common = Common { model: "m", answer_tokens_max: 9, quirks: &quirks };
            Messages.talk(&common, &request)
        };
        let whole = body(&[]);
        assert_eq!((&whole["temperature"], &whole["max_tokens"]), (&json!(0.7), &json!(9)));
        assert_eq!(whole["thinking"], json!({ "type": "disabled" }));
        let quirk = |refusal: &str, quirks: &[Quirk]| Messages.quirk(refusal, &body(quirks));
        let refusal = "`temperature` is deprecated for this model.";
        assert_eq!(quirk(refusal, &[]), Some(TEMPERATURE));
        assert_eq!(quirk(refusal, &[TEMPERATURE]), None, "nothing is left out twice");
        let refusal = "\"thinking.type.disabled\" is not supported for this model. Use \
            \"thinking.type.between_tools\"";
        assert_eq!(quirk(refusal, &[]), Some(THINKING_DISABLED));
        assert_eq!(body(&[THINKING_DISABLED])["thinking"]["type"], "between_tools");
        let refusal = "\"thinking.type.disabled\" is not supported for this model. Use \
            \"thinking.type.adaptive\" and \"output_config.effort\" to control thinking behavior.";
        assert_eq!(quirk(refusal, &[]), Some(THINKING));
        let little = body(&[THINKING]);
        assert_eq!(
            (&little["thinking"], &little["output_config"]["effort"]),
            (&Value::Null, &json!("low"))
        );
        let refusal = "This model does not support the effort parameter.";
        assert_eq!(quirk(refusal, &[THINKING]), Some(EFFORT));
        assert_eq!(body(&[THINKING, EFFORT])["output_config"], Value::Null);
        assert_eq!(quirk("messages: roles must alternate", &[]), None);
    }

    /// P04: schemas are closed and say what structured outputs do not take in words.
    #[test]
    fn schemas_are_closed() {
        let schema = json!({ "type": "object", "properties": {
            "depth": { "type": "integer", "minimum": 1 },
            "inner": { "type": "object", "properties": {} },
        } });
        let wanted = json!({ "type": "object", "additionalProperties": false, "properties": {
            "depth": { "type": "integer", "description": "(minimum: 1)" },
            "inner": { "type": "object", "properties": {}, "additionalProperties": false },
        } });
        assert_eq!(closed(keep_keywords(&schema, &KEYWORDS)), wanted);
    }
}
