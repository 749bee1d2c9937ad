//! Who did what: what the audit trail has of requests, who has to show again who they are, and receipts.

use axum::http::{Method, StatusCode};
use axum::{body::Body, http::Request};
use serde_json::{Value, json};
use vivavoce::database::Role;
use vivavoce::interview::{Effect, End, Event};

use crate::accounts::{Browser, PASSWORD, fields};
use crate::web::{TestWeb, begun, entry, write_journal};

/// Somebody signed in who may all.
async fn ada(web: &TestWeb) -> Browser<'_> {
    let mut ada = Browser::new(web);
    let form = json!({"name": "Ada", "email": "ada@example.org", "password": PASSWORD});
    assert_eq!(ada.post("/api/setup", &form).await.0, StatusCode::CREATED);
    ada
}

/// Somebody else with this role, signed in; their id.
async fn colleague<'a>(
    ada: &mut Browser<'a>,
    web: &'a TestWeb,
    role: &str,
) -> (Browser<'a>, String) {
    let form = json!({"name": "Bo", "email": "bo@example.org", "role": role});
    let (_, added) = ada.post("/api/accounts", &form).await;
    let token = added["link"].as_str().unwrap().strip_prefix("/welcome#").unwrap();
    let mut bo = Browser::new(web);
    let chosen = json!({"token": token, "password": "another fine password"});
    assert_eq!(bo.post("/api/welcome", &chosen).await.0, StatusCode::OK);
    (bo, added["account"]["id"].as_str().unwrap().to_owned())
}

/// The trail, the oldest first: what was done, by whom, and to what.
async fn trail(ada: &mut Browser<'_>, asked: &str) -> Vec<Value> {
    let (status, rows) = ada.get(&format!("/api/audit{asked}")).await;
    assert_eq!(status, StatusCode::OK, "{rows}");
    rows.as_array().unwrap().iter().rev().cloned().collect()
}

fn deeds(rows: &[Value]) -> Vec<&str> {
    rows.iter().map(|row| row["deed"].as_str().unwrap()).collect()
}

/// The clock of all sessions goes on: so long ago they have shown who they are.
async fn later(web: &TestWeb, ms: i64) {
    let url = format!("sqlite://{}", web.data.path().join("vivavoce.db").display());
    let pool = sqlx::AnyPool::connect(&url).await.unwrap();
    let query = sqlx::query("UPDATE sessions SET confirmed_at = confirmed_at - $1").bind(ms);
    assert!(query.execute(&pool).await.unwrap().rows_affected() > 0);
    pool.close().await;
}

/// 16.3.1 to 16.3.3: who comes in, who does not, who goes and who is refused; never what they typed.
#[tokio::test]
async fn the_trail_has_who_comes_and_who_is_refused() {
    let web = TestWeb::new();
    let mut ada = ada(&web).await;
    let (mut bo, id) = colleague(&mut ada, &web, "viewer").await;
    let typed = "ada@example.org hunter2";
    for email in ["bo@example.org", "bo@example.org", typed, "x@example.org"] {
        let wrong = json!({"email": email, "password": "hunter2hunter2"});
        assert_eq!(
            Browser::new(&web).post("/api/session", &wrong).await.0,
            StatusCode::UNAUTHORIZED
        );
    }
    for _ in 0..2 {
        assert_eq!(bo.post("/api/openings", &json!({})).await.0, StatusCode::FORBIDDEN);
    }
    let path = format!("/api/interviews/{}", "a".repeat(32));
    assert_eq!(bo.ask(Method::DELETE, &path, &Value::Null).await.0, StatusCode::FORBIDDEN);
    bo.ask(Method::DELETE, "/api/session", &Value::Null).await;
    let rows = trail(&mut ada, "").await;
    let expected = [
        "made_first_account",
        "signed_in",
        "added_account",
        "chose_password",
        "signed_in",
        "failed_sign_in",
        "failed_sign_in",
        "refused",
        "refused",
        "signed_out",
    ];
    assert_eq!(deeds(&rows), expected, "{rows:?}");
    let text = json!(rows).to_string();
    assert!(!text.contains("hunter2") && !text.contains("x@example.org"), "{text}");
    let failed: Vec<_> = rows.iter().filter(|row| row["deed"] == "failed_sign_in").collect();
    assert_eq!((&failed[0]["object"], &failed[1]["object"]), (&json!(id), &json!("")));
    assert_eq!(failed[0]["actor"], json!({"kind": "system", "id": ""}));
    let refused: Vec<_> = rows.iter().filter(|row| row["deed"] == "refused").collect();
    assert_eq!(refused[0]["detail"], "POST /api/openings", "once, though refused twice");
    assert_eq!(refused[1]["detail"], "DELETE /api/interviews/{id}");
    assert_eq!(refused[1]["object"], "a".repeat(32));
    assert_eq!(refused[0]["actor"], json!({"kind": "person", "id": id}));
}

