//! The operating system's clock, read in one place.

use std::time::Instant;
#[cfg(feature = "net")]
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Now.
#[expect(clippy::disallowed_methods, reason = "time enters the crate here")]
pub(crate) fn instant() -> Instant {
    Instant::now()
}

/// Milliseconds since 1970, as the protocol's messages carry them.
#[cfg(feature = "net")]
#[expect(clippy::disallowed_methods, reason = "time enters the crate here")]
pub(crate) fn unix_millis() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
