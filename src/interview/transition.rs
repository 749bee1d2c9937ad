//! The only place where an agent's stage ends.
//!
//! Tools, timers, limits and buttons all come here. Who wins is decided by [`decide`], read from top to
//! bottom; that it happens once is decided by the epoch, in [`Interview::hand_off`].

use serde::{Deserialize, Serialize};

use super::{
    GOODBYE_LIMIT, GOODBYE_OPEN_LIMIT, Interview, Phase,
    effect::{Effect, End, Say, Task},
    event::Epoch,
    floor::{Purpose, Turn},
    stage::Stage,
};

/// Why a stage ended. Goes unchanged into journal, log and dashboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The model proposed it and it was accepted.
    Tool,
    /// All questions of the stage were asked and the last one was answered.
    QuestionLimit,
    /// The candidate was silent for too long.
    Silence,
    /// The stage has lasted long enough.
    StageLimit,
}

/// A way out, decided in an epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    /// To the next stage.
    Stage { epoch: Epoch, why: Reason },
    /// Out of the interview.
    Interview { end: End },
}

/// Everything that a way out depends on.
pub(super) struct Facts {
    pub(super) epoch: Epoch,
    pub(super) candidate_asked_to_stop: bool,
    pub(super) interview_limit_passed: bool,
    pub(super) tool_accepted: bool,
    pub(super) questions_used_up: bool,
    pub(super) silence_limit_passed: bool,
    pub(super) stage_limit_passed: bool,
    pub(super) is_last_stage: bool,
    /// This stage and the one before had no word.
    pub(super) silent_for_two_stages: bool,
}

/// The order of power (H02).
pub(super) fn decide(facts: &Facts) -> Option<Exit> {
    let end = |end| Some(Exit::Interview { end });
    if facts.candidate_asked_to_stop {
        return end(End::CandidateEnded);
    }
    if facts.interview_limit_passed {
        return end(End::OutOfTime);
    }
    let why = if facts.tool_accepted {
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
    if facts.is_last_stage {
        return end(End::Completed);
    }
    Some(Exit::Stage { epoch: facts.epoch, why })
}

impl Interview {
    /// What holds now; the caller adds what has just happened.
    pub(super) fn facts(&self) -> Facts {
        let agent = &self.plan.agents[self.stage.index];
        Facts {
            epoch: self.epoch,
            candidate_asked_to_stop: false,
            interview_limit_passed: self.interview_limit_passed,
            tool_accepted: false,
            questions_used_up: false,
            silence_limit_passed: false,
            stage_limit_passed: self.stage.limit_passed,
            is_last_stage: self.stage.index + 1 == self.plan.agents.len(),
            silent_for_two_stages: !self.stage.spoke
                && (self.silent_stages > 0 || self.plan.agents.len() == 1),
        }
        .with_questions(self.stage.questions >= agent.questions_max)
    }

    /// Begins a way out: the words that go with it. It is gone through at their first sound.
    pub(super) fn begin_exit(&mut self, exit: Exit, turn: Option<Turn>) {
        // What a stop interrupted still belongs to the stage that ends.
        let turn = turn.or_else(|| self.carried.take());
        match exit {
            Exit::Stage { why, .. } => {
                self.think(Say::Model(Task::Bridge(why)), Purpose::Ask, turn, Some(exit));
            }
            Exit::Interview { end } => self.begin_goodbye(end, turn, end != End::Completed),
        }
    }

    /// The same, interrupting the candidate (H04): from a file and not to be interrupted.
    pub(super) fn begin_cut_in(&mut self, exit: Exit, turn: Option<Turn>) {
        match exit {
            Exit::Stage { .. } => {
                let words = format!("{} {}", self.plan.phrases.cut_in, self.bridge_text());
                self.think(Say::Text(words), Purpose::Insist, turn, Some(exit));
            }
            Exit::Interview { end } => self.begin_goodbye(end, turn, true),
        }
    }

    /// From here on only the last words are left; `insists` if nobody may interrupt them.
    pub(super) fn begin_goodbye(&mut self, end: End, turn: Option<Turn>, insists: bool) {
        let phrases = &self.plan.phrases;
        let words = match end {
            End::Completed => &phrases.farewell,
            End::CandidateSilent => &phrases.farewell_silent,
            End::CandidateEnded
            | End::CandidateLeft
            | End::NoShow
            | End::OutOfTime
            | End::Technical
            | End::Operator => &phrases.farewell_early,
        };
        let words = words.clone();
        // Who goes on speaking into a goodbye does not get more time for it.
        let limit = if insists { GOODBYE_LIMIT } else { GOODBYE_OPEN_LIMIT };
        let until = self.own(self.now) + limit;
        if insists || self.phase == Phase::Running {
            self.phase = Phase::Leaving { end, until };
        }
        let exit = Some(Exit::Interview { end });
        self.think(Say::Text(words), Purpose::Farewell { insists }, turn, exit);
    }

    /// Passes the floor to the next agent, if `epoch` is still the one that lasts: the compare-and-set
    /// that every way out of a stage goes through (H03).
    pub(super) fn hand_off(&mut self, epoch: Epoch, why: Reason) {
        let next = self.stage.index + 1;
        if epoch != self.epoch || next >= self.plan.agents.len() {
            return;
        }
        self.epoch = Epoch(epoch.0 + 1);
        self.silent_stages = if self.stage.spoke { 0 } else { self.silent_stages + 1 };
        let name = |index: usize| self.plan.agents[index].name.clone();
        let (from, to) = (name(self.stage.index), name(next));
        self.stage = Stage::enter(next, self.own(self.now));
        self.quiet = std::time::Duration::ZERO;
        self.out.push(Effect::Handoff { from, to, epoch: self.epoch, why });
    }
}

impl Facts {
    fn with_questions(self, questions_used_up: bool) -> Self {
        Self { questions_used_up, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> Facts {
        Facts {
            epoch: Epoch(3),
            candidate_asked_to_stop: false,
            interview_limit_passed: false,
            tool_accepted: false,
            questions_used_up: false,
            silence_limit_passed: false,
            stage_limit_passed: false,
            is_last_stage: false,
            silent_for_two_stages: false,
        }
    }

    /// H02: the order of power, each against all that stand below it.
    #[test]
    fn the_stronger_reason_wins() {
        let stage = |why| Some(Exit::Stage { epoch: Epoch(3), why });
        let end = |end| Some(Exit::Interview { end });
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
        facts.interview_limit_passed = true;
        assert_eq!(decide(&facts), end(End::OutOfTime));
        facts.candidate_asked_to_stop = true;
        assert_eq!(decide(&facts), end(End::CandidateEnded));
    }

    /// H13: the way out of the last stage is the end, and two silent stages are one too.
    #[test]
    fn ends() {
        let last = Facts { is_last_stage: true, tool_accepted: true, ..facts() };
        assert_eq!(decide(&last), Some(Exit::Interview { end: End::Completed }));
        let silent = Facts { silence_limit_passed: true, silent_for_two_stages: true, ..facts() };
        assert_eq!(decide(&silent), Some(Exit::Interview { end: End::CandidateSilent }));
    }
}
