//! Settings of earlier versions: each is refused with a sentence that says the new one.

use crate::{
    providers::{kind::Role, speech::Chain},
    settings::{Place, Problem, Tables, variable},
};

/// Sections that are those of a provider now.
const SECTIONS: [(&str, &str); 3] = [
    ("llm", "providers.openai"),
    ("deepgram", "providers.deepgram"),
    ("openai_speech", "providers.openai-speech"),
];

/// A setting: its section and its key.
type Name<'a> = (&'a str, &'a str);

/// Settings that stand elsewhere now: then and now.
const SETTINGS: [(Name<'_>, Name<'_>); 3] = [
    (("speech", "voice"), ("providers.flite", "voice")),
    (("speech", "hibari_voice"), ("providers.hibari", "voice")),
    (("speech", "webrtc_mode"), ("providers.webrtc", "mode")),
];

/// Settings that are gone, and what takes their place.
const GONE: [(Name<'_>, &str); 2] =
    [(("speech", "silero_model"), IN_FOLDER), (("speech", "turn_model"), IN_FOLDER)];
const IN_FOLDER: &str = "put the file into `speech.models_dir`, as `vivavoce models` names it";

/// Takes what has moved out of what is written, with a sentence each.
pub(super) fn refuse(tables: &mut Tables, problems: &mut Vec<Problem>) {
    for (old, new) in SECTIONS {
        let Some(table) = tables.0.remove(old) else { continue };
        if table.settings.is_empty() {
            let what = format!("[{old}] is now [{new}]");
            problems.push(Problem { place: table.place.clone(), what });
        }
        for (key, setting) in table.settings {
            problems.push(now(setting.place, (old, &key), (new, &key)));
        }
    }
    for ((section, key), new) in SETTINGS {
        if let Some(setting) = tables.table(section).settings.remove(key) {
            problems.push(now(setting.place, (section, key), new));
        }
    }
    for ((section, key), instead) in GONE {
        if let Some(setting) = tables.table(section).settings.remove(key) {
            let what = format!("the setting `{section}.{key}` is gone: {instead}");
            problems.push(Problem { place: setting.place, what });
        }
    }
}

fn now(place: Place, old: Name<'_>, new: Name<'_>) -> Problem {
    let what = match place {
        Place::Variable(_) => format!("this is now {}", variable(new.0, new.1)),
        Place::Line(..) | Place::Default => {
            format!("[{}] {} is now [{}] {}", old.0, old.1, new.0, new.1)
        }
    };
    Problem { place, what }
}

/// Where a setting of today stood before.
pub(super) fn from<'a>(section: &str, key: &'a str) -> Option<(String, &'a str)> {
    let single = SETTINGS.iter().find(|(_, new)| *new == (section, key));
    if let Some(((old, old_key), _)) = single {
        return Some(((*old).to_owned(), old_key));
    }
    let (old, _) = SECTIONS.iter().find(|(_, new)| *new == section)?;
    Some(((*old).to_owned(), key))
}

/// What is to be said of a name that once took a role.
pub(super) fn choice(role: Role, chain: &Chain) -> Option<String> {
    let is_openai = role == Role::Tts && *chain == Chain::from("openai");
    let what = "speech.tts = \"openai\" is now speech.tts = \"openai-speech\"";
    is_openai.then(|| what.to_owned())
}
