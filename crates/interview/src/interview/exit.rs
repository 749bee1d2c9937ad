//! Ways out of a stage or of the interview, and why one was taken.

use serde::{Deserialize, Serialize};

use crate::interview::ids::Epoch;

/// Why a stage ended. Goes unchanged into journal, log and dashboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The interview has as many answers as it may have (X04).
    MaxTurns,
    /// The candidate skipped questions, or the whole stage.
    CandidateSkipped,
    /// Everything that the stage had to find out is known, and no thread is left (X03).
    RubricSettled,
    /// The model proposed it and it was accepted.
    Tool,
    /// All questions of the stage were asked and the last one was answered.
    QuestionLimit,
    /// The candidate was silent for too long.
    Silence,
    /// The stage's time limit has passed.
    StageLimit,
    /// Nothing is left of the stage's own plan.
    AgendaDone,
}

impl Reason {
    /// Whether a limit ended the stage and not the conversation itself: then the bridge says so (H06).
    pub fn is_forced(self) -> bool {
        match self {
            Self::MaxTurns | Self::Silence | Self::StageLimit => true,
            Self::CandidateSkipped
            | Self::RubricSettled
            | Self::Tool
            | Self::QuestionLimit
            | Self::AgendaDone => false,
        }
    }
}

/// A way out, decided in an epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// To the next stage.
    Stage { epoch: Epoch, why: Reason },
    /// Out of the interview; `why` if it is by the end of the last stage.
    Interview { end: End, why: Option<Reason> },
}

/// How an interview ended (H13).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// All stages are done.
    Completed,
    /// The candidate asked to stop.
    CandidateEnded,
    /// The candidate went away and did not come back.
    CandidateLeft,
    /// Two stages in a row passed without a word.
    CandidateSilent,
    /// The candidate never came.
    NoShow,
    /// The interview's time limit has passed.
    OutOfTime,
    /// The interview had as many answers as it may have.
    MaxTurns,
    /// The candidate went on insulting us.
    Abuse,
    /// The interviewer could not go on.
    Technical,
    /// The operator or the server ended it.
    Operator,
}