/// A key that is called as a person is told from the person; their rows are found by who they are, by deed,
/// by day.
#[tokio::test]
async fn the_trail_tells_a_key_from_a_person() {
    let web = TestWeb::new();
    let mut ada = ada(&web).await;
    let (key, secret) = web.database.make_key("Ada", Role::Admin).await.unwrap();
    let opening = json!({
        "title": "Backend", "role": "Backend engineer", "level": "senior",
        "blueprint": "mock-interview", "link_days": 14,
    });
    let request = Request::post("/api/openings")
        .header("authorization", format!("Bearer {secret}"))
        .header("content-type", "application/json");
    let made = web.raw_as_it_is(request.body(Body::from(opening.to_string())).unwrap()).await;
    assert_eq!(made.status(), StatusCode::CREATED);
    let rows = trail(&mut ada, "?deed=made_opening").await;
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert_eq!(
        (&rows[0]["who"], &rows[0]["actor"]),
        (&json!("Ada"), &json!({"kind": "key", "id": key.id}))
    );
    assert_eq!(rows[0]["about"], json!({"kind": "opening", "name": "Backend"}), "by name");
    let theirs = trail(&mut ada, &format!("?actor=key:{}", key.id)).await;
    assert_eq!(deeds(&theirs), ["made_opening"]);
    let (_, choices) = ada.get("/api/audit/choices").await;
    let actors: Vec<_> =
        choices["actors"].as_array().unwrap().iter().map(|it| &it["kind"]).collect();
    assert_eq!(actors, ["person", "key"], "{choices}");
    let by_person = choices["actors"][0]["actor"].as_str().unwrap();
    let hers = trail(&mut ada, &format!("?actor={by_person}")).await;
    assert_eq!(deeds(&hers), ["made_first_account", "signed_in"]);
    assert_eq!(hers[0]["about"], json!({"kind": "account", "name": "Ada"}));
    let at = rows[0]["at"].as_i64().unwrap();
    let day = trail(&mut ada, &format!("?from={at}&before={}", at + 1)).await;
    assert_eq!(deeds(&day), ["made_opening"]);
    assert_eq!(ada.get("/api/audit?deed=danced").await.0, StatusCode::BAD_REQUEST);
    let number = rows[0]["number"].as_i64().unwrap();
    let below = trail(&mut ada, &format!("?below={number}")).await;
    assert!(below.iter().all(|row| row["number"].as_i64().unwrap() < number), "{below:?}");
}

