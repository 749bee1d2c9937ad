//! One connection for the application, made of one LiveKit session after the other.

use std::time::Duration;

use tokio::{
    sync::{mpsc, oneshot},
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;

use super::{
    COMMANDS_MAX, EVENTS_MAX, End, Events, FrameSource, JoinError, Microphone, Room, RoomEvent,
    RoomOptions,
    caption::Captions,
    player::Player,
    session::{self, Carry, Connected, Line, Session, SessionEnd},
};
use crate::tls;

const BACKOFF_FIRST: Duration = Duration::from_millis(200);
const BACKOFF_MAX: Duration = Duration::from_secs(3);

impl Room {
    /// Joins a room and publishes `source` as our microphone, if there is one. Returns when sound can flow,
    /// with the room's events; to drop their receiver is to leave the room.
    ///
    /// Call it within a tokio runtime: the room is a task of its own.
    pub async fn join(
        options: RoomOptions,
        source: Option<Box<dyn FrameSource>>,
    ) -> Result<(Self, mpsc::Receiver<RoomEvent>), JoinError> {
        tls::install();
        let url = options.url.clone();
        let player = source.map(Player::new).transpose();
        let player =
            player.map_err(|error| JoinError::Local(format!("no Opus encoder: {error}")))?;
        let (room, events, joined) =
            Self::begin(Box::pin(session::connect(&options)).await?, options, player);
        match joined.await {
            Ok(()) => Ok((room, events)),
            // The first session ended before sound could flow.
            Err(_) => Err(JoinError::NoMedia { url, cause: last_words(events).await }),
        }
    }

    /// Begins the room's task. The last part that is returned tells when sound can flow.
    fn begin(
        connected: Connected,
        options: RoomOptions,
        player: Option<Player>,
    ) -> (Self, mpsc::Receiver<RoomEvent>, oneshot::Receiver<()>) {
        let counters = options.counters.clone();
        let (commands, command_rx) = mpsc::channel(COMMANDS_MAX);
        let (event_tx, events) = mpsc::channel(EVENTS_MAX);
        let (joined_tx, joined) = oneshot::channel();
        let leave = CancellationToken::new();
        let carry = Carry {
            commands: command_rx,
            events: Events { out: event_tx, counters: counters.clone() },
            counters: counters.clone(),
            leave: leave.clone(),
            player,
            microphone: Microphone::Open,
            attributes: options.attributes.clone(),
            captions: Captions::default(),
            participants: Default::default(),
            line: Line::New(joined_tx),
        };
        let identity = connected.identity().to_owned();
        let task = tokio::spawn(keep(connected.begin(carry), options));
        (Room { commands, leave, task, identity, counters }, events, joined)
    }
}

/// Why the first session ended.
async fn last_words(mut events: mpsc::Receiver<RoomEvent>) -> String {
    while let Some(event) = events.recv().await {
        if let RoomEvent::Disconnected(end) = event {
            return end.to_string();
        }
    }
    "the room's task died".to_owned()
}

/// Runs session after session until the end.
async fn keep(mut session: Session, options: RoomOptions) {
    loop {
        let (carry, end) = Box::pin(session.run()).await;
        let cause = match (end, &carry.line) {
            (SessionEnd::Final(end), _) => return say_end(carry, end),
            // Whoever joins for the first time decides themselves whether to try again.
            (SessionEnd::Again(cause), Line::New(_)) => return say_end(carry, End::Lost(cause)),
            (SessionEnd::Again(cause), _) => cause,
        };
        tracing::info!(cause, "joining again");
        session = match Box::pin(rejoin(&options, carry, cause)).await {
            Ok(session) => session,
            Err((carry, end)) => return say_end(*carry, end),
        };
    }
}

fn say_end(carry: Carry, end: End) {
    carry.events.send(RoomEvent::Disconnected(end));
}

/// A new session with the same identity and a fresh token; the server pushes the old one out.
async fn rejoin(
    options: &RoomOptions,
    carry: Carry,
    mut cause: String,
) -> Result<Session, (Box<Carry>, End)> {
    let leave = carry.leave.clone();
    let attempts = until_in(|| session::connect(options), &mut cause);
    let outcome = tokio::select! {
        outcome = timeout(options.rejoin_limit, attempts) => outcome,
        () = leave.cancelled() => Ok(Err(End::Left)),
        () = carry.events.out.closed() => Ok(Err(End::Left)),
    };
    match outcome {
        Ok(Ok(connected)) => Ok(connected.begin(carry)),
        Ok(Err(end)) => Err((Box::new(carry), end)),
        Err(_) => Err((Box::new(carry), End::Lost(cause))),
    }
}

/// Tries until we are in, or until what stops us does not pass. `cause` is what stopped us last.
async fn until_in<T, C: Future<Output = Result<T, JoinError>>>(
    mut connect: impl FnMut() -> C,
    cause: &mut String,
) -> Result<T, End> {
    let mut backoff = BACKOFF_FIRST;
    loop {
        match connect().await {
            Ok(connected) => return Ok(connected),
            Err(error) if error.can_pass() => *cause = error.to_string(),
            Err(error) => return Err(End::Lost(error.to_string())),
        }
        tracing::debug!(cause, "a re-join failed");
        // Not all rooms of a worker at once.
        sleep(backoff.mul_f64(rand::random_range(0.5..1.0))).await;
        backoff = (2 * backoff).min(BACKOFF_MAX);
    }
}

#[cfg(test)]
mod tests {
    use std::future::ready;

    use super::*;

    /// What this machine lacks for a moment does not end the way back into a room; a token that is not
    /// accepted does.
    #[tokio::test]
    async fn a_rejoin_outlasts_what_we_lack() {
        let (lacks, url) = ("too many open files".to_owned(), String::new());
        let refused = JoinError::Refused { url, cause: String::new() };
        let answers = [Err(JoinError::Local(lacks.clone())), Ok(()), Err(refused), Ok(())];
        let (mut answers, mut cause) = (answers.into_iter(), String::new());
        let mut connect = || ready(answers.next().unwrap());
        assert!(until_in(&mut connect, &mut cause).await.is_ok());
        assert!(cause.contains(&lacks), "{cause}");
        assert!(until_in(&mut connect, &mut cause).await.is_err());
        assert_eq!(answers.len(), 1);
    }
}
