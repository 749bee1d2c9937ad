//! Values as they are read aloud: numbers digit by digit in groups, addresses sign by sign. A voice that
//! reads "+441727550123" as it is written says 441 billion, and says nothing at all for an underscore.

use crate::{
    blueprint::{Language, check_address},
    values::number::digits,
};

/// A number of so many digits, without a sign in front, is a phone number and no amount.
const NUMBER_DIGITS_MIN: usize = 7;
/// The same for a number that a zero or a sign is in front of, or that is written in groups.
const GROUPED_DIGITS_MIN: usize = 6;
const NUMBER_DIGITS_MAX: usize = 18;
const GROUP_MAX: usize = 4;
/// A part of an address without a vowel, of so many letters at most, is read letter by letter.
const LETTERS_MAX: usize = 5;
/// Codes of countries with one digit, and those with two (E.164); the others have three.
const CODES: &str = " 1 7 20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 \
                     58 60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98 ";

/// Returns a text with the addresses and phone numbers in it written out as a voice should read them, and
/// every number that begins with a zero digit by digit. Everything else stays as it is.
pub fn aloud(text: &str, language: Language) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let mut out: Vec<String> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let (before, core, behind) = bare(words[at]);
        if check_address(core).is_ok() {
            out.push(format!("{before}{}{behind}", address(core, language)));
        } else if let Some((number, length, behind)) = number(&words[at..], language) {
            out.push(format!("{number}{behind}"));
            at += length - 1;
        } else {
            out.push(words[at].to_owned());
        }
        at += 1;
    }
    out.join(" ")
}

/// A word between the marks around it.
fn bare(word: &str) -> (&str, &str, &str) {
    let opening = ['"', '“', '„', '«', '(', '[', '<', '\'', '‘'];
    let closing = ['.', ',', ';', ':', '!', '?', '…', '"', '”', '“', '»', ')', ']', '>', '\'', '’'];
    let start = word.len() - word.trim_start_matches(opening).len();
    let core = word[start..].trim_end_matches(closing);
    (&word[..start], core, &word[start + core.len()..])
}

/// The number at the beginning of words, read aloud, with how many words it has and the marks behind it.
fn number<'a>(words: &[&'a str], language: Language) -> Option<(String, usize, &'a str)> {
    let mut groups: Vec<String> = Vec::new();
    let (mut length, mut behind) = (0, "");
    let (first, _) = bare_number(words.first()?);
    let is_abroad = first.starts_with('+');
    for word in words {
        let (core, marks) = bare_number(word);
        let is_part = core.contains(|c: char| c.is_ascii_digit())
            && core.chars().enumerate().all(|(at, c)| {
                c.is_ascii_digit() || "-/.()".contains(c) || c == '+' && at == 0 && length == 0
            });
        if !is_part || is_date(core) {
            break;
        }
        groups.extend(
            core.split(|c: char| !c.is_ascii_digit())
                .filter(|it| !it.is_empty())
                .map(str::to_owned),
        );
        (length, behind) = (length + 1, marks);
        if !marks.is_empty() {
            break;
        }
    }
    let count: usize = groups.iter().map(String::len).sum();
    let has_zero = groups.first()?.starts_with('0');
    let is_number = is_abroad && count >= GROUPED_DIGITS_MIN
        || has_zero && count > 1 && !first.contains('.')
        || count >= NUMBER_DIGITS_MIN && !first.contains('.')
        || count >= GROUPED_DIGITS_MIN && groups.len() > 2 && !first.contains('.');
    if !is_number || count > NUMBER_DIGITS_MAX {
        return None;
    }
    if groups.len() == 1 {
        groups = grouped(&groups[0], is_abroad);
    }
    let spoken: Vec<String> = groups.iter().map(|group| spelled(group, language)).collect();
    let plus = if is_abroad { format!("{} ", sign('+', language)?) } else { String::new() };
    let number = format!("{plus}{}", spoken.join(", "));
    Some(match extension(&words[length..], behind, language) {
        Some((extension, more, behind)) => {
            (format!("{number}, {extension}"), length + more, behind)
        }
        None => (number, length, behind),
    })
}

