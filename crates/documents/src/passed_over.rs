//! What was not read of a document.

use std::fmt;

/// What was not read of a document that was read, as a sentence beside its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassedOver {
    /// Letters that are broken in the file; each stands as U+FFFD.
    LostLetters(usize),
    /// Signs of which a PDF does not say what they are.
    UnknownLetters(usize),
    /// Pages of a PDF that are pictures.
    Pictures(usize),
    /// A form whose fields are in a part of a PDF that is not read.
    Form,
    /// Readings of words that stand above them.
    Ruby,
}

impl fmt::Display for PassedOver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LostLetters(n) => {
                write!(f, "Letters that are broken in the file stand as �: {n}.")
            }
            Self::UnknownLetters(n) => {
                write!(f, "Signs that the file does not name were left out: {n}.")
            }
            Self::Pictures(n) => write!(
                f,
                "Pages that are pictures were not read; run text recognition (OCR) on them: {n}."
            ),
            Self::Form => {
                write!(f, "It has a form whose fields were not read; add what is in them.")
            }
            Self::Ruby => write!(f, "Readings that stand above words were left out."),
        }
    }
}
