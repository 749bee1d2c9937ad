//! Spans of an interview, as a collector for OpenTelemetry gets them.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    path::Path,
    sync::mpsc::{Receiver, channel},
    time::Duration,
};

use opentelemetry_proto::tonic::{
    collector::trace::v1::ExportTraceServiceRequest,
    common::v1::{KeyValue, any_value::Value},
    trace::v1::Span,
};
use prost::Message;
use tokio::sync::Notify;
use vivavoce::{
    clock::Clock,
    codec::fixture::Fixture,
    config::Config,
    interview::Event,
    journal::{self, Happening, Observer},
    session::{Player, Session, Stop, WavLine},
    speak::Mouth,
    telemetry,
};

use crate::console::short_parts;

const INTERVIEW_LIMIT: Duration = Duration::from_secs(300);

/// A collector on a thread of its own: where it is, and what is sent there.
fn collector() -> (String, Receiver<(String, Vec<u8>)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (out, sent) = channel();
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let out = out.clone();
            std::thread::spawn(move || {
                let mut connection = BufReader::new(connection.unwrap());
                while let Some(request) = read(&mut connection) {
                    if out.send(request).is_err() {
                        return;
                    }
                    let answer = "HTTP/1.1 200 OK\r\ncontent-type: application/x-protobuf\r\n\
                        content-length: 0\r\n\r\n";
                    connection.get_mut().write_all(answer.as_bytes()).unwrap();
                }
            });
        }
    });
    (address, sent)
}

/// The next request's head and body; nothing when there are no more.
fn read(connection: &mut BufReader<TcpStream>) -> Option<(String, Vec<u8>)> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if connection.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    let head = head.to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "))?;
    let mut body = vec![0; length.parse().ok()?];
    connection.read_exact(&mut body).ok()?;
    Some((head, body))
}

/// All values in these attributes, by key.
fn values(attributes: &[KeyValue]) -> Vec<(&str, &Value)> {
    let mut all = Vec::new();
    for attribute in attributes {
        let value = attribute.value.as_ref().and_then(|any| any.value.as_ref());
        all.push((attribute.key.as_str(), value.expect("an attribute has a value")));
    }
    all
}

fn text(value: &Value) -> &str {
    let Value::StringValue(text) = value else { panic!("no text: {value:?}") };
    text
}

