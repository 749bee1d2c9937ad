//! What a worker does with its jobs: holds interviews.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use tokio::{sync::mpsc, task::JoinSet, time::sleep};
use tracing::Instrument;
use voiceroom::{
    room::{IceTransportPolicy, JoinError, RoomOptions, Tokens},
    server::Orders,
    worker::{self, Job},
};

use super::{
    Failed,
    agents::{Agents, chosen_providers},
    counted,
    foreign::Wishes,
    languages, memory, roles, rooms,
};
use crate::{
    blueprint::{Blueprint, Context, Language, Roles},
    clock::{self, Clock},
    config::{self, Config, ConsentTaken},
    interview::End,
    journal::{self, Entry, Header, Inputs},
    providers::{
        languages::{KnownLanguages, Lacking},
        registry::Registry,
    },
    session::{Candidate, Outcome, Parts, RoomLine, Session, Stop, clock_after},
    speak::{Heard, Mouth},
    store::{
        Afterwards, Consent, Hold, InterviewId, JournalStore, Lease, LeaseState, Recordings,
        StoreError,
    },
    telemetry,
};

/// A room that does not let us in is asked again for so long, so often.
const JOIN_LIMIT: Duration = Duration::from_secs(10);
const JOIN_BACKOFF: Duration = Duration::from_millis(500);

/// Everything that interviews of one process share.
pub(super) struct Interviews {
    store: Arc<dyn JournalStore>,
    recordings: Recordings,
    providers: Registry,
    files: BTreeMap<String, BTreeMap<String, String>>,
    /// For jobs that name no interview of ours.
    blueprint: String,
    roles: Roles,
    recording: config::Recording,
    ice_transport_policy: IceTransportPolicy,
}

/// An interview that is about to be held.
struct Planned {
    id: InterviewId,
    inputs: Inputs,
    candidate: Candidate,
}

/// How an interview begins here.
enum Beginning {
    /// It was not begun before.
    Anew,
    /// Its worker died or gave it up: it goes on with what its journal has.
    GoesOn { header: Header, before: Vec<Entry> },
}

/// An interview that can be held: its room was joined.
struct Ready {
    session: Session,
    heard: mpsc::Receiver<Heard>,
    line: RoomLine,
    /// Whether another worker could go on with it.
    can_move: bool,
}

/// What a job's room is joined with.
struct RoomOfJob {
    url: String,
    tokens: Tokens,
    orders: Orders,
}

impl Interviews {
    /// Opens what interviews need.
    pub(super) fn open(config: &Config) -> Result<Self, Failed> {
        let failed = |error: &dyn std::fmt::Display| Failed(error.to_string());
        let agents = Agents::load(config.agents.dir.as_deref())?;
        let agents = agents.with_providers(&config.providers)?;
        let blueprint = agents.chosen(None, &config.worker.blueprint)?.to_owned();
        let roles = roles::load(config.agents.roles.as_deref())?;
        counted::stages(&agents);
        let providers = Registry::build(&config.speech, &config.providers, config.worker.slots)
            .map_err(|error| failed(&error))?;
        let providers = languages::teach_aside(providers, config.agents.dir.as_deref())?;
        // What a blueprint chooses is open before anybody waits for it.
        let chosen = agents.blueprints.values().flat_map(chosen_providers);
        let all = providers.clone().choosing(chosen).map_err(|error| failed(&error))?;
        memory::give_back();
        for instead in all.fallbacks() {
            tracing::warn!(instead, "a model file is not there");
        }
        Ok(Self {
            store: super::store(config)?,
            recordings: Recordings::of(&config.data.dir),
            providers,
            files: agents.files,
            blueprint,
            roles,
            recording: config.recording.clone(),
            ice_transport_policy: match config.livekit.ice_transport_policy {
                config::IceTransportPolicy::All => IceTransportPolicy::All,
                config::IceTransportPolicy::Relay => IceTransportPolicy::Relay,
            },
        })
    }

    /// Holds an interview for each job until there are no more.
    pub(super) async fn hold_all(self: Arc<Self>, mut jobs: mpsc::Receiver<Job>) {
        let mut running = JoinSet::new();
        tokio::spawn(self.providers.clone().learn_habits());
        loop {
            tokio::select! {
                job = jobs.recv() => {
                    let Some(job) = job else { break };
                    running.spawn(self.clone().hold(job));
                }
                Some(ended) = running.join_next() => log_panic(ended),
            }
        }
        while let Some(ended) = running.join_next().await {
            log_panic(ended);
        }
    }

    /// Where interviews are kept.
    pub(super) fn store(&self) -> &Arc<dyn JournalStore> {
        &self.store
    }

