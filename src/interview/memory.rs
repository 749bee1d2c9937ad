//! What later agents know of the candidate without having heard it (A04, H07).

use super::{
    Effect, Interview, Say, Task,
    event::{QuestionId, TurnId},
    floor::Turn,
    judgement::{AnswerKind, Fact, Judgement},
    note::Note,
    signal::signal,
    style::snippet,
};
use crate::scripted::content_words;

/// More are not kept: the oldest go.
const FACTS_MAX: usize = 30;
/// Facts that we are less sure of are not kept.
const CONFIDENCE_MIN: f32 = 0.6;
/// A thinner answer has no insight worth keeping.
const INSIGHT_MIN: f32 = 0.5;
/// Key points that a summary names.
const SUMMARY_POINTS_MAX: usize = 5;
const SUMMARY_CHARS_MAX: usize = 400;

#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    pub(super) facts: Vec<Fact>,
    pub(super) stages: Vec<StageMemory>,
    /// Values that they corrected: the old one and the one that holds.
    pub(super) corrections: Vec<(String, String)>,
    /// What the judge thinks is worth another question.
    pub(super) threads: Vec<String>,
}

/// What a stage brought.
#[derive(Clone, Debug, Default)]
pub(super) struct StageMemory {
    pub(super) index: usize,
    pub(super) key_points: Vec<String>,
    /// The answer with the best thing that was said, and its signal.
    pub(super) insight: Option<(f32, String)>,
    pub(super) summary: String,
}

/// What can still be judged of a turn that counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judgeable {
    pub(super) turn: TurnId,
    pub(super) attempt: u32,
    pub(super) stage: usize,
    pub(super) question: Option<QuestionId>,
}

/// An answer for the judge to look at.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// What was asked.
    pub question: String,
    /// What was said.
    pub answer: String,
    /// Fields of the rubric that are open: key, what it means.
    pub fields: Vec<(String, String)>,
    /// The key of the field that the question asks for, if it is one.
    pub asked_for: Vec<String>,
}

impl Memory {
    fn stage(&mut self, index: usize) -> &mut StageMemory {
        let place = self.stages.iter().position(|stage| stage.index == index);
        let place = place.unwrap_or_else(|| {
            self.stages.push(StageMemory { index, ..StageMemory::default() });
            self.stages.len() - 1
        });
        &mut self.stages[place]
    }

    /// The best thing that was said is kept, not the latest.
    pub(super) fn hear(&mut self, index: usize, answer: &str) {
        let score = signal(answer).score;
        let stage = self.stage(index);
        let is_better = stage.insight.as_ref().is_none_or(|(best, _)| score > *best);
        if score >= INSIGHT_MIN && is_better {
            stage.insight = Some((score, answer.to_owned()));
        }
    }

    pub(super) fn add_points(&mut self, index: usize, points: &[String]) {
        let stage = self.stage(index);
        for point in points.iter().filter(|point| !point.trim().is_empty()) {
            if !stage.key_points.contains(point) {
                stage.key_points.push(point.clone());
            }
        }
        let surplus = stage.key_points.len().saturating_sub(4 * SUMMARY_POINTS_MAX);
        stage.key_points.drain(..surplus);
    }

    fn learn(&mut self, facts: Vec<Fact>) {
        for fact in facts.into_iter().filter(|fact| fact.confidence >= CONFIDENCE_MIN) {
            if !self.facts.iter().any(|known| known.text == fact.text) {
                self.facts.push(fact);
            }
        }
        let surplus = self.facts.len().saturating_sub(FACTS_MAX);
        self.facts.drain(..surplus);
    }
}

impl Interview {
    /// The answer that the judge is to look at; nothing if it is gone.
    pub fn case(&self, turn: TurnId) -> Option<Case> {
        let in_floor = |turn: &&Turn| turn.id.is_some();
        let open = self.floor.turn().filter(in_floor).filter(|open| open.id == Some(turn));
        let answer = match open {
            Some(open) => open.said.text(),
            None => self.history.said(turn)?,
        };
        let agent = &self.plan.agents[self.stage.index];
        let open_fields = agent.rubric.iter().filter(|field| {
            !matches!(self.rubric.settled(&field.key), Some(super::Settled::Captured { .. }))
        });
        Some(Case {
            question: self.question.as_ref().map(|asked| asked.text.clone()).unwrap_or_default(),
            answer,
            fields: open_fields.map(|field| (field.key.clone(), field.title.clone())).collect(),
            asked_for: self.fields_asked_for(),
        })
    }

