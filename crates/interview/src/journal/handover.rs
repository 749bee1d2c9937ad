//! What a knowledge transfer leaves for other programs: rounds, facts and the backlog as files (K07).
//! Projections of the journal: made anew each time, so that nothing stands in them twice after a crash.

use serde::Serialize;

use super::{PlanProgress, QuestionProgress};
use crate::{
    blueprint::Urgency,
    interview::{ItemStatus, Origin},
};

/// A file of a knowledge transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandoverFile {
    /// Each round: the question as it was asked, the answer, its facts.
    Transcript,
    /// All facts as one list.
    Facts,
    /// The questions and what became of them.
    Backlog,
}

impl HandoverFile {
    /// All there are.
    pub const ALL: [Self; 3] = [Self::Transcript, Self::Facts, Self::Backlog];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Transcript => "transcript.json",
            Self::Facts => "extracted_facts.json",
            Self::Backlog => "question_backlog.json",
        }
    }
}

/// A round of questions.
#[derive(Serialize)]
struct Round<'a> {
    turn_id: usize,
    question_id: &'a str,
    question_text: &'a str,
    user_response: &'a str,
    extracted_facts: &'a [String],
    follow_up: Option<&'a str>,
}

/// A question of the backlog.
#[derive(Serialize)]
struct Question<'a> {
    question_id: &'a str,
    text: &'a str,
    priority: Urgency,
    status: ItemStatus,
    origin: Origin,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<&'a str>,
    answer: Option<&'a str>,
    confidence: Option<f32>,
}

/// The text of a file.
pub fn handover(progress: &PlanProgress, file: HandoverFile) -> String {
    let rounds = rounds(progress);
    let text = match file {
        HandoverFile::Transcript => {
            let rounds =
                rounds.iter().enumerate().map(|(n, asked)| Round::new(n + 1, asked, progress));
            serde_json::to_string_pretty(&rounds.collect::<Vec<_>>())
        }
        HandoverFile::Facts => {
            let facts = rounds.iter().flat_map(|asked| &asked.item.facts);
            serde_json::to_string_pretty(&facts.collect::<Vec<_>>())
        }
        HandoverFile::Backlog => {
            let questions = progress.questions.iter().map(Question::new);
            serde_json::to_string_pretty(&questions.collect::<Vec<_>>())
        }
    };
    text.expect("plain data serializes") + "\n"
}

/// The questions that have an answer, in the order in which they were asked.
fn rounds(progress: &PlanProgress) -> Vec<&QuestionProgress> {
    let asked = progress.questions.iter().filter(|asked| asked.answer.is_some());
    let mut rounds: Vec<_> = asked.collect();
    rounds.sort_by_key(|asked| asked.item.question);
    rounds
}

impl<'a> Round<'a> {
    fn new(turn_id: usize, asked: &'a QuestionProgress, progress: &'a PlanProgress) -> Self {
        let QuestionProgress { item, asked_as, answer } = asked;
        let follows = |other: &&QuestionProgress| {
            other.item.origin == Origin::FollowUp && other.item.parent.as_ref() == Some(&item.id)
        };
        Self {
            turn_id,
            question_id: &item.id,
            question_text: asked_as.as_ref().unwrap_or(&item.text),
            user_response: answer.as_deref().unwrap_or_default(),
            extracted_facts: &item.facts,
            follow_up: progress
                .questions
                .iter()
                .find(follows)
                .map(|other| other.item.text.as_str()),
        }
    }
}

impl<'a> Question<'a> {
    fn new(asked: &'a QuestionProgress) -> Self {
        let QuestionProgress { item, answer, .. } = asked;
        Self {
            question_id: &item.id,
            text: &item.text,
            priority: item.priority,
            status: item.status,
            origin: item.origin,
            parent: item.parent.as_deref(),
            answer: answer.as_deref(),
            confidence: item.confidence,
        }
    }
}
