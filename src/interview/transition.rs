//! The only place where an agent's stage ends.
//!
//! Tools, timers, limits and buttons all come here. Who wins is decided by [`decide`], read from top to
//! bottom; that it happens once is decided by the epoch, in [`Interview::hand_off`].

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{
    GOODBYE_LIMIT, GOODBYE_OPEN_LIMIT, Interview, LAST_QUIET, Phase, StopQuestion,
    cue::{Cue, cue, is_parting},
    effect::{Effect, End, Say},
    event::Epoch,
    floor::{Floor, Purpose, Reply, Turn},
    note::Note,
    stage::Stage,
    words::sentences,
};
use crate::{
    blueprint::{Agent, Kind, Phrase},
    time::SessionTime,
};

/// Who talks into so many goodbyes hears the next one to its end.
const GOODBYES_MAX: u32 = 3;
/// Who says less, when we believe that they are gone, only says that they are there.
const CALL_WORDS: usize = 6;
/// Who wants to add something to a goodbye has so much time to begin.
const HOLD_IN_GOODBYE: Duration = Duration::from_secs(8);

/// Why a stage ended. Goes unchanged into journal, log and dashboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// So many answers were given that the interview has to be closed (X04).
    MaxTurns,
    /// The candidate left questions, or the whole part, out.
    CandidateSkipped,
    /// All is known that the stage had to find out, and no thread is left (X03).
    RubricSettled,
    /// The model proposed it and it was accepted.
    Tool,
    /// All questions of the stage were asked and the last one was answered.
    QuestionLimit,
    /// The candidate was silent for too long.
    Silence,
    /// The stage has lasted long enough.
    StageLimit,
}

impl Reason {
    /// Whether something else than the conversation itself ended the stage: then the bridge says so (H06).
    pub fn is_forced(self) -> bool {
        match self {
            Self::MaxTurns | Self::Silence | Self::StageLimit => true,
            Self::CandidateSkipped | Self::RubricSettled | Self::Tool | Self::QuestionLimit => {
                false
            }
        }
    }
}

/// A way out, decided in an epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    /// To the next stage.
    Stage { epoch: Epoch, why: Reason },
    /// Out of the interview; `why` if it is by the end of the last stage.
    Interview { end: End, why: Option<Reason> },
}

/// Everything that a way out depends on.
pub(super) struct Facts {
    pub(super) epoch: Epoch,
    pub(super) candidate_asked_to_stop: bool,
    pub(super) is_abused: bool,
    pub(super) interview_limit_passed: bool,
    pub(super) max_turns_reached: bool,
    pub(super) candidate_skips: bool,
    pub(super) rubric_settled: bool,
    pub(super) tool_accepted: bool,
    pub(super) questions_used_up: bool,
    pub(super) silence_limit_passed: bool,
    pub(super) stage_limit_passed: bool,
    pub(super) is_last_stage: bool,
    pub(super) is_closing: bool,
    /// Whether a closing stage is still to come.
    pub(super) has_closing: bool,
    /// This stage and the one before had no word.
    pub(super) silent_for_two_stages: bool,
    /// How the interview ends when its last stage does.
    pub(super) end: End,
}

/// The order of power (H02, X03).
pub(super) fn decide(facts: &Facts) -> Option<Exit> {
    let end = |end| Some(Exit::Interview { end, why: None });
    if facts.candidate_asked_to_stop {
        return end(End::CandidateEnded);
    }
    if facts.is_abused {
        return end(End::Abuse);
    }
    if facts.interview_limit_passed {
        return end(End::OutOfTime);
    }
    // In the closing the interview is being closed already.
    let why = if facts.max_turns_reached && !facts.is_closing {
        Reason::MaxTurns
    } else if facts.candidate_skips {
        Reason::CandidateSkipped
    } else if facts.rubric_settled {
        Reason::RubricSettled
    } else if facts.tool_accepted {
        Reason::Tool
    } else if facts.questions_used_up {
        Reason::QuestionLimit
    } else if facts.silence_limit_passed {
        Reason::Silence
    } else if facts.stage_limit_passed {
        Reason::StageLimit
    } else {
        return None;
    };
    if why == Reason::Silence && facts.silent_for_two_stages {
        return end(End::CandidateSilent);
    }
    // Who has to close and has no closing left says goodbye (X04).
    if facts.is_last_stage || (why == Reason::MaxTurns && !facts.has_closing) {
        let end = if why == Reason::MaxTurns { End::MaxTurns } else { facts.end };
        return Some(Exit::Interview { end, why: Some(why) });
    }
    Some(Exit::Stage { epoch: facts.epoch, why })
}

