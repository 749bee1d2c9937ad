//! E-mail addresses: "anna dot smith at example dot com", "A as in Alpha, D, A at gmail.com".

use crate::{
    blueprint::{Language, check_address},
    values::{
        Reading, Value,
        lexer::{Kind, Token},
        lexicon::Lexicon,
        mending,
    },
};

/// More words in a row are a sentence.
const WORDS_MAX: usize = 3;
/// Words in front of an address that may belong to it: "the real ada".
const OF_BOTH: &str = " my the me home work mail info contact office mio la il der die ";
/// Last parts of hosts that another part may follow: "co dot uk".
const OPEN_ENDS: [&str; 2] = ["co", "ac"];

/// Those that recognisers write in one word with the dot.
const TOPS: [&str; 4] = ["com", "org", "net", "de"];

/// Reads an address.
pub(super) fn read(tokens: &[Token], language: Language) -> Reading {
    let lexicon = Lexicon::of(language);
    mending::read(tokens, lexicon, |tokens| one(tokens, lexicon), mended)
}

/// What was said with its end said anew: "at gmail dot com, no, at example dot com", "no, dot org".
fn mended(now: &[Token], part: &[Token]) -> Option<Vec<Token>> {
    let (now, part) = (opened(now), opened(part));
    let starts = |token: &Token| !matches!(token.kind, Kind::Mark | Kind::Filler);
    let part = &part[part.iter().position(starts)?..];
    let host = now.iter().rposition(|token| token.kind == Kind::Sign('@'))?;
    let cut = if part[0].kind == Kind::Sign('@') {
        host
    } else if part[0].kind == Kind::Sign('.') {
        host + now[host..].iter().rposition(|token| token.kind == Kind::Sign('.'))?
    } else {
        return None;
    };
    Some(now[..cut].iter().chain(part).cloned().collect())
}

/// Reads an address that is said in one go.
fn one(tokens: &[Token], lexicon: &Lexicon) -> Reading {
    let tokens = opened(tokens);
    if let Some(again) = anew(&tokens, lexicon) {
        return one(&again, lexicon).unsure();
    }
    let Some(at) = tokens.iter().rposition(|token| token.kind == Kind::Sign('@')) else {
        return begun(&tokens, lexicon);
    };
    let Some((local, is_local_sure)) = local(&tokens[..at], lexicon) else {
        // "You can reach me at".
        let is_end = tokens[at..].iter().all(|token| !has_text(token));
        return if is_end { begun(&tokens[..at], lexicon) } else { Reading::Unclear };
    };
    let Some((host, is_host_sure)) = host(&tokens[at + 1..], lexicon) else {
        return Reading::Unclear;
    };
    let is_begun = !host.contains('.') || host.ends_with('.');
    if is_begun {
        return Reading::Unfinished;
    }
    let text = format!("{local}@{host}").to_lowercase();
    let may_go_on = OPEN_ENDS.contains(&text.rsplit('.').next().unwrap_or_default());
    match check_address(&text) {
        Ok(()) => Reading::Whole(Value { text, is_sure: is_local_sure && is_host_sure, may_go_on }),
        Err(_) => Reading::Unclear,
    }
}

/// What was said from where its beginning comes again: "ada dot smith at exam, ada dot smith at example dot
/// com".
fn anew(tokens: &[Token], lexicon: &Lexicon) -> Option<Vec<Token>> {
    let start = lead(tokens, lexicon);
    let is_said = |token: &&Token| !matches!(token.kind, Kind::Mark | Kind::Filler);
    let said: Vec<Token> = tokens[start..].iter().filter(is_said).cloned().collect();
    let has_at = |tokens: &[Token]| tokens.iter().any(|token| token.kind == Kind::Sign('@'));
    let begins = |second: &[Token], first: &[Token]| {
        let mut both = second.iter().zip(first);
        second.len() >= first.len() && both.all(|(second, first)| second.kind == first.kind)
    };
    let is_anew = |place: &usize| {
        let (first, second) = said.split_at(*place);
        if has_at(first) {
            // The last word may have been broken off. "Ada at ada dot com" has the mailbox's name as host.
            return has_at(second) && begins(second, &first[..place - 1]);
        }
        // Letters and digits may come twice.
        first.iter().any(|token| is_sign(Some(token)))
            && !is_sign(first.last())
            && begins(second, first)
    };
    let place = (1..said.len()).find(is_anew)?;
    Some(said[place..].to_vec())
}

