//! The life of a reply: ordered, played segment by segment, interrupted, finished, and its follow-up.

use std::time::Duration;

use crate::interview::{
    Effect, Interview,
    dialogue::delivery::{Answered, Asking, Purpose, Replaced, Reply, Supply},
    effect::{Say, Task},
    exit::Exit,
    ids::ReplyId,
    note::Note,
    stage::{Pending, Step},
    transition::{Cause, decide},
    turn_taking::{
        floor::Floor,
        said::Said,
        turn::{Draft, Turn},
    },
    understanding::sentence::last_question,
};
use crate::{blueprint::Phrase, time::SessionTime, values::Reading};

/// The time to think (T03).
const HOLD: Duration = Duration::from_secs(120);

impl Interview {
    /// Orders a reply, to `turn` or to nobody.
    pub(crate) fn think(
        &mut self,
        say: Say,
        purpose: Purpose,
        turn: Option<Turn>,
        exit: Option<Exit>,
    ) {
        self.forget_waiting();
        self.replies.forget_waiting();
        let id = self.replies.take_id();
        let reply = Reply { exit, ..Reply::new(id, say.clone(), purpose) };
        let interruptible = reply.is_interruptible();
        self.outbox.push(Effect::Speak {
            reply: id,
            epoch: self.course.epoch(),
            say,
            interruptible,
        });
        let since = self.own_now();
        self.floor = Floor::Thinking { reply, turn, overlap: Said::default(), since };
    }

    /// Replaces the reply that has made no sound by another one, which `order` orders for the same turn.
    pub(crate) fn replace_owed(&mut self, order: impl FnOnce(&mut Self, &Reply, Option<Turn>)) {
        let Floor::Thinking { .. } = self.floor else { return };
        self.hush_reply();
        let since = self.own_now();
        let Floor::Thinking { reply, turn, overlap, since } =
            self.replace_floor(Floor::Open { since })
        else {
            return;
        };
        order(self, &reply, turn);
        self.take_place_of(&reply, overlap, since);
    }

    /// Lets the reply just ordered take the place of one that was `ordered` earlier: the words over that one
    /// are kept, and its deadline holds, so that a second call of the model makes nobody wait longer
    /// (invariant 10).
    pub(crate) fn take_place_of(&mut self, replaced: &Reply, earlier: Said, ordered: SessionTime) {
        let owed_since = replaced.replaced.map_or(ordered, |first| first.owed_since);
        if let Floor::Thinking { reply, overlap, since, .. } = &mut self.floor {
            *overlap = earlier;
            reply.replaced = Some(Replaced { reply: replaced.id, owed_since });
            if let Say::Model { .. } = reply.say {
                *since = owed_since;
            }
        }
    }

    /// Stops the reply that is being made or spoken; the caller says who has the floor instead.
    pub(crate) fn hush(&mut self) {
        self.hush_filler();
        self.hush_reply();
    }

    pub(crate) fn hush_reply(&mut self) {
        let Some(reply) = self.floor.reply().cloned() else { return };
        if self.replies.is_hushed(reply.id) {
            return;
        }
        self.outbox.push(Effect::Hush { reply: reply.id });
        self.keep_question(&reply);
        self.remember(reply);
    }

    /// Keeps the question of a reply that is cut off: it waits for an answer, not the question before it.
    fn keep_question(&mut self, reply: &Reply) {
        let counts = matches!(reply.purpose, Purpose::Ask | Purpose::Check | Purpose::Insist);
        let is_wanted = counts && !reply.leaves && reply.reads_back.is_none();
        let is_heard = self.floor.sounding(self.own_now()).is_some();
        if !is_wanted || !is_heard || reply.delivery.asking == Asking::Heard {
            return;
        }
        let mut whole = reply.delivery.heard.clone();
        reply.delivery.queued.values().for_each(|text| join(&mut whole, text));
        // Of the first words all counts, not the question alone.
        if !self.course.has_opened() {
            self.course.cut_opening();
        }
        let is_opening = !self.course.has_opened();
        if whole.contains('?') {
            let text = if is_opening { whole.as_str() } else { last_question(&whole) };
            self.questions.cut_off(text.to_owned());
        }
    }

