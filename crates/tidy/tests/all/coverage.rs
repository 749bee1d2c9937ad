//! `docs/rules.md` and the tests agree: each rule is named by a test or a scenario, and each id that code
//! names is a rule.

use std::{collections::BTreeSet, fs, path::Path};

use tidy::source::{root, text_files};

const PAGE: &str = "docs/rules.md";
/// The letters that ids begin with.
const LETTERS: &str = "BHTAXWRNPUCQLK";
/// Ids with this letter are figures: benchmarks measure them, no test has to name them.
const FIGURES: char = 'Q';

/// Each rule is held by at least one test, and what a comment names can be looked up.
#[test]
fn every_rule_is_named_by_a_test() {
    let (mut tested, mut named) = (BTreeSet::new(), BTreeSet::new());
    for folder in ["bench", "crates", "src", "tests", "web/src"] {
        text_files(Path::new(folder), &mut |path, text| {
            tested.extend(ids(&claims(path, text)));
            named.extend(ids(&comments(text)));
        });
    }
    named.extend(tested.iter().cloned());
    let problems = problems(&fs::read_to_string(root().join(PAGE)).unwrap(), &tested, &named);
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

/// The check finds a rule that no test names, an id without a rule, a rule that stands twice, and a situation
/// that is dealt with although it is listed as not done.
#[test]
fn what_is_missing_is_noticed() {
    let tested = ids(
        "/// H01, H03–H05, cases 14 and 17: 500 x, case 30: x. A B05x H1 staircase 9 case of 8",
    );
    let expected = ["H01", "H03", "H04", "H05", "case 14", "case 17", "case 30"];
    assert_eq!(tested, expected.map(str::to_owned).into());
    let rules = expected.map(|id| format!("- **{id}** It is so.\n  And so.\n")).concat();
    let found = |more: &str| problems(&format!("# x\n\n{rules}{more}"), &tested, &tested);
    assert!(found("- **Q01** A figure.\n- case 26: nobody can\n").is_empty());
    assert_eq!(found("- **H02** Nobody tests it.\n").len(), 1);
    assert_eq!(found("- **H01** Again.\n").len(), 1);
    assert_eq!(found("- case 14: not done\n").len(), 1);
    assert_eq!(problems("- **H01** It is so.\n", &tested, &tested).len(), expected.len() - 1);
    let source = "/// H02: not of a test\nfn f() {}\n\n/// H03: x\n/// H04: y\n#[tokio::test]\n\
        async fn g() {}";
    assert_eq!(ids(&claims("src/x.rs", source)), ["H03", "H04"].map(str::to_owned).into());
    assert_eq!(
        ids(&claims("crates/interview/tests/scenarios/x.txt", "# H05: x\n00:01.000 > H06\n")).len(),
        1
    );
    let source =
        "/** C01: x\n * C02 */\nlet a = H06; // H07\n    // A plane, \"B52\" (H05,\n    // case 3)";
    let expected = ["C01", "C02", "H05", "case 3"];
    assert_eq!(ids(&comments(source)), expected.map(str::to_owned).into());
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

/// The comments of a file that have lines of their own.
fn comments(text: &str) -> String {
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| ["//", "/*", "* "].iter().any(|mark| line.starts_with(mark)));
    lines.map(|line| line.trim_start_matches(['/', '*', '!', ' '])).collect::<Vec<_>>().join(" ")
}

/// The ids in a text: `H01`, `H03–H05`, `case 3`, `cases 14, 17 and 20`. A colon ends a list.
fn ids(text: &str) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    let words = text.split(|c: char| !(c.is_alphanumeric() || "–,:\"".contains(c)));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let mut in_cases = false;
    for word in words {
        let parts: Vec<_> = word.trim_end_matches([',', ':']).split('–').collect();
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
        in_cases &= !word.ends_with(':');
    }
    ids
}

fn id(word: &str) -> Option<(char, u8)> {
    let mut letters = word.chars();
    let family = letters.next().filter(|letter| LETTERS.contains(*letter))?;
    let digits = letters.as_str();
    (digits.len() == 2).then(|| digits.parse().ok()).flatten().map(|n| (family, n))
}

/// The id of a rule, from its first line: `- **H04** …`.
fn rule(line: &str) -> Option<&str> {
    Some(line.strip_prefix("- **")?.split_once("** ")?.0)
}

/// The id of a situation that is not dealt with, which has a reason: `- case N: …`.
fn undone(line: &str) -> Option<&str> {
    let (id, _) = line.strip_prefix("- ")?.split_once(": ")?;
    ids(id).contains(id).then_some(id)
}

/// What is wrong, for the page of rules, the ids that tests name, and all that code names.
fn problems(page: &str, tested: &BTreeSet<String>, named: &BTreeSet<String>) -> Vec<String> {
    let mut problems = Vec::new();
    let mut rules = BTreeSet::new();
    for id in page.lines().filter_map(rule) {
        if !rules.insert(id) {
            problems.push(format!("{id} stands twice in {PAGE}"));
        }
        if !id.starts_with(FIGURES) && !tested.contains(id) {
            problems.push(format!("no test and no scenario names {id}"));
        }
    }
    for id in page.lines().filter_map(undone).filter(|id| tested.contains(*id)) {
        problems.push(format!("{id} is named by a test: {PAGE} must not list it as not done"));
    }
    let unknown = named.iter().filter(|id| !rules.contains(id.as_str()));
    problems
        .extend(unknown.map(|id| format!("{id} is named in the code and is no rule in {PAGE}")));
    problems
}
