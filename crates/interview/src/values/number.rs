//! Numbers in words, up to hundreds, as they are said in addresses and phone numbers.

use crate::blueprint::Language;

/// A number in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Number {
    /// A digit.
    Unit(u32),
    /// A multiple of ten to which a digit may be added: "forty".
    Tens(u32),
    /// Any other: "twelve", "zweiundvierzig", "ottocento".
    Other(u32),
}

const ENGLISH: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const ENGLISH_TENS: [&str; 8] =
    ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const GERMAN: [&str; 20] = [
    "null",
    "eins",
    "zwei",
    "drei",
    "vier",
    "fünf",
    "sechs",
    "sieben",
    "acht",
    "neun",
    "zehn",
    "elf",
    "zwölf",
    "dreizehn",
    "vierzehn",
    "fünfzehn",
    "sechzehn",
    "siebzehn",
    "achtzehn",
    "neunzehn",
];
const GERMAN_TENS: [&str; 8] =
    ["zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"];
const ITALIAN: [&str; 20] = [
    "zero",
    "uno",
    "due",
    "tre",
    "quattro",
    "cinque",
    "sei",
    "sette",
    "otto",
    "nove",
    "dieci",
    "undici",
    "dodici",
    "tredici",
    "quattordici",
    "quindici",
    "sedici",
    "diciassette",
    "diciotto",
    "diciannove",
];
const ITALIAN_TENS: [&str; 8] =
    ["venti", "trenta", "quaranta", "cinquanta", "sessanta", "settanta", "ottanta", "novanta"];

/// The words for the digits, from zero to nine.
pub(super) fn digits(language: Language) -> &'static [&'static str] {
    &small(language)[..10]
}

fn small(language: Language) -> &'static [&'static str; 20] {
    match language {
        Language::English => &ENGLISH,
        Language::German => &GERMAN,
        Language::Italian => &ITALIAN,
    }
}

fn tens(language: Language) -> &'static [&'static str; 8] {
    match language {
        Language::English => &ENGLISH_TENS,
        Language::German => &GERMAN_TENS,
        Language::Italian => &ITALIAN_TENS,
    }
}

/// The number that a word is, in small letters.
pub(super) fn number(word: &str, language: Language) -> Option<Number> {
    let word = match (language, word) {
        (Language::English, "nought" | "nil") => "zero",
        (Language::English, "fourty") => "forty",
        (Language::German, "zwo") => "zwei",
        (Language::German, "fuenf") => "fünf",
        (Language::German, "zwoelf") => "zwölf",
        (Language::German, "dreissig") => "dreißig",
        (Language::English | Language::German | Language::Italian, word) => word,
    };
    if let Some(small) = place(small(language), word) {
        return Some(if small < 10 { Number::Unit(small) } else { Number::Other(small) });
    }
    if let Some(place) = place(tens(language), word) {
        return Some(Number::Tens(20 + 10 * place));
    }
    let large = match language {
        Language::English => None,
        Language::German => hundreds(word, "hundert", language).or_else(|| german_tens(word)),
        Language::Italian => hundreds(word, "cento", language).or_else(|| italian_tens(word)),
    };
    large.map(Number::Other)
}

fn place(words: &[&str], wanted: &str) -> Option<u32> {
    u32::try_from(words.iter().position(|word| *word == wanted)?).ok()
}

/// "Achthundert", "ottocento".
fn hundreds(word: &str, hundred: &str, language: Language) -> Option<u32> {
    let unit = word.strip_suffix(hundred)?;
    let is_one = unit.is_empty() || unit == "ein";
    Some(100 * if is_one { 1 } else { place(digits(language), unit)? })
}

/// "Zweiundvierzig".
fn german_tens(word: &str) -> Option<u32> {
    let word = word.replace("dreissig", "dreißig").replace("fuenf", "fünf");
    let (unit, ten) = word.rsplit_once("und")?;
    let unit =
        if unit == "ein" { 1 } else { place(&GERMAN[..10], unit).filter(|unit| *unit > 1)? };
    Some(20 + 10 * place(&GERMAN_TENS, ten)? + unit)
}

/// "Quarantadue", "ventuno".
fn italian_tens(word: &str) -> Option<u32> {
    let plain = word.replace('é', "e");
    ITALIAN_TENS.iter().zip(2u32..).find_map(|(ten, n)| {
        let stem = &ten[..ten.len() - 1];
        let rest = plain.strip_prefix(ten).or_else(|| plain.strip_prefix(stem))?;
        let unit = place(&ITALIAN[..10], rest).filter(|unit| *unit > 0)?;
        Some(10 * n + unit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// L06: numbers in words are what they say, in three languages.
    #[test]
    fn numbers_are_read() {
        use Language::{English, German, Italian};
        for (word, language, wanted) in [
            ("seven", English, Some(Number::Unit(7))),
            ("nineteen", English, Some(Number::Other(19))),
            ("forty", English, Some(Number::Tens(40))),
            ("forth", English, None),
            ("zwo", German, Some(Number::Unit(2))),
            ("einundzwanzig", German, Some(Number::Other(21))),
            ("fuenfunddreissig", German, Some(Number::Other(35))),
            ("achthundert", German, Some(Number::Other(800))),
            ("hund", German, None),
            ("und", German, None),
            ("ventuno", Italian, Some(Number::Other(21))),
            ("trentotto", Italian, Some(Number::Other(38))),
            ("quarantatré", Italian, Some(Number::Other(43))),
            ("ottocento", Italian, Some(Number::Other(800))),
            ("cento", Italian, Some(Number::Other(100))),
            ("venti", Italian, Some(Number::Tens(20))),
            ("recento", Italian, None),
        ] {
            assert_eq!(number(word, language), wanted, "{word}");
        }
    }
}
