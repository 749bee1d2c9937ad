use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::response::sse::{self, KeepAlive, Sse};
use futures_util::{Stream, StreamExt};
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast::error::RecvError;
use tower_http::services::ServeFile;
use tracing::error;
use utoipa::{IntoParams, ToSchema};

use super::Shared;
use super::blocking::blocking;
use super::outcome::{self, PlanProgressView, plan_of};
use super::problem::{Asked, Problem};
use super::progress::{StageView, TranscriptView, progress};
use super::row::{InterviewRow, StateView};
use super::who::Who;
use crate::blueprint::{Blueprint, Manner};
use crate::database::{self, Act, Needs, Sort};

/// A listener is asked who they are again after so long; browsers do that by themselves.
const LISTENS_FOR: Duration = Duration::from_secs(300);
/// So many interviews that nobody has come to are looked at before a list is shown; while a page is open, the
/// rest is looked at beside it.
const LOOKED_AT: usize = 20;
/// Proxies close a connection over which nothing comes.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// So many rows of a list come at once, at most.
const ROWS_MAX: i64 = 200;
const ROWS_USUAL: i64 = 100;

/// A part of the list.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct InterviewPage {
    /// The rows.
    rows: Vec<InterviewRow>,
    /// How many there are in all that fit the search.
    total: i64,
    /// How many in each state, whatever state was asked for; with `needs`, of those alone.
    counts: BTreeMap<String, i64>,
    /// What to send as `after` for the next part; nothing at the end.
    next: Option<String>,
}

/// Which interviews are listed.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub(super) struct ListQuery {
    /// In this state alone.
    #[param(inline)]
    state: Option<StateView>,
    /// Those alone that need somebody now.
    #[param(inline)]
    needs: Option<NeedsView>,
    /// Of this opening alone.
    opening: Option<String>,
    /// With these words in name, address, role or title.
    search: Option<String>,
    /// In which order; the newest first, if left out.
    #[param(inline)]
    sort: Option<SortView>,
    /// The other way round.
    descending: Option<bool>,
    /// So many at most; 100 if left out, 200 are the most.
    max: Option<i64>,
    /// The `next` of the part before.
    after: Option<String>,
}

/// Why an interview needs somebody now: `company`, its candidate waits, speaks or has paused; `decision`, it
/// is completed and no person has decided about it.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Needs)]
pub(super) enum NeedsView {
    /// Its candidate waits, speaks or has paused.
    Company,
    /// It is completed and no person has decided about it.
    Decision,
}

/// In which order interviews are listed.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Sort)]
pub(super) enum SortView {
    /// By when they were made.
    MadeAt,
    /// By the candidate's name.
    Name,
    /// By where they stand.
    State,
    /// By when something changed.
    UpdatedAt,
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
    /// How the candidate behaves, if they are simulated.
    manner: Option<Manner>,
}

/// The interviews there are, those that were launched elsewhere too; previews are left out.
#[utoipa::path(get, path = "/api/interviews", operation_id = "listInterviews", params(ListQuery), responses(
    (status = 200, body = InterviewPage),
    (status = "default", body = Problem),
))]
pub(super) async fn list_interviews(
    State(shared): State<Arc<Shared>>,
    Asked(asked): Asked<ListQuery>,
) -> Result<Json<InterviewPage>, Problem> {
    shared.refresh(LOOKED_AT).await?;
    let query = asked.query()?;
    let (rows, counts) =
        tokio::try_join!(shared.database.list(&query), shared.database.counts(&query))?;
    let total = match query.state {
        Some(state) => counts.get(state.name()).copied().unwrap_or(0),
        None => counts.values().sum(),
    };
    let read = query.skip + rows.len() as i64;
    Ok(Json(InterviewPage {
        rows: rows.into_iter().map(InterviewRow::from).collect(),
        total,
        counts,
        next: (read < total).then(|| read.to_string()),
    }))
}

