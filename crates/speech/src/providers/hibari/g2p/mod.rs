//! Text to phonemes: short forms are written out, the text is divided into tokens, the tokens are tagged,
//! and each word is read.

mod lexicon;
mod normalize;
mod numbers;
mod oov;
mod phonemes;
mod scan;
mod sentences;
mod spoken;
mod tagger;
mod tokenize;
mod words;

use std::sync::Arc;

use rten::ThreadPool;

use self::{
    lexicon::{Lexicon, is_to},
    normalize::Written,
    oov::Oov,
    phonemes::begins_with_vowel,
    tagger::Tagger,
    words::{Position, Token, Word, resolve, words},
};
use super::{
    super::ProviderError,
    files::{Folder, Table},
};

/// The readings of signs that stand alone.
const SIGNS: [(char, &str); 14] = [
    ('/', "slˈæʃ"),
    ('=', "ˈikwᵊlz"),
    ('+', "plˈʌs"),
    ('&', "ænd"),
    ('@', "æt"),
    ('%', "pəɹsˈɛnt"),
    ('#', "hˈæʃ"),
    ('*', "ˈæstəɹˌɪsk"),
    ('~', "tˈɪldə"),
    ('^', "kˈɛɹət"),
    ('<', "lˈɛs ðən"),
    ('>', "ɡɹˈATəɹ ðən"),
    ('|', ""),
    ('—', "—"),
];

/// The tables and the network by which American English is read.
pub(super) struct G2p {
    written: Written,
    special: Table,
    tagger: Tagger,
    lexicon: Lexicon,
    oov: Oov,
}

/// The context of a word: what follows it, as far as its reading depends on that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Context {
    /// Whether the next sound is a vowel; `None` at the end of a phrase.
    vowel_follows: Option<bool>,
    /// Whether the next word is "to".
    to_follows: bool,
}

impl G2p {
    /// Reads the tables, and reads and tries the network.
    pub(super) fn load(folder: &Folder, pool: &Arc<ThreadPool>) -> Result<Self, ProviderError> {
        let network = folder.read("oov.onnx")?;
        let oov = Oov::new(network, folder.json("oov.json")?, pool);
        Ok(Self {
            written: folder.json("normalize.json")?,
            special: folder.json("tokenizer_exceptions.json")?,
            tagger: folder.json("tagger.json.gz")?,
            lexicon: Lexicon::new(
                folder.json("lexicon_us_gold.json.gz")?,
                folder.json("lexicon_us_silver.json.gz")?,
            ),
            oov: oov.map_err(|why| folder.broken("oov.onnx", &why))?,
        })
    }

