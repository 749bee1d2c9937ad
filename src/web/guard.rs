use std::net::SocketAddr;

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use url::{Host, Url};

use super::problem::Problem;

/// The headers of every answer.
#[derive(Clone)]
pub(super) struct Guard {
    policy: HeaderValue,
    /// Whether only this machine reaches us.
    is_local: bool,
    /// Whether browsers reach us over TLS.
    is_secure: bool,
}

impl Guard {
    /// Pages may talk to this server and to the LiveKit server, to nobody else.
    pub(super) fn new(livekit_public_url: &str, listen: SocketAddr, is_secure: bool) -> Self {
        let livekit = livekit_sources(livekit_public_url);
        let policy = format!(
            "default-src 'self'; connect-src 'self' {livekit}; img-src 'self' data:; media-src 'self' blob:; \
             style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; form-action \
             'self'; frame-ancestors 'none'"
        );
        let fallback = HeaderValue::from_static("default-src 'self'");
        Self {
            policy: HeaderValue::from_str(&policy).unwrap_or(fallback),
            is_local: listen.ip().is_loopback(),
            is_secure,
        }
    }
}

/// Refuses requests under foreign names and puts the security headers on every answer.
pub(super) async fn guard(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let is_api = path.starts_with("/api/") || path == "/mcp";
    let mut response = if !guard.is_local || is_local(request.headers()) {
        next.run(request).await
    } else {
        let message =
            "This server answers on this machine only. Open it as 127.0.0.1 or localhost.";
        Problem::new(StatusCode::MISDIRECTED_REQUEST, message).into_response()
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, guard.policy);
    for (name, value) in FIXED {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if guard.is_secure {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(A_YEAR_OF_TLS));
    }
    if is_api {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

const A_YEAR_OF_TLS: &str = "max-age=31536000; includeSubDomains";

/// A link's token stands in the address: it must not travel on as a referrer. And whoever finds a link must
/// not put it into a list of pages to search.
const FIXED: [(HeaderName, &str); 6] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("permissions-policy"), "microphone=(self), camera=(), geolocation=()"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("x-robots-tag"), "noindex, nofollow"),
];

/// A page elsewhere could point its own name at 127.0.0.1 and read what is here: names other than our own
/// are refused.
fn is_local(headers: &HeaderMap) -> bool {
    let Some(host) = headers.get(header::HOST) else { return true };
    let Ok(url) = Url::parse(&format!("http://{}/", host.to_str().unwrap_or("?"))) else {
        return false;
    };
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}

/// livekit-client opens a WebSocket and asks over HTTP why one was refused.
fn livekit_sources(public_url: &str) -> String {
    let Ok(url) = Url::parse(public_url) else { return String::new() };
    let Some(host) = url.host_str() else { return String::new() };
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    let (socket, http) =
        if matches!(url.scheme(), "wss" | "https") { ("wss", "https") } else { ("ws", "http") };
    format!("{socket}://{host}{port} {http}://{host}{port}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(name: &str) -> HeaderMap {
        [(header::HOST, HeaderValue::from_str(name).unwrap())].into_iter().collect()
    }

    /// A name that somebody else points at this machine reads nothing from it.
    #[test]
    fn foreign_host_names_are_refused() {
        for ours in ["localhost", "localhost:8080", "127.0.0.1:1", "[::1]:8080"] {
            assert!(is_local(&host(ours)), "{ours}");
        }
        for foreign in [
            "example.org",
            "localhost.example.org:8080",
            "10.0.0.1:8080",
            "",
            "a b",
            "127.0.0.1@example.org",
        ] {
            assert!(!is_local(&host(foreign)), "{foreign}");
        }
    }

    /// The policy names the LiveKit server as browsers see it.
    #[test]
    fn the_policy_names_the_livekit_server() {
        assert_eq!(
            livekit_sources("ws://127.0.0.1:7880"),
            "ws://127.0.0.1:7880 http://127.0.0.1:7880"
        );
        assert_eq!(
            livekit_sources("wss://lk.example.org/x"),
            "wss://lk.example.org https://lk.example.org"
        );
        assert_eq!(livekit_sources("no address"), "");
    }
}
