//! Blueprints that are written in the web: from a change of a file to the interviews that are made of it.

use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use serde_json::{Value, json};
use vivavoce::database::{NewBlueprintVersion, Role};
use vivavoce::journal::Inputs;
use vivavoce::store::FileStore;
use vivavoce::web::Config;

use crate::openings::form;
use crate::web::{TestWeb, config, launchable, no_livekit};

const VERSIONS: &str = "/api/blueprints/mock-interview/versions";
const CHECK: &str = "/api/blueprints/mock-interview/check";

fn web() -> TestWeb {
    TestWeb::set_up(settings)
}

fn settings(data: &std::path::Path) -> Config {
    Config {
        blueprints: ["mock-interview", "two-stage", "knowledge-transfer"].map(launchable).into(),
        ..config(data, no_livekit(), Duration::from_secs(3600))
    }
}

/// The files of a version.
async fn files(web: &TestWeb, number: i64) -> Vec<(String, String)> {
    let (status, version) = web.get(&format!("{VERSIONS}/{number}")).await;
    assert_eq!(status, StatusCode::OK, "{version}");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let files = version["files"].as_array().unwrap().iter();
    files.map(|file| (text(&file["name"]), text(&file["text"]))).collect()
}

fn with(
    files: &[(String, String)],
    name: &str,
    change: impl Fn(&str) -> String,
) -> Vec<(String, String)> {
    let mut files = files.to_vec();
    let file = files.iter_mut().find(|(file, _)| file == name).unwrap();
    let changed = change(&file.1);
    assert_ne!(file.1, changed, "the change changes something");
    file.1 = changed;
    files
}

fn draft(based_on: i64, files: &[(String, String)]) -> Value {
    let files: Vec<_> =
        files.iter().map(|(name, text)| json!({"name": name, "text": text})).collect();
    json!({"based_on": based_on, "files": files})
}

fn save(based_on: i64, files: &[(String, String)]) -> Value {
    let mut body = draft(based_on, files);
    body["note"] = json!("Shorter words");
    body
}

async fn numbers(web: &TestWeb) -> Vec<i64> {
    let (_, versions) = web.get(VERSIONS).await;
    versions.as_array().unwrap().iter().map(|it| it["number"].as_i64().unwrap()).collect()
}

/// Invites somebody to an opening; what their interview is frozen with.
async fn invited(web: &TestWeb, opening: &str) -> (String, Inputs) {
    let candidates = json!({"candidates": [{"name": "Ada"}]});
    let (status, invited) =
        web.post(&format!("/api/openings/{opening}/candidates"), &candidates).await;
    assert_eq!(status, StatusCode::CREATED, "{invited}");
    let id = invited[0]["id"].as_str().unwrap().to_owned();
    let inputs = inputs(web, &id);
    (id, inputs)
}

fn inputs(web: &TestWeb, id: &str) -> Inputs {
    let store = FileStore::open(web.data.path()).unwrap();
    store.folder(id.parse().unwrap()).unwrap().inputs().unwrap()
}

fn text_of(inputs: &Inputs, name: &str) -> String {
    inputs.files.iter().find(|(file, _)| file == name).unwrap().1.clone()
}

