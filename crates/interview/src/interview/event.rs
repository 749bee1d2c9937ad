//! What can happen to an interview. Nothing else can.

use serde::{Deserialize, Serialize};

use crate::interview::{
    ids::{CallId, Epoch, ReplyId, TurnId},
    model::judgement::Judgement,
    tools::proposal::Proposal,
    transcript::Words,
};
use crate::time::SessionTime;

/// A fact, past tense. Facts about a reply that is over are dropped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Time has passed. Carries nothing: the time is in the call.
    Tick,
    /// The room tells how the candidate is called, before they can hear us. It counts where the inputs have
    /// no name.
    CandidateNamed {
        /// A person's name (`blueprint::person_name`).
        name: String,
    },
    /// The candidate can hear us and be heard.
    CandidateJoined,
    /// The candidate is gone; they may come back.
    CandidateLeft,
    /// Our own connection to the room is lost.
    LineCut,
    /// It is there again.
    LineBack,
    /// Voice began, by the audio clock.
    SpeechStarted {
        /// The first voiced sample.
        at: SessionTime,
    },
    /// Voice ended, by the audio clock.
    SpeechStopped {
        /// The last voiced sample.
        at: SessionTime,
    },
    /// The sound of a turn was listened to, up to an end of voice. Whoever speaks again makes it void.
    PauseWeighed {
        /// The last voiced sample, as [`Event::SpeechStopped`] has told it.
        stopped: SessionTime,
        /// How likely that was the end of the turn.
        ended_percent: u8,
    },
    /// What was said in a segment of speech, as far as it is known. Replaces the one before.
    PartialTranscript(Words),
    /// What was said in a segment of speech. No better one comes.
    FinalTranscript(Words),
    /// The candidate typed an answer; it is said as if they had spoken it (R04).
    Typed {
        /// The message's own id: the same one twice is one answer.
        id: String,
        /// The words.
        text: String,
    },
    /// A segment of a reply is known and its sound is being made; it is not heard before `Effect::Play`.
    SegmentReady {
        /// Whose segment.
        reply: ReplyId,
        /// Which one, from 0.
        n: u16,
        /// Its words.
        text: String,
    },
    /// The first sample of a reply was heard.
    ReplyStarted {
        /// Which reply.
        reply: ReplyId,
    },
    /// The last sample of a segment was heard.
    SegmentHeard {
        /// Whose segment.
        reply: ReplyId,
        /// Which one.
        n: u16,
    },
    /// A reply made its last sound; after `Effect::Hush` too, if it had made any.
    ReplyFinished {
        /// Which reply.
        reply: ReplyId,
        /// The words of a segment that was cut in the middle, as far as they were heard.
        heard: String,
    },
    /// A reply cannot be made, or cannot go on.
    ReplyFailed {
        /// Which reply.
        reply: ReplyId,
        /// One sentence.
        why: String,
    },
    /// The model called a tool.
    Proposed {
        /// In which reply.
        reply: ReplyId,
        /// In which epoch that reply was ordered.
        epoch: Epoch,
        /// Which call.
        call: CallId,
        /// What it wants.
        proposal: Proposal,
    },
    /// The judge has looked at an answer.
    Judged {
        /// Which one.
        turn: TurnId,
        /// As it was then: a turn that went on is judged anew.
        attempt: u32,
        /// What it found.
        judgement: Judgement,
    },
    /// The judge could not.
    JudgeFailed {
        /// Which answer.
        turn: TurnId,
        /// See [`Event::Judged`].
        attempt: u32,
        /// One sentence.
        why: String,
    },
    /// A button was pressed, or an operator wants something.
    Control {
        /// The message's own id: the same one twice is one request.
        id: String,
        /// What is wanted.
        request: Request,
        /// The stage that the button was seen in, where the sender names one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stage: Option<String>,
    },
}

/// What a [`Event::Control`] asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// The candidate pressed End.
    End,
    /// The operator or the server ends the interview.
    Terminate,
    /// The room is gone for good, and nobody can hear us any more.
    Abandon,
    /// The candidate wants the question again.
    Repeat,
    /// In other words.
    Rephrase,
    /// They need time to think.
    MoreTime,
    /// They want to leave the question out.
    Skip,
    /// They need a pause.
    Pause,
    /// They are back from it.
    Resume,
    /// They speak and are muted.
    MutedSpeech,
}
