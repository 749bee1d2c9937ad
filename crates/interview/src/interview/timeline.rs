//! The timeline: the times of an interview, by the clock, by the last event, and without the stops.

use crate::interview::turn_taking::presence::Presence;
use crate::time::SessionTime;

/// The times by which an interview decides.
#[derive(Clone, Debug)]
pub(crate) struct Timeline {
    /// The clock, which a tick moves too.
    clock: SessionTime,
    /// The time of the event or deadline that is being handled. A tick does not move it: when the caller
    /// wakes up must not change what follows.
    now: SessionTime,
    /// The time up to which the candidate's sound has been processed.
    heard: SessionTime,
    presence: Presence,
}

impl Timeline {
    pub(crate) fn new() -> Self {
        let zero = SessionTime::ZERO;
        Self { clock: zero, now: zero, heard: zero, presence: Presence::new() }
    }

    /// Moves the clock on to `at`, and the processed sound to `heard`.
    ///
    /// # Panics
    /// If time goes backwards.
    pub(crate) fn tick(&mut self, at: SessionTime, heard: SessionTime) {
        assert!(at >= self.clock, "time went backwards: {at} after {}", self.clock);
        self.clock = at;
        self.heard = self.heard.max(heard.min(at));
    }

    /// Moves the time of decisions on to `at`, but never back.
    pub(crate) fn happens(&mut self, at: SessionTime) {
        self.now = self.now.max(at);
    }

    /// The clock.
    pub(crate) fn clock(&self) -> SessionTime {
        self.clock
    }

    /// The time of the event or deadline that is being handled, in session time.
    pub(crate) fn now(&self) -> SessionTime {
        self.now
    }

    /// The time up to which the candidate's sound has been processed, in session time.
    pub(crate) fn heard(&self) -> SessionTime {
        self.heard
    }

    /// The stops of the interview.
    pub(crate) fn presence(&self) -> &Presence {
        &self.presence
    }

    /// The stops of the interview, to change them.
    pub(crate) fn presence_mut(&mut self) -> &mut Presence {
        &mut self.presence
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> SessionTime {
        SessionTime::from_millis(seconds * 1_000)
    }

    /// Invariant 3: a tick moves the clock and the sound, an event moves the time that decisions are made at,
    /// and neither goes back.
    #[test]
    fn a_tick_is_no_event() {
        let mut timeline = Timeline::new();
        timeline.tick(at(5), at(4));
        assert_eq!((timeline.clock(), timeline.now(), timeline.heard()), (at(5), at(0), at(4)));
        timeline.happens(at(3));
        timeline.happens(at(2));
        assert_eq!(timeline.now(), at(3));
        // Sound that is ahead of the clock was not processed yet, and what was processed stays so.
        timeline.tick(at(6), at(9));
        assert_eq!(timeline.heard(), at(6));
        timeline.tick(at(7), at(1));
        assert_eq!(timeline.heard(), at(6));
    }
}
