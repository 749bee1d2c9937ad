//! Phone numbers: "oh one seven two, double three", "+49 (0) 172 345 678, extension 12".

use crate::{
    blueprint::Language,
    values::{
        Reading, Value,
        lexer::{Kind, Token},
        lexicon::Lexicon,
        mending,
    },
};

/// The digits of a number with the code of its country: at least, and at most (E.164).
const DIGITS_MIN: usize = 6;
const DIGITS_MAX: usize = 15;
/// Fewer may have another group; with the code of a country in front, two more.
const DIGITS_USUAL: usize = 10;
const DIGITS_USUAL_ABROAD: usize = 12;
const EXTENSION_DIGITS_MAX: usize = 6;
/// More digits behind a number ("after 5", "from 9 to 17") may be another number.
const ASIDE_DIGITS_MAX: usize = 4;
/// As many digits in front tell that a number is said anew from its start.
const SAME_START: usize = 2;

/// Words that an hour follows.
const TIME_WORDS: &str = " after before between from until till ab nach vor zwischen von bis um dopo prima \
                          dalle alle dalla fra tra ";

/// A number in its groups.
#[derive(Clone, Debug, Default)]
struct Number {
    is_abroad: bool,
    groups: Vec<String>,
    extension: String,
}

/// Reads a phone number.
pub(super) fn read(tokens: &[Token], language: Language) -> Reading {
    let lexicon = Lexicon::of(language);
    mending::read(
        tokens,
        lexicon,
        |tokens| one(tokens, lexicon),
        |now, part| mended(now, part, lexicon),
    )
}

fn one(tokens: &[Token], lexicon: &Lexicon) -> Reading {
    match number(tokens, lexicon) {
        Some(number) => number.reading(),
        None => {
            let is_lead = tokens.iter().enumerate().all(|(at, _)| leads(tokens, at, lexicon));
            let is_link =
                |token: &Token| matches!(&token.kind, Kind::Word(word) if lexicon.is_link(word));
            let is_led = is_lead && tokens.iter().any(is_link);
            if is_led { Reading::Unfinished } else { Reading::Unclear }
        }
    }
}

/// The number with what mends it: said anew from its start, or its last group said otherwise.
fn mended(now: &[Token], part: &[Token], lexicon: &Lexicon) -> Option<Vec<Token>> {
    let (old, new) = (number(now, lexicon)?, number(part, lexicon)?);
    let (before, after) = (old.digits(), new.digits());
    let is_restarted = old.is_abroad == new.is_abroad
        && before.len() > SAME_START
        && after.get(..SAME_START) == before.get(..SAME_START)
        && after.len() >= DIGITS_MIN;
    if is_restarted || after.len() >= DIGITS_USUAL || new.is_abroad && after.len() >= DIGITS_MIN {
        return Some(part.to_vec());
    }
    let (last, first) = (old.groups.last()?, new.groups.first()?);
    let is_group = new.groups.len() == 1 && first.len() == last.len() && first.len() > 1;
    if !is_group || new.is_abroad {
        // A short number is no value of its own here: it may be any part of the one before.
        return Some(vec![Token { kind: Kind::Garbled, raw: String::new() }]);
    }
    let place = now.iter().rposition(|token| matches!(token.kind, Kind::Digits(_)))?;
    Some(now[..place].iter().chain(part).cloned().collect())
}

/// The number that tokens are; none if a word among them has no place there, or there is no digit.
fn number(tokens: &[Token], lexicon: &Lexicon) -> Option<Number> {
    let start = (0..tokens.len()).find(|at| is_of_number(tokens, *at))?;
    let is_copula =
        |token: &Token| matches!(&token.kind, Kind::Word(word) if lexicon.is_copula(word));
    let words = tokens[..start].iter().rev().find(|token| !is_pause(token));
    let is_led = words.is_some_and(is_copula) || (0..start).all(|at| leads(tokens, at, lexicon));
    if !is_led {
        return None;
    }
    let mut number = Number::default();
    let mut has_trunk_zero = false;
    let mut place = start;
    while let Some(token) = tokens.get(place) {
        let (mut length, is_first) = (1, number.groups.is_empty() && !number.is_abroad);
        match &token.kind {
            Kind::Digits(digits) => number.groups.push(digits.clone()),
            Kind::Oh | Kind::Letter('o') => number.groups.push("0".to_owned()),
            Kind::TrunkZero => {
                has_trunk_zero = true;
                let is_00 = number.groups.first().is_some_and(|it| it.starts_with("00"));
                let is_abroad = number.is_abroad || is_00;
                number.groups.extend((!is_abroad).then(|| "0".to_owned()));
            }
            Kind::Times(times) => {
                let digit = digit(tokens.get(place + 1)?)?;
                number.groups.push(digit.repeat(*times));
                length = 2;
            }
            Kind::Sign('+') if is_first && !has_trunk_zero => number.is_abroad = true,
            Kind::Sign('-' | '.' | '/') | Kind::Mark | Kind::Filler => {}
            Kind::Word(_) | Kind::Letter(_) if joins(tokens, place, lexicon) => {
                if number.digits().len() >= DIGITS_USUAL {
                    return None;
                }
            }
            Kind::Extension if !is_first => {
                number.extension = extension(&tokens[place + 1..])?;
                break;
            }
            Kind::Word(word) if lexicon.is_tail(word) => {
                return is_aside(&tokens[place..], &number).then_some(number);
            }
            // "I usually work until five."
            Kind::Letter(_) if !is_first && leads(tokens, place, lexicon) => {
                return is_aside(&tokens[place..], &number).then_some(number);
            }
            Kind::Letter(_)
            | Kind::Sign(_)
            | Kind::Word(_)
            | Kind::Written(_)
            | Kind::Correction
            | Kind::Restart
            | Kind::Extension
            | Kind::Garbled => return None,
        }
        place += length;
    }
    Some(number)
}