/// invariant 11: a collector gets one trace of an interview, a span for each turn and
/// in it one for each hop, at the times that the journal has, and no word of anybody.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_collector_gets_the_hops_of_each_turn() {
    let (address, sent) = collector();
    let settings = [("VIVAVOCE_TELEMETRY__OTLP_ENDPOINT".to_owned(), address)];
    let config = Config::read(None, settings).unwrap();
    let traces = telemetry::start_traces(&config.telemetry).unwrap().expect("they are configured");

    let data = tempfile::tempdir().unwrap();
    let (parts, folder) = short_parts(data.path()).await;
    let clock = Clock::start();
    let (mouth, heard) = Mouth::new();
    let fixture = Fixture::load(Path::new("audio-fixtures"), "two-stage-plain").unwrap();
    let mut line = WavLine::new(Player::fixture(&fixture), mouth.clone(), clock);
    let session = Session::begin(parts, clock, mouth).unwrap();
    // The interview is ended as soon as the answer to the first turn was heard.
    let (enough, mut observer, mut turns) = (Notify::new(), Observer::new(None), Vec::new());
    let stop = async {
        enough.notified().await;
        Stop::End
    };
    let run = session.run(&mut line, heard, stop, |entry| {
        if matches!(entry.event, Event::ReplyFinished { .. }) && !turns.is_empty() {
            enough.notify_one();
        }
        let happened = observer.see(entry).into_iter();
        turns.extend(
            happened.filter(|happened| matches!(happened.what, Happening::UserTurn { .. })),
        );
    });
    let outcome = tokio::time::timeout(INTERVIEW_LIMIT, run).await.expect("it ends").unwrap();
    traces.finish();

    let mut spans: Vec<Span> = Vec::new();
    while let Ok((head, body)) = sent.try_recv() {
        assert!(head.starts_with("post /v1/traces http/1.1"), "{head}");
        let request = ExportTraceServiceRequest::decode(body.as_slice()).unwrap();
        for resource in request.resource_spans {
            let about = resource.resource.unwrap().attributes;
            let service = values(&about).into_iter().find(|(key, _)| *key == "service.name");
            assert_eq!(text(service.unwrap().1), "vivavoce");
            spans.extend(resource.scope_spans.into_iter().flat_map(|scope| scope.spans));
        }
    }
    check(&spans, &folder.id().to_string(), &journal::name(&outcome.end.unwrap()));
    let turn = spans.iter().find(|span| span.name == "turn").unwrap();
    let Happening::UserTurn { response_ms, end_of_turn_ms, text: said, .. } = &turns[0].what else {
        panic!("a turn is a turn")
    };
    let lasted = |name: &str| {
        let hop =
            spans.iter().find(|span| span.name == name && span.parent_span_id == turn.span_id);
        hop.map(|hop| (hop.end_time_unix_nano - hop.start_time_unix_nano) / 1_000_000)
    };
    let near = |a: Option<u64>, b: Option<u64>| a.unwrap().abs_diff(b.unwrap()) <= 2;
    assert!(near(lasted("end_of_turn"), *end_of_turn_ms), "{spans:#?}");
    let first = spans.iter().find(|span| span.name == "heard").unwrap().start_time_unix_nano;
    let response = (first - turn.start_time_unix_nano) / 1_000_000;
    assert!(near(Some(response), *response_ms), "{response} {response_ms:?}");
    let all = format!("{spans:?}");
    assert!(said.contains("backend") && !all.contains("backend"), "{all}");
    assert!(!all.contains("Ada") && !all.contains("proud"), "{all}");
}

/// One trace whose parts lie within each other.
fn check(spans: &[Span], interview: &str, end: &str) {
    let [root] = spans.iter().filter(|span| span.name == "interview").collect::<Vec<_>>()[..]
    else {
        panic!("no single interview in {spans:#?}")
    };
    let about = values(&root.attributes);
    assert_eq!(
        about.iter().map(|(key, _)| *key).collect::<Vec<_>>(),
        ["vivavoce.interview", "vivavoce.end"]
    );
    assert_eq!(text(about[0].1), interview);
    assert_eq!(text(about[1].1), end);
    assert!(root.parent_span_id.is_empty());
    assert_eq!(root.start_time_unix_nano, 1_700_000_000_000 * 1_000_000);
    let of = |id: &[u8]| spans.iter().find(|span| span.span_id == id).expect("a parent is there");
    let mut hops: Vec<&str> = Vec::new();
    for span in spans.iter().filter(|span| span.name != "interview") {
        assert_eq!(span.trace_id, root.trace_id);
        let parent = of(&span.parent_span_id);
        let within = parent.start_time_unix_nano..=parent.end_time_unix_nano;
        assert!(within.contains(&span.start_time_unix_nano), "{span:?} in {parent:?}");
        assert!(within.contains(&span.end_time_unix_nano), "{span:?} in {parent:?}");
        if span.name == "turn" {
            assert_eq!(parent.name, "interview");
            let about = values(&span.attributes);
            let is = |name: &str, value: Value| {
                let found = about.iter().find(|(key, _)| *key == name);
                assert_eq!(found.map(|(_, found)| *found), Some(&value), "{name}");
            };
            is("vivavoce.turn", Value::IntValue(1));
            is("vivavoce.stage", Value::StringValue("self-intro".into()));
            is("vivavoce.cut", Value::BoolValue(false));
        } else {
            assert_eq!(parent.name, "turn");
            hops.push(&span.name);
        }
    }
    hops.retain(|name| *name != "request");
    assert_eq!(hops, ["end_of_turn", "first_token", "first_clause", "first_sound", "heard"]);
}
