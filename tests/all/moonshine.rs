//! The embedded recogniser, with its real networks: `make test` fetches them.

use std::{
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};

use vivavoce::{
    audio::{FRAME_16, Pcm16},
    codec::fixture::Fixture,
    providers::{Stt, SttStream, Transcript, models::Models, stt_moonshine::MoonshineStt},
    time::{SessionTime, Span},
};

use crate::fixtures::{distance, words_of};

fn moonshine() -> MoonshineStt {
    let folder = std::env::var_os("VIVAVOCE_SPEECH__MODELS_DIR");
    MoonshineStt::new(&Models::new(folder.as_deref().map(Path::new))).unwrap()
}

/// A stream, what it has told, and the time of its sound.
struct Ear {
    stream: Box<dyn SttStream>,
    told: Arc<Mutex<Vec<Transcript>>>,
    at: SessionTime,
}

impl Ear {
    fn new(stt: &MoonshineStt) -> Self {
        let told: Arc<Mutex<Vec<Transcript>>> = Arc::default();
        let out = told.clone();
        let stream = stt.open(Box::new(move |transcript| out.lock().unwrap().push(transcript)));
        Self { stream: stream.unwrap(), told, at: SessionTime::ZERO }
    }

    /// The next sound; waits for what comes of each frame if it `settles`.
    fn push(&mut self, sound: &[i16], settles: bool) {
        for piece in sound.chunks(FRAME_16) {
            let piece = Pcm16(piece.to_vec());
            self.stream.push(self.at, &piece);
            self.at += piece.duration();
            if settles {
                self.stream.settle();
            }
        }
    }

    /// Speech from its first to its last sample, with silence behind it as a detector of voice leaves it.
    fn say(&mut self, sound: &[i16], settles: bool) {
        let began = self.at;
        self.push(&sound[..FRAME_16 * 4], settles);
        self.stream.speech_started(began);
        self.push(&sound[FRAME_16 * 4..], settles);
        let ended = self.at;
        self.push(&[0; FRAME_16 * 5], settles);
        self.stream.speech_paused(ended);
        self.push(&[0; FRAME_16 * 5], settles);
        self.stream.speech_stopped(ended);
        self.stream.settle();
    }

    fn finals(&self) -> Vec<Transcript> {
        self.told.lock().unwrap().iter().filter(|told| told.is_final).cloned().collect()
    }
}

fn fixture(name: &str) -> Fixture {
    Fixture::load(Path::new("audio-fixtures"), name).unwrap()
}

/// The spans of speech of an answer, and their words.
fn spans(fixture: &Fixture, answer: usize) -> Vec<(Vec<i16>, Vec<String>)> {
    let spans = fixture.answers[answer].spans.iter();
    let sound = |from: u64, to: u64| fixture.sound.0[from as usize * 16..to as usize * 16].to_vec();
    spans.map(|span| (sound(span.start_ms, span.end_ms), words_of(&span.text))).collect()
}

/// P01: a segment's words are told while it is spoken, each time more of them, and once more as final, with
/// its own times.
#[test]
fn words_are_told_while_they_are_spoken() {
    let fixture = fixture("long-answer");
    let (sound, words) = &spans(&fixture, 1)[0];
    let mut ear = Ear::new(&moonshine());
    ear.push(&[0; 8_000], true);
    ear.say(sound, true);
    let told = ear.told.lock().unwrap().clone();
    let (last, partials) = told.split_last().unwrap();
    assert!(
        last.is_final && last.segment == 1 && partials.iter().all(|told| !told.is_final),
        "{told:#?}"
    );
    assert!(distance(words, &words_of(&last.text)) <= 1, "{}", last.text);
    assert!(last.text.starts_with(char::is_uppercase), "{}", last.text);
    assert!(
        last.confidence.is_some_and(|sure| (0.5..=1.0).contains(&sure)),
        "{:?}",
        last.confidence
    );
    assert_eq!((last.from.as_millis(), last.to.as_millis()), (500, 500 + sound.len() as u64 / 16));
    assert_eq!(last.spans, [Span::new(last.from, last.to)]);
    let counts: Vec<usize> = partials.iter().map(|told| words_of(&told.text).len()).collect();
    assert!(counts.len() >= 5 && counts[0] <= words.len() / 2, "{counts:?}");
    // The pause before the end has had it already.
    assert_eq!(partials.last().unwrap().text, last.text);
}

