//! The interviewer's replies in a scenario: what was ordered, and how far it was heard.

use std::collections::BTreeMap;

use crate::{
    interview::{Effect, Epoch, Event, ReplyId, Say},
    time::SessionTime,
};

#[derive(Default)]
pub(super) struct Replies {
    known: BTreeMap<u32, Ordered>,
    /// The number of the last one that was asked for.
    last: u32,
    /// The first one that nobody spoke for too long.
    stalled: Option<ReplyId>,
}

/// What is known of a reply of ours.
pub(super) struct Ordered {
    pub(super) epoch: Epoch,
    /// Its words, if they are from a file.
    pub(super) words: String,
    /// How many segments it has.
    segments: u16,
    /// Those that were not heard.
    open: Vec<u16>,
}

impl Replies {
    /// Takes in what an effect orders.
    pub(super) fn order(&mut self, effect: &Effect) {
        if let Effect::Speak { reply, .. } | Effect::Fill { reply, .. } = effect {
            self.last = self.last.max(reply.0);
        }
        if let Effect::Speak { reply, epoch, say, .. } = effect {
            let words = if let Say::Text(words) = say { words.clone() } else { String::new() };
            self.known.insert(reply.0, Ordered::new(*epoch, words));
        }
    }

    /// Whether a reply of that number, or of a later one, was asked for.
    pub(super) fn is_ordered(&self, id: u32) -> bool {
        id <= self.last
    }

    /// The reply of that number, ordered or not.
    pub(super) fn of(&mut self, id: u32) -> &mut Ordered {
        self.known.entry(id).or_insert_with(|| Ordered::new(Epoch(0), String::new()))
    }

    /// Nobody spoke for too long, and this was done about it.
    pub(super) fn stall(&mut self, effects: &[Effect]) {
        // Fillers are hushed, too, and nobody orders them.
        let hushed = effects.iter().find_map(|effect| {
            let Effect::Hush { reply } = effect else { return None };
            self.known.contains_key(&reply.0).then_some(*reply)
        });
        self.stalled = self.stalled.or(hushed);
    }

    pub(super) fn stalled(&self) -> Option<ReplyId> {
        self.stalled
    }
}

impl Ordered {
    fn new(epoch: Epoch, words: String) -> Self {
        Self { epoch, words, segments: 0, open: Vec::new() }
    }

    /// The next segment is known.
    pub(super) fn ready(&mut self, reply: ReplyId, text: String) -> Result<Event, String> {
        let n = self.segments;
        self.segments = n.checked_add(1).ok_or("a reply has 65535 segments at most")?;
        self.open.push(n);
        Ok(Event::SegmentReady { reply, n, text })
    }

    /// All of it was heard.
    pub(super) fn ends(&mut self, reply: ReplyId, at: SessionTime) -> Vec<(SessionTime, Event)> {
        let heard = std::mem::take(&mut self.open).into_iter();
        let mut events: Vec<_> = heard.map(|n| (at, Event::SegmentHeard { reply, n })).collect();
        events.push((at, Event::ReplyFinished { reply, heard: String::new() }));
        events
    }
}
