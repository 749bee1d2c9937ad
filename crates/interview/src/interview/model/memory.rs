//! The memory: facts about the candidate for the agents of later stages (A04, H07).

use std::sync::Arc;

use crate::foreign::Foreign;
use crate::interview::{model::judgement::Fact, understanding::signal::signal};

/// More are not kept: the oldest go.
const POINTS_MAX: usize = 20;
const FACTS_MAX: usize = 30;
const CORRECTIONS_MAX: usize = 20;
/// Facts that we are less sure of are not kept.
const CONFIDENCE_MIN: f32 = 0.6;
/// A thinner answer has no insight worth keeping.
const INSIGHT_MIN: f32 = 0.5;

#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    pub(crate) facts: Vec<Fact>,
    pub(crate) stages: Vec<StageMemory>,
    /// Values that they corrected: the old one and the one that holds.
    corrections: Vec<(Foreign, Foreign)>,
    /// The keyterms that were ordered last.
    pub(crate) keyterms: Arc<[String]>,
    /// Subjects that the judge finds worth another question.
    pub(crate) threads: Vec<Foreign>,
}

/// The content of a stage.
#[derive(Clone, Debug, Default)]
pub(crate) struct StageMemory {
    pub(crate) index: usize,
    pub(crate) key_points: Vec<String>,
    /// The answer with the best thing that was said, and its signal.
    pub(crate) insight: Option<(f32, String)>,
    pub(crate) summary: Foreign,
}

impl Memory {
    /// The content of a stage so far.
    pub(crate) fn stage(&mut self, index: usize) -> &mut StageMemory {
        let place = self.stages.iter().position(|stage| stage.index == index);
        let place = place.unwrap_or_else(|| {
            self.stages.push(StageMemory { index, ..StageMemory::default() });
            self.stages.len() - 1
        });
        &mut self.stages[place]
    }

    /// The best thing that was said is kept, not the latest.
    pub(crate) fn hear(&mut self, index: usize, answer: &str) {
        let score = signal(answer).score;
        let stage = self.stage(index);
        let is_better = stage.insight.as_ref().is_none_or(|(best, _)| score > *best);
        if score >= INSIGHT_MIN && is_better {
            stage.insight = Some((score, answer.to_owned()));
        }
    }

    pub(crate) fn add_points(&mut self, index: usize, points: &[String]) {
        let stage = self.stage(index);
        for point in points.iter().filter(|point| !point.trim().is_empty()) {
            if !stage.key_points.contains(point) {
                stage.key_points.push(point.clone());
            }
        }
        let surplus = stage.key_points.len().saturating_sub(POINTS_MAX);
        stage.key_points.drain(..surplus);
    }

    /// `new` holds, not `old`.
    pub(crate) fn correct(&mut self, old: String, new: String) {
        if self.corrections.len() == CORRECTIONS_MAX {
            self.corrections.remove(0);
        }
        self.corrections.push((old.into(), new.into()));
    }

    pub(crate) fn corrections(&self) -> &[(Foreign, Foreign)] {
        &self.corrections
    }

    pub(crate) fn learn(&mut self, facts: Vec<Fact>) {
        for fact in facts.into_iter().filter(|fact| fact.confidence >= CONFIDENCE_MIN) {
            if !self.facts.iter().any(|known| known.text == fact.text) {
                self.facts.push(fact);
            }
        }
        let surplus = self.facts.len().saturating_sub(FACTS_MAX);
        self.facts.drain(..surplus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A04: the best thing that was said is kept, not the latest; facts that we are not sure of are not.
    #[test]
    fn what_is_kept() {
        let mut memory = Memory::default();
        let rich = "we reduced the costs of 12 teams by 40 percent in 2021 and I am proud of it \
            because it was hard";
        memory.hear(0, rich);
        memory.hear(
            0,
            "we decided it in 2021 because all the other ways that we had tried before were much \
                too slow for most of them",
        );
        memory.hear(0, "well it was nice I think");
        let (_, insight) = memory.stages[0].insight.clone().unwrap();
        assert_eq!(insight, rich);
        let fact = |text: &str, confidence| Fact { text: text.into(), confidence };
        memory.learn(vec![fact("They lead a team.", 0.9), fact("They like cats.", 0.3)]);
        memory.learn(vec![fact("They lead a team.", 0.8), fact("They like tea.", 0.6)]);
        assert_eq!(memory.facts, [fact("They lead a team.", 0.9), fact("They like tea.", 0.6)]);
    }

    /// A04, DESIGN 11: there is an end to what is kept, and the oldest goes.
    #[test]
    fn the_oldest_goes() {
        let mut memory = Memory::default();
        for n in 0..60 {
            memory.learn(vec![Fact { text: n.to_string().into(), confidence: 1.0 }]);
            memory.correct(n.to_string(), String::new());
            memory.add_points(0, &[n.to_string()]);
        }
        let ends = [
            memory.facts.iter().map(|fact| fact.text.for_people()).collect::<Vec<_>>(),
            memory.corrections.iter().map(|(old, _)| old.for_people()).collect(),
            memory.stages[0].key_points.iter().map(String::as_str).collect(),
        ];
        let ends = ends.map(|kept| (kept.len(), kept[kept.len() - 1]));
        assert_eq!(ends, [(30, "59"), (20, "59"), (20, "59")]);
    }
}
