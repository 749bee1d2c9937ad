//! Reads a TOML table key by key and notes every problem with its line, instead of stopping at the first.

use std::{collections::BTreeSet, ops::Range, time::Duration};

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{problem::Problem, wordings::Wordings};

/// One TOML text and the problems found in it so far.
pub(super) struct Source<'a> {
    file: &'a str,
    text: &'a str,
    /// Lines of the file before the text begins (the `+++` of a front matter).
    first_line: usize,
    /// Whether the text does not parse: then what seems to be missing may only be hidden.
    broken: bool,
    problems: Vec<Problem>,
    /// The second wordings of its questions.
    wordings: Wordings,
}

/// A table being read; every key that was asked for is remembered, the others are problems.
pub(super) struct Reader<'a, 'i> {
    source: &'a mut Source<'i>,
    table: &'a DeTable<'i>,
    /// Where the table stands, for keys that are missing from it.
    span: Range<usize>,
    asked: BTreeSet<&'static str>,
}

impl<'i> Source<'i> {
    pub(super) fn new(file: &'i str, text: &'i str, first_line: usize) -> Self {
        let (problems, wordings) = (Vec::new(), Wordings::default());
        Self { file, text, first_line, broken: false, problems, wordings }
    }

    /// Parses the text and lets `read` take what it knows; returns what it made and all problems.
    pub(super) fn read<T>(self, read: impl FnOnce(&mut Reader<'_, 'i>) -> T) -> (T, Vec<Problem>) {
        let (made, _, problems) = self.read_worded(read);
        (made, problems)
    }

    /// The same of a text with questions, which may have second wordings.
    pub(super) fn read_worded<T>(
        mut self,
        read: impl FnOnce(&mut Reader<'_, 'i>) -> T,
    ) -> (T, Wordings, Vec<Problem>) {
        let (table, errors) = DeTable::parse_recoverable(self.text);
        self.broken = !errors.is_empty();
        for error in errors {
            let at = error.span().map_or(0, |span| span.start);
            self.problem(at, error.message().to_owned());
        }
        let mut reader = Reader {
            span: 0..0,
            table: table.get_ref(),
            source: &mut self,
            asked: BTreeSet::new(),
        };
        let made = read(&mut reader);
        reader.finish();
        (made, self.wordings, self.problems)
    }

    fn problem(&mut self, at: usize, what: String) {
        let lines = self.text.get(..at).unwrap_or(self.text).matches('\n').count();
        let line = self.first_line + lines + 1;
        self.problems.push(Problem { file: self.file.to_owned(), line, what });
    }
}

