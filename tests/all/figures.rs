//! What lists, reports and files say of an interview in figures and in words, over the API (#41).

use axum::{
    body::Body,
    http::{Request, StatusCode, header},
};
use serde_json::{Value, json};
use vivavoce::{
    blueprint::{Criterion, Need},
    interview::{Effect, End, Event},
    journal::{self, Header, Inputs},
    store::{FileStore, InterviewId, JournalStore},
};

use crate::{
    actions::person,
    web::{TestWeb, entry, write_journal},
};

const ROOM: &str = "crates/interview/tests/journals/room-two-stage/inputs.json";

fn inputs() -> Inputs {
    let mut inputs: Inputs = serde_json::from_str(&std::fs::read_to_string(ROOM).unwrap()).unwrap();
    inputs.context.focus.criteria = vec![Criterion {
        name: "Payments".to_owned(),
        about: String::new(),
        priority: Need::Must,
        weight: 3,
    }];
    inputs
}

/// An interview that somebody came to and that ended so; `None`: it stopped without an end.
async fn held(web: &TestWeb, end: Option<End>) -> InterviewId {
    let (id, inputs) = (InterviewId::random(), inputs());
    let store = FileStore::open(web.data.path()).unwrap();
    store.create(id, &inputs, None).await.unwrap();
    let hangup = end.map(|end| Effect::Hangup { end }).into_iter().collect();
    let journal = journal::line(&Header::new(&id.to_string(), 1_795_282_807_216, &inputs))
        + &entry(1, Event::CandidateJoined, Vec::new())
        + &entry(2, Event::Tick, hangup);
    write_journal(&store.folder(id).unwrap(), &journal);
    id
}

async fn row(web: &TestWeb, id: &str) -> Value {
    let (_, listed) = web.get("/api/interviews").await;
    let rows = listed["rows"].as_array().unwrap();
    rows.iter().find(|row| row["id"] == id).unwrap_or_else(|| panic!("no {id} in {listed}")).clone()
}

/// U04: every end is told apart, in the list, the report and its files; "completed" is said of one alone.
#[tokio::test]
async fn only_what_was_completed_is_called_so() {
    let web = TestWeb::new();
    for (end, name, words) in [
        (Some(End::Completed), "completed", "completed"),
        (Some(End::CandidateEnded), "candidate_ended", "ended by the candidate"),
        (Some(End::Operator), "operator", "ended by the operator"),
        (Some(End::OutOfTime), "out_of_time", "out of time"),
        (Some(End::CandidateLeft), "candidate_left", "the candidate left"),
        (Some(End::Technical), "technical", "stopped by a fault"),
        (None, "interrupted", "interrupted by a fault"),
    ] {
        let id = held(&web, end).await;
        assert_eq!(row(&web, &id.to_string()).await["outcome"], name);
        let (_, report) = web.get(&format!("/api/interviews/{id}/report")).await;
        assert_eq!(report["header"]["outcome"], name, "{report}");
        let export = async |format: &str| {
            let address = format!("/api/interviews/{id}/export/{format}");
            let response = web.raw(Request::get(address).body(Body::empty()).unwrap()).await;
            let body = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
            String::from_utf8(body.to_vec()).unwrap()
        };
        let (csv, markdown) = (export("csv").await, export("md").await);
        assert!(csv.contains(&format!(",{name},Payments,")), "{csv}");
        assert!(markdown.contains(&format!("\nEnd: {words}\n")), "{markdown}");
    }
    let waiting = web.launch().await;
    let (_, listed) = web.get("/api/interviews?state=invited").await;
    assert_eq!(listed["rows"][0]["outcome"], Value::Null, "{waiting} is not over");
}

