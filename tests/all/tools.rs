//! What a developer gets: scenarios, journals and simulations on the command line.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Output,
};

use vivavoce::{
    blueprint::Blueprint,
    interview::{ENGINE, Effect, End},
    journal::{self, Entry, Header, Inputs, Record},
    sim::{self, scenario::play},
};

use crate::cli::{text, vivavoce};

const BLUEPRINT: &str = "two-stage";

/// A shipped blueprint.
fn files(name: &str) -> Vec<(String, String)> {
    let files = fs::read_dir(format!("agents/{name}")).unwrap().map(|entry| {
        let path = entry.unwrap().path();
        let file = path.file_name().unwrap().to_str().unwrap().to_owned();
        (file, fs::read_to_string(&path).unwrap())
    });
    files.collect()
}

/// A journal of a simulated interview, in a folder with its inputs.
struct Kept {
    folder: tempfile::TempDir,
    header: Header,
    entries: Vec<Entry>,
}

impl Kept {
    fn new() -> Self {
        let blueprint = Blueprint::load(&files(BLUEPRINT)).unwrap();
        let config = sim::Config::new(&blueprint, &sim::context());
        // Every eighth seed has less time than the blueprint says.
        let mut outcomes = (1..7).map(|seed| sim::run(&config.with_seed(seed)));
        let outcome = outcomes.find(|outcome| outcome.end == Some(End::Completed)).unwrap();
        let inputs = Inputs::new(BLUEPRINT, files(BLUEPRINT), sim::context());
        let folder = tempfile::tempdir().unwrap();
        let text = serde_json::to_string(&inputs).unwrap();
        fs::write(folder.path().join("inputs.json"), text).unwrap();
        let header = Header::new("i1", 0, &inputs);
        Self { folder, header, entries: outcome.journal }
    }

    fn text(&self) -> String {
        let entries = self.entries.iter().map(journal::line);
        [journal::line(&self.header)].into_iter().chain(entries).collect()
    }

    fn write(&self, text: &str) -> PathBuf {
        let path = self.folder.path().join("journal.jsonl");
        fs::write(&path, text).unwrap();
        path
    }
}

fn run(command: &str, path: &Path, more: &[&str]) -> Output {
    vivavoce(&[&[command, path.to_str().unwrap()], more].concat(), &[])
}

/// Fails, and says this.
fn refused(output: &Output, expected: &str) {
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains(expected), "{expected}\nnot in\n{said}");
}

