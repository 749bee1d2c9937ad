//! The division of tokens into smaller ones, which are put together to words, whatever the tokens were.

use super::{
    phonemes::{PRIMARY, Stress, is_end, stressed, weight},
    spoken,
};

/// The marks that are audible, as pauses or in the melody.
const MARKS: &str = ";:,.!?—…\"“”";
/// The tags of marks.
const MARK_TAGS: [&str; 11] =
    [".", ",", "-LRB-", "-RRB-", "``", "\"\"", "''", ":", "$", "#", "NFP"];
/// The marks that are silent within a word.
const JOINTS: &str = "',-._‘’/";
const APOSTROPHES: &str = "'‘’";

/// A part of a text that the lexicon may know.
#[derive(Clone, Debug)]
pub(super) struct Token<'a> {
    pub(super) text: String,
    pub(super) tag: &'a str,
    /// Whether a space follows.
    pub(super) space: bool,
    /// The phonemes, once they are known.
    pub(super) phonemes: Option<String>,
    pub(super) position: Position,
    /// The text that is read instead.
    pub(super) alias: Option<&'static str>,
    /// The currency sign that stood before it.
    pub(super) currency: Option<char>,
}

/// Where a token stands in its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Position {
    /// At the beginning of the word.
    First,
    /// Behind another token, and spoken as one with it.
    Joined,
    /// Behind another token, and spoken with a space before it.
    Apart,
}

impl<'a> Token<'a> {
    pub(super) fn new(text: &str, tag: &'a str, space: bool) -> Self {
        let (position, phonemes, alias, currency) = (Position::First, None, None, None);
        Self { text: text.to_owned(), tag, space, phonemes, position, alias, currency }
    }

    /// Joins several tokens to one.
    pub(super) fn merged(tokens: &[Self]) -> Self {
        let size = |character: char| if character.to_lowercase().eq([character]) { 1 } else { 2 };
        let capitals = |token: &&Self| token.text.chars().map(size).sum::<usize>();
        let tag = tokens.iter().rev().max_by_key(capitals).map_or("", |token| token.tag);
        Self {
            currency: tokens.iter().filter_map(|token| token.currency).max(),
            position: tokens.first().map_or(Position::First, |token| token.position),
            ..Self::new(&text(tokens), tag, tokens.last().is_some_and(|token| token.space))
        }
    }

    pub(super) fn is_unread(&self) -> bool {
        self.alias.is_none() && self.phonemes.is_none()
    }

    /// Whether the token only joins its neighbours.
    pub(super) fn is_joint(&self) -> bool {
        self.text.chars().all(|character| JOINTS.contains(character))
    }
}

/// A word: tokens without a space between them.
#[derive(Debug)]
pub(super) struct Word<'a> {
    pub(super) tokens: Vec<Token<'a>>,
    /// Whether a space follows.
    pub(super) space: bool,
}

impl Word<'_> {
    pub(super) fn phonemes(&self) -> String {
        let mut all = String::new();
        for token in &self.tokens {
            let phonemes = token.phonemes.as_deref().unwrap_or_default();
            let is_apart = token.position == Position::Apart;
            if is_apart && !phonemes.is_empty() && !all.is_empty() && !all.ends_with(' ') {
                all.push(' ');
            }
            all.push_str(phonemes);
        }
        all
    }
}

