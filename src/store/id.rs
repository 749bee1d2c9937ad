use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest, Sha256};

/// An interview's id: 128 random bits, 32 lower-case hex digits. It names folder, room and identity, so it
/// says nothing about a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InterviewId(u128);

impl InterviewId {
    /// A new one.
    pub fn random() -> Self {
        Self(rand::random())
    }

    /// The id that belongs to a hash: a replay has the same one each time.
    pub fn of_hash(hash: &[u8; 32]) -> Self {
        Self(hash.iter().take(16).fold(0, |id, byte| (id << 8) | u128::from(*byte)))
    }

    /// The room of this interview (N01).
    pub fn room(&self) -> String {
        format!("vv-{self}")
    }

    /// The interview of a room; nothing if the room is none of ours.
    pub fn of_room(room: &str) -> Option<Self> {
        room.strip_prefix("vv-")?.parse().ok()
    }

    /// The interview of a room of somebody else's, the `turn`th in the life of it that has this `sid`, from
    /// 0: whoever is called into the room finds the same one.
    pub fn of_foreign_room(room: &str, sid: &str, turn: u32) -> Self {
        let named = format!("{}:{room}:{sid}:{turn}", room.len());
        Self::of_hash(&Sha256::digest(named.as_bytes()).into())
    }

    /// The candidate's identity in that room (N02).
    pub fn candidate(&self) -> String {
        format!("cand-{self}")
    }

    /// The metadata of a job for this interview (N01).
    pub fn metadata(&self) -> String {
        format!(r#"{{"v":1,"interview":"{self}"}}"#)
    }
}

impl fmt::Display for InterviewId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// The text is no interview's id.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("an interview's id has 32 of the digits 0-9 and a-f")]
pub struct NoId;

impl FromStr for InterviewId {
    type Err = NoId;

    /// Only the one spelling that `Display` writes: an id is a folder's name.
    fn from_str(text: &str) -> Result<Self, NoId> {
        let digits =
            text.len() == 32 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        if !digits {
            return Err(NoId);
        }
        u128::from_str_radix(text, 16).map(Self).map_err(|_| NoId)
    }
}

impl Serialize for InterviewId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for InterviewId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// N01, C04: an id from outside is one spelling or nothing, so it can never leave its folder.
    #[test]
    fn only_the_one_spelling_is_an_id() {
        let id = InterviewId::random();
        assert_eq!(id.to_string().parse::<InterviewId>().unwrap(), id);
        for bad in [
            "",
            "..",
            "../../etc",
            "0",
            &id.to_string().to_uppercase().replace('0', "A"),
            &format!("{id}0"),
            &"é".repeat(16),
        ] {
            assert!(bad.parse::<InterviewId>().is_err(), "{bad}");
        }
        assert_eq!(id.metadata(), format!(r#"{{"v":1,"interview":"{id}"}}"#));
    }
}
