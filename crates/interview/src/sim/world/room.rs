//! The room: whether the candidate is there, whether our line is up, and how late it tells what it pulled.

use std::time::Duration;

use crate::time::SessionTime;

pub(super) struct Room {
    candidate_here: bool,
    line_up: bool,
    /// From when to when candidate and interviewer did not hear one another; the last time may last.
    stops: Vec<(SessionTime, Option<SessionTime>)>,
    report: Duration,
}

/// What becomes of the contact between candidate and interviewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Contact {
    Same,
    Lost,
    Back,
}

impl Room {
    /// One that takes so long to tell what it pulled. The candidate has not come.
    pub(super) fn new(report: Duration) -> Self {
        Self { candidate_here: false, line_up: true, stops: Vec::new(), report }
    }

    pub(super) fn report(&self) -> Duration {
        self.report
    }

    /// Whether candidate and interviewer hear one another.
    pub(super) fn is_connected(&self) -> bool {
        self.candidate_here && self.line_up
    }

    /// Whether nobody heard what sounded at that time.
    pub(super) fn has_lost(&self, of: SessionTime) -> bool {
        self.stops.iter().any(|(from, to)| *from <= of && to.is_none_or(|to| of < to))
    }

    /// The candidate comes or goes.
    pub(super) fn set_here(&mut self, here: bool, now: SessionTime) -> Contact {
        let was = self.is_connected();
        self.candidate_here = here;
        self.changed(was, now)
    }

    /// Our line comes back or is cut.
    pub(super) fn set_up(&mut self, up: bool, now: SessionTime) -> Contact {
        let was = self.is_connected();
        self.line_up = up;
        self.changed(was, now)
    }

    fn changed(&mut self, was: bool, now: SessionTime) -> Contact {
        match (was, self.is_connected()) {
            (true, false) => {
                self.stops.push((now, None));
                Contact::Lost
            }
            (false, true) => {
                if let Some((_, to)) = self.stops.last_mut() {
                    *to = Some(now);
                }
                Contact::Back
            }
            (true, true) | (false, false) => Contact::Same,
        }
    }
}
