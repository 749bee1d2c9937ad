//! The fillers of an interview: the few words that sound beside a reply that takes long.

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
    /// Since when it is heard, if it is.
    pub(crate) sounds: Option<SessionTime>,
    /// Segments of the reply that are let out when it has ended.
    pub(crate) waiting: Vec<u16>,
}

/// The fillers of an interview.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fillers {
    /// The one that is not over.
    pub(crate) now: Option<Filler>,
    /// How many there were, and the turn of the last one.
    pub(crate) count: usize,
    pub(crate) last: Option<TurnId>,
}

impl Fillers {
    /// Whether one is heard.
    pub(crate) fn is_heard(&self) -> bool {
        self.now.as_ref().is_some_and(|filler| filler.sounds.is_some())
    }

    /// What of it is heard up to `now`.
    pub(crate) fn sounding(&self, now: SessionTime) -> Option<Sounding<'_>> {
        let filler = self.now.as_ref().filter(|filler| filler.sounds.is_some())?;
        Some(Sounding { text: &filler.text, until: now })
    }
}
