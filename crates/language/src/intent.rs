//! Intents: what a candidate may mean.

use serde::{Deserialize, Serialize};

/// What a candidate means by a turn. Each has a label: example files begin their lines with it, and journals
/// have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub enum Intent {
    /// An answer to the question.
    Answer,
    /// An answer that stopped in the middle of a sentence and will go on.
    Unfinished,
    /// An answer that tells something personal and protected: health, family, faith.
    Sensitive,
    /// They want to hear the question again.
    Repeat,
    /// They want the question in other words, with an example, or which one is meant.
    Clarify,
    /// They need a moment.
    Hold,
    /// They want to leave the question out.
    Skip,
    /// They want to leave this part of the interview out.
    SkipPart,
    /// They would rather not say.
    Decline,
    /// They have no answer.
    DontKnow,
    /// They have finished their answer.
    Done,
    /// They want the interview to end now.
    Stop,
    /// They ask us.
    Ask(About),
    /// They do not hear us well, or too fast.
    Sound,
    /// They are in acute distress.
    Distress,
    /// They insult us.
    Abusive,
    /// They correct what was said or read back before.
    Correct,
    /// They agree.
    Yes,
    /// They refuse or deny.
    No,
}

/// What a candidate asks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum About {
    /// Whether we are human.
    Human,
    /// Who hears and keeps this.
    Recording,
    /// How they do.
    Verdict,
    /// The job, the company, the process: anything else.
    Other,
}

impl Intent {
    /// All of them, in the order in which the classifier counts them.
    pub const ALL: [Self; 22] = [
        Self::Answer,
        Self::Unfinished,
        Self::Sensitive,
        Self::Repeat,
        Self::Clarify,
        Self::Hold,
        Self::Skip,
        Self::SkipPart,
        Self::Decline,
        Self::DontKnow,
        Self::Done,
        Self::Stop,
        Self::Ask(About::Human),
        Self::Ask(About::Recording),
        Self::Ask(About::Verdict),
        Self::Ask(About::Other),
        Self::Sound,
        Self::Distress,
        Self::Abusive,
        Self::Correct,
        Self::Yes,
        Self::No,
    ];

    /// The label of the intent in example files.
    pub fn label(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::Unfinished => "unfinished",
            Self::Sensitive => "sensitive",
            Self::Repeat => "repeat",
            Self::Clarify => "clarify",
            Self::Hold => "hold",
            Self::Skip => "skip",
            Self::SkipPart => "skip_part",
            Self::Decline => "decline",
            Self::DontKnow => "dont_know",
            Self::Done => "done",
            Self::Stop => "stop",
            Self::Ask(About::Human) => "ask_human",
            Self::Ask(About::Recording) => "ask_recording",
            Self::Ask(About::Verdict) => "ask_verdict",
            Self::Ask(About::Other) => "ask_other",
            Self::Sound => "sound",
            Self::Distress => "distress",
            Self::Abusive => "abusive",
            Self::Correct => "correct",
            Self::Yes => "yes",
            Self::No => "no",
        }
    }

    /// All labels, for a message.
    pub fn labels() -> String {
        Self::ALL.iter().map(|intent| intent.label()).collect::<Vec<_>>().join(", ")
    }

    /// The intent with a label.
    pub fn from_label(label: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|intent| intent.label() == label)
    }

    /// Whether a turn with this intent is an answer, or a part of one.
    pub fn is_answer(self) -> bool {
        matches!(self, Self::Answer | Self::Unfinished | Self::Sensitive)
    }
}

impl From<Intent> for &'static str {
    fn from(intent: Intent) -> Self {
        intent.label()
    }
}

impl TryFrom<String> for Intent {
    type Error = String;

    fn try_from(label: String) -> Result<Self, String> {
        Self::from_label(&label).ok_or_else(|| format!("`{label}` is no intent"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every intent is found by its label, and no two have the same.
    #[test]
    fn labels_name_intents() {
        for intent in Intent::ALL {
            assert_eq!(Intent::from_label(intent.label()), Some(intent));
        }
        assert_eq!(Intent::from_label("Answer"), None);
        assert_eq!(Intent::from_label(""), None);
    }
}
