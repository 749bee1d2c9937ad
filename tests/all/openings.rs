//! Openings: from a template to invited candidates.

use std::time::Duration;

use axum::http::{Method, Request, StatusCode, header};
use serde_json::{Value, json};
use vivavoce::blueprint::OWN_QUESTIONS;
use vivavoce::store::FileStore;
use vivavoce::web::Config;

use crate::web::{TestWeb, config, launchable, no_livekit};

fn web() -> TestWeb {
    TestWeb::set_up(|data| Config {
        blueprints: ["mock-interview", "two-stage", "rubric-screen"].map(launchable).into(),
        ..config(data, no_livekit(), Duration::from_secs(1))
    })
}

pub(crate) fn form() -> Value {
    json!({
        "title": "Backend, payments", "role": "Backend \
            engineer", "level": "senior", "blueprint": "mock-interview",
        "questions": [
            {"text": "Why do you want to work with us?", "wording": "verbatim", "follow_ups": 0},
            {"text": "Which \"outage\" taught you most?", "wording": "guide", "follow_ups": 2},
        ],
        "criteria": [{"name": "Owns what they build", "about": "Their own \
            part.", "priority": "must", "weight": 5}],
        "knowledge": [{"question": "How large is the team?", "answer": "Eight people."}],
        "link_days": 14,
    })
}

async fn put(web: &TestWeb, path: &str, body: &Value) -> (StatusCode, Value) {
    let request = Request::builder()
        .method(Method::PUT)
        .uri(path)
        .header(header::CONTENT_TYPE, "application/json");
    web.ask(request.body(body.to_string().into()).unwrap()).await
}

fn fields(problem: &Value) -> Vec<&str> {
    problem["fields"]
        .as_array()
        .unwrap()
        .iter()
        .map(|field| field["field"].as_str().unwrap())
        .collect()
}

/// U02: an opening with own questions, rubric and answers; its candidates' interviews have all of it,
/// and stay as they are when the opening changes.
#[tokio::test]
async fn candidates_are_invited_to_an_opening() {
    let web = web();
    let (status, opening) = web.post("/api/openings", &form()).await;
    assert_eq!((status, &opening["version"]), (StatusCode::CREATED, &json!(1)), "{opening}");
    let id = opening["id"].as_str().unwrap();
    let titles: Vec<_> =
        opening["estimate"]["stages"].as_array().unwrap().iter().map(|s| &s["title"]).collect();
    assert_eq!(
        titles,
        ["Greeting", "Introduction", "Past experience", "Questions of the company", "Closing"]
    );
    let candidates = json!({"candidates": [
        {"name": "Ada Lovelace", "email": "ada@example.org", "resume": "Ten years of engines."},
        {"name": "Bo"},
    ]});
    let (status, invited) = web.post(&format!("/api/openings/{id}/candidates"), &candidates).await;
    assert_eq!(status, StatusCode::CREATED, "{invited}");
    let store = FileStore::open(web.data.path()).unwrap();
    let ada = store.folder(invited[0]["id"].as_str().unwrap().parse().unwrap()).unwrap();
    let inputs = ada.inputs().unwrap();
    assert_eq!(
        (inputs.context.candidate_name.as_str(), inputs.context.resume.as_str()),
        ("Ada Lovelace", "Ten years of engines.")
    );
    assert_eq!(inputs.context.knowledge[0].answer, "Eight people.");
    assert_eq!(inputs.context.knowledge[0].about, ["large"]);
    assert_eq!(
        (inputs.context.focus.criteria[0].name.as_str(), inputs.context.focus.criteria[0].weight),
        ("Owns what they build", 5)
    );
    assert!(inputs.interview().is_ok(), "a worker can make the interview of it");
    let own = inputs.files.iter().find(|(name, _)| *name == format!("{OWN_QUESTIONS}.md")).unwrap();
    assert!(own.1.contains("Why do you want to work with us?"));
    let link = invited[0]["link"].as_str().unwrap().strip_prefix("/i/").unwrap().to_owned();
    let (_, seen) = web.get(&format!("/api/candidate/{link}")).await;
    assert_eq!(
        (&seen["name"], &seen["stages"][3]["title"]),
        (&json!("Ada Lovelace"), &json!("Questions of the company"))
    );

    let mut changed = form();
    changed["questions"] = json!([]);
    let change = json!({"version": 1, "form": changed});
    assert_eq!(put(&web, &format!("/api/openings/{id}"), &change).await.1["version"], 2);
    assert_eq!(put(&web, &format!("/api/openings/{id}"), &change).await.0, StatusCode::CONFLICT);
    assert_eq!(ada.inputs().unwrap(), inputs, "as it was launched");

    let (_, listed) = web.get(&format!("/api/interviews?opening={id}&sort=name")).await;
    let names: Vec<_> = listed["rows"].as_array().unwrap().iter().map(|row| &row["name"]).collect();
    assert_eq!(names, ["Ada Lovelace", "Bo"]);
    assert_eq!(listed["rows"][0]["opening_title"], "Backend, payments");
    assert_eq!(listed["counts"], json!({"invited": 2}));
    assert_eq!(web.get("/api/interviews?search=LOVE").await.1["total"], 1);
    assert_eq!(web.get("/api/interviews?max=1").await.1["next"], "1");
    let (_, openings) = web.get("/api/openings").await;
    assert_eq!((&openings[0]["invited"], &openings[0]["to_decide"]), (&json!(2), &json!(0)));

    let (_, preview) = web.post(&format!("/api/openings/{id}/preview"), &json!({})).await;
    assert!(preview["link"].as_str().unwrap().starts_with("/i/"), "{preview}");
    assert_eq!(web.get("/api/interviews").await.1["total"], 2, "it is in no list");
    web.post(&format!("/api/openings/{id}/state"), &json!({"state": "closed"})).await;
    let (status, _) = web.post(&format!("/api/openings/{id}/candidates"), &candidates).await;
    assert_eq!(status, StatusCode::CONFLICT, "closed");
}

