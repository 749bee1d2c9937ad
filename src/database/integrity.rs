//! What a candidate's page told about leaving its tab and pasting: facts with times, and no score.

use sqlx::FromRow;

use super::{Database, DatabaseError, new_id, now};

/// A fact that a candidate's page told.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct Noted {
    /// `left`, `returned` or `pasted`.
    pub what: String,
    /// How many characters were pasted; nothing for the others.
    pub characters: Option<i64>,
    /// When it was told, in milliseconds since 1970.
    pub at: i64,
}

impl Database {
    /// Keeps a fact of an interview, unless there are `max` of it. Returns whether it is kept.
    pub async fn note_integrity(
        &self,
        interview: &str,
        what: &str,
        characters: Option<i64>,
        max: i64,
    ) -> Result<bool, DatabaseError> {
        let count = sqlx::query_scalar("SELECT COUNT(*) FROM integrity WHERE interview = $1");
        let count: i64 = count.bind(interview).fetch_one(self.pool().await?).await?;
        if count >= max {
            return Ok(false);
        }
        let query = "INSERT INTO integrity (id, interview, what, characters, at) \
                     VALUES ($1, $2, $3, $4, $5)";
        let query = sqlx::query(query).bind(new_id()).bind(interview).bind(what).bind(characters);
        query.bind(now()).execute(self.pool().await?).await?;
        Ok(true)
    }

    /// The facts of an interview, the oldest first.
    pub async fn integrity(&self, interview: &str) -> Result<Vec<Noted>, DatabaseError> {
        let query =
            "SELECT what, characters, at FROM integrity WHERE interview = $1 ORDER BY at, id";
        Ok(sqlx::query_as(query).bind(interview).fetch_all(self.pool().await?).await?)
    }
}
