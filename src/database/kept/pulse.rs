//! That a process lives: it says so in the database twice a second, and what it noticed of that itself.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use crate::clock;

/// How often a process says that it lives.
pub(super) const BEAT_EVERY: Duration = Duration::from_millis(500);
/// A process that has not said so for this long is dead, or frozen.
pub(super) const DEAD_AFTER: Duration = Duration::from_secs(2);
/// A process judges others only while its own words have got through for this long: longer than others are
/// given to speak again after a database that was away for all.
const STEADY_AFTER: Duration = Duration::from_secs(3);

/// A clock of the database that is off by more than this has jumped.
const JUMP_MS: u64 = 500;

/// The pulse of this process.
#[derive(Debug)]
pub(super) struct Pulse {
    name: String,
    made_at: Instant,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    has_begun: bool,
    /// How far the database's clock was ahead of ours when it got through last.
    ahead_ms: Option<i64>,
    /// Since when it has got through without a gap, and when it did last.
    steady: Option<(Instant, Instant)>,
}

impl Pulse {
    pub(super) fn new() -> Self {
        let name = format!("{:032x}", rand::random::<u128>());
        Self { name, made_at: clock::instant(), state: Mutex::default() }
    }

    /// The name of this process, which no other one has.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is to begin now: true once.
    pub(super) fn begins(&self) -> bool {
        !std::mem::replace(&mut self.lock().has_begun, true)
    }

    /// The first try did not get through: it is to begin another time.
    pub(super) fn begins_later(&self) {
        self.lock().has_begun = false;
    }

    /// Notes that it got through, and the database's time then; nothing if it did not.
    pub(super) fn beaten(&self, at_ms: Option<i64>) {
        self.note(at_ms, clock::instant());
    }

    /// Whether others may be judged by theirs.
    pub(super) fn is_steady(&self) -> bool {
        self.is_steady_at(clock::instant())
    }

    fn note(&self, at_ms: Option<i64>, now: Instant) {
        let mut state = self.lock();
        let ahead_ms = at_ms.map(|at_ms| ahead_ms(at_ms, self.made_at, now));
        // A clock of the database that jumps makes everybody look old who has not spoken since.
        let keeps_time = match (ahead_ms, state.ahead_ms) {
            (Some(ahead), Some(before)) => ahead.abs_diff(before) < JUMP_MS,
            (_, None) | (None, _) => true,
        };
        state.steady = match (at_ms, state.steady) {
            (None, _) => None,
            (Some(_), Some((since, last)))
                if keeps_time && now.duration_since(last) < DEAD_AFTER =>
            {
                Some((since, now))
            }
            (Some(_), _) => Some((now, now)),
        };
        state.ahead_ms = ahead_ms.or(state.ahead_ms);
    }

    fn is_steady_at(&self, now: Instant) -> bool {
        let steady = self.lock().steady;
        steady.is_some_and(|(since, last)| {
            now.duration_since(since) >= STEADY_AFTER && now.duration_since(last) < DEAD_AFTER
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The database's time less that since `made_at`.
fn ahead_ms(at_ms: i64, made_at: Instant, now: Instant) -> i64 {
    let passed = now.saturating_duration_since(made_at).as_millis();
    at_ms - i64::try_from(passed).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// W08: nobody is taken for dead by a process that could not speak itself a moment ago.
    #[test]
    fn only_who_speaks_without_a_gap_judges_others() {
        let (pulse, begun) = (Pulse::new(), clock::instant());
        let at = |ms: u64| begun + Duration::from_millis(ms);
        assert!(!pulse.is_steady_at(at(0)));
        // The database's clock is an hour ahead.
        let beat = |ms: u64, jump: i64| {
            pulse.note(Some(3_600_000 + jump + i64::try_from(ms).unwrap()), at(ms));
        };
        for n in 0..=6 {
            beat(n * 500, 0);
        }
        assert!(pulse.is_steady_at(at(3_000)));
        assert!(!pulse.is_steady_at(at(5_100)), "it was frozen since");
        beat(5_200, 0);
        assert!(!pulse.is_steady_at(at(5_300)), "and others may have been, too");
        for n in 11..=18 {
            beat(n * 500, 0);
        }
        assert!(pulse.is_steady_at(at(9_000)));
        beat(9_500, 60_000);
        assert!(!pulse.is_steady_at(at(9_600)), "its clock has jumped");
        for n in 20..=26 {
            beat(n * 500, 60_000);
        }
        assert!(pulse.is_steady_at(at(13_000)));
        pulse.note(None, at(13_500));
        assert!(!pulse.is_steady_at(at(13_600)), "the database is away");
        assert!(pulse.begins() && !pulse.begins());
        pulse.begins_later();
        assert!(pulse.begins());
    }
}