    /// Remembers a reply that is over: its last sounds may still be reported.
    pub(crate) fn remember(&mut self, reply: Reply) {
        if let Some(sounding) = self.floor.sounding(self.own_now()) {
            self.hearing.ours.heard(reply.id, sounding.until, sounding.text);
        }
        self.replies.hush(reply);
    }

    pub(crate) fn is_live(&self, reply: ReplyId) -> bool {
        self.floor.reply().is_some_and(|live| live.id == reply)
    }

    pub(crate) fn on_segment_ready(&mut self, reply: ReplyId, n: u16, text: String) {
        if self.is_filler(reply) {
            return self.outbox.push(Effect::Play { reply, n });
        }
        self.note_told(reply);
        let Some(live) = self.floor.reply().filter(|live| live.id == reply) else { return };
        if live.delivery.supply == Supply::Sealed {
            return;
        }
        let after_question = live.delivery.asking >= Asking::Written;
        if live.purpose == Purpose::Check && live.thread.is_none() && text.contains('?') {
            return self.on_no_thread(n);
        }
        let fault = self.fault(live, &text);
        if let Some(fault) = fault {
            return self.on_fault(reply, n, fault);
        }
        // A question is the last thing that is said (L09), none is asked on the way out or before another
        // one, and no reply is a lecture.
        let asks_in_vain = (live.leaves || live.reads_back.is_some()) && text.contains('?');
        let is_vain = after_question || asks_in_vain || live.is_long(&text);
        if is_vain && n > 0 {
            return self.seal(n);
        }
        let Some(live) = self.floor.reply_mut() else { return };
        if text.contains('?') {
            live.delivery.asking = live.delivery.asking.max(Asking::Written);
        }
        live.delivery.queued.insert(n, text);
        self.let_out(reply, n);
    }

    /// Handles the first sound of a reply: its turn is committed, and its exit is taken.
    pub(crate) fn on_reply_started(&mut self, id: ReplyId) {
        if self.is_filler(id) {
            return self.on_filler_started();
        }
        if !self.is_live(id) {
            return;
        }
        let now = self.own_now();
        self.hearing.ours.begin(now);
        let (floor, away) = self.replace_floor(Floor::Open { since: now }).split_away();
        let (floor, turn, exit) = match floor {
            Floor::Thinking { reply, mut turn, mut overlap, .. } => {
                let exit = reply.exit;
                if exit.is_some() && overlap.words() > 0 {
                    // Words from before the handoff belong to the old stage (H05).
                    let turn = turn.get_or_insert_with(|| Turn::new(now, now));
                    turn.said.append(std::mem::take(&mut overlap));
                }
                let said = turn.as_ref().filter(|turn| !turn.leaves_open());
                let answered = said.and_then(|turn| turn.id);
                let answered = answered.map(|turn| Answered { turn, late: Draft::default() });
                let reply = Reply { answered, ..reply };
                (Floor::Interviewer { reply, overlap, progress: now, held: None }, turn, exit)
            }
            other @ (Floor::Open { .. }
            | Floor::Candidate { .. }
            | Floor::Pause { .. }
            | Floor::Interviewer { .. }
            | Floor::Away { .. }) => (other, None, None),
        };
        let say = floor.reply().map(|reply| (reply.purpose, reply.say.clone()));
        self.floor = floor.behind(away);
        if let Some(turn) = turn {
            self.commit(turn);
        }
        if let Some((purpose, say)) = say {
            self.begin_purpose(purpose, &say);
        }
        if let Some(Exit::Stage { epoch, why }) = exit {
            self.hand_off(epoch, why);
        }
    }

