//! The keyterms of a stage, and the decoded words in whose place they may belong.
//!
//! The decoder writes a rare name as words that it knows: "cooper netties" for Kubernetes. A *guess* is a
//! keyterm for words that sound similar, by the spelling of both; the decoder then computes how likely the
//! sound is the keyterm.

use std::ops::Range;

use super::vocabulary::Vocabulary;

/// The keyterms of a stage.
#[derive(Default)]
pub(in crate::providers) struct Keyterms(Vec<Keyterm>);

struct Keyterm {
    text: String,
    sounds: String,
    words: usize,
    tokens: Vec<u32>,
}

/// Words in whose place a keyterm may belong.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Guess {
    /// The tokens of the words.
    pub(super) range: Range<usize>,
    /// The tokens of the keyterm.
    pub(super) tokens: Vec<u32>,
    similarity: f64,
}

/// The least similarity of words and keyterm for a guess, from 0 to 1.
const SIMILARITY_MIN: f64 = 0.6;
/// The fewest sounds of a keyterm; shorter ones are similar to too many words.
const SOUNDS_MIN: usize = 3;
/// How many more words than the keyterm has may be written for it.
const MORE_WORDS: usize = 2;
/// The most guesses that the decoder tries in one text. Each takes 5 ms.
const GUESSES_MAX: usize = 6;

impl Keyterms {
    pub(super) fn new(terms: &[String], vocabulary: &Vocabulary) -> Self {
        let keyterm = |text: &String| Keyterm {
            text: text.clone(),
            sounds: sounds(text),
            words: text.split_whitespace().count(),
            tokens: vocabulary.tokens(text),
        };
        let long = |term: &Keyterm| term.sounds.len() >= SOUNDS_MIN;
        Self(terms.iter().map(keyterm).filter(long).collect())
    }

    /// Returns the likeliest guesses, those for the last words first.
    pub(super) fn guesses(&self, tokens: &[u32], vocabulary: &Vocabulary) -> Vec<Guess> {
        let words = words(tokens, vocabulary);
        let most = self.0.iter().map(|term| term.words + MORE_WORDS).max().unwrap_or(0);
        let mut guesses = Vec::new();
        for (n, first) in words.iter().enumerate() {
            for (count, last) in (1..=most).zip(&words[n..]) {
                let range = first.start..last.end;
                let text = vocabulary.text(&tokens[range.clone()]);
                let heard = sounds(&text);
                for term in self.0.iter().filter(|term| count <= term.words + MORE_WORDS) {
                    let similarity = strsim::normalized_levenshtein(&heard, &term.sounds);
                    // A keyterm that is written already replaces no other words.
                    let is_there = format!("{text} ").contains(&format!(" {} ", term.text));
                    if similarity >= SIMILARITY_MIN && !is_there {
                        let (range, tokens) = (range.clone(), term.tokens.clone());
                        guesses.push(Guess { range, tokens, similarity });
                    }
                }
            }
        }
        guesses.sort_by(|one, other| other.similarity.total_cmp(&one.similarity));
        guesses.truncate(GUESSES_MAX);
        guesses.sort_by_key(|guess| std::cmp::Reverse(guess.range.start));
        guesses
    }
}

/// Returns the tokens of each word, without the punctuation behind it.
fn words(tokens: &[u32], vocabulary: &Vocabulary) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    for (n, token) in tokens.iter().enumerate() {
        let begins = vocabulary.begins_word(*token);
        match words.last_mut() {
            Some(word) if !begins && word.end == n && !vocabulary.is_punctuation(*token) => {
                word.end = n + 1;
            }
            _ if begins => words.push(n..n + 1),
            _ => {}
        }
    }
    words
}

