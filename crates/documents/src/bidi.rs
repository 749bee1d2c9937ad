//! Text as it is read, from its signs as they stand on a line from left to right: Hebrew and Arabic run from
//! right to left, and numbers and foreign words within them do not.

use unicode_normalization::UnicodeNormalization as _;

/// What separates the columns of a table.
const COLUMN: &str = "\t";

/// Which way a sign runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// A letter that runs from right to left.
    Right,
    /// One that runs from left to right.
    Left,
    /// A digit: it runs from left to right, but says nothing about what is around it.
    Digit,
    /// Spaces and punctuation, which run as what is around them.
    Other,
}

/// Whether there are letters that run from right to left.
pub(crate) fn runs_right(text: &str) -> bool {
    text.chars().any(is_right)
}

/// The text of a line, given its signs from left to right. Columns are read as the line runs.
pub(crate) fn logical(signs: &[String]) -> String {
    let mut columns: Vec<String> = signs.split(|sign| sign == COLUMN).map(column_text).collect();
    if is_mostly_right(signs) {
        columns.reverse();
    }
    columns.join(COLUMN)
}

fn column_text(signs: &[String]) -> String {
    let classes = classes(signs);
    if is_mostly_right(signs) {
        return turned(signs, &classes);
    }
    let mut text = String::new();
    let mut at = 0;
    while at < signs.len() {
        if classes[at] != Class::Right {
            text.push_str(&signs[at]);
            at += 1;
            continue;
        }
        // A quotation within a line that runs from left to right.
        let next = classes[at..].iter().position(|class| *class == Class::Left);
        let limit = next.map_or(signs.len(), |next| at + next);
        let last = classes[at..limit].iter().rposition(|class| *class == Class::Right);
        let end = at + last.unwrap_or(0) + 1;
        text.push_str(&turned(&signs[at..end], &classes[at..end]));
        at = end;
    }
    text
}

/// Signs from the last to the first, but numbers and foreign words within them as they stand.
fn turned(signs: &[String], classes: &[Class]) -> String {
    let runs_left: Vec<bool> = (0..signs.len()).map(|at| runs_left(signs, classes, at)).collect();
    let mut text = String::new();
    let mut end = signs.len();
    while end > 0 {
        if !runs_left[end - 1] {
            text.push_str(&own_form(&signs[end - 1]));
            end -= 1;
            continue;
        }
        let start = runs_left[..end].iter().rposition(|runs_left| !runs_left);
        let start = start.map_or(0, |before| before + 1);
        text.extend(signs[start..end].iter().map(String::as_str));
        end = start;
    }
    text
}

/// Whether a sign belongs to what runs from left to right within what does not.
fn runs_left(signs: &[String], classes: &[Class], at: usize) -> bool {
    match classes[at] {
        Class::Left | Class::Digit => return true,
        Class::Right => return false,
        Class::Other => {}
    }
    let is_strong = |class: &Class| *class != Class::Other;
    let before = classes[..at].iter().rposition(is_strong);
    let after = classes[at + 1..].iter().position(is_strong).map(|after| at + 1 + after);
    let is = |place: Option<usize>, class: Class| place.is_some_and(|at| classes[at] == class);
    let is_next_to = |place: Option<usize>| place.is_some_and(|place| place.abs_diff(at) == 1);
    let sign = signs[at].as_str();
    if "+#$€£₪".contains(sign) && is_next_to(after) && is(after, Class::Digit)
        || "%°".contains(sign) && is_next_to(before) && is(before, Class::Digit)
    {
        return true;
    }
    let (Some(_), Some(_)) = (before, after) else { return false };
    let is_right = is(before, Class::Right) || is(after, Class::Right);
    let is_word = is(before, Class::Left) || is(after, Class::Left);
    let is_in_number = is_next_to(before) && is_next_to(after) && ".,:/-–".contains(sign);
    !is_right && (is_word || is_in_number)
}

fn classes(signs: &[String]) -> Vec<Class> {
    signs.iter().map(|sign| class(sign)).collect()
}

fn class(sign: &str) -> Class {
    if runs_right(sign) {
        Class::Right
    } else if sign.chars().any(char::is_alphabetic) {
        Class::Left
    } else if sign.chars().any(char::is_numeric) {
        Class::Digit
    } else {
        Class::Other
    }
}

/// Whether a line runs from right to left: as many of its words do as do not.
fn is_mostly_right(signs: &[String]) -> bool {
    let words = signs.split(|sign| sign.trim().is_empty());
    let strong = |word: &[String]| {
        let mut classes = word.iter().map(|sign| class(sign));
        classes.find(|class| matches!(class, Class::Right | Class::Left))
    };
    let classes: Vec<Class> = words.filter_map(strong).collect();
    let right = classes.iter().filter(|class| **class == Class::Right).count();
    right > 0 && right * 2 >= classes.len()
}

/// A sign as it is written in text: the forms that letters have within words, and brackets, turned back.
fn own_form(sign: &str) -> String {
    if runs_right(sign) { sign.nfkc().collect() } else { sign.chars().map(mirrored).collect() }
}

/// Hebrew, Arabic and the scripts beside them, without digits.
fn is_right(c: char) -> bool {
    let is_script = matches!(
        c,
        '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{10800}'..='\u{10fff}'
            | '\u{1e800}'..='\u{1efff}'
    );
    is_script && c.is_alphabetic()
}

/// Brackets that run from right to left are drawn the other way round.
fn mirrored(c: char) -> char {
    const PAIRS: [(char, char); 6] =
        [('(', ')'), ('[', ']'), ('{', '}'), ('<', '>'), ('«', '»'), ('‹', '›')];
    let other = PAIRS.into_iter().find_map(|(open, close)| match c {
        c if c == open => Some(close),
        c if c == close => Some(open),
        _ => None,
    });
    other.unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> String {
        let signs: Vec<String> = line.chars().map(String::from).collect();
        logical(&signs)
    }

    /// K05: Hebrew is read from right to left; numbers, addresses and names in it are read as they stand.
    #[test]
    fn hebrew_is_read_as_it_runs() {
        for (seen, meant) in [
            ("ןהכ הדע", "עדה כהן"),
            ("050-1234567 :ןופלט", "טלפון: 050-1234567"),
            ("+972 :ןופלט", "טלפון: +972"),
            ("ada.cohen@example.org :ליימ", "מייל: ada.cohen@example.org"),
            ("(הרבח) Harbour Analytics תרבח", "חברת Harbour Analytics (חברה)"),
            ("2021 - 2019", "2021 - 2019"),
            ("Ada (ןהכ הדע) is here", "Ada (עדה כהן) is here"),
            ("Harbour Analytics", "Harbour Analytics"),
            ("2019\tהנש", "שנה\t2019"),
            ("\u{feea}\u{fee0}\u{fb50}", "ٱله"),
        ] {
            assert_eq!(read(seen), meant, "{seen}");
        }
    }
}
