//! What applicant tracking systems ask of a testing partner, as they ask it.

use axum::{
    body::Body,
    http::{Method, Request, StatusCode, header},
};
use serde_json::{Value, json};
use vivavoce::{
    database::Role,
    interview::{Effect, End, Event},
    web::Config,
};

use crate::{
    openings,
    web::{ADDRESS, TestWeb, begun, entry, launchable, write_journal},
    webhooks::{Receiver, Served, python_of_the_page, to_private, until},
};

/// The key `key` as the name of Basic, written by hand: `base64 -w0` of it with a colon.
fn basic(key: &str) -> String {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits: Vec<bool> = format!("{key}:")
        .bytes()
        .flat_map(|byte| (0..8).rev().map(move |n| byte >> n & 1 == 1))
        .collect();
    let six =
        |part: &[bool]| (0..6).fold(0, |n, at| n << 1 | usize::from(part.get(at) == Some(&true)));
    let mut text: String = bits.chunks(6).map(|part| char::from(ALPHABET[six(part)])).collect();
    while !text.len().is_multiple_of(4) {
        text.push('=');
    }
    format!("Basic {text}")
}

/// An applicant tracking system with a key.
struct Partner<'a> {
    web: &'a TestWeb,
    authorization: String,
}

impl<'a> Partner<'a> {
    async fn new(web: &'a TestWeb, role: Role) -> Self {
        let (_, key) = web.database.make_key("ATS", role).await.unwrap();
        Self { web, authorization: basic(&key) }
    }

    async fn ask(&self, method: Method, path: &str, body: Value) -> (StatusCode, Value) {
        let request = Request::builder().method(method).uri(path);
        let request = request.header(header::AUTHORIZATION, &self.authorization);
        let request = request.header(header::CONTENT_TYPE, "application/json");
        self.web.ask(request.body(Body::from(body.to_string())).unwrap()).await
    }

    async fn get(&self, path: &str) -> (StatusCode, Value) {
        self.ask(Method::GET, path, Value::Null).await
    }

    async fn send_test(&self, test: &str, url: &str) -> (StatusCode, Value) {
        // As Greenhouse sends it, with fields that nobody here asks for.
        let candidate = json!({
            "first_name": "Harriet", "last_name": "Porter", "email": "harriet@example.org",
            "resume_url": "https://example.org/resume", "phone_number": "123-456-7890",
            "greenhouse_profile_url": "https://app.example/people/1?application_id=2",
        });
        let form = json!({"partner_test_id": test, "candidate": candidate, "url": url});
        self.ask(Method::POST, "/api/partner/send_test", form).await
    }
}

fn settings(data: &std::path::Path, private: bool) -> Config {
    let blueprints = ["mock-interview", "two-stage", "rubric-screen"].map(launchable).into();
    Config { blueprints, ..to_private(data, private) }
}

async fn opening(web: &TestWeb) -> String {
    let (status, opening) = web.post("/api/openings", &openings::form()).await;
    assert_eq!(status, StatusCode::CREATED, "{opening}");
    opening["id"].as_str().unwrap().to_owned()
}

/// U09: a system lists the openings, orders an interview, is told of its end and asks how it stands; it
/// learns no score.
#[tokio::test]
async fn an_interview_is_ordered_and_its_end_is_told() {
    let web = TestWeb::set_up(|data| settings(data, true));
    let (open, closed) = (opening(&web).await, opening(&web).await);
    web.post(&format!("/api/openings/{closed}/state"), &json!({"state": "closed"})).await;
    let ats = Partner::new(&web, Role::Recruiter).await;
    let (_, tests) = ats.get("/api/partner/list_tests").await;
    let expected = json!([{"partner_test_id": open, "partner_test_name": "Backend, payments"}]);
    assert_eq!(tests, expected, "those that take candidates");

    let receiver = Receiver::new(&[]).await;
    let url = format!("http://{}/take_home_tests/12345", receiver.at);
    let (status, sent) = ats.send_test(&open, &url).await;
    assert_eq!(status, StatusCode::OK, "{sent}");
    let id = sent["partner_interview_id"].as_str().unwrap().to_owned();
    let link = sent["candidate_url"].as_str().unwrap().strip_prefix(ADDRESS).unwrap();
    let token = link.strip_prefix("/i/").unwrap();
    let (_, candidate) = web.get(&format!("/api/candidate/{token}")).await;
    assert_eq!(candidate["name"], "Harriet Porter");
    let again = ats.send_test(&open, &url).await.1;
    assert_eq!(again, json!({"partner_interview_id": id, "candidate_url": null}), "the same order");
    assert_eq!(web.get("/api/interviews").await.1["total"], 1);

    let path = format!("/api/partner/test_status?partner_interview_id={id}");
    let (_, before) = ats.get(&path).await;
    assert_eq!(before["partner_status"], "invited");
    let folder = web.folder();
    let end = entry(3, Event::Tick, vec![Effect::Hangup { end: End::Completed }]);
    write_journal(&folder, &(begun(&folder) + &end));
    let served = Served::new(settings(web.data.path(), true)).await;
    until("the system is told", async || !receiver.seen().is_empty()).await;
    served.stop().await;
    let told = receiver.seen().remove(0);
    assert_eq!((&told.method, told.path.as_str()), (&Method::PATCH, "/take_home_tests/12345"));
    assert_eq!(told.header("authorization"), basic("their-key"));
    assert!(told.header("webhook-id").starts_with("msg_"), "{told:?}");
    assert!(!told.body.contains("Harriet") && told.body.contains(&id), "{}", told.body);
    let (_, after) = ats.get(&path).await;
    assert_eq!(after["partner_status"], "complete");
    assert_eq!(after["partner_profile_url"], format!("{ADDRESS}/interviews/{id}"));
    assert_eq!(after["metadata"]["Opening"], "Backend, payments");
    assert!(
        !after.to_string().contains("score") && !after.to_string().contains("level"),
        "{after}"
    );
    let (_, log) = web.get("/api/webhooks/partner/deliveries").await;
    assert_eq!(
        (&log[0]["event"], &log[0]["interview"]),
        (&json!("interview.finished"), &json!(id))
    );
}

