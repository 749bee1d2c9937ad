//! What recruiters do about interviews, and what candidates say after theirs.

use axum::{
    body::Body,
    http::{Method, Request, StatusCode, header},
};
use serde_json::{Value, json};
use std::time::Duration;
use vivavoce::interview::{Control, Effect, End, Event};
use vivavoce::store::{FileStore, JournalStore};
use voiceroom::room::RoomEvent;
use voiceroom::server::{Api, Orders, Role, To};

use crate::client::{Client, PATIENCE, Seen};
use crate::livekit_server::LiveKit;
use crate::web::{TestWeb, begun, config, entry, write_journal};

async fn ask(web: &TestWeb, method: Method, path: &str, body: &Value) -> (StatusCode, Value) {
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header(header::CONTENT_TYPE, "application/json");
    web.ask(request.body(body.to_string().into()).unwrap()).await
}

/// Somebody who has signed in: what a key may not do, a person may.
pub(crate) async fn person(web: &TestWeb) -> String {
    let form =
        json!({"name": "Ada", "email": "ada@example.org", "password": "correct horse battery"});
    let request = Request::post("/api/setup").header(header::CONTENT_TYPE, "application/json");
    let response = web.raw_as_it_is(request.body(form.to_string().into()).unwrap()).await;
    let cookie = response.headers()[header::SET_COOKIE].to_str().unwrap();
    cookie.split(';').next().unwrap().to_owned()
}

fn end(web: &TestWeb) {
    let folder = web.folder();
    let ended = entry(3, Event::Tick, vec![Effect::Hangup { end: End::Completed }]);
    write_journal(&folder, &(begun(&folder) + &ended));
}

/// U04: a new link works in place of the old one; one that was taken back starts nothing, until there is
/// a new one.
#[tokio::test]
async fn links_are_renewed_and_taken_back() {
    let web = TestWeb::new();
    let old = web.launch().await;
    let id = web.folder().id();
    let (status, made) =
        ask(&web, Method::POST, &format!("/api/interviews/{id}/link"), &json!({})).await;
    assert_eq!(status, StatusCode::OK, "{made}");
    let new = made["link"].as_str().unwrap().strip_prefix("/i/").unwrap().to_owned();
    let of = async |token: &str| web.get(&format!("/api/candidate/{token}")).await.0;
    assert_eq!((of(&old).await, of(&new).await), (StatusCode::NOT_FOUND, StatusCode::OK));
    let (status, _) =
        ask(&web, Method::POST, &format!("/api/interviews/{id}/cancel"), &json!({})).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    let (status, said) = web.get(&format!("/api/candidate/{new}")).await;
    assert_eq!(status, StatusCode::GONE);
    assert!(said["message"].as_str().unwrap().contains("taken back"), "{said}");
    assert_eq!(web.get("/api/interviews").await.1["rows"][0]["state"], "cancelled");
    ask(&web, Method::POST, &format!("/api/interviews/{id}/link"), &json!({})).await;
    assert_eq!(web.get("/api/interviews").await.1["rows"][0]["state"], "invited");
    end(&web);
    for action in ["link", "cancel", "end", "listen"] {
        let (status, said) =
            ask(&web, Method::POST, &format!("/api/interviews/{id}/{action}"), &json!({})).await;
        assert_eq!(status, StatusCode::CONFLICT, "{action}: {said}");
    }
}