    async fn hold(self: Arc<Self>, mut job: Job) {
        let planned = match self.plan(&job).await {
            Ok(planned) => planned,
            Err(why) => {
                tracing::error!(%why, "a job was refused");
                return job.report(Err(why)).await;
            }
        };
        let span = telemetry::interview_span(&planned.id.to_string(), &job.id);
        Box::pin(self.interview(&mut job, planned)).instrument(span).await;
    }

    /// What a job asks for.
    async fn plan(&self, job: &Job) -> Result<Planned, String> {
        match rooms::ours(&self.store, &job.room, &job.metadata).await? {
            Some((id, inputs)) => {
                Ok(Planned { id, inputs, candidate: Candidate::Named(id.candidate()) })
            }
            None => {
                let inputs = self.wished(Wishes::read(&job.metadata))?;
                let (id, inputs) =
                    rooms::foreign(&self.store, &job.room, &job.room_sid, inputs).await?;
                Ok(Planned { id, inputs, candidate: Candidate::First })
            }
        }
    }

    /// The inputs of an interview for a job of somebody else's frontend (N01).
    fn wished(&self, wishes: Wishes) -> Result<Inputs, String> {
        let wanted = Some(wishes.blueprint.as_str()).filter(|name| !name.is_empty());
        let name = wanted.unwrap_or(&self.blueprint);
        let Some(files) = self.files.get(name).cloned() else {
            let known = self.files.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
            return Err(format!(
                "the job's metadata asks for a blueprint \"{name}\"; there are: {known}"
            ));
        };
        let context = Context {
            focus: self.roles.focus(&wishes.role, &wishes.level),
            // If nobody says how the candidate is called, their room may.
            candidate_name: wishes.name,
            role: wishes.role,
            level: wishes.level,
            resume: wishes.resume,
            job_description: wishes.job_description,
            recorded: may_record(&self.recording, None),
            ..Context::default()
        };
        Ok(Inputs::new(name, files.into_iter().collect(), context))
    }

    async fn interview(&self, job: &mut Job, planned: Planned) {
        let state = self.store.lease_state(planned.id).await;
        let was_left = match state {
            Ok(LeaseState::Expired) => true,
            // Start on the candidate's page calls again as long as the link works.
            Ok(LeaseState::Abandoned | LeaseState::Free) => self.has_open_link(planned.id).await,
            Ok(LeaseState::Held) | Err(_) => false,
        };
        let mut lease = match Lease::take(&self.store, planned.id).await {
            Ok(lease) => lease,
            Err(StoreError::Held) => {
                tracing::warn!("the room has an interviewer already, this one left it at once");
                return job.report(Ok(())).await;
            }
            Err(why) => return job.report(Err(why.to_string())).await,
        };
        if was_left {
            // Until we go on with it: another worker may be able to if we are not.
            lease.then(Afterwards::Expired);
        }
        let beginning = match beginning(lease.hold(), &self.recordings, was_left).await {
            Ok(Some(beginning)) => beginning,
            Ok(None) => {
                tracing::info!("a job came for an interview that was begun before, ended it");
                return job.report(Ok(())).await;
            }
            Err(why) => {
                tracing::error!(%why, "the interview cannot be held");
                return job.report(Err(why)).await;
            }
        };
        match Box::pin(self.ready(job, lease.hold(), planned, beginning)).await {
            Ok(ready) => self.hold_ready(job, lease, ready).await,
            Err(why) => job.report(Err(why)).await,
        }
    }

    /// Makes a session, and joins the room with it.
    async fn ready(
        &self,
        job: &mut Job,
        hold: &Hold,
        planned: Planned,
        beginning: Beginning,
    ) -> Result<Ready, String> {
        let cannot_be_held = |why: String| {
            tracing::error!(%why, "the interview cannot be held");
            why
        };
        let parts = self.parts(hold, planned.inputs, beginning).await.map_err(cannot_be_held)?;
        let (mouth, heard) = Mouth::new();
        let (clock, goes_on) = (clock_after(&parts.before), !parts.before.is_empty());
        let session = Session::begin(parts, clock, mouth.clone());
        let session = session.map_err(|why| cannot_be_held(why.to_string()))?;
        // Where anybody else's room is, and who is in it, only their job says.
        let can_move = matches!(planned.candidate, Candidate::Named(_));
        let room = RoomOfJob { url: job.url.clone(), tokens: job.tokens(), orders: job.orders() };
        let joined = tokio::select! {
            joined = self.join(room, planned.candidate, mouth, clock) => joined,
            why = job.stopped() => {
                tracing::info!(?why, "a job was told to end before its room was joined");
                return Err("told to end before its room was joined".to_owned());
            }
        };
        let line = joined.map_err(|why| {
            tracing::error!(%why, "the room was not joined");
            why.to_string()
        })?;
        match goes_on {
            true => {
                metrics::counter!("vivavoce_takeovers_total").increment(1);
                tracing::info!("the interview was taken over, and goes on");
            }
            false => tracing::info!("the interview began"),
        }
        Ok(Ready { session, heard, line, can_move })
    }

