//! Names of people: "My name is Ada Lovelace", "It's Ada, A D A, Lovelace".

use crate::{
    blueprint::{Language, NAME_CHARS_MAX, check_line, is_of_names},
    values::{
        Reading, Value,
        lexer::{Kind, Token, tokens},
        lexicon::Lexicon,
    },
};

/// A name has so many words at most; more are a sentence.
const WORDS_MAX: usize = 6;
/// Words around letters that spell a name.
const SPELLING: &str = " spelled spelt spelling that's thats which is it's buchstabiert geschrieben das \
                        schreibt man sich si scrive scritto ovvero come con ";

/// Reads a name.
pub(super) fn read(said: &str, language: Language) -> Reading {
    let lexicon = Lexicon::of(language);
    let tokens = tokens(said, language);
    let restart = tokens.iter().rposition(|token| token.kind == Kind::Restart);
    let mut name: Vec<String> = Vec::new();
    let mut is_sure = restart.is_none();
    for part in
        tokens[restart.map_or(0, |place| place + 1)..].split(|token| token.kind == Kind::Correction)
    {
        let Some(words) = words(part, lexicon) else { return Reading::Unclear };
        if words.is_empty() {
            continue;
        }
        is_sure &= name.is_empty();
        // "Ada Lovelace, no, Byron" mends the last word.
        let kept = if words.len() < name.len() { name.len() - words.len() } else { 0 };
        name.truncate(kept);
        name.extend(words);
    }
    let text = name.join(" ");
    let is_name = check_line(&text, NAME_CHARS_MAX).is_ok()
        && text.chars().all(is_of_names)
        && name.len() <= WORDS_MAX;
    if is_name {
        Reading::Whole(Value { text, is_sure, may_go_on: false })
    } else {
        Reading::Unclear
    }
}

/// The words of a name, without what leads to it, is said behind it or spells it; none of a sentence of
/// another kind.
fn words(tokens: &[Token], lexicon: &Lexicon) -> Option<Vec<String>> {
    let mut words: Vec<String> = Vec::new();
    let mut place = lead(tokens, lexicon);
    while let Some(token) = tokens.get(place) {
        let spelled = letters(&tokens[place..]);
        let length = spelled.1.max(1);
        let is_marked = place > 0 && tokens[place - 1].kind == Kind::Mark;
        let low = token.raw.to_lowercase();
        let part = lead_to_part(&tokens[place..]);
        if spelled.0.chars().count() > 1 {
            spell(&mut words, &spelled.0, tokens.get(place + length).is_some_and(is_name_word));
        } else if part > 0 {
            place += part;
            continue;
        } else if leads_to_letters(&tokens[place..]) {
            // "That's spelled".
        } else if !words.is_empty() && (is_marked && lexicon.is_tail(&low) || is_polite(&low)) {
            // "And": what they say next is no name.
            break;
        } else if lexicon.is_nameless(&low)
            && (words.is_empty() || token.raw.starts_with(char::is_lowercase))
        {
            return None;
        } else if is_name_word(token) || is_surname(token, &words) {
            let is_again = words.last().is_some_and(|last| last.to_lowercase() == low);
            words.extend((!is_again).then(|| token.raw.clone()));
        } else if !matches!(token.kind, Kind::Mark | Kind::Filler) {
            return None;
        }
        place += length;
    }
    Some(words)
}

/// Where the name begins behind the words that lead to it.
fn lead(tokens: &[Token], lexicon: &Lexicon) -> usize {
    let mut start = 0;
    for (place, token) in tokens.iter().enumerate() {
        let is_cry =
            token.kind == Kind::Oh && tokens.get(place + 1).is_some_and(|it| it.kind == Kind::Mark);
        if place == start && (is_cry || matches!(token.kind, Kind::Filler | Kind::Mark)) {
            start = place + 1;
            continue;
        }
        let low = token.raw.to_lowercase();
        let is_letter = matches!(token.kind, Kind::Letter(_));
        if !is_letter && (lexicon.is_copula(&low) || NAME_LINKS.contains(&format!(" {low} "))) {
            start = place + 1;
        } else if !lexicon.is_lead(&low) && !is_letter && !NAME_LEADS.contains(&format!(" {low} "))
        {
            break;
        }
    }
    start
}