/// The tokens, with what is written in one word split at its `@`, and a host at its dots.
fn opened(tokens: &[Token]) -> Vec<Token> {
    let mut out = Vec::new();
    for token in tokens {
        // "Gmail dotcom".
        if let Some(top) = word(token).and_then(|word| word.strip_prefix("dot"))
            && TOPS.contains(&top)
        {
            out.push(Token { kind: Kind::Sign('.'), raw: ".".to_owned() });
            out.push(Token { kind: Kind::Word(top.to_owned()), raw: top.to_owned() });
            continue;
        }
        let Kind::Written(written) = &token.kind else {
            out.push(token.clone());
            continue;
        };
        let mut parts = written.split_inclusive(['@', '.']).peekable();
        while let Some(part) = parts.next() {
            let text = part.trim_end_matches(['@', '.']);
            let kind = match text.chars().all(char::is_alphabetic) && parts.peek().is_none() {
                true => Kind::Word(text.to_owned()),
                false => Kind::Written(text.to_owned()),
            };
            if !text.is_empty() {
                out.push(Token { kind, raw: text.to_owned() });
            }
            if let Some(sign) = part.chars().last().filter(|sign| matches!(sign, '@' | '.')) {
                out.push(Token { kind: Kind::Sign(sign), raw: sign.to_string() });
            }
        }
    }
    out
}

/// What there is of an address without an `@`.
fn begun(tokens: &[Token], lexicon: &Lexicon) -> Reading {
    let start = lead(tokens, lexicon);
    let rest: Vec<&Token> = tokens[start..]
        .iter()
        .filter(|token| !matches!(token.kind, Kind::Mark | Kind::Filler))
        .collect();
    if rest.is_empty() {
        let is_link = |token: &Token| word(token).is_some_and(|word| lexicon.is_link(word));
        let is_led = tokens.iter().any(is_link);
        return if is_led { Reading::Unfinished } else { Reading::Unclear };
    }
    let is_word = |token: &&Token| word(token).is_some();
    let is_name = |token: &&Token| word(token).is_some_and(|word| !lexicon.knows(word));
    let is_said = |token: &&Token| word(token).is_some_and(|word| lexicon.is_nameless(word));
    if rest.iter().any(is_said) {
        return Reading::Unclear;
    }
    let is_begun = match rest.iter().all(is_word) {
        true => rest.len() <= WORDS_MAX && rest.iter().all(is_name),
        false => joined(&tokens[start..], lexicon).is_some(),
    };
    if is_begun { Reading::Unfinished } else { Reading::Unclear }
}

fn has_text(token: &Token) -> bool {
    !matches!(token.kind, Kind::Mark | Kind::Filler | Kind::Sign('@'))
}

fn word(token: &Token) -> Option<&str> {
    if let Kind::Word(word) = &token.kind { Some(word) } else { None }
}

fn is_sign(token: Option<&Token>) -> bool {
    token.is_some_and(|token| matches!(token.kind, Kind::Sign(sign) if sign != '@'))
}

