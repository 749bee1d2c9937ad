//! An interview as a row of the lists.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::progress::EndView;
use crate::{
    database::{self, Attempt, Beside, Indexed, MailBrief, MailKind, MailState, Purpose},
    journal::{End, Outcome},
};

/// An interview as a recruiter sees it in the list.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(super) struct InterviewRow {
    /// The interview's id.
    id: String,
    /// The candidate's name.
    name: String,
    /// Their e-mail address; may be empty.
    email: String,
    /// The opening that it belongs to.
    opening: Option<String>,
    /// Where it stands, and whom it is about.
    #[serde(flatten)]
    standing: Standing,
    /// When it was launched, in milliseconds since 1970.
    made_at: i64,
    /// Until when its link starts it, in milliseconds since 1970; nothing for one that was launched
    /// elsewhere.
    expires_at: Option<i64>,
    /// When this row changed last, in milliseconds since 1970.
    updated_at: i64,
    /// What was decided last: `advance`, `hold` or `reject`.
    decision: Option<String>,
    /// How the candidate is invited.
    #[serde(flatten)]
    invitation: Invitation,
    /// What its journal says.
    #[serde(flatten)]
    details: Details,
}

/// Where an interview stands, and whom it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(super) struct Standing {
    /// Where it stands.
    state: StateView,
    /// What it came to; nothing before it is over.
    outcome: Option<Outcome>,
    /// Whether the candidate is simulated: it is no interview with a person, and counts nowhere.
    simulated: bool,
    /// Whether somebody of the house tries it themselves: nobody decides about it, and it counts nowhere.
    trial: bool,
}

/// What the lists show of an interview beside its columns.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = InterviewDetails)]
pub(super) struct Details {
    /// The role it is about.
    pub(super) role: String,
    /// The blueprint's name.
    pub(super) blueprint: String,
    /// Its title.
    pub(super) title: String,
    /// The title of its opening.
    pub(super) opening_title: String,
    /// How it ended.
    pub(super) end: Option<EndView>,
    /// When it began, in milliseconds since 1970.
    pub(super) started_at: Option<u64>,
    /// The title of the stage that it is in.
    pub(super) stage: Option<String>,
    /// What was said last.
    pub(super) last_line: Option<String>,
    /// How long it took, once it is over.
    pub(super) minutes: Option<u64>,
    /// Parts in which there is something to answer.
    pub(super) parts: u64,
    /// Those of them without an answer, once it is over.
    pub(super) unanswered: Option<u64>,
    /// What a person should look at.
    pub(super) attention: Option<String>,
}

/// How a candidate is invited.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(super) struct Invitation {
    /// What became of the latest mail to the candidate.
    mail: Option<MailBriefView>,
    /// The time that was proposed to them, in milliseconds since 1970.
    appointment: Option<i64>,
    /// Which attempt of theirs it is.
    attempt: AttemptView,
}

/// Which attempt of a candidate an interview is.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = Attempt)]
pub(super) struct AttemptView {
    /// The same for all attempts of the candidate.
    candidate: String,
    /// From 1; a technical end uses none up, so that the next one has the same number.
    number: i64,
    /// How many the opening allows.
    of: i64,
}

/// What became of the latest mail to a candidate.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = MailBrief)]
pub(super) struct MailBriefView {
    kind: MailKindView,
    state: MailStateView,
    /// When that was, in milliseconds since 1970.
    at: i64,
    /// Why it was not sent; may be empty.
    problem: String,
}

/// What a mail tells the candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = MailKind)]
pub(super) enum MailKindView {
    /// They are invited.
    Invitation,
    /// The link or the appointment is soon over.
    Reminder,
    /// There is an appointment, or another one.
    Moved,
    /// The appointment is taken back, or the whole invitation.
    CalledOff,
}

/// How far a mail is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = MailState)]
pub(super) enum MailStateView {
    /// It waits to be sent, or to be tried again.
    Waiting,
    /// The mail server has taken it.
    Sent,
    /// It is not tried any more.
    Failed,
}

