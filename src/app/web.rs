//! `vivavoce web`: the web app.

use std::{path::Path, sync::Arc};

use voiceroom::server::Api;

use super::{
    Failed,
    agents::{self, Agents},
    keys,
    out::{BAD, PLAIN, say},
    roles, worker,
};
use crate::{
    config::Config,
    database::{Database, DatabaseError, new_token},
    planning::Planner,
    providers::{
        kind::{Place, Role},
        registry::Registry,
    },
    reading::{Limits, Reader},
    store::{Plans, Recordings},
    web::{self, LaunchableBlueprint, Real, Site, Web},
};

/// How long the code is that the first account needs.
const CODE_CHARS: usize = 24;

/// Serves the web app until the process is told to stop.
pub async fn web(config: &Config) -> Result<(), Failed> {
    let stop = worker::told_to_stop(worker::shutdown()?);
    let bound = bind(config).await?;
    let address = match &config.web.public_url {
        Some(url) => url.as_str().trim_end_matches('/').to_owned(),
        None => format!("http://{}", bound.address()),
    };
    // Behind the # the code is sent to nobody else.
    let code = bound.setup_code().map(|code| format!("/#setup={code}"));
    if !bound.address().ip().is_loopback() && bound.is_plain() {
        let warning = "Passwords and answers go over the net as plain text: put a server with TLS \
            before it, and name it \
                       in web.public_url, such as https://interviews.example.org.";
        say(BAD, warning);
    }
    say(PLAIN, &format!("Vivavoce's web app is at {address}{}", code.unwrap_or_default()));
    if !web::has_pages() {
        say(BAD, web::NO_PAGES);
    }
    bound.serve(stop).await.map_err(|error| Failed(format!("the web app failed: {error}")))
}

/// The web app, listening but not answering yet.
pub(super) async fn bind(config: &Config) -> Result<Web, Failed> {
    let dir = config.agents.dir.as_deref();
    let agents = Agents::load(dir)?;
    let program = std::env::current_exe()
        .map_err(|error| Failed(format!("this program does not find itself: {error}")))?;
    let database = Database::new(config.data.url.reveal(), &config.data.dir);
    let store = super::store(config)?;
    let failed = |error: DatabaseError| Failed(error.to_string());
    database.open().await.map_err(failed)?;
    let needs_code =
        !config.web.listen.ip().is_loopback() && database.is_empty().await.map_err(failed)?;
    let is_server = |role| matches!(config.place(role), Place::Server(_));
    let settings = web::Config {
        site: Site {
            listen: config.web.listen,
            setup_code: needs_code.then(|| new_token()[..CODE_CHARS].to_owned()),
            real: Real {
                speech: is_server(Role::Stt) && is_server(Role::Tts),
                model: is_server(Role::Llm),
            },
            is_secure: config.web.public_url.as_ref().is_some_and(|url| url.scheme() == "https"),
            records: config.recording.enabled,
        },
        database,
        store,
        recordings: Recordings::of(&config.data.dir),
        livekit_public_url: config.livekit.public_url.clone(),
        livekit: Api::new(&config.livekit.url, keys(&config.livekit)?),
        agent_name: config.worker.agent_name.clone(),
        blueprints: launchable(agents, dir, &config.worker.blueprint),
        roles: roles::load(config.agents.roles.as_deref())?,
        link_lifetime: config.web.link_lifetime,
        reader: Arc::new(Reader::new(program, Limits::default())),
        planner: Arc::new(planner(config)),
    };
    Web::bind(settings).await.map_err(|error| Failed(error.to_string()))
}

/// What makes plans and summaries: with the model that a blueprint or the settings choose.
fn planner(config: &Config) -> Planner {
    let (speech, providers) = (config.speech.clone(), config.providers.clone());
    Planner::new(Plans::of(&config.data.dir), move |blueprint| {
        let chosen = agents::chosen_providers(blueprint);
        let chosen = chosen.iter().find(|(role, _)| *role == Role::Llm).map(|(_, chain)| chain);
        Registry::interviewer(&speech, &providers, chosen).map_err(|why| why.to_string())
    })
}

/// What the form offers, `first` at its head.
fn launchable(agents: Agents, dir: Option<&Path>, first: &str) -> Vec<LaunchableBlueprint> {
    let Agents { mut files, blueprints } = agents;
    let launchable = blueprints.into_iter().map(|(name, blueprint)| {
        let files = files.remove(&name).unwrap_or_default().into_iter().collect();
        let sample = agents::sample(dir, &name);
        LaunchableBlueprint { name, blueprint, files, sample }
    });
    let mut launchable: Vec<_> = launchable.collect();
    launchable.sort_by_key(|blueprint| blueprint.name != first);
    launchable
}