/// Returns roughly how a text sounds: similar consonants as one class, all vowels as another.
fn sounds(text: &str) -> String {
    let text = text.to_lowercase().replace("ph", "f").replace("ght", "t").replace('x', "ks");
    let mut sounds = String::new();
    for c in text.chars().filter(|c| c.is_alphanumeric()) {
        let sound = match c {
            'b' | 'p' => 'p',
            'd' | 't' => 't',
            'c' | 'g' | 'j' | 'k' | 'q' => 'k',
            'f' | 'v' | 'w' => 'f',
            's' | 'z' | 'ß' => 's',
            'm' | 'n' | 'ñ' => 'n',
            'h' => continue,
            'l' | 'r' | '0'..='9' => c,
            _ => 'a',
        };
        if !sounds.ends_with(sound) {
            sounds.push(sound);
        }
    }
    sounds
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pieces of a toy vocabulary, by their tokens: some words, and the letters of two keyterms.
    const PIECES: &str = "<unk> <s> </s> ▁we ▁cooper ▁net ties ▁coffee ▁people ▁Kafka ▁go . , ▁ K a \
        b e f k n r s t u";

    fn vocabulary() -> Vocabulary {
        let pieces = PIECES.split(' ').enumerate();
        let vocab: Vec<String> = pieces.map(|(n, text)| format!("\"{text}\": {n}")).collect();
        let file = format!("{{\"model\": {{\"vocab\": {{{}}}}}}}", vocab.join(","));
        Vocabulary::read(file.as_bytes(), vocab.len()).unwrap()
    }

    /// Returns the tokens of pieces, which have a space between them.
    fn tokens(pieces: &str) -> Vec<u32> {
        let token = |piece: &str| PIECES.split(' ').position(|it| it == piece).unwrap() as u32;
        pieces.split_whitespace().map(token).collect()
    }

    /// Returns all guesses, as tokens and the keyterm: `0..1 Kafka`.
    fn guessed(pieces: &str) -> Vec<String> {
        let vocabulary = vocabulary();
        let terms = ["Kubernetes", "Kafka", "Go"].map(str::to_owned);
        let guesses = Keyterms::new(&terms, &vocabulary).guesses(&tokens(pieces), &vocabulary);
        let text = |guess: &Guess| format!("{:?}{}", guess.range, vocabulary.text(&guess.tokens));
        guesses.iter().map(text).collect()
    }

    /// P01: one or several words that sound like a keyterm are a guess, without the punctuation behind them;
    /// words that are written like it already, sound otherwise or have too few sounds are not. The last
    /// words come first.
    #[test]
    fn words_that_sound_alike_are_guesses() {
        for (pieces, wanted) in [
            ("▁coffee", &["0..1 Kafka"][..]),
            ("▁coffee .", &["0..1 Kafka"]),
            ("▁cooper ▁net ties", &["0..3 Kubernetes"]),
            ("▁cooper , ▁net ties ,", &["0..4 Kubernetes"]),
            ("▁people ▁coffee ▁people ▁people ▁coffee .", &["4..5 Kafka", "1..2 Kafka"]),
            (
                "▁coffee , ▁people ▁cooper ▁net ties .",
                &["3..6 Kubernetes", "2..6 Kubernetes", "0..1 Kafka"],
            ),
            ("▁Kafka .", &[]),
            ("▁we ▁Kafka .", &[]),
            ("▁people", &[]),
            ("▁go", &[]),
            ("", &[]),
        ] {
            assert_eq!(guessed(pieces), wanted, "{pieces}");
        }
    }

    /// P01: of many guesses only the likeliest are tried: here one word each, though two side by side sound
    /// similar, too.
    #[test]
    fn guesses_are_few() {
        let many = guessed(&"▁coffee ".repeat(GUESSES_MAX + 2));
        let wanted = (0..GUESSES_MAX).rev().map(|n| format!("{n}..{} Kafka", n + 1));
        assert_eq!(many, wanted.collect::<Vec<_>>());
    }

    /// P01: a word is the tokens from its space on, without punctuation and what follows that; tokens before
    /// the first space are no word.
    #[test]
    fn words_are_told_apart() {
        let found = words(&tokens("ties ▁we , ▁net ties . ties ▁go"), &vocabulary());
        assert_eq!(found, [1..2, 3..5, 7..8]);
    }

    /// P01: other spellings of a name sound similar; other words do not.
    #[test]
    fn names_sound_like_the_words_they_are_taken_for() {
        for (name, heard) in [
            ("Kubernetes", "cooper netties"),
            ("PostgreSQL", "post gray sequel"),
            ("Leipzig", "light sick"),
            ("Datadog", "data dock"),
            ("Siemens", "semens"),
        ] {
            let similarity = strsim::normalized_levenshtein(&sounds(name), &sounds(heard));
            assert!(similarity >= SIMILARITY_MIN, "{name} {heard} {similarity}");
        }
        for (name, heard) in
            [("Kubernetes", "computers"), ("Leipzig", "language"), ("Kafka", "people")]
        {
            let similarity = strsim::normalized_levenshtein(&sounds(name), &sounds(heard));
            assert!(similarity < SIMILARITY_MIN, "{name} {heard} {similarity}");
        }
    }
}
