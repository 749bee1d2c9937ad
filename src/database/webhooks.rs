//! Webhooks, and the messages to them: kept until they are delivered, so that a restart loses none.

use sqlx::{Any, FromRow, Row, Transaction, any::AnyRow};

use super::{Database, DatabaseError, new_id, now};

/// What stands in the place of a webhook for messages to applicant tracking systems.
pub const PARTNER: &str = "partner";
/// What the id of each message begins with.
const MESSAGE_PREFIX: &str = "msg_";

/// The address of another program that is told of what happens.
#[derive(Clone, PartialEq, Eq)]
pub struct Webhook {
    /// Its id.
    pub id: String,
    /// Where messages go.
    pub url: String,
    /// The names of the events that it is told of, with a space between.
    pub events: String,
    /// What messages are signed with.
    pub secret: String,
    /// Whether nothing is sent to it.
    pub disabled: bool,
    /// In milliseconds since 1970.
    pub created_at: i64,
}

/// Something that happened, for those who want to be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The event's name.
    pub event: String,
    /// What tells it from all others of this event: the same cause is told nobody twice.
    pub cause: String,
    /// The interview that it is about; may be empty.
    pub interview: String,
    /// What is sent.
    pub body: String,
    /// Whether an applicant tracking system that has ordered the interview is told, too.
    pub tells_partner: bool,
}

/// A message to one webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Its id, the same in each try.
    pub id: String,
    /// The webhook, or [`PARTNER`].
    pub webhook: String,
    /// Where it goes, if not to the webhook's address.
    pub url: String,
    /// The event's name.
    pub event: String,
    /// The interview that it is about; may be empty.
    pub interview: String,
    /// What is sent.
    pub body: String,
    /// How far it is.
    pub state: DeliveryState,
    /// In milliseconds since 1970.
    pub made_at: i64,
    /// How often it was tried since it was wanted.
    pub tries: i64,
    /// When it is tried next, in milliseconds since 1970.
    pub next_at: Option<i64>,
}

/// How far a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryState {
    /// It is tried, again if need be.
    Waiting,
    /// It was taken.
    Delivered,
    /// It was given up.
    Failed,
}

/// A try to deliver a message.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct Try {
    /// The message.
    pub delivery: String,
    /// In milliseconds since 1970.
    pub at: i64,
    /// The status of the answer; nothing where none came.
    pub status: Option<i64>,
    /// The beginning of the answer, or why none came.
    pub answer: String,
}

impl DeliveryState {
    const ALL: [Self; 3] = [Self::Waiting, Self::Delivered, Self::Failed];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Delivered => "delivered",
            Self::Failed => "failed",
        }
    }
}

impl Database {
    /// Adds a webhook.
    pub async fn make_webhook(
        &self,
        url: &str,
        events: &str,
        secret: &str,
    ) -> Result<Webhook, DatabaseError> {
        let (url, events, secret) = (url.to_owned(), events.to_owned(), secret.to_owned());
        let webhook =
            Webhook { id: new_id(), url, events, secret, disabled: false, created_at: now() };
        let query = "INSERT INTO webhooks (id, url, events, secret, disabled, created_at) \
                     VALUES ($1, $2, $3, $4, 0, $5)";
        let query = sqlx::query(query).bind(&webhook.id).bind(&webhook.url).bind(&webhook.events);
        let query = query.bind(&webhook.secret).bind(webhook.created_at);
        let mut transaction = self.begin().await?;
        query.execute(&mut *transaction).await?;
        self.record(&mut transaction, &webhook.id).await?;
        transaction.commit().await?;
        Ok(webhook)
    }

    /// All webhooks, the oldest first.
    pub async fn webhooks(&self) -> Result<Vec<Webhook>, DatabaseError> {
        let query = sqlx::query_as("SELECT * FROM webhooks ORDER BY created_at, id");
        Ok(query.fetch_all(self.pool().await?).await?)
    }

