//! How a candidate is called: names that people type or bring along, and what is said where there is none.

use std::{fmt, sync::Arc};

use minijinja::value::{Object, ObjectRepr, Value};

/// A name has so many characters at most.
pub const NAME_CHARS_MAX: usize = 80;
/// What a prompt calls somebody without a name.
pub(super) const NAMELESS: &str = "the candidate";
/// Stands in a spoken text for a name that nobody knows, until [`without_name`] takes it out. No text has it
/// otherwise.
const MARK: char = '\u{e000}';

/// What is wrong with a line that somebody typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineFault {
    /// Nothing but spaces.
    Empty,
    /// More characters than allowed.
    Long {
        /// How many it has.
        chars: usize,
    },
    /// A line break, or a mark that nobody sees.
    Hidden,
    /// Neither letter nor digit.
    Wordless,
}

/// Checks a text that was typed for one line, without the spaces around it.
pub fn check_line(line: &str, chars_max: usize) -> Result<(), LineFault> {
    let chars = line.chars().count();
    if chars == 0 {
        Err(LineFault::Empty)
    } else if chars > chars_max {
        Err(LineFault::Long { chars })
    } else if line.chars().any(|c| c.is_control() || turns_direction(c)) {
        Err(LineFault::Hidden)
    } else if !line.chars().any(char::is_alphanumeric) {
        Err(LineFault::Wordless)
    } else {
        Ok(())
    }
}

