//! What a model writes that is no speech: stage directions, code and tables. Taken out as the text comes; the
//! result does not depend on the pieces in which it came.
//!
//! A stage direction is a few words in brackets, asterisks or underscores that describe how somebody acts,
//! as `manner.rs` tells. What can be meant otherwise is one only if it is a sentence of its own: "what (opens
//! the window) is it". Square brackets hold no speech unless it is said to somebody: "[pause]", "[Company]".

use super::manner::{Manner, manner};

/// The longest stage direction.
const DIRECTION_BYTES_MAX: usize = 80;
const FENCE: &str = "```";

/// The reader of a model's words, between their pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Acting {
    /// Text of which it is not known yet what it is.
    held: String,
    place: Place,
    /// The last character that was passed on.
    last: Option<char>,
    /// Whether anything but blanks was passed on.
    has_begun: bool,
}

/// Where in the text the reader is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    /// At the beginning of a sentence.
    #[default]
    Begin,
    /// Within a sentence.
    Sentence,
    /// Within code.
    Code,
}

/// What becomes of the first bytes of the held text.
enum Take {
    /// They are speech.
    Keep(usize),
    /// They are not.
    Drop(usize),
    /// They are not, and code begins or ends behind them.
    Turn(usize, Place),
    /// It needs more text.
    Wait,
}

impl Acting {
    /// Takes more words; returns those that are speech.
    pub fn push(&mut self, words: &str) -> String {
        self.held.push_str(words);
        self.read(false)
    }

    /// Ends the words; returns the rest of the speech.
    pub fn finish(&mut self) -> String {
        let rest = self.read(true);
        *self = Self::default();
        rest
    }

    fn read(&mut self, is_end: bool) -> String {
        let held = std::mem::take(&mut self.held);
        let (mut rest, mut speech) = (held.as_str(), String::new());
        while !rest.is_empty() {
            let length = match self.next(rest, is_end) {
                Take::Keep(length) => {
                    rest[..length].chars().for_each(|c| self.pass(c));
                    speech.push_str(&rest[..length]);
                    length
                }
                Take::Drop(length) => length,
                Take::Turn(length, place) => {
                    self.place = place;
                    length
                }
                Take::Wait => break,
            };
            rest = &rest[length..];
        }
        self.held = rest.to_owned();
        speech
    }

    fn pass(&mut self, c: char) {
        self.last = Some(c);
        self.has_begun |= !c.is_whitespace();
        if c == '\n' || matches!(c, '.' | '!' | '?' | '…') {
            self.place = Place::Begin;
        } else if !c.is_whitespace() && !is_mark(c) {
            self.place = Place::Sentence;
        }
    }

    fn next(&self, rest: &str, is_end: bool) -> Take {
        if self.place == Place::Code {
            return code(rest, is_end);
        }
        let Some(first) = rest.chars().next() else { return Take::Wait };
        let begins_line = self.last.is_none_or(|last| last == '\n');
        let is_within_word = self.last.is_some_and(char::is_alphanumeric);
        match first {
            '`' => self.fence(rest, is_end),
            '|' if begins_line => match rest.find('\n') {
                Some(end) => Take::Drop(end),
                None if is_end => Take::Drop(rest.len()),
                None => Take::Wait,
            },
            '[' | '(' | '*' | '_' if !is_within_word => self.direction(first, rest, is_end),
            other => Take::Keep(other.len_utf8()),
        }
    }