    pub(super) fn on_judged(&mut self, id: TurnId, attempt: u32, judgement: Judgement) {
        if let Some(turn) = self.floor.turn_mut().filter(|turn| turn.id == Some(id)) {
            if turn.restarts == attempt {
                turn.draft.judgement = Some(judgement);
            }
            return;
        }
        let is_it = |known: &Judgeable| known.turn == id && known.attempt == attempt;
        if let Some(place) = self.judgeable.iter().position(is_it) {
            let known = self.judgeable.remove(place);
            self.learn(known, judgement);
        }
    }

    /// What the judge found in a turn that counts. It changes what is known, never who has the floor.
    pub(super) fn learn(&mut self, known: Judgeable, judgement: Judgement) {
        let Judgement { depth, answer_kind: kind, key_points, facts, fields, follow_ups } =
            judgement;
        let turn = known.turn;
        self.out.push(Effect::Note(Note::Judged { turn, kind, depth }));
        self.memory.add_points(known.stage, &key_points);
        self.memory.learn(facts);
        self.memory.threads = follow_ups;
        self.settle_found(turn, fields);
        // What the words did not say clearly the judge may have understood; another question may wait by now.
        let waits = self.question.as_ref().map(|asked| asked.id);
        if kind == AnswerKind::DontKnow && known.question.is_some() && known.question == waits {
            for key in self.fields_asked_for() {
                self.settle_field(key, super::Settled::Unknown);
            }
        }
    }

    /// What the stage that ends has brought (H07).
    pub(super) fn summarise(&mut self) {
        let index = self.stage.index;
        let agent = &self.plan.agents[index];
        let stage = self.memory.stage(index);
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
            let last = self.history.turns_of(index).next_back();
            text = match last {
                Some((_, said)) => format!("They said: \"{}\".", snippet(&said)),
                None => "They said nothing.".to_owned(),
            };
        }
        text.truncate(text.floor_char_boundary(SUMMARY_CHARS_MAX));
        stage.summary.clone_from(&text);
        let note = Note::Summary { stage: agent.name.clone(), text };
        self.out.push(Effect::Note(note));
    }

    /// Whether a reply of the model is for a question that somebody wanted again.
    pub(super) fn may_repeat(say: &Say) -> bool {
        match say {
            Say::Text(_) | Say::Model { task: Task::Rephrase, .. } => true,
            Say::Model {
                task: Task::Open | Task::Follow | Task::Bridge(_) | Task::Check, ..
            } => false,
        }
    }

    /// Something that the recruiter lets us tell, if the candidate asks for it.
    pub(super) fn known_answer(&self, asked: &str) -> Option<String> {
        let words: Vec<String> = content_words(asked).collect();
        let asked = asked.to_lowercase();
        let is_about = |about: &String| {
            let about = about.to_lowercase();
            words.contains(&about) || asked.split_whitespace().any(|word| word == about)
        };
        let known = self.context.knowledge.iter().find(|known| known.about.iter().any(is_about));
        known.map(|known| known.answer.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A04: the best thing that was said is kept, not the latest; facts that we are not sure of are not.
    #[test]
    fn what_is_kept() {
        let mut memory = Memory::default();
        let rich = "we reduced the costs of 12 teams by 40 percent in 2021 and I am proud of it because it was hard";
        memory.hear(0, rich);
        memory.hear(0, "well it was nice I think");
        let (_, insight) = memory.stages[0].insight.clone().unwrap();
        assert_eq!(insight, rich);
        let fact = |text: &str, confidence| Fact { text: text.into(), confidence };
        memory.learn(vec![fact("They lead a team.", 0.9), fact("They like cats.", 0.3)]);
        memory.learn(vec![fact("They lead a team.", 0.8)]);
        assert_eq!(memory.facts, [fact("They lead a team.", 0.9)]);
    }
}
