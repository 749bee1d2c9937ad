use sqlx::FromRow;

use super::{Database, DatabaseError, now};

/// A version of a blueprint, as somebody saved it.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct BlueprintVersion {
    /// The blueprint's name.
    pub name: String,
    /// Counts its versions, from 1.
    pub number: i64,
    /// Pairs of a file's name and its text, as JSON.
    pub files: String,
    /// The name of the account or key.
    pub who: String,
    /// In milliseconds since 1970.
    pub made_at: i64,
    /// What was changed, in their words.
    pub note: String,
    /// The blueprint that it was made from as a copy; empty where there is none.
    pub based_on: String,
}

/// The same without its files.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct BlueprintVersionBrief {
    /// The blueprint's name.
    pub name: String,
    /// Counts its versions, from 1.
    pub number: i64,
    /// The name of the account or key.
    pub who: String,
    /// In milliseconds since 1970.
    pub made_at: i64,
    /// What was changed, in their words.
    pub note: String,
    /// The blueprint that it was made from as a copy; empty where there is none.
    pub based_on: String,
}

/// A version to be added.
#[derive(Clone, Debug)]
pub struct NewBlueprintVersion<'a> {
    /// The blueprint's name.
    pub name: &'a str,
    /// The version that it was made from; 0 for the folder's text, or for none.
    pub after: i64,
    /// Pairs of a file's name and its text, as JSON.
    pub files: &'a str,
    /// The name of the account or key.
    pub who: &'a str,
    /// What was changed.
    pub note: &'a str,
    /// The blueprint that it was made from as a copy; empty where there is none.
    pub based_on: &'a str,
}

impl Database {
    /// The newest version of each blueprint that has one, in the order of their names.
    pub async fn newest_blueprints(&self) -> Result<Vec<BlueprintVersionBrief>, DatabaseError> {
        let query = "SELECT v.name, v.number, v.who, v.made_at, v.note, v.based_on \
                     FROM blueprint_versions v WHERE v.number = \
                     (SELECT MAX(n.number) FROM blueprint_versions n WHERE n.name = v.name) \
                     ORDER BY v.name";
        Ok(sqlx::query_as(query).fetch_all(self.pool().await?).await?)
    }

    /// The versions of one blueprint, the newest first.
    pub async fn blueprint_versions(
        &self,
        name: &str,
    ) -> Result<Vec<BlueprintVersionBrief>, DatabaseError> {
        let query = "SELECT name, number, who, made_at, note, based_on FROM blueprint_versions \
                     WHERE name = $1 ORDER BY number DESC";
        Ok(sqlx::query_as(query).bind(name).fetch_all(self.pool().await?).await?)
    }

    /// One version of a blueprint.
    pub async fn blueprint_version(
        &self,
        name: &str,
        number: i64,
    ) -> Result<Option<BlueprintVersion>, DatabaseError> {
        let query = "SELECT * FROM blueprint_versions WHERE name = $1 AND number = $2";
        let query = sqlx::query_as(query).bind(name).bind(number);
        Ok(query.fetch_optional(self.pool().await?).await?)
    }

    /// Adds a version and returns its number; `None` if the newest one is another than it was made from. No
    /// version is ever changed or removed.
    pub async fn add_blueprint_version(
        &self,
        new: NewBlueprintVersion<'_>,
    ) -> Result<Option<i64>, DatabaseError> {
        let query = "SELECT COALESCE(MAX(number), 0) FROM blueprint_versions WHERE name = $1";
        let query = sqlx::query_scalar(query).bind(new.name);
        let newest: i64 = query.fetch_one(self.pool().await?).await?;
        if newest != new.after {
            return Ok(None);
        }
        let number = newest + 1;
        // Of two who come here at once the number lets one through.
        let query = "INSERT INTO blueprint_versions (name, number, files, who, made_at, note, based_on) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (name, number) DO NOTHING";
        let query = sqlx::query(query).bind(new.name).bind(number).bind(new.files).bind(new.who);
        let query = query.bind(now()).bind(new.note).bind(new.based_on);
        let mut transaction = self.begin().await?;
        let added = query.execute(&mut *transaction).await?.rows_affected() > 0;
        if added {
            self.record(&mut transaction, new.name).await?;
        }
        transaction.commit().await?;
        Ok(added.then_some(number))
    }
}
