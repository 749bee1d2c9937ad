//! The languages that interviews are held in.

/// A language that interviews are held in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// German.
    German,
    /// Italian.
    Italian,
}

impl Language {
    /// All of them in order, by their codes.
    pub const ALL: [(&str, Self); 3] =
        [("en", Self::English), ("de", Self::German), ("it", Self::Italian)];

    /// The code of ISO 639-1, as in the names of files.
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::Italian => "it",
        }
    }

    /// The English name, as models are told.
    pub fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::German => "German",
            Self::Italian => "Italian",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A language is at its own place among all, and has the code that it is found by.
    #[test]
    fn languages_have_places_and_codes() {
        for (at, (code, language)) in Language::ALL.into_iter().enumerate() {
            assert_eq!((language as usize, language.code()), (at, code));
        }
    }
}
