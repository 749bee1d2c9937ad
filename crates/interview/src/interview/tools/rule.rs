//! Decisions about the model's proposals (H08). They take effect at the first sound of the reply.

use language::{Intent, Quality};

use crate::blueprint::{Field, Phrase};
use crate::interview::{
    Effect, Interview,
    course::Phase,
    dialogue::delivery::{Answered, Asking, Purpose, Reply},
    effect::{Say, Task},
    exit::Exit,
    ids::{CallId, Epoch, ReplyId},
    note::{Priority, Settled},
    stage::Step,
    tools::proposal::{Proposal, Refusal, Verdict},
    transition::{Cause, decide},
    turn_taking::{
        floor::Floor,
        turn::{Draft, Later, Turn},
    },
    understanding::quote::is_span,
};

/// The consequence of an accepted proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Then {
    /// None yet.
    Nothing,
    /// The stage is left.
    Leave,
    /// We wait for the candidate to go on.
    Wait,
    /// Everything is known: one check for a thread, then the stage is left (X03).
    Check,
    /// The model has noticed an intent that the words did not show.
    Heed(Intent),
    /// The candidate talked about another subject: they are led back to the question (case 8).
    Redirect,
    /// A value is read back to the candidate (case 28).
    Confirm { key: String, value: String },
}

impl Interview {
    pub(crate) fn on_proposed(
        &mut self,
        reply: ReplyId,
        epoch: Epoch,
        call: CallId,
        proposal: Proposal,
    ) {
        let is_live = self.floor.reply().is_some_and(|live| {
            live.id == reply
                // A reply that called two tools was hushed by the first one; the second still counts.
                || (live.replaced.is_some_and(|first| first.reply == reply) && live.follows_a_call())
        });
        let mut depth = None;
        if let Proposal::AssessResponse { depth: assessed, .. } = &proposal {
            depth = Some(*assessed);
        }
        let ruling =
            if is_live && epoch == self.course.epoch() && self.course.phase() == Phase::Running {
                self.rule(proposal)
            } else {
                Err(Refusal::Stale)
            };
        let (verdict, then) = match ruling {
            Ok(then) => {
                let guidance = depth.and_then(|depth| self.agent().guidance_at(depth));
                let guided = |guidance: &str| Verdict::Guided(guidance.to_owned());
                (guidance.map_or(Verdict::Accepted, guided), then)
            }
            Err(refusal) => {
                self.health.refuse(refusal.to_string());
                (Verdict::Refused(refusal), Then::Nothing)
            }
        };
        self.outbox.push(Effect::Answer { call, verdict });
        match then {
            Then::Nothing => {}
            Then::Leave => self.leave_by_tool(),
            Then::Wait => self.wait_more(),
            Then::Check => self.say_instead(Say::model(Task::Check), Purpose::Check),
            Then::Heed(intent) => self.heed(intent),
            Then::Redirect => self.redirect(),
            Then::Confirm { key, value } => self.read_back_instead(key, value),
        }
    }

