//! Openings: a role to fill, what its interviews are about, and the candidates that are invited to them.

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use serde::{Deserialize, Serialize};
use tracing::info;
use utoipa::ToSchema;

use super::{
    LaunchableBlueprint, Shared,
    accounts::email_fault,
    blocking::blocking,
    index::{self, Made},
    launch::{RESUME_MAX_CHARS, line, problem, stages, text},
    opening_form::{Estimate, OpeningForm},
    pasted::{self, PastedCandidate},
    problem::{Body, FieldProblem, Problem},
    templates::{self, Template},
    who::Who,
};
use crate::{
    blueprint::{Blueprint, Context, Criterion, Focus, NAME_CHARS_MAX, tailored},
    clock::unix_millis,
    database::{self, NotSaved, OpeningCounts, OpeningState},
    journal::Inputs,
    store::{InterviewId, Launch, LinkToken},
};

const CANDIDATES_MAX: usize = 200;
/// A preview's link works for a day, and the preview is removed after it.
const PREVIEW_MS: u64 = 24 * 3_600_000;
const DAY_MS: u64 = 24 * 3_600_000;

/// An opening.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Opening {
    id: String,
    /// Counts its changes; a change names the version that it was made from.
    version: i64,
    form: OpeningForm,
    state: OpeningStateView,
    /// In milliseconds since 1970.
    created_at: i64,
    /// The same.
    updated_at: i64,
    /// How long its interviews take; nothing where its blueprint is no more.
    estimate: Option<Estimate>,
}

/// Whether candidates are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = OpeningState)]
enum OpeningStateView {
    /// They are.
    Open,
    /// No more.
    Closed,
}

/// An opening in the list.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct OpeningRow {
    id: String,
    title: String,
    role: String,
    level: String,
    blueprint_title: String,
    state: OpeningStateView,
    /// Candidates who have not come yet.
    invited: i64,
    /// Those who wait or speak.
    running: i64,
    /// Those of whom nothing more comes.
    done: i64,
    /// Those who have finished, and about whom nobody has decided.
    to_decide: i64,
    updated_at: i64,
}

/// A change of an opening.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OpeningChange {
    /// The version that it was made from.
    version: i64,
    form: OpeningForm,
}

/// An opening is opened or closed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OpeningStateForm {
    state: OpeningStateView,
}

/// Candidates who are invited.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CandidatesForm {
    candidates: Vec<CandidateForm>,
}

/// A candidate who is invited.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
struct CandidateForm {
    name: String,
    /// May be empty.
    email: String,
    /// Text of the résumé; may be empty.
    resume: String,
}

/// An invitation.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Invited {
    /// The interview's id.
    id: String,
    name: String,
    /// The candidate's link, relative to this server's address. It is shown this once.
    link: String,
    /// Until when it works, in milliseconds since 1970.
    expires_at: u64,
}

/// A pasted list of candidates.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PastedForm {
    /// Lines with a name and an address, or CSV.
    text: String,
}

/// Forms to begin from.
#[utoipa::path(get, path = "/api/templates", operation_id = "listTemplates", responses(
    (status = 200, body = Vec<Template>),
    (status = "default", body = Problem),
))]
pub(super) async fn list_templates(State(shared): State<Arc<Shared>>) -> Json<Vec<Template>> {
    let known = |template: &Template| shared.blueprint(&template.form.blueprint).is_some();
    Json(templates::all().into_iter().filter(known).collect())
}

/// How long the interviews of an opening would take.
#[utoipa::path(
    post, path = "/api/openings/estimate", operation_id = "estimateOpening", request_body = OpeningForm,
    responses(
        (status = 200, body = Estimate),
        (status = 422, body = Problem, description = "Fields have to be mended"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn estimate_opening(
    State(shared): State<Arc<Shared>>,
    Body(form): Body<OpeningForm>,
) -> Result<Json<Estimate>, Problem> {
    let mut problems = Vec::new();
    form.check_plan(&mut problems);
    let (_, blueprint) = shared.tailor(&form, problems)?;
    Ok(Json(Estimate::of(&blueprint, &form)))
}

/// All openings, those changed last first.
#[utoipa::path(get, path = "/api/openings", operation_id = "listOpenings", responses(
    (status = 200, body = Vec<OpeningRow>),
    (status = "default", body = Problem),
))]
pub(super) async fn list_openings(
    State(shared): State<Arc<Shared>>,
) -> Result<Json<Vec<OpeningRow>>, Problem> {
    let (openings, counts) =
        tokio::try_join!(shared.database.openings(), shared.database.opening_counts())?;
    let row = |opening: &database::Opening| shared.opening_row(opening, &counts);
    Ok(Json(openings.iter().map(row).collect()))
}

