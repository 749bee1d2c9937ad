//! What a candidate's link is good for at the moment.

use axum::http::StatusCode;
use jiff::Timestamp;

use super::{
    Shared,
    problem::Problem,
    progress::{InterviewState, progress},
};
use crate::{
    clock::unix_millis,
    journal::Transcript,
    store::{InterviewId, Launch, LinkToken, StoreError},
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

impl Shared {
    /// The interview a link belongs to. Whether the interview or the secret is wrong is not told.
    pub(super) async fn admit(&self, token: &str) -> Result<Link, Problem> {
        let token = LinkToken::parse(token).ok_or_else(unknown)?;
        let id = token.id();
        let launch = match self.store.launch(id).await {
            Err(StoreError::NotFound { .. }) => None,
            launch => launch?,
        };
        let Some(launch) = launch.filter(|launch| launch.admits(&token)) else {
            return Err(self.why_not(&token).await?);
        };
        let (state, transcript) = progress(&*self.store, id).await?;
        let state = match closed(&launch, state) {
            Some(why) => LinkState::Closed(why),
            None => LinkState::Open(Box::new(OpenLink { id, launch, state, transcript })),
        };
        Ok(Link { id, state })
    }

    /// Why a link leads nowhere. Whoever has one that once worked is told what became of it.
    async fn why_not(&self, token: &LinkToken) -> Result<Problem, Problem> {
        let id = token.id().to_string();
        if !self.database.is_old_link(&id, &token.hash()).await? {
            return Ok(unknown());
        }
        let Some(receipt) = self.database.receipt(&id).await? else {
            let message = "A newer link was made for you, and this one works no more. Use the newest one, or \
                           ask whoever sent it to you.";
            return Ok(Problem::new(StatusCode::NOT_FOUND, message));
        };
        let day = day(receipt.done_at.unwrap_or(receipt.asked_at));
        Ok(match receipt.candidate_asked_at.is_some() {
            true => {
                let message = format!("Your interview was deleted on {day}, as you asked.");
                Problem::new(StatusCode::GONE, message)
            }
            false => {
                let message =
                    format!("Your interview was deleted on {day}. Nothing of it is kept.");
                Problem::new(StatusCode::NOT_FOUND, message)
            }
        })
    }
}

fn unknown() -> Problem {
    let message = "This link does not work. Check that all of it was copied, or ask for a new one.";
    Problem::new(StatusCode::NOT_FOUND, message)
}

/// A day as `2026-11-28`, in UTC.
fn day(unix_ms: i64) -> String {
    let at = Timestamp::from_millisecond(unix_ms).unwrap_or_default().to_string();
    at.split('T').next().unwrap_or_default().to_owned()
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
