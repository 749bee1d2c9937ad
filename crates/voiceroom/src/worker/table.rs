//! The jobs of a worker: promised, running, ended.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use tokio::sync::watch;

use super::Stop;

/// An assignment follows our answer at once or never: the server gives up after 10 s.
const ASSIGNMENT_LIMIT: Duration = Duration::from_secs(10);

/// Who has which slot.
#[derive(Debug)]
pub(super) struct Table {
    slots: usize,
    jobs: BTreeMap<String, Slot>,
}

#[derive(Debug)]
enum Slot {
    /// We have said yes; offers overlap, so the slot is taken from here on.
    Promised {
        until: Instant,
    },
    Running {
        stop: watch::Sender<Option<Stop>>,
    },
}

impl Table {
    pub(super) fn new(slots: usize) -> Self {
        Self { slots, jobs: BTreeMap::new() }
    }

    /// Takes a slot for an offered job, if one is free.
    pub(super) fn promise(&mut self, job: &str, now: Instant) -> bool {
        if self.taken(now) >= self.slots {
            return false;
        }
        self.jobs.entry(job.to_owned()).or_insert(Slot::Promised { until: now + ASSIGNMENT_LIMIT });
        true
    }

    /// A job is ours now. `None` if it is running already.
    pub(super) fn start(&mut self, job: &str) -> Option<watch::Receiver<Option<Stop>>> {
        if let Some(Slot::Running { .. }) = self.jobs.get(job) {
            return None;
        }
        let (stop, stopped) = watch::channel(None);
        self.jobs.insert(job.to_owned(), Slot::Running { stop });
        Some(stopped)
    }

    /// Asks a job to end; its slot stays taken until it is gone.
    pub(super) fn stop(&self, job: &str, why: Stop) {
        if let Some(Slot::Running { stop }) = self.jobs.get(job) {
            stop.send_replace(Some(why));
        }
    }

    /// Asks all jobs to end.
    pub(super) fn stop_all(&self, why: Stop) {
        for job in self.jobs.keys() {
            self.stop(job, why);
        }
    }

    /// A job is gone.
    pub(super) fn free(&mut self, job: &str) {
        self.jobs.remove(job);
    }

    /// Slots taken: promised, not overdue, and running.
    pub(super) fn taken(&mut self, now: Instant) -> usize {
        self.jobs.retain(|_, slot| match slot {
            Slot::Promised { until } => now < *until,
            Slot::Running { .. } => true,
        });
        self.jobs.len()
    }

    pub(super) fn slots(&self) -> usize {
        self.slots
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock;

    /// Offers overlap, so a slot is taken with the answer, and free again if no assignment follows.
    #[test]
    fn overlapping_offers_do_not_share_a_slot() {
        let now = clock::instant();
        let mut table = Table::new(2);
        assert!(table.promise("a", now) && table.promise("b", now));
        assert!(!table.promise("c", now));
        assert!(table.start("a").is_some());
        assert!(!table.promise("c", now));
        let later = now + ASSIGNMENT_LIMIT;
        assert_eq!(table.taken(later), 1, "b was never assigned");
        assert!(table.promise("c", later));
    }

    /// A slot is free when the job is gone, not when it was asked to go.
    #[test]
    fn a_stopped_job_keeps_its_slot() {
        let now = clock::instant();
        let mut table = Table::new(1);
        let stopped = table.start("a").unwrap();
        assert!(table.start("a").is_none(), "a second assignment of the same job");
        table.stop("a", Stop::Terminated);
        assert_eq!(*stopped.borrow(), Some(Stop::Terminated));
        assert!(!table.promise("b", now));
        table.free("a");
        assert!(table.promise("b", now));
    }
}
