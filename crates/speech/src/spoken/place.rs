//! The place in a text at which something is read.

use interview::blueprint::Language;

use super::table::Table;

/// What readings look at: the language, and the text before the piece that is read.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) language: Language,
    pub(super) table: &'static Table,
    pub(super) before: &'a str,
}

impl Place<'_> {
    /// Whether the last word before is one of these.
    pub(super) fn follows(&self, words: &[&str]) -> bool {
        let last = self.before.split_whitespace().next_back().unwrap_or_default().to_lowercase();
        words.contains(&last.as_str())
    }

    /// The words that join two ends of a range: those before the first, unless the text has some, and those
    /// between the two.
    pub(super) fn range(&self, first: &str, second: &str) -> String {
        let (from, to) = (self.table.word("range from"), self.table.word("range to"));
        match self.language {
            Language::English | Language::German => format!("{first} {to} {second}"),
            Language::Italian if self.follows(&["da", "dal", "dai", "dalle"]) => {
                format!("{first} {to} {second}")
            }
            Language::Italian if self.follows(&["tra", "fra"]) => format!("{first} e {second}"),
            // "del cinque-dieci per cento"
            Language::Italian
                if self.follows(&["il", "del", "al", "nel", "i", "dei", "ai", "le", "di"]) =>
            {
                format!("{first}-{second}")
            }
            Language::Italian => format!("{from} {first} {to} {second}"),
        }
    }
}