    /// Applies what changes with the first sound of a reply.
    fn begin_purpose(&mut self, purpose: Purpose, say: &Say) {
        match purpose {
            // "I am sorry that this is hard. Do you want to end?": a yes over the first sentence does not
            // answer the second.
            Purpose::ConfirmStop => {
                let first =
                    self.floor.reply().and_then(|reply| reply.delivery.queued.values().next());
                let asks = first.is_none_or(|text| text.contains('?'));
                if asks { self.awaited.ask_stop() } else { self.awaited.begin_stop() }
            }
            Purpose::Again => {
                self.awaited.drop_stop();
                self.awaited.stay();
                if let Say::Model { task: Task::Rephrase, .. } = say {
                    self.stage.pending.rephrased += 1;
                }
            }
            // A yes answers the last question.
            Purpose::Ask | Purpose::Check | Purpose::Insist => {
                self.awaited.drop_stop();
                self.awaited.end_read_back();
            }
            Purpose::Return => {
                self.awaited.drop_stop();
                self.awaited.stay();
            }
            Purpose::Farewell { .. } => self.course.part(),
            Purpose::Rung => {
                if *say == Say::Text(self.phrase(Phrase::AskToLeave)) {
                    self.awaited.ask_to_leave();
                } else if *say == Say::Text(self.phrase(Phrase::OfferSkip)) {
                    self.awaited.offer_skip();
                }
            }
            // The answer so far was acknowledged with it.
            Purpose::GoOn => {
                self.awaited.ask_to_go_on();
                self.stage.pending.forget(Step::Answered);
            }
            Purpose::Hold => self.awaited.stay(),
            Purpose::Soft { .. } => {}
        }
    }

    pub(crate) fn on_segment_heard(&mut self, id: ReplyId, n: u16) {
        let now = self.own_now();
        if let Floor::Interviewer { reply, progress, .. } = &mut self.floor
            && reply.id == id
        {
            *progress = now;
        }
        let is_live = self.is_live(id);
        let live = self.floor.reply_mut().filter(|live| live.id == id);
        let hushed = self.replies.hushed_mut(id);
        let Some(reply) = live.or(hushed) else { return };
        let Some(text) = reply.delivery.queued.remove(&n) else { return };
        self.hearing.ours.heard(id, now, &text);
        let next = reply.delivery.queued.values().next().filter(|_| is_live);
        let stop_sounds = self.awaited.is_stop_unasked()
            && reply.purpose == Purpose::ConfirmStop
            && next.unwrap_or(&text).contains('?');
        if stop_sounds {
            self.awaited.ask_stop();
        }
        join(&mut reply.delivery.heard, &text);
        let whole = reply.delivery.heard.clone();
        let asked = text
            .contains('?')
            .then(|| (reply.purpose, reply.thread.clone(), reply.delivery.heard.clone()));
        let asked = asked.filter(|_| {
            std::mem::replace(&mut reply.delivery.asking, Asking::Heard) < Asking::Heard
        });
        self.known.history.heard(id, &text);
        self.hear_read_back(&whole);
        if let Some((purpose, thread, heard)) = asked {
            if !is_live {
                self.ask_live_again(last_question(&heard));
            }
            self.on_question_heard(purpose, heard, thread);
        }
    }

    /// A question of a reply that is over was heard after all: if the live reply asks it as a new one, or
    /// puts it differently, it asks again.
    fn ask_live_again(&mut self, question: &str) {
        let Some(live) = self.floor.reply_mut() else { return };
        let asks_again = match &live.say {
            Say::Text(text) => live.purpose == Purpose::Ask && text.contains(question),
            Say::Model { task, .. } => *task == Task::Rephrase,
        };
        if asks_again {
            live.purpose = Purpose::Again;
        }
    }