    async fn hold_ready(&self, job: &mut Job, mut lease: Lease, ready: Ready) {
        let Ready { session, heard, mut line, can_move } = ready;
        let hold = lease.hold().clone();
        lease.then(Afterwards::Free);
        let stop = async {
            tokio::select! {
                why = job.stopped() => match why {
                    worker::Stop::Shutdown if can_move => Stop::HandOver,
                    worker::Stop::Shutdown | worker::Stop::Terminated => Stop::End,
                },
                () = lease.lost() => {
                    tracing::error!("the lease was lost");
                    Stop::Lost
                }
            }
        };
        let outcome = session.run(&mut line, heard, stop, |_| {}).await;
        keep_link(&hold, &self.recordings).await;
        let result = match outcome.map_err(|why| why.to_string()) {
            Ok(Outcome { end: None, .. }) => {
                tracing::info!("the interview was given up to another worker");
                lease.then(Afterwards::Expired);
                drop(lease);
                Ok(())
            }
            Ok(Outcome { end: Some(End::Technical), trouble }) => {
                Err(trouble.unwrap_or_else(|| "the interview could not go on".to_owned()))
            }
            Ok(_) => Ok(()),
            Err(why) => Err(why),
        };
        if let Err(why) = &result {
            tracing::error!(%why, "the interview failed");
        }
        // The server marks a job whose agent has left as failed.
        job.report(result).await;
        line.leave().await;
    }

    async fn join(
        &self,
        room: RoomOfJob,
        candidate: Candidate,
        mouth: Mouth,
        clock: Clock,
    ) -> Result<RoomLine, JoinError> {
        let tokens = Arc::new(room.tokens);
        let join = || {
            let tokens = tokens.clone();
            let mut options = RoomOptions::new(&room.url, Box::new(move || tokens()));
            options.ice_transport_policy = self.ice_transport_policy;
            let (candidate, mouth) = (candidate.clone(), mouth.clone());
            RoomLine::join(options, candidate, mouth, clock, room.orders.clone())
        };
        patiently(JOIN_LIMIT, join).await
    }

    /// Those that the interview's blueprint chooses, and else those of the settings. What was written by
    /// another web server may choose what is not open here yet, which takes a moment.
    async fn providers_for(&self, inputs: &Inputs) -> Result<Registry, String> {
        let blueprint = Blueprint::load(&inputs.files).map_err(|problems| {
            problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
        })?;
        let (chosen, providers) = (chosen_providers(&blueprint), self.providers.clone());
        if chosen.is_empty() {
            return Ok(providers);
        }
        let opened = tokio::task::spawn_blocking(move || providers.choosing(chosen)).await;
        opened.map_err(|why| why.to_string())?.map_err(|why| why.to_string())
    }

    async fn parts(
        &self,
        hold: &Hold,
        inputs: Inputs,
        beginning: Beginning,
    ) -> Result<Parts, String> {
        let providers = self.providers_for(&inputs).await?;
        let (inputs, header, before) = match beginning {
            Beginning::Anew => {
                let settled = self.settle(hold, inputs).await;
                let inputs = settled.map_err(|why| why.to_string())?;
                let header = Header::new(&hold.id.to_string(), clock::unix_millis(), &inputs);
                (inputs, header, Vec::new())
            }
            Beginning::GoesOn { header, before } => (inputs, header, before),
        };
        let interview = inputs.interview().map_err(|problems| {
            problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
        })?;
        warn_of_language(&providers, interview.language());
        let recording = inputs.context.recorded.then(|| self.recordings.path(hold.id));
        let hold = hold.clone();
        Ok(Parts { interview, header, before, hold, providers, recording })
    }

    /// Whether the interview can be joined by a link for as long as it has not ended.
    async fn has_open_link(&self, id: InterviewId) -> bool {
        let launch = self.store.launch(id).await.ok().flatten();
        launch.is_some_and(|launch| launch.is_open(clock::unix_millis()))
    }

