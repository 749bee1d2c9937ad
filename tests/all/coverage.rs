//! Every id of `tests/coverage.txt` is named by a test or a scenario.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use crate::tidy::source::text_files;

/// DESIGN §4: what an interview must do is held by at least one test each, and what is excused is told why.
#[test]
fn every_id_is_named_by_a_test() {
    let mut named = BTreeSet::new();
    for folder in ["crates", "src", "tests"] {
        text_files(Path::new(folder), &mut |path, text| named.extend(ids(&claims(path, text))));
    }
    let list = fs::read_to_string("tests/coverage.txt").unwrap();
    let problems = problems(&list, &named);
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

/// The check finds an id that nobody names, an excuse that is none any more, and one without a reason.
#[test]
fn what_is_missing_is_noticed() {
    let named =
        ids("/// H01, H03–H05, cases 14 and 17, case 30: x. A B05x H1 staircase 9 case of 8");
    let expected = ["H01", "H03", "H04", "H05", "case 14", "case 17", "case 30"];
    assert_eq!(named, expected.map(str::to_owned).into());
    let list = "# x\nH01 one\nH02 two\ncase 14 silence\ncase 15 limit\n";
    let found = |excuses: &str| problems(&format!("{list}{excuses}"), &named);
    assert_eq!(found("").len(), 2, "{:?}", found(""));
    assert!(found("exempt H02: nobody can\nawaited case 15: soon\nawaited H01: soon\n").is_empty());
    assert_eq!(found("exempt H02: x\nexempt case 15: x\nexempt H01: x\n").len(), 1);
    assert_eq!(found("exempt H02:\nexempt case 15: x\n").len(), 1);
    assert_eq!(found("exempt H02: x\nexempt case 15: x\nexempt Z99: x\n").len(), 1);
    let source = "/// H02: not of a test\nfn f() {}\n\n/// H03: x\n/// H04: y\n#[tokio::test]\nasync fn g() {}";
    assert_eq!(ids(&claims("src/x.rs", source)), ["H03", "H04"].map(str::to_owned).into());
    assert_eq!(
        ids(&claims("crates/interview/tests/scenarios/x.txt", "# H05: x\n00:01.000 > H06\n")).len(),
        1
    );
}

/// The lines of a file in which a test says what it guards.
fn claims(path: &str, text: &str) -> String {
    let mut claims = String::new();
    if path.contains("/tests/scenarios/") {
        text.lines().take_while(|line| line.starts_with('#')).for_each(|line| claims += line);
    }
    if !path.ends_with(".rs") {
        return claims;
    }
    let mut doc = String::new();
    for line in text.lines().map(str::trim) {
        if let Some(words) = line.strip_prefix("///") {
            doc = format!("{doc}{words} ");
        } else if line.starts_with("#[") {
            let is_test = line.starts_with("#[test]") || line.starts_with("#[tokio::test");
            claims += if is_test { &doc } else { "" };
        } else {
            doc.clear();
        }
    }
    claims
}

/// The ids in a text: `H01`, `H03–H05`, `case 3`, `cases 14, 17 and 20`.
fn ids(text: &str) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '–' || c == ','));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let mut in_cases = false;
    for word in words {
        let parts: Vec<_> = word.trim_end_matches(',').split('–').collect();
        if let (Some(first), Some(last)) = (id(parts[0]), id(parts[parts.len() - 1])) {
            ids.extend((first.1..=last.1).map(|n| format!("{}{n:02}", first.0)));
        }
        let number = parts[0].parse::<u8>().ok();
        let last = parts[parts.len() - 1].parse::<u8>().ok();
        if let (true, Some(first), Some(last)) = (in_cases, number, last) {
            ids.extend((first..=last).map(|n| format!("case {n}")));
        }
        let begins = matches!(word, "case" | "cases" | "Case" | "Cases");
        in_cases = begins || in_cases && (number.is_some() || word == "and");
    }
    ids
}

fn id(word: &str) -> Option<(char, u8)> {
    let mut letters = word.chars();
    let family = letters.next().filter(|letter| "BHTAX".contains(*letter))?;
    let digits = letters.as_str();
    (digits.len() == 2).then(|| digits.parse().ok()).flatten().map(|n| (family, n))
}

/// What is wrong, for a list of ids and those that are named.
fn problems(list: &str, named: &BTreeSet<String>) -> Vec<String> {
    let (mut wanted, mut excused, mut problems) = (Vec::new(), BTreeMap::new(), Vec::new());
    for line in list.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let excuse = line.strip_prefix("exempt ").map(|rest| (rest, true));
        let excuse = excuse.or_else(|| line.strip_prefix("awaited ").map(|rest| (rest, false)));
        if let Some((rest, for_good)) = excuse {
            let (id, why) = rest.split_once(':').unwrap_or((rest, ""));
            if why.trim().is_empty() {
                problems.push(format!("{id} is excused without a reason"));
            }
            excused.insert(id.to_owned(), for_good);
            continue;
        }
        let mut words = line.split(' ');
        let first = words.next().unwrap_or_default();
        wanted.push(match first {
            "case" => format!("case {}", words.next().unwrap_or_default()),
            id => id.to_owned(),
        });
    }
    for id in &wanted {
        match (named.contains(id), excused.remove(id)) {
            (true, None | Some(false)) | (false, Some(_)) => {}
            (false, None) => problems.push(format!("no test and no scenario names {id}")),
            (true, Some(true)) => {
                problems.push(format!("{id} is named by a test now: take its exemption out"));
            }
        }
    }
    problems.extend(excused.keys().map(|id| format!("{id} is excused and not in the list")));
    problems
}
