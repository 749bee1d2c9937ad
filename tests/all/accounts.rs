//! Signing in: accounts, sessions, keys, and what each may do.

use std::{
    net::{IpAddr, SocketAddr},
    time::Duration,
};

use axum::{
    body::Body,
    extract::ConnectInfo,
    http::{Method, Request, StatusCode, header, request::Builder},
};
use futures_util::future::join_all;
use serde_json::{Value, json};
use vivavoce::database::{Database, NewAccount, Role};
use vivavoce::web::{Config, Exposure, Front};

use crate::web::{ADDRESS, TestWeb, config, no_livekit};

pub(crate) const PASSWORD: &str = "correct horse battery";

/// A browser: it keeps its cookie and sends where its pages come from.
pub(crate) struct Browser<'a> {
    web: &'a TestWeb,
    pub(crate) cookie: Option<String>,
    /// The address that it connects from, where that is known, and headers that a server between adds.
    peer: Option<IpAddr>,
    added: Vec<(&'static str, &'static str)>,
}

impl<'a> Browser<'a> {
    pub(crate) fn new(web: &'a TestWeb) -> Self {
        Self { web, cookie: None, peer: None, added: Vec::new() }
    }

    /// One that connects from an address.
    fn from(web: &'a TestWeb, peer: &str) -> Self {
        Self { peer: Some(peer.parse().unwrap()), ..Self::new(web) }
    }

    /// One whose requests a server sends on with these headers.
    fn through(web: &'a TestWeb, added: &[(&'static str, &'static str)]) -> Self {
        Self { added: added.to_vec(), ..Self::from(web, "127.0.0.1") }
    }

    pub(crate) async fn ask(
        &mut self,
        method: Method,
        path: &str,
        body: &Value,
    ) -> (StatusCode, Value) {
        self.ask_from("same-origin", method, path, body).await
    }

    async fn ask_from(
        &mut self,
        site: &str,
        method: Method,
        path: &str,
        body: &Value,
    ) -> (StatusCode, Value) {
        let request = Request::builder().method(method).uri(path).header("sec-fetch-site", site);
        let request = request.header(header::CONTENT_TYPE, "application/json");
        let request = match &self.cookie {
            Some(cookie) => request.header(header::COOKIE, cookie),
            None => request,
        };
        let add = |request: Builder, added: &(&str, &str)| request.header(added.0, added.1);
        let request = self.added.iter().fold(request, add);
        let mut request = request.body(body.to_string().into()).unwrap();
        if let Some(peer) = self.peer {
            request.extensions_mut().insert(ConnectInfo(SocketAddr::new(peer, 4_711)));
        }
        let response = self.web.raw_as_it_is(request).await;
        if let Some(set) = response.headers().get(header::SET_COOKIE) {
            let set = set.to_str().unwrap();
            assert!(set.contains("HttpOnly; SameSite=Lax"), "{set}");
            let pair = set.split(';').next().unwrap();
            self.cookie = (!pair.ends_with('=')).then(|| pair.to_owned());
        }
        let status = response.status();
        let body = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
        (status, serde_json::from_slice(&body).unwrap_or(Value::Null))
    }

    pub(crate) async fn get(&mut self, path: &str) -> (StatusCode, Value) {
        self.ask(Method::GET, path, &Value::Null).await
    }

    pub(crate) async fn post(&mut self, path: &str, body: &Value) -> (StatusCode, Value) {
        self.ask(Method::POST, path, body).await
    }
}

pub(crate) fn fields(problem: &Value) -> Vec<&str> {
    problem["fields"]
        .as_array()
        .unwrap()
        .iter()
        .map(|field| field["field"].as_str().unwrap())
        .collect()
}

