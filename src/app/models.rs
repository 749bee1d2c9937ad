//! `vivavoce models`: what is fetched by hand, from where, and whether it is there.

use std::path::Path;

use super::{
    Failed,
    out::{BAD, FAINT, GOOD, PLAIN, STRONG, say},
};
use crate::{
    config::{Config, Stt, Vad},
    providers::{
        models::{ModelFile, SILERO, SMART_TURN},
        pocketsphinx,
    },
};

/// What is so with a model in use, nothing with one that is not, or one sentence on what is wrong with it.
type Found = Result<Option<String>, String>;

/// Prints every model that the configuration names or could name. Fails if one that it names is not what it should be.
pub fn models(config: &Config) -> Result<(), Failed> {
    let silero = silero(config);
    show(SILERO, "speech.vad = \"silero\"", &silero);
    let smart_turn = smart_turn(config);
    show(SMART_TURN, "the ends of turns", &smart_turn);
    say(STRONG, "PocketSphinx en-us, for speech.stt = \"pocketsphinx\"");
    say(PLAIN, "  fetch    apt-get install pocketsphinx-en-us");
    let pocketsphinx = pocketsphinx(config);
    tell(&pocketsphinx, "not in use");
    let found = [silero, smart_turn, pocketsphinx];
    let wrong: Vec<String> = found.into_iter().filter_map(Result::err).collect();
    if wrong.is_empty() { Ok(()) } else { Err(Failed(wrong.join("\n"))) }
}

/// What is so with the models in use, or one sentence for each that is not what it should be.
pub(super) fn check(config: &Config) -> Result<String, String> {
    let found = [silero(config), smart_turn(config), pocketsphinx(config)];
    let wrong: Vec<&str> =
        found.iter().filter_map(|f| f.as_ref().err()).map(String::as_str).collect();
    if !wrong.is_empty() {
        return Err(wrong.join("; "));
    }
    let so: Vec<String> = found.into_iter().filter_map(Result::ok).flatten().collect();
    Ok(if so.is_empty() { "none is in use".to_owned() } else { so.join(", ") })
}

/// How to get a file, and what is so with the one that is named.
fn show(model: ModelFile, used_for: &str, found: &Found) {
    let ModelFile { name, setting, url, license, bytes, sha256, left_out: _ } = model;
    say(STRONG, &format!("{name}, for {used_for}"));
    say(PLAIN, &format!("  fetch    {url}"));
    say(PLAIN, &format!("  size     {bytes} bytes"));
    say(PLAIN, &format!("  sha256   {sha256}"));
    say(PLAIN, &format!("  licence  {license}"));
    if cfg!(not(feature = "onnx")) {
        say(
            PLAIN,
            "  build    this one cannot run it: make run FEATURES=onnx, or cargo build --release --features onnx",
        );
    }
    tell(found, &format!("not in use: {setting} names no file"));
}

fn silero(config: &Config) -> Found {
    file_of(SILERO, config.speech.silero_model.as_deref(), config.speech.vad == Vad::Silero)
}

fn smart_turn(config: &Config) -> Found {
    let file = config.speech.turn_model.as_deref();
    file_of(SMART_TURN, file, file.is_some())
}

/// A file that is named is checked, whether it is used or not; one that is used must be of use to this program.
fn file_of(model: ModelFile, file: Option<&Path>, is_used: bool) -> Found {
    if file.is_none() && !is_used {
        return Ok(None);
    }
    if is_used && cfg!(not(feature = "onnx")) {
        return Err(model.left_out.to_owned());
    }
    model.read(file).map_err(|error| error.what)?;
    let file = file.map(|file| file.display().to_string()).unwrap_or_default();
    Ok(Some(format!("{file} is {}", model.name)))
}

fn pocketsphinx(config: &Config) -> Found {
    if config.speech.stt != Stt::PocketSphinx {
        return Ok(None);
    }
    pocketsphinx::model_is_there(pocketsphinx::MODEL.as_ref()).map_err(|error| error.what)?;
    Ok(Some(format!("{} is there", pocketsphinx::MODEL)))
}

fn tell(found: &Found, unused: &str) {
    match found {
        Ok(Some(so)) => say(GOOD, &format!("  ok       {so}")),
        Ok(None) => say(FAINT, &format!("  -        {unused}")),
        Err(_) => say(BAD, "  FAIL     see below"),
    }
}
