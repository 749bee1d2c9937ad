//! What an interview that is over came to, as lists, reports and files say it.

use serde::{Deserialize, Serialize};

use crate::interview::End;

/// What an interview that is over came to. Only [`Outcome::Completed`] is ever called completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// All stages are done.
    Completed,
    /// The candidate asked to stop before that.
    CandidateEnded,
    /// The candidate went away and did not come back.
    CandidateLeft,
    /// Nothing was heard for too long.
    CandidateSilent,
    /// The candidate never came.
    NoShow,
    /// The interview's time was over.
    OutOfTime,
    /// It had as many answers as it may have.
    MaxTurns,
    /// The candidate went on insulting.
    Abuse,
    /// The interviewer could not go on: a fault on our side.
    Technical,
    /// Whoever runs it ended it.
    Operator,
    /// It stopped without an end of its own: a fault on our side.
    Interrupted,
}

impl Outcome {
    /// What an interview came to that is over and ended so; `None` where its journal has no end.
    pub fn of(end: Option<End>) -> Self {
        match end {
            Some(End::Completed) => Self::Completed,
            Some(End::CandidateEnded) => Self::CandidateEnded,
            Some(End::CandidateLeft) => Self::CandidateLeft,
            Some(End::CandidateSilent) => Self::CandidateSilent,
            Some(End::NoShow) => Self::NoShow,
            Some(End::OutOfTime) => Self::OutOfTime,
            Some(End::MaxTurns) => Self::MaxTurns,
            Some(End::Abuse) => Self::Abuse,
            Some(End::Technical) => Self::Technical,
            Some(End::Operator) => Self::Operator,
            None => Self::Interrupted,
        }
    }

    /// The same in a few words, for files.
    pub fn words(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::CandidateEnded => "ended by the candidate",
            Self::CandidateLeft => "the candidate left",
            Self::CandidateSilent => "the candidate was silent for too long",
            Self::NoShow => "the candidate did not come",
            Self::OutOfTime => "out of time",
            Self::MaxTurns => "ended after as many answers as there may be",
            Self::Abuse => "ended, the candidate was insulting",
            Self::Technical => "stopped by a fault",
            Self::Operator => "ended by the operator",
            Self::Interrupted => "interrupted by a fault",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::name;

    /// #41: each end has a word of its own, and one of them alone says "completed".
    #[test]
    fn one_end_alone_is_completed() {
        let ends = [
            None,
            Some(End::Completed),
            Some(End::CandidateEnded),
            Some(End::CandidateLeft),
            Some(End::CandidateSilent),
            Some(End::NoShow),
            Some(End::OutOfTime),
            Some(End::MaxTurns),
            Some(End::Abuse),
            Some(End::Technical),
            Some(End::Operator),
        ];
        let mut words = std::collections::BTreeSet::new();
        for end in ends {
            let outcome = Outcome::of(end);
            let is_completed = end == Some(End::Completed);
            assert_eq!(outcome.words().contains("completed"), is_completed, "{end:?}");
            assert_eq!(outcome == Outcome::Completed, is_completed, "{end:?}");
            let named = end.map_or("interrupted".to_owned(), |end| name(&end));
            assert_eq!(name(&outcome), named, "one name for programs");
            words.insert(outcome.words());
        }
        assert_eq!(words.len(), ends.len());
    }
}
