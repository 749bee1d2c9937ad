//! Lists that are tables. Which column is which is known by what is in them; headings help.

use std::collections::BTreeSet;

use super::{
    Person, Read, addresses,
    columns::{self, Heading},
    lines::Line,
    loose, names,
};

/// What separates cells, the most telling first.
const SEPARATORS: [char; 4] = ['\t', ';', '|', ','];
/// The headings stand in one of the first lines.
const HEADINGS_WITHIN: usize = 10;

/// A list that is a table.
#[derive(Debug)]
pub(super) struct Table {
    separator: char,
    /// The place of the headings among the lines, from 0, and what they are.
    headings: Option<(usize, Vec<String>)>,
    /// Columns with addresses, the best first.
    emails: Vec<usize>,
    /// Columns that make up the name, in the order in which it is said.
    names: Vec<usize>,
    /// Whether the names' columns have no headings that say which is which.
    is_guessed: bool,
}

type Row = Vec<String>;

impl Table {
    /// The table that the lines are; nothing if they are none. `named` is what the list says itself.
    pub(super) fn of(lines: &[Line], named: Option<char>) -> Option<Self> {
        let separator = named.filter(char::is_ascii).or_else(|| best_separator(lines))?;
        let rows: Vec<Row> = lines.iter().map(|line| line.cells(separator)).collect();
        let headings = headings_of(&rows);
        let body = &rows[headings.map_or(0, |at| at + 1)..];
        let heads = headings.map(|at| rows[at].clone()).unwrap_or_default();
        let emails = email_columns(body, &heads);
        let (names, is_guessed) = match headed_names(body, &heads) {
            named if !named.is_empty() => (named, false),
            _ => (likely_names(body, &heads, &emails), true),
        };
        let headings = headings.map(|at| (at, heads));
        Some(Self { separator, headings, emails, names, is_guessed })
    }

    /// Reads a line by its place among those of the table.
    pub(super) fn read(&self, place: usize, line: &Line) -> Read {
        let cells = line.cells(self.separator);
        if let Some((at, headings)) = &self.headings {
            // Where tables were put one behind the other their headings come again.
            if place == *at || cells == *headings {
                return Read::Heading;
            }
            if place < *at {
                return Read::Unread;
            }
        }
        let found: Vec<usize> =
            (0..cells.len()).filter(|n| addresses::is_address(&cells[*n])).collect();
        let mixed = cells.iter().find(|cell| cell.trim_start_matches('@').contains('@'));
        match (found.len(), mixed) {
            (0, Some(cell)) => self.read_mixed(cell, &cells, line),
            (2.., _) if self.headings.is_none() => Read::People(pairs(&cells, &found)),
            (_, _) => self.read_row(&cells, &found),
        }
    }

    fn read_row(&self, cells: &[String], found: &[usize]) -> Read {
        let by_column = self.emails.iter().find(|n| found.contains(n)).or(found.first());
        let email = by_column.map(|n| addresses::tidy(&cells[*n])).unwrap_or_default();
        let mut name = self.name_in(cells, &email);
        if name.is_empty() && self.headings.is_none() {
            let mut others = cells.iter().filter(|cell| !cell.contains('@'));
            name = others
                .find(|cell| has_letter(cell))
                .map(|cell| names::tidy(cell))
                .unwrap_or_default();
        }
        if email.is_empty() && !names::is_likely(&name) {
            return Read::Unread;
        }
        Read::People(vec![Person { name, email }])
    }

    /// An address that stands in a cell with other words.
    fn read_mixed(&self, cell: &str, cells: &[String], line: &Line) -> Read {
        let mut people = addresses::people(cell);
        match &mut people[..] {
            [] => Read::Unread,
            [one] => {
                if one.name.is_empty() {
                    one.name = self.name_in(cells, &one.email);
                }
                Read::People(people)
            }
            _ => loose::read(&line.text, false),
        }
    }

