//! The audit trail: who did what, when. Entries are only added, each chained to the one before by its hash
//! ([`super::chain`] checks that).

use std::cell::RefCell;

use serde_json::json;
use sha2::{Digest, Sha256};
use sqlx::{Any, AnyConnection, FromRow, Row, Transaction, any::AnyRow};

use super::{Database, DatabaseError, acts::Act, new_id, now};

/// Who does something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ActorKind {
    /// Somebody with an account.
    Person,
    /// A program with a key.
    Key,
    /// Whoever has a candidate's link; their id is that of the interview.
    Candidate,
    /// The server itself, or somebody whom it does not know.
    System,
    /// One of an entry from before the kinds were kept.
    Unknown,
}

impl ActorKind {
    const ALL: [Self; 5] = [Self::Person, Self::Key, Self::Candidate, Self::System, Self::Unknown];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Key => "key",
            Self::Candidate => "candidate",
            Self::System => "system",
            Self::Unknown => "unknown",
        }
    }

    /// The kind of a name; what is not known is unknown.
    pub fn of_name(name: &str) -> Self {
        Self::ALL.into_iter().find(|kind| kind.name() == name).unwrap_or(Self::Unknown)
    }
}

/// Who did something: two may have one name, so kind and id say who it was.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Actor {
    /// What they are.
    pub kind: ActorKind,
    /// The id of the account, the key or the candidate's interview; else empty.
    pub id: String,
    /// What they were called then; never a candidate's name.
    pub name: String,
}

impl Actor {
    /// The server itself, as `name` says.
    pub fn system(name: &str) -> Self {
        Self { kind: ActorKind::System, id: String::new(), name: name.to_owned() }
    }

    /// The candidate of an interview.
    pub fn candidate(interview: &str) -> Self {
        let (id, name) = (interview.to_owned(), "the candidate".to_owned());
        Self { kind: ActorKind::Candidate, id, name }
    }
}

/// Something that was done, for the audit trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deed {
    /// Who did it.
    pub actor: Actor,
    /// What was done.
    pub act: Act,
    /// To what: an id. What makes something new fills it in.
    pub object: String,
    /// More about it, in words; never a candidate's name or words.
    pub detail: String,
}

impl Deed {
    /// What whoever makes their own account does: its id is filled in when it is made.
    pub fn of_new_account(act: Act, name: &str, detail: &str) -> Self {
        let actor = Actor { kind: ActorKind::Person, id: String::new(), name: name.to_owned() };
        Self { actor, act, object: String::new(), detail: detail.to_owned() }
    }
}

/// An entry of the audit trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditRow {
    /// Its place in the chain, from 1.
    pub number: i64,
    /// Its id.
    pub id: String,
    /// In milliseconds since 1970.
    pub at: i64,
    /// Who did it.
    pub actor: Actor,
    /// The deed's name; empty where it has none any more.
    pub deed: String,
    /// What was done, in words.
    pub what: String,
    /// To what: an id.
    pub object: String,
    /// More about it, in words.
    pub detail: String,
    /// The SHA-256 of the hash before and of this entry's content, in hex.
    pub hash: String,
}

/// What a candidate says again within this time stands in the trail once.
const SAID_ONCE_IN_MS: i64 = 3_600_000;

tokio::task_local! {
    /// What this task has written into the trail.
    static WRITTEN: RefCell<Vec<Act>>;
}

/// Runs a task, and says which deeds it has written into the audit trail, or left out as they stand there
/// already.
pub async fn noting<T>(task: impl Future<Output = T>) -> (T, Vec<Act>) {
    let noted = async {
        let done = task.await;
        (done, WRITTEN.with(RefCell::take))
    };
    WRITTEN.scope(RefCell::default(), noted).await
}

fn note(act: Act) {
    // Outside of a request nobody asks.
    let _ = WRITTEN.try_with(|written| written.borrow_mut().push(act));
}

impl Database {
    /// The same database, whose next change is written together with these deeds in one transaction: both
    /// or neither. It is for one change; a deed without an object gets the id of what the change makes.
    pub fn recording(&self, deeds: impl IntoIterator<Item = Deed>) -> Self {
        Self { deeds: deeds.into_iter().collect(), ..self.clone() }
    }

    /// Writes the deeds of this change at the end of its transaction: whoever holds the end of the chain
    /// waits for nothing else.
    pub(super) async fn record(
        &self,
        transaction: &mut Transaction<'_, Any>,
        object: &str,
    ) -> Result<(), DatabaseError> {
        for deed in &*self.deeds {
            let mut deed = deed.clone();
            if deed.object.is_empty() {
                object.clone_into(&mut deed.object);
            }
            // Whoever makes their own account.
            if deed.actor.kind == ActorKind::Person && deed.actor.id.is_empty() {
                object.clone_into(&mut deed.actor.id);
            }
            // A link is no account: whoever has it could write without end.
            let by_link = deed.actor.kind == ActorKind::Candidate;
            if by_link && is_there(transaction, &deed, SAID_ONCE_IN_MS).await? {
                note(deed.act);
                continue;
            }
            append(transaction, &deed).await?;
        }
        Ok(())
    }

