//! The ids of an interview: replies, turns, tool calls, questions, and the epoch that counts its stages.

use serde::{Deserialize, Serialize};

/// One reply of the interviewer, from the decision to speak until its last sample was heard or it was cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ReplyId(pub u32);

/// One contribution of the candidate, from first word to end of turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TurnId(pub u32);

/// One tool call of a model; counts through the interview.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CallId(pub u32);

/// One question that the candidate heard; counts through the interview.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct QuestionId(pub u32);

/// Counts the handoffs of an interview. A proposal carries the epoch in which it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Epoch(pub u32);
