//! The worker's WebSocket.

use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use livekit_protocol::{self as proto, server_message, worker_message};
use prost::Message;
use tokio::{net::TcpStream, time::timeout};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{self, client::IntoClientRequest, http::HeaderValue},
};

use super::{WorkerError, WorkerOptions};
use crate::{
    clock,
    server::{ApiKeys, ws_url},
};

const CONNECT_LIMIT: Duration = Duration::from_secs(5);
const REGISTER_LIMIT: Duration = Duration::from_secs(10);
const SEND_LIMIT: Duration = Duration::from_secs(5);
/// Pings go out every 10 s; whoever has said nothing for longer is gone, whatever TCP thinks.
const SILENCE_LIMIT: Duration = Duration::from_secs(20);

/// A registered connection.
pub(super) struct Connection {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    last_heard: Instant,
}

/// What a worker tells the server of itself.
#[derive(Clone)]
pub(super) struct Registration {
    pub(super) url: String,
    pub(super) keys: ApiKeys,
    agent_name: String,
}

impl From<&WorkerOptions> for Registration {
    fn from(options: &WorkerOptions) -> Self {
        let WorkerOptions { url, keys, agent_name, .. } = options;
        Self { url: url.clone(), keys: keys.clone(), agent_name: agent_name.clone() }
    }
}

/// A connection was lost; the sentence is for the log.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Lost(String);

impl Connection {
    /// Connects and registers.
    pub(super) async fn open(we: &Registration) -> Result<Self, WorkerError> {
        let url = ws_url(&we.url);
        let no_server = |cause: String| WorkerError::NoServer { url: url.clone(), cause };
        let mut request = format!("{url}/agent?protocol=1")
            .into_client_request()
            .map_err(|_| WorkerError::BadUrl { url: we.url.clone() })?;
        let bearer = HeaderValue::from_str(&format!("Bearer {}", we.keys.worker_token()?));
        let bearer = bearer.map_err(|error| no_server(error.to_string()))?;
        request.headers_mut().insert("Authorization", bearer);
        let socket = match timeout(CONNECT_LIMIT, connect_async(request)).await {
            Ok(Ok((socket, _))) => socket,
            Ok(Err(tungstenite::Error::Url(_))) => {
                return Err(WorkerError::BadUrl { url: we.url.clone() });
            }
            Ok(Err(tungstenite::Error::Http(answer)))
                if matches!(answer.status().as_u16(), 401 | 403) =>
            {
                return Err(WorkerError::Refused { url });
            }
            Ok(Err(error)) => return Err(no_server(error.to_string())),
            Err(_) => return Err(no_server("it does not answer".to_owned())),
        };
        let mut connection = Self { socket, last_heard: clock::instant() };
        let register = worker_message::Message::Register(we.message());
        connection.send(register).await.map_err(|lost| no_server(lost.to_string()))?;
        let answer = timeout(REGISTER_LIMIT, connection.receive()).await;
        match answer {
            Ok(Ok(server_message::Message::Register(registered))) => {
                let server = registered.server_info.unwrap_or_default().version;
                tracing::info!(worker = registered.worker_id, server, "registered");
                Ok(connection)
            }
            Ok(Ok(_)) => Err(no_server("it does not register us".to_owned())),
            Ok(Err(lost)) => Err(no_server(lost.to_string())),
            Err(_) => Err(no_server("it does not answer the registration".to_owned())),
        }
    }

    pub(super) async fn send(&mut self, message: worker_message::Message) -> Result<(), Lost> {
        let bytes = proto::WorkerMessage { message: Some(message) }.encode_to_vec();
        let sending = self.socket.send(tungstenite::Message::Binary(bytes.into()));
        match timeout(SEND_LIMIT, sending).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(Lost(error.to_string())),
            Err(_) => Err(Lost("sending took too long".to_owned())),
        }
    }

    /// The next message. May be dropped while it waits: tungstenite keeps what it has of a frame.
    pub(super) async fn receive(&mut self) -> Result<server_message::Message, Lost> {
        loop {
            let silent_at = self.last_heard + SILENCE_LIMIT;
            let frame = match tokio::time::timeout_at(silent_at.into(), self.socket.next()).await {
                Ok(Some(Ok(frame))) => frame,
                Ok(Some(Err(error))) => return Err(Lost(error.to_string())),
                Ok(None) => return Err(Lost("the server closed the connection".to_owned())),
                Err(_) => return Err(Lost("the server is silent".to_owned())),
            };
            self.last_heard = clock::instant();
            // tungstenite answers pings itself.
            let tungstenite::Message::Binary(bytes) = frame else { continue };
            match proto::ServerMessage::decode(bytes) {
                Ok(proto::ServerMessage { message: Some(message) }) => return Ok(message),
                Ok(_) => {}
                Err(error) => tracing::warn!(%error, "ignored a malformed message"),
            }
        }
    }
}

impl Registration {
    fn message(&self) -> proto::RegisterWorkerRequest {
        proto::RegisterWorkerRequest {
            r#type: proto::JobType::JtRoom.into(),
            agent_name: self.agent_name.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            allowed_permissions: Some(proto::ParticipantPermission {
                can_subscribe: true,
                can_publish: true,
                can_publish_data: true,
                can_update_metadata: true,
                ..Default::default()
            }),
            ..Default::default()
        }
    }
}
