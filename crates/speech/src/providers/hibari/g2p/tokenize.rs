//! The division of text into tokens by spaCy's English rules: special cases ("don't", "10am") first, then
//! prefixes and suffixes of a word, then infixes.

use super::super::files::{SEPARATOR, Table};

const QUOTES: &str = "'\"”“`‘´’‚,„»«「」『』（）〔〕【】《》〈〉";
const PUNCTUATION: &str = "…,:;!?¿¡()[]{}<>_#*&。？！，、；：～·";
const ICONS: &str = "™®©°§¶†‡•";
const CURRENCIES: [&str; 23] = [
    "$", "£", "€", "¥", "฿", "US$", "C$", "A$", "₽", "₹", "₩", "₪", "₺", "₴", "₦", "₫", "₱", "₲",
    "₵", "₸", "₼", "₾", "₿",
];
const UNITS: [&str; 48] = [
    "km", "km²", "km³", "m", "m²", "m³", "dm", "dm²", "dm³", "cm", "cm²", "cm³", "mm", "mm²",
    "mm³", "ha", "µm", "nm", "yd", "in", "ft", "kg", "g", "mg", "µg", "t", "lb", "oz", "m/s",
    "km/h", "kmh", "mph", "hPa", "Pa", "mbar", "mb", "MB", "kb", "KB", "gb", "GB", "tb", "TB", "T",
    "G", "M", "K", "%",
];
const DASHES: [&str; 6] = ["---", "--", "——", "-", "–", "—"];
/// The ends of host names.
const DOMAINS: [&str; 19] = [
    "com", "org", "net", "edu", "gov", "io", "co", "uk", "de", "fr", "info", "biz", "us", "ca",
    "au", "tv", "me", "ly", "ai",
];

/// Returns the tokens of a text, and whether a space follows each.
pub(super) fn tokens(special: &Table, text: &str) -> Vec<(String, bool)> {
    let mut tokens = Vec::new();
    let mut rest = text.split_whitespace().peekable();
    while let Some(chunk) = rest.next() {
        let mut parts = split(special, chunk).into_iter().peekable();
        while let Some(part) = parts.next() {
            let space = parts.peek().is_none() && rest.peek().is_some();
            tokens.push((part, space));
        }
    }
    tokens
}

/// Returns the tokens of the text between two spaces.
fn split(special: &Table, chunk: &str) -> Vec<String> {
    if let Some(tokens) = special_tokens(special, chunk) {
        return tokens;
    }
    let (mut before, mut behind) = (Vec::new(), Vec::new());
    let mut rest = chunk;
    while !rest.is_empty() && !special.contains(rest) {
        let prefix = prefix_length(rest);
        let (head, after_head) = rest.split_at(prefix);
        if prefix > 0 && !after_head.is_empty() && special.contains(after_head) {
            before.push(head);
            rest = after_head;
            break;
        }
        let (before_tail, tail) = rest.split_at(rest.len() - suffix_length(after_head));
        if !tail.is_empty() && !before_tail.is_empty() && special.contains(before_tail) {
            behind.push(tail);
            rest = before_tail;
            break;
        }
        if head.is_empty() && tail.is_empty() {
            break;
        }
        before.extend(Some(head).filter(|head| !head.is_empty()));
        behind.extend(Some(tail).filter(|tail| !tail.is_empty()));
        rest = &rest[prefix..rest.len() - tail.len()];
    }
    let mut tokens: Vec<String> = before.into_iter().map(str::to_owned).collect();
    match special_tokens(special, rest) {
        Some(parts) => tokens.extend(parts),
        None if is_address(rest) => tokens.push(rest.to_owned()),
        None => tokens.extend(split_within(rest)),
    }
    tokens.extend(behind.into_iter().rev().map(str::to_owned));
    if tokens.len() > 1 { joined(special, &tokens) } else { tokens }
}

fn special_tokens(special: &Table, text: &str) -> Option<Vec<String>> {
    let tokens = special.get(text)?.split(SEPARATOR).filter(|token| !token.is_empty());
    Some(tokens.map(str::to_owned).collect())
}

