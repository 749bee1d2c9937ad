//! Ways out of a stage or of the interview, and why one was taken.

use serde::{Deserialize, Serialize};

use crate::interview::ids::Epoch;

/// Why a stage ended. Goes unchanged into journal, log and dashboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// So many answers were given that the interview has to be closed (X04).
    MaxTurns,
    /// The candidate left questions, or the whole part, out.
    CandidateSkipped,
    /// All is known that the stage had to find out, and no thread is left (X03).
    RubricSettled,
    /// The model proposed it and it was accepted.
    Tool,
    /// All questions of the stage were asked and the last one was answered.
    QuestionLimit,
    /// The candidate was silent for too long.
    Silence,
    /// The stage has lasted long enough.
    StageLimit,
}

impl Reason {
    /// Whether something else than the conversation itself ended the stage: then the bridge says so (H06).
    pub fn is_forced(self) -> bool {
        match self {
            Self::MaxTurns | Self::Silence | Self::StageLimit => true,
            Self::CandidateSkipped | Self::RubricSettled | Self::Tool | Self::QuestionLimit => {
                false
            }
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
    /// The interview's time was over.
    OutOfTime,
    /// So many answers were given that it had to be closed.
    MaxTurns,
    /// The candidate went on insulting us.
    Abuse,
    /// We could not go on.
    Technical,
    /// The operator or the server ended it.
    Operator,
}
