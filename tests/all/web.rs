//! The web app's API, asked as a browser would ask it.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use axum::response::Response;
use livekit_api::access_token::TokenVerifier;
use serde_json::{Value, json};
use tokio::sync::OnceCell;
use tower::ServiceExt;
use vivavoce::blueprint::{Blueprint, Roles};
use vivavoce::database::{Database, Role};
use vivavoce::interview::{Effect, End, Event, Notice, TurnId};
use vivavoce::journal::{self, Entry, Header};
use vivavoce::planning::Planner;
use vivavoce::providers::llm_scripted::ScriptedInterviewer;
use vivavoce::providers::stt_scripted::ScriptedStt;
use vivavoce::reading::{Limits, Reader};
use vivavoce::sound_check::SoundCheck;
use vivavoce::store::{FileStore, Folder, InterviewId, JournalStore, Lease, Plans, Recordings};
use vivavoce::time::SessionTime;
use vivavoce::web::{Config, Exposure, LaunchableBlueprint, Outside, Real, Services, Site, Web};
use voiceroom::server::{Api, ApiKeys};

use crate::livekit_server::LiveKit;

pub(crate) struct TestWeb {
    router: Router,
    pub(crate) database: Database,
    /// The secret of an admin's key.
    key: OnceCell<String>,
    pub(crate) data: tempfile::TempDir,
}

impl TestWeb {
    /// With a LiveKit server that is not there: most of the API needs none.
    pub(crate) fn new() -> Self {
        Self::with(no_livekit(), Duration::from_secs(3600))
    }

    pub(crate) fn with(livekit: Api, link_lifetime: Duration) -> Self {
        Self::of(livekit, link_lifetime, false)
    }

    /// One that asks candidates to be recorded, or one that does not.
    fn of(livekit: Api, link_lifetime: Duration, records: bool) -> Self {
        Self::set_up(|data| {
            let mut config = config(data, livekit, link_lifetime);
            config.site.records = records;
            config
        })
    }

    /// One of these settings for a data folder.
    pub(crate) fn set_up(settings: impl FnOnce(&Path) -> Config) -> Self {
        let data = tempfile::tempdir().unwrap();
        let settings = settings(data.path());
        let database = settings.database.clone();
        Self { router: vivavoce::web::router(settings), database, key: OnceCell::new(), data }
    }

    /// The header that proves an admin.
    pub(crate) async fn authorization(&self) -> String {
        let make = async || self.database.make_key("tests", Role::Admin).await.unwrap().1;
        format!("Bearer {}", self.key.get_or_init(make).await)
    }

