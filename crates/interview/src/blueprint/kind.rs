//! The kinds of stages, as authors name them. What each does in an interview stands in `interview/stage`.

/// What kind of stage an agent leads (B02).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Words as they are written: one question, left after its answer.
    Scripted,
    /// Questions and follow-ups within limits.
    Questions,
    /// The way out of the interview.
    Closing,
}

impl Kind {
    /// All kinds by their names in front matter; the first one is the usual one.
    pub(super) const NAMES: [(&str, Self); 3] =
        [("questions", Self::Questions), ("scripted", Self::Scripted), ("closing", Self::Closing)];

    /// Whether the stage closes the interview: a full interview goes there at once, and without a graceful
    /// closing it is left out.
    pub fn closes(self) -> bool {
        match self {
            Self::Closing => true,
            Self::Scripted | Self::Questions => false,
        }
    }
}
