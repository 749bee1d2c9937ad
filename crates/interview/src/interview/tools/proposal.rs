//! Proposals: the tool calls of the model (H08). Each is accepted, or refused with a reason for the model.

use std::fmt;

use language::Intent;
use serde::{Deserialize, Serialize};

use crate::interview::{note::Priority, understanding::sentence::clipped};

/// A parsed tool call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Proposal {
    /// The question that the reply asks.
    AskQuestion {
        /// The question.
        question: String,
        /// The thread that it follows, where everything else is known (X03).
        #[serde(default, skip_serializing_if = "String::is_empty")]
        thread: String,
    },
    /// The assessment of an answer.
    AssessResponse {
        /// 1 (vague) to 5 (comprehensive).
        depth: u8,
        /// Its content, point by point.
        key_points: Vec<String>,
        /// The kind of answer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answer_kind: Option<Intent>,
    },
    /// A field of the rubric is settled.
    RecordField {
        /// The key of the field.
        key: String,
        /// The value.
        value: String,
        /// The candidate's own words for it.
        quote: String,
    },
    /// A field of the rubric cannot be settled.
    MarkUnknown {
        /// The key of the field.
        key: String,
        /// The reason, in the model's words.
        reason: String,
    },
    /// Something is left for a person to find out.
    NoteFollowup {
        /// Its subject.
        text: String,
        /// Its priority.
        priority: Priority,
    },
    /// The candidate has not finished: say nothing yet.
    WaitMore,
    /// The stage is done.
    TransitionStage {
        /// The reason, in the model's words.
        reason: String,
    },
    /// The interview is done.
    EndInterview {
        /// The reason, in the model's words.
        reason: String,
    },
    /// The call is not valid.
    Malformed {
        /// The problem, one sentence.
        problem: String,
    },
}

/// The decision about a proposal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It is accepted; it takes effect at the first sound of the reply.
    Accepted,
    /// It is accepted, and this is how to go on.
    Guided(String),
    /// It is refused.
    Refused(Refusal),
}

/// The reason of a refusal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// It was made in a stage or a reply that is over.
    Stale,
    /// The agent already leaves its stage.
    AlreadyLeaving,
    /// The answer was assessed already.
    AlreadyAssessed,
    /// There is no answer to assess.
    NothingToAssess,
    /// There is no answer that it could be read off.
    NoAnswer,
    /// The rubric has no such field.
    NoSuchField {
        /// The fields that it has.
        known: Vec<String>,
    },
    /// The candidate never said that.
    NotSaid,
    /// The field is settled.
    FieldSettled,
    /// The list is full.
    TooMany,
    /// The answer was waited for already, or the interviewer speaks.
    WaitedAlready,
    /// Everything is known: a further question must name its thread, and there may be two of them.
    NoThread,
    /// Required fields are missing.
    RubricOpen {
        /// Fields that are not settled.
        missing: Vec<String>,
    },
    /// The stage wants more answers first.
    TooFewAnswers {
        /// The number of answers that the stage wants.
        wanted: u32,
    },
    /// The answers are not as deep as the stage wants them, and there are questions left; told once a stage.
    TooShallow {
        /// The deepest answer.
        depth: u8,
        /// The depth that the stage wants.
        wanted: u8,
    },
    /// The plan of the stage says when it is over.
    PlanLeft,
    /// A question of this reply waits for its answer.
    QuestionPending,
    /// Stages are left: hand off instead.
    StagesLeft,
    /// The tool or its arguments.
    Malformed {
        /// What is wrong.
        problem: String,
    },
}

impl Verdict {
    /// Whether the proposal is accepted.
    pub fn is_accepted(&self) -> bool {
        matches!(self, Self::Accepted | Self::Guided(_))
    }
}

impl fmt::Display for Verdict {
    /// The sentence for the model.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Accepted => f.write_str("accepted"),
            Self::Guided(guidance) => write!(f, "accepted: {guidance}"),
            Self::Refused(refusal) => write!(f, "refused: {refusal}"),
        }
    }
}

