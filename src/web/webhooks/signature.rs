//! Signatures of messages, as <https://www.standardwebhooks.com> describes them.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::base64;

/// What a secret begins with.
const SECRET_PREFIX: &str = "whsec_";

/// A new secret: 256 random bits.
pub(super) fn new_secret() -> String {
    format!("{SECRET_PREFIX}{}", base64::encode(&rand::random::<[u8; 32]>()))
}

/// The signature of a message that is sent at a time, in seconds since 1970; nothing where the secret is
/// none of ours.
pub(super) fn signature(secret: &str, id: &str, at_s: u64, body: &str) -> Option<String> {
    let key = base64::decode(secret.strip_prefix(SECRET_PREFIX)?)?;
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).ok()?;
    mac.update(format!("{id}.{at_s}.{body}").as_bytes());
    Some(format!("v1,{}", base64::encode(&mac.finalize().into_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// U09: the example of the standard's own libraries has their signature.
    #[test]
    fn as_in_the_standard() {
        let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        let (id, body) = ("msg_p5jXN8AQM9LWM0D4loKWxJek", "{\"test\": 2432232314}");
        let expected = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
        assert_eq!(signature(secret, id, 1_614_265_330, body).as_deref(), Some(expected));
        assert_eq!(signature("secret", id, 1, body), None);
        let own = new_secret();
        assert_ne!(own, new_secret());
        assert!(signature(&own, id, 1, body).is_some());
    }
}
