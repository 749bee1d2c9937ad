//! How a session comes to its end.

use super::{Outcome, unsynced::Trouble};
use crate::{interview::End, time::SessionTime};

#[derive(Debug)]
pub(super) struct Ending {
    stopping: Stopping,
    /// Why the line is gone for good, once it is.
    line_over: Option<String>,
    outcome: Option<Outcome>,
}

/// Whether whoever runs us wants the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stopping {
    No,
    /// After our sentence, at this time at the latest.
    By(SessionTime),
    /// The interview was told.
    Done,
}

impl Ending {
    /// Nobody thinks of an end yet.
    pub(super) fn new() -> Self {
        Self { stopping: Stopping::No, line_over: None, outcome: None }
    }

    /// Whoever runs us wants the end after our sentence, at this time at the latest.
    pub(super) fn stop_by(&mut self, at: SessionTime) {
        self.stopping = Stopping::By(at);
    }

    /// Whether whoever runs us has asked for the end.
    pub(super) fn is_wanted(&self) -> bool {
        self.stopping != Stopping::No
    }

    /// When the sentence is cut.
    pub(super) fn deadline(&self) -> Option<SessionTime> {
        match self.stopping {
            Stopping::By(at) => Some(at),
            Stopping::No | Stopping::Done => None,
        }
    }

    /// Whether the interview has to be told now that it ends; once.
    pub(super) fn is_due(&mut self, now: SessionTime, is_sounding: bool) -> bool {
        let is_due = self.deadline().is_some_and(|at| now >= at || !is_sounding);
        if is_due {
            self.stopping = Stopping::Done;
        }
        is_due
    }

    pub(super) fn lose_line(&mut self, why: String) {
        self.line_over = Some(why);
    }

    pub(super) fn has_line(&self) -> bool {
        self.line_over.is_none()
    }

    /// The interview has ended.
    pub(super) fn hang_up(&mut self, end: End) {
        self.outcome = Some(Outcome { end, trouble: self.line_over.take() });
    }

    /// It cannot go on.
    pub(super) fn fail(&mut self, why: &Trouble) {
        self.outcome = Some(Outcome { end: End::Technical, trouble: Some(why.to_string()) });
    }

    /// What became of the session, if it is over.
    pub(super) fn take(&mut self) -> Option<Outcome> {
        self.outcome.take()
    }
}
