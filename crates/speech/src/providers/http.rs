//! The common part of all vendors over HTTP: the connection to a server, and its failures in one sentence
//! each.

use std::{error::Error, fs, io, path::Path, time::Duration};

use futures_util::{Stream, StreamExt};
use reqwest::{
    Certificate, Client, RequestBuilder, Response, StatusCode, Upgraded,
    header::{
        AUTHORIZATION, CONNECTION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER,
        SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION, UPGRADE,
    },
};
use serde_json::Value;
use tokio_tungstenite::tungstenite::{
    Bytes,
    handshake::{client::generate_key, derive_accept_key},
};
use url::{Host, Url};

use super::{ProviderError, Retry, key_file, kind::Kind, usage::Vendor};
use crate::{
    clock::Clock,
    settings::{Secret, variable},
};
use interview::time::SessionTime;
use voiceroom::http::{CallLimit, client};

/// The most bytes of an answer that is read as a whole; a longer one is taken for endless.
const ANSWER_BYTES_MAX: usize = 1 << 20;
/// How long an idle connection is kept: a candidate may talk that long between two calls.
const IDLE_LIMIT: Duration = Duration::from_secs(600);
const KEEPALIVE: Duration = Duration::from_secs(30);
/// The time after which a connection is given up if the other machine acknowledges nothing, though TCP would
/// wait longer.
#[cfg(target_os = "linux")]
const UNACKNOWLEDGED_LIMIT: Duration = Duration::from_secs(5);
/// The wait after a refusal, if the server does not say when it takes calls again.
pub(super) const RETRY_AFTER_DEFAULT: Duration = Duration::from_secs(1);
/// The status of a server that has too much to do; no standard names it.
const OVERLOADED: u16 = 529;
/// The beginning of the sections of providers.
const SECTIONS: &str = "providers.";
/// The most characters of a server's reason in a message.
const REASON_CHARS_MAX: usize = 200;

/// The names of a server and its settings, for messages.
#[derive(Clone, Debug)]
pub(super) struct Names {
    /// The kind of service: "model", "recogniser" …
    pub(super) what: &'static str,
    /// The kind of the provider.
    kind: &'static str,
    /// The section of the server's settings.
    section: String,
    /// The environment variable of the key.
    key_variable: String,
    /// A hint about the usual form of the address; may be empty.
    address_hint: &'static str,
    /// The settings to check if the server refuses a call.
    pub(super) suspects: String,
}

impl Names {
    /// Returns the names for the provider `name`. `suspects` are the settings to check if the server refuses
    /// a call.
    pub(super) fn new(
        kind: &Kind,
        name: &str,
        what: &'static str,
        address_hint: &'static str,
        suspects: &[&str],
    ) -> Self {
        let section = format!("{SECTIONS}{name}");
        let suspects = suspects.iter().map(|key| format!("{section}.{key}")).collect::<Vec<_>>();
        let keys = kind.fields.iter().filter(|field| field.key == "api_key" && kind.name == name);
        let well_known = keys.flat_map(|field| field.variables).next();
        let own = || variable(&section, "api_key");
        let key_variable = well_known.map_or_else(own, |name| (*name).to_owned());
        let (kind, suspects) = (kind.name, suspects.join(" and "));
        Self { what, kind, section, key_variable, address_hint, suspects }
    }
}

/// The settings by which a server is reached.
pub(super) struct Access<'a> {
    pub(super) names: Names,
    /// The address: `http`, `https`, `ws` or `wss`. Its query is kept.
    pub(super) base_url: &'a Url,
    /// The end of the path, which is appended to the path of the address.
    pub(super) path: &'a str,
    /// Parameters that are added to the query of the address, if it does not have them.
    pub(super) query: &'a [(&'static str, &'a str)],
    pub(super) model: &'a str,
    pub(super) api_key: &'a Secret,
    pub(super) api_key_file: Option<&'a Path>,
    pub(super) key_header: Header,
    pub(super) ca_file: Option<&'a Path>,
}

/// The header that carries a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Header {
    /// `Authorization: Bearer KEY`
    Bearer,
    /// `Authorization: Token KEY`
    Token,
    /// `api-key: KEY`
    ApiKey,
    /// `NAME: KEY`, with this name in small letters.
    Named(&'static str),
}

/// One address of a server. All interviews share the connections.
#[derive(Clone, Debug)]
pub(super) struct Site {
    http: Client,
    url: Url,
    /// The address for messages, without its secret parts.
    pub(super) place: String,
    model: String,
    names: Names,
    key: Option<(HeaderName, HeaderValue)>,
    /// Further headers of each call.
    headers: HeaderMap,
}

