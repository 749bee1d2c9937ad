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
    Shared,
    accounts::email_fault,
    index::{self, Made},
    launch::{RESUME_MAX_CHARS, line, problem, stages, text},
    mail::Sending,
    opening_form::{Estimate, OpeningForm},
    pasted,
    problem::{Body, FieldProblem, Problem},
    templates::{self, Template},
    who::Who,
};
use crate::{
    blueprint::{Accommodations, Blueprint, Context, Criterion, Focus, NAME_CHARS_MAX, tailored},
    clock::unix_millis,
    database::{self, Act, Deed, NotSaved, OpeningCounts, OpeningState, Purpose},
    journal::{Inputs, Practice},
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
    /// Whether their invitations go out by mail.
    #[serde(default)]
    by_mail: bool,
    /// The time zone in which mails tell times, such as Europe/Berlin; empty: UTC.
    #[serde(default)]
    zone: String,
    /// The time that is proposed to them, in milliseconds since 1970.
    #[serde(default)]
    appointment: Option<i64>,
}

/// A candidate who is invited.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct CandidateForm {
    pub(super) name: String,
    /// May be empty.
    pub(super) email: String,
    /// Text of the résumé; may be empty.
    pub(super) resume: String,
    /// What is made different for them, where whoever invites them knows that they need it.
    pub(super) accommodations: Accommodations,
}

/// An invitation.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Invited {
    /// The interview's id.
    pub(super) id: String,
    name: String,
    /// Their e-mail address; may be empty.
    email: String,
    /// The candidate's link, relative to this server's address. It is shown this once.
    pub(super) link: String,
    /// Until when it works, in milliseconds since 1970.
    expires_at: u64,
}

impl Invited {
    /// The interview's id.
    pub(super) fn id(&self) -> &str {
        &self.id
    }
}

/// Forms to begin from.
#[utoipa::path(get, path = "/api/templates", operation_id = "listTemplates", responses(
    (status = 200, body = Vec<Template>),
    (status = "default", body = Problem),
))]
pub(super) async fn list_templates(
    State(shared): State<Arc<Shared>>,
) -> Result<Json<Vec<Template>>, Problem> {
    let all = shared.blueprints.all(&shared.database).await?;
    let known = |template: &Template| all.iter().any(|it| it.name == template.form.blueprint);
    Ok(Json(templates::all().into_iter().filter(known).collect()))
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
    let (_, blueprint) = shared.tailor(&form, problems).await?;
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
    shared.opening_rows().await.map(Json)
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
    let form = shared.checked(form).await?;
    let database = shared.database.recording(deeds(&who, Act::MadeOpening, "", &form));
    let opening = database.make_opening(as_text(&form)).await?;
    Ok((StatusCode::CREATED, Json(shared.opening_view(opening).await)))
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
    Ok(Json(shared.opening_view(opening).await))
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
    let form = shared.checked(change.form).await?;
    let database = shared.database.recording(deeds(&who, Act::ChangedOpening, &id, &form));
    let saved = database.save_opening(&id, change.version, as_text(&form)).await?;
    let opening = saved.map_err(|why| match why {
        NotSaved::Gone => no_opening(),
        NotSaved::Changed => Problem::new(
            StatusCode::CONFLICT,
            "Somebody else has changed this opening since you opened it. Your text is still here: look \
                at theirs, \
             then save yours again.",
        ),
    })?;
    Ok(Json(shared.opening_view(opening).await))
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
    let database = shared.by(&who, Act::SetOpeningState, &id, state.name());
    let opening = database.set_opening_state(&id, state).await?.ok_or_else(no_opening)?;
    Ok(Json(shared.opening_view(opening).await))
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
    Body(form): Body<CandidatesForm>,
) -> Result<(StatusCode, Json<Vec<Invited>>), Problem> {
    let opening = shared.database.opening(&id).await?.ok_or_else(no_opening)?;
    if opening.state == OpeningState::Closed {
        return Err(Problem::new(
            StatusCode::CONFLICT,
            "This opening is closed. Open it again to invite candidates.",
        ));
    }
    let CandidatesForm { candidates, by_mail, zone, appointment } = form;
    let sending = Sending { by_mail, zone, appointment };
    let mut problems = Vec::new();
    sending.check(&mut problems, &shared);
    let candidates = checked(candidates, by_mail, problems)?;
    let (_, blueprint) = shared.tailor(&read_form(&opening), Vec::new()).await?;
    for candidate in &candidates {
        shared.can_be_held(&blueprint, candidate.accommodations).await?;
    }
    let mut invited = Vec::new();
    for candidate in candidates {
        let one = shared.invite(&opening, candidate, Some(&sending)).await?;
        sending.send(&shared, &one.id).await?;
        invited.push(one);
    }
    let detail = match invited.len() {
        1 => "1 candidate".to_owned(),
        count => format!("{count} candidates"),
    };
    shared.audit(&who, Act::Invited, &opening.id, &detail).await?;
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
    let invited = shared.invite(&opening, candidate, None).await?;
    shared.audit(&who, Act::TriedOpening, &id, &invited.id).await?;
    Ok((StatusCode::CREATED, Json(invited)))
}

