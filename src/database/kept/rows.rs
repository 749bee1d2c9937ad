//! The rows of kept interviews: what all who read and write them need.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, UNIX_EPOCH},
};

use serde::{Serialize, de::DeserializeOwned};
use sqlx::{Any, AssertSqlSafe, Row, Transaction, any::AnyRow};
use tokio::sync::OnceCell;

use crate::{
    database::{Database, DatabaseError},
    store::{
        EXPIRES_AFTER, Holder, InterviewId, LeaseState, Listed, NoId, StoreError, TAKE_OVER_LIMIT,
    },
};

use super::pulse::{DEAD_AFTER, Pulse};

/// The interviews of a database.
#[derive(Clone, Debug)]
pub struct KeptInterviews {
    pub(super) database: Database,
    /// The data folder, where sound is and where interviews were before.
    pub(super) data: PathBuf,
    /// Whether those of the folder were taken in.
    pub(super) ready: Arc<OnceCell<()>>,
    /// That this process lives, for others to see.
    pub(super) pulse: Arc<Pulse>,
}

impl KeptInterviews {
    /// The interviews of a database. Nothing is opened yet; with the first use, those of the folder `data`
    /// are taken in.
    pub fn new(database: Database, data: &Path) -> Self {
        Self {
            database,
            data: data.to_owned(),
            ready: Arc::default(),
            pulse: Arc::new(Pulse::new()),
        }
    }

    /// Whether there is an interview of this id; [`StoreError::NotFound`] if not.
    pub(super) async fn exists(&self, id: InterviewId) -> Result<(), StoreError> {
        self.text("SELECT id FROM kept_interviews WHERE id = $1", id).await.map(drop)
    }

    /// A column of an interview's row.
    async fn text(
        &self,
        query: &'static str,
        id: InterviewId,
    ) -> Result<Option<String>, StoreError> {
        let pool = self.database.pool().await.map_err(failed)?;
        let row: Option<Option<String>> = sqlx::query_scalar(query)
            .bind(id.to_string())
            .fetch_optional(pool)
            .await
            .map_err(lost)?;
        row.ok_or(StoreError::NotFound { id })
    }

    pub(super) async fn document<T: DeserializeOwned>(
        &self,
        query: &'static str,
        id: InterviewId,
    ) -> Result<Option<T>, StoreError> {
        let Some(text) = self.text(query, id).await? else { return Ok(None) };
        serde_json::from_str(&text).map(Some).map_err(|why| damaged(id, &why.to_string()))
    }

    /// Changes an interview's row. Returns whether there was one that the query wanted.
    pub(super) async fn change(&self, query: Change<'_>) -> Result<bool, StoreError> {
        let pool = self.database.pool().await.map_err(failed)?;
        Ok(query.execute(pool).await.map_err(lost)?.rows_affected() > 0)
    }

