//! An answer: its facts, and what rules find in it.

use super::{
    advice::suggestions,
    review::{PartFound, ReviewedAnswer},
    story::{Clause, StoryPart, shortened},
};
use crate::{
    assess::{evidence::find, facts::fillers, turns::Turn},
    blueprint::Language,
    interview::QuestionId,
};

/// Less speech has no pace.
const PACED_MS_MIN: u64 = 8_000;

/// An answer: a question and the turns that answer it.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) question: QuestionId,
    pub(super) asked: String,
    pub(super) stage: String,
    pub(super) turns: Vec<Turn>,
}

impl Answer {
    fn clauses(&self, language: Language) -> Vec<Clause<'_>> {
        self.turns.iter().flat_map(|turn| Clause::all(turn, language)).collect()
    }

    /// A quote as it was said in one of its turns; nothing if nobody said it.
    pub(super) fn quoted(&self, quote: &str) -> Option<String> {
        let found = self.turns.iter().find_map(|turn| find(quote, turn))?;
        Some(shortened(&found.quote))
    }

    /// What rules say of it.
    pub(super) fn reviewed(&self, language: Language) -> ReviewedAnswer {
        let clauses = self.clauses(language);
        let told = |part| {
            let clause = clauses.iter().find(|clause| clause.tells(part, language));
            PartFound { part, quote: clause.map(|clause| shortened(&clause.text())) }
        };
        let parts = StoryPart::ALL.map(told).to_vec();
        let length_ms = |turn: &Turn| turn.ended_ms() - turn.began_ms();
        let spoken_ms: u64 = self.turns.iter().map(length_ms).sum();
        let sum = |count: fn(&Turn) -> usize| self.turns.iter().map(count).sum::<usize>() as u64;
        let spoken = sum(Turn::spoken_words);
        let mut reviewed = ReviewedAnswer {
            question: self.question.0,
            asked: self.asked.clone(),
            stage: self.stage.clone(),
            parts,
            seconds: (spoken_ms + 500) / 1_000,
            words: sum(|turn| turn.words.len()),
            words_per_minute: (spoken_ms >= PACED_MS_MIN && spoken > 0)
                .then(|| spoken * 60_000 / spoken_ms),
            fillers: self.turns.iter().map(|turn| fillers(turn, language)).sum::<usize>() as u64,
            suggestions: Vec::new(),
        };
        reviewed.suggestions = suggestions(&reviewed, &clauses, language);
        reviewed
    }
}
