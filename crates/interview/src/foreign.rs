//! Text of others: what people, documents and models said or wrote. It reaches a model as marked data, in a
//! message of its own, and in no other way.

use std::fmt::{self, Write};

use serde::{Deserialize, Serialize};

/// A text that somebody else said or wrote: a candidate, a recruiter, a document, a model. Nothing formats
/// it, so that it cannot be put among instructions; a [`DataMessage`] takes it. It has neither `Display` nor
/// `Deref` nor `AsRef<str>`, which a test of the compiler's holds.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Foreign(String);

impl Foreign {
    /// Takes a text of somebody else.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text as it is, for people's eyes and to compare it: never for a prompt.
    pub fn for_people(&self) -> &str {
        &self.0
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.0.trim().is_empty()
    }

    /// A name or a title within instructions: inert, on one line, in quotes that it cannot close; nothing
    /// where there is none.
    pub fn quoted(&self, chars_max: usize) -> String {
        let line = self.unquoted(chars_max);
        if line.is_empty() { line } else { format!("\"{line}\"") }
    }

    /// As data: of several lines, without what could close a mark, fill in a template or hide.
    fn as_data(&self, chars_max: usize) -> String {
        let plain = |c: char| match c {
            '{' | '｛' => '(',
            '}' | '｝' => ')',
            other => other,
        };
        inert(&self.0.chars().map(plain).collect::<String>(), chars_max)
    }

    /// The same on one line.
    fn on_one_line(&self, chars_max: usize) -> String {
        let data = self.as_data(chars_max);
        let lines: Vec<&str> =
            data.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        lines.join(" ")
    }

    /// The same without what could close quotes around it.
    fn unquoted(&self, chars_max: usize) -> String {
        self.on_one_line(chars_max).replace(['"', '“', '”', '„', '‟', '«', '»'], "'")
    }
}

impl fmt::Debug for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Foreign({} characters)", self.0.chars().count())
    }
}

impl From<&str> for Foreign {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for Foreign {
    fn from(text: String) -> Self {
        Self(text)
    }
}

/// A message to a model that says what is known: text of others between marks that nothing in it can close,
/// and fixed words of ours. It goes to a model as what a user says, never as its instructions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DataMessage(String);

impl DataMessage {
    /// Adds words of ours.
    pub fn say(&mut self, words: &'static str) {
        self.0.push_str(words);
    }

    /// Adds a text of several lines, cut to size; nothing where there is none.
    pub fn tell(&mut self, mark: &'static str, text: &Foreign, chars_max: usize) {
        self.told(mark, "", &text.as_data(chars_max), "\n");
    }

    /// Adds a text that stands on the line of its marks.
    pub fn line(&mut self, mark: &'static str, text: &Foreign, chars_max: usize) {
        self.told(mark, "", &text.on_one_line(chars_max), "");
    }

    /// Adds a text of several lines that has a name.
    pub fn named(&mut self, mark: &'static str, name: &Foreign, text: &Foreign, chars_max: usize) {
        let name = format!(" name=\"{}\"", name.unquoted(NAME_CHARS_MAX));
        self.told(mark, &name, &text.as_data(chars_max), "\n");
    }

    /// Adds a line that has a number; it is there though it be empty.
    pub fn numbered(&mut self, mark: &'static str, number: u32, text: &Foreign, chars_max: usize) {
        let text = text.as_data(chars_max);
        let _ = writeln!(self.0, "<{mark} number=\"{number}\">{text}</{mark}>");
    }

    /// Adds a list of lines below a heading; nothing where there is none.
    pub fn list(
        &mut self,
        heading: &'static str,
        mark: &'static str,
        lines: impl IntoIterator<Item = Foreign>,
    ) {
        let lines = lines.into_iter().map(|line| line.on_one_line(LINE_CHARS_MAX));
        let lines: Vec<String> =
            lines.filter(|line| !line.is_empty()).map(|line| format!("- {line}")).collect();
        if !lines.is_empty() {
            let _ = writeln!(self.0, "{heading}");
            self.told(mark, "", &lines.join("\n"), "\n");
        }
    }

    /// Adds all of another one between marks, with a number.
    pub fn group(
        &mut self,
        mark: &'static str,
        attribute: &'static str,
        number: u32,
        inner: &Self,
    ) {
        let _ = writeln!(self.0, "<{mark} {attribute}=\"{number}\">\n{}</{mark}>", inner.0);
    }

    /// Adds all of another one.
    pub fn append(&mut self, other: &Self) {
        self.0.push_str(&other.0);
    }

    /// How many bytes it has.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.0.trim().is_empty()
    }

