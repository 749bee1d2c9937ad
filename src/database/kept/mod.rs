//! Interviews in the database: a [`JournalStore`] for workers and web apps on many machines.
//!
//! Whoever writes to an interview changes its row first, and only if they hold it: that row's lock puts
//! those who write, and those who take the lease, one after the other. Ages of leases are told by the
//! database's clock. Sound stays a file of the data folder.

mod pulse;
mod rows;
mod taken_in;
#[cfg(test)]
mod tests;
mod writer;

use sqlx::AssertSqlSafe;

use super::now;
use crate::{
    journal::Inputs,
    store::{
        Consent, EXPIRES_AFTER, Holder, InterviewId, JournalStore, Launch, LeaseState, Listed,
        OpenJournal, Projection, StoreError, Stored,
    },
};

use pulse::BEAT_EVERY;
pub use rows::KeptInterviews;
use rows::{damaged, failed, json, lost, parsed};

impl KeptInterviews {
    /// Does something with the database when it is ready.
    fn with<T: Send + 'static, F>(&self, work: impl FnOnce(Self) -> F + Send + 'static) -> Stored<T>
    where
        F: Future<Output = Result<T, StoreError>> + Send + 'static,
    {
        let this = self.clone();
        Box::pin(async move {
            this.ready.get_or_try_init(|| taken_in::take_in(&this)).await?;
            work(this).await
        })
    }

    /// Says that this process lives, from now until it ends.
    async fn begin_pulse(&self) -> Result<(), StoreError> {
        if !self.pulse.begins() {
            return Ok(());
        }
        if let Err(why) = self.beat().await {
            self.pulse.begins_later();
            return Err(why);
        }
        let this = self.clone();
        tokio::spawn(async move {
            if let Err(why) = this.forget_processes().await {
                tracing::warn!(%why, "processes that died long ago are still listed");
            }
            loop {
                this.pulse.beaten(this.beat().await.ok());
                tokio::time::sleep(BEAT_EVERY).await;
            }
        });
        Ok(())
    }

    /// Changes a lease that is ours, beside the caller, who does not wait.
    fn give_back(&self, query: String, id: InterviewId, holder: &Holder) {
        let holder = holder.to_string();
        let given_back = self.with(move |this| async move {
            this.change(sqlx::query(AssertSqlSafe(query)).bind(id.to_string()).bind(holder)).await
        });
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        runtime.spawn(async move {
            if let Err(error) = given_back.await {
                tracing::warn!(%error, "a lease was not given back");
            }
        });
    }
}

impl JournalStore for KeptInterviews {
    fn create(&self, id: InterviewId, inputs: &Inputs, launch: Option<&Launch>) -> Stored<()> {
        let (inputs, launch) = (json(inputs), launch.map(json));
        self.with(move |this| async move {
            let query = "INSERT INTO kept_interviews (id, made_at, inputs, launch) VALUES ($1, $2, $3, $4) \
                         ON CONFLICT (id) DO NOTHING";
            let query = sqlx::query(query).bind(id.to_string()).bind(now()).bind(inputs).bind(launch);
            if this.change(query).await? { Ok(()) } else { Err(StoreError::Exists { id }) }
        })
    }

    fn list(&self, max: usize) -> Stored<Vec<Listed>> {
        self.with(move |this| async move { this.listed(max).await })
    }

    fn ids(&self) -> Stored<Vec<InterviewId>> {
        self.with(|this| async move {
            let pool = this.database.pool().await.map_err(failed)?;
            let query = sqlx::query_scalar("SELECT id FROM kept_interviews ORDER BY id");
            let ids: Vec<String> = query.fetch_all(pool).await.map_err(lost)?;
            ids.iter().map(|id| parsed(id)).collect()
        })
    }

    fn find(&self, id: InterviewId) -> Stored<Listed> {
        self.with(move |this| async move { this.found(id).await })
    }