/// U02: everything that is wrong is told beside its field, and nothing is made.
#[tokio::test]
async fn an_opening_is_checked_field_by_field() {
    let web = web();
    let with = |path: &str, value: Value| {
        let mut form = form();
        *form.pointer_mut(path).unwrap_or(&mut Value::Null) = value.clone();
        if let Some(key) = path.strip_prefix('/').filter(|key| !key.contains('/')) {
            form[key] = value;
        }
        form
    };
    for (form, field) in [
        (with("/title", json!(" ")), "title"),
        (with("/level", json!("god")), "level"),
        (with("/blueprint", json!("none")), "blueprint"),
        (with("/questions/0/text", json!("Tell me about it.")), "questions.0.text"),
        (with("/questions/1/text", json!("{{ secret }}?")), "questions.1.text"),
        (with("/questions/1/follow_ups", json!(4)), "questions.1.follow_ups"),
        (with("/questions", json!(vec![json!({"text": "Why?"}); 11])), "questions"),
        (with("/criteria/0/weight", json!(0)), "criteria.0.weight"),
        (with("/knowledge/0/answer", json!("")), "knowledge.0.answer"),
        (with("/knowledge/0/question", json!("Who is it?")), "knowledge.0.question"),
        (with("/link_days", json!(0)), "link_days"),
        (with("/linkdays", json!(3)), "linkdays"),
        (with("/recording", json!(true)), "recording"),
        (with("/length_min", json!(500)), "length_min"),
        (with("/job_description", json!("y".repeat(20_001))), "job_description"),
    ] {
        let (status, problem) = web.post("/api/openings", &form).await;
        assert_eq!(
            (status, fields(&problem)),
            (StatusCode::UNPROCESSABLE_ENTITY, vec![field]),
            "{problem}"
        );
    }
    let mut twice = form();
    twice["criteria"] = json!([{"name": "A", "weight": 1}, {"name": "A ", "weight": 1}]);
    assert_eq!(fields(&web.post("/api/openings", &twice).await.1), ["criteria.1.name"]);
    assert_eq!(web.get("/api/openings").await.1, json!([]));
}

/// U02: a plan that does not fit its time is refused with how to mend it; the estimate says so before.
#[tokio::test]
async fn an_over_booked_opening_is_refused() {
    let web = web();
    let mut form = form();
    form["questions"] = json!(vec![json!({"text": "Why is that?"}); 10]);
    form["length_min"] = json!(5);
    let (_, estimate) = web.post("/api/openings/estimate", &form).await;
    let said = estimate["over_booked"].as_str().unwrap();
    assert!(
        said.contains("it may take 5") && said.contains("take some of your questions out"),
        "{said}"
    );
    let (status, problem) = web.post("/api/openings", &form).await;
    assert_eq!((status, fields(&problem)), (StatusCode::UNPROCESSABLE_ENTITY, vec!["length_min"]));
    form["length_min"] = json!(30);
    let (_, estimate) = web.post("/api/openings/estimate", &form).await;
    assert_eq!(
        (&estimate["over_booked"], &estimate["length_limit_min"]),
        (&Value::Null, &json!(30))
    );
    assert!(estimate["minutes_from"].as_u64() < estimate["minutes_to"].as_u64(), "{estimate}");
}