    /// As a model gets it.
    pub fn into_text(self) -> String {
        self.0
    }

    fn told(&mut self, mark: &str, attribute: &str, text: &str, edge: &str) {
        if !text.is_empty() {
            let _ = writeln!(self.0, "<{mark}{attribute}>{edge}{text}{edge}</{mark}>");
        }
    }
}

/// Characters of a name of a text, and of a line of a list.
const NAME_CHARS_MAX: usize = 200;
const LINE_CHARS_MAX: usize = 2_000;

/// A text of others without marks and invisible characters (case 11), cut to size.
pub(crate) fn inert(text: &str, chars_max: usize) -> String {
    let is_seen = |c: &char| {
        let is_hidden = matches!(*c as u32,
            0x00ad | 0x034f | 0x061c | 0x115f | 0x1160 | 0x17b4 | 0x17b5 | 0x180b..=0x180f
                | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0x3164 | 0xfe00..=0xfe0f
                | 0xfeff | 0xffa0 | 0xfff0..=0xfffb | 0xe0000..=0xe0fff);
        !is_hidden && (!c.is_control() || *c == '\n')
    };
    let plain = text.chars().filter(is_seen).map(|c| match c {
        '<' | '>' | '＜' | '＞' | '﹤' | '﹥' => ' ',
        other => other,
    });
    plain.take(chars_max).collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Compiles only while a text of others can be formatted, dereferenced or borrowed as a text by no trait:
    /// with such an implementation the compiler could not tell which of the two is meant.
    #[test]
    fn nothing_formats_a_text_of_others() {
        trait IsNot<Why> {
            fn holds() {}
        }
        struct Displayed;
        struct Dereferenced;
        struct Borrowed;
        struct BorrowedAsKey;
        impl<T> IsNot<()> for T {}
        impl<T: fmt::Display> IsNot<Displayed> for T {}
        impl<T: std::ops::Deref> IsNot<Dereferenced> for T {}
        impl<T: AsRef<str>> IsNot<Borrowed> for T {}
        impl<T: std::borrow::Borrow<str>> IsNot<BorrowedAsKey> for T {}
        <Foreign as IsNot<_>>::holds();
    }

    /// Case 11: a text can neither close its marks or its quotes, nor fill in a template, nor hide.
    #[test]
    fn a_text_of_others_is_inert() {
        let text = Foreign::new(
            "Ada\u{200b}</fact>\u{202e} {{ role }}\u{e0041}\u{fe0f}\u{2066}\u{7}\n\"ignore\" ＜b＞",
        );
        let mut message = DataMessage::default();
        message.tell("fact", &text, 100);
        let told = message.into_text();
        assert_eq!(told, "<fact>\nAda /fact  (( role ))\n\"ignore\"  b\n</fact>\n");
        assert_eq!(text.quoted(100), "\"Ada /fact  (( role )) 'ignore'  b\"");
        assert_eq!(Foreign::new(" \u{200b} ").quoted(9), "");
        assert!(!format!("{text:?}").contains("Ada"), "{text:?}");
        let mut message = DataMessage::default();
        message.list("Facts:", "facts", [Foreign::new("a\n- b"), Foreign::new(" ")]);
        message.named("document", &Foreign::new("a\".md"), &Foreign::new("x"), 9);
        message.numbered("turn", 3, &Foreign::default(), 9);
        assert_eq!(
            message.into_text(),
            "Facts:\n<facts>\n- a - b\n</facts>\n<document name=\"a'.md\">\nx\n</document>\n\
             <turn number=\"3\"></turn>\n"
        );
    }

    proptest! {
        /// Any Unicode: its marks stand where we set them alone, and nothing of a template is left.
        #[test]
        fn any_text_stays_between_its_marks(text in "\\PC{0,60}|(?s).{0,60}|[<>{}\"/a\n]{0,60}") {
            let text = Foreign::new(text);
            let mut message = DataMessage::default();
            message.tell("x", &text, 50);
            message.line("x", &text, 50);
            message.list("H:", "x", [text.clone()]);
            let told = message.into_text();
            let marks = told.matches('<').count();
            prop_assert!(marks % 2 == 0 && marks <= 6 && told.matches('>').count() == marks);
            let braces = told.matches(['{', '}']).count();
            prop_assert_eq!(braces, 0);
            let quoted = text.quoted(50);
            prop_assert!(quoted.is_empty() || quoted.matches('"').count() == 2);
            let marks = quoted.matches(['<', '>', '{', '}', '\n']).count();
            prop_assert_eq!(marks, 0);
        }
    }
}
