//! The web app's server: the pages, and the API under `/api` that they use.
//!
//! It knows no session. What it launches is an interview in the store; what it shows is a projection of its
//! journal. Recruiters sign in; candidates have their link.

mod accounts;
mod actions;
mod afterwards;
mod api;
mod api_doc;
mod assets;
mod attempts;
mod blocking;
mod blueprint_files;
mod blueprint_text;
mod blueprints;
mod candidate;
mod candidate_report;
mod costs;
mod documents;
mod export;
mod exposure;
mod guard;
mod hashing;
mod index;
mod integrity;
mod interviews;
mod languages;
mod latency;
mod launch;
mod levels;
mod limits;
mod link;
mod mail;
mod mcp;
mod network;
mod offered;
mod oidc;
mod opening_form;
mod openings;
mod outcome;
mod partner;
mod password;
mod pasted;
mod plans;
mod postman;
mod practice;
mod problem;
mod progress;
mod readiness;
mod receipts;
mod recorded;
mod report;
mod row;
mod serving;
mod shares;
mod simulated;
mod sound_check;
mod streams;
mod subjects;
mod templates;
mod trail;
mod watch;
mod webhooks;
mod who;

use std::fmt;
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

use crate::assessor::Assessor;
use crate::blueprint::{self, Blueprint, Roles};
use crate::database::Database;
use crate::mail::Mailer;
use crate::oidc::Provider;
use crate::planning::Planner;
use crate::reading::Reader;
use crate::settings::Subnet;
use crate::sound_check::SoundCheck;
use crate::store::{InterviewId, JournalStore, Listed, Recordings};
use crate::usage::Prices;
use problem::Problem;

pub use api::{openapi_json, router};
pub use assets::{NO_PAGES, has_pages};
pub use exposure::{Exposure, Front};
pub use languages::SpeechLanguages;
pub use report::report_schema_json;
pub use serving::ConnectionLimits;
pub(crate) use serving::serve_within;
pub use simulated::{NoPlace, Simulator};

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
    /// How it is reached.
    pub exposure: Exposure,
    /// The server in front of it that says whom it serves.
    pub trusted_proxy: Option<Subnet>,
    /// What the first account needs; without a code only whoever sits at this machine makes it.
    pub setup_code: Option<String>,
    /// What is set beside what is built in.
    pub real: Real,
    /// Whether candidates are asked to be recorded.
    pub records: bool,
    /// What messages to other servers need.
    pub outside: Outside,
    /// What it uses beside the room server.
    pub services: Services,
    /// What hears candidates before their interview.
    pub sound_check: Arc<SoundCheck>,
}

/// What messages to other servers need.
#[derive(Clone, Default)]
pub struct Outside {
    /// Where people reach this server, without a slash at its end: links in messages begin with it.
    pub address: String,
    /// Whether messages may go into private networks.
    pub to_private: bool,
    /// What proves to an applicant tracking system that a message is ours; may be empty.
    pub partner_key: String,
}

impl Outside {
    /// The address of an interview's page.
    fn page_of(&self, interview: &str) -> String {
        format!("{}/interviews/{interview}", self.address)
    }
}

impl fmt::Debug for Outside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outside").field("address", &self.address).finish_non_exhaustive()
    }
}

/// What the web app uses beside the room server, each where it is set.
#[derive(Clone, Debug, Default)]
pub struct Services {
    /// What sends mail to candidates.
    pub mail: Option<Arc<Mailer>>,
    /// Where people sign in with an account from elsewhere.
    pub oidc: Option<Arc<Provider>>,
    /// Whether nobody signs in with a password.
    pub no_passwords: bool,
    /// Whether the key of an applicant tracking system may go to an address without TLS.
    pub partner_insecure: bool,
    /// What holds interviews with simulated candidates.
    pub simulator: Option<Arc<dyn Simulator>>,
    /// How long entries of the audit trail are kept; for ever, if nothing.
    pub audit_kept: Duration,
    /// What providers charge.
    pub prices: Arc<Prices>,
    /// What else is checked in a blueprint that somebody saves.
    pub blueprint_check: BlueprintCheck,
    /// Which languages can be spoken and heard.
    pub languages: SpeechLanguages,
}