/// Tells of each row of the list that changes, as server-sent events named `interview`. An event
/// `reload` says that some were lost, and the list has to be asked for again.
#[utoipa::path(get, path = "/api/events", operation_id = "listenToInterviews", responses(
    (status = 200, content_type = "text/event-stream", body = InterviewRow),
    (status = "default", body = Problem),
))]
pub(super) async fn listen_to_interviews(
    State(shared): State<Arc<Shared>>,
    who: Who,
) -> Result<Sse<impl Stream<Item = Result<sse::Event, axum::Error>>>, Problem> {
    let place = shared.live.streams.open(&who)?;
    let changes = (shared.live.index.changes(), place);
    let changes = futures_util::stream::unfold(changes, async |(mut changes, place)| {
        let event = match changes.recv().await {
            Ok(row) => sse::Event::default().event("interview").json_data(&*row),
            Err(RecvError::Lagged(_)) => Ok(sse::Event::default().event("reload").data("")),
            Err(RecvError::Closed) => return None,
        };
        Some((event, (changes, place)))
    });
    // Whoever listens asks again from time to time, so that who may not any more is found out.
    let changes = changes.take_until(tokio::time::sleep(LISTENS_FOR));
    Ok(Sse::new(changes).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)))
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
    who: Who,
    Path(id): Path<String>,
) -> Result<Json<InterviewView>, Problem> {
    let found = shared.find(&id).await?;
    shared.audit_reading(&who, Act::ReadInterview, &id, "").await?;
    shared.reindex(found.id).await?;
    let row = shared.database.indexed(&id).await?.ok_or_else(super::no_interview)?;
    let (state, transcript) = progress(&*shared.store, found.id).await?;
    let (inputs, entries) = outcome::interview(&shared.store, found.id).await?;
    let manner = inputs.simulated;
    let (blueprint, (plan, files)) = blocking(move || {
        let blueprint = Blueprint::load(&inputs.files).ok();
        let blueprint = blueprint.map(|blueprint| blueprint.for_candidate(&inputs.context));
        Ok((blueprint, plan_of(&inputs, &entries, state.is_over())))
    })
    .await?;
    Ok(Json(InterviewView {
        plan,
        files,
        manner,
        interview: row.into(),
        interviewer: blueprint.as_ref().map(|b| b.interviewer.clone()).unwrap_or_default(),
        stages: blueprint.iter().flat_map(super::launch::stages).map(StageView::from).collect(),
        transcript: TranscriptView::new(state, transcript),
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
    who: Who,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let path = shared.recordings.path(shared.find(&id).await?.id);
    if !is_there(&path).await {
        return Err(Problem::new(StatusCode::NOT_FOUND, "This interview was not recorded."));
    }
    // A player asks for it in many parts.
    shared.audit_reading(&who, Act::HeardRecording, &id, "").await?;
    match ServeFile::new(path).try_call(request).await {
        Ok(response) => Ok(response.map(Body::new)),
        Err(why) => {
            error!(%why, "a recording could not be read");
            let message = "The recording could not be read. The server's log says more.";
            Err(Problem::new(StatusCode::INTERNAL_SERVER_ERROR, message))
        }
    }
}

impl ListQuery {
    fn query(self) -> Result<database::Query, Problem> {
        let skip = match self.after.as_deref() {
            None | Some("") => 0,
            Some(after) => after.parse().ok().filter(|skip| *skip >= 0).ok_or_else(|| {
                Problem::new(
                    StatusCode::BAD_REQUEST,
                    "`after` is not the `next` of a part of the list.",
                )
            })?,
        };
        Ok(database::Query {
            state: self.state.map(database::State::from),
            needs: self.needs.map(Needs::from),
            opening: self.opening.filter(|opening| !opening.is_empty()),
            search: self.search.unwrap_or_default(),
            descending: self.descending.unwrap_or(self.sort.is_none()),
            sort: self.sort.map_or(Sort::MadeAt, Sort::from),
            max: self.max.unwrap_or(ROWS_USUAL).clamp(1, ROWS_MAX),
            skip,
        })
    }
}

impl From<NeedsView> for Needs {
    fn from(needs: NeedsView) -> Self {
        match needs {
            NeedsView::Company => Self::Company,
            NeedsView::Decision => Self::Decision,
        }
    }
}

impl From<SortView> for Sort {
    fn from(sort: SortView) -> Self {
        match sort {
            SortView::MadeAt => Self::MadeAt,
            SortView::Name => Self::Name,
            SortView::State => Self::State,
            SortView::UpdatedAt => Self::UpdatedAt,
        }
    }
}

async fn is_there(path: &std::path::Path) -> bool {
    tokio::fs::try_exists(path).await.unwrap_or(false)
}