/// Returns the bytes of a prefix.
fn prefix_length(text: &str) -> usize {
    let mut rest = text.chars();
    let Some(first) = rest.next() else { return 0 };
    let dots = text.len() - text.trim_start_matches('.').len();
    match first {
        '.' if dots > 1 => dots,
        '+' if !rest.next().is_some_and(|next| next.is_ascii_digit()) => 1,
        '§' | '%' | '=' | '—' | '–' => first.len_utf8(),
        _ if PUNCTUATION.contains(first) || QUOTES.contains(first) || ICONS.contains(first) => {
            first.len_utf8()
        }
        _ => CURRENCIES.iter().find(|sign| text.starts_with(**sign)).map_or(0, |sign| sign.len()),
    }
}

/// Returns the bytes of the longest suffix.
fn suffix_length(text: &str) -> usize {
    let before = |length: usize| text[..text.len() - length].chars().next_back();
    let behind_digit = |length: usize| before(length).is_some_and(|digit| digit.is_ascii_digit());
    let Some(last) = text.chars().next_back() else { return 0 };
    let mut longest = 0;
    let mut may_be = |length: usize| longest = longest.max(length);
    if PUNCTUATION.contains(last)
        || QUOTES.contains(last)
        || ICONS.contains(last)
        || "—–".contains(last)
    {
        may_be(last.len_utf8());
    }
    for end in ["……", "'s", "'S", "’s", "’S"] {
        if text.ends_with(end) {
            may_be(end.len());
        }
    }
    let dots = text.len() - text.trim_end_matches('.').len();
    if dots > 1 || (dots == 1 && ends_sentence(text)) {
        may_be(dots);
    }
    if last == '+' && behind_digit(1) {
        may_be(1);
    }
    for unit in CURRENCIES.iter().chain(&UNITS) {
        if text.ends_with(unit) && behind_digit(unit.len()) {
            may_be(unit.len());
        }
    }
    longest
}

/// Whether the single dot at the end is no part of the word.
fn ends_sentence(text: &str) -> bool {
    let mut before = text[..text.len() - 1].chars().rev();
    let Some(last) = before.next() else { return false };
    let is_plain = last.is_ascii_digit()
        || is_lower(last)
        || "%²-+".contains(last)
        || PUNCTUATION.contains(last)
        || QUOTES.contains(last);
    let previous = before.next();
    let is_scale = "FfCcKk".contains(last) && previous == Some('°');
    is_plain || is_scale || (is_upper(last) && previous.is_some_and(is_upper))
}

/// Divides a word at infixes: dots, hyphens, slashes …
fn split_within(text: &str) -> Vec<String> {
    let (mut tokens, mut start, mut at) = (Vec::new(), 0, 0);
    while let Some(next) = text[at..].chars().next() {
        let length = infix_length(text, at);
        if length > 0 && at > 0 {
            tokens.extend([&text[start..at], &text[at..at + length]].map(str::to_owned));
            start = at + length;
        }
        at += length.max(next.len_utf8());
    }
    tokens.push(text[start..].to_owned());
    tokens.retain(|token| !token.is_empty());
    tokens
}

/// Returns the bytes of an infix at this place.
fn infix_length(text: &str, at: usize) -> usize {
    let (before, rest) = text.split_at(at);
    let Some(first) = rest.chars().next() else { return 0 };
    let before = before.chars().next_back();
    let is_before = |what: fn(char) -> bool| before.is_some_and(what);
    let follows =
        |length: usize, what: fn(char) -> bool| rest[length..].chars().next().is_some_and(what);
    let dots = rest.len() - rest.trim_start_matches('.').len();
    if dots > 1 {
        return dots;
    }
    let quote = |character: char| QUOTES.contains(character);
    let divides = match first {
        '…' => true,
        _ if ICONS.contains(first) => true,
        '.' => {
            is_before(|character| is_lower(character) || QUOTES.contains(character))
                && (follows(1, is_upper) || rest[1..].chars().next().is_some_and(quote))
        }
        ',' => is_before(is_letter) && follows(1, is_letter),
        ':' | '<' | '>' | '=' | '/' => is_before(char::is_alphanumeric) && follows(1, is_letter),
        '~' => is_before(char::is_alphanumeric) && follows(1, is_letter),
        _ => false,
    };
    if divides {
        return first.len_utf8();
    }
    let is_number = |character: char| character.is_ascii_digit();
    if "+-*^".contains(first) && is_before(|character| character.is_ascii_digit()) {
        let next = rest[1..].chars().next();
        if next.is_some_and(|next| is_number(next) || next == '-') {
            return 1;
        }
    }
    let dash =
        DASHES.iter().find(|dash| rest.starts_with(**dash) && follows(dash.len(), is_letter));
    dash.filter(|_| is_before(char::is_alphanumeric)).map_or(0, |dash| dash.len())
}

