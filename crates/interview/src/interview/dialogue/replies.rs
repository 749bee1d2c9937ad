//! The replies beside the one on the floor: fillers, the suppressed reply, and those that were stopped.

use crate::interview::{dialogue::delivery::Reply, ids::ReplyId, turn_taking::fillers::Fillers};

/// The number of stopped replies that are kept: their last sounds may still be reported.
const HUSHED_MAX: usize = 4;

/// The replies beside the one on the floor.
#[derive(Clone, Debug, Default)]
pub(crate) struct Replies {
    count: u32,
    pub(crate) fillers: Fillers,
    /// A finished reply whose follow-up waits until the candidate's voice ends; it follows if the voice was
    /// noise.
    awaiting_silence: Option<Reply>,
    /// A reply held back because a voice began before its first sound. It is ordered again if the voice was
    /// noise.
    suppressed: Option<Reply>,
    /// The replies that were stopped last; their last sounds may still be reported.
    hushed: Vec<Reply>,
}

impl Replies {
    /// The id of a new reply.
    pub(crate) fn take_id(&mut self) -> ReplyId {
        self.count += 1;
        ReplyId(self.count)
    }

    /// Drops the replies that wait for the end of a voice: a new reply takes their place.
    pub(crate) fn forget_waiting(&mut self) {
        (self.awaiting_silence, self.suppressed) = (None, None);
    }

    /// Keeps a finished reply whose follow-up waits for the end of a voice.
    pub(crate) fn await_silence(&mut self, reply: Reply) {
        self.awaiting_silence = Some(reply);
    }

    /// Takes the finished reply whose follow-up waits.
    pub(crate) fn take_awaiting_silence(&mut self) -> Option<Reply> {
        self.awaiting_silence.take()
    }

    /// Holds a reply back, unless one is held back already.
    pub(crate) fn suppress(&mut self, reply: Option<Reply>) {
        self.suppressed = reply;
    }

    /// Takes the reply that was held back.
    pub(crate) fn take_suppressed(&mut self) -> Option<Reply> {
        self.suppressed.take()
    }

    /// Whether a reply is among those that were stopped last.
    pub(crate) fn is_hushed(&self, id: ReplyId) -> bool {
        self.hushed.iter().any(|hushed| hushed.id == id)
    }

    /// Keeps a reply that was stopped, and forgets the oldest one.
    pub(crate) fn hush(&mut self, reply: Reply) {
        if self.hushed.len() == HUSHED_MAX {
            self.hushed.remove(0);
        }
        self.hushed.push(reply);
    }

    /// A reply that was stopped and may still be reported on.
    pub(crate) fn hushed_mut(&mut self, id: ReplyId) -> Option<&mut Reply> {
        self.hushed.iter_mut().find(|hushed| hushed.id == id)
    }

    /// Takes a stopped reply: its last sound was reported.
    pub(crate) fn take_hushed(&mut self, id: ReplyId) -> Option<Reply> {
        let place = self.hushed.iter().position(|hushed| hushed.id == id)?;
        Some(self.hushed.remove(place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interview::dialogue::delivery::Purpose;
    use crate::interview::effect::Say;

    fn reply(id: u32) -> Reply {
        Reply::new(ReplyId(id), Say::Text("Hello.".to_owned()), Purpose::Ask)
    }

    /// Invariant 7: what a stopped reply still tells is believed for a few replies, each once.
    #[test]
    fn stopped_replies_are_kept_for_a_while() {
        let mut replies = Replies::default();
        let last = HUSHED_MAX as u32 + 1;
        (1..=last).for_each(|id| replies.hush(reply(id)));
        assert!(!replies.is_hushed(ReplyId(1)) && replies.is_hushed(ReplyId(2)));
        assert!(replies.hushed_mut(ReplyId(last)).is_some());
        assert!(replies.take_hushed(ReplyId(last)).is_some());
        assert!(replies.take_hushed(ReplyId(last)).is_none());
    }

    /// T04: a new reply takes the place of what waited for the end of a voice.
    #[test]
    fn a_new_reply_forgets_what_waited() {
        let mut replies = Replies::default();
        replies.await_silence(reply(1));
        replies.suppress(Some(reply(2)));
        replies.forget_waiting();
        assert!(replies.take_awaiting_silence().is_none() && replies.take_suppressed().is_none());
        replies.suppress(Some(reply(3)));
        assert_eq!(replies.take_suppressed().map(|reply| reply.id), Some(ReplyId(3)));
        assert!(replies.take_suppressed().is_none());
    }
}
