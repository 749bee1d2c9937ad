//! What becomes of an interview's plan, and what comes out of it: for the recruiter's page and to download.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use tracing::{error, warn};
use utoipa::ToSchema;

use super::Shared;
use super::blocking::blocking;
use super::plans::{MadeByView, Priority};
use super::problem::Problem;
use super::progress::progress;
use super::who::Who;
use crate::blueprint::{Blueprint, Field, Format};
use crate::database::Act;
use crate::journal::{
    self, ContactField, Entry, HandoverFile, Inputs, ItemStatus, Origin, PlanProgress,
    QuestionProgress, Settled, TopicProgress, handover, plan_progress,
};
use crate::planning::{Made, MadeBy, Planner};
use crate::providers::usage::Used;
use crate::store::{Hold, InterviewId, JournalStore, Projection};
use crate::summary::{Material, Section, Summary};
use crate::usage::{self, Purpose};

/// The summary as a file.
const SUMMARY_FILE: &str = "interview_summary.txt";

/// An interview's plan and how far it is.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PlanProgress)]
pub(super) struct PlanProgressView {
    /// What the interview does now, such as EXPLORING.
    phase: Option<String>,
    /// The names of its documents.
    documents: Vec<String>,
    /// Questions of a backlog, as they were planned; what was brought up stands at the end.
    questions: Vec<QuestionProgressView>,
    /// Topics, in order.
    topics: Vec<TopicProgressView>,
    /// The turns that there are for all topics; nothing where there are no topics.
    turns_total: Option<u32>,
    /// Those of them that are left.
    turns_left: Option<u32>,
    /// Whether there was time for more, if they were asked.
    extension: Option<bool>,
    /// Whether they leave contact data, if they were asked.
    consent: Option<bool>,
    /// Contact data, in the order of the form.
    contact: Vec<ContactView>,
}

/// A planned question and what became of it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = QuestionProgress)]
struct QuestionProgressView {
    /// Its name in the plan.
    id: String,
    /// What is to be found out.
    text: String,
    /// How much it matters.
    priority: Priority,
    /// How far it is.
    status: QuestionStatus,
    /// Where it comes from.
    origin: QuestionOrigin,
    /// The question whose answer called for it.
    parent: Option<String>,
    /// The words in which it was asked.
    asked_as: Option<String>,
    /// The answer.
    answer: Option<String>,
    /// How sure it is that the answer says all, from 0 to 1.
    confidence: Option<f32>,
    /// What the answer says, in sentences that stand alone.
    facts: Vec<String>,
}

/// How far a planned question is.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum QuestionStatus {
    /// Nobody has asked it.
    Open,
    /// It waits for its answer.
    Asked,
    /// It was answered in part.
    AnsweredPartial,
    /// It was answered.
    Answered,
    /// They do not know, or will not say.
    Unknown,
}

/// Where a planned question comes from.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum QuestionOrigin {
    /// It was there before.
    Plan,
    /// A thin answer called for it.
    FollowUp,
    /// An answer told of something that nobody had thought of.
    Discovered,
}

/// A topic and how far it is.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TopicProgress)]
struct TopicProgressView {
    /// Its name for the report.
    key: String,
    /// Its name for people.
    title: String,
    /// Its questions.
    sub_goals: Vec<SubGoal>,
    /// Turns on it.
    turns: u32,
    /// Its turns as they were shared out.
    share: u32,
    /// Turns that it took from other topics.
    bonus: u32,
    /// How rich the answers are on the whole, from 0 to 1.
    score: f32,
    /// The best words of the richest answer.
    insight: Option<String>,
}

/// A question of a topic.
#[derive(Debug, Serialize, ToSchema)]
struct SubGoal {
    /// The question.
    text: String,
    /// Whether it was asked.
    covered: bool,
}

/// A field of the form.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ContactField)]
struct ContactView {
    /// Its name.
    key: String,
    /// Its name for people.
    title: String,
    /// Its value.
    value: Option<String>,
    /// Why there is none, if that is settled.
    missing: Option<Missing>,
}

/// Why a field has no value.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Missing {
    /// It was not understood, or they do not know it.
    Unknown,
    /// They would rather not say.
    Declined,
}

/// A field of the form that a candidate can fill in on the screen.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct FormField {
    /// Its name in the request `fill`.
    key: String,
    /// Its name for people.
    title: String,
    /// What its value looks like.
    format: FieldFormat,
}

/// What a value looks like.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum FieldFormat {
    /// Any words.
    Text,
    /// An e-mail address.
    Email,
    /// A phone number.
    Phone,
}

/// What came out of an interview.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SummaryView {
    /// Who wrote it.
    by: MadeByView,
    /// Why no model wrote it, where one should have.
    trouble: Option<String>,
    /// Its parts.
    sections: Vec<SummarySection>,
}

