//! Reports of interviews over the API: by rules, and by a model behind a real socket that is right, makes
//! quotes up, writes nonsense or is too late; and as files.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use axum::{
    body::Body,
    http::{Request, StatusCode, header},
};
use serde_json::{Value, json};
use vivavoce::{
    blueprint::{Criterion, Need},
    interview::{Effect, End, Event},
    journal::{self, Header, Inputs},
    planning::Planner,
    providers::llm_openai::{self, Settings},
    store::{FileStore, Folder, InterviewId, JournalStore, Plans, Projection},
    web::Config,
};

use crate::{
    chat_server::{Asked, ChatServer, Step, answer, json_answer},
    client::PATIENCE,
    gate::Gate,
    web::{TestWeb, config, entry, no_livekit, write_journal},
    webhooks::until,
};

const ROOM: &str = "crates/interview/tests/journals/room-two-stage";
/// Words of the first turn of that interview.
const SAID: &str = "I have worked on payments systems for six years";

pub(crate) fn with_model(data: &Path, settings: Settings) -> Config {
    let open = move |_: &_| Ok(Arc::new(llm_openai::model("stub", &settings).unwrap()) as Arc<_>);
    let planner = Arc::new(Planner::new(Plans::of(data), open));
    Config { planner, ..config(data, no_livekit(), Duration::from_secs(3600)) }
}

/// The inputs of a real interview with two criteria.
fn inputs() -> Inputs {
    let text = std::fs::read_to_string(format!("{ROOM}/inputs.json")).unwrap();
    let mut inputs: Inputs = serde_json::from_str(&text).unwrap();
    let criterion = |name: &str, weight, priority| Criterion {
        name: name.to_owned(),
        about: "By what they did.".to_owned(),
        priority,
        weight,
    };
    inputs.context.focus.criteria =
        vec![criterion("Payments", 3, Need::Must), criterion("Teamwork", 1, Need::Nice)];
    inputs
}

/// The real interview in the store of a web app, as a worker leaves it.
async fn held(web: &TestWeb) -> (String, Folder) {
    let (id, inputs) = (InterviewId::random(), inputs());
    FileStore::open(web.data.path()).unwrap().create(id, &inputs, None).await.unwrap();
    let text = std::fs::read_to_string(format!("{ROOM}/journal.jsonl")).unwrap();
    let (_, entries) = text.split_once('\n').unwrap();
    let header = journal::line(&Header::new(&id.to_string(), 1_795_282_807_216, &inputs));
    let folder = web.folder();
    write_journal(&folder, &(header + entries));
    (format!("/api/interviews/{id}/report"), folder)
}

/// A web app with that interview and a model, and the report's address.
pub(crate) async fn held_with_model(settings: Settings) -> (TestWeb, String, Folder) {
    let web = TestWeb::set_up(|data| with_model(data, settings));
    let (path, folder) = held(&web).await;
    (web, path, folder)
}

/// The report when nobody makes it any more.
pub(crate) async fn made(web: &TestWeb, path: &str) -> Value {
    let mut report = Value::Null;
    let is_made = async || {
        let status;
        (status, report) = web.get(path).await;
        assert_eq!(status, StatusCode::OK, "{report}");
        report["state"] != "making"
    };
    until("the report is made", is_made).await;
    report
}

/// An answer of a model with this text, and what it has cost.
pub(crate) fn says(text: &str) -> Vec<Step> {
    let message = json!({ "role": "assistant", "content": text });
    let choice = json!({ "index": 0, "message": message, "finish_reason": "stop" });
    let usage = json!({ "prompt_tokens": 100, "completion_tokens": 20 });
    json_answer("200 OK", &json!({ "choices": [choice], "usage": usage }))
}

fn assessed(level: u8, turn: u32, quote: &str, questions: &[u32]) -> String {
    let evidence = json!([{ "turn": turn, "quote": quote }]);
    let evidence = if quote.is_empty() { json!([]) } else { evidence };
    json!({ "level": level, "reason": "It shows.", "evidence": evidence, "questions": questions })
        .to_string()
}

fn is_about(asked: &Asked, criterion: &str) -> bool {
    let user = asked.body["messages"][1]["content"].as_str().unwrap();
    user.starts_with(&format!("<criterion>\n{criterion}\n"))
}

/// A model that is right about payments, and says that nobody asked about teamwork.
pub(crate) fn right(asked: &Asked) -> Vec<Step> {
    match is_about(asked, "Payments") {
        true => says(&assessed(4, 1, SAID, &[1])),
        false => says(&assessed(0, 1, "", &[])),
    }
}

