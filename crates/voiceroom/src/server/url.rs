//! A server's address, which may be written with the scheme of HTTP or of WebSocket.

/// Returns the address for WebSocket connections: `http` becomes `ws`, `https` becomes `wss`.
pub fn ws_url(url: &str) -> String {
    with_scheme(url, [("http://", "ws://"), ("https://", "wss://")])
}

/// Returns the address for HTTP requests: `ws` becomes `http`, `wss` becomes `https`.
pub fn http_url(url: &str) -> String {
    with_scheme(url, [("ws://", "http://"), ("wss://", "https://")])
}

/// Returns whether an address is one of this machine's loopback interface.
pub fn is_loopback(url: &str) -> bool {
    match url::Url::parse(url).as_ref().map(url::Url::host) {
        Ok(Some(url::Host::Domain(name))) => name == "localhost",
        Ok(Some(url::Host::Ipv4(ip))) => ip.is_loopback(),
        Ok(Some(url::Host::Ipv6(ip))) => ip.is_loopback(),
        Ok(None) | Err(_) => false,
    }
}

fn with_scheme(url: &str, schemes: [(&str, &str); 2]) -> String {
    let url = url.trim_end_matches('/');
    for (from, to) in schemes {
        if let Some(rest) = url.strip_prefix(from) {
            return format!("{to}{rest}");
        }
    }
    url.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An address may be written with either kind of scheme.
    #[test]
    fn schemes_are_interchangeable() {
        assert_eq!(ws_url("https://h:1/"), "wss://h:1");
        assert_eq!(ws_url("ws://h"), "ws://h");
        assert_eq!(http_url("ws://h:7880/base/"), "http://h:7880/base");
        assert_eq!(http_url("wss://h"), "https://h");
    }

    /// Loopback interfaces are only offered to a server that is reached over one.
    #[test]
    fn loopback_is_recognised() {
        for url in ["ws://127.0.0.1:7880", "http://localhost", "ws://[::1]:7880"] {
            assert!(is_loopback(url), "{url}");
        }
        for url in ["wss://example.com", "nonsense", "ws://10.0.0.1"] {
            assert!(!is_loopback(url), "{url}");
        }
    }
}
