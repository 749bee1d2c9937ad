//! Plans of interviews over the API, by simple rules and by a model behind a real socket, and what comes
//! out of such interviews.

use std::{path::Path, sync::Arc, time::Duration};

use axum::{
    body::Body,
    http::{Request, StatusCode, header},
};
use serde_json::{Value, json};
use vivavoce::{
    blueprint::{Blueprint, Urgency},
    interview::{Event, Phase},
    journal::{self, Entry, Header, Inputs},
    planning::Planner,
    providers::llm_openai::{self, Settings},
    sim,
    store::{FileStore, JournalStore, Lease, Plans, Projection},
    web::Config,
};

use crate::{
    chat_server::{ChatServer, Step, answer, json_answer},
    client::PATIENCE,
    web::{TestWeb, config, launchable, no_livekit},
};

/// A web app that offers both interviews with a plan.
fn web(with: impl FnOnce(&Path, Config) -> Config) -> TestWeb {
    TestWeb::set_up(|data| {
        let blueprints = ["mock-interview", "knowledge-transfer", "discovery"].map(launchable);
        let plain = config(data, no_livekit(), Duration::from_secs(3600));
        with(data, Config { blueprints: blueprints.into(), ..plain })
    })
}

/// The same without a model.
fn plain_web() -> TestWeb {
    web(|_, plain| plain)
}

/// The same, whose plans and summaries a model makes.
fn web_with_model(settings: Settings) -> TestWeb {
    web(|data, plain| {
        let open =
            move |_: &_| Ok(Arc::new(llm_openai::model("stub", &settings).unwrap()) as Arc<_>);
        Config { planner: Arc::new(Planner::new(Plans::of(data), open)), ..plain }
    })
}

fn launch(blueprint: &str, more: Value) -> Value {
    let mut form = json!({"name": "Ilse Varga", "role": "Risk analyst", "level": "senior",
        "blueprint": blueprint});
    form.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    form
}

/// An answer of a model with this text.
fn says(text: &Value) -> Vec<Step> {
    let message = json!({ "role": "assistant", "content": text.to_string() });
    let choice = json!({ "index": 0, "message": message, "finish_reason": "stop" });
    json_answer("200 OK", &json!({ "choices": [choice] }))
}

/// K01, K05, L07: the sample project's documents become a plan that quotes them, the same each time;
/// edited it is what the interview is launched with.
#[tokio::test]
async fn a_plan_is_made_edited_and_launched() {
    let web = plain_web();
    let (_, blueprints) = web.get("/api/blueprints").await;
    assert_eq!((&blueprints[1]["rounds"], &blueprints[2]["rounds"]), (&json!(10), &Value::Null));
    let told: Vec<_> = blueprints
        .as_array()
        .unwrap()
        .iter()
        .map(|b| (b["planned"].as_str().unwrap(), b["has_sample"].as_bool().unwrap()))
        .collect();
    assert_eq!(told, [("nothing", false), ("questions", true), ("topics", false)]);
    let (status, documents) = web.get("/api/blueprints/knowledge-transfer/sample").await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(documents.as_array().unwrap().len(), 3, "{documents}");
    assert_eq!(web.get("/api/blueprints/discovery/sample").await.0, StatusCode::NOT_FOUND);

    let form = json!({"blueprint": "knowledge-transfer", "documents": documents});
    let (status, plan) = web.post("/api/plans", &form).await;
    assert_eq!(
        (status, &plan["by"], &plan["trouble"]),
        (StatusCode::OK, &json!("rules"), &Value::Null)
    );
    let questions = plan["questions"].as_array().unwrap();
    let texts: Vec<_> = questions.iter().map(|q| q["text"].as_str().unwrap()).collect();
    assert!(texts.iter().any(|text| text.contains("The loss threshold is 0.3")), "{texts:?}");
    assert!(
        ["README.md", "contacts.csv"].iter().all(|name| texts.iter().any(|t| t.contains(name)))
    );
    assert_eq!(questions[0]["priority"], "P0");
    assert_eq!(web.post("/api/plans", &form).await.1, plan, "the same again");

    let edited = json!([
        {"id": "mine", "text": "Who is Jean Roux?", "priority": "P2"},
        {"id": "plan-1", "text": texts[1], "priority": "P0"},
    ]);
    let more = json!({"documents": documents, "questions": edited, "signature": plan["signature"]});
    let (status, launched) = web.post("/api/interviews", &launch("knowledge-transfer", more)).await;
    assert_eq!(status, StatusCode::CREATED, "{launched}");
    let inputs = web.folder().inputs().unwrap();
    let planned: Vec<_> =
        inputs.context.plan.iter().map(|q| (q.id.as_str(), q.text.as_str(), q.priority)).collect();
    let expected =
        [("plan-1", "Who is Jean Roux?", Urgency::P2), ("plan-2", texts[1], Urgency::P0)];
    assert_eq!(planned, expected);
    assert_eq!(inputs.context.documents.len(), 3);
    let id = launched["id"].as_str().unwrap();
    let (_, view) = web.get(&format!("/api/interviews/{id}")).await;
    let shown = &view["plan"]["questions"];
    assert_eq!(
        (shown[0]["text"].as_str(), shown[0]["status"].as_str()),
        (Some("Who is Jean Roux?"), Some("open"))
    );
    assert_eq!(view["files"], json!([]), "nothing was said yet");
    let (status, _) = web.get(&format!("/api/interviews/{id}/summary")).await;
    assert_eq!(status, StatusCode::CONFLICT, "nobody has begun");
}

