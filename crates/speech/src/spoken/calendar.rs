//! Days of the week and dates.

use interview::blueprint::Language;

use super::{amounts::german_ending, clock, numbers, place::Place, scan::Scan};

/// The words between two days of a list.
const JOINS: [&str; 8] = ["and", "or", "und", "oder", "bis", "to", "e", "o"];

/// Reads "Mon–Fri", "Tue/Thu", "Sat 10am": a short form that could be another word only beside another day or
/// a number.
pub(super) fn days(place: Place<'_>, scan: &mut Scan<'_>) -> Option<String> {
    let (first, is_sure) = day(place, scan)?;
    let before = *scan;
    if scan.dash()
        && let Some((second, _)) = day(place, scan)
    {
        return Some(place.range(first, second));
    }
    *scan = before;
    let mut all = vec![first];
    while let Some(next) = next_day(place, scan) {
        all.push(next);
    }
    let is_expected =
        place.follows(&["on", "by", "until", "every", "next", "ab", "bis", "jeden", "nächsten"]);
    let is_day = is_sure || is_expected || all.len() > 1 || follows_day(place);
    (is_day || precedes_time(place, *scan)).then(|| all.join(", "))
}

/// Whether a time, a date or another day comes next.
fn precedes_time(place: Place<'_>, mut ahead: Scan<'_>) -> bool {
    ahead.one_of(",");
    if !ahead.blank() {
        return false;
    }
    let (mut at_time, mut at_date) = (ahead, ahead);
    if clock::time(place, &mut at_time).is_some() || date(place, &mut at_date).is_some() {
        return true;
    }
    let word = ahead;
    if !JOINS.contains(&ahead.letters()) || !ahead.blank() {
        ahead = word;
    }
    day(place, &mut ahead).is_some()
}

fn day(place: Place<'_>, scan: &mut Scan<'_>) -> Option<(&'static str, bool)> {
    let before = *scan;
    let found = place.table.day(scan.letters());
    let Some((name, is_sure)) = found.filter(|_| scan.ends_word()) else {
        *scan = before;
        return None;
    };
    // The dot of a short form, which may end the sentence.
    let mut ahead = *scan;
    let is_short = before.rest().len() - scan.rest().len() < name.len();
    if is_short && ahead.eat(".") && !ahead.ends_sentence() {
        *scan = ahead;
    }
    Some((name, is_sure))
}

/// Another day behind a slash.
fn next_day(place: Place<'_>, scan: &mut Scan<'_>) -> Option<&'static str> {
    let before = *scan;
    let next = scan.eat("/").then(|| day(place, scan)).flatten();
    if next.is_none() {
        *scan = before;
    }
    next.map(|(name, _)| name)
}

/// Whether the words before end with a day, as in a list.
fn follows_day(place: Place<'_>) -> bool {
    let before = place.before.trim_end().trim_end_matches(['.', ',']);
    let mut words = before.split_whitespace().rev();
    let last = words.next().unwrap_or_default();
    let last = if JOINS.contains(&last) { words.next().unwrap_or_default() } else { last };
    place.table.day(last.trim_end_matches(['.', ','])).is_some()
}

/// Reads "2025-03-01", "01/02/2025", "3.5.2024", "May 3", "3 May 2024", "3. Mai", "3 maggio".
pub(super) fn date(place: Place<'_>, scan: &mut Scan<'_>) -> Option<String> {
    let start = *scan;
    for reading in [iso, numeric, month_first, day_first] {
        *scan = start;
        if let Some(words) = reading(place, scan) {
            return Some(words);
        }
    }
    *scan = start;
    None
}

fn iso(place: Place<'_>, scan: &mut Scan<'_>) -> Option<String> {
    let year = scan.digits();
    let month = scan.eat("-").then(|| scan.digits())?;
    let day = scan.eat("-").then(|| scan.digits())?;
    let is_iso = (year.len(), month.len(), day.len()) == (4, 2, 2) && scan.ends_word();
    is_iso.then(|| words(place, day, month.parse().ok()?, year)).flatten()
}

