//! What is noted while an interview goes on: facts with times, told before, open to a comment, and never
//! weighed.

use std::time::Duration;

use axum::http::StatusCode;
use serde_json::{Value, json};
use vivavoce::interview::{Effect, End, Event};
use vivavoce::web::Config;

use crate::web::{TestWeb, begun, config, entry, launchable, no_livekit, write_journal};

/// A web app with an opening, and the token of a candidate who is invited to it.
async fn invited(integrity: Option<&str>) -> (TestWeb, String) {
    let web = TestWeb::set_up(|data| Config {
        blueprints: vec![launchable("mock-interview")],
        ..config(data, no_livekit(), Duration::from_secs(3600))
    });
    let mut form = json!({
        "title": "Backend", "role": "Backend engineer", "level": "senior", "blueprint": "mock-interview",
        "link_days": 7,
    });
    if let Some(integrity) = integrity {
        form["integrity"] = json!(integrity);
    }
    let (status, opening) = web.post("/api/openings", &form).await;
    assert_eq!(status, StatusCode::CREATED, "{opening}");
    let path = format!("/api/openings/{}/candidates", opening["id"].as_str().unwrap());
    let (_, made) = web.post(&path, &json!({"candidates": [{"name": "Ada Lovelace"}]})).await;
    let token = made[0]["link"].as_str().unwrap().strip_prefix("/i/").unwrap().to_owned();
    (web, token)
}

async fn told(web: &TestWeb, token: &str, fact: &Value) -> StatusCode {
    web.post(&format!("/api/candidate/{token}/integrity"), fact).await.0
}

/// Leaving the tab, coming back and pasting are noted while the interview goes on; both sides read them with
/// their times, and the candidate's comment beside them. The export has them, and no level comes of them.
#[tokio::test]
async fn facts_are_noted_and_open_to_a_comment() {
    let (web, token) = invited(Some("facts")).await;
    let folder = web.folder();
    let (_, view) = web.get(&format!("/api/candidate/{token}")).await;
    assert_eq!((&view["integrity"], &view["language"]), (&json!("facts"), &json!("en")), "{view}");
    let left = json!({"what": "left"});
    assert_eq!(told(&web, &token, &left).await, StatusCode::CONFLICT, "it has not begun");

    let lease = web.lease().await;
    write_journal(&folder, &begun(&folder));
    for fact in
        [left.clone(), json!({"what": "returned"}), json!({"what": "pasted", "characters": 812})]
    {
        assert_eq!(told(&web, &token, &fact).await, StatusCode::NO_CONTENT, "{fact}");
    }
    let wrong = json!({"what": "looked away"});
    assert_eq!(told(&web, &token, &wrong).await, StatusCode::UNPROCESSABLE_ENTITY);
    drop(lease);
    let ended = entry(3, Event::Tick, vec![Effect::Hangup { end: End::Completed }]);
    write_journal(&folder, &(begun(&folder) + &ended));
    assert_eq!(told(&web, &token, &left).await, StatusCode::CONFLICT, "it is over");

    let comment = format!("/api/candidate/{token}/integrity/comment");
    let (status, _) = web.post(&comment, &json!({"text": " "})).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    let text = "I looked up the name of a library.";
    assert_eq!(web.post(&comment, &json!({"text": text})).await.0, StatusCode::CREATED);

    let id = folder.id();
    for path in [format!("/api/candidate/{token}/after"), format!("/api/interviews/{id}/after")] {
        let (_, after) = web.get(&path).await;
        let facts = after["noted"]["facts"].as_array().unwrap();
        let kinds: Vec<_> = facts.iter().map(|fact| (&fact["what"], &fact["characters"])).collect();
        assert!(facts.is_sorted_by_key(|fact| fact["at"].as_u64()), "{after}");
        for expected in [
            (json!("left"), Value::Null),
            (json!("returned"), Value::Null),
            (json!("pasted"), json!(812)),
        ] {
            assert!(kinds.contains(&(&expected.0, &expected.1)), "{after}");
        }
        assert_eq!((kinds.len(), &after["noted"]["comment"]), (3, &json!(text)));
    }
    let (_, exported) = web.get(&format!("/api/interviews/{id}/export/json")).await;
    assert_eq!(exported["noted"].as_array().unwrap().len(), 3, "{exported}");
    assert_eq!(exported["overall"]["weighted"], Value::Null);
    assert!(exported["criteria"].as_array().unwrap().iter().all(|it| it["level"] == Value::Null));
}

/// Nothing is noted unless the opening says so: that is how an opening begins.
#[tokio::test]
async fn nothing_is_noted_unless_the_opening_says_so() {
    let (web, token) = invited(None).await;
    let folder = web.folder();
    let (_, view) = web.get(&format!("/api/candidate/{token}")).await;
    assert_eq!(view["integrity"], "off");
    let _lease = web.lease().await;
    write_journal(&folder, &begun(&folder));
    assert_eq!(told(&web, &token, &json!({"what": "left"})).await, StatusCode::CONFLICT);
    let (_, after) = web.get(&format!("/api/interviews/{}/after", folder.id())).await;
    assert_eq!(after["noted"], Value::Null, "{after}");
    let form = json!({
        "title": "Backend", "role": "Backend engineer", "level": "senior", "blueprint": "mock-interview",
        "link_days": 7, "integrity": "score",
    });
    let (status, problem) = web.post("/api/openings", &form).await;
    assert!(status.is_client_error(), "{problem}");
    assert!(problem.to_string().contains("score"), "{problem}");
}
