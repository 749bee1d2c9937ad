//! Whatever a server says of a participant is somebody with few attributes and a short name, or nobody.
#![no_main]

use libfuzzer_sys::fuzz_target;
use voiceroom::inbox::participant;

fuzz_target!(|bytes: &[u8]| {
    let Some(who) = participant(bytes) else { return };
    assert!(who.name.chars().count() <= 256, "{}", who.name);
    assert!(who.attributes.len() <= 64, "{}", who.attributes.len());
    let held: usize = who.attributes.iter().map(|(key, value)| key.len() + value.len()).sum();
    assert!(held <= 16 * 1024, "{held}");
});
