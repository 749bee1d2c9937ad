//! Names for people: of stages, and of questions by their ids.

use std::collections::BTreeMap;

use crate::{
    blueprint::Blueprint,
    interview::{Effect, Note, QuestionId},
    journal::Entry,
};

/// Titles of stages, and the words of questions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Titles {
    stages: BTreeMap<String, String>,
    questions: BTreeMap<QuestionId, String>,
}

impl Titles {
    /// Those of an interview; a stage of a blueprint that cannot be read has its name alone.
    pub(crate) fn of(blueprint: Option<&Blueprint>, entries: &[Entry]) -> Self {
        let agents = blueprint.iter().flat_map(|blueprint| &blueprint.agents);
        let stages = agents.map(|agent| (agent.name.clone(), agent.title.clone())).collect();
        let effects = entries.iter().flat_map(|entry| &entry.effects);
        let asked = effects.filter_map(|effect| {
            if let Effect::Note(Note::Asked { question, text, .. }) = effect {
                Some((*question, text.clone()))
            } else {
                None
            }
        });
        Self { stages, questions: asked.collect() }
    }

    /// The title of a stage.
    pub(crate) fn stage(&self, name: &str) -> String {
        self.stages.get(name).map_or(name, String::as_str).to_owned()
    }

    /// The words of a question.
    pub(crate) fn question(&self, question: QuestionId) -> Option<&str> {
        self.questions.get(&question).map(String::as_str)
    }
}
