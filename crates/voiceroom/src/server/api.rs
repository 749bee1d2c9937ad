//! Calls of the server's API: Twirp over HTTP.

use std::time::Duration;

use livekit_protocol as proto;
use prost::Message;
use reqwest::{StatusCode, header::CONTENT_TYPE};

use super::{ApiKeys, TokenError, http_url};
use crate::{
    http::{CallLimit, client},
    recipient::To,
};

/// How long one call may take.
const CALL_LIMIT: Duration = Duration::from_secs(5);
/// A client of a LiveKit server's API.
#[derive(Clone, Debug)]
pub struct Api {
    /// As the caller wrote it, for error messages.
    url: String,
    base: String,
    keys: ApiKeys,
    http: reqwest::Client,
}

/// Why a call of the API failed.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// No LiveKit server answers: worth another try.
    #[error(
        "no LiveKit server answers at {url} ({cause}); is it running, and is LIVEKIT_URL right?"
    )]
    NoServer {
        /// The server's address.
        url: String,
        /// What the connection said.
        cause: String,
    },
    /// The server does not accept key or secret: do not try again with the same ones.
    #[error(
        "the LiveKit server at {url} refuses key or secret; check LIVEKIT_API_KEY and LIVEKIT_API_SECRET"
    )]
    Refused {
        /// The server's address.
        url: String,
    },
    /// There is no such room, participant or dispatch.
    #[error("not found: {0}")]
    NotFound(String),
    /// The server failed.
    #[error("the LiveKit server at {url} failed: {cause}")]
    Failed {
        /// The server's address.
        url: String,
        /// What it said.
        cause: String,
    },
    /// No token could be made.
    #[error(transparent)]
    Token(#[from] TokenError),
}

/// An agent dispatch: the wish that an agent joins a room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dispatch {
    /// Its id.
    pub id: String,
    /// The name of the agent.
    pub agent: String,
    /// The metadata that the agent's job gets.
    pub metadata: String,
    /// How many workers have accepted it. The server does not tell what has become of their jobs.
    pub jobs: usize,
}

/// A participant of a room, as the API lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occupant {
    /// The participant's identity.
    pub identity: String,
    /// Whether it is an agent.
    pub is_agent: bool,
}

impl Api {
    /// Creates a client for the server at `url` (`ws`, `wss`, `http` or `https`).
    pub fn new(url: &str, keys: ApiKeys) -> Self {
        let http = client(CallLimit::Whole(CALL_LIMIT)).build().expect("there is TLS");
        Self { url: url.to_owned(), base: http_url(url), keys, http }
    }

    /// The server's key and secret.
    pub fn keys(&self) -> &ApiKeys {
        &self.keys
    }

    /// Creates a room, which the server closes when nobody has been in it for `empty_limit`. Nothing happens
    /// if the room exists.
    pub async fn create_room(&self, room: &str, empty_limit: Duration) -> Result<(), ApiError> {
        let empty_secs = u32::try_from(empty_limit.as_secs()).unwrap_or(u32::MAX);
        let request = proto::CreateRoomRequest {
            name: room.to_owned(),
            empty_timeout: empty_secs,
            departure_timeout: empty_secs,
            ..Default::default()
        };
        self.call::<proto::Room>("RoomService/CreateRoom", room, request).await.map(drop)
    }

    /// Returns whether a room exists.
    pub async fn has_room(&self, room: &str) -> Result<bool, ApiError> {
        let request = proto::ListRoomsRequest { names: vec![room.to_owned()] };
        let method = "RoomService/ListRooms";
        let list = self.call::<proto::ListRoomsResponse>(method, room, request).await?;
        Ok(!list.rooms.is_empty())
    }

    /// Lists the names of the rooms in which somebody is.
    pub async fn occupied_rooms(&self) -> Result<Vec<String>, ApiError> {
        let method = "RoomService/ListRooms";
        let request = proto::ListRoomsRequest::default();
        let list = self.call::<proto::ListRoomsResponse>(method, "", request).await?;
        let occupied = list.rooms.into_iter().filter(|room| room.num_participants > 0);
        Ok(occupied.map(|room| room.name).collect())
    }

