//! Sound on its way to a recogniser: no more of it waits than somebody may be behind.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use tracing::warn;

use audio::FRAME;

/// Sound that waits for a recogniser: 10 s. More is dropped and counted.
const PIECES_MAX: usize = 500;
/// What waits in all: the sound, and beside it what must not be dropped.
pub(super) const COMMANDS_MAX: usize = 2 * PIECES_MAX;

/// How many pieces of one candidate's sound wait; shared by who pushes them and who takes them.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiting(Arc<AtomicUsize>);

impl Waiting {
    /// A piece was taken.
    pub(super) fn taken(&self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// The end at which sound is pushed.
#[derive(Debug, Default)]
pub(super) struct Backlog {
    waiting: Waiting,
    /// Pieces dropped since the recogniser last kept up.
    dropped: u32,
}

impl Backlog {
    /// For who takes the sound.
    pub(super) fn waiting(&self) -> Waiting {
        self.waiting.clone()
    }

    /// Whether one more piece may wait: then it does. Else it is dropped, and told when there is room again.
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

    /// DESIGN 11: what a recogniser does not take is dropped beyond 10 s, and what it takes makes room again.
    #[test]
    fn ten_seconds_may_wait() {
        let mut backlog = Backlog::default();
        assert!((0..PIECES_MAX).all(|_| backlog.admits()));
        assert!(!backlog.admits() && !backlog.admits());
        backlog.waiting().taken();
        assert_eq!((backlog.admits(), backlog.admits()), (true, false));
    }
}
