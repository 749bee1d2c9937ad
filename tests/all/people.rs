//! What people may ask, decide and know: forbidden questions and steps, languages that nobody hears here,
//! links that work no more, and the API's own description.

use axum::{
    body::Body,
    http::{Method, Request, StatusCode, header},
};
use serde_json::{Value, json};
use std::time::Duration;
use vivavoce::{
    blueprint::Language,
    interview::{Effect, End, Event},
    providers::languages::KnownLanguages,
    web::SpeechLanguages,
};

use crate::{
    actions::person,
    openings,
    web::{TestWeb, begun, config, entry, launchable, no_livekit, write_journal},
};

async fn ask(web: &TestWeb, method: Method, path: &str, body: &Value) -> (StatusCode, Value) {
    let request = Request::builder().method(method).uri(path);
    let request = request.header(header::CONTENT_TYPE, "application/json");
    web.ask(request.body(body.to_string().into()).unwrap()).await
}

fn end(web: &TestWeb) {
    let folder = web.folder();
    let ended = entry(3, Event::Tick, vec![Effect::Hangup { end: End::Completed }]);
    write_journal(&folder, &(begun(&folder) + &ended));
}

/// A web app with these blueprints whose speech knows English alone.
fn english_alone(blueprints: &[&str]) -> TestWeb {
    TestWeb::set_up(|data| {
        let mut config = config(data, no_livekit(), Duration::from_secs(3600));
        config.blueprints = blueprints.iter().map(|name| launchable(name)).collect();
        let english = vec![Language::English];
        let known = KnownLanguages { heard: english.clone(), spoken: english };
        config.site.services.languages = SpeechLanguages::new(move |_| Some(known.clone()));
        config
    })
}

/// GDPR 22: nobody is rejected before their interview was held, by invitation or while it goes on; other
/// decisions are taken, and a rejection once it is over.
#[tokio::test]
async fn nobody_is_rejected_unheard() {
    let web = TestWeb::new();
    web.launch().await;
    let (folder, cookie) = (web.folder(), person(&web).await);
    let decide = async |verdict: &str| {
        let request = Request::put(format!("/api/interviews/{}/decision", folder.id()))
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::COOKIE, &cookie)
            .header("sec-fetch-site", "same-origin");
        let form = json!({"verdict": verdict, "reason": "No payments so far."});
        web.ask(request.body(form.to_string().into()).unwrap()).await
    };
    let (status, said) = decide("reject").await;
    assert_eq!(status, StatusCode::CONFLICT, "nobody came yet: {said}");
    assert!(said["message"].as_str().unwrap().contains("before the interview was held"), "{said}");
    assert_eq!(decide("hold").await.0, StatusCode::OK);
    let lease = web.lease().await;
    write_journal(&folder, &begun(&folder));
    assert_eq!(decide("reject").await.0, StatusCode::CONFLICT, "it goes on");
    drop(lease);
    end(&web);
    assert_eq!(decide("reject").await.0, StatusCode::OK);
}

/// What may not be asked is refused on each way by which a question comes in, in three languages; what
/// only sounds like it is not.
#[tokio::test]
async fn forbidden_questions_are_refused_on_every_way() {
    let web = TestWeb::set_up(|data| {
        let mut config = config(data, no_livekit(), Duration::from_secs(3600));
        let blueprints = ["mock-interview", "knowledge-transfer", "discovery"];
        config.blueprints = blueprints.map(launchable).into();
        config
    });
    let topic = |asked: &str, signal: &str| {
        let (goals, signals) = ([asked], [signal]);
        json!([{
            "key": "a", "title": "A", "sub_goals": goals, "probes": [], "cues": [], "signals": signals,
        }])
    };
    let launch = async |blueprint: &str, field: &str, given: Value| {
        let mut form = json!({"name": "Ilse Varga", "role": "Analyst", "level": "senior"});
        form["blueprint"] = json!(blueprint);
        form[field] = given;
        ask(&web, Method::POST, "/api/interviews", &form).await
    };
    let fine = "How do you handle pregnant pauses?";
    for asked in ["Are you planning to have kids soon?", "Sind Sie schwanger?", "È incinta?"] {
        let question = |text: &str| json!([{"text": text, "priority": "P0"}]);
        let (status, said) = launch("knowledge-transfer", "questions", question(asked)).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{said}");
        assert!(said["message"].as_str().unwrap().contains("discrimination"), "{said}");
        let (status, said) = launch("knowledge-transfer", "questions", question(fine)).await;
        assert_eq!(status, StatusCode::CREATED, "{said}");
        let (status, said) = launch("discovery", "topics", topic(asked, "growth")).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{said}");
    }
    let (status, said) = launch("discovery", "topics", topic(fine, "growth")).await;
    assert_eq!(status, StatusCode::CREATED, "{said}");
    let (status, _) = launch("discovery", "topics", topic(fine, "find out her age")).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "a signal");
    let (status, _) =
        launch("discovery", "guide", json!("Money first.\nAsk whether she has children.")).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "a guide");

    let mut form = openings::form();
    form["questions"][0]["text"] = json!("What is the age of the codebase?");
    assert_eq!(ask(&web, Method::POST, "/api/openings", &form).await.0, StatusCode::CREATED);
    form["questions"][0]["text"] = json!("What is your current age?");
    assert_eq!(
        ask(&web, Method::POST, "/api/openings", &form).await.0,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    form["questions"][0]["text"] = json!("What went wrong last?");
    form["criteria"][0]["about"] = json!("Whether she is pregnant.");
    let (status, said) = ask(&web, Method::POST, "/api/openings", &form).await;
    assert_eq!(
        (status, &said["fields"][0]["field"]),
        (StatusCode::UNPROCESSABLE_ENTITY, &json!("criteria.0.about"))
    );
}

