use proptest::prelude::*;

use super::*;

fn field(kind: &str) -> Field {
    let format = match kind {
        "email" => Format::Email,
        "phone" => Format::Phone,
        _ => Format::Text,
    };
    Field {
        key: kind.to_owned(),
        title: kind.to_owned(),
        required: true,
        confirm: false,
        format,
        question: String::new(),
    }
}

fn check(language: Language, table: &str) -> usize {
    let mut different = Vec::new();
    let rows = table.lines().filter(|row| !row.starts_with('#'));
    let rows: Vec<(&str, &str)> = rows.filter_map(|row| row.split_once(" => ")).collect();
    for (row, wanted) in &rows {
        let (kind, said) = row.split_once(": ").unwrap();
        let found = match read(said, &field(kind), language) {
            Reading::Whole(Value { text, is_sure: true, .. }) => text,
            Reading::Whole(Value { text, is_sure: false, .. }) => format!("{text} ?"),
            Reading::Unfinished => "...".to_owned(),
            Reading::Unclear => "-".to_owned(),
        };
        if found != *wanted {
            different.push(format!("{row} => {found}, not {wanted}"));
        }
    }
    assert!(different.is_empty(), "{language:?}:\n{}", different.join("\n"));
    rows.len()
}

/// L06: what people say in three languages is read whole, waited for or asked again; no part is the value.
#[test]
fn values_are_read_whole() {
    let rows = [
        check(Language::English, include_str!("../../tests/values/english.txt")),
        check(Language::German, include_str!("../../tests/values/german.txt")),
        check(Language::Italian, include_str!("../../tests/values/italian.txt")),
    ];
    assert!(rows.iter().sum::<usize>() > 150, "{rows:?}");
}

/// L06: who says a value in another language than the interview's is understood.
#[test]
fn other_languages_are_understood() {
    for (kind, said, wanted) in [
        ("email", "anna punkt schmidt ät beispiel punkt de", "anna.schmidt@beispiel.de"),
        ("email", "anna chiocciola esempio punto it", "anna@esempio.it"),
        ("phone", "null eins sieben zwei drei vier fünf sechs sieben acht", "0172345678"),
    ] {
        let value = read(said, &field(kind), Language::English).whole();
        assert_eq!(value.map(|value| value.text).as_deref(), Some(wanted), "{said}");
    }
}

/// L06: a short number may have another group; a long one, and an address, may not.
#[test]
fn a_short_number_may_go_on() {
    for (kind, said, wanted) in [
        ("phone", "0172 345", true),
        ("phone", "0172 345 678", false),
        ("phone", "+49 172 345 678", true),
        ("phone", "+49 172 345 6789", false),
        ("email", "ada at example dot co", true),
        ("email", "ada at example dot com", false),
    ] {
        let value = read(said, &field(kind), Language::English).whole().unwrap();
        assert_eq!(value.may_go_on, wanted, "{said}");
    }
}

/// L06: what is typed is taken as it is typed where it can be read in one way only.
#[test]
fn typed_values_are_sure() {
    let typed = |kind, text| typed(text, &field(kind), Language::English);
    assert_eq!(
        typed("email", "mary.o'brien@example.ie").as_deref(),
        Some("mary.o'brien@example.ie")
    );
    assert_eq!(typed("email", "ada lovelace@example.ie"), None);
    assert_eq!(typed("email", "ada@example"), None);
    assert_eq!(typed("phone", "+49 (0) 172 3456789").as_deref(), Some("+491723456789"));
    assert_eq!(typed("name", "Ada Lovelace 2").as_deref(), Some("Ada Lovelace 2"));
    assert_eq!(typed("name", " "), None);
}

proptest! {
    /// L06: whatever is said, a value is valid or there is none, and nothing panics.
    #[test]
    fn values_are_valid(
        said in "((at|dot|anna|b|no|wait|double|oh|ext|@|\\.|,|ß|7|0|plus|-)( |,|)){0,20}|\\PC{0,40}",
    ) {
        for (_, language) in Language::ALL {
            let email = read(&said, &field("email"), language).whole();
            prop_assert!(email.is_none_or(|it| crate::blueprint::check_address(&it.text).is_ok()));
            let phone = read(&said, &field("phone"), language).whole();
            prop_assert!(phone.is_none_or(|it| it.text.chars().filter(char::is_ascii_digit).count() >= 6));
            let name = read(&said, &field("name"), language).whole();
            prop_assert!(name.is_none_or(|it| it.text.chars().any(char::is_alphanumeric)));
        }
    }

    /// L06: a digit that was said is in the number, or there is none: nothing is skipped over.
    #[test]
    fn no_digit_is_skipped(digits in prop::collection::vec(0..10_usize, 6..15), word in 0..14_usize) {
        let words = number::digits(Language::English);
        let said: Vec<&str> = digits.iter().map(|digit| words[*digit]).collect();
        let written: String = digits.iter().map(usize::to_string).collect();
        let value = read(&said.join(" "), &field("phone"), Language::English).whole();
        prop_assert_eq!(value.map(|value| value.text), Some(written));
        let mut garbled = said.clone();
        garbled[word % said.len()] = "neverwas";
        let value = read(&garbled.join(" "), &field("phone"), Language::English).whole();
        prop_assert_eq!(value, None);
    }
}
