//! Orders of an operator to the agent in a room, signed with the server's secret.
//!
//! A data packet without an identity proves nothing: the server's API sends such packets, and so does every
//! hidden participant.

use std::time::Duration;

use livekit_api::access_token::{AccessToken, TokenVerifier, VideoGrants};

use super::keys::{ApiKeys, TokenError, signed};
use crate::clock;

/// The kind of token that is an order: none that lets anybody into a room is one, whatever its metadata say.
const KIND: &str = "order";
/// How old an order may be, and how far the clocks of two machines may differ.
const AGE_LIMIT_S: u64 = 60;

/// Signs orders to the agent in one room, and reads them there.
#[derive(Clone, Debug)]
pub struct Orders {
    keys: ApiKeys,
    room: String,
}

impl Orders {
    /// Orders in `room`, with the keys of its server.
    pub fn new(keys: &ApiKeys, room: &str) -> Self {
        Self { keys: keys.clone(), room: room.to_owned() }
    }

    /// Signs an order: the payload of a data packet. It holds for a minute and in this room alone. It can be
    /// read by whoever gets it: send it to the agent and nobody else.
    pub fn sign(&self, order: &str) -> Result<Vec<u8>, TokenError> {
        let ApiKeys { key, secret } = &self.keys;
        let token = AccessToken::with_api_key(key, secret)
            .with_ttl(Duration::from_secs(AGE_LIMIT_S))
            .with_grants(self.grants())
            .with_kind(KIND)
            .with_metadata(order);
        Ok(signed(token)?.into_bytes())
    }

    /// Returns the order in a payload; `None` if it was not signed with our secret, or for another room, or
    /// is older than a minute. The same payload twice is the same order twice: give each an id.
    pub fn read(&self, payload: &[u8]) -> Option<String> {
        self.read_at(payload, now_s())
    }

    fn read_at(&self, payload: &[u8], now_s: u64) -> Option<String> {
        let ApiKeys { key, secret } = &self.keys;
        let token = std::str::from_utf8(payload).ok()?;
        let claims = TokenVerifier::with_api_key(key, secret).verify(token).ok()?;
        let signed_s = u64::try_from(claims.nbf).ok()?;
        let is_ours = claims.kind == KIND && claims.video == self.grants();
        let is_fresh = now_s.abs_diff(signed_s) <= AGE_LIMIT_S;
        (is_ours && is_fresh).then_some(claims.metadata)
    }

    /// Names the room, and allows nothing.
    fn grants(&self) -> VideoGrants {
        VideoGrants { room: self.room.clone(), ..Default::default() }
    }
}

fn now_s() -> u64 {
    u64::try_from(clock::unix_millis() / 1_000).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::Role;

    fn of(key: &str, secret: &str, room: &str) -> Orders {
        Orders::new(&ApiKeys::new(key, secret), room)
    }

    /// An order is read with the same secret, in the same room, and for a minute; it lets nobody into a room.
    #[test]
    fn orders_are_signed() {
        let orders = of("key", "secret", "room");
        let signed = orders.sign("end").unwrap();
        let now_s = now_s();
        assert_eq!(orders.read(&signed).as_deref(), Some("end"));
        assert_eq!(orders.read_at(&signed, now_s + 2 * AGE_LIMIT_S), None, "old");
        assert_eq!(orders.read_at(&signed, now_s - 2 * AGE_LIMIT_S), None, "of the future");
        assert_eq!(of("key", "secret", "other").read(&signed), None);
        assert_eq!(of("key", "guessed", "room").read(&signed), None);
        assert_eq!(of("another", "secret", "room").read(&signed), None);
        for cut in [0, 1, signed.len() / 2, signed.len() - 1] {
            assert_eq!(orders.read(&signed[..cut]), None, "{cut}");
        }
        assert_eq!(orders.read(br#"{"id":"1","request":"end"}"#), None);
        assert_eq!(orders.read(b"\xff\xff"), None);
    }

    /// A token of somebody in the room is no order, though the same secret signs it, and even if a page chose
    /// its metadata.
    #[test]
    fn tokens_of_people_are_no_orders() {
        let orders = of("key", "secret", "room");
        for role in [Role::Candidate, Role::Person, Role::Agent, Role::Observer] {
            let token = orders.keys.room_token("room", "mallory", role).unwrap();
            assert_eq!(orders.read(token.as_bytes()), None, "{role:?}");
        }
        let grants = VideoGrants { room_join: true, room: "room".to_owned(), ..Default::default() };
        let token = AccessToken::with_api_key("key", "secret").with_identity("mallory");
        for token in [token.clone().with_kind(KIND), token] {
            let token = token.with_grants(grants.clone()).with_metadata("end").to_jwt().unwrap();
            assert_eq!(orders.read(token.as_bytes()), None);
        }
    }
}
