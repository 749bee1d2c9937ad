//! A model of Google's, over the Gemini API: `streamGenerateContent` with events, and `generateContent`.
//!
//! Sources, read in November 2026: <https://ai.google.dev/api/generate-content>, `…/gemini-api/docs/
//! function-calling`, `…/thought-signatures` (a call goes back with the signature that it came with),
//! `…/thinking`, `…/structured-output`, `…/troubleshooting`, and Google's Python client 3.6
//! (`google/genai/types.py`: `Schema`, `FinishReason`, `UsageMetadata`).

#[cfg(test)]
mod tests;

use std::{
    collections::{BTreeMap, VecDeque},
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Call, JudgeRequest, Message, ProviderError, TalkRequest, Tool, Usage,
    http::{Access, Header, Names, Refusal, Site},
    kind::Kind,
    llm_server::{
        self, Answer, Broken, CallPart, Common, Dialect, GO_ON, Quirk, RemoteModel, Shape, Sites,
        keep_keywords, model_settings, plain_arguments, plain_name, temperature,
    },
};
use crate::settings::{Secret, Section, rules};

/// The keywords of schemas that Gemini takes: a part of those of OpenAPI 3.0.
const KEYWORDS: [&str; 14] = [
    "anyOf",
    "description",
    "enum",
    "format",
    "items",
    "maxItems",
    "maximum",
    "minItems",
    "minimum",
    "nullable",
    "properties",
    "required",
    "title",
    "type",
];
/// Stands for the signature of a call that we do not know, as Google documents it.
const NO_SIGNATURE: &str = "skip_thought_signature_validator";
/// The calls whose signatures are remembered. They go back while a reply is worded, and never after that.
const CALLS_MAX: usize = 1_024;
/// The bytes of a signature; a longer one is not remembered.
const SIGNATURE_BYTES_MAX: usize = 64 << 10;

/// A model that cannot think at the least of levels.
const NOT_MINIMAL: Quirk = "thinkingLevel";
/// One that can neither be told by a budget not to think.
const NO_BUDGET: Quirk = "thinkingBudget";
/// One that does not think at all, or as much as it likes.
const NO_THINKING: Quirk = "thinkingConfig";
/// A model that wants a signature with each call.
const SIGNED_CALLS: Quirk = "thought_signature";

model_settings! {
    /// A model of Google's, over the Gemini API.
    pub struct Settings {
        /// Where it is; `/models/MODEL:streamGenerateContent` is added to its path.
        base_url: url::Url = "https://generativelanguage.googleapis.com/v1beta", rules::HTTP_URL;
        /// The model's name: one that does not think long before its first word.
        model: String = "gemini-3.5-flash-lite", rules::name("the name of a model");
        /// Servers in one's own network may need none.
        api_key: Secret = "", rules::SECRET, also "GEMINI_API_KEY", also "GOOGLE_API_KEY";
        /// A file that holds the key, instead.
        api_key_file: Option<PathBuf> = "", rules::FILE;
        /// A certificate in PEM to be trusted beside those of the system.
        ca_file: Option<PathBuf> = "", rules::FILE;
    }
}

/// The kind of providers that speak the Gemini API.
pub const KIND: Kind = Kind {
    name: "gemini",
    doc: "Google's Gemini words replies and judges answers.",
    fields: Settings::FIELDS,
    read: |name, reader| llm_server::provider(name, Settings::read(reader), model),
};

/// Returns the model of a provider. Reads the key and the certificate; makes no connection yet.
pub fn model(name: &str, settings: &Settings) -> Result<RemoteModel, ProviderError> {
    let path = |method: &str| format!("/models/{}:{method}", settings.model);
    let talk = Site::new(&Access {
        names: Names::new(&KIND, name, "model", ", which mostly ends in /v1beta,", &["model"]),
        base_url: &settings.base_url,
        path: &path("streamGenerateContent"),
        query: &[("alt", "sse")],
        model: &settings.model,
        api_key: &settings.api_key,
        api_key_file: settings.api_key_file.as_deref(),
        key_header: Header::Named("x-goog-api-key"),
        ca_file: settings.ca_file.as_deref(),
    })?;
    let judge = talk.elsewhere(&settings.base_url, &path("generateContent"));
    let (sites, dialect) = (Sites { talk, judge }, Box::new(Gemini::default()));
    Ok(RemoteModel::new(sites, &settings.model, settings.limits(), dialect, []))
}

/// The dialect of the Gemini API. It remembers the signatures of calls, which the conversation does not
/// carry.
#[derive(Debug, Default)]
struct Gemini {
    signed: Mutex<VecDeque<Signed>>,
    calls: AtomicU64,
}

