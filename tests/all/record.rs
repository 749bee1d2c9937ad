//! An interview as one document: what `docs/interview-json.md` promises.

use std::{collections::BTreeSet, fs, path::Path};

use serde_json::Value;
use vivavoce::{
    blueprint::Context,
    interview::{Effect, Event, Request},
    journal::{self, End, Entry, Happening, Header, Inputs, Record},
    sim::{
        self,
        scenario::{file_name, play_with},
    },
};

use tidy::source::text_files;

use crate::house::files;

const PAGE: &str = "docs/interview-json.md";

/// The journal that the page's examples are from.
fn recorded() -> Record {
    let read = |name: &str| {
        fs::read_to_string(format!("crates/interview/tests/journals/room-two-stage/{name}"))
            .unwrap()
    };
    let (header, entries) = journal::parse(&read("journal.jsonl")).unwrap();
    let inputs: Inputs = serde_json::from_str(&read("inputs.json")).unwrap();
    journal::record(&header, &entries, Some(&inputs))
}

/// Seeds 002 and 003: each example of the page is what a real journal gives, each field is explained.
/// `BLESS=1` rewrites the examples: a comment above each says what it shows.
#[test]
fn the_page_shows_a_real_interview() {
    let record = serde_json::to_value(recorded()).unwrap();
    let page = fs::read_to_string(PAGE).unwrap();
    let mut written = String::new();
    let mut rest = page.as_str();
    let mut examples = 0;
    while let Some((before, after)) = rest.split_once("```json\n") {
        let (_, example) = after.split_once("```").unwrap();
        let which = before.trim_end().rsplit_once("<!-- ").unwrap().1.trim_end_matches(" -->");
        written += &format!("{before}```json\n{}\n```", excerpt(&record, which));
        rest = example;
        examples += 1;
    }
    written += rest;
    assert!(examples >= 4, "only {examples} examples");
    if std::env::var_os("BLESS").is_some() {
        fs::write(PAGE, &written).unwrap();
    }
    assert!(page == written, "{PAGE} shows something else than the journal gives: BLESS=1");
    let mut names = BTreeSet::new();
    field_names(&record, &mut names);
    // The names of stages and reasons are no fields of ours.
    let data = ["self-intro", "past-experience", "question_limit"];
    names.retain(|name| !data.contains(&name.as_str()) && !page.contains(&format!("`{name}`")));
    assert!(names.is_empty(), "{PAGE} does not explain {names:?}");
}

/// `whole` without what its lists hold, `POINTER`, or `POINTER first N` of an array.
fn excerpt(record: &Value, which: &str) -> String {
    let (pointer, first) = which.split_once(" first ").unwrap_or((which, "999"));
    let pointer = if pointer == "whole" { "" } else { pointer };
    let mut value = record.pointer(pointer).unwrap_or_else(|| panic!("no {pointer}")).clone();
    if let Value::Array(items) = &mut value {
        items.truncate(first.parse().unwrap());
    }
    if let (true, Value::Object(fields)) = (pointer.is_empty(), &mut value) {
        fields
            .values_mut()
            .filter(|value| value.is_array())
            .for_each(|it| *it = Value::Array(vec![]));
        fields["metrics"] = Value::Object(serde_json::Map::new());
    }
    if let Some(Value::Array(lines)) = value.get_mut("transcript") {
        lines.truncate(2);
    }
    serde_json::to_string_pretty(&value).unwrap()
}

