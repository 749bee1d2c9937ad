//! Interviews with simulated candidates, for recruiters to watch: real sessions on virtual time, whose
//! journals are written as they go. They need neither a room nor a worker.

mod sitter;
mod sound;
mod stop;

use std::{
    collections::BTreeMap,
    fmt,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::runtime::Handle;

use super::{agents::chosen_providers, languages};
use crate::{
    blueprint::Blueprint,
    clock,
    config::Config,
    journal::{self, Header, Inputs},
    providers::{
        kind::Role,
        kinds::Providers,
        registry::Registry,
        speech::{Chain, Speech},
    },
    scripted::Candidate,
    session::{Latencies, Lockstep, write_projections},
    store::{InterviewId, JournalStore, Lease, OpenJournal},
    web::{self, NoPlace},
};
use sitter::Sitter;
use sound::{Heard, LevelVad, Said};
use stop::Stop;

/// So many go on at a time: each asks the model as a real one does.
const PLACES: usize = 3;
/// So many lines of a journal may wait for the disk.
const UNSYNCED_MAX: u64 = 64;

/// How fast interviews with simulated candidates go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// As whoever began them wants to watch them.
    AsAsked,
    /// As fast as they can, for tests.
    AtOnce,
}

/// Holds interviews with simulated candidates, a few at a time, by the model of the settings.
pub struct Simulator {
    store: Arc<dyn JournalStore>,
    pace: Pace,
    source: Arc<Source>,
    running: Running,
}

/// Those that have a place, and how to end each.
#[derive(Clone, Default)]
struct Running(Arc<Mutex<BTreeMap<InterviewId, Arc<Stop>>>>);

/// What interviews are made with.
struct Source {
    speech: Speech,
    providers: Providers,
    agents_dir: Option<PathBuf>,
    latencies: Latencies,
    /// Opened for the first of them.
    opened: Mutex<Option<Registry>>,
}

impl Simulator {
    /// One for the interviews of a store.
    pub fn new(config: &Config, store: Arc<dyn JournalStore>, pace: Pace) -> Self {
        // Nothing is heard or spoken but signs of it, whatever is set.
        let only = |name: &str| Chain::new([name.to_owned()]);
        let speech = Speech {
            vad: only("earshot"),
            turn_detector: only("off"),
            suppresses_noise: false,
            stt: only("scripted"),
            tts: only("scripted"),
            ..config.speech.clone()
        };
        let latencies = Latencies {
            llm: config.lockstep.llm,
            tts: config.lockstep.tts,
            judge: config.lockstep.judge,
        };
        let source = Source {
            speech,
            providers: config.providers.clone(),
            agents_dir: config.agents.dir.clone(),
            latencies,
            opened: Mutex::default(),
        };
        Self { store, pace, source: Arc::new(source), running: Running::default() }
    }
}

impl fmt::Debug for Simulator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Simulator").field("pace", &self.pace).finish_non_exhaustive()
    }
}

impl web::Simulator for Simulator {
    fn reserve(&self, id: InterviewId) -> Result<(), NoPlace> {
        let mut running = self.running.lock();
        if running.len() >= PLACES {
            return Err(NoPlace { max: PLACES });
        }
        running.insert(id, Arc::default());
        Ok(())
    }

    fn begin(&self, id: InterviewId, inputs: Inputs, speed: u32) {
        let Some(stop) = self.running.lock().get(&id).cloned() else { return };
        let (store, source, running) =
            (self.store.clone(), self.source.clone(), self.running.clone());
        let speed = (self.pace == Pace::AsAsked).then_some(speed.max(1));
        tokio::spawn(async move {
            if let Err(why) = hold(store, source, id, Run { inputs, speed, stop }).await {
                tracing::error!(interview = %id, %why, "an interview with a simulated candidate failed");
            }
            running.lock().remove(&id);
        });
    }

    fn end(&self, id: InterviewId) -> bool {
        let found = self.running.lock().get(&id).cloned();
        if let Some(stop) = &found {
            stop.set();
        }
        found.is_some()
    }

