//! What becomes of the things that we say, and of what the model proposes meanwhile.

use super::{
    Effect, Interview, Phase,
    effect::{End, Say, Task},
    event::{CallId, Epoch, ReplyId},
    floor::{Floor, Purpose, Reply, Said, Turn},
    proposal::{Proposal, Refusal, Verdict},
    transition::{Exit, Facts, decide},
};

/// Replies in a row that may fail before we give up.
const FAILURES_MAX: u32 = 3;

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

    /// Stops the reply that we owe or give; the caller says who has the floor instead.
    pub(super) fn hush(&mut self) {
        if let Some(reply) = self.floor.reply() {
            self.out.push(Effect::Hush { reply: reply.id });
            self.hushed = Some(reply.clone());
        }
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
        let floor = match floor {
            Floor::Thinking { reply, turn, overlap, .. } => {
                let exit = reply.exit;
                if let Some(turn) = turn {
                    self.commit(turn);
                }
                if let Some(Exit::Stage { epoch, why }) = exit {
                    self.hand_off(epoch, why);
                }
                Floor::Interviewer { reply, overlap, progress: now }
            }
            Floor::Open { .. }
            | Floor::Candidate { .. }
            | Floor::Pause { .. }
            | Floor::Interviewer { .. }
            | Floor::Away { .. } => floor,
        };
        self.floor = match away {
            Some((since, until)) => Floor::Away { since, until, before: Box::new(floor) },
            None => floor,
        };
    }

    pub(super) fn on_segment_heard(&mut self, id: ReplyId, n: u16) {
        let now = self.own(self.now);
        if let Floor::Interviewer { reply, progress, .. } = &mut self.floor
            && reply.id == id
        {
            *progress = now;
        }
        let live = self.floor.reply_mut().filter(|live| live.id == id);
        let hushed = self.hushed.as_mut().filter(|hushed| hushed.id == id);
        let Some(reply) = live.or(hushed) else { return };
        let Some(text) = reply.ready.remove(&n) else { return };
        let counts = text.contains('?') && !reply.asked;
        reply.asked |= counts;
        let purpose = reply.purpose;
        self.history.heard(id, &text);
        if counts {
            self.on_question_heard(purpose, text);
        }
    }

    /// Questions are counted from what was heard (H09).
    fn on_question_heard(&mut self, purpose: Purpose, question: String) {
        match purpose {
            Purpose::Ask | Purpose::Insist => {
                self.stage.questions += 1;
                self.stage.rungs = 0;
                self.asked.push(question.clone());
                self.question = Some(question);
            }
            Purpose::Rung | Purpose::Return | Purpose::Farewell { .. } => {}
        }
    }

    pub(super) fn on_reply_finished(&mut self, id: ReplyId, heard: &str) {
        if self.hushed.as_ref().is_some_and(|hushed| hushed.id == id) {
            self.history.heard(id, heard);
            self.hushed = None;
            return;
        }
        if !self.is_live(id) {
            return;
        }
        let Floor::Interviewer { .. } = self.floor else { return self.on_reply_failed(id) };
        self.failures = 0;
        let since = self.own(self.now);
        if let Floor::Interviewer { reply, overlap, .. } = self.replace_floor(Floor::Open { since })
        {
            self.after_reply(&reply, overlap);
        }
    }

    /// We have said what we had to say.
    fn after_reply(&mut self, reply: &Reply, overlap: Said) {
        if let Purpose::Farewell { .. } = reply.purpose {
            return self.hang_up_as_planned();
        }
        let now = self.own(self.now);
        if self.voiced {
            let turn = Turn { said: overlap, ..Turn::new(now, now) };
            self.floor = Floor::Candidate { turn };
            return;
        }
        // A question that was asked gets its answer, or a first rung of silence, before we leave.
        let waits = reply.asked && !reply.leaves;
        let facts = Facts { questions_used_up: false, tool_accepted: reply.leaves, ..self.facts() };
        if let Some(exit) = decide(&facts).filter(|_| !waits) {
            self.begin_exit(exit, None);
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
        if let Floor::Away { before, .. } = &mut self.floor {
            // Nobody hears it anyway: what we owed is asked again when they are back.
            let turn =
                std::mem::replace(&mut **before, Floor::Open { since: self.now }).into_turn();
            self.carried = turn.or_else(|| self.carried.take());
            return;
        }
        if let Phase::Leaving { .. } = self.phase {
            return self.hang_up_as_planned();
        }
        if self.failures > FAILURES_MAX {
            return self.hang_up(End::Technical);
        }
        let now = self.own(self.now);
        match self.replace_floor(Floor::Open { since: now }) {
            Floor::Thinking { reply, turn, overlap, .. } => {
                self.replace_reply(reply, turn, overlap)
            }
            Floor::Interviewer { reply, overlap, .. } if reply.asked => {
                self.after_reply(&reply, overlap);
            }
            Floor::Interviewer { .. } => {
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
    fn replace_reply(&mut self, reply: Reply, turn: Option<Turn>, overlap: Said) {
        let words = match (&reply.template, reply.exit) {
            (Some(words), _) => words.clone(),
            (None, Some(Exit::Stage { .. })) => self.bridge_text(),
            (None, _) if self.history.lines().is_empty() && turn.is_none() => self.opening_text(),
            (None, _) => format!("{} {}", self.plan.phrases.apology, self.next_question()),
        };
        self.think(Say::Text(words), reply.purpose, turn, reply.exit);
        if let Floor::Thinking { overlap: new, .. } = &mut self.floor {
            *new = overlap;
        }
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
        let ruling = if self.is_live(reply) && epoch == self.epoch && self.phase == Phase::Running {
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
            _ if leaving => Err(Refusal::AlreadyLeaving),
            Proposal::AskQuestion { .. } => {
                if reply.asks {
                    return Err(Refusal::QuestionPending);
                }
                reply.asks = true;
                Ok(false)
            }
            Proposal::AssessResponse { depth, .. } => {
                let turn = turn.ok_or(Refusal::NothingToAssess)?;
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
                let answers = self.stage.answers + u32::from(turn.is_some());
                if answers < agent.questions_min {
                    return Err(Refusal::TooFewAnswers { wanted: agent.questions_min });
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
        self.hush();
        let since = self.own(self.now);
        if let Floor::Thinking { turn, overlap, .. } = self.replace_floor(Floor::Open { since }) {
            self.begin_exit(exit, turn);
            if let Floor::Thinking { overlap: new, .. } = &mut self.floor {
                *new = overlap;
            }
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