impl<'i> Reader<'_, 'i> {
    pub(super) fn string(&mut self, key: &'static str) -> String {
        self.optional_string(key).unwrap_or_else(|| self.missing(key))
    }

    pub(super) fn optional_string(&mut self, key: &'static str) -> Option<String> {
        self.value(key, "a text", |value| value.as_str().map(str::to_owned))
    }

    /// A name for programs: of a-z, 0-9 and _.
    pub(super) fn key(&mut self, key: &'static str) -> String {
        let text = self.string(key);
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if !text.chars().all(is_plain) {
            self.problem(key, format!("`{key}` must be of a-z, 0-9 and _, not \"{text}\""));
        }
        text
    }

    pub(super) fn strings(&mut self, key: &'static str) -> Vec<String> {
        let all = |value: &DeValue<'_>| -> Option<Vec<String>> {
            let items = value.as_array()?.iter();
            items.map(|item| item.get_ref().as_str().map(str::to_owned)).collect()
        };
        self.value(key, "a list of texts", all).unwrap_or_default()
    }

    /// One text or a list of some; nothing where the key is missing.
    pub(super) fn text_or_texts(&mut self, key: &'static str) -> Vec<String> {
        let text = |value: &DeValue<'_>| value.as_str().map(str::to_owned);
        let all = |value: &DeValue<'_>| -> Option<Vec<String>> {
            let Some(items) = value.as_array() else { return Some(vec![text(value)?]) };
            let texts: Option<Vec<_>> = items.iter().map(|item| text(item.get_ref())).collect();
            texts.filter(|texts| !texts.is_empty())
        };
        self.value(key, "a text, or a list of texts", all).unwrap_or_default()
    }

    /// A list of questions; each is a text, or a list of that text and the same question in other words.
    pub(super) fn questions(&mut self, key: &'static str) -> Vec<String> {
        let all = |value: &DeValue<'_>| -> Option<Vec<Vec<String>>> {
            value.as_array()?.iter().map(|item| wordings(item.get_ref())).collect()
        };
        let all = self.value(key, "a list of texts", all).unwrap_or_default();
        all.into_iter().map(|wordings| self.first_wording(key, wordings)).collect()
    }

    /// One such question; nothing where the key is missing.
    pub(super) fn question(&mut self, key: &'static str) -> Option<String> {
        let wordings = self.value(key, "a text", wordings)?;
        Some(self.first_wording(key, wordings))
    }

    /// Keeps the second wording of a question, and returns the first.
    fn first_wording(&mut self, key: &'static str, wordings: Vec<String>) -> String {
        let mut wordings = wordings.into_iter();
        let question = wordings.next().unwrap_or_default();
        let Some(other) = wordings.next() else { return question };
        if wordings.next().is_some() {
            self.problem(key, format!("a question has two wordings at most: {question}"));
        }
        if !other.trim_end().ends_with('?') {
            self.problem(key, format!("a question must end in a question mark: {other}"));
        }
        if other.trim().eq_ignore_ascii_case(question.trim()) {
            self.problem(key, format!("the second wording is the first one again: {question}"));
        }
        self.source.wordings.add(question.clone(), other);
        question
    }

    pub(super) fn duration(&mut self, key: &'static str) -> Duration {
        self.optional_duration(key).unwrap_or_else(|| self.missing(key))
    }

    pub(super) fn optional_duration(&mut self, key: &'static str) -> Option<Duration> {
        let shape = "a duration in quotes, such as \"700ms\", \"10s\" or \"5m\"";
        self.value(key, shape, |value| value.as_str().and_then(parse_duration))
    }

    pub(super) fn number(&mut self, key: &'static str, range: Range<u32>, default: u32) -> u32 {
        let shape = format!("a whole number from {} to {}", range.start, range.end - 1);
        let parse = |value: &DeValue<'_>| {
            let integer = value.as_integer()?;
            let n = u32::from_str_radix(integer.as_str(), integer.radix()).ok()?;
            range.contains(&n).then_some(n)
        };
        self.value(key, &shape, parse).unwrap_or(default)
    }

    /// A text that must be one of `choices`; the first one where it is none.
    pub(super) fn choice<T: Copy>(&mut self, key: &'static str, choices: &[(&str, T)]) -> T {
        let names = choices.iter().map(|(name, _)| format!("\"{name}\"")).collect::<Vec<_>>();
        let find = |value: &DeValue<'_>| {
            let text = value.as_str()?;
            choices.iter().find(|(name, _)| *name == text).map(|(_, choice)| *choice)
        };
        let shape = format!("one of {}", names.join(", "));
        self.value(key, &shape, find).unwrap_or(choices[0].1)
    }

    /// A list of texts, each one of `choices`.
    pub(super) fn choices<T: Copy>(&mut self, key: &'static str, choices: &[(&str, T)]) -> Vec<T> {
        let find =
            |text: &str| choices.iter().find(|(name, _)| *name == text).map(|(_, choice)| *choice);
        let all = |value: &DeValue<'_>| -> Option<Vec<T>> {
            value.as_array()?.iter().map(|item| find(item.get_ref().as_str()?)).collect()
        };
        let names = choices.iter().map(|(name, _)| format!("\"{name}\"")).collect::<Vec<_>>();
        let shape = format!("a list of {}", names.join(", "));
        self.value(key, &shape, all).unwrap_or_default()
    }

    pub(super) fn flag(&mut self, key: &'static str) -> Option<bool> {
        self.value(key, "true or false", |value| value.as_bool())
    }

    /// A number from 0 to 1.
    pub(super) fn share(&mut self, key: &'static str) -> Option<f32> {
        let parse = |value: &DeValue<'_>| {
            let float = value.as_float().and_then(|float| float.as_str().parse().ok());
            let integer = || value.as_integer().and_then(|n| n.as_str().parse().ok());
            float.or_else(integer).filter(|share| (0.0..=1.0).contains(share))
        };
        self.value(key, "a number from 0.0 to 1.0", parse)
    }

    /// A list of tables, `[[key]]`.
    pub(super) fn tables<T>(
        &mut self,
        key: &'static str,
        mut read: impl FnMut(&mut Reader<'_, 'i>) -> T,
    ) -> Vec<T> {
        self.asked.insert(key);
        let Some(value) = self.table.get(key) else { return Vec::new() };
        let Some(items) = value.get_ref().as_array() else {
            self.wrong(value, key, &format!("a list of tables, [[{key}]]"));
            return Vec::new();
        };
        let mut made = Vec::new();
        for item in items.iter() {
            let Some(table) = item.get_ref().as_table() else {
                self.wrong(item, key, &format!("a list of tables, [[{key}]]"));
                continue;
            };
            let mut reader =
                Reader { span: item.span(), table, source: self.source, asked: BTreeSet::new() };
            made.push(read(&mut reader));
            reader.finish();
        }
        made
    }

    /// A table within this one; nothing is read where it is missing.
    pub(super) fn table<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(&mut Reader<'_, 'i>) -> T,
    ) -> Option<T> {
        self.asked.insert(key);
        let value = self.table.get(key)?;
        let Some(table) = value.get_ref().as_table() else {
            self.wrong(value, key, &format!("a table, [{key}]"));
            return None;
        };
        let mut reader =
            Reader { span: value.span(), table, source: self.source, asked: BTreeSet::new() };
        let made = read(&mut reader);
        reader.finish();
        Some(made)
    }

    /// Names a key that is not there at all.
    pub(super) fn require(&mut self, key: &str, what: &str) {
        if !self.source.broken && !self.table.contains_key(key) {
            self.source.problem(self.span.start, what.to_owned());
        }
    }

    /// Whether the key is there, with whatever value.
    pub(super) fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// A list with something in it; `what` says why it must.
    pub(super) fn some_strings(&mut self, key: &'static str, what: &str) -> Vec<String> {
        let list = self.strings(key);
        self.require_some(key, what);
        list
    }

    /// Names a list that is empty or not there at all.
    pub(super) fn require_some(&mut self, key: &str, what: &str) {
        let is_empty = |value: &Spanned<DeValue<'_>>| {
            value.get_ref().as_array().is_some_and(|items| items.is_empty())
        };
        if self.table.get(key).is_some_and(is_empty) {
            self.problem(key, what.to_owned());
        }
        self.require(key, what);
    }

    /// A problem that concerns `key`, or the whole table where it has no such key.
    pub(super) fn problem(&mut self, key: &str, what: String) {
        let at = self.table.get_key_value(key).map_or(self.span.start, |(key, _)| key.span().start);
        self.source.problem(at, what);
    }

    fn value<T>(
        &mut self,
        key: &'static str,
        shape: &str,
        parse: impl FnOnce(&DeValue<'_>) -> Option<T>,
    ) -> Option<T> {
        self.asked.insert(key);
        let value = self.table.get(key)?;
        let parsed = parse(value.get_ref());
        if parsed.is_none() {
            self.wrong(value, key, shape);
        }
        parsed
    }

    fn missing<T: Default>(&mut self, key: &'static str) -> T {
        // A value of the wrong kind has been named already.
        self.require(key, &format!("`{key}` is missing"));
        T::default()
    }

    fn wrong(&mut self, value: &Spanned<DeValue<'_>>, key: &str, shape: &str) {
        self.source.problem(value.span().start, format!("`{key}` must be {shape}"));
    }

    fn finish(self) {
        let known = self.asked.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
        for key in self.table.keys() {
            let name: &str = key.get_ref();
            if !self.asked.contains(name) {
                let what = format!("`{name}` is not known here; known are {known}");
                self.source.problem(key.span().start, what);
            }
        }
    }
}

