//! The progress of the stage that lasts, and what was done about its open question.

use std::{collections::BTreeSet, time::Duration};

use crate::{blueprint::Agent, time::SessionTime};

/// The progress of the stage that lasts.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    /// Its place in the plan.
    pub(crate) index: usize,
    /// The place of the stage before it.
    pub(crate) previous: usize,
    /// When it began, in the interview's own time.
    pub(crate) entered: SessionTime,
    /// How long it stood still since, for a muted microphone.
    pub(crate) stood: Duration,
    pub(crate) counts: Counts,
    /// The deepest answer so far, 0..=5.
    pub(crate) depth: u8,
    /// Whether the candidate said a word in it.
    pub(crate) spoke: bool,
    pub(crate) limit_passed: bool,
    /// The number of [`MILESTONES`] that have passed.
    pub(crate) milestones: usize,
    /// What was done about the question that waits for its answer.
    pub(crate) pending: Pending,
    pub(crate) silence: Silence,
}

/// The numbers of what happened in a stage.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    /// Questions that the candidate heard (H09).
    pub(crate) questions: u32,
    /// Answers that were committed.
    pub(crate) answers: u32,
    /// Questions that the candidate skipped.
    pub(crate) skips: u32,
    /// Threads that were followed after all was known (X03).
    pub(crate) checks: u32,
    /// Handovers of the model that were refused, as the answers were not deep enough.
    pub(crate) too_shallow: u32,
    /// Questions in a row that followed up on a vague or partial answer.
    pub(crate) follow_ups: u32,
}

/// The silence since the candidate's last words, or since the stage began (T02).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Silence {
    /// How much of it counts.
    pub(crate) quiet: Duration,
    /// Until when nobody is nudged, in the interview's own time (T03).
    pub(crate) hold_until: Option<SessionTime>,
    /// How long they were told to have for thinking, while they do.
    pub(crate) thinks: Option<Duration>,
}

impl Silence {
    /// Nobody is waited for longer than usual any more.
    pub(crate) fn end_hold(&mut self) {
        (self.hold_until, self.thinks) = (None, None);
    }
}

/// What was done about one question; it begins anew with the next question.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pending {
    /// Rungs of the silence ladder that were used (T02).
    pub(crate) rungs: usize,
    /// The number of times it was repeated.
    pub(crate) repeats: u32,
    /// The number of times it was put in other words.
    pub(crate) rephrased: u32,
    /// Whether the candidate pressed Skip while speaking.
    pub(crate) skip_wanted: bool,
    taken: BTreeSet<Step>,
}

/// A step that is taken at most once for a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Step {
    /// The candidate was given time to think (T03).
    GivenTime,
    /// The candidate has answered it.
    Answered,
    /// The candidate was asked again whether to stop, as the first answer was unclear.
    AskedAgainToStop,
    /// The candidate was told that the microphone is muted.
    ToldMuted,
    /// The candidate was asked to say it again, as not a word was recognised.
    AskedToSayAgain,
    /// The candidate was led back to it from another subject (case 8).
    Redirected,
    /// The next question was asked again after a noise had cut it off.
    AskedAfterNoise,
}

impl Pending {
    /// Whether a step was taken for this question.
    pub(crate) fn has(&self, step: Step) -> bool {
        self.taken.contains(&step)
    }

    /// Takes a step; whether it is the first time.
    pub(crate) fn take(&mut self, step: Step) -> bool {
        self.taken.insert(step)
    }

    /// A step may be taken again.
    pub(crate) fn forget(&mut self, step: Step) {
        self.taken.remove(&step);
    }
}

/// Parts of a stage's time, in percent, at which the model is told (T06).
pub(crate) const MILESTONES: [u8; 3] = [50, 75, 90];

impl Stage {
    pub(crate) fn enter(index: usize, previous: usize, entered: SessionTime) -> Self {
        Self {
            index,
            previous,
            entered,
            stood: Duration::ZERO,
            counts: Counts::default(),
            depth: 0,
            spoke: false,
            limit_passed: false,
            milestones: 0,
            pending: Pending::default(),
            silence: Silence::default(),
        }
    }

    /// The silence after which the next rung of the ladder comes (T02).
    pub(crate) fn next_rung(&self, agent: &Agent) -> Duration {
        let limit = agent.silence_limit;
        match self.pending.rungs {
            0 => agent.thinking_time.min(limit * 2 / 5),
            1 => limit * 13 / 20,
            _ => limit,
        }
    }

    /// When its time is over.
    pub(crate) fn limit(&self, agent: &Agent) -> SessionTime {
        self.entered + self.stood + agent.stage_limit
    }

    /// When the next part of its time is over.
    pub(crate) fn next_milestone(&self, agent: &Agent) -> Option<SessionTime> {
        let percent = MILESTONES.get(self.milestones)?;
        Some(self.entered + self.stood + agent.stage_limit * u32::from(*percent) / 100)
    }
}
