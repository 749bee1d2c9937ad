//! The part-of-speech tagger: an averaged perceptron, whose weights are in a file.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};

use super::super::files::{Index, Table};

/// The placeholders before the first word and behind the last.
const START: [&str; 2] = ["-START2-", "-START-"];
const END: [&str; 2] = ["-END-", "-END2-"];
/// The tag of a word about which nothing is known.
const NOUN: &str = "NN";
/// The number of a tag that the list of tags does not have.
const NO_TAG: u8 = u8::MAX;

/// The words with only one part of speech, and the weights for all others.
#[derive(serde::Deserialize)]
pub(super) struct Tagger {
    tags: Vec<String>,
    tagdict: Table,
    /// The words that are frequent enough to have weights of their own.
    vocab: Table,
    weights: Weights,
}

impl Tagger {
    /// Returns the tag of each word, as the Penn Treebank names them. No word may be empty.
    pub(super) fn tags(&self, words: &[&str]) -> Vec<&str> {
        let context = self.context(words);
        let [mut before, mut last] = START;
        let mut tags = Vec::with_capacity(words.len());
        for (n, word) in words.iter().enumerate() {
            let tag = match self.tagdict.get(word) {
                Some(tag) => tag,
                None => self.predict(&features(n, word, &context, last, before)),
            };
            tags.push(tag);
            (before, last) = (last, tag);
        }
        tags
    }

    /// Returns the words as features use them: rare ones by their shape.
    fn context(&self, words: &[&str]) -> Vec<String> {
        let known = words.iter().map(|word| {
            let plain = plain(word);
            if self.vocab.contains(&plain) { plain } else { format!("<{}>", shape(word)) }
        });
        let [start, end] = [START, END].map(|edge| edge.map(str::to_owned));
        start.into_iter().chain(known).chain(end).collect()
    }

    fn predict(&self, features: &[String]) -> &str {
        let mut scores = vec![0.0; self.tags.len()];
        let mut is_known = false;
        for feature in features {
            for (tag, tenths) in self.weights.of(feature) {
                is_known = true;
                let tag = self.weights.tags.get(usize::from(*tag));
                let tag = tag.and_then(|tag| self.tags.iter().position(|name| name == tag));
                if let Some(score) = tag.and_then(|tag| scores.get_mut(tag)) {
                    *score += f64::from(*tenths) / 10.0;
                }
            }
        }
        let scored = self.tags.iter().zip(scores);
        // Of equal scores the last tag in the alphabet wins.
        let best =
            scored.max_by(|(a, one), (b, other)| one.total_cmp(other).then_with(|| a.cmp(b)));
        best.filter(|_| is_known).map_or(NOUN, |(tag, _)| tag)
    }
}

fn features(n: usize, word: &str, context: &[String], last: &str, before: &str) -> Vec<String> {
    // Two placeholders are before the first word.
    let around = |offset: usize| context.get(n + offset).map_or("", String::as_str);
    let place = if n == 0 { "i0" } else { "i+" };
    vec![
        "b".to_owned(),
        format!("s3={}", ending(word)),
        format!("p1={}", word.chars().next().unwrap_or_default()),
        format!("w={}", around(2)),
        format!("sh={}", shape(word)),
        place.to_owned(),
        format!("t-1={last}"),
        format!("t-2={before}"),
        format!("t-12={last},{before}"),
        format!("w-1={}", around(1)),
        format!("s3-1={}", ending(around(1))),
        format!("w-2={}", around(0)),
        format!("w+1={}", around(3)),
        format!("s3+1={}", ending(around(3))),
        format!("w+2={}", around(4)),
    ]
}

/// Returns the last three characters.
fn ending(word: &str) -> &str {
    let from = word.char_indices().rev().nth(2).map_or(0, |(at, _)| at);
    &word[from..]
}

fn plain(word: &str) -> String {
    let is_digit = |character: char| character.is_numeric();
    if word.contains('-') && !word.starts_with('-') {
        "!HYPHEN".to_owned()
    } else if word.chars().all(is_digit) && word.chars().count() == 4 {
        "!YEAR".to_owned()
    } else if word.starts_with(is_digit) {
        "!DIGITS".to_owned()
    } else {
        word.to_lowercase()
    }
}

/// Returns the shape of a word: lower, Capitalised, CAPITALS, mIxed, digits; of other words the first four
/// characters.
fn shape(word: &str) -> String {
    let is_lower =
        |word: &str| word.chars().any(char::is_lowercase) && !word.chars().any(char::is_uppercase);
    let is_upper =
        |word: &str| word.chars().any(char::is_uppercase) && !word.chars().any(char::is_lowercase);
    let mut rest = word.chars();
    let is_capital = rest.next().is_some_and(char::is_uppercase);
    if word.chars().all(char::is_alphabetic) {
        let shape = match () {
            () if is_lower(word) => "x",
            () if is_upper(word) && rest.as_str().is_empty() => "X1",
            () if is_upper(word) => "XX",
            () if is_capital && is_lower(rest.as_str()) => "Xx",
            () => "xX",
        };
        return shape.to_owned();
    }
    if word.chars().all(char::is_numeric) {
        return "d".to_owned();
    }
    let sign = |character: char| match character {
        digit if digit.is_numeric() => 'd',
        letter if letter.is_alphabetic() => 'x',
        other => other,
    };
    word.chars().take(4).map(sign).collect()
}

