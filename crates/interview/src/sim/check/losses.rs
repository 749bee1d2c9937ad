//! What a simulated recogniser lost on its way to words.

use std::{collections::BTreeSet, time::Duration};

use crate::{
    interview::Event,
    time::{SessionTime, Span},
};

/// What was lost on its way to words.
#[derive(Debug, Default)]
pub(super) struct Lost {
    /// Stretches of segments that have other words.
    pub(super) stretches: Vec<(u32, Span)>,
    /// Segments whose words are final: the beginning of one tells nothing of what it will lose.
    pub(super) finals: BTreeSet<u32>,
    /// Voices that no words reach into: late words of an earlier voice leave the later ones.
    wordless: Vec<Span>,
    /// The begin of the voice that is on. A cut line has no end of voice: it goes on behind the cut.
    since: Option<SessionTime>,
    /// Whether they were asked to say it again since the last question.
    pub(super) asked: bool,
}

impl Lost {
    /// A voice begins at `at`, unless one is on.
    pub(super) fn begin_voice(&mut self, at: SessionTime) {
        self.since.get_or_insert(at);
    }

    /// The voice ends at `at`.
    pub(super) fn end_voice(&mut self, at: SessionTime) {
        if let Some(since) = self.since.take() {
            self.wordless.push(Span::new(since, at));
        }
    }

    /// Words have come, or none; whether they may be the candidate's.
    pub(super) fn told(&mut self, event: &Event, counts: bool) {
        if counts
            && let Event::PartialTranscript(words) | Event::FinalTranscript(words) = event
            && !words.text.is_empty()
        {
            self.wordless.retain(|voice| voice.from >= words.to);
        }
        if let Event::FinalTranscript(words) = event {
            self.finals.insert(words.segment);
        }
    }

    /// How long the longest voice without words was; they are asked about once.
    pub(super) fn longest_wordless(&mut self) -> Duration {
        std::mem::take(&mut self.wordless).into_iter().map(Span::length).max().unwrap_or_default()
    }

    /// Whoever answers a new question may be asked again.
    pub(super) fn new_question(&mut self) {
        self.asked = false;
    }
}
