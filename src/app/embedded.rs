//! The folder `agents` as it is in the binary.

use std::collections::{BTreeMap, BTreeSet};

use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "agents"]
struct Embedded;

/// The folders in it.
pub(super) fn folders() -> BTreeSet<String> {
    Embedded::iter().filter_map(|path| Some(path.split_once('/')?.0.to_owned())).collect()
}

/// The texts in one folder of it, by file name.
pub(super) fn texts_in(folder: &str) -> BTreeMap<String, String> {
    let text =
        |(name, bytes): (String, Vec<u8>)| (name, String::from_utf8_lossy(&bytes).into_owned());
    files_in(folder).map(text).collect()
}

/// The files in one folder of it, without those of folders in it.
pub(super) fn files_in(folder: &str) -> impl Iterator<Item = (String, Vec<u8>)> {
    Embedded::iter().filter_map(move |path| {
        let name = path.strip_prefix(folder)?.strip_prefix('/')?;
        let is_here = !name.contains('/');
        is_here.then(|| Some((name.to_owned(), Embedded::get(&path)?.data.into_owned())))?
    })
}
