//! Webhooks: messages to a real server over a socket, signed, tried again, and never sent where they must
//! not.

use std::{
    collections::VecDeque,
    net::SocketAddr,
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Router,
    body::Body,
    http::{HeaderMap, Method, Request, StatusCode, header},
    response::IntoResponse,
};
use serde_json::{Value, json};
use tokio::{
    net::TcpListener,
    process::Command,
    task::JoinHandle,
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;
use vivavoce::{
    database::{DeliveryState, Try},
    interview::{Effect, End, Event},
    web::{Config, Outside, Web},
};

use crate::{
    actions::person,
    web::{ADDRESS, TestWeb, begun, config, entry, no_livekit, write_journal},
};

/// A busy machine takes a while; the first try again comes after five seconds.
const LIMIT: Duration = Duration::from_secs(120);

/// A server that is told of things.
pub(crate) struct Receiver {
    pub(crate) at: SocketAddr,
    seen: Arc<Mutex<Vec<Seen>>>,
    server: JoinHandle<()>,
}

/// A request that it got.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Seen {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

impl Receiver {
    /// One that answers with these statuses, and then with 204.
    pub(crate) async fn new(answers: &[u16]) -> Self {
        let answers: VecDeque<u16> = answers.iter().copied().collect();
        let (seen, answers) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(answers)));
        let kept = seen.clone();
        let answer = async move |request: Request<Body>| {
            let (parts, body) = request.into_parts();
            let body = axum::body::to_bytes(body, 1 << 20).await.unwrap();
            kept.lock().unwrap().push(Seen {
                method: parts.method,
                path: parts.uri.to_string(),
                headers: parts.headers,
                body: String::from_utf8(body.to_vec()).unwrap(),
            });
            let status = answers.lock().unwrap().pop_front().unwrap_or(204);
            let status = StatusCode::from_u16(status).unwrap();
            (status, [(header::LOCATION, "/elsewhere")], "x\0".repeat(600)).into_response()
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = listener.local_addr().unwrap();
        let router = Router::new().fallback(answer);
        let server = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { at, seen, server }
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// The events that it was told of so far.
    fn events(&self) -> Vec<String> {
        let name = |seen: &Seen| seen.json()["type"].as_str().unwrap().to_owned();
        self.seen().iter().map(name).collect()
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.server.abort();
    }
}

/// The web app of a data folder as a process runs it, with all that goes on beside requests.
pub(crate) struct Served {
    pub(crate) at: SocketAddr,
    stop: CancellationToken,
    serving: JoinHandle<std::io::Result<()>>,
}

impl Served {
    pub(crate) async fn new(config: Config) -> Self {
        let (web, stop) = (Web::bind(config).await.unwrap(), CancellationToken::new());
        Self { at: web.address(), serving: tokio::spawn(web.serve(stop.clone())), stop }
    }

    pub(crate) async fn stop(self) {
        self.stop.cancel();
        self.serving.await.unwrap().unwrap();
    }
}

/// Settings with which messages may go to this machine, or not.
pub(crate) fn to_private(data: &Path, to_private: bool) -> Config {
    let mut config = config(data, no_livekit(), Duration::from_secs(3600));
    let address = ADDRESS.to_owned();
    config.site.outside = Outside { address, to_private, partner_key: "their-key".into() };
    config
}

/// Waits until something is so.
pub(crate) async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let waiting = async {
        while !is_so().await {
            sleep(Duration::from_millis(20)).await;
        }
    };
    assert!(timeout(LIMIT, waiting).await.is_ok(), "it took too long until {what}");
}

/// Adds a webhook; its id and its secret.
async fn add(web: &TestWeb, url: &str, events: &[&str]) -> (String, String) {
    let form = json!({"url": url, "events": events});
    let (status, made) = web.post("/api/webhooks", &form).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (text(&made["webhook"]["id"]), text(&made["secret"]))
}

async fn log(web: &TestWeb, webhook: &str) -> Value {
    let (status, log) = web.get(&format!("/api/webhooks/{webhook}/deliveries")).await;
    assert_eq!(status, StatusCode::OK, "{log}");
    log
}

async fn ask(web: &TestWeb, method: Method, path: &str, body: Value) -> (StatusCode, Value) {
    let request = Request::builder().method(method).uri(path);
    let request = request.header(header::CONTENT_TYPE, "application/json");
    web.ask(request.body(body.to_string().into()).unwrap()).await
}

