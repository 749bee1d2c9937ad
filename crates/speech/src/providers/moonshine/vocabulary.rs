//! The vocabulary of Moonshine: the piece of text of each token.

use std::collections::HashMap;

use serde::Deserialize;

/// Pieces of text by token.
pub(super) struct Vocabulary {
    pieces: Vec<Piece>,
    /// The tokens that are texts, by their text.
    by_text: Vec<u32>,
    /// The tokens that end a sentence.
    stops: Vec<u32>,
}

/// The meaning of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    /// One byte of a character that has no token of its own.
    Byte(u8),
    /// A mark without text: the beginning, the end, and those that are not used.
    Mark,
}

impl Piece {
    /// Returns the text; empty for bytes and marks.
    fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Byte(_) | Self::Mark => "",
        }
    }
}

/// The parts of `tokenizer.json` that are read.
#[derive(Deserialize)]
struct File {
    model: Model,
}

#[derive(Deserialize)]
struct Model {
    vocab: HashMap<String, u32>,
}

/// The number of marks at the beginning of the vocabulary: beginning, end, and unknown text.
const MARKS: u32 = 3;
/// The character in a piece for the space before a word.
const SPACE: char = '▁';

impl Vocabulary {
    /// Reads `tokenizer.json`. Tokens from its end up to `tokens` are marks.
    pub(super) fn read(file: &[u8], tokens: usize) -> Result<Self, String> {
        let file: File = serde_json::from_slice(file).map_err(|why| why.to_string())?;
        let mut pieces = vec![Piece::Mark; tokens];
        for (text, token) in file.model.vocab {
            let Some(piece) = pieces.get_mut(token as usize) else {
                return Err(format!("token {token} is none of the {tokens} of the network"));
            };
            if token >= MARKS {
                *piece =
                    byte(&text).map_or_else(|| Piece::Text(text.replace(SPACE, " ")), Piece::Byte);
            }
        }
        let is_stop = |piece: &Piece| match piece {
            Piece::Text(text) => matches!(text.trim(), "." | "?" | "!"),
            Piece::Byte(_) | Piece::Mark => false,
        };
        let stops =
            (0..).zip(&pieces).filter(|(_, piece)| is_stop(piece)).map(|(n, _)| n).collect();
        let is_text = |token: &u32| matches!(pieces[*token as usize], Piece::Text(_));
        let mut by_text: Vec<u32> = (0..pieces.len() as u32).filter(is_text).collect();
        by_text
            .sort_by(|one, other| pieces[*one as usize].text().cmp(pieces[*other as usize].text()));
        Ok(Self { pieces, by_text, stops })
    }

    /// Returns the tokens of a text, with a space in front of it. Of all neighbours those become one piece
    /// first whose token together is the lowest.
    pub(super) fn tokens(&self, text: &str) -> Vec<u32> {
        let mut parts: Vec<String> = format!(" {text}").chars().map(String::from).collect();
        loop {
            let pairs = parts.windows(2).map(|pair| self.token_of(&pair.concat()));
            let lowest = pairs.enumerate().filter_map(|(n, token)| Some((token?, n))).min();
            let Some((_, n)) = lowest else { break };
            let next = parts.remove(n + 1);
            parts[n].push_str(&next);
        }
        parts.iter().flat_map(|part| self.tokens_of(part)).collect()
    }

    fn token_of(&self, text: &str) -> Option<u32> {
        let found =
            self.by_text.binary_search_by(|token| self.pieces[*token as usize].text().cmp(text));
        found.ok().map(|n| self.by_text[n])
    }

    /// Returns the token of a piece, or those of its bytes.
    fn tokens_of(&self, part: &str) -> Vec<u32> {
        if let Some(token) = self.token_of(part) {
            return vec![token];
        }
        let of_byte = |byte: u8| self.pieces.iter().position(|piece| *piece == Piece::Byte(byte));
        part.bytes().filter_map(of_byte).map(|token| token as u32).collect()
    }

