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

/// A stretch of a session. As JSON `[from, to]`, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "(SessionTime, SessionTime)", into = "(SessionTime, SessionTime)")]
pub struct Span {
    /// Its beginning.
    pub from: SessionTime,
    /// Its end.
    pub to: SessionTime,
}

impl Span {
    /// From one time to another.
    pub const fn new(from: SessionTime, to: SessionTime) -> Self {
        Self { from, to }
    }

    /// How long it lasts; zero if it ends before it begins.
    pub const fn length(self) -> Duration {
        self.to.since(self.from)
    }

    /// What it has in common with another; of no length if that is nothing.
    pub fn within(self, other: Self) -> Self {
        let from = self.from.max(other.from);
        Self { from, to: self.to.min(other.to).max(from) }
    }
}

impl From<(SessionTime, SessionTime)> for Span {
    fn from((from, to): (SessionTime, SessionTime)) -> Self {
        Self { from, to }
    }
}

impl From<Span> for (SessionTime, SessionTime) {
    fn from(span: Span) -> Self {
        (span.from, span.to)
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
