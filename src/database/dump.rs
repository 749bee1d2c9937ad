//! Everything in the database as text, for backups: a line of JSON for each row. What SQLite gave
//! PostgreSQL takes, and the other way round.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sqlx::{AssertSqlSafe, Column, Row, TypeInfo, ValueRef, any::AnyRow};

use super::{Database, DatabaseError, chain};

/// All tables; each comes after those that it refers to.
const TABLES: &[&str] = &[
    "accounts",
    "password_links",
    "sessions",
    "api_keys",
    "audit",
    "audit_head",
    "openings",
    "interviews",
    "decisions",
    "levels",
    "notes",
    "candidate_words",
    "appointments",
    "mails",
    "identities",
    "oidc_sign_ins",
    "integrity",
    "receipts",
    "old_links",
    "kept_interviews",
    "journal_parts",
    "projections",
    "webhooks",
    "deliveries",
    "delivery_tries",
    "shares",
    "partner_tests",
    "blueprint_versions",
];

/// A row of a table.
#[derive(Debug, Serialize, Deserialize)]
struct DumpedRow {
    table: String,
    row: Map<String, Value>,
}

/// Why a dump was not taken back.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// The database refused.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Somebody uses the database already.
    #[error("the database is not empty: restore into an empty one, so that nothing is lost")]
    NotEmpty,
    /// The dump is not what this program writes.
    #[error("line {line} of the backup's database cannot be read: {why}")]
    Damaged {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
}

impl Database {
    /// Everything that is in it, at one moment.
    pub async fn dump(&self) -> Result<String, DatabaseError> {
        let mut transaction = self.begin_reading().await?;
        let mut text = String::new();
        for table in TABLES {
            let query = sqlx::query(AssertSqlSafe(format!("SELECT * FROM {table}")));
            for row in query.fetch_all(&mut *transaction).await? {
                let row = DumpedRow { table: (*table).to_owned(), row: values(&row)? };
                text += &serde_json::to_string(&row).expect("plain data serializes");
                text.push('\n');
            }
        }
        Ok(text)
    }

    /// Takes back what was dumped, all of it or nothing.
    pub async fn restore(&self, dump: &str) -> Result<(), RestoreError> {
        let mut transaction = self.begin().await?;
        for table in TABLES {
            let count = sqlx::query_scalar(AssertSqlSafe(format!("SELECT COUNT(*) FROM {table}")));
            let count: i64 =
                count.fetch_one(&mut *transaction).await.map_err(DatabaseError::from)?;
            if count > 0 {
                return Err(RestoreError::NotEmpty);
            }
        }
        for (n, line) in (1..).zip(dump.lines()) {
            let damaged = |why: String| RestoreError::Damaged { line: n, why };
            let DumpedRow { table, row } =
                serde_json::from_str(line).map_err(|why| damaged(why.to_string()))?;
            let is_name = |name: &String| name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
            if !TABLES.contains(&table.as_str()) || !row.keys().all(is_name) {
                return Err(damaged(format!("there is no table {table} with these columns")));
            }
            let columns: Vec<_> = row.keys().cloned().collect();
            let places: Vec<_> = (1..=columns.len()).map(|place| format!("${place}")).collect();
            let (columns, places) = (columns.join(", "), places.join(", "));
            let text = format!("INSERT INTO {table} ({columns}) VALUES ({places})");
            let mut query = sqlx::query(AssertSqlSafe(text));
            for value in row.values() {
                query = match value {
                    Value::Number(number) => query.bind(number.as_i64()),
                    Value::String(text) => query.bind(text.clone()),
                    Value::Null => query.bind(None::<String>),
                    Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
                        return Err(damaged("a value is neither text nor number".to_owned()));
                    }
                };
            }
            query.execute(&mut *transaction).await.map_err(|why| damaged(why.to_string()))?;
        }
        // A backup of an older program has no chain.
        chain::take_in(&mut transaction).await?;
        transaction.commit().await.map_err(DatabaseError::from)?;
        Ok(())
    }
}

/// The values of a row; those that are nothing are left out.
fn values(row: &AnyRow) -> Result<Map<String, Value>, sqlx::Error> {
    let mut values = Map::new();
    for column in row.columns() {
        let raw = row.try_get_raw(column.ordinal())?;
        if raw.is_null() {
            continue;
        }
        let is_text = raw.type_info().name() == "TEXT";
        let value = match is_text {
            true => Value::from(row.try_get::<String, _>(column.ordinal())?),
            false => Value::from(row.try_get::<i64, _>(column.ordinal())?),
        };
        values.insert(column.name().to_owned(), value);
    }
    Ok(values)
}