/// Returns the words of tokens. Marks and currency signs are read here.
pub(super) fn words<'a>(tokens: &[Token<'a>]) -> Vec<Word<'a>> {
    let mut words: Vec<Word> = Vec::new();
    let mut currency = None;
    // Whether the next token belongs to the last word.
    let mut is_open = false;
    for (n, token) in tokens.iter().enumerate() {
        let parts = parts(&token.text);
        let next_is_number = tokens.get(n + 1).is_some_and(|next| next.tag == "CD");
        for (m, part) in parts.iter().enumerate() {
            let is_last = m + 1 == parts.len();
            let mut token = Token::new(part, token.tag, is_last && token.space);
            match sign_or_mark(&token) {
                Some(Mark::Money(sign)) => {
                    currency = Some(sign);
                    token.phonemes = Some(String::new());
                }
                Some(Mark::Read(phonemes)) => token.phonemes = Some(phonemes),
                None if currency.is_some() && token.tag != "CD" => currency = None,
                None if currency.is_some() && is_last && !next_is_number => {
                    token.currency = currency
                }
                None if currency.is_none() && *part == "2" && is_between_letters(&parts, m) => {
                    token.alias = Some("to");
                }
                None => {}
            }
            let (is_unread, space) = (token.is_unread(), token.space);
            match words.last_mut().filter(|_| is_unread && is_open) {
                Some(word) => {
                    token.position = Position::Joined;
                    word.space = space;
                    word.tokens.push(token);
                }
                None => words.push(Word { tokens: vec![token], space }),
            }
            is_open = is_unread && !space;
        }
    }
    words
}

enum Mark {
    Money(char),
    Read(String),
}

fn sign_or_mark(token: &Token) -> Option<Mark> {
    let is_word = token.text.chars().all(|character| character.is_ascii_alphabetic());
    match token.tag {
        "$" if spoken::currency(&token.text).is_some() => {
            spoken::currency(&token.text).map(Mark::Money)
        }
        ":" if ["-", "–"].contains(&&token.text[..]) => Some(Mark::Read("—".to_owned())),
        tag if MARK_TAGS.contains(&tag) && !is_word => Some(Mark::Read(match tag {
            "-LRB-" => "(".to_owned(),
            "-RRB-" => ")".to_owned(),
            "``" => "“".to_owned(),
            "\"\"" | "''" => "”".to_owned(),
            _ => token.text.chars().filter(|mark| MARKS.contains(*mark)).collect(),
        })),
        _ => None,
    }
}

fn is_between_letters(parts: &[&str], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| parts[at].chars().next_back());
    let behind = parts.get(at + 1).and_then(|part| part.chars().next());
    before.is_some_and(char::is_alphabetic) && behind.is_some_and(char::is_alphabetic)
}

/// Divides a token where capitals begin, and letters from digits, hyphens and signs.
fn parts(token: &str) -> Vec<&str> {
    let (mut parts, mut from) = (Vec::new(), 0);
    while let Some(first) = token[from..].chars().next() {
        let length = part_length(&token[from..], from == 0);
        if length > 0 {
            parts.push(&token[from..from + length]);
        }
        from += length.max(first.len_utf8());
    }
    parts
}

/// Returns the bytes of the first part; 0 if the first character belongs to none.
fn part_length(text: &str, is_first: bool) -> usize {
    let mut characters = text.chars();
    let (first, second, third) = (characters.next(), characters.next(), characters.next());
    let Some(first) = first else { return 0 };
    let run = |of: &str| text.len() - text.trim_start_matches(|c| of.contains(c)).len();
    let apostrophes = run(APOSTROPHES);
    if is_first && apostrophes > 0 {
        return apostrophes;
    }
    if is_capital(first) && second.is_some_and(is_capital) && third.is_some_and(is_small) {
        return first.len_utf8();
    }
    let unsigned = if is_first { text.strip_prefix('-').unwrap_or(text) } else { text };
    let digits = digits_length(unsigned);
    if digits > 0 {
        return text.len() - unsigned.len() + digits;
    }
    match first {
        '-' | '_' => run("-_"),
        _ if apostrophes > 0 => {
            let is_end = apostrophes == text.len();
            if apostrophes > first.len_utf8() || is_end { apostrophes } else { 0 }
        }
        _ if is_letter(first) => small_before_capital(text).unwrap_or_else(|| letters_length(text)),
        _ => first.len_utf8(),
    }
}

/// Returns the bytes of digits with single dots and commas before them.
fn digits_length(text: &str) -> usize {
    let mut length = 0;
    loop {
        let rest = &text[length..];
        let unseparated = rest.strip_prefix([',', '.']).unwrap_or(rest);
        if !unseparated.starts_with(|digit: char| digit.is_ascii_digit()) {
            return length;
        }
        length += rest.len() - unseparated.len() + 1;
    }
}