impl fmt::Display for Refusal {
    /// The sentence for the model.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stale => f.write_str("this stage or reply is over"),
            Self::AlreadyLeaving => f.write_str("you are leaving this stage already"),
            Self::AlreadyAssessed => f.write_str("this answer has been assessed"),
            Self::NothingToAssess => f.write_str("there is no answer to assess"),
            Self::NoAnswer => f.write_str("there is no answer to read it off"),
            Self::NoSuchField { known } => {
                write!(f, "there is no such field; there are: {}", known.join(", "))
            }
            Self::NotSaid => {
                f.write_str("the quote must be the candidate's own words, word for word")
            }
            Self::FieldSettled => f.write_str("that field is settled"),
            Self::TooMany => f.write_str("there are too many already"),
            Self::WaitedAlready => f.write_str("you cannot wait now: answer"),
            Self::NoThread => f.write_str("name the thread in `thread`, or call transition_stage"),
            Self::RubricOpen { missing } => {
                write!(f, "find out first: {}", missing.join(", "))
            }
            Self::TooFewAnswers { wanted } => write!(f, "get at least {wanted} answer(s) first"),
            Self::TooShallow { depth, wanted } => write!(
                f,
                "the deepest answer is at {depth}, this part wants {wanted}: ask for what is missing"
            ),
            Self::PlanLeft => {
                f.write_str("ask the next question of the plan: it says when this part is over")
            }
            Self::QuestionPending => f.write_str("wait for the answer to your question first"),
            Self::StagesLeft => f.write_str("stages are left: call transition_stage"),
            Self::Malformed { problem } => f.write_str(problem),
        }
    }
}

/// The tools, each with its description for the model and the JSON schema of its arguments.
pub const TOOLS: [(&str, &str, &str); 8] = [
    (
        "ask_question",
        "Ask the candidate this question. The same as saying it.",
        concat!(
            r#"{"type":"object","properties":{"question":{"type":"string"},"#,
            r#""thread":{"type":"string","#,
            r#""description":"the id of the planned question, or the thread that it follows"}},"#,
            r#""required":["question"]}"#,
        ),
    ),
    (
        "assess_response",
        "Say how deep the candidate's last answer was, 1 vague to 5 comprehensive, and what kind of answer.",
        concat!(
            r#"{"type":"object","properties":{"depth":{"type":"integer","minimum":1,"maximum":5},"#,
            r#""key_points":{"type":"array","items":{"type":"string"}},"#,
            r#""answer_kind":{"type":"string","enum":["answer:full","answer:partial","answer:vague","#,
            r#""answer:off_topic","dont_know","decline","clarify","repeat","ask_other","hold","skip","#,
            r#""stop","abusive","distress"]}},"required":["depth"]}"#,
        ),
    ),
    (
        "transition_stage",
        "This stage is done: hand the candidate over to the next agent.",
        r#"{"type":"object","properties":{"reason":{"type":"string"}}}"#,
    ),
    (
        "record_field",
        "A field of the rubric is known. `quote` is the candidate's own words for it, word for word.",
        concat!(
            r#"{"type":"object","properties":{"key":{"type":"string"},"value":{"type":"string"},"#,
            r#""quote":{"type":"string"}},"required":["key","value","quote"]}"#,
        ),
    ),
    (
        "mark_unknown",
        "The candidate does not know a field of the rubric, or will not say.",
        concat!(
            r#"{"type":"object","properties":{"key":{"type":"string"},"reason":{"type":"string"}},"#,
            r#""required":["key"]}"#,
        ),
    ),
    (
        "note_followup",
        "Something that somebody else should find out later.",
        concat!(
            r#"{"type":"object","properties":{"text":{"type":"string"},"#,
            r#""priority":{"type":"string","enum":["high","medium","low"]}},"required":["text"]}"#,
        ),
    ),
    (
        "end_interview",
        "The interview is done: say goodbye. Only in the last stage.",
        r#"{"type":"object","properties":{"reason":{"type":"string"}}}"#,
    ),
    (
        "wait_more",
        "The candidate has not finished their answer: say nothing and wait.",
        r#"{"type":"object","properties":{}}"#,
    ),
];

const KEY_POINTS_MAX: usize = 20;

impl Proposal {
    /// Parses a call; an invalid one becomes [`Proposal::Malformed`].
    pub fn parse(name: &str, arguments: &str) -> Self {
        Self::try_parse(name, arguments).unwrap_or_else(|problem| Self::Malformed { problem })
    }

