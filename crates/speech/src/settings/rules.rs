//! The rules for settings: which values are allowed, and how they are read.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use super::{Kind, Secret, subnet::Subnet};

/// The rule that reads a setting from its text.
#[derive(Clone, Copy, Debug)]
pub struct Rule<T> {
    /// The type of the value in TOML.
    pub kind: Kind,
    /// The allowed values, for messages: `must be …`.
    pub expected: &'static str,
    /// Returns the value, or `None` if the text is no allowed value.
    pub parse: fn(&str) -> Option<T>,
}

/// True or false.
pub const FLAG: Rule<bool> =
    Rule { kind: Kind::Flag, expected: "true or false", parse: |text| text.parse().ok() };
/// Any text, the empty one too.
pub const TEXT: Rule<String> =
    Rule { kind: Kind::Text, expected: "a text", parse: |text| Some(text.to_owned()) };
/// A text that never appears in a message.
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
/// An address and port to listen on.
pub const ADDRESS: Rule<SocketAddr> = Rule {
    kind: Kind::Text,
    expected: "an address and a port such as 127.0.0.1:8080",
    parse: |text| text.parse().ok(),
};
/// Machines by their network addresses, or none.
pub const SUBNET_OR_NONE: Rule<Option<Subnet>> = Rule {
    kind: Kind::Text,
    expected: "a network address such as 127.0.0.1 or 10.0.0.0/8",
    parse: |text| if text.is_empty() { Some(None) } else { Subnet::parse(text).map(Some) },
};
/// The address of a server that speaks HTTP.
pub const HTTP_URL: Rule<url::Url> = Rule {
    kind: Kind::Text,
    expected: "an address that begins with http:// or https://",
    parse: |text| url_of(text, &["http", "https"]),
};
/// The address of a server that speaks HTTP, or none.
pub const HTTP_URL_OR_NONE: Rule<Option<url::Url>> = Rule {
    kind: HTTP_URL.kind,
    expected: HTTP_URL.expected,
    parse: |text| if text.is_empty() { Some(None) } else { (HTTP_URL.parse)(text).map(Some) },
};
/// The address of a server that speaks over a WebSocket.
pub const WEBSOCKET_URL: Rule<url::Url> = Rule {
    kind: Kind::Text,
    expected: "an address that begins with ws:// or wss://",
    parse: |text| url_of(text, &["ws", "wss"]),
};

/// A text that is not empty; `expected` describes it.
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
