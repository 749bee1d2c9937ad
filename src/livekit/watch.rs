//! Dispatches that nobody took: a self-hosted server tries each one once (W09).

use std::time::Duration;

use tokio::time::{Instant, sleep, sleep_until, timeout_at};

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
}

/// How a watch ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watched {
    /// The interview has begun: from here on its lease decides.
    Begun,
    /// Nobody came within the limit.
    Nobody,
}

/// Calls an agent, and calls again every `patience` while none is in the room and `has_begun` says no.
/// A server that does not answer is asked again; that it refuses us is told at once.
pub async fn call_until_begun(
    api: &Api,
    call: &Call,
    patience: Duration,
    limit: Duration,
    has_begun: impl Fn() -> bool,
) -> Result<Watched, ApiError> {
    let watching = async {
        // Somebody may have called before us, and be answered just now.
        let mut outcome = api.call_agent(&call.room, &call.agent, &call.metadata).await;
        loop {
            match outcome {
                Err(error @ (ApiError::Refused { .. } | ApiError::Token(_))) => return Err(error),
                Err(error) => tracing::warn!(room = call.room, %error, "calling an agent failed"),
                Ok(()) => {}
            }
            wait(patience, &has_begun).await;
            if has_begun() {
                return Ok(Watched::Begun);
            }
            outcome = call_if_empty(api, call).await;
        }
    };
    let deadline = deadline(limit);
    timeout_at(deadline, watching).await.unwrap_or(Ok(Watched::Nobody))
}

/// An agent that died stays in the room for about 21 s; until then the room counts as taken.
async fn call_if_empty(api: &Api, call: &Call) -> Result<(), ApiError> {
    if api.occupants(&call.room).await?.iter().any(|o| o.is_agent) {
        return Ok(());
    }
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
    api.create_dispatch(&call.room, &call.agent, &call.metadata).await.map(drop)
}

/// Waits for `patience`, less if the interview begins meanwhile.
async fn wait(patience: Duration, has_begun: &impl Fn() -> bool) {
    let until = deadline(patience);
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

fn deadline(after: Duration) -> Instant {
    Instant::from_std(crate::clock::instant()) + after
}