/// The weights of each feature for and against tags.
#[derive(Default)]
struct Weights {
    /// The position in `pairs` at which the weights of a feature begin.
    index: Index,
    /// The tags with their weights in tenths; a weight of 0 ends a feature.
    pairs: Vec<(u8, i16)>,
    tags: Vec<String>,
}

impl Weights {
    fn of(&self, feature: &str) -> impl Iterator<Item = &(u8, i16)> {
        let from = self.index.get(feature).map_or(self.pairs.len(), |from| from as usize);
        self.pairs[from..].iter().take_while(|(_, weight)| *weight != 0)
    }

    fn number(&mut self, tag: &str) -> u8 {
        let known = self.tags.iter().position(|known| known == tag);
        let number = known.unwrap_or(self.tags.len());
        if known.is_none() && number < usize::from(NO_TAG) {
            self.tags.push(tag.to_owned());
        }
        u8::try_from(number).unwrap_or(NO_TAG)
    }
}

impl<'de> Deserialize<'de> for Weights {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Features;

        impl<'de> Visitor<'de> for Features {
            type Value = Weights;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("weights by tag by feature")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Weights, A::Error> {
                let mut weights = Weights::default();
                loop {
                    let (key, text) = weights.index.begin();
                    if map.next_key_seed(text)?.is_none() {
                        break;
                    }
                    let from = u32::try_from(weights.pairs.len()).map_err(A::Error::custom)?;
                    weights.index.push(key, from);
                    for (tag, weight) in
                        map.next_value::<std::collections::BTreeMap<String, f64>>()?
                    {
                        let tenths = (weight * 10.0).round();
                        if !(f64::from(i16::MIN)..=f64::from(i16::MAX)).contains(&tenths) {
                            return Err(A::Error::custom(format!(
                                "the weight {weight} is too large"
                            )));
                        }
                        let pair = (weights.number(&tag), tenths as i16);
                        weights.pairs.extend((pair.1 != 0).then_some(pair));
                    }
                    weights.pairs.push((NO_TAG, 0));
                }
                weights.pairs.shrink_to_fit();
                weights.index = weights.index.sorted();
                Ok(weights)
            }
        }

        deserializer.deserialize_map(Features)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tagger() -> Tagger {
        let json = r#"{
            "tags": ["NN", "VB", "MD", "DT"],
            "tagdict": {"the": "DT", "will": "MD"},
            "vocab": ["record", "!YEAR", "the", "will"],
            "weights": {
                "w=record": {"NN": 1.5, "VB": 1.0},
                "t-1=MD": {"VB": 3.2, "NN": -0.3, "XX": 9.9},
                "w=!YEAR": {"DT": 0.1},
                "sh=xX": {"NN": 2.0, "VB": 2.0},
                "w=<d.d>": {"MD": 1.0},
                "w-1=<x>": {"DT": 7.0}
            }}"#;
        serde_json::from_str(json).unwrap()
    }

    /// The tag of a word depends on the word and on its neighbours; of two equal tags the later name wins.
    #[test]
    fn a_tag_follows_from_word_and_neighbours() {
        for (words, tags) in [
            (&["the", "record"][..], &["DT", "NN"][..]),
            (&["will", "record"], &["MD", "VB"]),
            (&["1999"], &["DT"]),
            (&["iPhone"], &["VB"]),
            (&["3.5"], &["MD"]),
            (&["unheard", "of"], &["NN", "DT"]),
            (&[], &[]),
        ] {
            assert_eq!(tagger().tags(words), tags, "{words:?}");
        }
    }

    /// Rare words are known by their shapes.
    #[test]
    fn shapes() {
        for (word, expected) in [
            ("word", "x"),
            ("Word", "Xx"),
            ("WORD", "XX"),
            ("W", "X1"),
            ("wOrd", "xX"),
            ("2024", "d"),
            ("a-b-c", "x-x-"),
            ("3rd", "dxx"),
            ("'s", "'x"),
        ] {
            assert_eq!(shape(word), expected, "{word}");
        }
        assert_eq!((ending("tested"), ending("of"), ending("é")), ("ted", "of", "é"));
        let plainly = ["well-known", "-5", "2024", "3rd", "Word"].map(plain);
        assert_eq!(plainly, ["!HYPHEN", "-5", "!YEAR", "!DIGITS", "word"]);
    }

    /// A file that is no tagger is refused.
    #[test]
    fn other_files_are_refused() {
        for json in [
            r#"{"tags": [], "tagdict": {}, "vocab": []}"#,
            r#"{"tags": [], "tagdict": {}, "vocab": [], "weights": {"b": {"NN": 1e9}}}"#,
            r#"{"tags": [], "tagdict": {}, "vocab": [], "weights": {"b": [1]}}"#,
        ] {
            assert!(serde_json::from_str::<Tagger>(json).is_err(), "{json}");
        }
        let empty = r#"{"tags": [], "tagdict": {}, "vocab": [], "weights": {"b": {"NN": 1.0}}}"#;
        let empty: Tagger = serde_json::from_str(empty).unwrap();
        assert_eq!(empty.tags(&["word"]), ["NN"]);
    }
}
