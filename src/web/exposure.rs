//! How the web app is reached. Whether the first account needs a code, which names it answers to, how its
//! cookies are kept and what it warns of all follow from this one answer.

use std::net::SocketAddr;

use axum::http::{HeaderMap, header};
use url::{Host, Url};

/// How the web app is reached, as far as its settings say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exposure {
    /// From this machine alone: it listens there, and the settings name no other address.
    Local,
    /// Through a server in front of it.
    Behind(Front),
    /// From other machines, under any name.
    Open,
}

/// The server in front of the web app.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Front {
    /// Where people reach it: `web.public_url`.
    pub url: Url,
    /// Whether it is on this machine: nobody else reaches the web app's own port.
    pub is_near: bool,
}

impl Exposure {
    /// Decides by the settings: where the web app listens, and where people reach it.
    pub fn of(listen: SocketAddr, public_url: Option<&Url>) -> Self {
        let is_near = listen.ip().is_loopback();
        match public_url {
            Some(url) => Self::Behind(Front { url: url.clone(), is_near }),
            None if is_near => Self::Local,
            None => Self::Open,
        }
    }

    /// Whether browsers reach us over TLS.
    pub fn is_secure(&self) -> bool {
        matches!(self, Self::Behind(front) if front.url.scheme() == "https")
    }

    /// Whether passwords go over the net as plain text, as far as we know.
    pub fn is_plain(&self) -> bool {
        match self {
            Self::Local => false,
            Self::Behind(front) => !self.is_secure() && !is_loopback(&front.url),
            Self::Open => true,
        }
    }

    /// Whether a request with these headers is for us by its `Host`. A page elsewhere could point its own
    /// name at 127.0.0.1 and read what is here: where only this machine reaches us, names other than our own
    /// are refused.
    pub(super) fn is_addressed(&self, headers: &HeaderMap) -> bool {
        let Some(host) = headers.get(header::HOST) else { return true };
        let asked = Url::parse(&format!("http://{}/", host.to_str().unwrap_or("?"))).ok();
        let is_local = || asked.as_ref().is_some_and(is_loopback);
        match self {
            Self::Local => is_local(),
            Self::Behind(Front { is_near: false, .. }) | Self::Open => true,
            Self::Behind(Front { url, .. }) => {
                is_local() || asked.as_ref().is_some_and(|asked| asked.host() == url.host())
            }
        }
    }

    /// The name to open it under, for whoever used another one.
    pub(super) fn own_name(&self) -> Option<&str> {
        match self {
            Self::Behind(front) => Some(front.url.as_str().trim_end_matches('/')),
            Self::Local | Self::Open => None,
        }
    }

    /// Whether whoever sends these headers sits at this machine, as far as anybody can see.
    pub(super) fn is_at_this_machine(&self, headers: &HeaderMap) -> bool {
        *self == Self::Local && !is_forwarded(headers)
    }
}

/// Whether a server in front of us has sent this on, and says so.
fn is_forwarded(headers: &HeaderMap) -> bool {
    headers.keys().any(|name| {
        let name = name.as_str();
        matches!(name, "forwarded" | "via" | "x-real-ip") || name.starts_with("x-forwarded-")
    })
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderName, HeaderValue};

    use super::*;

    const NEAR: &str = "127.0.0.1:8080";
    const FAR: &str = "0.0.0.0:8080";

    fn exposure(listen: &str, public_url: &str) -> Exposure {
        Exposure::of(listen.parse().unwrap(), Url::parse(public_url).ok().as_ref())
    }

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let pair = |(name, value): &(&'static str, &str)| {
            (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap())
        };
        pairs.iter().map(pair).collect()
    }

    /// A name that somebody else points at this machine reads nothing from it; a server in front may pass the
    /// name that people typed.
    #[test]
    fn foreign_host_names_are_refused() {
        let (near, behind) = (exposure(NEAR, ""), exposure(NEAR, "https://hr.example.org"));
        let is_ours = |of: &Exposure, host: &str| of.is_addressed(&headers(&[("host", host)]));
        for ours in ["localhost", "localhost:8080", "127.0.0.1:1", "[::1]:8080"] {
            assert!(is_ours(&near, ours) && is_ours(&behind, ours), "{ours}");
        }
        for public in ["hr.example.org", "hr.example.org:443", "HR.example.org"] {
            assert!(is_ours(&behind, public) && !is_ours(&near, public), "{public}");
        }
        for foreign in [
            "example.org",
            "localhost.example.org:8080",
            "hr.example.org.evil.example",
            "10.0.0.1:8080",
            "",
            "a b",
            "127.0.0.1@example.org",
        ] {
            assert!(!is_ours(&near, foreign) && !is_ours(&behind, foreign), "{foreign}");
            assert!(is_ours(&exposure(FAR, ""), foreign), "{foreign}");
            assert!(is_ours(&exposure(FAR, "https://hr.example.org"), foreign), "{foreign}");
        }
    }

    /// U01: only where nobody else can be in between is whoever comes first at this machine.
    #[test]
    fn who_is_at_this_machine() {
        for (listen, public_url, expected) in
            [(NEAR, "", true), (NEAR, "https://hr.example.org", false), (FAR, "", false)]
        {
            let exposure = exposure(listen, public_url);
            assert_eq!(exposure.is_at_this_machine(&HeaderMap::new()), expected, "{listen}");
            for name in ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"] {
                let sent_on = headers(&[("host", NEAR), (name, "203.0.113.9")]);
                assert!(!exposure.is_at_this_machine(&sent_on), "{name}");
            }
        }
    }

    /// 3.3.1, G5: cookies, TLS for a year and the warning follow from the same answer.
    #[test]
    fn what_is_secure_and_what_is_plain() {
        for (listen, public_url, secure, plain) in [
            (NEAR, "", false, false),
            (NEAR, "https://hr.example.org", true, false),
            (NEAR, "http://hr.example.org", false, true),
            (NEAR, "http://127.0.0.1:3000", false, false),
            (FAR, "", false, true),
            (FAR, "https://hr.example.org", true, false),
        ] {
            let exposure = exposure(listen, public_url);
            assert_eq!(
                (exposure.is_secure(), exposure.is_plain()),
                (secure, plain),
                "{listen} {public_url}"
            );
        }
    }
}