/// L02, L06, L07: topics and a guide of one's own take the place of the blueprint's, and the candidate's
/// page knows the form.
#[tokio::test]
async fn topics_of_ones_own_are_launched() {
    let web = plain_web();
    let form = json!({"blueprint": "discovery", "guide": "Begin with the shifts."});
    let (_, plan) = web.post("/api/plans", &form).await;
    let titles: Vec<_> = plan["topics"].as_array().unwrap().iter().map(|t| &t["title"]).collect();
    assert_eq!(titles, ["Tools of the day", "How work is planned", "Working together"]);
    let topics = json!([
        {"key": "", "title": "Shifts", "sub_goals": ["Who plans the shifts?", " "]},
        {"key": "same", "title": "Night", "sub_goals": ["What happens at night?"], "probes": ["When last?"]},
        {"key": "same", "title": "Day", "sub_goals": ["What happens by day?"]},
    ]);
    let more = json!({"topics": topics, "guide": "Begin with the shifts."});
    let (status, launched) = web.post("/api/interviews", &launch("discovery", more)).await;
    assert_eq!(status, StatusCode::CREATED, "{launched}");
    let context = web.folder().inputs().unwrap().context;
    let keys: Vec<_> = context.topics.iter().map(|topic| topic.key.as_str()).collect();
    assert_eq!(keys, ["topic-1", "same", "topic-3"]);
    assert_eq!(
        (context.topics[0].sub_goals.len(), context.guide.as_str()),
        (1, "Begin with the shifts.")
    );
    let (_, view) = web.get(&format!("/api/interviews/{}", launched["id"].as_str().unwrap())).await;
    assert_eq!(
        (&view["plan"]["turns_total"], &view["plan"]["turns_left"]),
        (&json!(13), &json!(13))
    );
    assert_eq!(
        view["plan"]["topics"][0]["sub_goals"][0],
        json!({"text": "Who plans the shifts?", "covered": false})
    );
    let (_, candidate) = web
        .get(&format!(
            "/api/candidate{}",
            launched["link"].as_str().unwrap().strip_prefix("/i").unwrap()
        ))
        .await;
    let fields: Vec<_> = candidate["form"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| (f["key"].as_str().unwrap(), f["format"].as_str().unwrap()))
        .collect();
    assert_eq!(fields, [("name", "text"), ("email", "email")]);
}

