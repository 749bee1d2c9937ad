//! Who makes a request, and whether they may.

use std::sync::Arc;

use axum::{
    extract::{FromRequestParts, Request, State},
    http::{HeaderMap, HeaderName, Method, StatusCode, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use url::Url;

use super::{Shared, problem::Problem};
use crate::database::{Account, ApiKey, DatabaseError, Role};

/// The cookie of a session. Where pages come over TLS its name ties it to this host alone.
const COOKIE: &str = "vivavoce";
const HOST_COOKIE: &str = "__Host-vivavoce";

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

/// Finds out who makes a request to the API, and refuses what they may not do.
pub(super) async fn admit(
    State(shared): State<Arc<Shared>>,
    mut request: Request,
    next: Next,
) -> Response {
    if !request.uri().path().starts_with("/api/") {
        return next.run(request).await;
    }
    let who = match identify(&shared, request.headers()).await {
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

async fn identify(shared: &Shared, headers: &HeaderMap) -> Result<Who, DatabaseError> {
    if let Some(secret) = bearer(headers) {
        return Ok(shared.database.key(secret).await?.map_or(Who::Nobody, Who::Key));
    }
    let Some(token) = session_token(headers, shared.site.is_secure) else { return Ok(Who::Nobody) };
    Ok(shared.database.session(token).await?.map_or(Who::Nobody, Who::Account))
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")
}

/// The token of the session in the cookies.
pub(super) fn session_token(headers: &HeaderMap, is_secure: bool) -> Option<&str> {
    let wanted = if is_secure { HOST_COOKIE } else { COOKIE };
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut pairs =
        cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == wanted).map(|(_, value)| value)
}

/// The header that keeps a session in the browser, or with nothing ends it there.
pub(super) fn cookie(token: Option<&str>, is_secure: bool) -> String {
    let (name, secure) = if is_secure { (HOST_COOKIE, "; Secure") } else { (COOKIE, "") };
    let age = if token.is_some() { "1209600" } else { "0" };
    let value = token.unwrap_or_default();
    format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={age}{secure}")
}

/// What a request needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needed {
    /// Nothing: candidates have their link, and somebody has to be able to sign in.
    Nothing,
    /// Somebody with this role, or a higher one.
    Role(Role),
    /// The same, and a person: a key that could make accounts could decide as a person.
    Person(Role),
}

/// Everything needs sign-in but what is listed here; whatever changes something needs a recruiter.
fn needed(method: &Method, path: &str) -> Needed {
    const OPEN: [&str; 3] = ["/api/session", "/api/setup", "/api/welcome"];
    const ADMIN: [&str; 3] = ["/api/accounts", "/api/keys", "/api/audit"];
    let is_of = |paths: &[&str]| {
        paths.iter().any(|of| {
            path == *of || path.strip_prefix(of).is_some_and(|rest| rest.starts_with('/'))
        })
    };
    if is_of(&OPEN) || path.starts_with("/api/candidate/") {
        return Needed::Nothing;
    }
    let reads = *method == Method::GET || *method == Method::HEAD;
    Needed::Role(match path {
        _ if is_of(&ADMIN) && !reads => return Needed::Person(Role::Admin),
        _ if is_of(&ADMIN) => Role::Admin,
        // Everybody may change their own password.
        "/api/password" => Role::Viewer,
        _ if reads => Role::Viewer,
        _ => Role::Recruiter,
    })
}

fn allowed(who: &Who, request: &Request) -> Result<(), Problem> {
    let needed = needed(request.method(), request.uri().path());
    match (needed, who.role()) {
        (Needed::Nothing, _) => {}
        (Needed::Role(_) | Needed::Person(_), None) => {
            let message = "Nobody is signed in here. Sign in, then try again.";
            return Err(Problem::new(StatusCode::UNAUTHORIZED, message));
        }
        (Needed::Role(role) | Needed::Person(role), Some(has)) if has < role => {
            let (has, role) = (has.name(), role.name());
            let message =
                format!("A {has} may not do this; it needs the role {role}. Ask an admin.");
            return Err(Problem::new(StatusCode::FORBIDDEN, message));
        }
        (Needed::Person(_), Some(_)) if matches!(who, Who::Key(_)) => {
            let message = "A program may not manage accounts and keys. Sign in as a person.";
            return Err(Problem::new(StatusCode::FORBIDDEN, message));
        }
        (Needed::Role(_) | Needed::Person(_), Some(_)) => {}
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
            Needed::Role(role) | Needed::Person(role) => Some(role),
        };
        assert_eq!(role(Method::POST, "/api/session"), None);
        assert_eq!(role(Method::POST, "/api/candidate/abc/start"), None);
        assert_eq!(role(Method::GET, "/api/sessions"), Some(Role::Viewer), "only what is listed");
        assert_eq!(role(Method::GET, "/api/candidates"), Some(Role::Viewer));
        assert_eq!(role(Method::GET, "/api/interviews"), Some(Role::Viewer));
        assert_eq!(role(Method::DELETE, "/api/interviews/1"), Some(Role::Recruiter));
        assert_eq!(role(Method::GET, "/api/accounts"), Some(Role::Admin));
        assert_eq!(role(Method::GET, "/api/accounts/1"), Some(Role::Admin));
        assert_eq!(role(Method::GET, "/api/keys/1"), Some(Role::Admin));
        assert_eq!(role(Method::POST, "/api/password"), Some(Role::Viewer));
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