/// Invariant 2: a journal whose effects are those of this engine is found right, also with a torn last line.
#[test]
fn verify_finds_the_same_effects() {
    let kept = Kept::new();
    let (whole, count) = (kept.text(), kept.entries.len());
    let path = kept.write(&whole);
    for path in [path.as_path(), kept.folder.path()] {
        let output = run("verify", path, &[]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert_eq!(text(&output.stdout), format!("same effects ({count} entries)\n"));
    }
    kept.write(&whole[..whole.len() - 5]);
    let said = text(&run("verify", &path, &[]).stdout);
    assert!(said.contains(&format!("({} entries; a last line", count - 1)), "{said}");
}

/// Invariant 2: other effects, a changed line, another engine, other inputs or none: each one sentence and a
/// failure.
#[test]
fn verify_names_the_first_difference() {
    let mut kept = Kept::new();
    let whole = kept.text();
    let changed = whole.replacen("\"candidate_joined\"", "\"candidate_lefted\"", 1);
    refused(&run("verify", &kept.write(&changed), &[]), "line 2: its checksum does not match");

    let page = kept.write("# A page\n");
    for command in ["verify", "journal"] {
        let expected =
            "journal.jsonl is no journal (it has no checksum): give the journal.jsonl of an";
        refused(&run(command, &page, &[]), expected);
    }

    kept.header.engine = ENGINE + 1;
    let path = kept.write(&kept.text());
    refused(&run("verify", &path, &[]), &format!("written by engine {}", ENGINE + 1));
    kept.header.engine = ENGINE;

    let entry = kept.entries.iter_mut().find(|entry| !entry.effects.is_empty()).unwrap();
    entry.effects.push(Effect::Hangup { end: End::Operator });
    let n = entry.n;
    let output = run("verify", &kept.write(&kept.text()), &[]);
    refused(&output, &format!("entry {n} at "));
    let shown = text(&output.stdout);
    assert!(shown.contains("-{\"hangup\":{\"end\":\"operator\"}}"), "{shown}");

    kept.header.inputs = "0".repeat(64);
    refused(&run("verify", &kept.write(&kept.text()), &[]), "is not the one that it was written");
    fs::remove_file(kept.folder.path().join("inputs.json")).unwrap();
    refused(&run("verify", kept.folder.path(), &[]), "there is no inputs.json beside");
    refused(&run("verify", Path::new("nowhere"), &[]), "there is no nowhere: give a journal");
}

/// Seeds 002 and 003: who spoke, why the floor passed, and how it ended can be read in a terminal; in a pipe
/// without colours, and as one document of JSON.
#[test]
fn journal_prints_the_conversation() {
    let kept = Kept::new();
    let path = kept.write(&kept.text());
    let said = text(&run("journal", &path, &[]).stdout);
    for expected in ["== self-intro", "interviewer: ", "  candidate: ", "== the end: "] {
        assert!(said.contains(expected), "{expected}\nnot in\n{said}");
    }
    assert!(!said.contains('\u{1b}'), "{said}");
    let json = text(&run("journal", kept.folder.path(), &["--json"]).stdout);
    let record: Record = serde_json::from_str(&json).unwrap();
    let inputs = Inputs::new(BLUEPRINT, files(BLUEPRINT), sim::context());
    assert_eq!(record, journal::record(&kept.header, &kept.entries, Some(&inputs)));
}

/// Whoever changes the interview sees what a scenario does instead, and can have it rewritten.
#[test]
fn scenario_shows_the_difference_and_rewrites() {
    let folder = tempfile::tempdir().unwrap();
    let right = fs::read_to_string("crates/interview/tests/scenarios/no-show.txt").unwrap();
    let path = folder.path().join("no-show.txt");
    fs::write(&path, right.replace("HANG UP: NoShow", "HANG UP: Completed")).unwrap();
    let output = run("scenario", folder.path(), &[]);
    refused(&output, "1 of 1 scenario(s) played differently");
    let shown = text(&output.stdout);
    assert!(shown.contains("-              < HANG UP: Completed"), "{shown}");
    assert!(shown.contains("+              < HANG UP: NoShow"), "{shown}");

    assert_eq!(run("scenario", &path, &["--bless"]).status.code(), Some(0));
    assert_eq!(fs::read_to_string(&path).unwrap(), right);
    assert_eq!(run("scenario", &path, &[]).status.code(), Some(0));

    // An author who has not read that our words are written, too, is told where that shows.
    let silent = "with mock-interview\n00:00.200 > joined\n00:30.000 > tick\n";
    for more in [["--bless"].as_slice(), &[]] {
        fs::write(&path, silent).unwrap();
        let shown = text(&run("scenario", &path, more).stdout);
        let hint = shown.lines().find(|line| line.contains("such as `> #1 speaks (2s): ")).unwrap();
        let (_, line) = hint.split_once(", line ").unwrap();
        let line: usize = line.split(':').next().unwrap().parse().unwrap();
        let played = play(silent, |name| Some(files(name))).unwrap().text;
        assert_eq!(played.lines().nth(line - 1).unwrap().trim(), "< HANG UP: Technical");
    }

    fs::write(&path, "# x\n00:01.000 > sings\n").unwrap();
    refused(&run("scenario", &path, &[]), "no-show.txt:2: nobody knows what `sings` means");
}

/// Q13: the same command gives the same table, whatever the number of jobs; a fault that is none is named.
#[test]
fn simulate_gives_the_same_twice() {
    let table = |jobs| {
        let command = ["simulate", "--seeds", "40", "--faults", "mind=loops", "--jobs", jobs];
        let output = vivavoce(&command, &[]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let said = text(&output.stdout);
        let (table, rate) = said.trim_end().rsplit_once('\n').unwrap();
        assert!(rate.starts_with("40 interviews in "), "{rate}");
        table.to_owned()
    };
    let once = table("1");
    assert!(once.contains("ended ") && once.contains("turns "), "{once}");
    assert_eq!(once, table("3"));
    let output = vivavoce(&["simulate", "--faults", "mood=bad"], &[]);
    refused(
        &output,
        "--faults: `mood=bad` is no fault: what can go wrong is temper, hearing, mind",
    );
}
