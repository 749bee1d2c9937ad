//! A list of candidates that was pasted from somewhere: CSV with or without a head, or lines with a name
//! and an address.

use serde::Serialize;
use utoipa::ToSchema;

use super::accounts::email_fault;
use crate::blueprint::{NAME_CHARS_MAX, check_line};

const LINES_MAX: usize = 200;

/// A candidate in a pasted list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub(super) struct PastedCandidate {
    /// The line in which they stand, from 1.
    line: u64,
    name: String,
    email: String,
    /// What is wrong with the line.
    problem: Option<String>,
}

/// Reads a list, line by line. A line in which something is wrong is told with what was understood of it.
pub(super) fn read(text: &str) -> Vec<PastedCandidate> {
    let text = text.trim_start_matches('\u{feff}');
    let separator = separator(text);
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let mut found: Vec<PastedCandidate> = Vec::new();
    let mut columns = None;
    for record in reader.records() {
        let Ok(record) = record else { continue };
        let line = record.position().map_or(0, csv::Position::line);
        let cells: Vec<&str> = record.iter().filter(|_| true).collect();
        if cells.iter().all(|cell| cell.is_empty()) {
            continue;
        }
        if found.is_empty() && columns.is_none() {
            columns = Some(Columns::of(&cells));
            if columns.as_ref().is_some_and(|columns| columns.is_head) {
                continue;
            }
        }
        if found.len() == LINES_MAX {
            found.push(PastedCandidate {
                line,
                problem: Some(format!(
                    "{LINES_MAX} candidates at once are the most; add the rest afterwards."
                )),
                ..PastedCandidate::default()
            });
            break;
        }
        let (name, email) =
            columns.as_ref().map_or_else(Default::default, |columns| columns.read(&cells));
        let problem = fault(&name, &email, &found);
        found.push(PastedCandidate { line, name, email, problem });
    }
    found
}

/// In which cells name and address stand.
struct Columns {
    is_head: bool,
    first: Option<usize>,
    last: Option<usize>,
    email: Option<usize>,
}

impl Columns {
    fn of(cells: &[&str]) -> Self {
        let place = |words: &[&str]| {
            cells.iter().position(|cell| {
                words.contains(&cell.to_lowercase().replace(['-', '_', ' '], "").as_str())
            })
        };
        let first = place(&["name", "fullname", "candidate", "firstname", "vorname", "nome"]);
        let last = place(&["lastname", "surname", "nachname", "cognome"]);
        let email = place(&["email", "mail", "emailaddress", "address"]);
        Self { is_head: first.is_some() || email.is_some(), first, last, email }
    }

    fn read(&self, cells: &[&str]) -> (String, String) {
        let cell =
            |place: Option<usize>| place.and_then(|at| cells.get(at)).copied().unwrap_or_default();
        if self.is_head {
            let name = format!("{} {}", cell(self.first), cell(self.last));
            return (name.trim().to_owned(), cell(self.email).to_owned());
        }
        let is_email = |cell: &&&str| cell.contains('@');
        if let [alone] = cells {
            return alone_in(alone);
        }
        let email = cells.iter().find(is_email).copied().unwrap_or_default();
        let name = cells
            .iter()
            .find(|cell| !is_email(cell) && !cell.is_empty())
            .copied()
            .unwrap_or_default();
        (name.to_owned(), email.to_owned())
    }
}

/// `Ada Lovelace <ada@example.org>`, `Ada Lovelace ada@example.org` or a name alone.
fn alone_in(text: &str) -> (String, String) {
    let Some(word) = text.split_whitespace().find(|word| word.contains('@')) else {
        return (text.to_owned(), String::new());
    };
    let name = text.replace(word, " ");
    let email = word.trim_matches(['<', '>', '(', ')', ',', ';', '"']);
    (name.trim().trim_matches('"').trim().to_owned(), email.to_owned())
}

fn fault(name: &str, email: &str, before: &[PastedCandidate]) -> Option<String> {
    if name.is_empty() {
        return Some("There is no name in this line. Write it before the address.".to_owned());
    }
    if check_line(name, NAME_CHARS_MAX).is_err() {
        return Some(format!("This is no name of at most {NAME_CHARS_MAX} letters. Mend it."));
    }
    if let Some(fault) = email_fault(email).filter(|_| !email.is_empty()) {
        return Some(fault);
    }
    let same =
        before.iter().find(|other| !email.is_empty() && other.email.eq_ignore_ascii_case(email));
    same.map(|same| format!("The same address stands in line {}.", same.line))
}

/// What stands between cells: tabs from a spreadsheet, semicolons where numbers have commas.
fn separator(text: &str) -> u8 {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let count = |separator: char| first.matches(separator).count();
    [('\t', b'\t'), (';', b';')]
        .into_iter()
        .find(|(c, _)| count(*c) > 0)
        .map_or(b',', |(_, byte)| byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(text: &str) -> Vec<(String, String)> {
        read(text).into_iter().map(|one| (one.name, one.email)).collect()
    }

    /// U02: lists from mail programs, spreadsheets and plain typing are read.
    #[test]
    fn usual_lists_are_read() {
        let both = [
            ("Ada Lovelace".to_owned(), "ada@example.org".to_owned()),
            ("Bo".into(), "bo@example.org".into()),
        ];
        for text in [
            "Ada Lovelace <ada@example.org>\nBo <bo@example.org>",
            "Ada Lovelace, ada@example.org\n\nBo,bo@example.org\n",
            "Ada Lovelace\tada@example.org\r\nBo\tbo@example.org",
            "ada@example.org;Ada Lovelace\nbo@example.org;Bo",
            "\u{feff}Name,E-mail\n\"Ada Lovelace\",ada@example.org\nBo,bo@example.org",
            "first name;last name;email\nAda;Lovelace;ada@example.org\nBo;;bo@example.org",
            "Ada Lovelace ada@example.org\nBo bo@example.org",
        ] {
            assert_eq!(pairs(text), both, "{text}");
        }
        assert_eq!(
            pairs("Ada\nBo"),
            [("Ada".to_owned(), String::new()), ("Bo".into(), String::new())]
        );
        assert_eq!(read(""), []);
    }

    /// U02: what is wrong is told by its line, and the rest is read.
    #[test]
    fn what_is_wrong_is_told_by_its_line() {
        let read = read("Ada,ada@example.org\nada@example.org\nCy,cy@\nDan,ADA@example.org");
        let problems: Vec<_> = read.iter().map(|one| (one.line, one.problem.is_some())).collect();
        assert_eq!(problems, [(1, false), (2, true), (3, true), (4, true)]);
        assert!(read[3].problem.as_ref().unwrap().contains("line 1"), "{read:?}");
        let many = "Ada\n".repeat(201);
        let read = super::read(&many);
        assert_eq!(read.len(), 201);
        assert!(read[200].problem.is_some() && read[199].problem.is_none());
    }
}
