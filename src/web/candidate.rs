use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use tracing::info;
use utoipa::ToSchema;
use voiceroom::server::{ApiError, Role};

use super::Shared;
use super::link::OpenLink;
use super::opening_form::Integrity;
use super::outcome::{FormField, form_of};
use super::problem::{Body, FieldProblem, Problem};
use super::progress::{InterviewState, StageView, TranscriptView};
use super::watch::watch;
use crate::blueprint::{Accommodations, Blueprint};
use crate::clock::unix_millis;
use crate::store::{Consent, InterviewId, JournalStore, StoreError};

/// Beyond the interview's own length: for joining late and saying goodbye (C04).
const TOKEN_MARGIN: Duration = Duration::from_secs(15 * 60);
/// An empty room is kept this long; an agent that is late, or a candidate who reloads, finds it again.
const EMPTY_ROOM_LIMIT: Duration = Duration::from_secs(180);

/// What the candidate's pages need to know.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CandidateView {
    /// How the candidate is called.
    name: String,
    /// The role it is about.
    role: String,
    /// The blueprint's title.
    title: String,
    /// How the interviewer, an AI, is called.
    interviewer: String,
    /// The stages in order.
    stages: Vec<StageView>,
    /// The longest it can take, in seconds.
    length_limit_s: u64,
    /// Until when the link works, in milliseconds since 1970.
    expires_at: u64,
    /// Where the interview stands.
    state: InterviewState,
    /// Whether an interviewer was called and none was free: the candidate is kept in line.
    in_line: bool,
    /// What they choose, or chose.
    #[serde(flatten)]
    choices: CandidateChoices,
    /// Fields of a form that is filled in on the screen when the interview comes to it.
    form: Vec<FormField>,
    /// What they are told before they agree.
    #[serde(flatten)]
    told: ToldView,
}

/// What candidates are told before they agree.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Told)]
struct ToldView {
    /// The language that it is held in, by its code of ISO 639-1; the pages are in it at first.
    language: String,
    /// Whom they can ask; may be empty.
    contact: String,
    /// The interview's id, where somebody of the house tries it: their way to its report.
    trial: Option<String>,
    /// Whether it is noted that they leave the page's tab, come back, or paste into a typed answer.
    integrity: Integrity,
}

/// What a candidate chooses, or chose.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CandidateChoices {
    /// Whether sound is kept, too.
    recording: RecordingView,
    /// What is made different for them: as they chose last, or as whoever invited them set it.
    accommodations: Accommodations,
}

/// Whether an interview's sound is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Recording)]
pub(super) enum RecordingView {
    /// It is not.
    Off,
    /// It will be if the candidate agrees.
    Asked,
    /// It is: they agreed before it began.
    On,
}

/// The candidate starts.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StartForm {
    /// That they take part in an interview led by an AI. Needed.
    #[serde(default)]
    consent: bool,
    /// Whether their sound may be kept, where that is asked. Left out, what they said before stands; before
    /// that, no.
    #[serde(default)]
    recording: Option<bool>,
    /// What they need to be different. Left out, what they chose before stands, or what whoever invited them
    /// set. It counts from the next beginning; in the room they change it by a button.
    #[serde(default)]
    accommodations: Option<Accommodations>,
}

/// Where and how to join.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Admission {
    /// The LiveKit server's address for browsers.
    url: String,
    /// The token for the room.
    token: String,
}

impl Admission {
    pub(super) fn new(url: String, token: String) -> Self {
        Self { url, token }
    }
}