    /// Leaves out what stands between an opening mark and the one that closes it, if that is acting.
    fn direction(&self, open: char, rest: &str, is_end: bool) -> Take {
        let unknown = |length| if is_end { Take::Keep(length) } else { Take::Wait };
        let opening = match open {
            '*' | '_' => rest.len() - rest.trim_start_matches(open).len(),
            _ => 1,
        };
        let inner = &rest[opening..];
        if inner.is_empty() {
            return unknown(opening);
        }
        let (end, behind) = match closing(open, &rest[..opening], inner) {
            Some(end) if end.0 <= DIRECTION_BYTES_MAX => end,
            None if inner.len() < DIRECTION_BYTES_MAX + opening && may_close(open, inner) => {
                return unknown(opening);
            }
            Some(_) | None => return Take::Keep(opening),
        };
        let (said, after) = (&inner[..end], &inner[behind..]);
        let is_dropped = match manner(said) {
            Manner::Said => false,
            Manner::Unknown | Manner::Likely | Manner::Acting if open == '[' => {
                if after.is_empty() && !is_end {
                    return Take::Wait;
                }
                // The words of a link are said.
                !after.starts_with('(') && said.contains(char::is_alphabetic)
            }
            Manner::Unknown => false,
            // "*smiles*" within a sentence may stress the word.
            Manner::Acting if open == '(' || said.trim().contains(' ') => true,
            Manner::Acting | Manner::Likely => {
                let begins = self.place == Place::Begin;
                match after.chars().find(|c| *c != ' ') {
                    None if begins && !is_end => return Take::Wait,
                    next => begins && next.is_none_or(begins_sentence),
                }
            }
        };
        if is_dropped { Take::Drop(opening + behind) } else { Take::Keep(opening) }
    }

    /// A fence around all of the words is left out by itself; any other one has code in it.
    fn fence(&self, rest: &str, is_end: bool) -> Take {
        if !rest.starts_with(FENCE) {
            let may_be = FENCE.starts_with(rest) && !is_end;
            return if may_be { Take::Wait } else { Take::Keep(1) };
        }
        let after = &rest[FENCE.len()..];
        if self.has_begun {
            return Take::Turn(FENCE.len(), Place::Code);
        }
        match after.chars().next() {
            None if !is_end => Take::Wait,
            None | Some('\n' | '\r') => Take::Keep(FENCE.len()),
            Some(_) => Take::Turn(FENCE.len(), Place::Code),
        }
    }
}

/// Leaves code out, up to its closing fence.
fn code(rest: &str, is_end: bool) -> Take {
    if let Some(at) = rest.find(FENCE) {
        return Take::Turn(at + FENCE.len(), Place::Begin);
    }
    let fence = rest.bytes().rev().take(FENCE.len() - 1).take_while(|byte| *byte == b'`').count();
    match rest.len() - fence {
        _ if is_end => Take::Drop(rest.len()),
        0 => Take::Wait,
        length => Take::Drop(length),
    }
}

