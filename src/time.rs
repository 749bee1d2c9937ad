//! Time since the session began.

use std::{fmt, ops, time::Duration};

use serde::{Deserialize, Serialize};

/// A point in a session, in microseconds since the session began.
///
/// Unlike [`std::time::Instant`] it can be written down, compared across runs and made up by a test.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SessionTime(u64);

impl SessionTime {
    /// The moment the session began.
    pub const ZERO: Self = Self(0);

    /// `us` microseconds after the beginning.
    pub const fn from_micros(us: u64) -> Self {
        Self(us)
    }

    /// `ms` milliseconds after the beginning.
    pub const fn from_millis(ms: u64) -> Self {
        Self(ms * 1_000)
    }

    /// Microseconds since the beginning.
    pub const fn as_micros(self) -> u64 {
        self.0
    }

    /// Milliseconds since the beginning, rounded down.
    pub const fn as_millis(self) -> u64 {
        self.0 / 1_000
    }

    /// How long after `earlier` this is; zero if it is before.
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(self.0.saturating_sub(earlier.0))
    }
}

impl ops::Add<Duration> for SessionTime {
    type Output = Self;
    fn add(self, rhs: Duration) -> Self {
        Self(self.0.saturating_add(u64::try_from(rhs.as_micros()).unwrap_or(u64::MAX)))
    }
}

impl ops::AddAssign<Duration> for SessionTime {
    fn add_assign(&mut self, rhs: Duration) {
        *self = *self + rhs;
    }
}

/// `mm:ss.mmm`
impl fmt::Display for SessionTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = self.as_millis();
        write!(f, "{:02}:{:02}.{:03}", ms / 60_000, ms / 1_000 % 60, ms % 1_000)
    }
}

impl fmt::Debug for SessionTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