/// B04, L07: whatever is typed into a launch or stands in a document is a value: every string of the form is
/// kept, shown and said as it was typed, also where it looks like a template.
#[tokio::test]
async fn what_is_typed_is_no_template() {
    let web = plain_web();
    let template = "{{6*7}}?";
    let all_typed = [
        "Baking",
        "Who gets up first to bake the bread",
        "Where was the last cheese stored",
        "a sigh means work at night",
        "copying orders by hand",
        "Ilse",
        "Baker",
        "Begin with the ovens",
        "The oven has 3 doors",
    ]
    .map(|words| format!("{words} {template}"));
    let mut typed = all_typed.iter();
    let mut next = || typed.next().unwrap();
    let topics = json!([{
        "key": "", "title": next(), "sub_goals": [next()], "probes": [next()], "cues": [next()],
        "signals": [next()],
    }]);
    let form = json!({
        "name": next(), "role": next(), "level": "senior", "blueprint": "discovery", "topics": topics,
        "guide": next(), "documents": [{"name": "a.md", "text": next()}],
    });
    let (status, launched) = web.post("/api/interviews", &form).await;
    assert_eq!(status, StatusCode::CREATED, "{launched}");
    let inputs = web.folder().inputs().unwrap();
    let kept = serde_json::to_value(&inputs.context).unwrap();
    let id = launched["id"].as_str().unwrap();
    let shown = web.get(&format!("/api/interviews/{id}")).await.1;
    let all = |value: &Value| {
        let mut found = Vec::new();
        strings(value, &mut found);
        found
    };
    let (kept, shown) = (all(&kept), all(&shown));
    for text in &all_typed {
        assert!(kept.contains(text), "{text} is not in {kept:?}");
    }
    // The plan as the interviewer follows it, and not the file as it was typed.
    assert!(shown.contains(&all_typed[1]), "{shown:?}");
    let blueprint = Blueprint::load(&inputs.files).unwrap().for_candidate(&inputs.context);
    let planned: Vec<_> = blueprint.agents.iter().flat_map(|agent| agent.kind.topics()).collect();
    assert_eq!(planned, inputs.context.topics.iter().collect::<Vec<_>>());
}

