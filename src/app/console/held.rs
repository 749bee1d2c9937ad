//! The interview at the console, from its inputs to where its journal is.

use std::{sync::Arc, time::Duration};

use voiceroom::worker::Shutdown;

use super::{Console, card, screen::Terminal};
use crate::{
    app::{
        Failed,
        agents::{Agents, chosen_providers},
        interviews::may_record,
        languages,
        out::{PLAIN, say},
        roles, worker,
    },
    blueprint::{Blueprint, Context},
    clock::{self, Clock},
    config::Config,
    interview::End,
    journal::{Header, Inputs},
    providers::registry::Registry,
    session::{ConsoleLine, Outcome, Parts, Session, Stop},
    speak::Mouth,
    store::{FileStore, InterviewId, JournalStore, Lease, Recordings},
};

/// What was pulled last is still on its way to the ear.
const LINGER: Duration = Duration::from_millis(400);

pub(super) async fn hold(config: &Config, console: &Console) -> Result<(), Failed> {
    let failed = |error: &dyn std::fmt::Display| Failed(error.to_string());
    let (inputs, blueprint) = inputs(config, console)?;
    let providers = Registry::build(&config.speech, &config.providers, 1)
        .and_then(|all| all.choosing(chosen_providers(&blueprint)))
        .map_err(|error| failed(&error))?;
    let providers = languages::teach_aside(providers, config.agents.dir.as_deref())?;
    let chosen = card::choose(console.input.as_deref(), console.output.as_deref())?;
    let shutdown = worker::shutdown()?;
    let interview = inputs.interview().map_err(|problems| {
        Failed(problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
    })?;
    let terminal = Terminal::new(&blueprint.interviewer);
    terminal.note(&format!(
        "{chosen}. Headphones keep our voice out of your microphone. Ctrl-C ends the interview."
    ));
    let clock = Clock::start();
    let (mouth, heard) = Mouth::new();
    let (input, output) = (chosen.input(), chosen.output());
    let (mut line, ends) = ConsoleLine::new(input, output, mouth.clone(), clock, terminal);
    let streams = chosen.start(ends, clock)?;

    let id = InterviewId::random();
    let store = FileStore::open(&config.data.dir).map_err(|error| failed(&error))?;
    let path = store.make(id, &inputs, None).map_err(|error| failed(&error))?.path().to_owned();
    let store: Arc<dyn JournalStore> = Arc::new(store);
    let lease = Lease::take(&store, id).await.map_err(|error| failed(&error))?;
    let header = Header::new(&id.to_string(), clock::unix_millis(), &inputs);
    let recording = Recordings::of(&config.data.dir).path(id);
    let recording = inputs.context.recorded.then_some(recording);
    let (before, hold) = (Vec::new(), lease.hold().clone());
    let parts = Parts { interview, header, before, hold, providers, recording };
    let session = Session::begin(parts, clock, mouth).map_err(|error| failed(&error))?;
    let told = worker::told_to_stop(shutdown.clone()).cancelled_owned();
    let stop = async {
        told.await;
        Stop::End
    };
    let outcome = tokio::select! {
        outcome = session.run(&mut line, heard, stop, |_| {}) => Some(outcome),
        () = told_again(shutdown) => None,
    };
    if outcome.is_some() {
        tokio::time::sleep(LINGER).await;
    }
    drop(streams);
    drop(lease);
    line.screen().close();
    let (dropped, missing) = (line.troubles().dropped(), line.troubles().missing());
    tracing::info!(dropped, missing, "the sound card was closed");
    say(PLAIN, &format!("The journal is {}.", path.join("journal.jsonl").display()));
    match outcome {
        None => Err(Failed("stopped at once; the journal has what was said so far".to_owned())),
        Some(Err(error)) => Err(failed(&error)),
        Some(Ok(Outcome { end: Some(End::Technical), trouble })) => {
            Err(Failed(trouble.unwrap_or_else(|| "the interview could not go on".to_owned())))
        }
        Some(Ok(Outcome { trouble: Some(trouble), .. })) => Err(Failed(trouble)),
        Some(Ok(_)) => {
            say(
                PLAIN,
                &format!("The report is {}.", path.join(crate::journal::RECORD_FILE).display()),
            );
            Ok(())
        }
    }
}

/// Done when somebody is told to stop for the second time.
async fn told_again(mut shutdown: tokio::sync::watch::Receiver<Shutdown>) {
    if shutdown.wait_for(|wish| *wish == Shutdown::Now).await.is_err() {
        std::future::pending().await
    }
}

/// What the interview is made of, and its blueprint.
fn inputs(config: &Config, console: &Console) -> Result<(Inputs, Blueprint), Failed> {
    let agents = Agents::load(config.agents.dir.as_deref())?.with_providers(&config.providers)?;
    let name = agents.chosen(console.blueprint.as_deref(), &config.worker.blueprint)?;
    let (files, blueprint) = (&agents.files[name], &agents.blueprints[name]);
    let (role, level) = (console.role.as_str(), console.level.as_str());
    let context = Context {
        candidate_name: console.candidate.clone(),
        role: role.to_owned(),
        level: level.to_owned(),
        focus: roles::load(config.agents.roles.as_deref())?.focus(role, level),
        recorded: may_record(&config.recording, None),
        ..Context::default()
    };
    let inputs = Inputs::new(name, files.clone().into_iter().collect(), context);
    Ok((inputs, blueprint.clone()))
}