    /// Deletes a room and disconnects everybody in it.
    pub async fn delete_room(&self, room: &str) -> Result<(), ApiError> {
        let request = proto::DeleteRoomRequest { room: room.to_owned() };
        let answer =
            self.call::<proto::DeleteRoomResponse>("RoomService/DeleteRoom", room, request);
        answer.await.map(drop)
    }

    /// Lists the participants of a room: none if there is no such room.
    pub async fn occupants(&self, room: &str) -> Result<Vec<Occupant>, ApiError> {
        let request = proto::ListParticipantsRequest { room: room.to_owned() };
        let method = "RoomService/ListParticipants";
        match self.call::<proto::ListParticipantsResponse>(method, room, request).await {
            Ok(list) => Ok(list.participants.into_iter().map(Occupant::from).collect()),
            Err(ApiError::NotFound(_)) => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// Removes a participant from a room.
    pub async fn remove_participant(&self, room: &str, identity: &str) -> Result<(), ApiError> {
        let request = proto::RoomParticipantIdentity {
            room: room.to_owned(),
            identity: identity.to_owned(),
            ..Default::default()
        };
        let method = "RoomService/RemoveParticipant";
        self.call::<proto::RemoveParticipantResponse>(method, room, request).await.map(drop)
    }

    /// Sends a data packet on a topic.
    pub async fn send_data(
        &self,
        room: &str,
        topic: &str,
        payload: Vec<u8>,
        to: To<'_>,
    ) -> Result<(), ApiError> {
        let request = proto::SendDataRequest {
            room: room.to_owned(),
            data: payload,
            kind: proto::data_packet::Kind::Reliable.into(),
            destination_identities: to.identities(),
            topic: Some(topic.to_owned()),
            ..Default::default()
        };
        self.call::<proto::SendDataResponse>("RoomService/SendData", room, request).await.map(drop)
    }

    /// Dispatches an agent to a room, which is created if it does not exist. Called twice, it dispatches two
    /// agents: see [`Api::call_agent`].
    pub async fn create_dispatch(
        &self,
        room: &str,
        agent: &str,
        metadata: &str,
    ) -> Result<Dispatch, ApiError> {
        let request = proto::CreateAgentDispatchRequest {
            agent_name: agent.to_owned(),
            room: room.to_owned(),
            metadata: metadata.to_owned(),
            ..Default::default()
        };
        let method = "AgentDispatchService/CreateDispatch";
        Ok(self.call::<proto::AgentDispatch>(method, room, request).await?.into())
    }

    /// Lists the dispatches of a room, with a job or without: none if there is no such room.
    pub async fn dispatches(&self, room: &str) -> Result<Vec<Dispatch>, ApiError> {
        let request =
            proto::ListAgentDispatchRequest { room: room.to_owned(), ..Default::default() };
        let method = "AgentDispatchService/ListDispatch";
        // For a room that is not there the server waits for an answer of nobody, for three seconds.
        if !self.has_room(room).await? {
            return Ok(Vec::new());
        }
        match self.call::<proto::ListAgentDispatchResponse>(method, room, request).await {
            // Those that were taken back stay in the list for a while.
            Ok(list) => Ok(list
                .agent_dispatches
                .into_iter()
                .filter(|d| d.state.as_ref().is_none_or(|s| s.deleted_at == 0))
                .map(Dispatch::from)
                .collect()),
            Err(ApiError::NotFound(_)) => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// Deletes a dispatch; if it has a job, the job is terminated.
    pub async fn delete_dispatch(&self, room: &str, dispatch: &str) -> Result<(), ApiError> {
        let request = proto::DeleteAgentDispatchRequest {
            dispatch_id: dispatch.to_owned(),
            room: room.to_owned(),
        };
        let method = "AgentDispatchService/DeleteDispatch";
        self.call::<proto::AgentDispatch>(method, room, request).await.map(drop)
    }

    /// Dispatches an agent to a room, unless it has been dispatched there already.
    pub async fn call_agent(
        &self,
        room: &str,
        agent: &str,
        metadata: &str,
    ) -> Result<(), ApiError> {
        let dispatches = self.dispatches(room).await?;
        if dispatches.iter().any(|d| d.agent == agent) {
            return Ok(());
        }
        self.create_dispatch(room, agent, metadata).await.map(drop)
    }

    /// Checks that a server answers at the address and accepts the key.
    pub async fn check(&self) -> Result<(), ApiError> {
        self.has_room("connection-check").await.map(drop)
    }

    async fn call<A: Message + Default>(
        &self,
        method: &str,
        room: &str,
        request: impl Message,
    ) -> Result<A, ApiError> {
        let url = self.url.clone();
        let no_server = |error: reqwest::Error| ApiError::NoServer {
            url: url.clone(),
            cause: root_cause(&error),
        };
        let answer = self
            .http
            .post(format!("{}/twirp/livekit.{method}", self.base))
            .bearer_auth(self.keys.api_token(room)?)
            .header(CONTENT_TYPE, "application/protobuf")
            .body(request.encode_to_vec())
            .send()
            .await
            .map_err(no_server)?;
        let status = answer.status();
        let body = answer.bytes().await.map_err(no_server)?;
        if !status.is_success() {
            return Err(failure(url, status, &body));
        }
        A::decode(body).map_err(|error| ApiError::Failed { url, cause: error.to_string() })
    }
}

/// Twirp errors are JSON with a code and a message.
fn failure(url: String, status: StatusCode, body: &[u8]) -> ApiError {
    #[derive(serde::Deserialize)]
    struct Twirp {
        code: String,
        msg: String,
    }
    let twirp = serde_json::from_slice::<Twirp>(body);
    match (status, twirp) {
        (StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN, _) => ApiError::Refused { url },
        (_, Ok(twirp)) if twirp.code == "not_found" => ApiError::NotFound(twirp.msg),
        // A room that exists on paper only: no node runs it.
        (_, Ok(twirp)) if twirp.msg.contains("no response from servers") => {
            ApiError::NotFound(twirp.msg)
        }
        (_, Ok(twirp)) => ApiError::Failed { url, cause: format!("{}: {}", twirp.code, twirp.msg) },
        (_, Err(_)) => ApiError::NoServer { url, cause: format!("it answers {status}") },
    }
}

/// The innermost cause: the outer ones only say that a request failed.
fn root_cause(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}

impl From<proto::AgentDispatch> for Dispatch {
    fn from(dispatch: proto::AgentDispatch) -> Self {
        Self {
            id: dispatch.id,
            agent: dispatch.agent_name,
            metadata: dispatch.metadata,
            jobs: dispatch.state.map_or(0, |state| state.jobs.len()),
        }
    }
}

impl From<proto::ParticipantInfo> for Occupant {
    fn from(info: proto::ParticipantInfo) -> Self {
        let is_agent = info.kind() == proto::participant_info::Kind::Agent;
        Self { identity: info.identity, is_agent }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fails(status: u16, body: &str) -> ApiError {
        failure("http://h".into(), StatusCode::from_u16(status).unwrap(), body.as_bytes())
    }

    /// What the server says becomes one of the few things that a caller can do something about.
    #[test]
    fn failures_are_sorted() {
        let denied = r#"{"code":"unauthenticated","msg":"permissions denied"}"#;
        assert!(matches!(fails(401, denied), ApiError::Refused { .. }));
        let missing = r#"{"code":"not_found","msg":"no room"}"#;
        assert!(matches!(fails(404, missing), ApiError::NotFound(what) if what == "no room"));
        assert!(matches!(fails(500, r#"{"code":"internal","msg":"x"}"#), ApiError::Failed { .. }));
        assert!(matches!(fails(404, "404 page not found"), ApiError::NoServer { .. }));
    }
}
