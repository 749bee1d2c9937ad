//! Interviews with simulated candidates: an opening is run for whoever made it to watch.

use std::{path::Path, sync::Arc, time::Duration};

use axum::{
    body::Body,
    http::{Method, Request, StatusCode, header},
};
use serde_json::{Value, json};
use vivavoce::{
    app::{Pace, Simulator},
    store::{FileStore, JournalStore},
    web::Config,
};

use crate::{
    actions::person,
    openings::form,
    web::{TestWeb, config, launchable, no_livekit},
    webhooks::until,
};

/// Settings with a simulator that goes at this pace.
fn settings(data: &Path, pace: Pace) -> Config {
    let mut config = config(data, no_livekit(), Duration::from_secs(3600));
    config.blueprints = ["mock-interview", "mock-interview-de"].map(launchable).into();
    let store: Arc<dyn JournalStore> = Arc::new(FileStore::open(data).unwrap());
    let all = vivavoce::config::Config::read(None, []).unwrap();
    config.site.services.simulator = Some(Arc::new(Simulator::new(&all, store, pace)));
    config
}

async fn opened(web: &TestWeb) -> String {
    let (status, opening) = web.post("/api/openings", &form()).await;
    assert_eq!(status, StatusCode::CREATED, "{opening}");
    opening["id"].as_str().unwrap().to_owned()
}

/// Begins one, as soon as there is a place.
async fn run(web: &TestWeb, opening: &str, how: &Value) -> String {
    let mut id = String::new();
    let has_begun = async || {
        let (status, begun) = web.post(&format!("/api/openings/{opening}/simulate"), how).await;
        id = begun["id"].as_str().unwrap_or_default().to_owned();
        assert!(matches!(status, StatusCode::CREATED | StatusCode::TOO_MANY_REQUESTS), "{begun}");
        status == StatusCode::CREATED
    };
    until("an interview has begun", has_begun).await;
    id
}

async fn view(web: &TestWeb, id: &str) -> Value {
    let (status, view) = web.get(&format!("/api/interviews/{id}")).await;
    assert_eq!(status, StatusCode::OK, "{view}");
    view
}

/// Waits until it is over; all that there is of it.
async fn ended(web: &TestWeb, id: &str) -> Value {
    let is_over = async || view(web, id).await["transcript"]["end"].is_string();
    until("the interview has ended", is_over).await;
    view(web, id).await
}

async fn ask(web: &TestWeb, method: Method, path: &str, body: &Value) -> (StatusCode, Value) {
    let request = Request::builder().method(method).uri(path);
    let request = request.header(header::CONTENT_TYPE, "application/json");
    web.ask(request.body(body.to_string().into()).unwrap()).await
}

/// Whether somebody said this.
fn is_said(view: &Value, speaker: &str, words: &str) -> bool {
    view["transcript"]["turns"]
        .as_array()
        .unwrap()
        .iter()
        .any(|turn| turn["speaker"] == speaker && turn["text"].as_str().unwrap().contains(words))
}

/// U03: an opening is run with a simulated candidate: all its stages and own questions, to the end, with a
/// report; marked wherever it could be taken for a candidate's, and told to no webhook.
#[tokio::test(flavor = "multi_thread")]
async fn an_opening_is_run_with_a_simulated_candidate() {
    let web = TestWeb::set_up(|data| settings(data, Pace::AtOnce));
    let events = ["interview.invited", "interview.finished"];
    let hook = json!({"url": "https://hooks.example.org/x", "events": events});
    let (status, hook) = web.post("/api/webhooks", &hook).await;
    assert_eq!(status, StatusCode::CREATED, "{hook}");
    let opening = opened(&web).await;
    let id = run(&web, &opening, &json!({"manner": "cooperative"})).await;
    let view = ended(&web, &id).await;
    assert_eq!(view["transcript"]["end"], "completed", "{view}");
    assert_eq!(
        (&view["manner"], &view["interview"]["simulated"]),
        (&json!("cooperative"), &json!(true))
    );
    assert!(is_said(&view, "interviewer", "Why do you want to work with us?"), "{view}");
    assert!(is_said(&view, "interviewer", "taught you most"), "{view}");
    assert!(is_said(&view, "candidate", "I work as a Backend engineer"), "{view}");
    let asked = view["stages"].as_array().unwrap().len();
    let turns = view["transcript"]["turns"].as_array().unwrap();
    let seen: std::collections::BTreeSet<_> = turns.iter().map(|it| it["stage"].as_str()).collect();
    assert_eq!(seen.len(), asked, "every stage is entered: {view}");

    let of = format!("/api/interviews/{id}");
    let is_made = async || web.get(&format!("{of}/report")).await.1["state"] == "ready";
    until("the report is made", is_made).await;
    let (_, report) = web.get(&format!("{of}/report")).await;
    let mark = "The candidate was simulated: nothing here is about a person.";
    assert_eq!(report["header"]["quality"][0], mark, "{report}");
    for (format, mark) in [("md", mark), ("csv", "(simulated)"), ("vtt", "NOTE The candidate")] {
        let request = Request::get(format!("{of}/export/{format}")).body(Body::empty()).unwrap();
        let answer = web.raw(request).await;
        let bytes = axum::body::to_bytes(answer.into_body(), 1 << 20).await.unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.contains(mark), "{format}: {text}");
    }
    let record = web.folder().path().join("interview.json");
    until("it is written for programs", async || record.exists()).await;
    let record: Value = serde_json::from_str(&std::fs::read_to_string(record).unwrap()).unwrap();
    assert_eq!(record["simulated"], "cooperative");

    let (_, list) = web.get("/api/interviews").await;
    assert_eq!((&list["total"], &list["rows"][0]["simulated"]), (&json!(1), &json!(true)));
    let (_, openings) = web.get("/api/openings").await;
    for count in ["invited", "running", "done", "to_decide"] {
        assert_eq!(openings[0][count], 0, "it counts as no candidate: {openings}");
    }
    let (status, again) = ask(&web, Method::POST, &format!("{of}/again"), &json!({})).await;
    assert_eq!(status, StatusCode::CONFLICT, "{again}");
    let request = Request::put(format!("{of}/decision"))
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::COOKIE, person(&web).await)
        .header("sec-fetch-site", "same-origin");
    let decision = json!({"verdict": "advance", "reason": ""}).to_string();
    let (status, refused) = web.ask(request.body(decision.into()).unwrap()).await;
    assert_eq!(status, StatusCode::CONFLICT, "{refused}");
    assert!(refused["message"].as_str().unwrap().contains("simulated"), "{refused}");

    let hook = hook["webhook"]["id"].as_str().unwrap();
    assert_eq!(web.database.deliveries(hook, 9).await.unwrap().len(), 0, "nobody is told");
    let (_, audit) = web.get("/api/audit").await;
    assert!(audit.to_string().contains("ran with a simulated candidate"), "{audit}");
    let is_gone = async || ask(&web, Method::DELETE, &of, &json!({})).await.0 == StatusCode::OK;
    until("it is removed", is_gone).await;
    assert_eq!(web.get("/api/interviews").await.1["total"], 0);
}

