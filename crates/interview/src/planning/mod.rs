//! Plans of interviews: what a recruiter has planned before a backlog of questions (K05) or an
//! exploration of topics (L07), made from documents once and edited by them.

mod model;
mod rules;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{
    blueprint::{
        Agent, Blueprint, Context, Document, Kind, Known, LineFault, Planned, Topic, check_line,
    },
    interview::understanding::duplicate::is_duplicate,
    interview::understanding::language::is_function_word,
    scripted::{all_words, content_words},
};

/// The version of what a plan is made by: another one makes other plans of the same documents.
const VERSION: u32 = 1;

/// The most documents of one interview.
pub const DOCUMENTS_MAX: usize = 10;
/// The most characters of all of them.
pub const DOCUMENT_CHARACTERS_MAX: usize = 400_000;
/// The most questions of a plan.
pub const QUESTIONS_MAX: usize = 40;
/// The longest question.
pub const QUESTION_CHARS_MAX: usize = 500;
/// The most topics.
pub const TOPICS_MAX: usize = 12;
/// The longest title of a topic.
pub const TITLE_CHARS_MAX: usize = 80;
/// The most lines of each list of a topic.
pub const LINES_MAX: usize = 10;
/// The longest of them.
pub const LINE_CHARS_MAX: usize = 300;
/// The longest guide.
pub const GUIDE_CHARS_MAX: usize = 20_000;

/// What candidates who ask a question may be told, found by the words of the question: by those that say
/// most; where none does, by the short ones that not every text has. Without any it is never found.
pub fn known(question: &str, answer: &str) -> Known {
    let mut words: Vec<String> = content_words(question).collect();
    if words.is_empty() {
        let says = |word: &String| word.len() > 2 && !is_function_word(word);
        words = all_words(question).filter(says).collect();
    }
    let about = if words.is_empty() { Vec::new() } else { vec![words.join(" ")] };
    Known { about, answer: answer.to_owned() }
}

/// What can be planned before an interview.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plannable {
    /// Nothing: its file says all.
    Nothing,
    /// The questions of a backlog.
    Questions,
    /// The topics that are explored.
    Topics,
}

/// Who made a plan, a summary or a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = ReportMadeBy))]
#[serde(rename_all = "snake_case")]
pub enum MadeBy {
    /// A model.
    Model,
    /// Simple rules, where there is no model or it failed.
    Rules,
}

/// A plan as it is kept: made once for the same blueprint, documents and guide.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The hash of all that it was made from.
    pub signature: String,
    /// Who made it.
    pub by: MadeBy,
    /// The questions of a backlog.
    #[serde(default)]
    pub questions: Vec<Planned>,
    /// Topics.
    #[serde(default)]
    pub topics: Vec<Topic>,
    /// Documents in a few sentences each, by their [`fingerprint`], where a model has read them.
    #[serde(default)]
    pub summaries: BTreeMap<String, String>,
}

/// What a model is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Its task.
    pub system: String,
    /// The material.
    pub user: String,
    /// The JSON schema of its answer: an object whose fields are all required.
    pub schema: serde_json::Value,
}

impl Plannable {
    /// What can be planned before an interview by a blueprint.
    pub fn of(blueprint: &Blueprint) -> Self {
        let mut found = Self::Nothing;
        for agent in &blueprint.agents {
            match &agent.kind {
                Kind::Backlog { .. } => return Self::Questions,
                Kind::Topics(topics) if !topics.is_empty() => found = Self::Topics,
                Kind::Topics(_)
                | Kind::Scripted
                | Kind::Questions
                | Kind::Closing
                | Kind::Offer
                | Kind::Form => {}
            }
        }
        found
    }
}

impl Plan {
    /// The plan that simple rules make of the documents: questions quote them; topics are the blueprint's
    /// own.
    pub fn by_rules(blueprint: &Blueprint, context: &Context) -> Self {
        rules::plan(blueprint, context)
    }

    /// What a model is asked, to make it.
    pub fn request(blueprint: &Blueprint, context: &Context) -> Request {
        model::request(blueprint, context)
    }

    /// Reads what a model wrote; what is wrong with it is a sentence for the model.
    pub fn parse(blueprint: &Blueprint, context: &Context, json: &str) -> Result<Self, String> {
        model::parse(blueprint, context, json)
    }
}

/// How many questions a backlog asks at most, follow-ups among them; nothing where there is none.
pub fn rounds(blueprint: &Blueprint) -> Option<u32> {
    let is_backlog = |agent: &&Agent| matches!(agent.kind, Kind::Backlog { .. });
    blueprint.agents.iter().find(is_backlog).map(|agent| agent.questions_max)
}

/// What is wrong with a question that the interviewer may say as it stands: a sentence that mends it.
pub fn wrong_question(text: &str, chars_max: usize) -> Option<String> {
    let is_question = text.ends_with(['?', '？', '؟']);
    let unasked = "it must end in a question mark: it is said as it stands.".to_owned();
    wrong_line(text, chars_max).or_else(|| (!is_question).then_some(unasked))
}