    /// Whether a token begins a word.
    pub(super) fn begins_word(&self, token: u32) -> bool {
        self.pieces.get(token as usize).is_some_and(|piece| piece.text().starts_with(' '))
    }

    /// Returns the text of tokens, with the space before the first word.
    pub(super) fn text(&self, tokens: &[u32]) -> String {
        let mut bytes = Vec::new();
        for token in tokens {
            match self.pieces.get(*token as usize) {
                Some(Piece::Text(text)) => bytes.extend_from_slice(text.as_bytes()),
                Some(Piece::Byte(byte)) => bytes.push(*byte),
                Some(Piece::Mark) | None => {}
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The tokens that end a sentence.
    pub(super) fn stops(&self) -> &[u32] {
        &self.stops
    }

    /// Whether a token is only punctuation, so that no word is lost without it.
    pub(super) fn is_punctuation(&self, token: u32) -> bool {
        match self.pieces.get(token as usize) {
            Some(Piece::Text(text)) => {
                let text = text.trim();
                !text.is_empty() && text.chars().all(|c| ".,;:!?…-–—".contains(c))
            }
            Some(Piece::Byte(_) | Piece::Mark) | None => false,
        }
    }
}

/// Returns the byte of a piece such as `<0x41>`.
fn byte(piece: &str) -> Option<u8> {
    let hex = piece.strip_prefix("<0x")?.strip_suffix('>')?;
    u8::from_str_radix(hex, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"{"model": {"vocab": {"<unk>": 0, "<s>": 1, "</s>": 2, "▁Hel": 3,
        "lo": 4, "<0xC3>": 5,
        "<0xA9>": 6, ".": 7, "▁-": 8, "▁": 9}}}"#;

    /// P01: pieces are put together as they are, bytes become characters, and marks have no text.
    #[test]
    fn tokens_become_text() {
        let vocabulary = Vocabulary::read(FILE.as_bytes(), 12).unwrap();
        for (tokens, text) in [
            (&[1, 3, 4, 7, 2][..], " Hello."),
            (&[5, 6], "é"),
            (&[5], "\u{fffd}"),
            (&[11, 0, 99], ""),
        ] {
            assert_eq!(vocabulary.text(tokens), text, "{tokens:?}");
        }
        let punctuation: Vec<u32> = (0..13).filter(|n| vocabulary.is_punctuation(*n)).collect();
        assert_eq!(punctuation, [7, 8]);
        assert_eq!(vocabulary.stops(), [7]);
    }

    /// P01: a text becomes the tokens of its longest pieces, and bytes where there is no piece.
    #[test]
    fn text_becomes_tokens() {
        let vocab: Vec<String> = [
            "<unk>", "<s>", "</s>", "▁", "H", "e", "l", "o", "▁H", "el", "▁Hel", "lo", "<0xC3>",
            "<0xA9>",
        ]
        .iter()
        .enumerate()
        .map(|(n, text)| format!("\"{text}\": {n}"))
        .collect();
        let file = format!("{{\"model\": {{\"vocab\": {{{}}}}}}}", vocab.join(","));
        let vocabulary = Vocabulary::read(file.as_bytes(), 14).unwrap();
        for (text, tokens) in
            [("Hello", &[10, 11][..]), ("o", &[3, 7]), ("é", &[3, 12, 13]), ("", &[3])]
        {
            assert_eq!(vocabulary.tokens(text), tokens, "{text}");
        }
        let begin: Vec<u32> = (0..15).filter(|n| vocabulary.begins_word(*n)).collect();
        assert_eq!(begin, [3, 8, 10]);
    }

    /// P07: another vocabulary is refused.
    #[test]
    fn other_vocabularies_are_refused() {
        for (file, tokens) in [("{}", 12), ("", 12), (FILE, 9)] {
            assert!(Vocabulary::read(file.as_bytes(), tokens).is_err(), "{file} {tokens}");
        }
    }
}
