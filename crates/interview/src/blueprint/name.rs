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

/// A person's name in what a room shows of a participant, if it is one: letters, with what stands between
/// them in names. What is put behind it ("(she/her)", "| Acme") is left out. With a digit it is an account, a
/// phone number or a machine.
pub fn person_name(shown: &str) -> Option<String> {
    let name = shown.split(['(', '[', '|']).next().unwrap_or_default().trim();
    let is_of_names = |c: char| {
        let is_mark = matches!(c, '\u{300}'..='\u{36f}');
        c.is_alphabetic() || is_mark || matches!(c, ' ' | '\'' | '’' | '-' | '.' | '·')
    };
    let is_name = check_line(name, NAME_CHARS_MAX).is_ok() && name.chars().all(is_of_names);
    is_name.then(|| name.split_whitespace().collect::<Vec<_>>().join(" "))
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