/// Launches, notes, what is read of a person (once an hour for each who reads), exports, what the candidate
/// says, and its end: all are in the trail, none with a candidate's name or words.
#[tokio::test]
async fn the_trail_has_what_is_done_about_a_person() {
    let web = TestWeb::new();
    let mut ada = ada(&web).await;
    let token = web.launch().await;
    let folder = web.folder();
    let ended = entry(3, Event::Tick, vec![Effect::Hangup { end: End::Completed }]);
    write_journal(&folder, &(begun(&folder) + &ended));
    std::fs::write(folder.path().join("recording.ogg"), b"sound").unwrap();
    let path = format!("/api/interviews/{}", folder.id());
    for _ in 0..2 {
        for of in ["", "/report", "/recording"] {
            assert_eq!(ada.get(&format!("{path}{of}")).await.0, StatusCode::OK, "{of}");
        }
    }
    for of in ["/export/csv", "/export/json"] {
        assert_eq!(ada.get(&format!("{path}{of}")).await.0, StatusCode::OK, "{of}");
    }
    let note = json!({"text": "Strong on Kafka."});
    assert_eq!(ada.post(&format!("{path}/notes"), &note).await.0, StatusCode::CREATED);
    let decision = json!({"verdict": "reject", "reason": "No Rust."});
    let (status, _) = ada.ask(Method::PUT, &format!("{path}/decision"), &decision).await;
    assert_eq!(status, StatusCode::OK);
    let mut candidate = Browser::new(&web);
    for _ in 0..2 {
        for (of, body) in [
            ("feedback", json!({"stars": 4, "text": "Kind."})),
            ("deletion", json!({})),
            ("review", json!({})),
        ] {
            let (status, said) =
                candidate.post(&format!("/api/candidate/{token}/{of}"), &body).await;
            assert_eq!(status, StatusCode::CREATED, "{said}");
        }
    }
    let id = folder.id().to_string();
    let all = trail(&mut ada, "").await;
    let rows: Vec<_> = all.into_iter().filter(|row| row["object"] == id.as_str()).collect();
    let expected = "launched read_interview read_report heard_recording exported exported wrote_note decided \
                    gave_feedback asked_deletion asked_review";
    assert_eq!(deeds(&rows).join(" "), expected, "{rows:?}");
    assert_eq!(rows[0]["about"], json!({"kind": "interview", "name": "Ilse Varga"}));
    assert_eq!(rows[9]["actor"], json!({"kind": "candidate", "id": id}));
    assert_eq!(rows[9]["who"], "the candidate");
    let dump = web.database.dump().await.unwrap();
    let kept: Vec<_> = dump.lines().filter(|line| line.contains("\"table\":\"audit\"")).collect();
    assert!(kept.len() > 10, "{dump}");
    for word in ["Ilse", "Kafka", "No Rust", "Kind."] {
        assert!(!kept.iter().any(|line| line.contains(word)), "{word}: {kept:?}");
    }
    // The receipt says when the candidate asked, and is found again.
    let (status, receipt) = ada.ask(Method::DELETE, &path, &Value::Null).await;
    assert_eq!(status, StatusCode::OK, "{receipt}");
    let asked = rows[9]["at"].as_i64().unwrap();
    let asked_at = receipt["asked_at"].as_i64().unwrap();
    assert!(asked_at <= asked && receipt["removed_at"].as_i64().unwrap() > asked, "{receipt}");
    assert_eq!((&receipt["by_candidate"], &receipt["removed_by"]), (&json!(true), &json!("Ada")));
    assert_eq!(ada.get("/api/receipts").await.1, json!([receipt]));
    let gone = trail(&mut ada, "?deed=removed_interview").await;
    assert_eq!(
        (&gone[0]["object"], &gone[0]["about"]),
        (&json!(id), &Value::Null),
        "the id is left"
    );
}

/// The trail says that it is whole, and up to which row; a row that was changed behind its back is found. The
/// file has what the page has, in the words of the buttons.
#[tokio::test]
async fn the_trail_is_checked_and_exported() {
    let web = TestWeb::new();
    let mut ada = ada(&web).await;
    web.launch().await;
    let folder = web.folder();
    let ended = entry(3, Event::Tick, vec![Effect::Hangup { end: End::Completed }]);
    write_journal(&folder, &(begun(&folder) + &ended));
    let decision = json!({"verdict": "reject", "reason": "=cmd"});
    ada.ask(Method::PUT, &format!("/api/interviews/{}/decision", folder.id()), &decision).await;
    let (_, chain) = ada.get("/api/audit/chain").await;
    let last = chain["last"].as_i64().unwrap();
    assert!(last >= 4, "{chain}");
    assert_eq!((&chain["first"], &chain["fault"]), (&json!(1), &Value::Null));
    assert_eq!(chain["intact_up_to"], last);
    let request = Request::get("/api/audit/export").header("cookie", ada.cookie.clone().unwrap());
    let response = web.raw_as_it_is(request.body(Body::empty()).unwrap()).await;
    assert_eq!(response.headers()["content-type"], "text/csv; charset=utf-8");
    let bytes = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(
        lines.len() as i64,
        1 + last + 1,
        "the head, the rows, and that of the export: {text}"
    );
    assert!(lines[1].contains("exported the audit trail"), "{text}");
    let decided = lines.iter().find(|line| line.contains(",decided,")).unwrap();
    assert!(decided.contains("Ilse Varga") && decided.contains("Not now"), "{decided}");
    let url = format!("sqlite://{}", web.data.path().join("vivavoce.db").display());
    let pool = sqlx::AnyPool::connect(&url).await.unwrap();
    sqlx::query("UPDATE audit SET who = 'Bo' WHERE number = 2").execute(&pool).await.unwrap();
    pool.close().await;
    let (_, chain) = ada.get("/api/audit/chain").await;
    assert_eq!(
        (&chain["intact_up_to"], &chain["fault"]),
        (&json!(1), &json!("changed")),
        "{chain}"
    );
}

