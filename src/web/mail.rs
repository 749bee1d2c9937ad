//! Mail about an interview: what was sent, a proposed time, and "send again".

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Shared,
    launch::problem,
    problem::{Body, FieldProblem, Problem},
    row::{MailKindView, MailStateView, StateView},
    who::Who,
};
use crate::{
    clock::unix_millis,
    database::{Act, Database, Mail, MailKind, MailState, NewMail},
    store::{InterviewId, Launch},
};

const DAY_MS: u64 = 24 * 3_600_000;
/// A time may be proposed for a year ahead.
const AHEAD_MAX_MS: u64 = 366 * DAY_MS;
/// Mails to one candidate within a day, so that a press too many does no harm.
const MAILS_A_DAY_MAX: usize = 10;
const ZONE_CHARS_MAX: usize = 64;

/// Mail about an interview.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = InterviewMail)]
pub(super) struct MailView {
    /// Whether this server sends mail.
    is_on: bool,
    /// Whether the candidate's address is known.
    has_address: bool,
    /// The proposed time, in milliseconds since 1970.
    appointment: Option<i64>,
    /// All mails, the newest first.
    mails: Vec<MailEntry>,
}

/// A mail to a candidate.
#[derive(Debug, Serialize, ToSchema)]
struct MailEntry {
    kind: MailKindView,
    state: MailStateView,
    /// When it was asked for, in milliseconds since 1970.
    made_at: i64,
    /// When it was sent or given up.
    done_at: Option<i64>,
    /// When it is tried next, while it waits.
    due_at: Option<i64>,
    /// Why it was not sent; may be empty.
    problem: String,
}

/// An invitation is sent by mail.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct MailForm {
    /// The time zone in which the mail tells times, such as Europe/Berlin; empty: UTC.
    zone: String,
}

/// A time is proposed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AppointmentForm {
    /// In milliseconds since 1970.
    at: i64,
    /// The time zone in which the candidate reads it, such as Europe/Berlin; empty: UTC.
    #[serde(default)]
    zone: String,
}

