//! The API with which admins register webhooks and look at what was sent.

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Event, reach, signature::new_secret, test};
use crate::{
    database::{self, Act, DeliveryState, PARTNER},
    web::{
        Shared,
        problem::{Body, FieldProblem, Problem},
        who::Who,
    },
};

const WEBHOOKS_MAX: usize = 20;
/// So many of the last messages are shown.
const DELIVERIES_MAX: i64 = 50;

/// An address of another program that is told of what happens.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Webhook)]
pub(in crate::web) struct WebhookView {
    id: String,
    url: String,
    events: Vec<Event>,
    /// Whether nothing is sent to it.
    disabled: bool,
    /// In milliseconds since 1970.
    created_at: i64,
}

/// A webhook that is added.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::web) struct WebhookForm {
    /// Where messages go: http or https.
    #[serde(default)]
    url: String,
    /// What it is told of; at least one.
    #[serde(default)]
    events: Vec<Event>,
}

/// What changes about a webhook.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::web) struct WebhookChange {
    /// What it is told of; at least one.
    events: Option<Vec<Event>>,
    /// Whether nothing is sent to it.
    disabled: Option<bool>,
}

/// A new webhook.
#[derive(Serialize, ToSchema)]
pub(in crate::web) struct NewWebhook {
    webhook: WebhookView,
    /// What messages are signed with. It is shown this once.
    secret: String,
}

/// A message to a webhook.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Delivery)]
pub(in crate::web) struct DeliveryView {
    /// Its id: `webhook-id`, the same in each try.
    id: String,
    /// The event's name.
    event: String,
    /// The interview that it is about; may be empty.
    interview: String,
    /// What is sent.
    body: String,
    state: DeliveryStateView,
    /// In milliseconds since 1970.
    made_at: i64,
    /// When it is tried next; nothing where it is not.
    next_at: Option<i64>,
    /// Its tries, the oldest first.
    tries: Vec<TryView>,
}

/// How far a message is.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = DeliveryState)]
enum DeliveryStateView {
    /// It is tried, again if need be.
    Waiting,
    /// It was taken.
    Delivered,
    /// It was given up.
    Failed,
}

/// A try to deliver a message.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DeliveryTry)]
struct TryView {
    /// In milliseconds since 1970.
    at: i64,
    /// The status of the answer; nothing where none came.
    status: Option<i64>,
    /// The first 500 bytes of the answer, or why none came.
    answer: String,
}

/// All webhooks, the oldest first.
#[utoipa::path(get, path = "/api/webhooks", operation_id = "listWebhooks", responses(
    (status = 200, body = Vec<WebhookView>),
    (status = "default", body = Problem),
))]
pub(in crate::web) async fn list_webhooks(
    State(shared): State<Arc<Shared>>,
) -> Result<Json<Vec<WebhookView>>, Problem> {
    Ok(Json(shared.database.webhooks().await?.into_iter().map(WebhookView::from).collect()))
}

/// Adds a webhook.
#[utoipa::path(
    post, path = "/api/webhooks", operation_id = "addWebhook", request_body = WebhookForm,
    responses(
        (status = 201, body = NewWebhook),
        (status = 409, body = Problem, description = "There are as many as there may be"),
        (status = 422, body = Problem, description = "Fields have to be mended"),
        (status = "default", body = Problem),
    ),
)]
pub(in crate::web) async fn add_webhook(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Body(form): Body<WebhookForm>,
) -> Result<(StatusCode, Json<NewWebhook>), Problem> {
    if shared.database.webhooks().await?.len() >= WEBHOOKS_MAX {
        let message = format!("There are {WEBHOOKS_MAX} webhooks, which are the most. Remove one.");
        return Err(Problem::new(StatusCode::CONFLICT, message));
    }
    let mut problems = Vec::new();
    let to_private = shared.site.outside.to_private;
    let url = reach::check_and_look_up(&form.url, to_private).await.map_err(|message| {
        problems.push(FieldProblem { field: "url".to_owned(), message });
    });
    let events = chosen(&form.events).map_err(|problem| problems.push(problem));
    let (Ok(url), Ok(events)) = (url, events) else { return Err(Problem::of_fields(problems)) };
    let secret = new_secret();
    let database = shared.by(&who, Act::AddedWebhook, "", url.host_str().unwrap_or_default());
    let made = database.make_webhook(url.as_str(), &events, &secret).await?;
    Ok((StatusCode::CREATED, Json(NewWebhook { webhook: made.into(), secret })))
}

/// Changes what a webhook is told of, and whether it is told of anything.
#[utoipa::path(
    patch, path = "/api/webhooks/{id}", operation_id = "changeWebhook", request_body = WebhookChange,
    params(("id" = String, Path)),
    responses(
        (status = 200, body = WebhookView),
        (status = 404, body = Problem, description = "There is no such webhook"),
        (status = 422, body = Problem, description = "Fields have to be mended"),
        (status = "default", body = Problem),
    ),
)]
pub(in crate::web) async fn change_webhook(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Path(id): Path<String>,
    Body(change): Body<WebhookChange>,
) -> Result<Json<WebhookView>, Problem> {
    let webhook = shared.database.webhook(&id).await?.ok_or_else(no_webhook)?;
    let events = match change.events {
        Some(events) => chosen(&events).map_err(|problem| Problem::of_fields(vec![problem]))?,
        None => webhook.events.clone(),
    };
    let disabled = change.disabled.unwrap_or(webhook.disabled);
    let now = if disabled { "disabled" } else { &events };
    let database = shared.by(&who, Act::ChangedWebhook, &id, now);
    database.change_webhook(&id, &events, disabled).await?;
    Ok(Json(database::Webhook { events, disabled, ..webhook }.into()))
}

