//! The words of a reply that one model begins and another one may have to end.

use std::mem;

/// A text without a blank that is this long is passed on as it is.
const HELD_BYTES_MAX: usize = 64;

/// Divides a stream of text at blanks, so that a reply that breaks off ends with a whole word.
#[derive(Debug, Default)]
pub(super) struct WholeWords {
    /// The beginning of the next word.
    held: String,
}

impl WholeWords {
    /// Takes more text; returns the words that are whole, with the blanks after them.
    pub(super) fn push(&mut self, text: &str) -> String {
        self.held.push_str(text);
        let blank = self.held.char_indices().rfind(|(_, c)| c.is_whitespace());
        let end = match blank {
            Some((at, c)) => at + c.len_utf8(),
            None if self.held.len() > HELD_BYTES_MAX => self.held.len(),
            None => 0,
        };
        let tail = self.held.split_off(end);
        mem::replace(&mut self.held, tail)
    }

    /// Returns the rest at the end of the text, or drops it after a failure.
    pub(super) fn take(&mut self) -> String {
        mem::take(&mut self.held)
    }
}

/// Takes off what a model that goes on with a reply repeats of its beginning.
#[derive(Debug)]
pub(super) struct Overlap {
    /// The words that were said, without case and marks.
    said: Vec<String>,
    /// The words of the model, until it is known how much of them is a repetition.
    text: String,
}

impl Overlap {
    pub(super) fn new(said: &str) -> Self {
        let said = said.split_whitespace().map(plain).filter(|word| !word.is_empty());
        Self { said: said.collect(), text: String::new() }
    }

    /// Takes whole words. Returns those that are new, once it is known which are.
    pub(super) fn push(&mut self, words: &str) -> Option<String> {
        self.text.push_str(words);
        self.new_from(false).map(|at| self.text[at..].trim_start().to_owned())
    }

    /// Ends the words; returns those that are new.
    pub(super) fn finish(&self) -> String {
        let at = self.new_from(true).unwrap_or_default();
        self.text[at..].trim_start().to_owned()
    }

    /// Returns where the new words begin: behind the longest beginning that equals the end of what was said.
    /// `None` if words that are still to come may belong to it.
    fn new_from(&self, is_over: bool) -> Option<usize> {
        let mut end = 0;
        let mut words = Vec::new();
        for word in self.text.split_inclusive(char::is_whitespace) {
            end += word.len();
            let word = plain(word);
            if !word.is_empty() {
                words.push((end, word));
            }
        }
        let (mut repeated, mut is_open) = (0, false);
        for from in 0..self.said.len() {
            let tail = &self.said[from..];
            let is_same = |(said, (_, word)): &(&String, &(usize, String))| *said == word;
            let same = tail.iter().zip(&words).take_while(is_same).count();
            if same == tail.len() {
                repeated = repeated.max(words[same - 1].0);
            } else if same == words.len() {
                is_open = true;
            }
        }
        (!is_open || is_over).then_some(repeated)
    }
}

/// Returns a word without its case and marks.
fn plain(word: &str) -> String {
    word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P02: whatever the pieces, words are passed on whole, none is lost, and what has no blanks is not held
    /// for ever.
    #[test]
    fn words_are_passed_on_whole() {
        let text = "So you know payment\nsystems, Ada";
        for size in 1..text.len() {
            let mut words = WholeWords::default();
            let mut passed = String::new();
            for piece in text.as_bytes().chunks(size) {
                let more = words.push(std::str::from_utf8(piece).unwrap());
                assert!(more.is_empty() || more.ends_with([' ', '\n']), "{more:?}");
                passed += &more;
            }
            assert_eq!(passed + &words.take(), text, "pieces of {size}");
        }
        let long = "ö".repeat(40);
        assert_eq!(WholeWords::default().push(&long), long);
    }

    /// P02: a model that goes on with a reply says nothing twice: not the whole beginning, not its end.
    #[test]
    fn nothing_is_said_twice() {
        for (said, goes_on, new) in [
            ("So you know payment ", "systems. What next?", "systems. What next?"),
            ("So you know payment ", "So you know payment systems.", "systems."),
            ("So you know payment ", "so, you know PAYMENT — systems.", "— systems."),
            ("So you know payment ", "know payment systems.", "systems."),
            ("So you know payment ", "payment systems.", "systems."),
            ("So you know payment ", "So you like it?", "So you like it?"),
            ("I see. I ", "I see. I see it.", "see it."),
            ("What next? ", "What next?", ""),
            ("What next? ", "", ""),
        ] {
            for size in 1..=goes_on.len().max(1) {
                let mut overlap = Overlap::new(said);
                let mut got = None;
                let pieces: Vec<&str> = goes_on.split_inclusive(' ').collect();
                for words in pieces.chunks(size) {
                    let words = words.concat();
                    got = match got {
                        Some(known) => Some(known + words.as_str()),
                        None => overlap.push(&words),
                    };
                }
                let got = got.unwrap_or_else(|| overlap.finish());
                assert_eq!(got, new, "{said:?} {goes_on:?} by {size}");
            }
        }
    }
}
