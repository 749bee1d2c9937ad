use serde::{Deserialize, Serialize};

use crate::journal::Accommodations;

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
    /// What is made different for them, where they chose it: for the interviewer and their own pages alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accommodations: Option<Accommodations>,
}