    /// Decides about a proposal of the live reply.
    fn rule(&mut self, proposal: Proposal) -> Result<Then, Refusal> {
        let Some(reply) = self.floor.reply() else { return Err(Refusal::Stale) };
        if let Floor::Away { .. } = self.floor {
            return Err(Refusal::Stale);
        }
        let leaving = reply.exit.is_some() || reply.leaves;
        match proposal {
            Proposal::Malformed { problem } => Err(Refusal::Malformed { problem }),
            Proposal::AskQuestion { .. }
            | Proposal::TransitionStage { .. }
            | Proposal::EndInterview { .. }
            | Proposal::WaitMore
                if leaving =>
            {
                Err(Refusal::AlreadyLeaving)
            }
            Proposal::AskQuestion { thread, .. } => self.rule_question(thread),
            Proposal::AssessResponse { depth, key_points, answer_kind: intent } => {
                let is_left_open = self.floor.is_left_open();
                let draft = self.draft().filter(|_| !is_left_open);
                let draft = draft.ok_or(Refusal::NothingToAssess)?;
                if draft.depth.is_some() {
                    return Err(Refusal::AlreadyAssessed);
                }
                (draft.depth, draft.key_points) = (Some(depth), key_points);
                draft.intent = intent.or(draft.intent);
                if intent == Some(Intent::Answer(Quality::OffTopic)) && self.may_redirect() {
                    return Ok(Then::Redirect);
                }
                let drafted = self.drafted();
                Ok(intent.and_then(|intent| self.to_heed(intent)).map_or(drafted, Then::Heed))
            }
            Proposal::RecordField { key, value, quote } => self.rule_field(key, value, quote),
            Proposal::MarkUnknown { key, reason } => self.rule_unknown(key, &reason),
            Proposal::NoteFollowup { text, priority } => {
                self.rule_todo(Later { text, priority, field: None })
            }
            Proposal::WaitMore if self.may_wait_more() => Ok(Then::Wait),
            Proposal::WaitMore => Err(Refusal::WaitedAlready),
            Proposal::EndInterview { .. }
                if self.stage.index + 1 < self.script.plan().agents.len() =>
            {
                Err(Refusal::StagesLeft)
            }
            Proposal::TransitionStage { .. } | Proposal::EndInterview { .. } => self.rule_exit(),
        }
    }

    fn rule_todo(&mut self, todo: Later) -> Result<Then, Refusal> {
        let drafted = self.draft().ok_or(Refusal::NoAnswer)?.todos.len();
        if self.known.rubric.is_full(drafted) {
            return Err(Refusal::TooMany);
        }
        self.draft().ok_or(Refusal::NoAnswer)?.todos.push(todo);
        Ok(self.drafted())
    }

    fn rule_question(&mut self, thread: String) -> Result<Then, Refusal> {
        let Some(reply) = self.floor.reply_mut() else { return Err(Refusal::Stale) };
        if reply.delivery.asking > Asking::Nothing {
            return Err(Refusal::QuestionPending);
        }
        if reply.purpose == Purpose::Check && thread.is_empty() {
            return Err(Refusal::NoThread);
        }
        if !thread.is_empty() {
            reply.thread = Some(thread);
        }
        reply.delivery.asking = Asking::Called;
        Ok(Then::Nothing)
    }

    fn rule_exit(&mut self) -> Result<Then, Refusal> {
        if self.has_agenda() {
            return Err(Refusal::PlanLeft);
        }
        let agent = self.agent();
        let turn = match &self.floor {
            Floor::Thinking { turn, .. } => turn.as_ref(),
            Floor::Interviewer { .. }
            | Floor::Open { .. }
            | Floor::Candidate { .. }
            | Floor::Pause { .. }
            | Floor::Away { .. } => None,
        };
        // A value that is being read back is a question too.
        let asks = |reply: &Reply| {
            reply.delivery.asking > Asking::Nothing || reply.purpose == Purpose::Again
        };
        if self.floor.reply().is_some_and(asks) {
            return Err(Refusal::QuestionPending);
        }
        // A stage that has asked nothing yet is not done, whatever its minimum.
        let asked = self.has_asked() && (self.stage.counts.questions > 0 || turn.is_some());
        let wanted = agent.questions_min.max(u32::from(!asked));
        let answers = turn.is_some_and(|turn| self.counts_for_minimum(turn));
        if self.stage.counts.answers + u32::from(answers) < wanted {
            return Err(Refusal::TooFewAnswers { wanted });
        }
        let draft = turn.map(|turn| &turn.draft);
        if !agent.rubric.is_empty() && !self.is_rubric_settled(draft) {
            let drafted = |key: &String| draft.is_some_and(|draft| draft.fields.contains_key(key));
            let missing = self.open_fields().into_iter().filter(|key| !drafted(key)).collect();
            return Err(Refusal::RubricOpen { missing });
        }
        self.rule_depth()
    }

