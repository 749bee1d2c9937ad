//! The sound that waits for a recogniser, with a limit.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use tracing::warn;

use audio::FRAME;

/// The most pieces of sound that wait for a recogniser: 10 s. More are dropped and counted.
const PIECES_MAX: usize = 500;
/// The most commands that wait: the sound, and beside it the commands that must not be dropped.
pub(super) const COMMANDS_MAX: usize = 2 * PIECES_MAX;

/// The number of pieces of one candidate's sound that wait. Both ends of the queue share it.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiting(Arc<AtomicUsize>);

impl Waiting {
    /// Counts a piece that was taken.
    pub(super) fn taken(&self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// The pushing end of the queue.
#[derive(Debug, Default)]
pub(super) struct Backlog {
    waiting: Waiting,
    /// The number of pieces dropped since the recogniser last kept up.
    dropped: u32,
}

impl Backlog {
    /// Returns the counter for the other end of the queue.
    pub(super) fn waiting(&self) -> Waiting {
        self.waiting.clone()
    }

    /// Counts one more piece and returns true, if it may wait. Otherwise the piece is dropped; the loss is
    /// logged when there is room again.
    pub(super) fn admits(&mut self) -> bool {
        if self.waiting.0.load(Ordering::Acquire) >= PIECES_MAX {
            self.dropped = self.dropped.saturating_add(1);
            return false;
        }
        if self.dropped > 0 {
            warn!(pieces = self.dropped, "recogniser too slow, sound dropped");
            let seconds = (FRAME * self.dropped).as_secs() + 1;
            metrics::counter!("vivavoce_stt_lost_seconds_total").increment(seconds);
            self.dropped = 0;
        }
        self.waiting.0.fetch_add(1, Ordering::AcqRel);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sound that waits for longer than 10 s is dropped, and there is room again when the recogniser takes
    /// some (invariant 10).
    #[test]
    fn ten_seconds_may_wait() {
        let mut backlog = Backlog::default();
        assert!((0..PIECES_MAX).all(|_| backlog.admits()));
        assert!(!backlog.admits() && !backlog.admits());
        backlog.waiting().taken();
        assert_eq!((backlog.admits(), backlog.admits()), (true, false));
    }
}
