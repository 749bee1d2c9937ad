//! Intents: what a candidate may mean.

use serde::{Deserialize, Serialize};

/// What a candidate means by a turn. Each has a label: example files begin their lines with it, and journals
/// have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub enum Intent {
    /// An answer to the question.
    Answer(Quality),
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

/// How well an answer answers its question. Words alone do not tell it: a model or a judge does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quality {
    /// Nobody has rated it.
    Unrated,
    /// It answers the question.
    Full,
    /// It answers a part of it.
    Partial,
    /// It stays general.
    Vague,
    /// It is about something else.
    OffTopic,
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
    /// An answer that nobody has rated.
    pub const ANSWER: Self = Self::Answer(Quality::Unrated);

    /// The answers that somebody has rated.
    pub const RATED: [Self; 4] = [
        Self::Answer(Quality::Full),
        Self::Answer(Quality::Partial),
        Self::Answer(Quality::Vague),
        Self::Answer(Quality::OffTopic),
    ];

    /// All that words alone can tell, in the order in which the classifier counts them.
    pub const ALL: [Self; 22] = [
        Self::ANSWER,
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
            Self::Answer(Quality::Unrated) => "answer",
            Self::Answer(Quality::Full) => "answer:full",
            Self::Answer(Quality::Partial) => "answer:partial",
            Self::Answer(Quality::Vague) => "answer:vague",
            Self::Answer(Quality::OffTopic) => "answer:off_topic",
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
        Self::ALL.into_iter().chain(Self::RATED).find(|intent| intent.label() == label)
    }

    /// The intent that a model means by another name, or an older journal.
    fn from_other_name(name: &str) -> Option<Self> {
        Some(match name {
            "full" => Self::Answer(Quality::Full),
            "partial" => Self::Answer(Quality::Partial),
            "vague" => Self::Answer(Quality::Vague),
            "off_topic" => Self::Answer(Quality::OffTopic),
            "declined" => Self::Decline,
            "clarification_request" => Self::Clarify,
            "repeat_request" => Self::Repeat,
            "candidate_question" | "ask" => Self::Ask(About::Other),
            _ => return None,
        })
    }

    /// Whether a turn with this intent is an answer, or a part of one.
    pub fn is_answer(self) -> bool {
        matches!(self, Self::Answer(_) | Self::Unfinished | Self::Sensitive)
    }

    /// Whether it is an answer, and says nothing else that is acted on.
    pub fn is_plain_answer(self) -> bool {
        matches!(self, Self::Answer(_) | Self::Unfinished)
    }

    /// Whether it is an answer, or may come beside one: a rating of the answer says more.
    pub fn is_remark(self) -> bool {
        self.is_plain_answer()
            || matches!(self, Self::Sensitive | Self::Done | Self::Correct | Self::Yes | Self::No)
    }

    /// Whether it answers the question, however good: then it counts as one.
    pub fn counts(self) -> bool {
        match self {
            Self::Answer(Quality::Unrated | Quality::Full | Quality::Partial | Quality::Vague)
            | Self::Unfinished
            | Self::Sensitive
            | Self::Decline
            | Self::DontKnow
            | Self::Skip
            | Self::SkipPart
            | Self::Done
            | Self::Correct
            | Self::Yes
            | Self::No => true,
            Self::Answer(Quality::OffTopic)
            | Self::Repeat
            | Self::Clarify
            | Self::Hold
            | Self::Stop
            | Self::Ask(_)
            | Self::Sound
            | Self::Distress
            | Self::Abusive => false,
        }
    }

    /// Whether it answers the question without saying anything about it: there is nothing to find in it.
    pub fn leaves_open(self) -> bool {
        matches!(self, Self::Skip | Self::SkipPart | Self::DontKnow | Self::Decline)
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
        let known = Self::from_label(&label).or_else(|| Self::from_other_name(&label));
        known.ok_or_else(|| format!("`{label}` is no intent"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A model may leave out what goes without saying, and a journal of an earlier engine has other names.
    #[test]
    fn other_names_are_read() {
        for (name, intent) in [
            ("answer:vague", Intent::Answer(Quality::Vague)),
            ("vague", Intent::Answer(Quality::Vague)),
            ("repeat_request", Intent::Repeat),
        ] {
            assert_eq!(Intent::try_from(name.to_owned()), Ok(intent));
        }
        assert!(Intent::try_from("good".to_owned()).is_err());
        assert_eq!(Intent::from_label("vague"), None, "an example file is strict");
    }

    /// Every intent is found by its label, and no two have the same.
    #[test]
    fn labels_name_intents() {
        for intent in Intent::ALL.into_iter().chain(Intent::RATED) {
            assert_eq!(Intent::from_label(intent.label()), Some(intent));
        }
        assert_eq!(Intent::from_label("Answer"), None);
        assert_eq!(Intent::from_label(""), None);
    }
}
