//! Why a request of a candidate is not done.

use serde::{Deserialize, Serialize};

/// Why a control message or a typed answer is refused (R04).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotDone {
    /// The candidate is not there yet.
    NotBegun,
    /// The interview has ended.
    Over,
    /// The interviewer says goodbye, or moves on to the next stage.
    MovesOn,
    /// The button was pressed in another stage.
    OtherStage,
    /// No question was asked yet.
    NoQuestion,
    /// The candidate or the line is away, or the interview is paused.
    StandsStill,
    /// It is there once for each question, and was given.
    OnceOnly,
    /// It was done a moment ago.
    DoneAlready,
    /// It does not stand still.
    NotPaused,
    /// There is nothing to fill in at the moment.
    NoForm,
    /// Nobody could take it up.
    NotNow,
}

impl NotDone {
    /// The name that programs know.
    pub fn label(self) -> &'static str {
        match self {
            Self::NotBegun => "not_begun",
            Self::Over => "over",
            Self::MovesOn => "moves_on",
            Self::OtherStage => "other_stage",
            Self::NoQuestion => "no_question",
            Self::StandsStill => "stands_still",
            Self::OnceOnly => "once_only",
            Self::DoneAlready => "done_already",
            Self::NotPaused => "not_paused",
            Self::NoForm => "no_form",
            Self::NotNow => "not_now",
        }
    }

    /// The same in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::NotBegun => "the interview has not begun yet",
            Self::Over => "the interview is over",
            Self::MovesOn => "the interviewer is moving on",
            Self::OtherStage => "that part of the interview is over",
            Self::NoQuestion => "no question was asked yet",
            Self::StandsStill => "the interview stands still at the moment",
            Self::OnceOnly => "that is there once for each question",
            Self::DoneAlready => "that was done a moment ago",
            Self::NotPaused => "the interview is not paused",
            Self::NoForm => "there is nothing to fill in at the moment",
            Self::NotNow => "that cannot be done right now",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R04: the name in a message to a page is the one in the journal.
    #[test]
    fn labels_are_as_journalled() {
        for why in [
            NotDone::NotBegun,
            NotDone::Over,
            NotDone::MovesOn,
            NotDone::OtherStage,
            NotDone::NoQuestion,
            NotDone::StandsStill,
            NotDone::OnceOnly,
            NotDone::DoneAlready,
            NotDone::NotPaused,
            NotDone::NoForm,
            NotDone::NotNow,
        ] {
            assert_eq!(serde_json::to_value(why).unwrap(), why.label());
            assert!(why.words().starts_with(char::is_lowercase), "{}", why.words());
        }
    }
}
