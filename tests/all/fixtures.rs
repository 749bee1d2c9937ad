//! The synthetic candidates of `audio-fixtures/`: their truth is true, and the embedded speech understands
//! them.

use std::{path::Path, sync::Arc, time::Duration};

use vivavoce::{
    audio::{FRAME_16, Pcm16},
    codec::fixture::{self, Fixture, Starts},
    listen::{Heard, Listen},
    providers::{
        Stt, Vad, pocketsphinx::MODEL, stt_pocketsphinx::PocketSphinx, stt_scripted::ScriptedStt,
        vad_denoised::DenoisedVad, vad_earshot::EarshotVad, vad_webrtc::WebrtcVad,
    },
    time::SessionTime,
};

use crate::providers::silero;

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/audio-fixtures"))
}

fn all() -> Vec<Fixture> {
    fixture::names(folder()).iter().map(|name| Fixture::load(folder(), name).unwrap()).collect()
}

/// What is heard of a recording in lockstep, with a second of silence after it.
fn hear(sound: &Pcm16, vad: Box<dyn Vad>, stt: &dyn Stt) -> Vec<Heard> {
    let mut listen = Listen::new(vad, stt, Arc::new(|| {})).unwrap();
    listen.keep_in_step();
    let mut sound = sound.0.clone();
    sound.resize((sound.len() + 16_000).next_multiple_of(FRAME_16), 0);
    let mut heard = Vec::new();
    for (n, frame) in (0..).zip(sound.chunks(FRAME_16)) {
        listen.frame(SessionTime::from_millis(20 * n), &Pcm16(frame.to_vec()));
        heard.extend(std::iter::from_fn(|| listen.poll()));
    }
    heard
}

/// The fixtures that replay and the rooms' tests are built on are there, short, and of the right kind.
#[test]
fn fixtures_are_there() {
    let fixtures = all();
    let names: Vec<&str> = fixtures.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(
        names,
        ["barge-in", "long-answer", "mock-plain", "pauses", "silent", "two-stage-plain", "um"]
    );
    for fixture in &fixtures {
        assert!(fixture.sound.duration() <= Duration::from_secs(45), "{}", fixture.name);
        for answer in &fixture.answers {
            assert!(!fixture.sound_of(answer).0.is_empty());
        }
    }
    let by_name = |name: &str| fixtures.iter().find(|f| f.name == name).unwrap();
    assert_eq!(by_name("two-stage-plain").answers.len(), 8);
    assert_eq!(by_name("mock-plain").answers.len(), 10);
    assert_eq!(by_name("silent").answers.len(), 0);
    let over = |answer: &&fixture::Answer| matches!(answer.starts, Starts::OverReply(_));
    assert_eq!(by_name("barge-in").answers.iter().filter(over).count(), 2);
    let long = &by_name("long-answer").answers[1];
    assert!(by_name("long-answer").sound_of(long).duration() > Duration::from_secs(25));
}

/// P07: all detectors find every span of every fixture, where its truth says, and nothing else.
#[test]
fn detectors_find_the_spans() {
    for fixture in all() {
        let spans: Vec<(u64, u64)> =
            fixture.answers.iter().flat_map(|a| &a.spans).map(|s| (s.start_ms, s.end_ms)).collect();
        let denoised = |vad| Box::new(DenoisedVad::new(vad));
        let vads: Vec<(&str, Box<dyn Vad>, u64)> = vec![
            ("earshot", Box::new(EarshotVad::default()), 150),
            ("webrtc", Box::new(WebrtcVad::new(3)), 150),
            // What begins softly is taken for noise.
            ("webrtc without noise", denoised(Box::new(WebrtcVad::new(3))), 200),
            ("silero", silero(), 150),
        ];
        for (name, vad, near_ms) in vads {
            let (mut found, mut began) = (Vec::new(), 0);
            for fact in hear(&fixture.sound, vad, &ScriptedStt::new([])) {
                match fact {
                    Heard::SpeechStarted { at } => began = at.as_millis(),
                    Heard::SpeechStopped { at } => found.push((began, at.as_millis())),
                    Heard::Transcript(_) => {}
                }
            }
            let near = |a: u64, b: u64| a.abs_diff(b) <= near_ms;
            let fits = found.len() == spans.len()
                && found.iter().zip(&spans).all(|(f, s)| near(f.0, s.0) && near(f.1, s.1));
            assert!(fits, "{} by {name}:\nfound {found:?}\ntruth {spans:?}", fixture.name);
        }
    }
}

/// PocketSphinx understands the synthetic candidates well enough for tests: not more than one word in six
/// wrong in any of them, one in ten in all.
#[test]
fn pocketsphinx_understands_the_fixtures() {
    let stt = PocketSphinx::new(MODEL.into(), 1).unwrap();
    let (mut wrong, mut words) = (0, 0);
    for fixture in all() {
        let said: Vec<String> = fixture.answers.iter().flat_map(|a| words_of(&a.text())).collect();
        while stt.idle() == 0 {
            std::thread::yield_now();
        }
        let heard: Vec<String> = hear(&fixture.sound, Box::new(EarshotVad::default()), &stt)
            .into_iter()
            .filter_map(|fact| match fact {
                Heard::Transcript(t) if t.is_final => Some(words_of(&t.text)),
                Heard::Transcript(_)
                | Heard::SpeechStarted { .. }
                | Heard::SpeechStopped { .. } => None,
            })
            .flatten()
            .collect();
        let errors = distance(&said, &heard);
        assert!(
            errors * 6 <= said.len(),
            "{}: {errors} of {} words\nsaid  {}\nheard {}",
            fixture.name,
            said.len(),
            said.join(" "),
            heard.join(" ")
        );
        wrong += errors;
        words += said.len();
    }
    assert!(wrong * 10 <= words, "{wrong} of {words} words");
}

pub(crate) fn words_of(text: &str) -> Vec<String> {
    let letters = |c: char| c.is_alphanumeric() || c == '\'';
    text.split(|c| !letters(c)).filter(|w| !w.is_empty()).map(str::to_lowercase).collect()
}

/// Fewest words to put in, take out or change.
pub(crate) fn distance(said: &[String], heard: &[String]) -> usize {
    let mut row: Vec<usize> = (0..=heard.len()).collect();
    for (n, word) in said.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = n + 1;
        for (m, other) in heard.iter().enumerate() {
            let changed = diagonal + usize::from(word != other);
            diagonal = row[m + 1];
            row[m + 1] = changed.min(diagonal + 1).min(row[m] + 1);
        }
    }
    row[heard.len()]
}
