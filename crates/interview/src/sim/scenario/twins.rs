//! The interview of a scenario, twice: one is woken at every deadline, the other never (invariant 3).

use super::show::show;
use crate::{
    interview::{Effect, Event, Interview},
    time::SessionTime,
};

pub(super) struct Twins {
    awake: Interview,
    asleep: Interview,
    done: Vec<Effect>,
    done_asleep: Vec<Effect>,
}

impl Twins {
    pub(super) fn new(interview: Interview) -> Self {
        let (done, done_asleep) = (Vec::new(), Vec::new());
        Self { asleep: interview.clone(), awake: interview, done, done_asleep }
    }

    pub(super) fn awake(&self) -> &Interview {
        &self.awake
    }

    /// Something happens to the one that is woken, a deadline for one.
    pub(super) fn happen(
        &mut self,
        at: SessionTime,
        heard: SessionTime,
        event: Event,
    ) -> Vec<Effect> {
        let effects = self.awake.handle(at, heard, event);
        self.done.extend(effects.iter().cloned());
        effects
    }

    /// The same happens to the one that sleeps.
    pub(super) fn happen_asleep(&mut self, at: SessionTime, heard: SessionTime, event: Event) {
        self.done_asleep.extend(self.asleep.handle(at, heard, event));
    }

    /// Whoever slept until the end has done the same.
    pub(super) fn check(&mut self, at: SessionTime, heard: SessionTime) -> Result<(), String> {
        self.happen_asleep(at, heard, Event::Tick);
        if self.done == self.done_asleep {
            return Ok(());
        }
        let other = (self.done.iter().map(Some).chain([None]))
            .zip(self.done_asleep.iter().map(Some).chain([None]))
            .find(|(awake, asleep)| awake != asleep);
        let said = |effect: Option<&Effect>| effect.map_or("nothing".to_owned(), show);
        let (awake, asleep) = other.unwrap_or((None, None));
        Err(format!(
            "the interview has a fault: woken on the dot it does `{}`, woken late `{}`",
            said(awake),
            said(asleep)
        ))
    }
}
