//! Reports that are shared by a link: who reads what with it, and when it works no more.

use axum::{
    body::Body,
    http::{Method, Request, StatusCode, header},
};
use serde_json::{Value, json};
use vivavoce::interview::{Effect, End, Event};

use crate::{
    actions::person,
    web::{TestWeb, begun, entry, write_journal},
};

/// A web app with an interview that is over; the address of its links.
async fn over() -> (TestWeb, String) {
    let web = TestWeb::new();
    web.launch().await;
    let folder = web.folder();
    let end = entry(3, Event::Tick, vec![Effect::Hangup { end: End::Completed }]);
    write_journal(&folder, &(begun(&folder) + &end));
    let path = format!("/api/interviews/{}/shares", folder.id());
    (web, path)
}

/// Makes a link; its id and its token.
async fn share(web: &TestWeb, path: &str, form: Value) -> (String, String) {
    let (status, made) = web.post(path, &form).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    let token = made["link"].as_str().unwrap().strip_prefix("/s#").unwrap().to_owned();
    assert_eq!(token.len(), 64, "256 bits");
    (made["share"]["id"].as_str().unwrap().to_owned(), token)
}

/// As somebody without an account, whose browser sends nothing but the token.
async fn read(web: &TestWeb, token: &str) -> (StatusCode, Value) {
    let request = Request::post("/api/shared").header(header::CONTENT_TYPE, "application/json");
    let request = request.body(json!({"token": token}).to_string().into()).unwrap();
    let response = web.raw_as_it_is(request).await;
    let status = response.status();
    assert_eq!(response.headers()["x-robots-tag"], "noindex, nofollow");
    assert_eq!(response.headers()[header::CACHE_CONTROL], "no-store");
    let body = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
    (status, serde_json::from_slice(&body).unwrap())
}

/// U05: whoever has the link reads the report without an account, and nothing but it; that is counted.
#[tokio::test]
async fn a_link_shows_the_report_alone() {
    let (web, path) = over().await;
    let (id, token) = share(&web, &path, json!({"days": 7})).await;
    let (status, seen) = read(&web, &format!(" {token}\n")).await;
    assert_eq!(status, StatusCode::OK, "{seen}");
    assert_eq!((&seen["name"], &seen["report"]["state"]), (&json!("Ilse Varga"), &json!("ready")));
    assert_eq!((&seen["decision"], &seen["notes"]), (&Value::Null, &json!([])));
    assert!(seen.get("transcript").is_none() && seen["report"].get("transcript").is_none());
    read(&web, &token).await;
    let (_, listed) = web.get(&path).await;
    assert_eq!((&listed[0]["id"], &listed[0]["views"]), (&json!(id), &json!(2)), "{listed}");
    assert!(listed[0]["viewed_at"].is_i64() && !listed.to_string().contains(&token), "{listed}");
    let lifetime =
        listed[0]["expires_at"].as_i64().unwrap() - listed[0]["made_at"].as_i64().unwrap();
    assert_eq!(lifetime, 7 * 24 * 3_600_000);
    let (_, trail) = web.get("/api/audit").await;
    let of: Vec<_> =
        trail.as_array().unwrap().iter().map(|row| (&row["who"], &row["what"])).collect();
    let view = (&json!("a shared link"), &json!("read a report"));
    let who = &json!("tests");
    let [shared, launched] = ["shared a report", "launched an interview"].map(|it| json!(it));
    assert_eq!(of, [view, view, (who, &shared), (who, &launched)]);
    assert!(!web.database.dump().await.unwrap().contains(&token), "kept as a hash");
    // The token opens nothing else.
    for path in ["/api/interviews", &path, "/api/audit"] {
        let request = Request::get(path).header(header::AUTHORIZATION, format!("Bearer {token}"));
        let response = web.raw_as_it_is(request.body(Body::empty()).unwrap()).await;
        assert_eq!(response.status(), StatusCode::UNAUTHORIZED, "{path}");
    }
    let page = web.raw_as_it_is(Request::get("/s").body(Body::empty()).unwrap()).await;
    assert_eq!(page.headers()["x-robots-tag"], "noindex, nofollow", "the page, too");
}

