//! A list of candidates that was pasted or read from a file: a table, a list of addresses as mail programs
//! write it, or a name a line. Every line is accounted for: as people, as a heading, or as not understood.

mod addresses;
mod columns;
mod layout;
mod lines;
mod loose;
mod names;
mod table;
#[cfg(test)]
mod tests;

use axum::{
    Json,
    extract::{Query, Request, rejection::QueryRejection},
    http::StatusCode,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    accounts::email_fault,
    blocking::blocking,
    documents::{self, DocumentBytes, DocumentQuery},
    problem::{Body, Problem},
};
use crate::blueprint::{NAME_CHARS_MAX, check_line};
use layout::Layout;
use lines::Line;

const LINES_MAX: usize = 200;
/// Lines that were not understood are shown up to this number; the others are counted.
const UNREAD_SHOWN_MAX: usize = 20;
/// A line is shown with at most this many characters.
const SHOWN_MAX_CHARS: usize = 80;

/// What was read of a list of candidates.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub(super) struct PastedList {
    /// The people, in the order of the list.
    candidates: Vec<PastedCandidate>,
    /// Lines that say what stands in the columns, or how they are separated.
    headings: Vec<ListLine>,
    /// The first lines that were not understood.
    unread: Vec<ListLine>,
    /// How many more lines were not understood.
    unread_more: usize,
}

/// A candidate in a pasted list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub(super) struct PastedCandidate {
    /// The line in which they stand, from 1. Several people may stand in one.
    line: u64,
    name: String,
    email: String,
    /// What is wrong with them.
    problem: Option<String>,
}

/// A line of a list that is no candidate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(super) struct ListLine {
    /// From 1.
    line: u64,
    /// What stands in it, cut where it is long.
    text: String,
}

/// Somebody of whom a list has a name, an address, or both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Person {
    name: String,
    email: String,
}

/// What a line of a list is.
#[derive(Debug, PartialEq, Eq)]
enum Read {
    /// There is nothing in it.
    Blank,
    /// It says what stands in the columns, or how they are separated.
    Heading,
    /// One or more people; never none.
    People(Vec<Person>),
    /// Nobody knows what it is.
    Unread,
}

/// A pasted list of candidates.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PastedForm {
    /// Lines with names and addresses, as mail programs write them, or a table such as CSV.
    text: String,
}

/// The text of a file with a list.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ListText {
    /// Its letters, whatever encoding the file has.
    text: String,
}

/// Reads a pasted list of candidates, for a look at it; nothing is kept.
#[utoipa::path(
    post, path = "/api/candidates/read", operation_id = "readCandidates", request_body = PastedForm,
    responses((status = 200, body = PastedList), (status = "default", body = Problem)),
)]
pub(super) async fn read_candidates(
    Body(PastedForm { text }): Body<PastedForm>,
) -> Result<Json<PastedList>, Problem> {
    blocking(move || Ok(Json(read(&text)))).await
}

/// The text of a file with a list of candidates, as spreadsheets save it in any encoding; nothing is kept.
#[utoipa::path(
    post, path = "/api/candidates/text", operation_id = "readCandidatesFile", params(DocumentQuery),
    request_body(content = inline(DocumentBytes), content_type = "application/octet-stream"),
    responses(
        (status = 200, body = ListText),
        (status = 422, body = Problem, description = "It is no text"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn read_candidates_file(
    query: Result<Query<DocumentQuery>, QueryRejection>,
    request: Request,
) -> Result<Json<ListText>, Problem> {
    let (name, bytes) = documents::received(query, request).await?;
    blocking(move || match ::documents::letters(&name, &bytes) {
        Ok(text) => Ok(Json(ListText { text })),
        Err(why) => Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, why.to_string())),
    })
    .await
}

/// Reads a list. Somebody with whom something is wrong is told with what was understood of them.
pub(super) fn read(text: &str) -> PastedList {
    let text = lines::clean(text);
    let lines = lines::of(&text);
    let layout = Layout::of(&lines);
    let mut list = PastedList::default();
    // Whether the line before is one person of a list without columns.
    let mut is_after_one = false;
    for (n, line) in lines.iter().enumerate() {
        let read = layout.read(n, line, list.candidates.is_empty());
        let is_one =
            !layout.is_table() && matches!(&read, Read::People(people) if people.len() == 1);
        let was_after_one = std::mem::replace(&mut is_after_one, is_one);
        match read {
            Read::Blank => is_after_one = was_after_one,
            Read::Heading => list.headings.push(ListLine::of(line)),
            Read::Unread if list.unread.len() < UNREAD_SHOWN_MAX => {
                list.unread.push(ListLine::of(line));
            }
            Read::Unread => list.unread_more += 1,
            Read::People(people) => {
                for person in people {
                    if is_one && was_after_one && list.complete(&person) {
                        continue;
                    }
                    if list.candidates.len() == LINES_MAX {
                        list.candidates.push(one_too_many(line.number));
                        return list;
                    }
                    list.add(line.number, person);
                }
            }
        }
    }
    list
}

impl PastedList {
    fn add(&mut self, line: u64, person: Person) {
        let problem = fault(&person, &self.candidates);
        let Person { name, email } = person;
        self.candidates.push(PastedCandidate { line, name, email, problem });
    }

    /// Puts the name and the address of somebody together that stand in two lines. Says whether they do.
    fn complete(&mut self, person: &Person) -> bool {
        let Some(last) = self.candidates.last() else { return false };
        let is_name_first = last.email.is_empty() && person.name.is_empty();
        let is_address_first = last.name.is_empty() && person.email.is_empty();
        if is_name_first == is_address_first {
            return false;
        }
        let Some(PastedCandidate { line, name, email, .. }) = self.candidates.pop() else {
            return false;
        };
        let (name, email) =
            if is_name_first { (name, person.email.clone()) } else { (person.name.clone(), email) };
        self.add(line, Person { name, email });
        true
    }
}

impl ListLine {
    fn of(line: &Line) -> Self {
        let text = line.text.trim();
        let mut shown: String = text.chars().take(SHOWN_MAX_CHARS).collect();
        if shown.len() < text.len() {
            shown.push('…');
        }
        Self { line: line.number, text: shown }
    }
}

fn one_too_many(line: u64) -> PastedCandidate {
    let problem = format!(
        "{LINES_MAX} candidates at once are the most; add those from this line on afterwards."
    );
    PastedCandidate { line, problem: Some(problem), ..PastedCandidate::default() }
}

fn fault(person: &Person, before: &[PastedCandidate]) -> Option<String> {
    let Person { name, email } = person;
    if let Some(fault) = lost_letters(name).or_else(|| lost_letters(email)) {
        return Some(fault);
    }
    if !name.chars().any(char::is_alphabetic) {
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

/// What is wrong with a text in which letters were lost before it came here.
pub(super) fn lost_letters(text: &str) -> Option<String> {
    text.contains(char::REPLACEMENT_CHARACTER).then(|| {
        "Letters were lost here (�). Read the list from its file, or type them anew.".to_owned()
    })
}
