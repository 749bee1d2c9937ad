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
    /// Returns the clock of a session that begins now.
    #[expect(clippy::disallowed_methods, reason = "time enters the program here")]
    pub fn start() -> Self {
        Self { began: Instant::now() }
    }

    /// Returns the session's time now.
    #[expect(clippy::disallowed_methods, reason = "time enters the program here")]
    pub fn now(&self) -> SessionTime {
        SessionTime::ZERO + Instant::now().duration_since(self.began)
    }

    /// Returns the session's time at an instant that was read elsewhere, such as a packet's arrival.
    pub fn at(&self, instant: std::time::Instant) -> SessionTime {
        SessionTime::ZERO + Instant::from_std(instant).duration_since(self.began)
    }

    /// Waits until the session's time is `at`.
    pub async fn sleep_until(&self, at: SessionTime) {
        tokio::time::sleep_until(self.began + at.since(SessionTime::ZERO)).await;
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
