//! Text as words, however a recogniser, a keyboard or a model writes it.

/// `text` in small letters: words with one space between them, no punctuation. An apostrophe inside a word
/// and the signs of "C++" and "C#" stay; where a script writes no spaces, every character is a word.
pub fn normal(text: &str) -> String {
    if text.is_ascii() {
        return normal_ascii(text.as_bytes());
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().filter(|c| !is_invisible(*c)).peekable();
    let mut in_word = false;
    while let Some(c) = chars.next() {
        let next_is_letter = chars.peek().is_some_and(|c| c.is_alphanumeric() && !is_unspaced(*c));
        match c {
            c if is_unspaced(c) => {
                space(&mut out);
                out.push(c);
                in_word = false;
            }
            c if c.is_alphanumeric() => {
                if !in_word {
                    space(&mut out);
                }
                if c.is_ascii() {
                    out.push(c.to_ascii_lowercase());
                } else {
                    out.extend(c.to_lowercase().filter(|c| !is_invisible(*c)));
                }
                in_word = true;
            }
            '\'' | '’' | 'ʼ' | '`' if in_word && next_is_letter => out.push('\''),
            '+' | '#' if in_word => out.push(c),
            _ => in_word = false,
        }
    }
    out
}

/// The same for the letters that most texts consist of: looked at several times in every turn.
fn normal_ascii(text: &[u8]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut in_word = false;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            byte if byte.is_ascii_alphanumeric() => {
                if !in_word {
                    space(&mut out);
                }
                out.push(char::from(byte.to_ascii_lowercase()));
                in_word = true;
            }
            b'\'' | b'`' if in_word && text.get(at + 1).is_some_and(u8::is_ascii_alphanumeric) => {
                out.push('\'');
            }
            b'+' | b'#' if in_word => out.push(char::from(*byte)),
            _ => in_word = false,
        }
    }
    out
}

/// The words of a text that [`normal`] made.
pub fn split(text: &str) -> Vec<&str> {
    text.split(' ').filter(|word| !word.is_empty()).collect()
}

fn space(out: &mut String) {
    if !out.is_empty() {
        out.push(' ');
    }
}

/// Characters that nobody sees or that only decorate the one before: they hide words from a comparison.
fn is_invisible(c: char) -> bool {
    !c.is_ascii()
        && matches!(c,
        '\u{ad}' | '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

/// Scripts that write no spaces between words: Thai, Lao, Burmese, Khmer, Chinese, Japanese.
pub fn is_unspaced(c: char) -> bool {
    !c.is_ascii()
        && matches!(c,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
        && c.is_alphanumeric()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Case, punctuation, white space and what nobody sees change no word.
    #[test]
    fn words_are_the_same_however_written() {
        for (text, want) in [
            ("  I   don’t KNOW…  ", "i don't know"),
            ("mm-hm, e-mail", "mm hm e mail"),
            ("C++ and C#, not C", "c++ and c# not c"),
            ("'quoted' 'tis the boys' ", "quoted tis the boys"),
            ("sy\u{200b}stem pro\u{ad}mpt", "system prompt"),
            ("私は Rust", "私 は rust"),
            ("?!", ""),
            ("", ""),
        ] {
            assert_eq!(normal(text), want, "{text}");
        }
    }

    proptest! {
        /// Any Unicode: nothing panics, and what is normal stays as it is.
        #[test]
        fn any_text_becomes_normal(text in "\\PC{0,80}|(?s).{0,40}") {
            let once = normal(&text);
            prop_assert_eq!(&normal(&once), &once);
            prop_assert!(!once.contains("  ") && once.trim() == once);
        }

        /// Plain letters are the same words beside others and without them.
        #[test]
        fn both_ways_to_normal_agree(text in "[a-cA-C0-9 '`+#.,\n-]{0,40}") {
            let (alone, beside) = (normal(&text), normal(&format!("{text} é")));
            prop_assert_eq!(beside, [alone, "é".to_owned()].join(" ").trim().to_owned());
        }
    }
}
