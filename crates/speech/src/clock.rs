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
    /// A session begins now.
    pub fn start() -> Self {
        Self::going_on(SessionTime::ZERO)
    }

    /// A session that was at `from` goes on now. The time between does not count.
    #[expect(clippy::disallowed_methods, reason = "time enters the program here")]
    pub fn going_on(from: SessionTime) -> Self {
        Self { began: Instant::now(), from }
    }

    /// The session's time now.
    #[expect(clippy::disallowed_methods, reason = "time enters the program here")]
    pub fn now(&self) -> SessionTime {
        self.from + Instant::now().duration_since(self.began)
    }

    /// The session's time at an instant seen elsewhere, such as a packet's arrival.
    pub fn at(&self, instant: std::time::Instant) -> SessionTime {
        self.from + Instant::from_std(instant).duration_since(self.began)
    }

    /// Waits until the session's time is `at`.
    pub async fn sleep_until(&self, at: SessionTime) {
        tokio::time::sleep_until(self.began + at.since(self.from)).await;
    }
}

/// Milliseconds since 1970, for what people read: file headers, pages.
#[expect(clippy::disallowed_methods, reason = "time enters the program here")]
pub fn unix_millis() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    u64::try_from(since.unwrap_or(Duration::ZERO).as_millis()).unwrap_or(u64::MAX)
}

/// Now, for what wants the operating system's own instants: str0m, tokio, a packet's arrival.
#[expect(clippy::disallowed_methods, reason = "time enters the program here")]
pub fn instant() -> std::time::Instant {
    std::time::Instant::now()
}
