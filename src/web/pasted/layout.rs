//! How a list is laid out: as a table, or line by line.

use super::{Read, lines::Line, loose, table::Table};

/// How a list is laid out.
#[derive(Debug)]
pub(super) struct Layout {
    /// How many lines come before the list: one, if it says what separates the cells.
    lead: usize,
    table: Option<Table>,
}

impl Layout {
    pub(super) fn of(lines: &[Line]) -> Self {
        let first = lines.iter().position(|line| !line.text.trim().is_empty()).unwrap_or(0);
        let named = lines.get(first).and_then(|line| separator_in(&line.text));
        let lead = if named.is_some() { first + 1 } else { 0 };
        Self { lead, table: Table::of(&lines[lead.min(lines.len())..], named) }
    }

    /// Whether the list has columns.
    pub(super) fn is_table(&self) -> bool {
        self.table.is_some()
    }

    /// Reads a line by its place, from 0. `is_start` says that there was nobody yet.
    pub(super) fn read(&self, n: usize, line: &Line, is_start: bool) -> Read {
        if !line.text.chars().any(char::is_alphanumeric) {
            return Read::Blank;
        }
        let Some(place) = n.checked_sub(self.lead) else { return Read::Heading };
        match &self.table {
            Some(table) => table.read(place, line),
            None => loose::read(&line.text, is_start),
        }
    }
}

/// What `sep=;` says, which Excel reads and some programs write for it.
fn separator_in(line: &str) -> Option<char> {
    let line = line.trim().trim_matches('"').to_lowercase();
    match line.strip_prefix("sep=").map(str::as_bytes) {
        Some([separator, ..]) if separator.is_ascii() => Some(char::from(*separator)),
        // A tab was trimmed away with the spaces.
        Some([]) => Some('\t'),
        Some(_) | None => None,
    }
}
