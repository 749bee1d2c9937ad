//! What becomes of the things that we say, and of what the model proposes meanwhile.

use std::time::Duration;

use super::{
    Effect, Interview, Phase,
    effect::{End, Say, Task},
    event::{CallId, Epoch, ReplyId},
    floor::{Floor, Purpose, Reply, Said, Turn},
    proposal::{Proposal, Refusal, Verdict},
    transition::{Exit, Facts, decide},
};
use crate::time::SessionTime;

/// So many replies in a row that fail end the interview (case 31).
const FAILURES_MAX: u32 = 3;
/// Hushed replies that may still tell what was heard of them.
const HUSHED_MAX: usize = 4;

impl Interview {
    /// Orders a reply and owes it from now on.
    pub(super) fn think(
        &mut self,
        say: Say,
        purpose: Purpose,
        turn: Option<Turn>,
        exit: Option<Exit>,
    ) {
        self.replies += 1;
        let template = match &say {
            Say::Text(words) => Some(words.clone()),
            Say::Model(_) => None,
        };
        let reply = Reply { exit, template, ..Reply::new(ReplyId(self.replies), purpose) };
        let interruptible = reply.is_interruptible();
        self.out.push(Effect::Speak { reply: reply.id, epoch: self.epoch, say, interruptible });
        let since = self.own(self.now);
        self.floor = Floor::Thinking { reply, turn, overlap: Said::default(), since };
    }

    /// The reply just ordered takes the place of one that was `ordered` then: what was said over that one
    /// is kept, and a second call of the model makes nobody wait longer than one would (invariant 10).
    pub(super) fn take_place_of(&mut self, replaced: &Reply, earlier: Said, ordered: SessionTime) {
        let owed = replaced.owed.unwrap_or(ordered);
        if let Floor::Thinking { reply, overlap, since, .. } = &mut self.floor {
            *overlap = earlier;
            reply.replaces = Some(replaced.id);
            reply.owed = Some(owed);
            if reply.template.is_none() {
                *since = owed;
            }
        }
    }

    /// Stops the reply that we owe or give; the caller says who has the floor instead.
    pub(super) fn hush(&mut self) {
        let Some(reply) = self.floor.reply().cloned() else { return };
        if self.hushed.iter().any(|hushed| hushed.id == reply.id) {
            return;
        }
        self.out.push(Effect::Hush { reply: reply.id });
        self.remember(reply);
    }

    /// Of a reply that is over more may have been heard than we know.
    fn remember(&mut self, reply: Reply) {
        if self.hushed.len() == HUSHED_MAX {
            self.hushed.remove(0);
        }
        self.hushed.push(reply);
    }

    fn is_live(&self, reply: ReplyId) -> bool {
        self.floor.reply().is_some_and(|live| live.id == reply)
    }

    pub(super) fn on_segment_ready(&mut self, reply: ReplyId, n: u16, text: String) {
        let Some(live) = self.floor.reply_mut().filter(|live| live.id == reply) else { return };
        live.asks |= text.contains('?');
        live.ready.insert(n, text);
        self.out.push(Effect::Play { reply, n });
    }

    /// Our answer is heard: the turn counts, and the way out that it leads to is gone through.
    pub(super) fn on_reply_started(&mut self, id: ReplyId) {
        if !self.is_live(id) {
            return;
        }
        let now = self.own(self.now);
        let (floor, away) = self.replace_floor(Floor::Open { since: now }).split_away();
        let (floor, turn, exit) = match floor {
            Floor::Thinking { reply, mut turn, mut overlap, .. } => {
                let exit = reply.exit;
                if exit.is_some() && overlap.words() > 0 {
                    // What they said before the handoff belongs to the old stage (H05).
                    let turn = turn.get_or_insert_with(|| Turn::new(now, now));
                    turn.said.append(std::mem::take(&mut overlap));
                }
                let depth = turn.as_ref().map(|turn| turn.depth);
                let reply = Reply { assesses: depth == Some(None), ..reply };
                (Floor::Interviewer { reply, overlap, progress: now }, turn, exit)
            }
            other @ (Floor::Open { .. }
            | Floor::Candidate { .. }
            | Floor::Pause { .. }
            | Floor::Interviewer { .. }
            | Floor::Away { .. }) => (other, None, None),
        };
        self.floor = floor.behind(away);
        if let Some(turn) = turn {
            self.commit(turn);
        }
        if let Some(Exit::Stage { epoch, why }) = exit {
            self.hand_off(epoch, why);
        }
    }