/// U01: the first who comes chooses a password and is signed in; then nobody else can; they sign out and
/// in again.
#[tokio::test]
async fn the_first_account_is_made_once() {
    let web = TestWeb::new();
    let mut ada = Browser::new(&web);
    let (_, session) = ada.get("/api/session").await;
    assert_eq!((&session["state"], &session["needs_code"]), (&json!("set_up"), &json!(false)));
    assert_eq!(ada.get("/api/interviews").await.0, StatusCode::UNAUTHORIZED);
    let (status, problem) =
        ada.post("/api/setup", &json!({"name": " ", "email": "ada", "password": "short"})).await;
    assert_eq!(
        (status, fields(&problem)),
        (StatusCode::UNPROCESSABLE_ENTITY, vec!["name", "email", "password"])
    );
    let form = json!({"name": "Ada", "email": "Ada@example.org", "password": PASSWORD});
    let (status, session) = ada.post("/api/setup", &form).await;
    assert_eq!((status, &session["state"]), (StatusCode::CREATED, &json!("signed_in")));
    assert_eq!(session["account"]["role"], "admin");
    assert_eq!(ada.get("/api/interviews").await.0, StatusCode::OK);
    assert_eq!(Browser::new(&web).post("/api/setup", &form).await.0, StatusCode::CONFLICT);

    let before = ada.cookie.clone();
    assert_eq!(
        ada.ask(Method::DELETE, "/api/session", &Value::Null).await.0,
        StatusCode::NO_CONTENT
    );
    assert_eq!(ada.cookie, None);
    ada.cookie = before;
    assert_eq!(
        ada.get("/api/interviews").await.0,
        StatusCode::UNAUTHORIZED,
        "the session has ended, too"
    );
    let wrong = json!({"email": "ada@example.org", "password": "incorrect horse"});
    let nobody = json!({"email": "bo@example.org", "password": PASSWORD});
    let (status, said) = ada.post("/api/session", &wrong).await;
    assert_eq!(
        (status, &said),
        (StatusCode::UNAUTHORIZED, &ada.post("/api/session", &nobody).await.1)
    );
    let right = json!({"email": " ADA@example.org", "password": PASSWORD});
    assert_eq!(ada.post("/api/session", &right).await.1["account"]["name"], "Ada");
    let trail = ada.get("/api/audit").await.1;
    let made = trail.as_array().unwrap().iter().find(|row| row["what"] == "made the first account");
    assert_eq!(made.unwrap()["who"], "Ada", "{trail}");
}

/// U01: where others could reach the server first, the first account needs the code that was printed.
#[tokio::test]
async fn the_first_account_may_need_a_code() {
    let web = TestWeb::set_up(|data| {
        let mut config = config(data, no_livekit(), Duration::from_secs(1));
        config.site.setup_code = Some("0123456789abcdef".into());
        config
    });
    let mut ada = Browser::new(&web);
    assert_eq!(ada.get("/api/session").await.1["needs_code"], true);
    let mut form = json!({"name": "Ada", "email": "ada@example.org", "password": PASSWORD});
    for code in ["", "0123456789abcdee"] {
        form["code"] = code.into();
        assert_eq!(fields(&ada.post("/api/setup", &form).await.1), ["code"], "{code}");
    }
    form["code"] = "0123456789abcdef".into();
    assert_eq!(ada.post("/api/setup", &form).await.0, StatusCode::CREATED);
}

/// A web app on this machine's loopback, behind a server at [`ADDRESS`].
fn behind(code: Option<&str>) -> TestWeb {
    TestWeb::set_up(|data| {
        let mut config = config(data, no_livekit(), Duration::from_secs(1));
        let url = ADDRESS.parse().unwrap();
        config.site.exposure = Exposure::Behind(Front { url, is_near: true });
        config.site.setup_code = code.map(str::to_owned);
        config
    })
}

