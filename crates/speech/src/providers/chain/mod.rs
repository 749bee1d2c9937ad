//! Provider chains: several providers for a role, in the order of the settings. When one fails, the next
//! goes on where it was, so that the outage of one is not noticed (P02).
//!
//! All interviews of a process share a [`Gate`] for each provider, with its circuit breaker. `llm`, `tts`
//! and `stt` are the chains of a role: each is a provider like any other.

mod breaker;
mod habits;
mod ledger;
mod llm;
mod stt;
mod tts;
mod words;

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::runtime::Handle;
use tracing::{info, warn};

use super::{ProviderError, http::run_until, kind::Role};
use crate::clock::Clock;
use breaker::{Breaker, Entry};
use habits::{FirstWords, Pace};
use interview::time::SessionTime;

pub(super) use llm::InterviewerChain;
pub(super) use stt::SttChain;
pub(super) use tts::TtsChain;

/// The limits of chains, as they are set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// The longest silence of a model, before its first word or within its reply.
    pub(super) llm_silence: Duration,
    /// The longest wait for sound of a voice.
    pub(super) tts_silence: Duration,
    /// The longest time for which a recogniser may be away.
    pub(super) stt_away: Duration,
}

/// The gate before a provider in a role: its circuit breaker, and its habits. All interviews share it.
pub(super) struct Gate {
    role: Role,
    name: String,
    clock: Clock,
    breaker: Mutex<Breaker>,
    first_words: Mutex<FirstWords>,
    pace: Mutex<Pace>,
}

impl Gate {
    /// Returns the gate of a provider that has not failed yet.
    pub(super) fn new(role: Role, name: &str) -> Arc<Self> {
        failovers(role, name).increment(0);
        Arc::new(Self {
            role,
            name: name.to_owned(),
            clock: Clock::start(),
            breaker: Mutex::new(Breaker::new()),
            first_words: Mutex::default(),
            pace: Mutex::default(),
        })
    }

    /// The name of its provider.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    fn enter(self: &Arc<Self>) -> Option<Pass> {
        let entry = lock(&self.breaker).enter(self.clock.now())?;
        Some(Pass { gate: self.clone(), entry, is_reported: false })
    }

    fn force(self: &Arc<Self>) -> Pass {
        let entry = lock(&self.breaker).force();
        Pass { gate: self.clone(), entry, is_reported: false }
    }

    fn admits(&self) -> bool {
        lock(&self.breaker).admits(self.clock.now())
    }

    /// How long no call is made.
    fn shut_for(&self) -> Duration {
        lock(&self.breaker).until().since(self.clock.now())
    }
}

/// A call that the gate has let through. What became of it is reported to the circuit breaker.
struct Pass {
    gate: Arc<Gate>,
    entry: Entry,
    is_reported: bool,
}

impl Pass {
    fn is_trial(&self) -> bool {
        self.entry == Entry::Trial
    }

    /// Reports that the provider works.
    fn worked(&mut self) {
        self.is_reported = true;
        if lock(&self.gate.breaker).worked(self.entry) {
            let (role, provider) = (self.gate.role.key(), self.gate.name.as_str());
            info!(role, provider, "provider works again");
        }
        // What fails later in the same call is another failure.
        self.entry = Entry::Usual;
    }

    fn failed(&mut self, error: &ProviderError) {
        self.is_reported = true;
        lock(&self.gate.breaker).failed(self.gate.clock.now(), self.entry, error.retry);
    }

    /// Reports that the next provider, which was asked later, was faster.
    fn outrun(&mut self) {
        self.is_reported = true;
        lock(&self.gate.breaker).outrun(self.gate.clock.now(), self.entry);
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        if !self.is_reported {
            lock(&self.gate.breaker).given_up(self.entry);
        }
    }
}

/// A provider of a chain.
pub(super) struct Link<T: ?Sized> {
    pub(super) gate: Arc<Gate>,
    pub(super) provider: Arc<T>,
}

/// The providers of a chain that a call was not made to yet, in their order.
struct Order(Vec<usize>);