/// What code alone says of an interview.
fn facts(report: &Value) -> Vec<Value> {
    let parts =
        ["header", "questions", "facts", "todos", "candidate_questions", "corrections", "timeline"];
    parts.map(|part| report[part].clone()).into()
}

/// U05: without a model the report is made by rules at once: facts, coverage and quotes by question, no level
/// and nothing kept.
#[tokio::test]
async fn rules_make_a_report_without_levels() {
    let web = TestWeb::new();
    let (path, folder) = held(&web).await;
    let (status, report) = web.get(&path).await;
    assert_eq!(
        (status, &report["state"], &report["v"]),
        (StatusCode::OK, &json!("ready"), &json!(1))
    );
    assert_eq!((&report["made"]["by"], &report["made"]["model"]), (&json!("rules"), &Value::Null));
    for criterion in report["criteria"].as_array().unwrap() {
        assert_eq!(
            (&criterion["verdict"], &criterion["level"]),
            (&json!("no_level"), &Value::Null)
        );
    }
    assert_eq!(report["overall"]["weighted"], Value::Null);
    assert_eq!(report["questions"][0]["quotes"][0]["turn"], 1);
    assert_eq!(facts(&web.post(&path, &Value::Null).await.1), facts(&report), "made anew");
    assert!(!folder.path().join(Projection::Report.name()).exists(), "a model may follow");
}

/// U05, U06: a model is asked once for each criterion; its level stands with the words that were found, when
/// they were said, its name, its prompt and its tokens; the report is kept.
#[tokio::test]
async fn a_model_makes_a_report_once() {
    // The model answers when all have asked for the report.
    let gate = Gate::shut();
    let waits = Step::Wait(gate.clone());
    let server = ChatServer::start(move |asked| [vec![waits.clone()], right(asked)].concat());
    let (web, path, folder) = held_with_model(server.config()).await;
    let (first, second) = tokio::join!(web.get(&path), web.get(&path));
    assert_eq!((&first.1["state"], &second.1["state"]), (&json!("making"), &json!("making")));
    assert_eq!((&first.1["criteria"], &first.1["made"]), (&json!([]), &Value::Null));
    assert_eq!(web.post(&path, &Value::Null).await.1["state"], "making", "it joins");
    gate.open();
    let report = made(&web, &path).await;
    assert_eq!(server.asked().len(), 2, "one call for each criterion");
    assert_eq!(facts(&first.1), facts(&report), "the facts were there before");
    let [payments, teamwork] = report["criteria"].as_array().unwrap().as_slice() else { panic!() };
    assert_eq!((&payments["level"], &payments["verdict"]), (&json!(4), &json!("met")));
    let evidence = &payments["evidence"][0];
    assert_eq!(evidence["quote"], "i have worked on payments systems for six years");
    let said = |end: &str| evidence[end].as_u64().unwrap();
    assert!(8_192 < said("start_ms") && said("start_ms") < said("end_ms"), "{evidence}");
    assert!(said("end_ms") < 14_000, "{evidence}");
    assert_eq!((&teamwork["level"], &teamwork["verdict"]), (&Value::Null, &json!("not_asked")));
    assert_eq!(report["overall"]["weighted"], 4.0, "not asked is no zero");
    let made_by = &report["made"];
    assert_eq!((&made_by["by"], &made_by["model"]), (&json!("model"), &json!("stub")));
    assert_eq!((&made_by["tokens_in"], &made_by["tokens_out"]), (&json!(200), &json!(40)));
    assert_eq!(made_by["prompt_hash"].as_str().unwrap().len(), 64);

    // Another process finds it kept, as long as the journal is the same.
    assert!(folder.path().join(Projection::Report.name()).exists());
    let other = TestWeb::set_up(|_| with_model(web.data.path(), server.config()));
    assert_eq!(other.get(&path).await.1, report);
    assert_eq!(server.asked().len(), 2);
    let kept = folder.path().join(Projection::Report.name());
    let text = std::fs::read_to_string(&kept).unwrap();
    let hash = made_by["prompt_hash"].as_str().unwrap();
    std::fs::write(&kept, text.replace(hash, &"0".repeat(64))).unwrap();
    made(&other, &path).await;
    assert_eq!(server.asked().len(), 4, "other instructions make another report");
}

