//! Text as it is given: clean, and not too long.

use super::{CHARACTERS_MAX, passed_over::PassedOver};

/// At most one empty line stands between two lines.
const NEWLINES_MAX: usize = 2;

/// The text of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// Lines that end in `\n`, without control characters; never empty.
    pub text: String,
    /// How many characters it has; [`CHARACTERS_MAX`] at most.
    pub characters: usize,
    /// Whether there was more, which was left out.
    pub cut: bool,
    /// What else was not read.
    pub passed_over: Vec<PassedOver>,
}

/// Takes text in pieces and cleans it: one kind of newline, no control characters, no space at the ends of
/// lines, and no more than [`CHARACTERS_MAX`].
#[derive(Default)]
pub(crate) struct Writer {
    text: String,
    characters: usize,
    /// Newlines and spaces that are written when something comes after them.
    newlines: usize,
    spaces: String,
    after_return: bool,
    cut: bool,
    passed_over: Vec<PassedOver>,
}

impl Writer {
    pub(crate) fn push(&mut self, piece: &str) {
        for c in piece.chars() {
            if self.cut {
                return;
            }
            self.push_char(c);
        }
    }

    /// Adds a line.
    pub(crate) fn line(&mut self, line: &str) {
        self.push(line);
        self.push("\n");
    }

    /// Notes what is not read of the document; the same once.
    pub(crate) fn pass_over(&mut self, what: PassedOver) {
        if !self.passed_over.contains(&what) {
            self.passed_over.push(what);
        }
    }

    /// Whether nothing more is taken.
    pub(crate) fn is_full(&self) -> bool {
        self.cut
    }

    /// The text, if there is any.
    pub(crate) fn finish(self) -> Option<Text> {
        let Self { text, characters, cut, mut passed_over, .. } = self;
        let lost = text.matches(char::REPLACEMENT_CHARACTER).count();
        if lost > 0 {
            passed_over.push(PassedOver::LostLetters(lost));
        }
        (!text.is_empty()).then_some(Text { text, characters, cut, passed_over })
    }

    fn push_char(&mut self, c: char) {
        let after_return = std::mem::replace(&mut self.after_return, c == '\r');
        match c {
            '\n' if after_return => {}
            '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => {
                self.spaces.clear();
                self.newlines = (self.newlines + 1).min(NEWLINES_MAX);
            }
            '\t' => self.spaces.push('\t'),
            ' ' | '\u{a0}' => self.spaces.push(' '),
            c if c.is_control() || is_invisible(c) => {}
            c => self.push_visible(c),
        }
    }

    fn push_visible(&mut self, c: char) {
        if self.text.is_empty() {
            self.newlines = 0;
        }
        let characters = self.characters + self.newlines + self.spaces.len() + 1;
        if characters > CHARACTERS_MAX {
            self.cut = true;
            return;
        }
        self.text.extend(std::iter::repeat_n('\n', self.newlines));
        self.text.push_str(&self.spaces);
        self.text.push(c);
        self.newlines = 0;
        self.spaces.clear();
        self.characters = characters;
    }
}

/// Characters that nobody sees: byte order marks, soft hyphens, what turns the direction of writing, and
/// tags, in which words for a model could be hidden.
pub fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
    ) || matches!(c, '\u{202a}'..='\u{202e}' | '\u{fff9}'..='\u{fffc}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clean(pieces: &[&str]) -> Option<Text> {
        let mut writer = Writer::default();
        pieces.iter().for_each(|piece| writer.push(piece));
        writer.finish()
    }

    /// K05: newlines of all systems become one kind, and what nobody sees is left out.
    #[test]
    fn text_is_cleaned() {
        let text = |pieces: &[&str]| clean(pieces).unwrap().text;
        assert_eq!(text(&["a\r\nb\rc\u{2028}d", "\r", "\ne"]), "a\nb\nc\nd\ne");
        assert_eq!(text(&["\u{feff} \n a \t\n\n\n\n b\u{0}\u{1b}c  "]), " a\n\n bc");
        assert_eq!(text(&["x\u{a0}y\u{202e}z\u{e0041}"]), "x yz");
        assert_eq!(clean(&["\r\n \t\u{feff}"]), None);
    }

    /// K05: a text ends after 400,000 characters and says so; white space after them is not missed.
    #[test]
    fn text_has_a_limit() {
        let whole = "é".repeat(CHARACTERS_MAX);
        let text = clean(&[&whole, " \n"]).unwrap();
        assert_eq!((text.characters, text.cut), (CHARACTERS_MAX, false));
        let text = clean(&[&whole, "\nx", "y"]).unwrap();
        assert_eq!((text.characters, text.cut), (CHARACTERS_MAX, true));
        assert_eq!(text.text, whole);
    }
}
