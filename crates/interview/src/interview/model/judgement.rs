//! Judgements: the findings of the judge about an answer, off the response path.

use language::{About, Intent, Quality};
use serde::{Deserialize, Serialize};

use crate::blueprint::Urgency;
use crate::foreign::Foreign;
use crate::interview::{
    ids::{QuestionId, TurnId},
    model::schema::{list, object},
    turn_taking::coverage::Hole,
    understanding::sentence::clipped,
};

/// The findings of the judge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// 1 (vague) to 5 (comprehensive).
    pub depth: u8,
    /// The kind of answer.
    pub answer_kind: Intent,
    /// Its content, point by point.
    #[serde(default)]
    pub key_points: Vec<String>,
    /// Facts about the person, in sentences that stand alone.
    #[serde(default)]
    pub facts: Vec<Fact>,
    /// Fields of the rubric that it settles.
    #[serde(default)]
    pub fields: Vec<FieldFound>,
    /// Subjects that are worth another question.
    #[serde(default)]
    pub follow_ups: Vec<String>,
    /// Questions about matters that nobody had thought of.
    #[serde(default)]
    pub discovered: Vec<Discovered>,
}

/// A question that an answer has brought up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Discovered {
    /// The question.
    pub text: String,
    /// How much it matters.
    #[serde(default)]
    pub priority: Urgency,
}

/// Something that is true of the candidate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// A sentence that stands alone.
    pub text: Foreign,
    /// 0..=1.
    pub confidence: f32,
}

/// A field of the rubric that an answer settles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldFound {
    /// Which one.
    pub key: String,
    /// The value.
    pub value: String,
    /// The candidate's own words for it.
    pub quote: String,
}

/// More of anything in one judgement is left out.
const LIST_MAX: usize = 20;

impl Judgement {
    /// What a judge, or a model by its tool, may find an answer to be.
    pub(crate) const KINDS: [Intent; 14] = [
        Intent::Answer(Quality::Full),
        Intent::Answer(Quality::Partial),
        Intent::Answer(Quality::Vague),
        Intent::Answer(Quality::OffTopic),
        Intent::DontKnow,
        Intent::Decline,
        Intent::Clarify,
        Intent::Repeat,
        Intent::Ask(About::Other),
        Intent::Hold,
        Intent::Skip,
        Intent::Stop,
        Intent::Abusive,
        Intent::Distress,
    ];

    /// Reads what the judge wrote, JSON of [`Judgement::schema`].
    pub fn parse(json: &str) -> Result<Self, String> {
        let mut read: Self = serde_json::from_str(json).map_err(|error| error.to_string())?;
        if !(1..=5).contains(&read.depth) {
            return Err(format!("depth must be 1 to 5, not {}", read.depth));
        }
        if let Some(fact) = read.facts.iter().find(|fact| !(0.0..=1.0).contains(&fact.confidence)) {
            return Err(format!("a confidence must be 0 to 1, not {}", fact.confidence));
        }
        read.key_points.truncate(LIST_MAX);
        read.facts.truncate(LIST_MAX);
        read.fields.truncate(LIST_MAX);
        read.follow_ups.truncate(LIST_MAX);
        read.discovered.truncate(LIST_MAX);
        let discovered = read.discovered.iter_mut().map(|question| &mut question.text);
        let texts = read.key_points.iter_mut().chain(&mut read.follow_ups).chain(discovered);
        let fields = read.fields.iter_mut().flat_map(|f| [&mut f.key, &mut f.value, &mut f.quote]);
        for text in texts.chain(fields) {
            *text = clipped(std::mem::take(text));
        }
        for fact in &mut read.facts {
            fact.text = clipped(fact.text.for_people().to_owned()).into();
        }
        Ok(read)
    }

    /// The JSON schema that the judge has to keep to; with questions that the answer brings up, if it `finds`
    /// them.
    pub fn schema(finds: bool) -> serde_json::Value {
        let text = || serde_json::json!({ "type": "string" });
        let kinds = Self::KINDS.map(Intent::label);
        let number = serde_json::json!({ "type": "number" });
        let mut properties = serde_json::json!({
            "depth": { "type": "integer" },
            "answer_kind": { "type": "string", "enum": kinds },
            "key_points": list(text()),
            "facts": list(object(serde_json::json!({ "text": text(), "confidence": number }))),
            "fields": list(object(serde_json::json!({ "key": text(), "value": text(), "quote": text() }))),
            "follow_ups": list(text()),
        });
        if finds {
            let priority = serde_json::json!({ "type": "string", "enum": ["P0", "P1", "P2"] });
            let question = serde_json::json!({ "text": text(), "priority": priority });
            properties["discovered"] = list(object(question));
        }
        object(properties)
    }
}

/// A committed turn that can still be judged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judgeable {
    pub(crate) turn: TurnId,
    pub(crate) attempt: u32,
    pub(crate) stage: usize,
    pub(crate) question: Option<QuestionId>,
    /// Whether the judge was asked once more, as nothing came the first time.
    pub(crate) is_retried: bool,
}

/// An answer for the judge to look at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Case {
    /// The question.
    pub question: String,
    /// The answer.
    pub answer: String,
    /// Where words of it are missing.
    pub holes: Vec<Hole>,
    /// Fields of the rubric that are open: key, what it means.
    pub fields: Vec<(String, String)>,
    /// The key of the field that the question asks for, if it is one.
    pub asked_for: Vec<String>,
    /// Whether questions that the answer brings up are wanted.
    pub finds_questions: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A01: what the schema calls for is what is read, and nothing else is.
    #[test]
    fn judgements_are_read_or_refused() {
        let schema = Judgement::schema(false);
        let kinds = schema["properties"]["answer_kind"]["enum"].as_array().unwrap();
        assert_eq!(kinds.len(), 14);
        for kind in kinds {
            let read = Judgement::parse(&format!(r#"{{"depth":3,"answer_kind":{kind}}}"#)).unwrap();
            assert_eq!(serde_json::to_value(read.answer_kind).unwrap(), *kind);
        }
        for (json, says) in [
            (r#"{"depth":6,"answer_kind":"full"}"#, "depth must be 1 to 5"),
            (r#"{"depth":3,"answer_kind":"good"}"#, "`good` is no intent"),
            (r#"{"depth":3}"#, "missing field"),
            (
                r#"{"depth":3,"answer_kind":"full","facts":[{"text":"x","confidence":7}]}"#,
                "confidence",
            ),
            ("", "EOF"),
        ] {
            let problem = Judgement::parse(json).unwrap_err();
            assert!(problem.contains(says), "{json}: {problem}");
        }
    }

    /// A01, DESIGN 11: of a judge who writes without end only the beginning is read.
    #[test]
    fn long_judgements_are_cut() {
        let fact = serde_json::json!({ "text": "x".repeat(3_000), "confidence": 1.0 });
        let long =
            serde_json::json!({ "depth": 3, "answer_kind": "full", "facts": vec![fact; 25] });
        let read = Judgement::parse(&long.to_string()).unwrap();
        assert_eq!((read.facts.len(), read.facts[0].text.for_people().len()), (20, 2_000));
    }
}