    /// The webhook of an id.
    pub async fn webhook(&self, id: &str) -> Result<Option<Webhook>, DatabaseError> {
        let query = sqlx::query_as("SELECT * FROM webhooks WHERE id = $1").bind(id);
        Ok(query.fetch_optional(self.pool().await?).await?)
    }

    /// Changes of which events a webhook is told, and whether of any.
    pub async fn change_webhook(
        &self,
        id: &str,
        events: &str,
        disabled: bool,
    ) -> Result<(), DatabaseError> {
        let query = sqlx::query("UPDATE webhooks SET events = $1, disabled = $2 WHERE id = $3");
        let query = query.bind(events).bind(i64::from(disabled)).bind(id);
        let mut transaction = self.begin().await?;
        query.execute(&mut *transaction).await?;
        self.record(&mut transaction, id).await?;
        Ok(transaction.commit().await?)
    }

    /// Removes a webhook with its messages; false when there is none.
    pub async fn remove_webhook(&self, id: &str) -> Result<bool, DatabaseError> {
        let mut transaction = self.begin().await?;
        for query in [
            "DELETE FROM delivery_tries WHERE delivery IN (SELECT id FROM deliveries WHERE webhook = $1)",
            "DELETE FROM deliveries WHERE webhook = $1",
        ] {
            sqlx::query(query).bind(id).execute(&mut *transaction).await?;
        }
        let query = sqlx::query("DELETE FROM webhooks WHERE id = $1").bind(id);
        let removed = query.execute(&mut *transaction).await?.rows_affected() > 0;
        if removed {
            self.record(&mut transaction, id).await?;
        }
        transaction.commit().await?;
        Ok(removed)
    }

    /// Whether anybody is told of what happens: a webhook, or a system that has ordered an interview.
    pub async fn tells_anybody(&self) -> Result<bool, DatabaseError> {
        let query = "SELECT (SELECT COUNT(*) FROM webhooks WHERE disabled = 0) + \
                     (SELECT COUNT(*) FROM partner_tests JOIN interviews ON interviews.id = \
                     partner_tests.interview WHERE state IN ('invited', 'waiting', 'in_progress', 'paused'))";
        let told: i64 = sqlx::query_scalar(query).fetch_one(self.pool().await?).await?;
        Ok(told > 0)
    }

    /// Keeps a message for each webhook that wants it.
    pub async fn tell(&self, message: &Message) -> Result<(), DatabaseError> {
        let mut transaction = self.begin().await?;
        tell(&mut transaction, message).await?;
        Ok(transaction.commit().await?)
    }

    /// Keeps a message for one webhook, whatever events it wants.
    pub async fn tell_one(&self, webhook: &str, message: &Message) -> Result<(), DatabaseError> {
        let mut transaction = self.begin().await?;
        add(&mut transaction, webhook, "", message).await?;
        self.record(&mut transaction, webhook).await?;
        Ok(transaction.commit().await?)
    }

    /// Messages that are to be tried now, those that wait longest first.
    pub async fn due(&self, max: i64) -> Result<Vec<Delivery>, DatabaseError> {
        let query = "SELECT * FROM deliveries WHERE next_at <= $1 AND (webhook = 'partner' OR EXISTS \
                     (SELECT 1 FROM webhooks WHERE id = webhook AND disabled = 0)) \
                     ORDER BY next_at, id LIMIT $2";
        let query = sqlx::query_as(query).bind(now()).bind(max);
        Ok(query.fetch_all(self.pool().await?).await?)
    }

    /// Takes a message that is due, for so long as a try may take; false when somebody else has.
    pub async fn take_delivery(&self, of: &Delivery, ms: i64) -> Result<bool, DatabaseError> {
        let query = "UPDATE deliveries SET next_at = $1 WHERE id = $2 AND next_at = $3";
        let query = sqlx::query(query).bind(now().saturating_add(ms)).bind(&of.id);
        let taken = query.bind(of.next_at).execute(self.pool().await?).await?;
        Ok(taken.rows_affected() > 0)
    }

