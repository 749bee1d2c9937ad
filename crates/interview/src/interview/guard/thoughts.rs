//! The thoughts in a model's text, taken out as the text comes, and the JSON of an answer behind them. The
//! result does not depend on the pieces in which the text came.

use serde_json::Value;

/// The marks around thoughts, in small letters: of DeepSeek and Qwen, of prompts, of Magistral, of Kimi.
const MARKS: [(&str, &str); 9] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<reflection>", "</reflection>"),
    ("<scratchpad>", "</scratchpad>"),
    ("<seed:think>", "</seed:think>"),
    ("[think]", "[/think]"),
    ("◁think▷", "◁/think▷"),
];
/// The bytes of the longest mark.
const MARK_BYTES_MAX: usize = 16;
/// The most places at which JSON is looked for in vain in one answer.
const TRIES_MAX: usize = 256;

/// The reader of a model's text, between its pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thoughts {
    place: Place,
    /// Text that may be the beginning of a mark; all of the text where [`Place::Presumed`].
    held: String,
    /// The bytes of the held text in which no mark begins.
    searched: usize,
    /// Whether there was a thought.
    was_seen: bool,
    /// Whether one ended that never began.
    was_unmarked: bool,
}

/// Where in the text the reader is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    /// In words that are to be said.
    #[default]
    Words,
    /// In a thought, which ends with this mark.
    Thought(&'static str),
    /// In words that are a thought if a closing mark follows.
    Presumed,
}

/// What a piece of text gave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Read {
    /// The words outside of thoughts.
    pub words: String,
    /// Whether a thought ended that never began: all words before these were a thought.
    pub takes_back: bool,
}

impl Thoughts {
    /// Returns a reader for a model that leaves the opening mark out, or may: nothing is passed on before the
    /// closing mark, or the end.
    pub fn presumed() -> Self {
        Self { place: Place::Presumed, ..Self::default() }
    }

    /// Takes more text.
    pub fn push(&mut self, text: &str) -> Read {
        self.held.push_str(text);
        let mut read = Read::default();
        while self.step(&mut read) {}
        read
    }

    /// Ends the text; returns the words that were held. An unclosed thought is none.
    pub fn finish(&mut self) -> String {
        self.searched = 0;
        let held = std::mem::take(&mut self.held);
        match std::mem::take(&mut self.place) {
            Place::Words | Place::Presumed => held,
            Place::Thought(_) => String::new(),
        }
    }

    /// Ends a text that was cut off: what may be a thought whose closing mark was still to come is no words.
    pub fn cut_off(&mut self) -> String {
        if self.place == Place::Presumed {
            self.held.clear();
        }
        self.finish()
    }

    /// Whether there was a thought so far.
    pub fn was_seen(&self) -> bool {
        self.was_seen
    }

    /// Whether a thought ended that never began: the model leaves the opening mark out.
    pub fn was_unmarked(&self) -> bool {
        self.was_unmarked
    }

    /// Takes the next mark, or what lies before a possible one; false if that needs more text.
    fn step(&mut self, read: &mut Read) -> bool {
        // As long as the text itself: only ASCII letters change.
        let from = std::mem::take(&mut self.searched);
        let small = self.held[from..].to_ascii_lowercase();
        if let Place::Thought(close) = self.place {
            let found = small.find(close);
            let end = found.map_or_else(|| begin_of_mark(&small), |at| at + close.len());
            self.held.drain(..end);
            if found.is_some() {
                self.place = Place::Words;
            }
            return found.is_some();
        }
        let Some((at, mark, close)) = first_mark(&small) else {
            match self.place {
                Place::Presumed => {
                    let tail = self.held.len().saturating_sub(MARK_BYTES_MAX);
                    self.searched = self.held.floor_char_boundary(tail);
                }
                Place::Words | Place::Thought(_) => {
                    read.words.extend(self.held.drain(..begin_of_mark(&small)));
                }
            }
            return false;
        };
        let at = from + at;
        self.was_seen = true;
        read.words.extend(self.held.drain(..at));
        self.held.drain(..mark.len());
        self.place = if mark == close { Place::Words } else { Place::Thought(close) };
        if mark == close {
            read.words.clear();
            read.takes_back = true;
            self.was_unmarked = true;
        }
        true
    }
}

/// Returns the first mark in a text: its place, itself, and the mark that closes the thought.
fn first_mark(small: &str) -> Option<(usize, &'static str, &'static str)> {
    let each = MARKS.into_iter().flat_map(|(open, close)| [(open, close), (close, close)]);
    let found = each.filter_map(|(mark, close)| Some((small.find(mark)?, mark, close)));
    found.min_by_key(|(at, ..)| *at)
}

