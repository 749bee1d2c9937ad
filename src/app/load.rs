//! How busy the machine is, for whoever decides on one more interview.

use procfs::CurrentSI;

/// Busy so far, a machine cannot do one more interview in time.
const CPU_FULL: f32 = 0.9;
/// How much the newest measurement counts.
const WEIGHT: f32 = 0.5;

/// Measures the machine's CPU.
#[derive(Debug, Default)]
pub(super) struct Cpu {
    /// Idle and all time at the last measurement.
    last: Option<(u64, u64)>,
    /// The share of the time that was not idle, smoothed.
    busy: f32,
}

impl Cpu {
    /// How busy the machine is since the last measurement: at 1.0 there is no time for one more interview.
    pub(super) fn measure(&mut self) -> f32 {
        // Without /proc there are only slots.
        let Ok(stat) = procfs::KernelStats::current() else { return 0.0 };
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
        self.busy / CPU_FULL
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

    fn has_room(&self) -> bool {
        self.busy < CPU_FULL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// W03: a machine that is busy all the time has no room, and one that rests has again.
    #[test]
    fn a_busy_machine_has_no_room() {
        let mut cpu = Cpu { last: Some((0, 0)), busy: 0.0 };
        for n in 1..20 {
            cpu.note(0, n * 100);
        }
        assert!(!cpu.has_room());
        cpu.note(100, 2_000);
        assert!(cpu.has_room());
    }

    /// Clocks that stand still or go back are no load.
    #[test]
    fn odd_clocks_are_no_load() {
        let mut cpu = Cpu { last: Some((50, 100)), busy: 0.0 };
        cpu.note(50, 100);
        cpu.note(10, 20);
        assert!(cpu.has_room() && cpu.busy == 0.0);
    }
}
