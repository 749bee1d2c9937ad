//! `vivavoce doctor`: tries what an interview needs, for real, and says what is wrong.

mod model;
mod speech;

use std::{fs, net::SocketAddr, path::Path};

use voiceroom::server::{Api, is_loopback};

use super::{
    Failed,
    agents::Agents,
    dev_server,
    health::ALIVE,
    keys, models,
    out::{PLAIN, say},
    port::{self, Listener},
    prices, roles,
};
use crate::{
    clock::Clock,
    config::Config,
    web::{NO_PAGES, has_pages},
};

/// What one check found.
enum Finding {
    /// What is so.
    Well(String),
    /// What is not there, and who needs it: not everybody does.
    Aside(String),
    /// What is wrong, and how to mend it.
    Wrong(String),
}

impl From<Result<String, String>> for Finding {
    fn from(found: Result<String, String>) -> Self {
        match found {
            Ok(so) => Self::Well(so),
            Err(wrong) => Self::Wrong(wrong),
        }
    }
}

/// Prints a line for each check. Fails if any did.
pub async fn doctor(config: &Config) -> Result<(), Failed> {
    let mut report = Report::default();
    report.check("data folder", async || data_folder(&config.data.dir)).await;
    report.check("blueprints", async || blueprints(config)).await;
    report.check("roles", async || role_count(config.agents.roles.as_deref())).await;
    report.check("prices", async || known_prices(config)).await;
    report.check("web pages", async || pages()).await;
    report.check("web address", async || free(config.web.listen, "web.listen").await).await;
    report
        .check("health address", async || free(config.worker.health, "worker.health").await)
        .await;
    report.check("LiveKit server", async || livekit(config).await).await;
    report.check("keys on their way", async || on_their_way(config)).await;
    let models_are_well = report.check("models", async || models::check(config)).await;
    let vendors_are_well = speech::vendors(&mut report, config).await;
    let speech = async || match models_are_well && vendors_are_well {
        true => speech::round_trip(config).await.into(),
        false => Finding::Aside("not tried, as what it needs is wrong (see above)".to_owned()),
    };
    report.check("speech", speech).await;
    model::all(&mut report, config).await;
    match report.failures {
        0 => Ok(()),
        n => Err(Failed(format!("{n} of {} checks failed", report.checks))),
    }
}

/// The title of the check of a provider, which has a name where there are several.
fn title(what: &str, name: &str, count: usize) -> String {
    if count > 1 { format!("{what} `{name}`") } else { what.to_owned() }
}

#[derive(Default)]
struct Report {
    checks: usize,
    failures: usize,
}

impl Report {
    /// Whether nothing is wrong.
    async fn check<F: Into<Finding>>(
        &mut self,
        name: &str,
        examine: impl AsyncFnOnce() -> F,
    ) -> bool {
        let clock = Clock::start();
        let finding = examine().await.into();
        let took = clock.now().as_millis();
        self.checks += 1;
        match finding {
            Finding::Well(so) => say(PLAIN, &format!("ok    {name}: {so} ({took} ms)")),
            Finding::Aside(so) => say(PLAIN, &format!("-     {name}: {so}")),
            Finding::Wrong(wrong) => {
                self.failures += 1;
                say(PLAIN, &format!("FAIL  {name}: {wrong}"));
                return false;
            }
        }
        true
    }
}

/// A file is written where the folder is, or would be, and goes again: the folder itself is made by who needs
/// it.
fn data_folder(dir: &Path) -> Result<String, String> {
    let is_there = fs::symlink_metadata(dir).is_ok();
    let parents = dir.ancestors().find(|place| fs::symlink_metadata(place).is_ok());
    let probe = parents.unwrap_or(Path::new(".")).join(".doctor");
    let written = fs::write(&probe, b"x").and_then(|()| fs::remove_file(&probe));
    let dir = dir.display();
    written.map_err(|error| {
        format!("cannot write into `{dir}`: {error}; mend its rights, or set VIVAVOCE_DATA")
    })?;
    Ok(format!("`{dir}` can be {}", if is_there { "written" } else { "made" }))
}

