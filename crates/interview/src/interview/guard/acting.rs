//! What a model writes that is no speech: stage directions, code and tables. Taken out as the text comes; the
//! result does not depend on the pieces in which it came.
//!
//! A stage direction is a few words in brackets or asterisks that are a segment of their own: they begin a
//! sentence, and another one begins behind them ("(nods) I see."). In square brackets it may stand anywhere.
//! Brackets within a sentence ("a team (about five)") are speech.

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
        } else if !c.is_whitespace() {
            self.place = Place::Sentence;
        }
    }

    fn next(&self, rest: &str, is_end: bool) -> Take {
        if self.place == Place::Code {
            return code(rest, is_end);
        }
        let Some(first) = rest.chars().next() else { return Take::Wait };
        let begins_line = self.last.is_none_or(|last| last == '\n');
        let begins = self.place == Place::Begin;
        match first {
            '`' => self.fence(rest, is_end),
            '|' if begins_line => match rest.find('\n') {
                Some(end) => Take::Drop(end),
                None if is_end => Take::Drop(rest.len()),
                None => Take::Wait,
            },
            '[' if !self.last.is_some_and(char::is_alphanumeric) => direction(rest, ']', is_end),
            '(' if begins => direction(rest, ')', is_end),
            '*' if begins => direction(rest, '*', is_end),
            other => Take::Keep(other.len_utf8()),
        }
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

/// Leaves out what stands between the first character and `close`, if that is a stage direction.
fn direction(rest: &str, close: char, is_end: bool) -> Take {
    let unknown = || if is_end { Take::Keep(1) } else { Take::Wait };
    let inner = &rest[1..];
    let is_part =
        |c: char| c.is_alphabetic() || matches!(c, ' ' | ',' | '-' | '\'' | '’' | '*' | '_');
    let end = inner.char_indices().find(|(_, c)| *c == close || !is_part(*c));
    let end = match end {
        None if inner.len() <= DIRECTION_BYTES_MAX => return unknown(),
        None => return Take::Keep(1),
        Some((end, c)) if c != close || end > DIRECTION_BYTES_MAX => return Take::Keep(1),
        Some((end, _)) => end,
    };
    let (said, after) = (&inner[..end], &inner[end + 1..]);
    // "**so**" and "* a point" are markup, which is left out later.
    if said.trim().is_empty() || said.starts_with(' ') {
        return Take::Keep(1);
    }
    let whole = Take::Drop(end + 2);
    if close == ']' {
        return match after.chars().next() {
            None if !is_end => Take::Wait,
            // A link.
            Some('(') => Take::Keep(1),
            None | Some(_) => whole,
        };
    }
    let next = after.chars().find(|c| *c != ' ');
    let begins_sentence = match next {
        None if !is_end => return Take::Wait,
        None => true,
        Some(next) => !next.is_lowercase() && !matches!(next, ',' | '.' | '!' | '?' | ';' | ':'),
    };
    // "*Great* Tell me more." stresses a word; "*nods*" and "*Nods slowly*" are acting.
    let is_stress = close == '*'
        && said.starts_with(char::is_uppercase)
        && !said.contains(' ')
        && next.is_some_and(|next| next != '\n');
    if begins_sentence && !is_stress { whole } else { Take::Keep(1) }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("*what* did you do, **exactly**?", "*what* did you do, **exactly**?"),
            ("*Great* Tell me more.", "*Great* Tell me more."),
            ("**Great!** Tell me more.", "**Great!** Tell me more."),
            ("* one\n* two", "* one * two"),
            ("See [our page](https://a.example) now.", "See [our page](https://a.example) now."),
            ("An array a[i] is 3 * 4 * 5.", "An array a[i] is 3 * 4 * 5."),
            ("I see.\n```rust\nlet a = 1;\n```\nWhat next?", "I see. What next?"),
            ("I see. ```\nlet a", "I see."),
            ("```\nI see.\n```", "``` I see."),
            ("\n```\nI see.\n```", "``` I see."),
            ("I see.\n| a | b |\n|---|---|\nWhat next?", "I see. What next?"),
            ("The pipe a | b, `ls`?", "The pipe a | b, `ls`?"),
            ("(nods", "(nods"),
            ("", ""),
        ] {
            for size in 1..=text.len().max(1) {
                let (mut acting, mut said, mut rest) = (Acting::default(), String::new(), text);
                while !rest.is_empty() {
                    let (piece, tail) = rest.split_at(rest.ceil_char_boundary(size));
                    said += &acting.push(piece);
                    rest = tail;
                }
                said += &acting.finish();
                let said: Vec<&str> = said.split_whitespace().collect();
                assert_eq!(said.join(" "), speech, "{text:?} by {size}");
            }
        }
    }
}
