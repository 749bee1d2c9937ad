//! Reports of interviews: made once, by the model of the settings or of the blueprint, and kept as long as
//! the journal and the model's instructions stay as they are (U05, U06).
//!
//! A model is asked about one criterion at a time. What it quotes is checked, a wrong answer is asked for
//! once more, and a criterion about which it fails says so: no level stands in its place.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::UNIX_EPOCH,
};

use futures_util::future::join_all;
use serde::{Deserialize, Serialize};
use tracing::{info, warn};

use crate::{
    assess::{Assessed, Made, MadeBy, Material, Reading, Report, prompt_hash},
    blueprint::Blueprint,
    clock::unix_millis,
    providers::{Llm, interviewer::Interviewer, usage::Used},
    store::{Hold, InterviewId, JournalStamp, JournalStore, Listed, Projection, StoreError},
    usage::{self, Purpose},
    writing::Writer,
};

/// Makes reports, one of an interview at a time.
#[derive(Debug)]
pub struct Assessor {
    store: Arc<dyn JournalStore>,
    writer: Arc<Writer>,
    slots: Mutex<BTreeMap<InterviewId, Slot>>,
    /// Two who ask at once begin one report.
    beginning: tokio::sync::Mutex<()>,
}

/// A report that is in no store.
#[derive(Debug)]
enum Slot {
    /// It is being made: what there is to show meanwhile.
    Making(Arc<Report>),
    /// It failed, or could not be kept: it stands until the journal changes, or somebody wants it made anew.
    Done(JournalStamp, Arc<Report>),
}

/// What a report is made from.
#[derive(Debug)]
pub struct Subject {
    /// The interview.
    pub material: Material,
    /// Its blueprint, which may choose a model; nothing where it cannot be read.
    pub blueprint: Option<Blueprint>,
}

/// A report as it stands.
pub struct Found {
    /// The report.
    pub report: Report,
    /// The work that makes it, if it begins now.
    pub job: Option<Job>,
}

/// A report as it is kept.
#[derive(Serialize, Deserialize)]
struct Kept {
    /// The length of its journal, and when that was written, in microseconds since 1970.
    journal: (u64, u64),
    prompt_hash: String,
    report: Report,
}

impl Assessor {
    /// Keeps reports in a store.
    pub fn new(store: Arc<dyn JournalStore>, writer: Arc<Writer>) -> Arc<Self> {
        let (slots, beginning) = (Mutex::default(), tokio::sync::Mutex::default());
        Arc::new(Self { store, writer, slots, beginning })
    }

    /// The report of an interview that is over: as it was made before, unless it is wanted `anew`; else the
    /// work that makes it. `read` is not awaited for a report that is known.
    pub async fn report<E: From<StoreError>>(
        self: &Arc<Self>,
        of: &Listed,
        anew: bool,
        read: impl Future<Output = Result<Subject, E>>,
    ) -> Result<Found, E> {
        if let Some(report) = self.known(of, anew).await? {
            return Ok(Found { report, job: None });
        }
        let _beginning = self.beginning.lock().await;
        if let Some(report) = self.known(of, anew).await? {
            return Ok(Found { report, job: None });
        }
        let Subject { material, blueprint } = read.await?;
        let by_rules = |material: &Material| {
            let report = material.by_rules(unix_millis());
            Ok(Found { report, job: None })
        };
        let Some(blueprint) = blueprint.filter(|_| material.open().next().is_some()) else {
            return by_rules(&material);
        };
        let interviewer = match self.writer.open(&blueprint) {
            Ok(interviewer) if interviewer.model().is_none() => return by_rules(&material),
            Ok(interviewer) => interviewer,
            Err(why) => {
                let report = Report::failed(material.basis().clone(), failed(&why));
                return Ok(Found { report, job: None });
            }
        };
        let before = if anew { self.kept(of).await? } else { None };
        let report = Report::making(material.basis().clone());
        self.slots().insert(of.id, Slot::Making(Arc::new(report.clone())));
        let (assessor, of) = (self.clone(), *of);
        Ok(Found { report, job: Some(Job { assessor, of, material, interviewer, before }) })
    }

    /// The report of an interview that is over as it stands; `None` where a model has made none yet. Nothing
    /// begins.
    pub async fn as_it_stands<E: From<StoreError>>(
        &self,
        of: &Listed,
        read: impl Future<Output = Result<Subject, E>>,
    ) -> Result<Option<Report>, E> {
        if let Some(report) = self.known(of, false).await? {
            return Ok(Some(report));
        }
        let Subject { material, blueprint } = read.await?;
        let by_rules = match blueprint.filter(|_| material.open().next().is_some()) {
            Some(blueprint) => self.writer.open(&blueprint).is_ok_and(|of| of.model().is_none()),
            None => true,
        };
        Ok(by_rules.then(|| material.by_rules(unix_millis())))
    }

    /// A report that need not be made.
    async fn known(&self, of: &Listed, anew: bool) -> Result<Option<Report>, StoreError> {
        match self.slots().get(&of.id) {
            Some(Slot::Making(report)) => return Ok(Some((**report).clone())),
            Some(Slot::Done(stamp, report)) if !anew && Some(*stamp) == of.journal => {
                return Ok(Some((**report).clone()));
            }
            Some(Slot::Done(..)) | None => {}
        }
        if anew { Ok(None) } else { self.kept(of).await }
    }

