//! The worker's loop: connection, offers, jobs, drain.

use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use livekit_protocol::{self as proto, JobStatus, WorkerStatus, server_message, worker_message};
use tokio::{
    sync::{mpsc, watch},
    time::{MissedTickBehavior, interval, sleep, sleep_until},
};

use super::{
    Job, Link, Shutdown, Standing, Stop, WorkerError, WorkerOptions,
    connection::{Connection, Lost, Registration},
    job::{Note, identity},
    load::Load,
    table::Table,
};
use crate::clock;

/// How long to try at the start, before one sentence and the end.
const START_LIMIT: Duration = Duration::from_secs(10);
const STATUS_EVERY: Duration = Duration::from_millis(2_500);
const PING_EVERY: Duration = Duration::from_secs(10);
const BACKOFF_FIRST: Duration = Duration::from_millis(500);
const BACKOFF_MAX: Duration = Duration::from_secs(10);
/// What jobs have to save and leave once they were told to end now.
const LEAVE_LIMIT: Duration = Duration::from_secs(10);
/// Every job sends two notes at most.
const NOTES_PER_SLOT: usize = 4;

/// A worker at work.
pub(super) struct Worker {
    registration: Registration,
    participant_name: String,
    slots: usize,
    jobs: mpsc::Sender<Job>,
    standing: watch::Sender<Standing>,
    table: Table,
    load: Load,
    notes_tx: mpsc::Sender<Note>,
    notes: mpsc::Receiver<Note>,
    ending: Ending,
    /// What the server was told last.
    told: Option<(WorkerStatus, usize)>,
}

/// Whether the worker has to end, and how long it lets its jobs go on.
struct Ending {
    shutdown: watch::Receiver<Shutdown>,
    /// The strongest wish so far.
    wish: Shutdown,
    drain_limit: Duration,
    /// When the patience with running jobs ends.
    ends_at: Option<Instant>,
}

impl Ending {
    /// Takes in a wish. Whether it is stronger than all before.
    fn take(&mut self, wish: Shutdown) -> bool {
        let is_stronger = wish > self.wish;
        self.wish = self.wish.max(wish);
        is_stronger
    }

    fn is_wished(&self) -> bool {
        self.wish != Shutdown::No
    }

    /// The jobs may go on for so long.
    fn let_jobs_end(&mut self, limit: Duration) {
        self.ends_at = Some(clock::instant() + limit);
    }
}

/// The connection, or the way to it.
enum Way {
    Opening(BoxFuture<'static, Result<Connection, WorkerError>>),
    Open(Box<Connection>),
}

/// What woke the worker up.
enum Wake {
    Shutdown(Shutdown),
    TimeUp,
    Note(Note),
    Opened(Result<Box<Connection>, WorkerError>),
    Message(Result<Box<server_message::Message>, Lost>),
    Status,
    Ping,
}

impl Worker {
    pub(super) fn new(
        options: WorkerOptions,
        jobs: mpsc::Sender<Job>,
        shutdown: watch::Receiver<Shutdown>,
        standing: watch::Sender<Standing>,
    ) -> Self {
        let (notes_tx, notes) = mpsc::channel(NOTES_PER_SLOT * options.slots.max(1));
        Self {
            registration: Registration::from(&options),
            participant_name: options.participant_name,
            slots: options.slots,
            table: Table::new(options.slots),
            load: Load::new(options.load_meter),
            jobs,
            standing,
            notes_tx,
            notes,
            ending: Ending {
                shutdown,
                wish: Shutdown::No,
                drain_limit: options.drain_limit,
                ends_at: None,
            },
            told: None,
        }
    }

    pub(super) async fn run(mut self) -> Result<(), WorkerError> {
        let mut way = Way::Opening(Box::pin(first(self.registration.clone())));
        let (mut status, mut ping) = (every(STATUS_EVERY), every(PING_EVERY));
        let wish = *self.ending.shutdown.borrow_and_update();
        self.note_wish(wish);
        loop {
            if self.is_done() {
                tracing::info!("worker stopped");
                return Ok(());
            }
            let wake = tokio::select! {
                biased;
                wish = next_wish(&mut self.ending.shutdown) => Wake::Shutdown(wish),
                () = until(self.ending.ends_at) => Wake::TimeUp,
                Some(note) = self.notes.recv() => Wake::Note(note),
                wake = way.next() => wake,
                _ = status.tick() => Wake::Status,
                _ = ping.tick() => Wake::Ping,
            };
            let outcome = match wake {
                Wake::Opened(Ok(connection)) => {
                    way = Way::Open(connection);
                    self.told = None;
                    Ok(())
                }
                // Only the first connection is given up.
                Wake::Opened(Err(error)) => return Err(error),
                wake => self.handle(wake, way.connection()).await,
            };
            let outcome = match (outcome, way.connection()) {
                (Ok(()), Some(connection)) => self.tell_changes(connection).await,
                (outcome, _) => outcome,
            };
            if let Err(lost) = outcome {
                tracing::warn!(%lost, "connection to the server lost, jobs go on");
                way = Way::Opening(Box::pin(again(self.registration.clone())));
            }
            self.publish_standing(&way);
        }
    }

