//! The common part of all models behind servers: calls, streamed answers, time limits, errors and the count
//! of tokens. A vendor is a [`Dialect`]: what it is asked, and what its answers mean.

mod answer;
pub(super) mod limits;
mod meter;
mod reply;

use std::{
    collections::BTreeSet,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use futures_util::{
    FutureExt, StreamExt, TryStreamExt, future::BoxFuture, stream, stream::BoxStream,
};
use reqwest::{
    Response,
    header::{CONTENT_TYPE, HeaderValue},
};
use serde_json::{Value, json};
use sse_stream::{Sse, SseByteStream};

use super::{
    Call, JudgeRequest, Llm, Piece, ProviderError, Retry, TalkRequest, Usage,
    http::{
        Failure, RETRY_AFTER_DEFAULT, Refusal, Site, permanent_error, run_until, transient_error,
    },
    interviewer::Interviewer,
    kind::{NewInterviewer, Offer, Place, Provider, Settings},
    llm_check,
    usage::{Amount, Source, Used, Vendor, Work},
};
use crate::clock::Clock;
use interview::time::SessionTime;

use answer::Habit;
pub(super) use answer::{Answer, Broken, CallPart, Thinking};
pub(super) use limits::{Limits, model_settings};
use meter::{Lane, Meter, Tally};
use reply::{Reply, Talk};

/// The most bytes of an answer; a longer one is taken for endless.
const ANSWER_BYTES_MAX: usize = 1 << 20;
/// The most characters of a tool's name.
const NAME_CHARS_MAX: usize = 64;
/// The candidate's line after a last line of the interviewer: many models answer only to a line of the user.
pub(super) const GO_ON: &str = "(The candidate is listening. Go on.)";

/// The dialect of a vendor's servers: requests and answers on the wire.
pub(super) trait Dialect: fmt::Debug + Send + Sync {
    /// Returns the name of an answer, for messages: "chat completion" …
    fn answer_name(&self) -> &'static str;
    /// Returns where the thinking of a model is turned off, for messages.
    fn think_less(&self) -> &'static str;
    /// Returns the request for a streamed reply with tools.
    fn talk(&self, common: &Common<'_>, request: &TalkRequest) -> Value;
    /// Returns the request for a structured answer as a whole.
    fn judge(&self, common: &Common<'_>, request: &JudgeRequest, shape: Shape) -> Value;
    /// Returns the quirk that a refusal of the request `body` tells of, if the next request can do without
    /// what is refused.
    fn quirk(&self, refusal: &str, body: &Value) -> Option<Quirk>;
    /// Puts the data of one event, or a whole answer, into `answer`.
    fn read(&self, data: &str, answer: &mut Answer) -> Result<(), Broken>;
}

/// What a server or a model turned out to refuse: mostly the name of a field, which is left out from then
/// on.
pub(super) type Quirk = &'static str;

/// The way in which the shape of an answer is requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// The JSON schema is a field of the request.
    Schema,
    /// The server does not know that field, or does not take this schema: the request says it otherwise.
    Otherwise,
}

/// What every request has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Common<'a> {
    /// The model's name.
    pub(super) model: &'a str,
    /// The most tokens of the answer.
    pub(super) answer_tokens_max: u32,
    /// What the server turned out to refuse.
    pub(super) quirks: &'a BTreeSet<Quirk>,
}

/// The two addresses of a server; for many vendors they are the same.
#[derive(Debug)]
pub(super) struct Sites {
    /// The address of streamed replies.
    pub(super) talk: Site,
    /// The address of whole answers.
    pub(super) judge: Site,
}

impl From<Site> for Sites {
    fn from(site: Site) -> Self {
        Self { judge: site.clone(), talk: site }
    }
}

/// A model behind a server, for one interview: it counts the tokens that the interview uses. All interviews
/// share the connections.
#[derive(Clone, Debug)]
pub struct RemoteModel {
    server: Arc<Server>,
    meter: Arc<Meter>,
}

/// A server and its model. All interviews share the connections.
#[derive(Debug)]
struct Server {
    sites: Sites,
    model: String,
    limits: Limits,
    dialect: Box<dyn Dialect>,
    known: Mutex<Known>,
}

/// What the server has turned out to refuse, and the way in which it takes schemas.
#[derive(Debug)]
struct Known {
    quirks: BTreeSet<Quirk>,
    shape: Shape,
    /// How it thinks before it speaks, where that was seen.
    thinking: Option<Thinking>,
    /// How its text begins.
    habit: Habit,
}

/// Returns the provider of a name whose model `open` makes.
pub(super) fn provider<S: Settings>(
    name: &str,
    settings: S,
    open: fn(&str, &S) -> Result<RemoteModel, ProviderError>,
) -> Provider {
    let settings = Arc::new(settings);
    let make: Arc<dyn Fn() -> Result<RemoteModel, ProviderError> + Send + Sync> = {
        let (name, settings) = (name.to_owned(), settings.clone());
        Arc::new(move || open(&name, &settings))
    };
    let place = {
        let make = make.clone();
        Place::Server(Arc::new(move || check(make()).boxed()))
    };
    let llm = Offer::<NewInterviewer>::new(place, move |_| {
        let model = make()?;
        Ok(Arc::new(move || Arc::new(model.for_interview()) as Arc<dyn Interviewer>))
    });
    Provider { llm: Some(llm), ..Provider::new(settings) }
}

/// Checks the server by a real reply and a real judgement.
async fn check(model: Result<RemoteModel, ProviderError>) -> Result<String, ProviderError> {
    let model = model?;
    let talked = llm_check::talks(&model).await?;
    let judged = llm_check::judges(&model).await?;
    let thinking = model.server.known().thinking;
    let thinks = thinking.map(|thinking| {
        let how = match thinking {
            Thinking::Marked => "aloud before it speaks, in its text, between marks",
            Thinking::Unmarked => {
                "aloud before it speaks, in its text, with a mark at the end alone"
            }
            Thinking::Apart => "aloud before it speaks, apart from its text",
            Thinking::Counted => "before it speaks, as its tokens are counted",
        };
        format!("; it thinks {how}: {}", model.server.think_less())
    });
    let thinks = thinks.unwrap_or_default();
    Ok(format!(
        "`{}` at {} begins to answer after {talked} ms and judges within {judged} ms; {} tokens \
            used{thinks}",
        model.server.model,
        model.server.sites.talk.origin(),
        model.tokens_used()
    ))
}

impl RemoteModel {
    /// Returns the model of a server. `quirks` are known before the first call. Makes no connection yet.
    pub(super) fn new(
        sites: Sites,
        model: &str,
        limits: Limits,
        dialect: Box<dyn Dialect>,
        quirks: impl IntoIterator<Item = Quirk>,
    ) -> Self {
        let quirks = quirks.into_iter().collect();
        let (shape, habit) = (Shape::Schema, Habit::Unknown);
        let known = Known { quirks, shape, thinking: None, habit };
        let (model, known) = (model.to_owned(), Mutex::new(known));
        let server = Arc::new(Server { sites, model, limits, dialect, known });
        let meter = server.meter();
        Self { server, meter }
    }

    /// Returns the same model with a count of its own.
    pub fn for_interview(&self) -> Self {
        Self { server: self.server.clone(), meter: self.server.meter() }
    }

    /// Returns the tokens that this interview has used; an estimate where the server does not count.
    pub fn tokens_used(&self) -> u64 {
        self.meter.used()
    }

    async fn judged(self, request: JudgeRequest) -> Result<String, ProviderError> {
        self.meter.admit()?;
        let limits = &self.server.limits;
        let (limit, what, setting) = match request.is_long {
            true => (limits.document_limit, "no document", "document_limit"),
            false => (limits.judge_limit, "no judgement", "judge_limit"),
        };
        let answer = run_until(Clock::start(), SessionTime::ZERO + limit, self.ask(&request)).await;
        answer.unwrap_or_else(|| Err(self.server.sites.judge.too_late(what, limit, setting)))
    }

    async fn ask(&self, request: &JudgeRequest) -> Result<String, ProviderError> {
        let (server, site) = (&self.server, &self.server.sites.judge);
        let answer_tokens_max = match request.is_long {
            true => server.limits.document_tokens_max,
            false => server.limits.answer_tokens_max,
        };
        let tally = |bytes| Tally::new(&self.meter, Lane::Judge, bytes);
        let post = |shape: Shape| {
            server.post(site, tally, move |quirks| {
                let common = Common { model: &server.model, answer_tokens_max, quirks };
                server.dialect.judge(&common, request, shape)
            })
        };
        let shape = server.known().shape;
        let (response, mut tally) = match post(shape).await {
            Err(failure) if shape == Shape::Schema && failure.is_about_the_request() => {
                let answered = post(Shape::Otherwise).await?;
                server.known().shape = Shape::Otherwise;
                answered
            }
            answered => answered?,
        };
        let body = site.read(response).await?;
        tally.estimate_output(body.len());
        let mut answer = Answer::of(server.known().habit);
        let read = std::str::from_utf8(&body).map_err(|_| Broken::Garbage);
        let read = read.and_then(|body| server.dialect.read(body, &mut answer));
        tally.reported(answer.usage());
        server.saw(&answer);
        read.map_err(|broken| server.broken(site, &broken))?;
        let missing = match answer.has_finished() {
            true => server.no_words(site, &answer),
            false => server.broken(site, &Broken::Garbage),
        };
        answer.into_document().ok_or(missing)
    }
}

impl Llm for RemoteModel {
    fn talk(&self, request: TalkRequest) -> BoxStream<'static, Result<Piece, ProviderError>> {
        let model = self.clone();
        let begun = async move { Talk::new(model, request).begin().await.map(Reply::pieces) };
        stream::once(begun).try_flatten().boxed()
    }

    fn judge(&self, request: JudgeRequest) -> BoxFuture<'static, Result<String, ProviderError>> {
        self.clone().judged(request).boxed()
    }

    fn name(&self) -> Option<String> {
        Some(self.server.model.clone())
    }

    fn used(&self) -> Option<Usage> {
        self.meter.counted()
    }

    fn spent(&self) -> Option<Used> {
        let (site, amount) = (&self.server.sites.talk, self.meter.amount());
        let vendor = Vendor { model: self.server.model.clone(), ..site.vendor() };
        let provider = site.provider().to_owned();
        let source = Source { work: Work::Thinking, provider, vendor: Some(vendor) };
        (amount != Amount::default()).then_some(Used { source, amount })
    }

    fn is_spent(&self) -> bool {
        self.meter.is_spent()
    }

    fn learn_habits(&self) -> BoxFuture<'static, ()> {
        let model = self.for_interview();
        let learn = async move {
            if model.server.known().habit != Habit::Unknown {
                return;
            }
            if let Err(why) = llm_check::talks(&model).await {
                tracing::info!(%why, "a model could not be tried before its first reply");
            }
        };
        learn.boxed()
    }
}

