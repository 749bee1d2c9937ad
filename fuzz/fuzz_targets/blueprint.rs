//! A blueprint's files, each begun by a line `=== name`, are loaded or refused with problems; what is loaded can be
//! begun.
#![no_main]

use interview::{Interview, blueprint::Blueprint, sim};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let files: Vec<(String, String)> = text
        .split("=== ")
        .skip(1)
        .filter_map(|file| file.split_once('\n'))
        .map(|(name, text)| (name.to_owned(), text.to_owned()))
        .collect();
    match Blueprint::load(&files) {
        Ok(blueprint) => drop(Interview::new(&blueprint, &sim::context())),
        Err(problems) => assert!(!problems.is_empty(), "refused without a reason"),
    }
});
