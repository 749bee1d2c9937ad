//! Interviews of the data folder, taken into the database once, and what stays in their folders.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::rows::{KeptInterviews, failed, json, lost};
use crate::store::{
    FileStore, Folder, InterviewId, JournalStore, LeaseState, Projection, StoreError,
};

/// The file in a folder that says that its interview is in the database.
const MARK: &str = "kept-in-database";

/// Takes in the interviews of the folder that are not in the database yet.
pub(super) async fn take_in(interviews: &KeptInterviews) -> Result<(), StoreError> {
    let folders = of_folder(interviews.data.clone()).await?;
    let (mut taken, mut held) = (0_usize, 0_usize);
    let files = FileStore::open(&interviews.data)?;
    for folder in folders {
        match folder.lease_state()? {
            LeaseState::Held => held += 1,
            LeaseState::Free | LeaseState::Expired | LeaseState::Abandoned => {
                take_one(interviews, &files, &folder).await?;
                taken += 1;
            }
        }
    }
    if taken > 0 {
        tracing::info!(taken, "interviews of the data folder were taken into the database");
    }
    if held > 0 {
        tracing::warn!(held, "interviews are running in folders: taken in with the next start");
    }
    Ok(())
}

/// The folders whose interviews are not in the database.
async fn of_folder(data: PathBuf) -> Result<Vec<Folder>, StoreError> {
    let work = move || {
        let folders = FileStore::open(&data)?.folders()?;
        let is_new = |folder: &Folder| {
            folder.path().join("inputs.json").exists() && !folder.path().join(MARK).exists()
        };
        Ok(folders.into_iter().filter(is_new).collect())
    };
    tokio::task::spawn_blocking(work).await.unwrap_or(Err(StoreError::Ending))
}

/// Takes in one interview, all of it or nothing; whoever else takes in the same one changes nothing.
async fn take_one(
    interviews: &KeptInterviews,
    files: &FileStore,
    folder: &Folder,
) -> Result<(), StoreError> {
    let id = folder.id();
    let journal = files.read_journal(id).await?.unwrap_or_default();
    let bytes = i64::try_from(journal.len()).unwrap_or(i64::MAX);
    let made_at = i64::try_from(files.find(id).await?.made_at).unwrap_or(i64::MAX);
    let mut all = interviews.database.begin().await.map_err(failed)?;
    let query = "INSERT INTO kept_interviews \
                 (id, made_at, inputs, launch, consent, journal_bytes, written_at) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING";
    let query = sqlx::query(query).bind(id.to_string()).bind(made_at);
    let query = query.bind(json(&folder.inputs()?)).bind(folder.launch()?.as_ref().map(json));
    let query = query.bind(folder.consent()?.as_ref().map(json)).bind(bytes).bind(made_at);
    if query.execute(&mut *all).await.map_err(lost)?.rows_affected() > 0 {
        if !journal.is_empty() {
            let query =
                "INSERT INTO journal_parts (interview, aside, place, lines) VALUES ($1, 0, 0, $2)";
            let query = sqlx::query(query).bind(id.to_string()).bind(&journal);
            query.execute(&mut *all).await.map_err(lost)?;
        }
        for which in Projection::ALL {
            let Some(text) = folder.read(which)? else { continue };
            let query = "INSERT INTO projections (interview, name, content) VALUES ($1, $2, $3)";
            let query = sqlx::query(query).bind(id.to_string()).bind(which.name()).bind(text);
            query.execute(&mut *all).await.map_err(lost)?;
        }
    }
    all.commit().await.map_err(lost)?;
    let mark = folder.path().join(MARK);
    fs::write(&mark, b"").map_err(|why| StoreError::io("write", &mark, why))
}

/// Removes what an interview has in the data folder: its sound, and what it was taken in from.
pub(super) async fn remove_folder(data: &Path, id: InterviewId) -> Result<(), StoreError> {
    let folder = data.join("interviews").join(id.to_string());
    let work = move || match fs::remove_dir_all(&folder) {
        Err(why) if why.kind() != io::ErrorKind::NotFound => {
            Err(StoreError::io("remove", &folder, why))
        }
        Ok(()) | Err(_) => Ok(()),
    };
    tokio::task::spawn_blocking(work).await.unwrap_or(Err(StoreError::Ending))
}
