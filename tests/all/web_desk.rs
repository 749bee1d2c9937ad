//! The web app over time: a worker that dies.

use std::fs::File;
use std::time::{Duration, UNIX_EPOCH};

use axum::http::StatusCode;
use serde_json::json;
use vivavoce::interview::{Effect, End, Event};
use vivavoce::journal::{self, Header};

use crate::web::{TestWeb, begun, entry, write_journal};

/// C04: a worker that dies before the candidate is there uses up no link, whatever it wrote; while it may live, it
/// interviews.
#[tokio::test]
async fn a_link_outlives_a_worker_that_died_too_soon() {
    let web = TestWeb::new();
    let token = web.launch().await;
    let folder = web.folder();
    let header = journal::line(&Header::new("x", 0, &folder.inputs().unwrap()));
    let ended = entry(1, Event::Tick, vec![Effect::Hangup { end: End::NoShow }]);
    let lease = folder.path().join("lease");
    for (text, while_held) in [
        (String::new(), "waiting"),
        (header[..20].to_owned(), "waiting"),
        (header.clone(), "in_progress"),
        (header + &ended, "completed"),
    ] {
        write_journal(&folder, &text);
        for (age_s, state) in [(0, while_held), (30, "waiting")] {
            let now = UNIX_EPOCH + Duration::from_millis(vivavoce::clock::unix_millis());
            let then = now - Duration::from_secs(age_s);
            File::create(&lease).unwrap().set_modified(then).unwrap();
            let (_, view) = web.get(&format!("/api/candidate/{token}")).await;
            assert_eq!(view["state"], state, "{age_s} s after {text}");
        }
        let (status, problem) =
            web.post(&format!("/api/candidate/{token}/start"), &json!({"consent": true})).await;
        // It gets as far as calling an interviewer, and there is no LiveKit server.
        assert_eq!(status, StatusCode::BAD_GATEWAY, "{problem}");
    }
    write_journal(&folder, &begun(&folder));
    let (_, view) = web.get(&format!("/api/candidate/{token}")).await;
    assert_eq!(view["state"], "interrupted", "somebody was there");
}