/// Returns the bytes of letters, then of pairs of an apostrophe and a letter.
fn letters_length(text: &str) -> usize {
    let mut length = text.len() - text.trim_start_matches(is_letter).len();
    while let Some(pair) = pair_length(&text[length..]) {
        length += pair;
    }
    length
}

fn pair_length(text: &str) -> Option<usize> {
    let mut pair = text.chars();
    let apostrophe = pair.next().filter(|character| APOSTROPHES.contains(*character))?;
    let letter = pair.next().filter(|character| is_letter(*character))?;
    Some(apostrophe.len_utf8() + letter.len_utf8())
}

/// Returns the bytes up to the first lower-case letter before a capital: "Java" of "JavaScript".
fn small_before_capital(text: &str) -> Option<usize> {
    let ends = |at: usize| {
        let mut rest = text[at..].chars();
        let small = rest.next().filter(|small| is_small(*small))?;
        rest.next().filter(|capital| is_capital(*capital))?;
        Some(at + small.len_utf8())
    };
    for (start, character) in text.char_indices() {
        let mut at = start;
        loop {
            if let Some(end) = ends(at) {
                return Some(end);
            }
            match pair_length(&text[at..]) {
                Some(pair) => at += pair,
                None => break,
            }
        }
        if !is_letter(character) {
            return None;
        }
    }
    None
}

