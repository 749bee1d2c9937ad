//! Ends of turns over lines that lose packets: what is missing is not silence.

use std::{path::Path, sync::Arc};

use vivavoce::{
    codec::fixture::Fixture,
    listen::{Heard, Listen, Packet},
    providers::vad_earshot::EarshotVad,
    time::SessionTime,
};

use crate::{
    listen::{Notes, packets},
    net::line::{Faults, Loss, Way},
};

/// Nobody waits for less.
const SHORTEST_WAIT_MS: u64 = 300;

/// Speech that was told of packets, as (began, ended) in ms, with what arrives of them over a line. RED gives
/// each packet once more with the next.
fn spans(all: &[Packet], loss: Loss, seed: u64) -> Vec<(u64, u64)> {
    let mut line = Way::new(Faults { loss, ..Faults::NONE }, seed);
    let mut listen =
        Listen::new(Box::new(EarshotVad::default()), &Notes::default(), Arc::new(|| {})).unwrap();
    let mut spans = Vec::new();
    let mut hear = |listen: &mut Listen| {
        while let Some(fact) = listen.poll() {
            match fact {
                Heard::SpeechStarted { at } => spans.push((at.as_millis(), 0)),
                Heard::SpeechStopped { at } => spans.last_mut().unwrap().1 = at.as_millis(),
                Heard::Transcript(_) => {}
            }
        }
    };
    for (n, packet) in all.iter().enumerate() {
        let at = SessionTime::from_millis(1_000 + 20 * (n as u64 + 1));
        while let Some(due) = listen.deadline().filter(|due| *due <= at) {
            listen.tick(due);
            hear(&mut listen);
        }
        if line.packet().is_none() {
            continue;
        }
        listen.packet(at, packet.clone());
        if n > 0 {
            listen.packet(at, all[n - 1].clone());
        }
        hear(&mut listen);
    }
    spans
}

/// Q14: nobody is taken to have ended in the middle of a sentence because a line lost some of it, and the end
/// of a sentence is not missed.
#[test]
fn what_a_line_loses_is_no_silence() {
    let fixture = Fixture::load(Path::new("audio-fixtures"), "pauses").unwrap();
    let mut answer = fixture.answers[0].clone();
    answer.spans.truncate(1);
    let sentence = fixture.sound_of(&answer).0;
    let all = packets(&[vec![0; 16_000], sentence.clone(), sentence, vec![0; 32_000]].concat());
    let [(began, ended)] = spans(&all, Loss::Nothing, 0)[..] else { panic!("it is one sentence") };
    for (loss, seeds, late_max) in [
        (Loss::Uniform { share: 0.3 }, 10, 120),
        (Loss::Bursts { share: 0.2, length: 4.0 }, 40, 400),
    ] {
        for seed in 0..seeds {
            let spans = spans(&all, loss, seed);
            let first = spans[0].0;
            let last = spans[spans.len() - 1].1;
            let pause = spans.windows(2).map(|two| two[1].0 - two[0].1).max().unwrap_or_default();
            assert!(pause < SHORTEST_WAIT_MS, "{loss:?}, seed {seed}: {spans:?}");
            assert!(
                (began - 100..began + 400).contains(&first),
                "{loss:?}, seed {seed}: {spans:?}"
            );
            assert!(
                (ended - 20..ended + late_max).contains(&last),
                "{loss:?}, seed {seed}: {spans:?}"
            );
        }
    }
}