impl Order {
    fn new<T: ?Sized>(links: &[Link<T>]) -> Self {
        Self((0..links.len()).collect())
    }

    /// Takes the next provider whose circuit breaker admits the call.
    fn next_admitted<T: ?Sized>(&mut self, links: &[Link<T>]) -> Option<(usize, Pass)> {
        let enter = |(at, n): (usize, &usize)| links[*n].gate.enter().map(|pass| (at, pass));
        let (at, pass) = self.0.iter().enumerate().find_map(enter)?;
        Some((self.0.remove(at), pass))
    }

    /// Takes the next provider. If all have failed lately, it is the one that may be tried soonest: it is
    /// likelier to work than none.
    fn next<T: ?Sized>(&mut self, links: &[Link<T>]) -> Option<(usize, Pass)> {
        self.next_admitted(links).or_else(|| {
            let at = (0..self.0.len()).min_by_key(|at| links[self.0[*at]].gate.shut_for())?;
            let n = self.0.remove(at);
            Some((n, links[n].gate.force()))
        })
    }

    /// Whether there is another provider that is not known to have failed lately.
    fn has_next<T: ?Sized>(&self, links: &[Link<T>]) -> bool {
        self.0.iter().any(|n| links[*n].gate.admits())
    }
}

/// Notes that a provider took over from one that failed.
fn note_failover(from: &Gate, to: &Gate, why: &ProviderError) {
    let (role, provider) = (from.role.key(), from.name.as_str());
    warn!(role, provider, next = to.name, %why, "provider failed, the next one took over");
    failovers(from.role, &from.name).increment(1);
}

/// Returns the counter of the times that another provider took over from this one.
fn failovers(role: Role, name: &str) -> metrics::Counter {
    let provider = name.to_owned();
    metrics::counter!(
        "vivavoce_provider_failovers_total", "role" => role.key(), "provider" => provider
    )
}

/// Returns the result of `work`, or `None` if it takes longer than until `at`. A replay without a runtime has
/// no timers, and no providers that need a limit.
async fn limited<T>(
    clock: Clock,
    at: Option<SessionTime>,
    work: impl Future<Output = T>,
) -> Option<T> {
    match at.filter(|_| Handle::try_current().is_ok()) {
        Some(at) => run_until(clock, at, work).await,
        None => Some(work.await),
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::providers::Retry;

    fn links(names: &[&str]) -> Vec<Link<()>> {
        let link = |name: &&str| Link { gate: Gate::new(Role::Llm, name), provider: Arc::new(()) };
        names.iter().map(link).collect()
    }

    fn error(retry: Retry) -> ProviderError {
        ProviderError { what: "it broke".into(), retry }
    }

    /// P02: the order is that of the settings; who has failed is left out; if all have failed, the one whose
    /// wait is over first is asked all the same.
    #[test]
    fn who_has_failed_is_left_out() {
        let links = links(&["a", "b", "c"]);
        let first = || Order::new(&links).next(&links).map(|(n, pass)| (n, pass.is_trial()));
        assert_eq!(first(), Some((0, false)));
        links[0].gate.force().failed(&error(Retry::Never));
        assert_eq!(first(), Some((1, false)));
        let mut order = Order::new(&links);
        assert_eq!(order.next(&links).map(|(n, _)| n), Some(1));
        links[2].gate.force().failed(&error(Retry::Now));
        assert!(!order.has_next(&links));
        assert_eq!(order.next(&links).map(|(n, pass)| (n, pass.is_trial())), Some((2, true)));
        assert_eq!(order.next(&links).map(|(n, _)| n), Some(0));
        assert!(order.next(&links).is_none(), "each is asked once");
    }

    /// P02: what works again after a trial is asked as before.
    #[test]
    fn a_trial_brings_a_provider_back() {
        let links = links(&["a", "b"]);
        links[0].gate.force().failed(&error(Retry::Never));
        assert!(!links[0].gate.admits());
        let mut trial = links[0].gate.force();
        trial.worked();
        drop(trial);
        assert!(links[0].gate.admits());
    }
}
