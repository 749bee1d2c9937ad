//! Several interviews of one candidate for one opening.

use serde::Deserialize;
use sqlx::FromRow;

use super::{Database, DatabaseError};

/// Attempts that an opening can allow.
pub const ATTEMPTS_MAX: i64 = 5;

/// Which attempt of a candidate an interview is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attempt {
    /// The same for all attempts of the candidate.
    pub candidate: String,
    /// From 1; one that has the number of the one before it replaces one that used none up.
    pub number: i64,
    /// How many their opening allows; 1 without an opening.
    pub of: i64,
}

/// How many attempts of a candidate there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromRow)]
pub struct AttemptsSoFar {
    /// Those that have come to an end which is not our fault.
    pub used: i64,
    /// Those that may still begin, or go on.
    pub open: i64,
}

/// The states in which an attempt is used up. A technical end uses none up (C04), nor does a link that
/// nobody came to.
const USED: &str = "state IN ('completed', 'abandoned')";
const OPEN: &str = "state IN ('invited', 'waiting', 'in_progress', 'paused')";

/// The columns of an interview's row from which its [`Attempt`] is read.
pub(super) fn columns() -> String {
    format!(
        "COALESCE(candidate, id) AS of_candidate, (SELECT COUNT(*) FROM interviews earlier \
         WHERE earlier.candidate = interviews.candidate AND earlier.made_at < interviews.made_at \
         AND earlier.{USED}) AS used_before, \
         (SELECT attempts FROM openings WHERE openings.id = interviews.opening) AS attempts"
    )
}

/// How many attempts the form of an opening allows.
pub(super) fn allowed(form: &str) -> i64 {
    #[derive(Deserialize)]
    struct Form {
        attempts: Option<i64>,
    }
    let form = serde_json::from_str::<Form>(form).ok();
    form.and_then(|form| form.attempts).unwrap_or(1).clamp(1, ATTEMPTS_MAX)
}

impl Database {
    /// How many attempts the candidate of an interview has had, and whether one is open.
    pub async fn attempts_so_far(&self, candidate: &str) -> Result<AttemptsSoFar, DatabaseError> {
        let query = format!(
            "SELECT CAST(COALESCE(SUM(CASE WHEN {USED} THEN 1 ELSE 0 END), 0) AS BIGINT) AS used, \
             CAST(COALESCE(SUM(CASE WHEN {OPEN} THEN 1 ELSE 0 END), 0) AS BIGINT) AS open \
             FROM interviews WHERE candidate = $1 OR id = $1"
        );
        let query = sqlx::query_as(sqlx::AssertSqlSafe(query)).bind(candidate);
        Ok(query.fetch_one(self.pool().await?).await?)
    }

    /// Says that two interviews are of one candidate.
    pub async fn same_candidate(&self, candidate: &str, id: &str) -> Result<(), DatabaseError> {
        let query = "UPDATE interviews SET candidate = $1 WHERE id = $1 OR id = $2";
        let query = sqlx::query(query).bind(candidate).bind(id);
        query.execute(self.pool().await?).await?;
        Ok(())
    }
}