/// U03: how the candidate behaves decides how the interview goes; it is held in the opening's language.
#[tokio::test(flavor = "multi_thread")]
async fn manners_decide_how_it_goes() {
    let web = TestWeb::set_up(|data| settings(data, Pace::AtOnce));
    let opening = opened(&web).await;
    let silent = run(&web, &opening, &json!({"manner": "silent"})).await;
    let leaving = run(&web, &opening, &json!({"manner": "leaving"})).await;
    let rambling = run(&web, &opening, &json!({"manner": "rambling"})).await;
    let silent = ended(&web, &silent).await;
    assert_eq!(silent["transcript"]["end"], "candidate_silent", "{silent}");
    assert!(is_said(&silent, "interviewer", "Can you hear me?"), "{silent}");
    let leaving = ended(&web, &leaving).await;
    assert_eq!(leaving["transcript"]["end"], "candidate_ended", "{leaving}");
    let rambling = ended(&web, &rambling).await;
    assert!(is_said(&rambling, "interviewer", "Let me stop you there"), "{rambling}");
    let mut german = form();
    german["blueprint"] = json!("mock-interview-de");
    german["questions"] = json!([]);
    let (status, opening) = web.post("/api/openings", &german).await;
    assert_eq!(status, StatusCode::CREATED, "{opening}");
    let id = run(&web, opening["id"].as_str().unwrap(), &json!({})).await;
    let german = ended(&web, &id).await;
    assert_eq!(german["transcript"]["end"], "completed", "{german}");
    assert!(is_said(&german, "candidate", "Ich höre Sie gut"), "{german}");
}

/// U03: a few go on at a time, and one more is refused in a sentence; a recruiter ends one, and there is a
/// place again. Nobody listens in or suggests anything: there is no call.
#[tokio::test(flavor = "multi_thread")]
async fn a_few_go_on_at_a_time() {
    let web = TestWeb::set_up(|data| settings(data, Pace::AsAsked));
    let opening = opened(&web).await;
    let path = format!("/api/openings/{opening}/simulate");
    let slowly = json!({"manner": "rambling", "speed": 1});
    let (status, problem) = web.post(&path, &json!({"speed": 21})).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(run(&web, &opening, &slowly).await);
    }
    let (status, problem) = web.post(&path, &slowly).await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS, "{problem}");
    assert!(problem["message"].as_str().unwrap().starts_with("3 interviews"), "{problem}");
    let of = format!("/api/interviews/{}", ids[0]);
    let is_live = async || view(&web, &ids[0]).await["interview"]["state"] == "in_progress";
    until("it goes on", is_live).await;
    for what in ["listen", "suggestion"] {
        let (status, said) =
            ask(&web, Method::POST, &format!("{of}/{what}"), &json!({"text": "Kafka"})).await;
        assert_eq!(status, StatusCode::CONFLICT, "{said}");
        assert!(said["message"].as_str().unwrap().contains("simulated"), "{said}");
    }
    let (status, _) = ask(&web, Method::POST, &format!("{of}/end"), &json!({})).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    assert_eq!(ended(&web, &ids[0]).await["transcript"]["end"], "operator");
    let has_place = async || web.post(&path, &slowly).await.0 == StatusCode::CREATED;
    until("there is a place again", has_place).await;
    let (_, list) = web.get("/api/interviews").await;
    for row in list["rows"].as_array().unwrap() {
        let path = format!("/api/interviews/{}/end", row["id"].as_str().unwrap());
        ask(&web, Method::POST, &path, &json!({})).await;
    }
}
