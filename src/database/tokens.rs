//! Secrets that are shown once and kept as hashes, and names of rows.

use sha2::{Digest, Sha256};

/// A new id of a row: 128 random bits in hex.
pub fn new_id() -> String {
    format!("{:032x}", rand::random::<u128>())
}

/// A new secret of 256 random bits, in hex.
pub fn new_token() -> String {
    format!("{:032x}{:032x}", rand::random::<u128>(), rand::random::<u128>())
}

/// What is kept of a secret. It has 256 random bits, so a fast hash is enough.
pub(super) fn hash(token: &str) -> String {
    Sha256::digest(token.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}