/// 12.3.1: our key goes to no other machine at an address without TLS, unless the settings say so; the
/// log says why nothing was sent.
#[tokio::test]
async fn a_key_goes_nowhere_unencrypted() {
    let web = TestWeb::set_up(|data| settings(data, true));
    let open = opening(&web).await;
    let ats = Partner::new(&web, Role::Recruiter).await;
    // An address of documents: nobody is there, and nobody has to be.
    let (status, sent) = ats.send_test(&open, "http://10.255.255.1/take_home_tests/1").await;
    assert_eq!(status, StatusCode::OK, "{sent}");
    let folder = web.folder();
    let end = entry(3, Event::Tick, vec![Effect::Hangup { end: End::Completed }]);
    write_journal(&folder, &(begun(&folder) + &end));
    let served = Served::new(settings(web.data.path(), true)).await;
    let log = async || web.get("/api/webhooks/partner/deliveries").await.1.to_string();
    until("it was tried", async || log().await.contains("\"answer\"")).await;
    served.stop().await;
    let log = log().await;
    assert!(log.contains("web.partner_insecure"), "{log}");
}

/// U09: the Python with which `docs/api.md` begins invites a candidate as it stands there.
#[tokio::test]
async fn the_example_of_the_page_works() {
    let web = TestWeb::set_up(|data| settings(data, false));
    opening(&web).await;
    let (_, key) = web.database.make_key("example", Role::Recruiter).await.unwrap();
    let served = Served::new(settings(web.data.path(), false)).await;
    let code = python_of_the_page("def ask");
    let code = code.replace("https://interviews.example.org", &format!("http://{}", served.at));
    let mut python = tokio::process::Command::new("python3");
    python.args(["-c", &code]).env("VIVAVOCE_KEY", key).env("no_proxy", "127.0.0.1");
    let said = python.output().await.unwrap();
    let (out, err) = (String::from_utf8_lossy(&said.stdout), String::from_utf8_lossy(&said.stderr));
    assert!(out.contains("/i/"), "{out} {err}");
    served.stop().await;
    let (_, listed) = web.get("/api/interviews").await;
    assert_eq!(listed["rows"][0]["name"], "Ada Lovelace", "{listed}");
}

/// U01, U09: a key counts as the name of Basic for these addresses alone, and may do no more than its role.
#[tokio::test]
async fn a_partner_may_do_what_its_key_may() {
    let web = TestWeb::set_up(|data| settings(data, false));
    let open = opening(&web).await;
    let ats = Partner::new(&web, Role::Viewer).await;
    assert_eq!(ats.get("/api/partner/list_tests").await.0, StatusCode::OK);
    assert_eq!(ats.send_test(&open, "").await.0, StatusCode::FORBIDDEN, "a viewer");
    assert_eq!(ats.get("/api/openings").await.0, StatusCode::UNAUTHORIZED, "elsewhere");
    let nobody = Partner { web: &web, authorization: basic("vvk_0") };
    assert_eq!(nobody.get("/api/partner/list_tests").await.0, StatusCode::UNAUTHORIZED);
    assert!(web.get("/api/interviews").await.1["rows"].as_array().unwrap().is_empty());
}

/// U09: what is wrong with an order is said, and nobody is invited.
#[tokio::test]
async fn a_wrong_order_invites_nobody() {
    let web = TestWeb::set_up(|data| settings(data, false));
    let open = opening(&web).await;
    let ats = Partner::new(&web, Role::Recruiter).await;
    assert_eq!(ats.send_test("none", "").await.0, StatusCode::NOT_FOUND);
    for inner in ["http://127.0.0.1:1/", "http://169.254.169.254/", "file:///etc/passwd"] {
        let (status, problem) = ats.send_test(&open, inner).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{inner}");
        assert_eq!(problem["fields"][0]["field"], "url", "{problem}");
    }
    let nameless = json!({"partner_test_id": open, "candidate": {"email": "no address"}});
    let (status, problem) = ats.ask(Method::POST, "/api/partner/send_test", nameless).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(problem["fields"].as_array().unwrap().len(), 2, "{problem}");
    web.post(&format!("/api/openings/{open}/state"), &json!({"state": "closed"})).await;
    assert_eq!(ats.send_test(&open, "").await.0, StatusCode::CONFLICT);
    assert_eq!(web.get("/api/interviews").await.1["total"], 0);
    let status = "/api/partner/test_status?partner_interview_id=none";
    assert_eq!(ats.get(status).await.0, StatusCode::NOT_FOUND);
}

/// U09: what a system could not read is taken notice of, whatever it says.
#[tokio::test]
async fn errors_of_a_partner_are_noted() {
    let web = TestWeb::set_up(|data| settings(data, false));
    let ats = Partner::new(&web, Role::Recruiter).await;
    for said in [
        json!({"api_call": "test_status", "errors": ["no url"], "partner_interview_id": 299506,
            "candidate_email": "harriet@example.org"}),
        json!(["anything"]),
    ] {
        let (status, answer) = ats.ask(Method::POST, "/api/partner/response_error", said).await;
        assert_eq!((status, answer), (StatusCode::OK, json!({"status": 200})));
    }
    let trail = web.get("/api/audit").await.1.to_string();
    assert!(trail.contains("test_status") && !trail.contains("harriet"), "{trail}");
}