/// U04: one's own try is a trial: nobody has to decide about it, nobody may, and its page after the end
/// knows the way to its report. A candidate's page knows none.
#[tokio::test]
async fn ones_own_try_is_a_trial() {
    let web = TestWeb::new();
    let launch = async |terms: Value| {
        let form = json!({
            "name": "Me", "role": "Backend engineer", "level": "mid", "blueprint": "mock-interview",
            "terms": terms,
        });
        let (status, launched) = web.post("/api/interviews", &form).await;
        assert_eq!(status, StatusCode::CREATED, "{launched}");
        let path = launched["link"].as_str().unwrap().replace("/i/", "/api/candidate/");
        (launched["id"].as_str().unwrap().to_owned(), path)
    };
    let cookie = person(&web).await;
    for (is_trial, terms) in [(true, json!({"practice": true, "trial": true})), (false, json!({}))]
    {
        let (id, path) = launch(terms).await;
        let expected = if is_trial { json!(id) } else { Value::Null };
        assert_eq!(web.get(&path).await.1["trial"], expected);
        let store = FileStore::open(web.data.path()).unwrap();
        let folder = store.folder(id.parse().unwrap()).unwrap();
        let journal = journal::line(&Header::new(&id, 7, &folder.inputs().unwrap()))
            + &entry(1, Event::CandidateJoined, Vec::new())
            + &entry(2, Event::Tick, vec![Effect::Hangup { end: End::Completed }]);
        write_journal(&folder, &journal);
        web.get(&format!("/api/interviews/{id}")).await;
        assert_eq!(row(&web, &id).await["trial"], is_trial, "it is in the list, and marked");
        let (_, undecided) = web.get("/api/interviews?needs=decision").await;
        assert_eq!(undecided["total"], u32::from(!is_trial), "{undecided}");
        let request = Request::put(format!("/api/interviews/{id}/decision"))
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::COOKIE, &cookie)
            .header("sec-fetch-site", "same-origin");
        let verdict = json!({"verdict": "advance", "reason": ""}).to_string();
        let (status, _) = web.ask(request.body(verdict.into()).unwrap()).await;
        let expected = if is_trial { StatusCode::CONFLICT } else { StatusCode::OK };
        assert_eq!(status, expected);
    }
}

/// U04: people give levels where no model has; the weighted mean and the files have them, and who gave them.
/// A program gives none, and a level is taken back.
#[tokio::test]
async fn people_give_levels() {
    let web = TestWeb::new();
    let id = held(&web, Some(End::Completed)).await;
    let of = format!("/api/interviews/{id}");
    let give = async |cookie: Option<&str>, form: Value| {
        let request = Request::put(format!("{of}/levels"))
            .header(header::CONTENT_TYPE, "application/json")
            .header("sec-fetch-site", "same-origin");
        let request = match cookie {
            Some(cookie) => request.header(header::COOKIE, cookie),
            None => request,
        };
        web.ask(request.body(form.to_string().into()).unwrap()).await
    };
    let four = json!({"criterion": "Payments", "level": 4});
    assert_eq!(give(None, four.clone()).await.0, StatusCode::FORBIDDEN, "a key");
    let cookie = person(&web).await;
    let person = Some(cookie.as_str());
    for (field, form) in [
        ("level", json!({"criterion": "Payments", "level": 6})),
        ("criterion", json!({"criterion": "Charm", "level": 3})),
    ] {
        let (status, problem) = give(person, form).await;
        let expected = (StatusCode::UNPROCESSABLE_ENTITY, &json!(field));
        assert_eq!((status, &problem["fields"][0]["field"]), expected);
    }
    let (status, report) = give(person, four).await;
    assert_eq!(status, StatusCode::OK, "{report}");
    let criterion = &report["criteria"][0];
    assert_eq!((&criterion["level"], &criterion["verdict"]), (&json!(4), &json!("met")));
    assert_eq!(report["overall"]["weighted"], 4.0);
    assert_eq!(report["overall"]["judged_by"], "People gave the levels.");
    assert_eq!(web.get(&format!("{of}/report")).await.1["criteria"], report["criteria"]);
    let (status, report) = give(person, json!({"criterion": "Payments"})).await;
    assert_eq!((status, &report["criteria"][0]["level"]), (StatusCode::OK, &Value::Null));
    let (_, audit) = web.get("/api/audit").await;
    assert!(audit.to_string().contains("gave a level"), "{audit}");
}

/// U04: all that is asked is told before, in its order: the blueprint's questions, and one's own in between.
#[tokio::test]
async fn all_that_is_asked_is_told() {
    let web = TestWeb::new();
    let form = crate::openings::form();
    let (status, estimate) = web.post("/api/openings/estimate", &form).await;
    assert_eq!(status, StatusCode::OK, "{estimate}");
    let parts = estimate["asked"].as_array().unwrap();
    let own: Vec<_> = parts.iter().filter(|part| part["own"] == true).collect();
    assert_eq!(own.len(), 1, "{estimate}");
    assert_eq!(own[0]["questions"][0], "Why do you want to work with us?");
    let told = estimate["asked"].to_string();
    assert!(told.contains("Which project are you proud of?"), "{told}");
    assert!(
        !told.contains("{{") && !told.contains("What interests you in this position?"),
        "{told}"
    );
    assert!(parts.last().unwrap()["own"] == false, "the closing comes last: {estimate}");
}
