//! What was said as tokens: letters, digits, signs and words, whatever way they were said or written in.

use crate::{
    blueprint::{Language, plain_hyphen},
    values::{
        lexicon::{Lexicon, Sense},
        number::{Number, number},
    },
};

/// The longest phrase, in words.
const PHRASE_WORDS_MAX: usize = 4;
/// As many words of a spelling alphabet in a row stand for letters; fewer may be names.
const SPELLED_MIN: usize = 3;
/// More words than that are no value.
const CHUNKS_MAX: usize = 200;

/// A part of what was said, and its words as they are written there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) raw: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A letter by itself.
    Letter(char),
    /// Digits, as they are written or in words.
    Digits(String),
    /// A sign, written or said.
    Sign(char),
    /// "Oh".
    Oh,
    /// "(0)" in a number that has the code of its country, too.
    TrunkZero,
    /// "Double", "triple".
    Times(usize),
    /// A word, in small letters.
    Word(String),
    /// Letters, digits and signs without a space between them, in small letters.
    Written(String),
    /// A comma, a full stop or another mark.
    Mark,
    Correction,
    Restart,
    Filler,
    Extension,
    /// What cannot be: "A as in Berta".
    Garbled,
}

/// A word of the text, without the marks around it.
struct Chunk {
    /// As it is written.
    raw: String,
    /// In small letters.
    core: String,
    /// Whether a mark is behind it.
    is_marked: bool,
    /// Whether that is a full stop at once.
    is_stopped: bool,
}

/// The tokens of a text.
pub(super) fn tokens(said: &str, language: Language) -> Vec<Token> {
    let lexicon = Lexicon::of(language);
    let words = said.split_whitespace().flat_map(|word| apart(word, lexicon, language));
    let chunks: Vec<Chunk> = words.take(CHUNKS_MAX).map(Chunk::of).collect();
    let mut lexer = Lexer { chunks: &chunks, lexicon, language, out: Vec::new() };
    let mut at = 0;
    while at < chunks.len() {
        at += lexer.step(at);
        if chunks[at - 1].is_marked {
            lexer.push(Kind::Mark, String::new());
        }
    }
    lexer.out
}

/// The words of "oh-one-seven-two" and "forty-two"; any other word stays as it is.
fn apart<'a>(word: &'a str, lexicon: &Lexicon, language: Language) -> Vec<&'a str> {
    let is_of_number = |part: &&str| {
        let part = part.trim_end_matches([',', '.', ';', '?', '!']).to_lowercase();
        let sense = lexicon.sense(&part);
        number(&part, language).is_some() || matches!(sense, Some(Sense::Oh | Sense::Times(_)))
    };
    let parts: Vec<&str> = word.split('-').collect();
    if parts.iter().all(is_of_number) { parts } else { vec![word] }
}

impl Chunk {
    fn of(word: &str) -> Self {
        let word: String = word
            .chars()
            .filter(|c| !is_invisible(*c))
            .map(|c| {
                if matches!(c, '’' | '‘' | 'ʼ' | '`' | '´') { '\'' } else { plain_hyphen(c) }
            })
            .collect();
        let is_sign =
            word.chars().count() == 1 && word.starts_with(['@', '.', '-', '_', '+', '/', '\'']);
        let is_number = is_numeric(word.trim_end_matches([',', ';', ':', '!', '?', '.']));
        let opening: &[char] = &['"', '“', '„', '«', '‹', '<', '[', '(', '\'', '¿', '¡'];
        let closing: &[char] =
            &[',', ';', ':', '!', '?', '.', '…', '—', '"', '”', '“', '»', '›', '>', ']', ')', '\''];
        let raw = match (is_sign, is_number) {
            (true, _) => word.as_str(),
            (false, true) => word.trim_end_matches([',', ';', ':', '!', '?', '.']),
            (false, false) => word.trim_start_matches(opening).trim_end_matches(closing),
        };
        let behind = if raw.is_empty() { 0 } else { word.rfind(raw).unwrap_or(0) + raw.len() };
        let behind = &word[behind..];
        let core = raw.to_lowercase();
        let core = core.strip_prefix("mailto:").unwrap_or(&core).to_owned();
        Self {
            raw: raw.to_owned(),
            core,
            is_marked: behind.contains([',', ';', ':', '!', '?', '.', '…', '—']),
            is_stopped: behind.starts_with('.'),
        }
    }