    /// Tries a message later, without a try that counts.
    pub async fn postpone(&self, id: &str, ms: i64) -> Result<(), DatabaseError> {
        let query = sqlx::query("UPDATE deliveries SET next_at = $1 WHERE id = $2");
        let query = query.bind(now().saturating_add(ms)).bind(id);
        query.execute(self.pool().await?).await?;
        Ok(())
    }

    /// Notes a try: what came of it, and after how many milliseconds it is tried again, if it is.
    pub async fn tried(
        &self,
        one: &Try,
        state: DeliveryState,
        again_ms: Option<i64>,
    ) -> Result<(), DatabaseError> {
        let mut transaction = self.begin().await?;
        let query = "INSERT INTO delivery_tries (id, delivery, at, status, answer) \
                     VALUES ($1, $2, $3, $4, $5)";
        let query = sqlx::query(query).bind(new_id()).bind(&one.delivery).bind(one.at);
        query.bind(one.status).bind(&one.answer).execute(&mut *transaction).await?;
        let next_at = again_ms.map(|ms| now().saturating_add(ms));
        let query =
            "UPDATE deliveries SET state = $1, tries = tries + 1, next_at = $2 WHERE id = $3";
        let query = sqlx::query(query).bind(state.name()).bind(next_at).bind(&one.delivery);
        query.execute(&mut *transaction).await?;
        Ok(transaction.commit().await?)
    }

    /// The last messages to a webhook, the newest first.
    pub async fn deliveries(
        &self,
        webhook: &str,
        max: i64,
    ) -> Result<Vec<Delivery>, DatabaseError> {
        let query =
            "SELECT * FROM deliveries WHERE webhook = $1 ORDER BY made_at DESC, id LIMIT $2";
        let query = sqlx::query_as(query).bind(webhook).bind(max);
        Ok(query.fetch_all(self.pool().await?).await?)
    }

    /// The tries of these messages, the oldest first.
    pub async fn tries(&self, webhook: &str, max: i64) -> Result<Vec<Try>, DatabaseError> {
        let query = "SELECT delivery, at, status, answer FROM delivery_tries WHERE delivery IN \
                     (SELECT id FROM deliveries WHERE webhook = $1 ORDER BY made_at DESC, id LIMIT $2) \
                     ORDER BY at, id";
        let query = sqlx::query_as(query).bind(webhook).bind(max);
        Ok(query.fetch_all(self.pool().await?).await?)
    }

    /// Sends a message again, as if it had never been tried; false when there is none.
    pub async fn send_again(&self, webhook: &str, id: &str) -> Result<bool, DatabaseError> {
        let query = "UPDATE deliveries SET state = 'waiting', tries = 0, next_at = $1 \
                     WHERE id = $2 AND webhook = $3";
        let query = sqlx::query(query).bind(now()).bind(id).bind(webhook);
        let mut transaction = self.begin().await?;
        let found = query.execute(&mut *transaction).await?.rows_affected() > 0;
        if found {
            self.record(&mut transaction, webhook).await?;
        }
        transaction.commit().await?;
        Ok(found)
    }

    /// Forgets messages that were made before a time, whatever became of them.
    pub async fn forget_deliveries(&self, before: i64) -> Result<(), DatabaseError> {
        let mut transaction = self.begin().await?;
        for query in [
            "DELETE FROM delivery_tries WHERE delivery IN (SELECT id FROM deliveries WHERE made_at < $1)",
            "DELETE FROM deliveries WHERE made_at < $1",
        ] {
            sqlx::query(query).bind(before).execute(&mut *transaction).await?;
        }
        Ok(transaction.commit().await?)
    }

    /// Notes where an applicant tracking system is told of an interview's end; false when another
    /// interview has this address.
    pub async fn add_partner_test(
        &self,
        interview: &str,
        url: &str,
    ) -> Result<bool, DatabaseError> {
        let query = "INSERT INTO partner_tests (interview, url, made_at) VALUES ($1, $2, $3) \
                     ON CONFLICT (url) DO NOTHING";
        let query = sqlx::query(query).bind(interview).bind(url).bind(now());
        Ok(query.execute(self.pool().await?).await?.rows_affected() > 0)
    }

