use serde::{Deserialize, Serialize};

/// What the candidate agreed to, and when: `consent.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Consent {
    /// Version of this file's shape: 1.
    pub v: u32,
    /// When they agreed to take part, in milliseconds since 1970.
    pub take_part_at: u64,
    /// Whether they agreed to be recorded.
    #[serde(default)]
    pub recording: bool,
}
