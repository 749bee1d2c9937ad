//! Second wordings: questions in other words, for whoever asks for them (case 5).

/// The questions of a blueprint that have a second wording, each with that one, in the order of their files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wordings(Vec<(String, String)>);

impl Wordings {
    /// Each question with its other words.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(question, other)| (question.as_str(), other.as_str()))
    }

    /// The other words for a question as its file has it.
    pub fn of(&self, question: &str) -> Option<&str> {
        self.pairs().find(|(first, _)| *first == question).map(|(_, other)| other)
    }

    /// Adds the other words for a question.
    pub(super) fn add(&mut self, question: String, other: String) {
        self.0.push((question, other));
    }

    /// Adds those of another file.
    pub(super) fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// All texts, to be filled in for a candidate.
    pub(super) fn all_mut(&mut self) -> impl Iterator<Item = &mut String> {
        self.0.iter_mut().flat_map(|(question, other)| [question, other])
    }
}
