//! Rules for the end of a turn, compared as LiveKit's eot-bench compares them: how often a rule cuts in at a
//! pause within a turn, and how long it waits at the end of one. A rule that can be set is tried at every
//! setting.

/// The shares of pauses that outlast so many ms, as eot-bench published them for silence alone (English):
/// with pauses of these lengths that rule comes out here as it did there.
const OUTLASTS: [(f64, f64); 5] =
    [(200.0, 1.0), (300.0, 0.556), (600.0, 0.217), (1_000.0, 0.10), (1_600.0, 0.05)];
/// So many lengths stand for that distribution.
const LENGTHS: usize = 200;
/// A setting's values, in ms and in percent, as eot-bench sweeps them.
const DELAYS_MS: [u64; 9] = [200, 300, 400, 500, 600, 700, 800, 900, 1_000];
const TIMEOUTS_MS: [u64; 6] = [1_000, 1_500, 2_000, 2_500, 3_000, 3_500];
const THRESHOLDS: std::ops::RangeInclusive<u8> = 0..=100;
/// A rule by silence alone is tried at all waits up to the longest time-out, in steps.
const SILENCE_STEP_MS: u64 = 100;
const SILENCE_MAX_MS: u64 = 3_500;
/// A share is compared with a budget to so much.
const EPSILON: f64 = 1e-9;

/// What a detector says at the pauses within turns and at the ends of turns.
#[derive(Clone, Debug)]
pub(crate) struct Scores<T> {
    pub(crate) holds: Vec<Hold<T>>,
    pub(crate) ends: Vec<T>,
}

/// A pause within a turn.
#[derive(Clone, Debug)]
pub(crate) struct Hold<T> {
    /// What the detector says of it.
    pub(crate) score: T,
    /// How long it may be.
    pub(crate) lengths_ms: Vec<u64>,
}

/// A rule at one setting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    /// The share of pauses within turns that it takes for an end.
    pub(crate) cutoffs: f64,
    /// How long it waits at the end of a turn, on average, in ms.
    pub(crate) latency_ms: f64,
}

/// What rules are compared by; nothing where no setting is within the budget.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Figures {
    /// The fewest cut-offs with 300 ms of latency on average.
    pub(crate) cutoffs_300: Option<f64>,
    /// The same with 600 ms.
    pub(crate) cutoffs_600: Option<f64>,
    /// The least latency with 5 % of cut-offs, in ms.
    pub(crate) latency_5: Option<f64>,
}

/// Ends a turn after a delay where the score is above a threshold, and after a time-out where it is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Policy {
    pub(crate) threshold: u8,
    pub(crate) delay_ms: u64,
    pub(crate) timeout_ms: u64,
}

impl Policy {
    pub(crate) fn wait(self, score: u8) -> u64 {
        if score > self.threshold { self.delay_ms } else { self.timeout_ms }
    }
}

/// All settings of a rule by score.
pub(crate) fn policies() -> impl Iterator<Item = Policy> {
    THRESHOLDS.flat_map(|threshold| {
        DELAYS_MS.into_iter().flat_map(move |delay_ms| {
            TIMEOUTS_MS.map(|timeout_ms| Policy { threshold, delay_ms, timeout_ms })
        })
    })
}

/// All settings of a rule by silence alone.
pub(crate) fn silences() -> impl Iterator<Item = u64> {
    (DELAYS_MS[0]..=SILENCE_MAX_MS).step_by(SILENCE_STEP_MS as usize)
}

/// All settings of a rule between a shortest and a longest wait.
pub(crate) fn ranges() -> impl Iterator<Item = (u64, u64)> {
    DELAYS_MS.into_iter().flat_map(|min| TIMEOUTS_MS.map(|max| (min, max)))
}

impl<T> Default for Scores<T> {
    fn default() -> Self {
        Self { holds: Vec::new(), ends: Vec::new() }
    }
}

impl<T: Copy> Scores<T> {
    /// How a rule does that waits so long, by the score.
    pub(crate) fn point(&self, wait_ms: impl Fn(T) -> u64) -> Point {
        let (mut cut, mut all) = (0, 0);
        for hold in &self.holds {
            let wait = wait_ms(hold.score);
            all += hold.lengths_ms.len();
            cut += hold.lengths_ms.iter().filter(|length| **length > wait).count();
        }
        let waits: u64 = self.ends.iter().map(|score| wait_ms(*score)).sum();
        Point {
            cutoffs: cut as f64 / all.max(1) as f64,
            latency_ms: waits as f64 / self.ends.len().max(1) as f64,
        }
    }
}

/// The best settings: none of the others is better in one and no worse in the other. The quickest first.
pub(crate) fn front(points: impl Iterator<Item = Point>) -> Vec<Point> {
    let mut points: Vec<Point> = points.collect();
    points.sort_by(|a, b| {
        a.latency_ms.total_cmp(&b.latency_ms).then(a.cutoffs.total_cmp(&b.cutoffs))
    });
    let mut best = f64::INFINITY;
    points.retain(|point| {
        let is_better = point.cutoffs < best - EPSILON;
        best = best.min(point.cutoffs);
        is_better
    });
    points
}

/// Reads the figures off the best settings.
pub(crate) fn figures(front: &[Point]) -> Figures {
    let fewest = |budget_ms: f64| {
        let within = front.iter().filter(|point| point.latency_ms <= budget_ms + EPSILON);
        within.map(|point| point.cutoffs).min_by(f64::total_cmp)
    };
    let within = front.iter().filter(|point| point.cutoffs <= 0.05 + EPSILON);
    Figures {
        cutoffs_300: fewest(300.0),
        cutoffs_600: fewest(600.0),
        latency_5: within.map(|point| point.latency_ms).min_by(f64::total_cmp),
    }
}

/// Lengths that are as frequent as those of eot-bench, in ms, the longest first.
pub(crate) fn lengths_ms() -> Vec<u64> {
    let length = |n: usize| {
        let share = (n as f64 + 0.5) / LENGTHS as f64;
        let pair = OUTLASTS.windows(2).find(|pair| share >= pair[1].1);
        // What outlasts the last of them goes on as before it.
        let pair = pair.unwrap_or(&OUTLASTS[OUTLASTS.len() - 2..]);
        let [(from, more), (to, less)] = [pair[0], pair[1]];
        let way = (more / share).ln() / (more / less).ln();
        (from + (to - from) * way) as u64
    };
    (0..LENGTHS).map(length).collect()
}