    /// Launched to be recorded, an interview is not when the candidate did not agree or we do not record:
    /// from then on its inputs say so, and the interviewer does. What is made different for them is as they
    /// chose last.
    async fn settle(&self, hold: &Hold, inputs: Inputs) -> Result<Inputs, StoreError> {
        let consent = hold.store.consent(hold.id).await?;
        let mut settled = inputs.clone();
        if let Some(chosen) = consent.as_ref().and_then(|consent| consent.accommodations) {
            settled.accommodations = chosen;
        }
        settled.context.recorded &= may_record(&self.recording, consent);
        if settled != inputs {
            hold.amend(&settled).await?;
        }
        Ok(settled)
    }
}

/// What neither hears nor speaks the language of the interview makes nonsense of it.
fn warn_of_language(providers: &Registry, language: Language) {
    let known = KnownLanguages::of(&*providers.stt(), &*providers.tts());
    let strangers: &[&str] = match known.lacking(language) {
        None => &[],
        Some(Lacking::Recogniser) => &["recogniser"],
        Some(Lacking::Voice) => &["voice"],
        Some(Lacking::Both) => &["recogniser", "voice"],
    };
    for what in strangers {
        tracing::warn!(
            "the interview is held in {}, which the {what} does not know: choose another in the \
                blueprint's [speech]",
            language.name()
        );
    }
}

/// Joins again and again, for as long as an attempt that fails may be followed by one that does not.
async fn patiently<T, J: Future<Output = Result<T, JoinError>>>(
    limit: Duration,
    mut join: impl FnMut() -> J,
) -> Result<T, JoinError> {
    let until = clock::instant() + limit;
    loop {
        let why = match join().await {
            Ok(joined) => return Ok(joined),
            Err(why) => why,
        };
        if !why.is_transient() || clock::instant() >= until {
            return Err(why);
        }
        tracing::warn!(%why, "the room does not let us in yet, trying again");
        // Not all jobs of a worker at once.
        sleep(JOIN_BACKOFF.mul_f64(rand::random_range(0.5..1.0))).await;
    }
}

/// Whether sound may be kept of somebody who agreed to this on our pages, if they were there.
pub(super) fn may_record(recording: &config::Recording, consent: Option<Consent>) -> bool {
    let config::Recording { enabled, consent: taken } = *recording;
    enabled && consent.map_or(taken == ConsentTaken::Elsewhere, |consent| consent.recording)
}

/// How an interview is begun that was left by a worker or is new; nothing if it cannot be.
async fn beginning(
    hold: &Hold,
    recordings: &Recordings,
    was_left: bool,
) -> Result<Option<Beginning>, String> {
    let journal = hold.store.read_journal(hold.id).await.map_err(|why| why.to_string())?;
    if let Some(text) = journal.filter(|_| was_left) {
        let (header, before) = journal::parse(&text).map_err(|why| why.to_string())?;
        if journal::has_ended(&before) {
            return Ok(None);
        }
        if journal::somebody_came(&before) {
            return Ok(Some(Beginning::GoesOn { header, before }));
        }
    }
    Ok(can_begin(hold, recordings).await?.then_some(Beginning::Anew))
}

/// Whether nobody has begun an interview, or its worker died before anybody came: that makes way.
async fn can_begin(hold: &Hold, recordings: &Recordings) -> Result<bool, String> {
    let journal = hold.store.read_journal(hold.id).await.map_err(|why| why.to_string())?;
    Ok(journal.is_none() || set_aside_if_nobody_came(hold, recordings).await?)
}

/// An interview that nobody came to uses up no link, whatever ended it.
async fn keep_link(hold: &Hold, recordings: &Recordings) {
    match set_aside_if_nobody_came(hold, recordings).await {
        Ok(true) => tracing::info!("nobody came, the link still works"),
        Ok(false) => {}
        Err(why) => tracing::error!(%why, "an interview was not set aside if nobody came"),
    }
}

async fn set_aside_if_nobody_came(hold: &Hold, recordings: &Recordings) -> Result<bool, String> {
    let Hold { store, id, .. } = hold;
    if store.launch(*id).await.map_err(|why| why.to_string())?.is_none() {
        return Ok(false);
    }
    // Without a whole header there is nothing to keep.
    let Some(text) = store.read_journal(*id).await.map_err(|why| why.to_string())? else {
        return Ok(true);
    };
    let (_, entries) = journal::parse(&text).map_err(|why| why.to_string())?;
    if journal::somebody_came(&entries) {
        return Ok(false);
    }
    // The sound is apart from the store, which refuses who has lost the lease. It goes first: after a crash
    // between the two all is set aside the next time.
    hold.renew().await.map_err(|why| why.to_string())?;
    recordings.remove(*id).map_err(|why| why.to_string())?;
    hold.set_aside().await.map_err(|why| why.to_string())?;
    Ok(true)
}