/// All strings in a value.
fn strings(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(list) => list.iter().for_each(|one| strings(one, found)),
        Value::Object(table) => table.values().for_each(|one| strings(one, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A web app refuses each of these launches beside this field, with these words in its sentence.
async fn refused(blueprint: &str, launches: Vec<(Value, &str, &str)>) {
    let web = plain_web();
    for (more, field, says) in launches {
        let (status, problem) = web.post("/api/interviews", &launch(blueprint, more)).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
        let found = &problem["fields"][0];
        assert_eq!(found["field"], field, "{problem}");
        assert!(found["message"].as_str().unwrap().contains(says), "{says}: {problem}");
    }
    assert!(FileStore::open(web.data.path()).unwrap().folders().unwrap().is_empty());
}

/// K05: what is wrong with questions and documents is told beside their field, and nothing is launched.
#[tokio::test]
async fn wrong_questions_and_documents_are_refused_in_sentences() {
    let document = |text: &str| json!({"documents": [{"name": "a.md", "text": text}]});
    let asked = |texts: &[&str]| {
        let question = |text: &&str| json!({"text": text, "priority": "P1"});
        json!({"questions": texts.iter().map(question).collect::<Vec<_>>()})
    };
    let alike = ["Who repairs it on Mondays?", "Who repairs it on Monday?"];
    let long = format!("{}?", "x".repeat(500));
    let many = json!({"documents": vec![json!({"name": "a.md", "text": "x"}); 11]});
    let launches = vec![
        (asked(&["Why?", " "]), "questions", "Question 2: it is empty"),
        (asked(&alike), "questions", "Questions 1 and 2 are so alike"),
        (asked(&["Tell me"]), "questions", "end in a question mark"),
        (asked(&[&long]), "questions", "501 characters; 500"),
        (asked(&["Why?"; 41]), "questions", "41 questions; 40"),
        (many, "documents", "11 documents; 10"),
        (document(" "), "documents", "“a.md” has no text"),
        (document(&"é".repeat(400_001)), "documents", "400001 characters"),
        (document("\u{0}x"), "documents", "control characters"),
        (json!({"topics": [{"title": "T", "sub_goals": ["Why?"]}]}), "topics", "takes no topics"),
    ];
    refused("knowledge-transfer", launches).await;
    refused("mock-interview", vec![(document("x"), "documents", "takes no documents")]).await;
}

/// L07: so is what is wrong with topics and the guide; where nothing is planned no plan is made.
#[tokio::test]
async fn wrong_topics_are_refused_in_sentences() {
    let topic =
        |title: &str, goals: Value| json!({"topics": [{"title": title, "sub_goals": goals}]});
    let alike = json!(["Who plans the shifts here?", "Who plans the shift here?"]);
    let launches = vec![
        (topic("T", json!([])), "topics", "Topic 1: it needs a question"),
        (topic("T", json!(["Tell me"])), "topics", "“Tell me”: it must end"),
        (topic("", json!(["Why?"])), "topics", "its title: it is empty"),
        (topic("T", json!(vec!["Why?"; 11])), "topics", "a list of 11 lines; 10"),
        (topic("T", alike), "topics", "are so alike"),
        (json!({"guide": "x".repeat(20_001)}), "guide", "20001 characters"),
    ];
    refused("discovery", launches).await;
    let web = plain_web();
    let no_documents = ("knowledge-transfer", "documents");
    for (blueprint, field) in
        [("mock-interview", "blueprint"), ("nothing", "blueprint"), no_documents]
    {
        let (status, problem) = web.post("/api/plans", &json!({"blueprint": blueprint})).await;
        let expected = (StatusCode::UNPROCESSABLE_ENTITY, &json!(field));
        assert_eq!((status, &problem["fields"][0]["field"]), expected);
    }
}

/// K05, L07: a model makes the plan, in the shape that it was asked for: what cannot be read is asked for
/// once more; whoever asks again gets the plan that was kept; its summaries go into the interview.
#[tokio::test]
async fn a_model_makes_a_plan_once() {
    let plan = json!({
        "questions": [{"text": "Who set the threshold in a.md?", "priority": "P0"}],
        "summaries": ["A model with a threshold of 0.3."],
    });
    let server = ChatServer::playing(vec![says(&json!({"questions": []})), says(&plan)]);
    let web = web_with_model(server.config());
    let documents = json!([{"name": "a.md", "text": "The loss threshold is 0.3."}]);
    let form = json!({"blueprint": "knowledge-transfer", "documents": documents});
    let (_, made) = web.post("/api/plans", &form).await;
    assert_eq!((&made["by"], &made["trouble"]), (&json!("model"), &Value::Null), "{made}");
    assert_eq!(made["questions"][0]["text"], "Who set the threshold in a.md?");
    let asked = server.asked();
    assert_eq!(asked.len(), 2, "once more for what could not be read");
    let told = |n: usize| asked[n].body["messages"].to_string();
    assert!(
        told(0).contains("The loss threshold is 0.3.") && told(1).contains("there is no question")
    );
    let schema = &asked[0].body["response_format"]["json_schema"]["schema"];
    assert_eq!(schema["required"], json!(["questions", "summaries"]));
    assert_eq!(asked[0].body["max_tokens"], json!(6000));
    assert_eq!(web.post("/api/plans", &form).await.1, made);
    assert_eq!(server.asked().len(), 2, "the plan that was kept");
    let more = json!({"documents": documents, "questions": made["questions"],
        "signature": made["signature"]});
    web.post("/api/interviews", &launch("knowledge-transfer", more)).await;
    let context = web.folder().inputs().unwrap().context;
    assert_eq!(context.documents[0].summary, "A model with a threshold of 0.3.");
    let other = web_with_model(server.config());
    other.post("/api/plans", &form).await;
    let changed = json!([{"name": "b.md", "text": "x"}, {"name": "a.md", "text": "It is 0.4."}]);
    let more = json!({"documents": changed, "signature": made["signature"]});
    other.post("/api/interviews", &launch("knowledge-transfer", more)).await;
    let documents = other.folder().inputs().unwrap().context.documents;
    assert!(documents.iter().all(|document| document.summary.is_empty()), "{documents:?}");
}

/// K05, K06: a model that refuses, writes nonsense or is too late leaves a plan by rules, and says why.
#[tokio::test]
async fn without_its_model_a_plan_is_made_by_rules() {
    let refusal = json!({"error": {"message": "no such model", "type": "invalid_request_error"}});
    let nonsense = answer("200 OK", "content-type: application/json\r\n", "{}");
    let soon = Duration::from_millis(300);
    for (step, says, document_limit) in [
        (json_answer("404 Not Found", &refusal), "no such model", PATIENCE),
        (nonsense, "no chat completion", PATIENCE),
        (vec![Step::Hang], "document_limit", soon),
    ] {
        let server = ChatServer::playing(vec![step]);
        let settings = Settings { document_limit, ..server.config() };
        let web = web_with_model(settings);
        let document = json!({"name": "a.md", "text": "The loss threshold is 0.3."});
        let form = json!({"blueprint": "knowledge-transfer", "documents": [document]});
        let (status, made) = web.post("/api/plans", &form).await;
        assert_eq!((status, &made["by"]), (StatusCode::OK, &json!("rules")), "{made}");
        assert!(made["trouble"].as_str().unwrap().contains(says), "{made}");
        assert_eq!(made["questions"].as_array().unwrap().len(), 1, "{made}");
        // A call that is given up so soon may come to the server later, or never.
        let calls = server.asked().len();
        assert!(calls <= 2, "{calls} calls");
        web.post("/api/plans", &form).await;
        let is_asked = document_limit != PATIENCE || server.asked().len() > calls;
        assert!(is_asked, "nothing is kept: the model is asked again");
    }
}

/// An interview with a patient candidate over a good line.
fn simulated(blueprint: &str, inputs: &Inputs) -> sim::Outcome {
    let fixed = "temper=plain,hearing=good,mind=good,voice=good,network=good";
    let launched = launchable(blueprint).blueprint;
    let mut config = sim::Config::new(&launched, &inputs.context).with_seed(1);
    config.fixed = sim::Fixed::parse(fixed).unwrap();
    sim::run(&config)
}

/// A knowledge transfer with a simulated candidate, in the store as a worker leaves it.
async fn held(web: &TestWeb, blueprint: &str) -> (String, Vec<Entry>) {
    let (_, launched) = web.post("/api/interviews", &launch(blueprint, json!({}))).await;
    let folder = web.folder();
    let inputs = folder.inputs().unwrap();
    let outcome = simulated(blueprint, &inputs);
    assert!(outcome.end.is_some());
    write(web, &inputs, &outcome.journal).await;
    (launched["id"].as_str().unwrap().to_owned(), outcome.journal)
}

async fn write(web: &TestWeb, inputs: &Inputs, entries: &[Entry]) {
    let store: Arc<dyn JournalStore> = Arc::new(FileStore::open(web.data.path()).unwrap());
    let lease = Lease::take(&store, web.folder().id()).await.unwrap();
    let (open, _) = lease.hold().open_journal().await.unwrap();
    open.append(&journal::line(&Header::new("x", 0, inputs))).unwrap();
    for entry in entries {
        open.append(&journal::line(entry)).unwrap().synced().await.unwrap();
    }
    open.close().await;
}

/// K06, K07, L08: an interview that is over shows its plan, has its files to download, and a summary that is
/// kept; one that is not over has no summary.
#[tokio::test]
async fn what_came_out_of_a_transfer() {
    let web = plain_web();
    let (id, _) = held(&web, "knowledge-transfer").await;
    let (_, view) = web.get(&format!("/api/interviews/{id}")).await;
    let questions = view["plan"]["questions"].as_array().unwrap();
    let answered = questions.iter().find(|q| q["status"] == "answered").expect("somebody answered");
    assert!(answered["answer"].is_string() && answered["asked_as"].is_string(), "{answered}");
    let files: Vec<_> =
        view["files"].as_array().unwrap().iter().map(|f| f.as_str().unwrap()).collect();
    assert_eq!(
        files,
        [
            "transcript.json",
            "extracted_facts.json",
            "question_backlog.json",
            "interview_summary.txt"
        ]
    );
    for file in files {
        let path = format!("/api/interviews/{id}/files/{file}");
        let response = web.raw(Request::get(path).body(Body::empty()).unwrap()).await;
        assert_eq!(response.status(), StatusCode::OK, "{file}");
        let disposition =
            response.headers()[header::CONTENT_DISPOSITION].to_str().unwrap().to_owned();
        assert_eq!(disposition, format!("attachment; filename=\"{file}\""));
        let body = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
        let text = String::from_utf8(body.to_vec()).unwrap();
        assert!(
            file.ends_with(".txt") || serde_json::from_str::<Value>(&text).is_ok(),
            "{file}: {text}"
        );
        assert!(
            text.contains(answered["answer"].as_str().unwrap()) || file == "extracted_facts.json",
            "{file}: {text}"
        );
    }
    let (status, summary) = web.get(&format!("/api/interviews/{id}/summary")).await;
    assert_eq!((status, &summary["by"]), (StatusCode::OK, &json!("rules")), "{summary}");
    let kept = web.folder().path().join(Projection::Summary.name());
    assert!(!kept.exists(), "rules may be followed by a model");
    assert_eq!(
        web.get(&format!("/api/interviews/{id}/files/journal.jsonl")).await.0,
        StatusCode::NOT_FOUND
    );
}

/// K06: a model writes the summary in five headings; while it fails questions and answers stand there, and
/// nothing is kept, so that it is tried again.
#[tokio::test]
async fn a_model_writes_the_summary() {
    let five = json!({"decisions": ["It is 0.3."], "rules": [], "people": ["Ada decides."],
        "risks": [], "history": []});
    let refusal = json!({"error": {"message": "too busy", "type": "server_error"}});
    let fails = json_answer("401 Unauthorized", &refusal);
    let server = ChatServer::playing(vec![fails, says(&five)]);
    let web = web_with_model(server.config());
    let (id, entries) = held(&web, "knowledge-transfer").await;
    let (status, summary) = web.get(&format!("/api/interviews/{id}/summary")).await;
    assert_eq!((status, &summary["by"]), (StatusCode::OK, &json!("rules")), "{summary}");
    assert!(
        summary["trouble"].as_str().unwrap().starts_with("No model wrote this summary"),
        "{summary}"
    );
    assert!(!summary["sections"].as_array().unwrap().is_empty());
    let (_, summary) = web.get(&format!("/api/interviews/{id}/summary")).await;
    assert_eq!((&summary["by"], &summary["trouble"]), (&json!("model"), &Value::Null), "{summary}");
    assert_eq!(
        summary["sections"][0],
        json!({"heading": "Decisions and why", "points": ["It is 0.3."]})
    );
    web.get(&format!("/api/interviews/{id}/summary")).await;
    assert_eq!(server.asked().len(), 2, "the third time it is the kept one");
    // Somebody goes on with the interview: the summary is of what was said before.
    let path = web.folder().path().join("journal.jsonl");
    let mut text = std::fs::read_to_string(&path).unwrap();
    let last = entries.last().unwrap();
    let more = Entry { n: last.n + 1, event: Event::Tick, effects: Vec::new(), ..last.clone() };
    text.push_str(&journal::line(&more));
    std::fs::write(path, text).unwrap();
    web.get(&format!("/api/interviews/{id}/summary")).await;
    assert_eq!(server.asked().len(), 3, "it is written anew");
}

/// L05, L08: a discovery while it runs, and why it has no summary yet.
#[tokio::test]
async fn a_discovery_is_shown_while_it_runs() {
    let web = plain_web();
    let (_, launched) = web.post("/api/interviews", &launch("discovery", json!({}))).await;
    let inputs = web.folder().inputs().unwrap();
    let outcome = simulated("discovery", &inputs);
    let half = &outcome.journal[..outcome.journal.len() / 2];
    write(&web, &inputs, half).await;
    let store: Arc<dyn JournalStore> = Arc::new(FileStore::open(web.data.path()).unwrap());
    let _lease = Lease::take(&store, web.folder().id()).await.unwrap();
    let id = launched["id"].as_str().unwrap();
    let (_, view) = web.get(&format!("/api/interviews/{id}")).await;
    let plan = &view["plan"];
    assert_eq!(plan["turns_total"], 13);
    let left = plan["turns_left"].as_u64().unwrap();
    assert!(left < 13, "{plan}");
    assert_eq!(plan["topics"][0]["sub_goals"][0]["covered"], true);
    assert!(
        plan["phase"].as_str().is_some_and(|phase| phase != Phase::FinalGoodbye.label()),
        "{plan}"
    );
    assert_eq!(view["files"], json!([]), "the summary is there when it is over");
    let (status, problem) = web.get(&format!("/api/interviews/{id}/summary")).await;
    assert_eq!(status, StatusCode::CONFLICT, "{problem}");
}
