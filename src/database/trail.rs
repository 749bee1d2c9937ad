//! What the audit trail is searched for, with the names of what its entries are about.

use sqlx::{FromRow, Row, any::AnyRow};

use super::{
    Database, DatabaseError,
    acts::Act,
    audit::{Actor, ActorKind, AuditRow},
};

/// So many people and programs can be chosen from.
const ACTORS_MAX: i64 = 500;

/// Which entries of the audit trail.
#[derive(Clone, Debug)]
pub struct DeedQuery {
    /// Whose: a person or a key by their id, all candidates together, anybody else by their name. Nothing for
    /// everybody's.
    pub actor: Option<Actor>,
    /// Which deed; nothing for all.
    pub act: Option<Act>,
    /// Not before this time, in milliseconds since 1970.
    pub from: i64,
    /// Before this time.
    pub before: i64,
    /// Those with a smaller number.
    pub below: i64,
    /// So many at most.
    pub max: i64,
}

impl Default for DeedQuery {
    fn default() -> Self {
        let (before, below, max) = (i64::MAX, i64::MAX, i64::MAX);
        Self { actor: None, act: None, from: 0, before, below, max }
    }
}

/// An entry of the audit trail, with what it is about where that is still there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedDeed {
    /// The entry.
    pub row: AuditRow,
    /// What it is about; nothing where that is gone.
    pub about: Option<About>,
}

/// What an entry of the audit trail is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About {
    /// An interview, by the candidate's name.
    Interview(String),
    /// An opening, by its form.
    Opening(String),
    /// An account, by its name.
    Account(String),
    /// A key, by its name.
    Key(String),
    /// A webhook, by its address.
    Webhook(String),
    /// A blueprint, by its name.
    Blueprint(String),
}

impl Database {
    /// Entries of the audit trail, the newest first.
    pub async fn deeds(&self, asked: &DeedQuery) -> Result<Vec<ListedDeed>, DatabaseError> {
        let (kind, id, name) = match &asked.actor {
            None => ("", "", ""),
            Some(actor) => match actor.kind {
                ActorKind::Person | ActorKind::Key => (actor.kind.name(), actor.id.as_str(), ""),
                ActorKind::Candidate => (actor.kind.name(), "", ""),
                ActorKind::System | ActorKind::Unknown => {
                    (actor.kind.name(), "", actor.name.as_str())
                }
            },
        };
        let query = "SELECT audit.*, i.name AS interview_name, o.form AS opening_form, \
                     c.name AS account_name, k.name AS key_name, w.url AS webhook_url, \
                     (SELECT MAX(b.name) FROM blueprint_versions b WHERE b.name = audit.object) \
                     AS blueprint_name FROM audit \
                     LEFT JOIN interviews i ON i.id = audit.object \
                     LEFT JOIN openings o ON o.id = audit.object \
                     LEFT JOIN accounts c ON c.id = audit.object \
                     LEFT JOIN api_keys k ON k.id = audit.object \
                     LEFT JOIN webhooks w ON w.id = audit.object \
                     WHERE ($1 = '' OR audit.actor_kind = $1) AND ($2 = '' OR audit.actor_id = $2) \
                     AND ($3 = '' OR audit.who = $3) AND ($4 = '' OR audit.deed = $4) \
                     AND audit.at >= $5 AND audit.at < $6 AND audit.number < $7 \
                     ORDER BY audit.number DESC LIMIT $8";
        let query = sqlx::query_as(query).bind(kind).bind(id).bind(name);
        let query = query.bind(asked.act.map_or("", Act::name)).bind(asked.from);
        let query = query.bind(asked.before).bind(asked.below).bind(asked.max);
        Ok(query.fetch_all(self.pool().await?).await?)
    }

    /// Who stands in the trail, each once by the name that they had last, in the order of their names;
    /// candidates together.
    pub async fn actors(&self) -> Result<Vec<Actor>, DatabaseError> {
        let query = "SELECT actor_kind, CASE WHEN actor_kind = 'candidate' THEN '' ELSE actor_id END \
                     AS of_actor, who, MAX(number) AS newest FROM audit \
                     GROUP BY actor_kind, of_actor, who ORDER BY newest LIMIT $1";
        let query = sqlx::query_as(query).bind(ACTORS_MAX);
        let found: Vec<(String, String, String, i64)> = query.fetch_all(self.pool().await?).await?;
        let mut actors: Vec<Actor> = Vec::new();
        for (kind, id, name, _) in found {
            let kind = ActorKind::of_name(&kind);
            if !id.is_empty() {
                actors.retain(|other| (other.kind, &other.id) != (kind, &id));
            }
            actors.push(Actor { kind, id, name });
        }
        actors.sort_by_key(|actor| (actor.name.to_lowercase(), actor.kind, actor.id.clone()));
        Ok(actors)
    }

    /// When the oldest entry was written; nothing in an empty trail.
    pub async fn oldest_deed(&self) -> Result<Option<i64>, DatabaseError> {
        let query = sqlx::query_scalar("SELECT MIN(at) FROM audit");
        Ok(query.fetch_one(self.pool().await?).await?)
    }
}

impl FromRow<'_, AnyRow> for ListedDeed {
    fn from_row(row: &AnyRow) -> Result<Self, sqlx::Error> {
        let text = |column: &str| row.try_get::<Option<String>, _>(column);
        let about = if let Some(name) = text("interview_name")? {
            Some(About::Interview(name))
        } else if let Some(form) = text("opening_form")? {
            Some(About::Opening(form))
        } else if let Some(name) = text("account_name")? {
            Some(About::Account(name))
        } else if let Some(name) = text("key_name")? {
            Some(About::Key(name))
        } else if let Some(url) = text("webhook_url")? {
            Some(About::Webhook(url))
        } else {
            text("blueprint_name")?.map(About::Blueprint)
        };
        Ok(Self { row: AuditRow::from_row(row)?, about })
    }
}
