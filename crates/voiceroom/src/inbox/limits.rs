//! What is taken of the attributes and names that others give: they choose how many there are, and how long.

use std::collections::{BTreeMap, HashMap};

/// Attributes that are taken of one participant or stream, in the order of their names. Frontends and agents
/// set fewer than ten.
const ATTRIBUTES_MAX: usize = 64;
/// Bytes that those may have together. They are copied with every event.
const ATTRIBUTES_BYTES_MAX: usize = 16 * 1024;
/// Bytes of a stream's id or topic; a stream with longer ones is ignored. Ids are UUIDs.
pub(super) const LABEL_BYTES_MAX: usize = 256;
/// Characters that are taken of a name to show.
const NAME_CHARS_MAX: usize = 256;

/// The attributes that are taken.
pub(super) fn attributes(all: HashMap<String, String>) -> BTreeMap<String, String> {
    let mut bytes = 0;
    let sorted = BTreeMap::from_iter(all).into_iter().take(ATTRIBUTES_MAX);
    let fits = |(key, value): &(String, String)| {
        bytes += key.len() + value.len();
        bytes <= ATTRIBUTES_BYTES_MAX
    };
    sorted.take_while(fits).collect()
}

/// What is taken of a name to show.
pub(super) fn name(name: &str) -> String {
    name.chars().take(NAME_CHARS_MAX).collect()
}
