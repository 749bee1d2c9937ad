//! What happens within one agent's stage. Kinds that need more than data get a file of their own here.

use std::time::Duration;

use crate::{blueprint::Agent, time::SessionTime};

/// The stage that lasts.
#[derive(Clone, Debug)]
pub(super) struct Stage {
    /// Which one of the plan's.
    pub(super) index: usize,
    /// When it began, in the interview's own time.
    pub(super) entered: SessionTime,
    /// Questions that were heard (H09).
    pub(super) questions: u32,
    /// Answers that were committed.
    pub(super) answers: u32,
    /// The deepest answer so far, 0..=5.
    pub(super) depth: u8,
    /// The stage before it.
    pub(super) previous: usize,
    /// Whether the candidate said a word in it.
    pub(super) spoke: bool,
    pub(super) limit_passed: bool,
    /// How many of [`MILESTONES`] are behind us.
    pub(super) milestones: usize,
    /// Questions that were left out.
    pub(super) skips: u32,
    /// Threads that were followed after all was known (X03).
    pub(super) checks: u32,
    /// What was done about the question that waits for its answer.
    pub(super) pending: Pending,
    pub(super) silence: Silence,
}

/// The silence since the candidate's last words, or since the stage began (T02).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Silence {
    /// How much of it counts.
    pub(super) quiet: Duration,
    /// Until when they have time to think, in the interview's own time (T03).
    pub(super) hold_until: Option<SessionTime>,
}

/// What was done about one question; begins anew with the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Pending {
    /// Rungs of the silence ladder that it has used (T02).
    pub(super) rungs: usize,
    /// Whether they were given time to think (T03).
    pub(super) held: bool,
    /// How often it was said again.
    pub(super) repeats: u32,
    /// How often it was put in other words.
    pub(super) rephrased: u32,
    /// Whether they pressed Skip while they spoke.
    pub(super) skip_wanted: bool,
    /// Whether they were asked again if they want to stop, as nobody could tell from their answer.
    pub(super) stop_asked_again: bool,
    /// Whether they were told that they are muted.
    pub(super) told_muted: bool,
    /// Whether they were told that not a word of theirs was understood.
    pub(super) not_caught: bool,
    /// Whether the next question was asked again after a noise had cut it off.
    pub(super) given_back: bool,
}

/// Parts of a stage's time, in percent, at which the model is told (T06).
pub(super) const MILESTONES: [u8; 3] = [50, 75, 90];

impl Stage {
    pub(super) fn enter(index: usize, previous: usize, entered: SessionTime) -> Self {
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
    pub(super) fn next_rung(&self, agent: &Agent) -> Duration {
        let limit = agent.silence_limit;
        match self.pending.rungs {
            0 => agent.thinking_time.min(limit * 2 / 5),
            1 => limit * 13 / 20,
            _ => limit,
        }
    }

    /// When the next part of its time is over.
    pub(super) fn next_milestone(&self, agent: &Agent) -> Option<SessionTime> {
        let percent = MILESTONES.get(self.milestones)?;
        Some(self.entered + agent.stage_limit * u32::from(*percent) / 100)
    }
}
