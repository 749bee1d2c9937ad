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
        for from in 0..bounded.len() {
            let mut run = begin(Kind::Run);
            for word in bounded[from..].iter().take(WORDS_MAX) {
                run = go_on(run, spaced(word));
                self.words.push(run);
            }
        }
        for run in words.windows(3) {
            self.words.push(hash(Kind::Skip, spaced(run[0]).chain(spaced(run[2]))));
        }
    }

    fn add_letters(&mut self, word: &str) {
        let letters: Vec<char> = ['_'].into_iter().chain(word.chars()).chain(['_']).collect();
        for from in 0..letters.len() {
            let mut run = begin(Kind::Letters);
            for (before, letter) in letters[from..].iter().take(LETTERS_MAX).enumerate() {
                run = go_on(run, (*letter as u32).to_le_bytes());
                if before + 1 >= LETTERS_MIN {
                    self.letters.push(run);
                }
            }
        }
    }
}

fn spaced(word: &str) -> impl Iterator<Item = u8> {
    word.bytes().chain([b' '])
}

fn length(words: usize) -> u8 {
    let coarse = if words < LONG { words } else { LONG - 1 + words / LONG };
    coarse.min(12) as u8
}

/// A feature as a number: FNV-1a, because it is the same on every machine, and because a longer run begins
/// with the number of a shorter one.
fn hash(kind: Kind, bytes: impl IntoIterator<Item = u8>) -> u64 {
    go_on(begin(kind), bytes)
}

fn begin(kind: Kind) -> u64 {
    go_on(0xcbf2_9ce4_8422_2325, [kind as u8])
}

fn go_on(hash: u64, bytes: impl IntoIterator<Item = u8>) -> u64 {
    let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.into_iter().fold(hash, step)
}
