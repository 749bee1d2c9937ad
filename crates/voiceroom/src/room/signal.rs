//! The signalling WebSocket.
//!
//! `livekit-signaling` does the protocol work (URLs, v1 with fallback to v0, pings, token refresh,
//! resume). Its `send` waits for the socket, and for a resume in progress, so requests go through a
//! task of their own: who carries sound must never wait for TCP.

use std::{sync::Arc, time::Duration};

use livekit_protocol::{
    DisconnectReason, JoinResponse, LeaveRequest, SessionDescription, leave_request, signal_request,
};
use livekit_signaling::{
    CLIENT_PROTOCOL_DEFAULT, SignalClient, SignalError, SignalEvents, SignalOptions,
};
use tokio::{runtime::Handle, sync::mpsc, task::JoinHandle};

/// Signal protocol implemented here. 17 adds packet trailers (video), 18 pre-negotiated data
/// channels; neither is needed.
const PROTOCOL_VERSION: u32 = 16;
/// Requests that may wait for the socket.
const OUTBOX_MAX: usize = 256;
/// How long a goodbye may take.
const CLOSE_LIMIT: Duration = Duration::from_secs(1);

/// One session's signalling.
pub(super) struct Signal {
    client: Arc<SignalClient>,
    outbox: mpsc::Sender<signal_request::Message>,
    sender: JoinHandle<()>,
    /// What the server says. Unbounded by the library; the room's loop always drains it.
    pub(super) events: SignalEvents,
    overflowed: bool,
}

impl Signal {
    /// Joins. `offer` asks for one peer connection (`/rtc/v1`); [`Signal::is_single_pc`] says what the
    /// server has accepted.
    pub(super) async fn connect(
        url: &str,
        token: &str,
        offer: Option<SessionDescription>,
        limit: Duration,
    ) -> Result<(Self, JoinResponse), SignalError> {
        let mut options = SignalOptions::default();
        options.single_peer_connection = offer.is_some();
        // Subscriptions are explicit, so that video is never subscribed to.
        options.auto_subscribe = false;
        options.connect_timeout = limit;
        options.protocol_version = PROTOCOL_VERSION;
        // No data streams v2: nobody sends us compressed or inline text.
        options.client_protocol = CLIENT_PROTOCOL_DEFAULT;
        options.client_capabilities = Vec::new();
        options.sdk_options.sdk_version = Some(env!("CARGO_PKG_VERSION").to_owned());

        let (url, token) = (crate::server::ws_url(url), token.to_owned());
        let runtime = Handle::current();
        let connecting = async move {
            let connected = SignalClient::connect(&url, &token, options, offer).await?;
            let (client, join, events) = connected;
            Ok((Untaken { client: Some(client), runtime }, join, events))
        };
        let (mut untaken, join, events) = off_the_runtime(connecting).await?;
        let client = Arc::new(untaken.client.take().expect("nobody else has taken it"));
        let (outbox, requests) = mpsc::channel(OUTBOX_MAX);
        let sender = tokio::spawn(send_all(client.clone(), requests));
        Ok((Self { client, outbox, sender, events, overflowed: false }, join))
    }

    pub(super) fn is_single_pc(&self) -> bool {
        self.client.is_single_pc_mode_active()
    }

    pub(super) fn next_request_id(&self) -> u32 {
        self.client.next_request_id()
    }

    /// Queues a request. Requests keep their order.
    pub(super) fn send(&mut self, request: signal_request::Message) {
        self.overflowed |= self.outbox.try_send(request).is_err();
    }

    /// A request found no place: only a new session helps.
    pub(super) fn has_overflowed(&self) -> bool {
        self.overflowed
    }

    pub(super) fn client(&self) -> Arc<SignalClient> {
        self.client.clone()
    }

    /// Sends what is queued and closes.
    pub(super) async fn close(self) {
        drop(self.outbox);
        if tokio::time::timeout(CLOSE_LIMIT, self.sender).await.is_err() {
            tracing::debug!("closing the signalling connection took too long");
        }
    }
}

/// Leaving has to be said: the end of DTLS or of the socket does not end a participant.
pub(super) fn goodbye() -> signal_request::Message {
    signal_request::Message::Leave(LeaveRequest {
        action: leave_request::Action::Disconnect.into(),
        reason: DisconnectReason::ClientInitiated.into(),
        ..Default::default()
    })
}

/// A connection on its way from the thread that made it: whoever wanted it may be gone by then, and the
/// server would have somebody in the room who is not there.
struct Untaken {
    client: Option<SignalClient>,
    runtime: Handle,
}

impl Drop for Untaken {
    fn drop(&mut self) {
        let Some(client) = self.client.take() else { return };
        self.runtime.spawn(async move {
            client.send(goodbye()).await;
            client.close().await;
        });
    }
}

async fn send_all(
    client: Arc<SignalClient>,
    mut requests: mpsc::Receiver<signal_request::Message>,
) {
    while let Some(request) = requests.recv().await {
        client.send(request).await;
    }
    client.close().await;
}

/// Runs a connection attempt of `livekit-signaling` on a thread that may block: each one asks `os_info`
/// for the system's name, which forks `lsb_release` where that is installed, for 40 to 90 ms. On the
/// runtime's own threads all rooms would stand still for so long.
pub(super) async fn off_the_runtime<T: Send + 'static>(
    connecting: impl Future<Output = Result<T, SignalError>> + Send + 'static,
) -> Result<T, SignalError> {
    let runtime = Handle::current();
    let joined = tokio::task::spawn_blocking(move || runtime.block_on(connecting)).await;
    joined.unwrap_or_else(|error| Err(SignalError::Connection(error.to_string())))
}
