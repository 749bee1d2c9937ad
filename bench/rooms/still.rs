//! Whether the machine itself stood still, as a guest does whose host is busy: such a run says little of us.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use procfs::{CurrentSI, KernelStats};
use vivavoce::clock;

use crate::{candidate::Hole, report::Row};

/// How often it is looked, and after how many looks the host is asked what it has taken.
const EVERY: Duration = Duration::from_millis(5);
const ASKED_EVERY: u32 = 20;
/// Whoever sleeps for `EVERY` and wakes so late has met a standstill: two packets of ours would be missing.
const STILL: Duration = Duration::from_millis(40);
/// What we hear late was late so long ago at most.
const NEAR: Duration = Duration::from_millis(200);

/// Looks until it is told to stop.
pub(crate) struct Watch {
    stop: Arc<AtomicBool>,
    seen: JoinHandle<Vec<Standstill>>,
}

/// Nothing ran here from then until then.
#[derive(Clone, Copy, Debug)]
struct Standstill {
    from: Instant,
    until: Instant,
    /// Whether the host had taken the time, by what it says itself; else we all were busy.
    stolen: bool,
}

impl Watch {
    pub(crate) fn begin() -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let told = stop.clone();
        let seen = thread::spawn(move || {
            let (mut seen, mut before) = (Vec::new(), clock::instant());
            let (mut looks, mut taken) = (0, stolen());
            while !told.load(Relaxed) {
                thread::sleep(EVERY);
                let now = clock::instant();
                looks += 1;
                if now - before >= STILL {
                    let stolen = stolen() - taken >= (now - before) / 2;
                    seen.push(Standstill { from: before, until: now, stolen });
                    looks = ASKED_EVERY;
                }
                if looks >= ASKED_EVERY {
                    (looks, taken) = (0, stolen());
                }
                before = now;
            }
            seen
        });
        Self { stop, seen }
    }

    /// How often it stood still since the beginning, for how long at most, and which of the holes that
    /// explains.
    pub(crate) fn end(self, what: &str, holes: &[Hole]) -> [Row; 4] {
        self.stop.store(true, Relaxed);
        let seen = self.seen.join().unwrap_or_default();
        let lengths = seen.iter().map(|still| still.until - still.from);
        let longest = lengths.max().map_or(0.0, |gap| gap.as_secs_f64() * 1e3);
        let stolen = seen.iter().filter(|still| still.stolen);
        let host = holes.iter().filter(|hole| {
            let (from, until) = hole.span();
            stolen.clone().any(|still| still.from <= until && still.until + NEAR >= from)
        });
        let (host, taken) = (host.count(), stolen.clone().count());
        let row = |told: &str, value, of| Row {
            id: "",
            what: format!("{what}: {told}"),
            value,
            limit: None,
            of,
        };
        [
            row("times that this machine stood still", seen.len() as f64, seen.len()),
            row("the longest of them, ms", longest, seen.len()),
            row("those in which the host had taken the time", taken as f64, seen.len()),
            row("holes near those", host as f64, holes.len()),
        ]
    }
}

/// What the host has taken of all our processors so far.
fn stolen() -> Duration {
    let stats = KernelStats::current().ok();
    stats.and_then(|stats| stats.total.steal_duration()).unwrap_or_default()
}