/// Where an interview stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = State)]
pub(super) enum StateView {
    /// The link was made, and nobody has come.
    Invited,
    /// The candidate has started, and waits for the interviewer.
    Waiting,
    /// Somebody is interviewed.
    InProgress,
    /// The candidate has paused it.
    Paused,
    /// It has come to its end.
    Completed,
    /// The candidate left, was silent or never came back.
    Abandoned,
    /// Nobody came while the link worked.
    Expired,
    /// A recruiter took the invitation back.
    Cancelled,
    /// It ended for a fault on our side.
    Failed,
    /// It stopped without an end: a fault on our side.
    Interrupted,
}

impl From<Indexed> for InterviewRow {
    fn from(row: Indexed) -> Self {
        let details: Details = serde_json::from_str(&row.row).unwrap_or_default();
        Self {
            id: row.id,
            name: row.name,
            email: row.email,
            opening: row.opening,
            standing: Standing::of(row.state.into(), row.purpose, details.end),
            made_at: row.made_at,
            expires_at: row.expires_at,
            updated_at: row.updated_at,
            decision: row.beside.verdict.clone(),
            invitation: row.beside.into(),
            details,
        }
    }
}

impl Standing {
    fn of(state: StateView, purpose: Purpose, end: Option<EndView>) -> Self {
        let (simulated, trial) = (purpose == Purpose::Simulated, purpose.is_trial());
        let outcome = state.is_over().then(|| Outcome::of(end.map(End::from)));
        Self { state, outcome, simulated, trial }
    }
}

impl InterviewRow {
    /// The candidate's name, and what its journal says.
    pub(super) fn into_parts(self) -> (String, Details) {
        (self.name, self.details)
    }
}

impl StateView {
    /// Whether somebody speaks, or waits for the interviewer.
    pub(super) fn is_live(self) -> bool {
        database::State::from(self).is_live()
    }

    /// Whether nothing more comes of it.
    pub(super) fn is_over(self) -> bool {
        match self {
            Self::Completed | Self::Abandoned | Self::Failed | Self::Interrupted => true,
            Self::Invited
            | Self::Waiting
            | Self::InProgress
            | Self::Paused
            | Self::Expired
            | Self::Cancelled => false,
        }
    }
}

impl From<Beside> for Invitation {
    fn from(beside: Beside) -> Self {
        let Attempt { candidate, number, of } = beside.attempt;
        Self {
            mail: beside.mail.map(MailBriefView::from),
            appointment: beside.appointment,
            attempt: AttemptView { candidate, number, of },
        }
    }
}

impl From<MailBrief> for MailBriefView {
    fn from(brief: MailBrief) -> Self {
        let MailBrief { kind, state, at, problem } = brief;
        Self { kind: kind.into(), state: state.into(), at, problem }
    }
}

impl From<MailKind> for MailKindView {
    fn from(kind: MailKind) -> Self {
        match kind {
            MailKind::Invitation => Self::Invitation,
            MailKind::Reminder => Self::Reminder,
            MailKind::Moved => Self::Moved,
            MailKind::CalledOff => Self::CalledOff,
        }
    }
}

impl From<MailState> for MailStateView {
    fn from(state: MailState) -> Self {
        match state {
            MailState::Waiting => Self::Waiting,
            MailState::Sent => Self::Sent,
            MailState::Failed => Self::Failed,
        }
    }
}

impl From<database::State> for StateView {
    fn from(state: database::State) -> Self {
        match state {
            database::State::Invited => Self::Invited,
            database::State::Waiting => Self::Waiting,
            database::State::InProgress => Self::InProgress,
            database::State::Paused => Self::Paused,
            database::State::Completed => Self::Completed,
            database::State::Abandoned => Self::Abandoned,
            database::State::Expired => Self::Expired,
            database::State::Cancelled => Self::Cancelled,
            database::State::Failed => Self::Failed,
            database::State::Interrupted => Self::Interrupted,
        }
    }
}

impl From<StateView> for database::State {
    fn from(state: StateView) -> Self {
        match state {
            StateView::Invited => Self::Invited,
            StateView::Waiting => Self::Waiting,
            StateView::InProgress => Self::InProgress,
            StateView::Paused => Self::Paused,
            StateView::Completed => Self::Completed,
            StateView::Abandoned => Self::Abandoned,
            StateView::Expired => Self::Expired,
            StateView::Cancelled => Self::Cancelled,
            StateView::Failed => Self::Failed,
            StateView::Interrupted => Self::Interrupted,
        }
    }
}
