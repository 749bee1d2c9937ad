//! Who makes a request, and whether they may.

use std::sync::Arc;

use axum::{
    extract::{FromRequestParts, MatchedPath, Request, State},
    http::{HeaderMap, HeaderName, Method, StatusCode, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use url::Url;

use super::{Shared, problem::Problem, recorded, webhooks::base64};
use crate::database::{Account, Act, ApiKey, DatabaseError, Role, noting};

/// The cookie of a session. Where pages come over TLS a prefix ties it to this host alone.
const COOKIE: &str = "vivavoce";

/// Whoever gives somebody access has shown who they are within this time.
const CONFIRMED_FOR_MS: i64 = 5 * 60_000;
/// Whoever is refused the same again within this time was refused once.
const REFUSED_ONCE_IN_MS: i64 = 3_600_000;

/// Where applicant tracking systems ask.
const PARTNER: &str = "/api/partner/";

/// Who makes a request.
#[derive(Clone, Debug)]
pub(super) enum Who {
    /// Nobody that we know.
    Nobody,
    /// Somebody who has signed in.
    Account(Account),
    /// A program with a key.
    Key(ApiKey),
}

impl Who {
    /// Their name, for the audit trail.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Nobody => "nobody",
            Self::Account(account) => &account.name,
            Self::Key(key) => &key.name,
        }
    }

    pub(super) fn role(&self) -> Option<Role> {
        match self {
            Self::Nobody => None,
            Self::Account(account) => Some(account.role),
            Self::Key(key) => Some(key.role),
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Who {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        Ok(parts.extensions.get::<Self>().cloned().unwrap_or(Self::Nobody))
    }
}

/// Ids are shorter.
const ID_BYTES_MAX: usize = 64;

/// Where programs read by MCP.
pub(super) const MCP: &str = "/mcp";

/// Finds out who makes a request to the API or by MCP, and refuses what they may not do.
pub(super) async fn admit(
    State(shared): State<Arc<Shared>>,
    mut request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path();
    if !path.starts_with("/api/") && path != MCP {
        return next.run(request).await;
    }
    let who = match identify(&shared, request.uri().path(), request.headers()).await {
        Ok(who) => who,
        Err(why) => return Problem::from(why).into_response(),
    };
    let route = Route::of(&request);
    let may = allowed(&who, &request).and_then(|()| shared.in_time(&who));
    let gives_access = matches!(needed(request.method(), path), Needed::Confirmed(_));
    let admitted = match may {
        Ok(()) if gives_access => shared.confirmed(request.headers()).await,
        may => may,
    };
    let response = match admitted {
        Err(problem) => problem.into_response(),
        Ok(()) => {
            request.extensions_mut().insert(who.clone());
            let (response, written) = noting(next.run(request)).await;
            recorded::check(&route.method, &route.path, response.status(), &written);
            response
        }
    };
    if response.status() == StatusCode::FORBIDDEN
        && let Err(why) = shared.audit_refusal(&who, &route).await
    {
        return Problem::from(why).into_response();
    }
    response
}

/// Which address of the API is asked, as its document writes it: without ids and secrets.
struct Route {
    method: Method,
    path: String,
    /// The id that stands in the address; empty where there is none.
    id: String,
}

impl Route {
    fn of(request: &Request) -> Self {
        let matched = request.extensions().get::<MatchedPath>();
        let path = matched.map(|matched| matched.as_str().to_owned()).unwrap_or_default();
        let parts = path.split('/').zip(request.uri().path().split('/'));
        let id = parts.filter(|(name, _)| *name == "{id}").map(|(_, id)| id).next();
        let id = id.filter(|id| id.len() <= ID_BYTES_MAX).unwrap_or_default().to_owned();
        Self { method: request.method().clone(), path, id }
    }
}

impl Shared {
    /// Whether somebody may ask once more at this moment.
    fn in_time(&self, who: &Who) -> Result<(), Problem> {
        if self.live.limits.allows_request(who) {
            return Ok(());
        }
        let message =
            "These are too many requests in a short time. Wait a few seconds, then go on.";
        Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, message))
    }

    /// Whether whoever gives somebody access has just shown who they are.
    pub(super) async fn confirmed(&self, headers: &HeaderMap) -> Result<(), Problem> {
        let token = session_token(headers, self.site.exposure.is_secure()).unwrap_or_default();
        if self.database.is_confirmed(token, CONFIRMED_FOR_MS).await? {
            return Ok(());
        }
        let message = "Show that it is you: enter your password again, or sign in again.";
        Err(Problem::new(StatusCode::PRECONDITION_REQUIRED, message))
    }

    /// Writes into the audit trail that somebody was refused whom we know; strangers are in the log alone.
    async fn audit_refusal(&self, who: &Who, route: &Route) -> Result<(), DatabaseError> {
        if matches!(who, Who::Nobody) {
            return Ok(());
        }
        let detail = format!("{} {}", route.method, route.path);
        let deed = who.deed(Act::Refused, &route.id, &detail);
        self.database.audit_once_in(REFUSED_ONCE_IN_MS, deed).await
    }
}

