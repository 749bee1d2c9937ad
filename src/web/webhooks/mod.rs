//! Webhooks: other programs are told of what happens to interviews.
//!
//! What happened is kept as a message for each webhook that wants it, in the same transaction as the change
//! itself (`database/webhooks.rs`); [`outbox`] sends what is kept until it is taken. A message carries ids, a
//! state and a link, and nothing that anybody said.

pub(super) mod base64;
pub(super) mod handlers;
pub(super) mod outbox;
pub(super) mod reach;
mod signature;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::{Outside, progress::EndView, row::Details};
use crate::{
    clock::unix_millis,
    database::{Indexed, Message, Purpose, State, new_id},
};

/// What tells that a webhook works.
const TEST: &str = "webhook.test";
/// An interview that was found so long after it was made is no news.
const NEWS_MS: i64 = 24 * 3_600_000;

/// What a webhook can be told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[schema(as = WebhookEvent)]
pub(super) enum Event {
    /// An interview was made, and its link.
    #[serde(rename = "interview.invited")]
    Invited,
    /// The candidate has come, and it has begun.
    #[serde(rename = "interview.started")]
    Started,
    /// It has come to its end, or the candidate has left.
    #[serde(rename = "interview.finished")]
    Finished,
    /// It stopped for a fault on our side.
    #[serde(rename = "interview.failed")]
    Failed,
    /// Nobody came while the link worked.
    #[serde(rename = "interview.expired")]
    Expired,
    /// The invitation was taken back.
    #[serde(rename = "interview.cancelled")]
    Cancelled,
    /// Its report is made. Where this is wanted, reports are made without being asked for.
    #[serde(rename = "report.ready")]
    ReportReady,
    /// A person has decided about the candidate.
    #[serde(rename = "decision.made")]
    DecisionMade,
}

/// A change of an interview's row in the index.
pub(super) struct Change<'a> {
    /// Where it stood; nothing where it was in no index.
    pub(super) from: Option<State>,
    /// The row as it is now.
    pub(super) row: &'a Indexed,
    /// What its journal says.
    pub(super) details: &'a Details,
}

impl Event {
    const ALL: [Self; 8] = [
        Self::Invited,
        Self::Started,
        Self::Finished,
        Self::Failed,
        Self::Expired,
        Self::Cancelled,
        Self::ReportReady,
        Self::DecisionMade,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Invited => "interview.invited",
            Self::Started => "interview.started",
            Self::Finished => "interview.finished",
            Self::Failed => "interview.failed",
            Self::Expired => "interview.expired",
            Self::Cancelled => "interview.cancelled",
            Self::ReportReady => "report.ready",
            Self::DecisionMade => "decision.made",
        }
    }

    /// Whether an applicant tracking system that has ordered the interview asks for its status then.
    fn tells_partner(self) -> bool {
        match self {
            Self::Finished | Self::Failed | Self::Expired | Self::Cancelled => true,
            Self::Invited | Self::Started | Self::ReportReady | Self::DecisionMade => false,
        }
    }
}

/// What others are told of a change. Previews and simulated candidates are nobody's business.
pub(super) fn of_change(outside: &Outside, change: &Change<'_>) -> Vec<Message> {
    let Change { from, row, details } = change;
    let now = i64::try_from(unix_millis()).unwrap_or(i64::MAX);
    if row.purpose != Purpose::Candidate
        || from.is_none() && now.saturating_sub(row.made_at) > NEWS_MS
    {
        return Vec::new();
    }
    let began = details.started_at.map(|at| at.to_string()).unwrap_or_default();
    let until = row.expires_at.map(|at| at.to_string()).unwrap_or_default();
    let mut messages = Vec::new();
    let mut tell = |event: Event, cause: &str| {
        messages.push(message(outside, event, cause, row, json!({ "end": details.end })));
    };
    if from.is_none() {
        tell(Event::Invited, "");
    }
    let before = from.unwrap_or(State::Invited);
    if before == row.state {
        return messages;
    }
    if !has_begun(before) && has_begun(row.state) && details.end != Some(EndView::NoShow) {
        tell(Event::Started, &began);
    }
    match row.state {
        State::Completed | State::Abandoned => {
            tell(Event::Finished, &began);
            tell(Event::ReportReady, &began);
        }
        State::Failed | State::Interrupted => {
            tell(Event::Failed, &format!("{began} {}", row.state.name()));
        }
        State::Expired => tell(Event::Expired, &until),
        State::Cancelled => tell(Event::Cancelled, &until),
        State::Invited | State::Waiting | State::InProgress | State::Paused => {}
    }
    messages
}

/// What others are told of an invitation whose time is over.
pub(super) fn of_expired(outside: &Outside, row: &Indexed) -> Vec<Message> {
    let details = serde_json::from_str(&row.row).unwrap_or_default();
    of_change(outside, &Change { from: Some(State::Invited), row, details: &details })
}

/// What others are told of a decision.
pub(super) fn of_decision(outside: &Outside, row: &Indexed, verdict: &str) -> Message {
    message(outside, Event::DecisionMade, &new_id(), row, json!({ "decision": verdict }))
}

