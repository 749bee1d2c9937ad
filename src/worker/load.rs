//! How full a worker is, as the server wants to know it.

use procfs::CurrentSI;

use super::Admission;

/// The load of a full worker: the server gives no job at or above it.
pub(super) const FULL: f32 = 0.7;
/// Busy so far, a machine cannot do one more interview in time.
const CPU_FULL: f32 = 0.9;
/// How much the newest measurement counts.
const WEIGHT: f32 = 0.5;

/// Measures the machine's CPU.
#[derive(Debug)]
pub(super) struct Load {
    admission: Admission,
    /// Idle and all time at the last measurement.
    last: Option<(u64, u64)>,
    /// The share of the time that was not idle, smoothed.
    busy: f32,
}

impl Load {
    pub(super) fn new(admission: Admission) -> Self {
        let mut load = Self { admission, last: None, busy: 0.0 };
        load.measure();
        load
    }

    /// Looks at the clock of the kernel; to be called every few seconds.
    pub(super) fn measure(&mut self) {
        // Without /proc there are only slots.
        let Ok(stat) = procfs::KernelStats::current() else { return };
        let t = stat.total;
        let idle = t.idle + t.iowait.unwrap_or(0);
        let busy = t.user + t.nice + t.system + t.irq.unwrap_or(0) + t.softirq.unwrap_or(0);
        let had_room = self.has_room();
        self.note(idle, idle + busy);
        let percent = (self.busy * 100.0).round();
        match (had_room, self.has_room()) {
            (true, false) => tracing::warn!(percent, "the machine is busy: no further interview"),
            (false, true) => tracing::info!(percent, "the machine has room for interviews again"),
            (true, true) | (false, false) => {}
        }
    }

    fn note(&mut self, idle: u64, all: u64) {
        if let Some((last_idle, last_all)) = self.last.replace((idle, all)) {
            let (idle, all) = (idle.saturating_sub(last_idle), all.saturating_sub(last_all));
            if all > 0 {
                let busy = 1.0 - (idle as f32 / all as f32).min(1.0);
                self.busy += WEIGHT * (busy - self.busy);
            }
        }
    }

    /// Whether the machine could do with one more job.
    pub(super) fn has_room(&self) -> bool {
        self.admission == Admission::Slots || self.busy < CPU_FULL
    }

    /// The load to tell: the fuller of slots and CPU, where full is 0.7.
    pub(super) fn tell(&self, taken: usize, slots: usize) -> f32 {
        let by_slots = taken as f32 / slots.max(1) as f32;
        let by_cpu = match self.admission {
            Admission::SlotsAndCpu => self.busy / CPU_FULL,
            Admission::Slots => 0.0,
        };
        FULL * by_slots.max(by_cpu).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// W03: full slots and a full machine are both 0.7, and the fuller of the two counts.
    #[test]
    fn the_fuller_of_slots_and_cpu_counts() {
        let mut load = Load { admission: Admission::SlotsAndCpu, last: Some((0, 0)), busy: 0.0 };
        assert_eq!(load.tell(4, 4), FULL);
        assert_eq!(load.tell(1, 4), FULL / 4.0);
        assert_eq!(load.tell(1, 0), FULL);
        for n in 1..20 {
            load.note(0, n * 100);
        }
        assert_eq!(load.tell(0, 4), FULL);
        assert!(!load.has_room());
        load.admission = Admission::Slots;
        assert!(load.has_room() && load.tell(0, 4) == 0.0);
    }

    /// Clocks that stand still or go back are no load.
    #[test]
    fn odd_clocks_are_no_load() {
        let mut load = Load { admission: Admission::SlotsAndCpu, last: Some((50, 100)), busy: 0.0 };
        load.note(50, 100);
        load.note(10, 20);
        assert!(load.has_room() && load.tell(0, 1) == 0.0);
    }
}
