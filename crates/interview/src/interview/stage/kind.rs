//! The seam for kinds of stages: what a kind may do otherwise than the usual one.

use language::Intent;

/// Where the first words of a stage come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opening {
    /// The model words them.
    Model,
    /// They are the file's, as they are written: known before anybody is there.
    File,
}

/// A turn of the candidate, for a kind that reads it otherwise.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heard<'a> {
    /// Its words.
    pub(crate) text: &'a str,
    /// Whether they were given time to think about the question.
    pub(crate) held: bool,
    /// Whether all questions of the stage were asked.
    pub(crate) questions_used_up: bool,
}

/// What distinguishes a kind of stage. What a kind leaves out is as in a stage of questions.
pub(crate) trait StageKind {
    /// Where its first words come from.
    fn opening(&self) -> Opening {
        Opening::Model
    }

    /// The intent of a turn here, whose words alone have the intent `found`.
    fn read(&self, found: Intent, _turn: Heard<'_>) -> Intent {
        found
    }
}
