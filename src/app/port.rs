//! Ports, and whether they can be had.

use std::{io, net::SocketAddr, time::Duration};

use tokio::net::{TcpListener, TcpStream};
use voiceroom::{
    http::{CallLimit, client},
    server::http_url,
};

use super::Failed;
/// How long a server on this or another machine may take to accept a connection.
const CONNECT_LIMIT: Duration = Duration::from_secs(2);

/// Listens at an address that the configuration names under `setting`.
pub(super) async fn listen(address: SocketAddr, setting: &str) -> Result<TcpListener, Failed> {
    TcpListener::bind(address).await.map_err(|error| {
        let variable = format!("VIVAVOCE_{}", setting.to_uppercase().replace('.', "__"));
        Failed(match error.kind() {
            io::ErrorKind::AddrInUse => format!(
                "port {} is taken: stop what listens at {address}, or give `{setting}` another \
                    address (in the configuration or as {variable})",
                address.port()
            ),
            _ => format!(
                "cannot listen at {address}: {error}; mend `{setting}` in the \
                configuration or {variable}"
            ),
        })
    })
}

/// What listens where a LiveKit server is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Listener {
    /// Nothing.
    Nobody,
    /// A LiveKit server: it says `OK` to whoever asks for `/`.
    LiveKit,
    /// Something else, or a server that is too busy to answer.
    Stranger,
}

/// What listens at a LiveKit address.
pub(super) async fn listener(url: &str) -> Result<Listener, Failed> {
    let (host, port) = of(url)?;
    if !answers(&host, port).await {
        return Ok(Listener::Nobody);
    }
    Ok(match body(&http_url(url)).await.as_deref() {
        Some("OK") => Listener::LiveKit,
        Some(_) | None => Listener::Stranger,
    })
}

/// What a web server answers; nothing if that is no text, or no success.
pub(super) async fn body(url: &str) -> Option<String> {
    let client = client(CallLimit::Whole(CONNECT_LIMIT)).build().ok()?;
    let answer = client.get(url).send().await.ok()?.error_for_status().ok()?;
    Some(answer.text().await.ok()?.trim().to_owned())
}

/// Whether anything accepts connections at `host:port`.
pub(super) async fn answers(host: &str, port: u16) -> bool {
    let connected = tokio::time::timeout(CONNECT_LIMIT, TcpStream::connect((host, port))).await;
    matches!(connected, Ok(Ok(_)))
}

/// Where a LiveKit address leads: `ws://host` is port 80, `wss://host` 443.
pub(super) fn of(url: &str) -> Result<(String, u16), Failed> {
    let parsed = url::Url::parse(url).ok();
    let parts =
        parsed.as_ref().and_then(|url| Some((url.host_str()?, url.port_or_known_default()?)));
    let (host, port) = parts.ok_or_else(|| Failed(format!("`{url}` names no server")))?;
    Ok((host.trim_matches(['[', ']']).to_owned(), port))
}
