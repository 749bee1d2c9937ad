//! Which interview a job is for: a room has one at a time, whoever calls interviewers into it, and how often.
//! The lease of that interview decides which of them stays.

use std::sync::Arc;

use serde::Deserialize;

use crate::{
    journal::{self, Inputs},
    store::{InterviewId, JournalStore, LeaseState, StoreError},
};

/// So many interviews are held in one life of a room, one after the other.
const TURNS_MAX: u32 = 100;

/// What `web` writes into a dispatch (N01).
#[derive(Deserialize)]
struct Metadata {
    v: u32,
    interview: String,
}

impl Metadata {
    /// Nothing if it is somebody else's, which may be any text.
    fn read(text: &str) -> Option<Self> {
        match serde_json::from_str::<Self>(text) {
            Ok(metadata) if metadata.v == 1 => return Some(metadata),
            Ok(Self { v, .. }) => {
                tracing::warn!(
                    v,
                    "a job's metadata is of a version that is not known here, held an interview of its own"
                );
            }
            Err(why) if why.is_data() || !text.trim_start().starts_with('{') => {}
            Err(why) => {
                tracing::warn!(%why, "a job's metadata is broken JSON, held an interview of its own");
            }
        }
        None
    }
}

/// Returns the interview that a job names, or whose room it is for; nothing if it is none of ours.
pub(super) async fn ours(
    store: &Arc<dyn JournalStore>,
    room: &str,
    metadata: &str,
) -> Result<Option<(InterviewId, Inputs)>, String> {
    let of_room = InterviewId::of_room(room);
    let Some(named) = Metadata::read(metadata) else {
        let Some(id) = of_room else { return Ok(None) };
        return match store.inputs(id).await {
            Ok(inputs) => Ok(Some((id, inputs))),
            Err(StoreError::NotFound { .. }) => Ok(None),
            Err(why) => Err(why.to_string()),
        };
    };
    let id: InterviewId = named.interview.parse().map_err(|why| format!("{why}"))?;
    if of_room != Some(id) {
        return Err("the job's metadata names the interview of another room".to_owned());
    }
    let inputs = store.inputs(id).await.map_err(|why| why.to_string())?;
    Ok(Some((id, inputs)))
}

/// Returns the interview that a room of somebody else's has: the one that was made for it, as long as it has
/// not ended, and else a new one with these inputs.
pub(super) async fn foreign(
    store: &Arc<dyn JournalStore>,
    room: &str,
    sid: &str,
    inputs: Inputs,
) -> Result<(InterviewId, Inputs), String> {
    for turn in 0..TURNS_MAX {
        let id = InterviewId::of_foreign_room(room, sid, turn);
        match store.create(id, &inputs, None).await {
            Ok(()) => return Ok((id, inputs)),
            Err(StoreError::Exists { .. }) => {}
            Err(why) => return Err(why.to_string()),
        }
        if !is_over(store, id).await? {
            let inputs = store.inputs(id).await.map_err(|why| why.to_string())?;
            return Ok((id, inputs));
        }
    }
    Err(format!("the room has had {TURNS_MAX} interviews, close it and open another"))
}