/// The failure of a call, with the server's status if the server answered.
pub(super) struct Failure {
    status: Option<StatusCode>,
    pub(super) reason: String,
    error: ProviderError,
}

impl Failure {
    /// Whether the server refuses the content of the request.
    pub(super) fn is_about_the_request(&self) -> bool {
        matches!(self.status, Some(StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY))
    }
}

impl From<Failure> for ProviderError {
    fn from(failure: Failure) -> Self {
        failure.error
    }
}

impl Site {
    /// Returns the site. Reads the key and the certificate; makes no connection yet.
    pub(super) fn new(access: &Access<'_>) -> Result<Self, ProviderError> {
        let Access { names, base_url, model, .. } = access;
        let (url, place) = address(base_url, access.path, access.query);
        let key = key(access, &place)?;
        let mut http = client(CallLimit::Callers)
            .user_agent(concat!("vivavoce/", env!("CARGO_PKG_VERSION")))
            .http1_only()
            .pool_idle_timeout(IDLE_LIMIT)
            .tcp_keepalive(KEEPALIVE);
        #[cfg(target_os = "linux")]
        {
            http = http.tcp_user_timeout(UNACKNOWLEDGED_LIMIT);
        }
        if is_nearby(base_url) {
            // The proxy of the environment is for servers outside.
            http = http.no_proxy();
        }
        if let Some(path) = access.ca_file {
            http = http.add_root_certificate(certificate(path, names)?);
        }
        let http = http.build().map_err(|error| {
            permanent_error(format!("no connection can be made to {place}: {}", root_cause(&error)))
        })?;
        Ok(Self {
            http,
            url: as_http(url),
            place,
            model: (*model).to_owned(),
            names: names.clone(),
            key,
            headers: HeaderMap::new(),
        })
    }

    /// Returns the site with one more header in each call.
    pub(super) fn with_header(mut self, name: &'static str, value: &'static str) -> Self {
        self.headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        self
    }

    /// Returns another address of the same server, with the same key and connections.
    pub(super) fn elsewhere(&self, base_url: &Url, path: &str) -> Self {
        let (url, place) = address(base_url, path, &[]);
        Self { url: as_http(url), place, ..self.clone() }
    }

    /// Makes a call with a JSON body. Returns the answer if its status means success.
    pub(super) async fn post(&self, body: String) -> Result<Response, Failure> {
        self.post_as("application/json", body.into_bytes()).await
    }

    /// Makes a call with a body of another type. Returns the answer if its status means success.
    pub(super) async fn post_as(&self, kind: &str, body: Vec<u8>) -> Result<Response, Failure> {
        let request = self.http.post(self.url.clone());
        let request = request.header(CONTENT_TYPE, kind).body(body);
        let response = self.send(request).await?;
        if response.status().is_success() {
            return Ok(response);
        }
        Err(self.failure(response).await)
    }

    /// Opens a WebSocket and returns its stream, after the handshake. A parameter of `query` that the address
    /// already has is left out.
    ///
    /// `reqwest-websocket` 0.6 would bring tungstenite 0.28 and futures-io beside the tungstenite 0.29 that
    /// axum and LiveKit use. The clients of tungstenite itself use no proxy of the environment and no
    /// connection of the pool, and give the reason of a refusal only if it came with the headers.
    pub(super) async fn open_socket(&self, query: &[(&str, &str)]) -> Result<Upgraded, Failure> {
        let key = generate_key();
        let mut url = self.url.clone();
        add_query(&mut url, query);
        let request = self
            .http
            .get(url)
            .header(CONNECTION, "Upgrade")
            .header(UPGRADE, "websocket")
            .header(SEC_WEBSOCKET_VERSION, "13")
            .header(SEC_WEBSOCKET_KEY, &key);
        let response = self.send(request).await?;
        let status = response.status();
        if status != StatusCode::SWITCHING_PROTOCOLS && !status.is_success() {
            return Err(self.failure(response).await);
        }
        let accepted = response.headers().get(SEC_WEBSOCKET_ACCEPT).map(HeaderValue::as_bytes);
        if accepted != Some(derive_accept_key(key.as_bytes()).as_bytes()) {
            let (place, section) = (&self.place, &self.names.section);
            let what = format!("{place} speaks no WebSocket; is {section}.base_url right?");
            return Err(Failure {
                status: None,
                reason: String::new(),
                error: permanent_error(what),
            });
        }
        response.upgrade().await.map_err(|error| self.unreachable(&error))
    }

