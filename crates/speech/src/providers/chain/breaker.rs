//! The circuit breaker of a provider: after a failure it is left alone for a while, then tried by one call.

use std::time::Duration;

use interview::time::SessionTime;

use crate::providers::Retry;

/// How long a provider is left alone after its first failure; doubled with each trial that fails.
const WAIT_FIRST: Duration = Duration::from_secs(2);
/// The longest time for which it is left alone, and the time after a failure that the same call meets again,
/// such as a wrong key.
const WAIT_MAX: Duration = Duration::from_secs(120);
/// After this many replies in a row in which the next provider was faster, a provider counts as failed.
const OUTRUN_MAX: u32 = 3;

/// A circuit breaker. Pure: time is an argument.
#[derive(Debug)]
pub(super) struct Breaker {
    state: State,
    /// How long the provider was last left alone.
    wait: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Every call is made. So many replies in a row were overtaken by the next provider's.
    Closed { outrun: u32 },
    /// No call is made before `until`.
    Open { until: SessionTime },
    /// One call is being made as a trial.
    HalfOpen,
}

/// How a call came through the breaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// As one of many.
    Usual,
    /// As the trial of a provider that has failed.
    Trial,
}

impl Breaker {
    /// Returns the breaker of a provider that has not failed yet.
    pub(super) fn new() -> Self {
        Self { state: State::Closed { outrun: 0 }, wait: WAIT_FIRST }
    }

    /// Lets a call through, if one may be made. A trial must end with a report or with
    /// [`Self::given_up`].
    pub(super) fn enter(&mut self, now: SessionTime) -> Option<Entry> {
        match self.state {
            State::Closed { .. } => Some(Entry::Usual),
            State::Open { until } if now >= until => {
                self.state = State::HalfOpen;
                Some(Entry::Trial)
            }
            State::Open { .. } | State::HalfOpen => None,
        }
    }

    /// Lets a call through that no other provider can take.
    pub(super) fn force(&mut self) -> Entry {
        match self.state {
            State::Closed { .. } => Entry::Usual,
            State::Open { .. } | State::HalfOpen => {
                self.state = State::HalfOpen;
                Entry::Trial
            }
        }
    }

    /// Whether [`Self::enter`] would let a call through.
    pub(super) fn admits(&self, now: SessionTime) -> bool {
        match self.state {
            State::Closed { .. } => true,
            State::Open { until } => now >= until,
            State::HalfOpen => false,
        }
    }

    /// The time from which on a trial may be made.
    pub(super) fn until(&self) -> SessionTime {
        match self.state {
            State::Closed { .. } => SessionTime::ZERO,
            State::Open { until } => until,
            State::HalfOpen => SessionTime::from_micros(u64::MAX),
        }
    }

    /// Handles that a call worked. Returns whether a provider that had failed is back.
    pub(super) fn worked(&mut self, entry: Entry) -> bool {
        match (self.state, entry) {
            (State::Closed { .. }, _) => {
                self.state = State::Closed { outrun: 0 };
                false
            }
            (State::Open { .. } | State::HalfOpen, Entry::Trial) => {
                *self = Self::new();
                true
            }
            // A call from before the failure says nothing about the time after it.
            (State::Open { .. } | State::HalfOpen, Entry::Usual) => false,
        }
    }

    /// Handles that a call failed.
    pub(super) fn failed(&mut self, now: SessionTime, entry: Entry, retry: Retry) {
        let asked = match retry {
            Retry::Now => Duration::ZERO,
            Retry::After(wait) => wait.min(WAIT_MAX),
            Retry::Never => WAIT_MAX,
        };
        match (self.state, entry) {
            (State::Closed { .. }, _) => {
                self.wait = WAIT_FIRST;
                self.state = State::Open { until: now + self.wait.max(asked) };
            }
            (State::HalfOpen, Entry::Trial) => {
                self.wait = (self.wait * 2).min(WAIT_MAX);
                self.state = State::Open { until: now + self.wait.max(asked) };
            }
            // One outage makes many calls fail: it is one failure.
            (State::Open { until }, _) => {
                self.state = State::Open { until: until.max(now + asked) };
            }
            (State::HalfOpen, Entry::Usual) => {}
        }
    }

    /// Handles that the next provider, which was asked later, spoke first.
    pub(super) fn outrun(&mut self, now: SessionTime, entry: Entry) {
        match self.state {
            State::Closed { outrun } if outrun + 1 < OUTRUN_MAX => {
                self.state = State::Closed { outrun: outrun + 1 };
            }
            State::Closed { .. } | State::Open { .. } | State::HalfOpen => {
                self.failed(now, entry, Retry::Now);
            }
        }
    }