/// Returns where a mark may begin that the text ends within; its end if there is none.
fn begin_of_mark(small: &str) -> usize {
    let marks = || MARKS.into_iter().flat_map(|(open, close)| [open, close]);
    let may_begin = |at: &usize| marks().any(|mark| mark.starts_with(&small[*at..]));
    let begins = small.char_indices().map(|(at, _)| at);
    begins.rev().take(16).filter(may_begin).last().unwrap_or(small.len())
}

/// Returns the JSON object in an answer: behind a preface, within a fence, before more words; the longest if
/// there are several. The text itself if there is none.
pub fn json_in(text: &str) -> &str {
    let text = text.trim();
    let (mut longest, mut rest, mut tries) = (None::<&str>, text, 0);
    while let Some(at) = rest.find('{').filter(|_| tries < TRIES_MAX) {
        rest = &rest[at..];
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        let is_object = values.next().is_some_and(|value| value.is_ok());
        let end = if is_object { values.byte_offset() } else { 1 };
        if is_object && longest.is_none_or(|longest| end >= longest.len()) {
            longest = Some(&rest[..end]);
        }
        tries += usize::from(!is_object);
        rest = &rest[end..];
    }
    longest.unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a text in pieces of so many bytes, where characters allow it.
    fn read(mut thoughts: Thoughts, text: &str, size: usize) -> String {
        let (mut said, mut rest) = (String::new(), text);
        while !rest.is_empty() {
            let (piece, tail) = rest.split_at(rest.ceil_char_boundary(size));
            let read = thoughts.push(piece);
            if read.takes_back {
                said.clear();
            }
            said += &read.words;
            rest = tail;
        }
        said + &thoughts.finish()
    }

    /// What a model thinks is no word of its answer, in whatever pieces it comes.
    #[test]
    fn thoughts_are_no_words() {
        for (text, words) in [
            ("<think>\nShe seems nervous.\n</think>\n\nI see.", "\n\nI see."),
            ("She seems nervous.\n</think>\n\nI see.", "\n\nI see."),
            ("I see. <think>She seems", "I see. "),
            ("<THINK>No.</Think>Yes.", "Yes."),
            ("[THINK]Größe?[/THINK]Yes.", "Yes."),
            ("◁think▷No.◁/think▷Yes.", "Yes."),
            ("<think></think>Is 3 < 4?", "Is 3 < 4?"),
            ("<think>a < b</think>Yes. <thought>Or no.</thought>What now?", "Yes. What now?"),
            ("<think>one</think>two</think>three", "three"),
            ("<repeat> I think so.", "<repeat> I think so."),
            ("<thin", "<thin"),
            ("", ""),
        ] {
            for size in 1..=text.len().max(1) {
                assert_eq!(read(Thoughts::default(), text, size), words, "{text:?} by {size}");
            }
        }
    }

    /// Nothing of a model that leaves the opening mark out is passed on before the closing one.
    #[test]
    fn presumed_thoughts_wait_for_their_end() {
        let mut thoughts = Thoughts::presumed();
        assert_eq!(thoughts.push("She seems nervous. "), Read::default());
        let first = thoughts.push("</think>I see.");
        assert_eq!(first, Read { words: "I see.".to_owned(), takes_back: true });
        assert!(thoughts.was_seen());
        let mut plain = Thoughts::presumed();
        assert_eq!(plain.push("I see."), Read::default());
        assert_eq!((plain.finish().as_str(), plain.was_seen()), ("I see.", false));
        for (text, whole, cut_off) in [
            ("She seems nervous, Größe and all.\n</THINK>\nI see.", "\nI see.", "\nI see."),
            ("<think>She seems nervous.</think>I see.", "I see.", "I see."),
            ("She seems nervous. I will ask her", "She seems nervous. I will ask her", ""),
        ] {
            for size in 1..=text.len() {
                assert_eq!(read(Thoughts::presumed(), text, size), whole, "{text:?} by {size}");
            }
            let mut torn = Thoughts::presumed();
            let words = torn.push(text).words;
            assert_eq!(words + &torn.cut_off(), cut_off, "{text:?}");
            assert_eq!(torn.push("So?").words, "So?", "behind the end of {text:?}");
        }
    }

    /// One object is found whatever stands around it.
    #[test]
    fn json_is_found() {
        for text in [
            r#"{"a":{"b":1}}"#,
            "Here is the JSON:\n```json\n{\"a\":{\"b\":1}}\n```\n",
            "As {asked}: {\"a\":{\"b\":1}} I hope that {this} helps.",
        ] {
            assert_eq!(json_in(text), r#"{"a":{"b":1}}"#, "{text}");
        }
        assert_eq!(json_in(" no {json\n"), "no {json");
        let many = format!("{}{{\"a\":{{\"b\":1}}}}", "{x} ".repeat(99));
        assert_eq!(json_in(&many), r#"{"a":{"b":1}}"#, "behind many brackets");
    }
}