/// One panic ends one interview; the job that it held has been reported as failed by being dropped.
fn log_panic(ended: Result<(), tokio::task::JoinError>) {
    if let Err(why) = ended {
        tracing::error!(%why, "an interview panicked");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        interview::Event,
        journal::Entry,
        store::{FileStore, Launch},
        time::SessionTime,
    };

    /// C04: what was begun makes way for another beginning for as long as nobody came to it by its link; a
    /// worker can die at any byte.
    #[tokio::test]
    async fn a_death_before_anybody_came_uses_up_no_link() {
        let data = tempfile::tempdir().unwrap();
        let files = FileStore::open(data.path()).unwrap();
        let store: Arc<dyn JournalStore> = Arc::new(files.clone());
        let recordings = Recordings::of(data.path());
        let inputs = Inputs::new("two-stage", Vec::new(), Context::default());
        let header = journal::line(&Header::new("x", 0, &inputs));
        let entry = |event| {
            let (at, effects) = (SessionTime::ZERO, Vec::new());
            journal::line(&Entry { n: 1, at, heard: at, event, effects })
        };
        let link = Some(Launch {
            v: 1,
            token_hash: String::new(),
            launched_at: 0,
            expires_at: 0,
            title: String::new(),
            interviewer: String::new(),
            stages: Vec::new(),
            length_limit_s: 1,
            cancelled: false,
            mailed: Vec::new(),
        });
        let came = header.clone() + &entry(Event::CandidateJoined);
        for (text, has_link, expected) in [
            ("", true, true),
            (&header[..20], true, true),
            (&header[..20], false, true),
            (&header, true, true),
            (&(header.clone() + &entry(Event::Tick)), true, true),
            (&header, false, false),
            (&came, true, false),
        ] {
            let id = InterviewId::random();
            let folder = files.make(id, &inputs, link.as_ref().filter(|_| has_link)).unwrap();
            std::fs::write(folder.path().join("journal.jsonl"), text).unwrap();
            std::fs::write(recordings.path(id), "silence").unwrap();
            let is_set_aside = expected && folder.read_journal().unwrap().is_some();
            let hold = Hold::take(&store, id).await.unwrap();
            assert_eq!(can_begin(&hold, &recordings).await, Ok(expected), "{text}");
            assert_eq!(folder.read_journal().unwrap().is_none(), expected, "{text}");
            assert_eq!(
                recordings.path(id).exists(),
                !is_set_aside,
                "its sound goes with it: {text}"
            );
        }
    }

    /// R10: only who agreed is recorded, where recording is on; what was said on our page counts before
    /// anything else.
    #[test]
    fn nobody_is_recorded_who_did_not_agree() {
        let agreed =
            |recording| Some(Consent { v: 1, take_part_at: 0, recording, accommodations: None });
        for (enabled, taken, consent, expected) in [
            (true, ConsentTaken::Page, agreed(true), true),
            (true, ConsentTaken::Page, agreed(false), false),
            (true, ConsentTaken::Page, None, false),
            (true, ConsentTaken::Elsewhere, agreed(true), true),
            (true, ConsentTaken::Elsewhere, agreed(false), false),
            (true, ConsentTaken::Elsewhere, None, true),
            (false, ConsentTaken::Elsewhere, agreed(true), false),
            (false, ConsentTaken::Elsewhere, None, false),
        ] {
            let recording = config::Recording { enabled, consent: taken };
            let case = format!("{recording:?} {consent:?}");
            assert_eq!(may_record(&recording, consent), expected, "{case}");
        }
    }

    /// R01: what passes ends no interview before it began, unless it lasts; what does not pass ends it at
    /// once.
    #[tokio::test]
    async fn a_join_is_tried_again_while_that_may_help() {
        let not_now = || JoinError::NotNow { url: String::new(), cause: String::new() };
        let refused = || JoinError::Refused { url: String::new(), cause: String::new() };
        let tried = async |limit_ms: u64, answers: Vec<Result<(), JoinError>>| {
            let mut left = answers.into_iter();
            let join = || std::future::ready(left.next().expect("tried too often"));
            let joined = patiently(Duration::from_millis(limit_ms), join).await;
            (joined.is_ok(), left.len())
        };
        assert_eq!(tried(9_000, vec![Err(not_now()), Ok(()), Ok(())]).await, (true, 1));
        assert_eq!(tried(9_000, vec![Err(refused()), Ok(())]).await, (false, 1));
        assert_eq!(tried(200, vec![Err(not_now()), Err(not_now()), Ok(())]).await, (false, 1));
    }
}