/// The Python of `docs/api.md` that has these words in it; it stands in the page's head.
pub(crate) fn python_of_the_page(words: &str) -> &'static str {
    let page = include_str!("../../src/web/api_doc/head.md");
    let code = page.split("```python\n").find(|part| part.contains(words)).unwrap();
    code.split("```").next().unwrap()
}

/// What the Python in `docs/api.md` says of a message.
async fn is_ours(secret: &str, seen: &Seen, body: &str) -> bool {
    let code = python_of_the_page("def is_ours");
    let names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
    let headers: Value = names.iter().map(|name| (*name, seen.header(name))).collect();
    let code = format!(
        "{code}\nimport json, sys\nsecret, headers, body = json.load(sys.stdin)\n\
         print(is_ours(secret, headers, body.encode()))"
    );
    let mut python = Command::new("python3");
    python.args(["-c", &code]).stdin(std::process::Stdio::piped());
    let mut python = python.stdout(std::process::Stdio::piped()).spawn().unwrap();
    let asked = json!([secret, headers, body]).to_string();
    let mut input = python.stdin.take().unwrap();
    tokio::io::AsyncWriteExt::write_all(&mut input, asked.as_bytes()).await.unwrap();
    drop(input);
    let said = python.wait_with_output().await.unwrap();
    match String::from_utf8(said.stdout).unwrap().trim() {
        "True" => true,
        "False" => false,
        other => panic!("it says {other:?}"),
    }
}

/// U09: a message is signed, is tried again after an answer that says no, also by the next process, and has
/// the same id each time; the log shows both tries; "send again" sends it once more.
#[tokio::test]
async fn a_message_is_signed_and_sent_until_it_is_taken() {
    let web = TestWeb::set_up(|data| to_private(data, true));
    let receiver = Receiver::new(&[500]).await;
    let url = format!("http://{}/hooks?of=1", receiver.at);
    let (id, secret) = add(&web, &url, &["interview.invited"]).await;
    assert!(secret.starts_with("whsec_"), "{secret}");
    web.launch().await;
    assert_eq!(log(&web, &id).await[0]["state"], "waiting", "kept before anybody sends it");
    let first = Served::new(to_private(web.data.path(), true)).await;
    until("the first try is logged", async || {
        !log(&web, &id).await[0]["tries"].as_array().unwrap().is_empty()
    })
    .await;
    first.stop().await;
    let second = Served::new(to_private(web.data.path(), true)).await;
    until("it is taken", async || log(&web, &id).await[0]["state"] == "delivered").await;
    let seen = receiver.seen();
    assert_eq!(seen.len(), 2, "{seen:?}");
    assert_eq!(seen[0].header("webhook-id"), seen[1].header("webhook-id"));
    assert_eq!(seen[0].body, seen[1].body);
    for seen in &seen {
        assert_eq!((&seen.method, seen.path.as_str()), (&Method::POST, "/hooks?of=1"));
        assert_eq!(seen.header("content-type"), "application/json");
        assert!(is_ours(&secret, seen, &seen.body).await, "{seen:?}");
        assert!(!is_ours(&secret, seen, &seen.body.replace("invited", "x")).await, "another body");
        assert!(!is_ours("whsec_AAAA", seen, &seen.body).await, "another secret");
    }
    let body = seen[0].json();
    let interview = web.folder().id().to_string();
    assert_eq!(
        (&body["type"], &body["data"]["state"]),
        (&json!("interview.invited"), &json!("invited"))
    );
    assert_eq!(body["data"]["url"], format!("{ADDRESS}/interviews/{interview}"));
    assert!(!seen[0].body.contains("Ilse"), "it names nobody: {}", seen[0].body);
    let entry = log(&web, &id).await[0].clone();
    let statuses: Vec<_> =
        entry["tries"].as_array().unwrap().iter().map(|one| &one["status"]).collect();
    assert_eq!(statuses, [&json!(500), &json!(204)]);
    let answer = entry["tries"][0]["answer"].as_str().unwrap();
    assert_eq!(answer, "x".repeat(250), "500 bytes, and no character that a database refuses");
    let again = format!("/api/webhooks/{id}/deliveries/{}/again", entry["id"].as_str().unwrap());
    assert_eq!(web.post(&again, &json!({})).await.0, StatusCode::NO_CONTENT);
    until("it is sent again", async || receiver.seen().len() == 3).await;
    assert_eq!(receiver.seen()[2].header("webhook-id"), seen[0].header("webhook-id"));
    let none = format!("/api/webhooks/{id}/deliveries/none/again");
    assert_eq!(web.post(&none, &json!({})).await.0, StatusCode::NOT_FOUND);
    second.stop().await;
    let trail = web.get("/api/audit").await.1.to_string();
    assert!(trail.contains("added a webhook") && trail.contains("sent a message again"), "{trail}");
    assert!(!web.get("/api/webhooks").await.1.to_string().contains("whsec_"), "shown once");
}

