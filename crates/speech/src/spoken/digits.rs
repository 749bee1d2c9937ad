//! Digits that are no amount: versions, fractions, telephone numbers and codes.

use interview::blueprint::Language;

use super::{numbers, place::Place, scan::Scan};

/// A number with a plus and fewer digits is no telephone's.
const DIALLED_MIN: usize = 7;
/// So many digits without a mark between them are a number that nobody counts.
const COUNTED_MAX: usize = 8;
/// How many digits are read in one breath.
const GROUP: usize = 3;

/// Whether a word is a version: "v2.1.3".
pub(super) fn is_version(word: &str) -> bool {
    let Some(parts) = word.strip_prefix(['v', 'V']) else { return false };
    !parts.is_empty() && parts.split('.').all(|part| !part.is_empty() && is_digits(part))
}

fn is_digits(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit())
}

/// Reads "v2.1.3", "3.11.4": part by part.
pub(super) fn version(place: Place<'_>, scan: &mut Scan<'_>) -> Option<String> {
    let is_named = scan.one_of("vV").is_some();
    let mut parts = vec![scan.digits()];
    loop {
        let before = *scan;
        let part = if scan.eat(".") { scan.digits() } else { "" };
        if part.is_empty() {
            *scan = before;
            break;
        }
        parts.push(part);
    }
    // "2.000.000" is a number, where dots group digits.
    let is_grouped =
        place.language != Language::English && parts.iter().skip(1).all(|part| part.len() == GROUP);
    if parts[0].is_empty() || !scan.ends_word() || !is_named && (parts.len() < 3 || is_grouped) {
        return None;
    }
    let name = if is_named && !place.follows(&["version", "versione"]) {
        format!("{} ", place.table.word("version"))
    } else {
        String::new()
    };
    let parts: Vec<String> = parts.into_iter().map(|part| group(place, part)).collect();
    Some(name + &parts.join(&format!(" {} ", place.table.word("dot"))))
}

/// A part of a version: as a number, unless it begins with a zero or is long.
pub(super) fn group(place: Place<'_>, digits: &str) -> String {
    match digits.parse::<u64>() {
        Ok(number) if digits.len() < 4 && (digits == "0" || !digits.starts_with('0')) => {
            numbers::cardinal(number, place.language)
        }
        _ => numbers::spelled(digits, place.language),
    }
}

/// Reads "1/2", "3/5".
pub(super) fn fraction(place: Place<'_>, scan: &mut Scan<'_>) -> Option<String> {
    let start = scan.rest();
    let above = scan.digits();
    let below = if scan.eat("/") { scan.digits() } else { "" };
    let is_fraction = [above, below].iter().all(|part| (1..=2).contains(&part.len()));
    if !is_fraction || !scan.ends_word() || scan.peek() == Some('/') {
        return None;
    }
    let named = place.table.word(&start[..above.len() + 1 + below.len()]);
    if !named.is_empty() {
        return Some(named.to_owned());
    }
    let (above, below): (u64, u64) = (above.parse().ok()?, below.parse().ok()?);
    let of = place.table.word("out of");
    let [above_words, below_words] =
        [above, below].map(|number| numbers::cardinal(number, place.language));
    (above <= below).then(|| format!("{above_words} {of} {below_words}"))
}

/// Reads "+44 20 7946 0958", "0958", "123-45-6789", "4155550123": digit by digit, in the groups in which
/// it is written.
pub(super) fn telephone(place: Place<'_>, scan: &mut Scan<'_>) -> Option<String> {
    let has_plus = scan.eat("+");
    let mut groups = vec![scan.digits()];
    let first = groups[0];
    if first.is_empty() || has_plus && place.before.ends_with(char::is_alphanumeric) {
        return None;
    }
    let is_code =
        has_plus || first.len() > 1 && first.starts_with('0') || first.len() >= COUNTED_MAX;
    while let Some(next) = next_group(scan, is_code) {
        groups.push(next);
    }
    // "555-0123" is no range, nor is what has more than two parts.
    let is_round = groups.iter().all(|group| group.ends_with("00"));
    let is_local = groups.len() == 2 && groups[0].len() == 3 && groups[1].len() == 4 && !is_round;
    if !is_code && !is_local && groups.len() < 3 || !scan.ends_word() || is_decimal(*scan) {
        return None;
    }
    if has_plus && groups.iter().map(|group| group.len()).sum::<usize>() < DIALLED_MIN {
        return None;
    }
    let plus = if has_plus { format!("{} ", place.table.word("plus")) } else { String::new() };
    let groups = groups.into_iter().filter(|group| *group != "0");
    let breaths: Vec<String> = groups
        .flat_map(|group| breaths(group, has_plus))
        .map(|digits| numbers::spelled(digits, place.language))
        .collect();
    Some(plus + &breaths.join(", "))
}

fn is_decimal(mut scan: Scan<'_>) -> bool {
    scan.one_of(".,:").is_some() && !scan.digits().is_empty()
}

/// The next group of a number: behind a hyphen, or, of what is one for sure, behind blanks, brackets and
/// slashes, too.
fn next_group<'a>(scan: &mut Scan<'a>, is_code: bool) -> Option<&'a str> {
    let before = *scan;
    let marks = if is_code { " \u{a0}-/()" } else { "-" };
    let mut marks_read = 0;
    while scan.one_of(marks).is_some() {
        marks_read += 1;
    }
    let digits = scan.digits();
    // The zero in brackets is for those who call from at home.
    let is_group = digits.len() > 1 || digits == "0" && scan.peek() == Some(')');
    if marks_read == 0 || marks_read > 3 || !is_group || !scan.ends_word() {
        *scan = before;
        return None;
    }
    Some(digits)
}

/// Divides digits that are written without a blank; behind a plus the country's come first.
fn breaths(digits: &str, has_plus: bool) -> Vec<&str> {
    if digits.len() < COUNTED_MAX {
        return vec![digits];
    }
    let (mut breaths, mut rest) = (Vec::new(), digits);
    if has_plus {
        let (country, national) = digits.split_at(2);
        breaths.push(country);
        rest = national;
    }
    while rest.len() > GROUP + 1 {
        let (group, tail) = rest.split_at(GROUP);
        breaths.push(group);
        rest = tail;
    }
    breaths.push(rest);
    breaths
}
