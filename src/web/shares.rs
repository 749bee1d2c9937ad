//! Reports that are shared: a link with which somebody without an account reads one, for a while.

use std::sync::Arc;

use axum::{
    Extension, Json,
    extract::{Path, State},
    http::StatusCode,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Shared,
    actions::{DecisionView, NoteView},
    problem::{Body, FieldProblem, Problem},
    report::report,
    row::{InterviewRow, StateView},
    who::Who,
};
use crate::{
    assess::Report,
    assessor::Assessor,
    clock::unix_millis,
    database::{self, Act, Actor, Deed, new_id},
};

const DAY_MS: i64 = 24 * 3_600_000;
/// For how many days a link may work.
const DAYS: [u32; 3] = [1, 7, 30];
/// So many links to one report may work at the same time.
const SHARES_MAX: usize = 20;

/// A link to a report.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Share)]
pub(super) struct ShareView {
    id: String,
    /// Whether it shows decision and notes, too.
    with_decision: bool,
    /// Who made it.
    made_by: String,
    /// In milliseconds since 1970.
    made_at: i64,
    /// Until when it works, in milliseconds since 1970.
    expires_at: i64,
    /// When it was taken back, if it was.
    revoked_at: Option<i64>,
    /// How often the report was read with it.
    views: i64,
    /// When that was last.
    viewed_at: Option<i64>,
}

/// A link that is made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ShareForm {
    /// For how many days it works: 1, 7 or 30.
    days: u32,
    /// Whether it shows decision and notes, too.
    #[serde(default)]
    with_decision: bool,
}

/// A new link.
#[derive(Serialize, ToSchema)]
pub(super) struct NewShare {
    share: ShareView,
    /// Relative to this server's address. It is shown this once.
    link: String,
}

/// What stands in a link.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SharedForm {
    /// The secret of the link.
    #[serde(default)]
    token: String,
}

/// A report as its link shows it. There is neither a transcript nor a recording in it.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SharedReport {
    /// The candidate's name.
    name: String,
    /// The role it is about.
    role: String,
    /// What the interview was.
    title: String,
    /// When it began, in milliseconds since 1970.
    started_at: Option<u64>,
    /// Until when the link works, in milliseconds since 1970.
    expires_at: i64,
    report: Report,
    /// What was decided, where the link shows that.
    decision: Option<DecisionView>,
    /// The recruiters' notes, where the link shows them.
    notes: Vec<NoteView>,
}