/// Marks that nobody sees, after which the words beside a name stand backwards.
fn turns_direction(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The words before a name that are not part of it, in small letters and without dots.
const TITLES: &[&str] = &[
    "dr",
    "prof",
    "professor",
    "profssa",
    "mr",
    "mrs",
    "ms",
    "miss",
    "mx",
    "sir",
    "dame",
    "madam",
    "mme",
    "herr",
    "frau",
    "dipl-ing",
    "dipling",
    "dott",
    "dottssa",
    "dottor",
    "dottore",
    "dottoressa",
    "sig",
    "sigra",
    "signor",
    "signora",
    "avv",
];
/// Those that are names, too, unless a dot is behind them.
const DOTTED_TITLES: &[&str] =
    &["med", "phil", "rer", "nat", "habil", "mag", "arch", "geom", "ing", "rev", "hon", "hc"];
/// The same behind a name: always, and only behind a comma, where they are no surnames.
const SUFFIXES: &[&str] = &["phd", "mba", "esq", "msc", "bsc", "llm"];
const COMMA_SUFFIXES: &[&str] = &[
    "jr", "sr", "junior", "senior", "ii", "iii", "iv", "md", "ma", "ba", "bs", "ms", "dr", "dds",
    "jd", "rn", "cpa", "pmp", "dipl-ing", "dipling",
];

/// A person's name in what a room shows of a participant, if it is one: letters of any script, with what
/// stands between them in names. Titles, and what is put behind it ("(she/her)", "| Acme", ", PhD"), are left
/// out; of "Thompson, Alice" it is Alice. With a digit it is an account, a phone number or a machine.
pub fn person_name(shown: &str) -> Option<String> {
    let name = shown.split(['(', '[', '|']).next().unwrap_or_default();
    let name: String = name.chars().filter(|c| !is_picture(*c)).map(plain_hyphen).collect();
    if check_line(name.trim(), NAME_CHARS_MAX).is_err() {
        return None;
    }
    let is_suffix = |part: &&str| {
        part.split_whitespace().all(|word| {
            let word = plain_title(word);
            SUFFIXES.contains(&word.as_str()) || COMMA_SUFFIXES.contains(&word.as_str())
        })
    };
    let mut parts = name.split(',').map(str::trim);
    let first = parts.next().map(person)?;
    let second = parts.find(|part| !is_suffix(part)).map(person);
    // "García Márquez, Gabriel" and "Ada Lovelace, Acme" look alike: what comes first is theirs in both.
    let is_surname = first.split_whitespace().count() == 1 || first.starts_with(char::is_lowercase);
    let name = second.filter(|_| is_surname).unwrap_or(first);
    let is_name = name.chars().any(char::is_alphabetic) && name.chars().all(is_of_names);
    is_name.then_some(name)
}

/// The words of a name without titles before it and degrees behind it.
fn person(part: &str) -> String {
    let words: Vec<&str> = part
        .split_whitespace()
        .map(|word| word.trim_matches(['\u{200c}', '\u{200d}']))
        .filter(|word| !word.is_empty())
        .collect();
    let is_title = |word: &&&str| {
        let plain = plain_title(word);
        let is_dotted = word.ends_with('.') && DOTTED_TITLES.contains(&plain.as_str());
        is_dotted || TITLES.contains(&plain.as_str())
    };
    let titles = words.iter().take_while(is_title).count();
    let is_degree = |word: &&&str| SUFFIXES.contains(&plain_title(word).as_str());
    let degrees = words.iter().rev().take_while(is_degree).count();
    let end = words.len() - degrees;
    if titles < end { words[titles..end].join(" ") } else { words.join(" ") }
}

fn plain_title(word: &str) -> String {
    word.chars().filter(|c| *c != '.').flat_map(char::to_lowercase).collect()
}

/// Whether a character stands in names: letters with their marks and joiners, and what is between them.
pub(crate) fn is_of_names(c: char) -> bool {
    c.is_alphabetic()
        || is_mark(c)
        || matches!(
            c,
            ' ' | '\'' | '’' | '‘' | 'ʼ' | '-' | '.' | '·' | '・' | '\u{200c}' | '\u{200d}'
        )
}

/// Hyphens that a word processor sets, as the one that is typed.
pub(crate) fn plain_hyphen(c: char) -> char {
    if matches!(c, '\u{2010}'..='\u{2013}' | '\u{2212}' | '\u{fe63}' | '\u{ff0d}') {
        '-'
    } else {
        c
    }
}

/// Whether a character is a mark of the letter before it, in the scripts that people write their names in.
pub(crate) fn is_mark(c: char) -> bool {
    let is_of_indic =
        matches!(c, '\u{900}'..='\u{dff}') && !matches!(c, '\u{964}' | '\u{965}' | '\u{970}');
    let is_of_thai =
        matches!(c, '\u{e30}'..='\u{e3a}' | '\u{e40}'..='\u{e4e}' | '\u{eb0}'..='\u{ecd}');
    let is_of_others = matches!(c,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{487}' | '\u{591}'..='\u{5bd}' | '\u{5bf}'..='\u{5c7}'
        | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{6d6}'..='\u{6ed}'
        | '\u{f18}'..='\u{f1f}' | '\u{f35}'..='\u{f39}' | '\u{f71}'..='\u{fbc}' | '\u{102b}'..='\u{103e}'
        | '\u{1056}'..='\u{109d}' | '\u{17b4}'..='\u{17d3}' | '\u{17dd}' | '\u{1ab0}'..='\u{1aff}'
        | '\u{1dc0}'..='\u{1dff}' | '\u{302a}'..='\u{302f}' | '\u{3099}'..='\u{309a}'
        | '\u{fe20}'..='\u{fe2f}');
    (is_of_indic || is_of_thai || is_of_others) && !c.is_numeric()
}

/// Whether a character is a picture or part of one: emoji, their colours and selectors.
fn is_picture(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{2bff}' | '\u{fe0e}' | '\u{fe0f}' | '\u{20e3}' | '\u{1f000}'..='\u{1faff}'
        | '\u{e0020}'..='\u{e007f}')
}

/// A name that nobody knows, as a template sees it: false in an `if`.
#[derive(Debug)]
struct Unknown(String);

impl Object for Unknown {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn is_true(self: &Arc<Self>) -> bool {
        false
    }

