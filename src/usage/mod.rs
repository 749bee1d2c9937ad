//! What an interview has used of its providers, as it is kept beside its journal, and what that costs (P04).
//!
//! A sheet has a part for each who has used something: the worker that held the interview, another one that
//! went on with it, and the models that planned it or wrote about it. A worker writes its own part again and
//! again while it talks, so that little is lost with it.

mod prices;

use std::{sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};
use tokio::{sync::Notify, time::sleep};
use tracing::{error, warn};

use crate::{
    clock::unix_millis,
    providers::{
        book::Book,
        usage::{Used, summed},
    },
    store::{Hold, InterviewId, JournalStore, Projection, StoreError},
};

pub use prices::{Cost, Price, Prices};

/// How often a worker writes down what its interview has used.
const WRITE_EVERY: Duration = Duration::from_secs(15);
/// Who holds an interview that is over, to write something about it, does so for a moment.
const HELD_TRIES_MAX: u32 = 50;
const HELD_PAUSE: Duration = Duration::from_millis(100);
/// The most parts of a sheet. Those that come later are added to the last one of their purpose.
const PARTS_MAX: usize = 64;

/// What something was used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// The talk with the candidate.
    Interview,
    /// The plan before it.
    Plan,
    /// The summary after it.
    Summary,
    /// The report after it.
    Report,
    /// What a practice interview gives back.
    Practice,
}

/// What an interview has used so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sheet {
    parts: Vec<Part>,
}

/// What one of those who worked for an interview has used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Part {
    /// Who: differs for each worker that holds the interview, and each writing.
    by: String,
    purpose: Purpose,
    /// When it was written last, in milliseconds since 1970.
    at: u64,
    used: Vec<Used>,
}

impl Sheet {
    /// The sheet of an interview; an empty one where nothing was written, or what was cannot be read.
    pub async fn of(store: &dyn JournalStore, id: InterviewId) -> Result<Self, StoreError> {
        let text = store.read_projection(id, Projection::Usage).await?;
        Ok(text.map_or_else(Self::default, |text| Self::read(&text)))
    }

    /// What was used, by purpose, each with its providers.
    pub fn by_purpose(&self) -> Vec<(Purpose, Vec<Used>)> {
        let mut purposes: Vec<_> = self.parts.iter().map(|part| part.purpose).collect();
        purposes.sort_unstable();
        purposes.dedup();
        let of = |purpose| {
            let parts = self.parts.iter().filter(move |part| part.purpose == purpose);
            summed(parts.flat_map(|part| part.used.iter().cloned()))
        };
        purposes.into_iter().map(|purpose| (purpose, of(purpose))).collect()
    }

    fn read(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or_else(|why| {
            warn!(%why, "what an interview has used cannot be read");
            Self::default()
        })
    }

    /// Puts a part in place of what the same one wrote before.
    fn put(&mut self, part: Part) {
        if let Some(before) = self.parts.iter_mut().find(|before| before.by == part.by) {
            *before = part;
            return;
        }
        let is_full = self.parts.len() >= PARTS_MAX;
        let last = self.parts.iter_mut().rfind(|before| before.purpose == part.purpose);
        match last.filter(|_| is_full) {
            Some(last) => {
                let all = std::mem::take(&mut last.used).into_iter().chain(part.used);
                (last.used, last.at) = (summed(all), part.at);
            }
            None => self.parts.push(part),
        }
    }
}

/// Runs an interview, and writes down what it uses: now and then, and when it is over.
pub async fn kept_while<T>(hold: &Hold, book: &Book, run: impl Future<Output = T>) -> T {
    let (is_over, by) = (Notify::new(), anybody());
    let ran = async {
        let ran = run.await;
        is_over.notify_one();
        ran
    };
    let kept = async {
        let mut written = Vec::new();
        loop {
            let is_last = tokio::select! {
                () = is_over.notified() => true,
                () = sleep(WRITE_EVERY) => false,
            };
            let used = book.used();
            if used != written {
                written.clone_from(&used);
                match write(hold, &by, Purpose::Interview, used).await {
                    // Whoever took the interview writes for themselves.
                    Ok(()) | Err(StoreError::Lost) => {}
                    Err(why) => error!(%why, "what an interview has used was not written"),
                }
            }
            if is_last {
                return;
            }
        }
    };
    tokio::join!(ran, kept).0
}