/// A suggestion while an interview goes on is a question, too; one about the work reaches for the room.
#[tokio::test]
async fn a_forbidden_suggestion_is_refused() {
    let web = TestWeb::set_up(|data| {
        let mut config = config(data, no_livekit(), Duration::from_secs(3600));
        config.site.real.model = true;
        config
    });
    web.launch().await;
    let (folder, _lease) = (web.folder(), web.lease().await);
    write_journal(&folder, &begun(&folder));
    let path = format!("/api/interviews/{}/suggestion", folder.id());
    for (text, expected) in [
        ("Ask about her family plans", StatusCode::UNPROCESSABLE_ENTITY),
        ("Frag, ob sie schwanger ist", StatusCode::UNPROCESSABLE_ENTITY),
        ("Ask about the age of the codebase", StatusCode::BAD_GATEWAY),
    ] {
        let (status, said) = ask(&web, Method::POST, &path, &json!({"text": text})).await;
        assert_eq!(status, expected, "{text}: {said}");
    }
}

/// A language that neither ear nor voice knows is marked in the list with what is missing, and refused
/// where an interview is launched or somebody is invited, unless the candidate is to type.
#[tokio::test]
async fn a_language_that_nobody_hears_is_refused() {
    let web = english_alone(&["mock-interview", "mock-interview-de"]);
    let (_, all) = web.get("/api/blueprints").await;
    let missing = "The voice and the recogniser that are set speak English only.";
    assert_eq!((&all[0]["missing"], &all[1]["missing"]), (&Value::Null, &json!(missing)), "{all}");
    let mut form = json!({"name": "Ilse Varga", "role": "Analyst", "level": "senior",
        "blueprint": "mock-interview-de"});
    let (status, said) = ask(&web, Method::POST, "/api/interviews", &form).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{said}");
    assert_eq!(said["fields"][0]["field"], "blueprint");
    assert!(said["message"].as_str().unwrap().starts_with(missing), "{said}");
    form["terms"] = json!({"accommodations": {"pauses": "usual", "captions": true, "types": true}});
    assert_eq!(ask(&web, Method::POST, "/api/interviews", &form).await.0, StatusCode::CREATED);

    let mut opening = openings::form();
    opening["blueprint"] = json!("mock-interview-de");
    let (status, made) = ask(&web, Method::POST, "/api/openings", &opening).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    let path = format!("/api/openings/{}/candidates", made["id"].as_str().unwrap());
    let types = json!({"pauses": "usual", "captions": true, "types": true});
    let both = json!({"candidates": [{"name": "Ada", "accommodations": types}, {"name": "Bo"}]});
    let (status, said) = ask(&web, Method::POST, &path, &both).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "all of them or none: {said}");
    let typed = json!({"candidates": [{"name": "Ada", "email": "ada@example.org", "accommodations": types}]});
    let (status, invited) = ask(&web, Method::POST, &path, &typed).await;
    assert_eq!((status, &invited[0]["email"]), (StatusCode::CREATED, &json!("ada@example.org")));
    assert_eq!(web.get("/api/interviews").await.1["total"], 2);
}

