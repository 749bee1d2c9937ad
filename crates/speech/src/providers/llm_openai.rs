//! A model behind a server that speaks OpenAI's chat completions: OpenAI itself, Azure, Groq, vLLM, Ollama,
//! llama.cpp, LiteLLM, OpenRouter and others.

mod meter;
mod server;
mod wire;

use std::{collections::VecDeque, path::PathBuf, sync::Arc, time::Duration};

use futures_util::{
    FutureExt, StreamExt, TryStreamExt,
    future::BoxFuture,
    stream::{self, BoxStream},
};
use sse_stream::Sse;

use super::{
    JudgeRequest, Llm, Piece, ProviderError, TalkRequest, Usage,
    http::{retry_at, run_until},
    interviewer::Interviewer,
    kind::{Kind, NewInterviewer, Offer, Place, Provider},
    llm_check,
};
use crate::{
    clock::Clock,
    settings::{Kind as Toml, Rule, Secret, Section, choice, rules, settings},
};
use interview::time::SessionTime;
use meter::{Lane, Meter, Tally};
use server::Server;
use wire::{Assembly, Common, Shape};

/// The longest wait for the end of a stream, which has the number of tokens. Only the count waits for it.
const CLOSING_LIMIT: Duration = Duration::from_millis(250);

/// Returns the rule for a count, which is not zero.
const fn count<T: std::str::FromStr + PartialOrd + From<u8>>() -> Rule<T> {
    Rule {
        kind: Toml::Whole,
        expected: "a whole number from 1",
        parse: |text| text.parse().ok().filter(|n| *n >= T::from(1)),
    }
}

/// The rule for a temperature.
const TEMPERATURE: Rule<f32> = Rule {
    kind: Toml::Number,
    expected: "a number from 0 to 2",
    parse: |text| text.parse().ok().filter(|t| (0.0..=2.0).contains(t)),
};

choice! {
    /// How a key to a model's server is sent.
    KeyHeader {
        /// `Authorization: Bearer KEY`.
        Bearer = "bearer",
        /// `api-key: KEY`, as Azure has it.
        ApiKey = "api-key",
    }
}

settings! {
    /// A model behind a server that speaks OpenAI's chat completions.
    pub struct Settings {
        /// Where it is; `/chat/completions` is added to its path, its query is kept.
        base_url: url::Url = "https://api.openai.com/v1", rules::HTTP_URL;
        /// The model's name, as the server knows it: one that calls tools and does not think long before its
        /// first word.
        model: String = "gpt-4.1-mini", rules::name("the name of a model");
        /// Servers in one's own network may need none.
        api_key: Secret = "", rules::SECRET, also "OPENAI_API_KEY";
        /// A file that holds the key, instead.
        api_key_file: Option<PathBuf> = "", rules::FILE;
        /// How the key is sent; `api-key` is Azure's.
        api_key_header: KeyHeader = "bearer", KeyHeader::RULE;
        /// A certificate in PEM to be trusted beside those of the system.
        ca_file: Option<PathBuf> = "", rules::FILE;
        /// Replies are never worded more freely; they begin at 0.7.
        temperature_max: f32 = 1.0, TEMPERATURE;
        /// From a reply's request to its first word, one retry included.
        first_token_limit: Duration = "4s", rules::DURATION;
        /// Between two pieces of a reply.
        stall_limit: Duration = "5s", rules::DURATION;
        /// A whole reply.
        reply_limit: Duration = "30s", rules::DURATION;
        /// A judgement of an answer, which nobody waits for.
        judge_limit: Duration = "20s", rules::DURATION;
        /// A whole document, such as a plan or a summary, which somebody waits for at a page.
        document_limit: Duration = "60s", rules::DURATION;
        /// Tokens that the model may say at once.
        answer_tokens_max: u32 = 600, count::<u32>();
        /// The same for a whole document.
        document_tokens_max: u32 = 6000, count::<u32>();
        /// Tokens of one interview, in and out: from there on its templates speak.
        tokens_max: u64 = 1000000, count::<u64>();
    }
}

/// The kind of providers that speak OpenAI's chat completions.
pub const KIND: Kind = Kind {
    name: "openai",
    doc: "OpenAI, or a server that speaks its chat completions, words replies and judges answers.",
    fields: Settings::FIELDS,
    read: |name, reader| provider(name, Settings::read(reader)),
};

/// Returns the provider of a name with these settings.
pub fn provider(name: &str, settings: Settings) -> Provider {
    let (name, settings) = (name.to_owned(), Arc::new(settings));
    let (place, open) = (Place::server(&name, &settings, check), settings.clone());
    let llm = Offer::<NewInterviewer>::new(place, move |_| {
        let model = OpenAi::new(&name, &open)?;
        Ok(Arc::new(move || Arc::new(model.for_interview()) as Arc<dyn Interviewer>))
    });
    Provider { llm: Some(llm), ..Provider::new(settings) }
}

