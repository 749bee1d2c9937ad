//! What is yet to happen in the world, in the order of its time and of its making.

use std::collections::BTreeMap;

use super::echo::Echo;
use crate::{
    interview::{Epoch, Event, Proposal, ReplyId},
    time::SessionTime,
};

#[derive(Default)]
pub(super) struct Queue {
    items: BTreeMap<(SessionTime, u64), Item>,
    serial: u64,
}

pub(super) enum Item {
    Fact(Event),
    /// A fact about the candidate's sound of that time: lost if nobody heard it.
    Sound {
        of: SessionTime,
        event: Event,
    },
    Do(Act),
}

pub(super) enum Act {
    Joins,
    Leaves,
    LineCut,
    LineBack,
    Coughs,
    Echoes(Box<Echo>),
    MakesUp,
    SoundReady(ReplyId, u16),
    SegmentEnds(u64),
    Says(ReplyId, String),
    Calls(ReplyId, Epoch, Proposal),
    Completes(ReplyId),
    Fails(ReplyId),
}

impl Queue {
    pub(super) fn add(&mut self, at: SessionTime, item: Item) {
        self.serial += 1;
        self.items.insert((at, self.serial), item);
    }

    /// When the next of it is due.
    pub(super) fn next(&self) -> Option<SessionTime> {
        self.items.first_key_value().map(|((at, _), _)| *at)
    }

    pub(super) fn pop(&mut self) -> Option<(SessionTime, Item)> {
        self.items.pop_first().map(|((at, _), item)| (at, item))
    }
}