/// What a call came with.
#[derive(Clone, Debug)]
struct Signed {
    /// The id of the call within the conversation.
    id: String,
    /// Whether the id is the server's.
    is_theirs: bool,
    signature: Option<String>,
}

impl Dialect for Gemini {
    fn answer_name(&self) -> &'static str {
        "answer of the Gemini API"
    }

    fn think_less(&self) -> &'static str {
        "it was asked not to by `thinkingConfig`"
    }

    fn talk(&self, common: &Common<'_>, request: &TalkRequest) -> Value {
        let config = json!({ "temperature": temperature(request.temperature) });
        let mut body = json!({
            "contents": self.contents(&request.messages, common.quirks.contains(SIGNED_CALLS)),
            "generationConfig": configured(config, common),
        });
        if !request.tools.is_empty() {
            let declared: Vec<Value> = request.tools.iter().map(tool).collect();
            body["tools"] = json!([{ "functionDeclarations": declared }]);
        }
        with_system(body, &request.system)
    }

    fn judge(&self, common: &Common<'_>, request: &JudgeRequest, shape: Shape) -> Value {
        let mut config = json!({ "temperature": 0, "responseMimeType": "application/json" });
        let system = match shape {
            Shape::Schema => {
                config["responseSchema"] = schema(&request.schema);
                request.system.clone()
            }
            Shape::Otherwise => format!(
                "{}\n\nAnswer with one JSON object that follows this schema, and nothing else: {}",
                request.system, request.schema
            ),
        };
        let body = json!({
            "contents": [{ "role": "user", "parts": [{ "text": request.user }] }],
            "generationConfig": configured(config, common),
        });
        with_system(body, &system)
    }

    fn quirk(&self, refusal: &str, body: &Value) -> Option<Quirk> {
        let refusal = refusal.to_lowercase().replace([' ', '_'], "");
        if refusal.contains("thoughtsignature") {
            return Some(SIGNED_CALLS);
        }
        let thinking = body.pointer("/generationConfig/thinkingConfig")?;
        if !refusal.contains("thinking") && !refusal.contains("budget") {
            return None;
        }
        let level = thinking.get("thinkingLevel").and_then(Value::as_str);
        Some(match level {
            Some("MINIMAL") => NOT_MINIMAL,
            None => NO_BUDGET,
            Some(_) => NO_THINKING,
        })
    }

    fn read(&self, data: &str, answer: &mut Answer) -> Result<(), Broken> {
        let chunk: Chunk = serde_json::from_str(data).map_err(|_| Broken::Garbage)?;
        if let Some(error) = &chunk.error {
            return Err(Broken::Error(Refusal::of(error)));
        }
        if let Some(usage) = chunk.usage_metadata {
            answer.count_thoughts(usage.thoughts_token_count.unwrap_or(0));
            answer.count(usage.into());
        }
        if chunk.prompt_feedback.is_some_and(|feedback| feedback.block_reason.is_some()) {
            return Err(Broken::Filtered);
        }
        // There is one candidate, as we request one.
        let Some(candidate) = chunk.candidates.into_iter().flatten().next() else { return Ok(()) };
        let parts = candidate.content.and_then(|content| content.parts);
        for part in parts.into_iter().flatten() {
            self.take(part, answer);
        }
        end(answer, candidate.finish_reason.as_deref())
    }
}

impl Gemini {
    fn take(&self, part: Part, answer: &mut Answer) {
        if part.thought == Some(true) {
            answer.think();
            return;
        }
        answer.say(part.text.unwrap_or_default());
        let Some(call) = part.function_call else { return };
        let is_theirs = call.id.as_ref().is_some_and(|id| !id.is_empty());
        let id = call.id.filter(|id| !id.is_empty()).unwrap_or_else(|| {
            // Within the process, as that of another reply must not be taken for it.
            format!("gemini-call-{}", self.calls.fetch_add(1, Ordering::Relaxed))
        });
        self.remember(Signed { id: id.clone(), is_theirs, signature: part.thought_signature });
        let arguments = call.args.filter(|args| !args.is_null());
        answer.call(CallPart { index: None, id: Some(id), name: call.name, arguments });
    }

    fn remember(&self, mut call: Signed) {
        call.signature = call.signature.filter(|text| text.len() <= SIGNATURE_BYTES_MAX);
        let mut signed = self.signed.lock().unwrap_or_else(PoisonError::into_inner);
        if signed.len() == CALLS_MAX {
            signed.pop_front();
        }
        signed.push_back(call);
    }