/// What is wrong with a line of a plan: a sentence that mends it.
pub fn wrong_line(text: &str, chars_max: usize) -> Option<String> {
    Some(match check_line(text, chars_max) {
        Ok(()) => return None,
        Err(LineFault::Empty) => "it is empty. Fill it in, or drop it.".to_owned(),
        Err(LineFault::Long { chars }) => {
            format!("it has {chars} characters; {chars_max} are the most. Shorten it.")
        }
        Err(LineFault::Hidden) => {
            "it holds a line break or an invisible mark. Type it anew, on one line.".to_owned()
        }
        Err(LineFault::Wordless) => "it has no letter in it. Type it anew.".to_owned(),
    })
}

/// The hash of a document: what was made of it belongs to no other one.
pub fn fingerprint(document: &Document) -> String {
    hash(&(&document.name, &document.text))
}

/// Two questions that are so alike that the interviewer would ask only the first one: their places.
pub fn alike<'a>(questions: impl IntoIterator<Item = &'a str>) -> Option<(usize, usize)> {
    let mut before: Vec<&str> = Vec::new();
    for question in questions {
        if let Some(first) = before.iter().position(|other| is_duplicate(question, [*other])) {
            return Some((first, before.len()));
        }
        before.push(question);
    }
    None
}

/// The hash of what a plan is made from (L07): the same documents, guide and blueprint have one plan.
pub fn signature(blueprint: &Blueprint, context: &Context) -> String {
    let Request { system, user, schema } = Plan::request(blueprint, context);
    let documents: Vec<_> = context.documents.iter().map(fingerprint).collect();
    hash(&(VERSION, system, user, schema, documents, &context.guide))
}

fn hash(of: &impl Serialize) -> String {
    let bytes = serde_json::to_vec(of).expect("plain data serializes");
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use language::About;

    use super::*;
    use crate::interview::Interview;

    /// A02: questions that are alike are told by their places.
    #[test]
    fn alike_questions_are_found() {
        let questions = [
            "Why is it so?",
            "Who repairs the import on Mondays?",
            "Who repairs the import on Monday?",
        ];
        assert_eq!(alike(questions), Some((1, 2)));
        assert_eq!(alike([questions[0], questions[1]]), None);
    }

    /// Case 9: a candidate's question is answered by what it is about, and not by one word that two share.
    #[test]
    fn what_candidates_ask_is_found_by_most_of_its_words() {
        let told = [
            ("How long is the probation period?", "Three months."),
            ("What does it pay?", "70,000 a year."),
            (
                "What are the working hours, and may I work from home?",
                "Nine to five, two days at home.",
            ),
        ];
        let knowledge = told.map(|(question, answer)| known(question, answer)).to_vec();
        let context = Context { knowledge, ..Context::default() };
        let interview = Interview::new(&rules::tests::blueprint(), &context);
        let answer = |asked: &str| interview.answer_to(About::Other, asked);
        for (question, expected) in told {
            assert_eq!(answer(question), expected);
        }
        assert_eq!(answer("And what about pay?"), told[1].1);
        assert_eq!(answer("What would my working hours be?"), told[2].1);
        let passed_on = answer("Is there a canteen?");
        assert!(known("Who is it?", "A bakery.").about.is_empty(), "it says nothing");
        for other in ["How long is the notice period?", "What is it for?", "401?", ""] {
            assert_eq!(answer(other), passed_on, "{other}");
        }
    }

    /// L07: a plan is made anew when what it was made from is another one, and only then.
    #[test]
    fn a_plan_belongs_to_what_it_was_made_from() {
        let blueprint = rules::tests::blueprint();
        let document =
            Document { name: "a.md".into(), text: "It is 3.".into(), ..Document::default() };
        let context = Context { documents: vec![document], ..Context::default() };
        let same = signature(&blueprint, &context);
        assert_eq!(signature(&blueprint.clone(), &context.clone()), same);
        let named = Context { candidate_name: "Ada".into(), ..context.clone() };
        assert_eq!(signature(&blueprint, &named), same, "another person, the same plan");
        let mut others = vec![context.clone(); 4];
        others[0].documents[0].text.push('!');
        others[1].documents[0].name = "b.md".into();
        others[2].guide = "Begin with Lyon.".into();
        others[3].role = "cook".into();
        for other in others {
            assert_ne!(signature(&blueprint, &other), same, "{other:?}");
        }
        let mut other = blueprint.clone();
        other.agents[0].prompt.push_str(" Be brief.");
        assert_ne!(signature(&other, &context), same);
        let long = |end: &str| {
            let mut context = context.clone();
            context.documents[0].text = "x".repeat(100_000) + end;
            signature(&blueprint, &context)
        };
        assert_ne!(long("a"), long("b"), "also where no model reads so far");
    }
}
