//! Text files, in whatever way their letters are written.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::Encoding;

use super::{
    problem::Fault,
    text::{Text, Writer},
};

/// So many characters in a hundred may be none that a text has.
const STRANGE_MAX_PERCENT: usize = 2;

pub(crate) fn read(bytes: &[u8]) -> Result<Text, Fault> {
    let mut writer = Writer::default();
    writer.push(&decode(bytes)?);
    writer.finish().ok_or(Fault::Empty)
}

/// The letters of a text file: by its byte order mark, as UTF-8 if it is that, or as what it most likely is.
pub(crate) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, Fault> {
    let text = match Encoding::for_bom(bytes) {
        Some((encoding, length)) => encoding.decode_without_bom_handling(&bytes[length..]).0,
        None if bytes.contains(&0) => return Err(Fault::NoText),
        None => unmarked(bytes),
    };
    let is_strange = |c: &char| {
        *c == char::REPLACEMENT_CHARACTER
            || c.is_control() && !matches!(c, '\n' | '\r' | '\t' | '\u{b}' | '\u{c}' | '\u{1a}')
    };
    let strange = text.chars().filter(is_strange).count();
    if strange > 2 && strange * 100 > text.chars().count() * STRANGE_MAX_PERCENT {
        return Err(Fault::NoText);
    }
    Ok(text)
}

fn unmarked(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => return Cow::Borrowed(text),
        // A file that broke off within a letter.
        Err(error) if error.error_len().is_none() && error.valid_up_to() > 0 => {
            return String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        }
        Err(_) => {}
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    detector.guess(None, Utf8Detection::Allow).decode_without_bom_handling(bytes).0
}