/// C03, C04: whoever has a link that works no more is told why: a newer one was made, or the interview
/// was deleted, as they asked and when. Of their link its hash alone is kept, and the time on the receipt
/// is theirs.
#[tokio::test]
async fn an_old_link_says_what_became_of_it() {
    let web = TestWeb::new();
    let first = web.launch().await;
    let id = web.folder().id().to_string();
    let link = format!("/api/interviews/{id}/link");
    let (_, made) = ask(&web, Method::POST, &link, &json!({})).await;
    let second = made["link"].as_str().unwrap().strip_prefix("/i/").unwrap().to_owned();
    let says = async |token: &str| {
        let (status, said) = web.get(&format!("/api/candidate/{token}")).await;
        (status, said["message"].as_str().unwrap_or_default().to_owned())
    };
    let (status, said) = says(&first).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert!(said.starts_with("A newer link was made for you"), "{said}");
    let stranger = format!("{}{}", &first[..32], "0".repeat(64));
    assert!(says(&stranger).await.1.starts_with("This link does not work."));
    assert_eq!(says(&second).await.0, StatusCode::OK);

    end(&web);
    web.post(&format!("/api/candidate/{second}/deletion"), &json!({})).await;
    let wished = web.database.candidate_words(&id).await.unwrap().pop().unwrap().at;
    let path = format!("/api/interviews/{id}");
    let (status, receipt) = ask(&web, Method::DELETE, &path, &json!({})).await;
    assert_eq!((status, &receipt["by_candidate"]), (StatusCode::OK, &json!(true)), "{receipt}");
    assert_eq!(receipt["asked_at"], wished, "the candidate's press counts");
    for token in [&first, &second] {
        let (status, said) = says(token).await;
        assert_eq!(status, StatusCode::GONE, "{said}");
        assert!(said.starts_with("Your interview was deleted on 20"), "{said}");
        assert!(said.ends_with(", as you asked."), "{said}");
    }
    assert!(says(&stranger).await.1.starts_with("This link does not work."));
    let dump = web.database.dump().await.unwrap();
    assert!(!dump.contains(&second[32..]) && !dump.contains("Ilse"), "{dump}");

    let web = TestWeb::new();
    let token = web.launch().await;
    let path = format!("/api/interviews/{}", web.folder().id());
    ask(&web, Method::DELETE, &path, &json!({})).await;
    let (_, said) = web.get(&format!("/api/candidate/{token}")).await;
    let said = said["message"].as_str().unwrap();
    assert!(said.contains("deleted on") && !said.contains("as you asked"), "{said}");
}

/// C03: what a candidate has put right stands beside the quote in the report, and in each file that it is
/// exported to.
#[tokio::test]
async fn corrections_stand_beside_the_quote() {
    let web = TestWeb::new();
    let token = web.launch().await;
    let id = web.folder().id();
    end(&web);
    let better = json!({"turn": 0, "text": "I file patents."});
    let said = web.post(&format!("/api/candidate/{token}/corrections"), &better).await;
    assert_eq!(said.0, StatusCode::CREATED, "{}", said.1);
    web.get(&format!("/api/interviews/{id}/report")).await;
    for format in ["json", "csv", "md", "vtt"] {
        let path = format!("/api/interviews/{id}/export/{format}");
        let response = web.raw(Request::get(path).body(Body::empty()).unwrap()).await;
        assert_eq!(response.status(), StatusCode::OK, "{format}");
        let body = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
        let text = String::from_utf8_lossy(&body).into_owned();
        assert!(text.contains("I file patents."), "{format}: {text}");
    }
}

/// U09: the API's description is served to whoever may use it, as a document and to read, with examples.
#[tokio::test]
async fn the_api_describes_itself() {
    let web = TestWeb::new();
    for path in ["/api/docs", "/api/openapi.json"] {
        let request = Request::get(path).body(Body::empty()).unwrap();
        assert_eq!(web.raw_as_it_is(request).await.status(), StatusCode::UNAUTHORIZED, "{path}");
    }
    let (status, document) = web.get("/api/openapi.json").await;
    assert_eq!((status, document["info"]["title"].as_str()), (StatusCode::OK, Some("Vivavoce")));
    let response = web.raw(Request::get("/api/docs").body(Body::empty()).unwrap()).await;
    let kind = response.headers()[header::CONTENT_TYPE].to_str().unwrap().to_owned();
    assert!(kind.starts_with("text/plain"), "{kind}");
    let body = axum::body::to_bytes(response.into_body(), 1 << 22).await.unwrap();
    let text = String::from_utf8(body.to_vec()).unwrap();
    assert!(text.contains("curl -H") && text.contains("urllib.request"), "{}", &text[..500]);
}