    async fn send(&self, request: RequestBuilder) -> Result<Response, Failure> {
        let request = match &self.key {
            Some((name, value)) => request.header(name, value),
            None => request,
        };
        let request = request.headers(self.headers.clone());
        request.send().await.map_err(|error| self.unreachable(&error))
    }

    fn unreachable(&self, error: &reqwest::Error) -> Failure {
        let (place, cause) = (&self.place, root_cause(error));
        let Names { what, section, .. } = &self.names;
        let wrong = if error.is_connect() {
            format!(
                "no {what} answers at {place} ({cause}); is its server running, and is \
                    {section}.base_url right?"
            )
        } else {
            format!("the connection to {place} broke off ({cause})")
        };
        Failure { status: None, reason: String::new(), error: transient_error(wrong) }
    }

    async fn failure(&self, response: Response) -> Failure {
        let (status, wait) = (response.status(), retry_after(response.headers()));
        // If the answer breaks off, the message has no reason.
        let refusal = Refusal::read(&self.read(response).await.unwrap_or_default());
        let (status, wait) = (refusal.meant_by(status), wait.or(refusal.wait));
        let error = self.refused(status, wait, &refusal);
        Failure { status: Some(status), reason: refusal.reason, error }
    }

    /// Reads a whole answer.
    pub(super) async fn read(&self, mut response: Response) -> Result<Vec<u8>, ProviderError> {
        let mut body = Vec::new();
        while let Some(piece) = response.chunk().await.map_err(|error| self.broken_off(&error))? {
            body.extend_from_slice(&piece);
            if body.len() > ANSWER_BYTES_MAX {
                return Err(transient_error(format!("the answer of {} does not end", self.place)));
            }
        }
        Ok(body)
    }

    /// Returns the body of an answer as it comes, up to a length.
    pub(super) fn pieces(
        response: Response,
        bytes_max: usize,
    ) -> impl Stream<Item = io::Result<Bytes>> + Send + use<> {
        let mut left = bytes_max;
        response.bytes_stream().map(move |piece| {
            let piece = piece.map_err(io::Error::other)?;
            let rest = left.checked_sub(piece.len());
            left = rest.ok_or_else(|| io::Error::other("the answer does not end"))?;
            Ok(piece)
        })
    }

