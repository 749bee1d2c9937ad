//! Interviews whose worker has died, or has given them up: whoever finds one first calls an interviewer into
//! its room again (W08).
//!
//! Each worker looks. Of those that find the same one, the one that gets its lease makes the room ready and
//! calls; then the lease is given up again, to whichever worker gets the job. Should two call, the second job
//! finds the interview held and ends.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::{sync::watch, time::sleep};
use voiceroom::{
    server::{Api, ApiError},
    worker::{Link, Standing},
};

use crate::{
    clock, journal,
    session::write_projections,
    store::{Hold, InterviewId, JournalStore, StoreError},
};

/// How often we look.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// A look takes at most one part in so many of the time.
const LOOK_SHARE: u32 = 20;
/// How long whoever was called has to begin, and whether a candidate is there is not asked again.
const CALLED_LIMIT: Duration = Duration::from_secs(5);
const ASKED_LIMIT: Duration = Duration::from_secs(1);
/// So often we call in vain.
const CALLS_MAX: u32 = 24;

/// What looks for interviews that were left.
pub(super) struct Takeover {
    store: Arc<dyn JournalStore>,
    api: Api,
    agent: String,
    /// Those that can be taken over.
    waiting: BTreeMap<InterviewId, Waiting>,
    /// Those that nobody takes over.
    settled: BTreeSet<InterviewId>,
}

/// An interview that waits to be taken over.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    /// When we look at it again.
    again_at: Instant,
    calls: u32,
}

/// What became of looking at an interview.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Looked {
    /// An interviewer was called.
    Called,
    /// There is nobody to call one for, or somebody else does.
    NotNow,
    /// It could not be done.
    Failed,
    /// Nothing more comes of it.
    Settled,
}

/// Whether an interview that was left can be taken over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Left {
    /// Its candidate was met, and it has no end.
    Unfinished,
    /// It has an end, which its worker had no time to tell.
    Ended,
    /// Nobody came to it yet: it is not taken over, it begins anew.
    Unmet,
}