impl Server {
    /// Makes a call. What the server refuses by name is left out, in this call and from then on.
    async fn post(
        &self,
        site: &Site,
        tally: impl Fn(usize) -> Tally,
        body: impl Fn(&BTreeSet<Quirk>) -> Value,
    ) -> Result<(Response, Tally), Failure> {
        loop {
            let quirks = self.known().quirks.clone();
            let body = body(&quirks);
            let text = body.to_string();
            // A call counts even if it is cancelled before the answer begins.
            let tally = tally(text.len());
            let failure = match site.post(text).await {
                Ok(response) => return Ok((response, tally)),
                Err(failure) => failure,
            };
            tally.was_refused();
            if !failure.is_about_the_request() {
                return Err(failure);
            }
            match self.dialect.quirk(&failure.reason, &body) {
                // Each quirk is learnt once, so that the calls come to an end.
                Some(quirk) if !quirks.contains(quirk) => {
                    tracing::info!(quirk, "the model's server does without a field");
                    self.known().quirks.insert(quirk);
                }
                Some(_) | None => return Err(failure),
            }
        }
    }

    /// Returns a meter for one interview.
    fn meter(&self) -> Arc<Meter> {
        let setting = self.sites.talk.setting("tokens_max");
        Arc::new(Meter::new(self.limits.tokens_max, setting, self.sites.talk.provider()))
    }