/// U05: decision and notes are shown only where whoever shares it chose that.
#[tokio::test]
async fn decisions_are_shown_only_if_chosen() {
    let (web, path) = over().await;
    let interview = path.strip_suffix("/shares").unwrap();
    let cookie = person(&web).await;
    let request = Request::put(format!("{interview}/decision"))
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::COOKIE, &cookie)
        .header("sec-fetch-site", "same-origin");
    let form = json!({"verdict": "reject", "reason": "No payments so far."}).to_string();
    assert_eq!(web.ask(request.body(form.into()).unwrap()).await.0, StatusCode::OK);
    web.post(&format!("{interview}/notes"), &json!({"text": "Was ill that day."})).await;
    let (_, without) = share(&web, &path, json!({"days": 1})).await;
    let (_, with) = share(&web, &path, json!({"days": 30, "with_decision": true})).await;
    let text = read(&web, &without).await.1.to_string();
    assert!(!text.contains("so far") && !text.contains("ill that day"), "{text}");
    let (_, seen) = read(&web, &with).await;
    assert_eq!(seen["decision"]["current"]["reason"], "No payments so far.");
    assert_eq!(seen["notes"][0]["text"], "Was ill that day.");
}

/// U05: a link that was taken back, or whose time is over, says so in a sentence; any other is unknown.
#[tokio::test]
async fn a_link_ends() {
    let (web, path) = over().await;
    let (id, token) = share(&web, &path, json!({"days": 1})).await;
    let request = Request::delete(format!("{path}/{id}")).body(Body::empty()).unwrap();
    assert_eq!(web.raw(request).await.status(), StatusCode::NO_CONTENT);
    let request = Request::delete(format!("{path}/{id}")).body(Body::empty()).unwrap();
    assert_eq!(web.raw(request).await.status(), StatusCode::NOT_FOUND, "once");
    let (status, said) = read(&web, &token).await;
    assert_eq!(status, StatusCode::GONE);
    assert_eq!(said["message"], "This link was taken back: ask whoever sent it for a new one.");
    let interview = web.folder().id().to_string();
    let (_, late) = web.database.make_share(&interview, false, "Ada", -60_000).await.unwrap();
    let (status, said) = read(&web, &late).await;
    assert_eq!(status, StatusCode::GONE);
    let over = "The time of this link is over: ask whoever sent it for a new one.";
    assert_eq!(said["message"], over);
    for unknown in ["", "x", &"0".repeat(64)] {
        assert_eq!(read(&web, unknown).await.0, StatusCode::NOT_FOUND, "{unknown}");
    }
    let (_, token) = share(&web, &path, json!({"days": 1})).await;
    let request = Request::delete(path.strip_suffix("/shares").unwrap()).body(Body::empty());
    assert_eq!(web.raw(request.unwrap()).await.status(), StatusCode::OK);
    assert_eq!(read(&web, &token).await.0, StatusCode::NOT_FOUND, "the interview was removed");
}

/// U05: what is not over has no report to share; a link works for 1, 7 or 30 days; nobody reads it all day
/// long.
#[tokio::test]
async fn sharing_has_limits() {
    let web = TestWeb::new();
    web.launch().await;
    let early = format!("/api/interviews/{}/shares", web.folder().id());
    assert_eq!(web.post(&early, &json!({"days": 1})).await.0, StatusCode::CONFLICT);
    let (web, path) = over().await;
    for days in [0, 2, 365] {
        let (status, problem) = web.post(&path, &json!({"days": days})).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(problem["fields"][0]["field"], "days", "{problem}");
    }
    let (_, token) = share(&web, &path, json!({"days": 1})).await;
    let mut seen = Vec::new();
    while !seen.contains(&StatusCode::TOO_MANY_REQUESTS) {
        assert!(seen.len() < 1_000, "nobody is told to wait");
        seen.push(read(&web, &token).await.0);
    }
    assert!(
        seen.len() > 30 && seen[..30].iter().all(|status| *status == StatusCode::OK),
        "{seen:?}"
    );
    for _ in 0..19 {
        share(&web, &path, json!({"days": 1})).await;
    }
    assert_eq!(web.post(&path, &json!({"days": 1})).await.0, StatusCode::CONFLICT, "20 at a time");
    let foreign = Request::builder().method(Method::POST).uri("/api/shared");
    let foreign = foreign.header("sec-fetch-site", "cross-site");
    let foreign = foreign.header(header::CONTENT_TYPE, "application/json");
    let body = json!({"token": token}).to_string();
    let refused = web.raw_as_it_is(foreign.body(body.into()).unwrap()).await.status();
    assert_eq!(refused, StatusCode::FORBIDDEN, "another site's page");
}