fn known_prices(config: &Config) -> Result<String, String> {
    let prices = prices::load(config.usage.prices.as_deref())?;
    Ok(format!("of {} models, in {}", prices.count(), prices.currency))
}

fn blueprints(config: &Config) -> Result<String, String> {
    let agents = Agents::load(config.agents.dir.as_deref()).map_err(|failed| failed.0)?;
    let agents = agents.with_providers(&config.providers).map_err(|failed| failed.0)?;
    agents.chosen(None, &config.worker.blueprint).map_err(|failed| failed.0)?;
    let names: Vec<_> = agents.blueprints.into_keys().collect();
    Ok(names.join(", "))
}

fn role_count(file: Option<&Path>) -> Result<String, String> {
    let roles = roles::load(file).map_err(|failed| failed.0)?;
    Ok(format!("{}, and {} levels", roles.names().count(), roles.levels().len()))
}

fn pages() -> Finding {
    match has_pages() {
        true => Finding::Well("are in this program".to_owned()),
        false => Finding::Aside(format!("`worker` needs none; for `dev` and `web`: {NO_PAGES}")),
    }
}

async fn free(address: SocketAddr, setting: &str) -> Result<String, String> {
    let Err(taken) = port::listen(address, setting).await else {
        return Ok(format!("{address} is free"));
    };
    match is_ours(address).await {
        true => Ok(format!("{address} is in use by Vivavoce")),
        false => Err(taken.0),
    }
}

/// Whether a Vivavoce answers there.
async fn is_ours(address: SocketAddr) -> bool {
    port::body(&format!("http://{address}/healthz")).await.as_deref() == Some(ALIVE)
}

/// Addresses to which keys would go unencrypted without being meant are problems of the configuration,
/// which is read before.
fn on_their_way(config: &Config) -> Finding {
    match config.unencrypted.as_slice() {
        [] => Finding::Well("can be read by nobody beyond this machine".to_owned()),
        meant => Finding::Aside(meant.join(" ")),
    }
}

async fn livekit(config: &Config) -> Finding {
    let livekit = &config.livekit;
    let keys = match keys(livekit) {
        Ok(keys) => keys,
        Err(Failed(why)) => return without_key(config, why).await,
    };
    match Api::new(&livekit.url, keys).check().await {
        Ok(()) => Finding::Well(format!("{} answers and takes our key", livekit.url)),
        Err(error) => Finding::Wrong(error.to_string()),
    }
}

/// Whoever has set no key may want none: `dev` starts a server with a key of its own, where it can.
async fn without_key(config: &Config, why: String) -> Finding {
    let url = &config.livekit.url;
    let is_half =
        !(config.livekit.api_key.is_empty() && config.livekit.api_secret.reveal().is_empty());
    let listener = match port::listener(url).await {
        Ok(listener) if !is_half => listener,
        Ok(_) => return Finding::Wrong(why),
        Err(Failed(no_url)) => return Finding::Wrong(no_url),
    };
    let needed = "`worker` and `web` need LIVEKIT_API_KEY and LIVEKIT_API_SECRET of the server at \
        LIVEKIT_URL";
    match listener {
        Listener::Nobody if is_loopback(url) => Finding::Aside(match dev_server::program() {
            Ok(_) => format!("`dev` starts one, with a key of its own; {needed}"),
            Err(Failed(why)) => {
                format!("`make run` starts one, with a key of its own; {needed}; `dev`: {why}")
            }
        }),
        Listener::LiveKit
            if is_ours(config.web.listen).await || is_ours(config.worker.health).await =>
        {
            Finding::Aside(format!(
                "{url} answers; its key is known to the Vivavoce that runs here; {needed}"
            ))
        }
        Listener::Nobody | Listener::LiveKit | Listener::Stranger => Finding::Wrong(why),
    }
}