    pub(super) fn on_segment_heard(&mut self, id: ReplyId, n: u16) {
        let now = self.own(self.now);
        if let Floor::Interviewer { reply, progress, .. } = &mut self.floor
            && reply.id == id
        {
            *progress = now;
        }
        let live = self.floor.reply_mut().filter(|live| live.id == id);
        let hushed = self.hushed.iter_mut().find(|hushed| hushed.id == id);
        let Some(reply) = live.or(hushed) else { return };
        let Some(text) = reply.ready.remove(&n) else { return };
        join(&mut reply.heard, &text);
        let asked = text.contains('?').then(|| (reply.purpose, reply.heard.clone()));
        let asked = asked.filter(|_| !std::mem::replace(&mut reply.asked, true));
        self.history.heard(id, &text);
        if let Some((purpose, heard)) = asked {
            self.on_question_heard(purpose, heard);
        }
    }

    /// Questions are counted from what was heard (H09); `heard` is the reply up to the question's end.
    fn on_question_heard(&mut self, purpose: Purpose, heard: String) {
        match purpose {
            Purpose::Ask | Purpose::Insist => {
                self.stage.questions += 1;
                // Ladder and silence are the question's own (T02).
                self.stage.rungs = 0;
                self.quiet = Duration::ZERO;
                self.question = Some(last_question(&heard).to_owned());
                self.asked.push(heard);
            }
            Purpose::Rung | Purpose::Return | Purpose::Farewell { .. } => {}
        }
    }

    pub(super) fn on_reply_finished(&mut self, id: ReplyId, heard: &str) {
        if let Some(place) = self.hushed.iter().position(|hushed| hushed.id == id) {
            let hushed = self.hushed.remove(place);
            self.history.heard(id, heard);
            return self.on_cut_question(hushed, heard);
        }
        if !self.is_live(id) {
            return;
        }
        let since = self.own(self.now);
        let (floor, away) = self.replace_floor(Floor::Open { since }).split_away();
        let Floor::Interviewer { reply, overlap, .. } = floor else {
            self.floor = floor.behind(away);
            return self.on_reply_failed(id);
        };
        self.history.heard(id, heard);
        self.failures = 0;
        if away.is_none() {
            return self.after_reply(&reply, overlap);
        }
        self.floor = Floor::Open { since }.behind(away);
        self.keep_overlap(overlap);
        if let Purpose::Farewell { .. } = reply.purpose {
            self.hang_up_as_planned();
        }
    }

    /// Most of a question was heard before it was cut off: it counts, and is not asked again (case 22).
    fn on_cut_question(&mut self, reply: Reply, heard: &str) {
        let Some(cut) = reply.ready.values().next().filter(|_| !reply.asked) else { return };
        let count = |text: &str| text.split_whitespace().count();
        if cut.contains('?') && count(heard) * 2 >= count(cut) {
            let mut whole = reply.heard;
            join(&mut whole, cut);
            self.on_question_heard(reply.purpose, whole);
        }
    }

    /// We have said what we had to say.
    fn after_reply(&mut self, reply: &Reply, overlap: Said) {
        let now = self.own(self.now);
        // Who speaks up during the goodbye is heard (case 18), unless it is the last one.
        if let Purpose::Farewell { insists } = reply.purpose
            && (insists || !self.voiced)
        {
            self.keep_overlap(overlap);
            return self.hang_up_as_planned();
        }
        if self.voiced {
            let turn = Turn { said: overlap, ..Turn::new(now, now) };
            self.floor = Floor::Candidate { turn };
            return;
        }
        self.keep_overlap(overlap);
        // A question that was asked gets its answer, or a first rung of silence, before we leave.
        let waits = reply.asked && !reply.leaves;
        let facts = Facts { questions_used_up: false, tool_accepted: reply.leaves, ..self.facts() };
        if let Some(exit) = decide(&facts).filter(|_| !waits) {
            self.begin_exit(exit, None);
        }
    }

    /// What they said over a reply that nobody may interrupt goes on with their next words; a lone word was a
    /// backchannel (case 23).
    fn keep_overlap(&mut self, overlap: Said) {
        if overlap.words() >= self.plan.turns.barge_in_words_min {
            let now = self.own(self.now);
            self.carry(Some(Turn { said: overlap, ..Turn::new(now, now) }));
        }
    }

    pub(super) fn on_reply_stall(&mut self) {
        if let Floor::Thinking { reply, .. } = &self.floor {
            let id = reply.id;
            self.hush();
            self.on_reply_failed(id);
        }
    }

    pub(super) fn on_playout_stall(&mut self) {
        if let Floor::Interviewer { reply, .. } = &self.floor {
            let id = reply.id;
            self.hush();
            self.on_reply_failed(id);
        }
    }

