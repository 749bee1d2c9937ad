//! Dispatches that nobody took: a self-hosted server tries each one once (W09).

use std::time::Duration;

use tokio::time::{Instant, sleep, sleep_until};

use super::{Api, ApiError};

/// An agent that is wanted in a room.
#[derive(Clone, Debug)]
pub struct Call {
    /// The room's name.
    pub room: String,
    /// The agent's name.
    pub agent: String,
    /// What the agent is told.
    pub metadata: String,
    /// Whose identity has to be in the room before the agent is called again; `None`: nobody has to.
    pub candidate: Option<String>,
}

/// How a watch ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watched {
    /// The interview has begun: from here on its lease decides.
    Begun,
    /// Nobody came within the limit, or the candidate has gone.
    Nobody,
}

/// How a call that was not answered stands.
enum Round {
    /// An agent is there, or was called again.
    Called,
    /// The candidate is not there: an interview would be held in an empty room.
    Empty,
}

/// Calls an agent, and calls again every `patience` while none is in the room, the candidate is, and `has_begun`
/// says no; each time `unanswered` is told. Gives up `limit` after the candidate was seen last.
/// A server that does not answer is asked again; that it refuses us is told at once.
pub async fn call_until_begun(
    api: &Api,
    call: &Call,
    patience: Duration,
    limit: Duration,
    has_begun: impl Fn() -> bool,
    unanswered: impl Fn(),
) -> Result<Watched, ApiError> {
    let mut gives_up = now() + limit;
    let mut outcome = match &call.candidate {
        // Whoever let the candidate in has called.
        Some(_) => Ok(Round::Called),
        None => {
            // Somebody may have called before us, and be answered just now.
            api.call_agent(&call.room, &call.agent, &call.metadata).await.map(|()| Round::Called)
        }
    };
    loop {
        match outcome {
            Err(error @ (ApiError::Refused { .. } | ApiError::Token(_))) => return Err(error),
            Err(error) => tracing::warn!(room = call.room, %error, "calling an agent failed"),
            Ok(Round::Called) if call.candidate.is_some() => gives_up = now() + limit,
            Ok(Round::Called | Round::Empty) => {}
        }
        wait(gives_up.min(now() + patience), &has_begun).await;
        if has_begun() {
            return Ok(Watched::Begun);
        }
        if now() >= gives_up {
            return Ok(Watched::Nobody);
        }
        outcome = call_again(api, call, &unanswered).await;
    }
}

/// An agent that died stays in the room for about 21 s; until then the room counts as taken.
async fn call_again(api: &Api, call: &Call, unanswered: &impl Fn()) -> Result<Round, ApiError> {
    let occupants = api.occupants(&call.room).await?;
    let is_there = |identity: &String| occupants.iter().any(|o| o.identity == *identity);
    if !call.candidate.as_ref().is_none_or(is_there) {
        return Ok(Round::Empty);
    }
    if occupants.iter().any(|o| o.is_agent) {
        return Ok(Round::Called);
    }
    unanswered();
    // Without a job a dispatch stays in the list and is never tried again: a fresh one takes its place.
    for old in api.dispatches(&call.room).await? {
        if old.agent == call.agent {
            tracing::info!(room = call.room, "nobody took a dispatch, dispatched again");
            match api.delete_dispatch(&call.room, &old.id).await {
                Ok(()) | Err(ApiError::NotFound(_)) => {}
                Err(error) => return Err(error),
            }
        }
    }
    api.create_dispatch(&call.room, &call.agent, &call.metadata).await.map(|_| Round::Called)
}

/// Waits until then, less if the interview begins meanwhile.
async fn wait(until: Instant, has_begun: &impl Fn() -> bool) {
    while !has_begun() && sleep_is_due(until).await {}
}

/// Sleeps a little; false once `until` is over.
async fn sleep_is_due(until: Instant) -> bool {
    let step = Duration::from_millis(250);
    tokio::select! {
        () = sleep(step) => true,
        () = sleep_until(until) => false,
    }
}

fn now() -> Instant {
    Instant::from_std(crate::clock::instant())
}
