//! A tool call, its name on the first line and its arguments below, is understood or told what is wrong with it, and
//! survives the journal.
#![no_main]

use interview::Proposal;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (name, arguments) = text.split_once('\n').unwrap_or((text, ""));
    let proposal = Proposal::parse(name, arguments);
    let written = serde_json::to_string(&proposal).expect("plain data serializes");
    let read: Proposal = serde_json::from_str(&written).expect("what we write we can read");
    assert_eq!(proposal, read);
});