/// U01: a server in front of ours may be on the same machine: through it nobody comes first without the code,
/// under whichever name it asks, and whether it says that it sends something on or not.
#[tokio::test]
async fn nobody_comes_first_through_a_proxy() {
    let mut form = json!({"name": "Mallory", "email": "m@example.org", "password": PASSWORD});
    let forwarded = ("x-forwarded-for", "203.0.113.9");
    let (near, public) = (("host", "127.0.0.1:8080"), ("host", "interviews.example.org"));
    for added in [vec![near], vec![public], vec![near, forwarded], vec![public, forwarded]] {
        let web = behind(None);
        let (status, said) = Browser::through(&web, &added).post("/api/setup", &form).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{added:?}: {said}");
    }
    let local = TestWeb::new();
    for name in ["forwarded", "x-forwarded-for", "x-forwarded-proto", "x-real-ip", "via"] {
        let added = [near, (name, "203.0.113.9")];
        let (status, _) = Browser::through(&local, &added).post("/api/setup", &form).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{name}");
    }
    let web = behind(Some("0123456789abcdef"));
    let mut ada = Browser::through(&web, &[public, forwarded]);
    assert_eq!(fields(&ada.post("/api/setup", &form).await.1), ["code"]);
    form["code"] = "0123456789abcdef".into();
    assert_eq!(ada.post("/api/setup", &form).await.0, StatusCode::CREATED);
    assert!(ada.cookie.unwrap().starts_with("__Host-"));
}

/// The name of [`ADDRESS`] is answered; another one reads nothing, and is told the right one.
#[tokio::test]
async fn a_proxy_may_pass_the_real_host() {
    let web = behind(None);
    let of = async |host: &'static str| {
        Browser::through(&web, &[("host", host)]).get("/api/session").await
    };
    assert_eq!(of("interviews.example.org").await.0, StatusCode::OK);
    assert_eq!(of("127.0.0.1:8080").await.0, StatusCode::OK);
    let (status, said) = of("evil.example").await;
    assert_eq!(status, StatusCode::MISDIRECTED_REQUEST);
    assert!(said["message"].as_str().unwrap().contains(ADDRESS), "{said}");
}

/// 6.1.1: one stranger who tries passwords without end, for one account or for many, keeps nobody else from
/// signing in, nor from that account.
#[tokio::test]
async fn one_stranger_keeps_nobody_out() {
    let web = TestWeb::set_up(|data| {
        let mut config = config(data, no_livekit(), Duration::from_secs(1));
        config.site.exposure = Exposure::Open;
        config.site.setup_code = Some("0123456789abcdef".into());
        config
    });
    let form = json!({"name": "Ada", "email": "ada@example.org", "password": PASSWORD,
        "code": "0123456789abcdef"});
    Browser::from(&web, "198.51.100.1").post("/api/setup", &form).await;
    let right = json!({"email": "ada@example.org", "password": PASSWORD});
    let mut seen = Vec::new();
    for n in 0..60 {
        let email =
            if n % 2 == 0 { "ada@example.org".to_owned() } else { format!("{n}@example.org") };
        let wrong = json!({"email": email, "password": "x"});
        // What the stranger says of themselves counts for nothing.
        let mut mallory = Browser::from(&web, "203.0.113.9");
        mallory.added = vec![("x-forwarded-for", "198.51.100.7")];
        let (status, said) = mallory.post("/api/session", &wrong).await;
        seen.push((status.as_u16(), said["message"].as_str().unwrap().to_owned()));
    }
    let (status, said) = &seen[59];
    assert!(*status == 429 && said.contains("from your network"), "{seen:?}");
    let (status, said) = Browser::from(&web, "198.51.100.1").post("/api/session", &right).await;
    assert_eq!(status, StatusCode::OK, "{said}");
}

/// U01: passwords cannot be tried without end, whoever tries them.
#[tokio::test]
async fn passwords_cannot_be_tried_without_end() {
    let web = TestWeb::new();
    let wrong = json!({"email": "ada@example.org", "password": "x"});
    let tries = async || Browser::new(&web).post("/api/session", &wrong).await.0.as_u16();
    // All at once: with time, more may be tried.
    let seen = join_all((0..10).map(|_| tries())).await;
    let count = |status| seen.iter().filter(|it| **it == status).count();
    let (refused, too_many) = (count(401), count(429));
    assert!(refused >= 5 && too_many > 0 && refused + too_many == 10, "{seen:?}");
    let other = json!({"email": "bo@example.org", "password": "x"});
    assert_eq!(
        Browser::new(&web).post("/api/session", &other).await.0,
        StatusCode::UNAUTHORIZED,
        "others may"
    );
}