    /// Begins a change by whoever holds an interview: nobody else changes its row until it ends.
    pub(super) async fn begin_held(
        &self,
        id: InterviewId,
        holder: &Holder,
    ) -> Result<Transaction<'static, Any>, StoreError> {
        let mut transaction = self.database.begin().await.map_err(failed)?;
        let query = "UPDATE kept_interviews SET holder = holder WHERE id = $1 AND holder = $2";
        let query = sqlx::query(query).bind(id.to_string()).bind(holder.to_string());
        match query.execute(&mut *transaction).await.map_err(lost)?.rows_affected() {
            0 => Err(StoreError::Lost),
            _ => Ok(transaction),
        }
    }

    /// The database's clock in milliseconds since 1970, as SQL.
    pub(super) fn clock(&self) -> &'static str {
        match self.database.is_sqlite() {
            true => "CAST(unixepoch('subsec') * 1000 AS BIGINT)",
            false => "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)",
        }
    }

    /// A condition that nobody alive holds the lease, as SQL.
    pub(super) fn is_free(&self) -> String {
        format!("(holder IS NULL OR {})", self.is_expired())
    }

    /// A condition that whoever holds the lease is dead, as SQL. That a process does not say that it lives
    /// counts only while this one could say so: of a database that was away nobody is dead.
    pub(super) fn is_expired(&self) -> String {
        let (clock, limit) = (self.clock(), EXPIRES_AFTER.as_millis());
        let is_old = format!("renewed_at < {clock} - {limit}");
        if !self.pulse.is_steady() {
            return format!("({is_old})");
        }
        let dead_after = DEAD_AFTER.as_millis();
        format!(
            "({is_old} OR EXISTS (SELECT 1 FROM processes AS theirs, processes AS ours \
             WHERE theirs.name = kept_interviews.process AND theirs.beaten_at < {clock} - {dead_after} \
             AND ours.name = '{}' AND ours.beaten_at >= {clock} - {dead_after}))",
            self.pulse.name()
        )
    }

    /// The journal's text.
    pub(super) async fn lines(&self, id: InterviewId) -> Result<String, StoreError> {
        let pool = self.database.pool().await.map_err(failed)?;
        let query =
            "SELECT lines FROM journal_parts WHERE interview = $1 AND aside = 0 ORDER BY place";
        let parts: Vec<String> =
            sqlx::query_scalar(query).bind(id.to_string()).fetch_all(pool).await.map_err(lost)?;
        Ok(parts.concat())
    }

    pub(super) async fn listed(&self, max: usize) -> Result<Vec<Listed>, StoreError> {
        let pool = self.database.pool().await.map_err(failed)?;
        let query = "SELECT id, made_at, journal_bytes, written_at FROM kept_interviews \
                     ORDER BY made_at DESC, id LIMIT $1";
        let max = i64::try_from(max).unwrap_or(i64::MAX);
        let rows = sqlx::query(query).bind(max).fetch_all(pool).await.map_err(lost)?;
        rows.iter().map(listed).collect()
    }

    pub(super) async fn found(&self, id: InterviewId) -> Result<Listed, StoreError> {
        let pool = self.database.pool().await.map_err(failed)?;
        let query =
            "SELECT id, made_at, journal_bytes, written_at FROM kept_interviews WHERE id = $1";
        let row =
            sqlx::query(query).bind(id.to_string()).fetch_optional(pool).await.map_err(lost)?;
        listed(&row.ok_or(StoreError::NotFound { id })?)
    }

    pub(super) async fn state(&self, id: InterviewId) -> Result<LeaseState, StoreError> {
        let pool = self.database.pool().await.map_err(failed)?;
        let (clock, is_expired) = (self.clock(), self.is_expired());
        let query = format!(
            "SELECT holder, {clock} - renewed_at AS age, CASE WHEN {is_expired} THEN 1 ELSE 0 END AS dead \
             FROM kept_interviews WHERE id = $1"
        );
        let query = sqlx::query(AssertSqlSafe(query)).bind(id.to_string());
        let row = query.fetch_optional(pool).await.map_err(lost)?;
        let row = row.ok_or(StoreError::NotFound { id })?;
        let holder: Option<String> = row.try_get("holder").map_err(lost)?;
        let age: i64 = row.try_get("age").map_err(lost)?;
        let is_dead = row.try_get::<i64, _>("dead").map_err(lost)? != 0;
        let limit =
            i64::try_from((EXPIRES_AFTER + TAKE_OVER_LIMIT).as_millis()).unwrap_or(i64::MAX);
        Ok(match holder {
            None => LeaseState::Free,
            Some(_) if age > limit => LeaseState::Abandoned,
            Some(_) if is_dead => LeaseState::Expired,
            Some(_) => LeaseState::Held,
        })
    }

    /// Interviews whose holder is dead, and not for so long that nobody goes on with them.
    pub(super) async fn left_behind(&self) -> Result<Vec<InterviewId>, StoreError> {
        let pool = self.database.pool().await.map_err(failed)?;
        let (clock, is_expired) = (self.clock(), self.is_expired());
        let limit = (EXPIRES_AFTER + TAKE_OVER_LIMIT).as_millis();
        let query = format!(
            "SELECT id FROM kept_interviews WHERE holder IS NOT NULL AND {is_expired} AND \
             renewed_at >= {clock} - {limit} ORDER BY renewed_at"
        );
        let query = sqlx::query_scalar(AssertSqlSafe(query));
        let ids: Vec<String> = query.fetch_all(pool).await.map_err(lost)?;
        ids.iter().map(|id| parsed(id)).collect()
    }

    /// Says that this process lives, and returns the database's time.
    pub(super) async fn beat(&self) -> Result<i64, StoreError> {
        let (pool, clock) = (self.database.pool().await.map_err(failed)?, self.clock());
        let query = format!(
            "INSERT INTO processes (name, beaten_at) VALUES ($1, {clock}) \
             ON CONFLICT (name) DO UPDATE SET beaten_at = excluded.beaten_at RETURNING beaten_at"
        );
        let query = sqlx::query_scalar(AssertSqlSafe(query)).bind(self.pulse.name().to_owned());
        query.fetch_one(pool).await.map_err(lost)
    }

    /// Removes processes that died long ago.
    pub(super) async fn forget_processes(&self) -> Result<(), StoreError> {
        let query = format!("DELETE FROM processes WHERE beaten_at < {} - 86400000", self.clock());
        self.change(sqlx::query(AssertSqlSafe(query))).await.map(drop)
    }
}

/// A statement that changes a row.
type Change<'a> = sqlx::query::Query<'a, Any, <Any as sqlx::Database>::Arguments>;

fn listed(row: &AnyRow) -> Result<Listed, StoreError> {
    let number = |name: &str| row.try_get::<i64, _>(name).map(|n| u64::try_from(n).unwrap_or(0));
    let id: String = row.try_get("id").map_err(lost)?;
    let bytes = number("journal_bytes").map_err(lost)?;
    let written_at = UNIX_EPOCH + Duration::from_millis(number("written_at").map_err(lost)?);
    Ok(Listed {
        id: parsed(&id)?,
        made_at: number("made_at").map_err(lost)?,
        journal: (bytes > 0).then_some((bytes, written_at)),
    })
}

pub(super) fn parsed(id: &str) -> Result<InterviewId, StoreError> {
    id.parse().map_err(|why: NoId| StoreError::Damaged {
        file: "kept_interviews".to_owned(),
        why: why.to_string(),
    })
}

pub(super) fn json(document: &impl Serialize) -> String {
    serde_json::to_string(document).expect("plain data serializes")
}

pub(super) fn damaged(id: InterviewId, why: &str) -> StoreError {
    StoreError::Damaged { file: format!("interview {id} in the database"), why: why.to_owned() }
}

/// The sentence of a statement that failed.
pub(super) fn lost(why: sqlx::Error) -> StoreError {
    failed(why.into())
}

pub(super) fn failed(why: DatabaseError) -> StoreError {
    StoreError::Database { why: Arc::new(why.to_string()) }
}
