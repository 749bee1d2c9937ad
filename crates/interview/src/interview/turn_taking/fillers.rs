//! The state of fillers: the one that is not over, and how many there were.

use crate::interview::{
    ids::{ReplyId, TurnId},
    turn_taking::echo::Sounding,
};
use crate::time::SessionTime;

/// A filler that is not over.
#[derive(Clone, Debug)]
pub(crate) struct Filler {
    pub(crate) id: ReplyId,
    pub(crate) text: String,
    /// The time at which it began to sound, if it has.
    pub(crate) sounds: Option<SessionTime>,
    /// Segments of the reply that are played when the filler has ended.
    pub(crate) waiting: Vec<u16>,
}

/// The fillers of an interview.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fillers {
    /// The one that is not over.
    pub(crate) now: Option<Filler>,
    /// The number of fillers so far, and the turn of the last one.
    pub(crate) count: usize,
    pub(crate) last: Option<TurnId>,
}

impl Fillers {
    /// Whether a filler sounds.
    pub(crate) fn is_heard(&self) -> bool {
        self.now.as_ref().is_some_and(|filler| filler.sounds.is_some())
    }

    /// The filler that sounds at `now`.
    pub(crate) fn sounding(&self, now: SessionTime) -> Option<Sounding<'_>> {
        let filler = self.now.as_ref().filter(|filler| filler.sounds.is_some())?;
        Some(Sounding { text: &filler.text, until: now })
    }
}