    pub(crate) async fn get(&self, path: &str) -> (StatusCode, Value) {
        self.ask(Request::get(path).body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> (StatusCode, Value) {
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

    pub(crate) async fn ask(&self, request: Request<Body>) -> (StatusCode, Value) {
        let response = self.raw(request).await;
        let status = response.status();
        let body = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
        (status, serde_json::from_slice(&body).unwrap_or(Value::Null))
    }

    /// As an admin, unless the request says who asks.
    pub(crate) async fn raw(&self, mut request: Request<Body>) -> Response {
        let is_said = |name| request.headers().contains_key(name);
        if !is_said(header::AUTHORIZATION) && !is_said(header::COOKIE) {
            let admin = self.authorization().await.parse().unwrap();
            request.headers_mut().insert(header::AUTHORIZATION, admin);
        }
        self.raw_as_it_is(request).await
    }

    pub(crate) async fn raw_as_it_is(&self, request: Request<Body>) -> Response {
        self.router.clone().oneshot(request).await.unwrap()
    }

    /// The folder of the only interview there is.
    pub(crate) fn folder(&self) -> Folder {
        let folders = FileStore::open(self.data.path()).unwrap().folders().unwrap();
        assert_eq!(folders.len(), 1);
        folders.into_iter().next().unwrap()
    }

    /// The lease of that interview.
    pub(crate) async fn lease(&self) -> Lease {
        let store: Arc<dyn JournalStore> = Arc::new(FileStore::open(self.data.path()).unwrap());
        Lease::take(&store, self.folder().id()).await.unwrap()
    }

    /// Launches the usual interview; its token.
    pub(crate) async fn launch(&self) -> String {
        let (status, launched) = self.post("/api/interviews", &form()).await;
        assert_eq!(status, StatusCode::CREATED, "{launched}");
        launched["link"].as_str().unwrap().strip_prefix("/i/").unwrap().to_owned()
    }
}

/// Where people reach the web app, for links in messages.
pub(crate) const ADDRESS: &str = "https://interviews.example.org";

pub(crate) fn no_livekit() -> Api {
    // Port 9 discards, and nobody listens there.
    Api::new("ws://127.0.0.1:9", no_keys())
}

pub(crate) fn no_keys() -> ApiKeys {
    ApiKeys::new("key", "secret")
}

/// A blueprint of the folder `agents`, with its sample documents.
pub(crate) fn launchable(name: &str) -> LaunchableBlueprint {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("agents").join(name);
    let files = texts_in(&folder);
    let blueprint = Blueprint::load(&files).unwrap();
    let sample = texts_in(&folder.join("sample"));
    LaunchableBlueprint { name: name.to_owned(), version: 0, blueprint, files, sample }
}

fn texts_in(folder: &Path) -> Vec<(String, String)> {
    let files = std::fs::read_dir(folder).into_iter().flatten().map(|file| file.unwrap().path());
    let files = files.filter(|path| path.is_file());
    files
        .map(|file| {
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(file).unwrap())
        })
        .collect()
}

pub(crate) fn config(data: &Path, livekit: Api, link_lifetime: Duration) -> Config {
    Config {
        site: Site {
            listen: "127.0.0.1:0".parse().unwrap(),
            exposure: Exposure::Local,
            trusted_proxy: None,
            setup_code: None,
            real: Real::default(),
            records: false,
            outside: Outside { address: ADDRESS.into(), ..Outside::default() },
            services: Services::default(),
            sound_check: Arc::new(sound_check()),
        },
        database: Database::new("", data),
        store: Arc::new(FileStore::open(data).unwrap()),
        recordings: Recordings::of(data),
        livekit_public_url: "ws://127.0.0.1:7880".into(),
        livekit,
        agent_name: "vivavoce".into(),
        blueprints: vec![launchable("mock-interview")],
        roles: Roles::default(),
        link_lifetime,
        reader: Arc::new(Reader::new(env!("CARGO_BIN_EXE_vivavoce").into(), Limits::default())),
        planner: Arc::new(Planner::new(Plans::of(data), |_| Ok(Arc::new(ScriptedInterviewer)))),
    }
}

/// One that hears what it was told.
fn sound_check() -> SoundCheck {
    SoundCheck::new(|_| Ok(Arc::new(ScriptedStt::new(["I can hear myself".to_owned()]))))
}

fn form() -> Value {
    json!({"name": " Ilse Varga ", "role": "Backend \
        engineer", "level": "senior", "blueprint": "mock-interview", "job_description": ""})
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
    assert!(
        committed == current,
        "web/openapi.json is old: run `VIVAVOCE_BLESS=1 cargo test --test all openapi`, then `npm \
            run generate-api` in web/"
    );
}

/// U09: docs/api.md is made from the OpenAPI document. `VIVAVOCE_BLESS=1` writes it anew.
#[test]
fn the_page_about_the_api_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/api.md");
    let current = vivavoce::web::api_markdown();
    if std::env::var_os("VIVAVOCE_BLESS").is_some() {
        std::fs::write(&path, &current).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap();
    assert!(
        committed == current,
        "docs/api.md is old: run `VIVAVOCE_BLESS=1 cargo test --test all page_about_the_api`"
    );
    let api: Value = serde_json::from_str(&vivavoce::web::openapi_json()).unwrap();
    for (path, methods) in api["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            let heading = format!("\n### `{} {path}`\n", method.to_uppercase());
            assert!(current.contains(&heading), "{heading}");
        }
    }
    for link in current.split("](#").skip(1) {
        let anchor = link.split(')').next().unwrap();
        let heading = current.lines().find(|line| {
            line.strip_prefix("### ").is_some_and(|name| name.to_lowercase() == anchor)
        });
        assert!(heading.is_some(), "nothing is at #{anchor}");
    }
}

/// U02, C04, N04: a launch writes inputs.json, shows its link once, and keeps only the secret's hash.
#[tokio::test]
async fn a_launch_makes_a_folder_and_a_link() {
    let web = TestWeb::new();
    let token = web.launch().await;
    assert_eq!(token.len(), 96, "128 bits of id and 256 of secret");
    let folder = web.folder();
    let inputs = folder.inputs().unwrap();
    assert_eq!(inputs.context.candidate_name, "Ilse Varga");
    assert_eq!(inputs.context.level, "senior");
    assert!(inputs.interview().is_ok(), "a worker can make the interview of it");
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        assert!(!text.contains(&token[32..]), "the secret is kept nowhere");
    }
    let (status, candidate) = web.get(&format!("/api/candidate/{token}")).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(candidate["name"], "Ilse Varga");
    assert_eq!(candidate["state"], "waiting");
    assert_eq!(candidate["interviewer"], "Alba");
    let stages: Vec<_> =
        candidate["stages"].as_array().unwrap().iter().map(|s| s["id"].as_str().unwrap()).collect();
    assert_eq!(
        stages,
        ["greeting", "self-intro", "past-experience", "closing"],
        "no company fit without a job description"
    );
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
            json!({"name": "x".repeat(81), "role": "a\nb", "level": "mid", "blueprint": "mock-interview"}),
            vec!["name", "role"],
        ),
        (
            json!({"name": "Ada \u{202e}ecalevoL", "role": "a\u{2066}b", "level": "mid",
                "blueprint": "mock-interview"}),
            vec!["name", "role"],
        ),
        (
            json!({"name": "?!", "role": "é", "level": "mid", "blueprint": "mock-interview"}),
            vec!["name"],
        ),
        (
            json!({"name": "I", "role": "x", "level": "mid", "blueprint": "mock-interview",
                "job_description": "y".repeat(20_001)}),
            vec!["job_description"],
        ),
        (
            json!({"name": "I", "role": "x", "level": "mid", "blueprint": "mock-interview",
                "job_description": "\u{0}"}),
            vec!["job_description"],
        ),
        (
            json!({"name": "I", "role": "y".repeat(81), "level": "mid", "blueprint": "mock-interview",
                "resume": "y".repeat(20_001)}),
            vec!["role", "resume"],
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
    assert!(FileStore::open(web.data.path()).unwrap().folders().unwrap().is_empty());
}

