//! Any bytes are a recording or are refused in one sentence; what is read is as long as its header and its bytes allow.
#![no_main]

use std::{io::Cursor, path::Path};

use audio::codec::wav::{RECORDING_LIMIT, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    match parse(Cursor::new(bytes), Path::new("a.wav")) {
        Ok(recording) => assert!(recording.sound.duration() <= RECORDING_LIMIT * 2),
        Err(error) => {
            let sentence = error.to_string();
            assert!(sentence.starts_with("a.wav: ") && !sentence.contains('\n'), "{sentence}");
        }
    }
});