    /// Returns the events of a streamed answer.
    async fn events(
        &self,
        response: Response,
    ) -> Result<BoxStream<'static, Result<Sse, sse_stream::Error>>, ProviderError> {
        let kind = response.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes);
        if kind.is_none_or(|kind| kind.starts_with(b"text/event-stream")) {
            return Ok(SseByteStream::new(Site::pieces(response, ANSWER_BYTES_MAX)).boxed());
        }
        let kind = String::from_utf8_lossy(kind.unwrap_or_default()).to_lowercase();
        match kind.contains("json") {
            true => Err(self.no_stream(&self.sites.talk.read(response).await?)),
            false => Err(self.sites.talk.wrong_type(&kind, "a stream of events")),
        }
    }

    /// Returns the error for JSON in the place of a stream of events, by what it is.
    fn no_stream(&self, body: &[u8]) -> ProviderError {
        let site = &self.sites.talk;
        let mut lines = serde_json::Deserializer::from_slice(body).into_iter::<Value>();
        let first = lines.next().and_then(Result::ok).unwrap_or_default();
        // Gemini without `alt=sse` answers with a list.
        let first = first.get(0).cloned().unwrap_or(first);
        if first.get("error").is_some_and(|error| !error.is_null()) {
            return self.broken(site, &Broken::Error(Refusal::of(&first)));
        }
        let (place, setting) = (&site.place, site.setting("base_url"));
        let hint = match first.get("done") {
            // The dialect of Ollama's own address, `/api/chat`.
            Some(_) => format!("it speaks Ollama's own dialect: end {setting} in /v1"),
            None => "it ignores that a stream is wanted: turn streaming on there, or take another server"
                .to_owned(),
        };
        permanent_error(format!("{place} answers with JSON, not with a stream of events; {hint}"))
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps what an answer shows of its model.
    fn saw(&self, answer: &Answer) {
        let Some(thinking) = answer.thinking() else { return };
        let mut known = self.known();
        known.thinking = Some(thinking);
        if thinking == Thinking::Unmarked {
            known.habit = Habit::ThinksUnmarked;
        }
    }

    /// Keeps that a model speaks at once, as its whole reply shows. A judgement does not: a server that holds
    /// a model to a schema leaves it no room to think.
    fn heard(&self, answer: &Answer) {
        let mut known = self.known();
        if known.habit == Habit::Unknown && answer.shows_that_it_speaks() {
            known.habit = Habit::Speaks;
        }
    }

    /// Returns what helps with a model that thinks.
    fn think_less(&self) -> String {
        let setting = self.sites.talk.setting("model");
        format!("{}, or take a model that does not think, by {setting}", self.dialect.think_less())
    }

    /// Returns the error for an answer without words or calls.
    fn no_words(&self, site: &Site, answer: &Answer) -> ProviderError {
        let (model, place, less) = (&self.model, &site.place, self.think_less());
        match (answer.thinking(), answer.was_cut_off()) {
            (Some(_), _) => transient_error(format!(
                "`{model}` at {place} answered with nothing but thoughts; {less}"
            )),
            (None, true) => transient_error(format!(
                "`{model}` at {place} had used its tokens before it was known whether it thinks aloud: raise \
                    {}, or {less}",
                site.setting("answer_tokens_max")
            )),
            (None, false) => site.empty_answer(),
        }
    }

    /// Returns the error for an answer that makes no sense.
    fn broken(&self, site: &Site, broken: &Broken) -> ProviderError {
        let place = &site.place;
        match broken {
            Broken::Garbage => transient_error(format!(
                "{place} answered with something that is no {}",
                self.dialect.answer_name()
            )),
            Broken::ThoughtAloud => transient_error(format!(
                "`{}` at {place} thinks aloud before it speaks; {}",
                self.model,
                self.think_less()
            )),
            Broken::Filtered => permanent_error(format!(
                "the filter of {place} stopped the answer; ease it at the provider"
            )),
            Broken::Error(refusal) if is_about_load(refusal) => {
                let what = format!("{place} takes no more calls for now");
                let wait = refusal.wait.unwrap_or(RETRY_AFTER_DEFAULT);
                ProviderError { what, retry: Retry::After(wait) }
            }
            Broken::Error(refusal) => transient_error(format!(
                "{place} failed in the middle of its answer: {}",
                site.without_key(&refusal.reason)
            )),
        }
    }
}