async fn identify(shared: &Shared, path: &str, headers: &HeaderMap) -> Result<Who, DatabaseError> {
    let secret = match bearer(headers) {
        Some(secret) => Some(secret.to_owned()),
        None if path.starts_with(PARTNER) => basic(headers),
        None => None,
    };
    if let Some(secret) = secret {
        return Ok(shared.database.key(&secret).await?.map_or(Who::Nobody, Who::Key));
    }
    let Some(token) = session_token(headers, shared.site.exposure.is_secure()) else {
        return Ok(Who::Nobody);
    };
    Ok(shared.database.session(token).await?.map_or(Who::Nobody, Who::Account))
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")
}

/// The key that an applicant tracking system sends as the name of `Authorization: Basic`.
fn basic(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Basic ")?;
    let text = String::from_utf8(base64::decode(text.trim())?).ok()?;
    let (key, _) = text.split_once(':')?;
    Some(key.to_owned())
}

/// The token of the session in the cookies.
pub(super) fn session_token(headers: &HeaderMap, is_secure: bool) -> Option<&str> {
    named_cookie(headers, COOKIE, is_secure)
}

/// The header that keeps a session in the browser, or with nothing ends it there.
pub(super) fn cookie(token: Option<&str>, is_secure: bool) -> String {
    let seconds = if token.is_some() { 14 * 24 * 3_600 } else { 0 };
    short_cookie(COOKIE, token.unwrap_or_default(), seconds, is_secure)
}

/// The value of a cookie of ours with another name.
pub(super) fn named_cookie<'a>(
    headers: &'a HeaderMap,
    name: &str,
    is_secure: bool,
) -> Option<&'a str> {
    let wanted = of_host(name, is_secure);
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut pairs =
        cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == wanted).map(|(_, value)| value)
}

/// The header that keeps such a cookie for some seconds, or for none.
pub(super) fn short_cookie(name: &str, value: &str, seconds: i64, is_secure: bool) -> String {
    let (name, secure) = (of_host(name, is_secure), if is_secure { "; Secure" } else { "" });
    format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={seconds}{secure}")
}

fn of_host(name: &str, is_secure: bool) -> String {
    if is_secure { format!("__Host-{name}") } else { name.to_owned() }
}

/// What a request needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needed {
    /// Nothing: candidates and readers of a shared report have their link, and somebody has to be able to
    /// sign in.
    Nothing,
    /// Somebody with this role, or a higher one.
    Role(Role),
    /// The same, and a person: a key that could make accounts could decide as a person.
    Person(Role),
    /// The same, and one who has shown within minutes that it is them, by their password or at their
    /// provider: whoever finds a browser signed in must not give others access.
    Confirmed(Role),
    /// Somebody with this role, and a program with a key: a browser could be made to ask by somebody else's
    /// page.
    Program(Role),
}

/// Everything needs sign-in but what is listed here; whatever changes something needs a recruiter.
fn needed(method: &Method, path: &str) -> Needed {
    const OPEN: [&str; 5] =
        ["/api/session", "/api/setup", "/api/welcome", "/api/oidc", "/api/shared"];
    const ADMIN: [&str; 3] = ["/api/accounts", "/api/keys", "/api/audit"];
    let is_of = |paths: &[&str]| {
        paths.iter().any(|of| {
            path == *of || path.strip_prefix(of).is_some_and(|rest| rest.starts_with('/'))
        })
    };
    if is_of(&OPEN) || path.starts_with("/api/candidate/") {
        return Needed::Nothing;
    }
    if path == MCP {
        return Needed::Program(Role::Viewer);
    }
    let reads = *method == Method::GET || *method == Method::HEAD;
    Needed::Role(match path {
        // Taking access away waits for no password; what changes about an account is looked at when it
        // is known.
        _ if is_of(&ADMIN) && (*method == Method::DELETE || *method == Method::PATCH) => {
            return Needed::Person(Role::Admin);
        }
        _ if is_of(&ADMIN) && !reads => return Needed::Confirmed(Role::Admin),
        _ if is_of(&ADMIN) || is_of(&["/api/webhooks"]) => Role::Admin,
        // Everybody may change their own password.
        "/api/password" => Role::Viewer,
        _ if reads => Role::Viewer,
        _ => Role::Recruiter,
    })
}