/// Makes an opening.
#[utoipa::path(
    post, path = "/api/openings", operation_id = "makeOpening", request_body = OpeningForm,
    responses(
        (status = 201, body = Opening),
        (status = 422, body = Problem, description = "Fields have to be mended"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn make_opening(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Body(form): Body<OpeningForm>,
) -> Result<(StatusCode, Json<Opening>), Problem> {
    let form = shared.checked(form)?;
    let opening = shared.database.make_opening(as_text(&form)).await?;
    shared.audit(&who, "made an opening", &opening.id, &form.title).await?;
    Ok((StatusCode::CREATED, Json(shared.opening_view(opening))))
}

/// An opening.
#[utoipa::path(
    get, path = "/api/openings/{id}", operation_id = "getOpening", params(("id" = String, Path)),
    responses(
        (status = 200, body = Opening),
        (status = 404, body = Problem, description = "There is no such opening"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn get_opening(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
) -> Result<Json<Opening>, Problem> {
    let opening = shared.database.opening(&id).await?.ok_or_else(no_opening)?;
    Ok(Json(shared.opening_view(opening)))
}

/// Changes an opening. Interviews that were launched stay as they are.
#[utoipa::path(
    put, path = "/api/openings/{id}", operation_id = "changeOpening", params(("id" = String, Path)),
    request_body = OpeningChange,
    responses(
        (status = 200, body = Opening),
        (status = 404, body = Problem, description = "There is no such opening"),
        (status = 409, body = Problem, description = "Somebody else has changed it"),
        (status = 422, body = Problem, description = "Fields have to be mended"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn change_opening(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Path(id): Path<String>,
    Body(change): Body<OpeningChange>,
) -> Result<Json<Opening>, Problem> {
    let form = shared.checked(change.form)?;
    let saved = shared.database.save_opening(&id, change.version, as_text(&form)).await?;
    let opening = saved.map_err(|why| match why {
        NotSaved::Gone => no_opening(),
        NotSaved::Changed => Problem::new(
            StatusCode::CONFLICT,
            "Somebody else has changed this opening since you opened it. Your text is still here: look \
                at theirs, \
             then save yours again.",
        ),
    })?;
    shared.audit(&who, "changed an opening", &id, &form.title).await?;
    Ok(Json(shared.opening_view(opening)))
}

/// Opens or closes an opening.
#[utoipa::path(
    post, path = "/api/openings/{id}/state", operation_id = "setOpeningState", params(("id" = String, Path)),
    request_body = OpeningStateForm,
    responses(
        (status = 200, body = Opening),
        (status = 404, body = Problem, description = "There is no such opening"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn set_opening_state(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Path(id): Path<String>,
    Body(form): Body<OpeningStateForm>,
) -> Result<Json<Opening>, Problem> {
    let state = match form.state {
        OpeningStateView::Open => OpeningState::Open,
        OpeningStateView::Closed => OpeningState::Closed,
    };
    let opening = shared.database.set_opening_state(&id, state).await?.ok_or_else(no_opening)?;
    shared.audit(&who, "opened or closed an opening", &id, state.name()).await?;
    Ok(Json(shared.opening_view(opening)))
}

/// Invites candidates: an interview with a link for each. All of them or none.
#[utoipa::path(
    post, path = "/api/openings/{id}/candidates", operation_id = "inviteCandidates",
    params(("id" = String, Path)),
    request_body = CandidatesForm,
    responses(
        (status = 201, body = Vec<Invited>),
        (status = 404, body = Problem, description = "There is no such opening"),
        (status = 409, body = Problem, description = "The opening is closed"),
        (status = 422, body = Problem, description = "Fields have to be mended"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn invite_candidates(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Path(id): Path<String>,
    Body(CandidatesForm { candidates }): Body<CandidatesForm>,
) -> Result<(StatusCode, Json<Vec<Invited>>), Problem> {
    let opening = shared.database.opening(&id).await?.ok_or_else(no_opening)?;
    if opening.state == OpeningState::Closed {
        return Err(Problem::new(
            StatusCode::CONFLICT,
            "This opening is closed. Open it again to invite candidates.",
        ));
    }
    let candidates = checked(candidates)?;
    let form = read_form(&opening);
    let mut invited = Vec::new();
    for candidate in candidates {
        invited.push(shared.invite(&opening.id, &form, candidate, false).await?);
    }
    let detail = format!("{} candidates", invited.len());
    shared.audit(&who, "invited", &opening.id, &detail).await?;
    info!(opening = opening.id, candidates = invited.len(), "candidates invited");
    Ok((StatusCode::CREATED, Json(invited)))
}

/// An interview of the opening for the recruiter to try: it is in no list, and gone after a day.
#[utoipa::path(
    post, path = "/api/openings/{id}/preview", operation_id = "previewOpening", params(("id" = String, Path)),
    responses(
        (status = 201, body = Invited),
        (status = 404, body = Problem, description = "There is no such opening"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn preview_opening(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Path(id): Path<String>,
) -> Result<(StatusCode, Json<Invited>), Problem> {
    let opening = shared.database.opening(&id).await?.ok_or_else(no_opening)?;
    let candidate = CandidateForm { name: who.name().to_owned(), ..CandidateForm::default() };
    let invited = shared.invite(&opening.id, &read_form(&opening), candidate, true).await?;
    Ok((StatusCode::CREATED, Json(invited)))
}

/// Reads a pasted list of candidates, for a look at it; nothing is kept.
#[utoipa::path(
    post, path = "/api/candidates/read", operation_id = "readCandidates", request_body = PastedForm,
    responses((status = 200, body = Vec<PastedCandidate>), (status = "default", body = Problem)),
)]
pub(super) async fn read_candidates(
    Body(PastedForm { text }): Body<PastedForm>,
) -> Result<Json<Vec<PastedCandidate>>, Problem> {
    blocking(move || Ok(Json(pasted::read(&text)))).await
}

impl Shared {
    fn blueprint(&self, name: &str) -> Option<&LaunchableBlueprint> {
        self.blueprints.iter().find(|known| known.name == name)
    }

    /// A form without a mistake, or everything that is wrong at once.
    fn checked(&self, form: OpeningForm) -> Result<OpeningForm, Problem> {
        let mut problems = Vec::new();
        let form = form.trimmed(&mut problems);
        form.check_plan(&mut problems);
        form.check_numbers(&mut problems);
        if form.terms.recording && !self.site.records {
            let message = "This server records nobody: whoever runs it can switch that on \
                (recording.enabled). Leave \
                           it out until then.";
            problem(&mut problems, "recording", message.to_owned());
        }
        let (_, blueprint) = self.tailor(&form, problems)?;
        if let Some(message) = Estimate::of(&blueprint, &form).over_booked {
            let field = "length_min".to_owned();
            return Err(Problem::of_fields(vec![FieldProblem { field, message }]));
        }
        Ok(form)
    }

    /// The files and the blueprint of an opening's interviews. `problems` are what is wrong otherwise.
    fn tailor(
        &self,
        form: &OpeningForm,
        mut problems: Vec<FieldProblem>,
    ) -> Result<(Vec<(String, String)>, Blueprint), Problem> {
        let Some(chosen) = self.blueprint(&form.blueprint) else {
            problem(
                &mut problems,
                "blueprint",
                "Choose one of the interviews in the list.".to_owned(),
            );
            return Err(Problem::of_fields(problems));
        };
        if !problems.is_empty() {
            return Err(Problem::of_fields(problems));
        }
        let made = tailored(&chosen.files, &form.tailoring());
        let files = made.map_err(|found| {
            let message = found.first().map_or_else(String::new, |first| first.what.clone());
            Problem::of_fields(vec![FieldProblem { field: "questions".to_owned(), message }])
        })?;
        let blueprint = Blueprint::load(&files).map_err(|_| {
            Problem::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "The interview cannot be read. Choose another one.",
            )
        })?;
        let context =
            Context { job_description: form.job_description.clone(), ..Context::default() };
        Ok((files, blueprint.for_candidate(&context)))
    }

    /// What the opening of an interview says to its candidates; as if all was left empty where there is none.
    pub(super) async fn form_of(&self, id: InterviewId) -> Result<OpeningForm, Problem> {
        let indexed = self.database.indexed(&id.to_string()).await?;
        let Some(opening) = indexed.and_then(|indexed| indexed.opening) else {
            return Ok(OpeningForm::default());
        };
        let opening = self.database.opening(&opening).await?;
        Ok(opening.map(|opening| read_form(&opening)).unwrap_or_default())
    }

    /// How many days the interviews of each opening are kept, where it says so.
    pub(super) async fn retention(&self) -> Result<BTreeMap<String, u32>, Problem> {
        let days = |opening: database::Opening| {
            Some((opening.id.clone(), read_form(&opening).terms.retention_days?))
        };
        Ok(self.database.openings().await?.into_iter().filter_map(days).collect())
    }

    /// Makes the interview of a candidate.
    async fn invite(
        &self,
        opening: &str,
        form: &OpeningForm,
        candidate: CandidateForm,
        preview: bool,
    ) -> Result<Invited, Problem> {
        let (files, blueprint) = self.tailor(form, Vec::new())?;
        let context = Context {
            focus: Focus {
                criteria: form.criteria.iter().map(Criterion::from).collect(),
                ..self.roles.focus(&form.role, &form.level)
            },
            candidate_name: candidate.name.clone(),
            role: form.role.clone(),
            level: form.level.clone(),
            resume: candidate.resume,
            job_description: form.job_description.clone(),
            knowledge: form.knowledge(),
            recorded: self.site.records && form.terms.recording && !preview,
            ..Context::default()
        };
        let inputs = Inputs::new(&form.blueprint, files, context);
        let token = LinkToken::random(InterviewId::random());
        let now = unix_millis();
        let lifetime = if preview { PREVIEW_MS } else { u64::from(form.terms.link_days) * DAY_MS };
        let expires_at = now.saturating_add(lifetime);
        let launch = Launch {
            v: 1,
            token_hash: token.hash(),
            launched_at: now,
            expires_at,
            stages: stages(&blueprint),
            length_limit_s: blueprint.interview_limit().as_secs(),
            cancelled: false,
            title: blueprint.title,
            interviewer: blueprint.interviewer,
        };
        self.store.create(token.id(), &inputs, Some(&launch)).await?;
        let made = Made {
            opening: Some((opening.to_owned(), form.title.clone())),
            preview,
            email: candidate.email,
        };
        index::launched(self, token.id(), &made).await?;
        let link = format!("/i/{}", token.reveal());
        Ok(Invited { id: token.id().to_string(), name: candidate.name, link, expires_at })
    }

    fn opening_view(&self, opening: database::Opening) -> Opening {
        let form = read_form(&opening);
        let estimate = self.tailor(&form, Vec::new()).ok();
        Opening {
            estimate: estimate.map(|(_, blueprint)| Estimate::of(&blueprint, &form)),
            id: opening.id,
            version: opening.version,
            form,
            state: opening.state.into(),
            created_at: opening.created_at,
            updated_at: opening.updated_at,
        }
    }

    fn opening_row(
        &self,
        opening: &database::Opening,
        counts: &BTreeMap<String, OpeningCounts>,
    ) -> OpeningRow {
        let form = read_form(opening);
        let OpeningCounts { invited, running, done, to_decide } =
            counts.get(&opening.id).copied().unwrap_or_default();
        let blueprint = self.blueprint(&form.blueprint);
        OpeningRow {
            id: opening.id.clone(),
            title: form.title,
            role: form.role,
            level: form.level,
            blueprint_title: blueprint
                .map_or(form.blueprint, |known| known.blueprint.title.clone()),
            state: opening.state.into(),
            invited,
            running,
            done,
            to_decide,
            updated_at: opening.updated_at,
        }
    }
}

/// The candidates without a mistake, or everything that is wrong at once.
fn checked(candidates: Vec<CandidateForm>) -> Result<Vec<CandidateForm>, Problem> {
    let mut problems = Vec::new();
    if candidates.is_empty() {
        problem(&mut problems, "candidates", "Add a candidate first.".to_owned());
    }
    if candidates.len() > CANDIDATES_MAX {
        let message = format!(
            "{} candidates are too many at once; {CANDIDATES_MAX} are the most.",
            candidates.len()
        );
        problem(&mut problems, "candidates", message);
        return Err(Problem::of_fields(problems));
    }
    let mut checked = Vec::new();
    for (n, candidate) in candidates.into_iter().enumerate() {
        let field = |name: &str| format!("candidates.{n}.{name}");
        let what = "the candidate\u{2019}s name";
        let name = line(&mut problems, &field("name"), what, &candidate.name, NAME_CHARS_MAX);
        let email = candidate.email.trim().to_owned();
        if let Some(message) = email_fault(&email).filter(|_| !email.is_empty()) {
            problem(&mut problems, &field("email"), message);
        }
        let resume = text(
            &mut problems,
            &field("resume"),
            "The résumé",
            &candidate.resume,
            RESUME_MAX_CHARS,
        );
        checked.push(CandidateForm { name, email, resume });
    }
    if problems.is_empty() { Ok(checked) } else { Err(Problem::of_fields(problems)) }
}

fn as_text(form: &OpeningForm) -> String {
    serde_json::to_string(form).expect("plain data serializes")
}

/// What a recruiter has filled in; what an older program did not ask for is as if left out.
fn read_form(opening: &database::Opening) -> OpeningForm {
    serde_json::from_str(&opening.form).unwrap_or_else(|why| {
        tracing::error!(%why, opening = opening.id, "an opening cannot be read");
        OpeningForm::default()
    })
}

fn no_opening() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "There is no such opening.")
}

impl From<OpeningState> for OpeningStateView {
    fn from(state: OpeningState) -> Self {
        match state {
            OpeningState::Open => Self::Open,
            OpeningState::Closed => Self::Closed,
        }
    }
}
