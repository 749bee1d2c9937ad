//! A server that means harm, a row for each thing that it may answer: the call fails, little of the answer is
//! read, and the key goes nowhere else. All vendors over HTTP call through [`Site`].

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

use futures_util::{FutureExt, TryStreamExt};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    time::timeout,
};

use super::*;
use crate::providers::kinds::KINDS;

const KEY: &str = "sk-secret";
/// How long a call may take until it fails; it takes a moment.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long a server is borne that goes on for ever. Whoever calls has a limit of time.
const GIVEN_UP_AFTER: Duration = Duration::from_secs(1);
/// Bytes that such a server gets rid of: what we read, and what lies in the buffers of a connection.
const TAKEN_MAX: usize = 64 << 20;

/// What it answers: this, and then that again and again until we hang up.
#[derive(Clone)]
struct Answer {
    head: String,
    again: Vec<u8>,
}

struct Server {
    url: Url,
    asked: Arc<Mutex<String>>,
    taken: Arc<AtomicUsize>,
}

impl Server {
    async fn start(answer: Answer) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap()).parse().unwrap();
        let (asked, taken): (Arc<Mutex<String>>, Arc<AtomicUsize>) = Default::default();
        let (heard, given) = (asked.clone(), taken.clone());
        tokio::spawn(async move {
            while let Ok((caller, _)) = listener.accept().await {
                tokio::spawn(give(caller, answer.clone(), heard.clone(), given.clone()));
            }
        });
        Self { url, asked, taken }
    }
}

async fn give(
    mut caller: TcpStream,
    answer: Answer,
    asked: Arc<Mutex<String>>,
    taken: Arc<AtomicUsize>,
) {
    let mut head = vec![0; 16 * 1024];
    let Ok(read) = caller.read(&mut head).await else { return };
    asked.lock().unwrap().push_str(&String::from_utf8_lossy(&head[..read]));
    if caller.write_all(answer.head.as_bytes()).await.is_err() {
        return;
    }
    while !answer.again.is_empty() && caller.write_all(&answer.again).await.is_ok() {
        taken.fetch_add(answer.again.len(), Relaxed);
    }
}

fn site(base_url: &Url) -> Site {
    let kind = KINDS.iter().find(|kind| kind.name == "openai").unwrap();
    let access = Access {
        names: Names::new(kind, "openai", "model", "", &["model"]),
        base_url,
        path: "",
        query: &[],
        model: "m",
        api_key: &Secret::new(KEY),
        api_key_file: None,
        key_header: Header::Bearer,
        ca_file: None,
    };
    Site::new(&access).map_err(|error| error.what).unwrap()
}

