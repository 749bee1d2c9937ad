//! The web app over time: a worker that dies, a reader who goes away, a list that is asked for again and
//! again.

use std::fs::File;
use std::time::{Duration, UNIX_EPOCH};

use axum::body::{Body, BodyDataStream};
use axum::http::{Request, StatusCode};
use futures_util::StreamExt;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use vivavoce::interview::{Effect, End, Event};
use vivavoce::journal::{self, Header};
use vivavoce::store::{Consent, Folder};
use vivavoce::web::Web;
use voiceroom::server::{Api, Dispatch};

use crate::client::{Client, PATIENCE};
use crate::livekit_server::LiveKit;
use crate::web::{TestWeb, begun, config, entry, no_livekit, write_journal};

/// C04: a worker that dies before the candidate is there uses up no link, whatever it wrote; while it may
/// live, it interviews.
#[tokio::test]
async fn a_link_outlives_a_worker_that_died_too_soon() {
    let web = TestWeb::new();
    let token = web.launch().await;
    let folder = web.folder();
    let header = journal::line(&Header::new("x", 0, &folder.inputs().unwrap()));
    let ended = entry(1, Event::Tick, vec![Effect::Hangup { end: End::NoShow }]);
    for (text, while_held) in [
        (String::new(), "waiting"),
        (header[..20].to_owned(), "waiting"),
        (header.clone(), "in_progress"),
        (header + &ended, "completed"),
    ] {
        write_journal(&folder, &text);
        for (age_s, state) in [(0, while_held), (30, "waiting")] {
            write_lease(&folder, age_s);
            let (_, view) = web.get(&format!("/api/candidate/{token}")).await;
            assert_eq!(view["state"], state, "{age_s} s after {text}");
        }
        let (status, problem) =
            web.post(&format!("/api/candidate/{token}/start"), &json!({"consent": true})).await;
        // It gets as far as calling an interviewer, and there is no LiveKit server.
        assert_eq!(status, StatusCode::BAD_GATEWAY, "{problem}");
    }
    write_journal(&folder, &begun(&folder));
    // Another worker goes on with it, for a while; then Start does.
    for (age_s, state) in [(30, "in_progress"), (200, "in_progress"), (330, "stopped")] {
        write_lease(&folder, age_s);
        let (_, view) = web.get(&format!("/api/candidate/{token}")).await;
        assert_eq!(view["state"], state, "somebody was there {age_s} s ago");
    }
}

