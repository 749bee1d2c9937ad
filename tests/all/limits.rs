//! What strangers and colleagues may take of the web app: memory, streams, and what it knows of the room
//! server.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes},
    http::{Request, StatusCode, header},
    routing::any,
};
use futures_util::{StreamExt, stream};
use tokio::{net::TcpListener, sync::Notify, time::timeout};
use vivavoce::web::{ConnectionLimits, Web};
use voiceroom::{
    http::{self, CallLimit},
    server::Api,
};

use crate::web::{TestWeb, config, no_keys, no_livekit};

const PATIENCE: Duration = Duration::from_secs(120);
/// Documents and sentences that have a place at once.
const DOCUMENTS_MAX: usize = 10;
const SENTENCES_MAX: usize = 8;

/// Bodies that begin and do not end.
#[derive(Default)]
struct Endless {
    begun: AtomicUsize,
    news: Notify,
}

impl Endless {
    fn body(self: &Arc<Self>) -> Body {
        let endless = self.clone();
        let first = stream::once(async move {
            endless.begun.fetch_add(1, SeqCst);
            endless.news.notify_waiters();
            Ok::<_, std::io::Error>(Bytes::from_static(b"x"))
        });
        Body::from_stream(first.chain(stream::pending()))
    }

    /// Waits until this many are being read.
    async fn until(&self, count: usize) {
        let waiting = async {
            loop {
                let news = self.news.notified();
                if self.begun.load(SeqCst) == count {
                    return;
                }
                news.await;
            }
        };
        timeout(PATIENCE, waiting).await.expect("all of them are read");
    }
}

fn upload(path: &str, kind: &str, body: Body) -> Request<Body> {
    Request::post(path).header(header::CONTENT_TYPE, kind).body(body).unwrap()
}

/// As many bodies are read as there are places; of the next one not a byte is, and when one has gone its
/// place is free.
async fn bodies_need_a_place(web: TestWeb, path: &str, kind: &str, places: usize) {
    let endless = Arc::new(Endless::default());
    let mut reading = Vec::new();
    for n in 1..=places {
        let mut one = Box::pin(web.raw(upload(path, kind, endless.body())));
        tokio::select! {
            answer = &mut one => panic!("{path} answers {} too early", answer.status()),
            () = endless.until(n) => reading.push(one),
        }
    }
    let is_read = Arc::new(AtomicBool::new(false));
    let read = is_read.clone();
    let body = Body::from_stream(stream::once(async move {
        read.store(true, SeqCst);
        Ok::<_, std::io::Error>(Bytes::from_static(b"x"))
    }));
    let (status, why) = web.ask(upload(path, kind, body)).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{why}");
    assert!(!is_read.load(SeqCst), "{path} has read a body that has no place");
    drop(reading.pop());
    let (status, why) = web.ask(upload(path, kind, Body::from("x"))).await;
    assert_ne!(status, StatusCode::SERVICE_UNAVAILABLE, "{why}");
}

/// 5.2.1, K05: a document has a place before its bytes are read.
#[tokio::test]
async fn a_document_has_a_place_before_it_is_read() {
    let web = TestWeb::new();
    let path = "/api/documents?name=cv.txt";
    bodies_need_a_place(web, path, "application/octet-stream", DOCUMENTS_MAX).await;
}

/// 5.2.1, C01: so has the sentence of a sound check.
#[tokio::test]
async fn a_sentence_has_a_place_before_it_is_read() {
    let web = TestWeb::new();
    let path = format!("/api/candidate/{}/sound-check", web.launch().await);
    bodies_need_a_place(web, &path, "audio/wav", SENTENCES_MAX).await;
}

/// G16: an account or a key listens to ten streams of events at once, whoever else listens; one that is
/// closed makes way.
#[tokio::test]
async fn streams_have_a_limit_for_each() {
    let web = TestWeb::new();
    let listen = || Request::get("/api/events").body(Body::empty()).unwrap();
    let mut open = Vec::new();
    for _ in 0..10 {
        let response = web.raw(listen()).await;
        assert_eq!(response.status(), StatusCode::OK);
        open.push(response);
    }
    let (status, why) = web.ask(listen()).await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
    assert!(why["message"].as_str().unwrap().contains("Close some"), "{why}");
    let (_, key) =
        web.database.make_key("another", vivavoce::database::Role::Viewer).await.unwrap();
    let mut other = listen();
    let bearer = format!("Bearer {key}").parse().unwrap();
    other.headers_mut().insert(header::AUTHORIZATION, bearer);
    assert_eq!(web.raw(other).await.status(), StatusCode::OK, "somebody else");
    drop(open.pop());
    assert_eq!(web.raw(listen()).await.status(), StatusCode::OK, "one was closed");
}

/// A room server that fails, and counts how often it is asked.
async fn failing() -> (Api, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("ws://{}", listener.local_addr().unwrap());
    let counted = asked.clone();
    let router = Router::new().fallback(any(move || async move {
        counted.fetch_add(1, SeqCst);
        (StatusCode::INTERNAL_SERVER_ERROR, "10.0.0.7 is on fire")
    }));
    tokio::spawn(async move { axum::serve(listener, router).await });
    (Api::new(&url, no_keys()), asked)
}

/// 13.4.5: strangers learn that the web app is not ready and nothing else, and cannot have the room
/// server asked as often as they like.
#[tokio::test]
async fn readiness_tells_strangers_nothing() {
    let (livekit, asked) = failing().await;
    let web = TestWeb::with(livekit, Duration::from_secs(3600));
    let ask = async || {
        let request = Request::get("/readyz").body(Body::empty()).unwrap();
        let response = web.raw_as_it_is(request).await;
        let status = response.status();
        let body = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
        (status, String::from_utf8(body.to_vec()).unwrap())
    };
    for answer in futures_util::future::join_all((0..30).map(|_| ask())).await {
        assert_eq!(answer, (StatusCode::SERVICE_UNAVAILABLE, "not ready".to_owned()));
    }
    let asked = asked.load(SeqCst);
    // Once in five seconds: a machine that is busy for a minute still asks far less often than it was asked.
    assert!(asked < 15, "the room server was asked {asked} times");
}

/// 15.1.3: a body that does not end is refused by the web app itself, over TCP.
#[tokio::test]
async fn the_web_app_waits_for_no_body() {
    let data = tempfile::tempdir().unwrap();
    let limits =
        ConnectionLimits { body_limit: Duration::from_millis(30), ..ConnectionLimits::default() };
    let web = Web::bind(config(data.path(), no_livekit(), PATIENCE)).await.unwrap();
    let web = web.with_limits(limits);
    let url = format!("http://{}/api/session", web.address());
    let stop = tokio_util::sync::CancellationToken::new();
    tokio::spawn(web.serve(stop.clone()));
    let _stop = stop.drop_guard();
    let endless = Arc::new(Endless::default());
    let client = http::client(CallLimit::Whole(PATIENCE)).build().unwrap();
    let request = client.post(url).header(header::CONTENT_TYPE, "application/json");
    let body = reqwest::Body::wrap_stream(endless.body().into_data_stream());
    let answer = request.body(body).send().await.unwrap();
    assert!(answer.status().is_client_error(), "{}", answer.status());
}