fn field_names(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                names.insert(name.clone());
                field_names(value, names);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| field_names(item, names)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The journal of a scenario.
fn journal_of(name: &str) -> (Header, Vec<Entry>, Inputs) {
    let text = fs::read_to_string(format!("crates/interview/tests/scenarios/{name}.txt")).unwrap();
    assert!(!text.contains("\nchange "), "{name} changes its blueprint");
    let with = text.lines().find_map(|line| line.strip_prefix("with ")).unwrap_or("mock-interview");
    let (blueprint, job) = with.split_once(", ").unwrap_or((with, ""));
    let prelude = |name: &str| {
        let file = format!("crates/interview/tests/scenarios/after/{}", file_name(name));
        fs::read_to_string(file).ok()
    };
    let played = play_with(&text, |name| Some(files(name)), prelude).unwrap();
    let mut interview = played.fresh;
    let entries = played.facts.into_iter().enumerate().map(|(n, (at, heard, event))| {
        let effects = interview.handle(at, heard, event.clone());
        Entry { n: n as u64 + 1, at, heard, event, effects }
    });
    let context = Context { job_description: job.to_owned(), ..sim::context() };
    let inputs = Inputs::new(blueprint, files(blueprint), context);
    (Header::new("i1", 0, &inputs), entries.collect(), inputs)
}

fn record_of(name: &str) -> Record {
    let (header, entries, inputs) = journal_of(name);
    journal::record(&header, &entries, Some(&inputs))
}

/// A silent stage has two nudges that are no questions, and is left by force.
#[test]
fn a_silence_is_nudges_and_a_forced_handoff() {
    let record = record_of("silence-ladder");
    let metrics = &record.metrics;
    assert!(metrics.nudges >= 2, "{metrics:?}");
    let handoffs = &metrics.handoffs.handoffs;
    assert!(handoffs.contains_key("silence") || record.end == Some(End::CandidateSilent));
    assert_eq!(
        metrics.handoffs.forced_handoffs as usize,
        handoffs.get("silence").map_or(0, |n| *n as usize)
    );
    let timers =
        |what: &Happening| matches!(what, Happening::TimerFired { timer } if timer == "silence");
    assert!(record.events.iter().any(|event| timers(&event.what)), "{:?}", record.events);
}

/// T01: a stage's duration is the interview's own time: the candidate's absence is none of it.
#[test]
fn an_absence_is_no_time_of_a_stage() {
    let (header, mut entries, inputs) = journal_of("away-and-back");
    let last = entries.last().unwrap().clone();
    let event = Event::Control { id: "stop-1".into(), request: Request::Terminate, stage: None };
    let effects = vec![Effect::Hangup { end: End::Operator }];
    entries.push(Entry { n: last.n + 1, event, effects, ..last });
    let record = journal::record(&header, &entries, Some(&inputs));
    assert_eq!(record.metrics.stopped_ms, 20_000);
    let stages = record
        .stages
        .iter()
        .map(|stage| (stage.left_ms.unwrap() - stage.entered_ms, stage.duration_ms.unwrap()));
    assert_eq!(stages.collect::<Vec<_>>(), [(6_800, 6_800), (35_000, 15_000)]);
    assert_eq!(record.metrics.duration_ms, 6_800 + 15_000);
    assert_eq!(record.stages[1].reason.as_deref(), Some("operator"));
}

/// Words that stop us are a barge-in; H08: what was refused is told with its reason.
#[test]
fn barge_ins_and_refusals_are_counted() {
    assert_eq!(record_of("barge-in").metrics.barge_ins, 1);
    assert_eq!(record_of("backchannel").metrics.barge_ins, 0);
    let record = record_of("malformed-tools");
    assert!(record.metrics.tools_refused >= 4);
    let reasons: Vec<_> = record
        .decisions
        .iter()
        .filter_map(|it| match &it.what {
            Happening::ToolInvoked { accepted: false, why, .. } => Some(why.as_str()),
            _ => None,
        })
        .collect();
    assert!(reasons.iter().all(|why| !why.is_empty()), "{reasons:?}");
    assert_eq!(reasons.len(), record.metrics.tools_refused as usize);
}

/// Nudges, barge-ins, failures, natural and forced handoffs, and the time of
/// a cut line and of a pause.
#[test]
fn the_numbers_are_those_of_the_interview() {
    for (scenario, wanted) in [
        ("silence-not-in-a-row", [4, 0, 0, 1, 1, 0]),
        ("judged-in-vain", [0, 0, 0, 0, 0, 0]),
        ("model-fails", [0, 0, 2, 2, 0, 0]),
        ("away-mid-answer", [0, 0, 0, 1, 0, 6_500]),
        ("pause", [0, 0, 0, 1, 0, 286_500]),
        ("silence-ladder", [4, 0, 0, 0, 1, 0]),
        ("heard-after-all", [4, 1, 0, 0, 1, 0]),
    ] {
        let it = record_of(scenario).metrics;
        let counts = [it.nudges, it.barge_ins, it.replies_failed, it.handoffs.natural_handoffs];
        let [nudges, barge_ins, failed, natural] = counts.map(u64::from);
        let forced = u64::from(it.handoffs.forced_handoffs);
        let got = [nudges, barge_ins, failed, natural, forced, it.stopped_ms];
        assert_eq!(got, wanted, "{scenario}");
    }
}

/// H10: the deepest answer counts, not the last; an assessment of half an answer is void, one that comes
/// while we speak is not.
#[test]
fn depths_are_those_of_whole_answers() {
    for (scenario, deepest, depths) in
        [("summary", 4, vec![4, 2]), ("calls-out-of-place", 4, vec![4])]
    {
        let stage = record_of(scenario).stages.swap_remove(1);
        assert_eq!((stage.depth, stage.depths), (deepest, depths), "{scenario}");
    }
}

/// H10: a stage that a limit ended below its depth says which depth it missed; one that was left for another
/// reason does not.
#[test]
fn a_depth_that_was_missed_is_told() {
    let missed = |name: &str| -> Vec<_> {
        record_of(name).stages.into_iter().map(|stage| stage.depth_missed).collect()
    };
    assert_eq!(missed("company-fit")[..2], [None, Some(3)]);
    assert_eq!(missed("whole-interview")[..2], [None, None], "the model left them");
}

/// Case 39: what is nobody's business is in no projection, however late its words come; the journal keeps it.
#[test]
fn what_is_personal_is_left_out() {
    for (scenario, secret) in [
        ("sensitive", "cancer"),
        ("sensitive-and-left", "cancer"),
        ("sensitive-into-the-goodbye", "my mother died"),
        ("sensitive-words-that-come-late", "cancer"),
        ("sensitive-and-recorded", "cancer"),
    ] {
        let (header, entries, inputs) = journal_of(scenario);
        let journal: String = entries.iter().map(journal::line).collect();
        assert!(journal.contains(secret), "{scenario}");
        let record = journal::record(&header, &entries, Some(&inputs));
        let transcript = journal::transcript(&header, &entries);
        let told = format!("{} {transcript:?}", serde_json::to_string(&record).unwrap());
        assert!(!told.contains(secret), "{scenario}: {told}");
        assert!(told.contains(journal::REDACTED), "{scenario}: {told}");
    }
}

/// W10: every metric in the source begins with our name, is named from the start on, and stands on the page,
/// and the page names no other.
#[test]
fn metrics_are_on_their_page() {
    const TABLE: &str = "src/app/counted.rs";
    let page = fs::read_to_string("docs/metrics.md").unwrap();
    let table = fs::read_to_string(TABLE).unwrap();
    let mut named = BTreeSet::new();
    let mut look = |path: &str, text: &str| {
        for kind in ["metrics::counter!(", "metrics::gauge!(", "metrics::histogram!("] {
            // Where the name is none, it is one of the table.
            let calls = text.split(kind).skip(1);
            for call in calls.filter(|call| call.trim_start().starts_with('"')) {
                let name = call.split('"').nth(1).unwrap();
                assert!(name.starts_with("vivavoce_"), "{path}: {name}");
                assert!(table.contains(&format!("\"{name}\"")), "{path}: {name} is not in {TABLE}");
                named.insert(name.to_owned());
            }
        }
    };
    for folder in ["crates", "src"] {
        text_files(Path::new(folder), &mut look);
    }
    assert!(named.len() > 10, "{named:?}");
    let told = page.split('`').skip(1).step_by(2).filter(|word| word.starts_with("vivavoce_"));
    let told: BTreeSet<_> = told.filter(|name| *name != "vivavoce_").map(str::to_owned).collect();
    assert_eq!(named, told);
}
