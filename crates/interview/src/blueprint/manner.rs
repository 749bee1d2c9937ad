//! Manners: how a simulated candidate behaves.

use serde::{Deserialize, Serialize};

/// How a simulated candidate behaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Manner {
    /// Answers each question in a few sentences.
    #[default]
    Cooperative,
    /// Answers in a few words.
    Brief,
    /// Answers at great length.
    Rambling,
    /// Asks back before most answers: for the question again, in other words, or something about the job.
    Asking,
    /// Says nothing at all.
    Silent,
    /// Wants to stop after two answers.
    Leaving,
}

impl Manner {
    /// All there are.
    pub const ALL: [Self; 6] =
        [Self::Cooperative, Self::Brief, Self::Rambling, Self::Asking, Self::Silent, Self::Leaving];
}