/// "ext. 12" behind a number.
fn extension<'a>(
    words: &[&'a str],
    behind: &str,
    language: Language,
) -> Option<(String, usize, &'a str)> {
    let [word, number, ..] = words else { return None };
    let (digits, marks) = bare_number(number);
    let is_extension =
        *word == "ext." && behind.is_empty() && digits.chars().all(|c| c.is_ascii_digit());
    let called = match language {
        Language::English => "extension",
        Language::German => "Durchwahl",
        Language::Italian => "interno",
    };
    is_extension.then(|| (format!("{called} {}", spelled(digits, language)), 2, marks))
}

/// A word of a number, and the marks behind it.
fn bare_number(word: &str) -> (&str, &str) {
    let word = word.trim_start_matches(['"', '“', '„', '«', '\'', '‘']);
    let end = word
        .trim_end_matches(['.', ',', ';', ':', '!', '?', '…', '"', '”', '“', '»', '\'', '’'])
        .len();
    word.split_at(end)
}

/// "01/02/2025", "1.2.25", "2025-02-01".
fn is_date(core: &str) -> bool {
    let parts: Vec<&str> = core.split(['/', '.', '-']).collect();
    let is_short = |part: &&str| (1..=2).contains(&part.len());
    let [one, two, three] = parts[..] else { return false };
    [one, two].iter().all(is_short) && matches!(three.len(), 2 | 4)
        || one.len() == 4 && [two, three].iter().all(is_short)
}

/// Digits in groups of at most four: the code of the country first.
fn grouped(digits: &str, is_abroad: bool) -> Vec<String> {
    let is_code = |length: &usize| {
        digits.get(..*length).is_some_and(|code| CODES.contains(&format!(" {code} ")))
    };
    let code =
        if is_abroad { [1, 2].into_iter().find(is_code).unwrap_or(3).min(digits.len()) } else { 0 };
    let (code, rest) = digits.split_at(code);
    let groups = rest.len().div_ceil(GROUP_MAX).max(1);
    let mut out: Vec<String> =
        Some(code).filter(|it| !it.is_empty()).map(str::to_owned).into_iter().collect();
    let mut from = 0;
    for group in 0..groups {
        let size = rest.len() / groups + usize::from(group < rest.len() % groups);
        out.push(rest[from..from + size].to_owned());
        from += size;
    }
    out.retain(|group| !group.is_empty());
    out
}

fn spelled(digits_written: &str, language: Language) -> String {
    let words = digits(language);
    let digit = |c: char| words.get(c.to_digit(10)? as usize).copied();
    digits_written.chars().filter_map(digit).collect::<Vec<_>>().join(" ")
}

/// An address sign by sign: "ada underscore L four two at example dot org".
fn address(address: &str, language: Language) -> String {
    let top = address.rsplit('.').next().unwrap_or_default();
    let mut out: Vec<String> = Vec::new();
    let mut rest = address;
    while let Some(first) = rest.chars().next() {
        let kind = |c: char| (c.is_ascii_digit(), c.is_alphanumeric());
        let end = rest.find(|c: char| kind(c) != kind(first)).unwrap_or(rest.len());
        let is_top = end == rest.len() && rest == top;
        let length = if first.is_alphanumeric() { end } else { first.len_utf8() };
        let part = &rest[..length];
        if first.is_ascii_digit() {
            out.push(spelled(part, language));
        } else if first.is_alphanumeric() {
            out.push(if is_spelled(part, is_top) { letters(part) } else { part.to_owned() });
        } else {
            out.push(sign(first, language).map_or_else(|| first.to_string(), str::to_owned));
        }
        rest = &rest[length..];
    }
    out.join(" ")
}

/// Whether letters are no word: "jrr", and "de" at the end of a host.
fn is_spelled(part: &str, is_top: bool) -> bool {
    let has_vowel = part.chars().any(|c| !c.is_ascii() || "aeiouyAEIOUY".contains(c));
    let count = part.chars().count();
    count == 1 || is_top && count == 2 || !has_vowel && count <= LETTERS_MAX
}

fn letters(part: &str) -> String {
    part.to_uppercase().chars().map(String::from).collect::<Vec<_>>().join(" ")
}