/// Whether a server breaks an answer off because it has too much to do.
fn is_about_load(refusal: &Refusal) -> bool {
    matches!(refusal.code.as_str(), "429" | "rate_limit_error" | "overloaded_error")
}

/// Returns a tool's name in a form that every server takes, even if its own model wrote it otherwise; the
/// fault is in the answer to the call.
pub(super) fn plain_name(call: &Call) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let plain = call.name.chars().filter(|c| is_plain(*c)).take(NAME_CHARS_MAX);
    let name = Some(plain.collect::<String>()).filter(|name| !name.is_empty());
    name.unwrap_or_else(|| "unknown".to_owned())
}

/// Returns the arguments of a call as an object, which is empty if the model wrote none.
pub(super) fn plain_arguments(call: &Call) -> Value {
    let arguments = serde_json::from_str::<Value>(&call.arguments).ok();
    arguments.filter(Value::is_object).unwrap_or_else(|| json!({}))
}

/// Returns a temperature with the digits of the f32 that were meant.
pub(super) fn temperature(temperature: f32) -> f64 {
    (f64::from(temperature) * 100.0).round() / 100.0
}

/// Returns a schema with these keywords alone. The others go into the description, where the model may still
/// heed them.
pub(super) fn keep_keywords(schema: &Value, keywords: &[&str]) -> Value {
    let Value::Object(fields) = schema else { return schema.clone() };
    let (mut kept, mut others) = (serde_json::Map::new(), Vec::new());
    for (key, value) in fields {
        let value = match (key.as_str(), value) {
            ("properties" | "$defs", Value::Object(inner)) => {
                let inner = inner
                    .iter()
                    .map(|(name, schema)| (name.clone(), keep_keywords(schema, keywords)));
                Value::Object(inner.collect())
            }
            ("anyOf" | "allOf" | "oneOf", Value::Array(inner)) => {
                inner.iter().map(|schema| keep_keywords(schema, keywords)).collect()
            }
            ("items", schema) => keep_keywords(schema, keywords),
            (_, value) => value.clone(),
        };
        match keywords.contains(&key.as_str()) {
            true => drop(kept.insert(key.clone(), value)),
            // What says nothing to a model is left out.
            false if key == "additionalProperties" || key == "$schema" => {}
            false => others.push(format!("{key}: {value}")),
        }
    }
    if !others.is_empty() {
        let said = kept.get("description").and_then(Value::as_str).map(|said| format!("{said} "));
        let description = format!("{}({})", said.unwrap_or_default(), others.join(", "));
        kept.insert("description".to_owned(), description.into());
    }
    Value::Object(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// H08: a malformed call goes back to its model in a form that servers take.
    #[test]
    fn senseless_calls_are_shown_as_calls() {
        for (name, arguments, shown, object) in [
            ("f", r#"{"a":1}"#, "f", json!({"a":1})),
            ("f", r#"{"a":"#, "f", json!({})),
            ("f", "[1]", "f", json!({})),
            ("hire them!", "{}", "hirethem", json!({})),
            ("🥖", "", "unknown", json!({})),
        ] {
            let (id, name, arguments) = ("x".into(), name.into(), arguments.into());
            let call = Call { id, name, arguments };
            assert_eq!((plain_name(&call).as_str(), plain_arguments(&call)), (shown, object));
        }
    }

    /// P04: a schema keeps the keywords that a vendor takes; the others are said in words.
    #[test]
    fn keywords_are_kept_or_said() {
        let schema = json!({
            "type": "object",
            "properties": {
                "minimum": { "type": "integer", "minimum": 1, "maximum": 5 },
                "list": { "type": "array", "items": {
                    "type": "string", "pattern": "a", "description": "A.",
                } },
            },
            "required": ["minimum"],
            "additionalProperties": false,
        });
        let wanted = json!({
            "type": "object",
            "properties": {
                "minimum": { "type": "integer", "description": "(maximum: 5, minimum: 1)" },
                "list": { "type": "array", "items": {
                    "type": "string", "description": "A. (pattern: \"a\")",
                } },
            },
            "required": ["minimum"],
        });
        let keywords = ["type", "properties", "items", "required", "description"];
        assert_eq!(keep_keywords(&schema, &keywords), wanted);
    }
}
