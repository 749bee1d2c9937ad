//! The check of an id token: by the provider's keys, for us, of this sign-in, in time.

use jsonwebtoken::{
    Algorithm, DecodingKey, Validation, decode, decode_header,
    errors::ErrorKind,
    jwk::{Jwk, JwkSet},
};
use serde::Deserialize;
use subtle::ConstantTimeEq;

/// How far clocks may be apart.
const LEEWAY_S: u64 = 60;
const SUBJECT_CHARS_MAX: usize = 255;
const TEXT_CHARS_MAX: usize = 254;

/// What a token has to say.
pub(super) struct Expected<'a> {
    pub(super) issuer: &'a str,
    pub(super) client: &'a str,
    pub(super) nonce: &'a str,
}

/// Why a token is refused.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refused {
    /// The provider has no such key, as far as we know.
    #[error("it is signed with a key that the provider does not name")]
    UnknownKey,
    /// Anything else.
    #[error("{0}")]
    Wrong(&'static str),
}

/// What a token says of somebody.
#[derive(Debug, Deserialize)]
pub(super) struct Said {
    pub(super) sub: String,
    #[serde(default)]
    pub(super) email: String,
    #[serde(default)]
    email_verified: Verified,
    #[serde(default)]
    pub(super) name: String,
    #[serde(default)]
    pub(super) groups: Vec<String>,
    #[serde(default)]
    nonce: String,
    /// When they showed the provider who they are, in seconds since 1970; most say it where it is asked for.
    #[serde(default)]
    pub(super) auth_time: Option<i64>,
    #[serde(default)]
    azp: Option<String>,
    aud: Audience,
}

/// Some providers write it as text.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Verified {
    Flag(bool),
    Text(String),
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Audience {
    One(#[expect(dead_code, reason = "checked while decoding")] String),
    Many(Vec<String>),
}

impl Default for Verified {
    fn default() -> Self {
        Self::Flag(false)
    }
}

impl Said {
    /// Whether the provider has checked the address.
    pub(super) fn is_checked(&self) -> bool {
        match &self.email_verified {
            Verified::Flag(is_checked) => *is_checked,
            Verified::Text(text) => text == "true",
        }
    }
}

impl Expected<'_> {
    /// What a token says, where it can be trusted.
    pub(super) fn check(&self, token: &str, keys: &JwkSet) -> Result<Said, Refused> {
        let header = decode_header(token).map_err(|_| Refused::Wrong("it is no token"))?;
        // A secret that both know is no key of the provider's, and a token without a signature none.
        if !is_asymmetric(header.alg) {
            return Err(Refused::Wrong("it is signed in a way that is not taken"));
        }
        let key = match &header.kid {
            Some(kid) => keys.find(kid),
            None => only(keys),
        };
        let key = key.ok_or(Refused::UnknownKey)?;
        if key.common.key_algorithm.is_some_and(|of| of.to_string() != format!("{:?}", header.alg))
        {
            return Err(Refused::Wrong("its key is for another way to sign"));
        }
        let key =
            DecodingKey::from_jwk(key).map_err(|_| Refused::Wrong("its key cannot be read"))?;
        let mut validation = Validation::new(header.alg);
        validation.leeway = LEEWAY_S;
        validation.validate_nbf = true;
        validation.set_audience(&[self.client]);
        validation.set_issuer(&[self.issuer]);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        let said =
            decode::<Said>(token, &key, &validation).map_err(|why| wrong(why.kind()))?.claims;
        self.check_claims(said)
    }

    fn check_claims(&self, said: Said) -> Result<Said, Refused> {
        if !bool::from(said.nonce.as_bytes().ct_eq(self.nonce.as_bytes())) {
            return Err(Refused::Wrong("it belongs to another sign-in"));
        }
        let is_shared = matches!(&said.aud, Audience::Many(all) if all.len() > 1);
        let is_ours = said.azp.as_deref().map_or(!is_shared, |azp| azp == self.client);
        if !is_ours {
            return Err(Refused::Wrong("it was made for another program"));
        }
        if said.sub.is_empty() || said.sub.chars().count() > SUBJECT_CHARS_MAX {
            return Err(Refused::Wrong("it names nobody"));
        }
        let is_long = |text: &str| text.chars().count() > TEXT_CHARS_MAX;
        if is_long(&said.email) || is_long(&said.name) {
            return Err(Refused::Wrong("its name or address is too long"));
        }
        Ok(said)
    }
}

fn is_asymmetric(algorithm: Algorithm) -> bool {
    match algorithm {
        Algorithm::HS256 | Algorithm::HS384 | Algorithm::HS512 => false,
        Algorithm::ES256
        | Algorithm::ES384
        | Algorithm::RS256
        | Algorithm::RS384
        | Algorithm::RS512
        | Algorithm::PS256
        | Algorithm::PS384
        | Algorithm::PS512
        | Algorithm::EdDSA => true,
    }
}

/// A provider with one key need not name it.
fn only(keys: &JwkSet) -> Option<&Jwk> {
    match keys.keys.as_slice() {
        [key] => Some(key),
        _ => None,
    }
}

fn wrong(why: &ErrorKind) -> Refused {
    Refused::Wrong(match why {
        ErrorKind::ExpiredSignature => "its time is over",
        ErrorKind::ImmatureSignature => "its time has not come yet",
        ErrorKind::InvalidAudience => "it was made for another program",
        ErrorKind::InvalidIssuer => "another provider made it",
        ErrorKind::InvalidSignature => "its signature is wrong",
        ErrorKind::InvalidAlgorithm => "its key is for another way to sign",
        _ => "it cannot be read",
    })
}