/// U09: what happens is told without anybody looking at a page: begin, end, report, decision, each once.
#[tokio::test]
async fn what_happens_is_told() {
    let web = TestWeb::set_up(|data| to_private(data, true));
    let receiver = Receiver::new(&[]).await;
    let wanted = ["interview.started", "interview.finished", "report.ready", "decision.made"];
    add(&web, &format!("http://{}/", receiver.at), &wanted).await;
    let served = Served::new(to_private(web.data.path(), true)).await;
    web.launch().await;
    let (folder, lease) = (web.folder(), web.lease().await);
    write_journal(&folder, &begun(&folder));
    until("its begin is told", async || receiver.events() == ["interview.started"]).await;
    let end = entry(3, Event::Tick, vec![Effect::Hangup { end: End::Completed }]);
    write_journal(&folder, &(begun(&folder) + &end));
    drop(lease);
    until("its end is told", async || receiver.seen().len() == 3).await;
    let mut events = receiver.events();
    events.sort();
    assert_eq!(events, ["interview.finished", "interview.started", "report.ready"]);
    let cookie = person(&web).await;
    let decide = Request::put(format!("/api/interviews/{}/decision", folder.id()))
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::COOKIE, &cookie)
        .header("sec-fetch-site", "same-origin");
    let form = json!({"verdict": "reject", "reason": "No payments so far."});
    let (status, _) = web.ask(decide.body(form.to_string().into()).unwrap()).await;
    assert_eq!(status, StatusCode::OK);
    until("the decision is told", async || receiver.seen().len() == 4).await;
    let told = receiver.seen().pop().unwrap();
    assert_eq!(told.json()["data"]["decision"], "reject");
    for told in receiver.seen() {
        let body = &told.body;
        assert!(
            !body.contains("Ilse") && !body.contains("payments") && !body.contains("Ada"),
            "{body}"
        );
    }
    served.stop().await;
}

/// U09: addresses of this machine and of private networks are refused, when they are typed and when they are
/// sent to, and a redirect leads nowhere.
#[tokio::test]
async fn nothing_is_sent_where_it_must_not() {
    let web = TestWeb::set_up(|data| to_private(data, false));
    let receiver = Receiver::new(&[302; 9]).await;
    let port = receiver.at.port();
    for inner in [
        format!("http://127.0.0.1:{port}/"),
        format!("http://localhost:{port}/"),
        format!("http://[::ffff:127.0.0.1]:{port}/"),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        "ftp://example.org/".to_owned(),
    ] {
        let form = json!({"url": inner, "events": ["interview.invited"]});
        let (status, problem) = web.post("/api/webhooks", &form).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{inner}");
        assert_eq!(problem["fields"][0]["field"], "url", "{problem}");
    }
    // As they are after the setting was on, or after a name has come to lead elsewhere.
    let mut hooks = Vec::new();
    for url in [format!("http://127.0.0.1:{port}/"), format!("http://localhost:{port}/")] {
        let hook =
            web.database.make_webhook(&url, "interview.invited", "whsec_AAAA").await.unwrap();
        hooks.push(hook.id);
    }
    web.launch().await;
    let served = Served::new(to_private(web.data.path(), false)).await;
    for (hook, state) in hooks.iter().zip(["failed", "waiting"]) {
        until("it was tried", async || log(&web, hook).await[0]["tries"][0].is_object()).await;
        let entry = log(&web, hook).await[0].clone();
        assert_eq!((&entry["state"], &entry["tries"][0]["status"]), (&json!(state), &Value::Null));
        let why = entry["tries"][0]["answer"].as_str().unwrap();
        assert!(why.contains("private network"), "{why}");
    }
    served.stop().await;
    assert!(receiver.seen().is_empty(), "{:?}", receiver.seen());

    let served = Served::new(to_private(web.data.path(), true)).await;
    until("the redirect is logged", async || {
        let entry = log(&web, &hooks[1]).await[0].clone();
        entry["tries"].as_array().unwrap().iter().any(|one| one["status"] == 302)
    })
    .await;
    served.stop().await;
    let entry = log(&web, &hooks[1]).await[0].clone();
    assert_eq!(entry["state"], "waiting", "a redirect is no yes");
    assert!(receiver.seen().iter().all(|seen| seen.path == "/"), "{:?}", receiver.seen());
}

