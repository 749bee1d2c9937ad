//! Any text is a scenario that plays, or is refused with its line; what was played plays to itself.
#![no_main]

use interview::sim::scenario::play;
use libfuzzer_sys::fuzz_target;

fn files(name: &str) -> Option<Vec<(String, String)>> {
    macro_rules! folder {
        ($blueprint:literal, $($file:literal),*) => {
            vec![$(($file.into(), include_str!(concat!("../../agents/", $blueprint, "/", $file)).into())),*]
        };
    }
    match name {
        "mock-interview" | "two-stage" => {
            Some(folder!("two-stage", "blueprint.toml", "self-intro.md", "past-experience.md"))
        }
        _ => None,
    }
}

fuzz_target!(|text: &str| {
    let Ok(played) = play(text, files) else { return };
    let again = play(&played.text, files).expect("what was played can be played").text;
    assert_eq!(played.text, again);
});
