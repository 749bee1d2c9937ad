use std::time::Duration;

use futures_util::future::BoxFuture;

use crate::store::InterviewId;

/// What the web app needs of the LiveKit server.
pub trait Rooms: Send + Sync {
    /// A token for the candidate of this interview: its room only, nothing administrative.
    fn token(&self, interview: InterviewId, lifetime: Duration) -> Result<String, RoomsError>;

    /// Sees to it that the interviewer is called into the room: once, however often it is asked (W09).
    fn dispatch(&self, interview: InterviewId) -> BoxFuture<'_, Result<(), RoomsError>>;

    /// Whether the server answers.
    fn reachable(&self) -> BoxFuture<'_, Result<(), RoomsError>>;
}

/// The LiveKit server did not do it; the sentence is for the log, not for the candidate.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct RoomsError(pub String);
