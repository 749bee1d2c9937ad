//! `vivavoce models`: what is fetched by hand, from where, and whether it is there.

use super::{
    Failed,
    out::{BAD, FAINT, GOOD, PLAIN, STRONG, say},
};
use crate::{
    config::{Config, Stt, Vad},
    providers::{
        models::{ModelFile, SILERO},
        pocketsphinx,
    },
};

/// Prints every model that the configuration names or could name. Fails if one that it names is not what it should be.
pub fn models(config: &Config) -> Result<(), Failed> {
    let ModelFile { name, setting, url, license, bytes, sha256 } = SILERO;
    say(STRONG, &format!("{name}, for speech.vad = \"silero\""));
    say(PLAIN, &format!("  fetch    {url}"));
    say(PLAIN, &format!("  size     {bytes} bytes"));
    say(PLAIN, &format!("  sha256   {sha256}"));
    say(PLAIN, &format!("  licence  {license}"));
    if cfg!(not(feature = "silero")) {
        say(PLAIN, "  build    this one cannot run it: cargo build --release --features silero");
    }
    let silero = silero(config);
    tell(&silero, &format!("not in use: {setting} names no file"));
    say(STRONG, "PocketSphinx en-us, for speech.stt = \"pocketsphinx\"");
    say(PLAIN, "  fetch    apt-get install pocketsphinx-en-us");
    let pocketsphinx = pocketsphinx(config);
    tell(&pocketsphinx, "not in use");
    let wrong: Vec<String> = [silero, pocketsphinx].into_iter().filter_map(Result::err).collect();
    if wrong.is_empty() { Ok(()) } else { Err(Failed(wrong.join("\n"))) }
}

/// What is so with the models in use, or one sentence for each that is not what it should be.
pub(super) fn check(config: &Config) -> Result<String, String> {
    let found = [silero(config), pocketsphinx(config)];
    let wrong: Vec<&str> =
        found.iter().filter_map(|f| f.as_ref().err()).map(String::as_str).collect();
    if !wrong.is_empty() {
        return Err(wrong.join("; "));
    }
    let so: Vec<String> = found.into_iter().filter_map(Result::ok).flatten().collect();
    Ok(if so.is_empty() { "none is in use".to_owned() } else { so.join(", ") })
}

/// Nothing if it is not in use; the file is checked also where another detector is chosen.
fn silero(config: &Config) -> Result<Option<String>, String> {
    let file = config.speech.silero_model.as_deref();
    if file.is_none() && config.speech.vad != Vad::Silero {
        return Ok(None);
    }
    SILERO.read(file).map_err(|error| error.what)?;
    let file = file.map(|file| file.display().to_string()).unwrap_or_default();
    Ok(Some(format!("{file} is {}", SILERO.name)))
}

fn pocketsphinx(config: &Config) -> Result<Option<String>, String> {
    if config.speech.stt != Stt::PocketSphinx {
        return Ok(None);
    }
    pocketsphinx::model_is_there(pocketsphinx::MODEL.as_ref()).map_err(|error| error.what)?;
    Ok(Some(format!("{} is there", pocketsphinx::MODEL)))
}

fn tell(found: &Result<Option<String>, String>, unused: &str) {
    match found {
        Ok(Some(so)) => say(GOOD, &format!("  ok       {so}")),
        Ok(None) => say(FAINT, &format!("  -        {unused}")),
        Err(_) => say(BAD, "  FAIL     see below"),
    }
}
