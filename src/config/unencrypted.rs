//! Keys that would go over the net as plain text. They do only where the settings say, beside the
//! address, that this is meant. Nothing but this machine itself is near: a private network and a
//! container's name are not.

use std::net::IpAddr;

use sqlx::postgres::{PgConnectOptions, PgSslMode};
use url::Url;

use super::{Config, PROVIDERS, kind_of, provider_names};
use crate::settings::{Field, Problem, Reader, Table, Tables, rules};

/// The setting with the address of a provider's server.
pub(super) const ADDRESS: &str = "base_url";
/// The settings with its key.
const KEYS: [&str; 2] = ["api_key", "api_key_file"];

/// The setting that lets a provider's key go unencrypted.
pub(super) static INSECURE: Field = Field {
    key: "insecure",
    doc: " Whether the key may go to another machine without TLS, where everybody on the way reads it.",
    default: "false",
    kind: rules::FLAG.kind,
    expected: rules::FLAG.expected,
    variables: &[],
};

/// A secret that everybody on its way can read.
struct Readable {
    section: String,
    /// The setting with the address.
    key: &'static str,
    host: String,
    /// How the address should be written.
    instead: &'static str,
    /// Whether the settings say that it is meant.
    is_meant: bool,
}

/// Adds a problem for each address to which a secret would go unencrypted. Returns a sentence for each of
/// those that the settings mean.
pub(super) fn check(
    config: &Config,
    tables: &mut Tables,
    problems: &mut Vec<Problem>,
) -> Vec<String> {
    let mut all = of_sections(config);
    all.extend(of_providers(tables, problems));
    let mut meant = Vec::new();
    for Readable { section, key, host, instead, is_meant } in all {
        if is_meant {
            meant.push(format!(
                "Keys go to {host} unencrypted, as `{section}.insecure` says: everybody on the way can read \
                 them."
            ));
            continue;
        }
        let written = tables.table(&section).settings.get(key);
        let place = written.map(|setting| setting.place.clone()).unwrap_or_default();
        let what = format!(
            "`{section}.{key}` would send keys to {host} unencrypted: {instead}, or set \
             `{section}.insecure = true` if nobody can listen on the way"
        );
        problems.push(Problem { place, what });
    }
    meant
}

fn of_sections(config: &Config) -> Vec<Readable> {
    let Config { livekit, data, mail, telemetry, .. } = config;
    let has_secret = !livekit.api_secret.reveal().is_empty();
    let livekit_host = Url::parse(&livekit.url).ok().filter(|_| has_secret);
    let livekit_host = livekit_host.and_then(|url| plain_host(&url));
    let has_password = !mail.password.reveal().is_empty();
    let mail_host = mail.server.as_ref().filter(|_| has_password).and_then(plain_mail_host);
    let collector = telemetry.otlp_endpoint.as_ref();
    let collector = collector.filter(|url| has_user(url)).and_then(plain_host);
    let of = |section: &str, key, host: Option<String>, instead, is_meant| {
        let section = section.to_owned();
        host.map(|host| Readable { section, key, host, instead, is_meant })
    };
    let with_tls = "end it with ?sslmode=verify-full";
    let all = [
        of("livekit", "url", livekit_host, "begin it with wss://", livekit.insecure),
        of("data", "url", database_host(data.url.reveal()), with_tls, data.insecure),
        of("mail", "server", mail_host, "take out ?tls=none", mail.insecure),
        of("telemetry", "otlp_endpoint", collector, "begin it with https://", telemetry.insecure),
    ];
    all.into_iter().flatten().collect()
}

fn of_providers(tables: &mut Tables, problems: &mut Vec<Problem>) -> Vec<Readable> {
    let mut all = Vec::new();
    for name in provider_names(tables) {
        let section = format!("{PROVIDERS}{name}");
        let table: &Table = tables.table(&section);
        let Some(kind) = kind_of(&name, table) else { continue };
        let text = |key: &str| {
            let field = kind.fields.iter().find(|field| field.key == key);
            let default = field.map(|field| field.default.trim_matches('"'));
            let written = table.settings.get(key).map(|setting| setting.text.as_str());
            written.or(default).unwrap_or_default()
        };
        let is_meant = Reader::new(&section, table, problems).read(
            INSECURE.key,
            INSECURE.default,
            &rules::FLAG,
        );
        let Ok(url) = Url::parse(text(ADDRESS)) else { continue };
        let has_key = has_user(&url) || KEYS.iter().any(|key| !text(key).is_empty());
        let instead = match url.scheme() {
            "ws" => "begin it with wss://",
            _ => "begin it with https://",
        };
        if let Some(host) = plain_host(&url).filter(|_| has_key) {
            all.push(Readable { section, key: ADDRESS, host, instead, is_meant });
        }
    }
    all
}

/// The host of an address without TLS, if it is another machine's.
fn plain_host(url: &Url) -> Option<String> {
    (matches!(url.scheme(), "http" | "ws") && !is_here(url)).then(|| host(url).to_owned())
}

/// The same of a mail server, which is reached by TLS unless its address says otherwise.
fn plain_mail_host(url: &Url) -> Option<String> {
    let is_plain = url.scheme() == "smtp" && url.query() == Some("tls=none");
    (is_plain && !is_here(url)).then(|| host(url).to_owned())
}

/// The host of a database at which a connection may end up without TLS: sqlx goes on without where the server
/// has none, unless it is told to insist.
fn database_host(url: &str) -> Option<String> {
    let options: PgConnectOptions = url.parse().ok()?;
    let host = options.get_host().trim_matches(['[', ']']);
    let is_here = options.get_socket().is_some() || host.starts_with('/') || is_loopback(host);
    let insists = match options.get_ssl_mode() {
        PgSslMode::Require | PgSslMode::VerifyCa | PgSslMode::VerifyFull => true,
        PgSslMode::Disable | PgSslMode::Allow | PgSslMode::Prefer => false,
    };
    (!is_here && !insists).then(|| host.to_owned())
}

fn has_user(url: &Url) -> bool {
    !url.username().is_empty() || url.password().is_some()
}

fn is_here(url: &Url) -> bool {
    is_loopback(host(url))
}

fn host(url: &Url) -> &str {
    url.host_str().unwrap_or_default().trim_matches(['[', ']'])
}

fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}
