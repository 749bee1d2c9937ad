//! The web app's server: the pages, and the API under `/api` that they use.
//!
//! It knows no session. What it launches is an interview in the store; what it shows is a projection of its
//! journal. Recruiters sign in; candidates have their link.

mod accounts;
mod actions;
mod afterwards;
mod api;
mod assets;
mod blocking;
mod candidate;
mod documents;
mod export;
mod guard;
mod index;
mod interviews;
mod launch;
mod limits;
mod opening_form;
mod openings;
mod outcome;
mod password;
mod pasted;
mod plans;
mod problem;
mod progress;
mod report;
mod row;
mod templates;
mod watch;
mod who;

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
use crate::database::Database;
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
    /// Where it is, and how it is reached.
    pub site: Site,
    /// Accounts, openings and what was decided.
    pub database: Database,
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
    /// What reads documents.
    pub reader: Arc<Reader>,
    /// What makes plans and summaries.
    pub planner: Arc<Planner>,
}

/// Where the web app is, and what whoever comes there has to know.
#[derive(Clone, Debug)]
pub struct Site {
    /// Where to listen: port 0 for a free one.
    pub listen: SocketAddr,
    /// What the first account needs where others could reach this server before its owner.
    pub setup_code: Option<String>,
    /// Whether browsers reach us over TLS.
    pub is_secure: bool,
    /// What is set beside what is built in.
    pub real: Real,
    /// Whether candidates are asked to be recorded.
    pub records: bool,
}

/// What hears, thinks and speaks: whether it is meant for real interviews.
#[derive(Clone, Copy, Debug, Default)]
pub struct Real {
    /// Recogniser and voice are.
    pub speech: bool,
    /// There is a model.
    pub model: bool,
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
        let listen = config.site.listen;
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

    /// What the first account needs, where it needs anything.
    pub fn setup_code(&self) -> Option<&str> {
        self.shared.site.setup_code.as_deref()
    }

    /// Whether browsers reach us without TLS, as far as we know.
    pub fn is_plain(&self) -> bool {
        !self.shared.site.is_secure
    }

    /// Answers until `stop`, then lets the requests under way finish: whoever reads slowly, or no more,
    /// keeps nobody from leaving.
    pub async fn serve(self, stop: CancellationToken) -> io::Result<()> {
        info!(address = %self.address, "web app started");
        watch::resume(&self.shared);
        index::keep(&self.shared, stop.clone());
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
    site: Site,
    database: Database,
    store: Arc<dyn JournalStore>,
    recordings: Recordings,
    livekit_public_url: String,
    livekit: Api,
    agent_name: String,
    blueprints: Vec<LaunchableBlueprint>,
    roles: Roles,
    link_lifetime: Duration,
    live: Live,
}

/// What is going on at this moment.
#[derive(Default)]
struct Live {
    limits: limits::Limits,
    watches: watch::Watches,
    index: index::Index,
    /// Two presses of Start make one record of consent and one dispatch.
    starting: tokio::sync::Mutex<()>,
}

impl Shared {
    fn new(config: Config) -> Self {
        Self {
            site: config.site,
            database: config.database,
            store: config.store,
            recordings: config.recordings,
            livekit_public_url: config.livekit_public_url,
            livekit: config.livekit,
            agent_name: config.agent_name,
            blueprints: config.blueprints,
            roles: config.roles,
            link_lifetime: config.link_lifetime,
            live: Live::default(),
        }
    }

    /// The interview of an id as it stands in an address.
    async fn find(&self, id: &str) -> Result<Listed, Problem> {
        let id: InterviewId = id.parse().map_err(|_| no_interview())?;
        self.store.find(id).await.map_err(|_| no_interview())
    }
}

fn no_interview() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "There is no such interview.")
}
