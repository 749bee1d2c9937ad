//! The words of a language: a file of lines `kind <tab> written <tab> spoken [<tab> plural]`.

use std::sync::LazyLock;

use interview::blueprint::Language;

/// The words of one language, by their kind.
pub(super) struct Table(Vec<Row>);

struct Row {
    kind: &'static str,
    written: &'static str,
    spoken: &'static str,
    plural: &'static str,
}

static ENGLISH: LazyLock<Table> = LazyLock::new(|| Table::parse(include_str!("en.tsv")));
static GERMAN: LazyLock<Table> = LazyLock::new(|| Table::parse(include_str!("de.tsv")));
static ITALIAN: LazyLock<Table> = LazyLock::new(|| Table::parse(include_str!("it.tsv")));

impl Table {
    pub(super) fn of(language: Language) -> &'static Self {
        match language {
            Language::English => &ENGLISH,
            Language::German => &GERMAN,
            Language::Italian => &ITALIAN,
        }
    }

    fn parse(file: &'static str) -> Self {
        let rows = file.lines().filter(|line| !line.trim().is_empty()).map(|line| {
            let mut cells = line.split('\t');
            let [kind, written, spoken] = [(); 3].map(|()| cells.next().unwrap_or_default());
            Row { kind, written, spoken, plural: cells.next().unwrap_or(spoken) }
        });
        Self(rows.collect())
    }

    fn rows(&self, kind: &'static str) -> impl Iterator<Item = &Row> {
        self.0.iter().filter(move |row| row.kind == kind)
    }

    /// A word that readings need, by its name; empty where the language needs none.
    pub(super) fn word(&self, name: &str) -> &'static str {
        self.rows("word").find(|row| row.written == name).map_or("", |row| row.spoken)
    }

    /// The longest short form that a text begins with, as a whole word, and what it is short for.
    pub(super) fn short_form(&self, text: &str) -> Option<(&'static str, &'static str)> {
        let fits = |row: &&Row| {
            let rest = text.strip_prefix(row.written);
            // A short form of a word that counts ("No.") is one only before a number.
            let counts = row.kind == "count";
            rest.is_some_and(|rest| match counts {
                true => rest.trim_start().starts_with(|c: char| c.is_ascii_digit()),
                false => !rest.starts_with(|c: char| c.is_alphanumeric()),
            })
        };
        let all = self.rows("short").chain(self.rows("count")).filter(fits);
        all.max_by_key(|row| row.written.len()).map(|row| (row.written, row.spoken))
    }

    /// A sign that a text begins with, and its words.
    pub(super) fn sign(&self, text: &str) -> Option<(&'static str, &'static str)> {
        let found = self.rows("sign").find(|row| text.starts_with(row.written));
        found.map(|row| (row.written, row.spoken))
    }

    /// The name of a day, from its name or a short form; whether that is never another word.
    pub(super) fn day(&self, written: &str) -> Option<(&'static str, bool)> {
        let named = |kind| self.rows(kind).find(|row| row.written == written);
        let sure = named("day").map(|row| (row.spoken, true));
        sure.or_else(|| named("day?").map(|row| (row.spoken, false)))
    }

    /// The number and the name of a month, from its name or a short form.
    pub(super) fn month(&self, written: &str) -> Option<(usize, &'static str)> {
        let is_it = |row: &Row| {
            row.written == written || written.len() >= 3 && row.spoken.starts_with(written)
        };
        let row = self.rows("month").position(is_it)?;
        self.rows("month").nth(row).map(|month| (row + 1, month.spoken))
    }

    /// The name of a month, by its number.
    pub(super) fn month_name(&self, number: usize) -> Option<&'static str> {
        self.rows("month")
            .nth(number.checked_sub(1)?)
            .filter(|_| number <= 12)
            .map(|row| row.spoken)
    }

    /// The longest currency that a text begins with: as written, for one, for many.
    pub(super) fn currency(&self, text: &str) -> Option<[&'static str; 3]> {
        self.longest("currency", text)
    }

    /// The longest unit that a text begins with.
    pub(super) fn unit(&self, text: &str) -> Option<[&'static str; 3]> {
        self.longest("unit", text)
    }

    /// The longest word for a large number that a text begins with: "million", "Mio.", "k".
    pub(super) fn scale(&self, text: &str) -> Option<[&'static str; 3]> {
        self.longest("scale", text)
    }

    /// The longest "each" that a text begins with: "/h".
    pub(super) fn per(&self, text: &str) -> Option<[&'static str; 3]> {
        self.longest("per", text)
    }

    fn longest(&self, kind: &'static str, text: &str) -> Option<[&'static str; 3]> {
        let fits = |row: &&Row| {
            let rest = text.strip_prefix(row.written);
            let is_word = row.written.ends_with(char::is_alphabetic);
            rest.is_some_and(|rest| !is_word || !rest.starts_with(|c: char| c.is_alphanumeric()))
        };
        let row = self.rows(kind).filter(fits).max_by_key(|row| row.written.len())?;
        Some([row.written, row.spoken, row.plural])
    }
}