/// U05: made anew, a report has the same facts; when the journal changes it is made anew by itself.
#[tokio::test]
async fn a_report_made_anew_has_the_same_facts() {
    let server = ChatServer::start(right);
    let (web, path, folder) = held_with_model(server.config()).await;
    web.get(&path).await;
    let report = made(&web, &path).await;
    assert_eq!(web.post(&path, &Value::Null).await.1["state"], "making");
    let again = made(&web, &path).await;
    assert_eq!((server.asked().len(), facts(&again)), (4, facts(&report)));
    assert_eq!(again["criteria"], report["criteria"]);
    let journal = folder.path().join("journal.jsonl");
    let text = std::fs::read_to_string(&journal).unwrap();
    let n = text.lines().count() as u64;
    let last = journal::parse(&text).unwrap().1.last().unwrap().at;
    let more = json!({"n": n, "at": last, "heard": last, "event": "tick", "effects": []});
    write_journal(&folder, &(text + &journal::line(&more)));
    web.get(&path).await;
    made(&web, &path).await;
    assert_eq!(server.asked().len(), 6);
}

/// U06: quotes that nobody said are told to the model, once; said again they are dropped, and the criterion
/// reads "insufficient evidence" without a level.
#[tokio::test]
async fn invented_quotes_are_dropped() {
    let server = ChatServer::start(|asked| match is_about(asked, "Payments") {
        true => says(&assessed(5, 1, "I led forty people in Berlin", &[1])),
        false => right(asked),
    });
    let (web, path, _) = held_with_model(server.config()).await;
    web.get(&path).await;
    let report = made(&web, &path).await;
    let payments = &report["criteria"][0];
    assert_eq!(
        (&payments["level"], &payments["verdict"], &payments["evidence"]),
        (&Value::Null, &json!("insufficient_evidence"), &json!([]))
    );
    assert!(!report.to_string().contains("forty people"));
    let asked = server.asked();
    let about: Vec<_> = asked.iter().filter(|asked| is_about(asked, "Payments")).collect();
    assert_eq!((asked.len(), about.len()), (3, 2));
    let told = about[1].body["messages"][1]["content"].as_str().unwrap();
    assert!(
        told.contains("turn 1 does not have the words \"I led forty people in Berlin\""),
        "{told}"
    );

    // A model that mends it is believed.
    let has_erred = AtomicBool::new(false);
    let server = ChatServer::start(move |asked| {
        let errs = is_about(asked, "Payments") && !has_erred.swap(true, Ordering::Relaxed);
        if errs { says(&assessed(5, 7, SAID, &[1])) } else { right(asked) }
    });
    let (web, path, _) = held_with_model(server.config()).await;
    web.get(&path).await;
    assert_eq!(made(&web, &path).await["criteria"][0]["level"], 4);
}

/// U06: a criterion about which the model writes nonsense twice reads "failed", without a level, and the
/// others stand.
#[tokio::test]
async fn one_failure_is_one_criterion() {
    let server = ChatServer::start(|asked| match is_about(asked, "Payments") {
        true => right(asked),
        false => says("{\"level\": 7}"),
    });
    let (web, path, _) = held_with_model(server.config()).await;
    web.get(&path).await;
    let report = made(&web, &path).await;
    assert_eq!((&report["state"], server.asked().len()), (&json!("ready"), 3));
    let [payments, teamwork] = report["criteria"].as_array().unwrap().as_slice() else { panic!() };
    assert_eq!((&payments["level"], &teamwork["level"]), (&json!(4), &Value::Null));
    assert_eq!(teamwork["verdict"], "failed");
    assert!(teamwork["reason"].as_str().unwrap().starts_with("The model failed: "), "{teamwork}");
    let words = report["overall"]["words"].as_str().unwrap();
    assert!(words.contains("1 not assessed, as the model failed"), "{words}");
}

/// U06: when all calls fail the report says so in one sentence, has its facts and no level, and is made again
/// when somebody wants it, not at every look.
#[tokio::test]
async fn a_failed_report_says_so() {
    let refusal = json!({"error": {"message": "no such model", "type": "invalid_request_error"}});
    let nonsense = answer("200 OK", "content-type: application/json\r\n", "{}");
    let soon = Duration::from_millis(300);
    for (steps, says_why, document_limit) in [
        (json_answer("404 Not Found", &refusal), "no such model", PATIENCE),
        (nonsense, "no chat completion", PATIENCE),
        (vec![Step::Hang], "document_limit", soon),
        (vec![Step::Reset], "broke off", PATIENCE),
    ] {
        let server = ChatServer::playing(vec![steps]);
        let settings = Settings { document_limit, ..server.config() };
        let (web, path, folder) = held_with_model(settings).await;
        web.get(&path).await;
        let report = made(&web, &path).await;
        assert_eq!(report["state"], "failed", "{report}");
        let trouble = report["trouble"].as_str().unwrap();
        assert!(
            trouble.starts_with("The report failed: ") && trouble.contains(says_why),
            "{trouble}"
        );
        assert_eq!(
            (&report["criteria"], &report["overall"]["weighted"]),
            (&json!([]), &Value::Null)
        );
        assert!(report["facts"]["words"].as_u64().unwrap() > 50);
        assert!(!folder.path().join(Projection::Report.name()).exists());
        // A call that is given up so soon may come to the server later, or never.
        let calls = (document_limit == PATIENCE).then(|| server.asked().len());
        assert_eq!(web.get(&path).await.1, report);
        assert!(calls.is_none_or(|calls| server.asked().len() == calls), "a look asks nobody");
        assert_eq!(web.post(&path, &Value::Null).await.1["state"], "making");
        made(&web, &path).await;
        assert!(calls.is_none_or(|calls| server.asked().len() > calls), "somebody wanted it");
    }
}