    fn inputs(&self, id: InterviewId) -> Stored<Inputs> {
        self.with(move |this| async move {
            let query = "SELECT inputs FROM kept_interviews WHERE id = $1";
            this.document(query, id).await?.ok_or(StoreError::NotFound { id })
        })
    }

    fn launch(&self, id: InterviewId) -> Stored<Option<Launch>> {
        let query = "SELECT launch FROM kept_interviews WHERE id = $1";
        self.with(move |this| async move { this.document(query, id).await })
    }

    fn relaunch(&self, id: InterviewId, launch: &Launch) -> Stored<()> {
        let launch = json(launch);
        self.with(move |this| async move {
            let query =
                "UPDATE kept_interviews SET launch = $1 WHERE id = $2 AND launch IS NOT NULL";
            if this.change(sqlx::query(query).bind(launch).bind(id.to_string())).await? {
                return Ok(());
            }
            this.exists(id).await?;
            Err(StoreError::Exists { id })
        })
    }

    fn consent(&self, id: InterviewId) -> Stored<Option<Consent>> {
        let query = "SELECT consent FROM kept_interviews WHERE id = $1";
        self.with(move |this| async move { this.document(query, id).await })
    }

    fn agree(&self, id: InterviewId, consent: &Consent) -> Stored<()> {
        let consent = json(consent);
        self.with(move |this| async move {
            let query = "UPDATE kept_interviews SET consent = $1 WHERE id = $2";
            let query = sqlx::query(query).bind(consent).bind(id.to_string());
            if this.change(query).await? { Ok(()) } else { Err(StoreError::NotFound { id }) }
        })
    }

    fn amend(&self, id: InterviewId, holder: &Holder, inputs: &Inputs) -> Stored<()> {
        let (inputs, holder) = (json(inputs), holder.clone());
        self.with(move |this| async move {
            let mut held = this.begin_held(id, &holder).await?;
            let query =
                "UPDATE kept_interviews SET inputs = $1 WHERE id = $2 AND journal_bytes = 0";
            let query = sqlx::query(query).bind(inputs).bind(id.to_string());
            match query.execute(&mut *held).await.map_err(lost)?.rows_affected() {
                0 => Err(StoreError::Exists { id }),
                _ => held.commit().await.map_err(lost),
            }
        })
    }

    fn read_journal(&self, id: InterviewId) -> Stored<Option<String>> {
        self.with(move |this| async move {
            this.exists(id).await?;
            let lines = this.lines(id).await?;
            Ok((!lines.is_empty()).then_some(lines))
        })
    }

    fn open_journal(&self, id: InterviewId, holder: &Holder) -> Stored<(OpenJournal, String)> {
        let holder = holder.clone();
        self.with(move |this| async move {
            this.exists(id).await?;
            // Whatever an earlier holder was writing is there now, or never will be.
            this.begin_held(id, &holder).await?.commit().await.map_err(lost)?;
            let lines = this.lines(id).await?;
            Ok((writer::start(this, id, holder, lines.len()), lines))
        })
    }

    fn set_aside(&self, id: InterviewId, holder: &Holder) -> Stored<()> {
        let holder = holder.clone();
        self.with(move |this| async move {
            let mut held = this.begin_held(id, &holder).await?;
            let query = "UPDATE kept_interviews SET journal_bytes = 0, written_at = 0, \
                         set_aside = set_aside + 1 WHERE id = $1 AND journal_bytes > 0";
            let query = sqlx::query(query).bind(id.to_string());
            if query.execute(&mut *held).await.map_err(lost)?.rows_affected() == 0 {
                return Err(damaged(id, "it has no lines that could be set aside"));
            }
            for query in [
                "UPDATE journal_parts SET aside = (SELECT set_aside FROM kept_interviews WHERE id = $1) \
                 WHERE interview = $1 AND aside = 0",
                "DELETE FROM projections WHERE interview = $1",
            ] {
                sqlx::query(query).bind(id.to_string()).execute(&mut *held).await.map_err(lost)?;
            }
            held.commit().await.map_err(lost)
        })
    }

