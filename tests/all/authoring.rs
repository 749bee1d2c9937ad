//! `docs/authoring.md` is as true as the program: its keys are the ones that are read, its interview is one.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use vivavoce::{
    blueprint::{Blueprint, Problem, Roles},
    sim::{self, Config, scenario::play},
};

/// B01: the page lists every key that is read, in the table that it belongs to, and no other.
#[test]
fn the_page_has_every_key() {
    let head = "stages = [\"a\"]\nzzz = 1\n[turns]\nzzz = 1\n[exit]\nzzz = 1\n[phrases]\nzzz = 1\n\
        [speech]\nzzz = 1\n";
    let agent = "+++\nzzz = 1\n[[rubric]]\nzzz = 1\n+++\nAsk.\n";
    let files = [("blueprint.toml", head), ("a.md", agent)];
    let problems =
        Blueprint::load(&files.map(|(name, text)| (name.into(), text.into()))).unwrap_err();
    let agent = "+++\nkind = \"topics\"\n[[topics]]\nzzz = 1\n+++\nAsk.\n";
    let files = [("blueprint.toml", head), ("a.md", agent)];
    let topics =
        Blueprint::load(&files.map(|(name, text)| (name.into(), text.into()))).unwrap_err();
    let roles = Roles::load("[levels.entry]\nzzz = 1\n[[role]]\nzzz = 1\n").unwrap_err();
    for (heading, known) in [
        ("`blueprint.toml`", known(&problems, "blueprint.toml", 2)),
        ("`[turns]`", known(&problems, "blueprint.toml", 4)),
        ("`[exit]`", known(&problems, "blueprint.toml", 6)),
        ("`[phrases]`", known(&problems, "blueprint.toml", 8)),
        ("`[speech]`", known(&problems, "blueprint.toml", 10)),
        ("`<agent>.md`", known(&problems, "a.md", 2)),
        ("`[[rubric]]`", known(&problems, "a.md", 4)),
        ("`[[topics]]`", known(&topics, "a.md", 4)),
        ("`[levels.entry]`", known(&roles, "roles.toml", 2)),
        ("`[[role]]`", known(&roles, "roles.toml", 4)),
    ] {
        assert_eq!(keys(heading), known, "the table of {heading}");
    }
}

/// B01: the interviews of the page are some, and their conversations go as they stand there.
#[test]
fn the_interviews_of_the_page_work() {
    let files = barista();
    let blueprint = Blueprint::load(&files).unwrap_or_else(|problems| panic!("{problems:?}"));
    let stages: Vec<_> = blueprint.agents.iter().map(|agent| agent.title.as_str()).collect();
    assert!(page().contains(&format!("barista: {}\n", stages.join(" → "))), "{stages:?}");
    let scenarios: Vec<_> =
        fences().into_iter().filter(|(name, _)| name.ends_with(".txt")).collect();
    assert_eq!(scenarios.len(), 2);
    for (name, scenario) in scenarios {
        let played = play(&scenario, |wanted| match wanted {
            "barista" => Some(barista()),
            "cafe" => Some(cafe()),
            _ => None,
        });
        let played = played.unwrap_or_else(|why| panic!("{name}: {why}")).text;
        assert_eq!(played, scenario, "{name}\n{played}");
    }
}

/// B01: the interviews with a plan are some, and hold the rules with simulated candidates.
#[test]
fn the_plans_of_the_page_work() {
    for name in ["handover", "guests"] {
        let files: Vec<_> = files(&format!("interviews/{name}/")).into_iter().collect();
        let blueprint = Blueprint::load(&files).unwrap_or_else(|problems| panic!("{problems:?}"));
        let config = Config::new(&blueprint, &sim::context());
        for seed in 0..40 {
            let outcome = sim::run(&config.with_seed(seed));
            assert!(outcome.violations.is_empty(), "{name} {seed}: {:?}", outcome.violations);
        }
    }
}

/// B01: what the page says that `check` says of a beginner's mistakes is what it says.
#[test]
fn mistakes_are_told_as_on_the_page() {
    for (file, right, wrong) in [
        ("blueprint.toml", "\"rush\"", "\"rushhour\""),
        ("coffee.md", "\"3m\"", "3"),
        ("coffee.md", "like to learn about coffee?", "like to learn about coffee."),
        ("coffee.md", "questions_max = 3", "question_max = 3"),
        ("coffee.md", "{{ candidate.name }}, who", "{{ candidate }}, who"),
        ("coffee.md", "{{ role }}", "{{ role"),
        ("rush.md", "\"There is no hurry.\", ", ""),
        ("rush.md", "\"queue\"", "\"long queue\""),
        ("goodbye.md", "+++\ntitle", "title"),
    ] {
        let mut files = barista();
        let (_, text) = files.iter_mut().find(|(name, _)| name == file).unwrap();
        assert!(text.contains(right), "{file} has no {right}");
        *text = text.replacen(right, wrong, 1);
        let problems = Blueprint::load(&files).unwrap_err();
        let said = problems.iter().map(|problem| format!("barista/{problem}\n"));
        let said: Vec<_> = said.collect();
        assert!(
            said.iter().any(|line| page().contains(line.as_str())),
            "{file}: {}",
            said.concat()
        );
    }
}

fn page() -> String {
    fs::read_to_string("docs/authoring.md").unwrap()
}

/// The texts of the page that are files, by the name that stands behind their language.
fn fences() -> Vec<(String, String)> {
    let page = page();
    let parts: Vec<&str> = page.split("```").collect();
    let fences = parts.into_iter().skip(1).step_by(2).filter_map(|fence| {
        let (head, text) = fence.split_once('\n')?;
        Some((head.split_once(' ')?.1.to_owned(), text.to_owned()))
    });
    fences.collect()
}

fn barista() -> Vec<(String, String)> {
    files("interviews/barista/").into_iter().collect()
}

/// A copy of the barista's, with a few files of its own.
fn cafe() -> Vec<(String, String)> {
    let mut files = files("interviews/barista/");
    files.extend(self::files("interviews/cafe/"));
    files.into_iter().collect()
}

fn files(folder: &str) -> BTreeMap<String, String> {
    let files = fences().into_iter();
    files.filter_map(|(name, text)| Some((name.strip_prefix(folder)?.to_owned(), text))).collect()
}

/// The first column of the table below a heading that begins so.
fn keys(heading: &str) -> BTreeSet<String> {
    let page = page();
    let begin = format!("\n### {heading}");
    let section = page.split_once(&begin).unwrap_or_else(|| panic!("no heading {heading}")).1;
    let section = section.split("\n#").next().unwrap_or_default();
    let key = |line: &str| Some(line.strip_prefix("| `")?.split_once('`')?.0.to_owned());
    section.lines().filter_map(key).collect()
}

/// The keys that are known where `zzz` is not.
fn known(problems: &[Problem], file: &str, line: usize) -> BTreeSet<String> {
    let is_it = |problem: &&Problem| {
        problem.file == file && problem.line == line && problem.what.starts_with("`zzz` is not")
    };
    let problem = problems.iter().find(is_it).unwrap_or_else(|| panic!("{file}:{line}"));
    let list = problem.what.split_once("known are ").unwrap().1;
    list.split(", ").map(|key| key.trim_matches('`').to_owned()).collect()
}
