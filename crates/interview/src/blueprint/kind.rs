//! The kinds of stages, as authors name them. What each does in an interview stands in `interview/stage`.

use serde::{Deserialize, Serialize};

use super::reader::Reader;

/// What kind of stage an agent leads, and what that kind needs from its file (B02).
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Words as they are written: one question, left after its answer.
    Scripted,
    /// Questions and follow-ups within limits.
    Questions,
    /// The way out of the interview.
    Closing,
    /// Planned questions, the most important first.
    Backlog {
        /// What the scripted interviewer asks after a thin answer.
        follow_ups: Vec<String>,
        /// Questions about a sentence of a document, with [`DOCUMENT_NAME`] and [`DOCUMENT_QUOTE`] in them:
        /// plans without a model are made of them (K05).
        from_documents: Vec<String>,
    },
    /// Topics in their order, within a budget of turns (L02); without topics: what the stages before have
    /// left of theirs (L04).
    Topics(Vec<Topic>),
    /// The offer to go on after the time of the topics is over (L05).
    Offer,
    /// Contact data, after a consent (L06).
    Form,
}

/// What stands for a document's name in a question of `from_documents`.
pub const DOCUMENT_NAME: &str = "{{ document.name }}";
/// What stands for a sentence of it.
pub const DOCUMENT_QUOTE: &str = "{{ document.quote }}";

/// A topic of a stage, as it was planned (L07).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Topic {
    /// Its name for the report.
    pub key: String,
    /// Its name for people.
    pub title: String,
    /// Questions that cover it, in order; each turn takes the next one.
    pub sub_goals: Vec<String>,
    /// Questions that go deeper where an answer is rich.
    pub probes: Vec<String>,
    /// How to read what they say.
    pub cues: Vec<String>,
    /// Signs of something that is worth more.
    pub signals: Vec<String>,
}

/// The names of the kinds in front matter.
#[derive(Clone, Copy)]
enum Named {
    Questions,
    Scripted,
    Closing,
    Backlog,
    Topics,
    Offer,
    Form,
}

/// The first one is the usual one.
const NAMES: [(&str, Named); 7] = [
    ("questions", Named::Questions),
    ("scripted", Named::Scripted),
    ("closing", Named::Closing),
    ("backlog", Named::Backlog),
    ("topics", Named::Topics),
    ("offer", Named::Offer),
    ("form", Named::Form),
];

impl Kind {
    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Self {
        match reader.choice("kind", &NAMES) {
            Named::Questions => Self::Questions,
            Named::Scripted => Self::Scripted,
            Named::Closing => Self::Closing,
            Named::Backlog => Self::Backlog {
                follow_ups: questions(reader, "follow_ups"),
                from_documents: from_documents(reader),
            },
            Named::Topics => Self::Topics(reader.tables("topics", Topic::read)),
            Named::Offer => Self::Offer,
            Named::Form => Self::Form,
        }
    }

    /// Whether the stage closes the interview: a full interview goes there at once, and without a graceful
    /// closing it is left out.
    pub fn closes(&self) -> bool {
        match self {
            Self::Closing => true,
            Self::Scripted
            | Self::Questions
            | Self::Backlog { .. }
            | Self::Topics(_)
            | Self::Offer
            | Self::Form => false,
        }
    }

    /// Whether its file has to have questions.
    pub(super) fn needs_questions(&self) -> bool {
        !matches!(self, Self::Topics(_))
    }

    /// The topics that are planned here.
    pub fn topics(&self) -> &[Topic] {
        match self {
            Self::Topics(topics) => topics,
            Self::Scripted
            | Self::Questions
            | Self::Closing
            | Self::Backlog { .. }
            | Self::Offer
            | Self::Form => &[],
        }
    }

    /// Takes over a plan that was made for this interview.
    pub(super) fn plan(&mut self, planned: &[Topic]) {
        match self {
            Self::Topics(topics) if !topics.is_empty() && !planned.is_empty() => {
                *topics = planned.to_vec();
            }
            Self::Topics(_)
            | Self::Scripted
            | Self::Questions
            | Self::Closing
            | Self::Backlog { .. }
            | Self::Offer
            | Self::Form => {}
        }
    }

