//! The embedded providers, with their real libraries: a missing one fails these tests with its sentence.

use std::{
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};

use futures_util::StreamExt;
use vivavoce::{
    audio::{FRAME_16, Pcm16, Pcm48, level, resample::Down},
    codec::fixture::{Answer, Fixture},
    config::Config,
    providers::{
        Stt, SttStream, Transcript, Tts, Vad, Window, pocketsphinx::MODEL, registry::Registry,
        stt_pocketsphinx::PocketSphinx, stt_scripted::ScriptedStt, tts_flite::FliteTts,
        tts_scripted::ScriptedTts, vad_denoised::DenoisedVad, vad_earshot::EarshotVad,
        vad_webrtc::WebrtcVad,
    },
    time::SessionTime,
};

/// All that a voice makes of `text`, and the number of pieces.
fn say(tts: &dyn Tts, text: &str) -> (Pcm48, usize) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let pieces: Vec<_> = runtime.block_on(tts.synthesize(text).collect());
    let count = pieces.len();
    (Pcm48(pieces.into_iter().flat_map(|piece| piece.unwrap().0).collect()), count)
}

/// At 16 kHz, between half a second of silence and a second of it.
fn as_heard(sound: &Pcm48) -> Pcm16 {
    let mut padded = vec![0; 24_000];
    padded.extend(&sound.0);
    padded.extend(vec![0; 48_000]);
    padded.resize(padded.len().next_multiple_of(960), 0);
    Down::default().push(&Pcm48(padded))
}

fn windows(vad: &mut dyn Vad, sound: &Pcm16) -> Vec<Window> {
    let mut out = Vec::new();
    for piece in sound.0.chunks(333) {
        vad.push(&Pcm16(piece.to_vec()), &mut out);
    }
    out
}

/// Silero's detector and Smart Turn, by their files.
fn with_models() -> Registry {
    let settings = [
        ("STT", "scripted"),
        ("TTS", "scripted"),
        ("VAD", "silero"),
        ("TURN_DETECTOR", "smart-turn"),
    ];
    let settings =
        settings.map(|(name, value)| (format!("VIVAVOCE_SPEECH__{name}"), value.to_owned()));
    let folder = std::env::vars().filter(|(name, _)| name == "VIVAVOCE_SPEECH__MODELS_DIR");
    let config = Config::read(None, settings.into_iter().chain(folder)).unwrap();
    Registry::build(&config.speech, &config.providers, 1).unwrap()
}

/// Silero's detector.
pub(crate) fn silero() -> Box<dyn Vad> {
    with_models().vad()
}

/// T04: Smart Turn hears ends and pauses as onnxruntime does (without the rounding on the way).
#[test]
fn smart_turn_hears_as_elsewhere() {
    let providers = with_models();
    for (fixture, text, wanted) in [
        ("um", "I am a software engineer", 96),
        ("pauses", "and I have worked in a bank", 1),
        ("pauses", "my highlight was a project", 88),
        ("pauses", "because the old one was too slow", 48),
        ("barge-in", "we built a system that counts all the orders of the day", 91),
        ("long-answer", "in the end the whole process took one hour and not the whole night", 1),
        ("mock-plain", "no thank you that is all from my side", 49),
    ] {
        let fixture = Fixture::load(Path::new("audio-fixtures"), fixture).unwrap();
        let of = |answer: &&Answer| answer.spans.iter().any(|span| span.text == text);
        let answer = fixture.answers.iter().find(of).unwrap();
        let end = answer.spans.iter().find(|span| span.text == text).unwrap().end_ms + 100;
        let begin = answer.spans[0].start_ms.saturating_sub(500).max(end.saturating_sub(8_000));
        let sound = fixture.sound.0[begin as usize * 16..end as usize * 16].to_vec();
        let ended = providers.turns().unwrap().ended_percent(&Pcm16(sound)).unwrap();
        assert!(ended.abs_diff(wanted) <= 2, "{text}: {ended}");
    }
}

/// P07: all detectors find speech, call silence silence, and leave no sample out.
#[test]
fn detectors_tell_speech_from_silence() {
    let (speech, _) =
        say(&FliteTts::new("rms").unwrap(), "I have worked on payment systems for six years.");
    let sound = as_heard(&speech);
    let webrtc = |mode| Box::new(WebrtcVad::new(mode));
    let earshot = || Box::new(EarshotVad::default());
    let vads: Vec<(Box<dyn Vad>, usize)> = vec![
        (webrtc(3), FRAME_16),
        (webrtc(0), FRAME_16),
        (earshot(), FRAME_16),
        // 12 ms late, and a window of 10 ms of its own.
        (Box::new(DenoisedVad::new(webrtc(3))), FRAME_16 + 352),
        (Box::new(DenoisedVad::new(earshot())), FRAME_16 + 352),
        (silero(), 512),
    ];
    for (mut vad, behind_max) in vads {
        let windows = windows(vad.as_mut(), &sound);
        let covered: usize = windows.iter().map(|w| w.samples).sum();
        assert!(sound.0.len() - covered < behind_max, "{covered} of {} samples", sound.0.len());
        let mut at = 0;
        let (mut voiced, mut inside, mut outside) = (0, 0, 0);
        for window in &windows {
            let from_speech = at as i64 - 8_000;
            at += window.samples;
            // Within 200 ms of the edges it may be either.
            match from_speech {
                3_200.. if from_speech < speech.0.len() as i64 / 3 - 3_200 => {
                    inside += 1;
                    voiced += usize::from(window.voiced);
                }
                ..-3_200 => outside += usize::from(window.voiced),
                after if after > speech.0.len() as i64 / 3 + 4_800 => {
                    outside += usize::from(window.voiced)
                }
                _ => {}
            }
        }
        assert!(voiced * 10 > inside * 8, "voice in {voiced} of {inside} windows of speech");
        assert_eq!(outside, 0, "voice in silence");
        assert!(vad.hangover() <= Duration::from_millis(200));
    }
}

