//! What became of an interview's plan: its questions or topics, the offer of more time, contact data. A
//! projection of the journal and the inputs.

use super::{
    Entry, Inputs,
    transcript::{Wordings, wordings},
};
use crate::{
    blueprint::{Blueprint, Field, Format, Kind},
    interview::{Effect, Item, Note, Notice, Outset, Phase, Settled, Status, TopicState},
    planning::Plannable,
};

/// An interview's plan and how far it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanProgress {
    /// What the interview does now, as dashboards name it (L08).
    pub phase: Option<Phase>,
    /// The names of its documents.
    pub documents: Vec<String>,
    /// Questions of a backlog, as they were planned; what was brought up stands at the end.
    pub questions: Vec<QuestionProgress>,
    /// Topics, in order.
    pub topics: Vec<TopicProgress>,
    /// The turns that there are for all topics.
    pub turns_total: u32,
    /// Those of them that are left.
    pub turns_left: u32,
    /// Whether there was time for more, if they were asked (L05).
    pub extension: Option<bool>,
    /// Whether they leave contact data, if they were asked (L06).
    pub consent: Option<bool>,
    /// Contact data, in the order of the form.
    pub contact: Vec<ContactField>,
}

/// A planned question and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct QuestionProgress {
    /// The question.
    pub item: Item,
    /// What was said when it was asked, up to its end.
    pub asked_as: Option<String>,
    /// The answer, without what is nobody's business.
    pub answer: Option<String>,
}

/// A topic and how far it is.
#[derive(Clone, Debug, PartialEq)]
pub struct TopicProgress {
    /// Its name for the report.
    pub key: String,
    /// Its name for people.
    pub title: String,
    /// Its questions; the first `covered` of them were asked.
    pub sub_goals: Vec<String>,
    /// How many were asked.
    pub covered: usize,
    /// Its turns as they were shared out.
    pub share: u32,
    /// Turns on it.
    pub turns: u32,
    /// Turns that it took from other topics.
    pub bonus: u32,
    /// How rich the answers are on the whole, 0..=1.
    pub score: f32,
    /// The best words of the richest answer.
    pub insight: Option<String>,
}

/// A field of the form.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactField {
    /// Its name.
    pub key: String,
    /// Its name for people.
    pub title: String,
    /// What its value looks like.
    pub format: Format,
    /// Its value, or why there is none; nothing before it was settled.
    pub settled: Option<Settled>,
}

/// The plan of an interview and how far it is; nothing where its blueprint plans nothing, or is one that
/// this program does not read.
pub fn plan_progress(inputs: &Inputs, entries: &[Entry]) -> Option<PlanProgress> {
    let blueprint = Blueprint::load(&inputs.files).ok()?.for_candidate(&inputs.context);
    if Plannable::of(&blueprint) == Plannable::Nothing {
        return None;
    }
    let mut fold = Fold::new(inputs, &blueprint);
    for effect in entries.iter().flat_map(|entry| &entry.effects) {
        fold.effect(effect);
    }
    Some(fold.finish(&wordings(entries)))
}

/// The fields of the form of a blueprint.
pub fn form_fields(blueprint: &Blueprint) -> &[Field] {
    let form = blueprint.agents.iter().find(|agent| agent.kind == Kind::Form);
    form.map(|agent| agent.rubric.as_slice()).unwrap_or_default()
}

struct Fold {
    progress: PlanProgress,
    items: Vec<Item>,
}

impl Fold {
    fn new(inputs: &Inputs, blueprint: &Blueprint) -> Self {
        let Outset { items, shares, turns } = Outset::new(blueprint, &inputs.context);
        let topics = blueprint.agents.iter().flat_map(|agent| agent.kind.topics());
        let topics = topics.enumerate().map(|(place, topic)| TopicProgress {
            key: topic.key.clone(),
            title: topic.title.clone(),
            sub_goals: topic.sub_goals.clone(),
            covered: 0,
            share: shares.get(place).copied().unwrap_or_default(),
            turns: 0,
            bonus: 0,
            score: 0.0,
            insight: None,
        });
        let contact = form_fields(blueprint).iter().map(|field| ContactField {
            key: field.key.clone(),
            title: field.title.clone(),
            format: field.format,
            settled: None,
        });
        let progress = PlanProgress {
            documents: inputs
                .context
                .documents
                .iter()
                .map(|document| document.name.clone())
                .collect(),
            topics: topics.collect(),
            turns_total: turns,
            turns_left: turns,
            contact: contact.collect(),
            ..PlanProgress::default()
        };
        Self { progress, items }
    }

    fn effect(&mut self, effect: &Effect) {
        match effect {
            Effect::Publish(Notice::Status(Status { phase, .. })) => {
                self.progress.phase = phase.or(self.progress.phase);
            }
            Effect::Note(note) => self.note(note),
            Effect::Publish(Notice::Turn { .. })
            | Effect::Handoff { .. }
            | Effect::Hangup { .. }
            | Effect::Fill { .. }
            | Effect::Speak { .. }
            | Effect::Play { .. }
            | Effect::Seal { .. }
            | Effect::Pause { .. }
            | Effect::Resume { .. }
            | Effect::Judge { .. }
            | Effect::Understand { .. }
            | Effect::Listen { .. }
            | Effect::Hush { .. }
            | Effect::Answer { .. }
            | Effect::Acknowledge { .. } => {}
        }
    }

    fn note(&mut self, note: &Note) {
        if let Note::Item(item) = note {
            match self.items.iter_mut().find(|known| known.id == item.id) {
                Some(known) => known.clone_from(item),
                None => self.items.push(item.clone()),
            }
        } else if let Note::Topic(state) = note {
            self.topic(state);
        } else if let Note::Extension { accepted } = note {
            self.progress.extension = Some(*accepted);
        } else if let Note::Consent { given } = note {
            self.progress.consent = Some(*given);
        } else if let Note::Field { key, settled } = note {
            let mut fields = self.progress.contact.iter_mut();
            if let Some(field) = fields.find(|field| field.key == *key) {
                field.settled = Some(settled.clone());
            }
        }
    }

    fn topic(&mut self, state: &TopicState) {
        let mut topics = self.progress.topics.iter_mut();
        if let Some(topic) = topics.find(|topic| topic.key == state.topic) {
            topic.covered = state.covered.min(topic.sub_goals.len());
            (topic.turns, topic.bonus) = (u32::from(state.turns), state.bonus);
            (topic.score, topic.insight) = (state.score, state.insight.clone());
        }
        self.progress.turns_left = state.turns_left;
    }

    fn finish(self, said: &Wordings) -> PlanProgress {
        let questions = self.items.into_iter().map(|item| QuestionProgress {
            asked_as: item.question.and_then(|question| said.questions.get(&question).cloned()),
            answer: item.turn.and_then(|turn| said.turns.get(&turn).cloned()),
            item,
        });
        PlanProgress { questions: questions.collect(), ..self.progress }
    }
}
