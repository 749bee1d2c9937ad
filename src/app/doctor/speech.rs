//! A sentence through the configured voice and back through the configured ear.

use futures_util::TryStreamExt;

use super::Report;
use crate::{
    audio::{Pcm48, resample::Down},
    config::Config,
    providers::{
        ProviderError,
        kind::{Place, Role},
        registry::Registry,
        speech::Speech,
    },
    sound_check::recognise,
};

const SENTENCE: &str = "I have worked on payment systems for six years";
/// Of its nine words.
const UNDERSTOOD_MIN: usize = 5;

/// Calls the servers of all voices and ears, where there are any. Whether nothing is wrong with them.
pub(super) async fn vendors(report: &mut Report, config: &Config) -> bool {
    let mut are_well = true;
    for (role, title, embedded, scripted) in [
        (Role::Tts, "voice", "the embedded voice", "a scripted voice"),
        (Role::Stt, "ear", "the embedded recogniser", "a scripted ear"),
    ] {
        let all = config.places(role);
        for (name, place) in &all {
            let check = async || answers(place, embedded, scripted).await;
            are_well &= report.check(&super::title(title, name, all.len()), check).await;
        }
    }
    are_well
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
    let heard = tokio::task::spawn_blocking(move || {
        recognise(&*registry.stt(), &Down::default().push(&sound))
    })
    .await;
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