    fn name_in(&self, cells: &[String], email: &str) -> String {
        let cell = |n: &usize| cells.get(*n).map_or("", String::as_str);
        let full =
            self.names.iter().map(cell).filter(|cell| has_letter(cell) && !cell.contains('@'));
        let mut parts: Vec<&str> = full.collect();
        if let ([first, second], true) = (&parts[..], self.is_guessed)
            && begins(email, second)
            && !begins(email, first)
        {
            parts.reverse();
        }
        names::tidy(&parts.join(" "))
    }
}

/// Several people in a row: each address belongs to the cell before it, or behind it if none is.
fn pairs(cells: &[String], found: &[usize]) -> Vec<Person> {
    let name_at = |n: usize| {
        let cell = cells.get(n).filter(|cell| has_letter(cell) && !cell.contains('@'));
        cell.map(|cell| names::tidy(cell))
    };
    let stands_before = found.first().is_some_and(|first| *first > 0);
    let person = |n: &usize| {
        let name = if stands_before { n.checked_sub(1).and_then(name_at) } else { name_at(n + 1) };
        Person { name: name.unwrap_or_default(), email: addresses::tidy(&cells[*n]) }
    };
    found.iter().map(person).collect()
}

/// What separates the cells: that with which most lines have an address alone in a cell, and words beside
/// it. In a list without addresses: that with which all lines have as many cells.
fn best_separator(lines: &[Line]) -> Option<char> {
    let rows_of = |separator: char| -> Vec<Row> {
        let full = lines.iter().filter(|line| !line.text.trim().is_empty());
        full.map(|line| line.cells(separator)).collect()
    };
    let rows = |separator: char| rows_of(separator).iter().filter(|row| is_row(row)).count();
    let counted = SEPARATORS.into_iter().rev().map(|separator| (rows(separator), separator));
    let (most, separator) = counted.max_by_key(|(count, _)| *count)?;
    if most > 0 {
        return Some(separator);
    }
    let has_addresses = lines.iter().any(|line| line.text.contains('@'));
    let is_table = |separator: char| {
        let rows = rows_of(separator);
        let width = rows.first().map_or(0, Vec::len);
        // `Lovelace, Ada` is a name.
        let width_min = if separator == ',' { 3 } else { 2 };
        let is_even = rows.len() > 1 && rows.iter().all(|row| row.len() == width);
        let is_headed = width > 1 && headings_of(&rows).is_some();
        is_headed || (width >= width_min && is_even)
    };
    SEPARATORS.into_iter().find(|separator| !has_addresses && is_table(*separator))
}

/// Whether a row has addresses alone in their cells, and words in others.
fn is_row(cells: &[String]) -> bool {
    let (with, without): (Vec<&String>, Vec<&String>) =
        cells.iter().partition(|cell| cell.trim_start_matches('@').contains('@'));
    !with.is_empty()
        && with.iter().all(|cell| addresses::is_address(cell))
        && without.iter().any(|cell| cell.chars().any(char::is_alphanumeric))
}

/// The place of the headings: known ones, or words above addresses in the first line.
fn headings_of(rows: &[Row]) -> Option<usize> {
    let has_address = |row: &Row| row.iter().any(|cell| addresses::is_address(cell));
    let end = rows.iter().position(has_address).unwrap_or(rows.len()).min(HEADINGS_WITHIN);
    let known = rows[..end].iter().position(|row| row.len() > 1 && columns::are_headings(row));
    if known.is_some() {
        return known;
    }
    let first = rows[..end].iter().position(|row| row.iter().any(|cell| has_letter(cell)))?;
    let below = rows.get(end)?;
    let column = below.iter().position(|cell| addresses::is_address(cell))?;
    let are_words = rows[first].iter().all(|cell| !cell.chars().any(char::is_numeric));
    let nothing = ["none", "keine", "unknown", "unbekannt", "nessuno", "tba", "tbd", "na"];
    let above = rows[first].get(column)?;
    let is_word = has_letter(above)
        && !above.contains(['(', '.', '/', '@'])
        && !nothing.contains(&above.to_lowercase().as_str());
    (first + 1 == end && are_words && is_word).then_some(first)
}