/// Why an interview was not looked at.
#[derive(Debug, thiserror::Error)]
enum Trouble {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Server(#[from] ApiError),
    #[error("its journal cannot be read: {0}")]
    Journal(#[from] journal::Unreadable),
}

impl Trouble {
    fn looked(&self) -> Looked {
        match self {
            Self::Store(_) | Self::Server(_) => Looked::Failed,
            Self::Journal(_) => Looked::Settled,
        }
    }
}

impl Takeover {
    pub(super) fn new(store: Arc<dyn JournalStore>, api: Api, agent: String) -> Self {
        Self { store, api, agent, waiting: BTreeMap::new(), settled: BTreeSet::new() }
    }

    /// Looks for as long as we are registered and take interviews.
    pub(super) async fn run(mut self, standing: watch::Receiver<Standing>) {
        let mut pause = LOOK_EVERY;
        loop {
            sleep(pause).await;
            if standing.borrow().link != Link::Registered {
                continue;
            }
            let began = clock::instant();
            self.look().await;
            pause = LOOK_EVERY.max(LOOK_SHARE * clock::instant().duration_since(began));
        }
    }

    async fn look(&mut self) {
        let left = match self.store.expired().await {
            Ok(left) => BTreeSet::from_iter(left),
            Err(why) => {
                return tracing::warn!(%why, "nobody looked for interviews to be taken over");
            }
        };
        self.settled.retain(|id| left.contains(id));
        self.waiting.retain(|id, _| left.contains(id));
        for id in left {
            let now = clock::instant();
            let waiting = self.waiting.get(&id).copied();
            if self.settled.contains(&id) || waiting.is_some_and(|it| now < it.again_at) {
                continue;
            }
            let calls = waiting.map_or(0, |it| it.calls);
            let looked = self.take_over(id).await.unwrap_or_else(|why| {
                tracing::warn!(interview = %id, %why, "an interview was not taken over");
                why.looked()
            });
            let (wait, calls) = match looked {
                Looked::Called => (CALLED_LIMIT, calls + 1),
                Looked::NotNow => (ASKED_LIMIT, calls),
                Looked::Failed => (CALLED_LIMIT, calls),
                Looked::Settled => (ASKED_LIMIT, CALLS_MAX),
            };
            if calls < CALLS_MAX {
                let again_at = clock::instant() + wait;
                self.waiting.insert(id, Waiting { again_at, calls });
            } else {
                self.settled.insert(id);
            }
        }
    }

    /// Calls an interviewer if there is somebody to be interviewed.
    async fn take_over(&self, id: InterviewId) -> Result<Looked, Trouble> {
        match self.left(id).await? {
            Left::Unfinished => {}
            Left::Unmet => return Ok(Looked::NotNow),
            Left::Ended => {
                self.finish(id).await?;
                return Ok(Looked::Settled);
            }
        }
        let (room, candidate) = (id.room(), id.candidate());
        let there = self.api.occupants(&room).await?;
        if !there.iter().any(|one| one.identity == candidate) {
            return Ok(Looked::NotNow);
        }
        let claim = match Hold::take(&self.store, id).await {
            Ok(claim) => claim,
            Err(StoreError::Held) => return Ok(Looked::NotNow),
            Err(why) => return Err(why.into()),
        };
        let stale = there.iter().filter(|one| one.is_agent).map(|one| one.identity.as_str());
        let made_ready = self.make_ready(&room, stale).await;
        claim.expire();
        made_ready?;
        self.api.create_dispatch(&room, &self.agent, &id.metadata()).await?;
        tracing::info!(interview = %id, "an interview's worker is gone, another was called");
        Ok(Looked::Called)
    }

    async fn left(&self, id: InterviewId) -> Result<Left, Trouble> {
        let Some(text) = self.store.read_journal(id).await? else { return Ok(Left::Unmet) };
        let parsed = move || {
            let (_, entries) = journal::parse(&text)?;
            Ok(match (journal::has_ended(&entries), journal::somebody_came(&entries)) {
                (true, _) => Left::Ended,
                (false, true) => Left::Unfinished,
                (false, false) => Left::Unmet,
            })
        };
        let left = tokio::task::spawn_blocking(parsed).await;
        left.unwrap_or(Err(Trouble::Store(StoreError::Ending)))
    }

    /// Writes what a worker that died with the last word had no time to write.
    async fn finish(&self, id: InterviewId) -> Result<(), StoreError> {
        let hold = match Hold::take(&self.store, id).await {
            Err(StoreError::Held) => return Ok(()),
            taken => taken?,
        };
        write_projections(&hold).await;
        hold.release();
        tracing::info!(interview = %id, "an interview had ended as its worker died");
        Ok(())
    }

    /// Nobody is in the room as an interviewer, or called, any more: one who died stays there for 20 s, and
    /// a dispatch that nobody took is never offered again.
    async fn make_ready(
        &self,
        room: &str,
        stale: impl Iterator<Item = &str>,
    ) -> Result<(), ApiError> {
        let is_done = |done: Result<(), ApiError>| match done {
            Err(ApiError::NotFound(_)) => Ok(()),
            done => done,
        };
        for identity in stale {
            is_done(self.api.remove_participant(room, identity).await)?;
        }
        for dispatch in self.api.dispatches(room).await? {
            if dispatch.agent == self.agent && dispatch.jobs == 0 {
                is_done(self.api.delete_dispatch(room, &dispatch.id).await)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use voiceroom::server::ApiKeys;

    use super::*;
    use crate::{
        blueprint::Context,
        interview::{Effect, End, Event},
        journal::{Entry, Header, Inputs},
        store::{FileStore, LeaseState, Projection},
        time::SessionTime,
    };

    /// W08: who was met and has no end is taken over; who was not met begins anew; what had
    /// ended when its worker died gets what is made of it, and nothing else.
    #[tokio::test]
    async fn what_was_left_is_told_apart() {
        let data = tempfile::tempdir().unwrap();
        let files = FileStore::open(data.path()).unwrap();
        let store: Arc<dyn JournalStore> = Arc::new(files.clone());
        let api = Api::new("ws://127.0.0.1:1", ApiKeys::new("key", "secret"));
        let takeover = Takeover::new(store.clone(), api, "agent".to_owned());
        let inputs = Inputs::new("two-stage", Vec::new(), Context::default());
        let header = journal::line(&Header::new("x", 0, &inputs));
        let entry = |n, event, effects| {
            let at = SessionTime::ZERO;
            journal::line(&Entry { n, at, heard: at, event, effects })
        };
        let came = header.clone() + &entry(1, Event::CandidateJoined, Vec::new());
        let end = entry(2, Event::Tick, vec![Effect::Hangup { end: End::Completed }]);
        for (text, expected) in [
            ("", Left::Unmet),
            (&header, Left::Unmet),
            (&came, Left::Unfinished),
            (&(came.clone() + &end), Left::Ended),
        ] {
            let id = InterviewId::random();
            let folder = files.make(id, &inputs, None).unwrap();
            std::fs::write(folder.path().join("journal.jsonl"), text).unwrap();
            Hold::take(&store, id).await.unwrap().expire();
            assert_eq!(takeover.left(id).await.unwrap(), expected, "{text}");
            if expected == Left::Ended {
                assert_eq!(takeover.take_over(id).await.unwrap(), Looked::Settled);
                assert!(folder.read(Projection::Transcript).unwrap().is_some());
                assert_eq!(folder.lease_state().unwrap(), LeaseState::Free);
            }
        }
    }
}
