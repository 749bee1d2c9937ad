//! Settings as a person meets them: what is printed, what an interview chooses for itself.

use std::{fs, path::Path};

use futures_util::StreamExt;
use vivavoce::{
    config::Config,
    providers::{Tts, kind::Role, registry::Registry},
};

use crate::cli::{text, vivavoce};

const DEFAULTS: &str = "config/default.toml";

/// N05: `vivavoce settings` prints what stands in the repository, whatever is set. `VIVAVOCE_BLESS=1` writes
/// that anew.
#[test]
fn all_settings_are_printed() {
    let output = vivavoce(&["settings"], &[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let printed = text(&output.stdout);
    if std::env::var_os("VIVAVOCE_BLESS").is_some() {
        fs::write(DEFAULTS, &printed).unwrap();
    }
    let kept = fs::read_to_string(DEFAULTS).unwrap();
    assert!(
        kept == printed,
        "{DEFAULTS} is old: run `VIVAVOCE_BLESS=1 cargo test --test all all_settings_are_printed`"
    );
}

/// N05: an old setting is refused with where it stands now, at its line, and no key is shown.
#[test]
fn an_old_setting_says_the_new_one() {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(&file, "[worker]\nslots = 2\n\n[deepgram]\nmodel = \"nova-3\"\napi_key = \"hush\"\n")
        .unwrap();
    let path = file.path().to_str().unwrap();
    let settings = [("VIVAVOCE_LLM__API_KEY", "hush")];
    let output = vivavoce(&["doctor", "--config", path], &settings);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    let expected = format!(
        "{path}:5: [deepgram] model is now [providers.deepgram] model\n\
         {path}:6: [deepgram] api_key is now [providers.deepgram] api_key\n\
         VIVAVOCE_LLM__API_KEY: this is now VIVAVOCE_PROVIDERS__OPENAI__API_KEY\n"
    );
    assert_eq!(said, expected);
}

/// A copy of a shipped blueprint that says this, too.
fn blueprint_with(folder: &Path, more: &str) {
    let copy = folder.join("own");
    fs::create_dir_all(&copy).unwrap();
    for entry in fs::read_dir("agents/two-stage").unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap();
        let more = if name == "blueprint.toml" { more } else { "" };
        fs::write(copy.join(name), format!("{text}{more}")).unwrap();
    }
}

/// A blueprint chooses providers by name: those that there are, each for what it can do. `check` and a worker
/// refuse others with the line.
#[test]
fn a_blueprint_chooses_providers() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().to_str().unwrap();
    let dir = ("VIVAVOCE_AGENTS__DIR", place);
    blueprint_with(folder.path(), "\n[speech]\nstt = \"my-ear\"\ntts = [\"my-ear\"]\n");
    let head = fs::read_to_string(folder.path().join("own/blueprint.toml")).unwrap();
    let line = head.lines().count() - 1;
    let worker = [
        dir,
        ("VIVAVOCE_WORKER__BLUEPRINT", "own"),
        ("LIVEKIT_API_KEY", "key"),
        ("LIVEKIT_API_SECRET", "secret"),
        ("VIVAVOCE_WORKER__HEALTH", "127.0.0.1:0"),
    ];
    for (command, settings) in [("check", &[dir][..]), ("worker", &worker)] {
        let output = vivavoce(&[command], settings);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        let ear =
            format!("own/blueprint.toml:{line}: `speech.stt` must be one of `auto` `moonshine`");
        let voice = format!("own/blueprint.toml:{}: `speech.tts` must be one of `auto`", line + 1);
        assert!(said.lines().any(|line| line.starts_with(&ear)), "{said}");
        assert!(said.lines().any(|line| line.starts_with(&voice)), "{said}");
        assert!(said.contains(", not `my-ear`"), "{said}");
    }
    // One that hears, and does not speak.
    let kind = ("VIVAVOCE_PROVIDERS__MY_EAR__KIND", "deepgram");
    let named = ("VIVAVOCE_PROVIDERS__MY-EAR__KIND", "deepgram");
    let said = text(&vivavoce(&["check"], &[dir, named]).stderr);
    assert!(said.contains("`speech.tts`") && !said.contains("`speech.stt`"), "{said}");
    let said = text(&vivavoce(&["check"], &[dir, kind]).stderr);
    assert!(said.contains("did you mean `my_ear`?"), "{said}");
    blueprint_with(folder.path(), "\n[speech]\nstt = \"scripted\"\nturn_detector = \"off\"\n");
    let output = vivavoce(&["check"], &[dir]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

fn registry(settings: &[(&str, &str)]) -> Registry {
    let settings = settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let config = Config::read(None, settings).unwrap();
    Registry::build(&config.speech, &config.providers, 1).unwrap()
}

fn said(tts: &dyn Tts) -> Vec<i16> {
    let pieces = pollster::block_on(tts.synthesize("Hello.").collect::<Vec<_>>());
    pieces.into_iter().flat_map(|piece| piece.unwrap().0).collect()
}

/// What an interview chooses is opened once for all who choose it, takes the place of what the settings say
/// for that interview alone, and is refused in one sentence if there is no such name; of several
/// the first one speaks.
#[test]
fn what_is_chosen_is_opened_once() {
    let scripted = [
        ("VIVAVOCE_SPEECH__STT", "scripted"),
        ("VIVAVOCE_SPEECH__TTS", "scripted"),
        ("VIVAVOCE_SPEECH__VAD", "earshot"),
        ("VIVAVOCE_SPEECH__TURN_DETECTOR", "off"),
        ("VIVAVOCE_PROVIDERS__ROUGH__KIND", "flite"),
        ("VIVAVOCE_PROVIDERS__ROUGH__VOICE", "kal"),
    ];
    let all = registry(&scripted);
    let choosing = |name: &str| all.clone().choosing([(Role::Tts, name.into())]);
    assert!(!all.is_open(Role::Tts, "rough"), "nobody has chosen it yet");
    let one = choosing("rough").unwrap();
    assert!(all.is_open(Role::Tts, "rough"), "it is open for all");
    assert!(one.is_open(Role::Stt, "scripted"), "what is not chosen stays");
    let (hum, speech) = (said(&*all.tts()), said(&*one.tts()));
    assert!(!speech.is_empty() && hum != speech, "{} {}", hum.len(), speech.len());
    let slt = said(&*choosing("flite").unwrap().tts());
    assert!(slt != speech, "each has its own settings");
    let why = choosing("nobody").err().unwrap().to_string();
    let names = "`auto` `hibari` `flite` `openai-speech` `elevenlabs` `cartesia` `deepgram-speech` \
        `azure-speech` `scripted` `rough`";
    assert_eq!(why, format!("`speech.tts` must be one of {names}, not `nobody`"));
    let chain = vivavoce::providers::speech::Chain::new(["flite".into(), "rough".into()]);
    let both = all.clone().choosing([(Role::Tts, chain)]).unwrap();
    assert!(said(&*both.tts()) == slt, "without a runtime, too");
}
