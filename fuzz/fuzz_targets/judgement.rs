//! What a judge wrote is understood or told what is wrong with it, and survives the journal.
#![no_main]

use interview::Judgement;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(judgement) = Judgement::parse(text) else { return };
    let written = serde_json::to_string(&judgement).expect("plain data serializes");
    let read: Judgement = serde_json::from_str(&written).expect("what we write we can read");
    assert_eq!(judgement, read);
});
