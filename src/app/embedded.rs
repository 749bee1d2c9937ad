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
    let text = |path: &str| {
        let name = path.strip_prefix(folder)?.strip_prefix('/')?.to_owned();
        Some((name, String::from_utf8_lossy(&Embedded::get(path)?.data).into_owned()))
    };
    Embedded::iter().filter_map(|path| text(&path)).collect()
}
