//! The files of a voice: reading them, and tables of many short texts in one piece of memory.

use std::{
    fmt,
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

use flate2::read::GzDecoder;
use serde::de::{
    Deserialize, DeserializeOwned, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor,
};

use super::super::{ProviderError, Retry};

/// The most bytes of a file, packed or unpacked.
const FILE_BYTES_MAX: u64 = 64 << 20;
/// The separator between the parts of a value that was a list or an object.
pub(super) const SEPARATOR: char = '\u{1}';
/// The end of each text in a [`Table`].
const END: char = '\0';

/// The folder with the files of a voice, named as in the package that they come from.
pub(super) struct Folder<'a>(pub(super) &'a Path);

impl Folder<'_> {
    /// Reads the bytes of a file.
    pub(super) fn read(&self, name: &str) -> Result<Vec<u8>, ProviderError> {
        let read = File::open(self.path(name)).and_then(bounded);
        read.map_err(|why| self.broken(name, &why))
    }

    /// Reads a JSON file. A file whose name ends in `.gz` is unpacked.
    pub(super) fn json<T: DeserializeOwned>(&self, name: &str) -> Result<T, ProviderError> {
        let mut bytes = self.read(name)?;
        if Path::new(name).extension().is_some_and(|extension| extension == "gz") {
            bytes = bounded(GzDecoder::new(&bytes[..])).map_err(|why| self.broken(name, &why))?;
        }
        serde_json::from_slice(&bytes).map_err(|why| self.broken(name, &why))
    }

    /// Returns the error for a file that is missing or unusable.
    pub(super) fn broken(&self, name: &str, why: &dyn fmt::Display) -> ProviderError {
        let path = self.path(name);
        let what = format!(
            "the voice Hibari cannot use its file {} ({why}): fetch it again, `vivavoce models` \
                says from where",
            path.display()
        );
        ProviderError { what, retry: Retry::Never }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

fn bounded(file: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > FILE_BYTES_MAX {
        return Err(std::io::Error::other(format!("it has more than {FILE_BYTES_MAX} bytes")));
    }
    Ok(bytes)
}

/// Sorted keys with a number each, in one piece of memory: a map of strings would take ten times as much.
#[derive(Default)]
pub(super) struct Index {
    /// The keys, each with [`END`] behind it.
    text: String,
    /// The position of each key in `text`, and its number.
    entries: Vec<(u32, u32)>,
}

impl Index {
    /// Returns the number of a key.
    pub(super) fn get(&self, key: &str) -> Option<u32> {
        let found = self.entries.binary_search_by(|(at, _)| self.text_at(*at).cmp(key)).ok()?;
        Some(self.entries[found].1)
    }

    fn text_at(&self, at: u32) -> &str {
        let rest = self.text.get(at as usize..).unwrap_or_default();
        rest.split_once(END).map_or(rest, |(text, _)| text)
    }

    /// Returns the position of the next text. It fits into 32 bits, as no file is longer than
    /// [`FILE_BYTES_MAX`].
    fn end(&self) -> u32 {
        u32::try_from(self.text.len()).unwrap_or(u32::MAX)
    }

    /// Appends a key; of several equal ones the last counts.
    pub(super) fn push(&mut self, key: u32, number: u32) {
        self.entries.push((key, number));
    }

    /// Begins another text; returns its position.
    pub(super) fn begin(&mut self) -> (u32, Append<'_>) {
        (self.end(), Append(&mut self.text))
    }

    /// Sorts the keys for [`Index::get`].
    pub(super) fn sorted(mut self) -> Self {
        let mut entries = std::mem::take(&mut self.entries);
        // Of equal keys the last one comes first and stays.
        entries.reverse();
        entries.sort_by(|(a, _), (b, _)| self.text_at(*a).cmp(self.text_at(*b)));
        entries.dedup_by(|(a, _), (b, _)| self.text_at(*a) == self.text_at(*b));
        entries.shrink_to_fit();
        self.text.shrink_to_fit();
        Self { text: self.text, entries }
    }
}

/// Texts by key. The parts of a value that was a list have [`SEPARATOR`]s between them. A value that was an
/// object begins with one, and its parts are `name=text`, or only the name in the place of `null`.
#[derive(Default)]
pub(super) struct Table(Index);

impl Table {
    /// Returns the text of a key.
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(|at| self.0.text_at(at))
    }

    /// Whether there is a key.
    pub(super) fn contains(&self, key: &str) -> bool {
        self.0.get(key).is_some()
    }
}

