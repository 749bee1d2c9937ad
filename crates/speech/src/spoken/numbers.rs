//! The names of numbers.

use interview::blueprint::Language;

/// The lowest number that is read digit by digit.
const NAMELESS: u64 = 1_000_000_000_000;

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
const ENGLISH_TENS: [&str; 10] =
    ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
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
const GERMAN_TENS: [&str; 10] = [
    "", "", "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig",
];
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
const ITALIAN_TENS: [&str; 10] = [
    "",
    "",
    "venti",
    "trenta",
    "quaranta",
    "cinquanta",
    "sessanta",
    "settanta",
    "ottanta",
    "novanta",
];
/// The ordinals that do not follow from the cardinals.
const ENGLISH_ORDINALS: [(&str, &str); 7] = [
    ("one", "first"),
    ("two", "second"),
    ("three", "third"),
    ("five", "fifth"),
    ("eight", "eighth"),
    ("nine", "ninth"),
    ("twelve", "twelfth"),
];

/// Returns the name of a number: "forty-two", "zweiundvierzig", "quarantadue".
pub(super) fn cardinal(number: u64, language: Language) -> String {
    if number >= NAMELESS {
        return spelled(&number.to_string(), language);
    }
    match language {
        Language::English => english(number),
        Language::German => german(number),
        Language::Italian => italian(number),
    }
}

/// Returns the digits one by one: "zero nine five eight".
pub(super) fn spelled(digits: &str, language: Language) -> String {
    let names = match language {
        Language::English => ENGLISH,
        Language::German => GERMAN,
        Language::Italian => ITALIAN,
    };
    let digits = digits.chars().filter_map(|digit| digit.to_digit(10));
    digits.map(|digit| names[digit as usize]).collect::<Vec<_>>().join(" ")
}

/// Returns a year: "nineteen ninety-nine", "neunzehnhundertneunundneunzig", "millenovecentonovantanove".
pub(super) fn year(number: u64, language: Language) -> String {
    let (high, low) = (number / 100, number % 100);
    let has_centuries = (11..20).contains(&high);
    match language {
        Language::English if has_centuries || high == 20 && low >= 10 => match low {
            0 => format!("{} hundred", english(high)),
            1..10 => format!("{} oh {}", english(high), english(low)),
            _ => format!("{} {}", english(high), english(low)),
        },
        Language::German if has_centuries => {
            let rest = if low == 0 { String::new() } else { german(low) };
            format!("{}hundert{rest}", german(high))
        }
        Language::English | Language::German | Language::Italian => cardinal(number, language),
    }
}

/// Returns an English ordinal: "twenty-first".
pub(super) fn english_ordinal(number: u64) -> String {
    let cardinal = english(number);
    let from = cardinal.rfind([' ', '-']).map_or(0, |at| at + 1);
    let (head, last) = cardinal.split_at(from);
    let irregular = ENGLISH_ORDINALS.iter().find(|(cardinal, _)| *cardinal == last);
    match (irregular, last.strip_suffix('y')) {
        (Some((_, ordinal)), _) => format!("{head}{ordinal}"),
        (None, Some(stem)) => format!("{head}{stem}ieth"),
        (None, None) => format!("{head}{last}th"),
    }
}

/// Returns a German ordinal without its ending, which the text around it decides: "dritt", "zwanzigst".
pub(super) fn german_ordinal(number: u64) -> String {
    match number {
        1 => "erst".to_owned(),
        3 => "dritt".to_owned(),
        7 => "siebt".to_owned(),
        8 => "acht".to_owned(),
        _ => match number % 100 {
            1..20 => format!("{}t", german(number)),
            _ => format!("{}st", german(number)),
        },
    }
}

fn english(number: u64) -> String {
    let below = |unit: u64, name: &str| {
        let (head, rest) = (english(number / unit), number % unit);
        let tail = if rest == 0 { String::new() } else { format!(" {}", english(rest)) };
        format!("{head} {name}{tail}")
    };
    match number {
        0..20 => ENGLISH[number as usize].to_owned(),
        20..100 => match number % 10 {
            0 => ENGLISH_TENS[(number / 10) as usize].to_owned(),
            ones => format!("{}-{}", ENGLISH_TENS[(number / 10) as usize], ENGLISH[ones as usize]),
        },
        100..1_000 => below(100, "hundred"),
        1_000..1_000_000 => below(1_000, "thousand"),
        1_000_000..1_000_000_000 => below(1_000_000, "million"),
        _ => below(1_000_000_000, "billion"),
    }
}

fn german(number: u64) -> String {
    // "eins" loses its s before more of the word.
    let head = |number: u64| if number == 1 { "ein".to_owned() } else { german(number) };
    let joined = |unit: u64, name: &str| {
        let rest = number % unit;
        let tail = if rest == 0 { String::new() } else { german(rest) };
        format!("{}{name}{tail}", head(number / unit))
    };
    let apart = |unit: u64, one: &str, many: &str| {
        let (count, rest) = (number / unit, number % unit);
        let head =
            if count == 1 { format!("eine {one}") } else { format!("{} {many}", german(count)) };
        if rest == 0 { head } else { format!("{head} {}", german(rest)) }
    };
    match number {
        0..20 => GERMAN[number as usize].to_owned(),
        20..100 => match number % 10 {
            0 => GERMAN_TENS[(number / 10) as usize].to_owned(),
            ones => format!("{}und{}", head(ones), GERMAN_TENS[(number / 10) as usize]),
        },
        100..1_000 => joined(100, "hundert"),
        1_000..1_000_000 => joined(1_000, "tausend"),
        1_000_000..1_000_000_000 => apart(1_000_000, "Million", "Millionen"),
        _ => apart(1_000_000_000, "Milliarde", "Milliarden"),
    }
}

fn italian(number: u64) -> String {
    let tail = |rest: u64| match rest {
        0 => String::new(),
        3 => "tré".to_owned(),
        _ => italian(rest),
    };
    let apart = |unit: u64, one: &str, many: &str| {
        let (count, rest) = (number / unit, number % unit);
        let head =
            if count == 1 { format!("un {one}") } else { format!("{} {many}", italian(count)) };
        if rest == 0 { head } else { format!("{head} {}", italian(rest)) }
    };
    match number {
        0..20 => ITALIAN[number as usize].to_owned(),
        20..100 => {
            let (tens, ones) = (ITALIAN_TENS[(number / 10) as usize], number % 10);
            let elided = &tens[..tens.len() - 1];
            match ones {
                0 => tens.to_owned(),
                1 | 8 => format!("{elided}{}", italian(ones)),
                3 => format!("{tens}tré"),
                _ => format!("{tens}{}", italian(ones)),
            }
        }
        100..1_000 => {
            let head = if number < 200 { String::new() } else { italian(number / 100) };
            match number % 100 {
                rest @ (8 | 80..90) => format!("{head}cent{}", italian(rest)),
                rest => format!("{head}cento{}", tail(rest)),
            }
        }
        1_000..2_000 => format!("mille{}", tail(number % 1_000)),
        2_000..1_000_000 => {
            let thousands = italian(number / 1_000);
            // "ventunomila", and "ventitremila" without the accent of the end.
            let thousands = thousands.replace('é', "e");
            format!("{thousands}mila{}", tail(number % 1_000))
        }
        1_000_000..1_000_000_000 => apart(1_000_000, "milione", "milioni"),
        _ => apart(1_000_000_000, "miliardo", "miliardi"),
    }
}
