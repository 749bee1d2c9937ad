//! How a session comes to its end, or stops before that.

use super::{Outcome, unsynced::Trouble};
use crate::{interview::End, time::SessionTime};

/// Why whoever runs a session wants it to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The interview ends, after our sentence.
    End,
    /// Another worker is to go on with the interview: we leave after our sentence, and it has no end.
    HandOver,
    /// Another worker has the interview: we leave at once, and say nothing.
    Lost,
}

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
    By(SessionTime, Stop),
    /// It was done.
    Done,
}

impl Ending {
    /// Nobody thinks of an end yet.
    pub(super) fn new() -> Self {
        Self { stopping: Stopping::No, line_over: None, outcome: None }
    }

    /// Whoever runs us wants the end after our sentence, at this time at the latest.
    pub(super) fn stop_by(&mut self, at: SessionTime, stop: Stop) {
        self.stopping = Stopping::By(at, stop);
    }

    /// Whether whoever runs us has asked for the end.
    pub(super) fn is_wanted(&self) -> bool {
        self.stopping != Stopping::No
    }

    /// When the sentence is cut.
    pub(super) fn deadline(&self) -> Option<SessionTime> {
        match self.stopping {
            Stopping::By(at, _) => Some(at),
            Stopping::No | Stopping::Done => None,
        }
    }

    /// What has to be done now, once: our sentence is over, or has had its time.
    pub(super) fn due(&mut self, now: SessionTime, is_sounding: bool) -> Option<Stop> {
        let Stopping::By(at, stop) = self.stopping else { return None };
        let is_due = now >= at || !is_sounding || stop == Stop::Lost;
        is_due.then(|| {
            self.stopping = Stopping::Done;
            stop
        })
    }

    pub(super) fn lose_line(&mut self, why: String) {
        self.line_over = Some(why);
    }

    pub(super) fn has_line(&self) -> bool {
        self.line_over.is_none()
    }

    /// The interview has ended.
    pub(super) fn hang_up(&mut self, end: End) {
        self.outcome = Some(Outcome { end: Some(end), trouble: self.line_over.take() });
    }

    /// It goes on elsewhere.
    pub(super) fn hand_over(&mut self) {
        self.outcome = Some(Outcome { end: None, trouble: None });
    }

    /// It cannot go on.
    pub(super) fn fail(&mut self, why: &Trouble) {
        self.outcome = Some(Outcome { end: Some(End::Technical), trouble: Some(why.to_string()) });
    }

    /// What became of the session, if it is over.
    pub(super) fn take(&mut self) -> Option<Outcome> {
        self.outcome.take()
    }
}
