//! The texts of a blueprint that is written in the web: what they may hold, and what they ask.
//!
//! Whoever writes a file on the server may do anything there. Whoever writes in a browser must not be able to
//! hold the server up, so the templates of their texts have variables and conditions, and no loops or sums.

use std::collections::BTreeSet;

use super::subjects::subject_of;
use crate::blueprint::{Blueprint, Problem};

/// What is wrong with the templates in a file: each is looked at before anything fills it in.
pub(super) fn refused_templates(file: &str, text: &str) -> Vec<Problem> {
    let problem = |at: usize, what: &str| Problem {
        file: file.to_owned(),
        line: line_at(text, at),
        what: what.to_owned(),
    };
    let mut problems = Vec::new();
    for (at, _) in text.match_indices('\\') {
        let rest = &text[at + 1..];
        if rest.starts_with(['u', 'U', 'x']) {
            problems.push(problem(at, "write the character itself instead of its number"));
        }
        // A line that goes on could hide where a tag begins.
        if text[..at].ends_with('{') {
            problems.push(problem(at, "a brace cannot stand before a backslash here"));
        }
    }
    let mut from = 0;
    while let Some(begin) = next_tag(text, from) {
        let is_block = text[begin..].starts_with("{%");
        let end = if is_block { "%}" } else { "}}" };
        let inner = &text[begin + 2..];
        let Some(length) = inner.find(end) else {
            problems.push(problem(begin, &format!("this is not closed: `{end}` is missing")));
            break;
        };
        if !is_plain(&inner[..length], is_block) {
            let what = "a text that is written here has variables such as {{ candidate.name }} and \
                        conditions with {% if %}, {% elif %}, {% else %} and {% endif %}, and nothing \
                        else between braces";
            problems.push(problem(begin, what));
        }
        from = begin + 2 + length + 2;
    }
    problems
}

fn next_tag(text: &str, from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    let found = [rest.find("{{"), rest.find("{%")];
    found.into_iter().flatten().min().map(|at| from + at)
}

/// Whether what stands in a tag takes no time and no memory: names, filters without arguments, comparisons.
fn is_plain(inner: &str, is_block: bool) -> bool {
    let is_fine = |c: char| c.is_alphanumeric() || c.is_whitespace() || "_.|'\"=!<>-".contains(c);
    let is_even = |quote: char| inner.matches(quote).count().is_multiple_of(2);
    let keyword = inner.trim_start_matches('-').split_whitespace().next().unwrap_or_default();
    let is_known = !is_block || ["if", "elif", "else", "endif"].contains(&keyword);
    inner.chars().all(is_fine) && is_even('"') && is_even('\'') && is_known
}

/// A question of a blueprint that asks about a subject of which employers should not ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sensitive {
    pub(super) file: String,
    /// From 1.
    pub(super) line: usize,
    pub(super) question: String,
    pub(super) subject: &'static str,
}

/// The questions in the files that ask about such subjects, each once a file.
pub(super) fn sensitive(files: &[(String, String)], blueprint: &Blueprint) -> Vec<Sensitive> {
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    let mut add = |file: &str, line: usize, question: &str| {
        let question = question.trim();
        let Some(subject) = subject_of(question) else { return };
        if !seen.insert((file.to_owned(), question.to_owned())) {
            return;
        }
        let (file, question) = (file.to_owned(), question.to_owned());
        found.push(Sensitive { file, line, question, subject });
    };
    for (file, text) in files {
        for (n, line) in (1..).zip(text.lines()) {
            // In a list of questions each stands in quotes.
            line.split('"').filter(|part| part.contains('?')).for_each(|part| add(file, n, part));
        }
    }
    // Those that stand over several lines, or have no question mark.
    for agent in &blueprint.agents {
        let file = format!("{}.md", agent.name);
        let text = files.iter().find(|(name, _)| *name == file).map_or("", |(_, text)| text);
        let asked = agent.questions.iter().chain(agent.rubric.iter().map(|field| &field.question));
        for question in asked {
            let first = question.lines().next().unwrap_or_default();
            add(&file, line_at(text, text.find(first).unwrap_or_default()), question);
        }
    }
    found
}

fn line_at(text: &str, at: usize) -> usize {
    1 + text[..at].matches('\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Variables and conditions are let through, in every blueprint that ships with the program.
    #[test]
    fn plain_templates_are_let_through() {
        for text in [
            "Hello {{ candidate.name }}, {{role|upper}}.",
            "{% if level == 'staff' %}a{% elif level == \"lead\" %}b{%- else -%}c{% endif %}",
            "{{ document.name }} says \"{{ document.quote }}\"",
            "a { brace, a \\\"quote\\\" and 100 %",
        ] {
            assert_eq!(refused_templates("a.md", text), [], "{text}");
        }
        let agents = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("agents");
        let mut read = 0;
        for folder in std::fs::read_dir(agents).unwrap() {
            for file in std::fs::read_dir(folder.unwrap().path()).unwrap() {
                let path = file.unwrap().path();
                if path.extension().is_some_and(|ending| ending == "md") {
                    let text = std::fs::read_to_string(&path).unwrap();
                    assert_eq!(refused_templates("a.md", &text), [], "{}", path.display());
                    read += 1;
                }
            }
        }
        assert!(read > 20, "{read}");
    }

    /// What could keep the server busy is refused by its line, also where it is hidden from a reader.
    #[test]
    fn what_takes_time_is_refused() {
        for text in [
            "{% for a in range(100000) %}{% for b in range(100000) %}x{% endfor %}{% endfor %}",
            "{{ 'x' * 1000000000 }}",
            "{{ role | center(1000000000) }}",
            "{% set a = role %}",
            "{% include 'x' %}",
            "{{ \"}}\" * 9 }}",
            "{# {{ #}{{ 9 * 9 }}",
            "{{ role",
            "\"\\u007b{ 9 * 9 }}\"",
            "{\\\n{ 9 * 9 }}",
            "{{ 'a' \\\n * 9 }}",
            "{% raw %}{{ 9 * 9 }}",
        ] {
            let found = refused_templates("a.md", &format!("\n{text}"));
            assert!(!found.is_empty(), "{text}");
            assert_eq!((found[0].file.as_str(), found[0].line), ("a.md", 2), "{text}: {found:?}");
        }
    }
}
