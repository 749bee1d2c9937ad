//! The way into a room and back while the server is not there: what answers in its place.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional},
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinHandle,
    time::timeout,
};
use voiceroom::room::RoomEvent;

use crate::{
    client::{Client, PATIENCE, Tone},
    interview::{WorkerProcess, dispatch, launch},
    livekit_server::LiveKit,
};

/// R06: who joins again is not put off by a proxy without its server, by a server that has too much to do, or
/// by one that is broken: all that passes.
#[tokio::test]
async fn a_rejoin_outlasts_what_passes() {
    let server = LiveKit::start();
    let a = Client::of(&server, "passes", "a").playing(Tone::new(440.0)).join().await;
    let b = Client::of(&server, "passes", "b").playing(Tone::new(880.0)).join().await;
    a.hears("b", None).await;
    server.kill();
    let mut refusing = Refusing::at(server.ports().http).await;
    for status in ["404 Not Found", "429 Too Many Requests", "503 Service Unavailable"] {
        refusing.says(status);
        let asked = *refusing.asked.borrow() + 2;
        let is_again = timeout(PATIENCE, refusing.asked.wait_for(|n| *n >= asked)).await.is_ok();
        let end = a.look(|seen| seen.end.clone());
        assert!(is_again, "no further attempt after {status}; end: {end:?}");
    }
    refusing.end().await;
    server.restart();
    a.until("line back", |seen| seen.facts.iter().position(is_back)).await;
    a.hears("b", Some(880.0)).await;
    a.leave().await;
    b.leave().await;
}

/// R01, W05: a job has not failed when its room lets nobody in for a moment.
#[tokio::test(flavor = "multi_thread")]
async fn a_job_outlasts_what_passes() {
    let server = LiveKit::start();
    let url = busy_at_first(server.ports().http).await;
    let worker = WorkerProcess::with(&server, &[("LIVEKIT_URL", &url)]);
    let folder = launch(&worker.store(), "two-stage");
    dispatch(&server, &folder).await;
    worker.says("trying again").await;
    assert!(!worker.log().contains("the room was not joined"));
}

/// The way to a server that has no time for who joins, until two attempts have failed.
async fn busy_at_first(server: u16) -> String {
    let listener = bound(0).await;
    let url = format!("ws://{}", listener.local_addr().unwrap());
    let failed = Arc::new(AtomicU32::new(0));
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            tokio::spawn(pass_on_or_refuse(client, server, failed.clone()));
        }
    });
    url
}

async fn pass_on_or_refuse(mut client: TcpStream, server: u16, failed: Arc<AtomicU32>) {
    let mut said = Vec::new();
    let names = |said: &[u8], word: &[u8]| said.windows(word.len()).any(|part| part == word);
    while !names(&said, b"\r\n\r\n") {
        if !matches!(client.read_buf(&mut said).await, Ok(1..)) {
            return;
        }
    }
    if names(&said, b" /rtc") && failed.load(Relaxed) < 2 {
        // What a join asks when it has failed.
        failed.fetch_add(u32::from(names(&said, b"/validate")), Relaxed);
        let refusal =
            "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
        let _ = client.write_all(refusal.as_bytes()).await;
        return;
    }
    let mut server = TcpStream::connect(("127.0.0.1", server)).await.unwrap();
    server.write_all(&said).await.unwrap();
    let _ = copy_bidirectional(&mut client, &mut server).await;
}

/// Answers every request with the same status.
pub(crate) struct Refusing {
    pub(crate) url: String,
    status: watch::Sender<&'static str>,
    asked: watch::Receiver<u32>,
    task: JoinHandle<()>,
}

impl Refusing {
    pub(crate) async fn at(port: u16) -> Self {
        let listener = bound(port).await;
        let url = format!("ws://{}", listener.local_addr().unwrap());
        let (status, answer) = watch::channel("404 Not Found");
        let (count, asked) = watch::channel(0);
        let task = tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let mut said = Vec::new();
                while !said.ends_with(b"\r\n\r\n") {
                    if !matches!(client.read_buf(&mut said).await, Ok(1..)) {
                        break;
                    }
                }
                let status = *answer.borrow();
                let text =
                    format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
                let _ = client.write_all(text.as_bytes()).await;
                // What a join asks when it has failed, and a resume does not.
                if said.windows(9).any(|word| word == b"/validate") {
                    count.send_modify(|n| *n += 1);
                }
            }
        });
        Self { url, status, asked, task }
    }

    pub(crate) fn says(&self, status: &'static str) {
        self.status.send_replace(status);
    }

    async fn end(self) {
        self.task.abort();
        let _ = self.task.await;
    }
}

/// The port of a server that was killed is free a moment later.
async fn bound(port: u16) -> TcpListener {
    let binding = async {
        loop {
            match TcpListener::bind(("127.0.0.1", port)).await {
                Ok(listener) => return listener,
                Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    };
    timeout(PATIENCE, binding).await.expect("the port is free")
}

fn is_back(event: &RoomEvent) -> bool {
    matches!(event, RoomEvent::LineBack { .. })
}
