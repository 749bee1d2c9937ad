//! A reply as the checks know it.

/// A reply as it was ordered.
#[derive(Debug)]
pub(super) struct Ordered {
    pub(super) interruptible: bool,
    pub(super) bridges: bool,
    /// How often the interview was handed off at its first sound.
    pub(super) handoffs: u32,
    /// How often a voice without words stopped its sound.
    pub(super) dips: u32,
    /// Its segments, a line each, as they really were.
    pub(super) text: String,
    /// All its words, as they are compared.
    pub(super) words: String,
    /// The same as the interview was told.
    pub(super) told: String,
    /// What the model was told that the candidate said last.
    pub(super) answer: Option<String>,
}

impl Ordered {
    pub(super) fn new(interruptible: bool, bridges: bool) -> Self {
        Self {
            interruptible,
            bridges,
            handoffs: 0,
            dips: 0,
            text: String::new(),
            words: String::new(),
            told: String::new(),
            answer: None,
        }
    }
}
