//! Notes: the facts about an interview that its record keeps beside the words.

use language::Intent;
use serde::{Deserialize, Serialize};

use crate::interview::{
    guard::check::Fault,
    ids::{QuestionId, ReplyId, TurnId},
    stage::item::Item,
    turn_taking::coverage::Hole,
};

/// A fact to keep, past tense.
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
        /// The turn.
        turn: TurnId,
        /// The question that it answers.
        question: Option<QuestionId>,
        /// The kind of answer, as far as its words or the model say.
        kind: Option<Intent>,
        /// The depth that the model gives it, 1..=5.
        depth: Option<u8>,
    },
    /// The share of a turn that was understood, where that is not all; noted again when it changes.
    Coverage {
        /// The turn.
        turn: TurnId,
        /// The voice with words, in percent of all voice of the turn.
        percent: u8,
        /// Stretches of voice without words, in order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        holes: Vec<Hole>,
    },
    /// The candidate spoke and not a word was recognised; they are asked to say it again.
    NotCaught,
    /// The judge's view of a turn that counts.
    Judged {
        /// The turn.
        turn: TurnId,
        /// The kind of answer.
        kind: Intent,
        /// Its depth, 1..=5.
        depth: u8,
    },
    /// A field of the rubric is settled, or its value has changed.
    Field {
        /// The field's key.
        key: String,
        /// Its value, or why there is none.
        settled: Settled,
    },
    /// Something is left for a person to find out.
    Todo(Todo),
    /// The candidate corrected an earlier answer; both are kept.
    Corrected {
        /// The turn in which it was said.
        turn: TurnId,
        /// The earlier words.
        old: String,
        /// The words that hold.
        new: String,
    },
    /// The candidate asked the interviewer something.
    CandidateAsked {
        /// The turn in which it was said.
        turn: TurnId,
        /// The answer they got.
        answer: String,
    },
    /// A question was skipped.
    Skipped {
        /// The question.
        question: Option<QuestionId>,
    },
    /// Something very personal was said, which belongs in no report.
    Sensitive {
        /// The turn in which it was said.
        turn: TurnId,
    },
    /// The candidate was in distress: a person should know.
    Distress {
        /// The turn in which it was said.
        turn: TurnId,
    },
    /// A recruiter suggested what to ask.
    Suggested {
        /// Their words.
        text: String,
    },
    /// The candidate insulted the interviewer.
    Insulted {
        /// The number of insults so far.
        count: u32,
    },
    /// The candidate needs time to think.
    Held,
    /// The candidate wants to stop and is asked for confirmation.
    WantsToStop,
    /// The candidate speaks another language.
    OtherLanguage,
    /// A part of the stage's time has passed.
    Milestone {
        /// The stage.
        stage: String,
        /// The part of its time, in percent.
        percent: u8,
    },
    /// The guard held back words of the model.
    Guarded {
        /// The reply.
        reply: ReplyId,
        /// The reason.
        fault: Fault,
    },
    /// Recognised words were not the candidate's: they are in no turn.
    PassedOver {
        /// The recogniser's segment.
        segment: u32,
        /// Where they come from.
        why: NotTheirs,
    },
    /// The summary of a stage, for the agents after it (H07).
    Summary {
        /// The stage.
        stage: String,
        /// A few sentences.
        text: String,
    },
    /// A limit ended a stage whose answers were not as deep as it wants them (H10).
    BelowDepth {
        /// The stage.
        stage: String,
        /// The deepest answer, 0 where none was assessed.
        depth: u8,
        /// The depth that the stage wants.
        wanted: u8,
    },
    /// A question of a backlog is new, or something became of it (K01).
    Item(Item),
    /// A topic was talked about (L02).
    Topic(TopicState),
    /// They were asked whether there is time for more (L05).
    Extension {
        /// Whether there is.
        accepted: bool,
    },
    /// They were asked whether they leave their contact data (L06).
    Consent {
        /// Whether they do.
        given: bool,
    },
    /// The interview has as many answers as it may have and is closed (X04).
    MaxTurns {
        /// Required fields that are not settled.
        missing: Vec<String>,
    },
}

/// How far a topic is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TopicState {
    /// The topic's key.
    pub topic: String,
    /// Its name for people.
    pub title: String,
    /// Its sub-goals that were asked about.
    pub covered: usize,
    /// All of them.
    pub sub_goals: usize,
    /// Turns on it.
    pub turns: u16,
    /// Turns above its share, which it took from other topics.
    pub bonus: u32,
    /// How rich the answers are on the whole, 0..=1.
    pub score: f32,
    /// The best words of the richest answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub insight: Option<String>,
    /// Turns that are left for all topics.
    pub turns_left: u32,
}

/// Where recognised words come from that are not the candidate's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotTheirs {
    /// They are an echo of the interviewer's own words (case 25).
    Echo,
    /// The recogniser made them up: there was no voice (case 29).
    NoVoice,
}

/// The value of a settled field of the rubric, or why there is none (X02).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Settled {
    /// The value is known.
    Captured {
        /// The value.
        value: String,
        /// The candidate's own words for it.
        quote: String,
        /// The turn in which it was said.
        turn: TurnId,
    },
    /// The candidate does not know it.
    Unknown,
    /// The candidate would rather not say.
    Declined,
}

/// Something that is left for a person to find out (X06).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Todo {
    /// `todo-1`, `todo-2` …
    pub id: String,
    /// Its subject.
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

/// The priority of a [`Todo`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// A person should ask soon.
    High,
    /// A person should ask.
    #[default]
    Medium,
    /// It would be nice to know.
    Low,
}