/// A part of a summary.
#[derive(Debug, Serialize, ToSchema)]
struct SummarySection {
    /// What it is about.
    heading: String,
    /// What there is to know of it.
    points: Vec<String>,
}

/// A summary as it is kept: it holds as long as the journal has no more entries.
#[derive(Serialize, Deserialize)]
struct Kept {
    entries: usize,
    summary: Summary,
}

/// The interview's plan for the page, and the files that can be downloaded.
pub(super) fn plan_of(
    inputs: &Inputs,
    entries: &[Entry],
    is_over: bool,
) -> (Option<PlanProgressView>, Vec<String>) {
    let Some(progress) = plan_progress(inputs, entries) else { return (None, Vec::new()) };
    let mut files = Vec::new();
    if !entries.is_empty() {
        if !progress.questions.is_empty() {
            files.extend(HandoverFile::ALL.map(|file| file.name().to_owned()));
        }
        files.extend(is_over.then(|| SUMMARY_FILE.to_owned()));
    }
    (Some(progress.into()), files)
}

/// The fields that a candidate can fill in on the screen.
pub(super) fn form_of(blueprint: &Blueprint) -> Vec<FormField> {
    let view = |field: &Field| FormField {
        key: field.key.clone(),
        title: field.title.clone(),
        format: match field.format {
            Format::Text => FieldFormat::Text,
            Format::Email => FieldFormat::Email,
            Format::Phone => FieldFormat::Phone,
        },
    };
    journal::form_fields(blueprint).iter().map(view).collect()
}

