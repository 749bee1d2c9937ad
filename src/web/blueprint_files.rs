//! The files of a blueprint as a page sends them: their names and sizes, every mistake in them with its line,
//! and the questions that need a reason.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Services,
    blocking::blocking,
    blueprint_text::{Sensitive, refused_templates, sensitive},
    problem::{FieldProblem, Problem},
    subjects::forbidden,
};
use crate::blueprint::{self, Blueprint, HEAD, OWN_QUESTIONS, PHRASES};

const FILES_MAX: usize = 30;
const FILE_MAX_BYTES: usize = 64 * 1024;
const FILES_MAX_BYTES: usize = 256 * 1024;
const STEM_MAX_CHARS: usize = 40;
const QUESTIONS_MAX: usize = 300;
const REASONS_MAX: usize = 50;
const REASON_MAX_CHARS: usize = 400;

/// A file of a blueprint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct BlueprintFile {
    /// `blueprint.toml`, `phrases.toml`, or the name of a stage with `.md`.
    pub(super) name: String,
    pub(super) text: String,
}

/// Why a question is asked that is about a subject of which employers should not ask.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct QuestionReason {
    /// The question, as the check returned it.
    pub(super) question: String,
    pub(super) reason: String,
}

/// Something that has to be mended in a file.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BlueprintProblem {
    file: String,
    /// From 1.
    line: usize,
    /// One sentence.
    message: String,
    /// The question that may be kept if somebody gives a reason; nothing where the text itself is wrong.
    question: Option<String>,
}

/// Files that have been read, and what is wrong with them.
pub(super) struct Checked {
    pub(super) files: Vec<(String, String)>,
    pub(super) problems: Vec<BlueprintProblem>,
    /// The subjects of questions that are kept with a reason, each with that reason.
    pub(super) reasons: BTreeMap<&'static str, String>,
}

impl Checked {
    /// The files, if nothing is wrong with them; else every mistake, by file and line.
    pub(super) fn whole(self) -> Result<Self, Problem> {
        if self.problems.is_empty() {
            return Ok(self);
        }
        let field = |problem: BlueprintProblem| FieldProblem {
            field: format!("{}:{}", problem.file, problem.line),
            message: problem.message,
        };
        Err(Problem::of_fields(self.problems.into_iter().map(field).collect()))
    }
}

/// Checks files. Questions that stand in the texts `before` were asked already and need no reason.
pub(super) async fn check(
    files: Vec<BlueprintFile>,
    reasons: Vec<QuestionReason>,
    before: Vec<Vec<(String, String)>>,
    services: &Services,
) -> Result<Checked, Problem> {
    let more = services.blueprint_check.clone();
    blocking(move || {
        let files: Vec<_> = files.into_iter().map(|file| (file.name, file.text)).collect();
        let mut problems = refused_files(&files);
        if problems.is_empty() {
            problems =
                files.iter().flat_map(|(name, text)| refused_templates(name, text)).collect();
        }
        let blueprint = if problems.is_empty() { Blueprint::load(&files) } else { Err(problems) };
        let blueprint = blueprint.and_then(|blueprint| {
            // Each question is compared with all before it.
            let asked: usize = blueprint.agents.iter().map(|agent| agent.questions.len()).sum();
            let found = match asked > QUESTIONS_MAX {
                true => vec![too_many(asked)],
                false => more.problems(&blueprint, &files),
            };
            if found.is_empty() { Ok(blueprint) } else { Err(found) }
        });
        let problem = |wrong: blueprint::Problem| BlueprintProblem {
            file: wrong.file,
            line: wrong.line,
            message: wrong.what,
            question: None,
        };
        Ok(match blueprint {
            Ok(blueprint) => with_reasons(files, &blueprint, &reasons, &before),
            Err(found) => {
                let problems = found.into_iter().map(problem).collect();
                Checked { files, problems, reasons: BTreeMap::new() }
            }
        })
    })
    .await
}

fn too_many(questions: usize) -> blueprint::Problem {
    let what = format!(
        "The stages have {questions} questions; {QUESTIONS_MAX} are the most. Take some out."
    );
    blueprint::Problem { file: HEAD.to_owned(), line: 1, what }
}