/// U02: every template that is offered is an opening as it stands, but for its title and role.
#[tokio::test]
async fn every_template_can_be_used() {
    let web = web();
    let (_, templates) = web.get("/api/templates").await;
    let names: Vec<_> =
        templates.as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["screening", "behavioural", "technical", "language-check"]);
    for template in templates.as_array().unwrap() {
        let mut form = template["form"].clone();
        (form["title"], form["role"]) = (json!("T"), json!("R"));
        let (status, answer) = web.post("/api/openings", &form).await;
        assert_eq!(status, StatusCode::CREATED, "{answer}");
    }
}

/// U02: of a list with a mistake nobody is invited, and the mistake is told by its line.
#[tokio::test]
async fn a_list_with_a_mistake_invites_nobody() {
    let web = web();
    let (_, opening) = web.post("/api/openings", &form()).await;
    let id = opening["id"].as_str().unwrap();
    let pasted = json!({"text": "Ada <ada@example.org>\nBo <bo@>"});
    let (_, read) = web.post("/api/candidates/read", &pasted).await;
    let read = &read["candidates"];
    assert_eq!((&read[0]["email"], &read[0]["problem"]), (&json!("ada@example.org"), &Value::Null));
    assert!(read[1]["problem"].as_str().unwrap().contains("no host after the @"), "{read}");
    let (status, problem) = web
        .post(&format!("/api/openings/{id}/candidates"), &json!({"candidates": read_back(read)}))
        .await;
    assert_eq!(
        (status, fields(&problem)),
        (StatusCode::UNPROCESSABLE_ENTITY, vec!["candidates.1.email"])
    );
    assert_eq!(web.get("/api/interviews").await.1["total"], 0);
    let none =
        web.post(&format!("/api/openings/{id}/candidates"), &json!({"candidates": []})).await;
    assert_eq!(none.0, StatusCode::UNPROCESSABLE_ENTITY);
}

fn read_back(read: &Value) -> Vec<Value> {
    let candidate = |one: &Value| json!({"name": one["name"], "email": one["email"]});
    read.as_array().unwrap().iter().map(candidate).collect()
}

/// A question about age, family, health and the like is refused with the reason why, at a field of its own;
/// who has to ask it says why, and that is kept in the audit trail.
#[tokio::test]
async fn a_forbidden_subject_needs_a_reason() {
    let web = web();
    let mut form = form();
    for question in ["How old are you?", "Haben Sie Kinder?", "Qual è il suo stato di salute?"] {
        form["questions"][1]["text"] = json!(question);
        let (status, problem) = web.post("/api/openings", &form).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{question}");
        assert_eq!(fields(&problem), ["questions.1.reason"], "{problem}");
        assert!(problem["message"].as_str().unwrap().contains("discrimination"), "{problem}");
    }
    let reason = "The law asks pilots for a certificate.";
    form["questions"][1]["reason"] = json!(reason);
    let (status, opening) = web.post("/api/openings", &form).await;
    assert_eq!(status, StatusCode::CREATED, "{opening}");
    let (_, trail) = web.get("/api/audit").await;
    let kept: Vec<_> = trail
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["what"] == "kept a question with a reason")
        .collect();
    assert_eq!(kept.len(), 1, "{trail}");
    assert_eq!(kept[0]["detail"], format!("health: {reason}"));
    assert_eq!(kept[0]["object"], opening["id"]);
}

/// No template, and no blueprint that comes with it, asks what an own question may not.
#[tokio::test]
async fn templates_ask_nothing_forbidden() {
    let web = web();
    let (_, templates) = web.get("/api/templates").await;
    let templates = templates.as_array().unwrap();
    assert!(templates.len() >= 3, "{templates:?}");
    for template in templates {
        let mut form = template["form"].clone();
        form["role"] = json!("Engineer");
        form["title"] = json!("Engineer");
        form["blueprint"] = json!("mock-interview");
        let (status, made) = web.post("/api/openings", &form).await;
        assert_eq!(status, StatusCode::CREATED, "{made}");
    }
}