    /// The report in the store, if it is one of this journal and of today's instructions.
    async fn kept(&self, of: &Listed) -> Result<Option<Report>, StoreError> {
        let text = self.store.read_projection(of.id, Projection::Report).await?;
        let kept = text.and_then(|text| serde_json::from_str::<Kept>(&text).ok());
        let journal = of.journal.map(micros);
        let holds =
            |kept: &Kept| Some(kept.journal) == journal && kept.prompt_hash == prompt_hash();
        Ok(kept.filter(holds).map(|kept| kept.report.counted()))
    }

    fn slots(&self) -> MutexGuard<'_, BTreeMap<InterviewId, Slot>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The work that makes a report. Whoever drops it before it is done leaves it to the next one who asks.
pub struct Job {
    assessor: Arc<Assessor>,
    of: Listed,
    material: Material,
    interviewer: Arc<dyn Interviewer>,
    /// The report that is made anew.
    before: Option<Report>,
}

impl Job {
    /// Makes the report and keeps it.
    pub async fn run(mut self) {
        let (id, stamp) = (self.of.id, self.of.journal);
        let (report, is_new) = match self.made().await {
            Ok(report) => (report, true),
            Err(why) => (self.unmade(&why), false),
        };
        info!(interview = %id, is_new, "report made");
        let used = self.assessor.writer.used(&*self.interviewer);
        let is_kept = match is_new {
            true => self.keep(&report, used).await,
            false => {
                usage::add(&self.assessor.store, id, Purpose::Report, used).await;
                false
            }
        };
        if let Some(stamp) = stamp.filter(|_| !is_kept) {
            self.assessor.slots().insert(id, Slot::Done(stamp, Arc::new(report)));
        }
    }

    async fn made(&self) -> Result<Report, String> {
        let Some(model) = self.interviewer.model() else {
            return Ok(self.material.by_rules(unix_millis()));
        };
        let places = self.material.open();
        let judged = join_all(places.map(async |place| (place, self.judged(model, place).await)));
        let judged = judged.await;
        let first_why = judged.iter().find_map(|(_, judged)| judged.as_ref().err()).cloned();
        if let Some(why) = first_why.filter(|_| judged.iter().all(|(_, judged)| judged.is_err())) {
            return Err(why);
        }
        let assessed = judged.into_iter().filter_map(|(place, judged)| {
            let assessed = judged.or_else(|why| self.material.failed(place, &why).ok_or(why));
            Some((place, assessed.ok()?))
        });
        let used = model.used();
        let made = Made {
            by: MadeBy::Model,
            model: model.name(),
            prompt_hash: Some(prompt_hash()),
            tokens_in: used.map(|used| used.input),
            tokens_out: used.map(|used| used.output),
            made_at: unix_millis(),
        };
        Ok(self.material.report(made, assessed.collect()))
    }

    /// What a model says of a criterion. After a second answer that is wrong, what is true of it counts.
    async fn judged(&self, model: &dyn Llm, place: usize) -> Result<Assessed, String> {
        let request = self.material.request(place).ok_or("there is no such criterion")?;
        let rest: Mutex<Option<Assessed>> = Mutex::default();
        let parse = |json: &str| {
            let Reading { assessed, fault } = self.material.read(place, json)?;
            let Some(fault) = fault else { return Ok(assessed) };
            *rest.lock().unwrap_or_else(PoisonError::into_inner) = Some(assessed);
            Err(fault)
        };
        let written = self.assessor.writer.write(model, request, parse).await;
        let rest = rest.into_inner().unwrap_or_else(PoisonError::into_inner);
        written.or_else(|why| {
            // It may have words of the interview in it.
            warn!(pii.why = why, "a model gave no whole assessment");
            rest.ok_or(why)
        })
    }

    /// What is shown where all calls have failed: the report from before, if there is one.
    fn unmade(&mut self, why: &str) -> Report {
        match self.before.take() {
            Some(before) => {
                let trouble = Some(format!("It could not be made anew: {why}."));
                Report { trouble, ..before }
            }
            None => Report::failed(self.material.basis().clone(), failed(why)),
        }
    }

    /// Keeps a report, and what was used to make it.
    async fn keep(&self, report: &Report, used: Vec<Used>) -> bool {
        let Some(stamp) = self.of.journal else { return false };
        let (journal, report) = (micros(stamp), report.clone());
        let kept = Kept { journal, prompt_hash: prompt_hash(), report };
        let text = serde_json::to_string_pretty(&kept).expect("plain data serializes") + "\n";
        let written = async {
            let hold = Hold::take(&self.assessor.store, self.of.id).await?;
            let counted = usage::write_part(&hold, Purpose::Report, used).await;
            let written = hold.write_projection(Projection::Report, text).await.and(counted);
            hold.release();
            written
        };
        written.await.inspect_err(|why| warn!(%why, "a report was not kept")).is_ok()
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        let mut slots = self.assessor.slots();
        if matches!(slots.get(&self.of.id), Some(Slot::Making(_))) {
            slots.remove(&self.of.id);
        }
    }
}

fn failed(why: &str) -> String {
    format!("The report failed: {why}. Make it again when that is mended.")
}

fn micros((length, at): JournalStamp) -> (u64, u64) {
    let since = at.duration_since(UNIX_EPOCH).unwrap_or_default();
    (length, u64::try_from(since.as_micros()).unwrap_or(u64::MAX))
}