    /// A reply that cannot be made is replaced by words from the blueprint (invariant 10); when those
    /// fail too, we say goodbye.
    pub(super) fn on_reply_failed(&mut self, id: ReplyId) {
        if !self.is_live(id) {
            return;
        }
        self.failures += 1;
        if let Floor::Interviewer { reply, .. } = &self.floor {
            let reply = reply.clone();
            self.hushed.retain(|hushed| hushed.id != reply.id);
            self.remember(reply);
        }
        let since = self.own(self.now);
        if let Floor::Away { before, .. } = &mut self.floor {
            // Nobody hears it anyway: what we owed is asked again when they are back.
            let words_min = self.plan.turns.barge_in_words_min;
            let floor = std::mem::replace(&mut **before, Floor::Open { since });
            return self.carry(floor.into_unanswered(words_min, since));
        }
        if let Phase::Leaving { .. } = self.phase {
            return self.hang_up_as_planned();
        }
        if self.failures >= FAILURES_MAX {
            let turn = self.take_unanswered(since);
            return self.begin_goodbye(End::Technical, turn, true);
        }
        match self.replace_floor(Floor::Open { since }) {
            Floor::Thinking { reply, turn, overlap, since } => {
                self.replace_reply(&reply, turn);
                self.take_place_of(&reply, overlap, since);
            }
            Floor::Interviewer { reply, overlap, .. }
                if self.voiced || reply.asked || reply.leaves || reply.purpose == Purpose::Rung =>
            {
                self.after_reply(&reply, overlap);
            }
            Floor::Interviewer { overlap, .. } => {
                self.keep_overlap(overlap);
                let words = self.next_question();
                self.think(Say::Text(words), Purpose::Ask, None, None);
            }
            other @ (Floor::Open { .. }
            | Floor::Candidate { .. }
            | Floor::Pause { .. }
            | Floor::Away { .. }) => self.floor = other,
        }
    }

    /// The same reply, from the blueprint.
    fn replace_reply(&mut self, reply: &Reply, turn: Option<Turn>) {
        let words = match (&reply.template, reply.exit) {
            (Some(words), _) => words.clone(),
            (None, Some(Exit::Stage { .. })) => self.bridge_text(),
            (None, _) if self.history.lines().is_empty() && turn.is_none() => self.opening_text(),
            (None, _) => format!("{} {}", self.plan.phrases.apology, self.next_question()),
        };
        self.think(Say::Text(words), reply.purpose, turn, reply.exit);
    }

    /// A question of this stage that was not asked yet.
    pub(super) fn next_question(&self) -> String {
        let questions = &self.plan.agents[self.stage.index].questions;
        let new = questions.iter().find(|question| !self.was_asked(question));
        new.or(questions.last()).cloned().unwrap_or_default()
    }

    pub(super) fn was_asked(&self, question: &str) -> bool {
        self.asked.iter().any(|asked| asked.contains(question))
    }

    fn opening_text(&self) -> String {
        let agent = &self.plan.agents[self.stage.index];
        format!("{} {}", agent.bridge, self.next_question()).trim().to_owned()
    }

    /// The way into the next stage, from its file.
    pub(super) fn bridge_text(&self) -> String {
        let next = self.plan.agents.get(self.stage.index + 1);
        let Some(agent) = next else { return self.plan.phrases.farewell.clone() };
        let question = agent.questions.first().map_or("", String::as_str);
        format!("{} {question}", agent.bridge)
    }

    pub(super) fn on_proposed(
        &mut self,
        reply: ReplyId,
        epoch: Epoch,
        call: CallId,
        proposal: Proposal,
    ) {
        let is_live = self.floor.reply().is_some_and(|live| {
            live.id == reply
                // A reply that called two tools was hushed by the first one; the second still counts.
                || (live.replaces == Some(reply) && live.exit.is_some())
        });
        let ruling = if is_live && epoch == self.epoch && self.phase == Phase::Running {
            self.rule(proposal)
        } else {
            Err(Refusal::Stale)
        };
        let (verdict, leaves) = match ruling {
            Ok(leaves) => (Verdict::Accepted, leaves),
            Err(refusal) => (Verdict::Refused(refusal), false),
        };
        self.out.push(Effect::Answer { call, verdict });
        if leaves {
            self.leave_by_tool();
        }
    }

