//! Stages: the progress of the current one, and what distinguishes the kinds, one file a kind.

pub(crate) mod agenda;
mod backlog;
mod budget;
mod closing;
mod form;
pub(crate) mod item;
pub(crate) mod kind;
mod offer;
pub(crate) mod phase;
pub(crate) mod progress;
mod questions;
mod scripted;
mod topics;

pub(crate) use kind::{Heard, Opening, StageKind};
pub(crate) use progress::{MILESTONES, Pending, Stage, Step};

use crate::blueprint::{Agent, Blueprint, Context, Kind};
use crate::interview::note::Note;
use backlog::Backlog;
use form::Form;
use item::Item;
use offer::Offer;
use topics::Topics;

/// What distinguishes a kind of stage. Nothing else asks which kind a stage is of.
pub(crate) fn of(kind: &Kind) -> &'static dyn StageKind {
    match kind {
        Kind::Questions => &questions::Questions,
        Kind::Scripted => &scripted::Scripted,
        Kind::Closing => &closing::Closing,
        Kind::Backlog { .. } => &backlog::OfBacklog,
        Kind::Topics(topics) if topics.is_empty() => &topics::Deepens,
        Kind::Topics(_) => &topics::Explores,
        Kind::Offer => &offer::Offers,
        Kind::Form => &form::OfForm,
    }
}

/// What was asked and heard of all plans. A blueprint has one stage of each such kind at most.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Agenda {
    pub(crate) backlog: Backlog,
    pub(crate) topics: Topics,
    pub(crate) offer: Offer,
    pub(crate) form: Form,
}

/// The agenda as it is, and as it will be when the open answer counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outlook {
    now: Agenda,
    forecast: Option<Box<Agenda>>,
}

/// A stage of the plan, seen with the agenda.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    pub(crate) plan: &'a Blueprint,
    pub(crate) index: usize,
    pub(crate) agenda: &'a Agenda,
    /// The recruiter's guide to the topics, or nothing.
    pub(crate) guide: &'a str,
}

/// What is planned before anything was asked, for projections.
#[derive(Debug)]
pub(crate) struct Outset {
    /// The questions of the backlog.
    pub(crate) items: Vec<Item>,
    /// The turns that each topic gets as a rule.
    pub(crate) shares: Vec<u32>,
    /// The turns of all topics together.
    pub(crate) turns: u32,
}

impl Outset {
    /// The plan of a blueprint that was made for a candidate.
    pub(crate) fn new(plan: &Blueprint, context: &Context) -> Self {
        let Agenda { backlog, topics, .. } = Agenda::new(plan, context);
        let (shares, turns) = topics.shares();
        Self { items: backlog.into_items(), shares, turns }
    }
}

impl Agenda {
    /// Nothing is asked yet.
    pub(crate) fn new(plan: &Blueprint, context: &Context) -> Self {
        Self {
            backlog: Backlog::new(plan, context),
            topics: Topics::new(plan),
            offer: Offer::default(),
            form: Form::new(plan),
        }
    }

    /// What has changed since it was `before`.
    fn notes_since(&self, before: &Self, plan: &Blueprint) -> Vec<Note> {
        let mut notes = self.backlog.notes_since(&before.backlog);
        notes.extend(self.topics.notes_since(&before.topics, plan));
        notes.extend(self.offer.note_since(&before.offer));
        notes.extend(self.form.notes_since(&before.form, plan));
        notes
    }
}

impl Outlook {
    pub(crate) fn new(plan: &Blueprint, context: &Context) -> Self {
        Self { now: Agenda::new(plan, context), forecast: None }
    }

    /// As it will be when the open answer counts, or as it is.
    fn view(&self) -> &Agenda {
        self.forecast.as_deref().unwrap_or(&self.now)
    }
}

impl<'a> Place<'a> {
    pub(crate) fn agent(&self) -> &'a Agent {
        &self.plan.agents[self.index]
    }
}