/// Columns with addresses: those headed so, then those with the most different ones.
fn email_columns(body: &[Row], heads: &[String]) -> Vec<usize> {
    let addresses_in = |n: usize| -> usize {
        let cells = body.iter().filter_map(|row| row.get(n));
        let addresses = cells.filter(|cell| addresses::is_address(cell));
        addresses.map(|cell| cell.to_lowercase()).collect::<BTreeSet<_>>().len()
    };
    let is_headed =
        |n: usize| heads.get(n).and_then(|head| columns::heading(head)) == Some(Heading::Email);
    let mut found: Vec<usize> = (0..width(body)).filter(|n| addresses_in(*n) > 0).collect();
    found.sort_by_key(|n| (!is_headed(*n), std::cmp::Reverse(addresses_in(*n)), *n));
    found
}

/// The columns of names by their headings, if there is something in them.
fn headed_names(body: &[Row], heads: &[String]) -> Vec<usize> {
    let at = |wanted: Heading| {
        let mut all = heads.iter().enumerate();
        let found = all.find(|(_, head)| columns::heading(head) == Some(wanted));
        found.map(|(n, _)| n).filter(|n| has_names(body, *n))
    };
    let [full, name, first, middle, last] =
        [Heading::FullName, Heading::Name, Heading::First, Heading::Middle, Heading::Last].map(at);
    match (first, last) {
        (Some(_), Some(_)) => [first, middle, last].into_iter().flatten().collect(),
        _ if full.is_some() => full.into_iter().collect(),
        (Some(_), None) => [first, middle, name].into_iter().flatten().collect(),
        (None, Some(_)) => [name, last].into_iter().flatten().collect(),
        (None, None) => name.into_iter().collect(),
    }
}

/// The columns of names by what is in them: names, most of all those that addresses are made of.
fn likely_names(body: &[Row], heads: &[String], emails: &[usize]) -> Vec<usize> {
    let is_other = |n: usize| heads.get(n).and_then(|head| columns::heading(head)).is_some();
    let weigh = |n: usize| -> usize {
        let mut seen = BTreeSet::new();
        let weight = |row: &Row| {
            let cell = row.get(n).filter(|cell| names::is_likely(cell))?;
            let email = emails.iter().find_map(|n| row.get(*n)).map_or("", String::as_str);
            let is_of_address = cell.split_whitespace().any(|word| begins(email, word));
            let weight = 1 + usize::from(names::has_words(cell)) + 2 * usize::from(is_of_address);
            seen.insert(cell.clone()).then_some(weight)
        };
        body.iter().filter_map(weight).sum()
    };
    let weights: Vec<usize> =
        (0..width(body)).map(|n| if is_other(n) { 0 } else { weigh(n) }).collect();
    let Some(best) = (0..weights.len()).rev().max_by_key(|n| weights[*n]) else {
        return Vec::new();
    };
    if weights[best] == 0 {
        return Vec::new();
    }
    let is_single = |n: usize| {
        let cells = body.iter().filter_map(|row| row.get(n)).filter(|cell| has_letter(cell));
        let mut cells = cells.peekable();
        weights.get(n).is_some_and(|weight| *weight > 0)
            && cells.peek().is_some()
            && cells.all(|cell| !names::has_words(cell))
    };
    // First name and surname in columns of their own.
    let beside = [best.checked_add(1), best.checked_sub(1)].into_iter().flatten();
    let other = beside.filter(|n| is_single(best) && is_single(*n)).max_by_key(|n| weights[*n]);
    let mut found: Vec<usize> = [Some(best), other].into_iter().flatten().collect();
    found.sort_unstable();
    found
}

/// Whether the part of an address before the `@` begins with a word, or has it behind a point.
fn begins(email: &str, word: &str) -> bool {
    let local = email.split('@').next().unwrap_or_default().to_lowercase();
    let word = word.to_lowercase();
    !word.is_empty() && local.split(['.', '-', '_', '+']).any(|part| part.starts_with(&word))
}

fn width(rows: &[Row]) -> usize {
    rows.iter().map(Vec::len).max().unwrap_or(0)
}

fn has_names(body: &[Row], n: usize) -> bool {
    body.iter().filter_map(|row| row.get(n)).any(|cell| has_letter(cell))
}

fn has_letter(text: &str) -> bool {
    text.chars().any(char::is_alphabetic)
}
