//! Why a document was not read.

use std::fmt;

use super::kind::{Content, Kind};

/// A name is shown with at most this many characters.
const NAME_SHOWN_MAX_CHARS: usize = 80;

/// Why a document was not read, as one sentence: what is wrong, where, how to mend it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    name: String,
    fault: Fault,
}

/// What is wrong with a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It has more than [`BYTES_MAX`](super::BYTES_MAX) bytes.
    TooLarge,
    /// It has no bytes, or nothing but white space in it.
    Empty,
    /// Its name ends in nothing that we read; the ending, in small letters, if there is one.
    UnknownEnding(Option<String>),
    /// Its bytes are not those of the kind that its name promises.
    WrongEnding(Kind, Content),
    /// It opens with a password only.
    Encrypted,
    /// A text file with bytes that no text has.
    NoText,
    /// A list was wanted, and its bytes are those of something else.
    NoList,
    /// A PDF of pictures.
    NoLetters,
    /// A PDF whose fonts do not say which letters they draw.
    UnknownLetters,
    /// It unpacks to far more than a document has.
    Bomb,
    /// It cannot be read to its end: what is broken in it.
    Damaged(String),
    /// Whoever read it stopped it, as it took too long.
    TooSlow,
    /// Whoever read it stopped it, as it took too much memory.
    TooMuchMemory,
    /// Reading it broke off for a reason that nobody knows.
    Crashed,
}

impl Problem {
    /// A problem of the document of this name.
    pub fn new(name: &str, fault: Fault) -> Self {
        Self { name: shown(name), fault }
    }

    /// What is wrong.
    pub fn fault(&self) -> &Fault {
        &self.fault
    }
}

impl std::error::Error for Problem {}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match &self.fault {
            Fault::TooLarge => write!(
                f,
                "{name} is too large: 10 MB are the most, so leave out pictures or split it."
            ),
            Fault::Empty => {
                write!(f, "{name} is empty: save it again with its text, then add it anew.")
            }
            Fault::UnknownEnding(Some(ending)) => write!(
                f,
                "{name} ends in .{ending}, which is not read here: save it as .txt, .md, .pdf, .docx or \
                 .csv."
            ),
            Fault::UnknownEnding(None) => write!(
                f,
                "{name} has no ending that says what it is: save it as .txt, .md, .pdf, .docx or .csv."
            ),
            Fault::WrongEnding(kind, content) => wrong_ending(f, name, *kind, *content),
            Fault::Encrypted => write!(
                f,
                "{name} is protected by a password: save a copy without one and add that."
            ),
            Fault::NoText => write!(
                f,
                "{name} holds bytes that are no text: save it as plain text in UTF-8, then add it anew."
            ),
            Fault::NoList => {
                write!(f, "{name} is no list that is read here: save it as .csv or .txt.")
            }
            Fault::NoLetters => write!(
                f,
                "{name} has pages but no text, as scans have: run text recognition (OCR) on it, or add \
                 its text as .txt."
            ),
            Fault::UnknownLetters => write!(
                f,
                "{name} does not say which letters its fonts draw: export it anew from the program that \
                 made it, or add its text as .txt."
            ),
            Fault::Bomb => write!(
                f,
                "{name} unpacks to far more than a document has: save it anew from a word processor, or \
                 add its text as .txt."
            ),
            Fault::Damaged(what) => write!(
                f,
                "{name} is damaged ({what}): save it anew, or copy it again if the copy broke off."
            ),
            Fault::TooSlow => {
                write!(f, "{name} takes too long to read: split it, or add its text as .txt.")
            }
            Fault::TooMuchMemory => {
                write!(
                    f,
                    "{name} takes too much memory to read: split it, or add its text as .txt."
                )
            }
            Fault::Crashed => write!(
                f,
                "{name} could not be read to its end: save it anew, or add its text as .txt."
            ),
        }
    }
}

fn wrong_ending(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    kind: Kind,
    content: Content,
) -> fmt::Result {
    let (promised, found) = (kind.ending(), content.title());
    match (content.ending(), kind) {
        (Some(ending), _) => write!(
            f,
            "{name} ends in .{promised} but is {found}: rename it so that it ends in .{ending}."
        ),
        (None, Kind::Docx) if content == Content::OldOffice => write!(
            f,
            "{name} is protected by a password or is {found}: save it as .docx without a password."
        ),
        (None, _) => write!(
            f,
            "{name} ends in .{promised} but is {found}: save it as .txt, .md, .pdf, .docx or .csv."
        ),
    }
}

/// A name as it is shown: on one line, and not too long. What is left out is its middle.
fn shown(name: &str) -> String {
    let visible = name.chars().filter(|c| !c.is_control() && !super::text::is_invisible(*c));
    let all: Vec<char> = visible.take(NAME_SHOWN_MAX_CHARS * 8).collect();
    if all.is_empty() {
        return "The document".to_owned();
    }
    if all.len() <= NAME_SHOWN_MAX_CHARS {
        return all.into_iter().collect();
    }
    let half = NAME_SHOWN_MAX_CHARS / 2;
    let (start, end) = (&all[..half], &all[all.len() - half + 1..]);
    start.iter().chain(&['…']).chain(end).collect()
}
