//! A few words into a silence that gets long, beside the reply that we owe (case 31).
//!
//! A filler is a reply of its own that answers nothing: nothing is committed by it, and who goes on speaking
//! over it or after it goes on with their turn. Meanwhile the model goes on with the reply; what it has by
//! then sounds when the filler has ended. The silence after it counts anew, so a slow model gets some six
//! seconds, and nobody hears more than three of them as silence.

use std::time::Duration;

use crate::interview::{
    Effect, Interview,
    course::Phase,
    dialogue::delivery::{REPLY_STALL_LIMIT, Replaced, Reply},
    effect::Say,
    ids::ReplyId,
    turn_taking::{fillers::Filler, floor::Floor, turn::Turn},
};
use crate::{blueprint::Phrase, time::SessionTime};

/// A model that has said nothing for so long gets a filler.
const FILLER_AFTER: Duration = Duration::from_millis(1_750);
/// A filler that is not over by then is given up, with the reply that it is for.
const FILLER_LIMIT: Duration = Duration::from_secs(4);
/// One turn in so many at most gets one: who hears them all the time hears a machine.
const TURNS_BETWEEN: u32 = 3;
/// They take turns.
const FILLERS: [Phrase; 3] = [Phrase::FirstFiller, Phrase::SecondFiller, Phrase::ThirdFiller];

impl Interview {
    /// When a filler is due, if it is still to come; the reply is owed `since` then.
    pub(crate) fn filler_due(
        &self,
        reply: &Reply,
        turn: Option<&Turn>,
        since: SessionTime,
    ) -> Option<SessionTime> {
        let Say::Model { .. } = reply.say else { return None };
        let id = turn?.id?;
        let is_rare = self.replies.fillers.last.is_none_or(|last| id.0 >= last.0 + TURNS_BETWEEN);
        let is_silent = reply.delivery.queued.is_empty() && self.replies.fillers.now.is_none();
        // Where we hear ourselves our filler would stop for itself.
        let is_echoing = self.hearing.ours.is_echoing(since + self.timeline.presence().stopped());
        let may = is_rare && is_silent && !is_echoing && self.course.phase() == Phase::Running;
        may.then_some(since + FILLER_AFTER)
    }

    /// When the reply that we owe is given up; it is owed `since` then.
    pub(crate) fn stall_due(&self, since: SessionTime) -> SessionTime {
        let sounds = self.replies.fillers.now.as_ref().and_then(|filler| filler.sounds);
        sounds.map_or(since + REPLY_STALL_LIMIT, |sounds| sounds + FILLER_LIMIT)
    }

    /// Says a few words.
    pub(crate) fn fill(&mut self) {
        let Floor::Thinking { turn: Some(turn), .. } = &self.floor else { return };
        self.replies.fillers.last = turn.id;
        if self.hearing.is_voiced() {
            return;
        }
        let text = self.phrase(FILLERS[self.replies.fillers.count % FILLERS.len()]);
        self.replies.fillers.count += 1;
        if text.is_empty() {
            return;
        }
        let reply = self.replies.take_id();
        self.outbox.push(Effect::Fill { reply, text: text.clone() });
        self.replies.fillers.now =
            Some(Filler { id: reply, text, sounds: None, waiting: Vec::new() });
    }

    pub(crate) fn is_filler(&self, id: ReplyId) -> bool {
        self.replies.fillers.now.as_ref().is_some_and(|filler| filler.id == id)
    }

    /// The filler is heard.
    pub(crate) fn on_filler_started(&mut self) {
        let now = self.own_now();
        self.hearing.ours.begin(now);
        if let Some(filler) = &mut self.replies.fillers.now {
            filler.sounds = Some(now);
        }
    }

    /// The filler has ended, or there will be none: what the model has said meanwhile follows.
    pub(crate) fn on_filler_over(&mut self) {
        let Some(filler) = self.replies.fillers.now.take() else { return };
        let now = self.own_now();
        if filler.sounds.is_some() {
            self.hearing.ours.heard(filler.id, now, &filler.text);
        }
        let Floor::Thinking { reply, since, .. } = &mut self.floor else { return };
        if filler.sounds.is_some() {
            *since = now;
            reply.replaced = reply.replaced.map(|first| Replaced { owed_since: now, ..first });
        }
        let reply = reply.id;
        for n in filler.waiting {
            self.outbox.push(Effect::Play { reply, n });
        }
    }

    /// Nothing more is made of the filler. What is heard of it ends by itself.
    pub(crate) fn on_filler_failed(&mut self) {
        if self.replies.fillers.is_heard() {
            return;
        }
        self.hush_filler();
    }

    /// A segment of the reply may sound: at once, or after the filler that does. One that is not heard yet is
    /// not needed any more.
    pub(crate) fn let_out(&mut self, reply: ReplyId, n: u16) {
        if let Some(filler) =
            self.replies.fillers.now.as_mut().filter(|filler| filler.sounds.is_some())
        {
            return filler.waiting.push(n);
        }
        self.hush_filler();
        self.outbox.push(Effect::Play { reply, n });
    }

    pub(crate) fn hush_filler(&mut self) {
        let Some(filler) = self.replies.fillers.now.take() else { return };
        if filler.sounds.is_some() {
            self.hearing.ours.heard(filler.id, self.own_now(), &filler.text);
        }
        self.outbox.push(Effect::Hush { reply: filler.id });
    }

    /// The candidate talks over the filler, and the reply behind it is one that nobody interrupts: that
    /// follows at once.
    pub(crate) fn cut_filler(&mut self) {
        if let Some(filler) = &self.replies.fillers.now {
            self.outbox.push(Effect::Hush { reply: filler.id });
            self.on_filler_over();
        }
    }

    /// What was to follow the filler lapses: another reply does.
    pub(crate) fn forget_waiting(&mut self) {
        if let Some(filler) = &mut self.replies.fillers.now {
            filler.waiting.clear();
        }
    }
}
