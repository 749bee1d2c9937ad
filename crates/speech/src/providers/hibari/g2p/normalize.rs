//! The writing out of short forms before a text is divided into words: times, dates, units, abbreviations,
//! money, ranges, signs. Plain numbers stay; `spoken` reads them.

use std::collections::BTreeMap;

use super::{
    numbers,
    scan::{Rule, Scan, is_word, rewrite},
};

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const LARGE: [&str; 5] = ["hundred", "thousand", "million", "billion", "trillion"];
const FRACTIONS: [&str; 9] =
    ["half", "third", "quarter", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
/// The signs that are words only between two things.
const BETWEEN: &str = "=<>~";

/// The words for short forms, as in the voice's file.
#[derive(serde::Deserialize)]
pub(super) struct Written {
    months: BTreeMap<String, String>,
    titles: BTreeMap<String, String>,
    abbreviations: BTreeMap<String, String>,
    units: BTreeMap<String, [String; 2]>,
    symbols: BTreeMap<char, String>,
    currency: BTreeMap<String, [String; 2]>,
    roman_cardinal: Vec<String>,
    roman_ordinal: Vec<String>,
}

impl Written {
    /// Whether a word is a title, so that a dot behind it ends no sentence.
    pub(super) fn is_title(&self, word: &str) -> bool {
        self.titles.contains_key(word)
    }

    /// Whether a dot between a word and a number ends no sentence: "Jan. 3rd", "No. 5".
    pub(super) fn counts(&self, word: &str) -> bool {
        ["No", "Nos", "Rs"].contains(&word) || self.abbreviations.contains_key(&format!("{word}."))
    }

    /// Returns the text with short forms written out.
    pub(super) fn out(&self, text: &str) -> String {
        let text = text.replace('’', "'").replace('‒', "-").replace('―', "—");
        let mut text = spaced_once(&text);
        let rules: [Rule; 20] = [
            &time,
            &|scan| self.iso_date(scan),
            &|scan| self.us_date(scan),
            &|scan| self.large_money(scan),
            &|scan| self.cents(scan),
            &|scan| self.foreign_money(scan),
            &degrees,
            &|scan| self.unit(scan),
            &|scan| self.month_and_day(scan),
            &|scan| self.day_and_month(scan),
            &|scan| self.title(scan),
            &|scan| self.abbreviation(scan),
            &number_sign,
            &|scan| roman(scan, &self.roman_cardinal, |number| number.to_string()),
            &|scan| roman(scan, &self.roman_ordinal, |number| format!("the {}", ordinal(number))),
            &phone,
            &|scan| self.fraction(scan),
            &range,
            &plus,
            &|scan| self.symbol(scan),
        ];
        for rule in rules {
            text = rewrite(&text, rule);
        }
        let text = spaced_once(&text);
        rewrite(&text, &|scan| {
            scan.one_of(" ")?;
            scan.one_of(",.;:!?").map(String::from)
        })
    }

    /// Returns a date in words: "October twelfth, 2019".
    fn date(&self, year: Option<&str>, month: usize, day: usize) -> Option<String> {
        let key = MONTHS.get(month.checked_sub(1)?)?;
        let month = self.months.get(*key).filter(|_| (1..=31).contains(&day))?;
        let year = year.map_or(String::new(), |year| format!(", {year}"));
        Some(format!("{month} {}{year}", ordinal(day)))
    }

    fn iso_date(&self, scan: &mut Scan) -> Option<String> {
        if !scan.begins_word() {
            return None;
        }
        let year = scan.digits(4..=4)?;
        let month = scan.text("-").then(|| scan.digits(2..=2))??;
        let day = scan.text("-").then(|| scan.digits(2..=2))??;
        let date = self.date(Some(&year), count(&month), count(&day));
        scan.ends_word().then(|| date.unwrap_or_else(|| scan.read()))
    }

    fn us_date(&self, scan: &mut Scan) -> Option<String> {
        if !scan.begins_word() {
            return None;
        }
        let first = count(&scan.digits(1..=2)?);
        let second = scan.text("/").then(|| scan.digits(1..=2))??;
        let year = scan.text("/").then(|| scan.digits(2..=4))?.filter(|year| year.len() != 3)?;
        if !scan.ends_word() {
            return None;
        }
        let century = match year.len() {
            4 => "",
            _ if count(&year) > 30 => "19",
            _ => "20",
        };
        let (month, day) = match first {
            ..=12 => (first, count(&second)),
            _ => (count(&second), first),
        };
        let date = self.date(Some(&format!("{century}{year}")), month, day);
        Some(date.unwrap_or_else(|| scan.read()))
    }

    /// Reads "$3.2 billion".
    fn large_money(&self, scan: &mut Scan) -> Option<String> {
        let sign = scan.one_of("$£€")?;
        let number = scan.number()?;
        scan.space();
        let large = large(scan)?;
        let [_, many] = self.currency.get(&sign.to_string())?;
        Some(format!("{number} {large} {many}"))
    }

    fn cents(&self, scan: &mut Scan) -> Option<String> {
        let number = free_number(scan, false)?;
        scan.space();
        scan.one_of("¢")?;
        let words = self.currency.get("¢")?;
        Some(format!("{number} {}", counted(&number, words)))
    }

    /// Reads "¥500", "USD 3 million".
    fn foreign_money(&self, scan: &mut Scan) -> Option<String> {
        if scan.before().is_some_and(is_word) {
            return None;
        }
        scan.first_of(["¥", "₹", "₩", "Rs.", "Rs", "USD", "EUR", "GBP"], |scan, sign| {
            let words = self.currency.get(sign.trim_end_matches('.'))?;
            scan.space();
            let number = scan.number()?;
            let before = *scan;
            scan.space();
            if let Some(large) = large(scan) {
                return Some(format!("{number} {large} {}", words[1]));
            }
            *scan = before;
            Some(format!("{number} {}", counted(&number, words)))
        })
    }

    fn unit(&self, scan: &mut Scan) -> Option<String> {
        let number = free_number(scan, true)?;
        scan.space();
        scan.first_of(longest_first(self.units.keys()), |scan, unit| {
            let words = self.units.get(unit).filter(|_| scan.ends_word())?;
            Some(format!("{number} {}", counted(&number, words)))
        })
    }

    /// Returns the names of months and their short forms, the longest first.
    fn month_names(&self) -> Vec<String> {
        let short = self.months.keys().map(|month| capitalized(month));
        let mut names: Vec<String> = self.months.values().cloned().chain(short).collect();
        names.push("Sept".to_owned());
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        names
    }

    /// Returns "January" for "Jan" and "January".
    fn month(&self, name: &str) -> Option<&String> {
        self.months.get(&name.get(..3)?.to_lowercase())
    }

    fn month_and_day(&self, scan: &mut Scan) -> Option<String> {
        if !scan.begins_word() {
            return None;
        }
        let names = self.month_names();
        scan.first_of(names.iter().map(String::as_str), |scan, name| {
            scan.text(".");
            let day = scan.text(" ").then(|| scan.digits(1..=2))??;
            let _ = ["st", "nd", "rd", "th"].iter().any(|end| scan.text(end));
            if !scan.ends_word() || scan.peek().is_some_and(|next| ":%".contains(next)) {
                return None;
            }
            let number = count(&day);
            let before = *scan;
            scan.text(",");
            let year = scan.text(" ").then(|| scan.digits(4..=4)).flatten();
            let year = year.filter(|_| scan.ends_word());
            if year.is_none() {
                *scan = before;
            }
            if !(1..=31).contains(&number) {
                return Some(scan.read());
            }
            let comma = if before.peek() == Some(',') { ", " } else { " " };
            let year = year.map_or(String::new(), |year| format!("{comma}{year}"));
            Some(format!("{} {}{year}", self.month(name)?, ordinal(number)))
        })
    }

    fn day_and_month(&self, scan: &mut Scan) -> Option<String> {
        if !scan.begins_word() {
            return None;
        }
        scan.text("the ");
        let day = count(&scan.digits(1..=2)?);
        if !scan.text(" ") {
            return None;
        }
        scan.text("of ");
        let names = self.month_names();
        scan.first_of(names.iter().map(String::as_str), |scan, name| {
            let month = self.month(name).filter(|_| scan.ends_word())?;
            scan.text(".");
            let is_day = (1..=31).contains(&day);
            Some(if is_day { format!("the {} of {month}", ordinal(day)) } else { scan.read() })
        })
    }

    /// Reads "St Paul", "Dr. No".
    fn title(&self, scan: &mut Scan) -> Option<String> {
        if !scan.begins_word() {
            return None;
        }
        scan.first_of(longest_first(self.titles.keys()), |scan, title| {
            scan.text(".");
            let space = scan.text(" ");
            let is_name = scan.peek().is_some_and(|next| next.is_ascii_uppercase());
            (space && is_name).then(|| format!("{} ", self.titles[title]))
        })
    }

    fn abbreviation(&self, scan: &mut Scan) -> Option<String> {
        if scan.before().is_some_and(|before| is_word(before) || before == '.') {
            return None;
        }
        scan.first_of(longest_first(self.abbreviations.keys()), |scan, short| {
            let long = self.abbreviations.get(short).filter(|_| scan.ends_word())?;
            let mut ahead = *scan;
            ahead.space();
            if ["no.", "nos."].contains(&short) && ahead.digits(1..=usize::MAX).is_none() {
                return None;
            }
            let dot = if scan.is_at_end() && short.ends_with('.') { "." } else { "" };
            Some(format!("{long}{dot}"))
        })
    }

    fn fraction(&self, scan: &mut Scan) -> Option<String> {
        if scan.before().is_some_and(|before| is_word(before) || "./".contains(before)) {
            return None;
        }
        let above = count(&scan.digits(1..=2)?);
        let below = count(&scan.text("/").then(|| scan.digits(1..=2))??);
        if scan.peek().is_some_and(|next| is_word(next) || "./".contains(next)) {
            return None;
        }
        let name = below.checked_sub(2).and_then(|at| FRACTIONS.get(at));
        Some(match (above, name) {
            (1, Some(&"half")) => "one half".to_owned(),
            (1, Some(name)) => format!("1 {name}"),
            (2.., Some(name)) if above < below => format!("{above} {name}s"),
            _ => self.date(None, above, below).unwrap_or_else(|| format!("{above} slash {below}")),
        })
    }

    fn symbol(&self, scan: &mut Scan) -> Option<String> {
        let is_solid = |character: Option<char>| character.is_some_and(|c| !c.is_whitespace());
        let start = *scan;
        let spaced = scan.text(" ") && is_solid(scan.before());
        if let Some(sign) = scan.one_of(BETWEEN) {
            let word = self.symbols.get(&sign)?;
            scan.text(" ");
            let is_between = (spaced || is_solid(scan.before())) && is_solid(scan.peek());
            return is_between.then(|| format!(" {word} "));
        }
        *scan = start;
        let sign = scan.peek().filter(|sign| !BETWEEN.contains(*sign))?;
        let word = self.symbols.get(&sign)?;
        scan.one_of(sign.encode_utf8(&mut [0; 4]))?;
        Some(format!(" {word} "))
    }
}

/// Reads "9:30am": "nine thirty AM".
fn time(scan: &mut Scan) -> Option<String> {
    if !scan.begins_word() {
        return None;
    }
    let hours = count(&scan.digits(1..=2)?);
    let minutes = count(&scan.text(":").then(|| scan.just_digits(2))??);
    let start = *scan;
    let mut seconds =
        scan.text(":").then(|| scan.just_digits(2)).flatten().map(|text| count(&text));
    if seconds.is_none() {
        *scan = start;
    }
    let mut half = half_of_day(scan);
    if scan.peek().is_some_and(|next| next.is_ascii_digit()) {
        // The digits are no seconds.
        (*scan, seconds) = (start, None);
        half = half_of_day(scan);
        if scan.peek().is_some_and(|next| next.is_ascii_digit()) {
            return None;
        }
    }
    if hours > 24 || minutes > 59 || seconds.is_some_and(|seconds| seconds > 59) {
        return Some(scan.read());
    }
    let mut words = cardinal(hours);
    match minutes {
        0 if half.is_none() && seconds.is_none() => words += " o'clock",
        0 => {}
        1..10 => words = words + " oh " + &cardinal(minutes),
        _ => words = words + " " + &cardinal(minutes),
    }
    if let Some(seconds) = seconds {
        let unit = if seconds == 1 { "second" } else { "seconds" };
        words = format!("{words} and {} {unit}", cardinal(seconds));
    }
    if let Some(half) = half {
        // With dots, so that the letters are spelled.
        let dot = if scan.peek() == Some('.') { "" } else { "." };
        words = format!("{words} {}.M{dot}", half.to_ascii_uppercase());
    }
    Some(words)
}

/// Reads "am", "p.m.".
fn half_of_day(scan: &mut Scan) -> Option<char> {
    let start = *scan;
    scan.space();
    let half = scan.one_of("AaPp");
    scan.text(".");
    let is_half = half.is_some() && scan.one_of("Mm").is_some();
    let is_letter = |scan: &Scan| scan.peek().is_some_and(|next| next.is_ascii_alphabetic());
    let before_dot = *scan;
    scan.text(".");
    if is_letter(scan) {
        *scan = before_dot;
    }
    if is_half && !is_letter(scan) {
        return half;
    }
    *scan = start;
    None
}

/// Reads a multiplier of money: "hundred", "million", "k".
fn large(scan: &mut Scan) -> Option<String> {
    let large = LARGE.into_iter().chain(["k", "K", "m", "M", "b", "B"]);
    scan.first_of(large, |scan, word| {
        let word = match word.to_ascii_lowercase().as_str() {
            "k" => "thousand",
            "m" => "million",
            "b" => "billion",
            _ => return Some(word.to_owned()),
        };
        scan.ends_word().then(|| word.to_owned())
    })
}

/// Reads a number that is no part of a word or of another number.
fn free_number(scan: &mut Scan, may_be_negative: bool) -> Option<String> {
    if scan.before().is_some_and(|before| is_word(before) || before == '.') {
        return None;
    }
    let minus = if may_be_negative && scan.text("-") { "-" } else { "" };
    Some(format!("{minus}{}", scan.number()?))
}

fn degrees(scan: &mut Scan) -> Option<String> {
    let number = free_number(scan, true)?;
    scan.space();
    scan.one_of("°")?;
    let before = *scan;
    scan.space();
    let scale = match scan.one_of("CF") {
        Some('C') if scan.ends_word() => " Celsius",
        Some('F') if scan.ends_word() => " Fahrenheit",
        _ => {
            *scan = before;
            ""
        }
    };
    let words = ["degree", "degrees"].map(str::to_owned);
    scan.ends_word().then(|| format!("{number} {}{scale}", counted(&number, &words)))
}

/// Reads "No. 5", "#5".
fn number_sign(scan: &mut Scan) -> Option<String> {
    let follows = |scan: &Scan| scan.peek().is_some_and(|next| next.is_ascii_digit());
    if scan.begins_word() {
        return scan.first_of(["Nos. ", "No. ", "Nos.", "No."], |scan, short| {
            let word = if short.starts_with("Nos") { "Numbers " } else { "Number " };
            follows(scan).then(|| word.to_owned())
        });
    }
    let is_free = !scan.before().is_some_and(|before| is_word(before) || before == '&');
    scan.one_of("#").filter(|_| is_free && follows(scan)).map(|_| "number ".to_owned())
}

/// Reads "Chapter IV", "Henry VIII".
fn roman(scan: &mut Scan, names: &[String], word: fn(usize) -> String) -> Option<String> {
    if !scan.begins_word() {
        return None;
    }
    scan.first_of(longest_first(names), |scan, name| {
        let starts = scan.text(" ") && scan.peek().is_some_and(|next| "IVXLC".contains(next));
        let number = starts.then(|| roman_number(scan))?;
        if !scan.ends_word() {
            return None;
        }
        let mut ahead = *scan;
        let goes_on = ahead.one_of(".'’").is_some() && !ahead.ends_word();
        (!goes_on).then(|| format!("{name} {}", word(number)))
    })
}

fn roman_number(scan: &mut Scan) -> usize {
    let mut number = 0;
    let mut up_to = |scan: &mut Scan, count: usize, digit: &str, value: usize| {
        for _ in 0..count {
            number += if scan.text(digit) { value } else { 0 };
        }
    };
    up_to(scan, 3, "M", 1_000);
    for (nine, four, five, one, value) in
        [("CM", "CD", "D", "C", 100), ("XC", "XL", "L", "X", 10), ("IX", "IV", "V", "I", 1)]
    {
        let before = *scan;
        up_to(scan, 1, nine, 9 * value);
        if scan.is_where(before) {
            up_to(scan, 1, four, 4 * value);
        }
        if scan.is_where(before) {
            up_to(scan, 1, five, 5 * value);
            up_to(scan, 3, one, value);
        }
    }
    number
}

/// Reads "555-1234" digit by digit.
fn phone(scan: &mut Scan) -> Option<String> {
    let is_part = |character: char| is_word(character) || ".-".contains(character);
    if scan.before().is_some_and(is_part) {
        return None;
    }
    let mut groups = vec![scan.digits(3..=3)?];
    while scan.text("-") {
        groups.push(scan.digits(3..=4)?);
    }
    let lengths: Vec<usize> = groups.iter().map(String::len).collect();
    let is_phone = matches!(lengths[..], [3, 4] | [3, 3, 4]) && !scan.peek().is_some_and(is_part);
    let spaced = |group: &String| group.chars().map(String::from).collect::<Vec<_>>().join(" ");
    is_phone.then(|| groups.iter().map(spaced).collect::<Vec<_>>().join(" , "))
}

fn range(scan: &mut Scan) -> Option<String> {
    if scan.before().is_some_and(|before| is_word(before) || ".-".contains(before)) {
        return None;
    }
    let from = scan.digits(1..=4)?;
    scan.space();
    scan.one_of("-–")?;
    scan.space();
    let to = scan.digits(1..=4)?;
    let goes_on = scan.peek().is_some_and(|next| is_word(next) || ".-%".contains(next));
    (!goes_on).then(|| format!("{from} to {to}"))
}

fn plus(scan: &mut Scan) -> Option<String> {
    let is_free = !scan.before().is_some_and(|before| is_word(before) || before == '+');
    let follows =
        scan.one_of("+").is_some() && scan.peek().is_some_and(|next| next.is_ascii_digit());
    (is_free && follows).then(|| "plus ".to_owned())
}

/// Returns the singular or the plural.
fn counted<'a>(number: &str, [one, many]: &'a [String; 2]) -> &'a str {
    if ["1", "1.0", "-1"].contains(&number.replace(',', "").as_str()) { one } else { many }
}

