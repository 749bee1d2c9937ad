//! Makes text that a model wrote for the eye fit for the ear.

/// What a synthesiser may be given: plain words and the punctuation that shapes speech.
///
/// Markdown, emoji and control characters go; what is written short is written out. May be empty.
pub fn speakable(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for line in text.lines() {
        let line =
            without_links(line.trim().trim_start_matches(['#', '>', '-', '*', '+', '•', ' ']));
        for character in line.chars() {
            push_spoken(&mut plain, character);
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

fn push_spoken(out: &mut String, character: char) {
    match character {
        '*' | '_' | '`' | '~' | '|' | '\\' | '#' | '<' | '>' | '[' | ']' | '{' | '}' | '"'
        | '“' | '”' | '«' | '»' => out.push(' '),
        '‘' | '’' | 'ʼ' => out.push('\''),
        '–' | '—' | '…' => out.push_str(", "),
        '&' => out.push_str(" and "),
        '%' => out.push_str(" percent"),
        '+' => out.push_str(" plus "),
        '=' => out.push_str(" equals "),
        '@' => out.push_str(" at "),
        '€' => out.push_str(" euros "),
        '£' => out.push_str(" pounds "),
        'á' | 'à' | 'â' | 'ä' | 'ã' | 'å' => out.push('a'),
        'é' | 'è' | 'ê' | 'ë' => out.push('e'),
        'í' | 'ì' | 'î' | 'ï' => out.push('i'),
        'ó' | 'ò' | 'ô' | 'ö' | 'õ' | 'ø' => out.push('o'),
        'ú' | 'ù' | 'û' | 'ü' => out.push('u'),
        'ç' => out.push('c'),
        'ñ' => out.push('n'),
        'ß' => out.push_str("ss"),
        'Á' | 'À' | 'Â' | 'Ä' | 'Ã' | 'Å' => out.push('A'),
        'É' | 'È' | 'Ê' | 'Ë' => out.push('E'),
        'Ó' | 'Ò' | 'Ô' | 'Ö' | 'Õ' | 'Ø' => out.push('O'),
        'Ú' | 'Ù' | 'Û' | 'Ü' => out.push('U'),
        ' '..='~' => out.push(character),
        _ => out.push(' '),
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

    /// P06: what a model writes for the eye is not read out sign by sign.
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
        ] {
            assert_eq!(speakable(written), spoken, "{written:?}");
        }
    }
}
