//! The simulator's own generator: the same seed gives the same interview on every machine, for ever.

use std::time::Duration;

use crate::time::SessionTime;

/// SplitMix64.
#[derive(Clone, Debug)]
pub(super) struct Rng(u64);

impl Rng {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// 0..n
    pub(super) fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 33) % n.max(1)
    }

    pub(super) fn percent(&mut self, p: u64) -> bool {
        self.below(100) < p
    }

    /// Milliseconds from `low` to `high`, to the microsecond.
    pub(super) fn ms(&mut self, low: u64, high: u64) -> Duration {
        Duration::from_micros(low * 1_000 + self.below((high - low) * 1_000 + 1))
    }

    pub(super) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len() as u64) as usize]
    }

    /// One of them, by weight.
    pub(super) fn weighted<T: Copy>(&mut self, from: &[(u64, T)]) -> T {
        let mut left = self.below(from.iter().map(|(weight, _)| weight).sum());
        for (weight, choice) in from {
            if left < *weight {
                return *choice;
            }
            left -= weight;
        }
        from[0].1
    }
}

/// `at` less `by`; not before the beginning.
pub(super) fn before(at: SessionTime, by: Duration) -> SessionTime {
    SessionTime::ZERO + at.since(SessionTime::ZERO).saturating_sub(by)
}