    /// Writes an entry of the audit trail where there is no transaction that it belongs to.
    pub async fn audit(&self, deed: Deed) -> Result<(), DatabaseError> {
        let mut transaction = self.begin().await?;
        append(&mut transaction, &deed).await?;
        Ok(transaction.commit().await?)
    }

    /// The same, unless this actor's same deed to the same object is in the trail from within this time.
    pub async fn audit_once_in(&self, within_ms: i64, deed: Deed) -> Result<(), DatabaseError> {
        // Most often it is there: then nothing is written, and nobody waits.
        let mut connection = self.pool().await?.acquire().await?;
        let is_there = is_there(&mut connection, &deed, within_ms).await?;
        drop(connection);
        if is_there {
            note(deed.act);
            return Ok(());
        }
        self.audit(deed).await
    }
}

/// Whether this actor's same deed to the same object is in the trail from within this time.
async fn is_there(
    connection: &mut AnyConnection,
    deed: &Deed,
    within_ms: i64,
) -> Result<bool, DatabaseError> {
    let query = "SELECT COUNT(*) FROM audit WHERE actor_id = $1 AND deed = $2 AND object = $3 \
                 AND at > $4 AND detail = $5 AND actor_kind = $6";
    let query = sqlx::query_scalar(query).bind(&deed.actor.id).bind(deed.act.name());
    let query = query.bind(&deed.object).bind(now().saturating_sub(within_ms));
    let query = query.bind(&deed.detail).bind(deed.actor.kind.name());
    let count: i64 = query.fetch_one(connection).await?;
    Ok(count > 0)
}

/// Adds an entry to the end of the chain.
pub(super) async fn append(
    transaction: &mut Transaction<'_, Any>,
    deed: &Deed,
) -> Result<(), DatabaseError> {
    let (number, before) = next(transaction).await?;
    let mut row = AuditRow {
        number,
        id: new_id(),
        at: now(),
        actor: deed.actor.clone(),
        deed: deed.act.name().to_owned(),
        what: deed.act.words().to_owned(),
        object: deed.object.clone(),
        detail: deed.detail.clone(),
        hash: String::new(),
    };
    row.hash = row.hash_after(&before);
    let query = "INSERT INTO audit (id, at, who, what, object, detail, actor_kind, actor_id, deed, \
                 number, hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    let query = sqlx::query(query).bind(&row.id).bind(row.at).bind(&row.actor.name);
    let query = query.bind(&row.what).bind(&row.object).bind(&row.detail);
    let query = query.bind(row.actor.kind.name()).bind(&row.actor.id).bind(&row.deed);
    query.bind(row.number).bind(&row.hash).execute(&mut **transaction).await?;
    set_head(transaction, &row.hash).await?;
    note(deed.act);
    Ok(())
}

/// Takes the next place in the chain, with the hash of the entry before. Others wait until this transaction
/// is over.
pub(super) async fn next(
    transaction: &mut Transaction<'_, Any>,
) -> Result<(i64, String), DatabaseError> {
    let query = "INSERT INTO audit_head (id, number, hash) VALUES (1, 1, '') \
                 ON CONFLICT (id) DO UPDATE SET number = audit_head.number + 1 RETURNING number, hash";
    Ok(sqlx::query_as(query).fetch_one(&mut **transaction).await?)
}

/// Sets the hash of the entry that the chain ends with.
pub(super) async fn set_head(
    transaction: &mut Transaction<'_, Any>,
    hash: &str,
) -> Result<(), DatabaseError> {
    let query = sqlx::query("UPDATE audit_head SET hash = $1 WHERE id = 1").bind(hash);
    query.execute(&mut **transaction).await?;
    Ok(())
}

impl AuditRow {
    /// The deed, where it has a name.
    pub fn act(&self) -> Option<Act> {
        Act::of_name(&self.deed)
    }

    /// The hash of this entry after the one with this hash: of that hash, a line end, and the entry's own
    /// content as a JSON array.
    pub fn hash_after(&self, before: &str) -> String {
        let Self { number, id, at, actor, deed, what, object, detail, .. } = self;
        let Actor { kind, id: actor_id, name } = actor;
        let content =
            json!([number, id, at, kind.name(), actor_id, name, deed, what, object, detail]);
        let digest = Sha256::digest(format!("{before}\n{content}").as_bytes());
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl FromRow<'_, AnyRow> for AuditRow {
    fn from_row(row: &AnyRow) -> Result<Self, sqlx::Error> {
        let kind: String = row.try_get("actor_kind")?;
        let actor = Actor {
            kind: ActorKind::of_name(&kind),
            id: row.try_get("actor_id")?,
            name: row.try_get("who")?,
        };
        Ok(Self {
            number: row.try_get::<Option<i64>, _>("number")?.unwrap_or(0),
            id: row.try_get("id")?,
            at: row.try_get("at")?,
            actor,
            deed: row.try_get("deed")?,
            what: row.try_get("what")?,
            object: row.try_get("object")?,
            detail: row.try_get("detail")?,
            hash: row.try_get("hash")?,
        })
    }
}
