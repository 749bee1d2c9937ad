//! How busy this worker is, for whoever decides on one more interview.
//!
//! What other programs do with the CPU does not count, as long as our own steps come in time: work of low
//! priority gives way to us, and a machine that is busy with it can still hold an interview.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::DropGuard;

use crate::clock;

/// The distance of steps: that of the frames of sound.
const STEP: Duration = Duration::from_millis(20);
/// Steps that are this late, one of twenty, are the sign of a machine that cannot do one more interview.
const LATE_FULL: Duration = Duration::from_millis(10);
/// The share of all cores that our own work may take.
const CPU_FULL: f32 = 0.9;
/// A worker that was full has room again only below this part of what made it full, so that it does not
/// change its mind with each measurement.
const ROOM_AGAIN: f32 = 0.8;
/// How much the newest measurement counts.
const WEIGHT: f32 = 0.5;
/// Steps that are kept between two measurements: a minute of them.
const STEPS_MAX: usize = 3_000;

/// Measures how late our steps come and how much of the CPU our own work takes.
#[derive(Debug)]
pub(super) struct Meter {
    steps: Arc<Mutex<Vec<Duration>>>,
    cpu: OwnCpu,
    room: Room,
    _stops_with_us: DropGuard,
}

impl Meter {
    /// Begins to measure, on the runtime on which the interviews are held.
    pub(super) fn start() -> Self {
        let steps = Arc::new(Mutex::new(Vec::new()));
        let stop = tokio_util::sync::CancellationToken::new();
        tokio::spawn(stop.clone().run_until_cancelled_owned(step(steps.clone())));
        Self {
            steps,
            cpu: OwnCpu::default(),
            room: Room::default(),
            _stops_with_us: stop.drop_guard(),
        }
    }

    /// How busy the worker is since the last measurement: at 1.0 there is no time for one more interview.
    pub(super) fn measure(&mut self) -> f32 {
        let steps = std::mem::take(&mut *self.steps.lock().unwrap_or_else(PoisonError::into_inner));
        let late = one_of_twenty(steps).as_secs_f32() / LATE_FULL.as_secs_f32();
        self.room.note(late, self.cpu.measure() / CPU_FULL)
    }
}

/// Notes how late each step comes.
async fn step(steps: Arc<Mutex<Vec<Duration>>>) {
    let mut ticks = interval(STEP);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    loop {
        let due = ticks.tick().await;
        let late = due.elapsed();
        let mut steps = steps.lock().unwrap_or_else(PoisonError::into_inner);
        if steps.len() < STEPS_MAX {
            steps.push(late);
        }
    }
}

/// The lateness that one step of twenty reaches.
fn one_of_twenty(mut steps: Vec<Duration>) -> Duration {
    steps.sort_unstable();
    let place = steps.len() * 19 / 20;
    steps.get(place).copied().unwrap_or_default()
}

/// Whether there is room, with a distance between "full" and "room again".
#[derive(Debug, Default)]
struct Room {
    /// The fuller of steps and CPU, smoothed.
    busy: f32,
    is_full: bool,
}

impl Room {
    fn note(&mut self, late: f32, cpu: f32) -> f32 {
        // One long pause of the machine is no reason for minutes of refusals.
        let now = late.max(cpu).clamp(0.0, 2.0);
        self.busy += WEIGHT * (now - self.busy);
        let limit = if self.is_full { ROOM_AGAIN } else { 1.0 };
        let is_full = self.busy >= limit;
        match (self.is_full, is_full) {
            (false, true) => tracing::warn!(late, cpu, "the worker is full: no further interview"),
            (true, false) => tracing::info!(late, cpu, "the worker has room for interviews again"),
            (true, true) | (false, false) => {}
        }
        self.is_full = is_full;
        if is_full { self.busy.max(1.0) } else { self.busy }
    }
}

/// The share of all cores that this process takes.
#[derive(Debug, Default)]
struct OwnCpu {
    /// The CPU time that we had used at the last measurement.
    last: Option<(Instant, f32)>,
}

impl OwnCpu {
    fn measure(&mut self) -> f32 {
        // Without /proc only steps and slots count.
        let Ok(stat) = procfs::process::Process::myself().and_then(|own| own.stat()) else {
            return 0.0;
        };
        let used = (stat.utime + stat.stime) as f32 / procfs::ticks_per_second() as f32;
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.note(clock::instant(), used) / cores as f32
    }

    /// Cores that were busy with us since the last measurement; 0 at the first one, which a start precedes.
    fn note(&mut self, now: Instant, used: f32) -> f32 {
        let Some((last, last_used)) = self.last.replace((now, used)) else { return 0.0 };
        let passed = now.saturating_duration_since(last).as_secs_f32();
        if passed > 0.0 { (used - last_used).max(0.0) / passed } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// W03: a worker that is late all the time is full, and has room again only when it is clearly below.
    #[test]
    fn a_full_worker_does_not_change_its_mind_at_once() {
        let mut room = Room::default();
        for _ in 0..10 {
            room.note(1.1, 0.2);
        }
        assert!(room.note(1.1, 0.2) >= 1.0);
        for _ in 0..20 {
            assert!(room.note(0.9, 0.2) >= 1.0, "0.9 is no clear sign of room: {room:?}");
        }
        for _ in 0..20 {
            room.note(0.5, 0.2);
        }
        assert!(room.note(0.5, 0.2) < 1.0);
        for _ in 0..20 {
            assert!(room.note(0.9, 0.2) < 1.0, "and 0.9 is no sign of a full one: {room:?}");
        }
    }

    /// One pause of seconds does not make a worker full for minutes.
    #[test]
    fn one_long_pause_is_soon_forgotten() {
        let mut room = Room::default();
        room.note(500.0, 0.0);
        let measured: Vec<f32> = (0..2).map(|_| room.note(0.0, 0.0)).collect();
        assert!(measured[1] < 1.0, "{measured:?}");
    }

    /// One late step of twenty counts, a single one of many does not.
    #[test]
    fn one_step_of_twenty_counts() {
        let steps = |late: usize, of: usize| {
            let long = std::iter::repeat_n(Duration::from_millis(50), late);
            long.chain(std::iter::repeat_n(Duration::from_millis(1), of - late)).collect()
        };
        assert_eq!(one_of_twenty(steps(1, 100)), Duration::from_millis(1));
        assert_eq!(one_of_twenty(steps(6, 100)), Duration::from_millis(50));
        assert_eq!(one_of_twenty(Vec::new()), Duration::ZERO);
    }

    /// What was used before the first measurement is the start of the program, and clocks that stand still
    /// are no load.
    #[test]
    fn a_start_and_odd_clocks_are_no_load() {
        let (mut cpu, now) = (OwnCpu::default(), clock::instant());
        assert_eq!(cpu.note(now, 8.0), 0.0);
        assert_eq!(cpu.note(now, 9.0), 0.0);
        assert_eq!(cpu.note(now + Duration::from_secs(2), 12.0), 1.5);
        assert_eq!(cpu.note(now + Duration::from_secs(3), 11.0), 0.0);
    }

    /// The steps of a runtime that is blocked are late, and the measurement says so.
    #[tokio::test]
    async fn a_runtime_that_is_blocked_is_late() {
        let mut meter = Meter::start();
        let deadline = clock::instant() + Duration::from_secs(120);
        while clock::instant() < deadline && meter.measure() < 1.0 {
            let blocked = clock::instant();
            while blocked.elapsed() < Duration::from_millis(45) {
                std::hint::spin_loop();
            }
            tokio::task::yield_now().await;
        }
        assert!(meter.room.is_full, "{meter:?}");
    }
}
