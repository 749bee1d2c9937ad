//! Puts the pieces together from the configuration; what each command of the command line does.

mod agents;
mod backup;
mod console;
mod counted;
mod dev;
mod dev_server;
mod doctor;
mod embedded;
mod folder;
mod foreign;
mod health;
mod interviews;
mod journal;
mod languages;
mod load;
mod memory;
mod models;
mod out;
mod port;
mod prices;
mod prompt;
mod read_document;
mod replay;
mod roles;
mod rooms;
mod scenario;
mod simulate;
mod simulated;
mod takeover;
mod understand;
mod web;
mod worker;

pub use agents::check;
pub use backup::{backup, restore};
pub use console::{Console, console, devices};
pub use dev::dev;
pub use doctor::doctor;
pub use journal::{journal, verify};
pub use memory::share_memory;
pub use models::{models, settings};
pub use out::printed;
pub use prompt::prompt;
pub use read_document::read_document;
pub use replay::{Replay, replay};
pub use scenario::scenario;
pub use simulate::{Simulate, simulate};
pub use simulated::{Pace, Simulator};
pub use understand::{Understand, understand};
pub use web::web;
pub use worker::worker;

pub use crate::blueprint::LEVELS;
use voiceroom::server::ApiKeys;

use std::sync::Arc;

use crate::{
    config::{Config, KeptIn, LiveKit},
    database::{Database, KeptInterviews},
    store::{FileStore, JournalStore},
};

/// Why a command was refused or failed: one sentence, or several lines of one each.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Failed(pub String);

/// Where interviews are kept.
fn store(config: &Config) -> Result<Arc<dyn JournalStore>, Failed> {
    let files = FileStore::open(&config.data.dir).map_err(|error| Failed(error.to_string()))?;
    Ok(match config.data.interviews {
        KeptIn::Files => Arc::new(files),
        KeptIn::Database => {
            let database = Database::new(config.data.url.reveal(), &config.data.dir);
            Arc::new(KeptInterviews::new(database, &config.data.dir))
        }
    })
}

/// The key to the LiveKit server, if one is set.
fn keys(livekit: &LiveKit) -> Result<ApiKeys, Failed> {
    let (key, secret) = (&livekit.api_key, livekit.api_secret.reveal());
    if key.is_empty() || secret.is_empty() {
        return Err(Failed(format!(
            "no key to the LiveKit server at {} is set: set LIVEKIT_API_KEY and LIVEKIT_API_SECRET, \
                or use `vivavoce dev`, which starts a server of its own",
            livekit.url
        )));
    }
    Ok(ApiKeys::new(key, secret))
}
