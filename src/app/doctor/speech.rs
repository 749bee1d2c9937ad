//! A sentence through the configured voice and back through the configured ear.

use std::sync::{Arc, Mutex};

use futures_util::TryStreamExt;

use super::Report;
use crate::{
    audio::{FRAME, FRAME_16, Pcm16, Pcm48, resample::Down},
    config::Config,
    providers::{
        ProviderError, Transcript,
        kind::{Place, Role},
        registry::Registry,
        speech::Speech,
    },
    time::SessionTime,
};

const SENTENCE: &str = "I have worked on payment systems for six years";
/// Of its nine words.
const UNDERSTOOD_MIN: usize = 5;

/// Silence after the sentence, in frames: a voice is known to have ended after 200 ms.
const PAUSE: usize = 25;

/// Calls the servers of voice and ear, where there are any. Whether nothing is wrong with them.
pub(super) async fn vendors(report: &mut Report, config: &Config) -> bool {
    let (voice, ear) = (config.place(Role::Tts), config.place(Role::Stt));
    let voice = async || answers(&voice, "the embedded voice", "a scripted voice").await;
    let voice_is_well = report.check("voice", voice).await;
    let ear = async || answers(&ear, "the embedded recogniser", "a scripted ear").await;
    let ear_is_well = report.check("ear", ear).await;
    voice_is_well && ear_is_well
}

async fn answers(place: &Place, embedded: &str, scripted: &str) -> Result<String, String> {
    match place {
        Place::Embedded => Ok(format!("{embedded} needs no server")),
        Place::Scripted => Ok(format!("{scripted} needs no server")),
        Place::Server(check) => check().await.map_err(|error| error.to_string()),
    }
}

/// Speaks, listens, compares.
pub(super) async fn round_trip(config: &Config) -> Result<String, String> {
    let wrong = |error: ProviderError| error.to_string();
    // The model has a check of its own.
    let speech = Speech { llm: "scripted".into(), ..config.speech.clone() };
    let registry = Registry::build(&speech, &config.providers, 1).map_err(wrong)?;
    let pieces: Vec<Pcm48> =
        registry.tts().synthesize(SENTENCE).try_collect().await.map_err(wrong)?;
    let sound = Pcm48(pieces.into_iter().flat_map(|piece| piece.0).collect());
    if sound.0.is_empty() {
        return Err("the voice made no sound".into());
    }
    let seconds = sound.duration().as_secs_f64();
    // The recogniser makes its caller wait.
    let heard = tokio::task::spawn_blocking(move || hear(&registry, &sound)).await;
    let heard = heard.map_err(|_| "the recogniser panicked".to_owned())?.map_err(wrong)?;
    let is_scripted = |role| matches!(config.place(role), Place::Scripted);
    if is_scripted(Role::Stt) || is_scripted(Role::Tts) {
        return Ok(format!("{seconds:.1} s spoken; a scripted ear or voice understands nothing"));
    }
    let heard = heard.to_lowercase();
    let understood =
        SENTENCE.split(' ').filter(|word| heard.contains(&word.to_lowercase())).count();
    if understood < UNDERSTOOD_MIN {
        return Err(format!(
            "the voice said \"{SENTENCE}\", the recogniser understood \"{heard}\""
        ));
    }
    Ok(format!("{seconds:.1} s spoken, {understood} of 9 words understood"))
}

fn hear(registry: &Registry, sound: &Pcm48) -> Result<String, ProviderError> {
    let transcripts: Arc<Mutex<Vec<Transcript>>> = Arc::default();
    let out = transcripts.clone();
    let mut stream = registry.stt().open(Box::new(move |transcript| {
        out.lock().expect("nobody panics while holding it").push(transcript);
    }))?;
    let mut sound = Down::default().push(sound);
    let spoken = SessionTime::ZERO + sound.duration();
    sound.0.extend([0; PAUSE * FRAME_16]);
    let mut at = SessionTime::ZERO;
    stream.speech_started(at);
    for frame in sound.0.chunks_exact(FRAME_16) {
        stream.push(at, &Pcm16(frame.to_vec()));
        at += FRAME;
    }
    stream.speech_stopped(spoken);
    stream.settle();
    let transcripts = transcripts.lock().expect("nobody panics while holding it");
    let last = transcripts.iter().rfind(|transcript| transcript.is_final);
    Ok(last.map(|transcript| transcript.text.clone()).unwrap_or_default())
}
