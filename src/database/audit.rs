use sqlx::FromRow;

use super::{Database, DatabaseError, new_id, now};

/// An entry of the audit trail: who did what, when.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct AuditRow {
    /// Its id.
    pub id: String,
    /// In milliseconds since 1970.
    pub at: i64,
    /// The name of the account or key, or what else did it.
    pub who: String,
    /// What was done, in words.
    pub what: String,
    /// To what: an id.
    pub object: String,
    /// More about it, in words; never a person's name or words.
    pub detail: String,
}

/// Something that was done, for the audit trail.
#[derive(Clone, Copy, Debug)]
pub struct Deed<'a> {
    /// The name of the account or key.
    pub who: &'a str,
    /// What was done, in words.
    pub what: &'a str,
    /// To what: an id.
    pub object: &'a str,
    /// More about it, in words; never a candidate's name or words.
    pub detail: &'a str,
}

impl Database {
    /// Writes an entry of the audit trail. None is ever changed or removed.
    pub async fn audit(&self, deed: Deed<'_>) -> Result<(), DatabaseError> {
        let query =
            "INSERT INTO audit (id, at, who, what, object, detail) VALUES ($1, $2, $3, $4, $5, $6)";
        let query = sqlx::query(query).bind(new_id()).bind(now()).bind(deed.who).bind(deed.what);
        query.bind(deed.object).bind(deed.detail).execute(self.pool().await?).await?;
        Ok(())
    }

    /// The entries before a time, the newest first.
    pub async fn audited(&self, before: i64, max: i64) -> Result<Vec<AuditRow>, DatabaseError> {
        let query = "SELECT * FROM audit WHERE at < $1 ORDER BY at DESC, id LIMIT $2";
        let query = sqlx::query_as(query).bind(before).bind(max);
        Ok(query.fetch_all(self.pool().await?).await?)
    }
}