    /// Returns the sentences of a text, each to be spoken by itself.
    pub(super) fn sentences<'a>(&self, text: &'a str) -> Vec<&'a str> {
        sentences::sentences(&self.written, text)
    }

    /// Returns the phonemes of one sentence.
    pub(super) fn phonemes(&self, sentence: &str, pool: &Arc<ThreadPool>) -> String {
        let tokens = tokenize::tokens(&self.special, &self.written.out(sentence));
        let texts: Vec<&str> = tokens.iter().map(|(text, _)| &text[..]).collect();
        let tags = self.tagger.tags(&texts);
        let tokens = tokens.iter().zip(tags);
        let tokens: Vec<Token> =
            tokens.map(|((text, space), tag)| Token::new(text, tag, *space)).collect();
        let mut words = words(&tokens);
        let mut context = Context::default();
        for word in words.iter_mut().rev() {
            context = self.read(word, context, pool);
        }
        let mut out = String::new();
        for word in &words {
            let phonemes = word.phonemes();
            out.push_str(&phonemes.replace('ɾ', "T").replace('ʔ', "t"));
            out.push_str(if word.space { " " } else { "" });
        }
        out.trim().to_owned()
    }

    /// Reads a word in its context; returns the context of the word before it.
    fn read(&self, word: &mut Word, context: Context, pool: &Arc<ThreadPool>) -> Context {
        if let [token] = &mut word.tokens[..] {
            if token.phonemes.is_none() {
                let read = self.token(token, context);
                token.phonemes = Some(read.unwrap_or_else(|| self.fallback(&token.text, pool)));
            }
            return followed_by(context, token);
        }
        self.parts(word, context, pool)
    }

    /// Reads a word of several tokens, from its end, always the longest piece that can be read.
    fn parts(&self, word: &mut Word, mut context: Context, pool: &Arc<ThreadPool>) -> Context {
        let (mut left, mut right) = (0, word.tokens.len());
        while left < right {
            let piece = &word.tokens[left..right];
            let is_unread = piece.iter().all(Token::is_unread);
            let whole = Token::merged(piece);
            if let Some(read) = self.token(&whole, context).filter(|_| is_unread) {
                for token in &mut word.tokens[left..right] {
                    token.phonemes = Some(String::new());
                }
                context = followed_by(context, &Token { phonemes: Some(read.clone()), ..whole });
                word.tokens[left].phonemes = Some(read);
                (left, right) = (0, left);
            } else if left + 1 < right {
                left += 1;
            } else {
                right -= 1;
                left = 0;
                let token = &mut word.tokens[right];
                if token.phonemes.is_none() && token.is_joint() {
                    token.phonemes = Some(String::new());
                } else if token.phonemes.is_none() {
                    let whole = Token::merged(&word.tokens);
                    for token in &mut word.tokens {
                        token.phonemes = Some(String::new());
                    }
                    word.tokens[0].phonemes = Some(self.fallback(&whole.text, pool));
                    return context;
                }
            }
        }
        resolve(&mut word.tokens);
        context
    }

    /// Reads a token by the lexicon or as a number.
    fn token(&self, token: &Token, context: Context) -> Option<String> {
        let text = token.alias.unwrap_or(&token.text);
        if let Some(phonemes) = self.lexicon.word(text, token.tag, context) {
            let unit = token.currency.and_then(|sign| spoken::unit(&self.lexicon, sign));
            return Some(unit.map_or(phonemes.clone(), |unit| format!("{phonemes} {unit}")));
        }
        let begins_word = token.position == Position::First;
        let is_number = spoken::is_number(text, begins_word);
        is_number.then(|| spoken::number(&self.lexicon, text, token.currency, begins_word))?
    }

    /// Reads text that is in no table: letters by the network, digits as a number, signs by their names.
    fn fallback(&self, text: &str, pool: &Arc<ThreadPool>) -> String {
        let mut all: Vec<String> = Vec::new();
        for piece in pieces(text) {
            let first = piece.chars().next().unwrap_or_default();
            let read = match () {
                () if first.is_ascii_digit() => spoken::number(&self.lexicon, piece, None, false),
                () if first.is_alphabetic() => self.oov.read(piece, pool),
                () => Some(piece.chars().filter_map(sign).collect()),
            };
            all.extend(read.filter(|read| !read.is_empty()));
        }
        all.join(" ")
    }
}

fn sign(sign: char) -> Option<&'static str> {
    SIGNS.iter().find(|(known, _)| *known == sign).map(|(_, name)| *name)
}

/// Returns the context of the word before a token.
fn followed_by(context: Context, token: &Token) -> Context {
    let begins = begins_with_vowel(token.phonemes.as_deref().unwrap_or_default());
    Context {
        vowel_follows: begins.unwrap_or(context.vowel_follows),
        to_follows: is_to(&token.text, token.tag),
    }
}

/// Divides a text into runs of letters (with apostrophes within), of digits (with dots and commas within)
/// and of signs.
fn pieces(text: &str) -> Vec<&str> {
    #[derive(PartialEq)]
    enum Kind {
        Letters,
        Digits,
        Signs,
        Nothing,
    }
    let kind = |character: char| match character {
        digit if digit.is_ascii_digit() => Kind::Digits,
        letter if letter.is_alphanumeric() => Kind::Letters,
        sign if sign == '_' || sign.is_whitespace() => Kind::Nothing,
        _ => Kind::Signs,
    };
    let (mut pieces, mut from) = (Vec::new(), 0);
    while let Some(first) = text[from..].chars().next() {
        let (run, joints) = match kind(first) {
            Kind::Letters => (Kind::Letters, "'’"),
            Kind::Digits => (Kind::Digits, ",."),
            other => (other, ""),
        };
        let mut rest = text[from..].char_indices().peekable();
        let mut end = from;
        while let Some((at, character)) = rest.next() {
            let goes_on = rest.peek().is_some_and(|(_, next)| kind(*next) == run);
            if kind(character) != run && !(joints.contains(character) && goes_on) {
                break;
            }
            end = from + at + character.len_utf8();
        }
        if run != Kind::Nothing {
            pieces.push(&text[from..end]);
        }
        from = end;
    }
    pieces
}
