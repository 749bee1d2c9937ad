//! What every store of interviews promises, on SQLite and on PostgreSQL.

use std::{sync::Arc, time::Duration};

use super::*;
use crate::{
    database::{Database, tests::Postgres},
    store::{
        FileStore, Hold,
        conformance::{Subject, keeps_its_promises},
    },
};

struct Rows {
    store: Arc<dyn JournalStore>,
    kept: KeptInterviews,
    _data: tempfile::TempDir,
}

impl Rows {
    fn new(url: &str) -> Self {
        let data = tempfile::tempdir().unwrap();
        let kept = KeptInterviews::new(Database::new(url, data.path()), data.path());
        Self { store: Arc::new(kept.clone()), kept, _data: data }
    }
}

impl Subject for Rows {
    fn store(&self) -> &Arc<dyn JournalStore> {
        &self.store
    }

    async fn expire(&self, id: InterviewId) {
        let query = "UPDATE kept_interviews SET renewed_at = renewed_at - 60000 WHERE id = $1";
        assert!(self.kept.change(sqlx::query(query).bind(id.to_string())).await.unwrap());
    }

    /// Lines that were written without a commit.
    async fn tear(&self, id: InterviewId, line: &str) {
        let mut torn = self.kept.database.begin().await.unwrap();
        let query =
            "INSERT INTO journal_parts (interview, aside, place, lines) VALUES ($1, 0, 999, $2)";
        sqlx::query(query).bind(id.to_string()).bind(line).execute(&mut *torn).await.unwrap();
        torn.rollback().await.unwrap();
    }

    async fn die_creating(&self, id: InterviewId, inputs: &Inputs) {
        // It is ready before the first transaction begins.
        self.kept.ids().await.unwrap();
        let mut half = self.kept.database.begin().await.unwrap();
        let query = "INSERT INTO kept_interviews (id, made_at, inputs) VALUES ($1, 1, $2)";
        sqlx::query(query)
            .bind(id.to_string())
            .bind(json(inputs))
            .execute(&mut *half)
            .await
            .unwrap();
        half.rollback().await.unwrap();
    }
}

/// N04, W08: rows of SQLite keep what every store promises.
#[tokio::test]
async fn sqlite_rows_keep_the_promises() {
    keeps_its_promises(&Rows::new("")).await;
}

/// N04, W08: rows of PostgreSQL keep what every store promises.
#[tokio::test]
async fn postgres_rows_keep_the_promises() {
    let server = Postgres::start();
    keeps_its_promises(&Rows::new(&server.url)).await;
}

/// W08: a process that is gone is known by its pulse, long before its leases expire, to a process that has a
/// steady one itself.
#[tokio::test]
async fn the_dead_are_known_by_their_pulse() {
    let rows = Rows::new("");
    let id = InterviewId::random();
    let inputs =
        Inputs::new("x", vec![("blueprint.toml".into(), "x = 1".into())], Default::default());
    rows.store.create(id, &inputs, None).await.unwrap();
    let dead = Hold::take(&rows.store, id).await.unwrap();
    let _watched = rows.store.expired().await.unwrap();
    let other = Rows {
        kept: KeptInterviews::new(rows.kept.database.clone(), &rows.kept.data),
        ..Rows::new("")
    };
    let query = "UPDATE processes SET beaten_at = beaten_at - 60000 WHERE name = $1";
    let deadline = crate::clock::instant() + Duration::from_secs(120);
    // Its own task beats again and again: the row is set back until the other one has looked at it.
    loop {
        rows.kept.change(sqlx::query(query).bind(rows.kept.pulse.name())).await.unwrap();
        if other.kept.expired().await.unwrap() == [id] {
            break;
        }
        assert!(crate::clock::instant() < deadline, "nobody noticed");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let heir: Arc<dyn JournalStore> = Arc::new(other.kept.clone());
    loop {
        rows.kept.change(sqlx::query(query).bind(rows.kept.pulse.name())).await.unwrap();
        match Hold::take(&heir, id).await {
            Ok(_) => break,
            Err(why) => assert!(crate::clock::instant() < deadline, "{why}"),
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(matches!(dead.renew().await, Err(StoreError::Lost)));
}

/// Interviews of the data folder are taken in once, whole; one that was removed does not come back, and one
/// that is running stays where it is.
#[tokio::test]
async fn interviews_of_the_folder_are_taken_in() {
    let data = tempfile::tempdir().unwrap();
    let files: Arc<dyn JournalStore> = Arc::new(FileStore::open(data.path()).unwrap());
    let inputs =
        Inputs::new("old", vec![("blueprint.toml".into(), "x = 1".into())], Default::default());
    let (done, gone, running) =
        (InterviewId::random(), InterviewId::random(), InterviewId::random());
    for id in [done, gone, running] {
        files.create(id, &inputs, None).await.unwrap();
        let hold = Hold::take(&files, id).await.unwrap();
        let (journal, _) = hold.open_journal().await.unwrap();
        journal.append("one\n").unwrap().synced().await.unwrap();
        journal.append("né\n").unwrap().synced().await.unwrap();
        journal.close().await;
        hold.write_projection(Projection::Transcript, "said".into()).await.unwrap();
        if id != running {
            hold.release();
        }
    }
    files
        .agree(done, &Consent { v: 1, take_part_at: 7, recording: true, accommodations: None })
        .await
        .unwrap();
    let open = || KeptInterviews::new(Database::new("", data.path()), data.path());
    let kept = open();
    let mut ids = kept.ids().await.unwrap();
    ids.sort();
    let mut expected = [done, gone];
    expected.sort();
    assert_eq!(ids, expected, "the running one stays in its folder");
    assert_eq!(kept.read_journal(done).await.unwrap().as_deref(), Some("one\nné\n"));
    assert_eq!(kept.inputs(done).await.unwrap(), inputs);
    assert!(kept.consent(done).await.unwrap().unwrap().recording);
    assert_eq!(
        kept.read_projection(done, Projection::Transcript).await.unwrap().as_deref(),
        Some("said")
    );
    let store: Arc<dyn JournalStore> = Arc::new(kept.clone());
    let hold = Hold::take(&store, done).await.unwrap();
    let (journal, text) = hold.open_journal().await.unwrap();
    assert_eq!(text, "one\nné\n");
    journal.append("more\n").unwrap().synced().await.unwrap();
    journal.close().await;
    kept.remove(gone).await.unwrap();
    let again = open();
    assert!(!again.ids().await.unwrap().contains(&gone), "what was removed stays so");
    assert_eq!(again.read_journal(done).await.unwrap().as_deref(), Some("one\nné\nmore\n"));
    assert!(!data.path().join("interviews").join(gone.to_string()).exists());
}
