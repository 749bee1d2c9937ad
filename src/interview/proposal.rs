//! What a model may ask for through its tools (H08). Each is a proposal: accepted, or refused with a reason
//! that the model gets back.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A tool call, understood as far as it can be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Proposal {
    /// Ask this; the same as saying it.
    AskQuestion {
        /// The question.
        question: String,
    },
    /// The answer was so deep.
    AssessResponse {
        /// 1 (vague) to 5 (comprehensive).
        depth: u8,
        /// What was in it.
        key_points: Vec<String>,
    },
    /// The stage is done.
    TransitionStage {
        /// Why, in the model's words.
        reason: String,
    },
    /// The interview is done.
    EndInterview {
        /// Why, in the model's words.
        reason: String,
    },
    /// The call makes no sense.
    Malformed {
        /// What is wrong with it.
        problem: String,
    },
}

/// What became of a proposal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It holds; what it changes takes effect at the first sound that answers the turn.
    Accepted,
    /// It does not hold.
    Refused(Refusal),
}

/// Why a proposal was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// It was made in a stage that is over, or in a reply that is.
    Stale,
    /// The agent already leaves its stage.
    AlreadyLeaving,
    /// The answer was assessed already.
    AlreadyAssessed,
    /// There is no answer to assess.
    NothingToAssess,
    /// The stage wants more answers first.
    TooFewAnswers {
        /// So many are wanted.
        wanted: u32,
    },
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

impl fmt::Display for Refusal {
    /// As the model is told.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stale => f.write_str("this stage or reply is over"),
            Self::AlreadyLeaving => f.write_str("you are leaving this stage already"),
            Self::AlreadyAssessed => f.write_str("this answer has been assessed"),
            Self::NothingToAssess => f.write_str("there is no answer to assess"),
            Self::TooFewAnswers { wanted } => write!(f, "get at least {wanted} answer(s) first"),
            Self::QuestionPending => f.write_str("wait for the answer to your question first"),
            Self::StagesLeft => f.write_str("stages are left: call transition_stage"),
            Self::Malformed { problem } => f.write_str(problem),
        }
    }
}

/// The tools, with what a model is told of each and the JSON schema of its arguments' properties.
pub const TOOLS: [(&str, &str, &str); 4] = [
    ("ask_question", "Ask the candidate this question.", r#"{"question":{"type":"string"}}"#),
    (
        "assess_response",
        "Say how deep the candidate's last answer was: 1 vague to 5 comprehensive.",
        r#"{"depth":{"type":"integer","minimum":1,"maximum":5},"key_points":{"type":"array","items":{"type":"string"}}}"#,
    ),
    (
        "transition_stage",
        "This stage is done: hand the candidate over to the next agent.",
        r#"{"reason":{"type":"string"}}"#,
    ),
    (
        "end_interview",
        "The interview is done: say goodbye. Only in the last stage.",
        r#"{"reason":{"type":"string"}}"#,
    ),
];

const TEXT_BYTES_MAX: usize = 2_000;
const KEY_POINTS_MAX: usize = 20;

impl Proposal {
    /// Understands a call; what it cannot understand becomes [`Proposal::Malformed`].
    pub fn parse(name: &str, arguments: &str) -> Self {
        Self::try_parse(name, arguments).unwrap_or_else(|problem| Self::Malformed { problem })
    }

    fn try_parse(name: &str, arguments: &str) -> Result<Self, String> {
        match name {
            "ask_question" => {
                let Question { question } = read(name, arguments)?;
                let question = clipped(question);
                if question.trim().is_empty() {
                    return Err("ask_question: the question is empty".into());
                }
                Ok(Self::AskQuestion { question })
            }
            "assess_response" => {
                let Assessment { depth, key_points } = read(name, arguments)?;
                if !(1..=5).contains(&depth) {
                    return Err(format!("assess_response: depth must be 1 to 5, not {depth}"));
                }
                let key_points = key_points.into_iter().take(KEY_POINTS_MAX).map(clipped).collect();
                Ok(Self::AssessResponse { depth: depth.unsigned_abs() as u8, key_points })
            }
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
}

#[derive(Deserialize)]
struct Assessment {
    depth: i64,
    #[serde(default)]
    key_points: Vec<String>,
}

#[derive(Deserialize)]
struct Why {
    #[serde(default)]
    reason: String,
}

fn read<'a, T: Deserialize<'a>>(name: &str, arguments: &'a str) -> Result<T, String> {
    serde_json::from_str(arguments).map_err(|error| format!("{name}: {error}"))
}

/// Cuts a model's text to what a journal line may hold.
fn clipped(mut text: String) -> String {
    text.truncate(text.floor_char_boundary(TEXT_BYTES_MAX));
    text
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
            Proposal::AssessResponse { depth: 3, key_points: vec!["role".into()] }
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
