//! Dispatches that no worker accepted: a self-hosted server offers each of them once, and then never again.

use std::time::Duration;

use tokio::time::{Instant, sleep, sleep_until};

use super::{
    Api, ApiError,
    patience::{Patience, Shown, Verdict},
};

/// A room is looked at no more often than so, however short the patience is.
const LOOK_MIN: Duration = Duration::from_millis(50);

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

/// Dispatches an agent, and does so again every `patience`, later less often, while no agent is in the room,
/// [`Call::waiting`] is, and `has_begun` gives false; each time it calls `unanswered`. Gives up `limit` after
/// `Call::waiting` was seen last.
///
/// Any number of processes may watch one room: the server takes a dispatch back for one of them, and that one
/// calls again. The others see another dispatch, call `unanswered` as well, and wait for it.
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
    let mut since = Patience::new(patience, now().into());
    if call.waiting.is_none() {
        // Somebody may have called before us, and be answered just now.
        let called = api.call_agent(&call.room, &call.agent, &call.metadata).await;
        failed(call, called)?;
    }
    loop {
        let next = Instant::from_std(since.until()).max(now() + LOOK_MIN).min(now() + patience / 2);
        wait(gives_up.min(next), &has_begun).await;
        if has_begun().await {
            return Ok(Watched::Begun);
        }
        if now() >= gives_up {
            return Ok(Watched::Nobody);
        }
        match failed(call, look(api, call, &mut since, patience, &unanswered).await)? {
            Some(Verdict::Waits | Verdict::Again) if call.waiting.is_some() => {
                gives_up = now() + limit;
            }
            _ => {}
        }
    }
}

/// Looks at the room once, and calls again if that is to be done.
async fn look(
    api: &Api,
    call: &Call,
    since: &mut Patience,
    patience: Duration,
    unanswered: &impl Fn(),
) -> Result<Verdict, ApiError> {
    let occupants = api.occupants(&call.room).await?;
    let is_there = |identity: &String| occupants.iter().any(|o| o.identity == *identity);
    let shown = Shown {
        is_waited_for: call.waiting.as_ref().is_none_or(is_there),
        has_agent: occupants.iter().any(|o| o.is_agent),
        calls: standing(api, call).await?,
    };
    let verdict = since.decide(&shown, now().into());
    if verdict == Verdict::Again || verdict == Verdict::Waits && since.is_unanswered() {
        unanswered();
    }
    if verdict == Verdict::Again {
        call_again(api, call, &shown, patience).await?;
        since.called(now().into());
    }
    Ok(verdict)
}

/// The calls of this agent that stand, in an order that is the same for all who look.
async fn standing(api: &Api, call: &Call) -> Result<Vec<(String, usize)>, ApiError> {
    let mut calls = api.dispatches(&call.room).await?;
    calls.retain(|dispatch| dispatch.agent == call.agent);
    let mut calls: Vec<_> = calls.into_iter().map(|one| (one.id, one.jobs)).collect();
    calls.sort();
    Ok(calls)
}

/// Without a job a dispatch stays in the list and is never tried again: a fresh one takes its place. Of all
/// who want to replace it, whoever takes it back calls.
async fn call_again(
    api: &Api,
    call: &Call,
    shown: &Shown,
    patience: Duration,
) -> Result<(), ApiError> {
    let mut old = shown.calls.iter();
    match old.next() {
        Some((first, _)) => match api.delete_dispatch(&call.room, first).await {
            Ok(()) => {}
            Err(ApiError::NotFound(_)) => return Ok(()),
            Err(error) => return Err(error),
        },
        // There is nothing to take back. Those who watch do not call at the same moment.
        None => {
            sleep(patience.mul_f64(rand::random_range(0.0..0.5))).await;
            if !standing(api, call).await?.is_empty() {
                return Ok(());
            }
        }
    }
    for (id, _) in old {
        match api.delete_dispatch(&call.room, id).await {
            Ok(()) | Err(ApiError::NotFound(_)) => {}
            Err(error) => return Err(error),
        }
    }
    tracing::info!(room = call.room, "nobody took a dispatch, dispatched again");
    api.create_dispatch(&call.room, &call.agent, &call.metadata).await.map(drop)
}

/// A refused key is no matter of time; all else may pass.
fn failed<T>(call: &Call, done: Result<T, ApiError>) -> Result<Option<T>, ApiError> {
    match done {
        Ok(done) => Ok(Some(done)),
        Err(error @ (ApiError::Refused { .. } | ApiError::Token(_))) => Err(error),
        Err(error) => {
            tracing::warn!(room = call.room, %error, "calling an agent failed");
            Ok(None)
        }
    }
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
