//! The web app's API, asked as a browser would ask it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use axum::response::Response;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tower::ServiceExt;
use vivavoce::store::{InterviewId, Stage, Store};
use vivavoce::web::{Config, LaunchableBlueprint, Rooms, RoomsError, ServeError, Web};

#[derive(Default)]
struct FakeRooms {
    dispatched: AtomicUsize,
    down: bool,
}

impl Rooms for FakeRooms {
    fn token(&self, interview: InterviewId, lifetime: Duration) -> Result<String, RoomsError> {
        Ok(format!("{} {}", interview.candidate(), lifetime.as_secs()))
    }

    fn dispatch(&self, _: InterviewId) -> BoxFuture<'_, Result<(), RoomsError>> {
        self.dispatched.fetch_add(1, Ordering::Relaxed);
        let down = self.down;
        async move { if down { Err(RoomsError("nobody at the door".into())) } else { Ok(()) } }
            .boxed()
    }

    fn reachable(&self) -> BoxFuture<'_, Result<(), RoomsError>> {
        async { Ok(()) }.boxed()
    }
}

struct TestWeb {
    router: Router,
    rooms: Arc<FakeRooms>,
    data: tempfile::TempDir,
}

impl TestWeb {
    fn new() -> Self {
        Self::with(FakeRooms::default(), Duration::from_secs(3600))
    }

    fn with(rooms: FakeRooms, link_lifetime: Duration) -> Self {
        let data = tempfile::tempdir().unwrap();
        let rooms = Arc::new(rooms);
        let router =
            vivavoce::web::router(config(data.path(), rooms.clone(), link_lifetime)).unwrap();
        Self { router, rooms, data }
    }

    async fn get(&self, path: &str) -> (StatusCode, Value) {
        self.ask(Request::get(path).body(Body::empty()).unwrap()).await
    }

    async fn post(&self, path: &str, body: &Value) -> (StatusCode, Value) {
        self.post_text(path, body.to_string()).await
    }

    async fn post_text(&self, path: &str, body: String) -> (StatusCode, Value) {
        self.ask(
            Request::post(path)
                .header(header::CONTENT_TYPE, "application/json")
                .body(body.into())
                .unwrap(),
        )
        .await
    }

    async fn ask(&self, request: Request<Body>) -> (StatusCode, Value) {
        let response = self.raw(request).await;
        let status = response.status();
        let body = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
        (status, serde_json::from_slice(&body).unwrap_or(Value::Null))
    }

    async fn raw(&self, request: Request<Body>) -> Response {
        self.router.clone().oneshot(request).await.unwrap()
    }

    /// Launches the usual interview; its token.
    async fn launch(&self) -> String {
        let (status, launched) = self.post("/api/interviews", &form()).await;
        assert_eq!(status, StatusCode::CREATED, "{launched}");
        launched["link"].as_str().unwrap().strip_prefix("/i/").unwrap().to_owned()
    }
}

fn config(data: &Path, rooms: Arc<FakeRooms>, link_lifetime: Duration) -> Config {
    let blueprint = LaunchableBlueprint {
        name: "two-stage".into(),
        title: "Short".into(),
        summary: "About you, past experience".into(),
        stages: vec![Stage { id: "self-intro".into(), title: "About you".into() }],
        length_limit: Duration::from_secs(600),
        files: BTreeMap::from([("blueprint.toml".into(), "title = \"Short\"".into())]),
    };
    Config {
        listen: "127.0.0.1:0".parse().unwrap(),
        data: data.to_owned(),
        livekit_public_url: "ws://127.0.0.1:7880".into(),
        rooms,
        blueprints: vec![blueprint],
        link_lifetime,
    }
}

fn form() -> Value {
    json!({"name": " Ilse Varga ", "role": "Backend engineer", "level": "senior", "blueprint": "two-stage", "job_description": ""})
}

/// U09: web/openapi.json is what the handlers say. `VIVAVOCE_BLESS=1` writes it anew.
#[test]
fn the_committed_openapi_document_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/openapi.json");
    let current = vivavoce::web::openapi_json();
    if std::env::var_os("VIVAVOCE_BLESS").is_some() {
        std::fs::write(&path, &current).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap();
    assert!(committed == current, "web/openapi.json is old: run `make api`");
}