/// What was heard from one candidate.
struct Heard {
    stream: Box<dyn SttStream>,
    transcripts: Arc<Mutex<Vec<Transcript>>>,
    at: SessionTime,
}

impl Heard {
    fn open(stt: &dyn Stt) -> Self {
        let transcripts = Arc::new(Mutex::new(Vec::new()));
        let out = transcripts.clone();
        let stream = stt.open(Box::new(move |t| out.lock().unwrap().push(t))).unwrap();
        Self { stream, transcripts, at: SessionTime::ZERO }
    }

    /// Speech between silence, as `listen` tells of it: the onset 80 ms late.
    fn hear(&mut self, sound: &Pcm16) -> Vec<Transcript> {
        let begin = self.at + Duration::from_millis(500);
        let end = self.at + (sound.duration() - Duration::from_secs(1));
        let (mut started, mut stopped) = (false, false);
        for piece in sound.0.chunks(FRAME_16) {
            self.stream.push(self.at, &Pcm16(piece.to_vec()));
            self.at += Duration::from_millis(20);
            if !started && self.at >= begin + Duration::from_millis(80) {
                started = true;
                self.stream.speech_started(begin);
            }
            if !stopped && self.at >= end + Duration::from_millis(200) {
                stopped = true;
                self.stream.speech_stopped(end);
            }
        }
        self.stream.settle();
        std::mem::take(&mut *self.transcripts.lock().unwrap())
    }
}

/// P01, P08: what Flite says PocketSphinx understands; partials grow, times are those of the sound, and a
/// second candidate on the same decoder gets the very same transcripts.
#[test]
fn pocketsphinx_understands_and_carries_nothing_over() {
    let stt = PocketSphinx::new(MODEL.into(), 1).unwrap();
    let (speech, _) =
        say(&FliteTts::new("rms").unwrap(), "I have worked on payment systems for six years.");
    let sound = as_heard(&speech);
    let mut first = Heard::open(&stt);
    assert_eq!(stt.idle(), 0);
    let taken = stt.open(Box::new(drop)).err().unwrap();
    assert!(taken.what.contains("all recognisers are taken"), "{taken}");
    let told = first.hear(&sound);
    let again = first.hear(&sound);

    let last = told.last().unwrap();
    assert_eq!((last.is_final, last.segment), (true, 1));
    assert!(last.text.contains("worked on payment"), "{}", last.text);
    assert_eq!(last.from, SessionTime::from_millis(500));
    assert_eq!(last.to, SessionTime::ZERO + (sound.duration() - Duration::from_secs(1)));
    assert!(told.len() > 3, "partials: {told:?}");
    assert!(told.windows(2).all(|pair| pair[0].to <= pair[1].to), "{told:?}");
    assert!(
        told.windows(2).all(|pair| pair[1].is_final || pair[0].text != pair[1].text),
        "{told:?}"
    );
    assert_eq!(again.last().unwrap().segment, 2);

    drop(first);
    while stt.idle() == 0 {
        std::thread::yield_now();
    }
    let mut second = Heard::open(&stt);
    assert_eq!(second.hear(&sound), told);
}

/// Bad input: a model that is not there is one sentence with the package to install.
#[test]
fn missing_model_and_unknown_voice_are_one_sentence() {
    let error = PocketSphinx::new("/nowhere".into(), 1).err().unwrap().what;
    assert!(error.contains("/nowhere/en-us is missing"), "{error}");
    assert!(error.ends_with("apt-get install pocketsphinx-en-us"), "{error}");
    let error = FliteTts::new("hal").err().unwrap().what;
    assert_eq!(error, "there is no Flite voice \"hal\": choose slt, rms, awb or kal");
}

