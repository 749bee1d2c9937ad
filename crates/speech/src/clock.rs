//! The operating system's clock.

use std::time::Duration;

use tokio::time::Instant;

use interview::time::SessionTime;

/// The clock of one session: it reads zero when the session begins, or where it was when it goes on.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    began: Instant,
    /// What it read then.
    from: SessionTime,
}

impl Clock {
    /// Returns the clock of a session that begins now.
    pub fn start() -> Self {
        Self::going_on(SessionTime::ZERO)
    }

    /// Returns the clock of a session that was at `from` and goes on now. The time between does not count.
    #[expect(clippy::disallowed_methods, reason = "time enters the program here")]
    pub fn going_on(from: SessionTime) -> Self {
        Self { began: Instant::now(), from }
    }

    /// Returns the session's time now.
    #[expect(clippy::disallowed_methods, reason = "time enters the program here")]
    pub fn now(&self) -> SessionTime {
        self.from + Instant::now().duration_since(self.began)
    }

    /// Returns the session's time at an instant that was read elsewhere, such as a packet's arrival.
    pub fn at(&self, instant: std::time::Instant) -> SessionTime {
        self.from + Instant::from_std(instant).duration_since(self.began)
    }

    /// Waits until the session's time is `at`.
    pub async fn sleep_until(&self, at: SessionTime) {
        tokio::time::sleep_until(self.began + at.since(self.from)).await;
    }
}

/// Returns the milliseconds since 1970, for file headers and pages.
#[expect(clippy::disallowed_methods, reason = "time enters the program here")]
pub fn unix_millis() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    u64::try_from(since.unwrap_or(Duration::ZERO).as_millis()).unwrap_or(u64::MAX)
}

/// Returns the operating system's own instant now, for str0m, tokio and the arrival of packets.
#[expect(clippy::disallowed_methods, reason = "time enters the program here")]
pub fn instant() -> std::time::Instant {
    std::time::Instant::now()
}