/// The mails about an interview, and the proposed time.
#[utoipa::path(
    get, path = "/api/interviews/{id}/mail", operation_id = "getMail", params(("id" = String, Path)),
    responses(
        (status = 200, body = MailView),
        (status = 404, body = Problem, description = "There is no such interview"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn get_mail(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
) -> Result<Json<MailView>, Problem> {
    shared.find(&id).await?;
    shared.mail_view(&id).await.map(Json)
}

/// Sends the invitation by mail, or sends it again, with a link of its own. It waits in a queue.
#[utoipa::path(
    post, path = "/api/interviews/{id}/mail", operation_id = "sendMail", params(("id" = String, Path)),
    request_body = MailForm,
    responses(
        (status = 202, body = MailView),
        (status = 404, body = Problem, description = "There is no such interview"),
        (status = 409, body = Problem, description = "No mail is sent here, there is no address, or it has \
            begun"),
        (status = 429, body = Problem, description = "Too many mails to one candidate"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn send_mail(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Path(id): Path<String>,
    Body(form): Body<MailForm>,
) -> Result<(StatusCode, Json<MailView>), Problem> {
    shared.invited(&id).await?;
    let mut problems = Vec::new();
    check_zone(&mut problems, &form.zone);
    if !problems.is_empty() {
        return Err(Problem::of_fields(problems));
    }
    if shared.site.services.mail.is_none() {
        return Err(Problem::new(StatusCode::CONFLICT, NO_MAIL));
    }
    if !shared.has_address(&id).await? {
        let message =
            "The candidate's e-mail address is not known. Copy the link and send it yourself.";
        return Err(Problem::new(StatusCode::CONFLICT, message));
    }
    shared.check_mails_a_day(&id).await?;
    let database = shared.by(&who, Act::SentInvitation, &id, "");
    shared.queue(&database, &id, MailKind::Invitation, &form.zone).await?;
    Ok((StatusCode::ACCEPTED, Json(shared.mail_view(&id).await?)))
}

/// Proposes a time, or another one. The link works until a day after it at least; a candidate who was
/// invited by mail is told.
#[utoipa::path(
    put, path = "/api/interviews/{id}/appointment", operation_id = "setAppointment",
    params(("id" = String, Path)), request_body = AppointmentForm,
    responses(
        (status = 200, body = MailView),
        (status = 404, body = Problem, description = "There is no such interview"),
        (status = 409, body = Problem, description = "It has begun, or was not launched here"),
        (status = 422, body = Problem, description = "Fields have to be mended"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn set_appointment(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Path(id): Path<String>,
    Body(form): Body<AppointmentForm>,
) -> Result<Json<MailView>, Problem> {
    let found = shared.invited(&id).await?;
    let mut problems = Vec::new();
    check_zone(&mut problems, &form.zone);
    let at = checked_time(&mut problems, "at", form.at);
    if !problems.is_empty() {
        return Err(Problem::of_fields(problems));
    }
    shared.check_mails_a_day(&id).await?;
    {
        let _one_after_another = shared.live.links.lock().await;
        let launch = shared.store.launch(found).await?.ok_or_else(super::no_interview)?;
        let expires_at = launch.expires_at.max(link_end(at));
        if expires_at != launch.expires_at {
            shared.store.relaunch(found, &Launch { expires_at, ..launch }).await?;
        }
    }
    let database = shared.by(&who, Act::ProposedTime, &id, "");
    if database.set_appointment(&id, form.at, &form.zone).await? {
        shared.tell_if_mailed(&id, MailKind::Moved, &form.zone).await?;
    }
    shared.reindex(found).await?;
    shared.tell_of(&id).await?;
    shared.mail_view(&id).await.map(Json)
}

/// Takes the proposed time back; the link works on. A candidate who was invited by mail is told.
#[utoipa::path(
    delete, path = "/api/interviews/{id}/appointment", operation_id = "takeBackAppointment",
    params(("id" = String, Path)),
    responses(
        (status = 200, body = MailView),
        (status = 404, body = Problem, description = "There is no such interview, or no proposed time"),
        (status = 409, body = Problem, description = "It has begun, or was not launched here"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn take_back_appointment(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Path(id): Path<String>,
) -> Result<Json<MailView>, Problem> {
    shared.invited(&id).await?;
    if !shared.call_off(&shared.by(&who, Act::TookTimeBack, &id, ""), &id).await? {
        return Err(Problem::new(StatusCode::NOT_FOUND, "No time is proposed for this interview."));
    }
    shared.tell_of(&id).await?;
    shared.mail_view(&id).await.map(Json)
}

/// What the candidates of a list are sent.
#[derive(Clone, Debug, Default)]
pub(super) struct Sending {
    /// Whether their invitation goes out by mail.
    pub(super) by_mail: bool,
    /// The time zone in which they read times.
    pub(super) zone: String,
    /// The proposed time, in milliseconds since 1970.
    pub(super) appointment: Option<i64>,
}

impl Sending {
    /// What is wrong with it is added to the problems.
    pub(super) fn check(&self, problems: &mut Vec<FieldProblem>, shared: &Shared) {
        check_zone(problems, &self.zone);
        if let Some(at) = self.appointment {
            checked_time(problems, "appointment", at);
        }
        if self.by_mail && shared.site.services.mail.is_none() {
            problem(problems, "by_mail", NO_MAIL.to_owned());
        }
    }

    /// Until when a link works at least.
    pub(super) fn link_end(&self) -> u64 {
        self.appointment.and_then(|at| u64::try_from(at).ok()).map_or(0, link_end)
    }

    /// Does it for a new interview.
    pub(super) async fn send(&self, shared: &Shared, id: &str) -> Result<(), Problem> {
        if let Some(at) = self.appointment {
            shared.database.set_appointment(id, at, &self.zone).await?;
        }
        if self.by_mail {
            shared.queue(&shared.database, id, MailKind::Invitation, &self.zone).await?;
        } else if self.appointment.is_some() {
            shared.tell_of(id).await?;
        }
        Ok(())
    }
}

const NO_MAIL: &str = "This server sends no mail: whoever runs it can set mail.server. Copy the link and \
    send it yourself.";

fn link_end(at: u64) -> u64 {
    at.saturating_add(DAY_MS)
}

fn checked_time(problems: &mut Vec<FieldProblem>, field: &str, at: i64) -> u64 {
    let now = unix_millis();
    let at = u64::try_from(at).unwrap_or(0);
    if at <= now {
        problem(problems, field, "This time is over. Choose one that is still to come.".to_owned());
    } else if at - now > AHEAD_MAX_MS {
        problem(problems, field, "Choose a time within the next twelve months.".to_owned());
    }
    at
}

fn check_zone(problems: &mut Vec<FieldProblem>, zone: &str) {
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_+-/".contains(c);
    if zone.len() > ZONE_CHARS_MAX || !zone.chars().all(is_name) {
        problem(problems, "zone", "This is no time zone. Write it as Europe/Berlin.".to_owned());
    }
}

impl Shared {
    /// An interview that nobody has come to yet.
    async fn invited(&self, id: &str) -> Result<InterviewId, Problem> {
        let found = self.find(id).await?.id;
        self.reindex(found).await?;
        let state = self.database.indexed(id).await?.map(|row| StateView::from(row.state));
        let is_ours = self.store.launch(found).await?.is_some();
        match state {
            Some(StateView::Invited) if is_ours => Ok(found),
            Some(StateView::Expired | StateView::Cancelled) => Err(Problem::new(
                StatusCode::CONFLICT,
                "The link of this invitation works no more. Make a new link first.",
            )),
            Some(_) | None => Err(Problem::new(
                StatusCode::CONFLICT,
                "This interview has begun, or was not launched here: there is nobody to invite.",
            )),
        }
    }

    async fn has_address(&self, id: &str) -> Result<bool, Problem> {
        Ok(self.database.indexed(id).await?.is_some_and(|row| !row.email.is_empty()))
    }

    async fn check_mails_a_day(&self, id: &str) -> Result<(), Problem> {
        let since = i64::try_from(unix_millis().saturating_sub(DAY_MS)).unwrap_or(0);
        let mails = self.database.mails(id).await?;
        if mails.iter().filter(|mail| mail.made_at > since).count() < MAILS_A_DAY_MAX {
            return Ok(());
        }
        let message = format!(
            "This candidate was sent {MAILS_A_DAY_MAX} mails within a day. Wait until tomorrow, or write \
             yourself."
        );
        Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, message))
    }

    /// Puts a mail into the queue.
    async fn queue(
        &self,
        database: &Database,
        id: &str,
        kind: MailKind,
        zone: &str,
    ) -> Result<(), Problem> {
        let mail = NewMail { interview: id, kind, zone, about_at: None };
        database.queue_mail(mail).await?;
        self.tell_of(id).await?;
        self.live.mail.notify_one();
        Ok(())
    }

    /// Tells a candidate of a change who knows of the invitation by mail. One that still waits to be sent
    /// tells it anyway.
    async fn tell_if_mailed(&self, id: &str, kind: MailKind, zone: &str) -> Result<(), Problem> {
        let is_told = |mail: &Mail| {
            matches!(mail.kind, MailKind::Invitation | MailKind::Moved)
                && mail.state == MailState::Sent
        };
        let mails = self.database.mails(id).await?;
        let waits =
            |mail: &Mail| mail.kind == MailKind::Invitation && mail.state == MailState::Waiting;
        let is_on = self.site.services.mail.is_some();
        if is_on && mails.iter().any(is_told) && !mails.iter().any(waits) {
            self.queue(&self.database, id, kind, zone).await?;
        }
        Ok(())
    }

    /// Takes a proposed time back, and tells a candidate who knows of it; false when there is none.
    pub(super) async fn call_off(&self, database: &Database, id: &str) -> Result<bool, Problem> {
        let appointment = self.database.appointment(id).await?;
        if !database.take_back_appointment(id).await? {
            return Ok(false);
        }
        let zone = appointment.map(|appointment| appointment.zone).unwrap_or_default();
        self.tell_if_mailed(id, MailKind::CalledOff, &zone).await?;
        Ok(true)
    }

    /// Tells a candidate that their invitation was taken back, where they know of it by mail.
    pub(super) async fn withdraw(&self, id: &str) -> Result<(), Problem> {
        let appointment = self.database.appointment(id).await?;
        self.database.take_back_appointment(id).await?;
        let zone = appointment.map(|appointment| appointment.zone).unwrap_or_default();
        self.tell_if_mailed(id, MailKind::CalledOff, &zone).await
    }

    async fn mail_view(&self, id: &str) -> Result<MailView, Problem> {
        let appointment = self.database.appointment(id).await?.filter(|it| !it.taken_back);
        Ok(MailView {
            is_on: self.site.services.mail.is_some(),
            has_address: self.has_address(id).await?,
            appointment: appointment.map(|appointment| appointment.at),
            mails: self.database.mails(id).await?.into_iter().map(MailEntry::from).collect(),
        })
    }
}

impl From<Mail> for MailEntry {
    fn from(mail: Mail) -> Self {
        let waits = mail.state == MailState::Waiting;
        Self {
            kind: mail.kind.into(),
            state: mail.state.into(),
            made_at: mail.made_at,
            done_at: mail.done_at,
            due_at: waits.then_some(mail.due_at),
            problem: mail.problem,
        }
    }
}
