//! Buttons: their acknowledgement, and what they change.

use super::{Apart, Checks, Rule};
use crate::{
    interview::{Effect, Event, Request},
    journal::Entry,
};

impl Checks {
    /// R04: every button has one acknowledgement.
    pub(super) fn acknowledged(&mut self, entry: &Entry, id: &str) {
        let acknowledges = |effect: &&Effect| {
            matches!(effect,
                Effect::Acknowledge { id: of, .. } if of == id)
        };
        if entry.effects.iter().filter(acknowledges).count() != 1 {
            self.found(Rule::Acknowledged, entry.n, format!("{id} has no acknowledgement"));
        }
    }

    pub(super) fn button(&mut self, entry: &Entry) {
        let Event::Control { request, .. } = &entry.event else { return };
        let is_accepted = entry
            .effects
            .iter()
            .any(|effect| matches!(effect, Effect::Acknowledge { accepted: true, .. }));
        if !is_accepted {
            return;
        }
        match request {
            // A pause lasts from the button that was accepted to the one that ends it.
            Request::Pause => self.presence.set(Apart::Paused, true),
            Request::Resume => self.presence.set(Apart::Paused, false),
            Request::Skip => {
                let goes_on =
                    entry.effects.iter().any(|effect| matches!(effect, Effect::Speak { .. }));
                self.skipped_at = Some(entry.at).filter(|_| goes_on).or(self.skipped_at);
            }
            Request::End
            | Request::Terminate
            | Request::Abandon
            | Request::Repeat
            | Request::Rephrase
            | Request::MoreTime
            | Request::MutedSpeech
            | Request::Typing
            | Request::Pauses(_) => {}
        }
    }
}