    /// Returns the error for a refusal that came as a message of a WebSocket, by the HTTP status that says
    /// the same.
    pub(super) fn refused_in_stream(&self, status: u16, refusal: &Refusal) -> ProviderError {
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_GATEWAY);
        self.refused(status, None, refusal)
    }

    /// Returns the error for a WebSocket that the server closed, with its code and reason.
    pub(super) fn hung_up(&self, code: Option<u16>, reason: &str) -> ProviderError {
        let reason = self.without_key(&one_line(reason));
        let says = code.map_or_else(String::new, |code| format!(" ({code} {reason})"));
        transient_error(format!("{} hung up{says}", self.place))
    }

    fn refused(
        &self,
        status: StatusCode,
        wait: Option<Duration>,
        refusal: &Refusal,
    ) -> ProviderError {
        let (place, model) = (&self.place, &self.model);
        let Names { section, key_variable, address_hint, suspects, .. } = &self.names;
        let reason = self.without_key(&refusal.reason);
        let says = if reason.is_empty() { String::new() } else { format!(": {reason}") };
        match status {
            status if refusal.is_about_credit(status) => permanent_error(format!(
                "the account behind the key to {place} has no credit left: mend that, or set another key"
            )),
            // The server's words are left out here, as they may contain the key.
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN if self.key.is_none() => {
                permanent_error(format!(
                    "{place} wants a key: set {key_variable}, or {section}.api_key_file"
                ))
            }
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => permanent_error(format!(
                "{place} refuses the key ({status}): check {key_variable} or \
                    {section}.api_key_file, and whether it may use `{model}`"
            )),
            StatusCode::NOT_FOUND => permanent_error(format!(
                "{place} does not exist or has no model `{model}`{says}; check \
                    {section}.base_url{address_hint} and {section}.model"
            )),
            StatusCode::TOO_MANY_REQUESTS => {
                let wait = wait.unwrap_or(RETRY_AFTER_DEFAULT);
                let what = format!(
                    "{place} takes no more calls for {} s{says}; hold fewer interviews at a time, \
                        or have its limit raised",
                    wait.as_secs_f32()
                );
                ProviderError { what, retry: Retry::After(wait) }
            }
            status if status.as_u16() == OVERLOADED => {
                let what = format!("{place} is overloaded ({OVERLOADED}){says}; try later");
                ProviderError { what, retry: Retry::After(wait.unwrap_or(RETRY_AFTER_DEFAULT)) }
            }
            status if status.is_server_error() => {
                let what = format!("{place} failed with {status}{says}; try later");
                ProviderError { what, retry: wait.map_or(Retry::Now, Retry::After) }
            }
            StatusCode::REQUEST_TIMEOUT => {
                transient_error(format!("{place} gave up waiting{says}"))
            }
            status if status.is_redirection() => permanent_error(format!(
                "{place} sends us elsewhere ({status}): set {section}.base_url to the address itself"
            )),
            status => permanent_error(format!(
                "{place} does not take our call ({status}){says}; check {suspects}"
            )),
        }
    }

    /// Returns the server's address without a path, for messages.
    pub(super) fn origin(&self) -> String {
        self.url.origin().ascii_serialization()
    }

    /// Returns the provider's name.
    pub(super) fn provider(&self) -> &str {
        self.names.section.strip_prefix(SECTIONS).unwrap_or(&self.names.section)
    }

    /// Returns the vendor that is paid for what its model does.
    pub(super) fn vendor(&self) -> Vendor {
        Vendor { kind: self.names.kind.to_owned(), model: self.model.clone() }
    }

    /// Returns the full name of a setting, for messages.
    pub(super) fn setting(&self, key: &str) -> String {
        format!("{}.{key}", self.names.section)
    }

    /// Returns the error for an answer of a wrong type.
    pub(super) fn wrong_type(&self, kind: &str, wanted: &str) -> ProviderError {
        let (place, section) = (&self.place, &self.names.section);
        permanent_error(format!(
            "{place} answers with {kind}, not with {wanted}; is {section}.base_url right?"
        ))
    }

    /// Returns the error for an answer that ended too early.
    pub(super) fn broken_off(&self, cause: &dyn Error) -> ProviderError {
        transient_error(format!("the answer of {} broke off ({})", self.place, root_cause(cause)))
    }

    /// Returns the error for an empty answer.
    pub(super) fn empty_answer(&self) -> ProviderError {
        let (what, place, model) = (self.names.what, &self.place, &self.model);
        transient_error(format!(
            "the {what} `{model}` at {place} answered with nothing; try another model"
        ))
    }

    /// Returns the error for sound in which nothing can be heard.
    pub(super) fn silent_answer(&self) -> ProviderError {
        let (what, place, model) = (self.names.what, &self.place, &self.model);
        transient_error(format!(
            "the {what} `{model}` at {place} answered with nothing but silence; try another voice or model"
        ))
    }

    /// Returns the error for an answer that did not come in time.
    pub(super) fn too_late(&self, missing: &str, limit: Duration, setting: &str) -> ProviderError {
        let (Names { what, section, .. }, place, model) = (&self.names, &self.place, &self.model);
        transient_error(format!(
            "the {what} `{model}` at {place} gave {missing} within {} s; take a faster one, or \
                raise {section}.{setting}",
            limit.as_secs_f32()
        ))
    }

    /// Returns a text without the key. Some servers repeat the key in their messages.
    pub(super) fn without_key(&self, text: &str) -> String {
        let key = self.key.as_ref().and_then(|(_, value)| value.to_str().ok());
        let key = key.map(|key| key.rsplit(' ').next().unwrap_or(key));
        let key = key.filter(|key| !key.is_empty());
        key.map_or_else(|| text.to_owned(), |key| text.replace(key, "(the key)"))
    }
}

/// The reason that a server gives when it refuses a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Refusal {
    /// The error code, or the empty text.
    pub(super) code: String,
    /// The reason in one line, cut to a length; may be empty.
    pub(super) reason: String,
    /// The wait that the body of the answer asks for.
    pub(super) wait: Option<Duration>,
}

impl Refusal {
    /// Returns the refusal of a message with this code and reason.
    pub(super) fn new(code: &str, reason: &str) -> Self {
        Self { code: code.to_owned(), reason: one_line(reason), wait: None }
    }

    /// Reads the body of an answer that is an error.
    pub(super) fn read(body: &[u8]) -> Self {
        serde_json::from_slice::<Value>(body).map(|body| Self::of(&body)).unwrap_or_default()
    }

