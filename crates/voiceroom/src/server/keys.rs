//! The API key and secret of a LiveKit server, and the tokens made with them.

use std::{fmt, time::Duration};

use livekit_api::access_token::{AccessToken, VideoGrants};
use livekit_protocol::{RoomAgentDispatch, RoomConfiguration};

/// How long a token lives; the server refreshes the tokens of participants.
const TOKEN_LIFETIME: Duration = Duration::from_secs(3600);
/// How long a token for one call of the server's API lives.
const API_TOKEN_LIFETIME: Duration = Duration::from_secs(60);

/// The API key and secret of a LiveKit server. Its `Debug` output does not show the secret.
#[derive(Clone)]
pub struct ApiKeys {
    pub(super) key: String,
    pub(super) secret: String,
}

/// What a participant may do in a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A candidate: may publish a microphone, subscribe and send data, and changes nothing about themselves.
    Candidate,
    /// A person: may publish, subscribe, send data and change their own attributes.
    Person,
    /// An agent: like a person, and the server forwards transcriptions that it sends on behalf of others.
    Agent,
    /// An observer: may subscribe, nothing else, and nobody in the room sees them.
    Observer,
}

/// A token could not be made.
#[derive(Debug, thiserror::Error)]
#[error("no token could be made ({0}); check LIVEKIT_API_KEY and LIVEKIT_API_SECRET")]
pub struct TokenError(String);

impl ApiKeys {
    /// Takes a key and its secret, as the server's configuration has them.
    pub fn new(key: impl Into<String>, secret: impl Into<String>) -> Self {
        Self { key: key.into(), secret: secret.into() }
    }

    /// Makes a token to join `room` as `identity` within the next hour. To stay in the room it is not needed
    /// any more.
    pub fn room_token(&self, room: &str, identity: &str, role: Role) -> Result<String, TokenError> {
        self.room_token_for(room, identity, role, TOKEN_LIFETIME)
    }

    /// Makes a token to join `room` as `identity` within `lifetime`.
    pub fn room_token_for(
        &self,
        room: &str,
        identity: &str,
        role: Role,
        lifetime: Duration,
    ) -> Result<String, TokenError> {
        let grants = room_grants(room, role);
        let token = self.token(lifetime, grants).with_identity(identity);
        let token = if role == Role::Agent { token.with_kind("agent") } else { token };
        signed(token)
    }

    /// Makes a token for a person that also dispatches an agent. The server does that when this token creates
    /// the room, and not when the room exists already.
    pub fn dispatching_token(
        &self,
        room: &str,
        identity: &str,
        agent: &str,
        metadata: &str,
    ) -> Result<String, TokenError> {
        let dispatch = RoomAgentDispatch {
            agent_name: agent.to_owned(),
            metadata: metadata.to_owned(),
            ..Default::default()
        };
        let config = RoomConfiguration { agents: vec![dispatch], ..Default::default() };
        let grants = room_grants(room, Role::Person);
        let token = self.token(TOKEN_LIFETIME, grants).with_identity(identity);
        signed(token.with_room_config(config))
    }

    /// Makes a token to register as an agent worker, and for nothing else.
    pub fn worker_token(&self) -> Result<String, TokenError> {
        let grants = VideoGrants { agent: true, ..Default::default() };
        signed(self.token(TOKEN_LIFETIME, grants))
    }

    /// A token for one call of the server's API; what concerns a room names it.
    pub(super) fn api_token(&self, room: &str) -> Result<String, TokenError> {
        let grants = VideoGrants {
            room_create: true,
            room_list: true,
            room_admin: true,
            room: room.to_owned(),
            ..Default::default()
        };
        signed(self.token(API_TOKEN_LIFETIME, grants))
    }

    fn token(&self, lifetime: Duration, grants: VideoGrants) -> AccessToken {
        AccessToken::with_api_key(&self.key, &self.secret).with_ttl(lifetime).with_grants(grants)
    }
}

pub(super) fn signed(token: AccessToken) -> Result<String, TokenError> {
    token.to_jwt().map_err(|error| TokenError(error.to_string()))
}

