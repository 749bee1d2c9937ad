//! Amounts: numbers with their units, prices, and ranges of both.

use interview::blueprint::Language;

use super::{digits, numbers, place::Place, scan::Scan};

/// The longest number that is read as one.
const DIGITS_MAX: usize = 12;

/// A number as it is written.
#[derive(Clone, Copy)]
struct Number<'a> {
    whole: u64,
    /// The digits behind the decimal mark.
    fraction: &'a str,
    /// Whether the mark is the language's own; the other one stands in versions.
    is_decimal: bool,
    /// Of four digits, without a mark.
    may_be_year: bool,
    /// "million", "Mio.", "k": as written, for one, for many.
    scale: Option<[&'static str; 3]>,
}

impl Number<'_> {
    fn is_one(&self) -> bool {
        self.whole == 1 && self.fraction.is_empty() && self.scale.is_none()
    }

    fn is_year(&self) -> bool {
        self.may_be_year && (1_900..2_100).contains(&self.whole) && self.scale.is_none()
    }

    /// The words, with `one` for a single one.
    fn words(&self, place: Place<'_>, one: &str) -> String {
        let cardinal = |number| numbers::cardinal(number, place.language);
        let base = match self.fraction {
            "" => cardinal(self.whole),
            fraction if self.is_decimal => {
                let point = place.table.word("point");
                format!(
                    "{} {point} {}",
                    cardinal(self.whole),
                    numbers::spelled(fraction, place.language)
                )
            }
            fraction => {
                let dot = place.table.word("dot");
                format!("{} {dot} {}", cardinal(self.whole), digits::group(place, fraction))
            }
        };
        match self.scale {
            Some([_, "thousand", _]) => self.thousands().map_or(base, cardinal),
            Some([_, one, _]) if self.whole == 1 && self.fraction.is_empty() => one.to_owned(),
            Some([_, _, many]) => format!("{base} {many}"),
            None if self.is_one() => one.to_owned(),
            None => base,
        }
    }

    /// The number that "1.5k" stands for.
    fn thousands(&self) -> Option<u64> {
        let fraction: u64 = format!("{:0<3}", self.fraction).parse().ok()?;
        (self.fraction.len() <= 3).then_some(())?;
        self.whole.checked_mul(1_000)?.checked_add(fraction)
    }
}

/// Reads "1,234.5" or, where that is how it is written, "1.234,5"; with "k" or "million" behind it.
fn number<'a>(place: Place<'_>, scan: &mut Scan<'a>) -> Option<Number<'a>> {
    let (mark, decimal) = match place.language {
        Language::English => (",", "."),
        Language::German | Language::Italian => (".", ","),
    };
    let first = scan.digits();
    if first.is_empty() || first.len() > DIGITS_MAX || first.len() > 1 && first.starts_with('0') {
        return None;
    }
    let mut written = first.to_owned();
    while first.len() <= 3 && written.len() + 3 <= DIGITS_MAX {
        let before = *scan;
        let group = if scan.eat(mark) { scan.digits() } else { "" };
        if group.len() != 3 {
            *scan = before;
            break;
        }
        written.push_str(group);
    }
    let may_be_year = first.len() == 4;
    let own = fraction(scan, decimal);
    // "1,5" in English is two numbers.
    let other = if own.is_none() && mark == "." { fraction(scan, mark) } else { None };
    Some(Number {
        whole: written.parse().ok()?,
        fraction: own.or(other).unwrap_or_default(),
        is_decimal: other.is_none(),
        may_be_year: may_be_year && own.is_none() && other.is_none(),
        scale: scale(place, scan),
    })
}

fn fraction<'a>(scan: &mut Scan<'a>, mark: &str) -> Option<&'a str> {
    let before = *scan;
    let digits = if scan.eat(mark) { scan.digits() } else { "" };
    if digits.is_empty() {
        *scan = before;
    }
    Some(digits).filter(|digits| !digits.is_empty())
}

fn scale(place: Place<'_>, scan: &mut Scan<'_>) -> Option<[&'static str; 3]> {
    let before = *scan;
    let is_apart = scan.blank();
    let scale =
        place.table.scale(scan.rest()).filter(|[written, ..]| !is_apart || written.len() > 2);
    match scale {
        Some([written, ..]) => scan.skip(written.len()),
        None => *scan = before,
    }
    scale
}

/// Reads the other end of a range, which is the larger one, or of years its last two digits.
fn other_end<'a>(
    place: Place<'_>,
    first: Number<'_>,
    scan: &mut Scan<'a>,
    sign: Option<&str>,
) -> Option<Number<'a>> {
    let before = *scan;
    let second = scan.dash().then(|| {
        let _ = sign.is_some_and(|sign| scan.eat(sign));
        number(place, scan)
    });
    let second = second.flatten().filter(|second| {
        let is_later = second.scale.is_some() || second.whole > first.whole;
        is_later || first.is_year() && (10..100).contains(&second.whole)
    });
    if second.is_none() {
        *scan = before;
    }
    second
}