/// What a request needs, in words.
pub(super) fn needs(method: &Method, path: &str) -> String {
    match needed(method, path) {
        Needed::Nothing => "Needs no account.".to_owned(),
        Needed::Role(role) => format!("Needs the role {}.", role.name()),
        Needed::Person(role) => format!("Needs a person with the role {}.", role.name()),
        Needed::Confirmed(role) => {
            let role = role.name();
            format!("Needs a person with the role {role}, who has shown it within 5 minutes.")
        }
        Needed::Program(role) => format!("Needs a key with the role {}.", role.name()),
    }
}

fn allowed(who: &Who, request: &Request) -> Result<(), Problem> {
    let needed = needed(request.method(), request.uri().path());
    match (needed, who.role()) {
        (Needed::Nothing, _) => {}
        (Needed::Program(_), None) => {
            let message = "Send an API key: Authorization: Bearer vvk_… An admin makes one.";
            return Err(Problem::new(StatusCode::UNAUTHORIZED, message));
        }
        (Needed::Role(_) | Needed::Person(_) | Needed::Confirmed(_), None) => {
            let message = "Nobody is signed in here. Sign in, then try again.";
            return Err(Problem::new(StatusCode::UNAUTHORIZED, message));
        }
        (
            Needed::Role(role)
            | Needed::Person(role)
            | Needed::Confirmed(role)
            | Needed::Program(role),
            Some(has),
        ) if has < role => {
            let (has, role) = (has.name(), role.name());
            let message =
                format!("A {has} may not do this; it needs the role {role}. Ask an admin.");
            return Err(Problem::new(StatusCode::FORBIDDEN, message));
        }
        (Needed::Person(_) | Needed::Confirmed(_), Some(_)) if matches!(who, Who::Key(_)) => {
            let message = "A program may not manage accounts and keys. Sign in as a person.";
            return Err(Problem::new(StatusCode::FORBIDDEN, message));
        }
        (Needed::Program(_), Some(_)) if !matches!(who, Who::Key(_)) => {
            let message = "Only a program reads here. Send an API key: Authorization: Bearer vvk_…";
            return Err(Problem::new(StatusCode::FORBIDDEN, message));
        }
        (
            Needed::Role(_) | Needed::Person(_) | Needed::Confirmed(_) | Needed::Program(_),
            Some(_),
        ) => {}
    }
    let is_change = !request.method().is_safe();
    match who {
        // Only what the browser sends by itself can be sent for somebody else's page.
        Who::Account(_) | Who::Nobody if is_change && is_foreign(request.headers()) => {
            let message = "This request came from another site's page, so it was not done.";
            Err(Problem::new(StatusCode::FORBIDDEN, message))
        }
        Who::Nobody | Who::Account(_) | Who::Key(_) => Ok(()),
    }
}

