//! The database: accounts, openings, decisions, the audit trail, and an index of the interviews.
//!
//! It is a SQLite file in the data folder, or PostgreSQL where `data.url` names one. Both run the same
//! statements, so each is written in the SQL that both read; sqlx's compile-time check knows one
//! database only, so the tests run every statement on both instead. What was said is in it where
//! `data.interviews` says so ([`KeptInterviews`]), else in files; the index of the interviews can be made
//! from there at any time.

mod accounts;
mod acts;
mod attempts;
mod audit;
mod blueprints;
mod chain;
mod decisions;
mod dump;
mod identities;
mod integrity;
mod interviews;
mod kept;
mod levels;
mod mails;
mod openings;
mod shares;
#[cfg(test)]
mod tests;
mod tokens;
mod trail;
mod webhooks;

use std::{
    fmt,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering::Relaxed},
    },
    time::Duration,
};

use sqlx::{
    Any, AnyPool, Transaction,
    any::AnyPoolOptions,
    migrate::{MigrateError, Migrator},
};
use tokio::sync::OnceCell;

use crate::clock::unix_millis;

pub use accounts::{Account, ApiKey, KEY_PREFIX, NewAccount, Role};
pub use acts::Act;
pub use attempts::{ATTEMPTS_MAX, Attempt, AttemptsSoFar};
pub use audit::{Actor, ActorKind, AuditRow, Deed, noting};
pub use blueprints::{BlueprintVersion, BlueprintVersionBrief, NewBlueprintVersion};
pub use chain::{Chain, ChainFault};
pub use decisions::{CandidateWord, Decision, NewDecision, Note, Receipt, WordKind};
pub use dump::RestoreError;
pub use identities::BegunSignIn;
pub use integrity::Noted;
pub use interviews::{Beside, Indexed, Needs, OpeningCounts, Purpose, Query, Sort, State};
pub use kept::KeptInterviews;
pub use levels::PersonsLevel;
pub use mails::{Appointment, Mail, MailBrief, MailKind, MailState, NewMail, ToRemind};
pub use openings::{NotSaved, Opening, OpeningState};
pub use shares::Share;
pub use tokens::{new_id, new_token};
pub use trail::{About, DeedQuery, ListedDeed};
pub use webhooks::{Delivery, DeliveryState, Message, PARTNER, Try, Webhook};

static MIGRATIONS: Migrator = sqlx::migrate!("src/database/migrations");

/// The file of the SQLite database in the data folder.
pub const SQLITE_FILE: &str = "vivavoce.db";

const CONNECTIONS_MAX: u32 = 8;
/// What is written within one millisecond goes ahead of the clock by this at most.
const AHEAD_MS_MAX: i64 = 1_000;
/// So long a request waits for a free connection, and the first one for the database to answer.
const WAIT_LIMIT: Duration = Duration::from_secs(5);

/// The database, opened and brought up to date when it is used first.
#[derive(Clone)]
pub struct Database {
    url: String,
    is_sqlite: bool,
    pool: Arc<OnceCell<AnyPool>>,
    /// What the next change is written into the audit trail as, together with it.
    deeds: Arc<[Deed]>,
}

/// Why the database did not do it.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// It refused a statement, or is gone.
    #[error("the database failed: {0}")]
    Failed(#[from] sqlx::Error),
    /// It cannot be opened.
    #[error("the database {url} cannot be opened: {why}; look at `data.url` and `data.dir`")]
    Unreachable {
        /// Where it is, without a password.
        url: String,
        /// What it said.
        why: sqlx::Error,
    },
    /// Its tables could not be brought up to date.
    #[error(
        "the tables of the database {url} could not be brought up to date: {why}{}",
        newer(why)
    )]
    Migration {
        /// Where it is, without a password.
        url: String,
        /// What it said.
        why: MigrateError,
    },
}

/// A statement that writes, with what it writes.
type Written<'a> = sqlx::query::Query<'a, Any, <Any as sqlx::Database>::Arguments>;

impl Database {
    /// The database of a data folder: the one that `url` names, or a file in the folder where that is
    /// empty. Nothing is opened yet.
    pub fn new(url: &str, data: &Path) -> Self {
        sqlx::any::install_default_drivers();
        let is_sqlite = url.is_empty();
        let url = match is_sqlite {
            true => format!("sqlite://{}?mode=rwc", data.join(SQLITE_FILE).display()),
            false => url.to_owned(),
        };
        Self { url, is_sqlite, pool: Arc::default(), deeds: Arc::default() }
    }

