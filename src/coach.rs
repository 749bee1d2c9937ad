//! What whoever practised gets back: rules say it at once, and a model, where there is one, says it better
//! within a minute or two. What it wrote is kept as long as the journal stays as it is (C03).

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::UNIX_EPOCH,
};

use serde::{Deserialize, Serialize};
use tracing::warn;

use crate::{
    assess::practice::{Answers, Review},
    blueprint::Blueprint,
    providers::{interviewer::Interviewer, usage::Used},
    store::{Hold, InterviewId, JournalStamp, JournalStore, Listed, Projection, StoreError},
    usage::{self, Purpose},
    writing::Writer,
};

/// The version of what a model is asked: another one asks anew.
const VERSION: u32 = 1;
/// Interviews whose model failed that are remembered.
const FAILED_MAX: usize = 1_000;

/// Makes reviews of practice interviews.
pub struct Coach {
    store: Arc<dyn JournalStore>,
    writer: Arc<Writer>,
    work: Mutex<BTreeMap<InterviewId, Work>>,
}

/// What a model does about an interview.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Work {
    Writes,
    /// It failed for the journal as it was then.
    Failed(JournalStamp),
}

/// A review as it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Coached {
    /// The review.
    pub review: Review,
    /// Whether a model writes a better one.
    pub is_writing: bool,
}

/// A review as it is kept.
#[derive(Serialize, Deserialize)]
struct Kept {
    v: u32,
    /// The length of its journal, and when that was written, in microseconds since 1970.
    journal: (u64, u64),
    review: Review,
}

impl fmt::Debug for Coach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Coach").finish_non_exhaustive()
    }
}

impl Coach {
    /// Keeps reviews in a store.
    pub fn new(store: Arc<dyn JournalStore>, writer: Arc<Writer>) -> Arc<Self> {
        Arc::new(Self { store, writer, work: Mutex::default() })
    }

    /// The review of an interview that is over, by the model if it has written one. If it has not, it begins
    /// to.
    pub async fn review(
        self: &Arc<Self>,
        of: &Listed,
        answers: Answers,
        blueprint: Option<&Blueprint>,
    ) -> Result<Coached, StoreError> {
        if let Some(review) = self.kept(of).await? {
            return Ok(Coached { review, is_writing: false });
        }
        let review = answers.by_rules();
        let rules = |is_writing| Ok(Coached { review, is_writing });
        let Some(blueprint) = blueprint.filter(|_| !answers.is_empty()) else {
            return rules(false);
        };
        let interviewer = match self.writer.open(blueprint) {
            Ok(interviewer) if interviewer.model().is_some() => interviewer,
            Ok(_) => return rules(false),
            Err(why) => {
                warn!(%why, "no model reviews a practice interview");
                return rules(false);
            }
        };
        match self.begins(of) {
            Begins::Now => {
                let (coach, of) = (self.clone(), *of);
                tokio::spawn(async move { coach.write(&of, &answers, &*interviewer).await });
                rules(true)
            }
            Begins::Before => rules(true),
            Begins::Never => rules(false),
        }
    }

    /// Whether a model has to begin with an interview.
    fn begins(&self, of: &Listed) -> Begins {
        let mut work = self.work();
        match work.get(&of.id) {
            Some(Work::Writes) => return Begins::Before,
            Some(Work::Failed(stamp)) if Some(*stamp) == of.journal => return Begins::Never,
            Some(Work::Failed(_)) | None => {}
        }
        if work.len() >= FAILED_MAX {
            work.retain(|_, work| *work == Work::Writes);
        }
        work.insert(of.id, Work::Writes);
        Begins::Now
    }

    async fn write(&self, of: &Listed, answers: &Answers, interviewer: &dyn Interviewer) {
        let written = match interviewer.model() {
            Some(model) => {
                let read = |json: &str| answers.read(json);
                self.writer.write(model, answers.request(), read).await
            }
            None => Err("there is no model".to_owned()),
        };
        let used = self.writer.used(interviewer);
        let is_kept = match written {
            Ok(review) => self.keep(of, review, used).await,
            Err(why) => {
                usage::add(&self.store, of.id, Purpose::Practice, used).await;
                // It may have words of the interview in it.
                warn!(interview = %of.id, pii.why = why, "a model reviewed no practice interview");
                false
            }
        };
        let mut work = self.work();
        match of.journal.filter(|_| !is_kept) {
            Some(stamp) => work.insert(of.id, Work::Failed(stamp)),
            None => work.remove(&of.id),
        };
    }

    async fn keep(&self, of: &Listed, review: Review, used: Vec<Used>) -> bool {
        let Some(stamp) = of.journal else { return false };
        let kept = Kept { v: VERSION, journal: micros(stamp), review };
        let text = serde_json::to_string_pretty(&kept).expect("plain data serializes") + "\n";
        let written = async {
            let hold = Hold::take(&self.store, of.id).await?;
            let counted = usage::write_part(&hold, Purpose::Practice, used).await;
            let written = hold.write_projection(Projection::Practice, text).await.and(counted);
            hold.release();
            written
        };
        written.await.inspect_err(|why| warn!(%why, "a practice review was not kept")).is_ok()
    }

    async fn kept(&self, of: &Listed) -> Result<Option<Review>, StoreError> {
        let text = self.store.read_projection(of.id, Projection::Practice).await?;
        let kept = text.and_then(|text| serde_json::from_str::<Kept>(&text).ok());
        let journal = of.journal.map(micros);
        let holds = |kept: &Kept| kept.v == VERSION && Some(kept.journal) == journal;
        Ok(kept.filter(holds).map(|kept| kept.review))
    }

    fn work(&self) -> MutexGuard<'_, BTreeMap<InterviewId, Work>> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// When a model begins to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Begins {
    Now,
    Before,
    Never,
}

fn micros((length, at): JournalStamp) -> (u64, u64) {
    let since = at.duration_since(UNIX_EPOCH).unwrap_or_default();
    (length, u64::try_from(since.as_micros()).unwrap_or(u64::MAX))
}
