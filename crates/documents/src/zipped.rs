//! The parts of a ZIP archive, unpacked with a limit.

use std::{
    borrow::Cow,
    io::{Cursor, Read as _},
};

use encoding_rs::Encoding;
use zip::{ZipArchive, result::ZipError};

use super::problem::Fault;

/// So much may be unpacked of one archive, in bytes: the text of the longest documents takes a few million.
const UNPACKED_MAX: u64 = 64 * 1024 * 1024;

/// A ZIP archive of texts.
pub(crate) struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    left: u64,
}

impl<'a> Archive<'a> {
    pub(crate) fn open(bytes: &'a [u8]) -> Result<Self, Fault> {
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(|why| match why {
            ZipError::Io(_) | ZipError::InvalidArchive(_) => {
                Fault::Damaged("its table of contents, at its end, cannot be read".to_owned())
            }
            other => fault(&other, "its table of contents"),
        })?;
        Ok(Self { zip, left: UNPACKED_MAX })
    }

    /// The names of all parts, in order.
    pub(crate) fn names(&self) -> Vec<String> {
        let names = self.zip.file_names().filter_map(Result::ok);
        let mut names: Vec<String> = names.map(Cow::into_owned).collect();
        names.sort_unstable();
        names
    }

    /// The text of a part; nothing if there is none of the name.
    pub(crate) fn part(&mut self, name: &str) -> Result<Option<String>, Fault> {
        let part = match self.zip.by_name(name) {
            Ok(part) => part,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(why) => return Err(fault(&why, name)),
        };
        if part.size() > self.left {
            return Err(Fault::Bomb);
        }
        let mut bytes = Vec::new();
        // What a header says of a size need not be true.
        let read = part.take(self.left + 1).read_to_end(&mut bytes);
        let read = read.map_err(|why| fault(&ZipError::Io(why), name))? as u64;
        self.left = self.left.checked_sub(read).ok_or(Fault::Bomb)?;
        let (encoding, start) = Encoding::for_bom(&bytes).unwrap_or((encoding_rs::UTF_8, 0));
        Ok(Some(encoding.decode_without_bom_handling(&bytes[start..]).0.into_owned()))
    }
}

fn fault(why: &ZipError, part: &str) -> Fault {
    match why {
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) | ZipError::InvalidPassword => {
            Fault::Encrypted
        }
        ZipError::DecompressedSizeLimitExceeded { .. } => Fault::Bomb,
        _ => Fault::Damaged(format!("{} cannot be unpacked", shown(part))),
    }
}

/// The name of a part, which comes from the file itself when it is the document's.
fn shown(part: &str) -> String {
    part.chars().filter(|c| !c.is_control()).take(80).collect()
}