    /// Its name in a problem, if a blueprint has one stage of it at most.
    pub(super) fn unique(&self) -> Option<&'static str> {
        match self {
            Self::Backlog { .. } => Some("backlog"),
            Self::Topics(topics) if topics.is_empty() => Some("topics without [[topics]]"),
            Self::Topics(_) => Some("topics with [[topics]]"),
            Self::Offer => Some("offer"),
            Self::Form => Some("form"),
            Self::Scripted | Self::Questions | Self::Closing => None,
        }
    }

    /// Whether it lives on what a stage with topics has left.
    pub(crate) fn needs_leftovers(&self) -> bool {
        matches!(self, Self::Offer) || matches!(self, Self::Topics(topics) if topics.is_empty())
    }

    /// Whether it may ask the same question again, as its answer was of no use.
    pub(crate) fn asks_again(&self) -> bool {
        matches!(self, Self::Offer | Self::Form)
    }

    /// The number of its questions where its file does not say it.
    pub(super) fn questions_max(&self) -> u32 {
        match self {
            Self::Scripted | Self::Questions | Self::Closing => 1,
            Self::Offer => 2,
            Self::Backlog { .. } => 10,
            Self::Topics(_) | Self::Form => 50,
        }
    }

    /// The texts of its file that are said aloud.
    pub(crate) fn said(&self) -> Vec<&String> {
        match self {
            Self::Backlog { follow_ups, .. } => follow_ups.iter().collect(),
            Self::Topics(topics) => topics
                .iter()
                .flat_map(|topic| topic.sub_goals.iter().chain(&topic.probes))
                .collect(),
            Self::Scripted | Self::Questions | Self::Closing | Self::Offer | Self::Form => {
                Vec::new()
            }
        }
    }

    /// The same texts, to be filled in for a candidate.
    pub(super) fn said_mut(&mut self) -> Vec<&mut String> {
        match self {
            Self::Backlog { follow_ups, .. } => follow_ups.iter_mut().collect(),
            Self::Topics(topics) => topics
                .iter_mut()
                .flat_map(|topic| topic.sub_goals.iter_mut().chain(&mut topic.probes))
                .collect(),
            Self::Scripted | Self::Questions | Self::Closing | Self::Offer | Self::Form => {
                Vec::new()
            }
        }
    }
}

impl Topic {
    /// All questions that can be asked about it.
    pub fn asked(&self) -> impl Iterator<Item = &str> {
        self.sub_goals.iter().chain(&self.probes).map(String::as_str)
    }

    fn read(reader: &mut Reader<'_, '_>) -> Self {
        let topic = Self {
            key: reader.key("key"),
            title: reader.string("title"),
            sub_goals: questions(reader, "sub_goals"),
            probes: questions(reader, "probes"),
            cues: reader.strings("cues"),
            signals: reader.strings("signals"),
        };
        if topic.sub_goals.is_empty() {
            reader.problem("sub_goals", "a topic must have at least one of `sub_goals`".to_owned());
        }
        topic
    }
}

/// Questions that quote a document.
fn from_documents(reader: &mut Reader<'_, '_>) -> Vec<String> {
    let key = "from_documents";
    let questions = questions(reader, key);
    for question in questions.iter().filter(|question| !question.contains(DOCUMENT_QUOTE)) {
        reader.problem(
            key,
            format!("a question about a document needs {DOCUMENT_QUOTE}: {question}"),
        );
    }
    questions
}

/// A list of questions.
pub(super) fn questions(reader: &mut Reader<'_, '_>, key: &'static str) -> Vec<String> {
    let questions = reader.questions(key);
    for question in questions.iter().filter(|question| !question.trim_end().ends_with('?')) {
        reader.problem(key, format!("a question must end in a question mark: {question}"));
    }
    questions
}
