//! The only place where an agent's stage ends.
//!
//! Tools, timers, limits and buttons all come here. Who wins is decided by [`decide`], read from top to
//! bottom; that it happens once is decided by the epoch, in [`Interview::hand_off`].

use crate::interview::{
    Interview,
    effect::Effect,
    exit::{End, Exit, Reason},
    ids::Epoch,
    stage::Stage,
};

/// Everything that a way out depends on.
pub(crate) struct Facts {
    pub(crate) epoch: Epoch,
    pub(crate) candidate_asked_to_stop: bool,
    pub(crate) is_abused: bool,
    pub(crate) interview_limit_passed: bool,
    pub(crate) max_turns_reached: bool,
    pub(crate) candidate_skips: bool,
    pub(crate) rubric_settled: bool,
    pub(crate) tool_accepted: bool,
    pub(crate) questions_used_up: bool,
    pub(crate) silence_limit_passed: bool,
    pub(crate) stage_limit_passed: bool,
    pub(crate) is_last_stage: bool,
    pub(crate) is_closing: bool,
    /// Whether a closing stage is still to come.
    pub(crate) has_closing: bool,
    /// This stage and the one before had no word.
    pub(crate) silent_for_two_stages: bool,
    /// How the interview ends when its last stage does.
    pub(crate) end: End,
}

/// The order of power (H02, X03).
pub(crate) fn decide(facts: &Facts) -> Option<Exit> {
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
    pub(crate) fn facts(&self) -> Facts {
        let agents = &self.script.plan().agents;
        let agent = &agents[self.stage.index];
        Facts {
            epoch: self.course.epoch(),
            candidate_asked_to_stop: false,
            is_abused: false,
            interview_limit_passed: self.course.limit_passed(),
            max_turns_reached: self.course.answered() >= self.script.plan().exit.max_turns,
            candidate_skips: false,
            rubric_settled: self.is_rubric_settled(None),
            tool_accepted: false,
            questions_used_up: self.stage.questions >= agent.questions_max,
            silence_limit_passed: false,
            stage_limit_passed: self.stage.limit_passed,
            is_last_stage: self.stage.index + 1 == agents.len(),
            is_closing: agent.kind.closes(),
            has_closing: self.stage_after(Reason::MaxTurns).is_some(),
            silent_for_two_stages: !self.stage.spoke
                && self.turns.carried().is_none()
                && (self.course.silent_stages() > 0 || agents.len() == 1),
            end: self.course.closing_as(),
        }
    }

    /// Which stage a way out leads to; nothing if it leads out of the interview.
    pub(crate) fn stage_after(&self, why: Reason) -> Option<usize> {
        let next = self.stage.index + 1;
        let after = self.script.plan().agents.get(next..)?;
        let closing = after.iter().position(|agent| agent.kind.closes());
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

    /// Passes the floor to the next agent, if `epoch` is still the one that lasts: the compare-and-set
    /// that every way out of a stage goes through (H03).
    pub(crate) fn hand_off(&mut self, epoch: Epoch, why: Reason) {
        let Some(next) = self.stage_after(why).filter(|_| epoch == self.course.epoch()) else {
            return;
        };
        self.summarise();
        if why == Reason::MaxTurns {
            self.note_max_turns();
        }
        self.course.next_stage(self.stage.spoke);
        let name = |index: usize| self.script.plan().agents[index].name.clone();
        let (from, to) = (name(self.stage.index), name(next));
        self.stage = Stage::enter(next, self.stage.index, self.own_now());
        self.questions.forget_unheard();
        self.awaited.begin_question();
        self.outbox.push(Effect::Handoff { from, to, epoch: self.course.epoch(), why });
        self.listen_for_keyterms();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::interview::dialogue::awaiting::Awaiting;
    use crate::{
        blueprint::{Blueprint, Context},
        time::SessionTime,
    };

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

    /// Three stages that ask one question each.
    fn interview() -> Interview {
        let stage = "+++\ntitle = \"Stage\"\nkind = \"questions\"\nquestions_max = 1\nstage_limit = \"3m\"\n\
            silence_limit = \"30s\"\nbridge = \"Let us move on.\"\nnudges = [\"Take your \
            time.\", \"What comes to mind?\"]\n\
            questions = [\"What do you do?\"]\n+++\n\nAsk.\n";
        let head =
            "title = \"X\"\ninterviewer = \"Alba\"\nstages = [\"one\", \"two\", \"three\"]\n";
        let files =
            [("blueprint.toml", head), ("one.md", stage), ("two.md", stage), ("three.md", stage)];
        let files = files.map(|(name, text)| (name.to_owned(), text.to_owned()));
        Interview::new(&Blueprint::load(&files).unwrap(), &Context::default())
    }

    /// H03: a stage is left once, whatever else wants to leave it: the second one finds another epoch.
    #[test]
    fn a_stage_is_left_once() {
        let mut interview = interview();
        let epoch = interview.course.epoch();
        for why in [Reason::Tool, Reason::StageLimit] {
            interview.hand_off(epoch, why);
        }
        let left = interview.outbox.effects().iter().filter_map(|effect| match effect {
            Effect::Handoff { from, to, epoch, why } => Some((&**from, &**to, epoch.0, *why)),
            _ => None,
        });
        assert_eq!(left.collect::<Vec<_>>(), [("one", "two", epoch.0 + 1, Reason::Tool)]);
        assert_eq!(interview.stage.index, 1);
    }

    /// T04, H03: nothing of the old stage counts in the new one: not its silence, not a moment to think, not
    /// what it did not say.
    #[test]
    fn a_stage_begins_anew() {
        let mut interview = interview();
        interview.stage.silence.quiet = Duration::from_secs(20);
        interview.stage.silence.hold_until = Some(SessionTime::from_millis(90_000));
        interview.questions.cut_off("What do you do?".to_owned());
        interview.awaited.offer_skip();
        interview.stage.limit_passed = true;
        interview.hand_off(interview.course.epoch(), Reason::Silence);
        assert_eq!(
            (interview.stage.silence.quiet, interview.stage.silence.hold_until),
            (Duration::ZERO, None)
        );
        assert_eq!((interview.questions.unheard(), interview.stage.limit_passed), (None, false));
        assert_eq!(interview.awaited.uppermost(), Awaiting::Answer);
        // Nobody said a word in the first one; whoever speaks in the second begins to count anew.
        assert_eq!(interview.course.silent_stages(), 1);
        interview.stage.spoke = true;
        interview.hand_off(interview.course.epoch(), Reason::Silence);
        assert_eq!(interview.course.silent_stages(), 0);
    }
}
