//! Encodings that no detector for the web knows: "CSV (MS-DOS)" and "CSV (Macintosh)" of Excel. They are
//! taken only where what a detector guesses cannot be words.

use encoding_rs::MACINTOSH;

/// What the upper half of code page 850 stands for.
const DOS: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿\
    ®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀\
    ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}";
/// Letters that stand in many words, which decides between two that would both do.
const COMMON: &str = "áéíóúñäöüßèàçãõ";

/// Signs that do not follow a letter.
const APART: &str = "‚„ƒ†‡ˆ‰‹¤¢£¥¦¡¿";

/// The text if it is in one of these encodings, and `guess` is not it.
pub(crate) fn read(bytes: &[u8], guess: &str) -> Option<String> {
    let guessed = Words::of(guess);
    if guessed.strange == 0 || guessed.strange < guessed.fitting {
        return None;
    }
    let dos: Vec<char> = DOS.chars().collect();
    let letter = |byte: &u8| match byte.checked_sub(0x80) {
        Some(upper) => dos.get(usize::from(upper)).copied().unwrap_or(char::REPLACEMENT_CHARACTER),
        None => char::from(*byte),
    };
    let mac = MACINTOSH.decode_without_bom_handling(bytes).0.into_owned();
    let dos: String = bytes.iter().map(letter).collect();
    let read = [mac, dos].map(|text| (Words::of(&text), text));
    let fitting = read.into_iter().filter(|(words, _)| words.strange == 0 && words.fitting > 0);
    fitting.max_by_key(|(words, _)| words.fitting + words.common).map(|(_, text)| text)
}

/// How the letters beyond ASCII stand in their words.
#[derive(Default)]
struct Words {
    /// Those that stand as letters do.
    fitting: usize,
    /// Those of them that stand in many words.
    common: usize,
    /// Those that do not: signs within words, capitals behind small letters, letters of other scripts.
    strange: usize,
}

impl Words {
    fn of(text: &str) -> Self {
        let mut words = Self::default();
        let mut before = ' ';
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            let after = chars.peek().copied().unwrap_or(' ');
            if !c.is_ascii() {
                words.add(before, c, after);
            }
            before = c;
        }
        words
    }

    fn add(&mut self, before: char, c: char, after: char) {
        let is_within = before.is_alphabetic() && after.is_alphabetic();
        let is_latin = matches!(c, 'ª'..='ɏ' | 'Ḁ'..='ỿ') && c.is_alphabetic();
        let is_strange = if is_latin {
            c.is_uppercase()
                && (before.is_lowercase() || before.is_alphabetic() && after.is_lowercase())
        } else if c.is_alphabetic() {
            before.is_ascii_alphabetic() || after.is_ascii_alphabetic()
        } else {
            let may_join = matches!(c, '’' | '–' | '—' | '…' | '·' | '\u{ad}' | '\u{a0}');
            c.is_control() || APART.contains(c) && before.is_alphabetic() || is_within && !may_join
        };
        self.strange += usize::from(is_strange);
        self.fitting += usize::from(is_latin && !is_strange);
        self.common += usize::from(is_latin && !is_strange && COMMON.contains(c));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// K05: what Excel saves for other systems is read by its words, and nothing else is taken for it.
    #[test]
    fn old_encodings_are_known_by_their_words() {
        let western = |bytes: &[u8]| {
            encoding_rs::WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned()
        };
        for (bytes, meant) in [
            (&b"Jos\x8e N\x9c\x96ez;Zo\x91 M\x9fller"[..], Some("José Núñez;Zoë Müller")),
            (b"Jos\x82 N\xa3\xa4ez;Zo\x89 M\x81ller", Some("José Núñez;Zoë Müller")),
            (b"Jos\x82 N\xa3\xa4ez", Some("José Núñez")),
            (b"J\x94rg Gro\xe1mann", Some("Jörg Großmann")),
            (b"Jos\xe9 N\xfa\xf1ez; it\x92s \x93here\x94 \x96 caf\xe9", None),
            (b"it\x92s \x93quoted\x94 and dashed\x97so", None),
            (b"plain", None),
        ] {
            assert_eq!(read(bytes, &western(bytes)).as_deref(), meant, "{bytes:?}");
        }
    }
}