/// Returns where the text behind an opening mark ends, and where its closing mark does. Brackets may stand
/// within brackets.
fn closing(open: char, opening: &str, inner: &str) -> Option<(usize, usize)> {
    let close = match open {
        '[' => ']',
        '(' => ')',
        _ => {
            let at = inner.find(opening)?;
            return may_close(open, &inner[..at]).then_some((at, at + opening.len()));
        }
    };
    let mut depth = 0_usize;
    for (at, c) in inner.char_indices() {
        match c {
            '\n' => return None,
            c if c == open => depth += 1,
            c if c == close && depth == 0 => return Some((at, at + 1)),
            c if c == close => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Whether a direction may go on behind these words: it is on one line, and "* a point" is none.
fn may_close(open: char, words: &str) -> bool {
    let is_point = matches!(open, '*' | '_') && words.starts_with(char::is_whitespace);
    !is_point && !words.contains('\n')
}

/// Whether a sentence may begin with a character.
fn begins_sentence(c: char) -> bool {
    !c.is_lowercase() && !matches!(c, ',' | '.' | '!' | '?' | ';' | ':')
}

/// Whether a character is a mark around words, which neither begins nor ends a sentence.
fn is_mark(c: char) -> bool {
    matches!(c, '*' | '_' | '"' | '”' | '“' | '„' | '»' | '«' | ')' | ']')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What is left of a text that comes in pieces which end at these bytes.
    fn read(text: &str, cuts: impl IntoIterator<Item = usize>) -> String {
        let (mut acting, mut said, mut from) = (Acting::default(), String::new(), 0);
        for cut in cuts.into_iter().chain([text.len()]) {
            let cut = text.ceil_char_boundary(cut).max(from);
            said += &acting.push(&text[from..cut]);
            from = cut;
        }
        said + &acting.finish()
    }

    /// Only speech is left, in whatever pieces the words come.
    #[test]
    fn only_speech_is_left() {
        for (text, speech) in [
            ("*smiles warmly* (nods) [pause] I see. What next?", "I see. What next?"),
            ("I see. (Nods) What next? *leans back*", "I see. What next?"),
            ("Well [pause] what next?", "Well what next?"),
            ("(lächelt) Größe?", "Größe?"),
            ("Was it a team (about five) or more?", "Was it a team (about five) or more?"),
            ("(If you like.) What next?", "(If you like.) What next?"),
            ("(by the way) what next?", "(by the way) what next?"),
            ("(by the way) What next?", "(by the way) What next?"),
            ("*take your time* What next?", "*take your time* What next?"),
            ("_no rush_ What next?", "_no rush_ What next?"),
            ("[if you like] What next?", "[if you like] What next?"),
            ("(Keine Eile) Was kam dann?", "(Keine Eile) Was kam dann?"),
            ("(se vuole) Che cosa è successo?", "(se vuole) Che cosa è successo?"),
            ("_nods slowly_ I see. **Smiles** __laughs__ What next?", "I see. What next?"),
            ("(smiles.) (pauses…) I see. *(nods)* What next?", "I see. What next?"),
            ("Well, *pauses briefly* what next?", "Well, what next?"),
            ("Well (clears throat) what next?", "Well what next?"),
            ("Did the crowd *laugh* at a *pause*?", "Did the crowd *laugh* at a *pause*?"),
            ("(opens the window) What (opens the window) is it?", "What (opens the window) is it?"),
            ("Hello [Name], welcome to [Company Name].", "Hello , welcome to ."),
            ("The list [1, 2] and f(x) * g(x).", "The list [1, 2] and f(x) * g(x)."),
            ("(smiles (softly)) I see.", "I see."),
            ("( nods ) I see.", "I see."),
            ("(nods\nI see.", "(nods I see."),
            ("*what* did you do, **exactly**?", "*what* did you do, **exactly**?"),
            ("*Great* Tell me more.", "*Great* Tell me more."),
            ("**Great!** Tell me more.", "**Great!** Tell me more."),
            ("* one\n* two", "* one * two"),
            ("See [our page](https://a.example) now.", "See [our page](https://a.example) now."),
            ("See [Rust](https://a.example) now.", "See [Rust](https://a.example) now."),
            ("An array a[i] is 3 * 4 * 5.", "An array a[i] is 3 * 4 * 5."),
            ("The name __init__ in snake_case.", "The name __init__ in snake_case."),
            ("I see.\n```rust\nlet a = 1;\n```\nWhat next?", "I see. What next?"),
            ("I see. ```\nlet a", "I see."),
            ("```\nI see.\n```", "``` I see."),
            ("\n```\nI see.\n```", "``` I see."),
            ("I see.\n| a | b |\n|---|---|\nWhat next?", "I see. What next?"),
            ("The pipe a | b, `ls`?", "The pipe a | b, `ls`?"),
            ("(nods", "(nods"),
            ("", ""),
        ] {
            let whole = read(text, []);
            let words: Vec<&str> = whole.split_whitespace().collect();
            assert_eq!(words.join(" "), speech, "{text:?}");
            for size in 1..=text.len() {
                let each = (1..).map(|n| n * size).take_while(|cut| *cut < text.len());
                assert_eq!(read(text, each), whole, "{text:?} by {size}");
                assert_eq!(read(text, [size]), whole, "{text:?} cut at {size}");
            }
        }
    }

    proptest! {
        /// What is left does not depend on the pieces, whatever the text is.
        #[test]
        fn pieces_change_nothing(
            parts in prop::collection::vec(
                prop_oneof![
                    Just("("), Just(")"), Just("["), Just("]"), Just("*"), Just("**"), Just("_"), Just("`"),
                    Just("```"), Just("|"), Just("\n"), Just(" "), Just(". "), Just("?"), Just("nods"),
                    Just("smiles warmly"), Just("by the way"), Just("flips the page"), Just("Größe"),
                    Just("I"), Just("more words than any of the stage directions that anybody ever wrote"),
                ],
                0..24,
            ),
            cuts in prop::collection::btree_set(0..400_usize, 0..40),
        ) {
            let text = parts.concat();
            let cuts = cuts.into_iter().filter(|cut| *cut < text.len());
            prop_assert_eq!(read(&text, cuts), read(&text, []), "{:?}", text);
            prop_assert_eq!(read(&text, 1..text.len()), read(&text, []), "{:?} by one", text);
        }
    }
}