impl Shared {
    /// A form without a mistake, or everything that is wrong at once.
    async fn checked(&self, form: OpeningForm) -> Result<OpeningForm, Problem> {
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
        let (_, blueprint) = self.tailor(&form, problems).await?;
        if let Some(message) = Estimate::of(&blueprint, &form).over_booked {
            let field = "length_min".to_owned();
            return Err(Problem::of_fields(vec![FieldProblem { field, message }]));
        }
        Ok(form)
    }

    /// The files and the blueprint of an opening's interviews. `problems` are what is wrong otherwise.
    async fn tailor(
        &self,
        form: &OpeningForm,
        mut problems: Vec<FieldProblem>,
    ) -> Result<(Vec<(String, String)>, Blueprint), Problem> {
        let Some(chosen) = self.blueprints.find(&self.database, &form.blueprint).await? else {
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

    /// Makes the interview of a candidate, or one for a recruiter to try, who is sent nothing.
    pub(super) async fn invite(
        &self,
        opening: &database::Opening,
        candidate: CandidateForm,
        sending: Option<&Sending>,
    ) -> Result<Invited, Problem> {
        let purpose = if sending.is_none() { Purpose::Preview } else { Purpose::Candidate };
        let form = read_form(opening);
        let (mut inputs, blueprint) = self.inputs_of(&form, &candidate).await?;
        self.can_be_held(&blueprint, candidate.accommodations).await?;
        if purpose == Purpose::Preview {
            inputs.context.recorded = false;
            inputs.practice = Some(Practice::default());
        }
        let token = LinkToken::random(InterviewId::random());
        let now = unix_millis();
        let days = u64::from(form.terms.link_days);
        let expires_at = match sending {
            None => now.saturating_add(PREVIEW_MS),
            Some(sending) => now.saturating_add(days * DAY_MS).max(sending.link_end()),
        };
        let launch = Launch {
            v: 1,
            token_hash: token.hash(),
            launched_at: now,
            expires_at,
            stages: stages(&blueprint),
            length_limit_s: blueprint.interview_limit().as_secs(),
            cancelled: false,
            mailed: Vec::new(),
            title: blueprint.title,
            interviewer: blueprint.interviewer,
        };
        self.store.create(token.id(), &inputs, Some(&launch)).await?;
        let opening = Some((opening.id.clone(), form.title));
        let CandidateForm { name, email, .. } = candidate;
        let made = Made { opening, purpose, email: email.clone() };
        index::launched(self, token.id(), &made).await?;
        let (id, link) = (token.id().to_string(), format!("/i/{}", token.reveal()));
        Ok(Invited { id, name, email, link, expires_at })
    }

    /// What an interview of an opening with a candidate is made from.
    pub(super) async fn inputs_of(
        &self,
        form: &OpeningForm,
        candidate: &CandidateForm,
    ) -> Result<(Inputs, Blueprint), Problem> {
        let (files, blueprint) = self.tailor(form, Vec::new()).await?;
        let context = Context {
            focus: Focus {
                criteria: form.criteria.iter().map(Criterion::from).collect(),
                ..self.roles.focus(&form.role, &form.level)
            },
            candidate_name: candidate.name.clone(),
            role: form.role.clone(),
            level: form.level.clone(),
            resume: candidate.resume.clone(),
            job_description: form.job_description.clone(),
            knowledge: form.knowledge(),
            recorded: self.site.records && form.terms.recording,
            ..Context::default()
        };
        let inputs = Inputs::new(&form.blueprint, files, context);
        let practice = form.terms.feedback.then(Practice::default);
        Ok((Inputs { accommodations: candidate.accommodations, practice, ..inputs }, blueprint))
    }

    async fn opening_view(&self, opening: database::Opening) -> Opening {
        let form = read_form(&opening);
        let estimate = self.tailor(&form, Vec::new()).await.ok();
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

    /// All openings as rows, those changed last first.
    pub(super) async fn opening_rows(&self) -> Result<Vec<OpeningRow>, Problem> {
        let (openings, counts) =
            tokio::try_join!(self.database.openings(), self.database.opening_counts())?;
        let blueprints = self.blueprints.all(&self.database).await?;
        let title = |name: &str| {
            let known = blueprints.iter().find(|known| known.name == name);
            known.map_or_else(|| name.to_owned(), |known| known.blueprint.title.clone())
        };
        Ok(openings.iter().map(|opening| opening_row(opening, &counts, title)).collect())
    }
}

fn opening_row(
    opening: &database::Opening,
    counts: &BTreeMap<String, OpeningCounts>,
    title: impl Fn(&str) -> String,
) -> OpeningRow {
    let form = read_form(opening);
    let OpeningCounts { invited, running, done, to_decide } =
        counts.get(&opening.id).copied().unwrap_or_default();
    OpeningRow {
        id: opening.id.clone(),
        title: form.title,
        role: form.role,
        level: form.level,
        blueprint_title: title(&form.blueprint),
        state: opening.state.into(),
        invited,
        running,
        done,
        to_decide,
        updated_at: opening.updated_at,
    }
}

/// The candidates without a mistake, or everything that is wrong at once. `problems` are what is wrong
/// otherwise.
pub(super) fn checked(
    candidates: Vec<CandidateForm>,
    by_mail: bool,
    mut problems: Vec<FieldProblem>,
) -> Result<Vec<CandidateForm>, Problem> {
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
        if let Some(message) = pasted::lost_letters(&name) {
            problem(&mut problems, &field("name"), message);
        }
        let email = candidate.email.trim().to_owned();
        if let Some(message) = email_fault(&email).filter(|_| !email.is_empty()) {
            problem(&mut problems, &field("email"), message);
        }
        if by_mail && email.is_empty() {
            let message =
                "Type the address that the invitation goes to, or send the links yourself.";
            problem(&mut problems, &field("email"), message.to_owned());
        }
        let resume = text(
            &mut problems,
            &field("resume"),
            "The résumé",
            &candidate.resume,
            RESUME_MAX_CHARS,
        );
        let accommodations = candidate.accommodations;
        checked.push(CandidateForm { name, email, resume, accommodations });
    }
    if problems.is_empty() { Ok(checked) } else { Err(Problem::of_fields(problems)) }
}

fn as_text(form: &OpeningForm) -> String {
    serde_json::to_string(form).expect("plain data serializes")
}

/// What a recruiter has filled in; what an older program did not ask for is as if left out.
pub(super) fn read_form(opening: &database::Opening) -> OpeningForm {
    serde_json::from_str(&opening.form).unwrap_or_else(|why| {
        tracing::error!(%why, opening = opening.id, "an opening cannot be read");
        OpeningForm::default()
    })
}

/// What saving an opening leaves in the audit trail: the deed, and for which reasons own questions ask about
/// what they should not.
fn deeds(who: &Who, act: Act, opening: &str, form: &OpeningForm) -> Vec<Deed> {
    let reasons = form.reasons().into_iter().map(|(subject, reason)| {
        who.deed(Act::KeptQuestion, opening, &format!("{subject}: {reason}"))
    });
    std::iter::once(who.deed(act, opening, &form.title)).chain(reasons).collect()
}

pub(super) fn no_opening() -> Problem {
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
