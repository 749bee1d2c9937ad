//! The server: how it is reached, what it takes, and its failures in one sentence each.

use std::{
    collections::BTreeSet,
    error::Error,
    fs, io,
    path::Path,
    sync::{Mutex, MutexGuard},
    time::Duration,
};

use futures_util::{StreamExt, stream::BoxStream};
use reqwest::{
    Certificate, Client, Response, StatusCode,
    header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER},
    redirect,
};
use serde_json::Value;
use sse_stream::{Sse, SseByteStream};
use url::{Host, Url};

use super::wire::{Broken, Quirk, Refusal, Shape};
use crate::{
    config::{ChatModel, KeyHeader, Secret},
    providers::{ProviderError, Retry},
};

/// Of one answer; what is longer does not end by itself.
const ANSWER_BYTES_MAX: usize = 1 << 20;
/// A candidate may talk for that long between two calls, and the next one still finds its connection open.
const IDLE_LIMIT: Duration = Duration::from_secs(600);
const KEEPALIVE: Duration = Duration::from_secs(30);
/// When a server does not say when it takes calls again.
const RETRY_AFTER_DEFAULT: Duration = Duration::from_secs(1);

/// One server and model; its connections are shared by all interviews.
#[derive(Debug)]
pub(super) struct Server {
    pub(super) config: ChatModel,
    http: Client,
    url: Url,
    /// The address for messages, without what may be secret in it.
    place: String,
    key: Option<(HeaderName, HeaderValue)>,
    known: Mutex<Known>,
}

/// What the server has turned out to take.
#[derive(Debug)]
struct Known {
    quirks: BTreeSet<Quirk>,
    shape: Shape,
}

/// Why a call failed, and whether the server said so.
pub(super) struct Failure {
    status: Option<StatusCode>,
    error: ProviderError,
}

impl Failure {
    /// Whether it is the request that the server does not like.
    pub(super) fn is_about_the_request(&self) -> bool {
        matches!(self.status, Some(StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY))
    }
}

impl From<Failure> for ProviderError {
    fn from(failure: Failure) -> Self {
        failure.error
    }
}

impl Server {
    /// Connects to nothing yet.
    pub(super) fn new(config: &ChatModel) -> Result<Self, ProviderError> {
        let mut url = config.base_url.clone();
        url.set_path(&format!("{}/chat/completions", url.path().trim_end_matches('/')));
        let place = format!("{}{}", config.base_url.origin().ascii_serialization(), url.path());
        let key = key(config, &place)?;
        let mut http = Client::builder()
            .user_agent(concat!("vivavoce/", env!("CARGO_PKG_VERSION")))
            .redirect(redirect::Policy::none())
            .pool_idle_timeout(IDLE_LIMIT)
            .tcp_keepalive(KEEPALIVE);
        if is_nearby(&config.base_url) {
            // A proxy that the environment names is for the outside.
            http = http.no_proxy();
        }
        if let Some(path) = &config.ca_file {
            http = http.add_root_certificate(certificate(path)?);
        }
        let http = http.build().map_err(|error| {
            never(format!("no connection can be made to {place}: {}", root_cause(&error)))
        })?;
        let known = Mutex::new(Known { quirks: BTreeSet::new(), shape: Shape::Schema });
        Ok(Self { config: config.clone(), http, url, place, key, known })
    }

    /// Makes a call. What the server refuses by name is left out, then and from then on.
    pub(super) async fn post(
        &self,
        body: impl Fn(&BTreeSet<Quirk>) -> Value,
    ) -> Result<(Response, usize), Failure> {
        loop {
            let quirks = self.known().quirks.clone();
            let body = body(&quirks);
            let text = body.to_string();
            let bytes = text.len();
            let response = self.send(text).await?;
            let status = response.status();
            if status.is_success() {
                return Ok((response, bytes));
            }
            let wait = retry_after(response.headers());
            // An answer that breaks off says less, no more.
            let refusal = Refusal::read(&self.read(response).await.unwrap_or_default());
            let error = self.refused(status, wait, &refusal);
            let failure = Failure { status: Some(status), error };
            match Quirk::named(&refusal.reason, &body) {
                Some(quirk) if failure.is_about_the_request() => {
                    tracing::info!(?quirk, "the model's server does without a field");
                    self.known().quirks.insert(quirk);
                }
                Some(_) | None => return Err(failure),
            }
        }
    }

    async fn send(&self, body: String) -> Result<Response, Failure> {
        let mut request =
            self.http.post(self.url.clone()).header(CONTENT_TYPE, "application/json").body(body);
        if let Some((name, value)) = &self.key {
            request = request.header(name, value);
        }
        request.send().await.map_err(|error| {
            let cause = root_cause(&error);
            let what = if error.is_connect() {
                format!(
                    "no model answers at {} ({cause}); is its server running, and is llm.base_url right?",
                    self.place
                )
            } else {
                format!("the connection to {} broke off ({cause})", self.place)
            };
            Failure { status: None, error: now(what) }
        })
    }

