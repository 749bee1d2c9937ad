//! Another attempt of a candidate who was interviewed before.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use serde::Deserialize;
use tracing::info;
use utoipa::ToSchema;

use super::{
    Shared,
    mail::Sending,
    openings::{CandidateForm, Invited},
    problem::{Body, Problem},
    who::Who,
};
use crate::database::{Act, OpeningState, Purpose};

/// A candidate is invited once more.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct AgainForm {
    /// Whether the invitation goes out by mail.
    by_mail: bool,
    /// The time zone in which the mail tells times, such as Europe/Berlin; empty: UTC.
    zone: String,
    /// The time that is proposed to them, in milliseconds since 1970.
    appointment: Option<i64>,
}

/// Invites the candidate of an interview once more, with the résumé and the data that it has. It is the next
/// attempt, or the same one again after a technical end, which uses none up.
#[utoipa::path(
    post, path = "/api/interviews/{id}/again", operation_id = "inviteAgain", params(("id" = String, Path)),
    request_body = AgainForm,
    responses(
        (status = 201, body = Invited),
        (status = 404, body = Problem, description = "There is no such interview"),
        (status = 409, body = Problem, description = "No attempt is left, one is open, or the opening is \
            closed"),
        (status = 422, body = Problem, description = "Fields have to be mended"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn invite_again(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Path(id): Path<String>,
    Body(form): Body<AgainForm>,
) -> Result<(StatusCode, Json<Invited>), Problem> {
    let conflict = |message: &str| Problem::new(StatusCode::CONFLICT, message);
    let found = shared.find(&id).await?.id;
    shared.reindex(found).await?;
    let row = shared.database.indexed(&id).await?.ok_or_else(super::no_interview)?;
    let opening = match &row.opening {
        Some(opening) if row.purpose == Purpose::Candidate => {
            shared.database.opening(opening).await?
        }
        Some(_) | None => None,
    };
    let opening = opening.ok_or_else(|| {
        conflict("This interview belongs to no opening. Launch another one for the candidate.")
    })?;
    if opening.state == OpeningState::Closed {
        return Err(conflict("This opening is closed. Open it again to invite candidates."));
    }
    let sending = Sending { by_mail: form.by_mail, zone: form.zone, appointment: form.appointment };
    let mut problems = Vec::new();
    sending.check(&mut problems, &shared);
    if !problems.is_empty() {
        return Err(Problem::of_fields(problems));
    }
    if sending.by_mail && row.email.is_empty() {
        return Err(conflict(
            "The candidate's e-mail address is not known. Copy the link and send it yourself.",
        ));
    }
    // Two presses make one attempt.
    let _one_after_another = shared.live.links.lock().await;
    let attempt = &row.beside.attempt;
    shared.may_try_again(&attempt.candidate, attempt.of).await?;
    let before = shared.store.inputs(found).await?;
    let (resume, accommodations) = (before.context.resume, before.accommodations);
    let candidate = CandidateForm { name: row.name, email: row.email, resume, accommodations };
    let invited = shared.invite(&opening, candidate, Some(&sending)).await?;
    shared.database.same_candidate(&attempt.candidate, invited.id()).await?;
    sending.send(&shared, invited.id()).await?;
    shared.tell_of(invited.id()).await?;
    shared.audit(&who, Act::InvitedAgain, invited.id(), &id).await?;
    info!(interview = invited.id(), before = id, "candidate invited once more");
    Ok((StatusCode::CREATED, Json(invited)))
}

impl Shared {
    /// Whether a candidate has an attempt left, and none that is open.
    async fn may_try_again(&self, candidate: &str, of: i64) -> Result<(), Problem> {
        let so_far = self.database.attempts_so_far(candidate).await?;
        let message = if so_far.open > 0 {
            "This candidate has an open invitation. Make a new link for it instead.".to_owned()
        } else if so_far.used >= of {
            let attempts = if of == 1 { "The only attempt is" } else { "All attempts are" };
            format!("{attempts} used ({} of {of}). Allow more in the opening first.", so_far.used)
        } else {
            return Ok(());
        };
        Err(Problem::new(StatusCode::CONFLICT, message))
    }
}
