//! The vocabulary of Moonshine: which piece of text each token stands for.

use std::collections::HashMap;

use serde::Deserialize;

/// Pieces of text by token.
pub(super) struct Vocabulary {
    pieces: Vec<Piece>,
    /// Tokens that end a sentence.
    stops: Vec<u32>,
}

/// What a token stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    /// One byte of a character that has no token of its own.
    Byte(u8),
    /// A mark that is never said: the beginning, the end, and those that nobody uses.
    Mark,
}

/// `tokenizer.json`, as much of it as we read.
#[derive(Deserialize)]
struct File {
    model: Model,
}

#[derive(Deserialize)]
struct Model {
    vocab: HashMap<String, u32>,
}

/// Beginning, end, and the token of what is in no vocabulary.
const MARKS: u32 = 3;
/// In a piece, a space before a word.
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
        Ok(Self { pieces, stops })
    }

    /// What tokens say, with the space before the first word.
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

    /// Whether a token is nothing but punctuation, so that no word is lost without it.
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

/// The byte that `<0x41>` stands for.
fn byte(piece: &str) -> Option<u8> {
    let hex = piece.strip_prefix("<0x")?.strip_suffix('>')?;
    u8::from_str_radix(hex, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"{"model": {"vocab": {"<unk>": 0, "<s>": 1, "</s>": 2, "▁Hel": 3, "lo": 4, "<0xC3>": 5,
        "<0xA9>": 6, ".": 7, "▁-": 8, "▁": 9}}}"#;

    /// P01: pieces are put together as they are, bytes become characters, and marks are not said.
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

    /// P07: another vocabulary is refused.
    #[test]
    fn other_vocabularies_are_refused() {
        for (file, tokens) in [("{}", 12), ("", 12), (FILE, 9)] {
            assert!(Vocabulary::read(file.as_bytes(), tokens).is_err(), "{file} {tokens}");
        }
    }
}
