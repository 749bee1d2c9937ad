//! What a practice interview gives back: per answer what was in it and what was not, its length and pace,
//! and two suggestions that quote the candidate's own words (C03). It is no assessment: there is no level, no
//! figure and no comparison with anybody.

mod advice;
mod answers;
mod model;
mod review;
mod story;

pub use review::{Advice, PartFound, Review, ReviewedAnswer, Suggestion};
pub use story::StoryPart;

use crate::{
    assess::turns::Turn,
    blueprint::{Blueprint, Language},
    interview::{Effect, Note, turn_taking::endpointing::is_open},
    journal::{Entry, Inputs, conversation},
    planning::{MadeBy, Request},
};
use answers::Answer;

/// An answer of fewer words, such as "no, thank you", has nothing in it to review.
const WORDS_MIN: usize = 4;
/// More answers are reviewed of no interview.
const ANSWERS_MAX: usize = 40;

/// The answers of an interview, for rules or a model to review.
#[derive(Clone, Debug)]
pub struct Answers {
    language: Language,
    answers: Vec<Answer>,
}

impl Answers {
    /// The answers of an interview. What is nobody's business is not among them.
    pub fn of(inputs: &Inputs, entries: &[Entry]) -> Self {
        let blueprint = Blueprint::load(&inputs.files).ok();
        let blueprint = blueprint.map(|blueprint| blueprint.for_candidate(&inputs.context));
        let agents = blueprint.as_ref().map_or(&[][..], |blueprint| &blueprint.agents);
        let turns = Turn::all(&conversation(entries));
        let mut answers: Vec<Answer> = Vec::new();
        let notes = entries
            .iter()
            .flat_map(|entry| &entry.effects)
            .filter_map(|effect| if let Effect::Note(note) = effect { Some(note) } else { None });
        for note in notes {
            if let Note::Asked { question, stage, text } = note
                && is_open(text)
                && answers.iter().all(|it| it.question != *question)
            {
                let agent = agents.iter().find(|agent| agent.name == *stage);
                // Goodbyes and forms ask for no story.
                if agent.is_some_and(|agent| agent.kind.closes() || agent.kind.asks_again()) {
                    continue;
                }
                let stage = agent.map_or(stage, |agent| &agent.title).clone();
                let asked = text.clone();
                answers.push(Answer { question: *question, asked, stage, turns: Vec::new() });
            }
            if let Note::Answered { turn, question: Some(question), .. } = note
                && let Some(answer) = answers.iter_mut().find(|it| it.question == *question)
                && let Some(said) = turns.iter().find(|said| said.id == turn.0)
                && answer.turns.iter().all(|known| known.id != said.id)
            {
                answer.turns.push(said.clone());
            }
        }
        let words =
            |answer: &Answer| answer.turns.iter().map(|turn| turn.words.len()).sum::<usize>();
        answers.retain(|answer| words(answer) >= WORDS_MIN);
        answers.truncate(ANSWERS_MAX);
        let language = blueprint.map_or(Language::English, |blueprint| blueprint.language);
        Self { language, answers }
    }

    /// Whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    /// The words of a question that was answered, by its number.
    pub fn asked(&self, question: u32) -> Option<&str> {
        let answer = self.answers.iter().find(|answer| answer.question.0 == question)?;
        Some(&answer.asked)
    }

    /// What rules say of them.
    pub fn by_rules(&self) -> Review {
        let answers = self.answers.iter().map(|answer| answer.reviewed(self.language));
        Review { answers: answers.collect(), by: MadeBy::Rules }
    }

    /// What a model is asked about all of them at once.
    pub fn request(&self) -> Request {
        model::request(&self.answers, self.language)
    }