/// Equal sound gives equal transcripts, whether somebody waits for each or not.
#[test]
fn equal_sound_gives_equal_words() {
    let stt = moonshine();
    let fixture = fixture("pauses");
    let heard = |settles: bool| {
        let mut ear = Ear::new(&stt);
        for (sound, _) in spans(&fixture, 0) {
            ear.say(&sound, settles);
        }
        ear.finals()
    };
    // How sure it is depends a little on how much was a draft.
    let plain = |told: Vec<Transcript>| {
        let plain =
            told.into_iter().map(|told| (Transcript { confidence: None, ..told }, told.confidence));
        plain.unzip::<_, _, Vec<_>, Vec<_>>()
    };
    let ((waited, sure), (flowing, sure_too)) = (plain(heard(true)), plain(heard(false)));
    assert_eq!(waited.len(), 3);
    assert_eq!(waited, flowing);
    for (one, other) in sure.into_iter().zip(sure_too) {
        assert!((one.unwrap() - other.unwrap()).abs() < 0.05, "{one:?} {other:?}");
    }
}

/// What follows a pause is understood by what was said before it: it goes on with the sentence, where alone
/// it begins one.
#[test]
fn earlier_words_help() {
    let stt = moonshine();
    for (answer, from) in [(0, 1), (0, 2), (1, 1), (2, 1), (2, 2)] {
        let spans = spans(&fixture("pauses"), answer);
        let (mut together, mut alone) = (Ear::new(&stt), Ear::new(&stt));
        for (sound, _) in &spans[..=from] {
            together.say(sound, false);
        }
        alone.say(&spans[from].0, false);
        let (together, alone) =
            (together.finals().remove(from).text, alone.finals().remove(0).text);
        assert!(together.starts_with(char::is_lowercase), "{together}");
        assert!(alone.starts_with(char::is_uppercase), "{alone}");
        assert!(distance(&spans[from].1, &words_of(&together)) <= 1, "{together}");
    }
}

/// A candidate who makes no pause is cut where it is quietest: nothing is lost, nothing is said twice.
#[test]
fn who_makes_no_pause_is_understood() {
    let fixture = fixture("long-answer");
    let (mut sound, mut words) = (Vec::new(), Vec::new());
    for (span, text) in spans(&fixture, 1) {
        sound.extend(span);
        words.extend(text);
    }
    assert!(sound.len() > 16_000 * 20, "{} samples", sound.len());
    let mut ear = Ear::new(&moonshine());
    ear.say(&sound, false);
    let finals = ear.finals();
    assert_eq!(finals.len(), 1);
    let wrong = distance(&words, &words_of(&finals[0].text));
    assert!(wrong * 12 <= words.len(), "{wrong} of {}: {}", words.len(), finals[0].text);
    // Each part that it was cut into has words.
    let spans = &finals[0].spans;
    assert!(spans.len() > 2 && spans.windows(2).all(|two| two[0].to == two[1].from), "{spans:?}");
    assert_eq!((spans[0].from, spans[spans.len() - 1].to), (finals[0].from, finals[0].to));
}

/// A stretch of a segment in which no word was found is in none of its spans: what was said there is a hole.
#[test]
fn what_has_no_words_is_in_no_span() {
    let fixture = fixture("long-answer");
    let spans = spans(&fixture, 1);
    let before = spans[0].0.len();
    let noise: Vec<i16> = white_noise(600.0, 16_000 * 16).collect();
    let sound = [&spans[0].0[..], &noise, &spans[1].0].concat();
    let mut ear = Ear::new(&moonshine());
    ear.say(&sound, false);
    let last = ear.finals().remove(0);
    let voiced: Duration = last.spans.iter().map(|span| span.length()).sum();
    let gap = last.to.since(last.from) - voiced;
    assert!(gap >= Duration::from_secs(2), "{gap:?} without words: {last:?}");
    assert!(
        last.spans[0].from == last.from
            && last.spans[0].length().as_millis() * 16 >= before as u128 / 2
    );
}

/// Noise that is the same each time.
fn white_noise(level: f64, samples: usize) -> impl Iterator<Item = i16> {
    let mut state = 1_u32;
    (0..samples).map(move |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((f64::from(state) / f64::from(u32::MAX) * 2.0 - 1.0) * level) as i16
    })
}