/// What is wrong with the names and the sizes of files.
fn refused_files(files: &[(String, String)]) -> Vec<blueprint::Problem> {
    let problem =
        |file: &str, what: String| blueprint::Problem { file: file.to_owned(), line: 1, what };
    let mut problems = Vec::new();
    if files.len() > FILES_MAX {
        let what = format!("These are {} files; {FILES_MAX} are the most.", files.len());
        return vec![problem(HEAD, what)];
    }
    let all: usize = files.iter().map(|(_, text)| text.len()).sum();
    if all > FILES_MAX_BYTES {
        let what = format!(
            "The files have {all} bytes together; {FILES_MAX_BYTES} are the most. Shorten them."
        );
        problems.push(problem(HEAD, what));
    }
    let mut seen = BTreeSet::new();
    for (name, text) in files {
        // Whatever stands there, it comes back shortened.
        let shown: String = name.chars().take(STEM_MAX_CHARS).collect();
        if !is_file_name(name) {
            let what = "A file is named blueprint.toml, phrases.toml, or as its stage with .md: small \
                        letters, digits and hyphens, such as past-experience.md.";
            problems.push(problem(&shown, what.to_owned()));
        }
        if !seen.insert(name.as_str()) {
            problems.push(problem(&shown, "There are two files of this name.".to_owned()));
        }
        if text.len() > FILE_MAX_BYTES {
            let what = format!(
                "This file has {} bytes; {FILE_MAX_BYTES} are the most. Shorten it.",
                text.len()
            );
            problems.push(problem(&shown, what));
        }
    }
    problems
}

fn is_file_name(name: &str) -> bool {
    let stem = name.strip_suffix(".md").filter(|stem| *stem != OWN_QUESTIONS);
    name == HEAD || name == PHRASES || stem.is_some_and(is_plain_name)
}

/// Whether a name has small letters, digits and hyphens between them, and no more than fit on a line.
pub(super) fn is_plain_name(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    !name.is_empty()
        && name.len() <= STEM_MAX_CHARS
        && name.chars().all(fits)
        && !name.starts_with('-')
        && !name.ends_with('-')
}

fn with_reasons(
    files: Vec<(String, String)>,
    blueprint: &Blueprint,
    given: &[QuestionReason],
    before: &[Vec<(String, String)>],
) -> Checked {
    let earlier = |files: &Vec<(String, String)>| {
        let found = Blueprint::load(files).map(|blueprint| sensitive(files, &blueprint));
        found.unwrap_or_default().into_iter().map(|asked| asked.question)
    };
    let known: BTreeSet<String> = before.iter().flat_map(earlier).collect();
    let (mut problems, mut reasons) = (Vec::new(), BTreeMap::new());
    let asked = sensitive(&files, blueprint).into_iter();
    for asked in asked.filter(|asked| !known.contains(&asked.question)) {
        let Sensitive { file, line, question, subject } = asked;
        let reason = given.iter().take(REASONS_MAX).find(|reason| reason.question == question);
        let reason = reason.map_or("", |reason| reason.reason.trim());
        let long = reason.chars().count() > REASON_MAX_CHARS;
        let message = match long {
            true => {
                Some(format!("A reason has {REASON_MAX_CHARS} characters at most. Shorten it."))
            }
            false => forbidden(&question, reason),
        };
        match message {
            Some(message) => {
                problems.push(BlueprintProblem { file, line, message, question: Some(question) });
            }
            None => {
                reasons.insert(subject, reason.to_owned());
            }
        }
    }
    Checked { files, problems, reasons }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of files are those that a folder has, and lead nowhere else.
    #[test]
    fn names_of_files() {
        for name in ["blueprint.toml", "phrases.toml", "closing.md", "past-experience.md", "a2.md"]
        {
            assert!(is_file_name(name), "{name}");
        }
        for name in [
            "",
            ".md",
            "../x.md",
            "a/b.md",
            "A.md",
            "a.toml",
            "-a.md",
            "a-.md",
            "a b.md",
            "x.md\0",
            "own-questions.md",
            "blueprint.toml.md",
            &format!("{}.md", "a".repeat(41)),
        ] {
            assert!(!is_file_name(name), "{name}");
        }
    }

    /// Every limit is told in a sentence.
    #[test]
    fn limits_of_files() {
        let file = |name: &str, size: usize| (name.to_owned(), "x".repeat(size));
        assert!(refused_files(&[file(HEAD, 10), file("a.md", FILE_MAX_BYTES)]).is_empty());
        assert_eq!(refused_files(&[file("a.md", FILE_MAX_BYTES + 1)]).len(), 1);
        assert_eq!(refused_files(&[file("a.md", 1), file("a.md", 1)]).len(), 1);
        let many: Vec<_> = (0..5).map(|n| file(&format!("a{n}.md"), 60_000)).collect();
        assert_eq!(refused_files(&many).len(), 1);
        let many: Vec<_> = (0..=FILES_MAX).map(|n| file(&format!("a{n}.md"), 1)).collect();
        assert_eq!(refused_files(&many).len(), 1);
    }
}
