use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use url::Url;

use super::{Exposure, problem::Problem};

/// The headers of every answer.
#[derive(Clone)]
pub(super) struct Guard {
    policy: HeaderValue,
    exposure: Exposure,
}

impl Guard {
    /// Pages may talk to this server and to the LiveKit server, to nobody else.
    pub(super) fn new(livekit_public_url: &str, exposure: Exposure) -> Self {
        let livekit = livekit_sources(livekit_public_url);
        let policy = format!(
            "default-src 'self'; connect-src 'self' {livekit}; img-src 'self' data:; media-src 'self' blob:; \
             style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; form-action \
             'self'; frame-ancestors 'none'"
        );
        let fallback = HeaderValue::from_static("default-src 'self'");
        Self { policy: HeaderValue::from_str(&policy).unwrap_or(fallback), exposure }
    }
}

/// Refuses requests under foreign names and puts the security headers on every answer.
pub(super) async fn guard(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let is_api = path.starts_with("/api/") || path == "/mcp";
    let mut response = if guard.exposure.is_addressed(request.headers()) {
        next.run(request).await
    } else {
        let message = match guard.exposure.own_name() {
            Some(name) => {
                format!("This server does not answer under that name. Open it as {name}.")
            }
            None => "This server answers on this machine only. Open it as 127.0.0.1 or localhost."
                .to_owned(),
        };
        Problem::new(StatusCode::MISDIRECTED_REQUEST, message).into_response()
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, guard.policy);
    for (name, value) in FIXED {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if guard.exposure.is_secure() {
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