    fn signed(&self, id: &str) -> Option<Signed> {
        let signed = self.signed.lock().unwrap_or_else(PoisonError::into_inner);
        signed.iter().rev().find(|call| call.id == id).cloned()
    }

    /// Returns the conversation. It begins with the user, each call follows a line of the user or the results
    /// of others, and all results of a step are in one place.
    fn contents(&self, messages: &[Message], wants_signatures: bool) -> Vec<Value> {
        let go_on = || ("user", vec![json!({ "text": GO_ON })]);
        let mut contents: Vec<(&str, Vec<Value>)> = Vec::new();
        let mut names = BTreeMap::new();
        let (mut is_answering, mut is_known) = (false, false);
        for message in messages {
            let was_answering = std::mem::take(&mut is_answering);
            let was_known = std::mem::take(&mut is_known);
            let (role, parts) = match message {
                Message::Assistant(text) => ("model", text_part(text)),
                Message::Known(text) => {
                    is_known = true;
                    ("user", text_part(text))
                }
                Message::User(text) => ("user", text_part(text)),
                Message::Called(calls) => {
                    names.extend(calls.iter().map(|call| (call.id.as_str(), plain_name(call))));
                    let part = |(n, call)| self.called(call, wants_signatures && n == 0);
                    ("model", calls.iter().enumerate().map(part).collect())
                }
                Message::Answered { id, text } => {
                    is_answering = true;
                    let part = names.get(id.as_str()).map(|name| self.answered(id, name, text));
                    ("user", part.into_iter().collect())
                }
            };
            if parts.is_empty() {
                continue;
            }
            let last = contents.last().map(|(role, _)| *role);
            let is_fine = match message {
                Message::Known(_) | Message::User(_) | Message::Answered { .. } => true,
                Message::Assistant(_) => last.is_some(),
                Message::Called(_) => last == Some("user"),
            };
            match contents.last_mut() {
                Some((_, answered)) if was_answering && is_answering => answered.extend(parts),
                Some(("user", known)) if was_known && role == "user" => known.extend(parts),
                Some(_) | None if is_fine => contents.push((role, parts)),
                Some(_) | None => contents.extend([go_on(), (role, parts)]),
            }
        }
        match contents.last_mut() {
            Some(("user", known)) if is_known => known.extend(go_on().1),
            Some(("user", _)) => {}
            Some(_) | None => contents.push(go_on()),
        }
        let content = |(role, parts)| json!({ "role": role, "parts": parts });
        contents.into_iter().map(content).collect()
    }

    /// Returns a call as part of the conversation. The first call of a step has a signature for all of them.
    fn called(&self, call: &Call, wants_signature: bool) -> Value {
        let signed = self.signed(&call.id);
        let mut part = json!({
            "functionCall": { "name": plain_name(call), "args": plain_arguments(call) },
        });
        if signed.as_ref().is_some_and(|signed| signed.is_theirs) {
            part["functionCall"]["id"] = call.id.as_str().into();
        }
        let known = signed.and_then(|signed| signed.signature);
        if let Some(signature) = known.or_else(|| wants_signature.then(|| NO_SIGNATURE.to_owned()))
        {
            part["thoughtSignature"] = signature.into();
        }
        part
    }

    fn answered(&self, id: &str, name: &str, text: &str) -> Value {
        let mut response = json!({ "name": name, "response": { "output": text } });
        if self.signed(id).is_some_and(|signed| signed.is_theirs) {
            response["id"] = id.into();
        }
        json!({ "functionResponse": response })
    }
}

fn with_system(mut body: Value, system: &str) -> Value {
    if !system.is_empty() {
        body["systemInstruction"] = json!({ "parts": [{ "text": system }] });
    }
    body
}

/// Returns the configuration with what all requests have. The model thinks as little as it can be brought to:
/// a person waits for its first word.
fn configured(mut config: Value, common: &Common<'_>) -> Value {
    let has = |quirk| common.quirks.contains(quirk);
    config["maxOutputTokens"] = common.answer_tokens_max.into();
    let thinking = match (has(NOT_MINIMAL), has(NO_BUDGET), has(NO_THINKING)) {
        (false, _, _) => json!({ "thinkingLevel": "MINIMAL" }),
        (true, false, _) => json!({ "thinkingBudget": 0 }),
        (true, true, false) => json!({ "thinkingLevel": "LOW" }),
        (true, true, true) => return config,
    };
    config["thinkingConfig"] = thinking;
    config
}

/// Returns a text as parts; an empty one would be refused.
fn text_part(text: &str) -> Vec<Value> {
    if text.trim().is_empty() { Vec::new() } else { vec![json!({ "text": text })] }
}

