//! Replies after words of the model that cannot be said (L09): more care, then a question only, then words of
//! the blueprint.

use crate::interview::{
    Effect, Interview,
    dialogue::delivery::{Asking, Purpose, Reply},
    effect::{Care, Say, Task},
    exit::Exit,
    guard::check::{Announcement, Fault, Scene, check},
    ids::ReplyId,
    note::Note,
    transition::{Cause, decide},
    turn_taking::{floor::Floor, turn::Turn},
};

impl Interview {
    /// A self-check that asks without a thread has found nothing (X03).
    pub(crate) fn on_no_thread(&mut self, n: u16) {
        match self.floor {
            Floor::Interviewer { .. } => self.seal(n),
            Floor::Thinking { .. }
            | Floor::Open { .. }
            | Floor::Candidate { .. }
            | Floor::Pause { .. }
            | Floor::Away { .. } => {
                self.replace_owed(|interview, _, turn| interview.leave_unchecked(turn));
            }
        }
    }

    /// The fault in a segment of a model's reply, if it has one.
    pub(crate) fn fault(&self, reply: &Reply, text: &str) -> Option<Fault> {
        let Say::Model { .. } = reply.say else { return None };
        // An agent that takes over speaks for its own stage already.
        let agent = match reply.exit {
            Some(Exit::Stage { why, .. }) => self.agent_after(why),
            Some(Exit::Interview { .. }) | None => None,
        };
        let agent = agent.unwrap_or(self.agent());
        let leaves = reply.exit.is_some() || reply.leaves;
        let has_next = self.stage.index + 1 < self.script.plan().agents.len();
        let is_last =
            matches!(reply.exit, Some(Exit::Interview { .. })) || reply.leaves && !has_next;
        let asked: Vec<String> = self.questions.past().map(str::to_owned).collect();
        let is_open = self.stage.index == 0 && self.questions.is_empty();
        let may: Vec<Announcement> = [
            (Announcement::Part, leaves || is_open),
            (Announcement::HandOver, leaves),
            (Announcement::Close, agent.kind.closes() || is_last),
            (Announcement::Leave, is_last),
        ]
        .into_iter()
        .filter_map(|(intent, may)| may.then_some(intent))
        .collect();
        let before: Vec<&str> = reply.delivery.queued.values().map(String::as_str).collect();
        let before = &format!("{} {}", reply.delivery.heard, before.join(" "));
        check(
            text,
            &Scene {
                asked: &asked,
                before,
                may_repeat: may_repeat(reply),
                has_question: reply.delivery.asking >= Asking::Written,
                may: &may,
                secrets: self.script.secrets(),
                told: &self.secrets_in(reply.id, before, text),
            },
        )
    }

    /// Replaces words of the model that cannot be said (L09): it tries again with more care, then words from
    /// the blueprint speak. What was let out already stays; the rest is cut off.
    pub(crate) fn on_fault(&mut self, id: ReplyId, n: u16, fault: Fault) {
        self.outbox.push(Effect::Note(Note::Guarded { reply: id, fault }));
        self.health.fault(fault);
        let is_first = match &self.floor {
            Floor::Thinking { reply, .. } => reply.delivery.queued.is_empty(),
            Floor::Interviewer { .. }
            | Floor::Open { .. }
            | Floor::Candidate { .. }
            | Floor::Pause { .. }
            | Floor::Away { .. } => false,
        };
        if !is_first && n > 0 {
            return self.seal(n);
        }
        self.replace_owed(Self::think_again);
    }

    /// The same reply with more care; at most three calls of the model, then the blueprint (L09).
    fn think_again(&mut self, reply: &Reply, turn: Option<Turn>) {
        let care = match &reply.say {
            Say::Model { care: Care::Usual, .. } => Some(Care::Cooler),
            Say::Model { care: Care::Cooler, .. } => Some(Care::QuestionOnly),
            Say::Model { care: Care::QuestionOnly, .. } | Say::Text(_) => None,
        };
        match (&reply.say, care) {
            (Say::Model { task, .. }, Some(care)) if reply.purpose != Purpose::Check => {
                let say = Say::Model { task: *task, care };
                self.think(say, reply.purpose, turn, reply.exit);
            }
            (Say::Model { .. } | Say::Text(_), _) => self.replace_reply(reply, turn, ""),
        }
    }

    /// Nothing of the live reply is heard from segment `n` on.
    pub(crate) fn seal(&mut self, n: u16) {
        let Some(live) = self.floor.reply_mut() else { return };
        live.delivery.seal();
        let reply = live.id;
        self.outbox.push(Effect::Seal { reply, n });
    }

    /// Nothing is missing: the stage is left.
    pub(crate) fn leave_unchecked(&mut self, turn: Option<Turn>) {
        match decide(&self.facts().with(Cause::RubricSettled, true)) {
            Some(exit) => self.begin_exit(exit, turn),
            None => self.follow(turn),
        }
    }

    /// The same, when the model has just failed: it is not asked for the bridge either.
    pub(crate) fn leave_by_file(&mut self, turn: Option<Turn>) {
        match decide(&self.facts().with(Cause::RubricSettled, true)) {
            Some(exit @ Exit::Stage { why, .. }) => {
                let words = self.bridge_text(why, turn.as_ref());
                self.think(Say::Text(words), Purpose::Ask, turn, Some(exit));
            }
            Some(exit) => self.begin_exit(exit, turn),
            None => self.ask_from_file("", Purpose::Ask, turn),
        }
    }
}

/// Whether a reply of the model is for a question that somebody wanted again; one that was cut off was not
/// asked yet.
fn may_repeat(reply: &Reply) -> bool {
    match &reply.say {
        Say::Text(_) => true,
        Say::Model { task: Task::Rephrase, .. } => reply.purpose == Purpose::Again,
        Say::Model { task: Task::Open | Task::Follow | Task::Bridge(_) | Task::Check, .. } => false,
    }
}
