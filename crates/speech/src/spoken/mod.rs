//! Texts as people read them out: days, times, dates, prices, ranges, versions and numbers in words, for
//! every voice alike.
//!
//! A reading takes a piece of the text from where a word begins, or leaves it to the next one. What differs
//! between languages is data (`en.tsv`, `de.tsv`, `it.tsv`) and the names of numbers (`numbers.rs`).

mod amounts;
mod calendar;
mod clock;
mod digits;
mod numbers;
mod place;
mod scan;
mod table;

use interview::blueprint::Language;

use place::Place;
use scan::Scan;
use table::Table;

/// A way to read what begins here: its words, with the scan behind it.
type Reading = fn(Place<'_>, &mut Scan<'_>) -> Option<String>;

/// In this order: what is more special comes first.
const READINGS: [Reading; 10] = [
    short_form,
    calendar::days,
    calendar::date,
    clock::time,
    digits::version,
    digits::fraction,
    digits::telephone,
    amounts::money,
    amounts::quantity,
    sign,
];

/// Returns a text with all that is no word in words. What it does not know stays as it is.
pub fn spoken(text: &str, language: Language) -> String {
    let table = Table::of(language);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        let last = text[..at].chars().next_back();
        let begins_word = !last.is_some_and(|last| last.is_alphanumeric() || "_'’".contains(last));
        let place = Place { language, table, before: &text[..at] };
        let kept = if begins_word { address(&text[at..]) } else { None };
        let words = if begins_word && kept.is_none() { read(place, &text[at..]) } else { None };
        at += match (kept, words) {
            (Some(kept), _) => {
                out.push_str(kept);
                kept.len()
            }
            (None, Some((words, length))) => {
                out.push_str(&words);
                length
            }
            // "R&D"
            (None, None) if next == '&' => {
                out.push_str(&format!(" {} ", table.word("and")));
                1
            }
            (None, None) => {
                out.push(next);
                next.len_utf8()
            }
        };
    }
    scan::spaced(&out)
}

/// The words of the first reading that fits, and how much it read.
fn read(place: Place<'_>, text: &str) -> Option<(String, usize)> {
    READINGS.iter().find_map(|reading| {
        let mut scan = Scan::new(text);
        let words = reading(place, &mut scan)?;
        Some((words, scan.length())).filter(|(_, length)| *length > 0)
    })
}

/// A web or mail address, or a word of letters with digits ("B2", "IPv6", "GPT-4"): voices have their own
/// ways with those.
fn address(text: &str) -> Option<&str> {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let word = text[..end].trim_end_matches(|c| ".,;:!?)\"'”’".contains(c));
    let is_address = word.contains("://")
        || word.starts_with("www.")
        || word.split_once('@').is_some_and(|(name, at)| !name.is_empty() && at.contains('.'));
    let is_code = word.starts_with(|c: char| c.is_alphabetic())
        && word.contains(|c: char| c.is_ascii_digit())
        && word.chars().all(|c| c.is_alphanumeric() || "-_.+#".contains(c))
        && !digits::is_version(word);
    (is_address || is_code).then_some(word)
}

/// Reads "e.g.", "bzw.", "ecc.": a dot that ends the sentence, too, stays.
fn short_form(place: Place<'_>, scan: &mut Scan<'_>) -> Option<String> {
    let (short, long) = place.table.short_form(scan.rest())?;
    scan.skip(short.len());
    let ends = short.ends_with('.') && scan.ends_sentence();
    Some(if ends { format!("{long}.") } else { long.to_owned() })
}

/// Reads a sign that stands before a number, or between words.
fn sign(place: Place<'_>, scan: &mut Scan<'_>) -> Option<String> {
    let (sign, words) = place.table.sign(scan.rest())?;
    scan.skip(sign.len());
    let is_before_number =
        scan.peek().is_some_and(|next| next.is_ascii_digit() || "$€£".contains(next));
    let stands_alone =
        scan.peek().is_none_or(char::is_whitespace) && place.before.ends_with(char::is_whitespace);
    (stands_alone || is_before_number && sign != "&").then(|| format!("{words} "))
}

#[cfg(test)]
mod tests;