/// U01: a colleague chooses a password with a link that works once; who is disabled is out at once.
#[tokio::test]
async fn a_colleague_is_added() {
    let web = TestWeb::new();
    let mut ada = Browser::new(&web);
    ada.post(
        "/api/setup",
        &json!({"name": "Ada", "email": "ada@example.org", "password": PASSWORD}),
    )
    .await;
    let form = json!({"name": "Bo", "email": "bo@example.org", "role": "viewer"});
    let (status, added) = ada.post("/api/accounts", &form).await;
    assert_eq!(status, StatusCode::CREATED, "{added}");
    assert_eq!(fields(&ada.post("/api/accounts", &form).await.1), ["email"], "it has one");
    let token = added["link"].as_str().unwrap().strip_prefix("/welcome#").unwrap();
    let mut bo = Browser::new(&web);
    let weak = json!({"token": token, "password": "bo"});
    assert_eq!(fields(&bo.post("/api/welcome", &weak).await.1), ["password"]);
    let chosen = json!({"token": token, "password": "another fine password"});
    assert_eq!(bo.post("/api/welcome", &chosen).await.1["state"], "signed_in");
    assert_eq!(bo.post("/api/welcome", &chosen).await.0, StatusCode::NOT_FOUND, "it works once");
    assert_eq!(bo.post("/api/openings", &json!({})).await.0, StatusCode::FORBIDDEN, "viewers read");

    let other = {
        let mut other = Browser::new(&web);
        other
            .post(
                "/api/session",
                &json!({"email": "bo@example.org", "password": "another fine password"}),
            )
            .await;
        other
    };
    let change = json!({"current": "another fine password", "new": "yet one more password"});
    assert_eq!(bo.post("/api/password", &change).await.0, StatusCode::OK);
    assert_eq!(bo.get("/api/interviews").await.0, StatusCode::OK);
    let mut other = other;
    assert_eq!(
        other.get("/api/interviews").await.0,
        StatusCode::UNAUTHORIZED,
        "other sessions end"
    );

    let id = added["account"]["id"].as_str().unwrap();
    let disable = json!({"disabled": true});
    let (_, changed) = ada.ask(Method::PATCH, &format!("/api/accounts/{id}"), &disable).await;
    assert_eq!(changed["disabled"], true);
    assert_eq!(bo.get("/api/interviews").await.0, StatusCode::UNAUTHORIZED);
    let (_, accounts) = ada.get("/api/accounts").await;
    let adas = accounts[0]["id"].as_str().unwrap();
    let (status, _) =
        ada.ask(Method::PATCH, &format!("/api/accounts/{adas}"), &json!({"role": "viewer"})).await;
    assert_eq!(status, StatusCode::CONFLICT, "nobody would be admin");
}

/// U01: a request that another site's page makes with somebody's cookie is not done.
#[tokio::test]
async fn another_sites_page_changes_nothing() {
    let web = TestWeb::new();
    let mut ada = Browser::new(&web);
    ada.post(
        "/api/setup",
        &json!({"name": "Ada", "email": "ada@example.org", "password": PASSWORD}),
    )
    .await;
    let form = json!({"name": "Bo", "email": "bo@example.org", "role": "admin"});
    for site in ["cross-site", "same-site"] {
        let (status, _) = ada.ask_from(site, Method::POST, "/api/accounts", &form).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{site}");
    }
    assert_eq!(ada.get("/api/accounts").await.1.as_array().unwrap().len(), 1);
}