    /// Counts a question that was heard (H09); `heard` is the reply up to the question's end, `named` what
    /// the model says that it is about.
    fn on_question_heard(&mut self, purpose: Purpose, heard: String, named: Option<String>) {
        match purpose {
            Purpose::Ask | Purpose::Insist | Purpose::Check => {
                self.course.open();
                self.stage.counts.questions += 1;
                self.stage.counts.checks += u32::from(purpose == Purpose::Check);
                // The ladder, patience and silence begin anew with each question (T02).
                self.stage.pending = Pending::default();
                self.stage.silence.end_hold();
                self.awaited.begin_question();
                self.stage.silence.quiet = Duration::ZERO;
                let text = last_question(&heard).to_owned();
                let id = self.questions.ask(text.clone(), heard.clone());
                let stage = self.agent().name.clone();
                let note = Note::Asked { question: id, stage, text };
                self.outbox.push(Effect::Note(note));
                self.ask_agenda(id, &heard, named.as_deref());
            }
            Purpose::Rung
            | Purpose::Return
            | Purpose::Again
            | Purpose::Hold
            | Purpose::Soft { .. }
            | Purpose::ConfirmStop
            | Purpose::GoOn
            | Purpose::Farewell { .. } => {}
        }
    }

    pub(crate) fn on_reply_finished(&mut self, id: ReplyId, heard: &str) {
        if self.is_filler(id) {
            return self.on_filler_over();
        }
        if let Some(hushed) = self.replies.take_hushed(id) {
            self.known.history.heard(id, heard);
            self.hearing.ours.cut(id, heard);
            self.hear_read_back(&format!("{} {heard}", hushed.delivery.heard));
            self.on_cut_question(&hushed, heard);
            return;
        }
        if !self.is_live(id) {
            return;
        }
        let since = self.own_now();
        let (floor, away) = self.replace_floor(Floor::Open { since }).split_away();
        let Floor::Interviewer { mut reply, overlap, progress, held } = floor else {
            self.floor = floor.behind(away);
            return self.on_reply_failed(id);
        };
        self.known.history.heard(id, heard);
        if reply.delivery.supply == Supply::Failed {
            reply.delivery.asking =
                self.on_cut_question(&reply, heard).unwrap_or(reply.delivery.asking);
            self.floor = Floor::Interviewer { reply, overlap, progress, held }.behind(away);
            return self.after_failure();
        }
        self.health.succeed(matches!(reply.say, Say::Model { .. }));
        if away.is_none() {
            return self.after_reply(&reply, overlap);
        }
        self.floor = Floor::Open { since }.behind(away);
        self.keep_overlap(overlap);
        if let Purpose::Farewell { .. } = reply.purpose {
            self.hang_up_as_planned();
        }
    }

    /// Counts a question that was cut off after most of it was heard: it is not asked again (case 22).
    /// Returns the new progress of the reply's question.
    fn on_cut_question(&mut self, reply: &Reply, heard: &str) -> Option<Asking> {
        let cut = reply
            .delivery
            .queued
            .values()
            .next()
            .filter(|_| reply.delivery.asking < Asking::Heard)?;
        let count = |text: &str| text.split_whitespace().count();
        if !cut.contains('?') || count(heard) * 2 < count(cut) {
            return None;
        }
        let mut whole = reply.delivery.heard.clone();
        join(&mut whole, cut);
        // It may be asked again already.
        let asks_it = |live: &Reply| {
            matches!(&live.say,
                Say::Text(text) if text.contains(last_question(&whole)))
        };
        if self.floor.reply().is_some_and(asks_it) {
            return None;
        }
        self.ask_live_again(last_question(&whole));
        self.on_question_heard(reply.purpose, whole, reply.thread.clone());
        Some(Asking::Heard)
    }

