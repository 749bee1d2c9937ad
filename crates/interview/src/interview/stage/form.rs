//! A stage that asks for contact data, after a consent (L06).

use std::collections::BTreeMap;

use language::Intent;

use crate::blueprint::{Blueprint, Field, Kind, Phrase};
use crate::interview::{
    ids::TurnId,
    note::{Note, Settled},
    stage::{
        Agenda, Place,
        kind::{Answered, Asked, Opening, StageKind},
        phase::Phase,
    },
};
use crate::values;

/// A field is asked for so many times.
const ATTEMPTS_MAX: u32 = 3;
/// The question for consent is asked so many times.
const CONSENT_ATTEMPTS_MAX: u32 = 2;

pub(crate) struct OfForm;

/// What is filled in.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Form {
    consent: Consent,
    consent_asked: u32,
    entries: Vec<Entry>,
    /// What the question that was heard asks for.
    waits: Option<Wait>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Consent {
    #[default]
    Open,
    Given,
    Refused,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wait {
    Consent,
    /// The value of a field.
    Value(usize),
    /// A yes to the value that was read back.
    Confirmation(usize),
}

/// A field of the form.
#[derive(Clone, Debug, Default, PartialEq)]
struct Entry {
    attempts: u32,
    /// A value that is read back next.
    unconfirmed: Option<Settled>,
    settled: Option<Settled>,
}

impl StageKind for OfForm {
    fn opening(&self) -> Opening {
        Opening::File
    }

    fn asks_as_written(&self) -> bool {
        true
    }

    fn has_agenda(&self) -> bool {
        true
    }

    fn next(&self, at: Place<'_>) -> Vec<String> {
        let (form, agent) = (&at.agenda.form, at.agent());
        match form.consent {
            Consent::Refused => Vec::new(),
            Consent::Open => agent.questions.first().cloned().into_iter().collect(),
            Consent::Given => {
                let open = form.entries.iter().enumerate().filter(|(_, entry)| entry.is_open());
                open.map(|(place, entry)| entry.question(place, at)).collect()
            }
        }
    }

    fn phase(&self, at: Place<'_>) -> Option<Phase> {
        Some(match at.agenda.form.consent {
            Consent::Open => Phase::DataCollectionConsent,
            Consent::Given => Phase::DataCollection,
            Consent::Refused => Phase::CompleteWithoutData,
        })
    }

    fn ask(&self, _at: Place<'_>, agenda: &mut Agenda, _asked: Asked<'_>) {
        let form = &mut agenda.form;
        form.waits = match form.consent {
            Consent::Refused => None,
            Consent::Open => {
                form.consent_asked += 1;
                Some(Wait::Consent)
            }
            Consent::Given => form.ask(),
        };
    }

    fn answer(&self, at: Place<'_>, agenda: &mut Agenda, answered: &Answered<'_>) {
        let form = &mut agenda.form;
        match form.waits.take() {
            Some(Wait::Consent) => form.consent_to(answered.intent),
            Some(Wait::Value(place)) => form.entries[place].hear(place, at, answered),
            Some(Wait::Confirmation(place)) => form.entries[place].confirm(place, at, answered),
            None => {}
        }
    }

    fn awaits<'a>(&self, at: Place<'a>) -> Option<&'a Field> {
        match at.agenda.form.waits? {
            Wait::Consent => None,
            Wait::Value(place) | Wait::Confirmation(place) => at.agent().rubric.get(place),
        }
    }

    /// What is filled in on the screen needs no reading back; whoever fills it in agrees.
    fn fill(&self, at: Place<'_>, agenda: &mut Agenda, values: &BTreeMap<String, String>) -> bool {
        let form = &mut agenda.form;
        let mut is_of_use = false;
        for (field, entry) in at.agent().rubric.iter().zip(&mut form.entries) {
            let filled = values.get(&field.key).filter(|value| !value.trim().is_empty());
            let language = at.plan.language;
            if let Some(value) = filled.and_then(|value| values::typed(value, field, language)) {
                let quote = value.clone();
                // No turn has it: 0 is before the first one.
                entry.settled = Some(Settled::Captured { value, quote, turn: TurnId(0) });
                entry.unconfirmed = None;
                is_of_use = true;
            }
        }
        if is_of_use {
            form.consent = Consent::Given;
            form.waits = None;
        }
        is_of_use
    }
}

