//! What others said and wrote, sorted by whether the candidate may hear it.

use crate::foreign::DataMessage;

/// The parts of the message that says what is known, each a block of the prompt.
#[derive(Debug, Default)]
pub(crate) struct Data {
    /// What the candidate gave us or has seen.
    pub(crate) papers: DataMessage,
    /// What the interviewer may draw on, and nobody hears.
    pub(crate) knowledge: DataMessage,
    /// What was said and asked, or is to be asked.
    pub(crate) memory: DataMessage,
    /// What the task is about, and nobody hears.
    pub(crate) hints: DataMessage,
}