    fn end_all(&self) {
        self.running.lock().values().for_each(|stop| stop.set());
    }
}

impl Running {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<InterviewId, Arc<Stop>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One interview as it was asked for.
struct Run {
    inputs: Inputs,
    /// How many times as fast as people speak; nothing for as fast as can be.
    speed: Option<u32>,
    stop: Arc<Stop>,
}

/// Holds an interview to its end.
async fn hold(
    store: Arc<dyn JournalStore>,
    source: Arc<Source>,
    id: InterviewId,
    run: Run,
) -> Result<(), String> {
    let mut lease = Lease::take(&store, id).await.map_err(|why| why.to_string())?;
    let (journal, _) = lease.hold().open_journal().await.map_err(|why| why.to_string())?;
    let header = Header::new(&id.to_string(), clock::unix_millis(), &run.inputs);
    journal.append(&journal::line(&header)).map_err(|why| why.to_string())?;
    let stop = run.stop.clone();
    // The model is waited for by blocking, which the runtime's own threads must not do.
    let mut playing = tokio::task::spawn_blocking(move || {
        let played = play(&source, run, &journal);
        (played, journal)
    });
    let played = tokio::select! {
        played = &mut playing => played,
        () = lease.lost() => {
            stop.set();
            playing.await
        }
    };
    let (played, journal) = played.map_err(|why| why.to_string())?;
    journal.close().await;
    played?;
    write_projections(lease.hold()).await;
    Ok(())
}

/// Plays an interview, and writes each entry of its journal as it is made.
fn play(source: &Source, run: Run, journal: &OpenJournal) -> Result<(), String> {
    let Run { inputs, speed, stop } = run;
    let said = Said::default();
    let providers = source.providers_for(&inputs)?;
    let providers =
        providers.with_vad(Arc::new(|| Box::new(LevelVad))).with_stt(Arc::new(Heard(said.clone())));
    let interview = inputs.interview().map_err(|problems| {
        problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    })?;
    let manner = inputs.simulated.unwrap_or_default();
    let candidate = Candidate::new(manner, interview.language(), &inputs.context.role);
    let sitter = Sitter::new(candidate, said, speed, stop.clone());
    let lockstep = Lockstep::new(interview, sitter, &providers, source.latencies)
        .map_err(|why| why.to_string())?;
    let mut kept = Ok(());
    lockstep.run(|entry| {
        if kept.is_ok() {
            kept = keep(journal, entry);
            if kept.is_err() {
                stop.set();
            }
        }
    });
    kept
}

fn keep(journal: &OpenJournal, entry: &journal::Entry) -> Result<(), String> {
    let receipt = journal.append(&journal::line(entry)).map_err(|why| why.to_string())?;
    if !entry.n.is_multiple_of(UNSYNCED_MAX) {
        return Ok(());
    }
    Handle::current().block_on(receipt.synced()).map_err(|why| why.to_string())
}

impl Source {
    /// What thinks in an interview, by the settings or by its blueprint; what hears and speaks is ours.
    fn providers_for(&self, inputs: &Inputs) -> Result<Registry, String> {
        let blueprint = Blueprint::load(&inputs.files).map_err(|problems| {
            problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
        })?;
        let mut chosen = chosen_providers(&blueprint);
        chosen.retain(|(role, _)| *role == Role::Llm);
        let opened = self.opened()?;
        opened.choosing(chosen).map_err(|why| why.to_string())
    }

    fn opened(&self) -> Result<Registry, String> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(opened) = &*opened {
            return Ok(opened.clone());
        }
        let built = Registry::build(&self.speech, &self.providers, PLACES);
        let built = built.map_err(|why| why.to_string())?;
        let taught = languages::teach_aside(built, self.agents_dir.as_deref());
        let taught = taught.map_err(|why| why.to_string())?;
        Ok(opened.insert(taught).clone())
    }
}