    /// The only letter that it has.
    fn letter(&self) -> Option<char> {
        let mut chars = self.core.chars();
        let first = chars.next().filter(|c| c.is_alphabetic())?;
        chars.next().is_none().then_some(first)
    }
}

struct Lexer<'a> {
    chunks: &'a [Chunk],
    lexicon: &'static Lexicon,
    language: Language,
    out: Vec<Token>,
}

impl Lexer<'_> {
    fn push(&mut self, kind: Kind, raw: String) {
        self.out.push(Token { kind, raw });
    }

    /// Reads what begins at a place, and returns how many chunks it has.
    fn step(&mut self, at: usize) -> usize {
        let chunks = self.chunks;
        let chunk = &chunks[at];
        if chunk.core.is_empty() {
            return 1;
        }
        let step = self
            .letter_by_word(at)
            .or_else(|| self.alphabet(at))
            .or_else(|| self.phrase(at))
            .or_else(|| self.number(at));
        if let Some(step) = step {
            return step;
        }
        let raw = chunk.raw.clone();
        if is_numeric(&chunk.core) {
            self.digits(&chunk.core);
        } else if let Some(sign) = sign(&chunk.core) {
            self.push(Kind::Sign(sign), raw);
        } else if let Some(letter) = chunk.letter() {
            // "È" is a word, however short.
            let is_word = self.lexicon.is_copula(&chunk.core);
            let word = Kind::Word(chunk.core.clone());
            self.push(if is_word { word } else { Kind::Letter(letter) }, raw);
        } else if let Some(letters) = spelled(chunk) {
            for letter in letters {
                self.push(Kind::Letter(letter), letter.to_string());
            }
        } else if is_word(&chunk.core) || self.lexicon.knows(&chunk.core) {
            self.push(Kind::Word(chunk.core.clone()), raw);
        } else {
            self.push(Kind::Written(chunk.core.clone()), raw);
        }
        1
    }

    /// "A as in Alpha", "A Alpha".
    fn letter_by_word(&mut self, at: usize) -> Option<usize> {
        let (chunks, lexicon) = (self.chunks, self.lexicon);
        let letter = chunks[at].letter()?;
        let core = |place: usize| chunks.get(place).map(|chunk| chunk.core.as_str());
        let begins = |word: &str| word.starts_with(letter) && word.chars().count() > 1;
        let one = core(at + 1)?;
        if begins(one) && lexicon.spells(one) {
            self.push(Kind::Letter(letter), letter.to_string());
            return Some(2);
        }
        let two = core(at + 2).map(|two| format!("{one} {two}"));
        let is_two = two.is_some_and(|two| lexicon.is_as_in(&two));
        let length = if is_two { 2 } else { 1 };
        if !is_two && !lexicon.is_as_in(one) {
            return None;
        }
        let word = core(at + 1 + length)?;
        // "For" and "di" have other meanings, too; "as in" has none.
        let kind = match (begins(word), is_two || matches!(one, "wie" | "come")) {
            (true, _) => Kind::Letter(letter),
            (false, true) => Kind::Garbled,
            (false, false) => return None,
        };
        self.push(kind, letter.to_string());
        Some(2 + length)
    }

    /// "Anton Dora Anton".
    fn alphabet(&mut self, at: usize) -> Option<usize> {
        let (chunks, lexicon) = (self.chunks, self.lexicon);
        let spells = |chunk: &&Chunk| lexicon.spells(&chunk.core);
        let length = chunks[at..].iter().take_while(spells).count();
        if length < SPELLED_MIN {
            return None;
        }
        for chunk in &chunks[at..at + length] {
            let letter = chunk.core.chars().next()?;
            self.push(Kind::Letter(letter), chunk.raw.clone());
        }
        Some(length)
    }

    fn phrase(&mut self, at: usize) -> Option<usize> {
        let mut lengths = (1..=PHRASE_WORDS_MAX.min(self.chunks.len() - at)).rev();
        let found = lengths.find_map(|length| {
            let cores: Vec<&str> =
                self.chunks[at..at + length].iter().map(|c| c.core.as_str()).collect();
            Some((length, self.lexicon.sense(&cores.join(" "))?))
        });
        let (length, sense) = found?;
        let kind = match sense {
            Sense::Sign(sign) => Kind::Sign(sign),
            Sense::Letter(letter) => Kind::Letter(letter),
            Sense::Oh => Kind::Oh,
            Sense::Times(times) => Kind::Times(times),
            Sense::Correction => Kind::Correction,
            Sense::Restart => Kind::Restart,
            Sense::Filler => Kind::Filler,
            Sense::Extension => Kind::Extension,
        };
        let raws: Vec<&str> = self.chunks[at..at + length].iter().map(|c| c.raw.as_str()).collect();
        self.push(kind, raws.join(" "));
        Some(length)
    }

    /// A number in words: "forty two", "eight hundred", "zweiundvierzig".
    fn number(&mut self, at: usize) -> Option<usize> {
        let chunks = self.chunks;
        let chunk = &chunks[at];
        let next = chunks.get(at + 1).filter(|_| !chunk.is_marked);
        let unit = |chunk: &Chunk| match number(&chunk.core, self.language) {
            Some(Number::Unit(unit)) => Some(unit),
            Some(Number::Tens(_) | Number::Other(_)) | None => None,
        };
        let (digits, length) = match number(&chunk.core, self.language)? {
            Number::Tens(tens) if self.language == Language::English => {
                let ones = next.and_then(unit).filter(|ones| *ones > 0);
                ((tens + ones.unwrap_or(0)).to_string(), 1 + usize::from(ones.is_some()))
            }
            Number::Unit(unit) => {
                let power = next.map_or("", |next| match next.core.as_str() {
                    "hundred" | "hundert" => "00",
                    "thousand" | "tausend" => "000",
                    _ => "",
                });
                (format!("{unit}{power}"), 1 + usize::from(!power.is_empty()))
            }
            Number::Tens(number) | Number::Other(number) => (number.to_string(), 1),
        };
        let raws: Vec<&str> = self.chunks[at..at + length].iter().map(|c| c.raw.as_str()).collect();
        self.push(Kind::Digits(digits), raws.join(" "));
        Some(length)
    }

    /// Digits with the signs that stand between them in numbers.
    fn digits(&mut self, core: &str) {
        let mut rest = core;
        while let Some(first) = rest.chars().next() {
            let length = if rest.starts_with("(0)") {
                self.push(Kind::TrunkZero, "(0)".to_owned());
                3
            } else if first.is_ascii_digit() {
                let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                self.push(Kind::Digits(rest[..end].to_owned()), rest[..end].to_owned());
                end
            } else {
                if !matches!(first, '(' | ')' | ',') {
                    self.push(Kind::Sign(first), first.to_string());
                }
                first.len_utf8()
            };
            rest = &rest[length..];
        }
    }
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2060}' | '\u{feff}')
}

fn is_numeric(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || "+-()/.,".contains(c))
}

fn is_word(text: &str) -> bool {
    text.chars().all(|c| c.is_alphabetic() || c == '\'' || crate::blueprint::is_mark(c))
}

fn sign(text: &str) -> Option<char> {
    let mut chars = text.chars();
    let first = chars.next().filter(|c| "@.-_+/'".contains(*c))?;
    chars.next().is_none().then_some(first)
}

/// "A-D-A", and "A.D.A." with a full stop at its end, too.
fn spelled(chunk: &Chunk) -> Option<Vec<char>> {
    let by = if chunk.core.contains('-') { '-' } else { '.' };
    let parts: Vec<&str> = chunk.core.split(by).collect();
    let letter = |part: &&str| {
        let mut chars = part.chars();
        let first = chars.next().filter(|c| c.is_alphabetic())?;
        chars.next().is_none().then_some(first)
    };
    let letters: Vec<char> = parts.iter().filter_map(letter).collect();
    let is_spelled =
        letters.len() == parts.len() && letters.len() > 1 && (by == '-' || chunk.is_stopped);
    is_spelled.then_some(letters)
}
