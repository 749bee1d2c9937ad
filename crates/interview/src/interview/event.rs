//! Events: everything that can happen to an interview.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use language::Intent;

use crate::interview::{
    ids::{CallId, Epoch, ReplyId, TurnId},
    model::judgement::Judgement,
    tools::proposal::Proposal,
    transcript::Words,
};
use crate::{blueprint::Pauses, time::SessionTime};

/// A fact, past tense. Facts about a reply that is over are dropped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Time has passed. Carries nothing: the time is in the call.
    Tick,
    /// The room tells the candidate's name, before they join. It counts where the inputs have no name.
    CandidateNamed {
        /// A person's name (`blueprint::person_name`).
        name: String,
    },
    /// The candidate has joined with sound in both directions.
    CandidateJoined,
    /// The candidate has left the room; they may come back.
    CandidateLeft,
    /// Our own connection to the room is lost.
    LineCut,
    /// Our own connection to the room is back.
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
    /// The turn detector scored the sound of a turn, up to an end of voice. New speech makes the score void.
    PauseWeighed {
        /// The last voiced sample, as [`Event::SpeechStopped`] has told it.
        stopped: SessionTime,
        /// The end-of-turn probability.
        ended_percent: u8,
    },
    /// The words of a segment of speech so far. They replace earlier ones of the same segment.
    PartialTranscript(Words),
    /// The final words of a segment of speech.
    FinalTranscript(Words),
    /// The candidate typed an answer; it counts like a spoken one (R04).
    Typed {
        /// The message's own id: the same one twice is one answer.
        id: String,
        /// The words.
        text: String,
    },
    /// The candidate filled in the form on their screen (L06).
    Filled {
        /// The message's own id.
        id: String,
        /// What they wrote, by the fields' keys.
        values: BTreeMap<String, String>,
    },
    /// A recruiter who follows the interview suggests what to ask (U04).
    Suggested {
        /// The message's own id.
        id: String,
        /// Their words.
        text: String,
    },
    /// The candidate has muted their microphone.
    Muted,
    /// The candidate has switched their microphone on again.
    Unmuted,
    /// The words of a segment of a reply are known; its sound is played after `Effect::Play` only.
    SegmentReady {
        /// The reply that the segment belongs to.
        reply: ReplyId,
        /// The number of the segment in its reply, from 0.
        n: u16,
        /// Its words.
        text: String,
    },
    /// The first sample of a reply was heard.
    ReplyStarted {
        /// The reply.
        reply: ReplyId,
    },
    /// The last sample of a segment was heard.
    SegmentHeard {
        /// The reply that the segment belongs to.
        reply: ReplyId,
        /// The number of the segment in its reply.
        n: u16,
    },
    /// The last sample of a reply was heard; after `Effect::Hush` too, if the reply had made a sound.
    ReplyFinished {
        /// The reply.
        reply: ReplyId,
        /// The words of a segment that was cut off, as far as the candidate heard them.
        heard: String,
    },
    /// A reply cannot be made, or cannot go on.
    ReplyFailed {
        /// The reply.
        reply: ReplyId,
        /// The reason, one sentence.
        why: String,
    },
    /// The model called a tool.
    Proposed {
        /// The reply in which it was called.
        reply: ReplyId,
        /// The epoch in which that reply was ordered.
        epoch: Epoch,
        /// The call.
        call: CallId,
        /// The proposal that the call makes.
        proposal: Proposal,
    },
    /// The judge has assessed an answer.
    Judged {
        /// The answer's turn.
        turn: TurnId,
        /// The version of the turn that was judged: a turn that went on is judged again.
        attempt: u32,
        /// The judgement.
        judgement: Judgement,
    },
    /// The judge has failed.
    JudgeFailed {
        /// The answer's turn.
        turn: TurnId,
        /// See [`Event::Judged`].
        attempt: u32,
        /// The reason, one sentence.
        why: String,
    },
    /// The words of the unanswered turn were understood: as [`Effect::Understand`](super::Effect) wanted, or
    /// by the model that replies to them, before its first words.
    Understood {
        /// The turn that they are of, or will be.
        turn: TurnId,
        /// See [`Event::Judged`].
        attempt: u32,
        /// What they mean.
        intent: Intent,
        /// Who says so.
        #[serde(default, skip_serializing_if = "By::is_words")]
        by: By,
    },
    /// The candidate pressed a button, or the operator gave an order.
    Control {
        /// The message's own id: the same one twice is one request.
        id: String,
        /// The request.
        request: Request,
        /// The stage in which the button was pressed, where the sender names one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stage: Option<String>,
    },
}

/// Who says what words mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// The words alone: examples of what people say.
    #[default]
    Words,
    /// The model, by a tag before its reply.
    Model,
}

impl By {
    fn is_words(&self) -> bool {
        *self == Self::Words
    }
}

/// A request of an [`Event::Control`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// The candidate pressed End.
    End,
    /// The operator or the server ends the interview.
    Terminate,
    /// The room is gone for good: nobody hears the interviewer any more.
    Abandon,
    /// The candidate wants the question again.
    Repeat,
    /// The candidate wants the question in other words.
    Rephrase,
    /// The candidate needs time to think.
    MoreTime,
    /// The candidate wants to skip the question.
    Skip,
    /// The candidate needs a pause.
    Pause,
    /// The candidate is back from a pause.
    Resume,
    /// The candidate speaks and is muted.
    MutedSpeech,
    /// The candidate types, on a page.
    Typing,
    /// The candidate chooses how long they may pause.
    Pauses(Pauses),
}
