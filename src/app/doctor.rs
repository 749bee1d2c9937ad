//! `vivavoce doctor`: tries what an interview needs, for real, and says what is wrong.

mod model;
mod speech;

use std::{fs, path::Path};

use super::{
    Failed,
    agents::Agents,
    health::ALIVE,
    keys, models,
    out::{PLAIN, say},
    port, roles,
};
use crate::{
    clock::Clock,
    config::{Config, LiveKit},
    livekit::Api,
};

/// What one check found: what is so, or what is wrong and how to mend it.
type Finding = Result<String, String>;

/// Prints a line for each check. Fails if any did.
pub async fn doctor(config: &Config) -> Result<(), Failed> {
    let mut report = Report::default();
    report.check("data folder", async || data_folder(&config.data_dir)).await;
    report.check("blueprints", async || blueprints(config.agents_dir.as_deref())).await;
    report.check("roles", async || role_count(config.roles_file.as_deref())).await;
    report.check("web address", async || free(config.web.listen, "web.listen").await).await;
    report
        .check("health address", async || free(config.worker.health, "worker.health").await)
        .await;
    report.check("LiveKit server", async || livekit(&config.livekit).await).await;
    let models_are_well = report.check("models", async || models::check(config)).await;
    if speech::vendors(&mut report, &config.speech).await && models_are_well {
        report.check("speech", async || speech::round_trip(config).await).await;
    }
    report.check("model", async || model::answers(config).await).await;
    match report.failures {
        0 => Ok(()),
        n => Err(Failed(format!("{n} of {} checks failed", report.checks))),
    }
}

#[derive(Default)]
struct Report {
    checks: usize,
    failures: usize,
}

impl Report {
    /// Whether all is well.
    async fn check(&mut self, name: &str, examine: impl AsyncFnOnce() -> Finding) -> bool {
        let clock = Clock::start();
        let finding = examine().await;
        let took = clock.now().as_millis();
        self.checks += 1;
        match finding {
            Ok(so) => {
                say(PLAIN, &format!("ok    {name}: {so} ({took} ms)"));
                true
            }
            Err(wrong) => {
                self.failures += 1;
                say(PLAIN, &format!("FAIL  {name}: {wrong}"));
                false
            }
        }
    }
}

fn data_folder(dir: &Path) -> Finding {
    let probe = dir.join(".doctor");
    let written = fs::create_dir_all(dir).and_then(|()| fs::write(&probe, b"x"));
    written.and_then(|()| fs::remove_file(&probe)).map_err(|error| {
        format!(
            "cannot write into `{}`: {error}; mend its rights, or set VIVAVOCE_DATA",
            dir.display()
        )
    })?;
    Ok(format!("`{}` can be written", dir.display()))
}

fn blueprints(dir: Option<&Path>) -> Finding {
    let agents = Agents::load(dir).map_err(|failed| failed.0)?;
    let names: Vec<_> = agents.blueprints.into_keys().collect();
    Ok(names.join(", "))
}

fn role_count(file: Option<&Path>) -> Finding {
    let roles = roles::load(file).map_err(|failed| failed.0)?;
    Ok(format!("{}, and {} levels", roles.names().count(), roles.levels().len()))
}

async fn free(address: std::net::SocketAddr, setting: &str) -> Finding {
    let Err(taken) = port::listen(address, setting).await else {
        return Ok(format!("{address} is free"));
    };
    match port::body(&format!("http://{address}/healthz")).await.as_deref() {
        Some(ALIVE) => Ok(format!("{address} is in use by Vivavoce")),
        Some(_) | None => Err(taken.0),
    }
}

async fn livekit(livekit: &LiveKit) -> Finding {
    let keys = keys(livekit).map_err(|failed| failed.0)?;
    Api::new(&livekit.url, keys).check().await.map_err(|error| error.to_string())?;
    Ok(format!("{} answers and takes our key", livekit.url))
}
