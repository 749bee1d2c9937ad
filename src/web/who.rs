//! Who makes a request, and whether they may.

use std::sync::Arc;

use axum::{
    extract::{FromRequestParts, Request, State},
    http::{HeaderMap, HeaderName, Method, StatusCode, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use url::Url;

use super::{Shared, problem::Problem, webhooks::base64};
use crate::database::{Account, ApiKey, DatabaseError, Role};

/// The cookie of a session. Where pages come over TLS a prefix ties it to this host alone.
const COOKIE: &str = "vivavoce";

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
    if let Err(problem) = allowed(&who, &request) {
        return problem.into_response();
    }
    if !shared.live.limits.allows_request(&who) {
        let message =
            "These are too many requests in a short time. Wait a few seconds, then go on.";
        return Problem::new(StatusCode::TOO_MANY_REQUESTS, message).into_response();
    }
    request.extensions_mut().insert(who);
    next.run(request).await
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
    /// The same, and a program with a key: a browser could be made to ask by somebody else's page.
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
        _ if is_of(&ADMIN) && !reads => return Needed::Person(Role::Admin),
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
        (Needed::Role(_) | Needed::Person(_), None) => {
            let message = "Nobody is signed in here. Sign in, then try again.";
            return Err(Problem::new(StatusCode::UNAUTHORIZED, message));
        }
        (Needed::Role(role) | Needed::Person(role) | Needed::Program(role), Some(has))
            if has < role =>
        {
            let (has, role) = (has.name(), role.name());
            let message =
                format!("A {has} may not do this; it needs the role {role}. Ask an admin.");
            return Err(Problem::new(StatusCode::FORBIDDEN, message));
        }
        (Needed::Person(_), Some(_)) if matches!(who, Who::Key(_)) => {
            let message = "A program may not manage accounts and keys. Sign in as a person.";
            return Err(Problem::new(StatusCode::FORBIDDEN, message));
        }
        (Needed::Program(_), Some(_)) if !matches!(who, Who::Key(_)) => {
            let message = "Only a program reads here. Send an API key: Authorization: Bearer vvk_…";
            return Err(Problem::new(StatusCode::FORBIDDEN, message));
        }
        (Needed::Role(_) | Needed::Person(_) | Needed::Program(_), Some(_)) => {}
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
            Needed::Role(role) | Needed::Person(role) | Needed::Program(role) => Some(role),
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
