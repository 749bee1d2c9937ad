//! What an interview asks the world to do. It never does anything itself.

use serde::{Deserialize, Serialize};

use crate::interview::{
    exit::{End, Reason},
    ids::{CallId, Epoch, ReplyId, TurnId},
    note::Note,
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
        /// What to say.
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
        /// Whose segment.
        reply: ReplyId,
        /// Which one.
        n: u16,
    },
    /// Stop a reply: its stream, its synthesis and its sound. Answered by `ReplyFinished` if it had
    /// made a sound.
    Hush {
        /// Which reply.
        reply: ReplyId,
    },
    /// The candidate's voice is over ours: no more of this reply's sound is let out. Answered by nothing.
    Pause {
        /// Which reply.
        reply: ReplyId,
    },
    /// It was nothing: the sound goes on where it stopped. Answered by nothing.
    Resume {
        /// Which reply.
        reply: ReplyId,
    },
    /// A reply ends before this segment: it and what would follow are never heard. Answered as if the reply
    /// had been made so.
    Seal {
        /// Which reply.
        reply: ReplyId,
        /// The first segment that is not heard; never 0.
        n: u16,
    },
    /// Let the judge look at an answer, off the response path. Answered by `Judged` or `JudgeFailed`, or
    /// never.
    Judge {
        /// Which answer (`Interview::case`).
        turn: TurnId,
        /// Goes back with what the judge found.
        attempt: u32,
    },
    /// Tell the model what became of its tool call. Answered by nothing; a reply that waited for it goes on.
    Answer {
        /// Which call.
        call: CallId,
        /// What became of it.
        verdict: Verdict,
    },
    /// Tell who sent a control message what became of it. Answered by nothing.
    Acknowledge {
        /// The message's id.
        id: String,
        /// Whether it was done.
        accepted: bool,
    },
    /// The floor passes from one agent to the next. Answered by nothing.
    Handoff {
        /// The agent that had the stage.
        from: String,
        /// The agent that has it now.
        to: String,
        /// The epoch that begins.
        epoch: Epoch,
        /// Why.
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
    /// Tell whoever watches. Answered by nothing.
    Publish(Notice),
    /// Leave the room; nothing follows.
    Hangup {
        /// How the interview ended.
        end: End,
    },
}

/// What a reply consists of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Say {
    /// These words.
    Text(String),
    /// Whatever the model makes of the brief (`Interview::brief`).
    Model {
        /// What it has to do.
        task: Task,
        /// How much it is trusted with.
        #[serde(default)]
        care: Care,
    },
}

impl Say {
    /// What the model makes of a task.
    pub(crate) fn model(task: Task) -> Self {
        Self::Model { task, care: Care::Usual }
    }
}

/// How a reply is asked for, after replies that could not be spoken (L09).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Care {
    /// As always.
    #[default]
    Usual,
    /// Once more, with less imagination.
    Cooler,
    /// Nothing but a question.
    QuestionOnly,
}

/// What the model has to do in a reply.
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
    /// All is known that has to be: leave, or name a thread that is worth another question (X03).
    Check,
}

/// What others may know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Notice {
    /// Who does what, in which stage.
    Status(Status),
    /// A turn of the candidate, committed; the same turn again replaces it.
    Turn {
        /// Which turn.
        turn: TurnId,
        /// The agent to whose stage it belongs.
        stage: String,
        /// Its words.
        text: String,
    },
}

/// What a frontend shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// `lk.agent.state`.
    pub state: AgentState,
    /// The agent that has the stage.
    pub stage: String,
    /// Questions of the stage that were heard.
    pub asked: u32,
    /// How many it has at most.
    pub asks: u32,
}

/// LiveKit's words for what an agent does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentState {
    /// Not ready yet.
    Initializing,
    /// The candidate may speak.
    Listening,
    /// We owe a reply.
    Thinking,
    /// We are heard.
    Speaking,
}
