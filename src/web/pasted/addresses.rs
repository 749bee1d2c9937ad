//! A text with addresses, as mail programs and people write them: `Ada <ada@example.org>; "Byron, Bo" <…>`.
//! RFC 5322 is read by a library. What people write otherwise is first brought into its form.

use std::str::CharIndices;

use mail_parser::{Addr, MessageParser};

use super::{
    Person,
    columns::{self, Heading},
    lines::squashed,
    names,
};

/// An entry of a list of addresses: a name, an address, or both.
type Entry = (Option<String>, Option<String>);

/// Everybody in a text that has an address in it.
pub(super) fn people(text: &str) -> Vec<Person> {
    let mut people = Vec::new();
    for piece in pieces(text) {
        if piece.contains('@') {
            people.extend(people_of(entries(&as_rfc(&without_labels(&piece)))));
        } else {
            let names =
                names::of(&piece).into_iter().filter(|name| columns::heading(name).is_none());
            people.extend(names.map(|name| Person { name, email: String::new() }));
        }
    }
    people
}

/// An address alone, without `mailto:`, brackets and what nobody sees; as it is if it is none.
pub(super) fn tidy(token: &str) -> String {
    let around = ['<', '>', '(', ')', '[', ']', '"', '\'', '`', '*', ',', ';', ':', '.'];
    let mut address: String =
        token.chars().filter(|c| !matches!(c, '\u{200c}' | '\u{200d}')).collect();
    address = address.trim_matches(|c: char| c.is_whitespace() || around.contains(&c)).to_owned();
    let scheme = address.get(..7).filter(|start| start.eq_ignore_ascii_case("mailto:"));
    if scheme.is_some() {
        address = address.split_off(7);
        address.truncate(address.find('?').unwrap_or(address.len()));
    }
    address
}

/// Whether a text is one address and nothing else. `@ada` is an account elsewhere.
pub(super) fn is_address(text: &str) -> bool {
    let address = tidy(text);
    address.find('@').is_some_and(|at| at > 0)
        && !address.chars().any(|c| c.is_whitespace() || "<>()[],;:\"".contains(c))
}

/// The text between semicolons that stand outside of quotes.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut is_quoted = false;
    // A quote that is not closed is a letter.
    let is_balanced = text.matches('"').count().is_multiple_of(2);
    for c in text.chars() {
        is_quoted ^= c == '"' && is_balanced;
        match pieces.last_mut() {
            Some(piece) if c != ';' || is_quoted => piece.push(if c == '\t' { ' ' } else { c }),
            Some(_) | None => pieces.push(String::new()),
        }
    }
    pieces
}

/// Without words such as `To:` and `E-Mail:`, and without the names of groups. `Ada: ada@…` names Ada.
fn without_labels(piece: &str) -> String {
    let mut kept = String::new();
    let mut rest = piece;
    while let Some((before, after)) = rest.split_once(": ") {
        let (earlier, label) = before.rsplit_once(',').unwrap_or(("", before));
        let next = after.split_whitespace().next().unwrap_or_default();
        if next.contains('@') && columns::heading(label).is_none() && !is_of_mail(label) {
            kept.push_str(before);
            kept.push(' ');
        } else if !earlier.is_empty() {
            kept.push_str(earlier);
            kept.push(',');
        }
        rest = after;
    }
    kept + rest
}

/// Whether it stands before the addresses of a mail.
fn is_of_mail(label: &str) -> bool {
    let known = ["to", "cc", "bcc", "from", "an", "kopie", "von", "a", "da", "invite"];
    known.contains(&label.trim().to_lowercase().as_str())
}

/// The text with each address between `<` and `>` and a comma behind it, whatever stood around it.
fn as_rfc(text: &str) -> String {
    let is_balanced = text.matches('"').count().is_multiple_of(2);
    let mut out = Rfc::default();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' if is_balanced => {
                let quoted = text[at + 1..].split('"').next().unwrap_or_default();
                out.word();
                // A nickname within a name needs no quotes; `"Lovelace, Ada"` does.
                if quoted.contains([',', ';', ':', '<', '>', '@', '(', ')']) {
                    out.push(&format!("\"{quoted}\""));
                } else {
                    out.push(quoted);
                }
                chars = skipped(chars, quoted.chars().count() + 1);
            }
            '"' | '<' | '>' | '[' | ']' | '|' => out.word(),
            '(' => {
                let inner = text[at + 1..].split(')').next().unwrap_or_default();
                out.word();
                if !inner.contains('@') && text[at + 1..].len() > inner.len() {
                    out.comment(inner);
                    chars = skipped(chars, inner.chars().count() + 1);
                }
            }
            ')' => out.word(),
            ',' => {
                out.word();
                out.comma();
            }
            ':' if !out.token.eq_ignore_ascii_case("mailto") => out.word(),
            c if c.is_whitespace() => out.word(),
            c => out.token.push(c),
        }
    }
    out.word();
    out.text
}