    /// The events of a streamed answer.
    pub(super) fn events(
        &self,
        response: Response,
    ) -> Result<BoxStream<'static, Result<Sse, sse_stream::Error>>, ProviderError> {
        let kind = response.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes);
        if !kind.is_none_or(|kind| kind.starts_with(b"text/event-stream")) {
            let kind = String::from_utf8_lossy(kind.unwrap_or_default()).into_owned();
            return Err(never(format!(
                "{} answers with {kind}, not with a stream of events; is llm.base_url right?",
                self.place
            )));
        }
        let mut left = ANSWER_BYTES_MAX;
        let bytes = response.bytes_stream().map(move |piece| {
            let piece = piece.map_err(io::Error::other)?;
            let rest = left.checked_sub(piece.len());
            left = rest.ok_or_else(|| io::Error::other("the answer does not end"))?;
            Ok::<_, io::Error>(piece)
        });
        Ok(SseByteStream::new(bytes).boxed())
    }

    /// A whole answer.
    pub(super) async fn read(&self, mut response: Response) -> Result<Vec<u8>, ProviderError> {
        let mut body = Vec::new();
        while let Some(piece) = response.chunk().await.map_err(|error| self.broken_off(&error))? {
            body.extend_from_slice(&piece);
            if body.len() > ANSWER_BYTES_MAX {
                return Err(self.broken(&Broken::Garbage));
            }
        }
        Ok(body)
    }

    /// How a structured answer is asked for.
    pub(super) fn shape(&self) -> Shape {
        self.known().shape
    }

    /// The server does not know schemas.
    pub(super) fn settle_for_objects(&self) {
        self.known().shape = Shape::Object;
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().expect("nobody panics while holding it")
    }

    fn refused(
        &self,
        status: StatusCode,
        wait: Option<Duration>,
        refusal: &Refusal,
    ) -> ProviderError {
        let (place, model) = (&self.place, &self.config.model);
        let reason = self.without_key(&refusal.reason);
        let says = if reason.is_empty() { String::new() } else { format!(": {reason}") };
        match status {
            // What the server says here may hold the key.
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN if self.key.is_none() => {
                never(format!("{place} wants a key: set OPENAI_API_KEY, or llm.api_key_file"))
            }
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => never(format!(
                "{place} refuses the key ({status}): check OPENAI_API_KEY or llm.api_key_file, and whether it may use `{model}`"
            )),
            StatusCode::NOT_FOUND => never(format!(
                "{place} does not exist or has no model `{model}`{says}; check llm.base_url, which mostly ends in /v1, and llm.model"
            )),
            StatusCode::TOO_MANY_REQUESTS if refusal.code == "insufficient_quota" => {
                never(format!(
                    "the account behind the key to {place} has no credit left: mend that, or set another key"
                ))
            }
            StatusCode::TOO_MANY_REQUESTS => {
                let wait = wait.unwrap_or(RETRY_AFTER_DEFAULT);
                let what = format!(
                    "{place} takes no more calls for {} s{says}; hold fewer interviews at a time, or have its limit raised",
                    wait.as_secs_f32()
                );
                ProviderError { what, retry: Retry::After(wait) }
            }
            status if status.is_server_error() => {
                let what = format!("{place} failed with {status}{says}; try later");
                ProviderError { what, retry: wait.map_or(Retry::Now, Retry::After) }
            }
            StatusCode::REQUEST_TIMEOUT => now(format!("{place} gave up waiting{says}")),
            status if status.is_redirection() => never(format!(
                "{place} sends us elsewhere ({status}): set llm.base_url to the address itself"
            )),
            status => {
                never(format!("{place} does not take our call ({status}){says}; check llm.model"))
            }
        }
    }

    /// An answer that makes no sense.
    pub(super) fn broken(&self, broken: &Broken) -> ProviderError {
        let place = &self.place;
        match broken {
            Broken::Garbage => {
                now(format!("{place} answered with something that is no chat completion"))
            }
            Broken::Filtered => {
                never(format!("the filter of {place} stopped the answer; ease it at the provider"))
            }
            Broken::Error(refusal) if refusal.code == "429" => {
                let what = format!("{place} takes no more calls for now");
                ProviderError { what, retry: Retry::After(RETRY_AFTER_DEFAULT) }
            }
            Broken::Error(refusal) => now(format!(
                "{place} failed in the middle of its answer: {}",
                self.without_key(&refusal.reason)
            )),
        }
    }

    /// An answer that ended too early.
    pub(super) fn broken_off(&self, cause: &dyn Error) -> ProviderError {
        now(format!("the answer of {} broke off ({})", self.place, root_cause(cause)))
    }

    /// An answer that ended without a word.
    pub(super) fn silent(&self) -> ProviderError {
        now(format!(
            "the model `{}` at {} answered with nothing; try another model",
            self.config.model, self.place
        ))
    }

    /// An answer that did not come in time.
    pub(super) fn late(&self, missing: &str, limit: Duration, setting: &str) -> ProviderError {
        now(format!(
            "the model `{}` at {} gave {missing} within {} s; take a faster one, or raise {setting}",
            self.config.model,
            self.place,
            limit.as_secs_f32()
        ))
    }

    /// Some servers show the key that they were given.
    fn without_key(&self, text: &str) -> String {
        let key = self.key.as_ref().and_then(|(_, value)| value.to_str().ok());
        let key = key.map(|key| key.trim_start_matches(BEARER)).filter(|key| !key.is_empty());
        key.map_or_else(|| text.to_owned(), |key| text.replace(key, "(the key)"))
    }
}

