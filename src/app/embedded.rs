//! The folder `agents` as it is in the binary.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "agents"]
struct Embedded;

/// The folders in it.
pub(super) fn folders() -> BTreeSet<String> {
    Embedded::iter().filter_map(|path| Some(path.split_once('/')?.0.to_owned())).collect()
}

/// The names of the files in one folder of it, without those of folders in it.
pub(super) fn names_in(folder: &str) -> impl Iterator<Item = String> {
    Embedded::iter().filter_map(move |path| {
        let name = path.strip_prefix(folder)?.strip_prefix('/')?;
        (!name.contains('/')).then(|| name.to_owned())
    })
}

/// A file of it.
pub(super) fn file(path: &str) -> Option<Cow<'static, [u8]>> {
    Some(Embedded::get(path)?.data)
}

/// The texts in one folder of it, by file name.
pub(super) fn texts_in(folder: &str) -> BTreeMap<String, String> {
    let text =
        |(name, bytes): (String, Vec<u8>)| (name, String::from_utf8_lossy(&bytes).into_owned());
    files_in(folder).map(text).collect()
}

/// The files in one folder of it, without those of folders in it.
pub(super) fn files_in(folder: &str) -> impl Iterator<Item = (String, Vec<u8>)> {
    names_in(folder).filter_map(move |name| {
        let bytes = file(&format!("{folder}/{name}"))?.into_owned();
        Some((name, bytes))
    })
}
