//! Documents read in processes of their own, and asked for as the web app's pages do. What is read of each
//! kind of document the tests of the crate `documents` say.

use std::{
    io::Write as _,
    path::PathBuf,
    process::{Command, Stdio},
    time::Duration,
};

use axum::{
    body::Body,
    http::{Request, StatusCode, header},
};
use documents::BYTES_MAX;
use flate2::{Compression, write::ZlibEncoder};
use serde_json::{Value, json};
use vivavoce::reading::{Answer, Limits, Reader, Unread};

use crate::web::TestWeb;

const MIB: u64 = 1024 * 1024;

fn program() -> PathBuf {
    env!("CARGO_BIN_EXE_vivavoce").into()
}

fn reader(limits: Limits) -> Reader {
    Reader::new(program(), limits)
}

/// The usual limits, with time enough for a machine that is busy with other tests.
fn patient() -> Limits {
    Limits { time: Duration::from_secs(60), ..Limits::default() }
}

fn sentence(read: Result<Answer, Unread>) -> String {
    match read {
        Err(Unread::Document(sentence)) => sentence,
        other => panic!("{other:?}"),
    }
}

/// A PDF with one page, whose content and other objects are given; objects begin at number 5.
fn pdf(content: &[u8], filter: &str, resources: &str, more: &[String]) -> Vec<u8> {
    let mut file = b"%PDF-1.7\n".to_vec();
    let mut object = |number: usize, bytes: &[u8]| {
        file.extend(format!("{number} 0 obj\n").as_bytes());
        file.extend(bytes);
        file.extend(b"\nendobj\n");
    };
    object(1, b"<</Type/Catalog/Pages 2 0 R>>");
    object(2, b"<</Type/Pages/Count 1/Kids[3 0 R]>>");
    let page = format!(
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<<{resources}>>>>"
    );
    object(3, page.as_bytes());
    let head = format!("<</Length {}{filter}>>\nstream\n", content.len());
    object(4, &[head.as_bytes(), content, b"\nendstream"].concat());
    for (n, bytes) in more.iter().enumerate() {
        object(5 + n, bytes.as_bytes());
    }
    file.extend(b"trailer\n<</Root 1 0 R>>\n%%EOF\n");
    file
}

/// A PDF whose page unpacks to so many bytes.
fn large(bytes: u64) -> Vec<u8> {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
    for _ in 0..bytes / MIB {
        packed.write_all(&vec![b' '; 1 << 20]).unwrap();
    }
    pdf(&packed.finish().unwrap(), "/Filter/FlateDecode", "", &[])
}

/// A PDF that draws a form of ten forms of ten forms, and so on.
fn slow() -> Vec<u8> {
    let ten = "/X Do ".repeat(10);
    let form = |n: usize| {
        let (inner, content) = match n {
            10 => (String::new(), "0 0 m".to_owned()),
            _ => (format!("/XObject<</X {} 0 R>>", n + 6), ten.clone()),
        };
        format!(
            "<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<<{inner}>>/Length {}>>\n\
             stream\n{content}\nendstream",
            content.len()
        )
    };
    let forms: Vec<String> = (0..=10).map(form).collect();
    pdf(ten.as_bytes(), "", "/XObject<</X 5 0 R>>", &forms)
}

/// K05: a process reads a document and gives its text, or the sentence that says what is wrong; a name that
/// looks like an option is a name.
#[tokio::test]
async fn a_process_reads_a_document() {
    let reader = reader(patient());
    let answer = reader.read("--help.txt", "Ada “Lovelace”\r\n".as_bytes()).await.unwrap();
    let text = "Ada “Lovelace”".to_owned();
    let expected = Answer { text, characters: 14, cut: false, passed_over: Vec::new() };
    assert_eq!(answer, expected);
    let long = vec![b'x'; BYTES_MAX];
    let answer = reader.read("long.md", &long).await.unwrap();
    assert_eq!((answer.characters, answer.cut), (documents::CHARACTERS_MAX, true));
    let refused = sentence(reader.read("cv\0.pdf", &long).await);
    assert!(refused.starts_with("cv.pdf ends in .pdf but is something else: "), "{refused}");
    let long_name = format!("{}.txt", "x".repeat(1_000_000));
    assert!(reader.read(&long_name, b"x").await.is_ok());
}

/// K05: a document that takes too long to read is stopped, and so is its process.
#[tokio::test]
async fn a_slow_document_is_stopped() {
    let limits = Limits { time: Duration::from_secs(2), ..Limits::default() };
    let refused = sentence(reader(limits).read("slow.pdf", &slow()).await);
    assert_eq!(refused, "slow.pdf takes too long to read: split it, or add its text as .txt.");
}

/// K05: whoever starts it and goes away leaves no process at work: the system ends it by the work it does.
#[test]
fn a_slow_document_ends_by_its_own_limit() {
    let mut child = Command::new(program())
        .args(["read-document", "--seconds", "1", "slow.pdf"])
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&slow()).unwrap();
    let status = child.wait().unwrap();
    assert_eq!(status.code(), None, "{status}");
}

/// K05: a document that takes too much memory is stopped. The usual limit holds what a document may need.
#[tokio::test]
async fn a_large_document_is_stopped() {
    let bomb = large(256 * MIB);
    assert!(bomb.len() < BYTES_MAX);
    let limits = Limits { memory_bytes: 256 * MIB, ..patient() };
    let refused = sentence(reader(limits).read("large.pdf", &bomb).await);
    assert_eq!(
        refused,
        "large.pdf takes too much memory to read: split it, or add its text as .txt."
    );
    let refused = sentence(reader(patient()).read("large.pdf", &large(64 * MIB)).await);
    assert!(refused.starts_with("large.pdf has pages but no text"), "{refused}");
}