    fn render(self: &Arc<Self>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a template that is spoken puts in for a name.
pub(super) fn spoken(name: &str) -> Value {
    value(name, MARK.to_string())
}

/// What a template that only a model reads puts in for a name.
pub(super) fn read(name: &str) -> Value {
    value(name, NAMELESS.to_owned())
}

fn value(name: &str, unknown: String) -> Value {
    if name.trim().is_empty() { Value::from_object(Unknown(unknown)) } else { Value::from(name) }
}

/// A spoken text without the names that nobody knows: they go with the comma and the space before them,
/// "Ada's" is "your".
pub(super) fn without_name(mut text: String) -> String {
    while let Some((before, after)) = text.split_once(MARK) {
        let possessive = ["'s", "’s"].iter().find_map(|ending| after.strip_prefix(ending));
        let begins =
            |before: &str| before.is_empty() || before.ends_with(['.', '!', '?', '…', ':']);
        text = match possessive {
            Some(rest) if begins(before.trim_end()) => format!("{before}Your{rest}"),
            Some(rest) => format!("{before}your{rest}"),
            None if begins(before.trim_end()) => {
                let rest = after.trim_start_matches([',', ' ']);
                let mut letters = rest.chars();
                let first = letters.next().map(|first| first.to_uppercase().to_string());
                format!("{before}{}{}", first.unwrap_or_default(), letters.as_str())
            }
            None => format!("{}{after}", before.trim_end().trim_end_matches(',')),
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the sentence, it is whole without the name.
    #[test]
    fn sentences_are_whole_without_a_name() {
        for (text, want) in [
            (
                "Thank you for your time, @. Your answers are saved.",
                "Thank you for your time. Your answers are saved.",
            ),
            ("Hello @, I am Alba.", "Hello, I am Alba."),
            ("Thanks @!", "Thanks!"),
            ("So, @, tell me more?", "So, tell me more?"),
            ("@, what do you do today?", "What do you do today?"),
            ("Fine. @, é tempo di andare.", "Fine. É tempo di andare."),
            (
                "This is @'s turn. @’s answers are saved.",
                "This is your turn. Your answers are saved.",
            ),
            ("@", ""),
            ("Hello Ada.", "Hello Ada."),
        ] {
            assert_eq!(without_name(text.replace('@', &MARK.to_string())), want, "{text}");
        }
    }

    /// Only what is a person's name is said to one; an account, a number, or marks of another kind are none.
    #[test]
    fn names_of_people() {
        for (shown, want) in [
            ("Ada Lovelace", Some("Ada Lovelace")),
            ("  Seán  O’Brien-Łukasik Jr. ", Some("Seán O’Brien-Łukasik Jr.")),
            ("Ada (she/her)", Some("Ada")),
            ("王小明", Some("王小明")),
            ("काव्य", Some("काव्य")),
            ("प्रियंका चोपड़ा", Some("प्रियंका चोपड़ा")),
            ("தமிழ்", Some("தமிழ்")),
            ("สมชาย ใจดี", Some("สมชาย ใจดี")),
            ("ณัฐวุฒิ ปั้น", Some("ณัฐวุฒิ ปั้น")),
            ("محمّد", Some("محمّد")),
            ("مُحَمَّد عَلِي", Some("مُحَمَّد عَلِي")),
            ("می\u{200c}نا", Some("می\u{200c}نا")),
            ("ක්\u{200d}රිස්", Some("ක්\u{200d}රිස්")),
            ("Lanaʻi", Some("Lanaʻi")),
            ("Thompson, Alice", Some("Alice")),
            ("Thompson, Dr. Alice, PhD", Some("Alice")),
            ("van der Berg, Anna", Some("Anna")),
            ("García Márquez, Gabriel", Some("García Márquez")),
            ("Dr. Ada Lovelace, PhD", Some("Ada Lovelace")),
            ("Prof. Dr. rer. nat. Emmy Noether", Some("Emmy Noether")),
            ("Phil Nat", Some("Phil Nat")),
            ("Dott.ssa Rita Levi-Montalcini", Some("Rita Levi-Montalcini")),
            ("Frau Dipl.-Ing. Bo Li", Some("Bo Li")),
            ("Sammy Davis, Jr.", Some("Sammy Davis")),
            ("Ada Lovelace MBA", Some("Ada Lovelace")),
            ("Doctor", Some("Doctor")),
            ("Dr.", Some("Dr.")),
            ("Nguyễn Thị Ánh", Some("Nguyễn Thị Ánh")),
            ("李小龍", Some("李小龍")),
            ("Meritxell Col·lell", Some("Meritxell Col·lell")),
            ("Anne\u{2011}Marie", Some("Anne-Marie")),
            ("Jean–Luc", Some("Jean-Luc")),
            ("D‘Angelo", Some("D‘Angelo")),
            ("john.doe", Some("john.doe")),
            ("Ada 🙂", Some("Ada")),
            ("👩🏽\u{200d}💻 Ada", Some("Ada")),
            ("Ada Lovelace 2", None),
            ("काव्य २", None),
            ("🙂", None),
            (", Jr.", None),
            ("user-8f3a", None),
            ("Phone +1555", None),
            ("ada@example.org", None),
            ("ada_l", None),
            ("\"Ada\" <b>", None),
            ("Ada\nYou are free", None),
            ("\u{202e}adA", None),
            ("--", None),
            ("", None),
        ] {
            assert_eq!(person_name(shown).as_deref(), want, "{shown:?}");
        }
        assert_eq!(person_name(&"a".repeat(NAME_CHARS_MAX + 1)), None);
    }
}
