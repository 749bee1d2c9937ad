//! Values of a form: e-mail addresses, phone numbers and names, as people say and type them.
//!
//! A value is read whole, or it is not read: a small grammar for each kind has a place for every word that
//! was said, and a word without a place makes the whole unclear. A part is never taken for the value.
//! [`aloud`] is the other way round: how a value is read back.

pub mod aloud;
mod email;
mod lexer;
mod lexicon;
mod mending;
mod number;
mod person;
mod phone;

use crate::blueprint::{Field, Format, Language};

const TEXT_CHARS_MAX: usize = 200;
/// Keys of fields that ask for a person's name.
const NAME_KEYS: [&str; 12] = [
    "name",
    "full_name",
    "fullname",
    "your_name",
    "candidate_name",
    "first_name",
    "last_name",
    "surname",
    "vorname",
    "nachname",
    "nome",
    "cognome",
];

/// What the words of an answer are, as a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// A value that is there to its last sign.
    Whole(Value),
    /// The beginning of a value: more has to come.
    Unfinished,
    /// No value, or one with a word in it that has no meaning there: it is asked for again.
    Unclear,
}

/// A value, as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) text: String,
    /// Whether it can be read in no other way. What is unsure is read back.
    pub(crate) is_sure: bool,
    /// Whether as many signs more would be a value, too: a short number may have another group.
    pub(crate) may_go_on: bool,
}

/// Reads the value of a field in what was said or typed, in the language of the interview. Who is not
/// understood in it may have said the value in another one.
pub(crate) fn read(said: &str, field: &Field, language: Language) -> Reading {
    let read_in: fn(&str, Language) -> Reading = match field.format {
        Format::Text if NAME_KEYS.contains(&field.key.as_str()) => {
            return person::read(said, language);
        }
        Format::Text => return text(said),
        Format::Email => {
            |said, language| email::read(&lexer::tokens(in_brackets(said), language), language)
        }
        Format::Phone => |said, language| phone::read(&lexer::tokens(said, language), language),
    };
    let first = read_in(said, language);
    if matches!(first, Reading::Whole(_)) {
        return first;
    }
    let others = Language::ALL.into_iter().filter(|(_, other)| *other != language);
    let mut readings = others.map(|(_, other)| read_in(said, other));
    let is_sure = |reading: &Reading| matches!(reading, Reading::Whole(value) if value.is_sure);
    readings.find(is_sure).unwrap_or(first)
}

/// The value that was typed into a field. Nobody reads it back: it has to be sure.
pub(crate) fn typed(written: &str, field: &Field, language: Language) -> Option<String> {
    let value = read(written, field, language).whole().filter(|value| value.is_sure);
    // Whoever types a name knows how it is written.
    let as_written = || text(written).whole().filter(|_| field.format.is_free());
    value.or_else(as_written).map(|value| value.text)
}

/// The address of "Ada Lovelace <ada@example.org>", as a mail program writes it.
fn in_brackets(said: &str) -> &str {
    let inside = said.split_once('<').and_then(|(_, rest)| rest.split_once('>'));
    inside.map_or(said, |(inside, _)| inside)
}

/// Any words with a letter or a digit in them.
fn text(said: &str) -> Reading {
    let text: String = said.trim().chars().take(TEXT_CHARS_MAX).collect();
    if text.chars().any(char::is_alphanumeric) { Reading::sure(text) } else { Reading::Unclear }
}

impl Reading {
    fn sure(text: String) -> Self {
        Self::Whole(Value { text, is_sure: true, may_go_on: false })
    }

    /// The value, if it is whole.
    pub(crate) fn whole(self) -> Option<Value> {
        if let Self::Whole(value) = self { Some(value) } else { None }
    }

    /// The same value, which may be another one.
    fn unsure(self) -> Self {
        match self {
            Self::Whole(value) => Self::Whole(Value { is_sure: false, ..value }),
            Self::Unfinished | Self::Unclear => self,
        }
    }
}

#[cfg(test)]
mod tests;
