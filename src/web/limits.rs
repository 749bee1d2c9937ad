//! How often somebody may ask.

use std::num::NonZeroU32;

use governor::{DefaultDirectRateLimiter, DefaultKeyedRateLimiter, Quota, RateLimiter};

use super::who::Who;

/// No address is longer.
const EMAIL_BYTES_MAX: usize = 1_024;
const PER_SECOND: NonZeroU32 = NonZeroU32::new(50).expect("not zero");
const BURST: NonZeroU32 = NonZeroU32::new(300).expect("not zero");
/// Passwords that may be tried for one address.
const TRIES_PER_MINUTE: NonZeroU32 = NonZeroU32::new(5).expect("not zero");
/// Sign-ins, first accounts and password links that may be tried in all, whoever tries them: each takes
/// a core for a while.
const TRIES_PER_SECOND: NonZeroU32 = NonZeroU32::new(2).expect("not zero");
const TRIES_BURST: NonZeroU32 = NonZeroU32::new(30).expect("not zero");
/// So often one shared report may be read.
const SHARED_PER_MINUTE: NonZeroU32 = NonZeroU32::new(30).expect("not zero");
/// So many addresses and people are remembered before those that rest are forgotten.
const REMEMBERED_MAX: usize = 10_000;

/// How often somebody may ask.
pub(super) struct Limits {
    requests: DefaultKeyedRateLimiter<String>,
    tries: DefaultKeyedRateLimiter<String>,
    shared: DefaultKeyedRateLimiter<String>,
    all_tries: DefaultDirectRateLimiter,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            requests: RateLimiter::keyed(Quota::per_second(PER_SECOND).allow_burst(BURST)),
            tries: RateLimiter::keyed(Quota::per_minute(TRIES_PER_MINUTE)),
            shared: RateLimiter::keyed(Quota::per_minute(SHARED_PER_MINUTE)),
            all_tries: RateLimiter::direct(
                Quota::per_second(TRIES_PER_SECOND).allow_burst(TRIES_BURST),
            ),
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

    /// Whether one more password may be tried for an e-mail address.
    pub(super) fn allows_password(&self, email: &str) -> bool {
        email.len() <= EMAIL_BYTES_MAX
            && self.allows_try()
            && allows(&self.tries, &email.to_lowercase())
    }

    /// Whether a report may be read once more with a link.
    pub(super) fn allows_shared(&self, share: &str) -> bool {
        allows(&self.shared, share)
    }

    /// Whether one more password may be tried or chosen at all.
    pub(super) fn allows_try(&self) -> bool {
        self.all_tries.check().is_ok()
    }
}

fn allows(limiter: &DefaultKeyedRateLimiter<String>, key: &str) -> bool {
    if limiter.len() > REMEMBERED_MAX {
        limiter.retain_recent();
    }
    limiter.check_key(&key.to_owned()).is_ok()
}
