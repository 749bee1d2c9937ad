//! The report as a candidate may read it, where the opening allows it: facts, and their own words. A level
//! and its reason only where the opening allows those, too (U07).

use std::sync::Arc;

use axum::{
    Extension, Json,
    extract::{Path, State},
    http::StatusCode,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Shared, opening_form::ReportFor, problem::Problem, report::report};
use crate::{
    assess::{Answered, Assessed, MadeBy, Report, ReportState},
    assessor::Assessor,
};

/// A report for the candidate.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CandidateReport {
    /// Whether it is there, or still being made.
    state: ReportState,
    /// How many words they said.
    words: u32,
    /// How many answers they gave.
    answers: u32,
    /// Sounds such as "um", as a count.
    fillers: u32,
    /// Their pace; nothing for a few words.
    words_per_minute: Option<u32>,
    /// The longest answer, in milliseconds.
    longest_answer_ms: u64,
    /// The questions that were asked, and what became of each.
    questions: Vec<AskedView>,
    /// What was to be found out, with their words about it.
    criteria: Vec<CriterionView>,
}

/// A question.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct AskedView {
    text: String,
    stage: String,
    answered: Answered,
}

/// What was to be found out.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CriterionView {
    name: String,
    /// Their own words about it.
    quotes: Vec<String>,
    /// From 1 to 5, where the opening allows it.
    level: Option<u8>,
    /// Why, where the opening allows it.
    reason: Option<String>,
}

/// The report of an interview for its candidate.
#[utoipa::path(
    get, path = "/api/candidate/{token}/report", operation_id = "getCandidateReport",
    params(("token" = String, Path)),
    responses(
        (status = 200, body = CandidateReport),
        (status = 404, body = Problem, description = "The link is not one of ours, or they get no report"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn get_candidate_report(
    State(shared): State<Arc<Shared>>,
    Extension(assessor): Extension<Arc<Assessor>>,
    Path(token): Path<String>,
) -> Result<Json<CandidateReport>, Problem> {
    let id = shared.admit(&token).await?.open()?.id;
    let allowed = shared.form_of(id).await?.terms.candidate_report;
    if allowed == ReportFor::Nobody {
        let message =
            "Whoever invited you gives no report to candidates. You may ask them for one.";
        return Err(Problem::new(StatusCode::NOT_FOUND, message));
    }
    let of = shared.store.find(id).await?;
    let report = report(&shared, &assessor, &of, false).await?;
    Ok(Json(CandidateReport::new(report, allowed)))
}

impl CandidateReport {
    fn new(report: Report, allowed: ReportFor) -> Self {
        let facts = report.basis.facts;
        let questions = report.basis.questions.into_iter().filter(|question| question.asked);
        // Where no model has read the answers, nobody has looked for what the criteria are about.
        let is_judged = report.made.as_ref().is_some_and(|made| made.by == MadeBy::Model);
        Self {
            state: report.state,
            words: facts.words,
            answers: facts.answers,
            fillers: facts.fillers,
            words_per_minute: facts.words_per_minute,
            longest_answer_ms: facts.longest_answer_ms,
            questions: questions
                .map(|question| AskedView {
                    text: question.text,
                    stage: question.stage,
                    answered: question.answered,
                })
                .collect(),
            criteria: report
                .criteria
                .into_iter()
                .filter(|_| is_judged)
                .map(|one| CriterionView::new(one, allowed))
                .collect(),
        }
    }
}

impl CriterionView {
    fn new(assessed: Assessed, allowed: ReportFor) -> Self {
        let has_levels = allowed == ReportFor::CandidateWithLevels;
        let quotes = assessed.evidence.into_iter().map(|evidence| evidence.quote);
        Self {
            name: assessed.name,
            quotes: quotes.collect(),
            level: assessed.level.filter(|_| has_levels),
            reason: Some(assessed.reason).filter(|reason| has_levels && !reason.is_empty()),
        }
    }
}
