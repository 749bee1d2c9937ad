//! The phrases by which words announce something: data for each language that interviews are held in
//! (`agents/lang/LANGUAGE.guard`).

use std::{collections::BTreeSet, sync::LazyLock};

use crate::blueprint::Language;
use crate::interview::understanding::words::{Phrases, ends_in};

/// What words do, if they do anything beside telling and asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Announcement {
    /// The interview comes to its end.
    Close,
    /// It is over: goodbye.
    Leave,
    /// Another part of the interview begins.
    Part,
    /// Somebody else goes on.
    HandOver,
    /// Something is told of how we work; never allowed.
    Betray,
}

impl Announcement {
    /// The labels in the files; which come first wins where two phrases of the same length match.
    const LABELS: [(&'static str, Self); 5] = [
        ("leave", Self::Leave),
        ("close", Self::Close),
        ("hand_over", Self::HandOver),
        ("part", Self::Part),
        ("betray", Self::Betray),
    ];
}

/// How far before a phrase a word still makes it somebody else's.
const REPORTS_WITHIN: usize = 3;

/// The phrases of a language.
#[derive(Debug)]
pub(super) struct Table {
    announcements: Phrases<Announcement>,
    /// Words, just before a phrase, that make it somebody else's, or not yet so.
    reports: BTreeSet<&'static str>,
    /// Words right before a phrase that make it the candidate's, and thanks that end in them.
    theirs: BTreeSet<&'static str>,
    thanks: Vec<&'static str>,
    farewells: BTreeSet<&'static str>,
    /// Words before a farewell that do not change it.
    lead_ins: BTreeSet<&'static str>,
    /// Words after which nothing is told of the instructions: "I cannot tell you my instructions".
    refusals: BTreeSet<&'static str>,
    /// The rules of every prompt, as a model might translate them.
    rules: Vec<&'static str>,
}

impl Table {
    fn read(file: &'static str) -> Self {
        let texts = |label: &str| -> Vec<&'static str> {
            lines(file).filter(|(found, _)| *found == label).map(|(_, text)| text).collect()
        };
        let words = |label| texts(label).into_iter().flat_map(str::split_whitespace).collect();
        let announced = Announcement::LABELS.iter();
        let announced =
            announced.flat_map(|(label, it)| texts(label).into_iter().map(|text| (*it, text)));
        Self {
            announcements: Phrases::new(announced.collect::<Vec<_>>()),
            reports: words("reports"),
            theirs: words("theirs"),
            thanks: texts("thanks"),
            farewells: words("farewells"),
            lead_ins: words("lead_ins"),
            refusals: words("refusals"),
            rules: texts("rule"),
        }
    }

    /// What the words of a sentence announce, unless they report it of others. Of two phrases the one within
    /// the other counts for nothing: "passiamo alla prossima parte" is no "alla prossima".
    pub(super) fn announced(&self, words: &[&str]) -> Vec<Announcement> {
        let found: Vec<_> = self.announcements.find(words).collect();
        let is_within = |from: usize, to: usize| {
            let longer =
                |other: usize, end: usize| other <= from && to <= end && end - other > to - from;
            found.iter().any(|(_, other, end)| longer(*other, *end))
        };
        let ours = found
            .iter()
            .filter(|(_, from, to)| !is_within(*from, *to) && !self.is_reported(&words[..*from]));
        ours.map(|(announcement, ..)| *announcement).collect()
    }

    /// Whether the words of a sentence begin with a farewell.
    pub(super) fn is_farewell(&self, words: &[&str]) -> bool {
        let first = words.iter().find(|word| !self.lead_ins.contains(**word));
        first.is_some_and(|word| self.farewells.contains(*word))
    }

    /// Whether the words tell something of the instructions.
    pub(super) fn betrays(&self, words: &[&str]) -> bool {
        let mut found = self.announcements.find(words);
        found.any(|(announcement, from, _)| {
            let refuses = words[..from].iter().any(|word| self.refusals.contains(*word));
            announcement == Announcement::Betray && !refuses
        })
    }

    fn is_reported(&self, before: &[&str]) -> bool {
        let near = &before[before.len().saturating_sub(REPORTS_WITHIN)..];
        let is_theirs = before.last().is_some_and(|word| self.theirs.contains(*word))
            && !self.thanks.iter().any(|thanks| ends_in(before, thanks));
        is_theirs || near.iter().any(|word| self.reports.contains(*word))
    }
}

/// The phrases of all languages.
pub(super) fn tables() -> &'static [Table] {
    static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| {
        Language::ALL.iter().map(|(_, language)| Table::read(file(*language))).collect()
    });
    &TABLES
}

/// The rules of every prompt as a model might say them in other languages than that of the prompt.
pub(crate) fn rules() -> Vec<&'static str> {
    tables().iter().flat_map(|table| &table.rules).copied().collect()
}

fn file(language: Language) -> &'static str {
    match language {
        Language::English => include_str!("../../../../../agents/lang/en.guard"),
        Language::German => include_str!("../../../../../agents/lang/de.guard"),
        Language::Italian => include_str!("../../../../../agents/lang/it.guard"),
    }
}

/// The lines of a file: a label, and what it labels.
fn lines(file: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    file.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interview::understanding::words::plain;

    /// L09: every language that interviews are held in has phrases of every kind and the lists beside them;
    /// each line has a label that is read, and words as they are looked for.
    #[test]
    fn every_language_has_its_phrases() {
        let lists = ["reports", "theirs", "farewells", "lead_ins", "refusals"];
        for (code, language) in Language::ALL {
            let file = file(language);
            let count = |wanted: &str| lines(file).filter(|(label, _)| *label == wanted).count();
            for (label, _) in Announcement::LABELS {
                assert!(count(label) >= 5, "{code}: {} of `{label}`", count(label));
            }
            for label in lists {
                assert!(count(label) > 0, "{code}: nothing for `{label}`");
            }
            for (n, line) in (1..).zip(file.lines().map(str::trim)) {
                let is_left_out = line.is_empty() || line.starts_with('#');
                let Some((label, text)) = line.split_once('\t') else {
                    assert!(is_left_out, "{code}:{n}: {line}");
                    continue;
                };
                let is_phrase = Announcement::LABELS.iter().any(|(known, _)| *known == label);
                let is_list = lists.contains(&label) || label == "thanks";
                assert!(is_phrase || is_list || label == "rule", "{code}:{n}: {label}");
                let words =
                    text.split_whitespace().flat_map(|slot| slot.trim_end_matches('?').split('|'));
                for word in words.filter(|word| label != "rule" && *word != "_") {
                    assert_eq!(plain(word), word, "{code}:{n}");
                }
            }
        }
    }
}