/// U09: an address that asks wrongly is answered like a body that does: by a problem in JSON that says where.
#[tokio::test]
async fn a_wrong_question_is_answered_in_a_sentence() {
    let web = TestWeb::new();
    let cases = [
        ("/api/interviews?state=gone", "state"),
        ("/api/audit?before=soon", "invalid digit"),
        ("/api/partner/test_status", "partner_interview_id"),
    ];
    for (address, where_) in cases {
        let (status, problem) = web.get(address).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{address}: {problem}");
        let message = problem["message"].as_str().unwrap();
        assert!(message.starts_with("The address is wrong after its “?”: "), "{message}");
        assert!(message.contains(where_), "{message}");
    }
}

/// B04, B05, U02: role and level choose what matters, and that, the résumé and the job description are frozen
/// into the inputs; the longest texts are taken as they are.
#[tokio::test]
async fn a_launch_freezes_what_matters_and_the_papers() {
    let web = TestWeb::new();
    let (_, choices) = web.get("/api/roles").await;
    assert_eq!(
        choices["levels"][2],
        json!({"name": "senior", "title": "Senior, 6 years and more"})
    );
    assert!(choices["roles"].as_array().unwrap().contains(&json!("Data engineer")), "{choices}");
    let (resume, job_description) = ("é".repeat(20_000), "\u{1f41d}".repeat(20_000));
    let form = json!({
        "name": "n".repeat(80), "role": "Senior data \
            engineer", "level": "senior", "blueprint": "mock-interview",
        "resume": resume, "job_description": job_description,
    });
    let (status, launched) = web.post("/api/interviews", &form).await;
    assert_eq!(status, StatusCode::CREATED, "{launched}");
    let context = web.folder().inputs().unwrap().context;
    assert!(context.focus.areas.contains(&"data quality".to_owned()), "{:?}", context.focus);
    assert!(context.focus.depth.contains("alternatives"), "{:?}", context.focus);
    assert_eq!((context.resume, context.job_description), (resume, job_description));
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
            format!("{{\"name\": \"{}\"}}", "x".repeat(2_200_000)),
            StatusCode::PAYLOAD_TOO_LARGE,
            "too large",
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
    assert_eq!(web.get("/api/blueprints/x").await.0, StatusCode::NOT_FOUND);
    assert_eq!(web.get("/api/interviews/../../etc").await.0, StatusCode::NOT_FOUND);
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
    let web = TestWeb::with(no_livekit(), Duration::ZERO);
    let token = web.launch().await;
    assert_eq!(web.get(&format!("/api/candidate/{token}")).await.0, StatusCode::GONE);
    let (status, _) =
        web.post(&format!("/api/candidate/{token}/start"), &json!({"consent": true})).await;
    assert_eq!(status, StatusCode::GONE);
    assert!(!web.folder().path().join("consent.json").exists());
}

