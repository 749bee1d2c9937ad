//! Evidence: where in a turn a quote stands (U06). What is shown is cut out of the turn, so that nothing
//! stands in a report that was not said.

use super::{report::Evidence, turns::Turn};
use crate::interview::understanding::words::{NUMBER_WORDS, holds, normal};

/// The least likeness of a quote that is not word for word.
const LIKENESS_MIN: f32 = 0.9;
/// A quote of fewer words has to be word for word: one other word is another meaning.
const SIMILAR_WORDS_MIN: usize = 4;
/// A longer quote is none: it is a whole answer.
pub(crate) const QUOTE_CHARS_MAX: usize = 600;

/// Words that turn a sentence round, in the languages that interviews are held in. A quote that differs from
/// the turn in one of them is not alike.
const NEGATIONS: &str = " no not never none nothing nobody without cannot neither nor \
    nicht kein keine keinen keiner keinem nie niemand nichts ohne weder noch \
    non nessuno nessuna niente nulla mai senza né ";

/// Finds the words of a quote in a turn: word for word but for case, punctuation, white space and the shape
/// of apostrophes, or at least 0.9 alike. Words on both sides of a hole are not contiguous.
pub(crate) fn find(quote: &str, turn: &Turn) -> Option<Evidence> {
    if quote.chars().count() > QUOTE_CHARS_MAX {
        return None;
    }
    let wanted = normal(quote);
    let wanted: Vec<&str> = wanted.split(' ').filter(|word| !word.is_empty()).collect();
    if wanted.is_empty() {
        return None;
    }
    let said = Said::new(turn);
    let (from, to, likeness) = said.exact(&wanted).or_else(|| said.similar(&wanted))?;
    Some(turn.quote(from, to, likeness))
}

/// How many letters differ so far, in which word the part begins, and at which letter.
type Cell = (usize, usize, usize);
/// More letters than any text has.
const NEVER: usize = usize::MAX / 2;

/// The words of a turn as they are compared, each with the word as it is written that it is of.
struct Said<'a> {
    turn: &'a Turn,
    words: Vec<(String, usize)>,
}

impl<'a> Said<'a> {
    fn new(turn: &'a Turn) -> Self {
        let mut words = Vec::new();
        for (at, written) in turn.words.iter().enumerate() {
            // "e-mail" is two words, "--" is none.
            let normal = normal(written);
            let parts = normal.split(' ').filter(|part| !part.is_empty());
            words.extend(parts.map(|part| (part.to_owned(), at)));
        }
        Self { turn, words }
    }

    /// The written words from the first to behind the last of these, if nothing is missing between them.
    fn span(&self, from: usize, to: usize, likeness: f32) -> Option<(usize, usize, f32)> {
        let (from, to) = (self.words.get(from)?.1, self.words.get(to.checked_sub(1)?)?.1 + 1);
        let is_whole = !self.turn.holes.iter().any(|hole| (from + 1..to).contains(hole));
        is_whole.then_some((from, to, likeness))
    }

    fn exact(&self, wanted: &[&str]) -> Option<(usize, usize, f32)> {
        let starts = 0..(self.words.len() + 1).saturating_sub(wanted.len());
        starts
            .filter(|from| {
                let here = self.words[*from..].iter().map(|(word, _)| word.as_str());
                here.zip(wanted).all(|(said, wanted)| said == *wanted)
            })
            .find_map(|from| self.span(from, from + wanted.len(), 1.0))
    }

    /// The part of whole words that is most like the quote, by the letters that differ.
    fn similar(&self, wanted: &[&str]) -> Option<(usize, usize, f32)> {
        if wanted.len() < SIMILAR_WORDS_MIN {
            return None;
        }
        let quote: Vec<char> = wanted.join(" ").chars().collect();
        let mut near = self.near(&quote);
        near.sort_by(|a, b| b.2.total_cmp(&a.2));
        let near = near.into_iter().filter(|(.., likeness)| *likeness >= LIKENESS_MIN);
        let hard = hard_words(wanted.iter().copied());
        near.filter(|(from, to, _)| {
            hard_words(self.words[*from..*to].iter().map(|(word, _)| word.as_str())) == hard
        })
        .find_map(|(from, to, likeness)| self.span(from, to, likeness))
    }

