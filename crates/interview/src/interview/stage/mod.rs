//! Stages: the progress of the current one, and what distinguishes the kinds, one file a kind.

mod closing;
pub(crate) mod kind;
pub(crate) mod progress;
mod questions;
mod scripted;

pub(crate) use kind::{Heard, Opening, StageKind};
pub(crate) use progress::{MILESTONES, Pending, Stage, Step};

use crate::blueprint::Kind;

/// What distinguishes a kind of stage. Nothing else asks which kind a stage is of.
pub(crate) fn of(kind: Kind) -> &'static dyn StageKind {
    match kind {
        Kind::Questions => &questions::Questions,
        Kind::Scripted => &scripted::Scripted,
        Kind::Closing => &closing::Closing,
    }
}