/// Removes a webhook with its messages; nothing is sent to it any more.
#[utoipa::path(
    delete, path = "/api/webhooks/{id}", operation_id = "removeWebhook", params(("id" = String, Path)),
    responses(
        (status = 204),
        (status = 404, body = Problem, description = "There is no such webhook"),
        (status = "default", body = Problem),
    ),
)]
pub(in crate::web) async fn remove_webhook(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    let database = shared.by(&who, Act::RemovedWebhook, &id, "");
    if id == PARTNER || !database.remove_webhook(&id).await? {
        return Err(no_webhook());
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Sends a message `webhook.test`, whatever events the webhook wants.
#[utoipa::path(
    post, path = "/api/webhooks/{id}/test", operation_id = "testWebhook", params(("id" = String, Path)),
    responses(
        (status = 204),
        (status = 404, body = Problem, description = "There is no such webhook"),
        (status = 409, body = Problem, description = "The webhook is disabled"),
        (status = "default", body = Problem),
    ),
)]
pub(in crate::web) async fn test_webhook(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    let webhook = shared.database.webhook(&id).await?.ok_or_else(no_webhook)?;
    if webhook.disabled {
        let message = "This webhook is disabled. Enable it, then send the test.";
        return Err(Problem::new(StatusCode::CONFLICT, message));
    }
    shared.by(&who, Act::TestedWebhook, &id, "").tell_one(&id, &test()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The last messages to a webhook with their tries, the newest first. The id `partner` stands for the
/// messages to applicant tracking systems that have ordered interviews.
#[utoipa::path(
    get, path = "/api/webhooks/{id}/deliveries", operation_id = "listDeliveries",
    params(("id" = String, Path)),
    responses(
        (status = 200, body = Vec<DeliveryView>),
        (status = 404, body = Problem, description = "There is no such webhook"),
        (status = "default", body = Problem),
    ),
)]
pub(in crate::web) async fn list_deliveries(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
) -> Result<Json<Vec<DeliveryView>>, Problem> {
    if id != PARTNER {
        shared.database.webhook(&id).await?.ok_or_else(no_webhook)?;
    }
    let deliveries = shared.database.deliveries(&id, DELIVERIES_MAX).await?;
    let mut tries: BTreeMap<String, Vec<TryView>> = BTreeMap::new();
    for database::Try { delivery, at, status, answer } in
        shared.database.tries(&id, DELIVERIES_MAX).await?
    {
        tries.entry(delivery).or_default().push(TryView { at, status, answer });
    }
    let view = |one: database::Delivery| DeliveryView {
        tries: tries.remove(&one.id).unwrap_or_default(),
        id: one.id,
        event: one.event,
        interview: one.interview,
        body: one.body,
        state: one.state.into(),
        made_at: one.made_at,
        next_at: one.next_at,
    };
    Ok(Json(deliveries.into_iter().map(view).collect()))
}

/// Sends a message again, with the same id.
#[utoipa::path(
    post, path = "/api/webhooks/{id}/deliveries/{delivery}/again", operation_id = "sendAgain",
    params(("id" = String, Path), ("delivery" = String, Path)),
    responses(
        (status = 204),
        (status = 404, body = Problem, description = "There is no such message"),
        (status = "default", body = Problem),
    ),
)]
pub(in crate::web) async fn send_again(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Path((id, delivery)): Path<(String, String)>,
) -> Result<StatusCode, Problem> {
    let database = shared.by(&who, Act::SentAgain, &id, &delivery);
    if !database.send_again(&id, &delivery).await? {
        return Err(Problem::new(StatusCode::NOT_FOUND, "There is no such message."));
    }
    Ok(StatusCode::NO_CONTENT)
}

/// The names of events as they are kept.
fn chosen(events: &[Event]) -> Result<String, FieldProblem> {
    if events.is_empty() {
        let message = "Choose an event at least.".to_owned();
        return Err(FieldProblem { field: "events".to_owned(), message });
    }
    let names = Event::ALL.into_iter().filter(|event| events.contains(event)).map(Event::name);
    Ok(names.collect::<Vec<_>>().join(" "))
}

fn no_webhook() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "There is no such webhook.")
}

impl From<database::Webhook> for WebhookView {
    fn from(webhook: database::Webhook) -> Self {
        let database::Webhook { id, url, events, disabled, created_at, .. } = webhook;
        let is_wanted = |event: &Event| events.split(' ').any(|name| name == event.name());
        let events = Event::ALL.into_iter().filter(is_wanted).collect();
        Self { id, url, events, disabled, created_at }
    }
}

impl From<DeliveryState> for DeliveryStateView {
    fn from(state: DeliveryState) -> Self {
        match state {
            DeliveryState::Waiting => Self::Waiting,
            DeliveryState::Delivered => Self::Delivered,
            DeliveryState::Failed => Self::Failed,
        }
    }
}
