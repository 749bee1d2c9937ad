//! How often somebody may ask. What is refused costs nobody else anything: limits are taken from in the order
//! of who can be blamed, and what all share is the last.

use std::{
    num::NonZeroU32,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use axum::http::StatusCode;
use governor::{DefaultDirectRateLimiter, DefaultKeyedRateLimiter, Quota, RateLimiter};
use tracing::warn;

use super::{network::Network, problem::Problem, who::Who};

/// No address is longer.
const EMAIL_BYTES_MAX: usize = 1_024;
const PER_SECOND: NonZeroU32 = NonZeroU32::new(50).expect("not zero");
const BURST: NonZeroU32 = NonZeroU32::new(300).expect("not zero");
/// Sign-ins, first accounts and password links that may be tried from one network: an office behind one
/// address has that many people who come at nine.
const OF_NETWORK_PER_MINUTE: NonZeroU32 = NonZeroU32::new(20).expect("not zero");
/// Passwords that may be tried for one account from one network.
const TRIES_PER_MINUTE: NonZeroU32 = NonZeroU32::new(5).expect("not zero");
/// Passwords that may be tried for one account from all networks: more than one network has, so that nobody
/// alone keeps somebody else out.
const OF_ACCOUNT_PER_MINUTE: NonZeroU32 = NonZeroU32::new(40).expect("not zero");
/// Passwords that may be hashed in all, whoever tries them: each takes a core for a while.
const HASHES_PER_SECOND: NonZeroU32 = NonZeroU32::new(2).expect("not zero");
const HASHES_BURST: NonZeroU32 = NonZeroU32::new(30).expect("not zero");
/// So often one shared report may be read.
const SHARED_PER_MINUTE: NonZeroU32 = NonZeroU32::new(30).expect("not zero");
/// So many networks, addresses and people are remembered before those that rest are forgotten.
const REMEMBERED_MAX: usize = 10_000;

/// How often somebody may ask.
pub(super) struct Limits {
    requests: DefaultKeyedRateLimiter<String>,
    shared: DefaultKeyedRateLimiter<String>,
    networks: DefaultKeyedRateLimiter<String>,
    tries: DefaultKeyedRateLimiter<String>,
    accounts: DefaultKeyedRateLimiter<String>,
    hashes: DefaultDirectRateLimiter,
    /// Sign-ins that begin at a provider of accounts.
    elsewhere: DefaultDirectRateLimiter,
    refused: Refused,
}

/// Which limit a try has met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Met {
    /// That of the network it came from.
    Network,
    /// That of the account it was for.
    Account,
    /// That of all together.
    All,
}

impl Default for Limits {
    fn default() -> Self {
        let all =
            || RateLimiter::direct(Quota::per_second(HASHES_PER_SECOND).allow_burst(HASHES_BURST));
        Self {
            requests: RateLimiter::keyed(Quota::per_second(PER_SECOND).allow_burst(BURST)),
            shared: RateLimiter::keyed(Quota::per_minute(SHARED_PER_MINUTE)),
            networks: RateLimiter::keyed(Quota::per_minute(OF_NETWORK_PER_MINUTE)),
            tries: RateLimiter::keyed(Quota::per_minute(TRIES_PER_MINUTE)),
            accounts: RateLimiter::keyed(Quota::per_minute(OF_ACCOUNT_PER_MINUTE)),
            hashes: all(),
            elsewhere: all(),
            refused: Refused::default(),
        }
    }
}

impl Limits {
    /// Whether somebody who has signed in may make one more request. Who has not can reach a few small
    /// answers only, and the server before this one knows their address better.
    pub(super) fn allows_request(&self, who: &Who) -> bool {
        let id = match who {
            Who::Nobody => return true,
            Who::Account(account) => &account.id,
            Who::Key(key) => &key.id,
        };
        allows(&self.requests, id)
    }

    /// Whether a report may be read once more with a link.
    pub(super) fn allows_shared(&self, share: &str) -> bool {
        allows(&self.shared, share)
    }

    /// One more password is tried for an e-mail address, from a network.
    pub(super) fn try_password(&self, network: Network, email: &str) -> Result<(), Met> {
        self.try_from(network)?;
        let email = email.to_lowercase();
        let place = network.0.map(|address| address.to_string()).unwrap_or_default();
        let is_allowed = email.len() <= EMAIL_BYTES_MAX
            && allows(&self.tries, &format!("{place} {email}"))
            && allows(&self.accounts, &email);
        self.met(Met::Account, is_allowed)?;
        self.try_hash()
    }

