//! What a candidate's stream knows of its connection.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use crate::{
    clock::Clock,
    providers::{Away, ProviderError},
};
use interview::time::SessionTime;

/// A server that owes us a message for this long is away, though its connection is open.
const UNANSWERED_LIMIT: Duration = Duration::from_secs(3);

/// Whether the recogniser is there. Both ends of a stream share it.
#[derive(Debug)]
pub(super) struct Health {
    clock: Clock,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// When the last connection that worked was lost, and why; since then none has worked.
    lost: Option<(SessionTime, ProviderError)>,
    /// Whether there is a connection. It works once it has sent results.
    is_open: bool,
    /// The time since which the server owes us a message, and what that means.
    unanswered: Option<SessionTime>,
}

impl Health {
    /// Returns the health of a stream that is about to connect.
    pub(super) fn new(clock: Clock) -> Self {
        Self { clock, state: Mutex::new(State { lost: None, is_open: false, unanswered: None }) }
    }

    /// The clock of the connection.
    pub(super) fn clock(&self) -> Clock {
        self.clock
    }

    /// Notes that a connection is open, but has not sent results yet.
    pub(super) fn opened(&self) {
        self.lock().is_open = true;
    }

    /// Notes that the connection works.
    pub(super) fn works(&self) {
        self.lock().lost = None;
    }

    /// Notes since when the server owes us a message.
    pub(super) fn owes(&self, unanswered: Option<SessionTime>) {
        self.lock().unanswered = unanswered;
    }

    /// Notes that there is no connection since `since`.
    pub(super) fn lost(&self, since: SessionTime, why: &ProviderError) {
        let mut state = self.lock();
        let first = state.lost.take().map_or(since, |(first, _)| first.min(since));
        *state = State { lost: Some((first, why.clone())), is_open: false, unanswered: None };
    }

    /// Returns how long the recogniser has been away, and why; `silent` is why an open connection is.
    pub(super) fn away(&self, silent: impl FnOnce() -> ProviderError) -> Option<Away> {
        let (now, state) = (self.clock.now(), self.lock());
        if let Some(since) = state.unanswered.filter(|_| state.is_open) {
            let lasts = now.since(since);
            return (lasts >= UNANSWERED_LIMIT).then(|| Away { lasts, why: silent() });
        }
        let (since, why) = state.lost.as_ref().filter(|_| !state.is_open)?;
        Some(Away { lasts: now.since(*since), why: why.clone() })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::providers::Retry;

    /// P03: a recogniser is away from the moment its last connection that worked was lost until one works
    /// again; one that is open and refused our first words does not count.
    #[test]
    fn a_connection_has_to_work() {
        let health = Health::new(Clock::going_on(SessionTime::from_millis(60_000)));
        let error = |what: &str| ProviderError { what: what.into(), retry: Retry::Now };
        let away = || health.away(|| error("silent"));
        let at_least = |seconds| {
            let away = away().unwrap();
            assert!(away.lasts >= Duration::from_secs(seconds), "{away:?}");
            away.why.what
        };
        assert_eq!(away(), None, "it is only connecting");
        health.lost(SessionTime::from_millis(50_000), &error("cut"));
        assert_eq!(at_least(10), "cut");
        health.opened();
        assert_eq!(away(), None, "it may work");
        health.lost(SessionTime::from_millis(59_000), &error("cut again"));
        assert_eq!(at_least(10), "cut again");
        health.opened();
        health.works();
        health.lost(SessionTime::from_millis(59_000), &error("once more"));
        assert_eq!(at_least(1), "once more");
        assert!(away().unwrap().lasts < Duration::from_secs(9));
        health.opened();
        health.owes(Some(SessionTime::from_millis(58_000)));
        assert_eq!(away(), None, "two seconds of silence are nothing");
        health.owes(Some(SessionTime::from_millis(55_000)));
        assert_eq!(at_least(5), "silent");
    }
}