/// Adds what was used for an interview that nobody holds for long: before it begins, or after it is over.
pub async fn add(
    store: &Arc<dyn JournalStore>,
    id: InterviewId,
    purpose: Purpose,
    used: Vec<Used>,
) {
    if used.is_empty() {
        return;
    }
    let mut tries = 0;
    let added = loop {
        match Hold::take(store, id).await {
            Ok(hold) => {
                let written = write_part(&hold, purpose, used).await;
                hold.release();
                break written;
            }
            Err(StoreError::Held) if tries < HELD_TRIES_MAX => {
                tries += 1;
                sleep(HELD_PAUSE).await;
            }
            Err(why) => break Err(why),
        }
    };
    if let Err(why) = added {
        warn!(interview = %id, ?purpose, %why, "what was used for an interview was not written");
    }
}

/// Adds what was used for an interview by whoever holds it; nothing where nothing was.
pub async fn write_part(hold: &Hold, purpose: Purpose, used: Vec<Used>) -> Result<(), StoreError> {
    if used.is_empty() { Ok(()) } else { write(hold, &anybody(), purpose, used).await }
}

async fn write(hold: &Hold, by: &str, purpose: Purpose, used: Vec<Used>) -> Result<(), StoreError> {
    let mut sheet = Sheet::of(&*hold.store, hold.id).await?;
    sheet.put(Part { by: by.to_owned(), purpose, at: unix_millis(), used });
    let text = serde_json::to_string_pretty(&sheet).expect("plain data serializes") + "\n";
    hold.write_projection(Projection::Usage, text).await
}

fn anybody() -> String {
    format!("{:016x}", rand::random::<u64>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        blueprint::Context,
        journal::Inputs,
        providers::usage::{Amount, Source, Work},
        store::FileStore,
    };

    fn spoken(characters: u64) -> Vec<Used> {
        let source = Source { work: Work::Speaking, provider: "x".into(), vendor: None };
        vec![Used { source, amount: Amount { calls: 1, characters, ..Amount::default() } }]
    }

    fn characters(sheet: &Sheet) -> Vec<(Purpose, u64)> {
        let all = sheet.by_purpose().into_iter();
        all.map(|(purpose, used)| (purpose, used[0].amount.characters)).collect()
    }

    /// P04: what one worker writes again counts once, what another one adds after it counts too, and so does
    /// what was written about the interview.
    #[tokio::test]
    async fn workers_add_up() {
        let data = tempfile::tempdir().unwrap();
        let store: Arc<dyn JournalStore> = Arc::new(FileStore::open(data.path()).unwrap());
        let (id, inputs) =
            (InterviewId::random(), Inputs::new("x", Vec::new(), Context::default()));
        store.create(id, &inputs, None).await.unwrap();
        assert_eq!(Sheet::of(&*store, id).await.unwrap(), Sheet::default());
        for (by, sum) in [("a", 10), ("a", 30), ("b", 5)] {
            let hold = Hold::take(&store, id).await.unwrap();
            write(&hold, by, Purpose::Interview, spoken(sum)).await.unwrap();
            hold.release();
        }
        add(&store, id, Purpose::Report, spoken(7)).await;
        add(&store, id, Purpose::Report, spoken(2)).await;
        add(&store, id, Purpose::Summary, Vec::new()).await;
        let sheet = Sheet::of(&*store, id).await.unwrap();
        assert_eq!(characters(&sheet), [(Purpose::Interview, 35), (Purpose::Report, 9)]);
    }

    /// P04: a sheet has a limit, and nothing is lost beyond it.
    #[test]
    fn a_sheet_has_a_limit() {
        let mut sheet = Sheet::default();
        for n in 0..2 * PARTS_MAX {
            let (by, purpose) = (n.to_string(), Purpose::Report);
            sheet.put(Part { by, purpose, at: 0, used: spoken(1) });
        }
        assert_eq!(sheet.parts.len(), PARTS_MAX);
        assert_eq!(characters(&sheet), [(Purpose::Report, 2 * PARTS_MAX as u64)]);
    }
}