    /// The interview that an applicant tracking system has ordered with an address.
    pub async fn partner_test(&self, url: &str) -> Result<Option<String>, DatabaseError> {
        let query = sqlx::query_scalar("SELECT interview FROM partner_tests WHERE url = $1");
        Ok(query.bind(url).fetch_optional(self.pool().await?).await?)
    }

    /// Whether an applicant tracking system has ordered an interview.
    pub async fn is_partner_test(&self, interview: &str) -> Result<bool, DatabaseError> {
        let query = sqlx::query_scalar("SELECT COUNT(*) FROM partner_tests WHERE interview = $1");
        let found: i64 = query.bind(interview).fetch_one(self.pool().await?).await?;
        Ok(found > 0)
    }
}

/// Keeps a message for all who want it, within a change that it tells of.
pub(super) async fn tell(
    transaction: &mut Transaction<'static, Any>,
    message: &Message,
) -> Result<(), DatabaseError> {
    let query = sqlx::query_as("SELECT id, events FROM webhooks WHERE disabled = 0");
    let webhooks: Vec<(String, String)> = query.fetch_all(&mut **transaction).await?;
    for (webhook, events) in webhooks {
        if events.split(' ').any(|event| event == message.event) {
            add(transaction, &webhook, "", message).await?;
        }
    }
    if message.tells_partner {
        let query = sqlx::query_scalar("SELECT url FROM partner_tests WHERE interview = $1");
        let query = query.bind(&message.interview);
        let url: Option<String> = query.fetch_optional(&mut **transaction).await?;
        if let Some(url) = url {
            add(transaction, PARTNER, &url, message).await?;
        }
    }
    Ok(())
}

async fn add(
    transaction: &mut Transaction<'static, Any>,
    webhook: &str,
    url: &str,
    message: &Message,
) -> Result<(), DatabaseError> {
    let query = "INSERT INTO deliveries \
                 (id, webhook, url, event, cause, interview, body, state, made_at, tries, next_at) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7, 'waiting', $8, 0, $8) \
                 ON CONFLICT (webhook, event, cause) DO NOTHING";
    let id = format!("{MESSAGE_PREFIX}{}", new_id());
    let query = sqlx::query(query).bind(id).bind(webhook).bind(url).bind(&message.event);
    let query = query.bind(&message.cause).bind(&message.interview).bind(&message.body);
    query.bind(now()).execute(&mut **transaction).await?;
    Ok(())
}

impl FromRow<'_, AnyRow> for Webhook {
    fn from_row(row: &AnyRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: row.try_get("id")?,
            url: row.try_get("url")?,
            events: row.try_get("events")?,
            secret: row.try_get("secret")?,
            disabled: row.try_get::<i64, _>("disabled")? != 0,
            created_at: row.try_get("created_at")?,
        })
    }
}

impl FromRow<'_, AnyRow> for Delivery {
    fn from_row(row: &AnyRow) -> Result<Self, sqlx::Error> {
        let name: String = row.try_get("state")?;
        let state = DeliveryState::ALL.into_iter().find(|state| state.name() == name);
        Ok(Self {
            id: row.try_get("id")?,
            webhook: row.try_get("webhook")?,
            url: row.try_get("url")?,
            event: row.try_get("event")?,
            interview: row.try_get("interview")?,
            body: row.try_get("body")?,
            state: state
                .ok_or_else(|| sqlx::Error::Decode(format!("there is no state {name}").into()))?,
            made_at: row.try_get("made_at")?,
            tries: row.try_get("tries")?,
            next_at: row.try_get("next_at")?,
        })
    }
}

impl std::fmt::Debug for Webhook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Webhook").field("id", &self.id).finish_non_exhaustive()
    }
}