/// Decides whether the tokens of a word are spoken apart, or as one word with one stress.
pub(super) fn resolve(tokens: &mut [Token]) {
    let text = text(tokens);
    let kind = |character: char| match character {
        letter if letter.is_alphabetic() => 0,
        digit if digit.is_ascii_digit() => 1,
        _ => 2,
    };
    let mut kinds: Vec<i32> = text.chars().filter(|c| !JOINTS.contains(*c)).map(kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let is_apart = text.contains([' ', '/']) || kinds.len() > 1;
    let last = tokens.len().saturating_sub(1);
    for (n, token) in tokens.iter_mut().enumerate() {
        let is_mark =
            n == last && token.text.chars().count() == 1 && token.text.chars().all(is_end);
        match token.phonemes {
            None if is_mark => token.phonemes = Some(token.text.clone()),
            None if token.is_joint() => token.phonemes = Some(String::new()),
            None => {}
            Some(_) if n > 0 && is_apart => token.position = Position::Apart,
            Some(_) => {}
        }
    }
    if !is_apart {
        lower_all_but_half(tokens);
    }
}

/// Lowers half of several stresses in one word, those of the shortest parts; behind a single letter that of
/// the rest.
fn lower_all_but_half(tokens: &mut [Token]) {
    let read = tokens.iter().enumerate().filter_map(|(n, token)| {
        let phonemes = token.phonemes.as_deref().filter(|phonemes| !phonemes.is_empty())?;
        Some((phonemes.contains(PRIMARY), weight(phonemes), n))
    });
    let mut read: Vec<(bool, usize, usize)> = read.collect();
    let stresses = read.iter().filter(|(is_stressed, ..)| *is_stressed).count();
    let lowered = match read[..] {
        [(.., first), (.., second)] if tokens[first].text.chars().count() == 1 => vec![second],
        [] | [_] => return,
        _ if stresses <= read.len().div_ceil(2) => return,
        _ => {
            read.sort_unstable();
            read[..read.len() / 2].iter().map(|(.., at)| *at).collect()
        }
    };
    for at in lowered {
        let token = &mut tokens[at];
        let phonemes = token.phonemes.as_deref().unwrap_or_default();
        token.phonemes = Some(stressed(phonemes, Some(Stress::Lowered)));
    }
}

fn text(tokens: &[Token]) -> String {
    let mut all = String::new();
    for (n, token) in tokens.iter().enumerate() {
        all.push_str(&token.text);
        all.push_str(if token.space && n + 1 < tokens.len() { " " } else { "" });
    }
    all
}

fn is_letter(character: char) -> bool {
    character.is_alphanumeric() && !character.is_ascii_digit()
}

fn is_small(character: char) -> bool {
    matches!(character, 'a'..='z' | 'ß'..='ö' | 'ø'..='ÿ')
}

fn is_capital(character: char) -> bool {
    matches!(character, 'A'..='Z' | 'À'..='Ö' | 'Ø'..='Þ')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tokens are divided where a reader would divide them: at capitals, digits, hyphens.
    #[test]
    fn tokens_have_parts() {
        for (token, expected) in [
            ("JavaScript", "Java|Script"),
            ("HTMLParser", "HTMLParser"),
            ("HTMLpArser", "HTMLp|Arser"),
            ("don't", "don't"),
            ("'til", "'|til"),
            ("well-known", "well|-|known"),
            ("R2D2", "R|2|D|2"),
            ("-1,234.5kg", "-1,234.5|kg"),
            ("1,.5", "1|,|.5"),
            ("snake_case", "snake|_|case"),
            ("dogs'", "dogs|'"),
            ("$5", "$|5"),
            ("McO'Neill'sX", "Mc|O'N|eill's|X"),
            ("", ""),
        ] {
            assert_eq!(parts(token).join("|"), expected, "{token}");
        }
    }

    /// Parts without a space between them form one word; marks and currency signs are read by themselves.
    #[test]
    fn tokens_become_words() {
        let token = |(text, tag, space): &(&str, &'static str, bool)| Token::new(text, tag, *space);
        let tokens = [
            ("B2B", "NN", true),
            ("R2", "NNP", false),
            ("-", "HYPH", false),
            ("unit", "NN", true),
            ("$", "$", false),
            ("5.50", "CD", false),
            (",", ",", true),
            ("(", "-LRB-", false),
            ("x", "NN", false),
            (")", "-RRB-", false),
            ("-", ":", true),
        ];
        let tokens: Vec<Token> = tokens.iter().map(token).collect();
        let mut told = String::new();
        for word in words(&tokens) {
            for token in &word.tokens {
                let read = token.phonemes.as_deref().or(token.alias).map(|read| format!("={read}"));
                let currency = token.currency.map(|sign| format!("({sign})")).unwrap_or_default();
                told = told + &token.text + &currency + &read.unwrap_or_default() + "|";
            }
            told += if word.space { "_ " } else { " " };
        }
        assert_eq!(told, "B| 2=to| B|_ R|2|-|unit|_ $=| 5.50($)| ,=,|_ (=(| x| )=)| -=—|_ ");
    }

    /// A word of several parts has one main stress, or each part has its own if they are spoken apart.
    #[test]
    fn stresses_are_resolved() {
        for (parts, expected) in [
            (&[("Java", "ʤˈɑvə"), ("Script", "skɹˈɪpt")][..], "ʤˌɑvəskɹˈɪpt"),
            (&[("one", "wˈʌn"), ("two", "tˈu"), ("three", "θɹˈi")], "wˈʌntˌuθɹˈi"),
            (&[("X", "ˈɛks"), ("ray", "ɹˈA")], "ˈɛksɹˌA"),
            (&[("B", "bˈi"), ("52", "fˈɪfti tˈu")], "bˈi fˈɪfti tˈu"),
        ] {
            let mut tokens: Vec<Token> =
                parts.iter().map(|(text, _)| Token::new(text, "NN", false)).collect();
            for (token, (_, phonemes)) in tokens.iter_mut().zip(parts) {
                token.phonemes = Some((*phonemes).to_owned());
            }
            resolve(&mut tokens);
            assert_eq!(Word { tokens, space: false }.phonemes(), expected);
        }
    }

    proptest::proptest! {
        /// Any token can be divided, and nothing of it is lost but single apostrophes.
        #[test]
        fn any_token_has_parts(token in "['‘’a-zA-Zéß0-9,.\\-_$½]{0,20}|\\PC{0,10}") {
            let kept: String = parts(&token).concat();
            let plain = |text: &str| text.replace(['\'', '‘', '’'], "");
            proptest::prop_assert_eq!(plain(&kept), plain(&token));
        }
    }
}
