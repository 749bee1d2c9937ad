//! Coverage: which questions were heard, and what became of each.

use std::collections::BTreeMap;

use super::{
    report::{Answered, Question},
    titles::Titles,
    turns::Turn,
};
use crate::{
    blueprint::Blueprint,
    interview::{Effect, Intent, ItemStatus, Note, Quality, QuestionId, TurnId},
    journal::{Entry, PlanProgress},
};

/// Of an answer so many words are quoted below its question.
const QUOTED_WORDS_MAX: usize = 80;

/// A question that was heard.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// Its id: what a model names it by.
    pub(crate) id: u32,
    /// The agent that asked it.
    pub(crate) stage: String,
    /// What became of it.
    pub(crate) question: Question,
}

/// The questions of an interview.
#[derive(Clone, Debug, Default)]
pub(crate) struct Coverage {
    /// Those that were heard, in order; contact data are asked for by none of them.
    pub(crate) asked: Vec<Asked>,
    /// Those that were planned and not asked.
    unasked: Vec<Question>,
    /// What each turn that counts is to its question.
    answers: BTreeMap<u32, Answered>,
}

impl Coverage {
    /// What became of the questions of an interview.
    pub(crate) fn of(
        entries: &[Entry],
        turns: &[Turn],
        blueprint: Option<&Blueprint>,
        progress: Option<&PlanProgress>,
        titles: &Titles,
    ) -> Self {
        let mut fold = Fold::default();
        for entry in entries {
            for effect in &entry.effects {
                if let Effect::Note(note) = effect {
                    fold.note(entry.at.as_millis(), note);
                }
            }
        }
        let is_form = |stage: &str| {
            let mut agents = blueprint.iter().flat_map(|blueprint| &blueprint.agents);
            agents.any(|agent| agent.name == stage && agent.kind.asks_again())
        };
        let mut asked = std::mem::take(&mut fold.asked);
        asked.retain(|_, (_, stage, _)| !is_form(stage));
        let asked = asked.into_iter().map(|(id, (at_ms, stage, text))| {
            let question = Question {
                text,
                stage: titles.stage(&stage),
                at_ms: Some(at_ms),
                asked: true,
                answered: fold.answered(id),
                quotes: fold.quoted(id, turns),
            };
            Asked { id: id.0, stage, question }
        });
        Self {
            asked: asked.collect(),
            unasked: progress.map(unasked).unwrap_or_default(),
            answers: fold
                .answers
                .iter()
                .map(|(turn, (_, kind))| (turn.0, answered(*kind)))
                .collect(),
        }
    }

    /// All of them, those that were asked first.
    pub(crate) fn questions(&self) -> Vec<Question> {
        let asked = self.asked.iter().map(|asked| &asked.question);
        asked.chain(&self.unasked).cloned().collect()
    }

    /// Whether a turn answers a question.
    pub(crate) fn is_answer(&self, turn: &Turn) -> bool {
        self.answers.get(&turn.id).is_some_and(|answered| *answered >= Answered::Partly)
    }
}

#[derive(Default)]
struct Fold {
    /// When, by whom and in which words.
    asked: BTreeMap<QuestionId, (u64, String, String)>,
    /// Which question a turn is about, and what it is to it.
    answers: BTreeMap<TurnId, (Option<QuestionId>, Option<Intent>)>,
    skipped: Vec<QuestionId>,
}

impl Fold {
    fn note(&mut self, at_ms: u64, note: &Note) {
        if let Note::Asked { question, stage, text } = note {
            self.asked.entry(*question).or_insert((at_ms, stage.clone(), text.clone()));
        } else if let Note::Answered { turn, question, kind, .. } = note {
            self.answers.insert(*turn, (*question, *kind));
        } else if let Note::Judged { turn, kind, .. } = note {
            if let Some((_, known)) = self.answers.get_mut(turn) {
                *known = Some(*kind);
            }
        } else if let Note::Skipped { question } = note {
            self.skipped.extend(*question);
        }
    }

    fn answered(&self, question: QuestionId) -> Answered {
        let kinds = self.answers.values().filter(|(of, _)| *of == Some(question));
        let best = kinds.map(|(_, kind)| answered(*kind)).max();
        let skipped = self.skipped.contains(&question).then_some(Answered::Skipped);
        best.max(skipped).unwrap_or(Answered::Unanswered)
    }

    fn quoted(&self, question: QuestionId, turns: &[Turn]) -> Vec<super::report::Evidence> {
        let is_of = |turn: &&Turn| {
            let (of, kind) = self.answers.get(&TurnId(turn.id)).copied().unwrap_or_default();
            let says = answered(kind) > Answered::Unanswered || kind == Some(Intent::DontKnow);
            of == Some(question) && says
        };
        turns.iter().filter(is_of).map(|turn| turn.beginning(QUOTED_WORDS_MAX)).collect()
    }
}

/// What a turn is to its question.
fn answered(kind: Option<Intent>) -> Answered {
    let Some(kind) = kind else { return Answered::Answered };
    match kind {
        Intent::Answer(Quality::Unrated | Quality::Full)
        | Intent::Sensitive
        | Intent::Done
        | Intent::Correct
        | Intent::Yes
        | Intent::No => Answered::Answered,
        Intent::Answer(Quality::Partial | Quality::Vague | Quality::OffTopic)
        | Intent::Unfinished => Answered::Partly,
        Intent::Skip | Intent::SkipPart | Intent::Decline => Answered::Skipped,
        Intent::DontKnow
        | Intent::Repeat
        | Intent::Clarify
        | Intent::Hold
        | Intent::Stop
        | Intent::Ask(_)
        | Intent::Sound
        | Intent::Distress
        | Intent::Abusive => Answered::Unanswered,
    }
}

/// Planned questions that were not asked.
fn unasked(progress: &PlanProgress) -> Vec<Question> {
    let question = |text: &String, stage: &str| Question {
        text: text.clone(),
        stage: stage.to_owned(),
        at_ms: None,
        asked: false,
        answered: Answered::Unanswered,
        quotes: Vec::new(),
    };
    let open = progress.questions.iter().map(|planned| &planned.item);
    let open = open.filter(|item| item.status == ItemStatus::Open);
    let goals = progress.topics.iter().flat_map(|topic| {
        topic.sub_goals.iter().skip(topic.covered).map(|goal| question(goal, &topic.title))
    });
    open.map(|item| question(&item.text, "")).chain(goals).collect()
}