/// What else is checked in a blueprint that can be read, by whoever starts the web app: whether there are the
/// providers that it names, for example.
#[derive(Clone)]
pub struct BlueprintCheck(Arc<FindProblems>);

type FindProblems =
    dyn Fn(&Blueprint, &[(String, String)]) -> Vec<blueprint::Problem> + Send + Sync;

impl BlueprintCheck {
    /// A check by this function.
    pub fn new(
        find: impl Fn(&Blueprint, &[(String, String)]) -> Vec<blueprint::Problem>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        Self(Arc::new(find))
    }

    /// What is wrong with a blueprint of these files.
    fn problems(
        &self,
        blueprint: &Blueprint,
        files: &[(String, String)],
    ) -> Vec<blueprint::Problem> {
        (self.0)(blueprint, files)
    }
}

impl Default for BlueprintCheck {
    fn default() -> Self {
        Self::new(|_, _| Vec::new())
    }
}

impl fmt::Debug for BlueprintCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BlueprintCheck")
    }
}

/// The API as a page to read: `docs/api.md`.
pub fn api_markdown() -> String {
    api_doc::markdown(&openapi_json())
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
    /// Its version; 0: as it is in the folder.
    pub version: i64,
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
    limits: ConnectionLimits,
}

impl Web {
    /// Opens the port.
    pub async fn bind(config: Config) -> Result<Self, ServeError> {
        let listen = config.site.listen;
        let (router, shared) = api::build(config);
        let failed = |why| ServeError::Listen { listen, why };
        let listener = TcpListener::bind(listen).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let limits = ConnectionLimits::default();
        Ok(Self { listener, address, router, shared, limits })
    }

    /// The same with other limits of connections than the usual ones.
    #[must_use]
    pub fn with_limits(self, limits: ConnectionLimits) -> Self {
        Self { limits, ..self }
    }

    /// The address it listens on, with the real port.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What the first account needs, where it needs anything.
    pub fn setup_code(&self) -> Option<&str> {
        self.shared.site.setup_code.as_deref()
    }

    /// How it is reached.
    pub fn exposure(&self) -> &Exposure {
        &self.shared.site.exposure
    }

    /// Answers until `stop`, then lets the requests under way finish: whoever reads slowly, or no more,
    /// keeps nobody from leaving.
    pub async fn serve(self, stop: CancellationToken) -> io::Result<()> {
        info!(address = %self.address, "web app started");
        watch::keep(&self.shared, stop.clone());
        index::keep(&self.shared, stop.clone());
        webhooks::outbox::keep(&self.shared, stop.clone());
        postman::keep(&self.shared, stop.clone());
        simulated::end_with(&self.shared, stop.clone());
        let serving = serve_within(self.limits, self.listener, self.router, stop.clone());
        tokio::select! {
            () = serving => Ok(()),
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
    blueprints: offered::Offered,
    roles: Roles,
    link_lifetime: Duration,
    assessor: Arc<Assessor>,
    live: Live,
}

/// What is going on at this moment.
#[derive(Default)]
struct Live {
    limits: limits::Limits,
    streams: streams::Streams,
    readiness: readiness::Readiness,
    watches: watch::Watches,
    index: index::Index,
    /// Two presses of Start make one record of consent and one dispatch.
    starting: tokio::sync::Mutex<()>,
    /// Links of one interview are made one after another.
    links: tokio::sync::Mutex<()>,
    /// Told when a mail waits to be sent.
    mail: tokio::sync::Notify,
}

impl Shared {
    fn new(config: Config) -> Self {
        Self {
            site: config.site,
            database: config.database,
            recordings: config.recordings,
            livekit_public_url: config.livekit_public_url,
            livekit: config.livekit,
            agent_name: config.agent_name,
            blueprints: offered::Offered::new(config.blueprints),
            roles: config.roles,
            link_lifetime: config.link_lifetime,
            assessor: Assessor::new(config.store.clone(), config.planner.writer()),
            store: config.store,
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
