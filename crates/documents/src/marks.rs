//! Accents that are drawn as signs of their own, as pdfTeX does, put onto the letters that they stand over.

use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

use super::layout::Letter;

/// The marks that the signs for accents alone stand for.
const ACCENTS: [(char, char); 18] = [
    ('`', '\u{300}'),
    ('´', '\u{301}'),
    ('^', '\u{302}'),
    ('ˆ', '\u{302}'),
    ('~', '\u{303}'),
    ('˜', '\u{303}'),
    ('¯', '\u{304}'),
    ('ˉ', '\u{304}'),
    ('˘', '\u{306}'),
    ('˙', '\u{307}'),
    ('¨', '\u{308}'),
    ('˚', '\u{30a}'),
    ('°', '\u{30a}'),
    ('˝', '\u{30b}'),
    ('ˇ', '\u{30c}'),
    ('¸', '\u{327}'),
    ('˛', '\u{328}'),
    ('΄', '\u{301}'),
];

/// The letters with the accents that stand over them. An accent that stands over none is a sign like others.
pub(crate) fn joined(letters: Vec<Letter>) -> Vec<Letter> {
    let mut joined: Vec<Letter> = Vec::with_capacity(letters.len());
    let mut letters = letters.into_iter().peekable();
    while let Some(letter) = letters.next() {
        let Some(mark) = mark(letter.text()) else {
            joined.push(letter);
            continue;
        };
        // A combining mark follows its letter as a rule. pdfTeX draws an accent before it, others behind it.
        let is_combining = letter.text().chars().any(is_combining_mark);
        let is_put = is_combining && put(mark, &letter, joined.last_mut())
            || put(mark, &letter, letters.peek_mut())
            || put(mark, &letter, joined.last_mut());
        if !is_put {
            joined.push(letter);
        }
    }
    joined
}

/// Puts the mark of an accent onto a letter, if it stands over it.
fn put(mark: char, accent: &Letter, base: Option<&mut Letter>) -> bool {
    let Some(base) = base else { return false };
    if !base.text().chars().any(char::is_alphabetic) || !accent.stands_over(base) {
        return false;
    }
    base.set_text(with_mark(base.text(), mark));
    true
}

fn mark(text: &str) -> Option<char> {
    let mut chars = text.chars();
    let (Some(c), None) = (chars.next(), chars.next()) else { return None };
    if is_combining_mark(c) {
        return Some(c);
    }
    ACCENTS.into_iter().find(|(accent, _)| *accent == c).map(|(_, mark)| mark)
}

/// Dotless letters are there to carry an accent.
fn with_mark(base: &str, mark: char) -> String {
    let dotted = base.chars().map(|c| match c {
        'ı' => 'i',
        'ȷ' => 'j',
        c => c,
    });
    dotted.chain([mark]).nfc().collect()
}