/// The wordings of a question: a text alone, or a list of texts.
fn wordings(value: &DeValue<'_>) -> Option<Vec<String>> {
    let text = |value: &DeValue<'_>| value.as_str().map(str::to_owned);
    let Some(items) = value.as_array() else { return Some(vec![text(value)?]) };
    let all: Option<Vec<_>> = items.iter().map(|item| text(item.get_ref())).collect();
    all.filter(|wordings| !wordings.is_empty())
}

/// `700ms`, `10s`, `5m`, `1h`; never zero.
fn parse_duration(text: &str) -> Option<Duration> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let n: u64 = digits.parse().ok().filter(|n| (1..=86_400_000).contains(n))?;
    match &text[digits.len()..] {
        "ms" => Some(Duration::from_millis(n)),
        "s" => Some(Duration::from_secs(n)),
        "m" => Some(Duration::from_secs(60 * n)),
        "h" => Some(Duration::from_secs(3_600 * n)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B01: durations are texts with a unit, and anything else is refused.
    #[test]
    fn durations() {
        for (text, want) in [
            ("700ms", Some(Duration::from_millis(700))),
            ("45s", Some(Duration::from_secs(45))),
            ("5m", Some(Duration::from_secs(300))),
            ("0s", None),
            ("5", None),
            ("s", None),
            ("-1s", None),
            ("5 m", None),
            ("99999999999999999999s", None),
        ] {
            assert_eq!(parse_duration(text), want, "{text}");
        }
    }
}
