//! Which deed of the audit trail each address of the API writes that changes something.

use axum::http::{Method, StatusCode};
use tracing::error;

use crate::database::Act;

/// What a request that is done leaves in the audit trail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Recorded {
    /// One of these deeds, always.
    Always(&'static [Act]),
    /// One of these deeds, but for the reason that is given.
    Mostly(&'static [Act], &'static str),
    /// Nothing, for this reason.
    Never(&'static str),
}

use Recorded::{Always, Mostly, Never};

/// Keeps nothing: it reckons, reads or checks what comes with it.
const KEEPS_NOTHING: Recorded = Never("it keeps nothing");
/// The journal of the interview is the record of it.
const IN_THE_JOURNAL: Recorded = Never("the interview's own journal says it, with its time");

/// Each address that changes something, as the API document writes it.
const ROUTES: &[(&str, &str, Recorded)] = &[
    ("POST", "/api/setup", Always(&[Act::MadeFirstAccount])),
    ("POST", "/api/session", Always(&[Act::SignedIn])),
    ("DELETE", "/api/session", Mostly(&[Act::SignedOut], "nobody was signed in")),
    ("POST", "/api/confirm", Always(&[Act::ConfirmedPassword])),
    ("POST", "/api/welcome", Always(&[Act::ChosePassword])),
    ("POST", "/api/password", Always(&[Act::ChangedPassword])),
    ("POST", "/api/accounts", Always(&[Act::AddedAccount])),
    ("PATCH", "/api/accounts/{id}", Always(&[Act::ChangedAccount])),
    ("POST", "/api/accounts/{id}/link", Always(&[Act::MadePasswordLink])),
    ("POST", "/api/keys", Always(&[Act::MadeKey])),
    ("DELETE", "/api/keys/{id}", Always(&[Act::RemovedKey])),
    ("POST", "/api/openings", Always(&[Act::MadeOpening])),
    ("PUT", "/api/openings/{id}", Always(&[Act::ChangedOpening])),
    ("POST", "/api/openings/{id}/state", Always(&[Act::SetOpeningState])),
    ("POST", "/api/openings/{id}/preview", Always(&[Act::TriedOpening])),
    ("POST", "/api/openings/{id}/simulate", Always(&[Act::Simulated])),
    ("POST", "/api/openings/{id}/candidates", Always(&[Act::Invited])),
    ("POST", "/api/openings/estimate", KEEPS_NOTHING),
    ("POST", "/api/candidates/read", KEEPS_NOTHING),
    ("POST", "/api/candidates/text", KEEPS_NOTHING),
    ("POST", "/api/documents", KEEPS_NOTHING),
    ("POST", "/api/plans", KEEPS_NOTHING),
    ("POST", "/api/blueprints/{name}/check", KEEPS_NOTHING),
    ("POST", "/api/blueprints/{name}/versions", Always(&[Act::ChangedBlueprint])),
    ("POST", "/api/blueprints/{name}/back", Always(&[Act::TookBlueprintBack])),
    ("POST", "/api/blueprints/{name}/copy", Always(&[Act::CopiedBlueprint])),
    ("POST", "/api/interviews", Always(&[Act::Launched])),
    (
        "DELETE",
        "/api/interviews/{id}",
        Mostly(&[Act::RemovedInterview], "a removal that was cut off is finished"),
    ),
    ("POST", "/api/interviews/{id}/end", Always(&[Act::EndedInterview])),
    ("POST", "/api/interviews/{id}/listen", Always(&[Act::ListenedIn])),
    ("POST", "/api/interviews/{id}/suggestion", Always(&[Act::SuggestedQuestion])),
    ("POST", "/api/interviews/{id}/link", Always(&[Act::MadeLink])),
    ("POST", "/api/interviews/{id}/cancel", Always(&[Act::TookInvitationBack])),
    ("POST", "/api/interviews/{id}/again", Always(&[Act::InvitedAgain])),
    ("POST", "/api/interviews/{id}/mail", Always(&[Act::SentInvitation])),
    ("PUT", "/api/interviews/{id}/appointment", Always(&[Act::ProposedTime])),
    ("DELETE", "/api/interviews/{id}/appointment", Always(&[Act::TookTimeBack])),
    ("PUT", "/api/interviews/{id}/decision", Always(&[Act::Decided])),
    ("PUT", "/api/interviews/{id}/levels", Always(&[Act::GaveLevel])),
    ("POST", "/api/interviews/{id}/notes", Always(&[Act::WroteNote])),
    ("POST", "/api/interviews/{id}/report", Always(&[Act::MadeReport])),
    ("POST", "/api/interviews/{id}/shares", Always(&[Act::SharedReport])),
    ("DELETE", "/api/interviews/{id}/shares/{share}", Always(&[Act::TookShareBack])),
    ("POST", "/api/shared", Always(&[Act::ReadReport])),
    ("POST", "/api/candidate/{token}/start", IN_THE_JOURNAL),
    ("POST", "/api/candidate/{token}/sound-check", KEEPS_NOTHING),
    ("POST", "/api/candidate/{token}/integrity", Never("what is noted has a list of its own")),
    ("POST", "/api/candidate/{token}/tries", IN_THE_JOURNAL),
    ("POST", "/api/candidate/{token}/corrections", Always(&[Act::Corrected])),
    ("POST", "/api/candidate/{token}/feedback", Always(&[Act::GaveFeedback])),
    ("POST", "/api/candidate/{token}/integrity/comment", Always(&[Act::Commented])),
    ("POST", "/api/candidate/{token}/deletion", Mostly(&[Act::AskedDeletion], ASKED_BEFORE)),
    ("POST", "/api/candidate/{token}/review", Mostly(&[Act::AskedReview], ASKED_BEFORE)),
    ("POST", "/api/webhooks", Always(&[Act::AddedWebhook])),
    ("PATCH", "/api/webhooks/{id}", Always(&[Act::ChangedWebhook])),
    ("DELETE", "/api/webhooks/{id}", Always(&[Act::RemovedWebhook])),
    ("POST", "/api/webhooks/{id}/test", Always(&[Act::TestedWebhook])),
    ("POST", "/api/webhooks/{id}/deliveries/{delivery}/again", Always(&[Act::SentAgain])),
    ("POST", "/api/partner/send_test", Mostly(&[Act::Invited], "the order came before")),
    ("POST", "/api/partner/response_error", Always(&[Act::CouldNotRead])),
];

const ASKED_BEFORE: &str = "it was asked for before, which counts";

/// Checks that a request that was done has left in the trail what its address should leave; one that has not
/// is a fault of ours. `path` is the address as the API document writes it.
pub(super) fn check(method: &Method, path: &str, status: StatusCode, written: &[Act]) {
    let Some(Always(acts)) = recorded(method, path).filter(|_| status.is_success()) else { return };
    if acts.iter().any(|act| written.contains(act)) {
        return;
    }
    error!(path, %method, "a deed is missing in the audit trail");
    debug_assert!(false, "{method} {path} has left no deed in the audit trail");
}

fn recorded(method: &Method, path: &str) -> Option<Recorded> {
    let mut of = ROUTES.iter().filter(|(known, at, _)| method == known && *at == path);
    of.next().map(|(_, _, recorded)| *recorded)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;

    /// Each address of the API that changes something stands in the table once, with a deed or with the
    /// reason why it has none; and nothing else does.
    #[test]
    fn each_changing_route_has_a_deed_or_a_reason() {
        let api: Value = serde_json::from_str(&crate::web::openapi_json()).unwrap();
        let mut changing = BTreeSet::new();
        for (path, methods) in api["paths"].as_object().unwrap() {
            let methods = methods.as_object().unwrap().keys().map(|name| name.to_uppercase());
            let changes =
                methods.filter(|name| !Method::from_bytes(name.as_bytes()).unwrap().is_safe());
            changing.extend(changes.map(|method| (method, path.clone())));
        }
        let known: Vec<_> = ROUTES
            .iter()
            .map(|(method, path, _)| ((*method).to_owned(), (*path).to_owned()))
            .collect();
        assert_eq!(known.iter().cloned().collect::<BTreeSet<_>>(), changing);
        assert_eq!(known.len(), changing.len(), "each once");
        assert!(changing.len() > 50, "{changing:?}");
    }

    /// No deed without words about why there may be none, and no reason that says nothing.
    #[test]
    fn each_reason_says_something() {
        for (method, path, recorded) in ROUTES {
            match recorded {
                Always(acts) => assert!(!acts.is_empty(), "{method} {path}"),
                Mostly(acts, why) => assert!(!acts.is_empty() && why.len() > 10, "{method} {path}"),
                Never(why) => assert!(why.len() > 10, "{method} {path}"),
            }
        }
    }

    /// What has left its deed, or was refused, is in order; what has left another one, or none, is not.
    #[test]
    fn a_missing_deed_is_found() {
        let (put, path) = (Method::PUT, "/api/interviews/{id}/decision");
        check(&put, path, StatusCode::OK, &[Act::ReadReport, Act::Decided]);
        check(&put, path, StatusCode::UNPROCESSABLE_ENTITY, &[]);
        check(&Method::POST, "/api/candidate/{token}/deletion", StatusCode::CREATED, &[]);
        let missing = || check(&put, path, StatusCode::OK, &[Act::ReadReport]);
        assert!(std::panic::catch_unwind(missing).is_err());
    }
}
