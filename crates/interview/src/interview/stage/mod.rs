//! Stages: the progress of the current one, and what distinguishes the kinds, one file a kind.

pub(crate) mod agenda;
mod backlog;
mod budget;
mod closing;
mod contact;
mod form;
pub(crate) mod item;
pub(crate) mod kind;
mod offer;
pub(crate) mod progress;
mod questions;
mod scripted;
mod topics;

pub(crate) use kind::{Heard, Opening, StageKind};
pub(crate) use progress::{MILESTONES, Pending, Stage, Step};

use crate::blueprint::Kind;

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
