//! The agent-worker protocol: a WebSocket over which a LiveKit server offers jobs.
//!
//! [`run`] registers, answers offers, hands out [`Job`]s, and comes back when it was told to stop and all
//! jobs have ended. A job goes on while the connection is down: the server forgets a worker's jobs with
//! its connection, so the table of jobs is ours.
//!
//! Whoever gets a job joins its room, watches [`Job::stopped`], and calls [`Job::report`] *before* it
//! leaves the room. A job that is dropped without a report (a panic, for one) counts as failed.

use std::time::Duration;

use tokio::sync::{mpsc, watch};

use crate::livekit::{ApiKeys, TokenError};

mod connection;
mod job;
mod load;
mod serve;
mod signals;
mod table;

pub use job::{Job, JobTokens, Stop};
pub use signals::on_signals;

/// How to work.
#[derive(Clone, Debug)]
pub struct WorkerOptions {
    /// The server: `ws`, `wss`, `http` or `https`.
    pub url: String,
    /// Its key and secret.
    pub keys: ApiKeys,
    /// Whose dispatches we take.
    pub agent_name: String,
    /// Jobs at a time.
    pub slots: usize,
    /// Whether the machine's load counts.
    pub admission: Admission,
    /// How long running jobs may go on after the first request to stop.
    pub drain_limit: Duration,
}

/// What decides whether one more job fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// Slots and the machine's measured CPU.
    SlotsAndCpu,
    /// Slots alone.
    Slots,
}

/// What the process wants of its worker; only ever grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shutdown {
    /// Go on.
    No,
    /// Take nothing new, let jobs end.
    Drain,
    /// End now.
    Now,
}

/// How a worker stands, for `/readyz` and `/metrics`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// Whether the server can reach it.
    pub link: Link,
    /// Slots taken: jobs running or promised.
    pub jobs: usize,
    /// Slots in all.
    pub slots: usize,
    /// The load as the server is told: 0.7 is full.
    pub load: f32,
}

/// Whether the server can reach a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// It cannot, yet or for now.
    Connecting,
    /// It can, and may offer jobs.
    Registered,
    /// It can, but there will be no new jobs.
    Draining,
}

/// Why a worker could not even begin.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// Nobody answers.
    #[error(
        "no LiveKit server answers at {url} ({cause}); is it running, and is LIVEKIT_URL right?"
    )]
    NoServer {
        /// Where.
        url: String,
        /// What the connection said.
        cause: String,
    },
    /// The server refuses our token.
    #[error(
        "the LiveKit server at {url} refuses key or secret; check LIVEKIT_API_KEY and LIVEKIT_API_SECRET"
    )]
    Refused {
        /// Where.
        url: String,
    },
    /// The address is none.
    #[error("{url:?} is no address of a LiveKit server; LIVEKIT_URL begins with ws:// or wss://")]
    BadUrl {
        /// What it is.
        url: String,
    },
    /// No token could be made.
    #[error(transparent)]
    Token(#[from] TokenError),
}

/// Where a worker stands before it runs.
pub fn standing(options: &WorkerOptions) -> watch::Sender<Standing> {
    let (jobs, slots) = (0, options.slots);
    watch::Sender::new(Standing { link: Link::Connecting, jobs, slots, load: 0.0 })
}

/// Works until told to stop: 10 s of trying at first, for ever once registered. Jobs go to `jobs`, which
/// should have a place for each slot.
pub async fn run(
    options: WorkerOptions,
    jobs: mpsc::Sender<Job>,
    shutdown: watch::Receiver<Shutdown>,
    standing: watch::Sender<Standing>,
) -> Result<(), WorkerError> {
    serve::Worker::new(options, jobs, shutdown, standing).run().await
}