impl Interview {
    /// What holds now; the caller adds what has just happened.
    pub(super) fn facts(&self) -> Facts {
        let agents = &self.plan.agents;
        let agent = &agents[self.stage.index];
        Facts {
            epoch: self.epoch,
            candidate_asked_to_stop: false,
            is_abused: false,
            interview_limit_passed: self.interview_limit_passed,
            max_turns_reached: self.answered >= self.plan.exit.max_turns,
            candidate_skips: false,
            rubric_settled: self.is_rubric_settled(None),
            tool_accepted: false,
            questions_used_up: self.stage.questions >= agent.questions_max,
            silence_limit_passed: false,
            stage_limit_passed: self.stage.limit_passed,
            is_last_stage: self.stage.index + 1 == agents.len(),
            is_closing: agent.kind == Kind::Closing,
            has_closing: self.stage_after(Reason::MaxTurns).is_some(),
            silent_for_two_stages: !self.stage.spoke
                && self.carried.is_none()
                && (self.silent_stages > 0 || agents.len() == 1),
            end: self.closing_as,
        }
    }

    /// Which stage a way out leads to; nothing if it leads out of the interview.
    pub(super) fn stage_after(&self, why: Reason) -> Option<usize> {
        let next = self.stage.index + 1;
        let after = self.plan.agents.get(next..)?;
        let closing = after.iter().position(|agent| agent.kind == Kind::Closing);
        match why {
            Reason::MaxTurns => closing.map(|place| next + place),
            Reason::CandidateSkipped
            | Reason::RubricSettled
            | Reason::Tool
            | Reason::QuestionLimit
            | Reason::Silence
            | Reason::StageLimit => (!after.is_empty()).then_some(next),
        }
    }

    /// The agent that a way out leads to.
    pub(super) fn agent_after(&self, why: Reason) -> Option<&Agent> {
        self.plan.agents.get(self.stage_after(why)?)
    }

    /// Begins a way out: the words that go with it. It is gone through at their first sound.
    pub(super) fn begin_exit(&mut self, exit: Exit, turn: Option<Turn>) {
        // What a stop interrupted still belongs to the stage that ends.
        let turn = turn.or_else(|| {
            let turn = self.carried.take()?;
            let turn = self.named(turn);
            self.call_judge(&turn);
            Some(turn)
        });
        match exit {
            Exit::Stage { why, .. } => {
                self.think(self.bridge(why, turn.as_ref()), Purpose::Ask, turn, Some(exit));
            }
            Exit::Interview { end, why } => {
                // Who is taken for silent may only not have been heard.
                let insists = why.is_none() && end != End::CandidateSilent;
                self.begin_goodbye(end, turn, insists);
            }
        }
    }

    /// The same, interrupting the candidate (H04): from a file and not to be interrupted.
    pub(super) fn begin_cut_in(&mut self, exit: Exit, turn: Option<Turn>) {
        match exit {
            Exit::Stage { why, .. } => {
                let words =
                    format!("{} {}", self.phrase(Phrase::CutIn), self.bridge_text(why, None));
                self.think(Say::Text(words), Purpose::Insist, turn, Some(exit));
            }
            Exit::Interview { end, .. } => self.begin_goodbye(end, turn, true),
        }
    }

