//! Fallbacks: words of the blueprint for a reply that cannot be made (invariant 10).

use language::Intent;

use crate::blueprint::{Phrase, Varied};
use crate::interview::{
    Interview,
    course::Phase,
    dialogue::delivery::{Asking, Purpose, Reply},
    effect::{Say, Task},
    exit::{End, Exit, Reason},
    ids::ReplyId,
    stage::{self, Opening, Step},
    transition::{Cause, decide},
    turn_taking::{floor::Floor, turn::Turn},
    understanding::{duplicate::is_duplicate, sentence::last_question},
};

impl Interview {
    pub(crate) fn on_reply_stall(&mut self) {
        if let Floor::Thinking { reply, .. } = &self.floor {
            let id = reply.id;
            self.hush();
            self.on_reply_failed(id);
        }
    }

    pub(crate) fn on_playout_stall(&mut self) {
        if let Floor::Interviewer { reply, .. } = &self.floor {
            let id = reply.id;
            self.hush();
            self.on_reply_failed(id);
        }
    }

    /// Notes that a reply has failed. Its queued segments are played to the end, and then it is replaced; a
    /// sealed reply has all its words already.
    pub(crate) fn on_failure_told(&mut self, id: ReplyId) {
        if self.is_filler(id) {
            return self.on_filler_failed();
        }
        match &mut self.floor {
            Floor::Interviewer { reply, .. } if reply.id == id => reply.delivery.fail(),
            Floor::Interviewer { .. }
            | Floor::Open { .. }
            | Floor::Candidate { .. }
            | Floor::Pause { .. }
            | Floor::Thinking { .. }
            | Floor::Away { .. } => self.on_reply_failed(id),
        }
    }

    /// Replaces a reply that cannot be made by words of the blueprint (invariant 10); when those fail too,
    /// says goodbye.
    pub(crate) fn on_reply_failed(&mut self, id: ReplyId) {
        if self.is_live(id) {
            // The sound that it has so far would delay what follows.
            self.hush_reply();
            self.after_failure();
        }
    }

    /// Goes on after a failed reply whose sound has ended.
    pub(crate) fn after_failure(&mut self) {
        self.health.fail();
        let since = self.own_now();
        if let Floor::Away { before, .. } = &mut self.floor {
            // They are away: the reply is made again when they are back.
            let words_min = self.script.plan().turns.barge_in_words_min;
            let floor = std::mem::replace(&mut **before, Floor::Open { since });
            // Only the question of this reply, not an earlier one.
            if let Floor::Thinking { reply, turn, .. } = &floor
                && (turn.is_some() || self.turns.carried().is_none())
            {
                self.replies.suppress(Some(reply.clone()));
            }
            return self.turns.carry(floor.into_unanswered(words_min, since));
        }
        // A goodbye that made no sound is tried again.
        let is_silent = matches!(self.floor, Floor::Thinking { .. });
        if let Phase::Leaving { .. } = self.course.phase()
            && (!is_silent || self.health.is_hopeless())
        {
            return self.hang_up_as_planned();
        }
        if let Some(Purpose::Soft { stopped }) = self.floor.reply().map(|reply| reply.purpose) {
            let overlap = self.floor.take_overlap();
            return self.after_soft_prompt(stopped, overlap);
        }
        if self.health.is_hopeless() {
            let turn = self.take_unanswered(since);
            return self.begin_goodbye(End::Technical, turn, true);
        }
        match self.replace_floor(Floor::Open { since }) {
            Floor::Thinking { reply, turn, overlap, since } => {
                // The apology is said once, not after every answer.
                let is_models = matches!(reply.say, Say::Model { .. });
                let is_news = is_models && self.health.go_down();
                let apology = if is_news { self.phrase(Phrase::Apology) } else { String::new() };
                self.replace_reply(&reply, turn, &apology);
                self.take_place_of(&reply, overlap, since);
            }
            Floor::Interviewer { mut reply, overlap, .. }
                if self.hearing.is_voiced()
                    || reply.delivery.asking == Asking::Heard
                    || reply.leaves
                    || reply.is_patience() =>
            {
                // A question that was not heard yet does not come any more.
                if reply.delivery.asking < Asking::Heard {
                    reply.delivery.asking = Asking::Nothing;
                }
                self.after_reply(&reply, overlap);
            }
            Floor::Interviewer { reply, overlap, .. } => {
                self.keep_overlap(overlap);
                match reply.purpose {
                    Purpose::Again | Purpose::Return | Purpose::ConfirmStop | Purpose::GoOn => {
                        self.say_and_ask_again("", None);
                    }
                    Purpose::Ask
                    | Purpose::Rung
                    | Purpose::Check
                    | Purpose::Hold
                    | Purpose::Soft { .. }
                    | Purpose::Insist
                    | Purpose::Farewell { .. } => self.ask_from_file("", Purpose::Ask, None),
                }
            }
            other @ (Floor::Open { .. }
            | Floor::Candidate { .. }
            | Floor::Pause { .. }
            | Floor::Away { .. }) => self.floor = other,
        }
    }

