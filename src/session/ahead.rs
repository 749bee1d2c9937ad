//! What is done at a silence, before anybody knows whether a turn has ended: the turn detector is asked, and
//! a reply is begun.

use super::{pauses::Pauses, speculation::Speculation};
use crate::{
    interview::{Event, Interview},
    listen::{self, Listen},
    speak::Speaker,
};

pub(super) struct Ahead {
    pauses: Pauses,
    speculation: Speculation,
}

impl Ahead {
    pub(super) fn new(pauses: Pauses, speculation: Speculation) -> Self {
        Self { pauses, speculation }
    }

    /// Something was heard of the candidate.
    pub(super) fn hear(&mut self, heard: &listen::Heard, speaker: &mut Speaker) {
        self.speculation.hear(heard, speaker);
        self.pauses.hear(heard);
    }

    /// Asks about a pause. What is known of the last one that was told; once.
    pub(super) fn weigh(&mut self, listen: &Listen, interview: &Interview) -> Option<Event> {
        self.pauses.look(listen, interview);
        self.pauses.weighed()
    }

    /// Begins what may be said next.
    pub(super) fn begin(&mut self, listen: &Listen, interview: &Interview, speaker: &mut Speaker) {
        self.speculation.look(interview, listen.quiet_for(), speaker);
        self.speculation.look_past(interview, speaker);
    }

    /// A reply was ordered: what was begun is used, or was in vain.
    pub(super) fn ordered(&mut self) {
        self.speculation.ordered();
    }
}
