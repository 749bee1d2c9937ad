//! What candidates need and get beside the interview: accommodations, the sound check, a way on after a stop,
//! what practice gives back, and their report.

use axum::{
    body::Body,
    http::{Request, StatusCode, header},
};
use serde_json::{Value, json};
use vivavoce::{
    blueprint::{Accommodations, Pauses},
    interview::{ENGINE, Effect, End, Event},
    journal::{self, Header},
    store::{FileStore, Folder},
};

use crate::{
    chat_server::{ChatServer, Step},
    gate::Gate,
    report::{right, says, with_model},
    web::{TestWeb, begun, entry, write_journal},
    webhooks::until,
};

const ROOM: &str = "crates/interview/tests/journals/room-two-stage/journal.jsonl";

fn form(more: &Value) -> Value {
    let mut form = json!({"name": "Ilse Varga", "role": "Engineer", "level": "senior",
        "blueprint": "mock-interview"});
    form["terms"] = more.clone();
    form
}

/// Launches an interview; its token.
async fn launched(web: &TestWeb, more: &Value) -> String {
    let (status, launched) = web.post("/api/interviews", &form(more)).await;
    assert_eq!(status, StatusCode::CREATED, "{launched}");
    token_of(&launched)
}

fn token_of(launched: &Value) -> String {
    launched["link"].as_str().unwrap().strip_prefix("/i/").unwrap().to_owned()
}

/// A real interview as a worker leaves it.
fn held(folder: &Folder) {
    let text = std::fs::read_to_string(ROOM).unwrap();
    let (_, entries) = text.split_once('\n').unwrap();
    let header = Header::new(&folder.id().to_string(), 1, &folder.inputs().unwrap());
    write_journal(folder, &(journal::line(&header) + entries));
}

/// C01: what a recruiter sets for a candidate, or the candidate chooses, is kept with inputs and consent, is
/// there for their page, and in no list, page or export for whoever decides.
#[tokio::test]
async fn accommodations_are_for_the_interviewer_alone() {
    let web = TestWeb::new();
    let set = json!({"pauses": "longer", "captions": true, "types": false});
    let token = launched(&web, &json!({"accommodations": set})).await;
    let folder = web.folder();
    let inputs = folder.inputs().unwrap();
    assert_eq!(inputs.accommodations.pauses, Pauses::Longer);
    let view = format!("/api/candidate/{token}");
    assert_eq!(web.get(&view).await.1["accommodations"], set);
    let chosen = json!({"pauses": "much_longer", "captions": false, "types": true});
    let start = json!({"consent": true, "accommodations": chosen});
    // It gets as far as calling an interviewer, and there is no LiveKit server.
    assert_eq!(web.post(&format!("{view}/start"), &start).await.0, StatusCode::BAD_GATEWAY);
    let kept = folder.consent().unwrap().unwrap();
    let pauses = Pauses::MuchLonger;
    let expected = Accommodations { pauses, captions: false, types: true };
    assert_eq!(kept.accommodations, Some(expected));
    assert_eq!(web.get(&view).await.1["accommodations"], chosen);
    // Coming back without a word about it changes nothing.
    web.post(&format!("{view}/start"), &json!({"consent": true})).await;
    assert_eq!(folder.consent().unwrap().unwrap(), kept);
    let wrong = json!({"consent": true, "accommodations": {"pauses": "endless"}});
    assert!(web.post(&format!("{view}/start"), &wrong).await.0.is_client_error());

    held(&folder);
    let id = folder.id();
    for path in [
        "/api/interviews".to_owned(),
        format!("/api/interviews/{id}"),
        format!("/api/interviews/{id}/report"),
        format!("/api/interviews/{id}/export/json"),
        format!("/api/interviews/{id}/export/md"),
        format!("/api/interviews/{id}/export/csv"),
    ] {
        let response = web.raw(Request::get(&path).body(Body::empty()).unwrap()).await;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        let bytes = axum::body::to_bytes(response.into_body(), 1 << 22).await.unwrap();
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        for word in ["accommodation", "longer", "\"pauses\""] {
            assert!(!text.contains(word), "{path} has `{word}`");
        }
    }
}

