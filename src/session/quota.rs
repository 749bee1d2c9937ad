//! How many messages of a candidate are taken: a page that sends without end stops no interview.

use std::time::{Duration, Instant};

/// Messages of one interview.
const MESSAGES_MAX: u32 = 2_000;
/// So many may come at once, and so many a second.
const A_SECOND_MAX: u32 = 20;
const SECOND: Duration = Duration::from_secs(1);

/// What of that is left.
#[derive(Debug)]
pub(super) struct Quota {
    left: u32,
    /// When all that was taken has had its time.
    paid: Instant,
}

impl Quota {
    pub(super) fn new(now: Instant) -> Self {
        Self { left: MESSAGES_MAX, paid: now }
    }

    /// Whether one more message is taken.
    pub(super) fn take(&mut self, now: Instant) -> bool {
        let paid = self.paid.max(now) + SECOND / A_SECOND_MAX;
        let is_taken = self.left > 0 && paid <= now + SECOND;
        if is_taken {
            (self.left, self.paid) = (self.left - 1, paid);
        }
        is_taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock;

    /// R08: so many at once, so many a second after that, and so many in all.
    #[test]
    fn messages_are_counted() {
        let began = clock::instant();
        let mut quota = Quota::new(began);
        let mut taken = |ms: u64| {
            let now = began + Duration::from_millis(ms);
            (0..1_000).filter(|_| quota.take(now)).count()
        };
        assert_eq!([0, 0, 49, 50, 500, 60_000].map(&mut taken), [20, 0, 0, 1, 9, 20]);
        let rest: usize = (61..1_000).map(|second| taken(1_000 * second)).sum();
        assert_eq!(rest, 2_000 - 50);
    }
}
