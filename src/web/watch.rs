//! Interviewers that were called and did not come are called again (W09).

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tracing::{error, info, warn};

use super::Shared;
use super::candidate::Consent;
use crate::clock::unix_millis;
use crate::livekit::{Call, Watched, call_until_begun};
use crate::store::{Folder, InterviewId, StoreError};

/// A worker that takes a job has begun the journal long before.
const PATIENCE: Duration = Duration::from_secs(10);
/// A candidate who waits in vain for so long has gone; Start begins anew.
const LIMIT: Duration = Duration::from_secs(600);

/// The interviews that wait for their interviewer: one watch each.
#[derive(Default)]
pub(super) struct Watches(Mutex<BTreeSet<InterviewId>>);

impl Watches {
    /// False when the interview is watched already.
    fn begin(&self, interview: InterviewId) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(interview)
    }

    fn end(&self, interview: InterviewId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&interview);
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
        let call =
            Call { room: id.room(), agent: shared.agent_name.clone(), metadata: id.metadata() };
        let has_begun = || folder.has_journal();
        match call_until_begun(&shared.livekit, &call, PATIENCE, LIMIT, has_begun).await {
            Ok(Watched::Begun) => info!(interview = %id, "interview begun"),
            Ok(Watched::Nobody) => warn!(interview = %id, "no worker took the interview"),
            Err(why) => error!(interview = %id, %why, "interviewer could not be called"),
        }
        shared.watches.end(id);
    });
}

/// Takes up the watches that a restart of this process has ended.
pub(super) fn resume(shared: &Arc<Shared>) -> Result<(), StoreError> {
    for folder in shared.store.list()? {
        match folder.read_json::<Consent>(Consent::FILE) {
            Ok(Some(consent)) if !folder.has_journal() && consent.is_younger_than(LIMIT) => {
                watch(shared, folder);
            }
            Ok(_) => {}
            Err(why) => error!(%why, "interview is not watched"),
        }
    }
    Ok(())
}

impl Consent {
    fn is_younger_than(&self, limit: Duration) -> bool {
        u128::from(unix_millis().saturating_sub(self.take_part_at)) < limit.as_millis()
    }
}