    /// Told to stop, and no job runs any more.
    fn is_done(&mut self) -> bool {
        self.ending.is_wished() && self.table.taken(clock::instant()) == 0
    }

    async fn handle(
        &mut self,
        wake: Wake,
        connection: Option<&mut Connection>,
    ) -> Result<(), Lost> {
        match (wake, connection) {
            (Wake::Shutdown(wish), _) => self.note_wish(wish),
            (Wake::TimeUp, _) => self.lose_patience(),
            (Wake::Note(note), connection) => return self.handle_note(note, connection).await,
            (Wake::Message(message), Some(connection)) => {
                return self.handle_message(*message?, connection).await;
            }
            (Wake::Status, connection) => {
                self.load.measure();
                if let Some(connection) = connection {
                    return connection.send(self.status()).await;
                }
            }
            (Wake::Ping, Some(connection)) => return connection.send(ping()).await,
            (Wake::Ping | Wake::Message(_) | Wake::Opened(_), _) => {}
        }
        Ok(())
    }

    fn note_wish(&mut self, wish: Shutdown) {
        if !self.ending.take(wish) {
            return;
        }
        let jobs = self.table.taken(clock::instant());
        match wish {
            Shutdown::No => {}
            Shutdown::Drain if self.ending.drain_limit.is_zero() => self.note_wish(Shutdown::Now),
            Shutdown::Drain => {
                let limit = self.ending.drain_limit;
                let limit_s = limit.as_secs();
                tracing::info!(jobs, limit_s, "taking no new jobs, letting the others end");
                self.ending.let_jobs_end(limit);
            }
            Shutdown::Now => {
                tracing::info!(jobs, "ending all jobs now");
                self.table.stop_all(Stop::Shutdown);
                self.ending.let_jobs_end(LEAVE_LIMIT);
            }
        }
    }

    fn lose_patience(&mut self) {
        if self.ending.wish < Shutdown::Now {
            tracing::warn!("time for draining is over");
            return self.note_wish(Shutdown::Now);
        }
        tracing::error!("left jobs behind that did not end");
        self.ending.ends_at = None;
        self.table = Table::new(0);
    }

    async fn handle_note(
        &mut self,
        note: Note,
        connection: Option<&mut Connection>,
    ) -> Result<(), Lost> {
        match note {
            Note::Gone { job } => self.table.free(&job),
            Note::Ended { job, result, told } => {
                tracing::info!(job, ?result, "job ended");
                if let Some(connection) = connection {
                    connection.send(job_ended(job, result)).await?;
                }
                if let Some(told) = told {
                    let _ = told.send(());
                }
            }
        }
        Ok(())
    }

    async fn handle_message(
        &mut self,
        message: server_message::Message,
        connection: &mut Connection,
    ) -> Result<(), Lost> {
        match message {
            server_message::Message::Availability(request) => {
                let Some(job) = request.job else { return Ok(()) };
                let taken = self.table.taken(clock::instant());
                let has_room = !self.ending.is_wished() && self.load.has_room(taken);
                let is_taken = has_room && self.table.promise(&job.id, clock::instant());
                connection.send(availability(&job, &self.participant_name, is_taken)).await?;
                tracing::info!(job = job.id, is_taken, "job offered");
            }
            server_message::Message::Assignment(assignment) => {
                self.start_job(assignment, connection).await?;
            }
            server_message::Message::Termination(termination) => {
                tracing::info!(job = termination.job_id, "job terminated by the server");
                self.table.stop(&termination.job_id, Stop::Terminated);
            }
            other => tracing::trace!(?other, "ignored a message"),
        }
        Ok(())
    }

    async fn start_job(
        &mut self,
        assignment: proto::JobAssignment,
        connection: &mut Connection,
    ) -> Result<(), Lost> {
        let Some(id) = assignment.job.as_ref().map(|job| job.id.clone()) else { return Ok(()) };
        let Some(stop) = self.table.start(&id) else { return Ok(()) };
        // It was promised before all jobs had to end.
        if self.ending.wish == Shutdown::Now {
            self.table.stop(&id, Stop::Shutdown);
        }
        let Registration { url, keys, .. } = &self.registration;
        let Some(job) = Job::new(assignment, url, keys, stop, self.notes_tx.clone()) else {
            return Ok(());
        };
        tracing::info!(job = job.id, room = job.room, "job assigned");
        connection.send(job_status(id, JobStatus::JsRunning, String::new())).await?;
        // What is dropped here has failed, and says so.
        if let Err(error) = self.jobs.try_send(job) {
            tracing::error!(%error, "nobody takes a job");
        }
        Ok(())
    }

