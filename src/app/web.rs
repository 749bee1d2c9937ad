//! `vivavoce web`: the web app, and how it reaches the LiveKit server.

use std::{sync::Arc, time::Duration};

use futures_util::future::BoxFuture;

use super::{Failed, agents::Agents, keys, signals};
use crate::{
    config::Config,
    livekit::{Api, Role},
    store::{InterviewId, Stage},
    web::{self, LaunchableBlueprint, Rooms, RoomsError, Web},
};

/// Serves the web app until the process is told to stop.
pub async fn web(config: &Config) -> Result<(), Failed> {
    let stop = signals::first();
    let web = bind(config).await?;
    println!("Vivavoce's web app is at http://{}", web.address());
    web.serve(stop).await.map_err(|error| Failed(format!("the web app failed: {error}")))
}

/// The web app, listening but not answering yet.
pub(super) async fn bind(config: &Config) -> Result<Web, Failed> {
    let api = Api::new(&config.livekit.url, keys(&config.livekit)?);
    let rooms = LiveKitRooms { api, agent_name: config.worker.agent_name.clone() };
    let settings = web::Config {
        listen: config.web.listen,
        data: config.data_dir.clone(),
        livekit_public_url: config.livekit.public_url.clone(),
        rooms: Arc::new(rooms),
        blueprints: launchable(
            Agents::load(config.agents_dir.as_deref())?,
            &config.worker.blueprint,
        ),
        link_lifetime: config.web.link_lifetime,
    };
    Web::bind(settings).await.map_err(|error| Failed(error.to_string()))
}

/// What the form offers, `first` at its head.
fn launchable(agents: Agents, first: &str) -> Vec<LaunchableBlueprint> {
    let Agents { mut files, blueprints } = agents;
    let mut launchable = Vec::new();
    for (name, blueprint) in blueprints {
        let stages = blueprint.agents.iter();
        let stages: Vec<_> = stages
            .map(|agent| Stage { id: agent.name.clone(), title: agent.title.clone() })
            .collect();
        let length_limit = blueprint.interview_limit();
        let minutes = length_limit.as_secs().div_ceil(60);
        launchable.push(LaunchableBlueprint {
            title: blueprint.title,
            summary: format!("{} stages, {minutes} minutes at most.", stages.len()),
            stages,
            length_limit,
            files: files.remove(&name).unwrap_or_default(),
            name,
        });
    }
    launchable.sort_by_key(|blueprint| blueprint.name != first);
    launchable
}

struct LiveKitRooms {
    api: Api,
    agent_name: String,
}

impl Rooms for LiveKitRooms {
    fn token(&self, interview: InterviewId, lifetime: Duration) -> Result<String, RoomsError> {
        let (room, identity) = (interview.room(), interview.candidate());
        let token = self.api.keys().room_token_for(&room, &identity, Role::Person, lifetime);
        token.map_err(|error| RoomsError(error.to_string()))
    }

    fn dispatch(&self, interview: InterviewId) -> BoxFuture<'_, Result<(), RoomsError>> {
        Box::pin(async move {
            let (room, metadata) = (interview.room(), interview.metadata());
            let called = self.api.call_agent(&room, &self.agent_name, &metadata).await;
            called.map_err(|error| RoomsError(error.to_string()))
        })
    }

    fn reachable(&self) -> BoxFuture<'_, Result<(), RoomsError>> {
        Box::pin(async { self.api.check().await.map_err(|error| RoomsError(error.to_string())) })
    }
}
