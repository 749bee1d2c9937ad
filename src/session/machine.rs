//! An interview and how far its journal is.

use std::sync::{Arc, OnceLock};

use language::Understanding;

use super::taken_up::TakenUp;
use crate::{
    interview::{By, Effect, Event, Interview},
    journal::{self, Difference, Entry},
    providers::registry::Registry,
    time::SessionTime,
};

/// The interview and the count of its journal: the step that live and lockstep share. One that begins with a
/// journal of some entries goes on as the one that wrote them would have.
#[derive(Clone, Debug)]
pub struct Machine {
    pub(super) interview: Interview,
    n: u64,
    at: SessionTime,
    /// How far sound had been processed when the journal was taken up: a new ear knows nothing of it.
    heard: SessionTime,
    /// What the session before has left, where the journal was taken up.
    pub(super) taken_up: TakenUp,
    /// What understands the candidate's words, if anything does.
    understanding: Option<Arc<OnceLock<Understanding>>>,
}

impl Machine {
    /// An interview before its first event.
    pub fn new(interview: Interview) -> Self {
        let (at, heard) = (SessionTime::ZERO, SessionTime::ZERO);
        Self { interview, n: 0, at, heard, taken_up: TakenUp::default(), understanding: None }
    }

    /// The same after these entries of its journal, from the first one on. They have to have the effects
    /// that the interview gives today; those were carried out when they were written, and are not to be
    /// again.
    pub fn after(interview: Interview, entries: &[Entry]) -> Result<Self, Box<Difference>> {
        let interview = journal::replay(interview, entries)?;
        let last = |read: fn(&Entry) -> SessionTime| entries.last().map_or(SessionTime::ZERO, read);
        let (at, heard) = (last(|entry| entry.at), last(|entry| entry.heard));
        let (n, taken_up) = (entries.len() as u64, TakenUp::after(entries));
        Ok(Self { interview, n, at, heard, taken_up, understanding: None })
    }

    /// How many entries the journal has.
    pub fn entries(&self) -> u64 {
        self.n
    }

    /// Takes a fact; gives the entry to be journalled with its effects. Time that has passed without any
    /// effect is no entry: it changes nothing (invariant 3).
    pub fn step(&mut self, at: SessionTime, heard: SessionTime, event: Event) -> Option<Entry> {
        // Two sources may disagree a little on what came first; the clock never goes back.
        self.at = self.at.max(at);
        let heard = heard.max(self.heard).min(self.at);
        let effects = self.interview.handle(self.at, heard, event.clone());
        if event == Event::Tick && effects.is_empty() {
            return None;
        }
        self.n += 1;
        Some(Entry { n: self.n, at: self.at, heard, event, effects })
    }

    /// The answer to an entry that wants to know what words mean. It has to be the next step.
    pub(super) fn understood(&self, entry: &Entry) -> Option<Event> {
        let (by, words) = (self.understanding.as_ref()?.get()?, self.interview.unread()?);
        entry.effects.iter().find_map(|effect| {
            let Effect::Understand { turn, attempt } = effect else { return None };
            let (turn, attempt, intent) = (*turn, *attempt, by.intent(words));
            Some(Event::Understood { turn, attempt, intent, by: By::Words })
        })
    }

    /// Has `providers` understand the candidate's words.
    pub(super) fn understand_by(&mut self, providers: &Registry) {
        self.understanding = providers.understanding(self.interview.language());
    }

    /// Whether a deadline is due.
    pub(super) fn is_due(&self, now: SessionTime, heard: SessionTime) -> bool {
        let heard = heard.max(self.heard);
        self.interview.deadline().is_some_and(|deadline| now >= Interview::fires(deadline, heard))
    }
}