/// U05: a report that cannot be made anew stays as it was, and says why.
#[tokio::test]
async fn a_failure_loses_no_report() {
    let is_down = Arc::new(AtomicBool::new(false));
    let down = is_down.clone();
    let server = ChatServer::start(move |asked| match down.load(Ordering::Relaxed) {
        true => json_answer("404 Not Found", &json!({"error": {"message": "gone"}})),
        false => right(asked),
    });
    let (web, path, _) = held_with_model(server.config()).await;
    web.get(&path).await;
    let report = made(&web, &path).await;
    is_down.store(true, Ordering::Relaxed);
    web.post(&path, &Value::Null).await;
    let again = made(&web, &path).await;
    assert_eq!((&again["state"], &again["criteria"]), (&json!("ready"), &report["criteria"]));
    let trouble = again["trouble"].as_str().unwrap();
    assert!(
        trouble.starts_with("It could not be made anew: ") && trouble.contains("gone"),
        "{trouble}"
    );
}

/// U05: an interview that is not over has no report, and an unknown one none at all.
#[tokio::test]
async fn no_report_before_the_end() {
    let web = TestWeb::new();
    web.launch().await;
    let path = format!("/api/interviews/{}", web.folder().id());
    let (status, report) = web.get(&format!("{path}/report")).await;
    assert_eq!((status, &report["state"]), (StatusCode::OK, &json!("none")));
    assert_eq!((&report["criteria"], &report["questions"]), (&json!([]), &json!([])));
    for format in ["json", "csv", "md", "vtt"] {
        let (status, problem) = web.get(&format!("{path}/export/{format}")).await;
        assert_eq!(status, StatusCode::CONFLICT, "{problem}");
    }
    let nobody = format!("/api/interviews/{}/report", InterviewId::random());
    assert_eq!(web.get(&nobody).await.0, StatusCode::NOT_FOUND);
}

/// U05, U06: of an interview in which nothing was said a report says "not asked" of all, and no model is
/// asked.
#[tokio::test]
async fn nobody_is_judged_by_silence() {
    let server = ChatServer::start(right);
    let (web, path, folder) = held_with_model(server.config()).await;
    let header = journal::line(&Header::new("x", 0, &inputs()));
    let ended = entry(1, Event::Tick, vec![Effect::Hangup { end: End::NoShow }]);
    write_journal(&folder, &(header + &ended));
    let (_, report) = web.get(&path).await;
    let verdicts: Vec<_> =
        report["criteria"].as_array().unwrap().iter().map(|it| it["verdict"].clone()).collect();
    assert_eq!((&report["state"], verdicts), (&json!("ready"), vec![json!("not_asked"); 2]));
    assert_eq!(report["header"]["quality"], json!(["The candidate said nothing."]));
    assert_eq!(server.asked().len(), 0);
}