    /// Refuses a handover once, if the answers are known not to be deep enough and more can be asked (H11).
    fn rule_depth(&mut self) -> Result<Then, Refusal> {
        let turn = self.floor.turn();
        let depth = turn.and_then(|turn| turn.draft.depth).unwrap_or(0).max(self.stage.depth);
        let wanted = self.agent().depth_wanted();
        let more_fits = self.stage.counts.questions < self.agent().questions_max;
        let has_more = turn.is_none_or(|turn| turn.intent.is_plain_answer());
        let is_rated = depth > 0 || turn.is_some_and(|turn| self.is_shallow(turn));
        let was_refused = turn.is_some_and(|turn| turn.draft.too_shallow);
        let is_refused = was_refused || self.stage.counts.too_shallow > 0;
        if depth >= wanted || !is_rated || !more_fits || !has_more || is_refused {
            return Ok(Then::Leave);
        }
        // It counts with the turn: a reply that nobody heard has told the model nothing that lasts.
        match self.draft() {
            Some(draft) => draft.too_shallow = true,
            None => self.stage.counts.too_shallow += 1,
        }
        Err(Refusal::TooShallow { depth, wanted })
    }

    fn rule_field(&mut self, key: String, value: String, quote: String) -> Result<Then, Refusal> {
        let field = self.field(&key)?.clone();
        let just_now = self.said_just_now().filter(|_| !self.floor.is_left_open());
        let (turn, said) = just_now.ok_or(Refusal::NoAnswer)?;
        let earlier = || self.known.history.turn_that_says(&quote);
        let turn = Some(turn).filter(|_| is_span(&quote, &said)).or_else(earlier);
        let turn = turn.filter(|turn| !self.known.rubric.is_denied(&key, *turn));
        let turn = turn.ok_or(Refusal::NotSaid)?;
        let is_same = matches!(self.known.rubric.settled(&key),
            Some(Settled::Captured { value: known, .. }) if *known == value);
        let is_unsure = self.floor.turn().is_some_and(|turn| turn.said.is_unsure());
        // Once, before anything else is said (case 28).
        let reads_back = field.confirm
            && (field.required || is_unsure)
            && self.may_read_back()
            && !self.known.rubric.was_read_back(&key);
        // A value that the judge found first is read back, too.
        if is_same && !reads_back {
            return Err(Refusal::FieldSettled);
        }
        let settled = Settled::Captured { value: value.clone(), quote, turn };
        let draft = self.draft().ok_or(Refusal::NoAnswer)?;
        draft.fields.insert(key.clone(), settled);
        if reads_back {
            self.drafted();
            return Ok(Then::Confirm { key, value });
        }
        Ok(self.drafted())
    }

    fn rule_unknown(&mut self, key: String, reason: &str) -> Result<Then, Refusal> {
        let field = self.field(&key)?.clone();
        if self.known.rubric.settled(&key).is_some() {
            return Err(Refusal::FieldSettled);
        }
        let why = if reason.is_empty() { String::new() } else { format!(": {reason}") };
        let draft = self.draft().ok_or(Refusal::NoAnswer)?;
        if draft.fields.contains_key(&key) {
            return Err(Refusal::FieldSettled);
        }
        draft.fields.insert(key.clone(), Settled::Unknown);
        let text = format!("{}{why}", field.title);
        self.rule_todo(Later { text, priority: Priority::Medium, field: Some(key) })
    }

    fn field(&self, key: &str) -> Result<&Field, Refusal> {
        let rubric = self.fields_for_model(self.agent());
        let known = || rubric.iter().map(|field| field.key.clone()).collect();
        let field = rubric.iter().find(|field| field.key == key);
        field.ok_or_else(|| Refusal::NoSuchField { known: known() })
    }

    /// The turn that the live reply answers, and its words.
    fn said_just_now(&self) -> Option<(crate::interview::TurnId, String)> {
        if let Some(turn) = self.floor.turn() {
            return Some((turn.id?, turn.said.text()));
        }
        let id = self.floor.reply()?.answered.as_ref()?.turn;
        Some((id, self.known.history.said(id)?))
    }

    /// The draft for proposals about the answer: that of the turn until it is committed, then `late`.
    pub(crate) fn draft(&mut self) -> Option<&mut Draft> {
        match &mut self.floor {
            Floor::Thinking { turn: Some(turn), .. } => Some(&mut turn.draft),
            Floor::Interviewer { reply, .. } => reply.answered.as_mut().map(|it| &mut it.late),
            Floor::Thinking { turn: None, .. }
            | Floor::Open { .. }
            | Floor::Candidate { .. }
            | Floor::Pause { .. }
            | Floor::Away { .. } => None,
        }
    }