    /// Finds code and reason in the known shapes: `{error: {message, code}}`, `{error: "…"}`, `{message}`,
    /// `{detail}`, `{detail: {message, status}}`, `{err_msg, err_code}`, `{title, message, error_code}`,
    /// FastAPI's `{detail: [{loc, msg}]}` and Google's `{error: {message, details: [{reason},
    /// {retryDelay}]}}`.
    pub(super) fn of(body: &Value) -> Self {
        let detail = body.get("detail").filter(|detail| detail.is_object());
        let inner = body.get("error").or(detail).unwrap_or(body);
        let text = |key: &str| inner.get(key).and_then(Value::as_str);
        let reason = inner.as_str().or_else(|| text("message")).or_else(|| text("err_msg"));
        let reason = reason.or_else(|| text("detail")).or_else(|| text("description"));
        let reason = reason.map(str::to_owned).or_else(|| refused_field(inner));
        let details = || inner.get("details").and_then(Value::as_array).into_iter().flatten();
        let detail = |key: &str| details().find_map(|detail| detail.get(key)?.as_str());
        let code = match (detail("reason"), inner.get("code")) {
            (Some(code), _) => code.to_owned(),
            (None, Some(Value::String(code))) => code.clone(),
            (None, Some(Value::Number(code))) => code.to_string(),
            _ => {
                let known = ["type", "err_code", "error_code", "status"].into_iter().find_map(text);
                known.unwrap_or_default().to_owned()
            }
        };
        let wait = detail("retryDelay").and_then(|delay| delay.strip_suffix('s')?.parse().ok());
        let wait = wait.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        Self { code, reason: one_line(&reason.unwrap_or_default()), wait }
    }

    /// Returns the status that says what is meant: Google refuses a wrong key with 400.
    fn meant_by(&self, status: StatusCode) -> StatusCode {
        if self.code == "API_KEY_INVALID" { StatusCode::UNAUTHORIZED } else { status }
    }

    fn is_about_credit(&self, status: StatusCode) -> bool {
        // ElevenLabs says `quota_exceeded` with the status of a wrong key.
        status == StatusCode::PAYMENT_REQUIRED
            || status == StatusCode::TOO_MANY_REQUESTS && self.code == "insufficient_quota"
            // Anthropic refuses an account without credit with 400.
            || status == StatusCode::BAD_REQUEST && self.reason.contains("credit balance")
            || self.code == "quota_exceeded"
    }
}

/// Returns the first field that FastAPI complains about, with its complaint.
fn refused_field(body: &Value) -> Option<String> {
    let listed = body.pointer("/message/detail").or_else(|| body.get("detail"));
    let first = listed.or_else(|| body.get("message"))?.get(0)?;
    let place = first.get("loc")?.as_array()?.iter().map(|part| match part {
        Value::String(name) => name.clone(),
        part => part.to_string(),
    });
    let place = place.collect::<Vec<_>>().join(".");
    Some(format!("{place}: {}", first.get("msg")?.as_str()?))
}

/// Returns the first line of a server's words: further lines quote the request, and with it what people
/// said.
pub(super) fn one_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().chars().take(REASON_CHARS_MAX).collect()
}

/// Returns the time at which a failed call is repeated, if nothing of its answer was used yet and half of
/// its time is left; otherwise `None`.
pub(super) fn retry_at(clock: Clock, retry: Retry, limit: Duration) -> Option<SessionTime> {
    let at = match retry {
        Retry::Now => clock.now(),
        Retry::After(wait) => clock.now() + wait,
        Retry::Never => return None,
    };
    (at <= SessionTime::ZERO + limit / 2).then_some(at)
}

/// Returns the result of `work`, or `None` if it takes longer than until `at`.
pub(super) async fn run_until<T>(
    clock: Clock,
    at: SessionTime,
    work: impl Future<Output = T>,
) -> Option<T> {
    tokio::select! {
        biased;
        done = work => Some(done),
        () = clock.sleep_until(at) => None,
    }
}

/// Returns an error that the same call would meet again.
pub(super) fn permanent_error(what: String) -> ProviderError {
    ProviderError { what, retry: Retry::Never }
}

/// Returns an error that the next call may not meet.
pub(super) fn transient_error(what: String) -> ProviderError {
    ProviderError { what, retry: Retry::Now }
}

/// Returns the innermost cause: the outer ones only say that a request failed.
pub(super) fn root_cause(error: &dyn Error) -> String {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}

