use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use tokio::sync::Mutex;
use tower_http::services::ServeFile;
use tracing::error;
use utoipa::ToSchema;

use super::Shared;
use super::blocking::blocking;
use super::outcome::{self, PlanProgressView, plan_of};
use super::problem::Problem;
use super::progress::{EndView, InterviewState, StageView, TranscriptView, progress};
use crate::blueprint::Blueprint;
use crate::store::{InterviewId, JournalStamp, JournalStore, Listed};

/// So many are listed, the newest first.
const LISTED_MAX: usize = 100;

/// The rows of interviews that are over, as they were listed last: each open page asks for them every few
/// seconds, and a journal takes long to read.
#[derive(Default)]
pub(super) struct Rows(Mutex<BTreeMap<InterviewId, (JournalStamp, InterviewRow)>>);

/// An interview as a recruiter sees it in the list.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct InterviewRow {
    /// The interview's id.
    id: String,
    /// The candidate's name.
    name: String,
    /// The role it is about; empty if whoever called the interviewer told none.
    role: String,
    /// The blueprint's name.
    blueprint: String,
    /// Its title; its name where its files are none any more that we read.
    title: String,
    /// Where it stands.
    state: InterviewState,
    /// How it ended, once it has.
    end: Option<EndView>,
    /// When it was launched, in milliseconds since 1970.
    made_at: u64,
    /// When it began, once it has, in milliseconds since 1970.
    started_at: Option<u64>,
    /// Until when its link starts it, in milliseconds since 1970; nothing for one that was launched
    /// elsewhere.
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
    /// Whether there is a recording of it.
    has_recording: bool,
    /// Its plan and how far it is, where it has one.
    plan: Option<PlanProgressView>,
    /// The names of files that can be downloaded.
    files: Vec<String>,
}

/// All interviews there are, those that were launched elsewhere too; the newest first, 100 at most.
#[utoipa::path(get, path = "/api/interviews", operation_id = "listInterviews", responses(
    (status = 200, body = Vec<InterviewRow>),
    (status = "default", body = Problem),
))]
pub(super) async fn list_interviews(
    State(shared): State<Arc<Shared>>,
) -> Result<Json<Vec<InterviewRow>>, Problem> {
    let listed = shared.store.list(LISTED_MAX).await?;
    Ok(Json(shared.rows.of(&*shared.store, &listed).await))
}

/// One interview with all that was said.
#[utoipa::path(
    get, path = "/api/interviews/{id}", operation_id = "getInterview",
    params(("id" = String, Path)),
    responses(
        (status = 200, body = InterviewView),
        (status = 404, body = Problem, description = "There is no such interview"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn get_interview(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
) -> Result<Json<InterviewView>, Problem> {
    let found = shared.find(&id).await?;
    let (interview, transcript, blueprint) = row(&*shared.store, &found).await?;
    let (inputs, entries) = outcome::interview(&shared.store, found.id).await?;
    let is_over = interview.state.is_over();
    let (plan, files) = blocking(move || Ok(plan_of(&inputs, &entries, is_over))).await?;
    Ok(Json(InterviewView {
        plan,
        files,
        interview,
        interviewer: blueprint.as_ref().map(|b| b.interviewer.clone()).unwrap_or_default(),
        stages: blueprint.iter().flat_map(super::launch::stages).map(StageView::from).collect(),
        transcript,
        has_recording: is_there(&shared.recordings.path(found.id)).await,
    }))
}

/// The sound of both sides, the candidate on the left, as far as it is written; parts of it on request.
#[utoipa::path(
    get, path = "/api/interviews/{id}/recording", operation_id = "getRecording",
    params(("id" = String, Path)),
    responses(
        (status = 200, content_type = "audio/ogg", description = "Opus in Ogg"),
        (status = 206, content_type = "audio/ogg", description = "The part that was asked for"),
        (status = 404, body = Problem, description = "There is no such interview, or it was not recorded"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn get_recording(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let path = shared.recordings.path(shared.find(&id).await?.id);
    if !is_there(&path).await {
        return Err(Problem::new(StatusCode::NOT_FOUND, "This interview was not recorded."));
    }
    match ServeFile::new(path).try_call(request).await {
        Ok(response) => Ok(response.map(Body::new)),
        Err(why) => {
            error!(%why, "a recording could not be read");
            let message = "The recording could not be read. The server's log says more.";
            Err(Problem::new(StatusCode::INTERNAL_SERVER_ERROR, message))
        }
    }
}

impl Rows {
    /// What is not asked for is forgotten.
    async fn of(&self, store: &dyn JournalStore, listed: &[Listed]) -> Vec<InterviewRow> {
        // Whoever else asks meanwhile waits, and finds them read.
        let mut kept = self.0.lock().await;
        let mut before = std::mem::take(&mut *kept);
        let mut rows = Vec::new();
        for one in listed {
            let known = before.remove(&one.id).filter(|(of, _)| Some(*of) == one.journal);
            let row = match known {
                Some((_, row)) => Ok(row),
                None => row(store, one).await.map(|(row, ..)| row),
            };
            let row = match row {
                Ok(row) => row,
                Err(why) => {
                    let why = why.message;
                    error!(interview = %one.id, why, "interview is not listed");
                    continue;
                }
            };
            if let Some(stamp) = one.journal
                && row.state == InterviewState::Completed
            {
                kept.insert(one.id, (stamp, row.clone()));
            }
            rows.push(row);
        }
        rows
    }
}

async fn is_there(path: &std::path::Path) -> bool {
    tokio::fs::try_exists(path).await.unwrap_or(false)
}

async fn row(
    store: &dyn JournalStore,
    listed: &Listed,
) -> Result<(InterviewRow, TranscriptView, Option<Blueprint>), Problem> {
    let Listed { id, made_at, .. } = *listed;
    let inputs = store.inputs(id).await?;
    let read = move || {
        let blueprint = Blueprint::load(&inputs.files).ok();
        Ok((blueprint.map(|blueprint| blueprint.for_candidate(&inputs.context)), inputs))
    };
    let (blueprint, inputs) = blocking(read).await?;
    let (state, transcript) = progress(store, id).await?;
    let started_at = transcript.as_ref().map(|transcript| transcript.started_at);
    let name_in_room = transcript.as_ref().and_then(|transcript| transcript.candidate.clone());
    let transcript = TranscriptView::new(state, transcript);
    let row = InterviewRow {
        id: id.to_string(),
        name: match inputs.context.is_nameless() {
            true => name_in_room.unwrap_or_default(),
            false => inputs.context.candidate_name,
        },
        role: inputs.context.role,
        title: blueprint.as_ref().map_or(&inputs.blueprint, |known| &known.title).clone(),
        blueprint: inputs.blueprint,
        state,
        end: transcript.end,
        made_at,
        started_at,
        expires_at: store.launch(id).await?.map(|launch| launch.expires_at),
    };
    Ok((row, transcript, blueprint))
}
