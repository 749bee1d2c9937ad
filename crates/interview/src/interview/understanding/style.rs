//! How somebody speaks, how tired they are, and what is best kept of an answer (A04).

use std::sync::LazyLock;

use crate::interview::understanding::{
    signal::signal,
    words::{Dictionary, begins_in, ends_in, holds, normal, plain, sentences, split},
};

/// How somebody speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Style {
    /// In written words.
    Formal,
    /// In everyday words.
    Casual,
    /// In few words.
    Brief,
    /// In many.
    Verbose,
}

/// Fewer answers tell nothing.
const ANSWERS_MIN: usize = 2;
/// Words of an answer on average: below it is brief, above it verbose.
const BRIEF_BELOW: usize = 12;
const VERBOSE_ABOVE: usize = 90;
/// Two such words, one in so many, and twice as many as of the other kind make a style.
const ONE_IN: usize = 40;

const CASUAL: &str = " yeah yep nope kinda sorta gonna wanna gotta cool awesome stuff guys guy \
    super totally basically \
    literally crazy okay ok hey dude folks bunch pretty like lol ";
const FORMAL: &str = " furthermore therefore moreover consequently regarding additionally \
    subsequently however thus \
    hence primarily particularly respectively nevertheless responsibilities stakeholders \
    facilitated accordingly \
    whom shall ensure ensured concerning approximately ";

static STYLE_OF: LazyLock<Dictionary<Style>> = LazyLock::new(|| {
    let casual = split(CASUAL).into_iter().map(|word| (word, Style::Casual));
    casual.chain(split(FORMAL).into_iter().map(|word| (word, Style::Formal))).collect()
});

/// How somebody speaks, by their answers so far, the oldest first; nothing if it cannot be told.
pub fn style(answers: &[&str]) -> Option<Style> {
    let texts: Vec<String> = answers.iter().map(|answer| normal(answer)).collect();
    let words: Vec<&str> = texts.iter().flat_map(|text| split(text)).collect();
    if answers.len() < ANSWERS_MIN || words.is_empty() {
        return None;
    }
    let average = words.len() / answers.len();
    let count = |style| words.iter().filter(|word| STYLE_OF.get(word) == Some(&style)).count();
    let (casual, formal) = (count(Style::Casual), count(Style::Formal));
    let is = |these: usize, those: usize| {
        these * ONE_IN >= words.len() && these >= 2 && these >= 2 * those
    };
    match average {
        ..BRIEF_BELOW => Some(Style::Brief),
        n if n > VERBOSE_ABOVE => Some(Style::Verbose),
        _ if is(casual, formal) => Some(Style::Casual),
        _ if is(formal, casual) => Some(Style::Formal),
        _ => None,
    }
}

/// So many answers are one half of a comparison.
const LATEST: usize = 3;
/// What shorter answers, and what words count for at most.
const SHORTER_MAX: f32 = 0.6;
const SAID: f32 = 0.5;

/// How those begin or end who have had enough, in the words of `plain`.
const TIRED: [&str; 16] = [
    "i am tired",
    "i am so tired",
    "i am getting tired",
    "i am exhausted",
    "can we finish",
    "can we wrap up",
    "are we done",
    "are we almost done",
    "is this almost over",
    "is it almost over",
    "how much longer",
    "how many more questions",
    "how many questions are left",
    "i said that already",
    "i already said that",
    "i need a break",
];

/// How tired somebody seems, 0 to 1, by their answers so far, the oldest first: answers that get shorter, and
/// words such as "how much longer" among the last ones.
pub fn fatigue(answers: &[&str]) -> f32 {
    let latest = &answers[answers.len().saturating_sub(LATEST)..];
    let says_so = |answer: &&str| {
        let text = plain(answer);
        let words = split(&text);
        let is_at_edge = |phrase: &&str| begins_in(&words, phrase) || ends_in(&words, phrase);
        TIRED.iter().any(is_at_edge)
    };
    let said = if latest.iter().any(says_so) { SAID } else { 0.0 };
    (said + SHORTER_MAX * shrunk(answers, latest)).min(1.0)
}

/// By which part the latest answers are shorter than the ones before, 0 to 1.
fn shrunk(answers: &[&str], latest: &[&str]) -> f32 {
    let before = &answers[..answers.len() - latest.len()];
    if before.len() < ANSWERS_MIN {
        return 0.0;
    }
    let average = |answers: &[&str]| {
        let words: usize = answers.iter().map(|answer| split(&normal(answer)).len()).sum();
        words as f32 / answers.len() as f32
    };
    (1.0 - average(latest) / average(before).max(1.0)).clamp(0.0, 1.0)
}

/// A snippet has so many words at most, and so many characters where no spaces are written.
const SNIPPET_WORDS_MAX: usize = 20;
const SNIPPET_CHARS_MAX: usize = 160;
/// Where a long sentence without commas can be cut: before one of these.
const JOINTS: &str = " and but because so then which when while und aber weil e ma perché et mais \
    parce y pero porque ";

/// The clause of an answer with the highest signal, the first one of equals, in the candidate's own words and
/// at most 20 of them.
pub fn snippet(answer: &str) -> String {
    let mut best = ("", -1.0);
    for clause in sentences(answer).flat_map(clauses) {
        let clause =
            clause.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '+' | '#' | '%'));
        let score = signal(clause).score;
        if !clause.is_empty() && score > best.1 {
            best = (clause, score);
        }
    }
    best.0.to_owned()
}

