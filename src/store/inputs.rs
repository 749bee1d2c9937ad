use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What an interview is launched with: `inputs.json`, the only way a form reaches a worker (N04).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inputs {
    /// Version of this file's shape: 1.
    pub v: u32,
    /// The blueprint as it was at launch (B03).
    pub blueprint: FrozenBlueprint,
    /// Whom it is about.
    pub candidate: Candidate,
    /// Text of the job description: data for the prompt, never instructions (B04).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub job_description: Option<String>,
    /// The language spoken, as a BCP 47 tag.
    pub language: String,
}

/// The texts of a blueprint's folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FrozenBlueprint {
    /// The folder's name.
    pub name: String,
    /// File name → text.
    pub files: BTreeMap<String, String>,
}

/// What the recruiter said of the candidate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// How they are called; empty for a foreign job.
    pub name: String,
    /// The role they apply for; may be empty for a foreign job.
    pub role: String,
    /// How experienced they are to be.
    pub level: Level,
}

/// Level of the role (U02).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// 0–2 years.
    Entry,
    /// 3–5 years.
    #[default]
    Mid,
    /// 6 years and more.
    Senior,
    /// Leads a team.
    Lead,
    /// Leads without a team.
    Staff,
}
