//! Text for voices: a model's words without what cannot be read aloud.

/// The letters that a synthesiser can read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letters {
    /// English letters: others lose their marks.
    English,
    /// English letters, and signs such as "%" and "€", which it reads with the numbers beside them.
    EnglishAndSigns,
    /// The letters of any language.
    All,
}

/// Returns plain words and the punctuation that shapes speech.
///
/// Markdown, emoji and control characters are left out, and short forms are written out. The result may be
/// empty.
pub fn speakable(text: &str, letters: Letters) -> String {
    let mut plain = String::with_capacity(text.len());
    for line in text.lines() {
        let line =
            without_links(line.trim().trim_start_matches(['#', '>', '-', '*', '+', '•', ' ']));
        for character in line.chars() {
            push_spoken(&mut plain, character, letters);
        }
        plain.push(' ');
    }
    let words: Vec<&str> = plain.split_whitespace().map(written_out).collect();
    let spoken = words.join(" ");
    if spoken.chars().any(char::is_alphanumeric) { spoken } else { String::new() }
}

/// `[text](address)` and `![text](address)` become `text`.
fn without_links(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('[') {
        let link =
            after.split_once("](").and_then(|(text, tail)| Some((text, tail.split_once(')')?.1)));
        let Some((text, tail)) = link else {
            break;
        };
        out.push_str(before.trim_end_matches('!'));
        out.push_str(text);
        rest = tail;
    }
    out + rest
}

fn push_spoken(out: &mut String, character: char, letters: Letters) {
    match character {
        '#' if out.ends_with(|before: char| before.is_ascii_uppercase()) => out.push_str(" sharp"),
        '*' | '_' | '`' | '~' | '|' | '\\' | '#' | '<' | '>' | '[' | ']' | '{' | '}' | '"'
        | '“' | '”' | '«' | '»' => out.push(' '),
        '‘' | '’' | 'ʼ' => out.push('\''),
        '–' | '—' | '…' | '&' | '%' | '+' | '=' | '@' | '€' | '£' | '°'
            if letters == Letters::EnglishAndSigns =>
        {
            out.push(character);
        }
        '–' | '—' | '…' => out.push_str(", "),
        '&' => out.push_str(" and "),
        '%' => out.push_str(" percent"),
        '+' => out.push_str(" plus "),
        '=' => out.push_str(" equals "),
        '@' => out.push_str(" at "),
        '€' => out.push_str(" euros "),
        '£' => out.push_str(" pounds "),
        ' '..='~' => out.push(character),
        _ if letters == Letters::All && is_written(character) => out.push(character),
        _ => push_english(out, character),
    }
}

/// Whether a character belongs to the writing of some language, not a picture or a sign.
fn is_written(character: char) -> bool {
    let is_picture = matches!(character,
        '\u{2000}'..='\u{2bff}' | '\u{fe00}'..='\u{fe0f}' | '\u{1f000}'..='\u{1ffff}' | '\u{e0000}'..);
    !character.is_control() && !is_picture
}

/// Appends a letter without its mark; nothing if it is no Latin letter.
fn push_english(out: &mut String, character: char) {
    let plain = match character.to_lowercase().next().unwrap_or(character) {
        'á' | 'à' | 'â' | 'ä' | 'ã' | 'å' | 'ā' | 'ă' | 'ą' => "a",
        'æ' => "ae",
        'ç' | 'ć' | 'č' | 'ċ' => "c",
        'ď' | 'đ' | 'ð' => "d",
        'é' | 'è' | 'ê' | 'ë' | 'ē' | 'ė' | 'ę' | 'ě' => "e",
        'ğ' | 'ģ' | 'ġ' => "g",
        'í' | 'ì' | 'î' | 'ï' | 'ī' | 'į' | 'ı' => "i",
        'ķ' => "k",
        'ł' | 'ľ' | 'ļ' | 'ĺ' => "l",
        'ñ' | 'ń' | 'ň' | 'ņ' => "n",
        'ó' | 'ò' | 'ô' | 'ö' | 'õ' | 'ø' | 'ō' | 'ő' => "o",
        'œ' => "oe",
        'ř' | 'ŕ' => "r",
        'ś' | 'š' | 'ş' | 'ș' => "s",
        'ß' => "ss",
        'ť' | 'ţ' | 'ț' => "t",
        'þ' => "th",
        'ú' | 'ù' | 'û' | 'ü' | 'ū' | 'ů' | 'ű' | 'ų' => "u",
        'ý' | 'ÿ' => "y",
        'ź' | 'ž' | 'ż' => "z",
        _ => " ",
    };
    match character.is_uppercase() {
        true => out.push_str(&plain.to_uppercase()),
        false => out.push_str(plain),
    }
}

fn written_out(word: &str) -> &str {
    match word {
        "e.g." | "e.g.," => "for example,",
        "i.e." | "i.e.," => "that is,",
        "etc." => "and so on.",
        "vs." | "vs" => "versus",
        "w/" => "with",
        "w/o" => "without",
        word => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P06: markup is not read out sign by sign.
    #[test]
    fn text_is_made_speakable() {
        for (written, spoken) in [
            ("Tell me about **your** last `project`.", "Tell me about your last project ."),
            ("# Next\n- one\n- two", "Next one two"),
            ("See [our page](https://example.org/a_b) now", "See our page now"),
            ("Great 🎉👍🏽 — go on…", "Great , go on,"),
            (
                "It’s 40% & rising, e.g. for José",
                "It's 40 percent and rising, for example, for Jose",
            ),
            ("a [b and (c", "a b and (c"),
            ("🙂", ""),
            ("...", ""),
            ("日本語", ""),
            ("nul\0byte", "nul byte"),
            ("Is C# like F#, or # 1?", "Is C sharp like F sharp, or 1?"),
            ("Łukasz Dvořák, Şahin, für Ægir", "Lukasz Dvorak, Sahin, fur AEgir"),
        ] {
            assert_eq!(speakable(written, Letters::English), spoken, "{written:?}");
        }
    }

    /// A voice that reads signs with the numbers beside them gets the signs.
    #[test]
    fn signs_of_numbers_stay() {
        for (written, spoken) in [
            (
                "It’s **40%** of €5, 2–3 years & 20°C — José…",
                "It's 40% of €5, 2–3 years & 20°C — Jose…",
            ),
            ("# C# | a_b 🎉", "C sharp a b"),
            ("…", ""),
        ] {
            assert_eq!(speakable(written, Letters::EnglishAndSigns), spoken, "{written:?}");
        }
    }

    /// A voice that reads any language gets its letters; signs and pictures are left out for it, too.
    #[test]
    fn letters_of_any_language_stay() {
        for (written, spoken) in [
            ("Łukasz, was *hast* du für 5 € gebaut? 🎉", "Łukasz, was hast du für 5 euros gebaut?"),
            ("日本語で話しますか？", "日本語で話しますか？"),
            ("Привет 👩‍💻 — как дела…", "Привет , как дела,"),
            ("🙂", ""),
        ] {
            assert_eq!(speakable(written, Letters::All), spoken, "{written:?}");
        }
    }
}