fn skipped(mut chars: CharIndices<'_>, count: usize) -> CharIndices<'_> {
    for _ in 0..count {
        chars.next();
    }
    chars
}

/// A list of addresses that is being written.
#[derive(Default)]
struct Rfc {
    text: String,
    /// The word that is being read.
    token: String,
    /// Whether an address stands at the end, behind which a comma is due.
    is_after_address: bool,
}

impl Rfc {
    /// Writes the word that was read, if there is one.
    fn word(&mut self) {
        let token = std::mem::take(&mut self.token);
        if is_address(&token) {
            // An address follows one: two people, or the same address once more.
            self.push(&format!("<{}>", tidy(&token)));
            self.is_after_address = true;
        } else if token.chars().any(char::is_alphanumeric) {
            // These mean something to the library.
            let word: String = token.chars().filter(|c| !":\\".contains(*c)).collect();
            self.push(&word);
        }
    }

    fn push(&mut self, text: &str) {
        if std::mem::take(&mut self.is_after_address) {
            self.text.push(',');
        }
        self.text.push(' ');
        self.text.push_str(text);
    }

    /// A comment belongs to the address before it.
    fn comment(&mut self, inner: &str) {
        self.text.push_str(&format!(" ({inner})"));
    }

    fn comma(&mut self) {
        self.is_after_address = false;
        self.text.push(',');
    }
}

/// What the library reads of a list of addresses.
fn entries(list: &str) -> Vec<Entry> {
    let mail = format!("To:{list}\r\n\r\n");
    let Some(mail) = MessageParser::default().parse_headers(mail.as_bytes()) else {
        return Vec::new();
    };
    let Some(to) = mail.to() else { return Vec::new() };
    let entry = |entry: &Addr<'_>| {
        let (name, email) = (entry.name.as_deref(), entry.address.as_deref());
        match (name.map(squashed), email.map(squashed)) {
            // A comment behind a name, without an address.
            (Some(comment), Some(name)) if !name.contains('@') => {
                (Some(format!("{name} ({comment})")), None)
            }
            // `"ada@example.org"` in quotes, alone.
            (Some(name), None) if is_address(&name) => (None, Some(name)),
            // The address as its own name, and words such as `E-Mail`.
            (Some(name), email) if name.contains('@') || is_no_name(&name) => (None, email),
            (name, email) => (name, email),
        }
    };
    to.iter().map(entry).collect()
}

fn is_no_name(word: &str) -> bool {
    matches!(columns::heading(word), Some(Heading::Email | Heading::SomeEmail))
        || !word.chars().any(char::is_alphanumeric)
}

/// Names find their addresses: a name alone is a surname, the name of the address behind it, or somebody
/// without an address.
fn people_of(entries: Vec<Entry>) -> Vec<Person> {
    let mut people: Vec<Person> = Vec::new();
    let mut waiting: Vec<String> = Vec::new();
    for (name, email) in entries {
        let Some(email) = email.map(|email| tidy(&email)) else {
            waiting.extend(name);
            continue;
        };
        let is_repeated = people.last().is_some_and(|last| last.email.eq_ignore_ascii_case(&email));
        if is_repeated && name.is_none() && waiting.is_empty() {
            continue;
        }
        waiting.extend(name);
        let name = own_name(&mut waiting, &email);
        people.extend(waiting.drain(..).map(|name| alone(&name)));
        people.push(Person { name, email });
    }
    if let Some(last) = people.last_mut().filter(|last| last.name.is_empty())
        && !waiting.is_empty()
    {
        last.name = names::tidy(&waiting.join(", "));
        waiting.clear();
    }
    people.extend(waiting.iter().filter(|name| names::is_likely(name)).map(|name| alone(name)));
    people
}

fn alone(name: &str) -> Person {
    Person { name: names::tidy(name), email: String::new() }
}

/// Takes the name of an address from those that were read before it: the last one, with a surname before it
/// and suffixes behind it.
fn own_name(waiting: &mut Vec<String>, email: &str) -> String {
    let suffixes = waiting.iter().skip(1).rev().take_while(|name| names::is_suffix(name)).count();
    let suffixes = waiting.split_off(waiting.len() - suffixes);
    let Some(mut name) = waiting.pop() else { return String::new() };
    let local = email.split('@').next().unwrap_or_default().to_lowercase();
    let is_surname = |before: &String| {
        !(names::has_words(before) && names::has_words(&name))
            || before.to_lowercase().split_whitespace().any(|word| local.contains(word))
    };
    if waiting.last().is_some_and(is_surname) {
        let surname = waiting.pop().unwrap_or_default();
        name = format!("{surname}, {name}");
    }
    for suffix in suffixes {
        name = format!("{name}, {suffix}");
    }
    names::tidy(&name)
}