    /// For each word that a likeness may end in: the likest part that ends there, as words and likeness.
    /// Sellers' algorithm, whose matches begin and end between words.
    fn near(&self, quote: &[char]) -> Vec<(usize, usize, f32)> {
        let mut found = Vec::new();
        let mut column: Vec<Cell> = (0..=quote.len()).map(|n| (n, 0, 0)).collect();
        let mut place = 0;
        for (at, (word, _)) in self.words.iter().enumerate() {
            // A part may begin here, with none of its letters read.
            column[0] = (0, at, place);
            for n in 1..column.len() {
                let after_gap = (column[n - 1].0 + 1, column[n - 1].1, column[n - 1].2);
                column[n] = column[n].min(after_gap);
            }
            let last = at + 1 == self.words.len();
            for (n, letter) in word.chars().chain((!last).then_some(' ')).enumerate() {
                if n == word.chars().count() {
                    found.extend(ending(&column, at, place));
                }
                let mut diagonal = column[0];
                column[0] = (NEVER, 0, 0);
                for n in 1..column.len() {
                    let differs = usize::from(quote[n - 1] != letter);
                    let replaced = (diagonal.0 + differs, diagonal.1, diagonal.2);
                    let added = (column[n].0 + 1, column[n].1, column[n].2);
                    let missed = (column[n - 1].0 + 1, column[n - 1].1, column[n - 1].2);
                    diagonal = column[n];
                    column[n] = replaced.min(added).min(missed);
                }
                place += 1;
            }
            if last {
                found.extend(ending(&column, at, place));
            }
        }
        found
    }
}

/// What ends behind a word: its first word, the word behind its last, and its likeness.
fn ending(column: &[Cell], at: usize, place: usize) -> Option<(usize, usize, f32)> {
    let (differ, from, began) = *column.last()?;
    let longest = (column.len() - 1).max(place.saturating_sub(began)).max(1);
    let likeness = 1.0 - differ as f32 / longest as f32;
    (differ < longest).then_some((from, at + 1, likeness))
}