    /// Applies findings about a committed answer at once. If everything is known now, the model is asked for
    /// a thread before the stage is left.
    fn drafted(&mut self) -> Then {
        let question = self.questions.last_id();
        if let Floor::Interviewer { reply, .. } = &mut self.floor {
            let Some(Answered { turn, late }) = &mut reply.answered else { return Then::Nothing };
            let (turn, Draft { fields, todos, key_points, depth, intent, .. }) =
                (*turn, std::mem::take(late));
            self.stage.depth = self.stage.depth.max(depth.unwrap_or(0));
            if !self.conduct.is_private(turn) {
                self.known.memory.add_points(self.stage.index, &key_points);
            }
            if intent == Some(Intent::Distress) {
                self.note_distress(turn);
            }
            for (key, settled) in fields {
                self.settle_field(key, settled);
            }
            let todos = if self.conduct.is_private(turn) { Vec::new() } else { todos };
            for Later { text, priority, field } in todos {
                self.add_todo(text, priority, field, question);
            }
            return Then::Nothing;
        }
        let draft = self.floor.turn().map(|turn| &turn.draft);
        let is_news = draft.is_some_and(|draft| !draft.fields.is_empty());
        let is_done = is_news && self.is_rubric_settled(draft) && !self.is_rubric_settled(None);
        if is_done && self.may_say_instead() { Then::Check } else { Then::Nothing }
    }

    /// Whether another reply may take the place of the owed one: it has no words and no exit yet.
    pub(crate) fn may_say_instead(&self) -> bool {
        match &self.floor {
            Floor::Thinking { reply, .. } => {
                reply.delivery.queued.is_empty()
                    && reply.exit.is_none()
                    && reply.purpose == Purpose::Ask
            }
            Floor::Interviewer { .. }
            | Floor::Open { .. }
            | Floor::Candidate { .. }
            | Floor::Pause { .. }
            | Floor::Away { .. } => false,
        }
    }

    /// Acts on an intent that the model has noticed, before anything else is said.
    fn to_heed(&self, intent: Intent) -> Option<Intent> {
        let is_heeded = match intent {
            Intent::Distress | Intent::Repeat | Intent::Sound | Intent::Clarify => true,
            // After a yes the stop is final: it must be said.
            Intent::Stop => !self.awaited.settles_stop(),
            Intent::Answer(_)
            | Intent::Unfinished
            | Intent::Sensitive
            | Intent::DontKnow
            | Intent::Decline
            | Intent::Ask(_)
            | Intent::Hold
            | Intent::Skip
            | Intent::SkipPart
            | Intent::Done
            | Intent::Abusive
            | Intent::Correct
            | Intent::Yes
            | Intent::No => false,
        };
        let is_silent = self.floor.turn().is_some_and(|turn| turn.intent.is_plain_answer());
        (is_heeded && is_silent && self.may_say_instead()).then_some(intent)
    }

    /// Whether somebody who talks about another subject is led back to the question: once for each.
    pub(crate) fn may_redirect(&self) -> bool {
        let is_plain = self.floor.turn().is_some_and(|turn| turn.intent.is_plain_answer());
        is_plain
            && self.may_say_instead()
            && self.stage.counts.questions > 0
            && !self.agent().kind.closes()
            && !self.stage.pending.has(Step::Redirected)
    }

    /// Leads back to the question.
    pub(crate) fn redirect(&mut self) {
        self.stage.pending.take(Step::Redirected);
        let words = self.phrase(Phrase::Redirect);
        self.replace_owed(|interview, _, turn| interview.say_and_ask_again(&words, turn));
    }

    /// Answers the turn as one with this intent.
    pub(crate) fn heed(&mut self, intent: Intent) {
        self.replace_owed(|interview, _, turn| {
            let Some(turn) = turn else { return };
            interview.answer(Turn { intent, draft: Draft::default(), ..turn });
        });
    }

