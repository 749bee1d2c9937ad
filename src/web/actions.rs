//! What a recruiter does about an interview: end it, listen in, send a new link, take it back, decide,
//! remove it.

use std::{sync::Arc, time::Duration};

use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use serde::{Deserialize, Serialize};
use tracing::{error, info};
use utoipa::ToSchema;
use voiceroom::server::{ApiError, Orders, Role, To};

use super::{
    Shared,
    candidate::Admission,
    launch::{line, text},
    problem::{Body, FieldProblem, Problem},
    receipts::ReceiptView,
    row::{InterviewRow, StateView},
    subjects::{refused, subject_of_order},
    webhooks,
    who::Who,
};
use crate::{
    clock::unix_millis,
    database::{self, Act, NewDecision, new_id},
    store::{InterviewId, Launch, LinkToken, StoreError},
};

const CONTROL_TOPIC: &str = "vivavoce.control";
/// A recruiter who listens may come back to it within this time.
const LISTEN_LIMIT: Duration = Duration::from_secs(3 * 3600);
const SUGGESTION_MAX_CHARS: usize = 300;
const REASON_MAX_CHARS: usize = 2_000;
/// What is removed of an interview, for its receipt.
const REMOVED: &str =
    "sound, transcript, journal, inputs with the résumé, consent, report, notes, decisions";

/// A new link to an interview.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct NewLink {
    /// Relative to this server's address. It is shown this once; the one before works no more.
    link: String,
    /// Until when it works, in milliseconds since 1970.
    expires_at: u64,
}

/// What a recruiter decides about a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Verdict {
    /// They go on.
    Advance,
    /// It is decided later.
    Hold,
    /// They do not.
    Reject,
}

/// A decision that is made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DecisionForm {
    verdict: Verdict,
    /// Why. A rejection needs a reason.
    #[serde(default)]
    reason: String,
}

/// The decision about a candidate.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Decision)]
pub(super) struct DecisionView {
    /// The one that counts; nothing before somebody has decided.
    current: Option<DecisionEntry>,
    /// All of them, the newest first; none is ever changed.
    history: Vec<DecisionEntry>,
}

/// A decision that somebody made.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct DecisionEntry {
    verdict: Verdict,
    reason: String,
    /// Who decided.
    by: String,
    /// In milliseconds since 1970.
    at: i64,
}

/// A note that is written.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NoteForm {
    text: String,
}

/// A note of a recruiter.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Note)]
pub(super) struct NoteView {
    text: String,
    /// Who wrote it.
    by: String,
    /// In milliseconds since 1970.
    at: i64,
}

