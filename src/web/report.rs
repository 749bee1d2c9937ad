//! The report of an interview, for the recruiter's page.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::{Extension, Json};
use serde::Serialize;
use serde_json::json;
use utoipa::{OpenApi, ToSchema};

use super::Shared;
use super::blocking::blocking;
use super::costs::CostView;
use super::latency::{LatencySheet, sheet};
use super::problem::Problem;
use super::progress::progress;
use super::who::Who;
use crate::assess::{Material, Report};
use crate::assessor::{Assessor, Found, Subject};
use crate::blueprint::Blueprint;
use crate::database::{Act, WordKind};
use crate::journal;
use crate::store::{InterviewId, Listed};

/// A line of the transcript that the candidate has put right afterwards.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(super) struct CorrectedLine {
    /// Its place in the transcript, from 0.
    pub(super) line: usize,
    /// When it was said, in milliseconds of the interview.
    pub(super) at_ms: u64,
    /// As it was understood.
    pub(super) old: String,
    /// As they meant it.
    pub(super) text: String,
}

#[derive(OpenApi)]
#[openapi(components(schemas(Report, CorrectedLine, CostView, LatencySheet)))]
struct Shapes;

/// The JSON Schema of an exported report: `docs/report.schema.json`.
pub fn report_schema_json() -> String {
    let shapes = Shapes::openapi().components.map(|components| components.schemas);
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Report of an interview",
        "$ref": "#/$defs/Report",
        "properties": {
            "corrected": { "type": "array", "items": { "$ref": "#/$defs/CorrectedLine" } },
            "cost": { "$ref": "#/$defs/Cost" },
            "latency_sheet": { "$ref": "#/$defs/LatencySheet" },
        },
        "$defs": shapes,
    });
    let text =
        serde_json::to_string_pretty(&schema).expect("a document of strings and maps is JSON");
    text.replace("#/components/schemas/", "#/$defs/") + "\n"
}

/// What an interview shows of each criterion, with quotes that were found in its transcript. The first time
/// that it is asked for a model begins to make it: `state` is `making` until it is done.
#[utoipa::path(
    get, path = "/api/interviews/{id}/report", operation_id = "getReport",
    params(("id" = String, Path)),
    responses(
        (status = 200, body = Report),
        (status = 404, body = Problem, description = "There is no such interview"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn get_report(
    State(shared): State<Arc<Shared>>,
    Extension(assessor): Extension<Arc<Assessor>>,
    who: Who,
    Path(id): Path<String>,
) -> Result<Json<Report>, Problem> {
    let of = shared.find(&id).await?;
    shared.audit_reading(&who, Act::ReadReport, &id, "").await?;
    Ok(Json(report(&shared, &assessor, &of, false).await?))
}

/// Makes the report anew. Its facts stay as they were: they are read from the journal by code alone.
#[utoipa::path(
    post, path = "/api/interviews/{id}/report", operation_id = "makeReport",
    params(("id" = String, Path)),
    responses(
        (status = 200, body = Report),
        (status = 404, body = Problem, description = "There is no such interview"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn make_report(
    State(shared): State<Arc<Shared>>,
    Extension(assessor): Extension<Arc<Assessor>>,
    who: Who,
    Path(id): Path<String>,
) -> Result<Json<Report>, Problem> {
    let of = shared.find(&id).await?;
    shared.audit(&who, Act::MadeReport, &id, "").await?;
    Ok(Json(report(&shared, &assessor, &of, true).await?))
}

/// The report as it stands; it goes on being made beside all requests.
pub(super) async fn report(
    shared: &Arc<Shared>,
    assessor: &Arc<Assessor>,
    of: &Listed,
    anew: bool,
) -> Result<Report, Problem> {
    let (state, _) = progress(&*shared.store, of.id).await?;
    if !state.is_over() {
        return Ok(Report::none(&of.id.to_string()));
    }
    let Found { report, job } = assessor.report(of, anew, subject(shared, of.id)).await?;
    if let Some(job) = job {
        tokio::spawn(job.run());
    }
    let corrected = corrections(shared, of.id).await?;
    if corrected.is_empty() {
        return shared.with_levels(of.id, report).await;
    }
    let material = subject(shared, of.id).await?.material;
    let of_turn = |(line, text)| Some((material.turn_at(line)?, text));
    let report = report.with_corrections(&corrected.into_iter().filter_map(of_turn).collect());
    shared.with_levels(of.id, report).await
}

/// What the candidate has put right afterwards, by the lines of the transcript; the last word on each counts.
pub(super) async fn corrections(
    shared: &Shared,
    id: InterviewId,
) -> Result<BTreeMap<usize, String>, Problem> {
    let words = shared.database.candidate_words(&id.to_string()).await?;
    let corrections = words.into_iter().filter(|word| word.kind == WordKind::Correction);
    let by_line =
        corrections.filter_map(|word| Some((usize::try_from(word.turn?).ok()?, word.text)));
    Ok(by_line.collect())
}

/// How long replies took, in parts that sum to the whole, with the settings that cause each.
#[utoipa::path(
    get, path = "/api/interviews/{id}/latency", operation_id = "getLatency",
    params(("id" = String, Path)),
    responses(
        (status = 200, body = LatencySheet),
        (status = 404, body = Problem, description = "There is no such interview"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn get_latency(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
) -> Result<Json<LatencySheet>, Problem> {
    let of = shared.find(&id).await?;
    if of.journal.is_none() {
        return Ok(Json(LatencySheet::default()));
    }
    let subject = subject(&shared, of.id).await?;
    Ok(Json(sheet(&subject.material.basis().timeline.latency)))
}

/// What a report is made from.
pub(super) async fn subject(shared: &Arc<Shared>, id: InterviewId) -> Result<Subject, Problem> {
    let inputs = shared.store.inputs(id).await?;
    let text = shared.store.read_journal(id).await?.unwrap_or_default();
    blocking(move || {
        let (header, entries) = journal::parse(&text)?;
        let material = Material::of(&inputs, &header, &entries);
        Ok(Subject { material, blueprint: Blueprint::load(&inputs.files).ok() })
    })
    .await
}