/// U02, B03: a change is checked, saved and used by every process at once; who was invited before keeps their
/// interview, and going back adds a version with the older text.
#[tokio::test]
async fn a_change_reaches_the_next_interviews_alone() {
    let web = web();
    let (_, opening) = web.post("/api/openings", &form()).await;
    let opening = opening["id"].as_str().unwrap();
    let (early, before) = invited(&web, opening).await;
    assert_eq!(numbers(&web).await, [0]);
    let first = files(&web, 0).await;
    assert_eq!(first[0].0, "blueprint.toml");

    let broken = with(&first, "closing.md", |text| format!("{text}{{{{ candidate.age }}}}\n"));
    let (status, found) = web.post(CHECK, &draft(0, &broken)).await;
    assert_eq!(status, StatusCode::OK, "{found}");
    let closing = &first.iter().find(|(name, _)| name == "closing.md").unwrap().1;
    let line = 1 + closing.matches('\n').count();
    let problem = &found["problems"][0];
    assert_eq!(
        (&problem["file"], &problem["line"]),
        (&json!("closing.md"), &json!(line)),
        "{found}"
    );
    let (status, refused) = web.post(VERSIONS, &save(0, &broken)).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{refused}");
    assert_eq!(refused["fields"][0]["field"], format!("closing.md:{line}"), "{refused}");
    assert_eq!(numbers(&web).await, [0]);

    let bridge = "Now a few words about what you did before.";
    let changed = with(&first, "past-experience.md", |text| {
        let line = text.lines().find(|line| line.starts_with("bridge")).unwrap();
        text.replace(line, &format!("bridge = \"{bridge}\""))
    });
    let changed = with(&changed, "blueprint.toml", |text| {
        let line = text.lines().find(|line| line.starts_with("title")).unwrap();
        text.replace(line, "title = \"Ours\"")
    });
    assert_eq!(web.post(CHECK, &draft(0, &changed)).await.1, json!({"problems": []}));
    assert_eq!(numbers(&web).await, [0], "a check keeps nothing");
    let other = TestWeb::set_up(|_| settings(web.data.path()));
    assert_eq!(other.get("/api/blueprints").await.1[0]["version"], 0);
    let (status, saved) = web.post(VERSIONS, &save(0, &changed)).await;
    assert_eq!((status, &saved["number"]), (StatusCode::CREATED, &json!(1)), "{saved}");
    assert_eq!((&saved["who"], &saved["note"]), (&json!("tests"), &json!("Shorter words")));

    let (_, offered) = other.get("/api/blueprints").await;
    assert_eq!((&offered[0]["version"], &offered[0]["title"]), (&json!(1), &json!("Ours")));
    assert_eq!(other.get("/api/openings").await.1[0]["blueprint_title"], "Ours");
    let (_, after) = invited(&web, opening).await;
    assert!(text_of(&after, "past-experience.md").contains(bridge));
    assert!(after.interview().is_ok(), "a worker can make the interview of it");
    assert_eq!(inputs(&web, &early), before, "as it was when they were invited");
    assert!(!text_of(&before, "past-experience.md").contains(bridge));

    let back = json!({"based_on": 1, "number": 0, "note": "As before"});
    let (status, row) = other.post("/api/blueprints/mock-interview/back", &back).await;
    assert_eq!((status, &row["number"]), (StatusCode::CREATED, &json!(2)), "{row}");
    assert_eq!(files(&web, 2).await, first);
    assert_eq!(files(&web, 1).await, changed, "no version is ever changed");
    let (_, again) = invited(&web, opening).await;
    assert_eq!(text_of(&again, "past-experience.md"), text_of(&before, "past-experience.md"));
    assert_eq!(numbers(&other).await, [2, 1, 0]);

    let (_, audit) = web.get("/api/audit").await;
    for (what, detail) in [
        ("changed a blueprint", "version 1"),
        ("took a blueprint back", "version 2: the text of version 0"),
    ] {
        let is_it = |row: &&Value| {
            row["what"] == what && row["object"] == "mock-interview" && row["detail"] == detail
        };
        assert!(audit.as_array().unwrap().iter().any(|row| is_it(&row)), "{what}: {audit}");
    }
}

/// U02: of two who change the same version one is refused in a sentence, and nothing of the other is lost.
#[tokio::test]
async fn a_change_beside_another_is_refused() {
    let web = web();
    let first = files(&web, 0).await;
    let one = with(&first, "closing.md", |text| format!("{text}Be brief.\n"));
    let other = with(&first, "closing.md", |text| format!("{text}Be kind.\n"));
    assert_eq!(web.post(VERSIONS, &save(0, &one)).await.0, StatusCode::CREATED);
    let (status, why) = web.post(VERSIONS, &save(0, &other)).await;
    assert_eq!(status, StatusCode::CONFLICT);
    assert!(why["message"].as_str().unwrap().starts_with("Somebody else has saved"), "{why}");
    let back = json!({"based_on": 0, "number": 0, "note": "Back"});
    let path = "/api/blueprints/mock-interview/back";
    assert_eq!(web.post(path, &back).await.0, StatusCode::CONFLICT);
    assert_eq!((numbers(&web).await, files(&web, 1).await), (vec![1, 0], one));
    assert_eq!(web.post(VERSIONS, &save(1, &other)).await.1["number"], 2);
    let (status, _) = web.post(VERSIONS, &save(7, &first)).await;
    assert_eq!(status, StatusCode::NOT_FOUND, "there is no such version to begin from");
}

