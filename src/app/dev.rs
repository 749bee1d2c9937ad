//! `vivavoce dev`: LiveKit server, worker and web app as one program tree, for one machine.

use std::{convert::Infallible, future::pending, time::Duration};

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use voiceroom::worker::{Link, Standing, standing};

use super::{
    Failed,
    dev_server::DevServer,
    out::{BAD, PLAIN, say, say_unencrypted},
    port, web, worker,
};
use crate::{
    config::Config,
    web::{NO_PAGES, has_pages},
};

/// How long Ctrl-C waits for interviews: longer than any of them takes.
const DRAIN_LIMIT: Duration = Duration::from_secs(24 * 3_600);

/// Runs all of it until the process is told to stop; what ends first ends the rest.
pub async fn dev(config: &Config) -> Result<(), Failed> {
    say_unencrypted(config);
    let mut config = config.clone();
    let listen = config.web.listen;
    if !listen.ip().is_loopback() {
        return Err(Failed(format!(
            "`vivavoce dev` is for this machine alone, and {listen} is no loopback address: take \
                127.0.0.1 for \
                web.listen, or run `vivavoce worker` and `vivavoce web`"
        )));
    }
    let shutdown = worker::shutdown_at_terminal()?;
    let health = port::listen(config.worker.health, "worker.health").await?;
    let mut server = DevServer::ensure(&mut config.livekit, &config.data.dir).await?;
    let web = web::bind(&config, web::Command::Dev).await?;
    let mut options = worker::options(&config)?;
    // Here everything shares one machine, browser included: its load says nothing. Whoever has pressed Ctrl-C
    // waits for the interviews that run, or presses again.
    options.load_meter = None;
    options.drain_limit = DRAIN_LIMIT;
    let standing = standing(&options);
    let told = standing.subscribe();
    let address = web::entrance(&config.web, &web);
    // The pages are there for as long as somebody is interviewed.
    let stop = CancellationToken::new();
    let serving = web.serve(stop.clone());
    let telling = worker::tell_of_running(shutdown.clone(), standing.subscribe());
    let working = async {
        let _stop_with_us = stop.drop_guard();
        worker::work(&config, options, health, shutdown, standing).await
    };
    let both = async {
        let serving =
            async { serving.await.map_err(|error| Failed(format!("the web app failed: {error}"))) };
        tokio::try_join!(serving, working).map(drop)
    };
    let outcome = tokio::select! {
        outcome = both => outcome,
        never = announce(&address, told) => match never {},
        never = telling => match never {},
        failed = server_ends(server.as_mut()) => Err(failed),
    };
    if let Some(server) = server {
        server.stop().await;
    }
    outcome
}

/// Says once where to go, as soon as an interview can be held.
async fn announce(address: &str, mut standing: watch::Receiver<Standing>) -> Infallible {
    if standing.wait_for(|standing| standing.link == Link::Registered).await.is_ok() {
        say(PLAIN, &format!("Vivavoce is ready: {address}"));
        if !has_pages() {
            say(BAD, &format!("There is nothing to see there. {NO_PAGES} (`make run` does both.)"));
        }
        say(
            PLAIN,
            "(The built-in speech is for trying it out, not for judging people. Ctrl-C stops everything.)",
        );
    }
    pending().await
}

/// Why our own server ended, which it should not; for ever if it is not ours.
async fn server_ends(server: Option<&mut DevServer>) -> Failed {
    match server {
        Some(server) => server.wait().await,
        None => pending().await,
    }
}
