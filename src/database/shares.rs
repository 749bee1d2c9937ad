use sqlx::{FromRow, Row, any::AnyRow};

use super::{Database, DatabaseError, new_id, new_token, now, tokens::hash};

/// A link with which somebody without an account reads a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// Its id.
    pub id: String,
    /// The interview whose report it shows.
    pub interview: String,
    /// Whether it shows decision and notes, too.
    pub with_decision: bool,
    /// Who made it.
    pub made_by: String,
    /// In milliseconds since 1970.
    pub made_at: i64,
    /// Until when it works, in milliseconds since 1970.
    pub expires_at: i64,
    /// When it was taken back, if it was.
    pub revoked_at: Option<i64>,
    /// How often the report was read with it.
    pub views: i64,
    /// When that was last.
    pub viewed_at: Option<i64>,
}

impl Database {
    /// Makes a link to a report; the token is kept as a hash only.
    pub async fn make_share(
        &self,
        interview: &str,
        with_decision: bool,
        made_by: &str,
        lifetime_ms: i64,
    ) -> Result<(Share, String), DatabaseError> {
        self.make_share_as(new_id(), interview, with_decision, made_by, lifetime_ms).await
    }

    /// The same with this id.
    pub async fn make_share_as(
        &self,
        id: String,
        interview: &str,
        with_decision: bool,
        made_by: &str,
        lifetime_ms: i64,
    ) -> Result<(Share, String), DatabaseError> {
        let (token, made_at) = (new_token(), now());
        let share = Share {
            id,
            interview: interview.to_owned(),
            with_decision,
            made_by: made_by.to_owned(),
            made_at,
            expires_at: made_at.saturating_add(lifetime_ms),
            revoked_at: None,
            views: 0,
            viewed_at: None,
        };
        let query = "INSERT INTO shares \
                     (id, interview, token_hash, with_decision, made_by, made_at, expires_at, views) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7, 0)";
        let query = sqlx::query(query).bind(&share.id).bind(interview).bind(hash(&token));
        let query = query.bind(i64::from(with_decision)).bind(made_by).bind(made_at);
        let mut transaction = self.begin().await?;
        query.bind(share.expires_at).execute(&mut *transaction).await?;
        self.record(&mut transaction, &share.id).await?;
        transaction.commit().await?;
        Ok((share, token))
    }

    /// The links to the report of an interview, the newest first, those that work no more too.
    pub async fn shares(&self, interview: &str) -> Result<Vec<Share>, DatabaseError> {
        let query = "SELECT * FROM shares WHERE interview = $1 ORDER BY made_at DESC, id";
        Ok(sqlx::query_as(query).bind(interview).fetch_all(self.pool().await?).await?)
    }

    /// The link of a token, also one that works no more.
    pub async fn share(&self, token: &str) -> Result<Option<Share>, DatabaseError> {
        let query = sqlx::query_as("SELECT * FROM shares WHERE token_hash = $1").bind(hash(token));
        Ok(query.fetch_optional(self.pool().await?).await?)
    }

    /// Takes a link back; false when there is none that could be.
    pub async fn revoke_share(&self, interview: &str, id: &str) -> Result<bool, DatabaseError> {
        let query = "UPDATE shares SET revoked_at = $1 \
                     WHERE id = $2 AND interview = $3 AND revoked_at IS NULL";
        let query = sqlx::query(query).bind(now()).bind(id).bind(interview);
        let mut transaction = self.begin().await?;
        let revoked = query.execute(&mut *transaction).await?.rows_affected() > 0;
        if revoked {
            self.record(&mut transaction, interview).await?;
        }
        transaction.commit().await?;
        Ok(revoked)
    }

    /// Counts that a report was read with a link.
    pub async fn share_viewed(&self, id: &str) -> Result<(), DatabaseError> {
        let query =
            sqlx::query("UPDATE shares SET views = views + 1, viewed_at = $1 WHERE id = $2");
        let mut transaction = self.begin().await?;
        query.bind(now()).bind(id).execute(&mut *transaction).await?;
        self.record(&mut transaction, id).await?;
        Ok(transaction.commit().await?)
    }
}

impl FromRow<'_, AnyRow> for Share {
    fn from_row(row: &AnyRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: row.try_get("id")?,
            interview: row.try_get("interview")?,
            with_decision: row.try_get::<i64, _>("with_decision")? != 0,
            made_by: row.try_get("made_by")?,
            made_at: row.try_get("made_at")?,
            expires_at: row.try_get("expires_at")?,
            revoked_at: row.try_get("revoked_at")?,
            views: row.try_get("views")?,
            viewed_at: row.try_get("viewed_at")?,
        })
    }
}