/// Checks the server by a real reply and a real judgement.
async fn check(name: String, settings: Arc<Settings>) -> Result<String, ProviderError> {
    let model = OpenAi::new(&name, &settings)?;
    let talked = llm_check::talks(&model).await?;
    let judged = llm_check::judges(&model).await?;
    Ok(format!(
        "`{}` at {} begins to answer after {talked} ms and judges within {judged} ms; {} tokens used",
        settings.model,
        settings.base_url.origin().ascii_serialization(),
        model.tokens_used()
    ))
}

/// A model for one interview, which counts the tokens that the interview uses. All interviews share the
/// connections.
#[derive(Clone, Debug)]
pub struct OpenAi {
    server: Arc<Server>,
    meter: Arc<Meter>,
}

impl OpenAi {
    /// Returns the model of a provider. Reads the key and the certificate; makes no connection yet.
    pub fn new(name: &str, config: &Settings) -> Result<Self, ProviderError> {
        let server = Arc::new(Server::new(name, config)?);
        let meter = server.meter();
        Ok(Self { server, meter })
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
        let config = &self.server.config;
        let (limit, what, setting) = match request.is_long {
            true => (config.document_limit, "no document", "document_limit"),
            false => (config.judge_limit, "no judgement", "judge_limit"),
        };
        let answer = run_until(Clock::start(), SessionTime::ZERO + limit, self.ask(&request)).await;
        answer.unwrap_or_else(|| Err(self.server.site.too_late(what, limit, setting)))
    }

    async fn ask(&self, request: &JudgeRequest) -> Result<String, ProviderError> {
        let config = &self.server.config;
        let model = config.model.as_str();
        let answer_tokens_max = match request.is_long {
            true => config.document_tokens_max,
            false => config.answer_tokens_max,
        };
        let tally = |bytes| Tally::new(&self.meter, Lane::Judge, bytes);
        let post = |shape: Shape| {
            self.server.post(tally, move |quirks| {
                wire::judge_body(Common { model, answer_tokens_max, quirks }, request, shape)
            })
        };
        let shape = self.server.shape();
        let (response, mut tally) = match post(shape).await {
            Err(failure) if shape == Shape::Schema && failure.is_about_the_request() => {
                let answered = post(Shape::Object).await?;
                self.server.settle_for_objects();
                answered
            }
            answered => answered?,
        };
        let body = self.server.site.read(response).await?;
        tally.estimate_output(body.len());
        let (text, usage) =
            wire::whole_answer(&body).map_err(|broken| self.server.broken(&broken))?;
        tally.reported(usage);
        Ok(text)
    }
}

impl Llm for OpenAi {
    fn talk(&self, request: TalkRequest) -> BoxStream<'static, Result<Piece, ProviderError>> {
        let model = self.clone();
        let begun = async move {
            let talk = Talk { model, request, clock: Clock::start() };
            talk.begin().await.map(Reply::pieces)
        };
        stream::once(begun).try_flatten().boxed()
    }

    fn judge(&self, request: JudgeRequest) -> BoxFuture<'static, Result<String, ProviderError>> {
        self.clone().judged(request).boxed()
    }

    fn name(&self) -> Option<String> {
        Some(self.server.config.model.clone())
    }

    fn used(&self) -> Option<Usage> {
        self.meter.counted()
    }
}

/// A call on the response path, up to its first word.
struct Talk {
    model: OpenAi,
    request: TalkRequest,
    clock: Clock,
}

impl Talk {
    /// Makes the call. One failure is passed over, as no words were passed on yet.
    async fn begin(self) -> Result<Reply, ProviderError> {
        self.model.meter.admit()?;
        match self.attempt().await {
            Err(error) => {
                let limit = self.model.server.config.first_token_limit;
                let Some(retry_at) = retry_at(self.clock, error.retry, limit) else {
                    return Err(error);
                };
                tracing::info!(why = %error, "a call to the model is made again");
                self.clock.sleep_until(retry_at).await;
                self.attempt().await
            }
            begun => begun,
        }
    }

    async fn attempt(&self) -> Result<Reply, ProviderError> {
        let server = &self.model.server;
        let config = &server.config;
        let request = TalkRequest {
            temperature: self.request.temperature.min(config.temperature_max),
            ..self.request.clone()
        };
        let (model, answer_tokens_max) = (config.model.as_str(), config.answer_tokens_max);
        let tally = |bytes| Tally::new(&self.model.meter, Lane::Talk, bytes);
        let posted = server.post(tally, |quirks| {
            wire::talk_body(Common { model, answer_tokens_max, quirks }, &request)
        });
        let limit = config.first_token_limit;
        let Some(posted) = run_until(self.clock, SessionTime::ZERO + limit, posted).await else {
            return Err(server.site.too_late("no first word", limit, "first_token_limit"));
        };
        let (response, tally) = posted?;
        let mut reply = Reply {
            events: server.events(response)?,
            server: server.clone(),
            clock: self.clock,
            assembly: Assembly::default(),
            tally,
            ready: VecDeque::new(),
            progress: Progress::First,
        };
        reply.fill().await?;
        Ok(reply)
    }
}

