//! How full a worker is, as the server wants to know it.

use super::LoadMeter;

/// The load of a full worker: the server offers no job at or above it.
const FULL: f32 = 0.7;
/// The load of a worker that is as busy as a full one but holds no job: others are asked first, and it is
/// asked if there are none. Nobody is helped by a worker that refuses its first caller.
const LAST_CHOICE: f32 = 0.69;

/// What the machine says, and what the slots say.
pub(super) struct Load {
    meter: Option<LoadMeter>,
    /// The last measurement; 1.0 is full.
    busy: f32,
}

impl Load {
    pub(super) fn new(meter: Option<LoadMeter>) -> Self {
        let mut load = Self { meter, busy: 0.0 };
        load.measure();
        load
    }

    /// Asks the meter; to be called every few seconds.
    pub(super) fn measure(&mut self) {
        if let Some(meter) = &mut self.meter {
            // Not a number counts as idle.
            self.busy = meter().max(0.0);
        }
    }

    /// Whether the machine could do with one more job beside those that are `taken`.
    pub(super) fn has_room(&self, taken: usize) -> bool {
        taken == 0 || self.busy < 1.0
    }

    /// The load to tell: the fuller of slots and machine, where full is 0.7.
    pub(super) fn tell(&self, taken: usize, slots: usize) -> f32 {
        let by_slots = taken as f32 / slots.max(1) as f32;
        let most = if by_slots == 0.0 && slots > 0 { LAST_CHOICE } else { FULL };
        (FULL * by_slots.max(self.busy)).min(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(busy: f32) -> Load {
        Load::new(Some(Box::new(move || busy)))
    }

    /// Full slots and a full machine are both 0.7, and the fuller of the two counts.
    #[test]
    fn the_fuller_of_slots_and_machine_counts() {
        assert_eq!(load(0.2).tell(4, 4), FULL);
        assert_eq!(load(0.2).tell(1, 4), FULL / 4.0);
        assert_eq!(load(0.2).tell(1, 0), FULL);
        assert_eq!(load(1.5).tell(1, 4), FULL);
        assert!(load(0.99).has_room(1) && !load(1.0).has_room(1));
        let without = Load::new(None);
        assert!(without.has_room(1) && without.tell(0, 4) == 0.0);
    }

    /// W03: a worker without a job takes one, however busy its machine is, and others are asked first.
    #[test]
    fn the_first_job_is_never_refused() {
        let busy = load(5.0);
        assert!(
            busy.has_room(0) && busy.tell(0, 4) < FULL && busy.tell(0, 4) > load(0.9).tell(0, 4)
        );
        assert!(!busy.has_room(1) && busy.tell(1, 4) == FULL);
        assert_eq!(load(0.0).tell(0, 0), 0.0);
    }

    /// What a meter should not say is no load.
    #[test]
    fn odd_meters_are_no_load() {
        for odd in [f32::NAN, -1.0, f32::NEG_INFINITY] {
            assert!(load(odd).has_room(1) && load(odd).tell(0, 4) == 0.0, "{odd}");
        }
    }
}
