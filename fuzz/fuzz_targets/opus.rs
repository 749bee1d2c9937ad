//! Any payloads of a track, late, twice or with others missing before them, are sound of the right length or are
//! refused, and the decoder goes on. What redundancy restores comes late: the order is put right before it.
#![no_main]

use std::time::Duration;

use audio::{Pcm48, resample::Down};
use libfuzzer_sys::fuzz_target;
use voiceroom::{Frame, opus::Decoder, reorder::Reorder};

/// The longest sound of one packet: 120 ms.
const SAMPLES_MAX: usize = 5_760;
/// More lost packets are not made up.
const LOST_MAX: u64 = 5;

// Each packet: how many ms after the one before, how many places late, how many bytes, and those.
fuzz_target!(|bytes: &[u8]| {
    let (mut reorder, mut now) = (Reorder::default(), Duration::ZERO);
    let (mut decoder, mut down) = (Decoder::new().expect("it starts"), Down::default());
    let (mut sent, mut rest) = (255_u64, bytes);
    while let [later, behind, length, tail @ ..] = rest {
        let (payload, after) = tail.split_at(tail.len().min(usize::from(*length)));
        rest = after;
        now += Duration::from_millis(u64::from(*later));
        sent += 1;
        reorder.push(now, sent - u64::from(*behind), payload);
        while let Some(packet) = reorder.pop(now) {
            let lost = packet.lost.min(LOST_MAX) as usize * Frame::SAMPLES;
            assert_eq!(decoder.conceal(lost, packet.packet).len(), lost);
            let told = decoder.samples(packet.packet);
            match decoder.decode(packet.packet) {
                Ok(sound) => {
                    let samples = sound.len();
                    assert_eq!(Some(samples), told.ok());
                    assert!(samples <= SAMPLES_MAX, "{samples}");
                    assert!(down.push(&Pcm48(sound)).0.len().abs_diff(samples / 3) <= 1);
                }
                Err(why) => assert!(!why.to_string().contains('\n')),
            }
        }
    }
});
