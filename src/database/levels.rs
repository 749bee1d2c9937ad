//! Levels of criteria that people give, in place of what a model says or where there is none.

use sqlx::FromRow;

use super::{Database, DatabaseError, now};

/// A level that a person gave.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct PersonsLevel {
    /// The criterion, by its name.
    pub criterion: String,
    /// From 1 to 5.
    pub level: i64,
    /// Who gave it.
    pub given_by: String,
}

impl Database {
    /// Gives a criterion of an interview a level, in place of the one that somebody gave before.
    pub async fn give_level(
        &self,
        interview: &str,
        given: &PersonsLevel,
    ) -> Result<(), DatabaseError> {
        let query = "INSERT INTO levels (interview, criterion, level, given_by, at) \
                     VALUES ($1, $2, $3, $4, $5) \
                     ON CONFLICT (interview, criterion) DO UPDATE SET level = excluded.level, \
                     given_by = excluded.given_by, at = excluded.at";
        let query = sqlx::query(query).bind(interview).bind(&given.criterion).bind(given.level);
        let mut transaction = self.begin().await?;
        query.bind(&given.given_by).bind(now()).execute(&mut *transaction).await?;
        self.record(&mut transaction, interview).await?;
        Ok(transaction.commit().await?)
    }

    /// Takes back the level that somebody gave a criterion.
    pub async fn take_level_back(
        &self,
        interview: &str,
        criterion: &str,
    ) -> Result<(), DatabaseError> {
        let query = sqlx::query("DELETE FROM levels WHERE interview = $1 AND criterion = $2");
        let mut transaction = self.begin().await?;
        query.bind(interview).bind(criterion).execute(&mut *transaction).await?;
        self.record(&mut transaction, interview).await?;
        Ok(transaction.commit().await?)
    }

    /// The levels that people gave in an interview.
    pub async fn levels(&self, interview: &str) -> Result<Vec<PersonsLevel>, DatabaseError> {
        let query = "SELECT criterion, level, given_by FROM levels WHERE interview = $1 \
                     ORDER BY criterion";
        Ok(sqlx::query_as(query).bind(interview).fetch_all(self.pool().await?).await?)
    }
}
