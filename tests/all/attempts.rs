//! Several attempts of a candidate.

use std::time::Duration;

use axum::http::StatusCode;
use serde_json::{Value, json};
use vivavoce::interview::{Effect, End, Event};
use vivavoce::store::FileStore;

use crate::web::{TestWeb, begun, entry, write_journal};

/// The interview of an id comes to an end.
fn ends(web: &TestWeb, id: &str, end: End) {
    let store = FileStore::open(web.data.path()).unwrap();
    let folder = store.folder(id.parse().unwrap()).unwrap();
    let ended = entry(3, Event::Tick, vec![Effect::Hangup { end }]);
    write_journal(&folder, &(begun(&folder) + &ended));
}

async fn attempt(web: &TestWeb, id: &str) -> Value {
    web.get(&format!("/api/interviews/{id}")).await.1["interview"]["attempt"].clone()
}

/// U04, C04: a candidate has as many attempts as the opening says; each has their résumé, a technical end
/// uses none up, and one that is open is the only one.
#[tokio::test]
async fn a_technical_end_uses_no_attempt_up() {
    let web = TestWeb::with(crate::web::no_livekit(), Duration::from_secs(3600));
    let mut form = json!({
        "title": "Backend", "role": "Backend engineer", "level": "senior",
        "blueprint": "mock-interview", "link_days": 14, "attempts": 6,
    });
    let (status, problem) = web.post("/api/openings", &form).await;
    assert_eq!(
        (status, &problem["fields"][0]["field"]),
        (StatusCode::UNPROCESSABLE_ENTITY, &json!("attempts"))
    );
    form["attempts"] = json!(2);
    let (_, opening) = web.post("/api/openings", &form).await;
    let path = format!("/api/openings/{}/candidates", opening["id"].as_str().unwrap());
    let ada = json!({"name": "Ada Lovelace", "email": "ada@example.org", "resume": "Engines."});
    let (_, invited) = web.post(&path, &json!({"candidates": [ada]})).await;
    let first = invited[0]["id"].as_str().unwrap().to_owned();
    let again = async |id: &str| web.post(&format!("/api/interviews/{id}/again"), &json!({})).await;
    let (status, said) = again(&first).await;
    assert!(said["message"].as_str().unwrap().contains("open invitation"), "{said}");
    assert_eq!(status, StatusCode::CONFLICT);

    let mut id = first.clone();
    for (end, number) in [(End::Completed, 1), (End::Technical, 2), (End::CandidateLeft, 2)] {
        assert_eq!(
            attempt(&web, &id).await,
            json!({"candidate": first, "number": number, "of": 2}),
            "{end:?}"
        );
        ends(&web, &id, end);
        let (status, said) = again(&id).await;
        if end == End::CandidateLeft {
            assert_eq!(status, StatusCode::CONFLICT);
            let message = said["message"].as_str().unwrap();
            assert!(message.contains("All attempts are used (2 of 2)"), "{message}");
            continue;
        }
        assert_eq!(status, StatusCode::CREATED, "{said}");
        id = said["id"].as_str().unwrap().to_owned();
        let token = said["link"].as_str().unwrap().strip_prefix("/i/").unwrap();
        assert_eq!(web.get(&format!("/api/candidate/{token}")).await.0, StatusCode::OK);
        let store = FileStore::open(web.data.path()).unwrap();
        let inputs = store.folder(id.parse().unwrap()).unwrap().inputs().unwrap();
        assert_eq!(inputs.context.resume, "Engines.");
        let rows = web.get("/api/interviews?search=ada@example.org").await.1;
        assert!(rows["total"].as_i64().unwrap() > 1, "the address is there, too: {rows}");
    }
    form["attempts"] = json!(3);
    let change = json!({"version": 1, "form": form});
    let request =
        axum::http::Request::put(format!("/api/openings/{}", opening["id"].as_str().unwrap()));
    let request = request.header("content-type", "application/json");
    web.ask(request.body(change.to_string().into()).unwrap()).await;
    assert_eq!(again(&id).await.0, StatusCode::CREATED, "more are allowed now");
    let dump = web.database.dump().await.unwrap();
    let mut kept = dump.lines().filter(|line| line.contains("\"table\":\"audit\""));
    assert!(kept.clone().any(|line| line.contains("invited once more")), "{dump}");
    assert!(!kept.any(|line| line.contains("Lovelace")), "no name is kept there: {dump}");
}

/// U04: an interview that belongs to no opening has no further attempts.
#[tokio::test]
async fn without_an_opening_there_is_one_attempt() {
    let web = TestWeb::new();
    web.launch().await;
    let id = web.folder().id();
    assert_eq!(attempt(&web, &id.to_string()).await["of"], 1);
    let (status, said) = web.post(&format!("/api/interviews/{id}/again"), &json!({})).await;
    assert_eq!(status, StatusCode::CONFLICT);
    assert!(said["message"].as_str().unwrap().contains("no opening"), "{said}");
}
