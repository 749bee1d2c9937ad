//! The stage that lasts: how far it is, and what was done about its question.

use std::time::Duration;

use crate::{blueprint::Agent, time::SessionTime};

/// The stage that lasts.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    /// Which one of the plan's.
    pub(crate) index: usize,
    /// When it began, in the interview's own time.
    pub(crate) entered: SessionTime,
    /// Questions that were heard (H09).
    pub(crate) questions: u32,
    /// Answers that were committed.
    pub(crate) answers: u32,
    /// The deepest answer so far, 0..=5.
    pub(crate) depth: u8,
    /// The stage before it.
    pub(crate) previous: usize,
    /// Whether the candidate said a word in it.
    pub(crate) spoke: bool,
    pub(crate) limit_passed: bool,
    /// How many of [`MILESTONES`] are behind us.
    pub(crate) milestones: usize,
    /// Questions that were left out.
    pub(crate) skips: u32,
    /// Threads that were followed after all was known (X03).
    pub(crate) checks: u32,
    /// What was done about the question that waits for its answer.
    pub(crate) pending: Pending,
    pub(crate) silence: Silence,
}

/// The silence since the candidate's last words, or since the stage began (T02).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Silence {
    /// How much of it counts.
    pub(crate) quiet: Duration,
    /// Until when they have time to think, in the interview's own time (T03).
    pub(crate) hold_until: Option<SessionTime>,
}

/// What was done about one question; begins anew with the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pending {
    /// Rungs of the silence ladder that it has used (T02).
    pub(crate) rungs: usize,
    /// Whether they were given time to think (T03).
    pub(crate) held: bool,
    /// How often it was said again.
    pub(crate) repeats: u32,
    /// How often it was put in other words.
    pub(crate) rephrased: u32,
    /// Whether they pressed Skip while they spoke.
    pub(crate) skip_wanted: bool,
    /// Whether they were asked again if they want to stop, as nobody could tell from their answer.
    pub(crate) stop_asked_again: bool,
    /// Whether they were told that they are muted.
    pub(crate) told_muted: bool,
    /// Whether they were told that not a word of theirs was understood.
    pub(crate) not_caught: bool,
    /// Whether the next question was asked again after a noise had cut it off.
    pub(crate) given_back: bool,
}

/// Parts of a stage's time, in percent, at which the model is told (T06).
pub(crate) const MILESTONES: [u8; 3] = [50, 75, 90];

impl Stage {
    pub(crate) fn enter(index: usize, previous: usize, entered: SessionTime) -> Self {
        Self {
            index,
            previous,
            entered,
            questions: 0,
            answers: 0,
            depth: 0,
            spoke: false,
            limit_passed: false,
            milestones: 0,
            skips: 0,
            checks: 0,
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

    /// When the next part of its time is over.
    pub(crate) fn next_milestone(&self, agent: &Agent) -> Option<SessionTime> {
        let percent = MILESTONES.get(self.milestones)?;
        Some(self.entered + agent.stage_limit * u32::from(*percent) / 100)
    }
}