/// Whether the browser says that another site's page made the request (CSRF). All browsers send one of
/// the two headers with a request that changes something; programs send neither and have no cookie to be
/// misused.
fn is_foreign(headers: &HeaderMap) -> bool {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    if let Some(site) = text(HeaderName::from_static("sec-fetch-site")) {
        return site != "same-origin" && site != "none";
    }
    let Some(origin) = text(header::ORIGIN) else {
        return headers.contains_key(header::COOKIE);
    };
    let Ok(url) = Url::parse(origin) else { return true };
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    let own = format!("{}{port}", url.host_str().unwrap_or_default());
    text(header::HOST).is_none_or(|host| host != own)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let pair = |(name, value): &(&'static str, &str)| {
            (HeaderName::from_static(name), value.parse().unwrap())
        };
        pairs.iter().map(pair).collect()
    }

    /// U01: what is not listed as open needs sign-in; whatever changes something needs a recruiter.
    #[test]
    fn what_is_needed() {
        let role = |method: Method, path: &str| match needed(&method, path) {
            Needed::Nothing => None,
            Needed::Role(role)
            | Needed::Person(role)
            | Needed::Confirmed(role)
            | Needed::Program(role) => Some(role),
        };
        assert_eq!(role(Method::POST, "/api/session"), None);
        assert_eq!(role(Method::POST, "/api/candidate/abc/start"), None);
        assert_eq!(role(Method::GET, "/api/oidc/callback"), None);
        assert_eq!(role(Method::GET, "/api/oidcs"), Some(Role::Viewer));
        assert_eq!(role(Method::GET, "/api/sessions"), Some(Role::Viewer), "only what is listed");
        assert_eq!(role(Method::GET, "/api/candidates"), Some(Role::Viewer));
        assert_eq!(role(Method::GET, "/api/interviews"), Some(Role::Viewer));
        assert_eq!(role(Method::DELETE, "/api/interviews/1"), Some(Role::Recruiter));
        assert_eq!(role(Method::GET, "/api/accounts"), Some(Role::Admin));
        assert_eq!(role(Method::GET, "/api/accounts/1"), Some(Role::Admin));
        assert_eq!(role(Method::GET, "/api/keys/1"), Some(Role::Admin));
        assert_eq!(role(Method::POST, "/api/password"), Some(Role::Viewer));
        assert_eq!(role(Method::POST, "/api/shared"), None);
        assert_eq!(role(Method::GET, "/api/shareds"), Some(Role::Viewer), "only what is listed");
        assert_eq!(role(Method::GET, "/api/interviews/1/shares"), Some(Role::Viewer));
        assert_eq!(role(Method::POST, "/api/interviews/1/shares"), Some(Role::Recruiter));
        assert_eq!(role(Method::GET, "/api/webhooks/1/deliveries"), Some(Role::Admin));
        assert_eq!(role(Method::POST, "/api/webhooks"), Some(Role::Admin));
        assert_eq!(role(Method::GET, "/api/partner/list_tests"), Some(Role::Viewer));
        assert_eq!(role(Method::POST, "/api/partner/send_test"), Some(Role::Recruiter));
        assert_eq!(needed(&Method::POST, "/mcp"), Needed::Program(Role::Viewer));
        let confirmed = Needed::Confirmed(Role::Admin);
        assert_eq!(needed(&Method::POST, "/api/keys"), confirmed);
        assert_eq!(needed(&Method::POST, "/api/accounts/1/link"), confirmed);
        assert_eq!(needed(&Method::PATCH, "/api/accounts/1"), Needed::Person(Role::Admin));
        assert_eq!(needed(&Method::DELETE, "/api/keys/1"), Needed::Person(Role::Admin));
    }

    /// U01: a change that another site's page asks for is told apart.
    #[test]
    fn foreign_pages_are_told_apart() {
        let own = [("host", "127.0.0.1:8080"), ("cookie", "vivavoce=x")];
        for (more, foreign) in [
            (vec![("sec-fetch-site", "same-origin")], false),
            (vec![("sec-fetch-site", "none")], false),
            (vec![("sec-fetch-site", "cross-site")], true),
            (vec![("sec-fetch-site", "same-site")], true),
            (vec![("origin", "http://127.0.0.1:8080")], false),
            (vec![("origin", "http://127.0.0.1:8081")], true),
            (vec![("origin", "https://evil.example")], true),
            (vec![("origin", "null")], true),
            (vec![], true),
        ] {
            let all: Vec<_> = own.iter().copied().chain(more).collect();
            assert_eq!(is_foreign(&headers(&all)), foreign, "{all:?}");
        }
        assert!(!is_foreign(&headers(&[("host", "x")])), "a program without a cookie");
    }

    /// U09: the key is the name, whatever the password is; what is no such header is no key.
    #[test]
    fn a_key_as_the_name_of_basic() {
        let found = |text: &str| basic(&headers(&[("authorization", text)]));
        assert_eq!(found("Basic dnZrXzE6").as_deref(), Some("vvk_1"));
        assert_eq!(found("Basic dnZrXzE6eDp5").as_deref(), Some("vvk_1"), "with a password");
        for bad in ["Basic dnZrXzE", "Basic !", "dnZrXzE6", "Bearer dnZrXzE6", "Basic /////w=="] {
            assert_eq!(found(bad), None, "{bad}");
        }
    }

    /// U01: the cookie is read among others, and no script reads it.
    #[test]
    fn the_cookie() {
        let found = |text: &str, is_secure| {
            session_token(&headers(&[("cookie", text)]), is_secure).map(str::to_owned)
        };
        assert_eq!(found("a=1; vivavoce=tok; b=2", false).as_deref(), Some("tok"));
        assert_eq!(found("__Host-vivavoce=tok", true).as_deref(), Some("tok"));
        assert_eq!(found("vivavoce=tok", true), None, "another host of ours could have set it");
        assert_eq!(found("xvivavoce=tok", false), None);
        let set = cookie(Some("tok"), true);
        assert!(set.starts_with("__Host-vivavoce=tok; Path=/; HttpOnly; SameSite=Lax"), "{set}");
        assert!(set.ends_with("Secure") && !cookie(Some("tok"), false).contains("Secure"));
        assert!(cookie(None, false).contains("Max-Age=0"));
    }
}