/// Ends an interview that goes on: the interviewer says nothing more.
#[utoipa::path(
    post, path = "/api/interviews/{id}/end", operation_id = "endInterview", params(("id" = String, Path)),
    responses(
        (status = 204),
        (status = 404, body = Problem, description = "There is no such interview"),
        (status = 409, body = Problem, description = "It does not go on"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn end_interview(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    let found = shared.find_live(&id).await?;
    if shared.is_simulated(found).await? {
        shared.end_simulated(found)?;
        shared.audit(&who, Act::EndedInterview, &id, "").await?;
        return Ok(StatusCode::NO_CONTENT);
    }
    shared.order(found, serde_json::json!({ "id": new_id(), "request": "end" })).await?;
    shared.audit(&who, Act::EndedInterview, &id, "").await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Suggests to the interviewer what to ask next, such as "ask about Kafka". A model takes it up in its
/// own words; the scripted interviewer cannot.
#[utoipa::path(
    post, path = "/api/interviews/{id}/suggestion", operation_id = "suggest", params(("id" = String, Path)),
    request_body = NoteForm,
    responses(
        (status = 204),
        (status = 404, body = Problem, description = "There is no such interview"),
        (status = 409, body = Problem, description = "It does not go on, or no model leads it"),
        (status = 422, body = Problem, description = "Fields have to be mended"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn suggest(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Path(id): Path<String>,
    Body(form): Body<NoteForm>,
) -> Result<StatusCode, Problem> {
    let found = shared.find_live(&id).await?;
    shared.needs_person(found).await?;
    if !shared.site.real.model {
        let message = "No model is set, and the scripted interviewer asks its own questions only. Set one \
                       (docs/providers.md), then it takes suggestions up.";
        return Err(Problem::new(StatusCode::CONFLICT, message));
    }
    let mut problems = Vec::new();
    let words = line(&mut problems, "text", "what to ask about", &form.text, SUGGESTION_MAX_CHARS);
    if let Some(subject) = subject_of_order(&words) {
        let message = refused(subject);
        problems.push(FieldProblem { field: "text".to_owned(), message });
    }
    if !problems.is_empty() {
        return Err(Problem::of_fields(problems));
    }
    let order = serde_json::json!({ "id": new_id(), "request": "suggest", "text": words });
    shared.order(found, order).await?;
    shared.audit(&who, Act::SuggestedQuestion, &id, "").await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Lets a recruiter listen: the candidate neither sees nor hears them, and was told that people may listen.
#[utoipa::path(
    post, path = "/api/interviews/{id}/listen", operation_id = "listenToInterview",
    params(("id" = String, Path)),
    responses(
        (status = 200, body = Admission),
        (status = 404, body = Problem, description = "There is no such interview"),
        (status = 409, body = Problem, description = "It does not go on"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn listen_to_interview(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Path(id): Path<String>,
) -> Result<Json<Admission>, Problem> {
    let found = shared.find_live(&id).await?;
    shared.needs_person(found).await?;
    // A name of its own each time: two recruiters do not put one another out.
    let identity = format!("listener-{}", new_id());
    let token = shared.livekit.keys().room_token_for(
        &found.room(),
        &identity,
        Role::Observer,
        LISTEN_LIMIT,
    );
    let token = token.map_err(ApiError::from)?;
    shared.audit(&who, Act::ListenedIn, &id, "").await?;
    Ok(Json(Admission::new(shared.livekit_public_url.clone(), token)))
}

/// Makes a new link for a candidate who has not begun; the one before works no more.
#[utoipa::path(
    post, path = "/api/interviews/{id}/link", operation_id = "renewLink", params(("id" = String, Path)),
    responses(
        (status = 200, body = NewLink),
        (status = 404, body = Problem, description = "There is no such interview"),
        (status = 409, body = Problem, description = "It has begun, or was not launched here"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn renew_link(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Path(id): Path<String>,
) -> Result<Json<NewLink>, Problem> {
    let (found, launch) = shared.find_launch(&id).await?;
    if shared.state_of(&id).await?.is_some_and(StateView::is_over) {
        let message = "This interview is over. Invite the candidate again for another one.";
        return Err(Problem::new(StatusCode::CONFLICT, message));
    }
    let _one_after_another = shared.live.links.lock().await;
    let launch = shared.store.launch(found).await?.unwrap_or(launch);
    shared.database.keep_old_links(&id, &hashes(&launch)).await?;
    let token = LinkToken::random(found);
    let now = unix_millis();
    // As long as the first one was.
    let lifetime = launch.expires_at.saturating_sub(launch.launched_at);
    let expires_at = now.saturating_add(lifetime);
    let launch = Launch {
        token_hash: token.hash(),
        launched_at: now,
        expires_at,
        cancelled: false,
        mailed: Vec::new(),
        ..launch
    };
    shared.store.relaunch(found, &launch).await?;
    shared.reindex(found).await?;
    shared.audit(&who, Act::MadeLink, &id, "").await?;
    Ok(Json(NewLink { link: format!("/i/{}", token.reveal()), expires_at }))
}

/// Takes an invitation back: its link starts nothing any more.
#[utoipa::path(
    post, path = "/api/interviews/{id}/cancel", operation_id = "cancelInterview",
    params(("id" = String, Path)),
    responses(
        (status = 204),
        (status = 404, body = Problem, description = "There is no such interview"),
        (status = 409, body = Problem, description = "It has begun, or was not launched here"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn cancel_interview(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    let (found, launch) = shared.find_launch(&id).await?;
    match shared.state_of(&id).await? {
        Some(StateView::Invited | StateView::Expired | StateView::Cancelled) | None => {}
        Some(_) => {
            let message = "This interview has begun. End it instead.";
            return Err(Problem::new(StatusCode::CONFLICT, message));
        }
    }
    {
        let _one_after_another = shared.live.links.lock().await;
        let launch = shared.store.launch(found).await?.unwrap_or(launch);
        shared.store.relaunch(found, &Launch { cancelled: true, ..launch }).await?;
    }
    shared.reindex(found).await?;
    shared.database.drop_waiting_mails(&id).await?;
    shared.withdraw(&id).await?;
    shared.audit(&who, Act::TookInvitationBack, &id, "").await?;
    Ok(StatusCode::NO_CONTENT)
}

/// What was decided about a candidate.
#[utoipa::path(
    get, path = "/api/interviews/{id}/decision", operation_id = "getDecision", params(("id" = String, Path)),
    responses(
        (status = 200, body = DecisionView),
        (status = 404, body = Problem, description = "There is no such interview"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn get_decision(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
) -> Result<Json<DecisionView>, Problem> {
    shared.find(&id).await?;
    shared.decision(&id).await.map(Json)
}

/// Decides. The decisions before stay; a report changes none.
#[utoipa::path(
    put, path = "/api/interviews/{id}/decision", operation_id = "decide", params(("id" = String, Path)),
    request_body = DecisionForm,
    responses(
        (status = 200, body = DecisionView),
        (status = 404, body = Problem, description = "There is no such interview"),
        (status = 409, body = Problem, description = "Nobody is rejected before the interview was held"),
        (status = 422, body = Problem, description = "A rejection needs a reason"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn decide(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Path(id): Path<String>,
    Body(form): Body<DecisionForm>,
) -> Result<Json<DecisionView>, Problem> {
    let found = shared.find(&id).await?;
    if !matches!(who, Who::Account(_)) {
        let message = "A program may not decide about people. Sign in as a person.";
        return Err(Problem::new(StatusCode::FORBIDDEN, message));
    }
    shared.needs_person(found.id).await?;
    shared.reindex(found.id).await?;
    let row = shared.database.indexed(&id).await?.ok_or_else(super::no_interview)?;
    if row.purpose.is_trial() {
        let message =
            "Somebody of the house tries this interview: there is nobody to decide about.";
        return Err(Problem::new(StatusCode::CONFLICT, message));
    }
    let mut problems = Vec::new();
    let reason = text(&mut problems, "reason", "The reason", &form.reason, REASON_MAX_CHARS);
    if form.verdict == Verdict::Reject && reason.is_empty() {
        let message = "Say why: nobody is rejected without a person's reason.".to_owned();
        problems.push(FieldProblem { field: "reason".to_owned(), message });
    }
    if !problems.is_empty() {
        return Err(Problem::of_fields(problems));
    }
    shared.reindex(found.id).await?;
    if form.verdict == Verdict::Reject && !shared.was_held(&id).await? {
        let message = "Nobody is rejected before the interview was held. Wait until it is over, or take the \
                       invitation back.";
        return Err(Problem::new(StatusCode::CONFLICT, message));
    }
    let decision = NewDecision {
        interview: &id,
        verdict: form.verdict.name(),
        reason: &reason,
        decided_by: who.name(),
    };
    let told = webhooks::of_decision(&shared.site.outside, &row, form.verdict.name());
    let database = shared.by(&who, Act::Decided, &id, form.verdict.name());
    database.decide(decision, &told).await?;
    shared.tell_of(&id).await?;
    shared.decision(&id).await.map(Json)
}

/// The recruiters' notes on an interview, the oldest first.
#[utoipa::path(
    get, path = "/api/interviews/{id}/notes", operation_id = "listNotes", params(("id" = String, Path)),
    responses(
        (status = 200, body = Vec<NoteView>),
        (status = 404, body = Problem, description = "There is no such interview"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn list_notes(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
) -> Result<Json<Vec<NoteView>>, Problem> {
    shared.find(&id).await?;
    shared.notes(&id).await.map(Json)
}

/// Adds a note on an interview. The candidate does not see it.
#[utoipa::path(
    post, path = "/api/interviews/{id}/notes", operation_id = "addNote", params(("id" = String, Path)),
    request_body = NoteForm,
    responses(
        (status = 201, body = Vec<NoteView>),
        (status = 404, body = Problem, description = "There is no such interview"),
        (status = 422, body = Problem, description = "Fields have to be mended"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn add_note(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Path(id): Path<String>,
    Body(form): Body<NoteForm>,
) -> Result<(StatusCode, Json<Vec<NoteView>>), Problem> {
    let found = shared.find(&id).await?;
    let mut problems = Vec::new();
    let note = text(&mut problems, "text", "The note", &form.text, REASON_MAX_CHARS);
    if note.is_empty() {
        problems
            .push(FieldProblem { field: "text".to_owned(), message: "Type the note.".to_owned() });
    }
    if !problems.is_empty() {
        return Err(Problem::of_fields(problems));
    }
    shared.reindex(found.id).await?;
    shared.by(&who, Act::WroteNote, &id, "").add_note(&id, &note, who.name()).await?;
    Ok((StatusCode::CREATED, Json(shared.notes(&id).await?)))
}

/// Removes an interview with everything that is kept of it. A receipt without personal data stays.
#[utoipa::path(
    delete, path = "/api/interviews/{id}", operation_id = "removeInterview", params(("id" = String, Path)),
    responses(
        (status = 200, body = ReceiptView),
        (status = 404, body = Problem, description = "There is no such interview"),
        (status = 409, body = Problem, description = "It goes on"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn remove_interview(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Path(id): Path<String>,
) -> Result<Json<ReceiptView>, Problem> {
    let found = shared.find(&id).await?;
    if shared.state_of(&id).await?.is_some_and(StateView::is_live) {
        return Err(Problem::new(StatusCode::CONFLICT, "This interview goes on. End it first."));
    }
    let made_at = i64::try_from(found.made_at).unwrap_or(i64::MAX);
    let database = shared.by(&who, Act::RemovedInterview, &id, "");
    database.ask_deletion(&id, made_at, who.name(), REMOVED).await?;
    shared.finish_deletion(found.id).await?;
    let receipt = shared.database.receipt(&id).await?.ok_or_else(super::no_interview)?;
    Ok(Json(receipt.into()))
}

impl Shared {
    /// Removes what is left of an interview whose deletion was asked for; safe to be done again after a
    /// crash.
    pub(super) async fn finish_deletion(&self, id: InterviewId) -> Result<(), Problem> {
        self.keep_of_deleted(id).await?;
        match self.store.remove(id).await {
            Ok(()) | Err(StoreError::NotFound { .. }) => {}
            Err(why) => return Err(why.into()),
        }
        let id = id.to_string();
        self.database.unindex(&id).await?;
        self.database.deletion_done(&id).await?;
        info!(interview = id, "interview removed");
        Ok(())
    }

    /// Keeps the hashes of an interview's links before it is gone: whoever has one is told what became of it.
    async fn keep_of_deleted(&self, id: InterviewId) -> Result<(), Problem> {
        let launch = match self.store.launch(id).await {
            Err(StoreError::NotFound { .. }) => None,
            launch => launch?,
        };
        if let Some(launch) = launch {
            self.database.keep_old_links(&id.to_string(), &hashes(&launch)).await?;
        }
        Ok(())
    }

    /// Goes on with deletions that a crash has cut off.
    pub(super) async fn finish_deletions(&self) -> Result<(), Problem> {
        for id in self.database.deletions_to_do().await? {
            let Ok(id) = id.parse() else { continue };
            if let Err(why) = self.finish_deletion(id).await {
                error!(interview = %id, why = why.message, "interview was not removed");
            }
        }
        Ok(())
    }

    /// Sends an order to the interviewer in the room, signed, and to nobody else: what staff want is none of
    /// the candidate's business.
    async fn order(&self, id: InterviewId, order: serde_json::Value) -> Result<(), Problem> {
        let room = id.room();
        let occupants = self.livekit.occupants(&room).await?;
        let agents: Vec<_> = occupants.iter().filter(|occupant| occupant.is_agent).collect();
        if agents.is_empty() {
            let message = "The interviewer is not in the room. Try again in a moment.";
            return Err(Problem::new(StatusCode::CONFLICT, message));
        }
        let signed = Orders::new(self.livekit.keys(), &room).sign(&order.to_string());
        let signed = signed.map_err(ApiError::from)?;
        // While one takes the place of another there are two, of which one may be gone already.
        for agent in agents {
            let to = To::Agent(&agent.identity);
            self.livekit.send_data(&room, CONTROL_TOPIC, signed.clone(), to).await?;
        }
        Ok(())
    }

    /// An interview that goes on.
    async fn find_live(&self, id: &str) -> Result<InterviewId, Problem> {
        let found = self.find(id).await?.id;
        self.reindex(found).await?;
        match self.state_of(id).await? {
            Some(state) if state.is_live() => Ok(found),
            Some(_) | None => {
                Err(Problem::new(StatusCode::CONFLICT, "This interview does not go on."))
            }
        }
    }

    async fn find_launch(&self, id: &str) -> Result<(InterviewId, Launch), Problem> {
        let found = self.find(id).await?.id;
        self.reindex(found).await?;
        let launch = self.store.launch(found).await?.ok_or_else(|| {
            let message = "This interview was not launched here, so it has no link of ours.";
            Problem::new(StatusCode::CONFLICT, message)
        })?;
        Ok((found, launch))
    }

    async fn state_of(&self, id: &str) -> Result<Option<StateView>, Problem> {
        Ok(self.database.indexed(id).await?.map(|row| row.state.into()))
    }

    /// Whether an interview has begun and is over: somebody can be judged by it.
    async fn was_held(&self, id: &str) -> Result<bool, Problem> {
        let Some(row) = self.database.indexed(id).await? else { return Ok(false) };
        let is_over = StateView::from(row.state).is_over();
        let (_, details) = InterviewRow::from(row).into_parts();
        Ok(is_over && details.started_at.is_some())
    }

    pub(super) async fn decision(&self, id: &str) -> Result<DecisionView, Problem> {
        let history: Vec<_> =
            self.database.decisions(id).await?.into_iter().map(DecisionEntry::from).collect();
        Ok(DecisionView { current: history.first().cloned(), history })
    }

    pub(super) async fn notes(&self, id: &str) -> Result<Vec<NoteView>, Problem> {
        let view =
            |note: database::Note| NoteView { text: note.text, by: note.written_by, at: note.at };
        Ok(self.database.notes(id).await?.into_iter().map(view).collect())
    }
}

/// What is kept of the links by which an interview can be reached.
fn hashes(launch: &Launch) -> Vec<String> {
    std::iter::once(&launch.token_hash).chain(&launch.mailed).cloned().collect()
}

impl Verdict {
    fn name(self) -> &'static str {
        match self {
            Self::Advance => "advance",
            Self::Hold => "hold",
            Self::Reject => "reject",
        }
    }
}

impl From<database::Decision> for DecisionEntry {
    fn from(decision: database::Decision) -> Self {
        let database::Decision { verdict, reason, decided_by, at } = decision;
        let all = [Verdict::Advance, Verdict::Hold, Verdict::Reject];
        let verdict =
            all.into_iter().find(|known| known.name() == verdict).unwrap_or(Verdict::Hold);
        Self { verdict, reason, by: decided_by, at }
    }
}

/// More about a deed, in the words of the buttons.
pub(super) fn detail_in_words(act: Option<Act>, detail: &str) -> &str {
    match (act, detail) {
        (Some(Act::Decided), "advance") => "Move on",
        (Some(Act::Decided), "hold") => "Hold",
        (Some(Act::Decided), "reject") => "Not now",
        (_, detail) => detail,
    }
}