/// A reply that is being streamed.
struct Reply {
    server: Arc<Server>,
    clock: Clock,
    events: BoxStream<'static, Result<Sse, sse_stream::Error>>,
    assembly: Assembly,
    tally: Tally,
    /// The pieces that can be passed on.
    ready: VecDeque<Piece>,
    progress: Progress,
}

/// The progress of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    /// It waits for the first word.
    First,
    /// It goes on; the last piece came at this time.
    Going(SessionTime),
    /// The model has finished; the reply waits for the end of the stream until this time.
    Closing(SessionTime),
    /// The reply is over.
    Over,
}

impl Reply {
    fn pieces(self) -> BoxStream<'static, Result<Piece, ProviderError>> {
        let next = async |mut reply: Self| {
            reply.fill().await?;
            Ok(reply.ready.pop_front().map(|piece| (piece, reply)))
        };
        stream::try_unfold(self, next).boxed()
    }

    /// Reads until there is a piece to pass on, or the stream ends.
    async fn fill(&mut self) -> Result<(), ProviderError> {
        while self.ready.is_empty() && self.progress != Progress::Over {
            let event = run_until(self.clock, self.deadline(), self.events.next()).await;
            match (event, self.progress) {
                (Some(Some(Ok(event))), _) => self.take(event)?,
                (_, Progress::Closing(_) | Progress::Over) => self.end(),
                (Some(Some(Err(sse_stream::Error::Body(cause)))), _) => {
                    return Err(self.server.site.broken_off(&*cause));
                }
                (Some(Some(Err(_))), _) => {
                    return Err(self.server.broken(&wire::Broken::Garbage));
                }
                (Some(None), _) => {
                    return Err(self
                        .server
                        .site
                        .broken_off(&std::io::Error::other("it has no end")));
                }
                (None, progress) => return Err(self.late(progress)),
            }
        }
        Ok(())
    }

    fn deadline(&self) -> SessionTime {
        let config = &self.server.config;
        let whole = SessionTime::ZERO + config.reply_limit;
        match self.progress {
            Progress::First => whole.min(SessionTime::ZERO + config.first_token_limit),
            Progress::Going(since) => whole.min(since + config.stall_limit),
            Progress::Closing(until) => until,
            Progress::Over => SessionTime::ZERO,
        }
    }

    fn late(&self, progress: Progress) -> ProviderError {
        let config = &self.server.config;
        let whole = SessionTime::ZERO + config.reply_limit;
        let (missing, limit, setting) = if self.deadline() == whole {
            ("no whole answer", config.reply_limit, "reply_limit")
        } else if progress == Progress::First {
            ("no first word", config.first_token_limit, "first_token_limit")
        } else {
            ("no next word", config.stall_limit, "stall_limit")
        };
        self.server.site.too_late(missing, limit, setting)
    }

    fn take(&mut self, event: Sse) -> Result<(), ProviderError> {
        let Some(data) = event.data.filter(|data| !data.is_empty()) else { return Ok(()) };
        if data.trim() == "[DONE]" {
            return self.close();
        }
        let text = self.assembly.push(&data).map_err(|broken| self.server.broken(&broken))?;
        self.tally.estimate_output(self.assembly.bytes());
        self.tally.reported(self.assembly.usage());
        self.ready.extend(text.map(Piece::Text));
        if self.assembly.has_finished() {
            return self.close();
        }
        let now = self.clock.now();
        match self.progress {
            // A model that only thinks aloud or names the speaker has not begun.
            Progress::First if self.assembly.has_begun() => {
                metrics::histogram!("vivavoce_llm_first_token_seconds")
                    .record(now.since(SessionTime::ZERO));
                self.progress = Progress::Going(now);
            }
            Progress::Going(_) => self.progress = Progress::Going(now),
            Progress::First | Progress::Closing(_) | Progress::Over => {}
        }
        Ok(())
    }

    /// Handles that the model has finished: its calls are complete now, or will never be.
    fn close(&mut self) -> Result<(), ProviderError> {
        match self.progress {
            Progress::First | Progress::Going(_) => {}
            Progress::Closing(_) | Progress::Over => return Ok(()),
        }
        if !self.assembly.has_begun() {
            return Err(self.server.site.empty_answer());
        }
        self.ready.extend(self.assembly.take_calls());
        self.progress = Progress::Closing(self.clock.now() + CLOSING_LIMIT);
        Ok(())
    }

    /// Handles the end of the stream. As it was read to its end, its connection can be used again.
    fn end(&mut self) {
        self.progress = Progress::Over;
        self.ready.extend(self.assembly.usage().map(Piece::Usage));
    }
}