/// The name of a sign.
fn sign(sign: char, language: Language) -> Option<&'static str> {
    let [english, german, italian] = match sign {
        '@' => ["at", "ät", "chiocciola"],
        '.' => ["dot", "Punkt", "punto"],
        '-' => ["dash", "Bindestrich", "trattino"],
        '_' => ["underscore", "Unterstrich", "underscore"],
        '+' => ["plus", "plus", "più"],
        '\'' => ["apostrophe", "Apostroph", "apostrofo"],
        '/' => ["slash", "Schrägstrich", "barra"],
        '&' => ["ampersand", "Und-Zeichen", "e commerciale"],
        '#' => ["hash", "Raute", "cancelletto"],
        '%' => ["percent", "Prozent", "percento"],
        '*' => ["asterisk", "Sternchen", "asterisco"],
        '=' => ["equals", "gleich", "uguale"],
        '~' => ["tilde", "Tilde", "tilde"],
        _ => return None,
    };
    Some(match language {
        Language::English => english,
        Language::German => german,
        Language::Italian => italian,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(language: Language, rows: &[(&str, &str)]) {
        for (text, wanted) in rows {
            assert_eq!(aloud(text, language), *wanted, "{text}");
        }
    }

    /// Values are read digit by digit in groups and sign by sign; zeros are kept, and nothing else changes.
    #[test]
    fn english_values_are_read_aloud() {
        check(
            Language::English,
            &[
                (
                    "Did I get that right: +441727550123?",
                    "Did I get that right: plus four four, one seven two seven, five five zero, \
                     one two three?",
                ),
                (
                    "It is 0172345678.",
                    "It is zero one seven two, three four five, six seven eight.",
                ),
                (
                    "Right: ada_l42@example.org?",
                    "Right: ada underscore L four two at example dot org?",
                ),
                (
                    "o'brien-x+jobs@my-mail.co.uk",
                    "O apostrophe brien dash X plus jobs at my dash mail dot co dot U K",
                ),
                ("jrr@example.de", "J R R at example dot D E"),
                (
                    "Is your number still +44 20 7946 0958?",
                    "Is your number still plus four four, two zero, seven nine four six, \
                     zero nine five eight?",
                ),
                ("Is the last part 0958?", "Is the last part zero nine five eight?"),
                ("5551234567", "five five five one, two three four, five six seven"),
                (
                    "Call 555 123 4567 ext. 12, please",
                    "Call five five five, one two three, four five six seven, extension one two, please",
                ),
                (
                    "+1 (555) 123-4567",
                    "plus one, five five five, one two three, four five six seven",
                ),
                (
                    "+491723456789",
                    "plus four nine, one seven two three, four five six, seven eight nine",
                ),
                ("+3531234567", "plus three five three, one two three four, five six seven"),
                ("In 2019 we had 120000, 0.5 of 3.14", "In 2019 we had 120000, 0.5 of 3.14"),
                ("From 01/02/2025 or 2025-02-01 on, 9am", "From 01/02/2025 or 2025-02-01 on, 9am"),
                ("Tell me about your work at Acme.", "Tell me about your work at Acme."),
                ("0", "0"),
                ("", ""),
            ],
        );
    }

    /// L06: the same in the other two languages.
    #[test]
    fn german_and_italian_values_are_read_aloud() {
        check(
            Language::German,
            &[
                (
                    "Stimmt das: 0172 345678?",
                    "Stimmt das: null eins sieben zwei, drei vier fünf sechs sieben acht?",
                ),
                (
                    "Stimmt das: anna_b@beispiel.de?",
                    "Stimmt das: anna Unterstrich B ät beispiel Punkt D E?",
                ),
                ("Im Jahr 1999", "Im Jahr 1999"),
            ],
        );
        check(
            Language::Italian,
            &[
                (
                    "È giusto: +39 06 123456?",
                    "È giusto: più tre nove, zero sei, uno due tre quattro cinque sei?",
                ),
                ("anna-rossi@esempio.it", "anna trattino rossi chiocciola esempio punto I T"),
            ],
        );
    }

    proptest::proptest! {
        /// Any text is read without a panic, and what has no digit and no `@` stays as it is.
        #[test]
        fn any_text_is_read(text in "(?s)[a-z0-9+()@./_ äß,-]{0,60}|\\PC{0,40}") {
            for (_, language) in Language::ALL {
                let spoken = aloud(&text, language);
                if !text.contains(|c: char| c.is_ascii_digit() || c == '@') {
                    proptest::prop_assert_eq!(&spoken, &text);
                }
            }
        }
    }
}