/// What came out of an interview that is over: by subject, written by a model where there is one.
#[utoipa::path(
    get, path = "/api/interviews/{id}/summary", operation_id = "getSummary",
    params(("id" = String, Path)),
    responses(
        (status = 200, body = SummaryView),
        (status = 404, body = Problem, description = "There is no such interview, or it has no plan"),
        (status = 409, body = Problem, description = "It is not over"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn get_summary(
    State(shared): State<Arc<Shared>>,
    Extension(planner): Extension<Arc<Planner>>,
    who: Who,
    Path(id): Path<String>,
) -> Result<Json<SummaryView>, Problem> {
    let id = shared.find(&id).await?.id;
    shared.audit_reading(&who, Act::ReadSummary, &id.to_string(), "").await?;
    let Made { made, trouble, .. } = summary(&shared.store, &planner, id).await?;
    let section = |Section { heading, points }| SummarySection { heading, points };
    let sections = made.sections.into_iter().map(section).collect();
    Ok(Json(SummaryView { by: made.by.into(), trouble, sections }))
}

/// A file for other programs, or the summary as a text.
#[utoipa::path(
    get, path = "/api/interviews/{id}/files/{name}", operation_id = "getFile",
    params(("id" = String, Path), ("name" = String, Path, description = "As in `files` of the interview")),
    responses(
        (status = 200, content_type = "application/octet-stream", description = "The file"),
        (status = 404, body = Problem, description = "There is no such interview or file"),
        (status = 409, body = Problem, description = "The interview is not over, which a summary needs"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn get_file(
    State(shared): State<Arc<Shared>>,
    Extension(planner): Extension<Arc<Planner>>,
    who: Who,
    Path((id, name)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let id = shared.find(&id).await?.id;
    let text = if name == SUMMARY_FILE {
        summary(&shared.store, &planner, id).await?.made.text()
    } else {
        let file = HandoverFile::ALL.into_iter().find(|file| file.name() == name);
        let (inputs, entries) = interview(&shared.store, id).await?;
        let text = move || {
            let progress = plan_progress(&inputs, &entries);
            Ok(progress.filter(|progress| !progress.questions.is_empty()).zip(file))
        };
        let (progress, file) = blocking(text).await?.ok_or_else(no_file)?;
        handover(&progress, file)
    };
    shared.audit(&who, Act::Exported, &id.to_string(), &name).await?;
    let kind = if name == SUMMARY_FILE { "text/plain; charset=utf-8" } else { "application/json" };
    let disposition = format!("attachment; filename=\"{name}\"");
    Ok(([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, disposition.as_str())], text)
        .into_response())
}

/// The summary that was kept, or a new one.
async fn summary(
    store: &Arc<dyn JournalStore>,
    planner: &Planner,
    id: InterviewId,
) -> Result<Made<Summary>, Problem> {
    let (state, _) = progress(&**store, id).await?;
    if !state.is_over() {
        let what = "The interview is not over: its summary is written then.";
        return Err(Problem::new(StatusCode::CONFLICT, what));
    }
    let (inputs, entries) = interview(store, id).await?;
    let count = entries.len();
    let read = move || {
        let material = Material::of(&inputs, &entries);
        Ok(material.zip(Blueprint::load(&inputs.files).ok()))
    };
    let (material, blueprint) = blocking(read).await?.ok_or_else(no_file)?;
    let kept = store.read_projection(id, Projection::Summary).await?;
    let kept = kept.and_then(|text| serde_json::from_str::<Kept>(&text).ok());
    if let Some(Kept { summary, .. }) = kept.filter(|kept| kept.entries == count) {
        return Ok(Made::known(summary));
    }
    let made = planner.summary(&blueprint, &material).await;
    let used = made.used.clone();
    if made.made.by == MadeBy::Model {
        let kept = Kept { entries: count, summary: made.made.clone() };
        // Also when nobody waits for it any more: the lease is given back.
        let _ = tokio::spawn(keep(store.clone(), id, kept, used)).await;
    } else {
        usage::add(store, id, Purpose::Summary, used).await;
    }
    Ok(made)
}

/// A summary that is not kept is written again the next time.
async fn keep(store: Arc<dyn JournalStore>, id: InterviewId, kept: Kept, used: Vec<Used>) {
    let text = serde_json::to_string_pretty(&kept).expect("plain data serializes") + "\n";
    let hold = match Hold::take(&store, id).await {
        Ok(hold) => hold,
        Err(why) => return warn!(%why, "a summary was not kept"),
    };
    let counted = usage::write_part(&hold, Purpose::Summary, used).await;
    if let Err(why) = hold.write_projection(Projection::Summary, text).await.and(counted) {
        error!(%why, "a summary was not kept");
    }
    hold.release();
}

/// What an interview was launched with, and what happened in it: nothing before it begins.
pub(super) async fn interview(
    store: &Arc<dyn JournalStore>,
    id: InterviewId,
) -> Result<(Inputs, Vec<Entry>), Problem> {
    let inputs = store.inputs(id).await?;
    let Some(text) = store.read_journal(id).await? else { return Ok((inputs, Vec::new())) };
    let entries = blocking(move || Ok(journal::parse(&text)?.1)).await?;
    Ok((inputs, entries))
}

fn no_file() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "This interview has no such file.")
}

impl From<PlanProgress> for PlanProgressView {
    fn from(progress: PlanProgress) -> Self {
        let turns =
            (!progress.topics.is_empty()).then_some((progress.turns_total, progress.turns_left));
        Self {
            phase: progress.phase.map(|phase| phase.label().to_owned()),
            documents: progress.documents,
            questions: progress.questions.into_iter().map(QuestionProgressView::from).collect(),
            topics: progress.topics.into_iter().map(TopicProgressView::from).collect(),
            turns_total: turns.map(|(total, _)| total),
            turns_left: turns.map(|(_, left)| left),
            extension: progress.extension,
            consent: progress.consent,
            contact: progress.contact.into_iter().map(ContactView::from).collect(),
        }
    }
}

impl From<QuestionProgress> for QuestionProgressView {
    fn from(QuestionProgress { item, asked_as, answer }: QuestionProgress) -> Self {
        Self {
            id: item.id,
            text: item.text,
            priority: item.priority.into(),
            status: match item.status {
                ItemStatus::Open => QuestionStatus::Open,
                ItemStatus::Asked => QuestionStatus::Asked,
                ItemStatus::AnsweredPartial => QuestionStatus::AnsweredPartial,
                ItemStatus::Answered => QuestionStatus::Answered,
                ItemStatus::Unknown => QuestionStatus::Unknown,
            },
            origin: match item.origin {
                Origin::Plan => QuestionOrigin::Plan,
                Origin::FollowUp => QuestionOrigin::FollowUp,
                Origin::Discovered => QuestionOrigin::Discovered,
            },
            parent: item.parent,
            asked_as,
            answer,
            confidence: item.confidence,
            facts: item.facts,
        }
    }
}

impl From<TopicProgress> for TopicProgressView {
    fn from(topic: TopicProgress) -> Self {
        let covered = topic.covered;
        let goal = |(n, text)| SubGoal { text, covered: n < covered };
        Self {
            sub_goals: topic.sub_goals.into_iter().enumerate().map(goal).collect(),
            key: topic.key,
            title: topic.title,
            turns: topic.turns,
            share: topic.share,
            bonus: topic.bonus,
            score: topic.score,
            insight: topic.insight,
        }
    }
}

impl From<ContactField> for ContactView {
    fn from(ContactField { key, title, settled, .. }: ContactField) -> Self {
        let (value, missing) = match settled {
            Some(Settled::Captured { value, .. }) => (Some(value), None),
            Some(Settled::Unknown) => (None, Some(Missing::Unknown)),
            Some(Settled::Declined) => (None, Some(Missing::Declined)),
            None => (None, None),
        };
        Self { key, title, value, missing }
    }
}