/// The links to the report of an interview, the newest first, those that work no more too.
#[utoipa::path(
    get, path = "/api/interviews/{id}/shares", operation_id = "listShares", params(("id" = String, Path)),
    responses(
        (status = 200, body = Vec<ShareView>),
        (status = 404, body = Problem, description = "There is no such interview"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn list_shares(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
) -> Result<Json<Vec<ShareView>>, Problem> {
    shared.find(&id).await?;
    Ok(Json(shared.database.shares(&id).await?.into_iter().map(ShareView::from).collect()))
}

/// Makes a link to the report of an interview that is over.
#[utoipa::path(
    post, path = "/api/interviews/{id}/shares", operation_id = "shareReport", params(("id" = String, Path)),
    request_body = ShareForm,
    responses(
        (status = 201, body = NewShare),
        (status = 404, body = Problem, description = "There is no such interview"),
        (status = 409, body = Problem, description = "It is not over, or too many links to it work"),
        (status = 422, body = Problem, description = "Fields have to be mended"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn share_report(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Path(id): Path<String>,
    Body(form): Body<ShareForm>,
) -> Result<(StatusCode, Json<NewShare>), Problem> {
    let found = shared.find(&id).await?;
    if !DAYS.contains(&form.days) {
        let message = "A link works for 1, 7 or 30 days. Choose one of them.".to_owned();
        return Err(Problem::of_fields(vec![FieldProblem { field: "days".to_owned(), message }]));
    }
    shared.reindex(found.id).await?;
    let row = shared.database.indexed(&id).await?.ok_or_else(super::no_interview)?;
    if !StateView::from(row.state).is_over() {
        let message = "This interview is not over: there is no report to share yet.";
        return Err(Problem::new(StatusCode::CONFLICT, message));
    }
    let shares = shared.database.shares(&id).await?;
    if shares.iter().filter(|share| why_not(share).is_none()).count() >= SHARES_MAX {
        let message =
            format!("{SHARES_MAX} links to this report work already. Take one back first.");
        return Err(Problem::new(StatusCode::CONFLICT, message));
    }
    let lifetime = i64::from(form.days) * DAY_MS;
    let share = new_id();
    let what = if form.with_decision { "with the decision" } else { "without the decision" };
    let detail = match form.days {
        1 => format!("1 day, {what}, {share}"),
        days => format!("{days} days, {what}, {share}"),
    };
    let database = shared.by(&who, Act::SharedReport, &id, &detail);
    let made = database.make_share_as(share, &id, form.with_decision, who.name(), lifetime);
    let (share, token) = made.await?;
    // Behind the # it is sent to no server, and stands in no log.
    Ok((StatusCode::CREATED, Json(NewShare { share: share.into(), link: format!("/s#{token}") })))
}

/// Takes a link back: it shows nothing any more.
#[utoipa::path(
    delete, path = "/api/interviews/{id}/shares/{share}", operation_id = "revokeShare",
    params(("id" = String, Path), ("share" = String, Path)),
    responses(
        (status = 204),
        (status = 404, body = Problem, description = "There is no such link"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn revoke_share(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Path((id, share)): Path<(String, String)>,
) -> Result<StatusCode, Problem> {
    let database = shared.by(&who, Act::TookShareBack, &id, &share);
    if !database.revoke_share(&id, &share).await? {
        let message = "There is no such link, or it was taken back already.";
        return Err(Problem::new(StatusCode::NOT_FOUND, message));
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Shows the report of a link. Whoever has the link needs no account.
#[utoipa::path(
    post, path = "/api/shared", operation_id = "readShared", request_body = SharedForm,
    responses(
        (status = 200, body = SharedReport),
        (status = 404, body = Problem, description = "The link is not one of ours"),
        (status = 410, body = Problem, description = "Its time is over, or it was taken back"),
        (status = 429, body = Problem, description = "It was read too often in a short time"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn read_shared(
    State(shared): State<Arc<Shared>>,
    Extension(assessor): Extension<Arc<Assessor>>,
    Body(SharedForm { token }): Body<SharedForm>,
) -> Result<Json<SharedReport>, Problem> {
    let unknown = || {
        let message =
            "This link does not work. Check that all of it was copied, or ask for a new one.";
        Problem::new(StatusCode::NOT_FOUND, message)
    };
    let share = shared.database.share(token.trim()).await?.ok_or_else(unknown)?;
    if let Some(why) = why_not(&share) {
        return Err(Problem::new(StatusCode::GONE, why));
    }
    if !shared.live.limits.allows_shared(&share.id) {
        let message =
            "This report was opened too often in a short time. Wait a minute, then try again.";
        return Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, message));
    }
    let of = shared.find(&share.interview).await.map_err(|_| unknown())?;
    let row = shared.database.indexed(&share.interview).await?.ok_or_else(unknown)?;
    let report = report(&shared, &assessor, &of, false).await?;
    let (decision, notes) = match share.with_decision {
        true => {
            (Some(shared.decision(&share.interview).await?), shared.notes(&share.interview).await?)
        }
        false => (None, Vec::new()),
    };
    let deed = Deed {
        actor: Actor::system("a shared link"),
        act: Act::ReadReport,
        object: share.interview.clone(),
        detail: share.id.clone(),
    };
    shared.database.recording([deed]).share_viewed(&share.id).await?;
    let (name, details) = InterviewRow::from(row).into_parts();
    Ok(Json(SharedReport {
        name,
        role: details.role,
        title: details.title,
        started_at: details.started_at,
        expires_at: share.expires_at,
        report,
        decision,
        notes,
    }))
}

/// Why a link shows nothing any more.
fn why_not(share: &database::Share) -> Option<&'static str> {
    let now = i64::try_from(unix_millis()).unwrap_or(i64::MAX);
    match share.revoked_at {
        Some(_) => Some("This link was taken back: ask whoever sent it for a new one."),
        None if now >= share.expires_at => {
            Some("The time of this link is over: ask whoever sent it for a new one.")
        }
        None => None,
    }
}

impl From<database::Share> for ShareView {
    fn from(share: database::Share) -> Self {
        let database::Share { id, with_decision, made_by, made_at, expires_at, .. } = share;
        let database::Share { revoked_at, views, viewed_at, .. } = share;
        Self { id, with_decision, made_by, made_at, expires_at, revoked_at, views, viewed_at }
    }
}