/// A message that tells that a webhook works.
fn test() -> Message {
    let event = TEST.to_owned();
    let body = body(&event, json!({ "message": "This webhook works." }));
    Message { event, cause: new_id(), interview: String::new(), body, tells_partner: false }
}

fn message(outside: &Outside, event: Event, cause: &str, row: &Indexed, more: Value) -> Message {
    let mut data = json!({
        "interview": row.id,
        "opening": row.opening,
        "state": row.state.name(),
        "url": outside.page_of(&row.id),
    });
    if let (Some(data), Value::Object(more)) = (data.as_object_mut(), more) {
        data.extend(more.into_iter().filter(|(_, value)| !value.is_null()));
    }
    Message {
        event: event.name().to_owned(),
        cause: format!("{} {cause}", row.id).trim_end().to_owned(),
        interview: row.id.clone(),
        body: body(event.name(), data),
        tells_partner: event.tells_partner(),
    }
}

fn body(event: &str, data: Value) -> String {
    let now = i64::try_from(unix_millis()).ok().and_then(|ms| Timestamp::from_millisecond(ms).ok());
    let timestamp = now.map(|now| now.to_string()).unwrap_or_default();
    json!({ "type": event, "timestamp": timestamp, "data": data }).to_string()
}

fn has_begun(state: State) -> bool {
    match state {
        State::InProgress
        | State::Paused
        | State::Completed
        | State::Abandoned
        | State::Failed
        | State::Interrupted => true,
        State::Invited | State::Waiting | State::Expired | State::Cancelled => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::Beside;

    fn outside() -> Outside {
        Outside { address: "https://x.example".into(), ..Outside::default() }
    }

    fn row(state: State, made_at: i64) -> Indexed {
        Indexed {
            id: "i1".into(),
            opening: Some("o1".into()),
            purpose: Purpose::Candidate,
            name: "Ada".into(),
            email: "ada@example.org".into(),
            about: String::new(),
            state,
            made_at,
            updated_at: made_at,
            expires_at: Some(9),
            row: "{}".into(),
            beside: Beside::default(),
        }
    }

    fn events(from: Option<State>, row: &Indexed, end: Option<EndView>) -> Vec<String> {
        let details = Details { started_at: Some(7), end, ..Details::default() };
        let told = of_change(&outside(), &Change { from, row, details: &details });
        told.into_iter().map(|message| message.event).collect()
    }

    /// U09: each change of state is told by its event, once; what stays as it was is not told.
    #[test]
    fn each_change_has_its_event() {
        let finished = vec!["interview.finished", "report.ready"];
        for (from, to, end, expected) in [
            (State::Invited, State::InProgress, None, vec!["interview.started"]),
            (State::Paused, State::InProgress, None, vec![]),
            (State::InProgress, State::Completed, Some(EndView::Completed), finished.clone()),
            (State::Interrupted, State::Completed, Some(EndView::Completed), finished.clone()),
            (State::Waiting, State::Abandoned, Some(EndView::NoShow), finished),
            (
                State::Waiting,
                State::Failed,
                Some(EndView::Technical),
                vec!["interview.started", "interview.failed"],
            ),
            (State::Invited, State::Expired, None, vec!["interview.expired"]),
            (State::Expired, State::Cancelled, None, vec!["interview.cancelled"]),
            (State::Completed, State::Completed, None, vec![]),
        ] {
            assert_eq!(events(Some(from), &row(to, 0), end), expected, "{from:?} {to:?}");
        }
    }

    /// U09: previews are told to nobody, and an index that is made anew tells nothing that is old.
    #[test]
    fn what_is_no_news_is_not_told() {
        let now = i64::try_from(unix_millis()).unwrap();
        assert_eq!(events(None, &row(State::Invited, now), None), ["interview.invited"]);
        assert_eq!(events(None, &row(State::Completed, now - 2 * NEWS_MS), None), [""; 0]);
        for purpose in [Purpose::Preview, Purpose::Simulated] {
            let nobodys = Indexed { purpose, ..row(State::Completed, now) };
            assert_eq!(events(Some(State::InProgress), &nobodys, None), [""; 0], "{purpose:?}");
        }
    }

    /// U09: a message carries ids, a state and a link, and nobody's name or address.
    #[test]
    fn a_message_names_nobody() {
        let details = Details { last_line: Some("I fix payments".into()), ..Details::default() };
        let row = row(State::Completed, 0);
        let change = Change { from: Some(State::InProgress), row: &row, details: &details };
        let told = of_change(&outside(), &change);
        let text = format!("{told:?}");
        assert!(!text.contains("Ada") && !text.contains("example.org"), "{text}");
        assert!(!text.contains("payments"), "{text}");
        let body: Value = serde_json::from_str(&told[0].body).unwrap();
        assert_eq!(body["data"]["url"], "https://x.example/interviews/i1");
        assert_eq!(body["data"]["state"], "completed");
    }

    /// U09: the names in the API are those that are kept.
    #[test]
    fn names_are_those_of_the_api() {
        for event in Event::ALL {
            assert_eq!(serde_json::to_value(event).unwrap(), event.name());
        }
    }
}