/// Reads "$120k–$150k", "5,50 €", "EUR 3 Mio.".
pub(super) fn money(place: Place<'_>, scan: &mut Scan<'_>) -> Option<String> {
    let sign = place.table.currency(scan.rest());
    let first = match sign {
        Some([sign, ..]) => {
            scan.skip(sign.len());
            scan.blank();
            number(place, scan)?
        }
        None => number(place, scan)?,
    };
    let mut second = other_end(place, first, scan, sign.map(|[sign, ..]| sign));
    let is_more = scan.eat("+");
    let [_, one, many] = match sign {
        Some(sign) => sign,
        None => {
            scan.blank();
            let sign = place.table.currency(scan.rest())?;
            scan.skip(sign[0].len());
            // "5 € – 7 €"
            second = second.or_else(|| suffixed(place, first, scan, sign[0]));
            sign
        }
    };
    let words = match second {
        Some(second) => {
            // "$3–4 million": the scale is that of both.
            let first = Number { scale: first.scale.or(second.scale), ..first };
            let of = of_scale(place, second);
            let many = format!("{of}{many}");
            let ends = [first, second].map(|end| end.words(place, place.table.word("one")));
            format!("{} {many}", range_of(place, first, second, ends))
        }
        None => price(place, first, [one, many]),
    };
    let words = if is_more { format!("{} {words}", place.table.word("more than")) } else { words };
    Some(words + &per(place, scan))
}

/// The other end of a range of prices that are written before their sign.
fn suffixed<'a>(
    place: Place<'_>,
    first: Number<'_>,
    scan: &mut Scan<'a>,
    sign: &str,
) -> Option<Number<'a>> {
    let before = *scan;
    let second = other_end(place, first, scan, None).filter(|_| {
        scan.blank();
        scan.eat(sign)
    });
    if second.is_none() {
        *scan = before;
    }
    second
}

/// The words of a range; those of a scale that both have are said once.
fn range_of(place: Place<'_>, first: Number<'_>, second: Number<'_>, ends: [String; 2]) -> String {
    let [mut low, high] = ends;
    if let (Some(scale), Some([_, _, many])) = (first.scale, second.scale)
        && scale[1] != "thousand"
        && scale[2] == many
    {
        let end = low.len().saturating_sub(many.len() + 1);
        if low.ends_with(many) {
            low.truncate(end);
        }
    }
    place.range(&low, &high)
}

/// What joins "un milione" and "euro".
fn of_scale(place: Place<'_>, number: Number<'_>) -> String {
    let of = place.table.word("scale of");
    let has_scale = number.scale.is_some_and(|[_, name, _]| name != "thousand");
    if has_scale && !of.is_empty() { format!("{of} ") } else { String::new() }
}

/// One price, its hundredths as such.
fn price(place: Place<'_>, number: Number<'_>, [one, many]: [&str; 2]) -> String {
    let word = |name: &str| place.table.word(name);
    let hundredths: u64 = number.fraction.parse().unwrap_or_default();
    let has_hundredths = number.fraction.len() == 2 && number.scale.is_none();
    let whole = Number { fraction: if has_hundredths { "" } else { number.fraction }, ..number };
    let unit = if whole.is_one() { one } else { many };
    let words = format!("{} {}{unit}", whole.words(place, word("one")), of_scale(place, number));
    if !has_hundredths || hundredths == 0 {
        return words;
    }
    let cents = numbers::cardinal(hundredths, place.language);
    let name = match word(&format!("hundredths of {many}")) {
        "" => word("hundredths"),
        name => name,
    };
    match (number.whole, word("and hundredths")) {
        (0, _) => format!("{cents} {name}"),
        (_, "") => format!("{words} {cents}"),
        (_, and) if place.language == Language::English => format!("{words} {and} {cents} {name}"),
        (_, and) => format!("{words} {and} {cents}"),
    }
}

/// Reads "/h", "/month".
fn per(place: Place<'_>, scan: &mut Scan<'_>) -> String {
    match place.table.per(scan.rest()) {
        Some([written, words, _]) => {
            scan.skip(written.len());
            let dot = if written.ends_with('.') && scan.ends_sentence() { "." } else { "" };
            format!(" {words}{dot}")
        }
        None => String::new(),
    }
}

