//! `vivavoce worker`: takes interviews from a LiveKit server.

use std::{convert::Infallible, future::pending, sync::Arc};

use tokio::{
    net::TcpListener,
    sync::{mpsc, watch},
};
use tokio_util::sync::CancellationToken;
use voiceroom::{
    server::Api,
    worker::{self, Shutdown, Standing, WorkerOptions},
};

use super::{
    Failed, counted, health,
    interviews::Interviews,
    keys,
    load::Meter,
    out::{PLAIN, say, say_unencrypted},
    port,
    takeover::Takeover,
};
use crate::{
    config::{Admission, Config},
    telemetry,
};

/// What rooms call the agent.
const PARTICIPANT_NAME: &str = "Interviewer";

/// Works until the process is told to stop and the last interview has ended (W07).
pub async fn worker(config: &Config) -> Result<(), Failed> {
    say_unencrypted(config);
    let shutdown = shutdown()?;
    let health = port::listen(config.worker.health, "worker.health").await?;
    let options = options(config)?;
    let standing = worker::standing(&options);
    let telling = tell_of_running(shutdown.clone(), standing.subscribe());
    let working = work(config, options, health, shutdown, standing);
    tokio::select! {
        biased;
        worked = working => worked,
        never = telling => match never {},
    }
}

/// Says at the first Ctrl-C how many interviews it would end; whoever sees that can press again, or wait.
pub(super) async fn tell_of_running(
    mut shutdown: watch::Receiver<Shutdown>,
    standing: watch::Receiver<Standing>,
) -> Infallible {
    let wish = shutdown.wait_for(|wish| *wish != Shutdown::No).await.map(|wish| *wish);
    let jobs = standing.borrow().jobs;
    if matches!(wish, Ok(Shutdown::Drain)) && jobs > 0 {
        say(PLAIN, &running(jobs));
    }
    pending().await
}

/// What is said of interviews that run.
fn running(jobs: usize) -> String {
    let (are, they) = match jobs {
        1 => ("1 interview is running".to_owned(), "it ends"),
        jobs => (format!("{jobs} interviews are running"), "they end"),
    };
    format!(
        "{are}. Vivavoce stops when {they}, and takes no new ones. Press Ctrl-C again to stop now: the \
         candidates can go on by their links once Vivavoce runs again."
    )
}

/// What the process is asked to do: the first SIGINT or SIGTERM drains, the second ends.
pub(super) fn shutdown() -> Result<watch::Receiver<Shutdown>, Failed> {
    worker::on_signals().map_err(|error| Failed(format!("cannot listen to signals: {error}")))
}

/// The same for a program at a terminal, where a SIGTERM ends at once.
pub(super) fn shutdown_at_terminal() -> Result<watch::Receiver<Shutdown>, Failed> {
    let listens = worker::on_signals_at_terminal();
    listens.map_err(|error| Failed(format!("cannot listen to signals: {error}")))
}

/// Done at the first signal.
pub(super) fn told_to_stop(mut shutdown: watch::Receiver<Shutdown>) -> CancellationToken {
    let stop = CancellationToken::new();
    let told = stop.clone();
    tokio::spawn(async move {
        let _ = shutdown.wait_for(|wish| *wish != Shutdown::No).await;
        told.cancel();
    });
    stop
}

/// The worker's part of the configuration.
pub(super) fn options(config: &Config) -> Result<WorkerOptions, Failed> {
    Ok(WorkerOptions {
        url: config.livekit.url.clone(),
        keys: keys(&config.livekit)?,
        agent_name: config.worker.agent_name.clone(),
        participant_name: PARTICIPANT_NAME.to_owned(),
        slots: config.worker.slots,
        load_meter: match config.worker.admission {
            Admission::SlotsAndCpu => {
                let mut meter = Meter::start();
                Some(Box::new(move || meter.measure()))
            }
            Admission::Slots => None,
        },
        drain_limit: config.worker.drain_limit,
    })
}

/// The worker itself, beside whatever else the process does.
pub(super) async fn work(
    config: &Config,
    options: WorkerOptions,
    health: TcpListener,
    shutdown: watch::Receiver<Shutdown>,
    standing: watch::Sender<Standing>,
) -> Result<(), Failed> {
    let metrics = telemetry::start_metrics();
    counted::begin();
    let interviews = Arc::new(Interviews::open(config)?);
    let stop = CancellationToken::new();
    let _stop_with_us = stop.clone().drop_guard();
    if let Some(metrics) = metrics.clone() {
        tokio::spawn(stop.clone().run_until_cancelled_owned(telemetry::keep_metrics(metrics)));
    }
    tokio::spawn(health::serve(health, standing.subscribe(), metrics, stop.clone()));
    let api = Api::new(&options.url, options.keys.clone());
    let takeover = Takeover::new(interviews.store().clone(), api, options.agent_name.clone());
    let looking = takeover.run(standing.subscribe());
    tokio::spawn(stop.clone().run_until_cancelled_owned(looking));
    let (jobs_in, jobs) = mpsc::channel(options.slots);
    tokio::spawn(interviews.hold_all(jobs));
    let worked = worker::run(options, jobs_in, shutdown, standing).await;
    worked.map_err(|error| Failed(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ctrl-C says how many interviews it would end, and how to end them all the same.
    #[test]
    fn running_interviews_are_counted() {
        let (one, three) = (running(1), running(3));
        assert!(one.starts_with("1 interview is running."), "{one}");
        assert!(three.starts_with("3 interviews are running."), "{three}");
        assert!(three.contains("Press Ctrl-C again"), "{three}");
    }
}