/// U07: a report and its transcript are files to take along, whose names name nobody; JSON is as the schema
/// says.
#[tokio::test]
async fn reports_are_exported() {
    let server = ChatServer::start(right);
    let (web, path, folder) = held_with_model(server.config()).await;
    let export = path.replace("/report", "/export");
    let (status, problem) = web.get(&format!("{export}/json")).await;
    assert_eq!(status, StatusCode::CONFLICT, "it is being made: {problem}");
    let report = made(&web, &path).await;
    let mut texts = Vec::new();
    for (format, kind, what) in [
        ("json", "application/json", "report"),
        ("csv", "text/csv; charset=utf-8", "report"),
        ("md", "text/markdown; charset=utf-8", "report"),
        ("vtt", "text/vtt; charset=utf-8", "transcript"),
    ] {
        let request = Request::get(format!("{export}/{format}")).body(Body::empty()).unwrap();
        let response = web.raw(request).await;
        assert_eq!(response.status(), StatusCode::OK, "{format}");
        let named = format!("attachment; filename=\"vivavoce-{what}-{}.{format}\"", folder.id());
        let headers = response.headers().clone();
        assert_eq!(headers[header::CONTENT_DISPOSITION].to_str().unwrap(), named);
        assert_eq!(headers[header::CONTENT_TYPE], kind);
        let body = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
        texts.push(String::from_utf8(body.to_vec()).unwrap());
    }
    let [json, csv, md, vtt] = texts.try_into().unwrap();
    let mut exported = serde_json::from_str::<Value>(&json).unwrap();
    let extra = exported.as_object_mut().unwrap();
    let sheet = extra.remove("latency_sheet").unwrap();
    let column = |name: &str| -> u64 {
        sheet["parts"].as_array().unwrap().iter().map(|part| part[name].as_u64().unwrap()).sum()
    };
    assert!(sheet["replies"].as_u64() > Some(0), "{sheet}");
    assert_eq!(
        (sheet["half_ms"].as_u64(), sheet["most_ms"].as_u64()),
        (Some(column("half_ms")), Some(column("most_ms")))
    );
    assert_eq!(extra.remove("cost").unwrap()["items"][0]["purpose"], "report");
    assert_eq!(exported, report);
    let rows: Vec<_> = csv.lines().collect();
    assert_eq!(rows.len(), 3, "a row for each criterion: {csv}");
    assert!(
        rows[1].contains(",Ada,Backend engineer,") && rows[1].contains(",Payments,must,3,4,met,")
    );
    assert!(rows[2].contains(",Teamwork,nice,1,,not_asked,"), "{}", rows[2]);
    assert!(md.contains("### Payments\n\nmet, level 4 of 5 (must, weight 3)"), "{md}");
    assert!(md.contains("> i have worked on payments systems for six years ("), "{md}");
    assert!(
        vtt.starts_with("WEBVTT\n\n1\n00:00:00.241 --> 00:00:07.761\n<v Interviewer>Hello"),
        "{vtt}"
    );
    assert_eq!(vtt.matches(" --> ").count(), 17);
    assert_eq!(web.get(&format!("{export}/pdf")).await.0, StatusCode::NOT_FOUND);
}

/// U07: `docs/report.schema.json` is what the program writes, and what it writes is valid by it; a report
/// that lacks something is not. `VIVAVOCE_BLESS=1` writes it anew.
#[tokio::test]
async fn the_published_schema_is_true() {
    let path_of_schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/report.schema.json");
    let current = vivavoce::web::report_schema_json();
    if std::env::var_os("VIVAVOCE_BLESS").is_some() {
        std::fs::write(&path_of_schema, &current).unwrap();
    }
    let committed = std::fs::read_to_string(&path_of_schema).unwrap();
    assert!(
        committed == current,
        "docs/report.schema.json is old: run `VIVAVOCE_BLESS=1 cargo test --test all published_schema`"
    );
    let server = ChatServer::start(right);
    let (web, path, _) = held_with_model(server.config()).await;
    let making = web.get(&path).await.1;
    let ready = made(&web, &path).await;
    let (plain, launched) = (TestWeb::new(), TestWeb::new());
    let (path, _) = held(&plain).await;
    launched.launch().await;
    let none = format!("/api/interviews/{}/report", launched.folder().id());
    let none = launched.get(&none).await.1;
    for report in [making, ready.clone(), plain.get(&path).await.1, none] {
        assert_eq!(faults(&path_of_schema, &report), "");
    }
    for (part, wrong) in [("facts", Value::Null), ("state", json!("done")), ("v", json!("1"))] {
        let mut report = ready.clone();
        report[part] = wrong;
        assert!(faults(&path_of_schema, &report).contains(part), "{part}");
        report.as_object_mut().unwrap().remove(part);
        assert!(faults(&path_of_schema, &report).contains(part), "without {part}");
    }
}

/// What a validator of JSON Schema finds wrong, in its words.
fn faults(schema: &Path, report: &Value) -> String {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), report.to_string()).unwrap();
    let python = crate::libwebrtc::python();
    let mut command = std::process::Command::new(python.with_file_name("check-jsonschema"));
    let checked = command.arg("--schemafile").arg(schema).arg(file.path()).output().unwrap();
    let said = String::from_utf8(checked.stdout).unwrap();
    if checked.status.success() { String::new() } else { said }
}
