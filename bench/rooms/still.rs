//! Whether the machine itself stood still, as a guest does whose host is busy: such a run says little of us.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use vivavoce::clock;

use crate::report::Row;

/// How often it is looked.
const EVERY: Duration = Duration::from_millis(5);
/// Whoever sleeps for `EVERY` and wakes so late has met a standstill: two packets of ours would be missing.
const STILL: Duration = Duration::from_millis(40);

/// Looks until it is told to stop.
pub(crate) struct Watch {
    stop: Arc<AtomicBool>,
    seen: JoinHandle<Vec<Duration>>,
}

impl Watch {
    pub(crate) fn begin() -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let told = stop.clone();
        let seen = thread::spawn(move || {
            let (mut seen, mut before) = (Vec::new(), clock::instant());
            while !told.load(Relaxed) {
                thread::sleep(EVERY);
                let now = clock::instant();
                seen.extend(Some(now - before).filter(|gap| *gap >= STILL));
                before = now;
            }
            seen
        });
        Self { stop, seen }
    }

    /// How often it stood still since the beginning, and for how long at most.
    pub(crate) fn end(self, what: &str) -> [Row; 2] {
        self.stop.store(true, Relaxed);
        let seen = self.seen.join().unwrap_or_default();
        let longest = seen.iter().max().map_or(0.0, |gap| gap.as_secs_f64() * 1e3);
        let row = |what, value| Row { id: "", what, value, limit: None, of: seen.len() };
        [
            row(format!("{what}: times that this machine stood still"), seen.len() as f64),
            row(format!("{what}: the longest of them, ms"), longest),
        ]
    }
}