    /// From here on only the last words are left; `insists` if nobody may interrupt them.
    pub(super) fn begin_goodbye(&mut self, end: End, turn: Option<Turn>, insists: bool) {
        let again = matches!(self.phase, Phase::Leaving { .. }) && turn.is_some();
        let words = self.farewell(end, again);
        self.say_goodbye(end, words, turn, insists);
    }

    /// Whether our goodbye is to somebody whom we cannot hear.
    pub(super) fn is_given_up(&self) -> bool {
        matches!(self.phase, Phase::Leaving { end: End::CandidateSilent, .. })
    }

    /// Whoever we gave up as silent can be heard after all: the interview goes on. Whether it was so.
    pub(super) fn take_up_again(&mut self) -> bool {
        let was_given_up = self.is_given_up();
        if was_given_up {
            self.phase = Phase::Running;
            (self.goodbyes, self.parted, self.silent_stages) = (0, false, 0);
            (self.quiet, self.stage.pending.rungs) = (Duration::ZERO, 0);
            self.lapsed = None;
        }
        was_given_up
    }

    /// "I'm here!", "yes?", "no, wait" answer nothing that was asked before. And whoever wants to stop, or says goodbye too,
    /// when we were about to stop is not asked whether they want to.
    pub(super) fn cue_of_call(&mut self, cue: Option<Cue>, turn: &Turn) -> Option<Cue> {
        if cue == Some(Cue::Stop) {
            self.stop_question = StopQuestion::Asked;
        }
        let closes = self.plan.agents[self.stage.index].kind == Kind::Closing;
        let agrees = matches!(cue, Some(Cue::Yes | Cue::No | Cue::Done));
        let is_bare = cue.is_none() || (agrees && !closes);
        let calls = is_bare && turn.said.words() < CALL_WORDS && self.rubric.confirming().is_none();
        if calls { Some(Cue::Repeat) } else { cue }
    }

    /// They have said something into our goodbye, soon after it, or before it sounded (X05, case 18).
    pub(super) fn answer_into_goodbye(&mut self, end: End, turn: Turn) {
        let text = turn.said.text();
        if self.parted && is_parting(&text) {
            // Who says goodbye too needs no other one. Whatever they say in the quiet that follows goes on with it.
            (self.hold_until, self.lapsed) = (None, None);
            return self.carry(Some(turn));
        }
        let cue = cue(&text);
        // They are about to say something.
        if cue == Some(Cue::Hold) && self.parted && self.goodbyes < GOODBYES_MAX {
            let turn = self.named(Turn { cue, ..turn });
            self.say_goodbye(end, self.phrase(Phrase::Hold), Some(turn), false);
            self.hold_until = Some(self.own(self.now) + HOLD_IN_GOODBYE);
            return;
        }
        let before = cue.and_then(|cue| self.said_before_goodbye(cue, &text));
        // Of an answer that our goodbye was to, and that goes on, it was known before what it is.
        let cue = cue.filter(|_| before.is_some()).or(turn.cue);
        let turn = self.named(Turn { cue, ..turn });
        let farewell = self.farewell(end, self.parted && before.is_none());
        let words = format!("{} {farewell}", before.unwrap_or_default());
        self.say_goodbye(end, words.trim().to_owned(), Some(turn), false);
    }

    /// What some words of theirs are answered before we say goodbye; nothing to those that are only noted.
    fn said_before_goodbye(&self, cue: Cue, text: &str) -> Option<String> {
        match cue {
            // Nobody in distress is thanked for it; what we would ask them is settled.
            Cue::Distress => Some(statements(&self.phrase(Phrase::Distress))),
            Cue::Sensitive => Some(self.phrase(Phrase::Sensitive)),
            Cue::Question(about) => Some(self.answer_to(about, text)),
            // They want to hear it again.
            Cue::Repeat | Cue::Clarification | Cue::Rephrase => Some(String::new()),
            Cue::Hold
            | Cue::Stop
            | Cue::Skip
            | Cue::SkipPart
            | Cue::DontKnow
            | Cue::Declined
            | Cue::Done
            | Cue::Abusive
            | Cue::Correction
            | Cue::Yes
            | Cue::No => None,
        }
    }