impl<'de> Deserialize<'de> for Table {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Texts;

        impl<'de> Visitor<'de> for Texts {
            type Value = Table;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object or a list of texts")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Table, A::Error> {
                let mut index = Index::default();
                loop {
                    let (key, text) = index.begin();
                    if map.next_key_seed(text)?.is_none() {
                        break;
                    }
                    let (value, text) = index.begin();
                    map.next_value_seed(text)?;
                    index.push(key, value);
                }
                Ok(Table(index.sorted()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Table, A::Error> {
                let mut index = Index::default();
                loop {
                    let (key, text) = index.begin();
                    if list.next_element_seed(text)?.is_none() {
                        break;
                    }
                    index.push(key, key);
                }
                Ok(Table(index.sorted()))
            }
        }

        deserializer.deserialize_any(Texts)
    }
}

/// A deserializer that appends one JSON value to the text of an [`Index`].
pub(super) struct Append<'a>(&'a mut String);

impl<'de> DeserializeSeed<'de> for Append<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Append<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a text, a list of texts or an object of texts")
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.0.push_str(text);
        self.0.push(END);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let mut parts = Vec::new();
        while let Some(part) = list.next_element::<String>()? {
            parts.push(part);
        }
        self.visit_str(&parts.join("\u{1}"))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some((name, text)) = map.next_entry::<String, Option<String>>()? {
            self.0.push(SEPARATOR);
            self.0.push_str(&name);
            if let Some(text) = text {
                self.0.push('=');
                self.0.push_str(&text);
            }
        }
        self.0.push(END);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table returns the values of the JSON, whatever the order of its keys, and no others.
    #[test]
    fn tables_give_back_what_was_written() {
        let json = r#"{"b": "two", "a": ["x", "y"], "é": "",
            "c": {"DEFAULT": "d", "NOUN": null}, "b": "again"}"#;
        let table: Table = serde_json::from_str(json).unwrap();
        for (key, text) in [
            ("a", Some("x\u{1}y")),
            ("b", Some("again")),
            ("c", Some("\u{1}DEFAULT=d\u{1}NOUN")),
            ("é", Some("")),
            ("", None),
            ("bb", None),
            ("z", None),
        ] {
            assert_eq!(table.get(key), text, "{key}");
        }
        let list: Table = serde_json::from_str(r#"["b", "a", "a"]"#).unwrap();
        assert!(list.contains("a") && list.contains("b") && !list.contains("c"));
        for wrong in ["7", r#"{"a": 7}"#, "[[7]]", r#"{"a": {"b": 7}}"#, "{"] {
            assert!(serde_json::from_str::<Table>(wrong).is_err(), "{wrong}");
        }
    }

    /// A missing, unpacked or malformed file is reported in one sentence with its path.
    #[test]
    fn a_bad_file_is_one_sentence() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("broken.json"), "{\"a\": ").unwrap();
        std::fs::write(folder.path().join("broken.json.gz"), "{}").unwrap();
        for name in ["missing.json", "broken.json", "broken.json.gz"] {
            let error = Folder(folder.path()).json::<Table>(name).err().unwrap();
            assert!(error.what.contains(name) && !error.what.contains('\n'), "{}", error.what);
            assert_eq!(error.retry, Retry::Never);
        }
    }
}
