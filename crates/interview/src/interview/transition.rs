//! Transitions: the only place where a stage ends.
//!
//! Tools, timers, limits and buttons all come here. [`decide`] chooses the strongest cause;
//! [`Interview::hand_off`] compares the epoch, so that a stage is left once.

use std::collections::BTreeSet;

use crate::interview::{
    Interview,
    effect::Effect,
    exit::{End, Exit, Reason},
    ids::Epoch,
    note::Note,
    stage::Stage,
};

/// Why a stage or the interview may be left, the strongest cause first (H02, X03).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Cause {
    CandidateAskedToStop,
    Abuse,
    InterviewLimit,
    MaxTurns,
    CandidateSkipped,
    RubricSettled,
    Tool,
    QuestionLimit,
    Silence,
    StageLimit,
    AgendaDone,
}

/// Where the closing stage is, seen from the stage that lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Closing {
    /// It is still to come.
    Ahead,
    /// It is the stage that lasts: the interview is being closed already.
    Now,
    /// There is none, or it is over.
    Missing,
}

/// Everything that a way out depends on.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    causes: BTreeSet<Cause>,
    epoch: Epoch,
    is_last_stage: bool,
    closing: Closing,
    /// Whether the candidate said no word in this stage and the one before.
    silent_for_two_stages: bool,
    /// How the interview ends when its last stage does.
    end: End,
}

impl Facts {
    pub(crate) fn has(&self, cause: Cause) -> bool {
        self.causes.contains(&cause)
    }

    /// The same facts, with this cause if it `holds` and without it if not.
    pub(crate) fn with(mut self, cause: Cause, holds: bool) -> Self {
        if holds {
            self.causes.insert(cause)
        } else {
            self.causes.remove(&cause)
        };
        self
    }

    /// The same facts without the causes that wait until a question has its answer.
    pub(crate) fn while_question_waits(self) -> Self {
        [Cause::RubricSettled, Cause::QuestionLimit, Cause::AgendaDone]
            .into_iter()
            .fold(self, |facts, cause| facts.with(cause, false))
    }
}

/// Chooses the way out by the strongest cause; none if nothing ends the stage.
pub(crate) fn decide(facts: &Facts) -> Option<Exit> {
    let counts = |cause: &&Cause| (**cause, facts.closing) != (Cause::MaxTurns, Closing::Now);
    let end = |end| Some(Exit::Interview { end, why: None });
    let why = match facts.causes.iter().find(counts)? {
        Cause::CandidateAskedToStop => return end(End::CandidateEnded),
        Cause::Abuse => return end(End::Abuse),
        Cause::InterviewLimit => return end(End::OutOfTime),
        Cause::MaxTurns => Reason::MaxTurns,
        Cause::CandidateSkipped => Reason::CandidateSkipped,
        Cause::RubricSettled => Reason::RubricSettled,
        Cause::Tool => Reason::Tool,
        Cause::QuestionLimit => Reason::QuestionLimit,
        Cause::Silence if facts.silent_for_two_stages => return end(End::CandidateSilent),
        Cause::Silence => Reason::Silence,
        Cause::StageLimit => Reason::StageLimit,
        Cause::AgendaDone => Reason::AgendaDone,
    };
    // Who has to close and has no closing left says goodbye (X04).
    if facts.is_last_stage || (why == Reason::MaxTurns && facts.closing == Closing::Missing) {
        let end = if why == Reason::MaxTurns { End::MaxTurns } else { facts.end };
        return Some(Exit::Interview { end, why: Some(why) });
    }
    Some(Exit::Stage { epoch: facts.epoch, why })
}

impl Interview {
    /// The facts that hold now; the caller adds what has just happened.
    pub(crate) fn facts(&self) -> Facts {
        let plan = self.script.plan();
        let agent = &plan.agents[self.stage.index];
        let closing = match self.stage_after(Reason::MaxTurns) {
            _ if agent.kind.closes() => Closing::Now,
            Some(_) => Closing::Ahead,
            None => Closing::Missing,
        };
        let facts = Facts {
            causes: BTreeSet::new(),
            epoch: self.course.epoch(),
            is_last_stage: self.stage.index + 1 == plan.agents.len(),
            closing,
            silent_for_two_stages: !self.stage.spoke
                && self.turns.carried().is_none()
                && (self.course.silent_stages() > 0 || plan.agents.len() == 1),
            end: self.course.closing_as(),
        };
        facts
            .with(Cause::InterviewLimit, self.course.limit_passed())
            .with(Cause::MaxTurns, self.course.answered() >= plan.exit.max_turns)
            .with(Cause::RubricSettled, self.is_rubric_settled(None))
            .with(Cause::QuestionLimit, self.stage.counts.questions >= self.questions_max())
            .with(Cause::StageLimit, self.stage.limit_passed)
            .with(Cause::AgendaDone, self.is_agenda_done())
    }

