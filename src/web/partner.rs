//! What applicant tracking systems expect of whoever tests candidates for them: they list the tests, order
//! one for a candidate, and ask how far it is. The names are those of Greenhouse; others take the same.
//!
//! A test is an opening, and a test that was ordered is an interview. No score is told: whoever wants to know
//! how it went reads the report.

use std::sync::Arc;

use axum::{Json, extract::State, http::StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tracing::{info, warn};
use utoipa::{IntoParams, ToSchema};

use super::{
    Shared,
    mail::Sending,
    openings::{CandidateForm, checked, no_opening, read_form},
    problem::{Asked, Body, FieldProblem, Problem},
    row::{InterviewRow, StateView},
    webhooks::reach,
    who::Who,
};
use crate::database::{Act, OpeningState};

const CALL_CHARS_MAX: usize = 40;

/// An opening, as something that candidates are tested with.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct PartnerTest {
    /// The opening's id.
    partner_test_id: String,
    /// Its title.
    partner_test_name: String,
}

/// A test that is ordered for a candidate. Fields that are not named here are passed over.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct SendTestForm {
    /// The opening's id.
    partner_test_id: String,
    candidate: PartnerCandidate,
    /// What is sent a `PATCH` once the interview is over; may be left out.
    #[serde(default)]
    url: String,
}

/// A candidate, as an applicant tracking system names them. A résumé's address is not fetched.
#[derive(Debug, Deserialize, ToSchema)]
struct PartnerCandidate {
    #[serde(default)]
    first_name: String,
    #[serde(default)]
    last_name: String,
    #[serde(default)]
    email: String,
}

/// A test that was ordered.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SentTest {
    /// The interview's id.
    partner_interview_id: String,
    /// The candidate's link; nothing where the same order came before: it is shown once.
    candidate_url: Option<String>,
}

/// Which test is asked about.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct StatusQuery {
    /// As it was given when the test was ordered.
    partner_interview_id: String,
}

/// How far a test is.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TestStatus {
    /// `complete` once there is a report to read; before that, and where there never will be, the state of
    /// the interview.
    partner_status: String,
    /// The report's page; it needs an account.
    partner_profile_url: String,
    /// More about it, in words.
    metadata: TestMetadata,
}

/// More about a test, in words.
#[derive(Debug, Serialize, ToSchema)]
struct TestMetadata {
    /// Where the interview stands.
    #[serde(rename = "State")]
    state: String,
    /// The title of the opening.
    #[serde(rename = "Opening")]
    opening: String,
    /// How long it took, once it is over.
    #[serde(rename = "Minutes", skip_serializing_if = "Option::is_none")]
    minutes: Option<u64>,
}

/// What an applicant tracking system says that it has read.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Received {
    /// 200.
    status: u16,
}

/// The openings that take candidates, as tests.
#[utoipa::path(get, path = "/api/partner/list_tests", operation_id = "listTests", responses(
    (status = 200, body = Vec<PartnerTest>),
    (status = "default", body = Problem),
))]
pub(super) async fn list_tests(
    State(shared): State<Arc<Shared>>,
) -> Result<Json<Vec<PartnerTest>>, Problem> {
    let mut openings = shared.database.openings().await?;
    openings.retain(|opening| opening.state == OpeningState::Open);
    let test = |opening: crate::database::Opening| PartnerTest {
        partner_test_name: read_form(&opening).title,
        partner_test_id: opening.id,
    };
    Ok(Json(openings.into_iter().map(test).collect()))
}

