//! Documents (txt, md, pdf, docx, csv) as plain text.
//!
//! [`read`] takes a file's name and its bytes and gives its text, or one sentence that says what is wrong,
//! where, and how to mend it. It has no I/O, no clock and no async. What is in a file can make it slow or
//! large, so the program calls it in a process of its own that has limits.

use std::borrow::Cow;

mod bidi;
mod csv;
mod docx;
mod form;
mod kind;
mod layout;
mod legacy;
mod lists;
mod marks;
mod passed_over;
mod pdf;
mod plain;
mod problem;
mod text;
mod xml;
mod zipped;

pub use kind::{Content, Kind};
pub use passed_over::PassedOver;
pub use problem::{Fault, Problem};
pub use text::{Text, is_invisible};

/// The largest file that is read, in bytes: 10 MB.
pub const BYTES_MAX: usize = 10 * 1024 * 1024;
/// The longest text that is given, in characters. What comes after is left out.
pub const CHARACTERS_MAX: usize = 400_000;

/// The text of a document. Its kind is told by the ending of its name, and its bytes have to agree.
///
/// # Errors
/// A [`Problem`] is one sentence for whoever chose the file.
pub fn read(name: &str, bytes: &[u8]) -> Result<Text, Problem> {
    text_of(name, bytes).map_err(|fault| Problem::new(name, fault))
}

/// The letters of a list or table as they are, whatever encoding they are written in.
///
/// # Errors
/// A [`Problem`] is one sentence for whoever chose the file.
pub fn letters(name: &str, bytes: &[u8]) -> Result<String, Problem> {
    let letters = if bytes.len() > BYTES_MAX {
        Err(Fault::TooLarge)
    } else if bytes.iter().all(u8::is_ascii_whitespace) {
        Err(Fault::Empty)
    } else if Content::of(bytes) != Content::Other {
        Err(Fault::NoList)
    } else {
        plain::decode(bytes)
    };
    letters.map(Cow::into_owned).map_err(|fault| Problem::new(name, fault))
}

fn text_of(name: &str, bytes: &[u8]) -> Result<Text, Fault> {
    if bytes.len() > BYTES_MAX {
        return Err(Fault::TooLarge);
    }
    let kind = Kind::of_name(name).map_err(Fault::UnknownEnding)?;
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Fault::Empty);
    }
    let content = Content::of(bytes);
    if !kind.fits(content) {
        return Err(Fault::WrongEnding(kind, content));
    }
    match kind {
        Kind::Text | Kind::Markdown => plain::read(bytes),
        Kind::Csv => csv::read(bytes),
        Kind::Docx => docx::read(bytes),
        Kind::Pdf => pdf::read(bytes),
    }
}
