//! The features of a text: what the classifier sees of it.

use crate::text::{normal, split};

/// The longest run of words that is a feature.
const WORDS_MAX: usize = 3;
/// The lengths of runs of letters within a word that are features; the ends of a word count as letters.
const LETTERS_MIN: usize = 2;
const LETTERS_MAX: usize = 5;
/// The words at the beginning and at the end that are features of their own.
const EDGE_WORDS: usize = 3;
/// The number of words from which on the length is told coarsely.
const LONG: usize = 8;
/// The most words that are looked at, at the beginning and at the end of a long text each.
const HALF_MAX: usize = 30;

/// The features of a text as numbers, one for each time that a feature occurs. Features of words and of
/// letters are two groups, each of which has the same weight in the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Features {
    pub(crate) words: Vec<u64>,
    pub(crate) letters: Vec<u64>,
}

/// The kind of a feature: equal words in different places are different features.
#[derive(Clone, Copy)]
enum Kind {
    Run = 1,
    Skip = 2,
    First = 3,
    Last = 4,
    Length = 5,
    Asks = 6,
    Letters = 7,
}

impl Features {
    pub(crate) fn of(text: &str) -> Self {
        let text_normal = normal(text);
        let all = split(&text_normal);
        let (begin, end) = match all.len() {
            long if long > 2 * HALF_MAX => (&all[..HALF_MAX], &all[long - HALF_MAX..]),
            _ => (&all[..], &all[..0]),
        };
        let mut features = Self::default();
        for part in [begin, end] {
            features.add_runs(part);
        }
        for word in all.iter().take(EDGE_WORDS) {
            features.words.push(hash(Kind::First, word.bytes()));
        }
        for word in all.iter().rev().take(EDGE_WORDS) {
            features.words.push(hash(Kind::Last, word.bytes()));
        }
        features.words.push(hash(Kind::Length, [length(all.len())]));
        if text.trim_end().ends_with(['?', '？', '؟']) {
            features.words.push(hash(Kind::Asks, []));
        }
        for word in begin.iter().chain(end) {
            features.add_letters(word);
        }
        features
    }

    /// Adds the runs of words, and the pairs with a word left out between them.
    fn add_runs(&mut self, words: &[&str]) {
        if words.is_empty() {
            return;
        }
        let bounded: Vec<&str> = ["^"].iter().chain(words).chain(&["$"]).copied().collect();
        for long in 1..=WORDS_MAX {
            for run in bounded.windows(long) {
                self.words.push(hash(Kind::Run, spaced(run)));
            }
        }
        for run in words.windows(3) {
            self.words.push(hash(Kind::Skip, spaced(&[run[0], run[2]])));
        }
    }

    fn add_letters(&mut self, word: &str) {
        let letters: Vec<char> = ['_'].into_iter().chain(word.chars()).chain(['_']).collect();
        for long in LETTERS_MIN..=LETTERS_MAX {
            for run in letters.windows(long) {
                let bytes = run.iter().flat_map(|c| (*c as u32).to_le_bytes());
                self.letters.push(hash(Kind::Letters, bytes));
            }
        }
    }
}

fn spaced<'a>(run: &'a [&'a str]) -> impl Iterator<Item = u8> + 'a {
    run.iter().flat_map(|word| word.bytes().chain([b' ']))
}

fn length(words: usize) -> u8 {
    let coarse = if words < LONG { words } else { LONG - 1 + words / LONG };
    coarse.min(12) as u8
}

/// FNV-1a, because it is the same on every machine.
fn hash(kind: Kind, bytes: impl IntoIterator<Item = u8>) -> u64 {
    let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    [kind as u8].into_iter().chain(bytes).fold(0xcbf2_9ce4_8422_2325, step)
}
