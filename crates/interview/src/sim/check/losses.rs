//! What a simulated recogniser lost on its way to words.

use std::collections::BTreeSet;

use crate::{interview::Event, time::Span};

/// What was lost on its way to words.
#[derive(Debug, Default)]
pub(super) struct Lost {
    /// Stretches of segments that have other words.
    pub(super) stretches: Vec<(u32, Span)>,
    /// Segments whose words are final: the beginning of one tells nothing of what it will lose.
    pub(super) finals: BTreeSet<u32>,
    /// The longest voice since the last words.
    pub(super) longest: Span,
    /// Whether they were asked to say it again since the last question.
    pub(super) asked: bool,
}

impl Lost {
    /// A voice has ended.
    pub(super) fn voice(&mut self, voice: Span) {
        if voice.length() > self.longest.length() {
            self.longest = voice;
        }
    }

    /// Words have come, or none.
    pub(super) fn told(&mut self, event: &Event) {
        if let Event::PartialTranscript(words) | Event::FinalTranscript(words) = event
            && !words.text.is_empty()
            && words.to > self.longest.from
        {
            self.longest = Span::default();
        }
        if let Event::FinalTranscript(words) = event {
            self.finals.insert(words.segment);
        }
    }

    /// Whoever answers a new question may be asked again.
    pub(super) fn new_question(&mut self) {
        self.asked = false;
    }
}
