//! The progress of an interview as the pages show it: its state, and the conversation so far.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::blocking::blocking;
use super::problem::Problem;
use crate::clock::unix_millis;
use crate::database::State;
use crate::journal::{self, End, Line, Transcript};
use crate::store::{InterviewId, JournalStore, LeaseState, Stage};

/// A stage as the candidate sees it.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct StageView {
    /// As in the attribute `vivavoce.stage`.
    id: String,
    /// What to show.
    title: String,
}

/// The state of an interview.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum InterviewState {
    /// Nobody has interviewed yet.
    Waiting,
    /// Somebody is interviewing.
    InProgress,
    /// It has come to its end, whichever.
    Completed,
    /// It stopped without an end: a fault on our side.
    Interrupted,
    /// The same, and it goes on as soon as the candidate comes back by their link.
    Stopped,
}

impl InterviewState {
    /// Whether nobody goes on with it at the moment.
    pub(super) fn is_over(self) -> bool {
        match self {
            Self::Completed | Self::Interrupted | Self::Stopped => true,
            Self::Waiting | Self::InProgress => false,
        }
    }
}

/// The conversation so far.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TranscriptView {
    /// Where the interview stands.
    state: InterviewState,
    /// How it ended, once it has.
    pub(super) end: Option<EndView>,
    /// In the order in which it was said.
    turns: Vec<TurnView>,
}

/// A turn of one side.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TurnView {
    /// Who said it.
    speaker: Speaker,
    /// What was said.
    text: String,
    /// The stage it belongs to, as in `stages`.
    stage: String,
    /// When it began, in milliseconds of the interview.
    at_ms: u64,
    /// Whether it was cut off, or not answered any more.
    cut: bool,
}

/// How an interview ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = End)]
pub(super) enum EndView {
    /// All stages are done.
    Completed,
    /// The candidate asked to stop.
    CandidateEnded,
    /// The candidate went away and did not come back.
    CandidateLeft,
    /// Nothing was heard for too long.
    CandidateSilent,
    /// The candidate never came.
    NoShow,
    /// The interview's time was over.
    OutOfTime,
    /// So many answers were given that it was closed.
    MaxTurns,
    /// The candidate went on insulting.
    Abuse,
    /// A fault on our side.
    Technical,
    /// Whoever runs the server ended it.
    Operator,
}

/// Who spoke.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Speaker {
    /// The AI.
    Interviewer,
    /// The candidate.
    Candidate,
}

/// Returns the state of an interview, and the conversation so far. The journal has its end; whether it goes
/// on without one, the lease tells.
pub(super) async fn progress(
    store: &dyn JournalStore,
    id: InterviewId,
) -> Result<(InterviewState, Option<Transcript>), Problem> {
    let Some(text) = store.read_journal(id).await? else {
        return Ok((InterviewState::Waiting, None));
    };
    let read = move || {
        let (header, entries) = journal::parse(&text)?;
        let somebody_came = journal::somebody_came(&entries);
        Ok((header.is_of_this_engine(), somebody_came, journal::transcript(&header, &entries)))
    };
    let (is_ours, somebody_came, transcript) = blocking(read).await?;
    let lease = store.lease_state(id).await?;
    // Whoever held it died before anybody came, which uses up no link (C04): the next one begins anew.
    if !somebody_came && lease != LeaseState::Held && store.launch(id).await?.is_some() {
        return Ok((InterviewState::Waiting, None));
    }
    let state = match (transcript.state, lease) {
        (journal::State::Ended, _) => InterviewState::Completed,
        // Whoever held it may have died: another worker goes on with it.
        (_, LeaseState::Held | LeaseState::Expired) => InterviewState::InProgress,
        // Nobody has, or whoever held it left it without an end. Only who decides alike goes on with it.
        (_, LeaseState::Abandoned | LeaseState::Free) => {
            let launch = store.launch(id).await?;
            let has_link = launch.is_some_and(|launch| launch.is_open(unix_millis()));
            match has_link && is_ours {
                true => InterviewState::Stopped,
                false => InterviewState::Interrupted,
            }
        }
    };
    Ok((state, Some(transcript)))
}

impl TranscriptView {
    pub(super) fn new(state: InterviewState, transcript: Option<Transcript>) -> Self {
        let Some(Transcript { end, lines, .. }) = transcript else {
            return Self { state, end: None, turns: Vec::new() };
        };
        Self {
            state,
            end: end.map(EndView::from),
            turns: lines.into_iter().map(TurnView::from).collect(),
        }
    }
}

impl EndView {
    /// Where an interview stands that ended so.
    pub(super) fn state(self) -> State {
        match self {
            Self::Completed
            | Self::CandidateEnded
            | Self::OutOfTime
            | Self::MaxTurns
            | Self::Abuse
            | Self::Operator => State::Completed,
            Self::CandidateLeft | Self::CandidateSilent | Self::NoShow => State::Abandoned,
            Self::Technical => State::Failed,
        }
    }
}

impl From<Stage> for StageView {
    fn from(Stage { id, title }: Stage) -> Self {
        Self { id, title }
    }
}

impl From<Line> for TurnView {
    fn from(line: Line) -> Self {
        let speaker = match line.speaker {
            journal::Speaker::Interviewer => Speaker::Interviewer,
            journal::Speaker::Candidate => Speaker::Candidate,
        };
        Self { speaker, text: line.marked(), stage: line.stage, at_ms: line.at_ms, cut: line.cut }
    }
}

impl From<EndView> for End {
    fn from(end: EndView) -> Self {
        match end {
            EndView::Completed => Self::Completed,
            EndView::MaxTurns => Self::MaxTurns,
            EndView::Abuse => Self::Abuse,
            EndView::CandidateEnded => Self::CandidateEnded,
            EndView::CandidateLeft => Self::CandidateLeft,
            EndView::CandidateSilent => Self::CandidateSilent,
            EndView::NoShow => Self::NoShow,
            EndView::OutOfTime => Self::OutOfTime,
            EndView::Technical => Self::Technical,
            EndView::Operator => Self::Operator,
        }
    }
}

impl From<End> for EndView {
    fn from(end: End) -> Self {
        match end {
            End::Completed => Self::Completed,
            End::MaxTurns => Self::MaxTurns,
            End::Abuse => Self::Abuse,
            End::CandidateEnded => Self::CandidateEnded,
            End::CandidateLeft => Self::CandidateLeft,
            End::CandidateSilent => Self::CandidateSilent,
            End::NoShow => Self::NoShow,
            End::OutOfTime => Self::OutOfTime,
            End::Technical => Self::Technical,
            End::Operator => Self::Operator,
        }
    }
}
