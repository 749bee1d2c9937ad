//! Coverage: which questions were heard, and what became of each.

use std::collections::BTreeMap;

use super::{
    report::{Answered, Question},
    titles::Titles,
    turns::Turn,
};
use crate::{
    blueprint::{Blueprint, OWN_QUESTIONS},
    interview::understanding::words::normal,
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
                same: String::new(),
                stage: titles.stage(&stage),
                at_ms: Some(at_ms),
                asked: true,
                answered: fold.answered(id),
                quotes: fold.quoted(id, turns),
            };
            Asked { id: id.0, stage, question }
        });
        let asked: Vec<_> = asked.collect();
        let own = unasked_own(blueprint, &asked, titles);
        Self {
            unasked: own.chain(progress.map(unasked).unwrap_or_default()).collect(),
            asked,
            answers: fold
                .answers
                .iter()
                .map(|(turn, (_, kind))| (turn.0, answered(*kind)))
                .collect(),
        }
    }

    /// All of them, those that were asked first, of a candidate who is called so.
    pub(crate) fn questions(&self, name: &str) -> Vec<Question> {
        let asked = self.asked.iter().map(|asked| &asked.question);
        let all = asked.chain(&self.unasked).cloned();
        all.map(|question| Question { same: same(&question.text, name), ..question }).collect()
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

/// The words of a question without the candidate's name: the same question to somebody else has the same.
fn same(text: &str, name: &str) -> String {
    let name = name.trim();
    let is_within = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let mut rest = text;
    let mut bare = String::new();
    while let Some(at) = rest.find(name).filter(|_| !name.is_empty()) {
        let (before, after) = (&rest[..at], &rest[at + name.len()..]);
        bare += before;
        if is_within(before.chars().next_back()) || is_within(after.chars().next()) {
            bare += name;
        }
        rest = after;
    }
    normal(&(bare + rest))
}

/// A question that nobody heard.
fn not_asked(text: &str, stage: &str) -> Question {
    Question {
        text: text.to_owned(),
        same: String::new(),
        stage: stage.to_owned(),
        at_ms: None,
        asked: false,
        answered: Answered::Unanswered,
        quotes: Vec::new(),
    }
}

/// The recruiter's own questions that were not asked. A model may have asked some in words of its own, so
/// there are no more of them than questions are missing in their stage.
fn unasked_own(
    blueprint: Option<&Blueprint>,
    asked: &[Asked],
    titles: &Titles,
) -> impl Iterator<Item = Question> {
    let agents = blueprint.into_iter().flat_map(|blueprint| &blueprint.agents);
    let own = agents.filter(|agent| agent.name == OWN_QUESTIONS);
    own.flat_map(|agent| {
        let heard: Vec<_> = asked.iter().filter(|asked| asked.stage == agent.name).collect();
        let missing = agent.questions.len().saturating_sub(heard.len());
        let was_heard =
            |text: &&String| heard.iter().any(|asked| normal(&asked.question.text) == normal(text));
        let open = agent.questions.iter().filter(|text| !was_heard(text));
        let mut open: Vec<_> =
            open.map(|text| not_asked(text, &titles.stage(&agent.name))).collect();
        // They are asked in order.
        open.drain(..open.len().saturating_sub(missing));
        open
    })
}

/// Planned questions that were not asked.
fn unasked(progress: &PlanProgress) -> Vec<Question> {
    let question = |text: &String, stage: &str| not_asked(text, stage);
    let open = progress.questions.iter().map(|planned| &planned.item);
    let open = open.filter(|item| item.status == ItemStatus::Open);
    let goals = progress.topics.iter().flat_map(|topic| {
        topic.sub_goals.iter().skip(topic.covered).map(|goal| question(goal, &topic.title))
    });
    open.map(|item| question(&item.text, "")).chain(goals).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blueprint::{OwnQuestion, Tailoring, tailored};

    const OWN: [&str; 3] = ["Why us?", "When can you begin?", "Who taught you?"];

    fn blueprint() -> Blueprint {
        let agent = |kind: &str| {
            format!(
                "+++\ntitle = \"A\"\nkind = \"{kind}\"\nstage_limit = \"1m\"\nsilence_limit = \"30s\"\n\
                 questions = [\"Who?\"]\nbridge = \"So.\"\nnudges = [\"Now.\", \"Well?\"]\n+++\n\nAsk.\n"
            )
        };
        let head = "title = \"T\"\ninterviewer = \"Alba\"\nstages = [\"a\", \"bye\"]\n".to_owned();
        let files =
            [("blueprint.toml", head), ("a.md", agent("questions")), ("bye.md", agent("closing"))];
        let files = files.map(|(name, text)| (name.to_owned(), text));
        let own = |text: &str| OwnQuestion { text: text.into(), verbatim: true, follow_ups: 0 };
        let tailoring = Tailoring { questions: OWN.map(own).to_vec(), limit: None };
        Blueprint::load(&tailored(&files, &tailoring).unwrap()).unwrap()
    }

    /// #41: the same question to two people is one row of a table, also where it names them.
    #[test]
    fn a_question_is_the_same_to_everybody() {
        for (ours, name, theirs, other, is_same) in [
            ("Hello Ada, what did you build?", "Ada", "Hello Bo, what did you build?", "Bo", true),
            ("Why us?", "Ada Byron", "why us", "", true),
            ("Will, will you move?", "Will", "Ada, will you move?", "Ada", true),
            ("Also, why?", "Al", "Also, why?", "Bo", true),
            ("Why us?", "Ada", "Why them?", "Bo", false),
        ] {
            assert_eq!(same(ours, name) == same(theirs, other), is_same, "{ours} {theirs}");
        }
    }

    /// U05: what of the recruiter's own questions nobody heard is told, none that was asked in other words.
    #[test]
    fn own_questions_that_were_not_asked_are_told() {
        let blueprint = blueprint();
        let titles = Titles::of(Some(&blueprint), &[]);
        let cases: [(&[&str], &[&str]); 5] = [
            (&[], &OWN),
            (&["why us"], &OWN[1..]),
            (&["What brought you to us?"], &OWN[1..]),
            (&["Why us?", "What do you mean by that?", "When can you begin?"], &[]),
            (&OWN, &[]),
        ];
        for (heard, expected) in cases {
            let asked = |text: &&str| Asked {
                id: 1,
                stage: OWN_QUESTIONS.to_owned(),
                question: Question { asked: true, ..not_asked(text, "A") },
            };
            let asked: Vec<_> = heard.iter().map(asked).collect();
            let missing: Vec<_> =
                unasked_own(Some(&blueprint), &asked, &titles).map(|one| one.text).collect();
            assert_eq!(missing, expected, "{heard:?}");
        }
        let elsewhere = Asked {
            id: 1,
            stage: "a".to_owned(),
            question: Question { asked: true, ..not_asked(OWN[0], "A") },
        };
        assert_eq!(unasked_own(Some(&blueprint), &[elsewhere], &titles).count(), OWN.len());
    }
}