    fn write_projection(
        &self,
        id: InterviewId,
        holder: &Holder,
        which: Projection,
        text: String,
    ) -> Stored<()> {
        let holder = holder.clone();
        self.with(move |this| async move {
            let mut held = this.begin_held(id, &holder).await?;
            let query = "INSERT INTO projections (interview, name, content) VALUES ($1, $2, $3) \
                         ON CONFLICT (interview, name) DO UPDATE SET content = excluded.content";
            let query = sqlx::query(query).bind(id.to_string()).bind(which.name()).bind(text);
            query.execute(&mut *held).await.map_err(lost)?;
            held.commit().await.map_err(lost)
        })
    }

    fn read_projection(&self, id: InterviewId, which: Projection) -> Stored<Option<String>> {
        self.with(move |this| async move {
            this.exists(id).await?;
            let pool = this.database.pool().await.map_err(failed)?;
            let query = "SELECT content FROM projections WHERE interview = $1 AND name = $2";
            let query = sqlx::query_scalar(query).bind(id.to_string()).bind(which.name());
            query.fetch_optional(pool).await.map_err(lost)
        })
    }

    fn remove(&self, id: InterviewId) -> Stored<()> {
        self.with(move |this| async move {
            let query = format!("DELETE FROM kept_interviews WHERE id = $1 AND {}", this.is_free());
            let query = sqlx::query(AssertSqlSafe(query)).bind(id.to_string());
            if this.change(query).await? {
                return taken_in::remove_folder(&this.data, id).await;
            }
            this.exists(id).await?;
            Err(StoreError::Held)
        })
    }

    fn lease_state(&self, id: InterviewId) -> Stored<LeaseState> {
        self.with(move |this| async move { this.state(id).await })
    }

    fn take_lease(&self, id: InterviewId, holder: &Holder) -> Stored<()> {
        let holder = holder.clone();
        self.with(move |this| async move {
            this.begin_pulse().await?;
            let (clock, is_free) = (this.clock(), this.is_free());
            let query = format!(
                "UPDATE kept_interviews SET holder = $1, process = $3, renewed_at = {clock} \
                 WHERE id = $2 AND {is_free}"
            );
            let query =
                sqlx::query(AssertSqlSafe(query)).bind(holder.to_string()).bind(id.to_string());
            if this.change(query.bind(this.pulse.name())).await? {
                return Ok(());
            }
            this.exists(id).await?;
            Err(StoreError::Held)
        })
    }

    fn renew_lease(&self, id: InterviewId, holder: &Holder) -> Stored<()> {
        let holder = holder.clone();
        self.with(move |this| async move {
            let clock = this.clock();
            let query = format!(
                "UPDATE kept_interviews SET renewed_at = {clock} WHERE id = $1 AND holder = $2"
            );
            let query =
                sqlx::query(AssertSqlSafe(query)).bind(id.to_string()).bind(holder.to_string());
            if this.change(query).await? { Ok(()) } else { Err(StoreError::Lost) }
        })
    }

    fn release_lease(&self, id: InterviewId, holder: &Holder) {
        let query = "UPDATE kept_interviews SET holder = NULL WHERE id = $1 AND holder = $2";
        self.give_back(query.to_owned(), id, holder);
    }

    fn expire_lease(&self, id: InterviewId, holder: &Holder) {
        let (clock, limit) = (self.clock(), EXPIRES_AFTER.as_millis());
        let query = format!(
            "UPDATE kept_interviews SET renewed_at = {clock} - {limit} - 1 WHERE id = $1 AND holder = $2"
        );
        self.give_back(query, id, holder);
    }

    fn expired(&self) -> Stored<Vec<InterviewId>> {
        self.with(|this| async move {
            this.begin_pulse().await?;
            this.left_behind().await
        })
    }
}