    /// Opens it and brings its tables up to date, unless that was done before.
    pub async fn open(&self) -> Result<(), DatabaseError> {
        self.pool().await.map(drop)
    }

    /// Whether it is the file in the data folder.
    pub fn is_sqlite(&self) -> bool {
        self.is_sqlite
    }

    async fn pool(&self) -> Result<&AnyPool, DatabaseError> {
        self.pool.get_or_try_init(|| self.connect()).await
    }

    async fn connect(&self) -> Result<AnyPool, DatabaseError> {
        let is_sqlite = self.is_sqlite;
        let options = AnyPoolOptions::new()
            .max_connections(CONNECTIONS_MAX)
            .acquire_timeout(WAIT_LIMIT)
            .after_connect(move |connection, _| {
                Box::pin(async move {
                    if is_sqlite {
                        sqlx::raw_sql(PRAGMAS).execute(connection).await?;
                    }
                    Ok(())
                })
            });
        let pool = options
            .connect(&self.url)
            .await
            .map_err(|why| DatabaseError::Unreachable { url: self.shown_url(), why })?;
        MIGRATIONS
            .run(&pool)
            .await
            .map_err(|why| DatabaseError::Migration { url: self.shown_url(), why })?;
        self.chain_what_is_not(&pool).await?;
        Ok(pool)
    }

    /// Begins a transaction that writes: on SQLite it waits for other writers at its begin, where
    /// waiting works.
    async fn begin(&self) -> Result<Transaction<'static, Any>, DatabaseError> {
        let begin = if self.is_sqlite { "BEGIN IMMEDIATE" } else { "BEGIN" };
        Ok(self.pool().await?.begin_with(begin).await?)
    }

    /// Begins a transaction that reads everything as it is at one moment.
    async fn begin_reading(&self) -> Result<Transaction<'static, Any>, DatabaseError> {
        let begin = match self.is_sqlite {
            true => "BEGIN",
            false => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        };
        Ok(self.pool().await?.begin_with(begin).await?)
    }

    /// Takes entries of the audit trail into its chain that an older program has written.
    async fn chain_what_is_not(&self, pool: &AnyPool) -> Result<(), DatabaseError> {
        let query = "SELECT COUNT(*) FROM audit WHERE number IS NULL";
        let count: i64 = sqlx::query_scalar(query).fetch_one(pool).await?;
        if count == 0 {
            return Ok(());
        }
        let begin = if self.is_sqlite { "BEGIN IMMEDIATE" } else { "BEGIN" };
        let mut transaction = pool.begin_with(begin).await?;
        // On PostgreSQL two programs that start at once would both do it.
        if !self.is_sqlite {
            sqlx::query("LOCK TABLE audit IN EXCLUSIVE MODE").execute(&mut *transaction).await?;
        }
        chain::take_in(&mut transaction).await?;
        Ok(transaction.commit().await?)
    }

    /// Its address without a password.
    fn shown_url(&self) -> String {
        match url::Url::parse(&self.url) {
            Ok(mut url) => {
                let _ = url.set_password(None);
                url.to_string()
            }
            Err(_) => "of `data.url`".to_owned(),
        }
    }
}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Database").field("url", &self.shown_url()).finish_non_exhaustive()
    }
}

/// Readers and one writer work side by side; a writer waits 5 s for another one; a commit is on disk
/// when it is told.
const PRAGMAS: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000; \
                       PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON;";

/// Now, as the tables have it: later than the last time that it was asked, so that what a process writes one
/// after the other is in that order.
fn now() -> i64 {
    static LAST: AtomicI64 = AtomicI64::new(0);
    let now = i64::try_from(unix_millis()).unwrap_or(i64::MAX);
    // A clock that was set back is followed.
    let after = |last: i64| match last.saturating_sub(now) < AHEAD_MS_MAX {
        true => now.max(last.saturating_add(1)),
        false => now,
    };
    let last = LAST.fetch_update(Relaxed, Relaxed, |last| Some(after(last)));
    last.map_or(now, after)
}

fn newer(why: &MigrateError) -> &'static str {
    match why {
        MigrateError::VersionMissing(_) => {
            "; a newer program has used it: take that one, or restore a backup from before"
        }
        _ => "",
    }
}