/// U05: a person decides, never a program; a rejection needs a reason; what was decided before stays.
#[tokio::test]
async fn a_person_decides() {
    let web = TestWeb::new();
    web.launch().await;
    end(&web);
    let path = format!("/api/interviews/{}/decision", web.folder().id());
    let (status, _) = ask(&web, Method::PUT, &path, &json!({"verdict": "advance"})).await;
    assert_eq!(status, StatusCode::FORBIDDEN, "a key");
    let cookie = person(&web).await;
    let decide = async |form: Value| {
        let request = Request::put(&path).header(header::CONTENT_TYPE, "application/json");
        let request =
            request.header(header::COOKIE, &cookie).header("sec-fetch-site", "same-origin");
        web.ask(request.body(form.to_string().into()).unwrap()).await
    };
    let (status, problem) = decide(json!({"verdict": "reject", "reason": " "})).await;
    assert_eq!(
        (status, &problem["fields"][0]["field"]),
        (StatusCode::UNPROCESSABLE_ENTITY, &json!("reason"))
    );
    decide(json!({"verdict": "hold"})).await;
    let (_, decided) = decide(json!({"verdict": "reject", "reason": "No payments so far."})).await;
    assert_eq!(
        (&decided["current"]["verdict"], &decided["current"]["by"]),
        (&json!("reject"), &json!("Ada"))
    );
    assert_eq!(decided["history"][1]["verdict"], "hold");
    assert_eq!(web.get("/api/interviews").await.1["rows"][0]["decision"], "reject");
    let notes = format!("/api/interviews/{}/notes", web.folder().id());
    web.post(&notes, &json!({"text": "Ask about Kafka."})).await;
    assert_eq!(web.get(&notes).await.1[0]["text"], "Ask about Kafka.");
}

/// U08: what is removed is gone from disk, lists and links; the receipt names nobody; what goes on is
/// not removed.
#[tokio::test]
async fn a_removed_interview_leaves_a_receipt() {
    let web = TestWeb::new();
    let token = web.launch().await;
    let folder = web.folder();
    let path = format!("/api/interviews/{}", folder.id());
    std::fs::write(folder.path().join("recording.ogg"), b"sound").unwrap();
    write_journal(&folder, &begun(&folder));
    let store = FileStore::open(web.data.path()).unwrap();
    let holder = vivavoce::store::Holder::random();
    store.take_lease(folder.id(), &holder).await.unwrap();
    let (status, _) = ask(&web, Method::DELETE, &path, &json!({})).await;
    assert_eq!(status, StatusCode::CONFLICT, "somebody speaks");
    store.release_lease(folder.id(), &holder);
    end(&web);
    let (status, receipt) = ask(&web, Method::DELETE, &path, &json!({})).await;
    assert_eq!(status, StatusCode::OK, "{receipt}");
    assert!(receipt["done_at"].is_i64() && !receipt.to_string().contains("Ilse"), "{receipt}");
    assert_eq!(std::fs::read_dir(web.data.path().join("interviews")).unwrap().count(), 0);
    assert_eq!(web.get("/api/interviews").await.1["total"], 0);
    assert_eq!(web.get(&path).await.0, StatusCode::NOT_FOUND);
    assert_eq!(web.get(&format!("/api/candidate/{token}")).await.0, StatusCode::NOT_FOUND);
    let trail = web.get("/api/audit").await.1.to_string();
    assert!(trail.contains("removed an interview") && !trail.contains("Ilse"), "{trail}");
    let dump = web.database.dump().await.unwrap();
    assert!(!dump.contains("Ilse") && !dump.contains("payments"), "{dump}");
}

