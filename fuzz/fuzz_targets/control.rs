//! Bytes from the data channel are a control message or nothing.
#![no_main]

use interview::Control;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|payload: &[u8]| {
    if let Some(control) = Control::parse(payload) {
        assert!(!control.id.is_empty() && control.id.len() <= 128, "{control:?}");
    }
});