/// Where the address begins behind the words that lead to it.
fn lead(tokens: &[Token], lexicon: &Lexicon) -> usize {
    let next_is_sign = |place: usize| is_sign(tokens.get(place + 1));
    let is_copula = |place: &usize| {
        let is_alone = !(next_is_sign(*place) || *place > 0 && is_sign(tokens.get(*place - 1)));
        is_alone && word(&tokens[*place]).is_some_and(|word| lexicon.is_copula(word))
    };
    let mut start = (0..tokens.len()).rev().find(is_copula).map_or(0, |place| place + 1);
    for (place, token) in tokens.iter().enumerate().skip(start) {
        let next = tokens.get(place + 1).and_then(word);
        let before = place.checked_sub(1).and_then(|before| word(&tokens[before]));
        match &token.kind {
            Kind::Mark | Kind::Sign('@') => start = place + 1,
            Kind::Sign('-') if place == start => start = place + 1,
            Kind::Filler if !next_is_sign(place) => start = place + 1,
            Kind::Word(word) if lexicon.is_lead(word) => {
                let may_be_theirs = OF_BOTH.contains(&format!(" {word} "));
                if !next_is_sign(place) && (!may_be_theirs || lexicon.is_link(word)) {
                    start = place + 1;
                }
            }
            Kind::Letter(_) if next.is_some_and(|next| lexicon.is_lead(next)) => {}
            // "Scrivere a ada".
            Kind::Letter('a')
                if next.is_some()
                    && before.is_some_and(|before| {
                        lexicon.is_lead(before) && !lexicon.is_link(before)
                    }) =>
            {
                start = place + 1;
            }
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
            | Kind::Garbled => break,
        }
    }
    start
}

/// The part before the `@`, and whether it is sure.
fn local(tokens: &[Token], lexicon: &Lexicon) -> Option<(String, bool)> {
    let start = lead(tokens, lexicon);
    if start < tokens.len() {
        return joined(&tokens[start..], lexicon);
    }
    // "My address is mail at example dot com": the last word is theirs.
    let last = tokens.iter().rposition(|token| word(token).is_some())?;
    let before =
        tokens[..last].iter().rev().find(|token| !matches!(token.kind, Kind::Mark | Kind::Filler));
    let is_led = before.is_none_or(|before| {
        before.kind == Kind::Sign('@') || word(before).is_some_and(|word| lexicon.is_link(word))
    });
    let is_last = tokens[last + 1..].iter().all(|token| token.kind == Kind::Mark);
    (is_led && is_last).then(|| joined(&tokens[last..], lexicon))?
}

/// Letters, digits, signs and words as they are written in one word; none if one of them cannot be.
fn joined(tokens: &[Token], lexicon: &Lexicon) -> Option<(String, bool)> {
    let mut text = String::new();
    let mut words: Vec<&str> = Vec::new();
    let (mut is_sure, mut most) = (true, 0);
    let mut place = 0;
    while place < tokens.len() {
        let mut length = 1;
        match &tokens[place].kind {
            Kind::Mark | Kind::Filler => {}
            Kind::Letter(_) => {
                let letters = letters(&tokens[place..]);
                length = letters.1;
                is_sure &= spelled(&mut text, words.last().copied(), &letters.0);
                words.clear();
            }
            Kind::Times(times) => {
                text.push_str(&repeated(tokens.get(place + 1)?, *times)?);
                length = 2;
                words.clear();
            }
            Kind::Digits(digits) => {
                text.push_str(digits);
                words.clear();
            }
            Kind::Oh => {
                let is_digit = |at: Option<usize>| {
                    let token = at.and_then(|at| tokens.get(at));
                    token.is_some_and(|token| matches!(token.kind, Kind::Digits(_)))
                };
                let is_zero = is_digit(place.checked_sub(1)) || is_digit(Some(place + 1));
                text.push(if is_zero { '0' } else { 'o' });
                words.clear();
            }
            Kind::Sign(sign) if *sign != '@' => {
                text.push(*sign);
                words.clear();
            }
            Kind::Word(word) | Kind::Written(word) => {
                is_sure &= words.is_empty();
                words.push(word);
                let is_led =
                    |word: &&str| lexicon.is_lead(word) && !OF_BOTH.contains(&format!(" {word} "));
                if words.len() > WORDS_MAX || words.len() > 1 && words.iter().any(is_led) {
                    return None;
                }
                text.push_str(word);
            }
            Kind::Sign(_)
            | Kind::TrunkZero
            | Kind::Correction
            | Kind::Restart
            | Kind::Extension
            | Kind::Garbled => return None,
        }
        most = most.max(words.len());
        place += length;
    }
    Some((text, is_sure && most <= 1))
}

