//! What a candidate's link is good for at the moment.

use axum::http::StatusCode;

use super::{
    problem::Problem,
    progress::{InterviewState, progress},
};
use crate::{
    clock::unix_millis,
    journal::Transcript,
    store::{InterviewId, JournalStore, Launch, LinkToken, StoreError},
};

/// A candidate's link, proven. It says whose it is, and no more: [`Link::open`] has the rest.
pub(super) struct Link {
    /// Whose it is.
    pub(super) id: InterviewId,
    state: LinkState,
}

/// What it is good for.
enum LinkState {
    /// What is there for candidates.
    Open(Box<OpenLink>),
    /// Nothing any more: nobody began in time, or the invitation was taken back. What candidates have a right
    /// to they have all the same.
    Closed(Closed),
}

/// Why a link is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Closed {
    TakenBack,
    TooLate,
}

/// A link by which an interview is begun, gone on with, or read.
pub(super) struct OpenLink {
    /// Whose it is.
    pub(super) id: InterviewId,
    /// How it was launched.
    pub(super) launch: Launch,
    /// Where the interview stands.
    pub(super) state: InterviewState,
    /// What was said so far.
    pub(super) transcript: Option<Transcript>,
}

impl Link {
    /// What is there for candidates, or why it is not there any more.
    pub(super) fn open(self) -> Result<OpenLink, Problem> {
        match self.state {
            LinkState::Open(open) => Ok(*open),
            LinkState::Closed(why) => Err(why.into()),
        }
    }

    /// Whether nothing is there any more but what they have a right to.
    pub(super) fn is_closed(&self) -> bool {
        matches!(self.state, LinkState::Closed(_))
    }
}

/// The interview a link belongs to. Whether the interview or the secret is wrong is not told.
pub(super) async fn admit(store: &dyn JournalStore, token: &str) -> Result<Link, Problem> {
    let unknown = || {
        Problem::new(
            StatusCode::NOT_FOUND,
            "This link does not work. Check that all of it was copied, or ask for a new one.",
        )
    };
    let token = LinkToken::parse(token).ok_or_else(unknown)?;
    let launch = match store.launch(token.id()).await {
        Err(StoreError::NotFound { .. }) => None,
        launch => launch?,
    };
    let launch = launch.filter(|launch| launch.admits(&token)).ok_or_else(unknown)?;
    let id = token.id();
    let (state, transcript) = progress(store, id).await?;
    let state = match closed(&launch, state) {
        Some(why) => LinkState::Closed(why),
        None => LinkState::Open(Box::new(OpenLink { id, launch, state, transcript })),
    };
    Ok(Link { id, state })
}

/// A link that was taken back, or that nobody used in time, is closed; what was begun can be read for as
/// long as it is kept.
fn closed(launch: &Launch, state: InterviewState) -> Option<Closed> {
    match state {
        InterviewState::Waiting if launch.cancelled => Some(Closed::TakenBack),
        InterviewState::Waiting if unix_millis() >= launch.expires_at => Some(Closed::TooLate),
        InterviewState::Waiting
        | InterviewState::InProgress
        | InterviewState::Completed
        | InterviewState::Interrupted
        | InterviewState::Stopped => None,
    }
}

impl From<Closed> for Problem {
    fn from(why: Closed) -> Self {
        let message = match why {
            Closed::TakenBack => {
                "This invitation was taken back. Nothing about you was lost. Ask whoever sent \
                    you the link."
            }
            Closed::TooLate => {
                "This link no longer works: its time is over. Nothing about you was lost. Ask for a new one."
            }
        };
        Self::new(StatusCode::GONE, message)
    }
}