    /// Our last words, the first time or `again`.
    fn farewell(&self, end: End, again: bool) -> String {
        let phrase = match end {
            End::Completed | End::MaxTurns if again => Phrase::FarewellAgain,
            End::Completed | End::MaxTurns => Phrase::Farewell,
            End::CandidateSilent => Phrase::FarewellSilent,
            End::Abuse => Phrase::FarewellAbuse,
            End::CandidateEnded
            | End::CandidateLeft
            | End::NoShow
            | End::OutOfTime
            | End::Technical
            | End::Operator => Phrase::FarewellEarly,
        };
        self.phrase(phrase)
    }

    fn say_goodbye(&mut self, end: End, words: String, turn: Option<Turn>, insists: bool) {
        self.hold_until = None;
        self.goodbyes += 1;
        let insists = insists || self.goodbyes > GOODBYES_MAX;
        if end == End::MaxTurns {
            self.note_max_turns();
        }
        let limit = if insists { GOODBYE_LIMIT } else { GOODBYE_OPEN_LIMIT };
        let until = self.own(self.now) + limit;
        // Who goes on speaking into a goodbye does not get more time for it.
        if insists || self.phase == Phase::Running {
            self.phase = Phase::Leaving { end, until };
        }
        let exit = Some(Exit::Interview { end, why: None });
        self.think(Say::Text(words), Purpose::Farewell { insists }, turn, exit);
    }

    pub(super) fn hang_up_as_planned(&mut self) {
        if let Phase::Leaving { end, .. } = self.phase {
            self.hang_up(end);
        }
    }

    /// Up to then whoever speaks up after a goodbye is heard: it ended at `since`, in the interview's own time.
    pub(super) fn quiet_until(&self, since: SessionTime) -> SessionTime {
        since.max(self.held_until()) + LAST_QUIET
    }

    /// A goodbye that may be interrupted was, for long: the last one may not be (H04).
    pub(super) fn on_goodbye_limit(&mut self) {
        let Phase::Leaving { end, .. } = self.phase else { return };
        // It was heard, and the quiet after it is not over (X05).
        if let Floor::Open { since } = self.floor
            && self.quiet_until(since) > self.own(self.now)
        {
            self.phase = Phase::Leaving { end, until: self.quiet_until(since) };
            return;
        }
        if !self.floor.is_candidates() {
            let is_open = |reply: &Reply| reply.purpose == Purpose::Farewell { insists: false };
            if self.goodbyes > GOODBYES_MAX || !self.floor.reply().is_some_and(is_open) {
                return self.hang_up(end);
            }
            // One that has just begun is heard to its end. It is the last that may be interrupted.
            self.goodbyes = GOODBYES_MAX + 1;
            self.phase = Phase::Leaving { end, until: self.own(self.now) + GOODBYE_LIMIT };
            return;
        }
        let has_words = self.floor.turn().is_some_and(|turn| turn.said.words() > 0);
        if has_words && self.take_up_again() {
            return;
        }
        let turn = self.take_unanswered(self.own(self.now));
        self.begin_goodbye(end, turn, true);
    }

    /// The end. Commits what the candidate said last.
    pub(super) fn hang_up(&mut self, end: End) {
        if self.phase == Phase::Ended {
            return;
        }
        self.hush();
        let now = self.own(self.now);
        if let Some(turn) = self.take_unanswered(now) {
            self.commit(turn);
        }
        self.phase = Phase::Ended;
        self.out.push(Effect::Hangup { end });
    }

    /// A warning, once (X04).
    fn note_max_turns(&mut self) {
        if self.closing_as != End::MaxTurns {
            self.closing_as = End::MaxTurns;
            let missing = self.open_fields();
            self.out.push(Effect::Note(Note::MaxTurns { missing }));
        }
    }