/// Invites a candidate. The same order again is the same interview: an order is told by its `url`.
#[utoipa::path(
    post, path = "/api/partner/send_test", operation_id = "sendTest", request_body = SendTestForm,
    responses(
        (status = 200, body = SentTest),
        (status = 404, body = Problem, description = "There is no such opening"),
        (status = 409, body = Problem, description = "The opening is closed"),
        (status = 422, body = Problem, description = "Fields have to be mended"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn send_test(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Body(form): Body<SendTestForm>,
) -> Result<Json<SentTest>, Problem> {
    let outside = &shared.site.outside;
    let url = match form.url.trim() {
        "" => None,
        url => {
            Some(reach::check_and_look_up(url, outside.to_private).await.map_err(|message| {
                Problem::of_fields(vec![FieldProblem { field: "url".to_owned(), message }])
            })?)
        }
    };
    let before = |id: String| Json(SentTest { partner_interview_id: id, candidate_url: None });
    if let Some(url) = &url
        && let Some(id) = shared.database.partner_test(url.as_str()).await?
    {
        return Ok(before(id));
    }
    let opening = shared.database.opening(&form.partner_test_id).await?.ok_or_else(no_opening)?;
    if opening.state == OpeningState::Closed {
        let message = "This opening is closed. Open it again to invite candidates.";
        return Err(Problem::new(StatusCode::CONFLICT, message));
    }
    let PartnerCandidate { first_name, last_name, email } = form.candidate;
    let name = format!("{} {}", first_name.trim(), last_name.trim());
    let candidate = CandidateForm { name, email, ..CandidateForm::default() };
    let candidate = checked(vec![candidate], false, Vec::new())?;
    let candidate = candidate.into_iter().next().ok_or_else(no_opening)?;
    let invited = shared.invite(&opening, candidate, Some(&Sending::default())).await?;
    if let Some(url) = &url
        && !shared.database.add_partner_test(&invited.id, url.as_str()).await?
    {
        // The same order came twice at the same moment: the other one was first.
        if let Ok(id) = invited.id.parse() {
            shared.finish_deletion(id).await?;
        }
        let id = shared.database.partner_test(url.as_str()).await?.ok_or_else(no_opening)?;
        return Ok(before(id));
    }
    shared
        .audit(&who, Act::Invited, &opening.id, "1 candidate, from an applicant tracking system")
        .await?;
    info!(opening = opening.id, interview = invited.id, "candidate invited by a partner");
    let candidate_url = Some(format!("{}{}", outside.address, invited.link));
    Ok(Json(SentTest { partner_interview_id: invited.id, candidate_url }))
}

/// How far the interview of a test is. There is no score in it.
#[utoipa::path(
    get, path = "/api/partner/test_status", operation_id = "testStatus", params(StatusQuery),
    responses(
        (status = 200, body = TestStatus),
        (status = 404, body = Problem, description = "There is no such interview"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn test_status(
    State(shared): State<Arc<Shared>>,
    Asked(StatusQuery { partner_interview_id: id }): Asked<StatusQuery>,
) -> Result<Json<TestStatus>, Problem> {
    let found = shared.find(&id).await?;
    shared.reindex(found.id).await?;
    let row = shared.database.indexed(&id).await?.ok_or_else(super::no_interview)?;
    let state = row.state;
    let partner_status = match StateView::from(state) {
        StateView::Completed | StateView::Abandoned => "complete",
        _ => state.name(),
    };
    let (_, details) = InterviewRow::from(row).into_parts();
    Ok(Json(TestStatus {
        partner_status: partner_status.to_owned(),
        partner_profile_url: shared.site.outside.page_of(&id),
        metadata: TestMetadata {
            state: state.name().replace('_', " "),
            opening: details.opening_title,
            minutes: details.minutes,
        },
    }))
}

/// Takes notice that an applicant tracking system could not read an answer: it is in the server's log.
#[utoipa::path(
    post, path = "/api/partner/response_error", operation_id = "responseError",
    request_body(content = Object, description = "Whatever the system says; `api_call` names the call"),
    responses((status = 200, body = Received), (status = "default", body = Problem)),
)]
pub(super) async fn response_error(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Body(said): Body<Value>,
) -> Result<Json<Received>, Problem> {
    let call = said["api_call"].as_str().unwrap_or("unknown");
    let call: String = call
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '_')
        .take(CALL_CHARS_MAX)
        .collect();
    warn!(call, pii.said = %said, "an applicant tracking system could not read an answer");
    shared.audit(&who, Act::CouldNotRead, "", &call).await?;
    Ok(Json(Received { status: 200 }))
}
