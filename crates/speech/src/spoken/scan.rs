//! A place in a text that is read piece by piece.

/// What is left of a text, and how much was read. A copy is a place to come back to.
#[derive(Clone, Copy)]
pub(super) struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scan<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// How many bytes were read.
    pub(super) fn length(&self) -> usize {
        self.at
    }

    /// What was read.
    pub(super) fn read(&self) -> &'a str {
        &self.text[..self.at]
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Goes on by so many bytes, which are whole characters of the rest.
    pub(super) fn skip(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// Reads this text, if it comes next.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let is_next = self.rest().starts_with(text);
        self.at += if is_next { text.len() } else { 0 };
        is_next
    }

    /// Reads one of these characters.
    pub(super) fn one_of(&mut self, characters: &str) -> Option<char> {
        let next = self.peek().filter(|next| characters.contains(*next))?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Reads digits, perhaps none.
    pub(super) fn digits(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Reads letters, perhaps none.
    pub(super) fn letters(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Reads a blank, if there is one.
    pub(super) fn blank(&mut self) -> bool {
        self.one_of(" \u{a0}\u{202f}").is_some()
    }

    /// Reads the mark of a range, with the blanks around it: a hyphen has them on both sides, or on none.
    pub(super) fn dash(&mut self) -> bool {
        let start = *self;
        let is_spaced = self.blank();
        let dash = self.one_of("-–—‑");
        let is_range = match dash {
            Some('-' | '‑') => self.blank() == is_spaced,
            Some(_) => {
                self.blank();
                true
            }
            None => false,
        };
        if !is_range {
            *self = start;
        }
        is_range
    }

    /// Whether what was read is no part of a longer word.
    pub(super) fn ends_word(&self) -> bool {
        !self.peek().is_some_and(|next| next.is_alphanumeric() || next == '_')
    }

    /// Whether nothing, or another sentence, follows.
    pub(super) fn ends_sentence(&self) -> bool {
        self.rest().trim_start_matches([')', '"', '”', '’']).trim().is_empty()
    }
}

/// Returns a text with single blanks, and none before a mark.
pub(super) fn spaced(text: &str) -> String {
    let mut out = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for mark in [",", ".", "?", "!", ";", ":", ")"] {
        out = out.replace(&format!(" {mark}"), mark);
    }
    out
}
