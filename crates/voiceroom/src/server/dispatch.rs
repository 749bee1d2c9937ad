//! Dispatches that no worker accepted: a self-hosted server offers each of them once, and then never again.

use std::time::Duration;

use tokio::time::{Instant, sleep, sleep_until};

use super::{Api, ApiError};

/// An agent to dispatch, for [`call_until_begun`].
#[derive(Clone, Debug)]
pub struct Call {
    /// The room's name.
    pub room: String,
    /// The agent's name.
    pub agent: String,
    /// The metadata that the agent's job gets.
    pub metadata: String,
    /// The identity of the participant who waits for the agent: without them in the room it is not called
    /// again. `None`: nobody has to be there.
    pub waiting: Option<String>,
}

/// How [`call_until_begun`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watched {
    /// The agent has begun its work.
    Begun,
    /// No agent came within the limit, or the participant who waits for it has gone.
    Nobody,
}

/// How a call that was not answered stands.
enum Round {
    /// An agent is there, or was called again.
    Called,
    /// The participant who waits for the agent is not there: it would talk to an empty room.
    Empty,
}

/// Dispatches an agent, and does so again every `patience` while no agent is in the room, [`Call::waiting`]
/// is, and `has_begun` gives false; each time it calls `unanswered`. Gives up `limit` after `Call::waiting`
/// was seen last.
///
/// With [`Call::waiting`] set, the first dispatch is taken for done: by
/// [`ApiKeys::dispatching_token`](super::ApiKeys), for example. A server that does not answer is asked again;
/// an error is returned at once if it refuses the key.
pub async fn call_until_begun<B: Future<Output = bool>>(
    api: &Api,
    call: &Call,
    patience: Duration,
    limit: Duration,
    has_begun: impl Fn() -> B,
    unanswered: impl Fn(),
) -> Result<Watched, ApiError> {
    let mut gives_up = now() + limit;
    let mut outcome = match &call.waiting {
        // Whoever let them in has called.
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
            Ok(Round::Called) if call.waiting.is_some() => gives_up = now() + limit,
            Ok(Round::Called | Round::Empty) => {}
        }
        wait(gives_up.min(now() + patience), &has_begun).await;
        if has_begun().await {
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
    if !call.waiting.as_ref().is_none_or(is_there) {
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

/// Waits until then, less if the agent begins meanwhile.
async fn wait<B: Future<Output = bool>>(until: Instant, has_begun: &impl Fn() -> B) {
    while !has_begun().await && sleep_is_due(until).await {}
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