    /// Counts the question that sounds: a request for help with it shows that enough of it was heard.
    pub(crate) fn count_sounding_question(&mut self) {
        let Floor::Interviewer { reply, .. } = &mut self.floor else { return };
        // Nothing is queued behind a question that was heard.
        let sounding = reply.delivery.queued.values().next().filter(|text| text.contains('?'));
        let Some(sounding) = sounding.cloned() else { return };
        reply.delivery.asking = Asking::Heard;
        let (purpose, named) = (reply.purpose, reply.thread.clone());
        let mut whole = reply.delivery.heard.clone();
        join(&mut whole, &sounding);
        self.on_question_heard(purpose, whole, named);
    }

    /// Follows up on a reply that has ended.
    pub(crate) fn after_reply(&mut self, reply: &Reply, overlap: Said) {
        let now = self.own_now();
        if self.awaited.is_stop_unasked() && reply.purpose == Purpose::ConfirmStop {
            self.awaited.ask_stop();
        }
        if let Purpose::Again | Purpose::Return = reply.purpose {
            self.awaited.hear_value();
        }
        if reply.purpose == Purpose::Ask {
            self.course.open();
        }
        match reply.purpose {
            Purpose::Farewell { insists } => return self.after_farewell(insists, overlap),
            Purpose::Soft { stopped } => return self.after_soft_prompt(stopped, overlap),
            Purpose::Hold => self.begin_thinking(now),
            Purpose::Ask
            | Purpose::Rung
            | Purpose::Return
            | Purpose::Again
            | Purpose::Check
            | Purpose::Insist
            | Purpose::ConfirmStop
            | Purpose::GoOn => {}
        }
        if self.hearing.is_voiced() {
            let turn = Turn { said: overlap, ..Turn::new(now, now) };
            self.floor = Floor::Candidate { turn };
            self.replies.await_silence(reply.clone());
            return;
        }
        self.keep_overlap(overlap);
        // A question that was heard waits for its answer, or for a first rung of silence, before we leave.
        let waits =
            reply.delivery.asking == Asking::Heard && !reply.leaves || self.awaited.settles_stop();
        let facts = self.facts().while_question_waits().with(Cause::Tool, reply.leaves);
        if let Some(exit) = decide(&facts).filter(|_| !waits) {
            return self.begin_exit(exit, None);
        }
        // Not if the question that was to come after the read-back was heard.
        if let Some((key, value)) = &reply.reads_back
            && reply.delivery.asking < Asking::Heard
        {
            self.begin_read_back(key.clone());
            return self.read_back(value, None);
        }
        // A reply without a question does not give the floor (L09): the file asks one.
        match reply.purpose {
            Purpose::Ask if reply.delivery.asking < Asking::Written => {
                self.ask_from_file("", Purpose::Ask, None);
            }
            Purpose::Check if reply.delivery.asking < Asking::Written => self.leave_unchecked(None),
            Purpose::Ask
            | Purpose::Check
            | Purpose::Rung
            | Purpose::Return
            | Purpose::Again
            | Purpose::Hold
            | Purpose::Soft { .. }
            | Purpose::Insist
            | Purpose::ConfirmStop
            | Purpose::GoOn
            | Purpose::Farewell { .. } => {}
        }
        // A typed answer over the reply waits for ours, and so does a wish to stop.
        if reply.purpose == Purpose::Insist
            && let Floor::Open { .. } = self.floor
            && let Some(turn) = self.take_urgent()
        {
            self.floor = Floor::Pause { turn, stopped: now };
            self.end_turn();
        }
    }

    /// They have time to think from now on. What they are told of it is no more than is left of the stage and
    /// the interview, whose limits hold (T03).
    fn begin_thinking(&mut self, now: SessionTime) {
        let given = self.script.pauses().stretch(HOLD);
        self.stage.silence.hold_until = Some(now + given);
        self.stage.silence.thinks = Some(given.min(self.time_left(now)));
    }

    /// Reads a value back that may have been misheard (case 28).
    pub(crate) fn read_back(&mut self, value: &str, turn: Option<Turn>) {
        self.think(Say::Text(self.back(value)), Purpose::Again, turn, None);
    }

