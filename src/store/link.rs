use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::InterviewId;

/// A candidate's link: the interview's id and a secret of 256 random bits, 96 hex digits together. It is
/// shown once, at launch; only the secret's hash is kept (C04).
#[derive(Clone, PartialEq, Eq)]
pub struct LinkToken {
    id: InterviewId,
    secret: [u8; 32],
}

impl LinkToken {
    /// A new secret for this interview.
    pub fn random(id: InterviewId) -> Self {
        Self { id, secret: rand::random() }
    }

    /// Reads what came with a request; `None` when it cannot be a link.
    pub fn parse(text: &str) -> Option<Self> {
        let (id, secret) = text.split_at_checked(32)?;
        let mut bytes = [0; 32];
        let mut digits = secret.chars();
        for byte in &mut bytes {
            let (high, low) = (digits.next()?.to_digit(16)?, digits.next()?.to_digit(16)?);
            *byte = u8::try_from(high * 16 + low).ok()?;
        }
        if digits.next().is_some() {
            return None;
        }
        Some(Self { id: id.parse().ok()?, secret: bytes })
    }

    /// The interview it claims to belong to: not proven before [`Launch::admits`].
    pub fn id(&self) -> InterviewId {
        self.id
    }

    /// As it stands in the link. Not `Display`, so that it gets into no log by accident.
    pub fn reveal(&self) -> String {
        format!("{}{}", self.id, hex(&self.secret))
    }

    /// What is kept of it.
    pub fn hash(&self) -> String {
        sha256_hex(&self.secret)
    }
}

impl fmt::Debug for LinkToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LinkToken({}…)", self.id)
    }
}

/// A launch with its link, and what the candidate's pages show: `launch.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Launch {
    /// Version of this file's shape: 1.
    pub v: u32,
    /// SHA-256 of the link's secret, in hex.
    pub token_hash: String,
    /// Milliseconds since 1970.
    pub launched_at: u64,
    /// Milliseconds since 1970: later the link starts nothing.
    pub expires_at: u64,
    /// The blueprint's title.
    pub title: String,
    /// How the interviewer is called.
    pub interviewer: String,
    /// The stages in order, as the candidate sees them.
    pub stages: Vec<Stage>,
    /// The longest the interview can take, in seconds.
    pub length_limit_s: u64,
    /// Whether the invitation was taken back: the link starts nothing any more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cancelled: bool,
    /// SHA-256 of the secrets of links that went out by mail, in hex; the newest last, [`MAILED_MAX`] at
    /// most. Each mail has a link of its own, so that no secret is kept until it is sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mailed: Vec<String>,
}

/// How many links that went out by mail work at a time.
pub const MAILED_MAX: usize = 16;

/// A stage as people see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stage {
    /// The agent's name, as in the attribute `vivavoce.stage`.
    pub id: String,
    /// Its title.
    pub title: String,
}

impl Launch {
    /// Whether an interview that has not ended can be joined by it.
    pub fn is_open(&self, now_ms: u64) -> bool {
        !self.cancelled && now_ms < self.expires_at
    }

    /// Whether this is a link's secret. Takes the same time wherever they differ.
    pub fn admits(&self, token: &LinkToken) -> bool {
        let hash = token.hash();
        let is = |known: &String| hash.as_bytes().ct_eq(known.as_bytes());
        self.mailed.iter().fold(is(&self.token_hash), |found, known| found | is(known)).into()
    }

    /// The launch with one more link for a mail; the oldest one makes room.
    pub fn with_mailed(mut self, token: &LinkToken) -> Self {
        let too_many = (self.mailed.len() + 1).saturating_sub(MAILED_MAX);
        self.mailed.drain(..too_many);
        self.mailed.push(token.hash());
        self
    }
}

pub(super) fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// C04: a link has 256 secret bits, only its hash is kept, and nothing else is admitted.
    #[test]
    fn only_the_links_own_secret_is_admitted() {
        let token = LinkToken::random(InterviewId::random());
        let launch = Launch {
            v: 1,
            token_hash: token.hash(),
            launched_at: 0,
            expires_at: 1,
            title: String::new(),
            interviewer: String::new(),
            stages: Vec::new(),
            length_limit_s: 1,
            cancelled: false,
            mailed: Vec::new(),
        };
        let read = LinkToken::parse(&token.reveal()).unwrap();
        assert!(launch.admits(&read));
        assert!(!launch.admits(&LinkToken::random(token.id())));
        let mailed: Vec<_> = (0..=MAILED_MAX).map(|_| LinkToken::random(token.id())).collect();
        let launch = mailed.iter().fold(launch, |launch, token| launch.with_mailed(token));
        assert!(launch.admits(&token) && mailed[1..].iter().all(|mailed| launch.admits(mailed)));
        assert!(!launch.admits(&mailed[0]), "the oldest made room");
        assert_eq!(launch.mailed.len(), MAILED_MAX);
        let kept = serde_json::to_string(&launch).unwrap();
        assert!(!kept.contains(&token.reveal()[32..]), "the secret itself is kept nowhere");
        assert!(!format!("{token:?}").contains(&token.reveal()[32..]));
    }

    /// C04: what is no link is nothing, whatever its bytes.
    #[test]
    fn what_is_no_link_is_refused() {
        let good = LinkToken::random(InterviewId::random()).reveal();
        let odd = format!("{}é{}", &good[..31], &good[33..]);
        for bad in [
            "",
            "x",
            &good[..95],
            &format!("{good}0"),
            &good.replace(&good[40..], "zz"),
            &odd,
            &"é".repeat(48),
        ] {
            assert!(LinkToken::parse(bad).is_none(), "{bad}");
        }
    }
}
