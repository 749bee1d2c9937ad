use proptest::prelude::*;

use super::*;

/// P06: how people read out what recruiters and models write: `language <tab> written <tab> spoken`.
const SENTENCES: &str = include_str!("sentences.tsv");

fn language(code: &str) -> Language {
    let found = Language::ALL.into_iter().find(|(known, _)| *known == code);
    found.unwrap_or_else(|| panic!("no language {code:?}")).1
}

/// P06: each sentence of the table is read out as it says; there are enough of each language.
#[test]
fn sentences_are_read_out() {
    let (mut wrong, mut counts) = (Vec::new(), std::collections::BTreeMap::new());
    for line in SENTENCES.lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        let [code, written, expected] = cells[..] else { panic!("{line:?}") };
        *counts.entry(code).or_insert(0) += 1;
        let read = spoken(written, language(code));
        if read != expected {
            wrong.push(format!("{written}\n  is read     {read}\n  instead of  {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(counts.values().all(|count| *count >= 60), "{counts:?}");
    assert!(counts.values().sum::<i32>() >= 200, "{counts:?}");
}

/// What is in words already is left alone, so that a text can be read out twice.
#[test]
fn words_stay_as_they_are() {
    for line in SENTENCES.lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        assert_eq!(spoken(cells[2], language(cells[0])), cells[2]);
    }
}

/// Each line of the data has a kind that something looks for, and all of its cells.
#[test]
fn the_data_is_whole() {
    for (code, file) in [
        ("en", include_str!("en.tsv")),
        ("de", include_str!("de.tsv")),
        ("it", include_str!("it.tsv")),
    ] {
        let kinds = [
            "word", "short", "count", "day", "day?", "month", "currency", "scale", "unit", "per",
            "sign",
        ];
        for line in file.lines() {
            let cells: Vec<&str> = line.split('\t').collect();
            assert!(kinds.contains(&cells[0]), "{code}: {line:?}");
            let is_whole =
                (3..=4).contains(&cells.len()) && cells.iter().all(|cell| !cell.is_empty());
            assert!(is_whole, "{code}: {line:?}");
        }
        assert_eq!(file.lines().filter(|line| line.starts_with("month\t")).count(), 12, "{code}");
    }
}

/// The names of numbers at their borders.
#[test]
fn numbers_have_names() {
    let [english, german, italian] = Language::ALL.map(|(_, language)| language);
    for (number, language, name) in [
        (0, english, "zero"),
        (21, english, "twenty-one"),
        (1_000_001, english, "one million one"),
        (101, german, "einhunderteins"),
        (1_021, german, "eintausendeinundzwanzig"),
        (2_000_017, german, "zwei Millionen siebzehn"),
        (23, italian, "ventitré"),
        (28, italian, "ventotto"),
        (108, italian, "centotto"),
        (180, italian, "centottanta"),
        (1_003, italian, "milletré"),
        (21_000, italian, "ventunomila"),
        (1_000_000, italian, "un milione"),
    ] {
        assert_eq!(numbers::cardinal(number, language), name);
    }
}

proptest! {
    /// Any text is read out without a panic, in every language.
    #[test]
    fn any_text_is_read_out(text in "[0-9a-zA-Z.,:/+€$%()° –-]{0,40}|\\PC{0,40}") {
        for (_, language) in Language::ALL {
            let _ = spoken(&text, language);
        }
    }
}
