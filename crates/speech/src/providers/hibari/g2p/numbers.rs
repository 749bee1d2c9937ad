//! English words for whole numbers: cardinals, ordinals, years.

const ONES: [&str; 20] = [
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
const TENS: [&str; 10] =
    ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
/// The names of the powers of a thousand.
const SCALES: [&str; 12] = [
    "",
    " thousand",
    " million",
    " billion",
    " trillion",
    " quadrillion",
    " quintillion",
    " sextillion",
    " septillion",
    " octillion",
    " nonillion",
    " decillion",
];
/// The ordinals that are no cardinal with an ending.
const ORDINALS: [(&str, &str); 7] = [
    ("one", "first"),
    ("two", "second"),
    ("three", "third"),
    ("five", "fifth"),
    ("eight", "eighth"),
    ("nine", "ninth"),
    ("twelve", "twelfth"),
];
/// The lowest number without a name here.
const NAMELESS: u128 = 1_000u128.pow(SCALES.len() as u32);

/// Returns "one thousand, two hundred and thirty-four" for "1234"; a number without a name digit by digit.
/// Other characters than digits are ignored.
pub(super) fn cardinal_of(digits: &str) -> String {
    let digits: String = digits.chars().filter(char::is_ascii_digit).collect();
    match digits.parse::<u128>() {
        Ok(number) if number < NAMELESS => cardinal(number),
        _ => spelled(&digits),
    }
}

/// Returns each digit by itself: "one two zero" for "120".
pub(super) fn spelled(digits: &str) -> String {
    let digits = digits.chars().filter_map(|digit| digit.to_digit(10));
    digits.map(|digit| ONES[digit as usize]).collect::<Vec<_>>().join(" ")
}

/// Returns "twenty-one" for 21. `number` is less than [`NAMELESS`].
pub(super) fn cardinal(number: u128) -> String {
    let (mut rest, mut groups) = (number, Vec::new());
    for scale in SCALES {
        let group = (rest % 1_000) as usize;
        if group > 0 || number == 0 && scale.is_empty() {
            groups.push(below_thousand(group) + scale);
        }
        rest /= 1_000;
    }
    groups.reverse();
    match groups.split_last() {
        // "one thousand and one"
        Some((last, above)) if !above.is_empty() && (1..100).contains(&(number % 1_000)) => {
            format!("{} and {last}", above.join(", "))
        }
        _ => groups.join(", "),
    }
}

fn below_thousand(number: usize) -> String {
    let (hundreds, rest) = (number / 100, number % 100);
    let below_hundred = match (rest / 10, rest % 10) {
        (0 | 1, _) => ONES[rest].to_owned(),
        (tens, 0) => TENS[tens].to_owned(),
        (tens, ones) => format!("{}-{}", TENS[tens], ONES[ones]),
    };
    match (hundreds, rest) {
        (0, _) => below_hundred,
        (_, 0) => format!("{} hundred", ONES[hundreds]),
        _ => format!("{} hundred and {below_hundred}", ONES[hundreds]),
    }
}

/// Returns "twenty-first" for "21".
pub(super) fn ordinal_of(digits: &str) -> String {
    let cardinal = cardinal_of(digits);
    let from = cardinal.rfind([' ', '-']).map_or(0, |at| at + 1);
    let (head, last) = cardinal.split_at(from);
    let irregular = ORDINALS.iter().find(|(cardinal, _)| *cardinal == last);
    match (irregular, last.strip_suffix('y')) {
        (Some((_, ordinal)), _) => format!("{head}{ordinal}"),
        (None, Some(stem)) => format!("{head}{stem}ieth"),
        (None, None) => format!("{head}{last}th"),
    }
}

/// Returns a number of four digits as a year: "nineteen oh-five", "two thousand and five", "twenty ten".
pub(super) fn year(number: u16) -> String {
    let (high, low) = (u128::from(number / 100), u128::from(number % 100));
    if high == 0 || (high.is_multiple_of(10) && low < 10) || high >= 100 {
        return cardinal(number.into());
    }
    let low = match low {
        0 => "hundred".to_owned(),
        1..10 => format!("oh-{}", cardinal(low)),
        _ => cardinal(low),
    };
    format!("{} {low}", cardinal(high))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers are read as people read them out.
    #[test]
    fn numbers_have_words() {
        for (digits, words) in [
            ("0", "zero"),
            ("7", "seven"),
            ("13", "thirteen"),
            ("40", "forty"),
            ("99", "ninety-nine"),
            ("100", "one hundred"),
            ("342", "three hundred and forty-two"),
            ("1000", "one thousand"),
            ("1001", "one thousand and one"),
            ("1,234", "one thousand, two hundred and thirty-four"),
            ("1000000", "one million"),
            ("2000017", "two million and seventeen"),
            ("2300400", "two million, three hundred thousand, four hundred"),
            (
                "999999999999",
                "nine hundred and ninety-nine billion, nine hundred and ninety-nine million, \
                nine hundred and ninety-nine thousand, nine hundred and ninety-nine",
            ),
            (&"9".repeat(40), &["nine"; 40].join(" ")),
            ("", ""),
        ] {
            assert_eq!(cardinal_of(digits), words, "{digits}");
        }
        for (digits, words) in [
            ("1", "first"),
            ("12", "twelfth"),
            ("20", "twentieth"),
            ("22", "twenty-second"),
            ("100", "one hundredth"),
            ("101", "one hundred and first"),
            ("1000", "one thousandth"),
        ] {
            assert_eq!(ordinal_of(digits), words, "{digits}");
        }
        for (number, words) in [
            (1999, "nineteen ninety-nine"),
            (1905, "nineteen oh-five"),
            (1900, "nineteen hundred"),
            (2000, "two thousand"),
            (2005, "two thousand and five"),
            (2024, "twenty twenty-four"),
            (42, "forty-two"),
        ] {
            assert_eq!(year(number), words, "{number}");
        }
    }
}