/// 7.2.4: whoever signs in again in the same browser has one session, not two.
#[tokio::test]
async fn a_new_sign_in_ends_the_old_session() {
    let web = TestWeb::new();
    let mut ada = ada(&web).await;
    let right = json!({"email": "ada@example.org", "password": PASSWORD});
    let mut other = Browser::new(&web);
    assert_eq!(other.post("/api/session", &right).await.0, StatusCode::OK);
    let mut stolen = Browser::new(&web);
    stolen.cookie.clone_from(&ada.cookie);
    assert_eq!(stolen.get("/api/interviews").await.0, StatusCode::OK);
    assert_eq!(ada.post("/api/session", &right).await.0, StatusCode::OK);
    assert_ne!(ada.cookie, stolen.cookie);
    assert_eq!(stolen.get("/api/interviews").await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(ada.get("/api/interviews").await.0, StatusCode::OK);
    assert_eq!(other.get("/api/interviews").await.0, StatusCode::OK, "another browser goes on");
}

/// 7.5.1: five minutes after the password was typed it is asked for again before anybody is given access;
/// taking access away waits for nothing, and neither does the rest.
#[tokio::test]
async fn giving_access_asks_for_the_password_again() {
    let web = TestWeb::new();
    let mut ada = ada(&web).await;
    let (_, id) = colleague(&mut ada, &web, "recruiter").await;
    let (key, _) = web.database.make_key("ATS", Role::Viewer).await.unwrap();
    let (account, link) = (format!("/api/accounts/{id}"), format!("/api/accounts/{id}/link"));
    let new = json!({"name": "Cy", "email": "cy@example.org", "role": "admin"});
    let new_key = json!({"name": "x", "role": "admin"});
    later(&web, 5 * 60_000 + 1).await;
    for (method, path, body) in [
        (Method::POST, "/api/accounts", &new),
        (Method::PATCH, account.as_str(), &json!({"role": "admin"})),
        (Method::POST, link.as_str(), &Value::Null),
        (Method::POST, "/api/keys", &new_key),
    ] {
        let (status, said) = ada.ask(method, path, body).await;
        assert_eq!(status, StatusCode::PRECONDITION_REQUIRED, "{path}: {said}");
        assert!(said["message"].as_str().unwrap().contains("password"), "{said}");
    }
    assert_eq!(ada.get("/api/accounts").await.1.as_array().unwrap().len(), 2, "nobody was added");
    assert_eq!(ada.get("/api/accounts").await.1[1]["role"], "recruiter");
    for less in [json!({"role": "viewer"}), json!({"disabled": true})] {
        assert_eq!(ada.ask(Method::PATCH, &account, &less).await.0, StatusCode::OK, "{less}");
    }
    let enable = json!({"disabled": false});
    let (status, _) = ada.ask(Method::PATCH, &account, &enable).await;
    assert_eq!(status, StatusCode::PRECONDITION_REQUIRED, "that gives access again");
    let gone = ada.ask(Method::DELETE, &format!("/api/keys/{}", key.id), &Value::Null).await.0;
    assert_eq!(gone, StatusCode::NO_CONTENT);
    let (status, said) = ada.post("/api/confirm", &json!({"password": "not the right one"})).await;
    assert_eq!((status, fields(&said)), (StatusCode::UNPROCESSABLE_ENTITY, vec!["password"]));
    assert_eq!(ada.post("/api/keys", &new_key).await.0, StatusCode::PRECONDITION_REQUIRED);
    let right = json!({"password": PASSWORD});
    assert_eq!(ada.post("/api/confirm", &right).await.0, StatusCode::NO_CONTENT);
    assert_eq!(ada.post("/api/keys", &new_key).await.0, StatusCode::CREATED);
    assert_eq!(ada.post("/api/accounts", &new).await.0, StatusCode::CREATED);
    let rows = trail(&mut ada, "?deed=confirmed_password").await;
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert_eq!(web.post("/api/confirm", &right).await.0, StatusCode::FORBIDDEN, "a key has none");
}