/// No words come of silence, noise, a hum, knocks or coughs that a detector of voice has let through.
#[test]
fn noise_is_no_words() {
    let stt = moonshine();
    // A generator that gives the same noise each time.
    let mut state = 1_u32;
    let mut random = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state) / f64::from(u32::MAX) * 2.0 - 1.0
    };
    let mut noises: Vec<(&str, Vec<f64>)> = Vec::new();
    let samples = 48_000;
    noises.push(("silence", vec![0.0; samples]));
    for level in [30.0, 1_000.0, 8_000.0] {
        noises.push(("white noise", (0..samples).map(|_| random() * level).collect()));
    }
    noises.push(("a hum", (0..samples).map(|n| 3_000.0 * (n as f64 * 0.0432).sin()).collect()));
    for (name, every, decay) in [("knocks", 2_400, 80.0), ("coughs", 12_000, 1_600.0)] {
        let bursts =
            (0..samples).map(|n| random() * 9_000.0 * (-f64::from(n as u32 % every) / decay).exp());
        noises.push((name, bursts.collect()));
    }
    for (name, noise) in noises {
        let mut ear = Ear::new(&stt);
        ear.say(&noise.iter().map(|sample| *sample as i16).collect::<Vec<_>>(), false);
        let finals = ear.finals();
        assert_eq!(finals.len(), 1, "{name}");
        assert_eq!((finals[0].text.as_str(), finals[0].confidence), ("", None), "{name}");
    }
}

/// Many streams share the weights and the threads: each gets its own words, and a stream that goes away stops
/// nobody.
#[test]
fn streams_do_not_mix() {
    let stt = moonshine();
    let fixture = fixture("two-stage-plain");
    let answers: Vec<_> = (0..4).map(|answer| spans(&fixture, answer).remove(0)).collect();
    let mut ears: Vec<Ear> = answers.iter().map(|_| Ear::new(&stt)).collect();
    let mut gone = Ear::new(&stt);
    let longest = answers.iter().map(|(sound, _)| sound.len()).max().unwrap();
    for ear in ears.iter_mut().chain([&mut gone]) {
        ear.stream.speech_started(SessionTime::ZERO);
    }
    for n in (0..longest).step_by(FRAME_16) {
        for (ear, (sound, _)) in ears.iter_mut().zip(&answers) {
            ear.push(&sound[n.min(sound.len())..(n + FRAME_16).min(sound.len())], false);
        }
        gone.push(&answers[0].0[..FRAME_16.min(answers[0].0.len())], false);
    }
    drop(gone);
    for (ear, (sound, words)) in ears.iter_mut().zip(&answers) {
        ear.stream.speech_stopped(SessionTime::ZERO + Pcm16(sound.clone()).duration());
        ear.stream.settle();
        let text = ear.finals().remove(0).text;
        assert!(distance(words, &words_of(&text)) <= 2, "{text}");
    }
}

/// Speech after a long silence begins anew: what would go on with a sentence after a short one begins its
/// own.
#[test]
fn a_long_silence_ends_the_context() {
    let stt = moonshine();
    let spans = spans(&fixture("pauses"), 0);
    let heard = |seconds: usize| {
        let mut ear = Ear::new(&stt);
        ear.say(&spans[0].0, false);
        ear.push(&vec![0; 16_000 * seconds], false);
        ear.say(&spans[1].0, false);
        ear.finals().remove(1)
    };
    let (soon, late) = (heard(0), heard(4));
    assert!(soon.text.starts_with(char::is_lowercase), "{}", soon.text);
    assert!(late.text.starts_with(char::is_uppercase), "{}", late.text);
    assert!(distance(&spans[1].1, &words_of(&late.text)) <= 1, "{}", late.text);
    assert_eq!(late.segment, 2);
    assert!(late.from >= SessionTime::from_millis(4_000));
}

/// P01: a word that is taken for another is written as the keyterm that it sounds like; keyterms that nobody
/// said change nothing.
#[test]
fn keyterms_are_written() {
    let stt = moonshine();
    let fixture = fixture("long-answer");
    let (sound, _) = &spans(&fixture, 1)[1];
    let heard = |keyterms: &[&str]| {
        let mut ear = Ear::new(&stt);
        ear.stream.keyterms(&keyterms.iter().map(ToString::to_string).collect::<Vec<_>>());
        ear.say(sound, true);
        ear.finals()[0].text.clone()
    };
    let (plain, told) = (heard(&[]), heard(&["Kubernetes", "billing", "Ada"]));
    assert!(plain.starts_with("Our building service was written"), "{plain}");
    assert_eq!(told, plain.replace("building", "billing"));
    assert_eq!(heard(&["Kubernetes", "Leipzig", "Ada"]), plain);
}