fn tool(tool: &Tool) -> Value {
    let mut declared = json!({ "name": tool.name, "description": tool.description });
    let properties = tool.parameters.get("properties").and_then(Value::as_object);
    // An object without fields would be refused.
    if properties.is_some_and(|properties| !properties.is_empty()) {
        declared["parameters"] = schema(&tool.parameters);
    }
    declared
}

/// Returns a schema as Gemini takes it: with the keywords that it knows, types in capital letters, `null` as
/// `nullable`, and lists of allowed texts alone.
fn schema(schema: &Value) -> Value {
    typed(keep_keywords(schema, &KEYWORDS))
}

fn typed(schema: Value) -> Value {
    let Value::Object(fields) = schema else { return schema };
    let mut typed_fields = serde_json::Map::new();
    for (key, value) in fields {
        match (key.as_str(), value) {
            ("type", Value::String(kind)) => {
                typed_fields.insert(key, kind.to_uppercase().into());
            }
            ("type", Value::Array(kinds)) => {
                let kinds = || kinds.iter().filter_map(Value::as_str);
                if kinds().any(|kind| kind == "null") {
                    typed_fields.insert("nullable".to_owned(), true.into());
                }
                let kind = kinds().find(|kind| *kind != "null").unwrap_or("string");
                typed_fields.insert(key, kind.to_uppercase().into());
            }
            ("enum", Value::Array(values)) if !values.iter().all(Value::is_string) => {
                let said = typed_fields.get("description").and_then(Value::as_str);
                let said = said.map(|said| format!("{said} ")).unwrap_or_default();
                let description = format!("{said}(one of {})", Value::Array(values));
                typed_fields.insert("description".to_owned(), description.into());
            }
            ("properties", Value::Object(inner)) => {
                let inner = inner.into_iter().map(|(name, schema)| (name, typed(schema)));
                typed_fields.insert(key, Value::Object(inner.collect()));
            }
            ("anyOf", Value::Array(inner)) => {
                typed_fields.insert(key, inner.into_iter().map(typed).collect());
            }
            ("items", inner) => {
                typed_fields.insert(key, typed(inner));
            }
            (_, value) => {
                typed_fields.insert(key, value);
            }
        }
    }
    Value::Object(typed_fields)
}

/// An event of a stream, or a whole answer.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Chunk {
    candidates: Option<Vec<Candidate>>,
    prompt_feedback: Option<PromptFeedback>,
    usage_metadata: Option<Tokens>,
    error: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Candidate {
    content: Option<Content>,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Content {
    parts: Option<Vec<Part>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Part {
    text: Option<String>,
    /// Whether the text is a thought of the model.
    thought: Option<bool>,
    thought_signature: Option<String>,
    function_call: Option<FunctionCall>,
}

#[derive(Deserialize)]
struct FunctionCall {
    id: Option<String>,
    name: Option<String>,
    args: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PromptFeedback {
    block_reason: Option<String>,
}

/// The tokens so far. Thoughts are paid for like words.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Tokens {
    prompt_token_count: Option<u64>,
    cached_content_token_count: Option<u64>,
    tool_use_prompt_token_count: Option<u64>,
    candidates_token_count: Option<u64>,
    thoughts_token_count: Option<u64>,
}

impl From<Tokens> for Usage {
    fn from(tokens: Tokens) -> Self {
        let sum =
            |counts: [Option<u64>; 2]| counts.into_iter().flatten().fold(0, u64::saturating_add);
        let input = sum([tokens.prompt_token_count, tokens.tool_use_prompt_token_count]);
        Self {
            input,
            cached: tokens.cached_content_token_count.unwrap_or(0).min(input),
            output: sum([tokens.candidates_token_count, tokens.thoughts_token_count]),
        }
    }
}

/// Handles the reason for the end.
fn end(answer: &mut Answer, finish_reason: Option<&str>) -> Result<(), Broken> {
    match finish_reason {
        None | Some("" | "FINISH_REASON_UNSPECIFIED") => {}
        Some(
            "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "LANGUAGE",
        ) => {
            return Err(Broken::Filtered);
        }
        Some(
            reason @ ("MALFORMED_FUNCTION_CALL"
            | "UNEXPECTED_TOOL_CALL"
            | "TOO_MANY_TOOL_CALLS"
            | "MISSING_THOUGHT_SIGNATURE"
            | "MALFORMED_RESPONSE"),
        ) => {
            let reason = format!("the model's call of a tool makes no sense ({reason})");
            return Err(Broken::Error(Refusal { reason, ..Refusal::default() }));
        }
        Some("MAX_TOKENS") => answer.finish_cut_off(),
        Some(_) => answer.finish(),
    }
    Ok(())
}
