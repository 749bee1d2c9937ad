//! The reading of digits: numbers, ordinals, years, decimals, money.

use super::{
    lexicon::Lexicon,
    numbers,
    phonemes::{Stress, with_ed, with_ing, with_s},
};

/// The currencies: sign, unit, and its hundredth.
const CURRENCIES: [(char, &str, &str); 3] =
    [('$', "dollar", "cent"), ('£', "pound", "pence"), ('€', "euro", "cent")];
const ORDINALS: [&str; 4] = ["st", "nd", "rd", "th"];

/// Returns the currency sign, if it is read with its number.
pub(super) fn currency(text: &str) -> Option<char> {
    CURRENCIES.iter().map(|(sign, ..)| *sign).find(|sign| text.chars().eq([*sign]))
}

/// Returns the phonemes of a currency's unit, in the plural.
pub(super) fn unit(lexicon: &Lexicon, sign: char) -> Option<String> {
    let (_, unit, _) = CURRENCIES.iter().find(|(known, ..)| *known == sign)?;
    lexicon.plural(unit)
}

/// Whether a token is read as a number. `begins_word`: no other token of the same word stands before it.
pub(super) fn is_number(word: &str, begins_word: bool) -> bool {
    let endings = ["ing", "'d", "ed", "'s", "st", "nd", "rd", "th", "s"];
    let stem = endings.iter().find_map(|ending| word.strip_suffix(ending)).unwrap_or(word);
    let unsigned = if begins_word { stem.strip_prefix('-').unwrap_or(stem) } else { stem };
    word.contains(|character: char| character.is_ascii_digit())
        && unsigned.chars().all(|character| character.is_ascii_digit() || ",.".contains(character))
}

/// Returns the phonemes of a number.
pub(super) fn number(
    lexicon: &Lexicon,
    word: &str,
    currency: Option<char>,
    begins_word: bool,
) -> Option<String> {
    let stem = word
        .trim_end_matches(|character: char| character.is_ascii_lowercase() || character == '\'');
    let ending = &word[stem.len()..];
    let mut reading = Reading { lexicon, words: Vec::new() };
    let digits = match stem.strip_prefix('-') {
        Some(digits) => {
            reading.word("minus");
            digits
        }
        None => stem,
    };
    let plain = digits.replace(',', "");
    let is_plain = !digits.is_empty() && digits.chars().all(|digit| digit.is_ascii_digit());
    let is_ordinal = ORDINALS.contains(&ending);
    let money = CURRENCIES.iter().find(|(sign, ..)| Some(*sign) == currency);
    match money {
        _ if is_plain && is_ordinal => reading.words_of(&numbers::ordinal_of(digits)),
        None if is_plain && reading.words.is_empty() && digits.len() == 4 => {
            reading.words_of(&numbers::year(digits.parse().unwrap_or_default()));
        }
        _ if !begins_word && !digits.contains('.') => reading.code(&plain),
        _ if !begins_word || digits.matches('.').count() > 1 => {
            plain.split('.').for_each(|group| reading.group(group));
        }
        Some((_, unit, hundredth)) if is_money(digits) => reading.money(&plain, unit, hundredth),
        _ if is_ordinal && !digits.contains('.') => reading.words_of(&numbers::ordinal_of(&plain)),
        _ => reading.decimal(&plain),
    }
    let reading = reading.words.join(" ");
    if reading.is_empty() {
        return None;
    }
    match ending {
        "s" | "'s" => with_s(&reading),
        "ed" | "'d" => with_ed(&reading),
        "ing" => with_ing(&reading),
        _ => Some(reading),
    }
}

/// Whether an amount has at most two digits behind the dot.
fn is_money(digits: &str) -> bool {
    digits.split_once('.').is_none_or(|(_, cents)| cents.len() < 3)
}

/// The phonemes of a number so far, word by word.
struct Reading<'a> {
    lexicon: &'a Lexicon,
    words: Vec<String>,
}

