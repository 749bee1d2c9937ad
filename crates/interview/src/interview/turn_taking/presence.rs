//! Presence: the stops of an interview, and their length.
//!
//! While any [`Stop`] lasts the interview's own time does not pass (R06).

use std::{collections::BTreeSet, time::Duration};

use crate::time::SessionTime;

/// A reason for which an interview stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stop {
    /// The candidate is not in the room.
    Gone,
    /// The line to the room is cut.
    LineCut,
    /// The candidate asked for a pause.
    Paused,
}

/// The stops of an interview: those that last, and the length of those that are over.
#[derive(Clone, Debug)]
pub(crate) struct Presence {
    lasting: BTreeSet<Stop>,
    /// Whether the candidate asked for a pause since the last stop was over.
    was_paused: bool,
    /// The length of all stops that are over; it shifts every deadline.
    total: Duration,
    /// The begin and end of the last stop that is over.
    last: (SessionTime, SessionTime),
}

impl Presence {
    /// The state before the candidate has come.
    pub(crate) fn new() -> Self {
        let lasting = [Stop::Gone].into();
        let last = (SessionTime::ZERO, SessionTime::ZERO);
        Self { lasting, was_paused: false, total: Duration::ZERO, last }
    }

    /// Begins a stop.
    pub(crate) fn begin(&mut self, stop: Stop) {
        self.lasting.insert(stop);
        self.was_paused |= stop == Stop::Paused;
    }

    /// Ends a stop.
    pub(crate) fn end(&mut self, stop: Stop) {
        self.lasting.remove(&stop);
    }

    /// Whether a stop lasts.
    pub(crate) fn is(&self, stop: Stop) -> bool {
        self.lasting.contains(&stop)
    }

    /// Whether candidate and interviewer hear one another.
    pub(crate) fn is_together(&self) -> bool {
        self.lasting.is_empty()
    }

    /// The length of all stops that are over.
    pub(crate) fn stopped(&self) -> Duration {
        self.total
    }

    /// The end of the last stop that is over.
    pub(crate) fn last_end(&self) -> SessionTime {
        self.last.1
    }

    /// Closes the stops that began at `since` and are over at `now`. Returns their length, and whether the
    /// candidate had asked for a pause.
    pub(crate) fn go_on(&mut self, since: SessionTime, now: SessionTime) -> (Duration, bool) {
        let gap = now.since(since);
        self.total += gap;
        self.last = (since, now);
        (gap, std::mem::take(&mut self.was_paused))
    }

    /// Session time without the stops that are over.
    pub(crate) fn without_stops(&self, at: SessionTime) -> SessionTime {
        let (began, ended) = self.last;
        // A late event may be from before the last stop, which does not count for it.
        let (at, stopped) = if at < ended {
            (at.min(began), self.total.saturating_sub(ended.since(began)))
        } else {
            (at, self.total)
        };
        SessionTime::ZERO + at.since(SessionTime::ZERO + stopped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> SessionTime {
        SessionTime::from_millis(seconds * 1_000)
    }

    /// R06: an interview stands still while anything stops it, and goes on when the last of it is over.
    #[test]
    fn every_stop_stops() {
        let mut presence = Presence::new();
        assert!(presence.is(Stop::Gone) && !presence.is_together());
        presence.end(Stop::Gone);
        assert!(presence.is_together());
        presence.begin(Stop::LineCut);
        presence.begin(Stop::Paused);
        presence.end(Stop::LineCut);
        assert!(presence.is(Stop::Paused) && !presence.is_together());
        presence.end(Stop::Paused);
        assert!(presence.is_together());
        // A pause counts as one until the stop that it was part of is over.
        assert_eq!(presence.go_on(at(10), at(14)), (Duration::from_secs(4), true));
        presence.begin(Stop::Gone);
        presence.end(Stop::Gone);
        assert_eq!(presence.go_on(at(20), at(21)), (Duration::from_secs(1), false));
        assert_eq!((presence.stopped(), presence.last_end()), (Duration::from_secs(5), at(21)));
    }

    /// R06: time passes before, between and behind stops, and not within them; what is told late of before
    /// the last stop has the time that it had then.
    #[test]
    fn time_stands_still() {
        let mut presence = Presence::new();
        presence.go_on(at(0), at(5));
        presence.go_on(at(10), at(20));
        for (told, own) in [(7, 2), (10, 5), (15, 5), (20, 5), (24, 9)] {
            assert_eq!(presence.without_stops(at(told)), at(own), "{told}");
        }
    }
}
