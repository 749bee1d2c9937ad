//! Turns of the candidate that nobody has answered yet.

use std::collections::BTreeMap;

use language::Intent;

use crate::interview::{
    ids::TurnId,
    model::judgement::Judgement,
    note::{Priority, Settled},
    turn_taking::said::Said,
};
use crate::time::SessionTime;

/// A turn of the candidate that has not been answered yet.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    /// Given at its first end, and kept when it goes on.
    pub(crate) id: Option<TurnId>,
    pub(crate) said: Said,
    /// The time of its first word.
    pub(crate) since: SessionTime,
    /// The time of its last word.
    pub(crate) to: SessionTime,
    /// The begin of the silence before it, which goes on if the turn was only noise.
    pub(crate) silent_since: SessionTime,
    pub(crate) patience: Patience,
    /// What its words mean, since its last end.
    pub(crate) intent: Intent,
    /// Whether its words are in another language than the interviewer's.
    pub(crate) foreign: bool,
    /// The model's findings about it; they count when the turn is committed.
    pub(crate) draft: Draft,
}

/// What makes the wait for the end of a turn longer.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Patience {
    /// The number of times the turn went on after it was taken for finished.
    pub(crate) restarts: u32,
    /// Whether it is waited for as an unfinished sentence: the model said so.
    pub(crate) waited: bool,
    /// The number of words that had been said when the candidate was told to go on, if they were.
    pub(crate) prompted_after: Option<usize>,
}

/// The changes that the model's tool calls make when their turn is committed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft {
    pub(crate) depth: Option<u8>,
    pub(crate) intent: Option<Intent>,
    pub(crate) key_points: Vec<String>,
    pub(crate) fields: BTreeMap<String, Settled>,
    pub(crate) todos: Vec<Later>,
    /// A field whose value is read back to the candidate (case 28).
    pub(crate) read_back: Option<String>,
    pub(crate) judgement: Option<Judgement>,
    /// Whether a handover was refused, as the answers are not deep enough.
    pub(crate) too_shallow: bool,
}

/// Something that a person should find out later.
#[derive(Clone, Debug)]
pub(crate) struct Later {
    pub(crate) text: String,
    pub(crate) priority: Priority,
    pub(crate) field: Option<String>,
}

impl Turn {
    pub(crate) fn new(since: SessionTime, silent_since: SessionTime) -> Self {
        Self {
            id: None,
            said: Said::default(),
            since,
            to: since,
            silent_since,
            patience: Patience::default(),
            intent: Intent::ANSWER,
            foreign: false,
            draft: Draft::default(),
        }
    }

    /// Whether the candidate was told to go on, and did.
    pub(crate) fn has_gone_on(&self) -> bool {
        self.patience.prompted_after.is_some_and(|words| self.said.words() > words)
    }

    /// Whether the turn does not answer the question.
    pub(crate) fn leaves_open(&self) -> bool {
        self.intent.leaves_open()
    }
}