    /// Status and number of jobs, when they have changed.
    async fn tell_changes(&mut self, connection: &mut Connection) -> Result<(), Lost> {
        let now = (self.availability(), self.table.taken(clock::instant()));
        if self.told != Some(now) {
            self.told = Some(now);
            connection.send(self.status()).await?;
        }
        Ok(())
    }

    fn availability(&mut self) -> WorkerStatus {
        let taken = self.table.taken(clock::instant());
        let is_full = taken >= self.table.slots() || !self.load.has_room(taken);
        match is_full || self.ending.is_wished() {
            true => WorkerStatus::WsFull,
            false => WorkerStatus::WsAvailable,
        }
    }

    fn status(&mut self) -> worker_message::Message {
        let taken = self.table.taken(clock::instant());
        worker_message::Message::UpdateWorker(proto::UpdateWorkerStatus {
            status: Some(self.availability().into()),
            load: self.load.tell(taken, self.table.slots()),
            job_count: u32::try_from(taken).unwrap_or(u32::MAX),
            draining: self.ending.is_wished(),
            ..Default::default()
        })
    }

    fn publish_standing(&mut self, way: &Way) {
        let jobs = self.table.taken(clock::instant());
        let slots = self.slots;
        let link = match (way, self.ending.wish) {
            (Way::Opening(_), _) => Link::Connecting,
            (Way::Open(_), Shutdown::No) => Link::Registered,
            (Way::Open(_), Shutdown::Drain | Shutdown::Now) => Link::Draining,
        };
        let standing = Standing { link, jobs, slots, load: self.load.tell(jobs, slots) };
        self.standing.send_if_modified(|old| std::mem::replace(old, standing) != standing);
    }
}

impl Way {
    async fn next(&mut self) -> Wake {
        match self {
            Self::Opening(opening) => Wake::Opened(opening.await.map(Box::new)),
            Self::Open(connection) => Wake::Message(connection.receive().await.map(Box::new)),
        }
    }

    fn connection(&mut self) -> Option<&mut Connection> {
        match self {
            Self::Opening(_) => None,
            Self::Open(connection) => Some(connection),
        }
    }
}

/// The first connection: a wrong address or key is told at once, a missing server after 10 s.
async fn first(we: Registration) -> Result<Connection, WorkerError> {
    let deadline = clock::instant() + START_LIMIT;
    let mut is_told = false;
    loop {
        match Connection::open(&we).await {
            Err(error @ WorkerError::NoServer { .. }) if clock::instant() >= deadline => {
                return Err(error);
            }
            Err(WorkerError::NoServer { url, cause }) => {
                if !std::mem::replace(&mut is_told, true) {
                    let limit_s = START_LIMIT.as_secs();
                    tracing::warn!(
                        url,
                        cause,
                        limit_s,
                        "no LiveKit server answered yet, trying on"
                    );
                }
            }
            outcome => return outcome,
        }
        sleep(BACKOFF_FIRST).await;
    }
}

/// A later connection: for as long as the process lives.
async fn again(we: Registration) -> Result<Connection, WorkerError> {
    let mut backoff = BACKOFF_FIRST;
    loop {
        pause(&mut backoff).await;
        match Connection::open(&we).await {
            Ok(connection) => return Ok(connection),
            Err(error) => tracing::info!(%error, "not registered again yet"),
        }
    }
}

/// Full jitter: the workers of a restarted server do not come all at once.
async fn pause(backoff: &mut Duration) {
    sleep(backoff.mul_f64(rand::random_range(0.0..1.0))).await;
    *backoff = (2 * *backoff).min(BACKOFF_MAX);
}

fn every(period: Duration) -> tokio::time::Interval {
    let mut interval = interval(period);
    interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
    interval
}

async fn until(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at.into()).await,
        None => std::future::pending().await,
    }
}

/// The next wish; whoever can no longer wish anything lets us go on.
async fn next_wish(shutdown: &mut watch::Receiver<Shutdown>) -> Shutdown {
    match shutdown.changed().await {
        Ok(()) => *shutdown.borrow_and_update(),
        Err(_) => std::future::pending().await,
    }
}

fn availability(job: &proto::Job, name: &str, available: bool) -> worker_message::Message {
    worker_message::Message::Availability(proto::AvailabilityResponse {
        job_id: job.id.clone(),
        available,
        // The server may ask another worker.
        terminate: false,
        participant_identity: identity(&job.id),
        participant_name: name.to_owned(),
        ..Default::default()
    })
}

fn job_ended(job: String, result: Result<(), String>) -> worker_message::Message {
    match result {
        Ok(()) => job_status(job, JobStatus::JsSuccess, String::new()),
        Err(error) => job_status(job, JobStatus::JsFailed, error),
    }
}

fn job_status(job_id: String, status: JobStatus, error: String) -> worker_message::Message {
    let status = status.into();
    worker_message::Message::UpdateJob(proto::UpdateJobStatus { job_id, status, error })
}

fn ping() -> worker_message::Message {
    let timestamp = clock::unix_millis();
    worker_message::Message::Ping(proto::WorkerPing { timestamp })
}
