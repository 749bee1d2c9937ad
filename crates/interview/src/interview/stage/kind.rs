//! The seam for kinds of stages: what a kind may do otherwise than the usual one.

use std::collections::BTreeMap;

use language::Intent;

use crate::blueprint::Field;
use crate::interview::{
    exit::Reason,
    ids::{QuestionId, TurnId},
    model::{data::Data, judgement::Judgement},
    stage::{Agenda, Place, phase::Phase},
    understanding::signal::{Band, Signal},
};

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

/// A question that was heard.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    pub(crate) question: QuestionId,
    /// The reply up to the end of the question.
    pub(crate) heard: &'a str,
    /// What the model says that it is about.
    pub(crate) named: Option<&'a str>,
}

/// An answer to the last question.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answered<'a> {
    /// Its turn; none where a button has skipped the question.
    pub(crate) turn: Option<TurnId>,
    pub(crate) text: &'a str,
    pub(crate) intent: Intent,
    pub(crate) signal: Signal,
    /// Whether it tells what is nobody's business.
    pub(crate) is_private: bool,
}

impl Answered<'_> {
    /// The question was skipped by a button.
    pub(crate) fn skipped() -> Self {
        let signal = Signal { score: 0.0, band: Band::Low };
        Self { turn: None, text: "", intent: Intent::Skip, signal, is_private: false }
    }
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

    /// Whether its questions are said as they are written: no model words them.
    fn asks_as_written(&self) -> bool {
        false
    }

    /// Whether it has a plan of its own: then that says what is asked next, and when the stage is done.
    fn has_agenda(&self) -> bool {
        false
    }

    /// Whether its questions come in rounds: when they are used up and something is open, the candidate is
    /// asked whether to go on.
    fn has_rounds(&self) -> bool {
        false
    }

    /// The number of questions after whose answers its stage ends.
    fn questions_max(&self, at: Place<'_>) -> u32 {
        at.agent().questions_max
    }

    /// They go on: as many questions again.
    fn grant_rounds(&self, _at: Place<'_>, _agenda: &mut Agenda) {}

    /// Whether its stage is passed over on a way that another stage is left by.
    fn is_left_out(&self, _at: Place<'_>, _why: Reason) -> bool {
        false
    }

    /// What it asks next, the first one first.
    fn next(&self, _at: Place<'_>) -> Vec<String> {
        Vec::new()
    }

    /// Whether its plan is done; it is, too, when it has nothing to ask.
    fn is_done(&self, _at: Place<'_>) -> bool {
        false
    }

    /// What the model is to do with the plan; the words of the plan are `data`.
    fn focus(&self, _at: Place<'_>, _data: &mut Data) -> String {
        String::new()
    }

    /// What dashboards call the state of the plan.
    fn phase(&self, _at: Place<'_>) -> Option<Phase> {
        None
    }

    /// A question was heard.
    fn ask(&self, _at: Place<'_>, _agenda: &mut Agenda, _asked: Asked<'_>) {}

    /// The last question has its answer.
    fn answer(&self, _at: Place<'_>, _agenda: &mut Agenda, _answered: &Answered<'_>) {}

    /// The field whose value its last question asks for, where a value has to be whole.
    fn awaits<'a>(&self, _at: Place<'a>) -> Option<&'a Field> {
        None
    }

    /// Whether it plans questions that answers bring up.
    fn learns(&self) -> bool {
        false
    }

    /// The candidate has filled in the form on their screen. Returns whether anything of it is of use.
    fn fill(
        &self,
        _at: Place<'_>,
        _agenda: &mut Agenda,
        _values: &BTreeMap<String, String>,
    ) -> bool {
        false
    }

    /// The judge has read an answer of the stage.
    fn learn(&self, _at: Place<'_>, _agenda: &mut Agenda, _turn: TurnId, _found: &Judgement) {}
}