/// U09: a webhook that is disabled is told nothing; a test is sent whatever it wants; with it goes its log.
#[tokio::test]
async fn a_webhook_is_managed() {
    let web = TestWeb::set_up(|data| to_private(data, true));
    let receiver = Receiver::new(&[]).await;
    let url = format!("http://{}/", receiver.at);
    for (form, field) in [
        (json!({"url": url, "events": []}), "events"),
        (json!({"url": " ", "events": ["report.ready"]}), "url"),
    ] {
        let (status, problem) = web.post("/api/webhooks", &form).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(problem["fields"][0]["field"], field, "{problem}");
    }
    let (status, _) = web.post("/api/webhooks", &json!({"url": url, "events": ["x"]})).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "no such event");
    let (id, _) = add(&web, &url, &["report.ready", "interview.invited"]).await;
    let path = format!("/api/webhooks/{id}");
    let (_, changed) = ask(&web, Method::PATCH, &path, json!({"disabled": true})).await;
    assert_eq!(changed["disabled"], true);
    assert_eq!(changed["events"], json!(["interview.invited", "report.ready"]));
    web.launch().await;
    assert_eq!(log(&web, &id).await, json!([]));
    let test = format!("{path}/test");
    assert_eq!(web.post(&test, &json!({})).await.0, StatusCode::CONFLICT);
    ask(&web, Method::PATCH, &path, json!({"disabled": false, "events": ["decision.made"]})).await;
    assert_eq!(web.post(&test, &json!({})).await.0, StatusCode::NO_CONTENT);
    let served = Served::new(to_private(web.data.path(), true)).await;
    until("the test is taken", async || log(&web, &id).await[0]["state"] == "delivered").await;
    served.stop().await;
    assert_eq!(receiver.events(), ["webhook.test"]);
    assert_eq!(ask(&web, Method::DELETE, &path, Value::Null).await.0, StatusCode::NO_CONTENT);
    assert_eq!(web.get("/api/webhooks").await.1, json!([]));
    assert_eq!(web.get(&format!("{path}/deliveries")).await.0, StatusCode::NOT_FOUND);
    assert_eq!(ask(&web, Method::DELETE, &path, Value::Null).await.0, StatusCode::NOT_FOUND);
    let partner = ask(&web, Method::DELETE, "/api/webhooks/partner", Value::Null).await;
    assert_eq!(partner.0, StatusCode::NOT_FOUND, "it is none that can be removed");
    for _ in 0..20 {
        add(&web, &url, &["decision.made"]).await;
    }
    let form = json!({"url": url, "events": ["decision.made"]});
    assert_eq!(web.post("/api/webhooks", &form).await.0, StatusCode::CONFLICT, "20 are the most");
}

/// U09: a message is given up after its last try, 23 hours after the first, and so is one whose interview was
/// removed before its report was made.
#[tokio::test]
async fn a_message_is_given_up() {
    let web = TestWeb::set_up(|data| to_private(data, true));
    let receiver = Receiver::new(&[503]).await;
    let url = format!("http://{}/", receiver.at);
    let (id, _) = add(&web, &url, &["interview.finished", "report.ready"]).await;
    web.launch().await;
    let folder = web.folder();
    let end = entry(3, Event::Tick, vec![Effect::Hangup { end: End::Completed }]);
    write_journal(&folder, &(begun(&folder) + &end));
    web.get("/api/interviews").await;
    assert_eq!(log(&web, &id).await.as_array().unwrap().len(), 2);
    for one in web.database.deliveries(&id, 9).await.unwrap() {
        if one.event == "interview.finished" {
            let tried =
                Try { delivery: one.id.clone(), at: 1, status: None, answer: String::new() };
            for _ in 0..6 {
                web.database.tried(&tried, DeliveryState::Waiting, Some(-1)).await.unwrap();
            }
        }
    }
    let path = format!("/api/interviews/{}", folder.id());
    assert_eq!(ask(&web, Method::DELETE, &path, Value::Null).await.0, StatusCode::OK);
    let served = Served::new(to_private(web.data.path(), true)).await;
    until("both are given up", async || {
        log(&web, &id).await.as_array().unwrap().iter().all(|one| one["state"] == "failed")
    })
    .await;
    served.stop().await;
    let entries = log(&web, &id).await;
    let of =
        |event: &str| entries.as_array().unwrap().iter().find(|one| one["event"] == event).unwrap();
    assert_eq!(of("interview.finished")["tries"].as_array().unwrap().len(), 7);
    assert_eq!(of("report.ready")["tries"][0]["answer"], "The interview was removed.");
    assert_eq!(receiver.events(), ["interview.finished"]);
}