impl Form {
    pub(super) fn new(plan: &Blueprint) -> Self {
        let agent = plan.agents.iter().find(|agent| agent.kind == Kind::Form);
        let entries = agent.map_or(0, |agent| agent.rubric.len());
        Self { entries: vec![Entry::default(); entries], ..Self::default() }
    }

    fn consent_to(&mut self, intent: Intent) {
        let refuses = matches!(intent, Intent::No | Intent::Done) || intent.leaves_open();
        if intent == Intent::Yes {
            self.consent = Consent::Given;
        } else if refuses || self.consent_asked >= CONSENT_ATTEMPTS_MAX {
            self.consent = Consent::Refused;
        }
    }

    /// The question for the first open field was heard.
    fn ask(&mut self) -> Option<Wait> {
        let mut open = self.entries.iter_mut().enumerate().filter(|(_, entry)| entry.is_open());
        let (place, entry) = open.next()?;
        Some(match entry.unconfirmed {
            Some(_) => Wait::Confirmation(place),
            None => {
                entry.attempts += 1;
                Wait::Value(place)
            }
        })
    }

    pub(super) fn notes_since(&self, before: &Self, plan: &Blueprint) -> Vec<Note> {
        let is_news = self.consent != before.consent;
        let consent = match self.consent {
            Consent::Open => None,
            Consent::Given => Some(Note::Consent { given: true }),
            Consent::Refused => Some(Note::Consent { given: false }),
        };
        let agent = plan.agents.iter().find(|agent| agent.kind == Kind::Form);
        let fields = agent.into_iter().flat_map(|agent| &agent.rubric);
        let pairs = self.entries.iter().zip(&before.entries).zip(fields);
        let settled = pairs.filter(|((now, before), _)| now.settled != before.settled);
        let settled = settled.filter_map(|((now, _), field)| {
            Some(Note::Field { key: field.key.clone(), settled: now.settled.clone()? })
        });
        consent.filter(|_| is_news).into_iter().chain(settled).collect()
    }
}

impl Entry {
    fn is_open(&self) -> bool {
        self.settled.is_none()
    }

    /// What is asked about it next.
    fn question(&self, place: usize, at: Place<'_>) -> String {
        match &self.unconfirmed {
            Some(Settled::Captured { value, .. }) => {
                format!("{} {value}?", at.plan.phrases.say(Phrase::Confirm))
            }
            Some(Settled::Unknown | Settled::Declined) | None => {
                at.agent().rubric[place].question.clone()
            }
        }
    }

    /// An answer to the question for it.
    fn hear(&mut self, place: usize, at: Place<'_>, answered: &Answered<'_>) {
        if answered.intent == Intent::DontKnow {
            self.settled = Some(Settled::Unknown);
        } else if answered.intent.leaves_open() || answered.intent == Intent::No {
            self.settled = Some(Settled::Declined);
        } else if !self.read(place, at, answered) {
            self.give_up();
        }
    }

    /// An answer to its reading back.
    fn confirm(&mut self, place: usize, at: Place<'_>, answered: &Answered<'_>) {
        let value = self.unconfirmed.take();
        if answered.intent == Intent::Yes {
            self.settled = value;
        } else if answered.intent.leaves_open() {
            self.settled = Some(Settled::Declined);
        } else if at.agent().rubric[place].format.is_free() || !self.read(place, at, answered) {
            self.give_up();
        }
    }

    /// Takes the value of an answer. Returns whether it has a valid one.
    fn read(&mut self, place: usize, at: Place<'_>, answered: &Answered<'_>) -> bool {
        let field = &at.agent().rubric[place];
        let value = values::read(answered.text, field, at.plan.language).whole();
        let Some((value, turn)) = value.zip(answered.turn) else { return false };
        let quote = answered.text.to_owned();
        let settled = Settled::Captured { value: value.text, quote, turn };
        // What can be read in two ways is read back, whether the author wants it or not.
        if field.confirm || !value.is_sure {
            self.unconfirmed = Some(settled);
        } else {
            self.settled = Some(settled);
        }
        true
    }

    /// After too many attempts it stays unknown.
    fn give_up(&mut self) {
        if self.attempts >= ATTEMPTS_MAX {
            self.settled = Some(Settled::Unknown);
        }
    }
}
