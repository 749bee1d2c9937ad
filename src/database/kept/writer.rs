//! What writes the lines of one open journal.

use std::time::Duration;

use super::rows::{KeptInterviews, failed, lost};
use crate::{
    clock,
    database::now,
    store::{Holder, InterviewId, OpenJournal, Queue, StoreError},
};

/// How long a database may be away before what waits for it has failed.
const AWAY_LIMIT: Duration = Duration::from_secs(8);
/// How long an entry may be on its way: somewhat longer than that.
const SYNC_LIMIT: Duration = Duration::from_secs(9);
const RETRY_AFTER: Duration = Duration::from_millis(200);

/// Opens a journal that has this many bytes, and writes its lines beside the session.
pub(super) fn start(
    interviews: KeptInterviews,
    id: InterviewId,
    holder: Holder,
    bytes: usize,
) -> OpenJournal {
    let (journal, queue) = OpenJournal::new(format!("{id}/journal"));
    let writer = Writer { interviews, id, holder, bytes, queue };
    tokio::spawn(writer.run());
    journal.with_sync_limit(SYNC_LIMIT)
}

struct Writer {
    interviews: KeptInterviews,
    id: InterviewId,
    holder: Holder,
    /// The bytes of the lines that are kept.
    bytes: usize,
    queue: Queue,
}

impl Writer {
    async fn run(mut self) {
        let mut failed = None;
        while let Some(batch) = self.queue.next_batch().await {
            let lines: String = batch.iter().map(|append| append.line.as_str()).collect();
            let written = match &failed {
                None => self.keep(&lines).await,
                Some(why) => Err(StoreError::clone(why)),
            };
            failed = written.clone().err();
            for append in batch {
                append.told(written.clone());
            }
        }
    }

    /// Writes lines, again and again while the database is away.
    async fn keep(&mut self, lines: &str) -> Result<(), StoreError> {
        let begun = clock::instant();
        loop {
            match self.write(lines).await {
                Ok(()) => {
                    self.bytes += lines.len();
                    return Ok(());
                }
                Err(StoreError::Database { why }) if begun.elapsed() < AWAY_LIMIT => {
                    tracing::warn!(%why, "a journal waits for the database");
                    tokio::time::sleep(RETRY_AFTER).await;
                }
                Err(why) => return Err(why),
            }
        }
    }

    /// Writes lines behind those that are there. Lines that are there already were written by a try whose
    /// answer was lost.
    async fn write(&self, lines: &str) -> Result<(), StoreError> {
        let id = self.id.to_string();
        let (before, after) = (number(self.bytes), number(self.bytes + lines.len()));
        let mut held = self.interviews.begin_held(self.id, &self.holder).await?;
        let query = "UPDATE kept_interviews SET journal_bytes = $1, written_at = $2 \
                     WHERE id = $3 AND journal_bytes = $4";
        let query = sqlx::query(query).bind(after).bind(now()).bind(&id).bind(before);
        if query.execute(&mut *held).await.map_err(lost)?.rows_affected() == 0 {
            drop(held);
            return self.is_there(lines).await;
        }
        let query =
            "INSERT INTO journal_parts (interview, aside, place, lines) VALUES ($1, 0, $2, $3)";
        let query = sqlx::query(query).bind(&id).bind(before).bind(lines);
        query.execute(&mut *held).await.map_err(lost)?;
        held.commit().await.map_err(lost)
    }

    async fn is_there(&self, lines: &str) -> Result<(), StoreError> {
        let pool = self.interviews.database.pool().await.map_err(failed)?;
        let query =
            "SELECT lines FROM journal_parts WHERE interview = $1 AND aside = 0 AND place = $2";
        let query = sqlx::query_scalar(query).bind(self.id.to_string()).bind(number(self.bytes));
        let there: Option<String> = query.fetch_optional(pool).await.map_err(lost)?;
        match there.as_deref() == Some(lines) {
            true => Ok(()),
            false => Err(StoreError::Taken { file: format!("{}/journal", self.id) }),
        }
    }
}

fn number(bytes: usize) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}
