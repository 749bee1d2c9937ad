//! Any bytes as a file of Ogg or WebM are packets of Opus that lie within them, or are refused in one sentence.
#![no_main]

use audio::codec::{ogg, webm};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if ogg::is_ogg(bytes)
        && let Some(packets) = ogg::packets(bytes)
    {
        assert!(packets.iter().map(Vec::len).sum::<usize>() < bytes.len());
    }
    match webm::packets(bytes) {
        Ok(packets) => {
            assert!(webm::is_webm(bytes));
            assert!(packets.iter().map(|packet| packet.len()).sum::<usize>() < bytes.len());
        }
        Err(why) => assert!(!why.to_string().contains('\n')),
    }
});