    /// The stage that a way out leads to; `None` if it leads out of the interview.
    pub(crate) fn stage_after(&self, why: Reason) -> Option<usize> {
        let next = self.stage.index + 1;
        let after = self.script.plan().agents.get(next..)?;
        let closing = after.iter().position(|agent| agent.kind.closes());
        let stays = |index: &usize| {
            let (kind, place) = self.stage_at(*index);
            !kind.is_left_out(place, why)
        };
        match why {
            Reason::MaxTurns => closing.map(|place| next + place),
            Reason::CandidateSkipped
            | Reason::RubricSettled
            | Reason::Tool
            | Reason::QuestionLimit
            | Reason::Silence
            | Reason::StageLimit
            | Reason::AgendaDone => (next..next + after.len()).find(stays),
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
        self.note_depth(why.is_forced() || why == Reason::QuestionLimit);
        self.course.open();
        self.course.next_stage(self.stage.spoke);
        let name = |index: usize| self.script.plan().agents[index].name.clone();
        let (from, to) = (name(self.stage.index), name(next));
        self.stage = Stage::enter(next, self.stage.index, self.own_now());
        self.questions.forget_unheard();
        self.awaited.begin_question();
        self.outbox.push(Effect::Handoff { from, to, epoch: self.course.epoch(), why });
        self.listen_for_keyterms();
    }

    /// Notes a stage that ends below the depth that it wants, if it ends `by_limit` (H10).
    pub(crate) fn note_depth(&mut self, by_limit: bool) {
        let (depth, wanted) = (self.stage.depth, self.agent().depth_wanted());
        if by_limit && depth < wanted {
            let stage = self.agent().name.clone();
            self.outbox.push(Effect::Note(Note::BelowDepth { stage, depth, wanted }));
        }
    }

    /// Whether a limit of the stage, or of the interview, is reached.
    pub(crate) fn is_at_limit(&self) -> bool {
        let facts = self.facts();
        [Cause::QuestionLimit, Cause::StageLimit, Cause::MaxTurns, Cause::InterviewLimit]
            .into_iter()
            .any(|limit| facts.has(limit))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::time::Duration;

    use super::*;
    use crate::interview::dialogue::awaiting::Awaiting;
    use crate::{
        blueprint::{Blueprint, Context},
        time::SessionTime,
    };

    fn facts(causes: &[Cause]) -> Facts {
        Facts {
            causes: causes.iter().copied().collect(),
            epoch: Epoch(3),
            is_last_stage: false,
            closing: Closing::Ahead,
            silent_for_two_stages: false,
            end: End::Completed,
        }
    }

    /// H02, X03: the order of power, each against all that stand below it.
    #[test]
    fn the_stronger_reason_wins() {
        let stage = |why| Some(Exit::Stage { epoch: Epoch(3), why });
        let end = |end| Some(Exit::Interview { end, why: None });
        let mut facts = facts(&[]);
        assert_eq!(decide(&facts), None);
        for (cause, exit) in [
            (Cause::AgendaDone, stage(Reason::AgendaDone)),
            (Cause::StageLimit, stage(Reason::StageLimit)),
            (Cause::Silence, stage(Reason::Silence)),
            (Cause::QuestionLimit, stage(Reason::QuestionLimit)),
            (Cause::Tool, stage(Reason::Tool)),
            (Cause::RubricSettled, stage(Reason::RubricSettled)),
            (Cause::CandidateSkipped, stage(Reason::CandidateSkipped)),
            (Cause::MaxTurns, stage(Reason::MaxTurns)),
            (Cause::InterviewLimit, end(End::OutOfTime)),
            (Cause::Abuse, end(End::Abuse)),
            (Cause::CandidateAskedToStop, end(End::CandidateEnded)),
        ] {
            facts = facts.with(cause, true);
            assert_eq!(decide(&facts), exit);
        }
    }

    /// H13: the way out of the last stage is the end, and two silent stages are one too.
    #[test]
    fn ends() {
        let out = |end, why| Some(Exit::Interview { end, why });
        let last = Facts { is_last_stage: true, ..facts(&[Cause::Tool]) };
        assert_eq!(decide(&last), out(End::Completed, Some(Reason::Tool)));
        let silent = Facts { silent_for_two_stages: true, ..facts(&[Cause::Silence]) };
        assert_eq!(decide(&silent), out(End::CandidateSilent, None));
        let talks = Facts { silent_for_two_stages: true, ..facts(&[Cause::Silence, Cause::Tool]) };
        assert_eq!(decide(&talks), Some(Exit::Stage { epoch: Epoch(3), why: Reason::Tool }));
        let max_turns = facts(&[Cause::MaxTurns]);
        let closing = Facts { is_last_stage: true, closing: Closing::Now, ..max_turns.clone() };
        assert_eq!(decide(&closing), None);
        let none = Facts { closing: Closing::Missing, ..max_turns.clone() };
        assert_eq!(decide(&none), out(End::MaxTurns, Some(Reason::MaxTurns)));
        let full = Facts { is_last_stage: true, ..max_turns };
        assert_eq!(decide(&full), out(End::MaxTurns, Some(Reason::MaxTurns)));
    }

    /// X04: in the closing stage the limit of turns closes nothing, and weaker causes count.
    #[test]
    fn the_closing_stage_ends_by_its_own_limits() {
        let causes = facts(&[Cause::MaxTurns, Cause::QuestionLimit]);
        let closing = Facts { is_last_stage: true, closing: Closing::Now, ..causes };
        let out = Exit::Interview { end: End::Completed, why: Some(Reason::QuestionLimit) };
        assert_eq!(decide(&closing), Some(out));
    }

    /// Three stages that ask one question each.
    pub(crate) fn interview() -> Interview {
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
