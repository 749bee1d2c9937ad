//! A stage that offers to go on after the time is over (L05).

use language::Intent;

use crate::interview::{
    exit::Reason,
    note::Note,
    stage::{
        Agenda, Place,
        kind::{Answered, Asked, Heard, Opening, StageKind},
        phase::Phase,
    },
};

/// The offer is made so many times.
const ATTEMPTS_MAX: usize = 2;

pub(crate) struct Offers;

/// The offer to go on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Offer {
    attempts: usize,
    pub(super) reply: Reply,
}

/// What they say to the offer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Reply {
    /// It was not made.
    #[default]
    Unasked,
    /// It was made, and they said neither.
    Neutral,
    Accepted,
    Refused,
}

impl StageKind for Offers {
    /// "No, let us stop here" refuses the offer.
    fn read(&self, found: Intent, _turn: Heard<'_>) -> Intent {
        if found == Intent::Stop { Intent::No } else { found }
    }

    fn opening(&self) -> Opening {
        Opening::File
    }

    fn asks_as_written(&self) -> bool {
        true
    }

    fn has_agenda(&self) -> bool {
        true
    }

    /// It is made only if time has run out with something left to ask.
    fn is_left_out(&self, at: Place<'_>, why: Reason) -> bool {
        why != Reason::StageLimit || !at.agenda.topics.has_leftovers(at.plan)
    }

    fn next(&self, at: Place<'_>) -> Vec<String> {
        let questions = &at.agent().questions;
        let left = questions.iter().cycle().skip(at.agenda.offer.attempts);
        left.take(ATTEMPTS_MAX.saturating_sub(at.agenda.offer.attempts)).cloned().collect()
    }

    fn is_done(&self, at: Place<'_>) -> bool {
        matches!(at.agenda.offer.reply, Reply::Accepted | Reply::Refused)
    }

    fn phase(&self, _at: Place<'_>) -> Option<Phase> {
        Some(Phase::DeepOfferAsk)
    }

    fn ask(&self, _at: Place<'_>, agenda: &mut Agenda, _asked: Asked<'_>) {
        agenda.offer.attempts += 1;
        agenda.offer.reply = Reply::Neutral;
    }

    fn answer(&self, _at: Place<'_>, agenda: &mut Agenda, answered: &Answered<'_>) {
        let offer = &mut agenda.offer;
        let intent = answered.intent;
        let refuses = matches!(intent, Intent::No | Intent::Done) || intent.leaves_open();
        offer.reply = if intent == Intent::Yes {
            Reply::Accepted
        } else if refuses || offer.attempts >= ATTEMPTS_MAX {
            Reply::Refused
        } else {
            Reply::Neutral
        };
    }
}

impl Offer {
    /// Whether they may be asked on: they were not asked whether, or agreed.
    pub(super) fn allows(&self) -> bool {
        matches!(self.reply, Reply::Unasked | Reply::Accepted)
    }

    /// Whether they agreed to go on.
    pub(super) fn is_accepted(&self) -> bool {
        self.reply == Reply::Accepted
    }

    pub(super) fn note_since(&self, before: &Self) -> Option<Note> {
        let accepted = match self.reply {
            Reply::Accepted => true,
            Reply::Refused => false,
            Reply::Unasked | Reply::Neutral => return None,
        };
        (self.reply != before.reply).then_some(Note::Extension { accepted })
    }
}