    /// Makes the same reply from the blueprint.
    pub(crate) fn replace_reply(&mut self, reply: &Reply, turn: Option<Turn>, apology: &str) {
        let task = match &reply.say {
            Say::Text(words) => {
                let say = Say::Text(words.clone());
                return self.think(say, reply.purpose, turn, reply.exit);
            }
            Say::Model { task, .. } => *task,
        };
        let words = match task {
            // A check that fails has found no thread (X03).
            Task::Check => return self.leave_by_file(turn),
            Task::Bridge(why) => self.bridge_text(why, turn.as_ref()),
            Task::Open => self.opening_text(),
            Task::Rephrase => self.in_other_words(turn.as_ref()),
            Task::Follow => return self.ask_from_file(apology, reply.purpose, turn),
        };
        self.think(Say::Text(words), reply.purpose, turn, reply.exit);
    }

    /// The next question of this stage that was not asked yet.
    pub(crate) fn new_question(&self) -> Option<String> {
        if let Some(planned) = self.planned(self.stage.index) {
            return planned.into_iter().next();
        }
        let agent = self.agent();
        let is_new = |question: &&String| {
            let of = agent.rubric.iter().find(|field| field.question == **question);
            let settled = of.is_some_and(|field| self.known.rubric.settled(&field.key).is_some());
            // In "Tell me about yourself: what do you do?" the question is behind the colon.
            let clause = question.rsplit(": ").next().unwrap_or(question);
            let is_again = is_duplicate(question, self.questions.past())
                || is_duplicate(clause, self.questions.past());
            !settled && !self.questions.was_asked(question) && !is_again
        };
        agent.questions.iter().find(is_new).cloned()
    }

    /// Asks the blueprint's next question after `words`. Without one the stage is over.
    pub(crate) fn ask_from_file(&mut self, words: &str, purpose: Purpose, turn: Option<Turn>) {
        if let Some(question) = self.new_question() {
            let words = format!("{words} {question}").trim().to_owned();
            return self.think(Say::Text(words), purpose, turn, None);
        }
        let Some(exit) = decide(&self.facts().with(Cause::QuestionLimit, true)) else { return };
        if purpose == Purpose::Insist {
            return self.begin_cut_in(exit, turn);
        }
        // The model has just failed: the bridge is the file's, too.
        match exit {
            Exit::Stage { why, .. } => {
                let words = self.bridge_text(why, turn.as_ref());
                self.think(Say::Text(words), Purpose::Ask, turn, Some(exit));
            }
            Exit::Interview { .. } => self.begin_exit(exit, turn),
        }
    }

