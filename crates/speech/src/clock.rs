//! The operating system's clock.

use std::time::Duration;

use tokio::time::Instant;

use interview::time::SessionTime;

/// The clock of one session: it reads zero when the session begins.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    began: Instant,
}

impl Clock {
    /// A session begins now.
    #[expect(clippy::disallowed_methods, reason = "time enters the program here")]
    pub fn start() -> Self {
        Self { began: Instant::now() }
    }

    /// The session's time now.
    #[expect(clippy::disallowed_methods, reason = "time enters the program here")]
    pub fn now(&self) -> SessionTime {
        SessionTime::ZERO + Instant::now().duration_since(self.began)
    }

    /// The session's time at an instant seen elsewhere, such as a packet's arrival.
    pub fn at(&self, instant: std::time::Instant) -> SessionTime {
        SessionTime::ZERO + Instant::from_std(instant).duration_since(self.began)
    }

    /// Waits until the session's time is `at`.
    pub async fn sleep_until(&self, at: SessionTime) {
        tokio::time::sleep_until(self.began + at.since(SessionTime::ZERO)).await;
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
