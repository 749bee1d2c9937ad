//! Interviewers that were called and did not come are called again (W09).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tracing::{error, info, warn};
use voiceroom::server::{self, Watched, call_until_begun};

use super::Shared;
use super::candidate::{InterviewState, progress};
use crate::clock::unix_millis;
use crate::journal;
use crate::store::{Folder, InterviewId, StoreError};

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
pub(super) fn watch(shared: &Arc<Shared>, folder: Folder) {
    let id = folder.id();
    if !shared.watches.begin(id) {
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
        let has_begun = || has_begun(&folder);
        let unanswered = || {
            if shared.watches.unanswered(id) {
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
        shared.watches.end(id);
    });
}

/// Takes up the watches that a restart of this process has ended, beside all else: there may be many journals
/// to read.
pub(super) fn resume(shared: &Arc<Shared>) {
    let shared = shared.clone();
    tokio::task::spawn_blocking(move || {
        let folders = shared.store.list().unwrap_or_else(|why| {
            error!(%why, "interviews are not watched");
            Vec::new()
        });
        for folder in folders {
            match may_wait(&folder) {
                // Who is not in the room is not waited for long.
                Ok(true) => watch(&shared, folder),
                Ok(false) => {}
                Err(why) => error!(%why, "interview is not watched"),
            }
        }
    });
}

/// Whether somebody may wait for this interview to begin, for however long.
fn may_wait(folder: &Folder) -> Result<bool, StoreError> {
    let Some(launch) = folder.launch()? else { return Ok(false) };
    Ok(folder.consent()?.is_some() && unix_millis() < launch.expires_at && !has_begun(folder))
}

/// Whether the candidate was met: a worker may die before that. What cannot be read is nothing to call an
/// interviewer for.
fn has_begun(folder: &Folder) -> bool {
    match progress(folder) {
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
        store::{Consent, Launch, Lease, Store},
    };

    /// C04, W09: an interview has begun when its candidate was met, not when a worker has opened its journal.
    #[tokio::test]
    async fn a_header_is_no_beginning() {
        let data = tempfile::tempdir().unwrap();
        let inputs = Inputs::new("two-stage", Vec::new(), Context::default());
        let store = Store::open(data.path()).unwrap();
        let folder = store.create(&InterviewId::random(), &inputs, None).unwrap();
        let _lease = Lease::take(&folder).unwrap();
        assert!(!has_begun(&folder));
        let header = journal::line(&Header::new("x", 0, &inputs));
        let journal = folder.path().join("journal.jsonl");
        std::fs::write(&journal, &header).unwrap();
        assert!(!has_begun(&folder), "nobody was met");
        let met = serde_json::json!(
            {"n": 1, "at": 0, "heard": 0, "event": "candidate_joined", "effects": []}
        );
        std::fs::write(&journal, header + &journal::line(&met)).unwrap();
        assert!(has_begun(&folder));
    }

    /// W09: after a restart those are waited for who agreed, whose link still works and whose interview has
    /// not begun; what cannot be read has.
    #[tokio::test]
    async fn who_may_still_wait() {
        let data = tempfile::tempdir().unwrap();
        let store = Store::open(data.path()).unwrap();
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
            };
            let folder = store.create(&InterviewId::random(), &inputs, Some(&launch)).unwrap();
            if agrees {
                let consent = Consent { v: 1, take_part_at: 0, recording: false };
                folder.agree(&consent).unwrap();
            }
            folder
        };
        let later = unix_millis() + 60_000;
        let waiting = made(later, true);
        assert!(may_wait(&waiting).unwrap());
        assert!(!may_wait(&made(later, false)).unwrap(), "nobody agreed");
        assert!(!may_wait(&made(unix_millis() - 1, true)).unwrap(), "the link is over");
        std::fs::write(waiting.path().join("journal.jsonl"), "no journal\n").unwrap();
        assert!(has_begun(&waiting) && !may_wait(&waiting).unwrap(), "nobody can tell");
    }
}