/// Joins neighbours that are a special case together: "Sept" and "." to "Sept.".
fn joined(special: &Table, tokens: &[String]) -> Vec<String> {
    let (mut all, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let found = [3, 2].into_iter().find_map(|count| {
            let together = tokens.get(at..at + count)?.concat();
            Some((count, special_tokens(special, &together)?))
        });
        let (count, parts) = found.unwrap_or_else(|| (1, vec![tokens[at].clone()]));
        all.extend(parts);
        at += count;
    }
    all
}

/// Whether a text is the address of a page or a mailbox.
fn is_address(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let word = |character: char| character.is_alphanumeric() || "_-".contains(character);
    let is_host = |host: &str| {
        let parts: Vec<&str> = host.split('.').collect();
        parts.len() > 1 && parts.iter().all(|part| !part.is_empty() && part.chars().all(word))
    };
    if ["http://", "https://", "ftp://", "www."]
        .iter()
        .any(|start| text.len() > start.len() && text.starts_with(start))
    {
        return true;
    }
    if let Some((name, host)) = text.split_once('@') {
        let is_name = |character: char| word(character) || ".+".contains(character);
        return !name.is_empty() && name.chars().all(is_name) && is_host(host);
    }
    let host = text.split_once('/').map_or(&text[..], |(host, _)| host);
    is_host(host) && DOMAINS.contains(&host.rsplit('.').next().unwrap_or_default())
}

fn is_letter(character: char) -> bool {
    character.is_alphabetic()
}

fn is_lower(character: char) -> bool {
    matches!(character, 'a'..='z' | 'ß'..='ö' | 'ø'..='ÿ')
}

fn is_upper(character: char) -> bool {
    matches!(character, 'A'..='Z' | 'À'..='Ö' | 'Ø'..='Þ')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Prefixes, suffixes and infixes become tokens; special cases stay whole or are divided as the table
    /// says.
    #[test]
    fn text_becomes_tokens() {
        let special: Table = serde_json::from_str(
            r#"{"don't": ["do", "n't"], "Dr.": ["Dr."], "Sept.": ["Sept."],
                "10am": ["10", "am"], "a.m.": ["a.m."]}"#,
        )
        .unwrap();
        for (text, tokens) in [
            ("Hello, world!", "Hello|,_world|!"),
            ("(I don't.)", "(|I_do|n't|.|)"),
            ("Dr. No's \"well-known\" plan…", "Dr._No|'s_\"|well|-|known|\"_plan|…"),
            ("It was 10am.", "It_was_10|am|."),
            ("at 9 a.m. (Sept.)", "at_9_a.m._(|Sept.|)"),
            ("$5.50, 20%, 7km", "$|5.50|,_20|%|,_7|km"),
            ("and/or one--two 3-4 5*6", "and|/|or_one|--|two_3|-|4_5|*|6"),
            ("wait... what?", "wait|..._what|?"),
            ("end.Start U.S. NATO. x.", "end|.|Start_U.S._NATO|._x|."),
            (
                "see www.example.org, me@x.io or rust.io.",
                "see_www.example.org|,_me@x.io_or_rust.io|.",
            ),
            ("e.g. +5 C++", "e.g|._+5_C++"),
            ("--", "--"),
            ("...", "..."),
            ("", ""),
        ] {
            let mut all = String::new();
            for (token, space) in super::tokens(&special, text) {
                all = all + &token + if space { "_" } else { "|" };
            }
            assert_eq!(all.trim_end_matches(['|', '_']), tokens, "{text}");
        }
    }
}