/// In English the month comes first, unless it cannot be one.
fn numeric(place: Place<'_>, scan: &mut Scan<'_>) -> Option<String> {
    let first = scan.digits();
    let mark = scan.one_of("/.")?;
    let second = scan.digits();
    let mut third = "";
    let before = *scan;
    if scan.one_of("/.") == Some(mark) {
        third = scan.digits();
    }
    let is_german = place.language == Language::German && mark == '.';
    // "am 3.5." has a dot at its end, and may have no year.
    if third.is_empty()
        && !(is_german && before.rest().starts_with('.') && german_ending(place).is_some())
    {
        return None;
    }
    // The dot that ends the sentence stays.
    if third.is_empty() && scan.ends_sentence() {
        *scan = before;
    }
    let lengths = [first.len(), second.len()].iter().all(|length| (1..=2).contains(length));
    if !lengths || ![0, 2, 4].contains(&third.len()) || !scan.ends_word() {
        return None;
    }
    let (one, two): (usize, usize) = (first.parse().ok()?, second.parse().ok()?);
    let is_month_first = place.language == Language::English && one <= 12;
    let (day, month) = if is_month_first { (second, one) } else { (first, two) };
    let century = if third.len() == 2 { "20" } else { "" };
    words(place, day, month, &format!("{century}{third}"))
}

fn month_first(place: Place<'_>, scan: &mut Scan<'_>) -> Option<String> {
    if place.language != Language::English {
        return None;
    }
    let (month, _) = place.table.month(scan.letters())?;
    scan.eat(".");
    let day = scan.blank().then(|| scan.digits()).filter(|day| (1..=2).contains(&day.len()))?;
    let _ = ["st", "nd", "rd", "th"].iter().any(|end| scan.eat(end));
    if !scan.ends_word() || scan.peek().is_some_and(|next| ":%".contains(next)) {
        return None;
    }
    let before = *scan;
    // "May 3–5"
    let last = scan.dash().then(|| scan.digits().parse().ok()).flatten();
    if let Some(last) = last.filter(|_| scan.ends_word()) {
        let first = words(place, day, month, "")?;
        return Some(place.range(&first, &numbers::english_ordinal(last)));
    }
    *scan = before;
    let year = year(scan);
    if year.is_empty() {
        *scan = before;
    }
    words(place, day, month, year)
}

fn day_first(place: Place<'_>, scan: &mut Scan<'_>) -> Option<String> {
    let day = Some(scan.digits()).filter(|day| (1..=2).contains(&day.len()))?;
    let _ = match place.language {
        Language::English => ["st", "nd", "rd", "th"].iter().any(|end| scan.eat(end)),
        Language::German => scan.eat("."),
        Language::Italian => scan.eat("º"),
    };
    scan.blank().then_some(())?;
    scan.eat("of ");
    let (month, name) = place.table.month(scan.letters()).filter(|_| scan.ends_word())?;
    let is_short = !scan.read().ends_with(name);
    let mut dot = *scan;
    let has_dot = is_short && dot.eat(".");
    if has_dot && !dot.ends_sentence() {
        *scan = dot;
    }
    let before = *scan;
    let year = year(scan);
    if year.is_empty() {
        *scan = before;
    }
    // "2 set" are two sets.
    let is_sure = place.language != Language::Italian || !is_short || has_dot || !year.is_empty();
    is_sure.then_some(())?;
    words(place, day, month, year)
}

/// Reads ", 2024" or " 2024"; empty if there is none.
fn year<'a>(scan: &mut Scan<'a>) -> &'a str {
    scan.eat(",");
    let year = if scan.blank() { scan.digits() } else { "" };
    if year.len() == 4 && scan.ends_word() { year } else { "" }
}

/// The words of a date. `year` may be empty.
fn words(place: Place<'_>, day: &str, month: usize, year: &str) -> Option<String> {
    let name = place.table.month_name(month)?;
    let day: u64 = day.parse().ok().filter(|day| (1..=31).contains(day))?;
    let year = match year.parse() {
        Ok(year) => format!(" {}", numbers::year(year, place.language)),
        Err(_) => String::new(),
    };
    Some(match place.language {
        Language::English => {
            let comma = if year.is_empty() { "" } else { "," };
            format!("{name} {}{comma}{year}", numbers::english_ordinal(day))
        }
        Language::German => {
            let ending = german_ending(place).unwrap_or("er");
            format!("{}{ending} {name}{year}", numbers::german_ordinal(day))
        }
        Language::Italian => {
            let day = match day {
                1 => "primo".to_owned(),
                _ => numbers::cardinal(day, place.language),
            };
            format!("{day} {name}{year}")
        }
    })
}
