//! Settings by name, each with its text and where that was written; later layers replace earlier ones.

use std::collections::BTreeMap;

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

const DEFAULTS: &str = include_str!("../../config/default.toml");

/// Variables of the environment that everybody knows under another name than ours.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("LIVEKIT_URL", "livekit.url"),
    ("LIVEKIT_PUBLIC_URL", "livekit.public_url"),
    ("LIVEKIT_API_KEY", "livekit.api_key"),
    ("LIVEKIT_API_SECRET", "livekit.api_secret"),
    ("OPENAI_API_KEY", "llm.api_key"),
    ("OPENAI_API_KEY", "openai_speech.api_key"),
    ("DEEPGRAM_API_KEY", "deepgram.api_key"),
    ("VIVAVOCE_DATA", "data.dir"),
];

/// Settings of earlier versions, and what takes their place.
const GONE: [(&str, &str); 2] = [
    ("speech.silero_model", "put the file into `speech.models_dir`, as `vivavoce models` names it"),
    ("speech.turn_model", "put the file into `speech.models_dir`, as `vivavoce models` names it"),
];

const NUMBER: &str = "a number";
const WHOLE_NUMBER: &str = "a whole number";

/// The settings and what was found wrong so far.
pub(super) struct Layers {
    settings: BTreeMap<String, Setting>,
    defaults: BTreeMap<String, Setting>,
    /// One sentence each.
    pub(super) problems: Vec<String>,
}

#[derive(Clone)]
struct Setting {
    text: String,
    kind: &'static str,
    place: String,
}

impl Layers {
    /// The defaults, which name all settings there are.
    pub(super) fn new() -> Self {
        let mut layers =
            Self { settings: BTreeMap::new(), defaults: BTreeMap::new(), problems: Vec::new() };
        for (name, setting) in layers.parse("config/default.toml", DEFAULTS) {
            layers.defaults.insert(name, setting);
        }
        layers.settings = layers.defaults.clone();
        layers
    }

    /// A file on top of what is there.
    pub(super) fn add_file(&mut self, file: &str, text: &str) {
        for (name, setting) in self.parse(file, text) {
            self.set(name, setting);
        }
    }

    /// Variables of the environment on top of what is there; those that are no settings of ours are left alone.
    pub(super) fn add_environment(
        &mut self,
        variables: impl IntoIterator<Item = (String, String)>,
    ) {
        let (mut ours, mut others) = (Vec::new(), Vec::new());
        for (variable, text) in variables {
            for (_, name) in OTHER_NAMES.iter().filter(|(other, _)| *other == variable) {
                others.push(((*name).to_owned(), variable.clone(), text.clone()));
            }
            let Some(rest) = variable.strip_prefix("VIVAVOCE_") else { continue };
            if let Some((section, key)) = rest.split_once("__") {
                ours.push((format!("{section}.{key}").to_lowercase(), variable, text));
            } else if let Some((section, key)) = self.written_with_one(rest) {
                let meant = format!("VIVAVOCE_{section}__{key}").to_uppercase();
                self.problems.push(format!("{variable}: write {meant}, with two underscores"));
            }
        }
        for (name, place, text) in others.into_iter().chain(ours) {
            let kind = self.defaults.get(&name).map_or("", |default| default.kind);
            self.set(name, Setting { text, kind, place });
        }
    }

    /// The setting that is meant by `SECTION_KEY`.
    fn written_with_one(&self, rest: &str) -> Option<(&str, &str)> {
        let rest = rest.to_lowercase();
        let mut names = self.defaults.keys().filter_map(|name| name.split_once('.'));
        names.find(|(section, key)| rest == format!("{section}_{key}"))
    }

    /// The value of a setting. A bad one becomes a problem, and the default stands in for it.
    pub(super) fn read<T>(
        &mut self,
        name: &str,
        expected: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> T {
        let setting = &self.settings[name];
        if let Some(value) = parse(&setting.text) {
            return value;
        }
        let Setting { text, place, .. } = setting;
        self.problems.push(format!("{place}: `{name}` must be {expected}, not `{text}`"));
        parse(&self.defaults[name].text).expect("a test reads the defaults")
    }

    fn set(&mut self, name: String, setting: Setting) {
        let Some(default) = self.defaults.get(&name) else {
            return self.unknown(&name, &setting.place);
        };
        let is_number = default.kind == NUMBER && setting.kind == WHOLE_NUMBER;
        if default.kind != setting.kind && !is_number {
            let Setting { kind, place, .. } = &setting;
            self.problems.push(format!("{place}: `{name}` must be {}, not {kind}", default.kind));
            return;
        }
        self.settings.insert(name, setting);
    }

    fn unknown(&mut self, name: &str, place: &str) {
        let section = name.split('.').next().unwrap_or_default();
        let names = self.names_in(section);
        self.problems.push(if names.is_empty() {
            let sections = self.defaults.keys().filter_map(|name| name.split('.').next());
            let mut sections: Vec<_> = sections.collect();
            sections.dedup();
            format!("{place}: there is no section `{section}`: there are {}", sections.join(", "))
        } else {
            let gone = GONE.iter().find(|(gone, _)| *gone == name);
            match gone {
                Some((_, instead)) => format!("{place}: the setting `{name}` is gone: {instead}"),
                None => {
                    let names = names.join(", ");
                    format!("{place}: there is no setting `{name}`: `{section}` has {names}")
                }
            }
        });
    }

    fn names_in(&self, section: &str) -> Vec<&str> {
        let names = self.defaults.keys().filter_map(|name| name.split_once('.'));
        names.filter(|(of, _)| *of == section).map(|(_, key)| key).collect()
    }

    /// All settings of a text, in its order.
    fn parse(&mut self, file: &str, text: &str) -> Vec<(String, Setting)> {
        let line = |at: usize| 1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count();
        let (table, errors) = DeTable::parse_recoverable(text);
        // What follows the first is guesswork, as are the settings of a broken file.
        if let Some(error) = errors.first() {
            let line = line(error.span().map_or(0, |span| span.start));
            self.problems.push(format!("{file}:{line}: {}", error.message()));
            return Vec::new();
        }
        let mut settings = Vec::new();
        for (section, content) in table.get_ref() {
            let place = format!("{file}:{}", line(section.span().start));
            let section = section.get_ref();
            let Some(table) = content.get_ref().as_table() else {
                self.problems.push(format!("{place}: `{section}` is a section: write [{section}]"));
                continue;
            };
            if !self.defaults.is_empty() && self.names_in(section).is_empty() {
                self.unknown(section, &place);
                continue;
            }
            for (key, value) in table {
                let place = format!("{file}:{}", line(key.span().start));
                let (text, kind) = text_and_kind(value);
                let name = format!("{section}.{}", key.get_ref());
                settings.push((name, Setting { text, kind, place }));
            }
        }
        settings
    }
}

fn text_and_kind(value: &Spanned<DeValue<'_>>) -> (String, &'static str) {
    match value.get_ref() {
        DeValue::String(text) => (text.to_string(), "a text"),
        DeValue::Integer(number) => (number.as_str().to_owned(), WHOLE_NUMBER),
        DeValue::Boolean(value) => (value.to_string(), "true or false"),
        DeValue::Float(number) => (number.as_str().to_owned(), NUMBER),
        DeValue::Datetime(_) => (String::new(), "a date"),
        DeValue::Array(_) => (String::new(), "a list"),
        DeValue::Table(_) => (String::new(), "a section"),
    }
}