/// U01: a viewer reads versions and changes nothing.
#[tokio::test]
async fn a_viewer_reads_and_writes_nothing() {
    let web = web();
    let first = files(&web, 0).await;
    let (_, key) = web.database.make_key("reader", Role::Viewer).await.unwrap();
    let ask = async |method: &str, path: &str, body: &Value| {
        let request = Request::builder().method(method).uri(path);
        let request = request.header(header::AUTHORIZATION, format!("Bearer {key}"));
        let request = request.header(header::CONTENT_TYPE, "application/json");
        web.ask(request.body(Body::from(body.to_string())).unwrap()).await.0
    };
    for path in ["/api/blueprints/newest", VERSIONS, &format!("{VERSIONS}/0")] {
        assert_eq!(ask("GET", path, &Value::Null).await, StatusCode::OK, "{path}");
    }
    let copy = json!({"number": 0, "name": "own", "title": "Own"});
    let back = json!({"based_on": 0, "number": 0, "note": "x"});
    for (path, body) in [
        (VERSIONS, &save(0, &first)),
        (CHECK, &draft(0, &first)),
        ("/api/blueprints/mock-interview/copy", &copy),
        ("/api/blueprints/mock-interview/back", &back),
    ] {
        assert_eq!(ask("POST", path, body).await, StatusCode::FORBIDDEN, "{path}");
    }
    assert_eq!(web.database.newest_blueprints().await.unwrap(), []);
}

/// B01: what is no blueprint, or could hold the server up, is never saved.
#[tokio::test]
async fn what_cannot_be_read_is_never_saved() {
    let web = web();
    let first = files(&web, 0).await;
    let adding = |name: &str, text: &str| {
        let mut files = first.clone();
        files.push((name.to_owned(), text.to_owned()));
        files
    };
    let without_head: Vec<_> =
        first.iter().filter(|(name, _)| name != "blueprint.toml").cloned().collect();
    let many: Vec<_> = (0..40).map(|n| (format!("a{n}.md"), String::new())).collect();
    for (files, file) in [
        (vec![], "blueprint.toml"),
        (without_head, "blueprint.toml"),
        (many, "blueprint.toml"),
        (with(&first, "blueprint.toml", |text| text.replace("stages", "stagse")), "blueprint.toml"),
        (with(&first, "closing.md", |text| text.replacen("+++", "", 1)), "closing.md"),
        (with(&first, "closing.md", |text| format!("{text}{{{{ role * 9 }}}}")), "closing.md"),
        (
            with(&first, "closing.md", |text| {
                format!("{text}{{% for a in range(99999) %}}x{{% endfor %}}")
            }),
            "closing.md",
        ),
        (adding("../closing.md", "x"), "../closing.md"),
        (adding("closing.md", "x"), "closing.md"),
        (adding("own-questions.md", "x"), "own-questions.md"),
        (adding("long.md", &"x".repeat(70_000)), "long.md"),
    ] {
        let (status, refused) = web.post(VERSIONS, &save(0, &files)).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{file}: {refused}");
        let field = refused["fields"][0]["field"].as_str().unwrap();
        assert!(field.starts_with(&format!("{file}:")), "{file}: {refused}");
    }
    let (status, refused) = web.post(VERSIONS, &draft(0, &first)).await;
    assert_eq!(
        (status, &refused["fields"][0]["field"]),
        (StatusCode::UNPROCESSABLE_ENTITY, &json!("note"))
    );
    assert_eq!(numbers(&web).await, [0]);
    for path in ["/api/blueprints/none/versions", "/api/blueprints/mock-interview/versions/x"] {
        assert_eq!(web.get(path).await.0, StatusCode::NOT_FOUND, "{path}");
    }
}

/// U02: a question about what employers should not ask needs a reason, once; the audit trail has it.
#[tokio::test]
async fn a_sensitive_question_needs_a_reason() {
    let web = web();
    let question = "Do you have children?";
    let asking = with(&files(&web, 0).await, "past-experience.md", |text| {
        text.replacen("questions     = [", &format!("questions     = [\n  \"{question}\","), 1)
    });
    let (_, found) = web.post(CHECK, &draft(0, &asking)).await;
    let problem = &found["problems"][0];
    assert_eq!(
        (&problem["question"], &problem["file"]),
        (&json!(question), &json!("past-experience.md"))
    );
    assert!(problem["message"].as_str().unwrap().contains("asks about family"), "{found}");
    assert_eq!(web.post(VERSIONS, &save(0, &asking)).await.0, StatusCode::UNPROCESSABLE_ENTITY);
    let mut reasoned = save(0, &asking);
    reasoned["reasons"] =
        json!([{"question": question, "reason": "The law on nurseries asks for it."}]);
    assert_eq!(web.post(VERSIONS, &reasoned).await.0, StatusCode::CREATED);
    let (_, audit) = web.get("/api/audit").await;
    let detail = "family: The law on nurseries asks for it.";
    assert!(audit.as_array().unwrap().iter().any(|row| row["detail"] == detail), "{audit}");
    let next = with(&asking, "closing.md", |text| format!("{text}Be brief.\n"));
    let (status, again) = web.post(VERSIONS, &save(1, &next)).await;
    assert_eq!(status, StatusCode::CREATED, "it was given already: {again}");
}