/// K05: a process that ends in a way that nobody foresaw, or that is none of ours, is one sentence.
#[tokio::test]
async fn a_process_that_fails_is_one_sentence() {
    let read = |program: &str| {
        let reader = Reader::new(program.into(), patient());
        async move { reader.read("cv.txt", b"x").await }
    };
    let crashed = "cv.txt could not be read to its end: save it anew, or add its text as .txt.";
    for neither_text_nor_reason in ["/bin/true", "/bin/false"] {
        assert_eq!(sentence(read(neither_text_nor_reason).await), crashed);
    }
    assert!(matches!(read("/nowhere/vivavoce").await, Err(Unread::Failed(_))));
}

/// K05: two documents are read at once and some wait; who comes after them is told to come again.
#[tokio::test]
async fn few_documents_are_read_at_once() {
    let reader = reader(patient());
    let asked = (0..30).map(|_| reader.read("cv.txt", b"x"));
    let read = futures_util::future::join_all(asked).await;
    let busy = read.iter().filter(|read| matches!(read, Err(Unread::Busy))).count();
    assert_eq!(busy, 20);
    assert_eq!(read.iter().filter(|read| read.is_ok()).count(), 10);
}

async fn post(web: &TestWeb, address: &str, kind: &str, bytes: Vec<u8>) -> (StatusCode, Value) {
    let request = Request::post(address).header(header::CONTENT_TYPE, kind);
    web.ask(request.body(Body::from(bytes)).unwrap()).await
}

const BYTES: &str = "application/octet-stream";

/// K05: the API gives a document's text, or says in one sentence what is wrong with it.
#[tokio::test]
async fn the_api_reads_documents() {
    let web = TestWeb::new();
    let table = "Name;Rôle\nAda;engineer\n".as_bytes().to_vec();
    let (status, read) =
        post(&web, "/api/documents?name=R%C3%A9sum%C3%A9s.csv", BYTES, table).await;
    assert_eq!(status, StatusCode::OK, "{read}");
    let text = "Name: Ada; Rôle: engineer";
    assert_eq!(read, json!({"name": "Résumés.csv", "text": text, "characters": 25, "cut": false}));
    let (status, problem) =
        post(&web, "/api/documents?name=cv.txt", BYTES, pdf(b"", "", "", &[])).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    let message = "cv.txt ends in .txt but is a PDF: rename it so that it ends in .pdf.";
    assert_eq!(problem, json!({"message": message, "fields": []}));
    let kept = std::fs::read_dir(web.data.path()).unwrap();
    let kept = kept.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let kept: Vec<_> = kept.filter(|name| !name.starts_with("vivavoce.db")).collect();
    assert_eq!(kept, ["interviews"], "nothing is kept");
}

/// K05, U02: what is not read of a document is said beside its text, and the letters of a list are known by
/// its bytes, as Excel saves them on Windows.
#[tokio::test]
async fn the_api_says_what_it_passes_over() {
    let web = TestWeb::new();
    let damaged = ["Größe für Jörg: äöüß".as_bytes(), b" \xff end"].concat();
    let (_, read) = post(&web, "/api/documents?name=a.txt", BYTES, damaged).await;
    let said = "Letters that are broken in the file stand as �: 1.";
    assert_eq!(read["passed_over"], json!([said]), "{read}");
    let list = b"Name;Email\r\nJos\xe9 N\xfa\xf1ez;jose@example.org\r\n".to_vec();
    let (status, text) = post(&web, "/api/candidates/text?name=list.csv", BYTES, list).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let (_, read) = web.post("/api/candidates/read", &text).await;
    assert_eq!(read["candidates"][0]["name"], "José Núñez", "{read}");
    assert_eq!(read["headings"][0]["line"], 1, "{read}");
    let sheet = b"PK\x03\x04".to_vec();
    let (status, why) = post(&web, "/api/candidates/text?name=list.xlsx", BYTES, sheet).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(why["message"].as_str().unwrap().contains("save it as .csv"), "{why}");
}

/// K05: the API takes 10 MB, under a name, as bytes: pages of others cannot send that. The other routes take
/// no more than before.
#[tokio::test]
async fn the_api_refuses_what_is_no_document() {
    let web = TestWeb::new();
    let (status, _) = post(&web, "/api/documents?name=a.txt", BYTES, vec![b'x'; BYTES_MAX]).await;
    assert_eq!(status, StatusCode::OK);
    for (address, kind, length, expected, words) in [
        ("?name=a.txt", BYTES, BYTES_MAX + 1, 413, "a.txt is too large: 10 MB are the most"),
        ("?name=a.txt", "text/plain", 1, 415, "Content-Type: application/octet-stream"),
        ("?name=a%0Ab.txt", BYTES, 1, 422, "line break"),
        ("", BYTES, 1, 422, "?name="),
        ("?name=a.txt", BYTES, 0, 422, "a.txt is empty"),
        ("?name=a.exe", BYTES, 1, 422, "a.exe ends in .exe"),
    ] {
        let address = format!("/api/documents{address}");
        let (status, problem) = post(&web, &address, kind, vec![b'x'; length]).await;
        let message = problem["message"].as_str().unwrap();
        assert_eq!(status.as_u16(), expected, "{address}: {message}");
        assert!(message.contains(words), "{address}: {message}");
    }
    let (status, _) = post(&web, "/api/interviews", "application/json", vec![b' '; 3 << 20]).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
    let foreign = Request::post("/api/documents?name=a.txt").header(header::HOST, "example.org");
    let request = foreign.header(header::CONTENT_TYPE, BYTES).body(Body::from("x")).unwrap();
    assert_eq!(web.ask(request).await.0, StatusCode::MISDIRECTED_REQUEST);
}