/// C01: without consent nothing starts.
#[tokio::test]
async fn start_needs_consent() {
    let web = TestWeb::new();
    let start = format!("/api/candidate/{}/start", web.launch().await);
    for refused in [json!({}), json!({"consent": false})] {
        let (status, problem) = web.post(&start, &refused).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(problem["fields"][0]["field"], "consent");
    }
    assert_eq!(
        web.post(&start, &json!({"consent": "yes"})).await.0,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    assert!(!web.folder().path().join("consent.json").exists());
}

/// R10, C01: where sound is recorded candidates are asked, apart from taking part; their last word before the
/// interview begins is kept, and where it is not recorded nobody is asked.
#[tokio::test]
async fn a_candidate_is_asked_to_be_recorded() {
    let silent = TestWeb::new();
    let token = silent.launch().await;
    assert_eq!(silent.get(&format!("/api/candidate/{token}")).await.1["recording"], "off");
    assert!(!silent.folder().inputs().unwrap().context.recorded);

    let web = TestWeb::of(no_livekit(), Duration::from_secs(3600), true);
    let token = web.launch().await;
    let recording =
        async || web.get(&format!("/api/candidate/{token}")).await.1["recording"].clone();
    assert_eq!(recording().await, "asked");
    assert!(web.folder().inputs().unwrap().context.recorded);
    let start = async |body| web.post(&format!("/api/candidate/{token}/start"), &body).await.0;
    let agreed = || web.folder().consent().unwrap().unwrap().recording;
    for (body, expected) in [
        (json!({"consent": true}), false),
        (json!({"consent": true, "recording": true}), true),
        (json!({"consent": true}), true),
        (json!({"consent": true, "recording": false}), false),
        (json!({"consent": true, "recording": true}), true),
    ] {
        // There is no LiveKit server to call anybody with.
        assert_eq!(start(body).await, StatusCode::BAD_GATEWAY);
        assert_eq!(agreed(), expected);
    }
    let lease = web.lease().await;
    write_journal(&web.folder(), &begun(&web.folder()));
    assert_eq!(recording().await, "on");
    assert_eq!(start(json!({"consent": true, "recording": false})).await, StatusCode::OK);
    assert!(agreed(), "it has begun with what they agreed to");
    drop(lease);
}

/// R10: a recruiter hears the recording of an interview that has one, in parts if the player wants.
#[tokio::test]
async fn a_recruiter_hears_the_recording() {
    let web = TestWeb::new();
    web.launch().await;
    let folder = web.folder();
    let interview = format!("/api/interviews/{}", folder.id());
    let (status, problem) = web.get(&format!("{interview}/recording")).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert_eq!(problem["message"], "This interview was not recorded.");
    assert_eq!(web.get(&interview).await.1["has_recording"], false);
    let nobody = format!("/api/interviews/{}/recording", InterviewId::random());
    assert_eq!(web.get(&nobody).await.0, StatusCode::NOT_FOUND);

    let file: Vec<u8> = (0..100).collect();
    std::fs::write(folder.path().join("recording.ogg"), &file).unwrap();
    assert_eq!(web.get(&interview).await.1["has_recording"], true);
    for (range, status, expected) in [
        (None, StatusCode::OK, &file[..]),
        (Some("bytes=10-19"), StatusCode::PARTIAL_CONTENT, &file[10..20]),
        (Some("bytes=90-"), StatusCode::PARTIAL_CONTENT, &file[90..]),
        (Some("bytes=200-"), StatusCode::RANGE_NOT_SATISFIABLE, &[]),
    ] {
        let mut request = Request::get(format!("{interview}/recording"));
        if let Some(range) = range {
            request = request.header(header::RANGE, range);
        }
        let response = web.raw(request.body(Body::empty()).unwrap()).await;
        assert_eq!(response.status(), status, "{range:?}");
        if status.is_success() {
            assert_eq!(response.headers()[header::CONTENT_TYPE], "audio/ogg");
            assert_eq!(response.headers()[header::ACCEPT_RANGES], "bytes");
        }
        let body = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
        assert_eq!(body, expected, "{range:?}");
    }
}

/// W09, N01, N02, C04: Start calls the interviewer once, however often it is pressed, and admits the
/// candidate to their own room, for the interview's length and 15 minutes.
#[tokio::test]
async fn start_calls_the_interviewer_once() {
    let server = LiveKit::shared();
    let livekit = Api::new(server.url(), server.keys());
    let web = TestWeb::with(livekit.clone(), Duration::from_secs(3600));
    let token = web.launch().await;
    let start = format!("/api/candidate/{token}/start");
    let consent = json!({"consent": true});
    let (first, second) = tokio::join!(web.post(&start, &consent), web.post(&start, &consent));
    assert_eq!((first.0, second.0), (StatusCode::OK, StatusCode::OK), "{} {}", first.1, second.1);
    let interview = web.folder().id();
    let mut dispatches = livekit.dispatches(&interview.room()).await.unwrap();
    dispatches.retain(|dispatch| !dispatch.agent.is_empty());
    let [dispatch] = dispatches.as_slice() else { panic!("one dispatch, not {dispatches:?}") };
    assert_eq!(dispatch.agent, "vivavoce");
    assert_eq!(dispatch.metadata, format!(r#"{{"v":1,"interview":"{interview}"}}"#));
    assert_eq!(first.1["url"], "ws://127.0.0.1:7880");
    let jwt = first.1["token"].as_str().unwrap();
    let claims = TokenVerifier::with_api_key("devkey", "secret-secret-secret-secret-secret-32")
        .verify(jwt)
        .unwrap();
    assert_eq!((claims.sub, claims.video.room), (interview.candidate(), interview.room()));
    assert!(!claims.video.room_admin && !claims.video.room_create && claims.name.is_empty());
    let length_s =
        web.get(&format!("/api/candidate/{token}")).await.1["length_limit_s"].as_u64().unwrap();
    assert_eq!((claims.exp - claims.nbf) as u64, length_s + 15 * 60);
}

/// N04: the transcript is the journal's: as far as it is written, and with its end.
#[tokio::test]
async fn the_transcript_is_what_the_journal_says() {
    let web = TestWeb::new();
    let token = web.launch().await;
    let transcript = format!("/api/candidate/{token}/transcript");
    assert_eq!(web.get(&transcript).await.1, json!({"state": "waiting", "end": null, "turns": []}));
    let mut text = begun(&web.folder());
    write_journal(&web.folder(), &format!("{text}{{\"n\":3,\"torn"));
    let lease = web.lease().await;
    let (_, running) = web.get(&transcript).await;
    assert_eq!(running["state"], "in_progress");
    assert_eq!(
        running["turns"][0],
        json!({"speaker": "candidate", "text": "I fix \
            payments.", "stage": "greeting", "at_ms": 7, "cut": false})
    );
    drop(lease);
    let (_, interrupted) = web.get(&transcript).await;
    assert_eq!(interrupted["state"], "stopped", "nobody holds it, and it has no end");
    assert_eq!(interrupted["turns"], running["turns"], "with all that was said");
    text += &entry(3, Event::Tick, vec![Effect::Hangup { end: End::CandidateEnded }]);
    write_journal(&web.folder(), &text);
    let (_, ended) = web.get(&transcript).await;
    assert_eq!((&ended["state"], &ended["end"]), (&json!("completed"), &json!("candidate_ended")));
    assert_eq!(ended["turns"], running["turns"]);
    for (end, shown) in
        [(End::MaxTurns, "max_turns"), (End::Abuse, "abuse"), (End::OutOfTime, "out_of_time")]
    {
        write_journal(
            &web.folder(),
            &(begun(&web.folder()) + &entry(3, Event::Tick, vec![Effect::Hangup { end }])),
        );
        assert_eq!(web.get(&transcript).await.1["end"], shown);
    }
    let (status, problem) =
        web.post(&format!("/api/candidate/{token}/start"), &json!({"consent": true})).await;
    assert_eq!(status, StatusCode::CONFLICT, "{problem}");
}

/// U04, N01: a recruiter finds every interview and what was said in it, those of foreign frontends too; one
/// whose files are damaged hides no other.
#[tokio::test]
async fn a_recruiter_reads_what_was_said() {
    let web = TestWeb::new();
    assert_eq!(web.get("/api/interviews").await.1["rows"], json!([]));
    web.launch().await;
    let launched = web.folder();
    let store = FileStore::open(web.data.path()).unwrap();
    let mut inputs = launched.inputs().unwrap();
    inputs.context.candidate_name = String::new();
    inputs.context.role = String::new();
    let foreign = store.make(InterviewId::random(), &inputs, None).unwrap();
    let named = entry(3, Event::CandidateNamed { name: "Grace".into() }, vec![]);
    let ended = entry(4, Event::Tick, vec![Effect::Hangup { end: End::CandidateEnded }]);
    write_journal(&foreign, &(begun(&foreign) + &named + &ended));
    inputs.files.clear();
    let unread = store.make(InterviewId::random(), &inputs, None).unwrap();
    let damaged = store.make(InterviewId::random(), &inputs, None).unwrap();
    std::fs::write(damaged.path().join("inputs.json"), "{").unwrap();

    let (_, list) = web.get("/api/interviews").await;
    assert_eq!((&list["total"], &list["next"]), (&json!(3), &Value::Null));
    let list = &list["rows"];
    let row = |folder: &Folder| {
        let id = folder.id().to_string();
        list.as_array().unwrap().iter().find(|row| row["id"] == id.as_str()).unwrap()
    };
    assert_eq!(list.as_array().unwrap().len(), 3, "{list}");
    let titles = [&launched, &unread].map(|folder| &row(folder)["title"]);
    assert_eq!(titles, ["Mock interview", "mock-interview"], "the name where no file says it");
    let waiting = row(&launched);
    assert_eq!((&waiting["name"], &waiting["state"]), (&json!("Ilse Varga"), &json!("invited")));
    assert!(waiting["expires_at"].is_u64() && waiting["started_at"].is_null(), "{waiting}");
    let over = row(&foreign);
    assert_eq!((&over["end"], &over["expires_at"]), (&json!("candidate_ended"), &Value::Null));
    assert_eq!(over["name"], "Grace", "as the room told");

    let (_, read) = web.get(&format!("/api/interviews/{}", foreign.id())).await;
    assert_eq!((&read["interview"], &read["interviewer"]), (over, &json!("Alba")));
    assert_eq!(read["transcript"]["turns"][0]["text"], "I fix payments.");
    assert_eq!(read["stages"][0], json!({"id": "greeting", "title": "Greeting"}));
    let nobody = format!("/api/interviews/{}", InterviewId::random());
    assert_eq!(web.get(&nobody).await.0, StatusCode::NOT_FOUND);
}

/// A journal that was changed is a sentence and no panic; what it says stays on the server.
#[tokio::test]
async fn a_damaged_journal_is_one_sentence() {
    let web = TestWeb::new();
    let token = web.launch().await;
    write_journal(&web.folder(), &begun(&web.folder()).replace("payments", "nothing"));
    let (status, problem) = web.get(&format!("/api/candidate/{token}/transcript")).await;
    assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
    assert!(problem["message"].as_str().unwrap().contains("damaged"), "{problem}");
}

/// The journal of an interview in which one thing was said.
pub(crate) fn begun(folder: &Folder) -> String {
    begun_in(folder, "greeting")
}

/// The same in another stage than the greeting.
pub(crate) fn begun_in(folder: &Folder, stage: &str) -> String {
    let header = Header::new(&folder.id().to_string(), 0, &folder.inputs().unwrap());
    let turn =
        Notice::Turn { turn: TurnId(1), stage: stage.into(), text: "I fix payments.".into() };
    journal::line(&header)
        + &entry(1, Event::CandidateJoined, vec![])
        + &entry(2, Event::Tick, vec![Effect::Publish(turn)])
}

pub(crate) fn entry(n: u64, event: Event, effects: Vec<Effect>) -> String {
    let at = SessionTime::from_millis(7);
    journal::line(&Entry { n, at, heard: at, event, effects })
}

pub(crate) fn write_journal(folder: &Folder, text: &str) {
    // As a whole: a server may be reading it.
    let (new, path) = (folder.path().join("journal.new"), folder.path().join("journal.jsonl"));
    std::fs::write(&new, text).unwrap();
    std::fs::rename(new, path).unwrap();
}

/// A LiveKit server that is down: one sentence for the candidate, and the next press can succeed.
#[tokio::test]
async fn a_room_server_that_is_down_is_one_sentence() {
    let web = TestWeb::new();
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
    for (path, is_api) in
        [("/api/blueprints", true), ("/api/nothing", true), ("/", false), ("/i/x", false)]
    {
        let response = web.raw(Request::get(path).body(Body::empty()).unwrap()).await;
        let said = |name: &str| response.headers().get(name).map(|value| value.to_str().unwrap());
        let policy = said("content-security-policy").unwrap_or_default();
        for part in ["default-src 'self';", "object-src 'none';", "frame-ancestors 'none'"] {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        assert_eq!(said("x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(said("referrer-policy"), Some("no-referrer"), "{path}");
        assert_eq!(said("x-frame-options"), Some("DENY"), "{path}");
        assert!(!is_api || said("cache-control") == Some("no-store"), "{path}");
    }
    let foreign = Request::get("/api/blueprints")
        .header(header::HOST, "attacker.example")
        .body(Body::empty())
        .unwrap();
    assert_eq!(web.raw(foreign).await.status(), StatusCode::MISDIRECTED_REQUEST);
}

/// N04, N06: a taken port is one sentence.
#[tokio::test]
async fn a_taken_port_is_one_sentence() {
    let data = tempfile::tempdir().unwrap();
    let config = |listen: &str| {
        let mut config = config(data.path(), no_livekit(), Duration::from_secs(1));
        config.site.listen = listen.parse().unwrap();
        config
    };
    let first = Web::bind(config("127.0.0.1:0")).await.unwrap();
    let why = Web::bind(config(&first.address().to_string())).await.err().unwrap().to_string();
    assert!(why.contains("cannot listen on 127.0.0.1") && why.contains("web.listen"), "{why}");
}
