//! What is allowed for a setting, and how it is read.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use super::{Kind, Secret};

/// How a setting is read from its text.
#[derive(Clone, Copy, Debug)]
pub struct Rule<T> {
    /// What it is in TOML.
    pub kind: Kind,
    /// What is allowed, for messages: `must be …`.
    pub expected: &'static str,
    /// The value, if the text is one.
    pub parse: fn(&str) -> Option<T>,
}

/// True or false.
pub const FLAG: Rule<bool> =
    Rule { kind: Kind::Flag, expected: "true or false", parse: |text| text.parse().ok() };
/// Any text, the empty one too.
pub const TEXT: Rule<String> =
    Rule { kind: Kind::Text, expected: "a text", parse: |text| Some(text.to_owned()) };
/// A text that no message shows.
pub const SECRET: Rule<Secret> =
    Rule { kind: Kind::Text, expected: "a text", parse: |text| Some(Secret::new(text)) };
/// A file, or none.
pub const FILE: Rule<Option<PathBuf>> =
    Rule { kind: Kind::Text, expected: "a file", parse: |text| Some(path(text)) };
/// A folder, or none.
pub const FOLDER: Rule<Option<PathBuf>> =
    Rule { kind: Kind::Text, expected: "a folder", parse: |text| Some(path(text)) };
/// A time span.
pub const DURATION: Rule<Duration> = Rule {
    kind: Kind::Text,
    expected: "a duration such as \"45s\" or \"10m\"",
    parse: |text| text.parse::<jiff::SignedDuration>().ok()?.try_into().ok(),
};
/// Where we listen.
pub const ADDRESS: Rule<SocketAddr> = Rule {
    kind: Kind::Text,
    expected: "an address and a port such as 127.0.0.1:8080",
    parse: |text| text.parse().ok(),
};
/// A server that speaks HTTP.
pub const HTTP_URL: Rule<url::Url> = Rule {
    kind: Kind::Text,
    expected: "an address that begins with http:// or https://",
    parse: |text| url_of(text, &["http", "https"]),
};
/// The same, or none.
pub const HTTP_URL_OR_NONE: Rule<Option<url::Url>> = Rule {
    kind: HTTP_URL.kind,
    expected: HTTP_URL.expected,
    parse: |text| if text.is_empty() { Some(None) } else { (HTTP_URL.parse)(text).map(Some) },
};
/// A server that speaks over a WebSocket.
pub const WEBSOCKET_URL: Rule<url::Url> = Rule {
    kind: Kind::Text,
    expected: "an address that begins with ws:// or wss://",
    parse: |text| url_of(text, &["ws", "wss"]),
};

/// A text that is not empty; `expected` says what it stands for.
pub const fn name(expected: &'static str) -> Rule<String> {
    Rule { kind: Kind::Text, expected, parse: |text| (!text.is_empty()).then(|| text.to_owned()) }
}

fn path(text: &str) -> Option<PathBuf> {
    (!text.is_empty()).then(|| PathBuf::from(text))
}

fn url_of(text: &str, schemes: &[&str]) -> Option<url::Url> {
    let url = url::Url::parse(text).ok()?;
    (schemes.contains(&url.scheme()) && url.has_host()).then_some(url)
}