/// Reads a number, or two as a range, with their unit: "3–5 years", "40%", "10+ years", "-5 °C", "21st".
pub(super) fn quantity(place: Place<'_>, scan: &mut Scan<'_>) -> Option<String> {
    let is_apart = place.before.is_empty() || place.before.ends_with([' ', '(']);
    let is_negative = is_apart && scan.one_of("-−").is_some();
    let first = number(place, scan)?;
    if let Some(words) = ordinal(place, first, scan) {
        return Some(words);
    }
    let second = if is_negative { None } else { other_end(place, first, scan, None) };
    let is_more = scan.eat("+");
    let unit = unit(place, scan);
    if !scan.ends_word() {
        return None;
    }
    let words = match second {
        Some(second) if first.is_year() => {
            let last = match second.is_year() {
                true => numbers::year(second.whole, place.language),
                false => numbers::cardinal(second.whole, place.language),
            };
            place.range(&numbers::year(first.whole, place.language), &last)
        }
        Some(second) => {
            let first = Number { scale: first.scale.or(second.scale), ..first };
            let ends = [first, second].map(|end| end.words(place, place.table.word("one alone")));
            range_of(place, first, second, ends)
        }
        None if first.is_year() && unit.is_none() => numbers::year(first.whole, place.language),
        None => {
            let named = unit.map(|[_, one, _]| format!(" {one}"));
            first.words(place, one_of(place, named.as_deref().unwrap_or(scan.rest())))
        }
    };
    let words = match unit {
        Some([_, one, _]) if second.is_none() && first.is_one() => format!("{words} {one}"),
        Some([_, _, many]) => format!("{words} {many}"),
        None => words,
    };
    let words = words + &per(place, scan);
    Some(match (is_negative, is_more) {
        (true, _) => format!("{} {words}", place.table.word("minus")),
        (false, true) => format!("{} {words}", place.table.word("more than")),
        (false, false) => words,
    })
}

fn unit(place: Place<'_>, scan: &mut Scan<'_>) -> Option<[&'static str; 3]> {
    let before = *scan;
    scan.blank();
    let unit = place.table.unit(scan.rest());
    match unit {
        Some([written, ..]) => scan.skip(written.len()),
        None => *scan = before,
    }
    unit
}

/// A single one of what follows: "ein Jahr", "eine Frage", "un anno", "una domanda".
fn one_of(place: Place<'_>, rest: &str) -> &'static str {
    let word = rest.split_whitespace().next().unwrap_or_default();
    let word = word.trim_end_matches(|c: char| !c.is_alphanumeric());
    let is_noun = rest.starts_with([' ', '\u{a0}']) && word.chars().all(char::is_alphabetic);
    let ends = |endings: &[&str]| endings.iter().any(|ending| word.ends_with(ending));
    let (one, feminine) = match place.language {
        Language::English => ("one alone", false),
        Language::German if is_noun && word.starts_with(char::is_uppercase) => {
            ("one", ends(&["e", "ung", "heit", "keit", "ion"]))
        }
        Language::Italian if is_noun && ends(&["a", "o", "e"]) && word.len() > 2 => {
            ("one", ends(&["a", "ione"]))
        }
        Language::German | Language::Italian => ("one alone", false),
    };
    place.table.word(if feminine { "one feminine" } else { one })
}

/// Reads "21st", "1990s", "der 3. Kandidat", "2º".
fn ordinal(place: Place<'_>, number: Number<'_>, scan: &mut Scan<'_>) -> Option<String> {
    if !number.fraction.is_empty() || number.scale.is_some() {
        return None;
    }
    let mut ahead = *scan;
    let words = match place.language {
        Language::English => match ahead.letters() {
            "st" | "nd" | "rd" | "th" => numbers::english_ordinal(number.whole),
            "s" if number.is_year() && number.whole.is_multiple_of(10) => {
                let year = numbers::year(number.whole, place.language);
                match year.strip_suffix('y') {
                    Some(stem) => format!("{stem}ies"),
                    None => format!("{year}s"),
                }
            }
            _ => return None,
        },
        Language::German => {
            let ending = german_ending(place)?;
            let is_counted = ahead.eat(".");
            let mut next = ahead;
            if !is_counted || !next.blank() || !next.peek().is_some_and(char::is_alphabetic) {
                return None;
            }
            format!("{}{ending}", numbers::german_ordinal(number.whole))
        }
        Language::Italian => {
            ahead.one_of("º")?;
            let name = place.table.word(&format!("{}º", number.whole));
            if name.is_empty() {
                return None;
            }
            name.to_owned()
        }
    };
    *scan = ahead;
    scan.ends_word().then_some(words)
}

/// The ending of a German ordinal behind the word before it; nothing where none can stand.
pub(super) fn german_ending(place: Place<'_>) -> Option<&'static str> {
    let after =
        ["in", "an", "bei", "mit", "nach", "zu", "von", "seit", "aus", "auf", "vor", "während"];
    let mut words = place.before.split_whitespace().rev();
    let is_dative = words.next() == Some("der")
        && words.next().is_some_and(|word| after.contains(&word.to_lowercase().as_str()));
    if is_dative {
        return Some("en");
    }
    if place.follows(&["der", "die", "das", "diese", "dieser", "dieses"]) {
        return Some("e");
    }
    let others = [
        "dem", "den", "des", "am", "im", "zum", "zur", "vom", "beim", "ab", "bis", "seit", "einer",
        "ihrer", "ihrem", "ihren", "unserer", "unserem", "unseren", "diesem", "diesen",
    ];
    place.follows(&others).then_some("en")
}
