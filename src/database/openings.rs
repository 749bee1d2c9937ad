use sqlx::{FromRow, Row, any::AnyRow};

use super::{Database, DatabaseError, attempts::allowed, new_id, now};

/// A role to fill, with what its interviews are about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Its id.
    pub id: String,
    /// Counts its changes, from 1.
    pub version: i64,
    /// Whether candidates are taken.
    pub state: OpeningState,
    /// What the recruiter has filled in, as JSON.
    pub form: String,
    /// In milliseconds since 1970.
    pub created_at: i64,
    /// The same.
    pub updated_at: i64,
}

/// Whether candidates are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpeningState {
    /// They are.
    Open,
    /// No more.
    Closed,
}

impl OpeningState {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Closed => "closed",
        }
    }
}

/// Why a change of an opening was not saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotSaved {
    /// There is no such opening.
    Gone,
    /// Somebody else has changed it since it was read.
    Changed,
}

impl Database {
    /// Makes an opening.
    pub async fn make_opening(&self, form: String) -> Result<Opening, DatabaseError> {
        let now = now();
        let state = OpeningState::Open;
        let opening =
            Opening { id: new_id(), version: 1, state, form, created_at: now, updated_at: now };
        let query = "INSERT INTO openings (id, version, state, form, created_at, updated_at, attempts) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7)";
        let query = sqlx::query(query).bind(&opening.id).bind(opening.version).bind(state.name());
        let query = query.bind(&opening.form).bind(opening.created_at).bind(opening.updated_at);
        let query = query.bind(allowed(&opening.form));
        let mut transaction = self.begin().await?;
        query.execute(&mut *transaction).await?;
        self.record(&mut transaction, &opening.id).await?;
        transaction.commit().await?;
        Ok(opening)
    }

    /// All openings, those changed last first.
    pub async fn openings(&self) -> Result<Vec<Opening>, DatabaseError> {
        let query = sqlx::query_as("SELECT * FROM openings ORDER BY updated_at DESC, id");
        Ok(query.fetch_all(self.pool().await?).await?)
    }

    /// The opening of an id.
    pub async fn opening(&self, id: &str) -> Result<Option<Opening>, DatabaseError> {
        let query = sqlx::query_as("SELECT * FROM openings WHERE id = $1").bind(id);
        Ok(query.fetch_optional(self.pool().await?).await?)
    }

    /// Saves what a recruiter has changed in the version that they read.
    pub async fn save_opening(
        &self,
        id: &str,
        version: i64,
        form: String,
    ) -> Result<Result<Opening, NotSaved>, DatabaseError> {
        let query = "UPDATE openings SET form = $1, version = version + 1, updated_at = $2, \
                     attempts = $3 WHERE id = $4 AND version = $5";
        let attempts = allowed(&form);
        let query = sqlx::query(query).bind(form).bind(now()).bind(attempts).bind(id).bind(version);
        let mut transaction = self.begin().await?;
        let saved = query.execute(&mut *transaction).await?.rows_affected() > 0;
        if saved {
            self.record(&mut transaction, id).await?;
        }
        transaction.commit().await?;
        Ok(match self.opening(id).await? {
            Some(opening) if saved => Ok(opening),
            Some(_) => Err(NotSaved::Changed),
            None => Err(NotSaved::Gone),
        })
    }

    /// Opens or closes one; `None` when there is none.
    pub async fn set_opening_state(
        &self,
        id: &str,
        state: OpeningState,
    ) -> Result<Option<Opening>, DatabaseError> {
        let query = sqlx::query("UPDATE openings SET state = $1, updated_at = $2 WHERE id = $3");
        let query = query.bind(state.name()).bind(now()).bind(id);
        let mut transaction = self.begin().await?;
        if query.execute(&mut *transaction).await?.rows_affected() > 0 {
            self.record(&mut transaction, id).await?;
        }
        transaction.commit().await?;
        self.opening(id).await
    }
}

impl FromRow<'_, AnyRow> for Opening {
    fn from_row(row: &AnyRow) -> Result<Self, sqlx::Error> {
        let state: String = row.try_get("state")?;
        Ok(Self {
            id: row.try_get("id")?,
            version: row.try_get("version")?,
            state: match state == OpeningState::Open.name() {
                true => OpeningState::Open,
                false => OpeningState::Closed,
            },
            form: row.try_get("form")?,
            created_at: row.try_get("created_at")?,
            updated_at: row.try_get("updated_at")?,
        })
    }
}
