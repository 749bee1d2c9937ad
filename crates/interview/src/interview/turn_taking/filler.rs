//! Fillers: a few words such as "one moment, please" while a reply takes long (case 31).
//!
//! A filler is a reply of its own that answers nothing: it commits no turn, and a candidate who speaks over
//! or after it goes on with the same turn. Meanwhile the model goes on; its words are played when the filler
//! has ended. The silence after a filler counts anew, so a slow model gets about six seconds, of which the
//! candidate hears no more than three as silence.

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

/// The silence before a filler.
const FILLER_AFTER: Duration = Duration::from_millis(1_750);
/// The time after which a filler is given up, together with its reply.
const FILLER_LIMIT: Duration = Duration::from_secs(4);
/// At most one turn in this many gets a filler: too many sound like a machine.
const TURNS_BETWEEN: u32 = 3;
/// The fillers, used in turn.
const FILLERS: [Phrase; 3] = [Phrase::FirstFiller, Phrase::SecondFiller, Phrase::ThirdFiller];

impl Interview {
    /// The time at which a filler is due, if one is; the reply has been owed since `since`.
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
        // Where our sound comes back as an echo, a filler would interrupt itself.
        let is_echoing = self.hearing.ours.is_echoing(since + self.timeline.presence().stopped());
        let may = is_rare && is_silent && !is_echoing && self.course.phase() == Phase::Running;
        may.then_some(since + FILLER_AFTER)
    }

    /// The time at which the owed reply is given up; it has been owed since `since`.
    pub(crate) fn stall_due(&self, since: SessionTime) -> SessionTime {
        let sounds = self.replies.fillers.now.as_ref().and_then(|filler| filler.sounds);
        sounds.map_or(since + REPLY_STALL_LIMIT, |sounds| sounds + FILLER_LIMIT)
    }

    /// Orders a filler.
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

    /// Notes that the filler has begun to sound.
    pub(crate) fn on_filler_started(&mut self) {
        let now = self.own_now();
        self.hearing.ours.begin(now);
        if let Some(filler) = &mut self.replies.fillers.now {
            filler.sounds = Some(now);
        }
    }

    /// Ends the filler: the segments that the model has made meanwhile are played.
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

    /// Notes that the filler failed. Its sound so far ends by itself.
    pub(crate) fn on_filler_failed(&mut self) {
        if self.replies.fillers.is_heard() {
            return;
        }
        self.hush_filler();
    }

    /// Plays a segment of the reply: at once, or after the filler that sounds. A filler that has made no
    /// sound yet is dropped.
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

    /// Cuts the filler short for a candidate who talks over it, where the reply behind it is uninterruptible:
    /// that reply follows at once.
    pub(crate) fn cut_filler(&mut self) {
        if let Some(filler) = &self.replies.fillers.now {
            self.outbox.push(Effect::Hush { reply: filler.id });
            self.on_filler_over();
        }
    }

    /// Drops the segments that were to follow the filler: another reply does.
    pub(crate) fn forget_waiting(&mut self) {
        if let Some(filler) = &mut self.replies.fillers.now {
            filler.waiting.clear();
        }
    }
}