fn longest_first<'a>(texts: impl IntoIterator<Item = &'a String>) -> Vec<&'a str> {
    let mut texts: Vec<&str> = texts.into_iter().map(String::as_str).collect();
    texts.sort_by_key(|text| std::cmp::Reverse(text.chars().count()));
    texts
}

fn capitalized(word: &str) -> String {
    let mut rest = word.chars();
    rest.next().map_or(String::new(), |first| first.to_uppercase().chain(rest).collect())
}

fn spaced_once(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the number of at most four digits.
fn count(digits: &str) -> usize {
    digits.parse().unwrap_or(usize::MAX)
}

fn cardinal(number: usize) -> String {
    numbers::cardinal_of(&number.to_string())
}

fn ordinal(number: usize) -> String {
    numbers::ordinal_of(&number.to_string())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) fn written() -> Written {
        let json = r#"{
            "months": {"jan": "January", "mar": "March", "may": "May", "sep": "September", "oct": "October"},
            "titles": {"Dr": "Dr", "St": "Saint"},
            "abbreviations": {"St.": "Street", "approx.": "approximately", "vs": "versus",
                "no.": "number", "Jan.": "January"},
            "units": {"km": ["kilometer", "kilometers"],
                "km/h": ["kilometers per hour", "kilometers per hour"]},
            "symbols": {"=": "equals", "<": "less than", "×": "times", "™": "", "½": "one half"},
            "currency": {"$": ["dollar", "dollars"], "¥": ["yen", "yen"], "Rs": ["rupee", "rupees"],
                "¢": ["cent", "cents"], "USD": ["dollar", "dollars"]},
            "roman_cardinal": ["Chapter", "World War"],
            "roman_ordinal": ["Henry"]
        }"#;
        serde_json::from_str(json).unwrap()
    }

    /// Short forms are written out, and text that only looks like one stays.
    #[test]
    fn short_forms_are_written_out() {
        for (text, expected) in [
            (
                "at 9:30am, 7:00 or 10:05 p.m.",
                "at nine thirty A.M., seven o'clock or ten oh five P.M.",
            ),
            ("9:30:15, 25:00 and 1:234", "nine thirty and fifteen seconds, 25:00 and 1:234"),
            (
                "10/12/2019, 2019-10-12, 25/3/21",
                "October twelfth, 2019, October twelfth, 2019, March twenty-fifth, 2021",
            ),
            ("2019-13-45 and 99/99/1999", "2019-13-45 and 99/99/1999"),
            (
                "Jan. 3rd, Sept 21, 2020 and May 40",
                "January third, September twenty-first, 2020 and May 40",
            ),
            ("the 5 of May, 5 Oct. 2020", "the fifth of May, the fifth of October 2020"),
            ("$3.2 billion, $5m and $5", "3.2 billion dollars, 5 million dollars and $5"),
            ("¥1, Rs. 500, USD 3k, 50¢", "1 yen, 500 rupees, 3 thousand dollars, 50 cents"),
            ("20°C, -1 °F, 1°", "20 degrees Celsius, -1 degree Fahrenheit, 1 degree"),
            (
                "1 km, 5km, 80 km/h, 3 kmx",
                "1 kilometer, 5 kilometers, 80 kilometers per hour, 3 kmx",
            ),
            ("Dr. No, St Paul, Main St.", "Dr No, Saint Paul, Main Street."),
            ("approx. 5 vs 6", "approximately 5 versus 6"),
            ("yes or no. Item no. 5, No. 7, #8", "yes or no. Item number 5, Number 7, number 8"),
            ("Chapter IV, World War II, Henry VIII", "Chapter 4, World War 2, Henry the eighth"),
            ("Chapter IIX, Chapter I's", "Chapter IIX, Chapter I's"),
            ("555-1234 or 415-555-2671", "5 5 5, 1 2 3 4 or 4 1 5, 5 5 5, 2 6 7 1"),
            ("1/2, 3/4, 7/16, 1/30", "one half, 3 quarters, 7 slash 16, January thirtieth"),
            ("2-3 years, 10 – 12, 1-2-3", "2 to 3 years, 10 to 12, 1-2-3"),
            ("+3 and C++", "plus 3 and C++"),
            (
                "a = b, a<b, =, 3×4, x™ ½",
                "a equals b, a less than b, equals, 3 times 4, x one half",
            ),
            ("  it’s \t spaced .", "it's spaced."),
            ("", ""),
        ] {
            assert_eq!(written().out(text), expected, "{text}");
        }
    }

    proptest::proptest! {
        /// Any text can be processed without a panic.
        #[test]
        fn any_text_can_be_written_out(text in "[0-9a-zA-Z:/.,\\-–+#$¥¢°=<é ½]{0,40}|\\PC{0,20}") {
            written().out(&text);
        }
    }
}
