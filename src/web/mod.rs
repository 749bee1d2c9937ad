//! The web app's server: the pages, and the API under `/api` that they use.
//!
//! It knows no session. What it launches is an interview in the store; what it shows is a projection of its
//! journal. Until there is sign-in it listens on the loopback interface only (N04).

mod api;
mod assets;
mod blocking;
mod candidate;
mod documents;
mod export;
mod guard;
mod interviews;
mod launch;
mod outcome;
mod plans;
mod problem;
mod progress;
mod report;
mod watch;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use tokio::net::TcpListener;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tracing::info;
use voiceroom::server::Api;

use crate::blueprint::{Blueprint, Roles};
use crate::planning::Planner;
use crate::reading::Reader;
use crate::store::{InterviewId, JournalStore, Listed, Recordings};
use problem::Problem;

pub use api::{openapi_json, router};
pub use assets::{NO_PAGES, has_pages};
pub use report::report_schema_json;

/// So long a request under way may take to finish once we are told to stop.
const LEAVE_LIMIT: Duration = Duration::from_secs(3);

/// What `/healthz` says.
pub const ALIVE: &str = "alive";

/// What the web app is started with.
pub struct Config {
    /// Where to listen: a loopback address, port 0 for a free one.
    pub listen: SocketAddr,
    /// The interviews, which it shares with the workers.
    pub store: Arc<dyn JournalStore>,
    /// Their sound.
    pub recordings: Recordings,
    /// The LiveKit address that browsers connect to.
    pub livekit_public_url: String,
    /// The LiveKit server.
    pub livekit: Api,
    /// The agent name of our workers.
    pub agent_name: String,
    /// What can be launched, in the order of the form; at least one.
    pub blueprints: Vec<LaunchableBlueprint>,
    /// What matters for which role and level.
    pub roles: Roles,
    /// How long a candidate's link works.
    pub link_lifetime: Duration,
    /// Whether candidates are asked to be recorded.
    pub records: bool,
    /// What reads documents.
    pub reader: Arc<Reader>,
    /// What makes plans and summaries.
    pub planner: Arc<Planner>,
}

/// A blueprint as the form offers it and a launch freezes it.
#[derive(Clone, Debug)]
pub struct LaunchableBlueprint {
    /// Folder name: what the form sends.
    pub name: String,
    /// What it says.
    pub blueprint: Blueprint,
    /// The folder's texts by file name.
    pub files: Vec<(String, String)>,
    /// Documents to try it with, as text, by file name.
    pub sample: Vec<(String, String)>,
}

/// Why the web app did not start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Nobody signs in yet, so nobody from elsewhere may reach it.
    #[error(
        "the web app listens on this machine only until it has sign-in: {0} is no loopback address; \
            take 127.0.0.1"
    )]
    NotLoopback(SocketAddr),
    /// Most often the port is taken.
    #[error("the web app cannot listen on {listen}: {why}; choose another port with web.listen")]
    Listen {
        /// The address that was asked for.
        listen: SocketAddr,
        /// What the system said.
        why: io::Error,
    },
}

/// The web app, listening but not answering yet: whoever starts it can print the address first.
pub struct Web {
    listener: TcpListener,
    address: SocketAddr,
    router: Router,
    shared: Arc<Shared>,
}

impl Web {
    /// Opens the port.
    pub async fn bind(config: Config) -> Result<Self, ServeError> {
        let listen = config.listen;
        if !listen.ip().is_loopback() {
            return Err(ServeError::NotLoopback(listen));
        }
        let (router, shared) = api::build(config);
        let failed = |why| ServeError::Listen { listen, why };
        let listener = TcpListener::bind(listen).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(Self { listener, address, router, shared })
    }

    /// The address it listens on, with the real port.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until `stop`, then lets the requests under way finish: whoever reads slowly, or no more,
    /// keeps nobody from leaving.
    pub async fn serve(self, stop: CancellationToken) -> io::Result<()> {
        info!(address = %self.address, "web app started");
        watch::resume(&self.shared);
        let told = stop.clone().cancelled_owned();
        let serving = axum::serve(self.listener, self.router).with_graceful_shutdown(told);
        tokio::select! {
            served = serving.into_future() => served,
            () = async { stop.cancelled().await; sleep(LEAVE_LIMIT).await } => {
                info!("requests under way were left");
                Ok(())
            }
        }
    }
}

/// What the handlers share.
struct Shared {
    store: Arc<dyn JournalStore>,
    recordings: Recordings,
    livekit_public_url: String,
    livekit: Api,
    agent_name: String,
    blueprints: Vec<LaunchableBlueprint>,
    roles: Roles,
    link_lifetime: Duration,
    records: bool,
    watches: watch::Watches,
    rows: interviews::Rows,
    /// Two presses of Start make one record of consent and one dispatch.
    starting: tokio::sync::Mutex<()>,
}

impl Shared {
    fn new(config: Config) -> Self {
        Self {
            store: config.store,
            recordings: config.recordings,
            livekit_public_url: config.livekit_public_url,
            livekit: config.livekit,
            agent_name: config.agent_name,
            blueprints: config.blueprints,
            roles: config.roles,
            link_lifetime: config.link_lifetime,
            records: config.records,
            watches: watch::Watches::default(),
            rows: interviews::Rows::default(),
            starting: tokio::sync::Mutex::default(),
        }
    }

    /// The interview of an id as it stands in an address.
    async fn find(&self, id: &str) -> Result<Listed, Problem> {
        let unknown = || Problem::new(StatusCode::NOT_FOUND, "There is no such interview.");
        let id: InterviewId = id.parse().map_err(|_| unknown())?;
        self.store.find(id).await.map_err(|_| unknown())
    }
}