/// P06: every voice speaks at 48 kHz, streaming; repeated sentences come from the cache, 200 ms at a time;
/// what cannot be said gives no sound.
#[test]
fn flite_speaks() {
    for voice in ["slt", "rms", "awb", "kal"] {
        let tts = FliteTts::new(voice).unwrap();
        let text = format!("Thank you, {voice}. Please tell me **a little** about yourself. 🙂");
        let (sound, pieces) = say(&tts, &text);
        assert!(
            (2.0..8.0).contains(&sound.duration().as_secs_f64()),
            "{voice}: {:?}",
            sound.duration()
        );
        assert!(level::dbov(&sound.0) > -40, "{voice}: {} dBov", level::dbov(&sound.0));
        assert!(pieces > 10, "{voice}: {pieces} pieces");
        let (cached, pieces) = say(&tts, &text);
        assert!(cached == sound, "{voice}");
        assert_eq!(pieces, sound.0.len().div_ceil(9_600), "{voice}");
        assert_eq!(say(&tts, "🙂").1, 0);
    }
}

/// To drop the stream is to stop; the next segment is spoken all the same.
#[test]
fn flite_stops_and_speaks_again() {
    let tts = FliteTts::new("slt").unwrap();
    let long = "This sentence will be stopped before it has ended, as people do. ".repeat(20);
    for _ in 0..20 {
        drop(tts.synthesize(&long));
    }
    assert!(say(&tts, "And this one is spoken.").0.duration() > Duration::from_millis(800));
}

/// Load tests have sound as long as the words would take, the same each time, and canned words.
#[test]
fn scripted_voice_and_ear_are_exact() {
    let (sound, _) = say(&ScriptedTts, &"x".repeat(50));
    assert_eq!(sound.duration(), Duration::from_secs(3));
    assert_eq!(say(&ScriptedTts, "").1, 0);
    let mut heard = Heard::open(&ScriptedStt::new(["one two three".into(), "four".into()]));
    let texts = |told: Vec<Transcript>| told.into_iter().map(|t| t.text).collect::<Vec<_>>();
    let spoken = Pcm16(vec![0; 16_000 * 3]);
    assert_eq!(texts(heard.hear(&spoken)), ["one", "one two", "one two three", "one two three"]);
    assert_eq!(texts(heard.hear(&spoken)), ["four", "four"]);
    assert_eq!(texts(heard.hear(&spoken)).last().unwrap(), "one two three");
}

/// The registry builds what the default configuration names.
#[test]
fn registry_builds_the_defaults() {
    let config = Config::read(None, []).unwrap();
    let registry = Registry::build(&config.speech, &config.providers, 1).unwrap();
    assert!(say(registry.tts().as_ref(), "Hello.").0.duration() > Duration::from_millis(200));
    assert!(registry.stt().open(Box::new(drop)).is_ok());
    assert_eq!(
        windows(registry.vad().as_mut(), &Pcm16(vec![0; 16_000]))
            .iter()
            .filter(|w| w.voiced)
            .count(),
        0
    );
}

/// P07: what `auto` does without is named, a sentence for each part in the order in which they are opened;
/// with all files nothing is.
#[test]
fn registry_names_what_it_lacks() {
    let built = |folder: Option<String>| {
        let folder = folder.map(|folder| ("VIVAVOCE_SPEECH__MODELS_DIR".to_owned(), folder));
        let config = Config::read(None, folder).unwrap();
        Registry::build(&config.speech, &config.providers, 1).unwrap()
    };
    let nothing = tempfile::tempdir().unwrap();
    let without = built(Some(nothing.path().display().to_string()));
    let beginnings = [
        "Earshot tells voice from noise: Silero VAD ",
        "PocketSphinx hears, which gets every third word wrong: Moonshine tiny ",
        "Flite speaks, which sounds like a machine: Hibari ",
        "words alone tell the end of a turn: Smart Turn ",
    ];
    let lacks = without.fallbacks();
    assert_eq!(lacks.len(), beginnings.len(), "{lacks:?}");
    for (sentence, beginning) in lacks.iter().zip(beginnings) {
        assert!(sentence.starts_with(beginning), "{beginning}: {sentence}");
    }
    assert!(without.turns().is_none());
    let with_all = built(std::env::var("VIVAVOCE_SPEECH__MODELS_DIR").ok());
    assert!(with_all.fallbacks().is_empty(), "{:?}", with_all.fallbacks());
    assert!(with_all.turns().is_some());
}

/// P07: a voice that was chosen by its name is there, or nothing starts: no other voice takes its place
/// unseen.
#[test]
fn a_chosen_voice_must_be_there() {
    let nothing = tempfile::tempdir().unwrap();
    let settings = [
        ("VIVAVOCE_SPEECH__MODELS_DIR", nothing.path().to_str().unwrap()),
        ("VIVAVOCE_PROVIDERS__HIBARI__VOICE", "kore"),
    ];
    let settings = settings.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let config = Config::read(None, settings).unwrap();
    let why = Registry::build(&config.speech, &config.providers, 1).err().unwrap().to_string();
    assert!(why.contains("Hibari") && why.contains("cannot be read from"), "{why}");
}

/// The path that Debian installs to.
#[test]
fn the_model_is_installed() {
    assert!(Path::new(MODEL).is_dir(), "apt-get install pocketsphinx-en-us");
}
