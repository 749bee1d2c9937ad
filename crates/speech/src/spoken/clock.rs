//! Times of day.

use interview::blueprint::Language;

use super::{numbers, place::Place, scan::Scan};

/// A time as it is written.
#[derive(Clone, Copy)]
struct Time {
    hour: u64,
    minute: u64,
    /// Whether it has minutes, so that it is a time for sure.
    has_minutes: bool,
    half: Option<Half>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    Morning,
    Afternoon,
}

/// Reads "10am–4pm", "9–17 Uhr", "9:00-17:30", "14:05".
pub(super) fn time(place: Place<'_>, scan: &mut Scan<'_>) -> Option<String> {
    let first = read(place, scan)?;
    let before = *scan;
    let second = scan.dash().then(|| read(place, scan)).flatten();
    if second.is_none() {
        *scan = before;
    }
    let is_named = named(place, scan);
    let is_time = |time: Time| time.has_minutes || time.half.is_some() || is_named;
    let words = match second {
        Some(second) if is_time(first) || is_time(second) => range(place, first, second, is_named),
        // "2:1 for us" and "9-to-5" are no times.
        Some(_) => return None,
        None if is_time(first) => single(place, first),
        None => return None,
    };
    if !scan.ends_word() {
        return None;
    }
    // The dot of "A.M." is that of the sentence, too.
    let is_end = words.ends_with('.') && scan.peek() == Some('.');
    Some(if is_end { words[..words.len() - 1].to_owned() } else { words })
}

fn read(place: Place<'_>, scan: &mut Scan<'_>) -> Option<Time> {
    let hour = scan.digits();
    if !(1..=2).contains(&hour.len()) {
        return None;
    }
    let hour: u64 = hour.parse().ok()?;
    let before = *scan;
    let is_colon = scan.eat(":");
    let minute = if is_colon || scan.eat(".") { scan.digits() } else { "" };
    let minute = Some(minute).filter(|minute| minute.len() == 2).and_then(|text| text.parse().ok());
    if minute.is_none() {
        *scan = before;
    }
    let half = if place.language == Language::English { half(scan) } else { None };
    // With a dot it is one only where the text says so.
    let mut ahead = *scan;
    let says_so = half.is_some()
        || named(place, &mut ahead)
        || place.follows(&["alle", "dalle", "ore", "le", "um", "ab"])
            && place.language != Language::English;
    if minute.is_some() && !is_colon && !says_so {
        return None;
    }
    let (minute, has_minutes) = (minute.unwrap_or_default(), minute.is_some());
    let is_valid = hour < 24 && minute < 60 && (half.is_none() || (1..=12).contains(&hour));
    is_valid.then_some(Time { hour, minute, has_minutes, half })
}

/// Reads "am", " p.m.".
fn half(scan: &mut Scan<'_>) -> Option<Half> {
    let mut ahead = *scan;
    ahead.blank();
    let half = match ahead.one_of("aApP")?.to_ascii_lowercase() {
        'a' => Half::Morning,
        _ => Half::Afternoon,
    };
    let is_dotted = ahead.eat(".");
    ahead.one_of("mM")?;
    if !ahead.ends_word() {
        return None;
    }
    let _ = is_dotted && ahead.eat(".");
    *scan = ahead;
    Some(half)
}

/// Reads " Uhr".
fn named(place: Place<'_>, scan: &mut Scan<'_>) -> bool {
    let name = place.table.word("o'clock");
    let mut ahead = *scan;
    ahead.blank();
    let is_named = place.language == Language::German && ahead.eat(name) && ahead.ends_word();
    if is_named {
        *scan = ahead;
    }
    is_named
}

fn single(place: Place<'_>, time: Time) -> String {
    let cardinal = |number| numbers::cardinal(number, place.language);
    match place.language {
        Language::English => english(time),
        Language::German => {
            let minutes = if time.minute == 0 {
                String::new()
            } else {
                format!(" {}", cardinal(time.minute))
            };
            format!("{} {}{minutes}", german_hour(time.hour), place.table.word("o'clock"))
        }
        Language::Italian => italian(time),
    }
}

fn german_hour(hour: u64) -> String {
    if hour == 1 { "ein".to_owned() } else { numbers::cardinal(hour, Language::German) }
}

fn italian(Time { hour, minute, .. }: Time) -> String {
    let hour =
        if hour == 1 { "una".to_owned() } else { numbers::cardinal(hour, Language::Italian) };
    match minute {
        0 => hour,
        _ => format!("{hour} e {}", numbers::cardinal(minute, Language::Italian)),
    }
}

/// With twelve hours, as long as the half of the day is known.
fn english(time: Time) -> String {
    let half = time.half.or((time.hour > 12).then_some(Half::Afternoon));
    let half = half.or((time.hour == 0).then_some(Half::Morning));
    let hour = match time.hour % 12 {
        0 => 12,
        hour => hour,
    };
    let hour = numbers::cardinal(hour, Language::English);
    let minute = numbers::cardinal(time.minute, Language::English);
    let words = match (time.minute, half) {
        (0, None) if time.has_minutes => format!("{hour} o'clock"),
        (0, _) => hour,
        (1..10, _) => format!("{hour} oh {minute}"),
        _ => format!("{hour} {minute}"),
    };
    // With dots, so that the letters are spelled.
    match half {
        Some(Half::Morning) => format!("{words} A.M."),
        Some(Half::Afternoon) => format!("{words} P.M."),
        None => words,
    }
}

fn range(place: Place<'_>, first: Time, second: Time, is_named: bool) -> String {
    match place.language {
        Language::English => {
            // Of "9:00–17:00" the first is in the morning.
            let is_long = first.half.is_none() && second.hour > 12 && first.hour < 12;
            let half = if is_long { Some(Half::Morning) } else { first.half };
            let has_minutes = first.has_minutes && second.half.is_none() && !is_long;
            let first = english(Time { half, has_minutes, ..first });
            place.range(&first, &english(second))
        }
        Language::German if is_named || first.has_minutes || second.has_minutes => {
            let [low, high] = [first, second].map(|time| match time.minute {
                0 => german_hour(time.hour),
                _ => single(place, time),
            });
            let uhr = place.table.word("o'clock");
            let end = if second.minute == 0 { format!("{high} {uhr}") } else { high };
            place.range(&low, &end)
        }
        Language::German => place.range(&single(place, first), &single(place, second)),
        Language::Italian => {
            let is_open = place.follows(&["dalle", "tra", "fra"]);
            let from = if is_open { "" } else { "dalle " };
            format!("{from}{} alle {}", italian(first), italian(second))
        }
    }
}