/// U02, C04, N04: a launch writes inputs.json, shows its link once, and keeps only the secret's hash.
#[tokio::test]
async fn a_launch_makes_a_folder_and_a_link() {
    let web = TestWeb::new();
    let token = web.launch().await;
    assert_eq!(token.len(), 96, "128 bits of id and 256 of secret");
    let folders = Store::open(web.data.path()).unwrap().list().unwrap();
    let [folder] = folders.as_slice() else { panic!("one folder, not {}", folders.len()) };
    let inputs = folder.inputs().unwrap();
    assert_eq!(inputs.candidate.name, "Ilse Varga");
    assert_eq!(inputs.blueprint.files["blueprint.toml"], "title = \"Short\"");
    assert_eq!(inputs.job_description, None);
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        assert!(!text.contains(&token[32..]), "the secret is kept nowhere");
    }
    let (status, candidate) = web.get(&format!("/api/candidate/{token}")).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(candidate["name"], "Ilse Varga");
    assert_eq!(candidate["state"], "waiting");
    assert_eq!(candidate["stages"][0], json!({"id": "self-intro", "title": "About you"}));
}

/// U02: every missing or absurd field is answered beside the field, all at once, and nothing is made.
#[tokio::test]
async fn absurd_fields_are_answered_field_by_field() {
    let web = TestWeb::new();
    let cases = [
        (json!({}), vec!["name", "role", "level", "blueprint"]),
        (
            json!({"name": "  ", "role": "x", "level": "god", "blueprint": "none"}),
            vec!["name", "level", "blueprint"],
        ),
        (
            json!({"name": "x".repeat(121), "role": "a\nb", "level": "mid", "blueprint": "two-stage"}),
            vec!["name", "role"],
        ),
        (
            json!({"name": "?!", "role": "é", "level": "mid", "blueprint": "two-stage"}),
            vec!["name"],
        ),
        (
            json!({"name": "I", "role": "x", "level": "mid", "blueprint": "two-stage", "job_description": "y".repeat(20_001)}),
            vec!["job_description"],
        ),
        (
            json!({"name": "I", "role": "x", "level": "mid", "blueprint": "two-stage", "job_description": "\u{0}"}),
            vec!["job_description"],
        ),
    ];
    for (form, expected) in cases {
        let (status, problem) = web.post("/api/interviews", &form).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
        let fields: Vec<_> = problem["fields"]
            .as_array()
            .unwrap()
            .iter()
            .map(|f| f["field"].as_str().unwrap())
            .collect();
        assert_eq!(fields, expected, "{problem}");
    }
    assert!(Store::open(web.data.path()).unwrap().list().unwrap().is_empty());
}

