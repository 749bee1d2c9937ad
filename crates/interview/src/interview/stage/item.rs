//! The questions of a backlog (K01), as projections show them.

use serde::{Deserialize, Serialize};

use crate::blueprint::Urgency;
use crate::interview::ids::{QuestionId, TurnId};

/// A planned question and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// `plan-1`, `followup-1`, `discovered-1` …, or what the plan calls it.
    pub id: String,
    /// What is to be found out, as it was planned.
    pub text: String,
    /// How much it matters.
    pub priority: Urgency,
    /// How far it is.
    pub status: ItemStatus,
    /// Where it comes from.
    pub origin: Origin,
    /// The item whose answer called for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// The question as it was heard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<QuestionId>,
    /// The turn that answers it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<TurnId>,
    /// How sure the judge is that the answer says all, 0..=1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f32>,
    /// What the answer says, in sentences that stand alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<String>,
}

/// How far a planned question is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemStatus {
    /// Nobody has asked it.
    Open,
    /// It was heard and waits for its answer.
    Asked,
    /// It was answered in part.
    AnsweredPartial,
    /// It was answered.
    Answered,
    /// They do not know, or will not say.
    Unknown,
}

/// Where a planned question comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// It was there before.
    Plan,
    /// A thin answer called for it.
    FollowUp,
    /// An answer told of something that nobody had thought of.
    Discovered,
}

impl ItemStatus {
    /// Its name in files and on the wire.
    pub fn label(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Asked => "asked",
            Self::AnsweredPartial => "answered_partial",
            Self::Answered => "answered",
            Self::Unknown => "unknown",
        }
    }

    /// Whether it has no answer.
    pub(crate) fn is_unanswered(self) -> bool {
        match self {
            Self::Open | Self::Asked | Self::Unknown => true,
            Self::AnsweredPartial | Self::Answered => false,
        }
    }
}

impl Item {
    /// A question that nobody has asked yet.
    pub(crate) fn open(id: String, text: String, priority: Urgency, origin: Origin) -> Self {
        Self {
            id,
            text,
            priority,
            status: ItemStatus::Open,
            origin,
            parent: None,
            question: None,
            turn: None,
            confidence: None,
            facts: Vec::new(),
        }
    }
}
