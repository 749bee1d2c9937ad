use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::Serialize;
use tracing::error;
use utoipa::ToSchema;

use super::Shared;
use super::api::blocking;
use super::candidate::{EndView, InterviewState, StageView, TranscriptView, progress};
use super::problem::Problem;
use crate::blueprint::Blueprint;
use crate::store::{Folder, InterviewId};

/// So many are listed, the newest first.
const LISTED_MAX: usize = 100;

/// An interview as a recruiter sees it in the list.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct InterviewRow {
    /// The interview's id.
    id: String,
    /// The candidate's name.
    name: String,
    /// The role it is about; empty if whoever called the interviewer told none.
    role: String,
    /// The blueprint's name.
    blueprint: String,
    /// Where it stands.
    state: InterviewState,
    /// How it ended, once it has.
    end: Option<EndView>,
    /// When it was launched, in milliseconds since 1970.
    made_at: u64,
    /// When it began, once it has, in milliseconds since 1970.
    started_at: Option<u64>,
    /// Until when its link starts it, in milliseconds since 1970; nothing for one that was launched elsewhere.
    expires_at: Option<u64>,
}

/// An interview as a recruiter reads it.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct InterviewView {
    /// As in the list.
    interview: InterviewRow,
    /// How the interviewer is called.
    interviewer: String,
    /// The stages in order.
    stages: Vec<StageView>,
    /// What was said so far.
    transcript: TranscriptView,
}

/// All interviews there are, those that were launched elsewhere too; the newest first, 100 at most.
#[utoipa::path(get, path = "/api/interviews", operation_id = "listInterviews", responses(
    (status = 200, body = Vec<InterviewRow>),
    (status = "default", body = Problem),
))]
pub(super) async fn list_interviews(
    State(shared): State<Arc<Shared>>,
) -> Result<Json<Vec<InterviewRow>>, Problem> {
    blocking(move || {
        let mut folders: Vec<_> = shared.store.list()?;
        folders.sort_by_cached_key(|folder| std::cmp::Reverse(folder.made_at().unwrap_or(0)));
        folders.truncate(LISTED_MAX);
        let rows = folders.iter().filter_map(|folder| match row(folder) {
            Ok((row, _)) => Some(row),
            Err(why) => {
                let why = why.message;
                error!(interview = %folder.id(), why, "interview is not listed");
                None
            }
        });
        Ok(Json(rows.collect()))
    })
    .await
}

/// One interview with all that was said.
#[utoipa::path(get, path = "/api/interviews/{id}", operation_id = "getInterview", params(("id" = String, Path)), responses(
    (status = 200, body = InterviewView),
    (status = 404, body = Problem, description = "There is no such interview"),
    (status = "default", body = Problem),
))]
pub(super) async fn get_interview(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
) -> Result<Json<InterviewView>, Problem> {
    blocking(move || {
        let unknown = || Problem::new(StatusCode::NOT_FOUND, "There is no such interview.");
        let id: InterviewId = id.parse().map_err(|_| unknown())?;
        let folder = shared.store.find(&id).map_err(|_| unknown())?;
        let (interview, transcript) = row(&folder)?;
        let inputs = folder.inputs()?;
        let blueprint = Blueprint::load(&inputs.files).ok();
        let blueprint = blueprint.map(|blueprint| blueprint.for_candidate(&inputs.context));
        Ok(Json(InterviewView {
            interview,
            interviewer: blueprint.as_ref().map(|b| b.interviewer.clone()).unwrap_or_default(),
            stages: blueprint.iter().flat_map(super::launch::stages).map(StageView::from).collect(),
            transcript,
        }))
    })
    .await
}

fn row(folder: &Folder) -> Result<(InterviewRow, TranscriptView), Problem> {
    let inputs = folder.inputs()?;
    let (state, transcript) = progress(folder)?;
    let started_at = transcript.as_ref().map(|transcript| transcript.started_at);
    let transcript = TranscriptView::new(state, transcript);
    let row = InterviewRow {
        id: folder.id().to_string(),
        name: inputs.context.candidate_name,
        role: inputs.context.role,
        blueprint: inputs.blueprint,
        state,
        end: transcript.end,
        made_at: folder.made_at()?,
        started_at,
        expires_at: folder.launch()?.map(|launch| launch.expires_at),
    };
    Ok((row, transcript))
}