impl Reading<'_> {
    fn word(&mut self, word: &str) {
        let stress = (word == "point").then_some(Stress::Removed);
        self.words.extend(self.lexicon.plainly(word, stress));
    }

    /// Adds the words of a number, without "and".
    fn words_of(&mut self, text: &str) {
        let words = text.split(|character: char| !character.is_ascii_lowercase());
        words.filter(|word| !word.is_empty() && *word != "and").for_each(|word| self.word(word));
    }

    fn cardinal(&mut self, digits: &str) {
        self.words_of(&numbers::cardinal_of(digits));
    }

    /// Adds digits behind letters, as in "B52" or "R2D2": as a short number, as "five oh one", or one by
    /// one.
    fn code(&mut self, digits: &str) {
        let zero = digits.starts_with('0');
        match digits.len() {
            0 => {}
            4.. => self.words_of(&numbers::spelled(digits)),
            _ if zero => self.words_of(&numbers::spelled(digits)),
            3 if !digits.ends_with("00") => {
                self.cardinal(&digits[..1]);
                if digits[1..].starts_with('0') {
                    self.words.extend(self.lexicon.plainly("O", Some(Stress::Removed)));
                    self.cardinal(&digits[2..]);
                } else {
                    self.cardinal(&digits[1..]);
                }
            }
            _ => self.cardinal(digits),
        }
    }

    /// Adds the digits between the dots of an address or a version.
    fn group(&mut self, digits: &str) {
        let is_round = digits.bytes().skip(1).all(|digit| digit == b'0');
        if digits.starts_with('0') || (digits.len() != 2 && !is_round) {
            self.words_of(&numbers::spelled(digits));
        } else {
            self.cardinal(digits);
        }
    }

    fn money(&mut self, amount: &str, unit: &str, hundredth: &str) {
        let (whole, cents) = amount.split_once('.').unwrap_or((amount, ""));
        let is_zero = |digits: &str| digits.bytes().all(|digit| digit == b'0');
        let mut is_first = true;
        for (digits, unit) in [(whole, unit), (cents, hundredth)] {
            let is_said =
                if unit == hundredth { !is_zero(cents) } else { !is_zero(whole) || is_zero(cents) };
            if !is_said {
                continue;
            }
            if !is_first {
                self.word("and");
            }
            is_first = false;
            self.cardinal(if digits.is_empty() { "0" } else { digits });
            let is_one = digits.trim_start_matches('0') == "1";
            match is_one || unit == "pence" {
                true => self.word(unit),
                false => self.words.extend(self.lexicon.plural(unit)),
            }
        }
    }

    fn decimal(&mut self, number: &str) {
        let (whole, part) = number.split_once('.').unwrap_or((number, ""));
        if !whole.is_empty() {
            self.cardinal(whole);
        }
        let part = if whole.is_empty() { part } else { part.trim_end_matches('0') };
        if !part.is_empty() {
            self.word("point");
            self.words_of(&numbers::spelled(part));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A lexicon in which each number word is its own phonemes.
    fn lexicon() -> Lexicon {
        let words = "zero one two three four five six seven eight nine ten eleven twelve fifteen \
            nineteen twenty thirty forty fifty \
            ninety hundred thousand first third point minus dollar cent pound pence and O";
        let entries: Vec<String> =
            words.split(' ').map(|word| format!("{word:?}: {word:?}")).collect();
        let gold = format!("{{{}}}", entries.join(","));
        Lexicon::new(serde_json::from_str(&gold).unwrap(), serde_json::from_str("{}").unwrap())
    }

    /// Digits are read as a year, an amount, a code or a number, depending on the text around them.
    #[test]
    fn numbers_are_read() {
        for (word, currency, begins_word, expected) in [
            ("7", None, true, "seven"),
            ("1,234", None, true, "one thousand two hundred thirty four"),
            ("1999", None, true, "nineteen ninety nine"),
            ("1999", Some('$'), true, "one thousand nine hundred ninety nine dollarz"),
            ("-5", None, true, "minus five"),
            ("3.140", None, true, "three point one four"),
            (".50", None, true, "point five zero"),
            ("1.2.3", None, true, "one two three"),
            ("21st", None, true, "twenty first"),
            ("1,003rd", None, true, "one thousand third"),
            ("90s", None, true, "ninetyz"),
            ("$", None, true, ""),
            ("5.50", Some('$'), true, "five dollarz and fifty cents"),
            ("1", Some('$'), true, "one dollar"),
            ("0.01", Some('£'), true, "one pence"),
            ("0.00", Some('£'), true, "zero poundz"),
            ("5.555", Some('$'), true, "five point five five five"),
            ("52", None, false, "fifty two"),
            ("305", None, false, "three O five"),
            ("747", None, false, "seven forty seven"),
            ("007", None, false, "zero zero seven"),
            ("1.15.200", None, false, "one fifteen two hundred"),
        ] {
            let read = number(&lexicon(), word, currency, begins_word).unwrap_or_default();
            assert_eq!(read, expected, "{word} {currency:?} {begins_word}");
        }
        let numbers = ["5", "-5", "1,000.5", "21st", "80's", "B52", "-", "5-6", ".", "x"];
        let is_number = numbers.map(|word| super::is_number(word, true));
        assert_eq!(is_number, [true, true, true, true, true, false, false, false, false, false]);
        assert!(!super::is_number("-5", false));
    }
}
