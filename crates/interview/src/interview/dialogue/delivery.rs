//! Replies: what the interviewer says, what for, and how far its words are.

use std::{collections::BTreeMap, time::Duration};

use crate::interview::{
    effect::Say,
    exit::Exit,
    ids::{ReplyId, TurnId},
    turn_taking::turn::Draft,
};
use crate::time::SessionTime;

/// A model's reply that has made no sound by then is replaced.
pub(crate) const REPLY_STALL_LIMIT: Duration = Duration::from_secs(3);
/// A reply that was heard and does not go on for so long is given up.
pub(crate) const PLAYOUT_STALL_LIMIT: Duration = Duration::from_secs(20);

/// What the model says at once: half a minute of talk.
const WORDS_MAX: usize = 90;

/// One thing that the interviewer says.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) id: ReplyId,
    pub(crate) purpose: Purpose,
    /// The way out that is taken at its first sound.
    pub(crate) exit: Option<Exit>,
    /// Its text, or the task of the model that words it.
    pub(crate) say: Say,
    pub(crate) delivery: Delivery,
    /// The number of times a voice without words paused its sound.
    pub(crate) false_interruptions: u32,
    /// The number of times such a voice came before its first sound, and it was ordered again.
    pub(crate) suppressions: u32,
    /// Whether the stage is left when it is finished: the model handed off while it was sounding.
    pub(crate) leaves: bool,
    /// The committed turn that it answers, and what the model still says about that turn.
    pub(crate) answered: Option<Answered>,
    /// A field, and the value that is read back when it is finished (case 28).
    pub(crate) reads_back: Option<(String, String)>,
    /// What its question is about, as the model names it: a thread where all else is known (X03), or the
    /// place in a plan.
    pub(crate) thread: Option<String>,
    /// The silent reply whose place it took.
    pub(crate) replaced: Option<Replaced>,
}

/// The words of a reply on their way to the candidate.
#[derive(Clone, Debug, Default)]
pub(crate) struct Delivery {
    /// The segments that were not heard to their end yet.
    pub(crate) queued: BTreeMap<u16, String>,
    /// The words that the candidate heard.
    pub(crate) heard: String,
    /// The progress of its question.
    pub(crate) asking: Asking,
    pub(crate) supply: Supply,
}

/// Whether more segments of a reply may come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Supply {
    /// They may.
    #[default]
    Open,
    /// The reply ends with the segments that were let through; later ones are dropped.
    Sealed,
    /// The reply has failed: it is replaced when its queued segments were heard.
    Failed,
}

/// The turn that a reply answers.
#[derive(Clone, Debug)]
pub(crate) struct Answered {
    pub(crate) turn: TurnId,
    /// What the model said about it after it was committed.
    pub(crate) late: Draft,
}

/// A reply that made no sound and was replaced.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Replaced {
    /// Its tool call led to the new reply: its other calls still count.
    pub(crate) reply: ReplyId,
    /// When the first reply of the chain was ordered: the candidate has waited since then.
    pub(crate) owed_since: SessionTime,
}

/// The progress of a reply's question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Asking {
    /// There is none.
    #[default]
    Nothing,
    /// The model has called for one; its words are on their way.
    Called,
    /// One of its segments has it.
    Written,
    /// It was heard.
    Heard,
}

/// What a reply is for, and so whether its question counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Its question counts.
    Ask,
    /// A rung of the silence ladder.
    Rung,
    /// The same question again after a stop.
    Return,
    /// The same question again, or what has to be said before it: an answer to theirs, say. The turn that it
    /// answers is no answer.
    Again,
    /// All is known: leave, or follow a thread (X03). Its question counts.
    Check,
    /// Patience: whatever they say next goes on with what they said (T03).
    Hold,
    /// The same in the middle of a sentence that stopped at `stopped` (T04).
    Soft {
        /// The last voice, in the interview's own time.
        stopped: SessionTime,
    },
    /// A question to be answered with yes or no: do they want to end the interview?
    ConfirmStop,
    /// Another one: shall we go on with what is open (K03)?
    GoOn,
    /// Said over the candidate if need be (H04); its question counts.
    Insist,
    /// The last words.
    Farewell {
        /// Whether nobody may interrupt them.
        insists: bool,
    },
}

impl Delivery {
    /// Drops what comes after the segments that were let through.
    pub(crate) fn seal(&mut self) {
        self.supply = Supply::Sealed;
    }

    /// No more segments come. The words of a sealed reply are all there.
    pub(crate) fn fail(&mut self) {
        if self.supply == Supply::Open {
            self.supply = Supply::Failed;
        }
    }
}

impl Reply {
    pub(crate) fn new(id: ReplyId, say: Say, purpose: Purpose) -> Self {
        Self {
            id,
            purpose,
            exit: None,
            say,
            delivery: Delivery::default(),
            false_interruptions: 0,
            suppressions: 0,
            leaves: false,
            answered: None,
            reads_back: None,
            thread: None,
            replaced: None,
        }
    }

    /// Whether words of the candidate stop it.
    pub(crate) fn is_interruptible(&self) -> bool {
        match self.purpose {
            Purpose::Ask
            | Purpose::Rung
            | Purpose::Return
            | Purpose::Again
            | Purpose::Check
            | Purpose::Hold
            | Purpose::Soft { .. }
            | Purpose::ConfirmStop
            | Purpose::GoOn => true,
            Purpose::Insist => false,
            Purpose::Farewell { insists } => !insists,
        }
    }

    /// How long it may make no progress: nobody waits for long for a model that stops before its question.
    pub(crate) fn stall_limit(&self) -> Duration {
        let waits_for_words =
            self.delivery.queued.is_empty() && self.delivery.asking < Asking::Heard;
        if waits_for_words { REPLY_STALL_LIMIT } else { PLAYOUT_STALL_LIMIT }
    }

    /// Whether it has been talking for long, with this added.
    pub(crate) fn is_long(&self, text: &str) -> bool {
        let words = |text: &str| text.split_whitespace().count();
        let so_far: usize = self.delivery.queued.values().map(|text| words(text)).sum();
        let Say::Model { .. } = self.say else { return false };
        words(&self.delivery.heard) + so_far + words(text) > WORDS_MAX && !text.contains('?')
    }

    /// Whether a tool call of the reply before it led to it.
    pub(crate) fn follows_a_call(&self) -> bool {
        self.exit.is_some() || matches!(self.purpose, Purpose::Check | Purpose::Again)
    }

    /// Whether it says nothing but that we wait: nobody has to be silent for it.
    pub(crate) fn is_patience(&self) -> bool {
        matches!(self.purpose, Purpose::Rung | Purpose::Hold | Purpose::Soft { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Case 31: who stops before the question is waited for as long as one who has said nothing; sound that
    /// is there, and calls after the question, get longer.
    #[test]
    fn nobody_waits_for_a_model_that_stops() {
        let mut reply = Reply::new(ReplyId(1), Say::Text(String::new()), Purpose::Ask);
        assert_eq!(reply.stall_limit(), REPLY_STALL_LIMIT);
        reply.delivery.queued.insert(1, "What do you do?".into());
        assert_eq!(reply.stall_limit(), PLAYOUT_STALL_LIMIT);
        reply.delivery.queued.clear();
        reply.delivery.asking = Asking::Heard;
        assert_eq!(reply.stall_limit(), PLAYOUT_STALL_LIMIT);
    }
}