/// What is no form at all gets the right status and one sentence.
#[tokio::test]
async fn what_is_no_form_is_refused_in_a_sentence() {
    let web = TestWeb::new();
    let cases = [
        ("{\"name\":".to_owned(), StatusCode::BAD_REQUEST, "cannot be read"),
        ("3".to_owned(), StatusCode::UNPROCESSABLE_ENTITY, "wrong shape"),
        ("{\"name\": 5}".to_owned(), StatusCode::UNPROCESSABLE_ENTITY, "wrong shape"),
        ("{\"admin\": true}".to_owned(), StatusCode::UNPROCESSABLE_ENTITY, "unknown field"),
        (
            format!("{{\"name\": \"{}\"}}", "x".repeat(300_000)),
            StatusCode::PAYLOAD_TOO_LARGE,
            "256 KiB",
        ),
    ];
    for (body, expected, says) in cases {
        let (status, problem) = web.post_text("/api/interviews", body).await;
        assert_eq!(status, expected, "{problem}");
        assert!(problem["message"].as_str().unwrap().contains(says), "{problem}");
    }
    let (status, _) =
        web.ask(Request::post("/api/interviews").body(form().to_string().into()).unwrap()).await;
    assert_eq!(status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert_eq!(web.get("/api/nothing").await.0, StatusCode::NOT_FOUND);
    assert_eq!(web.get("/api/interviews").await.0, StatusCode::METHOD_NOT_ALLOWED);
}

/// C04: whatever is no link of ours is answered alike, a wrong secret too.
#[tokio::test]
async fn an_unknown_link_is_not_found() {
    let web = TestWeb::new();
    let token = web.launch().await;
    let other_secret = format!("{}{}", &token[..32], "0".repeat(64));
    let other_id = format!("{}{}", "0".repeat(32), &token[32..]);
    for bad in ["x", "%2e%2e%2f", &token[..95], &other_secret, &other_id] {
        for path in ["", "/transcript"] {
            let (status, problem) = web.get(&format!("/api/candidate/{bad}{path}")).await;
            assert_eq!(status, StatusCode::NOT_FOUND, "{bad}");
            assert!(
                problem["message"].as_str().unwrap().starts_with("This link does not work"),
                "{problem}"
            );
        }
        let (status, _) =
            web.post(&format!("/api/candidate/{bad}/start"), &json!({"consent": true})).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{bad}");
    }
}

/// C04: a link whose time is over starts nothing.
#[tokio::test]
async fn an_expired_link_is_gone() {
    let web = TestWeb::with(FakeRooms::default(), Duration::ZERO);
    let token = web.launch().await;
    assert_eq!(web.get(&format!("/api/candidate/{token}")).await.0, StatusCode::GONE);
    let (status, _) =
        web.post(&format!("/api/candidate/{token}/start"), &json!({"consent": true})).await;
    assert_eq!(status, StatusCode::GONE);
    assert_eq!(web.rooms.dispatched.load(Ordering::Relaxed), 0);
}

/// C01, W09: the interviewer is called after consent, never before.
#[tokio::test]
async fn start_needs_consent_and_calls_the_interviewer() {
    let web = TestWeb::new();
    let token = web.launch().await;
    let start = format!("/api/candidate/{token}/start");
    for refused in [json!({}), json!({"consent": false})] {
        let (status, problem) = web.post(&start, &refused).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(problem["fields"][0]["field"], "consent");
    }
    assert_eq!(
        web.post(&start, &json!({"consent": "yes"})).await.0,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    assert_eq!(web.rooms.dispatched.load(Ordering::Relaxed), 0);
    let (status, admission) = web.post(&start, &json!({"consent": true})).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(web.rooms.dispatched.load(Ordering::Relaxed), 1);
    assert_eq!(admission["url"], "ws://127.0.0.1:7880");
    assert_eq!(
        admission["token"],
        format!("cand-{} {}", &token[..32], 600 + 15 * 60),
        "length + 15 min"
    );
}

/// A LiveKit server that is down: one sentence for the candidate, and the next press can succeed.
#[tokio::test]
async fn a_room_server_that_is_down_is_one_sentence() {
    let web =
        TestWeb::with(FakeRooms { down: true, ..FakeRooms::default() }, Duration::from_secs(3600));
    let token = web.launch().await;
    let (status, problem) =
        web.post(&format!("/api/candidate/{token}/start"), &json!({"consent": true})).await;
    assert_eq!(status, StatusCode::BAD_GATEWAY);
    assert!(problem["message"].as_str().unwrap().contains("Nothing is lost"), "{problem}");
    assert_eq!(web.get(&format!("/api/candidate/{token}")).await.1["state"], "waiting");
}

/// C04: every answer has the security headers; a page elsewhere cannot read this server under its own name.
#[tokio::test]
async fn answers_have_security_headers_and_foreign_names_are_refused() {
    let web = TestWeb::new();
    let response = web.raw(Request::get("/api/blueprints").body(Body::empty()).unwrap()).await;
    for name in
        ["content-security-policy", "x-content-type-options", "referrer-policy", "x-frame-options"]
    {
        assert!(response.headers().contains_key(name), "{name}");
    }
    assert_eq!(response.headers()[header::CACHE_CONTROL], "no-store");
    let foreign = Request::get("/api/blueprints")
        .header(header::HOST, "attacker.example")
        .body(Body::empty())
        .unwrap();
    assert_eq!(web.raw(foreign).await.status(), StatusCode::MISDIRECTED_REQUEST);
}

/// N04, N06: only the loopback interface, and a taken port is one sentence.
#[tokio::test]
async fn it_listens_on_this_machine_only() {
    let data = tempfile::tempdir().unwrap();
    let config = |listen: &str| Config {
        listen: listen.parse().unwrap(),
        ..config(data.path(), Arc::default(), Duration::from_secs(1))
    };
    assert!(matches!(Web::bind(config("0.0.0.0:0")).await, Err(ServeError::NotLoopback(_))));
    let first = Web::bind(config("127.0.0.1:0")).await.unwrap();
    let why = Web::bind(config(&first.address().to_string())).await.err().unwrap().to_string();
    assert!(why.contains("cannot listen on 127.0.0.1") && why.contains("web.listen"), "{why}");
}