    /// The value as a question. It may be a whole sentence.
    pub(crate) fn back(&self, value: &str) -> String {
        format!(
            "{} {}?",
            self.script.plan().phrases.say(Phrase::Confirm),
            value.trim_end_matches(['.', '!', '?', ' '])
        )
    }

    /// Drops the question of the reply that sounds, if nothing of it was heard. Returns whether it did.
    pub(crate) fn cut_question(&mut self) -> bool {
        let Floor::Interviewer { reply, .. } = &mut self.floor else { return false };
        // The first queued segment sounds now.
        let to_come = reply.delivery.queued.iter().skip(1);
        let Some(n) = to_come.filter(|(_, text)| text.contains('?')).map(|(n, _)| *n).next() else {
            return reply.delivery.asking < Asking::Written;
        };
        if reply.delivery.asking == Asking::Heard {
            return false;
        }
        // It may have begun before its report comes: then it is heard after all.
        reply.delivery.asking = Asking::Nothing;
        self.seal(n);
        true
    }

    /// Gives the floor to a candidate who speaks during the goodbye or soon after it (X05, case 18), unless
    /// the goodbye is uninterruptible.
    fn after_farewell(&mut self, insists: bool, overlap: Said) {
        let now = self.own_now();
        if insists {
            self.keep_overlap(overlap);
            return self.hang_up_as_planned();
        }
        if self.hearing.is_voiced() {
            let turn = Turn { said: overlap, ..Turn::new(now, now) };
            self.floor = Floor::Candidate { turn };
            return;
        }
        self.keep_overlap(overlap);
        let Some(turn) = self.turns.take_carried() else { return };
        self.floor = Floor::Pause { turn, stopped: now };
    }

    /// Goes back to an unfinished sentence after a soft prompt (T04).
    pub(crate) fn after_soft_prompt(&mut self, stopped: SessionTime, overlap: Said) {
        let now = self.own_now();
        let mut turn = self.turns.take_carried().unwrap_or_else(|| Turn::new(now, now));
        turn.said.append(overlap);
        self.floor = if self.hearing.is_voiced() {
            Floor::Candidate { turn }
        } else {
            Floor::Pause { turn, stopped }
        };
    }

    /// Gives a soft prompt to a candidate who stopped in the middle of a sentence, and goes on waiting (T04).
    pub(crate) fn soft_prompt(&mut self) {
        let since = self.own_now();
        let (mut turn, stopped) = match self.replace_floor(Floor::Open { since }) {
            Floor::Pause { turn, stopped } => (turn, stopped),
            other @ (Floor::Open { .. }
            | Floor::Candidate { .. }
            | Floor::Thinking { .. }
            | Floor::Interviewer { .. }
            | Floor::Away { .. }) => {
                self.floor = other;
                return;
            }
        };
        turn.patience.prompted_after = Some(turn.said.words());
        let is_of_value = self.value_so_far(&turn) == Some(Reading::Unfinished);
        self.turns.carry(Some(turn));
        let go_on = Some(self.phrase(Phrase::GoOnListening))
            .filter(|go_on| is_of_value && !go_on.is_empty());
        let words = go_on.unwrap_or_else(|| self.phrase(Phrase::SoftPrompt));
        self.think(Say::Text(words), Purpose::Soft { stopped }, None, None);
    }

    /// Keeps words over an uninterruptible reply for the next turn; a lone word was a backchannel (case 23).
    pub(crate) fn keep_overlap(&mut self, overlap: Said) {
        let is_turn = overlap.words() >= self.script.plan().turns.barge_in_words_min
            || self.is_command(&overlap.text())
            || (overlap.words() > 0 && self.is_given_up());
        if is_turn {
            let now = self.own_now();
            self.turns.carry(Some(Turn { said: overlap, ..Turn::new(now, now) }));
        }
    }
}

fn join(text: &mut String, more: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(more);
}
