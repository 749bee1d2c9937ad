//! What is remembered of an interview beside its words: what was found out, decided and left out.

use serde::{Deserialize, Serialize};

use crate::interview::{
    guard::check::Fault,
    ids::{QuestionId, ReplyId, TurnId},
    model::judgement::AnswerKind,
    turn_taking::coverage::Hole,
};

/// Something to remember, past tense.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Note {
    /// A question was heard and counts.
    Asked {
        /// Its id.
        question: QuestionId,
        /// The agent that asked it.
        stage: String,
        /// Its words.
        text: String,
    },
    /// A turn counts.
    Answered {
        /// Which one.
        turn: TurnId,
        /// What it answers.
        question: Option<QuestionId>,
        /// What kind of answer it is, as far as its words or the model say.
        kind: Option<AnswerKind>,
        /// How deep the model thinks it is, 1..=5.
        depth: Option<u8>,
    },
    /// How much of a turn was understood, where that is not all of it; told again when it changes.
    Coverage {
        /// Which one.
        turn: TurnId,
        /// Voice with words, of all voice of the turn.
        percent: u8,
        /// Stretches of voice without words, in order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        holes: Vec<Hole>,
    },
    /// They spoke and not a word was understood; we ask them to say it again.
    NotCaught,
    /// The judge's view of a turn that counts.
    Judged {
        /// Which one.
        turn: TurnId,
        /// What kind of answer it is.
        kind: AnswerKind,
        /// How deep it is, 1..=5.
        depth: u8,
    },
    /// A field of the rubric is settled, or settled otherwise.
    Field {
        /// Which one.
        key: String,
        /// How.
        settled: Settled,
    },
    /// Something is left to be found out by somebody else.
    Todo(Todo),
    /// They corrected themselves; both are kept.
    Corrected {
        /// In which turn.
        turn: TurnId,
        /// What they had said.
        old: String,
        /// What holds.
        new: String,
    },
    /// They asked us something.
    CandidateAsked {
        /// In which turn.
        turn: TurnId,
        /// What we answered.
        answer: String,
    },
    /// A question was left out.
    Skipped {
        /// Which one.
        question: Option<QuestionId>,
    },
    /// Something very personal was said: it belongs into no report.
    Sensitive {
        /// In which turn.
        turn: TurnId,
    },
    /// They were in distress: people should know.
    Distress {
        /// In which turn.
        turn: TurnId,
    },
    /// They insulted us, for the so-many-th time.
    Insulted {
        /// Counts from 1.
        count: u32,
    },
    /// They need time to think.
    Held,
    /// They want to stop; we ask whether they are sure.
    WantsToStop,
    /// They speak another language.
    OtherLanguage,
    /// A part of the stage's time is over.
    Milestone {
        /// Which stage.
        stage: String,
        /// How much of its time.
        percent: u8,
    },
    /// What the model wanted to say could not be said.
    Guarded {
        /// In which reply.
        reply: ReplyId,
        /// What was wrong with it.
        fault: Fault,
    },
    /// Words were taken for none of the candidate's: they are in no turn.
    PassedOver {
        /// The recogniser's segment.
        segment: u32,
        /// Whose they are instead.
        why: NotTheirs,
    },
    /// What a stage brought, for the agents after it (H07).
    Summary {
        /// Which stage.
        stage: String,
        /// In a few sentences.
        text: String,
    },
    /// So many answers were given that the interview is closed, whatever is missing (X04).
    MaxTurns {
        /// Required fields that are not settled.
        missing: Vec<String>,
    },
}

/// Why words are none of the candidate's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotTheirs {
    /// They are ours, come back through a loudspeaker (case 25).
    Echo,
    /// Nobody's voice was under them (case 29).
    NoVoice,
}

/// What became of a field of the rubric (X02).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Settled {
    /// It is known.
    Captured {
        /// What it is.
        value: String,
        /// The candidate's own words for it.
        quote: String,
        /// In which turn.
        turn: TurnId,
    },
    /// They do not know it.
    Unknown,
    /// They would rather not say.
    Declined,
}

/// Something that is left to be found out (X06).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Todo {
    /// `todo-1`, `todo-2` …
    pub id: String,
    /// What it is about.
    pub text: String,
    /// `high`, `medium` or `low`.
    pub priority: Priority,
    /// The field of the rubric, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The question that had no answer, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<QuestionId>,
}

/// How much a [`Todo`] matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// Somebody should ask soon.
    High,
    /// Somebody should ask.
    #[default]
    Medium,
    /// It would be nice to know.
    Low,
}
