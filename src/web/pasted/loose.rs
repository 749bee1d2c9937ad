//! Lines that are no rows of a table: addresses with names, or names.

use super::{Person, Read, addresses, columns, names};

/// Reads a line. `is_start` says that there was nobody yet: a heading may come.
pub(super) fn read(line: &str, is_start: bool) -> Read {
    let text = names::unmarked(line);
    let people = if text.contains('@') {
        addresses::people(text)
    } else {
        let cells: Vec<&str> = text.split(['\t', ';', ',', '|']).collect();
        if is_start && columns::are_headings(&cells) {
            return Read::Heading;
        }
        let mut words = cells.iter().filter(|cell| cell.chars().any(char::is_alphabetic));
        if !words.all(|cell| names::is_likely(cell)) {
            return Read::Unread;
        }
        names::of(text).into_iter().map(|name| Person { name, email: String::new() }).collect()
    };
    if people.is_empty() { Read::Unread } else { Read::People(people) }
}
