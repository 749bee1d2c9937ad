//! Any bytes on the data channels of a room are facts or are ignored; texts are no longer than what came for them, and
//! what is kept of people who never end theirs is bounded.
#![no_main]

use libfuzzer_sys::fuzz_target;
use voiceroom::inbox::{Inbox, RoomEvent};

// Each packet: on which channel, how many bytes (two of them, low first), and those.
fuzz_target!(|bytes: &[u8]| {
    let mut inbox = Inbox::default();
    inbox.meet("PA_a", "ann");
    let mut rest = bytes;
    let mut came = 0;
    while let [channel, low, high, tail @ ..] = rest {
        let length = usize::from(u16::from_le_bytes([*low, *high]));
        let (packet, after) = tail.split_at(tail.len().min(length));
        rest = after;
        came += packet.len();
        for event in inbox.take(packet, channel % 2 == 0).into_iter().flatten() {
            match event {
                // A byte that is no character becomes one of three.
                RoomEvent::Text(text) => assert!(text.text.len() <= 3 * came, "{text:?}"),
                RoomEvent::TextChunk(chunk) => {
                    assert!(chunk.text.len() <= packet.len(), "{chunk:?}")
                }
                RoomEvent::Bytes(stream) => assert!(stream.bytes.len() <= came),
                RoomEvent::Data { payload, .. } => assert!(payload.len() <= packet.len()),
                RoomEvent::Key { sender, .. } => assert!(!sender.is_empty()),
                other => panic!("{other:?} out of a data packet"),
            }
        }
        if *channel == 255 {
            inbox.forget("PA_a");
        }
    }
    assert!(inbox.states().len() <= 1_024);
});