/// Whether nothing more comes of an interview. The journal is read before the lease: whoever begins one takes
/// the lease first, so one that has a journal and no holder is not about to begin.
async fn is_over(store: &Arc<dyn JournalStore>, id: InterviewId) -> Result<bool, String> {
    let failed = |why: StoreError| why.to_string();
    let Some(text) = store.read_journal(id).await.map_err(failed)? else { return Ok(false) };
    match store.lease_state(id).await.map_err(failed)? {
        LeaseState::Held => Ok(false),
        // It goes on, unless its worker died with the last word.
        LeaseState::Expired => {
            let (_, entries) = journal::parse(&text).map_err(|why| why.to_string())?;
            Ok(journal::has_ended(&entries))
        }
        LeaseState::Free | LeaseState::Abandoned => Ok(true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        blueprint::Context,
        interview::{Effect, End, Event},
        journal::{Entry, Header},
        store::{FileStore, Hold, Lease},
        time::SessionTime,
    };

    const ROOM: &str = "playground";

    fn inputs(name: &str) -> Inputs {
        Inputs::new(name, Vec::new(), Context::default())
    }

    async fn of_job(store: &Arc<dyn JournalStore>, sid: &str) -> InterviewId {
        foreign(store, ROOM, sid, inputs("two-stage")).await.unwrap().0
    }

    /// W08, N01: however often somebody else's room is dispatched, on whichever worker, it is one interview
    /// that one of them holds; the next life of the room, or the time after its end, has another one.
    #[tokio::test]
    async fn a_room_has_one_interview_at_a_time() {
        let data = tempfile::tempdir().unwrap();
        let files = FileStore::open(data.path()).unwrap();
        let store: Arc<dyn JournalStore> = Arc::new(files.clone());
        // Another worker, on the same folder.
        let other: Arc<dyn JournalStore> = Arc::new(FileStore::open(data.path()).unwrap());
        let (first, second) = tokio::join!(of_job(&store, "RM_1"), of_job(&other, "RM_1"));
        assert_eq!(first, second);
        assert_eq!(store.ids().await.unwrap(), [first], "no interview is kept of the second job");

        let lease = Lease::take(&store, first).await.unwrap();
        let refused = Lease::take(&other, second).await;
        assert!(matches!(refused, Err(StoreError::Held)), "{refused:?}");
        let header = journal::line(&Header::new("x", 0, &inputs("two-stage")));
        let entry = |n, event, effects| {
            let at = SessionTime::ZERO;
            journal::line(&Entry { n, at, heard: at, event, effects })
        };
        let came = header + &entry(1, Event::CandidateJoined, Vec::new());
        let end = entry(2, Event::Tick, vec![Effect::Hangup { end: End::Completed }]);
        let folder = files.folders().unwrap().remove(0);
        let journal = folder.path().join("journal.jsonl");
        std::fs::write(&journal, &came).unwrap();
        assert_eq!(of_job(&other, "RM_1").await, first, "8 s later");
        assert_ne!(of_job(&other, "RM_2").await, first);

        // Its worker has died: whoever comes goes on, as long as it has no end.
        drop(lease);
        Hold::take(&store, first).await.unwrap().expire();
        assert_eq!(of_job(&other, "RM_1").await, first);
        std::fs::write(&journal, came + &end).unwrap();
        let next = of_job(&other, "RM_1").await;
        assert_ne!(next, first);
        Hold::take(&store, first).await.unwrap().release();
        assert_eq!(of_job(&store, "RM_1").await, next);
    }

    /// N01: a job for a room of ours is for its interview, whatever its metadata says; that of another room
    /// is not held in it.
    #[tokio::test]
    async fn a_room_of_ours_is_its_interview() {
        let data = tempfile::tempdir().unwrap();
        let store: Arc<dyn JournalStore> = Arc::new(FileStore::open(data.path()).unwrap());
        let (id, other) = (InterviewId::random(), InterviewId::random());
        store.create(id, &inputs("two-stage"), None).await.unwrap();
        for (room, metadata, expected) in [
            (id.room(), id.metadata(), Ok(Some(id))),
            (id.room(), String::new(), Ok(Some(id))),
            (id.room(), r#"{"blueprint":"two-stage"}"#.to_owned(), Ok(Some(id))),
            (other.room(), String::new(), Ok(None)),
            (ROOM.to_owned(), String::new(), Ok(None)),
            (ROOM.to_owned(), id.metadata(), Err(())),
            (other.room(), id.metadata(), Err(())),
            (id.room(), other.metadata(), Err(())),
            (other.room(), other.metadata(), Err(())),
        ] {
            let found = ours(&store, &room, &metadata).await;
            let found = found.map(|found| found.map(|(id, _)| id)).map_err(drop);
            assert_eq!(found, expected, "{room} {metadata}");
        }
    }
}