/// "And" between digits.
fn joins(tokens: &[Token], at: usize, lexicon: &Lexicon) -> bool {
    lexicon.is_and(&tokens[at].raw.to_lowercase()) && is_of_number(tokens, at + 1)
}

fn is_pause(token: &Token) -> bool {
    matches!(token.kind, Kind::Mark | Kind::Filler | Kind::Sign('@' | '-'))
}

/// Whether a number begins or goes on at a place.
fn is_of_number(tokens: &[Token], at: usize) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    let is_digits = |at: usize| {
        tokens.get(at).is_some_and(|token| {
            matches!(token.kind, Kind::Digits(_) | Kind::Oh | Kind::Times(_) | Kind::Letter('o'))
        })
    };
    let is_plain = matches!(token.kind, Kind::Digits(_) | Kind::TrunkZero | Kind::Sign('+'));
    let is_spoken = matches!(token.kind, Kind::Times(_) | Kind::Oh | Kind::Letter('o'));
    // "O, one, seven, two", but not "Oh, 0172".
    let is_marked = matches!(tokens.get(at + 1).map(|next| &next.kind), Some(Kind::Mark));
    let is_next = || match tokens.get(at + 2).filter(|_| is_marked) {
        Some(next) => matches!(&next.kind, Kind::Digits(digits) if digits.len() == 1),
        None => is_digits(at + 1),
    };
    let is_beside = || is_next() || at.checked_sub(1).is_some_and(is_digits);
    is_plain || is_spoken && is_beside()
}

/// Whether a token leads to a number: "my number is", "I".
fn leads(tokens: &[Token], at: usize, lexicon: &Lexicon) -> bool {
    if let Kind::Word(word) = &tokens[at].kind {
        return lexicon.is_lead(word);
    }
    let next = tokens.get(at + 1);
    let is_word =
        next.is_some_and(|next| matches!(&next.kind, Kind::Word(word) if lexicon.is_lead(word)));
    let is_cry = tokens[at].kind == Kind::Oh && next.is_some_and(is_pause);
    is_pause(&tokens[at]) || is_cry || matches!(tokens[at].kind, Kind::Letter(_)) && is_word
}

fn digit(token: &Token) -> Option<String> {
    if let Kind::Digits(digits) = &token.kind {
        return Some(digits.clone()).filter(|digits| digits.len() == 1);
    }
    matches!(token.kind, Kind::Oh | Kind::Letter('o')).then(|| "0".to_owned())
}

/// The digits of an extension; what follows them may only be an aside.
fn extension(tokens: &[Token]) -> Option<String> {
    let mut digits = String::new();
    for (place, token) in tokens.iter().enumerate() {
        if let Some(digit) = digit(token) {
            digits.push_str(&digit);
        } else if let Kind::Digits(more) = &token.kind {
            digits.push_str(more);
        } else if !is_pause(token) {
            let is_aside = !digits.is_empty()
                && tokens[place..].iter().all(|token| !matches!(token.kind, Kind::Digits(_)));
            return is_aside.then_some(digits);
        }
    }
    (digits.len() <= EXTENSION_DIGITS_MAX).then_some(digits)
}

/// Whether what is said behind a number is no part of it: few digits, or the same number again. A digit comes
/// first only after a word of time: "free five" may be a three.
fn is_aside(tokens: &[Token], number: &Number) -> bool {
    let mut digits = String::new();
    let is_timed = TIME_WORDS.contains(&format!(" {} ", tokens[0].raw.to_lowercase()));
    if !is_timed && is_of_number(tokens, 1) {
        return false;
    }
    for token in tokens {
        if let Kind::Digits(more) = &token.kind {
            digits.push_str(more);
        } else if let Kind::Oh | Kind::Times(_) | Kind::Correction = token.kind {
            return false;
        }
    }
    digits.len() <= ASIDE_DIGITS_MAX || digits == number.digits()
}

impl Number {
    fn digits(&self) -> String {
        self.groups.concat()
    }

    fn reading(&self) -> Reading {
        let digits = self.digits();
        let plus = if self.is_abroad { "+" } else { "" };
        if digits.len() > DIGITS_MAX {
            return Reading::Unclear;
        }
        if digits.len() < DIGITS_MIN {
            return Reading::Unfinished;
        }
        let usual = if self.is_abroad { DIGITS_USUAL_ABROAD } else { DIGITS_USUAL };
        let (text, may_go_on) = match self.extension.as_str() {
            "" => (format!("{plus}{digits}"), digits.len() < usual),
            extension => (format!("{plus}{digits} ext. {extension}"), false),
        };
        Reading::Whole(Value { text, is_sure: true, may_go_on })
    }
}
