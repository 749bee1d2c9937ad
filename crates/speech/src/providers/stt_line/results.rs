//! What servers say of the words in sound, as all vendors have it.

/// The words of a stretch of sound. Stretches follow each other; interim ones are sent again with better
/// words.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::providers) struct Results {
    /// The beginning and length of the stretch, in seconds of the stream.
    pub(in crate::providers) start: f64,
    pub(in crate::providers) duration: f64,
    pub(in crate::providers) finality: Finality,
    pub(in crate::providers) transcript: String,
    pub(in crate::providers) confidence: Option<f32>,
    pub(in crate::providers) words: Vec<Word>,
}

/// Whether the words of a result may still change, and how much of a turn they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::providers) enum Finality {
    /// Words that may still change.
    Interim,
    /// Words that do not change any more.
    Final,
    /// Final words in answer to our request for all of them.
    Finalized,
    /// All words of a turn that goes on. They may still change. Only a model that detects turns sends them.
    TurnSoFar,
    /// All words of a turn that has ended. They do not change any more.
    WholeTurn,
}

impl Finality {
    pub(super) fn is_final(self) -> bool {
        match self {
            Self::Final | Self::Finalized | Self::WholeTurn => true,
            Self::Interim | Self::TurnSoFar => false,
        }
    }

    /// Whether the turn has ended; `None` from a model that does not detect turns.
    pub(super) fn ends_turn(self) -> Option<bool> {
        match self {
            Self::Interim | Self::Final | Self::Finalized => None,
            Self::TurnSoFar => Some(false),
            Self::WholeTurn => Some(true),
        }
    }
}

/// A word as it is written, in seconds of the stream.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::providers) struct Word {
    pub(in crate::providers) text: String,
    pub(in crate::providers) start: f64,
    pub(in crate::providers) end: f64,
}

/// Whether these seconds can be a time of a stream.
pub(in crate::providers) fn is_time(seconds: f64) -> bool {
    (0.0..1e6).contains(&seconds)
}
