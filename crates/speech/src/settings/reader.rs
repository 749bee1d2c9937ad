//! Reads the settings of a section from the tables of files and variables.

use std::fmt;

use super::{
    Field, Rule,
    written::{Problem, Setting, Table},
};

/// A section of settings, as [`super::settings!`] declares one.
pub trait Section: Sized {
    /// The doc line of the section.
    const DOC: &str;
    /// The settings of the section.
    const FIELDS: &[Field];
    /// Reads the settings. A wrong value becomes a problem, and the default takes its place.
    fn read(reader: &mut Reader<'_>) -> Self;
}

/// The source of a section: the table of what was written, and the list of problems.
pub struct Reader<'a> {
    section: &'a str,
    table: &'a Table,
    problems: &'a mut Vec<Problem>,
    /// Settings whose defaults take the place of the declared ones.
    defaults: &'static [Field],
}

impl<'a> Reader<'a> {
    /// Returns a reader of `section` for its table.
    pub fn new(section: &'a str, table: &'a Table, problems: &'a mut Vec<Problem>) -> Self {
        Self { section, table, problems, defaults: &[] }
    }

    /// Replaces the declared defaults by those of `fields`, for kinds of providers that share their settings.
    pub fn with_defaults(&mut self, fields: &'static [Field]) -> &mut Self {
        self.defaults = fields;
        self
    }

    /// Returns the section with all its defaults.
    pub fn read_defaults<S: Section>() -> S {
        let mut problems = Vec::new();
        let read = S::read(&mut Reader::new("", &Table::default(), &mut problems));
        assert!(problems.is_empty(), "nothing is written, so nothing is wrong: {problems:?}");
        read
    }

    /// Returns the value of a setting. A wrong value becomes a problem, and the default takes its place.
    pub fn read<T>(&mut self, key: &str, default: &str, rule: &Rule<T>) -> T {
        if let Some(setting) = self.table.settings.get(key) {
            match parsed(setting, rule) {
                Ok(value) => return value,
                Err(wrong) => {
                    let name = dotted(self.section, key);
                    let what = format!("`{name}` must be {wrong}");
                    self.problems.push(Problem { place: setting.place.clone(), what });
                }
            }
        }
        let own = self.defaults.iter().find(|field| field.key == key);
        let default = own.map_or(default, |field| field.default);
        (rule.parse)(default.trim_matches('"')).expect("a test reads every default")
    }
}

/// Returns the value, or the words "…, not …" about what it should have been.
fn parsed<T>(setting: &Setting, rule: &Rule<T>) -> Result<T, String> {
    match setting.kind {
        Some(kind) if !rule.kind.admits(kind) => {
            return Err(format!("{}, not {}", rule.kind.name(), kind.name()));
        }
        Some(_) | None => {}
    }
    let text = &setting.text;
    (rule.parse)(text).ok_or_else(|| format!("{}, not `{text}`", rule.expected))
}

/// Adds a problem for each key of a section that is none of its settings.
pub fn check_keys(section: &str, keys: &[&str], table: &Table, problems: &mut Vec<Problem>) {
    let mut known = keys.to_vec();
    known.sort_unstable();
    let unknown = table.settings.iter().filter(|(key, _)| !known.contains(&key.as_str()));
    problems.extend(unknown.map(|(key, setting)| {
        let has = if known.is_empty() { "no settings".to_owned() } else { known.join(", ") };
        let what = format!(
            "there is no setting `{}`: `{section}` has {has}{}",
            dotted(section, key),
            Near(near(key, known.iter().copied()))
        );
        Problem { place: setting.place.clone(), what }
    }));
}

/// Returns the known name that was probably meant.
pub fn near<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const SIMILAR_MIN: f64 = 0.8;
    let known = known.into_iter().map(|name| (strsim::jaro_winkler(written, name), name));
    let best = known.max_by(|(a, _), (b, _)| a.total_cmp(b))?;
    (best.0 >= SIMILAR_MIN).then_some(best.1)
}

/// The words `; did you mean …?`, or nothing.
pub struct Near<'a>(pub Option<&'a str>);

impl fmt::Display for Near<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |name| write!(f, "; did you mean `{name}`?"))
    }
}

fn dotted(section: &str, key: &str) -> String {
    if section.is_empty() { key.to_owned() } else { format!("{section}.{key}") }
}
