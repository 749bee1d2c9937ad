//! Contact data as people say them: "anna dot smith at example dot com" is an e-mail address.

use crate::blueprint::Format;

/// Words that join the parts of an address, in the three languages, and what is written for them.
const JOINTS: [(&str, &str); 18] = [
    ("at", "@"),
    ("ät", "@"),
    ("et", "@"),
    ("chiocciola", "@"),
    ("dot", "."),
    ("point", "."),
    ("punkt", "."),
    ("punto", "."),
    ("dash", "-"),
    ("hyphen", "-"),
    ("minus", "-"),
    ("bindestrich", "-"),
    ("trattino", "-"),
    ("underscore", "_"),
    ("unterstrich", "_"),
    ("plus", "+"),
    ("più", "+"),
    ("piu", "+"),
];
/// Spoken digits of the three languages.
const DIGITS: [(&str, &str); 33] = [
    ("zero", "0"),
    ("oh", "0"),
    ("null", "0"),
    ("one", "1"),
    ("eins", "1"),
    ("uno", "1"),
    ("two", "2"),
    ("zwei", "2"),
    ("zwo", "2"),
    ("due", "2"),
    ("three", "3"),
    ("drei", "3"),
    ("tre", "3"),
    ("four", "4"),
    ("vier", "4"),
    ("quattro", "4"),
    ("five", "5"),
    ("fünf", "5"),
    ("cinque", "5"),
    ("six", "6"),
    ("sechs", "6"),
    ("sei", "6"),
    ("seven", "7"),
    ("sieben", "7"),
    ("sette", "7"),
    ("eight", "8"),
    ("acht", "8"),
    ("otto", "8"),
    ("nine", "9"),
    ("neun", "9"),
    ("nove", "9"),
    ("plus", "+"),
    ("più", "+"),
];
const PHONE_DIGITS_MIN: usize = 6;
const PHONE_DIGITS_MAX: usize = 15;
const TEXT_CHARS_MAX: usize = 200;

/// The value of this format in what was said or typed, as it is written; none if there is no valid one.
pub(super) fn value_in(said: &str, format: Format) -> Option<String> {
    match format {
        Format::Text => Some(said.trim().chars().take(TEXT_CHARS_MAX).collect::<String>())
            .filter(|text| text.chars().any(char::is_alphanumeric)),
        Format::Email => email_in(said),
        Format::Phone => phone_in(said),
    }
}

/// The words, without the punctuation that a recogniser puts behind them.
fn words(said: &str) -> impl Iterator<Item = String> {
    said.split_whitespace()
        .map(|word| word.trim_end_matches(['.', ',', '!', '?', ';', ':']).to_lowercase())
        .filter(|word| !word.is_empty())
}

fn email_in(said: &str) -> Option<String> {
    // Runs of words that joints hold together, or that are letters one by one.
    let mut runs: Vec<String> = Vec::new();
    let (mut was_joint, mut was_letter) = (false, false);
    for word in words(said) {
        let joint = JOINTS.iter().find(|(spoken, _)| *spoken == word);
        let is_letter = joint.is_none() && word.chars().count() == 1;
        let part = joint.map_or(word.as_str(), |(_, written)| written);
        let joins = was_joint || joint.is_some() || is_letter && was_letter;
        match runs.last_mut().filter(|_| joins) {
            Some(run) => run.push_str(part),
            None => runs.push(part.to_owned()),
        }
        (was_joint, was_letter) = (joint.is_some(), is_letter);
    }
    runs.into_iter().find(|run| is_email(run))
}

fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else { return false };
    let is_local = |c: char| c.is_alphanumeric() || "._%+-".contains(c);
    let is_label = |label: &str| {
        let is_plain = label.chars().all(|c| c.is_alphanumeric() || c == '-');
        !label.is_empty() && is_plain && !label.starts_with('-') && !label.ends_with('-')
    };
    let top = domain.rsplit('.').next().unwrap_or_default();
    (1..=64).contains(&local.len())
        && local.chars().all(is_local)
        && !local.starts_with('.')
        && !local.ends_with('.')
        && domain.len() <= 253
        && domain.contains('.')
        && domain.split('.').all(is_label)
        && top.len() >= 2
        && top.chars().all(char::is_alphabetic)
}

fn phone_in(said: &str) -> Option<String> {
    let mut number = String::new();
    for word in words(said) {
        let spoken = DIGITS.iter().find(|(spoken, _)| *spoken == word);
        let written = spoken.map_or(word.as_str(), |(_, written)| written);
        let is_number = written.chars().all(|c| c.is_ascii_digit() || "+-()/.".contains(c));
        if is_number {
            number.extend(written.chars().filter(|c| c.is_ascii_digit() || *c == '+'));
        }
    }
    let digits = number.chars().filter(char::is_ascii_digit).count();
    let is_one = number.rfind('+').is_none_or(|place| place == 0);
    (is_one && (PHONE_DIGITS_MIN..=PHONE_DIGITS_MAX).contains(&digits)).then_some(number)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// L06: addresses as they are said and typed; what is none is refused.
    #[test]
    fn addresses_are_read() {
        for (said, wanted) in [
            ("It's anna dot smith at example dot com.", Some("anna.smith@example.com")),
            ("anna.smith@example.com", Some("anna.smith@example.com")),
            ("my mail is a n n a at example dot co dot uk", Some("anna@example.co.uk")),
            ("Anna_Smith@Example.com, please", Some("anna_smith@example.com")),
            ("anna punkt schmidt ät beispiel punkt de", Some("anna.schmidt@beispiel.de")),
            ("anna trattino rossi chiocciola esempio punto it", Some("anna-rossi@esempio.it")),
            ("no, it is ada at lovelace dot org", Some("ada@lovelace.org")),
            ("I am at the office", None),
            ("anna at example", None),
            ("anna smith example com", None),
            ("you can reach me at work dot", None),
            ("", None),
        ] {
            assert_eq!(value_in(said, Format::Email).as_deref(), wanted, "{said}");
        }
    }

    /// L06: numbers as they are said and typed.
    #[test]
    fn phone_numbers_are_read() {
        for (said, wanted) in [
            ("plus four nine one seven two three four five six", Some("+49172345 6")),
            ("0172 345 678", Some("0172345678")),
            ("It is (0172) 345-678.", Some("0172345678")),
            ("I have two phones", None),
            ("12345678901234567890", None),
        ] {
            let wanted = wanted.map(|wanted| wanted.replace(' ', ""));
            assert_eq!(value_in(said, Format::Phone), wanted, "{said}");
        }
    }

    proptest! {
        /// L06: whatever is said, a value is valid or there is none.
        #[test]
        fn values_are_valid(said in "(at|dot|anna|b|@|\\.| |ß|7|plus){0,20}") {
            let email = value_in(&said, Format::Email);
            prop_assert!(email.is_none_or(|email| email.contains('@') && !email.contains(' ')));
            let phone = value_in(&said, Format::Phone);
            prop_assert!(phone.is_none_or(|phone| phone.len() >= PHONE_DIGITS_MIN));
        }
    }
}