/// Words between the parts of a name, and those that name a part.
const PARTS: &str = " and my the first last family given middle second name is surname und mein der \
                     vorname nachname familienname ist lautet e il mio nome cognome è ";
const PART_NAMES: &str = " name surname vorname nachname familienname nome cognome ";

/// Words that lead to a name: "call me", "ich heiße", "mi chiamo".
const NAME_LINKS: &str = " me name name's nome heiße heisse heiss bin mich nenne nennen chiamo chiamano \
                          sono ";
const NAME_LEADS: &str = " full first last given family surname vorname nachname voller ganzer cognome \
                          completo called goes gehe höre auf ";

fn is_name_word(token: &Token) -> bool {
    let is_spoken = matches!(
        token.kind,
        Kind::Word(_)
            | Kind::Written(_)
            | Kind::Letter(_)
            | Kind::Digits(_)
            | Kind::Oh
            | Kind::Extension
            | Kind::Sign(_)
    );
    is_spoken && token.raw.chars().any(char::is_alphabetic)
}

/// "So", as in "Ann So".
fn is_surname(token: &Token, words: &[String]) -> bool {
    token.kind == Kind::Filler && !words.is_empty() && token.raw.starts_with(char::is_uppercase)
}

fn is_polite(low: &str) -> bool {
    matches!(low, "please" | "thanks" | "thank" | "bitte" | "danke" | "grazie" | "prego")
}

/// The letters one by one at the beginning, and how many tokens they are.
fn letters(tokens: &[Token]) -> (String, usize) {
    let letters = tokens.iter().map_while(|token| match &token.kind {
        // The name of a letter is a name, too, and so is a word of a spelling alphabet.
        Kind::Letter(letter) if token.raw.chars().count() == 1 => Some(Some(*letter)),
        Kind::Mark => Some(None),
        Kind::Letter(_)
        | Kind::Digits(_)
        | Kind::Sign(_)
        | Kind::Oh
        | Kind::TrunkZero
        | Kind::Times(_)
        | Kind::Word(_)
        | Kind::Written(_)
        | Kind::Correction
        | Kind::Restart
        | Kind::Filler
        | Kind::Extension
        | Kind::Garbled => None,
    });
    let letters: Vec<Option<char>> = letters.collect();
    let length = letters.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
    (letters[..length].iter().flatten().collect(), length)
}

/// "That's spelled", with letters behind it.
fn leads_to_letters(tokens: &[Token]) -> bool {
    let is_of_spelling = |token: &&Token| {
        token.kind == Kind::Mark || SPELLING.contains(&format!(" {} ", token.raw.to_lowercase()))
    };
    let words = tokens.iter().take_while(is_of_spelling).count();
    words > 0 && letters(&tokens[words..]).0.chars().count() > 1
}

/// How many tokens lead to a part of the name: "and my last name is".
fn lead_to_part(tokens: &[Token]) -> usize {
    let low = |token: &Token| token.raw.to_lowercase();
    let is_of_part =
        |token: &&Token| token.kind == Kind::Mark || PARTS.contains(&format!(" {} ", low(token)));
    let names_it = |token: &Token| PART_NAMES.contains(&format!(" {} ", low(token)));
    let words = tokens.iter().take_while(is_of_part).count();
    if tokens[..words].iter().any(names_it) { words } else { 0 }
}

/// Letters one by one spell the words before them, or mend the last of these, or are the name themselves.
/// With a word behind them they may be initials.
fn spell(words: &mut Vec<String>, letters: &str, is_followed: bool) {
    let spelled = capitalised(letters);
    let whole: String = words.concat().to_lowercase();
    let Some(last) = words.last() else {
        let initials = letters.chars().map(|letter| letter.to_uppercase().to_string());
        match is_followed {
            true => words.extend(initials),
            false => words.push(spelled),
        }
        return;
    };
    if last.to_lowercase() == letters || whole == letters {
        return;
    }
    if last.chars().flat_map(char::to_lowercase).next() == letters.chars().next() {
        words.pop();
    }
    words.push(spelled);
}

fn capitalised(letters: &str) -> String {
    let mut chars = letters.chars();
    let first = chars.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + chars.as_str()
}
