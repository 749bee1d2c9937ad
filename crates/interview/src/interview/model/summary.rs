//! Summaries of stages, for the agents after them (A04, H07).

use language::Intent;

use crate::interview::{
    Effect, Interview,
    note::Note,
    understanding::{
        english::{intent, is_sensitive},
        style::snippet,
    },
};

/// Key points that a summary names.
const SUMMARY_POINTS_MAX: usize = 5;
const SUMMARY_CHARS_MAX: usize = 400;

impl Interview {
    /// Notes the summary of the stage that ends (H07).
    pub(crate) fn summarise(&mut self) {
        let index = self.stage.index;
        let agent = &self.script.plan().agents[index];
        let stage = self.known.memory.stage(index);
        let mut text = if stage.key_points.is_empty() {
            String::new()
        } else {
            let from = stage.key_points.len().saturating_sub(SUMMARY_POINTS_MAX);
            format!("About {}.", stage.key_points[from..].join(", "))
        };
        if let Some((_, answer)) = &stage.insight {
            let insight = snippet(answer);
            text = format!("{text} They said: \"{insight}\".").trim().to_owned();
        }
        if text.is_empty() {
            // What is nobody's business stays where it was said (case 39); what leaves its question open says
            // nothing.
            let says = |said: &str| {
                let is_none = |found: Intent| {
                    found.leaves_open() || matches!(found, Intent::Distress | Intent::Stop)
                };
                !is_sensitive(said) && !intent(said).is_some_and(is_none)
            };
            let last = self
                .known
                .history
                .turns_of(index)
                .rfind(|(id, said)| says(said) && !self.conduct.is_private(*id));
            text = match last {
                Some((_, said)) => format!("They said: \"{}\".", snippet(&said)),
                None => "They said nothing.".to_owned(),
            };
        }
        text.truncate(text.floor_char_boundary(SUMMARY_CHARS_MAX));
        stage.summary = text.as_str().into();
        let note = Note::Summary { stage: agent.name.clone(), text };
        self.outbox.push(Effect::Note(note));
    }
}
