//! Whether a recogniser that is called for each piece of speech is there.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use crate::{
    clock::Clock,
    providers::{Away, ProviderError},
};
use interview::time::SessionTime;

/// Final words that have not come after this time may not come at all.
const UNANSWERED_LIMIT: Duration = Duration::from_millis(1_500);

/// The absence of a recogniser, as the calls of one stream notice it.
#[derive(Debug)]
pub(super) struct Outage {
    clock: Clock,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Since when all calls have failed, and why the last one did.
    failing: Option<(SessionTime, ProviderError)>,
    /// When the final words were asked for that have not come yet.
    asked: Option<SessionTime>,
}

impl Outage {
    pub(super) fn new(clock: Clock) -> Self {
        Self { clock, state: Mutex::default() }
    }

    /// Notes that final words are asked for.
    pub(super) fn asked(&self) {
        let now = self.clock.now();
        self.lock().asked.get_or_insert(now);
    }

    /// Notes that they have come, or will not.
    pub(super) fn answered(&self) {
        self.lock().asked = None;
    }

    /// Notes a call that succeeded.
    pub(super) fn works(&self) {
        self.lock().failing = None;
    }

    /// Notes a call that failed.
    pub(super) fn failed(&self, why: &ProviderError) {
        let (now, mut state) = (self.clock.now(), self.lock());
        let since = state.failing.take().map_or(now, |(since, _)| since);
        state.failing = Some((since, why.clone()));
    }

    /// Returns how long the recogniser has been away, and why; `silent` is why one is that does not answer.
    pub(super) fn away(&self, silent: impl FnOnce() -> ProviderError) -> Option<Away> {
        let (now, state) = (self.clock.now(), self.lock());
        if let Some((since, why)) = &state.failing {
            return Some(Away { lasts: now.since(*since), why: why.clone() });
        }
        let lasts = now.since(state.asked?);
        (lasts >= UNANSWERED_LIMIT).then(|| Away { lasts, why: silent() })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::providers::Retry;

    /// P03: a recogniser is away from its first failure to its next success, and while final words do not
    /// come.
    #[test]
    fn failures_and_silence_are_absence() {
        let error = |what: &str| ProviderError { what: what.into(), retry: Retry::Now };
        let outage = Outage::new(Clock::going_on(SessionTime::from_millis(60_000)));
        let why = || outage.away(|| error("silent")).map(|away| away.why.what);
        assert_eq!(why(), None);
        outage.failed(&error("first"));
        outage.failed(&error("second"));
        assert_eq!(why().as_deref(), Some("second"));
        outage.works();
        assert_eq!(why(), None);
        outage.asked();
        assert_eq!(why(), None, "it was asked just now");
        outage.lock().asked = Some(SessionTime::from_millis(58_000));
        outage.asked();
        assert_eq!(why().as_deref(), Some("silent"), "the first words that do not come count");
        outage.answered();
        assert_eq!(why(), None);
    }
}