/// Every grant is named: one that a newer library adds has to be decided about.
fn room_grants(room: &str, role: Role) -> VideoGrants {
    let speaks = role != Role::Observer;
    VideoGrants {
        room_join: true,
        room: room.to_owned(),
        can_publish: Some(speaks),
        // None is any source: camera and screen, too.
        can_publish_sources: match role {
            Role::Candidate => vec!["microphone".to_owned()],
            Role::Person | Role::Agent | Role::Observer => Vec::new(),
        },
        can_publish_data: Some(speaks),
        can_subscribe: Some(true),
        // Without it the server refuses changes of attributes.
        can_update_own_metadata: Some(matches!(role, Role::Person | Role::Agent)),
        agent: role == Role::Agent,
        hidden: !speaks,
        room_create: false,
        room_list: false,
        room_record: false,
        room_admin: false,
        destination_room: String::new(),
        ingress_admin: false,
        recorder: false,
    }
}

/// Never shows the secret.
impl fmt::Debug for ApiKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ApiKeys").field("key", &self.key).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use livekit_api::access_token::{Claims, TokenVerifier};

    use super::*;

    fn claims(jwt: &str) -> Claims {
        TokenVerifier::with_api_key("key", "secret").verify(jwt).unwrap()
    }

    /// A worker's token may register a worker and nothing else.
    #[test]
    fn worker_token_is_for_workers_only() {
        let claims = claims(&ApiKeys::new("key", "secret").worker_token().unwrap());
        assert!(claims.video.agent);
        assert!(!claims.video.room_join && !claims.video.room_admin && !claims.video.room_create);
        assert_eq!((claims.sub.as_str(), claims.kind.as_str()), ("", ""));
    }

    /// A candidate's token lets them speak, hear and press buttons in one room, and nothing else: no camera,
    /// no screen, no name or attribute of their own, no other room, for so long and no longer. All claims are
    /// named, so that a new one is seen here.
    #[test]
    fn a_candidates_token_is_for_speaking_alone() {
        let lifetime = Duration::from_secs(900);
        let keys = ApiKeys::new("key", "secret");
        let token = keys.room_token_for("room", "cand", Role::Candidate, lifetime).unwrap();
        let claims = claims(&token);
        let video = VideoGrants {
            room_create: false,
            room_list: false,
            room_record: false,
            room_admin: false,
            room_join: true,
            room: "room".to_owned(),
            destination_room: String::new(),
            can_publish: Some(true),
            can_subscribe: Some(true),
            can_publish_data: Some(true),
            can_publish_sources: vec!["microphone".to_owned()],
            can_update_own_metadata: Some(false),
            ingress_admin: false,
            hidden: false,
            recorder: false,
            agent: false,
        };
        assert!((900..=901).contains(&(claims.exp - claims.nbf)), "{claims:?}");
        let (exp, nbf) = (claims.exp, claims.nbf);
        let (iss, sub) = ("key".to_owned(), "cand".to_owned());
        assert_eq!(claims, Claims { exp, nbf, iss, sub, video, ..Default::default() });
    }

    /// An agent's token lets it set attributes and speak for others; an observer only listens.
    #[test]
    fn room_token_says_what_a_role_may_do() {
        let keys = ApiKeys::new("key", "secret");
        let agent = claims(&keys.room_token("r", "agent", Role::Agent).unwrap());
        assert_eq!((agent.sub.as_str(), agent.kind.as_str()), ("agent", "agent"));
        assert!(
            agent.video.agent && agent.video.room_join && agent.video.can_update_own_metadata()
        );
        let person = claims(&keys.room_token("r", "p", Role::Person).unwrap());
        assert!(!person.video.agent && person.video.can_publish() && person.kind.is_empty());
        let observer = claims(&keys.room_token("r", "o", Role::Observer).unwrap());
        assert!(observer.video.can_subscribe() && !observer.video.can_publish());
        assert!(observer.video.hidden && !person.video.hidden);
        assert!(!format!("{keys:?}").contains("secret"));
    }
}