/// P04, P10: answers without an end, of every part of an answer.
#[tokio::test]
async fn answers_without_an_end_are_not_read() {
    let block = |piece: &str| piece.repeat(16 * 1024 / piece.len()).into_bytes();
    let ok = "HTTP/1.1 200 OK\r\n";
    let chunk = format!("4000\r\n{}\r\n", "x".repeat(0x4000)).into_bytes();
    let rows = [
        ("a status without an end", "HTTP/1.1 200 ".to_owned(), block("x")),
        ("headers without an end", ok.to_owned(), block("X-Header: value\r\n")),
        ("one header without an end", format!("{ok}X-Header: "), block("x")),
        (
            "a body of 2^64 bytes",
            format!("{ok}Content-Length: 18446744073709551615\r\n\r\n"),
            block("x"),
        ),
        ("a body to the end of the connection", format!("{ok}\r\n"), block("x")),
        (
            "a piece of 2^60 bytes",
            format!("{ok}Transfer-Encoding: chunked\r\n\r\n1000000000000000\r\n"),
            block("x"),
        ),
        ("pieces without an end", format!("{ok}Transfer-Encoding: chunked\r\n\r\n"), chunk.clone()),
        (
            "the length of a piece without an end",
            format!("{ok}Transfer-Encoding: chunked\r\n\r\n"),
            block("1"),
        ),
        (
            "one event without an end",
            format!("{ok}Content-Type: text/event-stream\r\n\r\ndata: "),
            block("x"),
        ),
        (
            "a refusal without an end",
            "HTTP/1.1 400 Bad Request\r\nTransfer-Encoding: chunked\r\n\r\n".to_owned(),
            chunk,
        ),
    ];
    for (what, head, again) in rows {
        let server = Server::start(Answer { head, again }).await;
        let site = site(&server.url);
        let whole = async {
            let response = site.post("{}".to_owned()).await?;
            site.read(response).await
        };
        let read =
            timeout(PATIENCE, whole).await.unwrap_or_else(|_| panic!("{what} is waited for"));
        let error = read.expect_err(what);
        assert!(!error.what.contains(KEY) && error.what.len() < 1_000, "{what}: {error}");
        let pieces = async {
            let response = site.post("{}".to_owned()).await?;
            let pieces = Site::pieces(response, ANSWER_BYTES_MAX).try_collect::<Vec<_>>().await;
            pieces.map_err(|error| site.broken_off(&error))
        };
        let pieces = timeout(PATIENCE, pieces).await;
        assert!(pieces.unwrap_or_else(|_| panic!("{what} is waited for")).is_err(), "{what}");
        let taken = server.taken.load(Relaxed);
        assert!(taken <= TAKEN_MAX, "{what}: {taken} bytes were read");
    }
}

/// P04: what has no end and takes no memory holds nothing up but its own call, which has a limit of time.
#[tokio::test]
async fn what_goes_on_for_ever_can_be_given_up() {
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    for (what, head, again) in [
        ("hints", "", "HTTP/1.1 103 Early Hints\r\n\r\n"),
        ("a piece of so many zeros", chunked, "0"),
        ("a hang-up", "", ""),
    ] {
        let (head, again) = (head.to_owned(), again.repeat(600).into_bytes());
        let server = Server::start(Answer { head, again }).await;
        let site = site(&server.url);
        let whole = async {
            let response = site.post("{}".to_owned()).await?;
            site.read(response).await
        };
        let given_up = timeout(GIVEN_UP_AFTER, whole).await;
        assert!(given_up.is_err() || given_up.is_ok_and(|read| read.is_err()), "{what}");
    }
}

/// P04: what is packed stays packed: nobody asks for it, and a small answer stays small.
#[tokio::test]
async fn packed_answers_are_not_unpacked() {
    let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 6\r\n\r\n\x1f\x0bbomb"
        .to_owned();
    let server = Server::start(Answer { head, again: Vec::new() }).await;
    let site = site(&server.url);
    let Ok(response) = site.post("{}".to_owned()).await else { panic!("it answers") };
    assert_eq!(site.read(response).await.unwrap(), b"\x1f\x0bbomb");
    let asked = server.asked.lock().unwrap().to_lowercase();
    assert!(asked.contains(KEY) && !asked.contains("accept-encoding"), "{asked}");
}

/// P04: a redirect, to the inside of a network or to anywhere, is followed by nobody, and the key with it.
#[tokio::test]
async fn no_redirect_is_followed() {
    let inner = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let target = inner.local_addr().unwrap();
    for status in ["301 Moved", "302 Found", "303 Other", "307 Temporary", "308 Permanent"] {
        let head = format!(
            "HTTP/1.1 {status}\r\nLocation: http://{target}/latest/meta-data\r\nContent-Length: 0\r\n\r\n"
        );
        let server = Server::start(Answer { head, again: Vec::new() }).await;
        let site = site(&server.url);
        let Err(refused) = site.post("{}".to_owned()).await else {
            panic!("{status} is no answer")
        };
        let refused = ProviderError::from(refused);
        assert!(refused.what.contains("sends us elsewhere"), "{status}: {refused}");
        assert!(site.open_socket(&[]).await.is_err(), "{status}");
    }
    assert!(inner.accept().now_or_never().is_none(), "somebody came");
}