    /// Whether a live proposal holds; `Ok(true)` if the stage is left by it.
    fn rule(&mut self, proposal: Proposal) -> Result<bool, Refusal> {
        let agent = &self.plan.agents[self.stage.index];
        let is_last = self.stage.index + 1 == self.plan.agents.len();
        let (turn, reply) = match &mut self.floor {
            Floor::Thinking { turn, reply, .. } => (turn.as_mut(), reply),
            Floor::Interviewer { reply, .. } => (None, reply),
            Floor::Open { .. }
            | Floor::Candidate { .. }
            | Floor::Pause { .. }
            | Floor::Away { .. } => return Err(Refusal::Stale),
        };
        let leaving = reply.exit.is_some() || reply.leaves;
        match proposal {
            Proposal::Malformed { problem } => Err(Refusal::Malformed { problem }),
            Proposal::AskQuestion { .. }
            | Proposal::TransitionStage { .. }
            | Proposal::EndInterview { .. }
                if leaving =>
            {
                Err(Refusal::AlreadyLeaving)
            }
            Proposal::AskQuestion { .. } => {
                if reply.asks {
                    return Err(Refusal::QuestionPending);
                }
                reply.asks = true;
                Ok(false)
            }
            Proposal::AssessResponse { depth, .. } => {
                let Some(turn) = turn else {
                    // The answer counts already: what the model thinks of it does too, once.
                    if !std::mem::replace(&mut reply.assesses, false) {
                        return Err(Refusal::NothingToAssess);
                    }
                    self.stage.depth = self.stage.depth.max(depth);
                    return Ok(false);
                };
                if turn.depth.is_some() {
                    return Err(Refusal::AlreadyAssessed);
                }
                turn.depth = Some(depth);
                Ok(false)
            }
            Proposal::EndInterview { .. } if !is_last => Err(Refusal::StagesLeft),
            Proposal::TransitionStage { .. } | Proposal::EndInterview { .. } => {
                if reply.asks {
                    return Err(Refusal::QuestionPending);
                }
                // A stage that has asked nothing yet is not done, whatever its minimum.
                let asked = self.stage.questions > 0 || turn.is_some();
                let wanted = agent.questions_min.max(u32::from(!asked));
                if self.stage.answers + u32::from(turn.is_some()) < wanted {
                    return Err(Refusal::TooFewAnswers { wanted });
                }
                Ok(true)
            }
        }
    }

    /// The model's way out holds. Before its first sound the bridge takes the reply's place at once.
    fn leave_by_tool(&mut self) {
        let Some(exit) = decide(&Facts { tool_accepted: true, ..self.facts() }) else { return };
        if let Floor::Interviewer { reply, .. } = &mut self.floor {
            reply.leaves = true;
            return;
        }
        self.begin_exit_instead(exit);
    }

    /// A way out takes the place of the reply that we owe.
    pub(super) fn begin_exit_instead(&mut self, exit: Exit) {
        // Who has just begun to speak ends first: it is decided again then (H04).
        if self.voiced && self.floor.reply().is_some_and(Reply::is_interruptible) {
            return self.take_floor(None);
        }
        let now = self.own(self.now);
        self.hush();
        if let Floor::Thinking { reply, turn, overlap, since } =
            self.replace_floor(Floor::Open { since: now })
        {
            self.begin_exit(exit, turn);
            self.take_place_of(&reply, overlap, since);
        }
    }

    /// What the model has to do in a live reply that it makes.
    pub(super) fn task_of(&self, id: ReplyId) -> Option<Task> {
        let reply = self.floor.reply().filter(|reply| reply.id == id)?;
        match (reply.exit, &reply.template) {
            (_, Some(_)) | (Some(Exit::Interview { .. }), None) => None,
            (Some(Exit::Stage { why, .. }), None) => Some(Task::Bridge(why)),
            (None, None) if self.history.lines().is_empty() && self.turns == 0 => Some(Task::Open),
            (None, None) => Some(Task::Follow),
        }
    }
}

fn join(text: &mut String, more: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(more);
}

/// The last sentence of `text` that is a question; the whole text if none is.
fn last_question(text: &str) -> &str {
    let Some(end) = text.rfind('?') else { return text };
    let before = &text[..end];
    let start = before.rfind(['.', '!', '?']).map_or(0, |stop| stop + 1);
    text[start..=end].trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R06: what is asked again is the question alone, without what led to it.
    #[test]
    fn the_last_question() {
        for (text, want) in [
            ("Thank you. Let us move on. Which project?", "Which project?"),
            ("Are you there? What do you do, today? Take your time.", "What do you do, today?"),
            ("Please go on", "Please go on"),
            ("", ""),
            ("?", "?"),
        ] {
            assert_eq!(last_question(text), want, "{text}");
        }
    }
}