    /// The question that waits, in the other words of its file. Where there are none, that is said, and the
    /// question is asked again as it was.
    pub(crate) fn in_other_words(&self, turn: Option<&Turn>) -> String {
        // Nobody has heard it yet.
        if let Some(cut_off) = self.questions.unheard() {
            return format!("{} {cut_off}", self.phrase(Phrase::Repeat));
        }
        if let Some(other) = self.other_words() {
            return format!("{} {other}", self.phrase(Phrase::Rephrase));
        }
        // Who only wants to hear it again is not told that.
        let repeats =
            turn.is_some_and(|turn| matches!(turn.intent, Intent::Repeat | Intent::Sound));
        let none = self.phrase(Phrase::NoOtherWords);
        let is_repeated = repeats || none.is_empty();
        let before = if is_repeated { self.phrase(Phrase::Repeat) } else { none };
        format!("{before} {}", self.asked_last())
    }

    /// The second wording of the question that waits, if it has one that was not said yet.
    pub(crate) fn other_words(&self) -> Option<&str> {
        let asked = self.questions.last().filter(|_| self.stage.pending.rephrased == 0)?;
        let is_it = |first: &str| {
            asked.whole.ends_with(first) || last_question(first) == asked.text.as_str()
        };
        let mut pairs = self.script.plan().wordings.pairs();
        pairs.find(|(first, _)| is_it(first)).map(|(_, other)| other)
    }

    /// The first words of the interview. Those of a scripted agent are known in advance: no model is waited
    /// for.
    pub(crate) fn opening(&self) -> Say {
        match stage::of(&self.agent().kind).opening() {
            Opening::File => Say::Text(self.opening_text()),
            Opening::Model => Say::model(Task::Open),
        }
    }

    /// The first words of the next stage.
    pub(crate) fn bridge(&self, why: Reason, turn: Option<&Turn>) -> Say {
        match self.agent_after(why).map(|agent| stage::of(&agent.kind).opening()) {
            Some(Opening::File) => Say::Text(self.bridge_text(why, turn)),
            Some(Opening::Model) | None => Say::model(Task::Bridge(why)),
        }
    }

    fn opening_text(&self) -> String {
        let agent = self.agent();
        let question = self.new_question().unwrap_or_default();
        format!("{} {question}", agent.bridge).trim().to_owned()
    }

    /// Whether the last question has an answer, committed or this one: nobody is thanked for silence.
    pub(crate) fn has_answer(&self, turn: Option<&Turn>) -> bool {
        let says = |turn: &Turn| {
            let agrees = matches!(turn.intent, Intent::Yes | Intent::No);
            turn.said.words() > 0 && (agrees || self.is_answer(turn))
        };
        self.stage.pending.has(Step::Answered) || turn.is_some_and(says)
    }

    /// The words before a move away from a question that has no answer: it is left if that was offered.
    pub(crate) fn left_unanswered(&self) -> String {
        match self.awaited.is_leaving_offered() {
            true => self.phrase(Phrase::LeaveThat),
            false => String::new(),
        }
    }

    /// The bridge into the next stage from its file: it acknowledges the last words, if there are some (H06).
    pub(crate) fn bridge_text(&self, why: Reason, turn: Option<&Turn>) -> String {
        let answers = self.has_answer(turn);
        let thanks = match answers {
            true => self.next_wording(Varied::Handoff),
            false => self.left_unanswered(),
        };
        // Who has said nothing has given no picture.
        let is_forced = why.is_forced() && (answers || self.stage.spoke);
        format!("{thanks} {}", self.bridge_words(why, is_forced)).trim().to_owned()
    }

    /// The bridge without a word about the last words: that the time is over, the new subject and its first
    /// question.
    pub(crate) fn bridge_words(&self, why: Reason, is_forced: bool) -> String {
        let Some(next) = self.stage_after(why) else { return self.phrase(Phrase::Farewell) };
        let agent = &self.script.plan().agents[next];
        let forced = if is_forced { self.phrase(Phrase::Forced) } else { String::new() };
        let planned = self.planned(next).unwrap_or_else(|| agent.questions.clone());
        let question = planned.first().map_or("", String::as_str);
        let parts = [forced.as_str(), agent.bridge.as_str(), question];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join(" ")
    }
}
