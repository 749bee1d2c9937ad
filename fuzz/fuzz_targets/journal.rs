//! Any text is a journal or is refused with its line; what is one can be replayed and projected. Lines come without
//! their checksums, which no fuzzer would guess.
#![no_main]

use std::sync::LazyLock;

use interview::{
    ENGINE, Interview,
    journal::{self, Entry, Header, Inputs},
};
use libfuzzer_sys::fuzz_target;

static INPUTS: LazyLock<Inputs> = LazyLock::new(|| {
    let text = include_str!("../../crates/interview/tests/journals/room-two-stage/inputs.json");
    serde_json::from_str(text).expect("it is ours")
});
static FRESH: LazyLock<Interview> =
    LazyLock::new(|| INPUTS.interview().expect("its blueprint is ours"));

fuzz_target!(|text: &str| {
    let _ = journal::parse(text);
    let mut whole = String::new();
    for line in text.lines() {
        match serde_json::from_str::<serde_json::Value>(line) {
            Ok(value @ serde_json::Value::Object(_)) => whole += &journal::line(&value),
            Ok(_) | Err(_) => return,
        }
    }
    let Ok((header, entries)) = journal::parse(&whole) else { return };
    let header = Header { engine: ENGINE, ..header };
    let _ = journal::replay(FRESH.clone(), &entries);
    let again: String = entries.iter().map(|entry: &Entry| journal::line(entry)).collect();
    let (_, read) = journal::parse(&(journal::line(&header) + &again)).expect("what we write");
    assert_eq!(entries, read);
    let _ = journal::record_text(&journal::record(&header, &entries, Some(&INPUTS)));
    let _ = journal::transcript(&header, &entries);
});