/// U02: a copy is a blueprint of its own, which can be launched and changed; its name is checked.
#[tokio::test]
async fn a_copy_is_a_blueprint_of_its_own() {
    let web = web();
    let path = "/api/blueprints/knowledge-transfer/copy";
    let copy = |name: &str, title: &str| json!({"number": 0, "name": name, "title": title});
    let long = "a".repeat(41);
    for name in ["", "Own", "a b", "../x", "-a", "lang", "two-stage", long.as_str()] {
        let (status, refused) = web.post(path, &copy(name, "Own")).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{name}");
        assert_eq!(refused["fields"][0]["field"], "name", "{name}: {refused}");
    }
    assert_eq!(web.post(path, &copy("own", " ")).await.1["fields"][0]["field"], "title");
    let (status, made) = web.post(path, &copy("own", "Our \"own\" handover")).await;
    assert_eq!((status, &made["number"]), (StatusCode::CREATED, &json!(1)), "{made}");
    assert_eq!(web.post(path, &copy("own", "Own")).await.0, StatusCode::UNPROCESSABLE_ENTITY);
    let (_, rows) = web.get("/api/blueprints/newest").await;
    let row = rows.as_array().unwrap().iter().find(|row| row["name"] == "own").unwrap();
    assert_eq!(
        (&row["title"], &row["based_on"], &row["version"], &row["who"], &row["is_readable"]),
        (
            &json!("Our \"own\" handover"),
            &json!("knowledge-transfer"),
            &json!(1),
            &json!("tests"),
            &json!(true)
        )
    );
    let (_, offered) = web.get("/api/blueprints").await;
    assert_eq!((&offered[3]["name"], &offered[3]["has_sample"]), (&json!("own"), &json!(true)));
    assert_eq!(web.get("/api/blueprints/own/sample").await.0, StatusCode::OK);
    let launch = json!({"name": "Bo", "role": "Engineer", "level": "senior", "blueprint": "own"});
    let (status, launched) = web.post("/api/interviews", &launch).await;
    assert_eq!(status, StatusCode::CREATED, "{launched}");
    assert_eq!(inputs(&web, launched["id"].as_str().unwrap()).blueprint, "own");
}

/// N04: a version that this program cannot read is offered to nobody; the folder's text takes its place, and
/// the list says so.
#[tokio::test]
async fn a_version_that_cannot_be_read_is_not_offered() {
    let web = web();
    for (name, files) in [("mock-interview", "[]"), ("alone", "no JSON")] {
        let new = NewBlueprintVersion { name, after: 0, files, who: "A", note: "x", based_on: "" };
        assert_eq!(web.database.add_blueprint_version(new).await.unwrap(), Some(1));
    }
    let (_, offered) = web.get("/api/blueprints").await;
    let names: Vec<_> =
        offered.as_array().unwrap().iter().map(|it| (&it["name"], &it["version"])).collect();
    assert_eq!(names[0], (&json!("mock-interview"), &json!(0)));
    assert_eq!(names.len(), 3);
    let (_, rows) = web.get("/api/blueprints/newest").await;
    for name in ["mock-interview", "alone"] {
        let row = rows.as_array().unwrap().iter().find(|row| row["name"] == name).unwrap();
        assert_eq!((&row["is_readable"], &row["version"]), (&json!(false), &json!(1)), "{row}");
    }
    assert!(!web.launch().await.is_empty());
    let back = json!({"based_on": 1, "number": 0, "note": "Back"});
    let (status, _) = web.post("/api/blueprints/mock-interview/back", &back).await;
    assert_eq!(status, StatusCode::CREATED);
    assert_eq!(web.get("/api/blueprints").await.1[0]["version"], 2);
}
