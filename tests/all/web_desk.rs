//! The web app over time: a worker that dies, a reader who goes away, a list that is asked for again and
//! again.

use std::fs::File;
use std::time::{Duration, UNIX_EPOCH};

use axum::http::StatusCode;
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

use crate::client::Client;
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
    let (_, view) = web.get(&format!("/api/candidate/{token}")).await;
    assert_eq!(view["state"], "interrupted", "somebody was there");
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
    folder.agree(&Consent { v: 1, take_part_at, recording: false }).unwrap();
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
    timeout(Duration::from_secs(40), called).await.expect("an interviewer is called");
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
    let bound = Web::bind(config).await.unwrap();
    let address = bound.address();
    let stop = CancellationToken::new();
    let serving = tokio::spawn(bound.serve(stop.clone()));
    let mut reader = TcpStream::connect(address).await.unwrap();
    let path = format!("/api/interviews/{}/recording", folder.id());
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n");
    reader.write_all(request.as_bytes()).await.unwrap();
    let mut begun = [0; 300];
    reader.read_exact(&mut begun).await.unwrap();
    assert!(begun.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&begun));
    stop.cancel();
    timeout(Duration::from_secs(30), serving).await.expect("it ends").unwrap().unwrap();
}

/// U04: the row of an interview that is over is read once, for as long as its journal stays as it is.
#[tokio::test]
async fn a_journal_that_is_over_is_read_once() {
    let web = TestWeb::new();
    web.launch().await;
    let folder = web.folder();
    let listed = async || web.get("/api/interviews").await.1;
    let ended = entry(3, Event::Tick, vec![Effect::Hangup { end: End::CandidateEnded }]);
    let text = begun(&folder) + &ended;
    // One that is not over is read each time: whoever holds it may die without another word.
    write_journal(&folder, &begun(&folder));
    for (age_s, state) in [(0, "in_progress"), (30, "interrupted")] {
        write_lease(&folder, age_s);
        assert_eq!(listed().await[0]["state"], state, "{age_s} s after its lease");
    }
    write_journal(&folder, &text);
    let first = listed().await;
    assert_eq!(
        (&first[0]["state"], &first[0]["end"]),
        (&json!("completed"), &json!("candidate_ended"))
    );
    let path = folder.path().join("journal.jsonl");
    let written = path.metadata().unwrap().modified().unwrap();
    // Nobody can read it, and nothing says that it was changed.
    write_journal(&folder, &" ".repeat(text.len()));
    let journal = File::options().write(true).open(&path).unwrap();
    journal.set_modified(written).unwrap();
    assert_eq!(listed().await, first);
    journal.set_modified(written + Duration::from_secs(1)).unwrap();
    assert_eq!(listed().await[0]["state"], "waiting", "it was read anew");
    std::fs::remove_dir_all(folder.path()).unwrap();
    assert_eq!(listed().await, json!([]));
}

/// As whoever holds the interview leaves it who renewed it so long ago.
fn write_lease(folder: &Folder, age_s: u64) {
    let now = UNIX_EPOCH + Duration::from_millis(vivavoce::clock::unix_millis());
    let lease = File::create(folder.path().join("lease")).unwrap();
    lease.set_modified(now - Duration::from_secs(age_s)).unwrap();
}
