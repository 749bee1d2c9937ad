//! A model's server: the calls, without the fields that it refuses, and their answers.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, MutexGuard},
};

use futures_util::{StreamExt, stream::BoxStream};
use reqwest::{
    Response,
    header::{CONTENT_TYPE, HeaderValue},
};
use serde_json::Value;
use sse_stream::{Sse, SseByteStream};

use super::{
    meter::{Meter, Tally},
    wire::{Broken, Quirk, Shape},
};
use crate::providers::{
    ProviderError, Retry,
    http::{
        Access, Failure, Header, Names, RETRY_AFTER_DEFAULT, Site, permanent_error, transient_error,
    },
    llm_openai::{KIND, KeyHeader, Settings},
};

/// The most bytes of an answer; a longer one is taken for endless.
const ANSWER_BYTES_MAX: usize = 1 << 20;

const ADDRESS_HINT: &str = ", which mostly ends in /v1,";

/// A server and its model. All interviews share the connections.
#[derive(Debug)]
pub(super) struct Server {
    pub(super) config: Settings,
    pub(super) site: Site,
    known: Mutex<Known>,
}

/// The fields that the server has turned out to refuse, and the way in which it takes schemas.
#[derive(Debug)]
struct Known {
    quirks: BTreeSet<Quirk>,
    shape: Shape,
}

impl Server {
    /// Returns the server of a provider. Makes no connection yet.
    pub(super) fn new(name: &str, config: &Settings) -> Result<Self, ProviderError> {
        let site = Site::new(&Access {
            names: Names::new(&KIND, name, "model", ADDRESS_HINT, &["model"]),
            base_url: &config.base_url,
            path: "/chat/completions",
            query: &[],
            model: &config.model,
            api_key: &config.api_key,
            api_key_file: config.api_key_file.as_deref(),
            key_header: match config.api_key_header {
                KeyHeader::Bearer => Header::Bearer,
                KeyHeader::ApiKey => Header::ApiKey,
            },
            ca_file: config.ca_file.as_deref(),
        })?;
        let known = Mutex::new(Known { quirks: BTreeSet::new(), shape: Shape::Schema });
        Ok(Self { config: config.clone(), site, known })
    }

    /// Makes a call. A field that the server refuses by name is left out, in this call and from then on.
    pub(super) async fn post(
        &self,
        tally: impl Fn(usize) -> Tally,
        body: impl Fn(&BTreeSet<Quirk>) -> Value,
    ) -> Result<(Response, Tally), Failure> {
        loop {
            let quirks = self.known().quirks.clone();
            let body = body(&quirks);
            let text = body.to_string();
            // A call counts even if it is cancelled before the answer begins.
            let tally = tally(text.len());
            let failure = match self.site.post(text).await {
                Ok(response) => return Ok((response, tally)),
                Err(failure) => failure,
            };
            tally.was_refused();
            match Quirk::named(&failure.reason, &body) {
                Some(quirk) if failure.is_about_the_request() => {
                    tracing::info!(?quirk, "the model's server does without a field");
                    self.known().quirks.insert(quirk);
                }
                Some(_) | None => return Err(failure),
            }
        }
    }

    /// Returns a meter for one interview.
    pub(super) fn meter(&self) -> Arc<Meter> {
        Arc::new(Meter::new(self.config.tokens_max, self.site.setting("tokens_max")))
    }

    /// Returns the events of a streamed answer.
    pub(super) fn events(
        &self,
        response: Response,
    ) -> Result<BoxStream<'static, Result<Sse, sse_stream::Error>>, ProviderError> {
        let kind = response.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes);
        if !kind.is_none_or(|kind| kind.starts_with(b"text/event-stream")) {
            let kind = String::from_utf8_lossy(kind.unwrap_or_default());
            return Err(self.site.wrong_type(&kind, "a stream of events"));
        }
        Ok(SseByteStream::new(Site::pieces(response, ANSWER_BYTES_MAX)).boxed())
    }

    /// Returns how a structured answer is requested.
    pub(super) fn shape(&self) -> Shape {
        self.known().shape
    }

    /// Stops using schemas, which the server does not know.
    pub(super) fn settle_for_objects(&self) {
        self.known().shape = Shape::Object;
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().expect("nobody panics while holding it")
    }

    /// Returns the error for an answer that makes no sense.
    pub(super) fn broken(&self, broken: &Broken) -> ProviderError {
        let place = &self.site.place;
        match broken {
            Broken::Garbage => transient_error(format!(
                "{place} answered with something that is no chat completion"
            )),
            Broken::Filtered => permanent_error(format!(
                "the filter of {place} stopped the answer; ease it at the provider"
            )),
            Broken::Error(refusal) if refusal.code == "429" => {
                let what = format!("{place} takes no more calls for now");
                ProviderError { what, retry: Retry::After(RETRY_AFTER_DEFAULT) }
            }
            Broken::Error(refusal) => transient_error(format!(
                "{place} failed in the middle of its answer: {}",
                self.site.without_key(&refusal.reason)
            )),
        }
    }
}
