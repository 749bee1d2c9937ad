//! Interviewers that were called and did not come are called again (W09).
//!
//! The web app does it and not a worker: it has called, it is there when no worker is, and its pages tell
//! whoever waits. Each web app looks which rooms have somebody in them and watches those whose interview has
//! not begun, so that another one watches on when one dies; which of them calls is decided by the LiveKit
//! server (see [`call_until_begun`]).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tracing::{error, info, warn};
use voiceroom::server::{self, ApiError, Watched, call_until_begun};

use super::Shared;
use super::progress::{InterviewState, progress};
use crate::clock::unix_millis;
use crate::journal;
use crate::store::{InterviewId, JournalStore, StoreError};

/// A worker that takes a job has begun the journal long before.
const PATIENCE: Duration = Duration::from_secs(10);
/// A candidate who has not been in the room for so long has gone; Start begins anew.
const LIMIT: Duration = Duration::from_secs(60);
/// How often it is looked for candidates who wait and whom nobody here watches.
const LOOK_EVERY: Duration = Duration::from_secs(5);

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
        let api = &shared.livekit;
        tokio::select! {
            called = call_until_begun(api, &call, PATIENCE, LIMIT, has_begun, unanswered) => {
                told(id, called);
            }
            () = closed(&*shared.store, id) => {
                info!(interview = %id, "the link's time was over before an interviewer came");
            }
        }
        shared.live.watches.end(id);
    });
}

fn told(id: InterviewId, called: Result<Watched, ApiError>) {
    match called {
        Ok(Watched::Begun) => info!(interview = %id, "interview begun"),
        Ok(Watched::Nobody) => info!(interview = %id, "candidate left before an interviewer came"),
        Err(why) => error!(interview = %id, %why, "interviewer could not be called"),
    }
}

/// Returns when the interview's link starts nothing any more.
async fn closed(store: &dyn JournalStore, id: InterviewId) {
    loop {
        sleep(LOOK_EVERY).await;
        match store.launch(id).await {
            Ok(Some(launch)) if launch.is_open(unix_millis()) => {}
            Ok(_) | Err(StoreError::NotFound { .. }) => return,
            // A store that is away for a moment ends nothing.
            Err(_) => {}
        }
    }
}

/// Looks for candidates who wait until `stop`: those who waited before this process was started, whose web
/// app has died, or who were away for longer than they are waited for.
pub(super) fn keep(shared: &Arc<Shared>, stop: CancellationToken) {
    let shared = shared.clone();
    tokio::spawn(stop.run_until_cancelled_owned(async move {
        let mut looked = Looked::default();
        loop {
            looked.look(&shared).await;
            sleep(LOOK_EVERY).await;
        }
    }));
}

/// What is known from the looks before.
#[derive(Default)]
struct Looked {
    /// Interviews that have begun, and do not have to be read again.
    begun: BTreeSet<InterviewId>,
    /// Whether the last look failed, which is said once.
    has_failed: bool,
}

impl Looked {
    async fn look(&mut self, shared: &Arc<Shared>) {
        let rooms = match shared.livekit.occupied_rooms().await {
            Ok(rooms) => rooms,
            Err(why) => {
                if !std::mem::replace(&mut self.has_failed, true) {
                    warn!(%why, "nobody looks for candidates who wait");
                }
                return;
            }
        };
        self.has_failed = false;
        let there = rooms.iter().filter_map(|room| InterviewId::of_room(room));
        let there = BTreeSet::from_iter(there);
        self.begun.retain(|id| there.contains(id));
        for id in there {
            if self.begun.contains(&id) || shared.live.watches.is_watched(id) {
                continue;
            }
            match may_wait(&*shared.store, id).await {
                Ok(Wait::Open) => watch(shared, id),
                Ok(Wait::Begun) => drop(self.begun.insert(id)),
                Ok(Wait::Closed) | Err(StoreError::NotFound { .. }) => {}
                Err(why) => error!(interview = %id, %why, "interview is not watched"),
            }
        }
    }
}

/// Whether somebody may wait for an interview to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wait {
    /// They may, for however long.
    Open,
    /// Nobody agreed to it, or its link starts nothing.
    Closed,
    /// It has begun.
    Begun,
}

async fn may_wait(store: &dyn JournalStore, id: InterviewId) -> Result<Wait, StoreError> {
    let Some(launch) = store.launch(id).await? else { return Ok(Wait::Closed) };
    if !launch.is_open(unix_millis()) || store.consent(id).await?.is_none() {
        return Ok(Wait::Closed);
    }
    Ok(match has_begun(store, id).await {
        true => Wait::Begun,
        false => Wait::Open,
    })
}

/// Whether the candidate was met: a worker may die before that. What cannot be read is nothing to call an
/// interviewer for.
async fn has_begun(store: &dyn JournalStore, id: InterviewId) -> bool {
    match progress(store, id).await {
        Ok((InterviewState::Waiting | InterviewState::Stopped, _)) => false,
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
        let made = |expires_at, agrees, cancelled| {
            let launch = Launch {
                v: 1,
                token_hash: String::new(),
                launched_at: 0,
                expires_at,
                title: String::new(),
                interviewer: String::new(),
                stages: Vec::new(),
                length_limit_s: 0,
                cancelled,
                mailed: Vec::new(),
            };
            let folder = store.make(InterviewId::random(), &inputs, Some(&launch)).unwrap();
            if agrees {
                let consent =
                    Consent { v: 1, take_part_at: 0, recording: false, accommodations: None };
                folder.agree(&consent).unwrap();
            }
            folder
        };
        let later = unix_millis() + 60_000;
        let waiting = made(later, true, false);
        let may = async |folder: &Folder| may_wait(&store, folder.id()).await.unwrap();
        assert_eq!(may(&waiting).await, Wait::Open);
        assert_eq!(may(&made(later, false, false)).await, Wait::Closed, "nobody agreed");
        assert_eq!(may(&made(unix_millis() - 1, true, false)).await, Wait::Closed, "it is over");
        assert_eq!(may(&made(later, true, true)).await, Wait::Closed, "it was taken back");
        std::fs::write(waiting.path().join("journal.jsonl"), "no journal\n").unwrap();
        assert_eq!(may(&waiting).await, Wait::Begun, "nobody can tell");
    }
}