    /// Handles that a call was dropped before anything was known: the next call may be the trial.
    pub(super) fn given_up(&mut self, entry: Entry) {
        if (self.state, entry) == (State::HalfOpen, Entry::Trial) {
            self.state = State::Open { until: SessionTime::ZERO };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn s(seconds: u64) -> SessionTime {
        SessionTime::from_millis(1_000 * seconds)
    }

    /// The seconds for which a provider is left alone after a failure at `now`.
    fn left_alone(breaker: &Breaker, now: u64) -> u64 {
        (now..).find(|second| breaker.admits(s(*second))).unwrap() - now
    }

    /// P02: a provider is left alone for 2 s after a failure, and twice as long after each trial that fails,
    /// up to 2 min; a trial that works ends that, and the next failure begins at 2 s again.
    #[test]
    fn the_wait_is_doubled_up_to_two_minutes() {
        let mut breaker = Breaker::new();
        breaker.failed(s(0), Entry::Usual, Retry::Now);
        let (mut now, mut waits) = (0, Vec::new());
        for _ in 0..8 {
            let wait = left_alone(&breaker, now);
            waits.push(wait);
            now += wait;
            assert_eq!(breaker.enter(s(now)), Some(Entry::Trial));
            breaker.failed(s(now), Entry::Trial, Retry::Now);
        }
        assert_eq!(waits, [2, 4, 8, 16, 32, 64, 120, 120]);
        now += 120;
        assert_eq!(breaker.enter(s(now)), Some(Entry::Trial));
        assert!(breaker.worked(Entry::Trial));
        assert_eq!(breaker.enter(s(now)), Some(Entry::Usual));
        breaker.failed(s(now), Entry::Usual, Retry::Now);
        assert_eq!(left_alone(&breaker, now), 2);
    }

    /// P02: a failure that the same call meets again, and a wait that the server asks for, keep calls away
    /// for that long, never for longer than 2 min.
    #[test]
    fn what_a_server_asks_for_is_kept() {
        for (retry, wait) in [
            (Retry::Now, 2),
            (Retry::After(Duration::from_secs(1)), 2),
            (Retry::After(Duration::from_secs(30)), 30),
            (Retry::After(Duration::from_secs(3_600)), 120),
            (Retry::Never, 120),
        ] {
            let mut breaker = Breaker::new();
            breaker.failed(s(5), Entry::Usual, retry);
            assert_eq!(left_alone(&breaker, 5), wait, "{retry:?}");
        }
    }

    /// P02: while one call tries, no other is let through; if it is dropped, the next call tries.
    #[test]
    fn one_call_is_the_trial() {
        let mut breaker = Breaker::new();
        breaker.failed(s(0), Entry::Usual, Retry::Now);
        assert_eq!(breaker.enter(s(1)), None);
        assert_eq!(breaker.enter(s(2)), Some(Entry::Trial));
        assert_eq!((breaker.enter(s(2)), breaker.admits(s(99))), (None, false));
        breaker.given_up(Entry::Usual);
        assert_eq!(breaker.enter(s(3)), None, "another call was dropped");
        breaker.given_up(Entry::Trial);
        assert_eq!(breaker.enter(s(3)), Some(Entry::Trial));
        assert_eq!(breaker.force(), Entry::Trial, "where there is no other provider");
    }

    /// P02: many calls that one outage ends are one failure, and calls from before it neither end the wait
    /// nor make it longer.
    #[test]
    fn one_outage_is_one_failure() {
        let mut breaker = Breaker::new();
        for _ in 0..8 {
            breaker.failed(s(0), Entry::Usual, Retry::Now);
        }
        assert!(!breaker.worked(Entry::Usual), "it was made before");
        assert_eq!(left_alone(&breaker, 0), 2);
        assert_eq!(breaker.enter(s(2)), Some(Entry::Trial));
        breaker.failed(s(2), Entry::Usual, Retry::Now);
        assert!(!breaker.worked(Entry::Usual));
        breaker.failed(s(2), Entry::Trial, Retry::Now);
        assert_eq!(left_alone(&breaker, 2), 4);
    }

    /// P02: a provider that was slower than the next one three times in a row has failed; a trial that is
    /// slower has failed at once.
    #[test]
    fn who_is_always_slower_has_failed() {
        let mut breaker = Breaker::new();
        breaker.outrun(s(0), Entry::Usual);
        breaker.outrun(s(0), Entry::Usual);
        breaker.worked(Entry::Usual);
        breaker.outrun(s(0), Entry::Usual);
        breaker.outrun(s(0), Entry::Usual);
        assert!(breaker.admits(s(0)));
        breaker.outrun(s(0), Entry::Usual);
        assert_eq!(left_alone(&breaker, 0), 2);
        assert_eq!(breaker.enter(s(2)), Some(Entry::Trial));
        breaker.outrun(s(2), Entry::Trial);
        assert_eq!(left_alone(&breaker, 2), 4);
    }
}