/// A sentence in pieces that are short enough: whole if it is, else cut at its commas, before its joints,
/// between words, anywhere.
fn clauses(sentence: &str) -> Vec<&str> {
    let mut pieces = vec![sentence];
    for places in [after_commas, before_joints, between_words, anywhere] {
        let shorter =
            |piece| if is_short(piece) { vec![piece] } else { cut(piece, &places(piece)) };
        pieces = pieces.into_iter().flat_map(shorter).collect();
    }
    pieces
}

fn is_short(piece: &str) -> bool {
    piece.split_whitespace().count() <= SNIPPET_WORDS_MAX
        && piece.chars().take(SNIPPET_CHARS_MAX + 1).count() <= SNIPPET_CHARS_MAX
}

fn after_commas(piece: &str) -> Vec<usize> {
    let marks = piece.match_indices([',', ';', ':', '—', '、']);
    marks.map(|(at, mark)| at + mark.len()).collect()
}

fn before_joints(piece: &str) -> Vec<usize> {
    let is_joint = |at: &usize| {
        let word = piece[*at..].split_whitespace().next();
        word.is_some_and(|word| holds(JOINTS, &word.to_lowercase()))
    };
    between_words(piece).into_iter().filter(is_joint).collect()
}

fn between_words(piece: &str) -> Vec<usize> {
    let blanks = piece.char_indices().filter(|(_, c)| c.is_whitespace());
    blanks.map(|(at, c)| at + c.len_utf8()).collect()
}

fn anywhere(piece: &str) -> Vec<usize> {
    piece.char_indices().map(|(at, _)| at).collect()
}

/// Cuts a piece that is too long at some of these places, as late as it may.
fn cut<'a>(piece: &'a str, places: &[usize]) -> Vec<&'a str> {
    let (mut from, mut last, mut parts) = (0, 0, Vec::new());
    for place in places.iter().copied().chain([piece.len()]) {
        if last > from && !is_short(&piece[from..place]) {
            parts.push(&piece[from..last]);
            from = last;
        }
        last = place;
    }
    parts.push(&piece[from..]);
    parts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::interview::understanding::quote::is_span;

    /// A04: formal, casual, brief or verbose; nothing where it cannot be told.
    #[test]
    fn styles() {
        let many = "we moved the ledger to another database and tested it for weeks ".repeat(8);
        let plain = "We moved the ledger to another database, and we tested it for four weeks with the team.";
        for (answers, want) in [
            (vec!["yes", "no", "Java mostly"], Some(Style::Brief)),
            (vec![many.as_str(), many.as_str()], Some(Style::Verbose)),
            (
                vec![
                    "yeah so we had this super cool tool and the guys were gonna use it for all the stuff",
                    "okay it was kinda crazy but yeah we did it with a bunch of folks from the other team",
                ],
                Some(Style::Casual),
            ),
            (
                vec![
                    "My responsibilities were primarily in operations; furthermore I facilitated \
                        the weekly review.",
                    "Subsequently I ensured that all stakeholders were informed, particularly those \
                        in finance.",
                ],
                Some(Style::Formal),
            ),
            (vec![plain, plain], None),
            // One word makes no style, and both kinds of words make none.
            (vec![plain, "yeah we moved the ledger to another database and tested it"], None),
            (
                vec![plain, "yeah furthermore we moved the cool ledger and therefore we tested it"],
                None,
            ),
            (vec![plain], None),
            (vec!["", "?"], None),
            (vec![], None),
        ] {
            assert_eq!(style(&answers), want, "{answers:?}");
        }
    }

    /// A04: answers that get shorter, and words of those who have had enough.
    #[test]
    fn fatigues() {
        let long = "we moved the ledger to another database and tested it for weeks";
        for (answers, want) in [
            (vec![long; 6], 0.0),
            (vec!["yes"; 6], 0.0),
            (vec![long, long, "yes", "no", "Java"], 0.55),
            (vec!["yes", "no", long, long, long], 0.0),
            (vec![long, "I'm tired, to be honest."], 0.5),
            (vec![long, long, "how much longer", "no", "no"], 1.0),
            (vec!["I'm tired", long, long, long], 0.0),
            (vec!["the users were tired of it", "we asked how much longer it takes"], 0.0),
            (vec![], 0.0),
        ] {
            let (got, want): (f32, f32) = (fatigue(&answers), want);
            assert!((got - want).abs() < 0.001, "{answers:?}: {got}, not {want}");
        }
    }

    /// A04: the best snippet is the richest clause, not the latest, in at most 20 words.
    #[test]
    fn snippets() {
        for (answer, want) in [
            (
                "Well. It was a big problem at Siemens. And so on.",
                "It was a big problem at Siemens",
            ),
            ("We used C++.", "We used C++"),
            ("yes", "yes"),
            (" … ", ""),
            (
                "so i started there and i did some work on the old system with the others because \
                    in twenty twenty \
                 one we reduced the errors by fifty percent",
                "because in twenty twenty one we reduced the errors by fifty percent",
            ),
        ] {
            assert_eq!(snippet(answer), want, "{answer}");
        }
    }

    proptest! {
        /// A04: any Unicode is taken; a snippet is short and was said; fatigue stays within 0..=1.
        #[test]
        fn any_answers_are_taken(
            answers in prop::collection::vec("(?s).{0,60}|([a-z]{1,9}[ ,.]{1,2}){0,80}", 0..8),
        ) {
            let answers: Vec<&str> = answers.iter().map(String::as_str).collect();
            let _ = style(&answers);
            prop_assert!((0.0..=1.0).contains(&fatigue(&answers)));
            for answer in answers {
                let snippet = snippet(answer);
                prop_assert!(is_short(&snippet));
                prop_assert!(normal(&snippet).is_empty() || is_span(&snippet, answer), "{}", snippet);
            }
        }
    }
}
