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
    /// Whether the candidate said a word in it.
    pub(super) spoke: bool,
    pub(super) limit_passed: bool,
    /// Rungs of the silence ladder that this question has used.
    pub(super) rungs: usize,
}

/// The gentle nudge comes after this long at the latest (T02).
const NUDGE_AFTER: Duration = Duration::from_secs(8);

impl Stage {
    pub(super) fn enter(index: usize, entered: SessionTime) -> Self {
        Self {
            index,
            entered,
            questions: 0,
            answers: 0,
            depth: 0,
            spoke: false,
            limit_passed: false,
            rungs: 0,
        }
    }

    /// The silence after which the next rung of the ladder comes (T02).
    pub(super) fn next_rung(&self, agent: &Agent) -> Duration {
        let limit = agent.silence_limit;
        match self.rungs {
            0 => NUDGE_AFTER.min(limit * 2 / 5),
            1 => limit * 13 / 20,
            _ => limit,
        }
    }
}