/// U08: a removal that a crash has cut off is finished later.
#[tokio::test]
async fn a_removal_survives_a_crash() {
    let web = TestWeb::new();
    web.launch().await;
    let folder = web.folder();
    web.get("/api/interviews").await;
    let id = folder.id().to_string();
    // As it is after the receipt was written, and after the folder was renamed.
    web.database.ask_deletion(&id, 1, "Ada", "all").await.unwrap();
    std::fs::rename(folder.path(), folder.path().with_file_name(format!(".{id}.gone"))).unwrap();
    let request = Request::delete(format!("/api/interviews/{id}")).body(Body::empty()).unwrap();
    assert_eq!(web.raw(request).await.status(), StatusCode::NOT_FOUND, "nobody finds it");
    let bound = vivavoce::web::Web::bind(crate::web::config(
        web.data.path(),
        crate::web::no_livekit(),
        std::time::Duration::from_secs(1),
    ))
    .await
    .unwrap();
    let stop = tokio_util::sync::CancellationToken::new();
    let serving = tokio::spawn(bound.serve(stop.clone()));
    let done = async {
        while web.database.receipt(&id).await.unwrap().unwrap().done_at.is_none() {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, done).await.expect("it is finished");
    stop.cancel();
    serving.await.unwrap().unwrap();
    assert_eq!(std::fs::read_dir(web.data.path().join("interviews")).unwrap().count(), 0);
}

/// C03: a candidate corrects what was understood, gives an opinion, and asks to be removed; the
/// recruiter reads it.
#[tokio::test]
async fn candidates_have_a_word_afterwards() {
    let web = TestWeb::new();
    let token = web.launch().await;
    let id = web.folder().id();
    end(&web);
    let say = async |what: &str, body: Value| {
        web.post(&format!("/api/candidate/{token}/{what}"), &body).await
    };
    assert_eq!(
        say("corrections", json!({"turn": 9, "text": "x"})).await.0,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    assert_eq!(
        say("corrections", json!({"turn": 0, "text": " "})).await.0,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    say("corrections", json!({"turn": 0, "text": "I fix patents."})).await;
    say("corrections", json!({"turn": 0, "text": "I file patents."})).await;
    assert_eq!(say("feedback", json!({"stars": 6})).await.0, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        say("feedback", json!({"stars": null, "text": ""})).await.0,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    say("feedback", json!({"stars": 4, "text": "Calm."})).await;
    let (status, after) = say("deletion", json!({})).await;
    assert_eq!(status, StatusCode::CREATED, "{after}");
    assert_eq!(after["corrections"], json!([{"turn": 0, "text": "I file patents."}]));
    assert_eq!(after["feedback"], json!({"stars": 4, "text": "Calm."}));
    assert_eq!(
        (&after["deletion_requested"], &after["review_requested"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(web.get(&format!("/api/interviews/{id}/after")).await.1, after);
    let other = format!("{}{}", &token[..32], "0".repeat(64));
    assert_eq!(web.get(&format!("/api/candidate/{other}/after")).await.0, StatusCode::NOT_FOUND);
}

/// GDPR 17, 22: whatever a candidate has said before, and whatever became of their link, they can ask to be
/// removed and for a person, once. By a link that was taken back they do and read nothing else.
#[tokio::test]
async fn rights_have_no_limit() {
    let web = TestWeb::new();
    let token = web.launch().await;
    let id = web.folder().id();
    let of = |what: &str| format!("/api/candidate/{token}/{what}");
    let (status, _) =
        ask(&web, Method::POST, &format!("/api/interviews/{id}/cancel"), &json!({})).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    assert_eq!(web.get(&of("after")).await.0, StatusCode::GONE);
    let said = [
        ("feedback", json!({"stars": 1})),
        ("corrections", json!({"turn": 0, "text": "x"})),
        ("integrity/comment", json!({"text": "x"})),
    ];
    for (what, body) in said {
        assert_eq!(web.post(&of(what), &body).await.0, StatusCode::GONE, "{what}");
    }
    let (status, after) = web.post(&of("deletion"), &json!({})).await;
    assert_eq!((status, &after["deletion_requested"]), (StatusCode::CREATED, &json!(true)));

    let web = TestWeb::new();
    let token = web.launch().await;
    end(&web);
    let of = |what: &str| format!("/api/candidate/{token}/{what}");
    for n in 0..250 {
        let opinion = json!({"stars": 1, "text": n.to_string()});
        let (status, said) = web.post(&of("feedback"), &opinion).await;
        assert_eq!(status, StatusCode::CREATED, "{n}: {said}");
    }
    web.post(&of("review"), &json!({})).await;
    for _ in 0..2 {
        let (status, after) = web.post(&of("deletion"), &json!({})).await;
        assert_eq!(status, StatusCode::CREATED, "{after}");
        assert_eq!(after["feedback"]["text"], "249");
        let asked = (&after["deletion_requested"], &after["review_requested"]);
        assert_eq!(asked, (&json!(true), &json!(true)));
    }
    let kept = web.database.candidate_words(&web.folder().id().to_string()).await.unwrap();
    assert_eq!(kept.len(), 3, "{kept:?}");
}

/// U04: a suggestion and an end reach the interviewer of an interview that goes on, and nobody else: the
/// candidate's browser sees no packet. The audit trail names the interview. Without an interviewer in the
/// room nothing is sent.
#[tokio::test]
async fn orders_reach_the_interviewer_alone() {
    let server = LiveKit::shared();
    let livekit = Api::new(server.url(), server.keys());
    let web = TestWeb::set_up(|data| {
        let mut config = config(data, livekit.clone(), Duration::from_secs(3600));
        config.site.real.model = true;
        config
    });
    web.launch().await;
    let folder = web.folder();
    let candidate = Client::of(&server, &folder.id().room(), &folder.id().candidate()).join().await;
    write_journal(&folder, &begun(&folder));
    let _lease = web.lease().await;
    let path = format!("/api/interviews/{}", folder.id());
    let suggestion = format!("{path}/suggestion");
    let (status, said) = web.post(&suggestion, &json!({"text": "Ask about Kafka."})).await;
    assert_eq!(status, StatusCode::CONFLICT, "nobody is there to hear it: {said}");
    let room = folder.id().room();
    let agent = Client::of(&server, &room, "agent-1").role(Role::Agent).join().await;
    candidate.until("agent", |seen| seen.people.contains_key("agent-1").then_some(())).await;
    let (status, said) = web.post(&suggestion, &json!({"text": "Ask about Kafka."})).await;
    assert_eq!(status, StatusCode::NO_CONTENT, "{said}");
    assert_eq!(
        web.post(&suggestion, &json!({"text": " "})).await.0,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    assert_eq!(web.post(&format!("{path}/end"), &json!({})).await.0, StatusCode::NO_CONTENT);
    let orders = Orders::new(&server.keys(), &room);
    let requests = |seen: &Seen| {
        let request = |fact: &RoomEvent| match fact {
            RoomEvent::Data { topic, payload, .. } if topic == "vivavoce.control" => {
                Control::parse(orders.read(payload)?.as_bytes())
            }
            _ => None,
        };
        let sent: Vec<_> = seen.facts.iter().filter_map(request).collect();
        (sent.len() == 2)
            .then(|| sent.into_iter().map(|sent| (sent.request, sent.text)).collect::<Vec<_>>())
    };
    let sent = agent.until("two orders", requests).await;
    assert_eq!(
        sent,
        [("suggest".into(), "Ask about Kafka.".into()), ("end".into(), String::new())]
    );
    let trail = web.get("/api/audit").await.1;
    let of: Vec<_> =
        trail.as_array().unwrap().iter().map(|row| (&row["what"], &row["object"])).collect();
    let id = json!(folder.id());
    let [ended, suggested, launched] =
        ["ended an interview", "suggested a question", "launched an interview"].map(|it| json!(it));
    assert_eq!(of, [(&ended, &id), (&suggested, &id), (&launched, &id)]);
    // Data packets come in their order: what was sent to all before this would have come before it.
    livekit.send_data(&room, "after", Vec::new(), To::Everybody).await.unwrap();
    let is_data = |fact: &&RoomEvent| matches!(fact, RoomEvent::Data { .. });
    let is_after =
        |fact: &RoomEvent| matches!(fact, RoomEvent::Data { topic, .. } if topic == "after");
    candidate.until("after", |seen| seen.facts.iter().any(is_after).then_some(())).await;
    let seen = candidate.leave().await;
    let packets: Vec<_> = seen.facts.iter().filter(is_data).collect();
    assert_eq!(packets.len(), 1, "{packets:?}");
    agent.leave().await;
}
