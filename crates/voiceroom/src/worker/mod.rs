//! An agent worker: registers with a LiveKit server, which offers it jobs.
//!
//! [`run`] registers, answers offers, hands out [`Job`]s, tells the server its load, and returns when it was
//! told to stop and all jobs have ended. It registers again when the connection is lost, and jobs go on
//! meanwhile: the server forgets a worker's jobs with its connection, so the worker itself keeps count of
//! them.
//!
//! Whoever gets a job joins its room, watches [`Job::stopped`], and calls [`Job::report`] *before* it leaves
//! the room. A job that is dropped without a report, by a panic for example, is reported as failed.

use std::time::Duration;

use tokio::sync::{mpsc, watch};

use crate::{
    server::{ApiKeys, TokenError},
    tls,
};

mod connection;
mod job;
mod load;
mod serve;
#[cfg(unix)]
mod signals;
mod table;

pub use job::{Job, Stop};
#[cfg(unix)]
pub use signals::{on_signals, on_signals_at_terminal};

/// How to work.
pub struct WorkerOptions {
    /// The server's address: `ws`, `wss`, `http` or `https`.
    pub url: String,
    /// The server's API key and secret.
    pub keys: ApiKeys,
    /// The agent's name: the worker gets the jobs of dispatches to it. An empty name gets a job for every new
    /// room.
    pub agent_name: String,
    /// The name that rooms show for the agent. Default: `agent_name`.
    pub participant_name: String,
    /// How many jobs may run at a time. Default: one.
    pub slots: usize,
    /// What measures how busy the machine is. Default: nothing does, and only slots count.
    pub load_meter: Option<LoadMeter>,
    /// How long running jobs may go on after [`Shutdown::Drain`]. Default: one hour.
    pub drain_limit: Duration,
}

/// A function that returns how busy the machine is: 0.0 is idle, and from 1.0 on the worker accepts no jobs.
/// Called about every 2.5 s on the worker's own task, so it must not wait.
pub type LoadMeter = Box<dyn FnMut() -> f32 + Send>;

impl WorkerOptions {
    /// The default options for one server and one agent.
    pub fn new(url: impl Into<String>, keys: ApiKeys, agent_name: impl Into<String>) -> Self {
        let agent_name = agent_name.into();
        Self {
            url: url.into(),
            keys,
            participant_name: agent_name.clone(),
            agent_name,
            slots: 1,
            load_meter: None,
            drain_limit: Duration::from_secs(3600),
        }
    }
}

/// Whether a worker should stop, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shutdown {
    /// It goes on.
    No,
    /// It accepts no jobs any more, and ends with the last one.
    Drain,
    /// All jobs end now.
    Now,
}

/// The state of a worker, for health checks and metrics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// The connection to the server.
    pub link: Link,
    /// How many slots are taken: by jobs that run, or that were accepted and not assigned yet.
    pub jobs: usize,
    /// How many slots there are.
    pub slots: usize,
    /// The load that the server was told: 0.7 is full.
    pub load: f32,
}

/// The state of a worker's connection to the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// There is none, yet or for now.
    Connecting,
    /// The worker is registered, and may be offered jobs.
    Registered,
    /// The worker is registered, and accepts no jobs.
    Draining,
}

/// Why a worker could not register the first time.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// No LiveKit server answers.
    #[error(
        "no LiveKit server answers at {url} ({cause}); is it running, and is LIVEKIT_URL right?"
    )]
    NoServer {
        /// The server's address.
        url: String,
        /// What the connection said.
        cause: String,
    },
    /// The server does not accept key or secret.
    #[error(
        "the LiveKit server at {url} refuses key or secret; check LIVEKIT_API_KEY and LIVEKIT_API_SECRET"
    )]
    Refused {
        /// The server's address.
        url: String,
    },
    /// The address cannot be read.
    #[error("{url:?} is no address of a LiveKit server; LIVEKIT_URL begins with ws:// or wss://")]
    BadUrl {
        /// The address.
        url: String,
    },
    /// No token could be made.
    #[error(transparent)]
    Token(#[from] TokenError),
}

/// Returns where [`run`] publishes the state of a worker that is about to run: subscribe to it before.
pub fn standing(options: &WorkerOptions) -> watch::Sender<Standing> {
    let (jobs, slots) = (0, options.slots);
    watch::Sender::new(Standing { link: Link::Connecting, jobs, slots, load: 0.0 })
}

/// Works until `shutdown` says to stop. Tries for 10 s to register at first; once registered, for ever.
///
/// Jobs are sent to `jobs`, which should have a place for each slot: a job that finds none fails.
pub async fn run(
    options: WorkerOptions,
    jobs: mpsc::Sender<Job>,
    shutdown: watch::Receiver<Shutdown>,
    standing: watch::Sender<Standing>,
) -> Result<(), WorkerError> {
    tls::install();
    serve::Worker::new(options, jobs, shutdown, standing).run().await
}