    fn try_parse(name: &str, arguments: &str) -> Result<Self, String> {
        // A tool without arguments may be called with nothing at all.
        let arguments = if arguments.trim().is_empty() { "{}" } else { arguments };
        match name {
            "ask_question" => {
                let Question { question, thread } = read(name, arguments)?;
                let question = worded(name, "question", question)?;
                Ok(Self::AskQuestion { question, thread: clipped(thread).trim().to_owned() })
            }
            "assess_response" => {
                let Assessment { depth, key_points, answer_kind } = read(name, arguments)?;
                if !(1..=5).contains(&depth) {
                    return Err(format!("assess_response: depth must be 1 to 5, not {depth}"));
                }
                let key_points = key_points.into_iter().take(KEY_POINTS_MAX).map(clipped).collect();
                Ok(Self::AssessResponse {
                    depth: depth.unsigned_abs() as u8,
                    key_points,
                    answer_kind,
                })
            }
            "record_field" => {
                let Field { key, value, quote } = read(name, arguments)?;
                let key = worded(name, "key", key)?;
                let value = worded(name, "value", value)?;
                Ok(Self::RecordField { key, value, quote: worded(name, "quote", quote)? })
            }
            "mark_unknown" => {
                let Unknown { key, reason } = read(name, arguments)?;
                Ok(Self::MarkUnknown { key: worded(name, "key", key)?, reason: clipped(reason) })
            }
            "note_followup" => {
                let Followup { text, priority } = read(name, arguments)?;
                Ok(Self::NoteFollowup { text: worded(name, "text", text)?, priority })
            }
            "wait_more" => read::<Nothing>(name, arguments).map(|Nothing {}| Self::WaitMore),
            "transition_stage" => {
                let Why { reason } = read(name, arguments)?;
                Ok(Self::TransitionStage { reason: clipped(reason) })
            }
            "end_interview" => {
                let Why { reason } = read(name, arguments)?;
                Ok(Self::EndInterview { reason: clipped(reason) })
            }
            other => {
                let known = TOOLS.map(|(name, _, _)| name).join(", ");
                Err(format!("there is no tool `{}`; there are {known}", clipped(other.to_owned())))
            }
        }
    }
}

#[derive(Deserialize)]
struct Question {
    question: String,
    #[serde(default)]
    thread: String,
}

#[derive(Deserialize)]
struct Assessment {
    depth: i64,
    #[serde(default)]
    key_points: Vec<String>,
    #[serde(default)]
    answer_kind: Option<Intent>,
}

#[derive(Deserialize)]
struct Field {
    key: String,
    value: String,
    quote: String,
}

#[derive(Deserialize)]
struct Unknown {
    key: String,
    #[serde(default)]
    reason: String,
}

#[derive(Deserialize)]
struct Followup {
    text: String,
    #[serde(default)]
    priority: Priority,
}

#[derive(Deserialize)]
struct Nothing {}

#[derive(Deserialize)]
struct Why {
    #[serde(default)]
    reason: String,
}

fn read<'a, T: Deserialize<'a>>(name: &str, arguments: &'a str) -> Result<T, String> {
    serde_json::from_str(arguments).map_err(|error| format!("{name}: {error}"))
}

/// A text that must not be empty.
fn worded(tool: &str, what: &str, text: String) -> Result<String, String> {
    let text = clipped(text);
    if text.trim().is_empty() {
        return Err(format!("{tool}: the {what} is empty"));
    }
    Ok(text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// H08: unknown tools, malformed arguments and a depth outside 1..5 are told apart from calls that hold.
    #[test]
    fn calls_are_understood_or_named() {
        let parse = Proposal::parse;
        assert_eq!(
            parse("assess_response", r#"{"depth":3,"key_points":["role"]}"#),
            Proposal::AssessResponse {
                depth: 3,
                key_points: vec!["role".into()],
                answer_kind: None
            }
        );
        assert_eq!(
            parse("transition_stage", "{}"),
            Proposal::TransitionStage { reason: String::new() }
        );
        for (name, arguments, says) in [
            ("assess_response", r#"{"depth":9}"#, "depth must be 1 to 5, not 9"),
            ("assess_response", r#"{"depth":-9223372036854775808}"#, "depth must be 1 to 5"),
            ("ask_question", r#"{"question":"  "}"#, "the question is empty"),
            ("ask_question", r#"{"question":"#, "EOF while parsing"),
            ("record_field", r#"{"key":"role","value":"x","quote":" "}"#, "the quote is empty"),
            ("note_followup", r#"{"text":"x","priority":"urgent"}"#, "unknown variant"),
            ("hire_candidate", "{}", "there is no tool `hire_candidate`"),
        ] {
            let Proposal::Malformed { problem } = parse(name, arguments) else {
                panic!("{name} {arguments} was taken for a proposal");
            };
            assert!(problem.contains(says), "{problem}");
        }
    }

    /// Every tool that the model is told of is understood, and its schema is JSON.
    #[test]
    fn tools_are_known() {
        for (name, _, schema) in TOOLS {
            serde_json::from_str::<serde_json::Value>(schema).unwrap();
            let Proposal::Malformed { problem } = Proposal::parse(name, "no JSON") else {
                panic!("{name} took garbage");
            };
            assert!(problem.starts_with(name), "{problem}");
        }
    }
}