/// U01, U09: a program uses a key, which its role limits and which can be taken away.
#[tokio::test]
async fn programs_have_keys() {
    let web = TestWeb::new();
    let mut ada = Browser::new(&web);
    ada.post(
        "/api/setup",
        &json!({"name": "Ada", "email": "ada@example.org", "password": PASSWORD}),
    )
    .await;
    let form = json!({"name": "ATS", "role": "recruiter"});
    let (_, made) = ada.post("/api/keys", &form).await;
    let (status, _) = web.post("/api/keys", &form).await;
    assert_eq!(status, StatusCode::FORBIDDEN, "not even an admin's key makes keys");
    let secret = made["secret"].as_str().unwrap().to_owned();
    let of = async |path: &str| {
        let request = Request::get(path).header(header::AUTHORIZATION, format!("Bearer {secret}"));
        web.raw_as_it_is(request.body(Body::empty()).unwrap()).await.status()
    };
    assert_eq!(of("/api/interviews").await, StatusCode::OK);
    assert_eq!(of("/api/accounts").await, StatusCode::FORBIDDEN);
    let id = made["key"]["id"].as_str().unwrap();
    let (status, _) = ada.ask(Method::DELETE, &format!("/api/keys/{id}"), &Value::Null).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    assert_eq!(of("/api/interviews").await, StatusCode::UNAUTHORIZED);
}

/// U01: every address of the API, asked by nobody, a viewer, a recruiter and an admin: who may not is
/// refused before anything is read or done.
#[tokio::test]
async fn every_route_asks_who_it_is() {
    let api: Value = serde_json::from_str(&vivavoce::web::openapi_json()).unwrap();
    let data = tempfile::tempdir().unwrap();
    let database = Database::new("", data.path());
    let new = |email: &str, role| NewAccount {
        email: email.into(),
        name: "A".into(),
        role,
        password: None,
    };
    let viewer = database.make_account(new("v@example.org", Role::Viewer)).await.unwrap().unwrap();
    let recruiter =
        database.make_account(new("r@example.org", Role::Recruiter)).await.unwrap().unwrap();
    let web = TestWeb::set_up(|_| Config {
        database: database.clone(),
        ..config(data.path(), no_livekit(), Duration::from_secs(1))
    });
    let mut sessions = vec![None];
    for account in [viewer, recruiter] {
        sessions
            .push(Some(format!("vivavoce={}", database.begin_session(&account.id).await.unwrap())));
    }
    let open = ["/api/session", "/api/setup", "/api/welcome", "/api/shared"];
    let admin = ["/api/accounts", "/api/keys", "/api/audit", "/api/webhooks"];
    let mut asked = 0;
    for (path, methods) in api["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            let changes = method != "get";
            let is_open = open.contains(&path.as_str())
                || path.starts_with("/api/candidate/")
                || path.starts_with("/api/oidc/");
            let is_admins = admin.iter().any(|of| path.starts_with(of));
            let expected = match (is_open, is_admins, changes, path.as_str()) {
                (true, ..) => [0, 0, 0],
                (_, true, ..) => [401, 403, 403],
                (_, _, _, "/api/password") | (_, _, false, _) => [401, 0, 0],
                (_, _, true, _) => [401, 403, 0],
            };
            let filled =
                path.replace("{id}", "none").replace("{token}", "none").replace("{name}", "none");
            let filled = filled.replace("{format}", "json").replace("{share}", "none");
            let filled = filled.replace("{delivery}", "none").replace("{number}", "none");
            for (cookie, expected) in sessions.iter().zip(expected) {
                // Events go on for ever, and whoever signs out cannot go on.
                let ends = filled == "/api/session" && method == "delete";
                if ends || filled == "/api/events" && expected == 0 {
                    continue;
                }
                let mut browser = Browser { cookie: cookie.clone(), ..Browser::new(&web) };
                let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
                let (status, answer) =
                    browser.ask(method.clone(), &filled, &json!({"email": filled})).await;
                let is_refused = matches!(status.as_u16(), 401 | 403);
                let is_sign_in = filled == "/api/session" && method == Method::POST;
                let as_expected =
                    if expected == 0 { !is_refused || is_sign_in } else { status == expected };
                assert!(
                    as_expected,
                    "{method} {filled} as {cookie:?}: {status} {answer}, not {expected}"
                );
                asked += 1;
            }
        }
    }
    assert!(asked > 60, "{asked}");
}
