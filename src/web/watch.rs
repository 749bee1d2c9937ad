//! Interviewers that were called and did not come are called again (W09).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tracing::{error, info, warn};
use voiceroom::server::{self, Watched, call_until_begun};

use super::Shared;
use super::progress::{InterviewState, progress};
use crate::clock::unix_millis;
use crate::journal;
use crate::store::{InterviewId, JournalStore, StoreError};

/// A worker that takes a job has begun the journal long before.
const PATIENCE: Duration = Duration::from_secs(10);
/// A candidate who has not been in the room for so long has gone; Start begins anew.
const LIMIT: Duration = Duration::from_secs(60);

/// The interviews that wait for their interviewer: one watch each.
#[derive(Default)]
pub(super) struct Watches(Mutex<BTreeMap<InterviewId, Call>>);

/// What has become of calling an interviewer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Call {
    /// One may be on the way.
    Waits,
    /// No worker took it, once at least.
    Unanswered,
}

impl Watches {
    /// Whether an interview's candidate waits although an interviewer was called.
    pub(super) fn is_unanswered(&self, interview: InterviewId) -> bool {
        self.lock().get(&interview) == Some(&Call::Unanswered)
    }

    /// Whether an interview's candidate waits for the interviewer.
    pub(super) fn is_watched(&self, interview: InterviewId) -> bool {
        self.lock().contains_key(&interview)
    }

    /// False when the interview is watched already.
    fn begin(&self, interview: InterviewId) -> bool {
        let mut watches = self.lock();
        let is_new = !watches.contains_key(&interview);
        watches.entry(interview).or_insert(Call::Waits);
        is_new
    }

    /// False when it was unanswered before.
    fn unanswered(&self, interview: InterviewId) -> bool {
        self.lock().insert(interview, Call::Unanswered) != Some(Call::Unanswered)
    }

    fn end(&self, interview: InterviewId) {
        self.lock().remove(&interview);
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<InterviewId, Call>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Watches an interview whose interviewer was called, until it has begun.
pub(super) fn watch(shared: &Arc<Shared>, id: InterviewId) {
    if !shared.live.watches.begin(id) {
        return;
    }
    let shared = shared.clone();
    tokio::spawn(async move {
        let call = server::Call {
            room: id.room(),
            agent: shared.agent_name.clone(),
            metadata: id.metadata(),
            waiting: Some(id.candidate()),
        };
        let has_begun = || has_begun(&*shared.store, id);
        let unanswered = || {
            if shared.live.watches.unanswered(id) {
                let agent = &shared.agent_name;
                warn!(interview = %id, agent, "no worker took the interview: none is running under \
                    this agent name, or none has a free slot; the candidate is kept in line");
            }
        };
        match call_until_begun(&shared.livekit, &call, PATIENCE, LIMIT, has_begun, unanswered).await
        {
            Ok(Watched::Begun) => info!(interview = %id, "interview begun"),
            Ok(Watched::Nobody) => {
                info!(interview = %id, "candidate left before an interviewer came")
            }
            Err(why) => error!(interview = %id, %why, "interviewer could not be called"),
        }
        shared.live.watches.end(id);
    });
}

/// Takes up the watches that a restart of this process has ended, beside all else: there may be many journals
/// to read.
pub(super) fn resume(shared: &Arc<Shared>) {
    let shared = shared.clone();
    tokio::spawn(async move {
        let listed = shared.store.list(usize::MAX).await.unwrap_or_else(|why| {
            error!(%why, "interviews are not watched");
            Vec::new()
        });
        for one in listed {
            match may_wait(&*shared.store, one.id).await {
                // Who is not in the room is not waited for long.
                Ok(true) => watch(&shared, one.id),
                Ok(false) => {}
                Err(why) => error!(%why, "interview is not watched"),
            }
        }
    });
}

/// Whether somebody may wait for this interview to begin, for however long.
async fn may_wait(store: &dyn JournalStore, id: InterviewId) -> Result<bool, StoreError> {
    let Some(launch) = store.launch(id).await? else { return Ok(false) };
    let is_open = store.consent(id).await?.is_some() && unix_millis() < launch.expires_at;
    Ok(is_open && !has_begun(store, id).await)
}

/// Whether the candidate was met: a worker may die before that. What cannot be read is nothing to call an
/// interviewer for.
async fn has_begun(store: &dyn JournalStore, id: InterviewId) -> bool {
    match progress(store, id).await {
        Ok((InterviewState::Waiting, _)) => false,
        Ok((InterviewState::InProgress, Some(transcript))) => {
            transcript.state != journal::State::Waiting
        }
        Ok(_) | Err(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        blueprint::Context,
        journal::{Header, Inputs},
        store::{Consent, FileStore, Folder, Hold, Launch},
    };

    /// C04, W09: an interview has begun when its candidate was met, not when a worker has opened its journal.
    #[tokio::test]
    async fn a_header_is_no_beginning() {
        let data = tempfile::tempdir().unwrap();
        let inputs = Inputs::new("two-stage", Vec::new(), Context::default());
        let id = InterviewId::random();
        let folder = FileStore::open(data.path()).unwrap().make(id, &inputs, None).unwrap();
        let store: Arc<dyn JournalStore> = Arc::new(FileStore::open(data.path()).unwrap());
        let _hold = Hold::take(&store, id).await.unwrap();
        assert!(!has_begun(&*store, id).await);
        let header = journal::line(&Header::new("x", 0, &inputs));
        let journal = folder.path().join("journal.jsonl");
        std::fs::write(&journal, &header).unwrap();
        assert!(!has_begun(&*store, id).await, "nobody was met");
        let met = serde_json::json!(
            {"n": 1, "at": 0, "heard": 0, "event": "candidate_joined", "effects": []}
        );
        std::fs::write(&journal, header + &journal::line(&met)).unwrap();
        assert!(has_begun(&*store, id).await);
    }

    /// W09: after a restart those are waited for who agreed, whose link still works and whose interview has
    /// not begun; what cannot be read has.
    #[tokio::test]
    async fn who_may_still_wait() {
        let data = tempfile::tempdir().unwrap();
        let store = FileStore::open(data.path()).unwrap();
        let inputs = Inputs::new("two-stage", Vec::new(), Context::default());
        let made = |expires_at, agrees| {
            let launch = Launch {
                v: 1,
                token_hash: String::new(),
                launched_at: 0,
                expires_at,
                title: String::new(),
                interviewer: String::new(),
                stages: Vec::new(),
                length_limit_s: 0,
                cancelled: false,
            };
            let folder = store.make(InterviewId::random(), &inputs, Some(&launch)).unwrap();
            if agrees {
                let consent = Consent { v: 1, take_part_at: 0, recording: false };
                folder.agree(&consent).unwrap();
            }
            folder
        };
        let later = unix_millis() + 60_000;
        let waiting = made(later, true);
        let may = async |folder: &Folder| may_wait(&store, folder.id()).await.unwrap();
        assert!(may(&waiting).await);
        assert!(!may(&made(later, false)).await, "nobody agreed");
        assert!(!may(&made(unix_millis() - 1, true)).await, "the link is over");
        std::fs::write(waiting.path().join("journal.jsonl"), "no journal\n").unwrap();
        assert!(has_begun(&store, waiting.id()).await && !may(&waiting).await, "nobody can tell");
    }
}