    /// Something is tried from a network by somebody whom we do not know.
    pub(super) fn try_from(&self, network: Network) -> Result<(), Met> {
        let Network(Some(address)) = network else { return Ok(()) };
        self.met(Met::Network, allows(&self.networks, &address.to_string()))
    }

    /// A password is about to be hashed: take all other limits before.
    pub(super) fn try_hash(&self) -> Result<(), Met> {
        self.met(Met::All, self.hashes.check().is_ok())
    }

    /// A sign-in begins at a provider of accounts.
    pub(super) fn try_elsewhere(&self, network: Network) -> Result<(), Met> {
        self.try_from(network)?;
        self.met(Met::All, self.elsewhere.check().is_ok())
    }

    fn met(&self, limit: Met, is_allowed: bool) -> Result<(), Met> {
        if is_allowed {
            return Ok(());
        }
        if let Some(refused) = self.refused.note() {
            warn!(refused, last = ?limit, "sign-ins were refused");
        }
        Err(limit)
    }
}

impl From<Met> for Problem {
    fn from(met: Met) -> Self {
        let message = match met {
            Met::Network => {
                "There were too many sign-ins from your network. Wait a minute, then try again."
            }
            Met::Account => {
                "Too many passwords were tried for this address. Wait a minute, then try again."
            }
            Met::All => {
                "Too many people sign in at this moment. Wait a few seconds, then try again."
            }
        };
        Self::new(StatusCode::TOO_MANY_REQUESTS, message)
    }
}

/// Refusals since the last line in the log, which has one a minute.
struct Refused {
    count: AtomicU64,
    lines: DefaultDirectRateLimiter,
}

impl Default for Refused {
    fn default() -> Self {
        let one = NonZeroU32::MIN;
        let lines = RateLimiter::direct(Quota::per_minute(one));
        Self { count: AtomicU64::new(0), lines }
    }
}

impl Refused {
    /// Counts one more; how many there were where a line is due.
    fn note(&self) -> Option<u64> {
        self.count.fetch_add(1, Relaxed);
        self.lines.check().is_ok().then(|| self.count.swap(0, Relaxed))
    }
}

fn allows(limiter: &DefaultKeyedRateLimiter<String>, key: &str) -> bool {
    if limiter.len() > REMEMBERED_MAX {
        limiter.retain_recent();
    }
    limiter.check_key(&key.to_owned()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(address: &str) -> Network {
        Network(address.parse().ok())
    }

    /// 6.1.1: a stranger who tries without end, for one account or for ever new ones, meets the limit of
    /// their network; neither the accounts nor what all share is used up for others.
    #[test]
    fn one_stranger_keeps_nobody_out() {
        for email in ["ada@example.org", ""] {
            let limits = Limits::default();
            let tried = (0..1_000).map(|n| {
                let email =
                    if email.is_empty() { format!("{n}@example.org") } else { email.into() };
                limits.try_password(network("203.0.113.9"), &email)
            });
            let tried: Vec<_> = tried.collect();
            let allowed = tried.iter().filter(|tried| tried.is_ok()).count();
            let expected = if email.is_empty() { 20 } else { 5 };
            assert_eq!((allowed, tried[999]), (expected, Err(Met::Network)), "{email}");
            let ada = limits.try_password(network("198.51.100.1"), "Ada@example.org");
            assert_eq!(ada, Ok(()), "{email}");
        }
    }

    /// 6.1.1: from many networks an account has a limit, and so have all together; each refusal says which.
    #[test]
    fn many_strangers_have_limits() {
        let limits = Limits::default();
        let from = |n: u8| network(&format!("203.0.113.{n}"));
        let tried = (0..=255).map(|n| limits.try_password(from(n), "ada@example.org"));
        let met: Vec<_> = tried.filter_map(Result::err).collect();
        assert!(met.contains(&Met::All) && met.contains(&Met::Account), "{met:?}");
        let unknown = Limits::default();
        let tries = || unknown.try_password(Network(None), "ada@example.org");
        assert_eq!((0..6).filter(|_| tries().is_ok()).count(), 5);
        assert_eq!(unknown.try_password(Network(None), &"x".repeat(2_000)), Err(Met::Account));
    }

    /// One line a minute is in the log, with how many there were.
    #[test]
    fn refusals_are_counted_for_the_log() {
        let refused = Refused::default();
        let lines: Vec<_> = (0..1_000).filter_map(|_| refused.note()).collect();
        assert_eq!(lines, [1]);
        assert_eq!(refused.count.load(Relaxed), 999);
    }
}