/// The letters one by one at the beginning, with "double N" among them, and how many tokens they are.
fn letters(tokens: &[Token]) -> (String, usize) {
    let (mut letters, mut length) = (String::new(), 0);
    for (place, token) in tokens.iter().enumerate() {
        if let Kind::Letter(letter) = token.kind {
            letters.push(letter);
            length = place + 1;
        } else if has_text(token) {
            break;
        }
    }
    (letters, length)
}

/// Adds letters that were spelled. They may spell the word before them: then that is said twice, or mended.
/// Returns whether that is sure.
fn spelled(text: &mut String, word: Option<&str>, letters: &str) -> bool {
    let Some(word) = word.filter(|_| letters.chars().count() > 1) else {
        text.push_str(letters);
        return true;
    };
    if word == letters {
        return true;
    }
    let is_mended = letters.chars().count() > 2 && word.chars().next() == letters.chars().next();
    if is_mended {
        text.truncate(text.len() - word.len());
    }
    text.push_str(letters);
    !is_mended
}

fn repeated(token: &Token, times: usize) -> Option<String> {
    if let Kind::Letter(letter) = token.kind {
        return Some(letter.to_string().repeat(times));
    }
    if let Kind::Digits(digits) = &token.kind {
        return (digits.len() == 1).then(|| digits.repeat(times));
    }
    (token.kind == Kind::Oh).then(|| "o".repeat(times))
}

/// The host behind the `@` as far as it goes, and whether it is sure. What follows it has to begin with a
/// word that no host goes on with.
fn host(tokens: &[Token], lexicon: &Lexicon) -> Option<(String, bool)> {
    let mut text = String::new();
    // Whether the part behind the last dot has a word in it, or letters one by one.
    let (mut has_word, mut has_letter, mut is_marked, mut is_sure) = (false, false, false, true);
    let mut place = 0;
    while let Some(token) = tokens.get(place) {
        place += 1;
        let is_top = text.contains('.') && (has_word || has_letter);
        match &token.kind {
            Kind::Mark => is_marked = true,
            Kind::Filler => {}
            Kind::Sign('.') if !text.is_empty() && !text.ends_with('.') => {
                text.push('.');
                (has_word, has_letter, is_marked) = (false, false, false);
            }
            Kind::Sign('-') if !text.is_empty() => text.push('-'),
            Kind::Word(word) | Kind::Written(word) => {
                let is_other =
                    lexicon.is_tail(word) || is_marked && is_top && lexicon.is_lead(word);
                if is_other && (has_word || has_letter) {
                    break;
                }
                if is_top {
                    return None;
                }
                is_sure &= !has_word || text.ends_with('-');
                text.push_str(word);
                has_word = true;
            }
            // "I use it every day."
            Kind::Letter(_) if is_top && has_word => {
                let next = tokens.get(place).and_then(word)?;
                return lexicon.knows(next).then_some((text, is_sure));
            }
            Kind::Letter(letter) => {
                text.push(*letter);
                has_letter = true;
            }
            Kind::Oh => text.push('o'),
            Kind::Digits(digits) if !is_top => {
                text.push_str(digits);
                has_word = true;
            }
            Kind::Times(times) => {
                text.push_str(&repeated(tokens.get(place)?, *times)?);
                place += 1;
                has_letter = true;
            }
            Kind::Sign(_)
            | Kind::Digits(_)
            | Kind::TrunkZero
            | Kind::Correction
            | Kind::Restart
            | Kind::Extension
            | Kind::Garbled => return None,
        }
    }
    Some((text, is_sure))
}
