//! A candidate on the phone: LiveKit's SIP service brings them in as a participant of its own kind, and keys
//! as DTMF.

use livekit_api::access_token::{AccessToken, VideoGrants};
use vivavoce::interview::{End, Event, Request};

use crate::{
    interview::{INTERVIEW_LIMIT, WorkerProcess, dispatch, journal_of, launch, summary},
    libwebrtc,
    livekit_server::{KEY, LiveKit, SECRET, jobs_ended},
};

/// A candidate whose browser does not come calls in: the interview is held by phone, one key says the
/// question again, and another one, pressed twice, ends it.
#[tokio::test(flavor = "multi_thread")]
async fn an_interview_is_held_by_phone() {
    let server = LiveKit::start();
    let worker = WorkerProcess::start(&server);
    let folder = launch(&worker.store(), "two-stage");
    let room = folder.id().room();
    let grants = VideoGrants { room_join: true, room, ..Default::default() };
    let token = AccessToken::with_api_key(KEY, SECRET).with_kind("sip");
    let token = token.with_identity("sip_+4930123456").with_grants(grants).to_jwt().unwrap();
    let limit = INTERVIEW_LIMIT.as_secs().to_string();
    let acts = ["--seconds", &limit, "--acts", "keys:1", "keys:9", "keys:99"];
    let candidate = libwebrtc::candidate(server.url(), token, &acts);
    let (seen, ()) = tokio::join!(candidate, dispatch(&server, &folder));
    assert_eq!(seen["agent_left"], true, "{seen}");
    let entries = journal_of(&folder);
    let pressed = entries.iter().filter_map(|entry| match &entry.event {
        Event::Control { request, .. } => Some(*request),
        _ => None,
    });
    assert_eq!(pressed.collect::<Vec<_>>(), [Request::Repeat, Request::End]);
    assert_eq!(summary(&entries).1, Some(End::CandidateEnded));
    let first = "tell me about yourself";
    let ours = seen["texts"].as_array().unwrap().iter();
    let ours = ours.filter(|text| text["from"].as_str().unwrap().starts_with("agent-"));
    let ours: Vec<_> = ours.map(|text| text["text"].as_str().unwrap().to_lowercase()).collect();
    let asked = ours.iter().filter(|text| text.contains(first)).count();
    assert!(asked >= 2, "the question, and the question again: {ours:?}");
    assert_eq!(jobs_ended(1, || server.log()).await, ["JS_SUCCESS"]);
    assert!(!worker.log().contains("4930123456"), "a number is in the log");
}