const BEARER: &str = "Bearer ";

/// The header that carries the key; none for a server nearby that needs none.
fn key(
    config: &ChatModel,
    place: &str,
) -> Result<Option<(HeaderName, HeaderValue)>, ProviderError> {
    let key = match &config.api_key_file {
        Some(path) => {
            let text = fs::read_to_string(path).map_err(|error| {
                never(format!("cannot read llm.api_key_file {}: {error}", path.display()))
            })?;
            Secret::new(text.trim())
        }
        None => config.api_key.clone(),
    };
    if key.reveal().is_empty() {
        let wrong = format!(
            "there is no key to {place}: set OPENAI_API_KEY, or llm.api_key_file to a file that holds it"
        );
        return if is_nearby(&config.base_url) { Ok(None) } else { Err(never(wrong)) };
    }
    let (name, value) = match config.api_key_header {
        KeyHeader::Bearer => (AUTHORIZATION, format!("{BEARER}{}", key.reveal())),
        KeyHeader::ApiKey => (HeaderName::from_static("api-key"), key.reveal().to_owned()),
    };
    let mut value = HeaderValue::try_from(value).map_err(|_| {
        never(format!("the key to {place} has characters that no key has: check OPENAI_API_KEY"))
    })?;
    value.set_sensitive(true);
    Ok(Some((name, value)))
}

/// Whether a server stands on this machine or in its network.
fn is_nearby(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(ip)) => ip.is_loopback() || ip.is_private() || ip.is_link_local(),
        Some(Host::Ipv6(ip)) => ip.is_loopback() || ip.is_unique_local(),
        Some(Host::Domain(name)) => {
            let is_inner = |end: &&str| name.ends_with(*end);
            !name.contains('.') || [".local", ".localhost", ".internal"].iter().any(is_inner)
        }
        None => false,
    }
}

fn certificate(path: &Path) -> Result<Certificate, ProviderError> {
    let wrong = |error: &dyn Error| {
        never(format!("llm.ca_file {} is no certificate in PEM: {error}", path.display()))
    };
    let pem = fs::read(path).map_err(|error| wrong(&error))?;
    Certificate::from_pem(&pem).map_err(|error| wrong(&error))
}

/// When the server takes calls again, if it says so in seconds or milliseconds.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let number = |name: HeaderName| headers.get(name)?.to_str().ok()?.trim().parse::<f64>().ok();
    let seconds = number(HeaderName::from_static("retry-after-ms"))
        .map(|ms| ms / 1_000.0)
        .or_else(|| number(RETRY_AFTER))?;
    Duration::try_from_secs_f64(seconds).ok()
}

fn never(what: String) -> ProviderError {
    ProviderError { what, retry: Retry::Never }
}

fn now(what: String) -> ProviderError {
    ProviderError { what, retry: Retry::Now }
}

/// The innermost cause: the outer ones only say that a request failed.
fn root_cause(error: &dyn Error) -> String {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P04: only a server on this machine or in its network may go without a key.
    #[test]
    fn nearby_servers_are_told_from_others() {
        let near = |url: &str| is_nearby(&url.parse().unwrap());
        for url in [
            "http://localhost:11434/v1",
            "http://192.168.1.9/v1",
            "http://[::1]:8/",
            "http://ollama:11434",
        ] {
            assert!(near(url), "{url}");
        }
        for url in ["https://api.openai.com/v1", "https://8.8.8.8/v1", "https://[2600::1]/v1"] {
            assert!(!near(url), "{url}");
        }
    }

    /// P02: the server's word on when to call again, in any of its spellings; nonsense is none.
    #[test]
    fn retry_after_is_read() {
        let read = |name: &'static str, value: &'static str| {
            retry_after(&HeaderMap::from_iter([(
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            )]))
        };
        assert_eq!(read("retry-after", "2"), Some(Duration::from_secs(2)));
        assert_eq!(read("retry-after-ms", "250"), Some(Duration::from_millis(250)));
        for nonsense in ["-1", "NaN", "1e300", "Wed, 21 Oct 2015 07:28:00 GMT"] {
            assert_eq!(read("retry-after", nonsense), None, "{nonsense}");
        }
    }
}
