//! What an interview asks the world to do. It never does anything itself.

use serde::{Deserialize, Serialize};

use super::{
    event::{CallId, Epoch, ReplyId, TurnId},
    proposal::Verdict,
    transition::Reason,
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
    /// Tell the model what became of its tool call. Answered by nothing.
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
    Model(Task),
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

/// How an interview ended (H13).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// All stages are done.
    Completed,
    /// The candidate asked to stop.
    CandidateEnded,
    /// The candidate went away and did not come back.
    CandidateLeft,
    /// Two stages in a row passed without a word.
    CandidateSilent,
    /// The candidate never came.
    NoShow,
    /// The interview's time was over.
    OutOfTime,
    /// We could not go on.
    Technical,
    /// The operator or the server ended it.
    Operator,
}
