//! Names of people, as lists write them.

use super::lines::squashed;
use crate::blueprint::NAME_CHARS_MAX;

/// A name has at most this many words.
const WORDS_MAX: usize = 8;
/// What stands around names in lists and is no part of them.
const AROUND: [char; 24] = [
    ' ', '"', '\'', '“', '”', '„', '‟', '«', '»', '‘', '-', '–', '—', '*', '•', '·', ':', ';', ',',
    '|', '<', '>', '`', '=',
];
/// What stands behind a name without being a part of it, in small letters without points.
const SUFFIXES: [&str; 24] = [
    "jr", "sr", "ii", "iii", "iv", "phd", "dphil", "md", "mba", "msc", "bsc", "ma", "ba", "meng",
    "beng", "llm", "llb", "mph", "esq", "cpa", "cfa", "pe", "rn", "pmp",
];

/// A name as people say it: `Lovelace, Ada` turned round, without marks of lists around it.
pub(super) fn tidy(text: &str) -> String {
    let mut name = text.trim_matches(AROUND);
    if let Some(inner) = name.strip_prefix('(').and_then(|name| name.strip_suffix(')')) {
        name = inner.trim_matches(AROUND);
    }
    // A row's number before the name.
    if let Some((number, rest)) = name.split_once([' ', '.', ')'])
        && !number.is_empty()
        && number.chars().all(|c| c.is_ascii_digit())
        && rest.chars().any(char::is_alphabetic)
    {
        name = rest.trim_matches(AROUND);
    }
    turned(&squashed(name))
}

/// Whether a text can be a name: words of letters, without what addresses, numbers and sentences have.
pub(super) fn is_likely(text: &str) -> bool {
    let text = text.trim();
    let is_strange = |c: char| c.is_numeric() || "@=<>{}[]|\\_#%*+;!?~".contains(c);
    let last = text.split_whitespace().next_back().unwrap_or_default();
    let is_sentence = text.ends_with(':') || text.ends_with('.') && last.chars().count() > 5;
    text.chars().any(char::is_alphabetic)
        && text.chars().count() <= NAME_CHARS_MAX
        && text.split_whitespace().count() <= WORDS_MAX
        && !text.chars().any(is_strange)
        && !text.contains("//")
        && !is_sentence
}

/// Whether it stands behind a name: `PhD`, `Jr.`
pub(super) fn is_suffix(text: &str) -> bool {
    let letters: String = text.chars().filter(|c| *c != '.').collect();
    SUFFIXES.contains(&letters.trim().to_lowercase().as_str())
}

/// Whether it is more than one word.
pub(super) fn has_words(text: &str) -> bool {
    text.split_whitespace().nth(1).is_some()
}

/// The names in a text without addresses: one, or several with commas or semicolons between them.
pub(super) fn of(text: &str) -> Vec<String> {
    let separate = |c: char| matches!(c, ';' | '\t' | '|');
    let parts = text.split(separate).map(str::trim).filter(|part| has_letter(part));
    parts.flat_map(of_part).filter(|name| has_letter(name)).collect()
}

/// `Lovelace, Ada` is one name, `Ada Lovelace, Bo Byron` and `Ada, Bo, Cy` are several.
fn of_part(part: &str) -> Vec<String> {
    let names: Vec<&str> = part.split(',').map(str::trim).filter(|name| has_letter(name)).collect();
    let has_suffix = names.iter().skip(1).any(|name| is_suffix(name));
    let are_people = names.iter().all(|name| has_words(name)) || names.len() > 2;
    if names.len() > 1 && are_people && !has_suffix {
        names.into_iter().map(tidy).collect()
    } else {
        vec![tidy(&names.join(", "))]
    }
}

fn has_letter(text: &str) -> bool {
    text.chars().any(char::is_alphabetic)
}

/// The surname behind the first name, where a comma says that it stands before it. Suffixes stay behind.
fn turned(name: &str) -> String {
    if !name.contains(',') {
        return name.to_owned();
    }
    let mut parts = name.split(',').map(str::trim).filter(|part| !part.is_empty());
    let last = parts.next().unwrap_or_default();
    let (suffixes, others): (Vec<&str>, Vec<&str>) = parts.partition(|part| is_suffix(part));
    let mut turned = match others[..] {
        [] => last.to_owned(),
        [first] => format!("{first} {last}"),
        _ => format!("{last}, {}", others.join(", ")),
    };
    for suffix in suffixes {
        turned.push_str(", ");
        turned.push_str(suffix);
    }
    turned
}

/// A line without the mark that begins an item of a list: `- `, `• `, `3. `, `[x] `.
pub(super) fn unmarked(line: &str) -> &str {
    let line = line.trim();
    if let Some(rest) =
        line.strip_prefix(['-', '–', '—', '*', '•', '·', '▪', '◦', '‣', '☐', '☑', '>'])
        && rest.starts_with([' ', '\t'])
    {
        return unmarked(rest);
    }
    for mark in ["[ ]", "[x]", "[X]"] {
        if let Some(rest) = line.strip_prefix(mark) {
            return rest.trim();
        }
    }
    let digits = line.trim_start_matches('(').trim_start_matches(|c: char| c.is_ascii_digit());
    let had_digits = digits.len() < line.trim_start_matches('(').len();
    match digits.strip_prefix(['.', ')']) {
        Some(rest) if had_digits && rest.starts_with([' ', '\t']) => rest.trim(),
        Some(_) | None => line,
    }
}