/// The words that a likeness must not change: negations and numbers, in order.
fn hard_words<'a>(words: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let is_hard = |word: &&str| {
        holds(NEGATIONS, word)
            || holds(NUMBER_WORDS, word)
            || word.ends_with("n't")
            || word.chars().any(|c| c.is_ascii_digit())
    };
    words.filter(is_hard).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::interview::understanding::quote::is_span;

    fn turn(text: &str) -> Turn {
        Turn::plain(3, text)
    }

    fn found(quote: &str, said: &str) -> Option<(String, f32)> {
        find(quote, &turn(said)).map(|evidence| (evidence.quote, evidence.confidence))
    }

    /// U06: a quote is found whatever the case, marks, white space and quotes around it, and shown as it was
    /// said.
    #[test]
    fn quotes_are_found_as_they_were_said() {
        let said =
            "Well, I've been at Siemens since 2019 -- as a C++ developer, mostly on \"Ledger\".";
        for (quote, want) in [
            ("i’ve been at SIEMENS", Some("I've been at Siemens")),
            ("“since 2019, as a C++ developer”", Some("since 2019 -- as a C++ developer,")),
            ("ledger", Some("\"Ledger\".")),
            (said, Some(said)),
            ("at Siemens 2019", None),
            ("iemens since", None),
            ("", None),
            (" ?! ", None),
            ("Ich war bei Siemens", None),
        ] {
            assert_eq!(found(quote, said).map(|it| it.0).as_deref(), want, "{quote}");
        }
    }

    /// U06: a quote with small differences is found as it was said, with its likeness; one that turns the
    /// meaning round, changes a figure or is too short is not.
    #[test]
    fn likeness_has_limits() {
        let said =
            "so i have not organised the whole migration alone, we were five people in Berlin";
        let (quote, likeness) =
            found("I have not organized the whole migration alone", said).expect("it is alike");
        assert_eq!(quote, "i have not organised the whole migration alone,");
        assert!((0.9..1.0).contains(&likeness), "{likeness}");
        for other in [
            "I have organised the whole migration alone",
            "the whole migration alone, we were nine people in Berlin",
            "we were six people in Berlin",
            "organized the migrations",
            "I have not finished the whole reorganisation alone",
        ] {
            assert_eq!(found(other, said), None, "{other}");
        }
        assert_eq!(found(&"migration ".repeat(80), &"migration ".repeat(90)), None, "too long");
    }

    /// U06: words on both sides of a stretch that nobody understood are not contiguous.
    #[test]
    fn a_hole_is_no_part_of_a_quote() {
        let turn = Turn { holes: vec![2], ..turn("I led a team of four people in Berlin") };
        assert!(find("I led a team", &turn).is_none());
        assert!(find("I led a team of four people in Berlins", &turn).is_none(), "alike");
        assert_eq!(find("a team of four", &turn).unwrap().quote, "a team of four");
        assert_eq!(find("I led", &turn).unwrap().quote, "I led");
    }

    /// U06: where a quote stands in its turn tells when it was said.
    #[test]
    fn quotes_have_times() {
        let turn = turn("one two three four five six seven eight nine ten");
        let Evidence { turn, start_ms, end_ms, .. } = find("three four", &turn).unwrap();
        assert_eq!((turn, start_ms, end_ms), (3, 3_000, 5_000));
    }

    proptest! {
        /// U06: whatever is quoted, what is shown was said in that turn, one word after the other.
        #[test]
        fn nothing_is_shown_that_was_not_said(
            quote in "([a-d]{1,3}[ ,.’-]{1,2}){1,8}|\\PC{0,40}",
            said in "([a-d]{1,3}[ ,.'-]{1,2}){0,14}|\\PC{0,60}",
        ) {
            if let Some((shown, likeness)) = found(&quote, &said) {
                prop_assert!(said.split_whitespace().collect::<Vec<_>>().join(" ").contains(&shown));
                prop_assert!(is_span(&shown, &said), "{} in {}", shown, said);
                prop_assert!((LIKENESS_MIN..=1.0).contains(&likeness));
            } else {
                prop_assert!(!is_span(&quote, &said) || quote.chars().count() > QUOTE_CHARS_MAX);
            }
        }

        /// U06: any run of words of a turn is found in it, and in no other turn.
        #[test]
        fn other_turns_have_other_words(
            words in prop::collection::vec("[a-m]{2,6}", 1..14),
            other in prop::collection::vec("[n-z]{2,6}", 1..14),
            from in 0..14_usize, n in 1..14_usize,
        ) {
            let from = from % words.len();
            let run = words[from..(from + n).min(words.len())].join(" ,\n").to_uppercase();
            prop_assert!(found(&run, &words.join(" ")).is_some_and(|(_, likeness)| likeness == 1.0));
            prop_assert_eq!(found(&run, &other.join(" ")), None);
        }

        /// U06: one letter that differs in a long quote is passed over; a quote of other letters is not.
        #[test]
        fn one_letter_may_differ(words in prop::collection::vec("[a-m]{4,6}", 5..9), at in 0..20_usize) {
            let said = words.join(" ");
            let mut letters: Vec<char> = said.chars().collect();
            let at = at % letters.len();
            letters[at] = 'z';
            let quote: String = letters.into_iter().collect();
            let shown = found(&quote, &format!("well yes {said} and so on"));
            prop_assert!(shown.is_some_and(|(_, likeness)| likeness > 0.9));
        }
    }
}
