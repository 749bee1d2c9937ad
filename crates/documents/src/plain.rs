//! Text files, in whatever way their letters are written.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

use super::{
    legacy,
    problem::Fault,
    text::{Text, Writer},
};

/// So many characters in a hundred may be none that a text has.
const STRANGE_MAX_PERCENT: usize = 2;
/// So many bytes tell whether a text is UTF-16.
const WIDE_WITHIN: usize = 4096;

pub(crate) fn read(bytes: &[u8]) -> Result<Text, Fault> {
    let mut writer = Writer::default();
    writer.push(&decode(bytes)?);
    writer.finish().ok_or(Fault::Empty)
}

/// The letters of a text file: by its byte order mark, as UTF-8 if it is that, or as what it most likely is.
/// Every file with letters goes through here. A letter that is broken is U+FFFD.
pub(crate) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, Fault> {
    let text = match Encoding::for_bom(bytes) {
        Some((encoding, length)) => encoding.decode_without_bom_handling(&bytes[length..]).0,
        None if bytes.contains(&0) => {
            let encoding = wide(bytes).ok_or(Fault::NoText)?;
            encoding.decode_without_bom_handling(bytes).0
        }
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

/// UTF-16 without its mark, by the zeros beside the letters of our alphabet.
fn wide(bytes: &[u8]) -> Option<&'static Encoding> {
    let start = &bytes[..bytes.len().min(WIDE_WITHIN)];
    let zeros = |at: usize| start.iter().skip(at).step_by(2).filter(|byte| **byte == 0).count();
    let pairs = start.len() / 2;
    match (zeros(0), zeros(1)) {
        (0, odd) if odd * 3 > pairs => Some(UTF_16LE),
        (even, 0) if even * 3 > pairs => Some(UTF_16BE),
        _ => None,
    }
}

fn unmarked(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => return Cow::Borrowed(text),
        // A file that broke off within a letter.
        Err(error) if error.error_len().is_none() && error.valid_up_to() > 0 => {
            return String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        }
        Err(_) if is_mostly_utf8(bytes) => return String::from_utf8_lossy(bytes),
        Err(_) => {}
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let guess = detector.guess(None, Utf8Detection::Allow).decode_without_bom_handling(bytes).0;
    legacy::read(bytes, &guess).map_or(guess, Cow::Owned)
}

/// Whether letters of UTF-8 outnumber its broken places by far: a few bytes of a text were damaged.
fn is_mostly_utf8(bytes: &[u8]) -> bool {
    let (mut letters, mut broken) = (0_usize, 0_usize);
    for chunk in bytes.utf8_chunks() {
        letters += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        broken += usize::from(!chunk.invalid().is_empty());
    }
    letters > broken * 4
}