/// What the candidate's pages show before, during and after.
#[utoipa::path(
    get, path = "/api/candidate/{token}", operation_id = "getCandidate",
    params(("token" = String, Path)),
    responses(
        (status = 200, body = CandidateView),
        (status = 404, body = Problem, description = "The link is not one of ours"),
        (status = 410, body = Problem, description = "The link has expired"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn get_candidate(
    State(shared): State<Arc<Shared>>,
    Path(token): Path<String>,
) -> Result<Json<CandidateView>, Problem> {
    let store = &*shared.store;
    let OpenLink { id, launch, state, .. } = shared.admit(&token).await?.open()?;
    let in_line = state == InterviewState::Waiting && shared.live.watches.is_unanswered(id);
    let inputs = store.inputs(id).await?;
    let blueprint = Blueprint::load(&inputs.files).ok();
    let language = blueprint.as_ref().map(|blueprint| blueprint.language).unwrap_or_default();
    let context = inputs.context;
    // Who practises again on their own page is a candidate, though the interview is in no list.
    let again = inputs.practice.is_some_and(|practice| practice.again.is_some());
    let row = if again { None } else { shared.database.indexed(&id.to_string()).await? };
    let trial = row.filter(|row| row.purpose.is_trial()).map(|row| row.id);
    let chosen = store.consent(id).await?.and_then(|consent| consent.accommodations);
    let terms = shared.form_of(id).await?.terms;
    Ok(Json(CandidateView {
        choices: CandidateChoices {
            recording: RecordingView::new(state, context.recorded),
            accommodations: chosen.unwrap_or(inputs.accommodations),
        },
        name: context.candidate_name,
        role: context.role,
        title: launch.title,
        interviewer: launch.interviewer,
        stages: launch.stages.into_iter().map(StageView::from).collect(),
        length_limit_s: launch.length_limit_s,
        expires_at: launch.expires_at,
        state,
        in_line,
        form: blueprint.as_ref().map(form_of).unwrap_or_default(),
        told: ToldView {
            language: language.code().to_owned(),
            contact: terms.contact,
            trial,
            integrity: terms.integrity,
        },
    }))
}

/// Starts, or comes back to a running interview. A second candidate with the same link takes the first
/// one's place: both get the same identity.
#[utoipa::path(
    post, path = "/api/candidate/{token}/start", operation_id = "startInterview",
    request_body = StartForm, params(("token" = String, Path)),
    responses(
        (status = 200, body = Admission),
        (status = 409, body = Problem, description = "The interview is over"),
        (status = 410, body = Problem, description = "The link has expired"),
        (status = 422, body = Problem, description = "Without consent nothing starts"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn start_interview(
    State(shared): State<Arc<Shared>>,
    Path(token): Path<String>,
    Body(form): Body<StartForm>,
) -> Result<Json<Admission>, Problem> {
    if !form.consent {
        let message = "To start, agree to take part.".to_owned();
        return Err(Problem::of_fields(vec![FieldProblem {
            field: "consent".to_owned(),
            message,
        }]));
    }
    let _one_at_a_time = shared.live.starting.lock().await;
    let store = &*shared.store;
    let OpenLink { id, launch, state, .. } = shared.admit(&token).await?.open()?;
    startable(state)?;
    agree(store, id, state, &form).await?;
    let is_called = shared.live.watches.is_watched(id);
    if state == InterviewState::Stopped && !is_called {
        shared.dismiss_old_calls(id).await?;
    }
    if state == InterviewState::Waiting || state == InterviewState::Stopped && !is_called {
        call_interviewer(&shared, id).await?;
        watch(&shared, id);
        shared.reindex(id).await?;
        info!(interview = %id, "interviewer called");
    }
    let lifetime = Duration::from_secs(launch.length_limit_s) + TOKEN_MARGIN;
    let (room, identity) = (id.room(), id.candidate());
    let keys = shared.livekit.keys();
    let token = keys.room_token_for(&room, &identity, Role::Candidate, lifetime);
    let token = token.map_err(ApiError::from)?;
    Ok(Json(Admission { url: shared.livekit_public_url.clone(), token }))
}

/// What was said, from the journal: it survives every restart.
#[utoipa::path(
    get, path = "/api/candidate/{token}/transcript", operation_id = "getTranscript",
    params(("token" = String, Path)),
    responses(
        (status = 200, body = TranscriptView),
        (status = 404, body = Problem, description = "The link is not one of ours"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn get_transcript(
    State(shared): State<Arc<Shared>>,
    Path(token): Path<String>,
) -> Result<Json<TranscriptView>, Problem> {
    let OpenLink { state, transcript, .. } = shared.admit(&token).await?.open()?;
    Ok(Json(TranscriptView::new(state, transcript)))
}

/// Keeps what the candidate agrees to, and what they need to be different. They may change their mind about
/// the recording until it has begun.
async fn agree(
    store: &dyn JournalStore,
    id: InterviewId,
    state: InterviewState,
    form: &StartForm,
) -> Result<(), StoreError> {
    let before = store.consent(id).await?;
    let now = Consent { v: 1, take_part_at: unix_millis(), recording: false, accommodations: None };
    let said = before.clone().unwrap_or(now.clone());
    let is_open = state == InterviewState::Waiting;
    let recording = form.recording.filter(|_| is_open).unwrap_or(said.recording);
    let accommodations = form.accommodations.or(said.accommodations);
    let is_new = before.is_none() || is_open && recording != said.recording;
    let take_part_at = if is_new { now.take_part_at } else { said.take_part_at };
    let agreed = Consent { v: 1, take_part_at, recording, accommodations };
    if before.as_ref() != Some(&agreed) {
        store.agree(id, &agreed).await?;
    }
    Ok(())
}

/// Once, however often it is asked; the room is kept for a candidate who is slow to join.
async fn call_interviewer(shared: &Shared, interview: InterviewId) -> Result<(), ApiError> {
    let room = interview.room();
    shared.livekit.create_room(&room, EMPTY_ROOM_LIMIT).await?;
    shared.livekit.call_agent(&room, &shared.agent_name, &interview.metadata()).await
}

fn startable(state: InterviewState) -> Result<(), Problem> {
    match state {
        InterviewState::Waiting | InterviewState::InProgress | InterviewState::Stopped => Ok(()),
        InterviewState::Completed => Err(Problem::new(
            StatusCode::CONFLICT,
            "This interview is over. What was said is on its page.",
        )),
        InterviewState::Interrupted => Err(Problem::new(
            StatusCode::CONFLICT,
            "This interview stopped because of a fault on our side. What you said is saved. Ask for \
                a new link to go on.",
        )),
    }
}

impl RecordingView {
    fn new(state: InterviewState, recorded: bool) -> Self {
        match (recorded, state) {
            (false, _) => Self::Off,
            (true, InterviewState::Waiting) => Self::Asked,
            (true, _) => Self::On,
        }
    }
}

impl Shared {
    /// Takes back the calls of an interviewer who was stopped: a new one would not be called beside them.
    async fn dismiss_old_calls(&self, interview: InterviewId) -> Result<(), ApiError> {
        let room = interview.room();
        let dispatches = match self.livekit.dispatches(&room).await {
            // The server was started anew and has no such room.
            Err(ApiError::NotFound(_)) => return Ok(()),
            dispatches => dispatches?,
        };
        for old in dispatches.iter().filter(|dispatch| dispatch.agent == self.agent_name) {
            match self.livekit.delete_dispatch(&room, &old.id).await {
                Ok(()) | Err(ApiError::NotFound(_)) => {}
                Err(why) => return Err(why),
            }
        }
        Ok(())
    }
}