    /// Passes the floor to the next agent, if `epoch` is still the one that lasts: the compare-and-set
    /// that every way out of a stage goes through (H03).
    pub(super) fn hand_off(&mut self, epoch: Epoch, why: Reason) {
        let Some(next) = self.stage_after(why).filter(|_| epoch == self.epoch) else { return };
        self.summarise();
        if why == Reason::MaxTurns {
            self.note_max_turns();
        }
        self.epoch = Epoch(epoch.0 + 1);
        self.silent_stages = if self.stage.spoke { 0 } else { self.silent_stages + 1 };
        let name = |index: usize| self.plan.agents[index].name.clone();
        let (from, to) = (name(self.stage.index), name(next));
        self.stage = Stage::enter(next, self.stage.index, self.own(self.now));
        self.quiet = Duration::ZERO;
        self.hold_until = None;
        self.unheard = None;
        self.out.push(Effect::Handoff { from, to, epoch: self.epoch, why });
        self.listen_for_keyterms();
    }
}

/// Of a text what is no question.
fn statements(text: &str) -> String {
    let said: Vec<&str> = sentences(text).filter(|sentence| !sentence.contains('?')).collect();
    said.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> Facts {
        Facts {
            epoch: Epoch(3),
            candidate_asked_to_stop: false,
            is_abused: false,
            interview_limit_passed: false,
            max_turns_reached: false,
            candidate_skips: false,
            rubric_settled: false,
            tool_accepted: false,
            questions_used_up: false,
            silence_limit_passed: false,
            stage_limit_passed: false,
            is_last_stage: false,
            is_closing: false,
            has_closing: true,
            silent_for_two_stages: false,
            end: End::Completed,
        }
    }

    /// H02, X03: the order of power, each against all that stand below it.
    #[test]
    fn the_stronger_reason_wins() {
        let stage = |why| Some(Exit::Stage { epoch: Epoch(3), why });
        let end = |end| Some(Exit::Interview { end, why: None });
        let mut facts = facts();
        assert_eq!(decide(&facts), None);
        facts.stage_limit_passed = true;
        assert_eq!(decide(&facts), stage(Reason::StageLimit));
        facts.silence_limit_passed = true;
        assert_eq!(decide(&facts), stage(Reason::Silence));
        facts.questions_used_up = true;
        assert_eq!(decide(&facts), stage(Reason::QuestionLimit));
        facts.tool_accepted = true;
        assert_eq!(decide(&facts), stage(Reason::Tool));
        facts.rubric_settled = true;
        assert_eq!(decide(&facts), stage(Reason::RubricSettled));
        facts.candidate_skips = true;
        assert_eq!(decide(&facts), stage(Reason::CandidateSkipped));
        facts.max_turns_reached = true;
        assert_eq!(decide(&facts), stage(Reason::MaxTurns));
        facts.interview_limit_passed = true;
        assert_eq!(decide(&facts), end(End::OutOfTime));
        facts.is_abused = true;
        assert_eq!(decide(&facts), end(End::Abuse));
        facts.candidate_asked_to_stop = true;
        assert_eq!(decide(&facts), end(End::CandidateEnded));
    }

    /// H13: the way out of the last stage is the end, and two silent stages are one too.
    #[test]
    fn ends() {
        let out = |end, why| Some(Exit::Interview { end, why });
        let last = Facts { is_last_stage: true, tool_accepted: true, ..facts() };
        assert_eq!(decide(&last), out(End::Completed, Some(Reason::Tool)));
        let silent = Facts { silence_limit_passed: true, silent_for_two_stages: true, ..facts() };
        assert_eq!(decide(&silent), out(End::CandidateSilent, None));
        let closing =
            Facts { is_last_stage: true, is_closing: true, max_turns_reached: true, ..facts() };
        assert_eq!(decide(&closing), None);
        let none = Facts { max_turns_reached: true, has_closing: false, ..facts() };
        assert_eq!(decide(&none), out(End::MaxTurns, Some(Reason::MaxTurns)));
        let full = Facts { is_last_stage: true, max_turns_reached: true, ..facts() };
        assert_eq!(decide(&full), out(End::MaxTurns, Some(Reason::MaxTurns)));
    }
}
