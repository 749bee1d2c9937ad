//! Effects: the orders of an interview to the outside. It does nothing itself.

use serde::{Deserialize, Serialize};

use crate::interview::{
    exit::{End, Reason},
    ids::{CallId, Epoch, ReplyId, TurnId},
    not_done::NotDone,
    note::Note,
    stage::phase::Phase,
    tools::proposal::Verdict,
};

/// An order, imperative.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Say something. Answered by `SegmentReady`…, or by `ReplyFailed`; a model's reply by `Proposed` too.
    Speak {
        /// The new reply.
        reply: ReplyId,
        /// The epoch of its proposals.
        epoch: Epoch,
        /// Its content.
        say: Say,
        /// Whether words of the candidate stop it.
        interruptible: bool,
    },
    /// Say a few words while the reply that is owed goes on being made. Answered as `Speak` is; nothing is
    /// proposed in it.
    Fill {
        /// The new reply.
        reply: ReplyId,
        /// Its words.
        text: String,
    },
    /// Let the sound of a segment out. Answered by `ReplyStarted` (the first one), `SegmentHeard` and,
    /// after the last, `ReplyFinished`.
    Play {
        /// The reply that the segment belongs to.
        reply: ReplyId,
        /// The number of the segment in its reply.
        n: u16,
    },
    /// Stop a reply: its stream, its synthesis and its sound. Answered by `ReplyFinished` if it had
    /// made a sound.
    Hush {
        /// The reply.
        reply: ReplyId,
    },
    /// Pause the sound of a reply: the candidate's voice is over it. Answered by nothing.
    Pause {
        /// The reply.
        reply: ReplyId,
    },
    /// Go on with the sound where it was paused: the interruption was a false one. Answered by nothing.
    Resume {
        /// The reply.
        reply: ReplyId,
    },
    /// End a reply before this segment: it and all later ones are never played. Answered as if the reply had
    /// no more segments.
    Seal {
        /// The reply.
        reply: ReplyId,
        /// The first segment that is not heard; never 0.
        n: u16,
    },
    /// Have the judge assess an answer, off the response path. Answered by `Judged` or `JudgeFailed`, or
    /// never.
    Judge {
        /// The turn of the answer; `Interview::case` has its text.
        turn: TurnId,
        /// Which version of the turn it is; it comes back with the judgement.
        attempt: u32,
    },
    /// Say what the unanswered words mean ([`Interview::unread`](super::Interview::unread)). Answered by
    /// `Understood`, at once and before anything else, or never.
    Understand {
        /// The turn that they are of, or will be.
        turn: TurnId,
        /// Which version of the turn it is; it comes back with the answer.
        attempt: u32,
    },
    /// Give the model the result of its tool call. Answered by nothing; a reply that waited for it goes on.
    Answer {
        /// The call.
        call: CallId,
        /// Whether it was accepted, or why not.
        verdict: Verdict,
    },
    /// Answer the sender of a control message. Answered by nothing.
    Acknowledge {
        /// The message's id.
        id: String,
        /// Whether it was done.
        accepted: bool,
        /// Why it was not.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<NotDone>,
    },
    /// The floor passes from one agent to the next. Answered by nothing.
    Handoff {
        /// The agent that had the stage.
        from: String,
        /// The agent that has it now.
        to: String,
        /// The epoch that begins.
        epoch: Epoch,
        /// The reason for leaving the stage.
        why: Reason,
    },
    /// Tell the recogniser which words to listen for from now on; they take the place of those before.
    /// Answered by nothing.
    Listen {
        /// Names and other rare words, the most important first; at most 100.
        keyterms: Vec<String>,
    },
    /// Something to remember, for the projections of the journal. Answered by nothing.
    Note(Note),
    /// Publish something to the frontends. Answered by nothing.
    Publish(Notice),
    /// Leave the room; nothing follows.
    Hangup {
        /// How the interview ended.
        end: End,
    },
}

/// The content of a reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Say {
    /// These words.
    Text(String),
    /// The model's words for a brief (`Interview::brief`).
    Model {
        /// The task of the model.
        task: Task,
        /// The freedom that the model has.
        #[serde(default)]
        care: Care,
    },
}

impl Say {
    /// The model's words for a task.
    pub(crate) fn model(task: Task) -> Self {
        Self::Model { task, care: Care::Usual }
    }
}

/// The freedom of the model in a reply; less of it after replies that could not be spoken (L09).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Care {
    /// The usual freedom.
    #[default]
    Usual,
    /// A second try, at a lower temperature.
    Cooler,
    /// Nothing but a question.
    QuestionOnly,
}

/// The task of the model in a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// Open the interview.
    Open,
    /// Answer the candidate's turn within the stage.
    Follow,
    /// Acknowledge, move on to the next stage and ask its first question.
    Bridge(Reason),
    /// Ask the same question in other words, with an example.
    Rephrase,
    /// Everything required is known: leave the stage, or name a thread that is worth another question (X03).
    Check,
}

/// A fact that frontends are shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Notice {
    /// The agent's state and stage.
    Status(Status),
    /// A turn of the candidate, committed; the same turn again replaces it.
    Turn {
        /// The turn.
        turn: TurnId,
        /// The agent to whose stage it belongs.
        stage: String,
        /// Its words.
        text: String,
    },
}

/// The status that a frontend shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// The value of `lk.agent.state`.
    pub state: AgentState,
    /// The agent that has the stage.
    pub stage: String,
    /// Questions of the stage that were heard.
    pub asked: u32,
    /// The largest number of questions of the stage.
    pub asks: u32,
    /// How far its plan is, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<Phase>,
    /// Whether the interview stands still because the candidate has asked for a pause.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub paused: bool,
    /// The question that the candidate heard last, and is to answer; none before the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// Whether its file has other words for that question, which were not said yet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_other_words: bool,
    /// How long the candidate was told to have for thinking, in seconds, while they do (T03).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking_s: Option<u64>,
}

/// The state of an agent in LiveKit's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentState {
    /// Not ready yet.
    Initializing,
    /// The candidate may speak.
    Listening,
    /// A reply is being made.
    Thinking,
    /// The interviewer is speaking.
    Speaking,
}
