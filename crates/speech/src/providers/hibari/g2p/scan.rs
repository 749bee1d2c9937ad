//! A cursor over characters for rules that rewrite text, in the place of regular expressions with
//! lookaround.

/// The place in a text from which a rule reads on.
#[derive(Clone, Copy)]
pub(super) struct Scan<'a> {
    text: &'a [char],
    from: usize,
    at: usize,
}

/// A rule: it returns the replacement of the text from here on and moves the cursor to its end, or returns
/// `None`.
pub(super) type Rule<'a> = &'a dyn Fn(&mut Scan) -> Option<String>;

/// Rewrites a text from its beginning to its end, wherever a rule applies.
pub(super) fn rewrite(text: &str, rule: Rule) -> String {
    let text: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    while from < text.len() {
        let mut scan = Scan { text: &text, from, at: from };
        match rule(&mut scan) {
            Some(instead) if scan.at > from => {
                out.push_str(&instead);
                from = scan.at;
            }
            _ => {
                out.push(text[from]);
                from += 1;
            }
        }
    }
    out
}

/// Whether a character is part of a word or number.
pub(super) fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

impl Scan<'_> {
    /// Returns the character before the rule's beginning.
    pub(super) fn before(&self) -> Option<char> {
        self.from.checked_sub(1).map(|at| self.text[at])
    }

    /// Whether a word or number begins at the rule's beginning.
    pub(super) fn begins_word(&self) -> bool {
        !self.before().is_some_and(is_word) && self.peek().is_some_and(is_word)
    }

    /// Returns the next character.
    pub(super) fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    /// Returns the text that the rule has read.
    pub(super) fn read(&self) -> String {
        self.text[self.from..self.at].iter().collect()
    }

    /// Whether no part of a word follows.
    pub(super) fn ends_word(&self) -> bool {
        !self.peek().is_some_and(is_word)
    }

    /// Whether the text ends here.
    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.text.len()
    }

    /// Whether this cursor is at the same place as another of the same text.
    pub(super) fn is_where(&self, other: Self) -> bool {
        self.at == other.at
    }

    /// Reads a character, if it is one of these.
    pub(super) fn one_of(&mut self, characters: &str) -> Option<char> {
        let next = self.peek().filter(|next| characters.contains(*next))?;
        self.at += 1;
        Some(next)
    }

    /// Reads a space, if there is one.
    pub(super) fn space(&mut self) {
        self.at += usize::from(self.peek().is_some_and(char::is_whitespace));
    }

    /// Reads a text, if it follows.
    pub(super) fn text(&mut self, text: &str) -> bool {
        let mut at = self.at;
        for character in text.chars() {
            if self.text.get(at) != Some(&character) {
                return false;
            }
            at += 1;
        }
        self.at = at;
        true
    }

    /// Reads the first of these texts after which `then` holds.
    pub(super) fn first_of<'t, T>(
        &mut self,
        texts: impl IntoIterator<Item = &'t str>,
        then: impl Fn(&mut Self, &'t str) -> Option<T>,
    ) -> Option<T> {
        let start = self.at;
        for text in texts {
            self.at = start;
            if self.text(text)
                && let Some(found) = then(self, text)
            {
                return Some(found);
            }
        }
        self.at = start;
        None
    }

    /// Reads all digits that follow, if their number is in `count`.
    pub(super) fn digits(&mut self, count: std::ops::RangeInclusive<usize>) -> Option<String> {
        let digits: String =
            self.text[self.at..].iter().take_while(|c| c.is_ascii_digit()).collect();
        count.contains(&digits.len()).then(|| self.at += digits.len())?;
        Some(digits)
    }

    /// Reads exactly `count` digits, whatever follows.
    pub(super) fn just_digits(&mut self, count: usize) -> Option<String> {
        let digits = self.text.get(self.at..self.at + count)?;
        digits.iter().all(char::is_ascii_digit).then(|| self.at += count)?;
        Some(digits.iter().collect())
    }

    /// Reads a number such as "1,250.5".
    pub(super) fn number(&mut self) -> Option<String> {
        let start = self.at;
        self.digits(1..=usize::MAX)?;
        loop {
            let before = *self;
            if !self.text(",") || self.just_digits(3).is_none() {
                *self = before;
                break;
            }
        }
        let before = *self;
        if !self.text(".") || self.digits(1..=usize::MAX).is_none() {
            *self = before;
        }
        Some(self.text[start..self.at].iter().collect())
    }
}