/// Returns the address of calls, and the same for messages, without its query.
fn address(base_url: &Url, path: &str, query: &[(&str, &str)]) -> (Url, String) {
    let mut url = base_url.clone();
    url.set_path(&format!("{}{path}", url.path().trim_end_matches('/')));
    add_query(&mut url, query);
    let place = format!("{}{}", base_url.origin().ascii_serialization(), url.path());
    (url, place)
}

fn add_query(url: &mut Url, query: &[(&str, &str)]) {
    let existing: Vec<String> = url.query_pairs().map(|(name, _)| name.into_owned()).collect();
    for (name, value) in
        query.iter().filter(|(name, _)| !existing.iter().any(|known| known == name))
    {
        url.query_pairs_mut().append_pair(name, value);
    }
}

/// Replaces the scheme of a WebSocket address by HTTP's, as a WebSocket begins as a call over HTTP.
fn as_http(mut url: Url) -> Url {
    let scheme = match url.scheme() {
        "ws" => "http",
        "wss" => "https",
        _ => return url,
    };
    url.set_scheme(scheme).expect("one special scheme gives way to another");
    url
}

/// Returns the header with the key; `None` for a server nearby that needs no key.
fn key(
    access: &Access<'_>,
    place: &str,
) -> Result<Option<(HeaderName, HeaderValue)>, ProviderError> {
    let Names { section, key_variable, .. } = &access.names;
    let key = match access.api_key_file {
        Some(path) => {
            let setting = format!("{section}.api_key_file");
            let key = key_file::read(path, &setting).map_err(|error| {
                permanent_error(format!("cannot read {setting} {}: {error}", path.display()))
            })?;
            Secret::new(&key)
        }
        None => access.api_key.clone(),
    };
    if key.reveal().is_empty() {
        let wrong = format!(
            "there is no key to {place}: set {key_variable}, or {section}.api_key_file to a file \
                that holds it"
        );
        return if is_nearby(access.base_url) { Ok(None) } else { Err(permanent_error(wrong)) };
    }
    let (name, value) = match access.key_header {
        Header::Bearer => (AUTHORIZATION, format!("Bearer {}", key.reveal())),
        Header::Token => (AUTHORIZATION, format!("Token {}", key.reveal())),
        Header::ApiKey => (HeaderName::from_static("api-key"), key.reveal().to_owned()),
        Header::Named(name) => (HeaderName::from_static(name), key.reveal().to_owned()),
    };
    let mut value = HeaderValue::try_from(value).map_err(|_| {
        permanent_error(format!(
            "the key to {place} has characters that no key has: check {key_variable}"
        ))
    })?;
    value.set_sensitive(true);
    Ok(Some((name, value)))
}

/// Whether a server is on this machine or in its network.
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

fn certificate(path: &Path, names: &Names) -> Result<Certificate, ProviderError> {
    let section = &names.section;
    let wrong = |error: &dyn Error| {
        permanent_error(format!(
            "{section}.ca_file {} is no certificate in PEM: {error}",
            path.display()
        ))
    };
    let pem = fs::read(path).map_err(|error| wrong(&error))?;
    Certificate::from_pem(&pem).map_err(|error| wrong(&error))
}

/// Returns the wait until the server takes calls again, if the header gives it in seconds or milliseconds.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let number = |name: HeaderName| headers.get(name)?.to_str().ok()?.trim().parse::<f64>().ok();
    let seconds = number(HeaderName::from_static("retry-after-ms"))
        .map(|ms| ms / 1_000.0)
        .or_else(|| number(RETRY_AFTER))?;
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod hostile;

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
            "ws://127.0.0.1:9090",
        ] {
            assert!(near(url), "{url}");
        }
        for url in [
            "https://api.openai.com/v1",
            "https://8.8.8.8/v1",
            "https://[2600::1]/v1",
            "wss://api.deepgram.com",
        ] {
            assert!(!near(url), "{url}");
        }
    }

    /// P02: the wait that the server asks for is read in all its spellings; nonsense is ignored.
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

    /// P05: the query of an address takes precedence over ours.
    #[test]
    fn the_query_of_an_address_is_kept() {
        let mut url: Url = "wss://h/v1?model=theirs&tag=a".parse().unwrap();
        add_query(&mut url, &[("model", "ours"), ("language", "en")]);
        assert_eq!(as_http(url).as_str(), "https://h/v1?model=theirs&tag=a&language=en");
    }
}