    /// Whether a value may be read back before a question is heard: at once, or after the sound so far.
    fn may_read_back(&self) -> bool {
        match &self.floor {
            Floor::Thinking { reply, .. } => {
                reply.exit.is_none() && matches!(reply.purpose, Purpose::Ask | Purpose::Check)
            }
            Floor::Interviewer { reply, .. } => {
                reply.delivery.asking < Asking::Heard
                    && !reply.leaves
                    && reply.purpose == Purpose::Ask
            }
            Floor::Open { .. }
            | Floor::Candidate { .. }
            | Floor::Pause { .. }
            | Floor::Away { .. } => false,
        }
    }

    /// Reads a value back instead of asking the question that was to follow.
    fn read_back_instead(&mut self, key: String, value: String) {
        if let Floor::Thinking { turn: Some(turn), .. } = &mut self.floor {
            turn.draft.read_back = Some(key);
            return self.replace_owed(|interview, _, turn| interview.read_back(&value, turn));
        }
        if self.cut_question()
            && let Floor::Interviewer { reply, .. } = &mut self.floor
        {
            reply.reads_back = Some((key, value));
        }
    }

    /// Replaces the owed reply.
    fn say_instead(&mut self, say: Say, purpose: Purpose) {
        self.replace_owed(|interview, _, turn| interview.think(say, purpose, turn, None));
    }

    /// Whether the candidate may be waited for: once a turn, before anything is said to it.
    pub(crate) fn may_wait_more(&self) -> bool {
        match &self.floor {
            Floor::Thinking { turn: Some(turn), reply, .. } => {
                !turn.patience.waited && reply.delivery.queued.is_empty() && !turn.said.is_typed()
            }
            Floor::Thinking { turn: None, .. }
            | Floor::Interviewer { .. }
            | Floor::Open { .. }
            | Floor::Candidate { .. }
            | Floor::Pause { .. }
            | Floor::Away { .. } => false,
        }
    }

    /// Waits once as for an unfinished sentence: the model thinks that they have not finished (T04).
    pub(crate) fn wait_more(&mut self) {
        self.hush();
        let now = self.own_now();
        match self.replace_floor(Floor::Open { since: now }) {
            Floor::Thinking { turn: Some(mut turn), overlap, .. } => {
                turn.patience.waited = true;
                turn.draft = Draft::default();
                turn.said.append(overlap);
                self.floor = self.candidate_floor(turn, now);
            }
            other @ (Floor::Open { .. }
            | Floor::Candidate { .. }
            | Floor::Pause { .. }
            | Floor::Thinking { .. }
            | Floor::Interviewer { .. }
            | Floor::Away { .. }) => self.floor = other,
        }
    }

    /// Takes the model's exit. Before the first sound the bridge takes the reply's place at once.
    fn leave_by_tool(&mut self) {
        let draft = self.floor.turn().map(|turn| &turn.draft);
        let rubric_settled = self.is_rubric_settled(draft);
        let facts = self.facts().with(Cause::RubricSettled, rubric_settled).with(Cause::Tool, true);
        let Some(exit) = decide(&facts) else { return };
        if let Floor::Interviewer { reply, .. } = &mut self.floor {
            reply.leaves = true;
            // Its question is not asked any more.
            self.cut_question();
            return;
        }
        self.begin_exit_instead(exit);
    }

    /// Replaces the owed reply by an exit.
    pub(crate) fn begin_exit_instead(&mut self, exit: Exit) {
        // They may finish speaking first: then it is decided again (H04).
        if self.hearing.is_voiced() && self.floor.reply().is_some_and(Reply::is_interruptible) {
            return self.take_floor(None);
        }
        self.replace_owed(|interview, _, turn| interview.begin_exit(exit, turn));
    }

    /// The model's task in the live reply.
    pub(crate) fn task_of(&self, id: ReplyId) -> Option<Task> {
        let reply = self.floor.reply().filter(|reply| reply.id == id)?;
        match (reply.exit, &reply.say) {
            (_, Say::Text(_)) | (Some(Exit::Interview { .. }), _) => None,
            (Some(Exit::Stage { .. }) | None, Say::Model { task, .. }) => Some(*task),
        }
    }
}