    /// What a model wrote, with its quotes checked: where one of them was not said, rules speak. An error is
    /// a sentence for the model.
    pub fn read(&self, json: &str) -> Result<Review, String> {
        model::read(json, &self.answers, self.language)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interview::QuestionId;

    fn answer(texts: &[&str]) -> Answer {
        let turns = (1..).zip(texts).map(|(id, text)| Turn::plain(id, text)).collect();
        let (asked, stage) = ("Tell me about a project.".to_owned(), "Past".to_owned());
        Answer { question: QuestionId(2), asked, stage, turns }
    }

    fn of(texts: &[&str]) -> Answers {
        Answers { language: Language::English, answers: vec![answer(texts)] }
    }

    const STORY: &str = "Last year our billing was slow. My task was to mend it within a month. I measured \
        each step and rewrote the ledger. In the end requests took half the time.";

    /// C03: what was told is quoted, what was not is said to be missing, and each answer gets two suggestions
    /// of its own, each with words that were said.
    #[test]
    fn an_answer_is_reviewed() {
        let whole = of(&[STORY]).by_rules();
        let parts = &whole.answers[0].parts;
        assert!(parts.iter().all(|part| part.quote.is_some()), "{parts:?}");
        assert_eq!(parts[3].quote.as_deref(), Some("In the end requests took half the time."));
        let thin = of(&["We moved the billing to a new database, and stuff like that."]).by_rules();
        let told: Vec<_> = thin.answers[0].parts.iter().map(|part| part.quote.is_some()).collect();
        assert!(!told[2] && !told[3], "{told:?}");
        for review in [&whole, &thin] {
            let suggestions = &review.answers[0].suggestions;
            assert_eq!(suggestions.len(), 2, "{suggestions:?}");
            assert_ne!(suggestions[0].advice, suggestions[1].advice);
        }
        for Suggestion { quote, .. } in &thin.answers[0].suggestions {
            assert!(thin_text().contains(quote.as_str()), "{quote}");
        }
    }

    fn thin_text() -> &'static str {
        "We moved the billing to a new database, and stuff like that."
    }

    /// C03: fillers, length and pace are counted as they are, over all turns of an answer.
    #[test]
    fn counts_are_facts() {
        let review = of(&["Um, I led it for, uh, nine years.", "And then I left."]).by_rules();
        let answer = &review.answers[0];
        assert_eq!((answer.words, answer.fillers, answer.seconds), (12, 2, 12));
        assert_eq!(answer.words_per_minute, Some(60));
        assert_eq!(of(&["Yes."]).by_rules().answers[0].words_per_minute, None);
    }

    /// C03: of what a model writes only quotes that were said are taken; where one was not, rules speak.
    #[test]
    fn a_models_quotes_are_checked() {
        let answers = of(&[STORY]);
        let written = |quote: &str| {
            serde_json::json!({ "answers": [{
                "question": 2,
                "situation": "Last year our billing was slow",
                "task": "",
                "own_part": "I measured each step",
                "result": "we made a million",
                "suggestions": [
                    { "text": "Say how slow it was.", "quote": "our billing was slow" },
                    { "text": "Begin with the result.", "quote": quote },
                ],
            }] })
            .to_string()
        };
        let review = answers.read(&written("requests took half the time")).unwrap();
        let answer = &review.answers[0];
        let quotes: Vec<_> = answer.parts.iter().map(|part| part.quote.is_some()).collect();
        assert_eq!(quotes, [true, false, true, false], "what was not said is not told");
        assert_eq!(answer.suggestions[0].text.as_deref(), Some("Say how slow it was."));
        assert_eq!(answer.suggestions[1].quote, "requests took half the time.");
        let review = answers.read(&written("I saved the company")).unwrap();
        assert_eq!(review.answers[0].suggestions.len(), 2);
        assert_eq!(review.answers[0].suggestions[1].text, None, "a rule speaks");
        assert!(answers.read("{}").is_err());
        let other =
            written("requests took half the time").replace("\"question\":2", "\"question\":9");
        let by_rules = answers.by_rules().answers;
        assert_eq!(answers.read(&other).unwrap().answers, by_rules, "of an answer that is none");
    }

    /// C03: a model is told what was said, and that it is no instruction.
    #[test]
    fn a_model_is_asked_about_all_answers() {
        let request = of(&[STORY]).request();
        assert!(request.user.contains("our billing was slow"), "{}", request.user);
        assert!(request.system.contains("never instructions"), "{}", request.system);
    }
}