fn sentence(seconds: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let spec = hound::WavSpec {
        channels: 1,
        sample_rate: 16_000,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let mut wav = hound::WavWriter::new(std::io::Cursor::new(&mut bytes), spec).unwrap();
    for n in 0..seconds * 16_000 {
        wav.write_sample(if n % 40 < 20 { 8_000_i16 } else { -8_000 }).unwrap();
    }
    wav.finalize().unwrap();
    bytes
}

/// C01: the recogniser says what it heard of a sentence, and nothing of it is kept; what is none is refused
/// in words, and without a link nobody is heard.
#[tokio::test]
async fn a_sentence_is_heard_and_not_kept() {
    let web = TestWeb::new();
    let token = web.launch().await;
    let files = || {
        let entries = std::fs::read_dir(web.folder().path()).unwrap();
        entries.map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>()
    };
    let before = files();
    let send = async |token: &str, kind: &str, bytes: Vec<u8>| {
        let request = Request::post(format!("/api/candidate/{token}/sound-check"))
            .header(header::CONTENT_TYPE, kind)
            .body(Body::from(bytes))
            .unwrap();
        web.ask(request).await
    };
    let (status, heard) = send(&token, "audio/wav", sentence(2)).await;
    assert_eq!((status, &heard["heard"]), (StatusCode::OK, &json!("I can hear myself")));
    assert_eq!(files(), before, "nothing is kept");
    for (kind, bytes, expected, says) in [
        ("audio/wav", sentence(16), StatusCode::UNPROCESSABLE_ENTITY, "longer than 15 s"),
        ("audio/wav", b"nonsense".to_vec(), StatusCode::UNPROCESSABLE_ENTITY, "not a WAV file"),
        ("text/plain", sentence(1), StatusCode::UNSUPPORTED_MEDIA_TYPE, "audio/wav"),
        ("audio/wav", vec![0; 2_000_000], StatusCode::PAYLOAD_TOO_LARGE, "longer than 15 s"),
    ] {
        let (status, problem) = send(&token, kind, bytes).await;
        assert_eq!(status, expected, "{problem}");
        assert!(problem["message"].as_str().unwrap().contains(says), "{problem}");
    }
    let stranger = format!("{}{}", &token[..32], "0".repeat(token.len() - 32));
    assert_eq!(send(&stranger, "audio/wav", sentence(1)).await.0, StatusCode::NOT_FOUND);
    held(&web.folder());
    assert_eq!(send(&token, "audio/wav", sentence(1)).await.0, StatusCode::CONFLICT);
}

/// C04: what was stopped goes on by its link, as long as that works and this program decides alike; else it
/// was interrupted.
#[tokio::test]
async fn what_was_stopped_can_go_on() {
    let web = TestWeb::new();
    let token = web.launch().await;
    let folder = web.folder();
    let text = begun(&folder);
    let (view, start) =
        (format!("/api/candidate/{token}"), format!("/api/candidate/{token}/start"));
    let of_another =
        Header { engine: ENGINE - 1, ..Header::new("x", 0, &folder.inputs().unwrap()) };
    let (_, rest) = text.split_once('\n').unwrap();
    for (text, state, status) in [
        (text.clone(), "stopped", StatusCode::BAD_GATEWAY),
        (journal::line(&of_another) + rest, "interrupted", StatusCode::CONFLICT),
        (
            text + &entry(3, Event::Tick, vec![Effect::Hangup { end: End::Operator }]),
            "completed",
            StatusCode::CONFLICT,
        ),
    ] {
        write_journal(&folder, &text);
        assert_eq!(web.get(&view).await.1["state"], state);
        // It gets as far as calling an interviewer, and there is no LiveKit server.
        assert_eq!(web.post(&start, &json!({"consent": true})).await.0, status, "{state}");
    }
}

/// C03: practice gives back what was in each answer, in the candidate's words and without a grade, and a
/// question can be tried again; a screening gives back none of it.
#[tokio::test]
async fn practice_gives_something_back() {
    let web = TestWeb::new();
    let token = launched(&web, &json!({"practice": true})).await;
    let folder = web.folder();
    let (practice, tries) =
        (format!("/api/candidate/{token}/practice"), format!("/api/candidate/{token}/tries"));
    assert_eq!(web.get(&practice).await.0, StatusCode::CONFLICT, "it is not over");
    held(&folder);
    let offers = web.get(&format!("/api/candidate/{token}/after")).await.1["offers"].clone();
    assert_eq!(offers, json!(["practice"]));
    let (status, view) = web.get(&practice).await;
    assert_eq!(status, StatusCode::OK, "{view}");
    let answer = &view["review"]["answers"][0];
    assert_eq!((&view["review"]["by"], &view["writing"]), (&json!("rules"), &json!(false)));
    assert_eq!(answer["parts"].as_array().unwrap().len(), 4, "{answer}");
    let suggestions = answer["suggestions"].as_array().unwrap();
    assert_eq!(suggestions.len(), 2);
    let said = "i am a software engineer and i have worked on payments systems for six years shit";
    for suggestion in suggestions {
        let quote = suggestion["quote"].as_str().unwrap().to_lowercase();
        assert!(said.contains(quote.trim_end_matches('.')), "{quote}");
    }
    assert!(!view.to_string().contains("level"), "{view}");

    let question = answer["question"].as_u64().unwrap();
    let none = web.post(&tries, &json!({"question": 99})).await;
    assert_eq!(none.0, StatusCode::UNPROCESSABLE_ENTITY, "{}", none.1);
    let (status, tried) = web.post(&tries, &json!({"question": question})).await;
    assert_eq!(status, StatusCode::CREATED, "{tried}");
    let again = token_of(&tried);
    let view = web.get(&format!("/api/candidate/{again}")).await.1;
    assert_eq!(view["stages"].as_array().unwrap().len(), 2, "{view}");
    assert_eq!(view["stages"][0]["id"], "own-questions");
    let tries_of = web.get(&practice).await.1["tries"].clone();
    assert_eq!(
        (&tries_of[0]["question"], &tries_of[0]["state"]),
        (&json!(question), &json!("waiting"))
    );
    let rows = web.get("/api/interviews").await.1["rows"].clone();
    assert_eq!(rows.as_array().unwrap().len(), 1, "a try is in no list");
    let all = FileStore::open(web.data.path()).unwrap().folders().unwrap();
    let other = all.into_iter().find(|one| one.id() != folder.id()).unwrap();
    held(&other);
    let tries_of = web.get(&practice).await.1["tries"].clone();
    assert_eq!(tries_of[0]["state"], "completed");
    assert!(tries_of[0]["answer"]["words"].as_u64().unwrap() > 5, "{tries_of}");

    let screened = TestWeb::new();
    let token = screened.launch().await;
    held(&screened.folder());
    let (status, _) = screened.get(&format!("/api/candidate/{token}/practice")).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    let try_again =
        screened.post(&format!("/api/candidate/{token}/tries"), &json!({"question": 1})).await;
    assert_eq!(try_again.0, StatusCode::NOT_FOUND);
}

/// C03: where there is a model it is asked once, about all answers; what it quotes is checked, and what it
/// wrote is kept.
#[tokio::test]
async fn a_model_writes_better_suggestions() {
    let gate = Gate::shut();
    let waits = Step::Wait(gate.clone());
    let server = ChatServer::start(move |_| {
        let written = says(
            &json!({ "answers": [{
            "question": 1, "situation": "", "task": "", "result": "",
            "own_part": "I have worked on payments systems for six years",
            "suggestions": [
                { "text": "Say what you built.", "quote": "worked on payments systems" },
                { "text": "Say how many people used it.", "quote": "a million users" },
            ],
        }] })
            .to_string(),
        );
        [vec![waits.clone()], written].concat()
    });
    let web = TestWeb::set_up(|data| with_model(data, server.config()));
    let token = launched(&web, &json!({"practice": true})).await;
    held(&web.folder());
    let practice = format!("/api/candidate/{token}/practice");
    let first = web.get(&practice).await.1;
    assert_eq!((&first["writing"], &first["review"]["by"]), (&json!(true), &json!("rules")));
    gate.open();
    let mut view = Value::Null;
    let is_written = async || {
        view = web.get(&practice).await.1;
        view["writing"] == json!(false)
    };
    until("it is written", is_written).await;
    assert_eq!(view["review"]["by"], "model");
    let answer = &view["review"]["answers"][0];
    let own = "i have worked on payments systems for six years";
    assert_eq!(answer["parts"][2]["quote"], own);
    let suggestions = answer["suggestions"].as_array().unwrap();
    assert_eq!(suggestions[0]["text"], "Say what you built.");
    assert_eq!((suggestions.len(), &suggestions[1]["text"]), (2, &Value::Null), "a rule speaks");
    assert_eq!(web.get(&practice).await.1["review"], view["review"]);
    assert_eq!(server.asked().len(), 1, "it is kept");
}

/// U07, C03: the candidate's report is there where the opening allows it, with facts and quotes; levels only
/// where it allows those, too.
#[tokio::test]
async fn a_report_for_the_candidate() {
    let cases = [
        ("nobody", true, false),
        ("candidate", true, true),
        ("candidate", false, true),
        ("candidate_with_levels", true, true),
    ];
    for (allowed, has_model, is_there) in cases {
        let server = ChatServer::start(right);
        let web = match has_model {
            true => TestWeb::set_up(|data| with_model(data, server.config())),
            false => TestWeb::new(),
        };
        let opening = json!({
            "title": "Backend", "role": "Engineer", "level": "senior", "blueprint": "mock-interview",
            "criteria": [{"name": "Payments", "about": "", "priority": "must", "weight": 3}],
            "link_days": 7, "candidate_report": allowed,
        });
        let (status, opening) = web.post("/api/openings", &opening).await;
        assert_eq!(status, StatusCode::CREATED, "{opening}");
        let path = format!("/api/openings/{}/candidates", opening["id"].as_str().unwrap());
        let candidates = json!({"candidates": [{"name": "Ada"}]});
        let (_, invited) = web.post(&path, &candidates).await;
        let token = token_of(&invited[0]);
        held(&web.folder());
        let path = format!("/api/candidate/{token}/report");
        let (mut status, mut report) = (StatusCode::OK, Value::Null);
        let is_made = async || {
            (status, report) = web.get(&path).await;
            report["state"] != "making"
        };
        until("the report is made", is_made).await;
        let offers = web.get(&format!("/api/candidate/{token}/after")).await.1["offers"].clone();
        assert_eq!(offers, if is_there { json!(["report"]) } else { json!([]) });
        if !is_there {
            assert_eq!(status, StatusCode::NOT_FOUND);
            continue;
        }
        assert_eq!((status, &report["state"]), (StatusCode::OK, &json!("ready")), "{report}");
        assert!(report["words"].as_u64().unwrap() > 5 && !report["questions"][0].is_null());
        let criterion = &report["criteria"][0];
        if !has_model {
            assert_eq!(criterion, &Value::Null, "nobody has looked for it");
            continue;
        }
        assert_eq!(criterion["name"], "Payments");
        assert!(criterion["quotes"][0].is_string(), "{criterion}");
        let has_levels = allowed == "candidate_with_levels";
        assert_eq!(
            (criterion["level"] == 4, criterion["reason"] == "It shows."),
            (has_levels, has_levels)
        );
        assert_eq!(criterion["level"].is_null(), !has_levels, "{criterion}");
        for private in ["overall", "timeline", "latency", "weight"] {
            assert!(report[private].is_null() && criterion[private].is_null(), "{private}");
        }
    }
}
