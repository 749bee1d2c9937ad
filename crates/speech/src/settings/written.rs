//! The settings as they are written in files and the environment, before their meaning is known.

use std::{collections::BTreeMap, fmt};

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::Kind;

/// The section whose subsections have free names: `[providers.NAME]`.
const NAMED: &str = "providers";

/// The place where something is written.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// No place: the value is a default.
    #[default]
    Default,
    /// A line of a file.
    Line(String, usize),
    /// A variable of the environment.
    Variable(String),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("by default"),
            Self::Line(file, line) => write!(f, "{file}:{line}"),
            Self::Variable(name) => f.write_str(name),
        }
    }
}

/// A value as it is written.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The text of the value; for a list the texts with commas between them.
    pub text: String,
    /// The type of the value in the file. `None` for a variable, whose text may be of any type.
    pub kind: Option<Kind>,
    /// The place where it is written.
    pub place: Place,
}

/// The settings that are written in one section, by key.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The place where the section begins, if it is in the file.
    pub place: Place,
    /// The settings of the section.
    pub settings: BTreeMap<String, Setting>,
}

/// One sentence about something wrong, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The place where it is written.
    pub place: Place,
    /// The sentence: the fault, and what would be right.
    pub what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

/// All sections that are written, by name: `worker`, `providers.deepgram`.
#[derive(Clone, Debug, Default)]
pub struct Tables(pub BTreeMap<String, Table>);

impl Tables {
    /// Returns the table of a section.
    pub fn table(&mut self, section: &str) -> &mut Table {
        self.0.entry(section.to_owned()).or_default()
    }

    /// Adds the settings of a file. A file that is not TOML becomes one problem and adds no settings.
    pub fn add_file(&mut self, file: &str, text: &str, problems: &mut Vec<Problem>) {
        let line = |at: usize| 1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count();
        let place = |at: usize| Place::Line(file.to_owned(), line(at));
        let (table, errors) = DeTable::parse_recoverable(text);
        // Errors after the first are guesswork, as are the settings of a broken file.
        if let Some(error) = errors.first() {
            let place = place(error.span().map_or(0, |span| span.start));
            return problems.push(Problem { place, what: error.message().to_owned() });
        }
        self.add_sections("", table.get_ref(), &place, problems);
    }

    fn add_sections(
        &mut self,
        parent: &str,
        sections: &DeTable<'_>,
        place: &impl Fn(usize) -> Place,
        problems: &mut Vec<Problem>,
    ) {
        for (name, content) in sections {
            let at = place(name.span().start);
            let name = format!("{parent}{}", name.get_ref());
            let Some(table) = content.get_ref().as_table() else {
                let what = format!("`{name}` is a section: write [{name}]");
                problems.push(Problem { place: at, what });
                continue;
            };
            if name == NAMED {
                self.add_sections("providers.", table, place, problems);
                continue;
            }
            let section = self.table(&name);
            section.place = at;
            for (key, value) in table {
                let (text, kind) = text_and_kind(value);
                let setting = Setting { text, kind: Some(kind), place: place(key.span().start) };
                section.settings.insert(key.get_ref().to_string(), setting);
            }
        }
    }

    /// Adds one variable of the environment.
    pub fn add_variable(&mut self, section: &str, key: &str, variable: &str, text: String) {
        let place = Place::Variable(variable.to_owned());
        let setting = Setting { text, kind: None, place: place.clone() };
        let table = self.table(section);
        if table.place == Place::Default {
            table.place = place;
        }
        table.settings.insert(key.to_owned(), setting);
    }
}

/// Returns the name of the environment variable of a setting.
pub fn variable(section: &str, key: &str) -> String {
    let name = format!("{section}.{key}").to_uppercase().replace('-', "_");
    format!("VIVAVOCE_{}", name.replace('.', "__"))
}

fn text_and_kind(value: &Spanned<DeValue<'_>>) -> (String, Kind) {
    match value.get_ref() {
        DeValue::String(text) => (text.to_string(), Kind::Text),
        DeValue::Integer(number) => (number.as_str().to_owned(), Kind::Whole),
        DeValue::Boolean(value) => (value.to_string(), Kind::Flag),
        DeValue::Float(number) => (number.as_str().to_owned(), Kind::Number),
        DeValue::Datetime(_) => (String::new(), Kind::Date),
        DeValue::Array(values) => {
            let texts = values.iter().map(text_and_kind).map(|(text, _)| text);
            (texts.collect::<Vec<_>>().join(", "), Kind::List)
        }
        DeValue::Table(_) => (String::new(), Kind::Table),
    }
}