/// W09: whoever has waited in line for long is still in it when the web app starts again.
#[tokio::test]
async fn a_line_outlives_a_restart() {
    let server = LiveKit::shared();
    let livekit = Api::new(server.url(), server.keys());
    let web = TestWeb::with(livekit.clone(), Duration::from_secs(3600));
    web.launch().await;
    let folder = web.folder();
    let take_part_at = vivavoce::clock::unix_millis() - 600_000;
    folder.agree(&Consent { v: 1, take_part_at, recording: false, accommodations: None }).unwrap();
    let room = folder.id().room();
    let candidate = Client::of(&server, &room, &folder.id().candidate()).join().await;
    let config = config(web.data.path(), livekit.clone(), Duration::from_secs(3600));
    let stop = CancellationToken::new();
    let serving = tokio::spawn(Web::bind(config).await.unwrap().serve(stop.clone()));
    let called = async {
        let is_ours = |dispatch: &Dispatch| dispatch.agent == "vivavoce";
        while !livekit.dispatches(&room).await.unwrap().iter().any(is_ours) {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    timeout(PATIENCE, called).await.expect("an interviewer is called");
    candidate.leave().await;
    stop.cancel();
    serving.await.unwrap().unwrap();
}

/// Whoever has half-read a recording and holds the connection does not keep the web app from ending.
#[tokio::test]
async fn a_recording_that_nobody_reads_on_keeps_nobody() {
    let web = TestWeb::new();
    web.launch().await;
    let folder = web.folder();
    // More than the buffers of a connection hold.
    File::create(folder.path().join("recording.ogg")).unwrap().set_len(30_000_000).unwrap();
    let config = config(web.data.path(), no_livekit(), Duration::from_secs(1));
    let admin = web.authorization().await;
    let bound = Web::bind(config).await.unwrap();
    let address = bound.address();
    let stop = CancellationToken::new();
    let serving = tokio::spawn(bound.serve(stop.clone()));
    let mut reader = TcpStream::connect(address).await.unwrap();
    let path = format!("/api/interviews/{}/recording", folder.id());
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: {admin}\r\n\r\n");
    reader.write_all(request.as_bytes()).await.unwrap();
    let mut begun = [0; 300];
    reader.read_exact(&mut begun).await.unwrap();
    assert!(begun.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&begun));
    stop.cancel();
    timeout(PATIENCE, serving).await.expect("it ends").unwrap().unwrap();
}

/// U04: a row is read anew when its journal or its lease changes; one that is over is read once.
#[tokio::test]
async fn a_journal_that_is_over_is_read_once() {
    let web = TestWeb::new();
    web.launch().await;
    let folder = web.folder();
    let listed = async || web.get("/api/interviews").await.1["rows"].clone();
    assert_eq!(listed().await[0]["state"], "invited");
    let ended = entry(3, Event::Tick, vec![Effect::Hangup { end: End::CandidateEnded }]);
    let text = begun(&folder) + &ended;
    write_journal(&folder, &begun(&folder));
    for (age_s, state) in [(330, "interrupted"), (0, "in_progress")] {
        write_lease(&folder, age_s);
        let id = folder.id();
        assert_eq!(web.get(&format!("/api/interviews/{id}")).await.1["interview"]["state"], state);
        assert_eq!(listed().await[0]["state"], state, "{age_s} s after its lease");
    }
    write_journal(&folder, &text);
    let first = listed().await;
    assert_eq!(
        (&first[0]["state"], &first[0]["end"]),
        (&json!("completed"), &json!("candidate_ended"))
    );
    assert_eq!((&first[0]["parts"], &first[0]["unanswered"]), (&json!(3), &json!(2)));
    write_journal(&folder, &" ".repeat(text.len()));
    assert_eq!(listed().await, first, "nobody reads it");
    std::fs::remove_dir_all(folder.path()).unwrap();
    assert_eq!(listed().await, json!([]));
}

/// U04: what a candidate does is told to whoever has the list open, without asking again.
#[tokio::test]
async fn changes_are_told_as_they_come() {
    let web = TestWeb::new();
    let request = Request::get("/api/events").body(Body::empty()).unwrap();
    let mut events = web.raw(request).await.into_body().into_data_stream();
    web.launch().await;
    let folder = web.folder();
    let next = async |events: &mut BodyDataStream| {
        let event = timeout(PATIENCE, async {
            loop {
                let event = events.next().await.unwrap().unwrap();
                // A line that keeps the connection alive begins with a colon.
                if !event.starts_with(b":") {
                    return String::from_utf8(event.to_vec()).unwrap();
                }
            }
        });
        let event = event.await.expect("an event");
        let data = event.strip_prefix("event: interview\ndata: ").expect(&event).to_owned();
        serde_json::from_str::<serde_json::Value>(data.trim()).unwrap()
    };
    let row = next(&mut events).await;
    assert_eq!((&row["id"], &row["state"]), (&json!(folder.id()), &json!("invited")));
    write_journal(&folder, &begun(&folder));
    write_lease(&folder, 0);
    web.get("/api/interviews").await;
    let row = next(&mut events).await;
    assert_eq!(
        (&row["state"], &row["last_line"]),
        (&json!("in_progress"), &json!("I fix payments."))
    );
    assert_eq!(row["stage"], "Greeting");
}

/// As whoever holds the interview leaves it who renewed it so long ago.
fn write_lease(folder: &Folder, age_s: u64) {
    let now = UNIX_EPOCH + Duration::from_millis(vivavoce::clock::unix_millis());
    let lease = File::create(folder.path().join("lease")).unwrap();
    lease.set_modified(now - Duration::from_secs(age_s)).unwrap();
}
