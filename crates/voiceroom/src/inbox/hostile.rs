//! People in a room who mean harm, a row for each thing that they may send: it is ignored or limited, nothing
//! of it counts as somebody else's, and what is held of it is bounded.

use livekit_protocol::{SipDtmf, UserPacket, data_stream};

use super::{
    text::{STREAMS_MAX, STREAMS_OF_ONE_MAX, TEXT_BYTES_MAX, TEXTS_OF_ONE_BYTES_MAX},
    *,
};

/// What the server lets through in one packet.
const PACKET_BYTES: usize = 64_000;
/// What a room may hold of one such sender and of a candidate: their texts as they grow, and the labels and
/// attributes of each open stream.
const HELD_MAX: usize = 2 * TEXTS_OF_ONE_BYTES_MAX + STREAMS_MAX * 20 * 1024;

/// What somebody sends, as packets with their channel: reliable or not.
type Attack = Box<dyn Iterator<Item = (Vec<u8>, bool)>>;

fn packet(from: &str, sender: &str, value: Value) -> (Vec<u8>, bool) {
    let packet = DataPacket {
        participant_sid: from.to_owned(),
        participant_identity: sender.to_owned(),
        value: Some(value),
        ..Default::default()
    };
    (packet.encode_to_vec(), true)
}

fn mallory(value: Value) -> (Vec<u8>, bool) {
    packet("PA_mallory", "mallory", value)
}

fn header(id: &str, topic: &str) -> data_stream::Header {
    data_stream::Header {
        stream_id: id.to_owned(),
        topic: topic.to_owned(),
        content_header: Some(data_stream::header::ContentHeader::TextHeader(Default::default())),
        ..Default::default()
    }
}

fn chunk(id: &str, content: &[u8]) -> Value {
    let (stream_id, content) = (id.to_owned(), content.to_vec());
    Value::StreamChunk(data_stream::Chunk { stream_id, content, ..Default::default() })
}

fn trailer(id: &str) -> Value {
    Value::StreamTrailer(data_stream::Trailer { stream_id: id.to_owned(), ..Default::default() })
}

fn user(topic: &str) -> Value {
    let (topic, payload) = (Some(topic.to_owned()), br#"{"id":"1","request":"end"}"#.to_vec());
    Value::User(UserPacket { payload, topic, ..Default::default() })
}

/// An attack: its name, how many events it may make at most, and its packets.
type Row = (&'static str, usize, Attack);

fn attacks() -> impl Iterator<Item = Row> {
    malformed().into_iter().chain(streams()).chain(labels()).chain(names())
}

fn many(n: usize) -> impl Iterator<Item = String> {
    (0..n).map(|n| n.to_string())
}

fn opened(header: data_stream::Header) -> (Vec<u8>, bool) {
    mallory(Value::StreamHeader(header))
}

/// Packets that are none, or that belong to nothing.
fn malformed() -> Vec<Row> {
    let cut = opened(header("cut", "lk.chat")).0;
    let noise = |n: usize| {
        let byte = move |i: usize| u8::try_from((i * 31 + n * 17) % 256).unwrap();
        (0..200).map(byte).collect::<Vec<_>>()
    };
    vec![
        ("packets cut off", 0, Box::new((1..cut.len()).map(move |n| (cut[..n].to_vec(), true)))),
        ("noise", 200, Box::new((0..200).map(move |n| (noise(n), n % 2 == 0)))),
        ("empty packets", 0, Box::new((0..1_000).map(|_| (Vec::new(), false)))),
        ("chunks without a header", 0, Box::new(many(1_000).map(|id| mallory(chunk(&id, b"x"))))),
        ("ends without a beginning", 0, Box::new(many(1_000).map(|id| mallory(trailer(&id))))),
    ]
}

/// Streams that do not end, or too many of them.
fn streams() -> Vec<Row> {
    vec![
        (
            "thousands of streams without an end",
            10_000,
            Box::new(many(10_000).flat_map(move |id| {
                [opened(header(&id, "lk.chat")), mallory(chunk(&id, &[b'x'; 1_000]))]
            })),
        ),
        (
            "one id again and again",
            0,
            Box::new((0..10_000).map(move |_| opened(header("same", "lk.chat")))),
        ),
        (
            "a text without an end",
            TEXT_BYTES_MAX.div_ceil(60_000),
            Box::new(
                std::iter::once(opened(header("long", "lk.chat")))
                    .chain((0..200).map(|_| mallory(chunk("long", &[b'x'; 60_000])))),
            ),
        ),
        (
            "long texts at once",
            1_000,
            Box::new(many(100).flat_map(move |id| {
                let more = chunk(&id, &[b'x'; 60_000]);
                let more = std::iter::repeat_n(mallory(more), 4);
                std::iter::once(opened(header(&id, "lk.chat"))).chain(more)
            })),
        ),
    ]
}

/// What a stream says of itself.
fn labels() -> Vec<Row> {
    let long = |n: usize| "x".repeat(n);
    let attributes = |count: usize, bytes: usize| {
        (0..count).map(move |n| (n.to_string(), "v".repeat(bytes))).collect()
    };
    let attributed = move |count, bytes| data_stream::Header {
        attributes: attributes(count, bytes),
        ..header("a", "lk.chat")
    };
    let compressed = data_stream::Header {
        inline_content: Some(vec![0; 1_000]),
        compression: 1,
        ..header("z", "lk.chat")
    };
    vec![
        ("10,000 attributes", 0, Box::new((0..50).map(move |_| opened(attributed(10_000, 1))))),
        ("a long attribute", 0, Box::new((0..50).map(move |_| opened(attributed(1, 60_000))))),
        (
            "long ids and topics",
            0,
            Box::new((0..100).flat_map(move |n| {
                let id = n.to_string();
                let long_id = header(&(id.clone() + &long(60_000)), "lk.chat");
                [opened(long_id), opened(header(&id, &long(60_000)))]
            })),
        ),
        (
            "compressed content, which nobody was offered",
            0,
            Box::new((0..100).map(move |_| opened(compressed.clone()))),
        ),
    ]
}

/// What is sent in somebody else's name, or acts for its sender.
fn names() -> Vec<Row> {
    vec![
        (
            "a typed answer in the candidate's name",
            0,
            Box::new(many(100).flat_map(|id| {
                let header = Value::StreamHeader(header(&id, "lk.chat"));
                let said = packet("PA_mallory", "cand", chunk(&id, b"I give up"));
                [packet("PA_mallory", "cand", header), said, mallory(trailer(&id))]
            })),
        ),
        (
            "buttons and keys in the candidate's or nobody's name",
            0,
            Box::new((0..100).flat_map(|_| {
                let key = Value::SipDtmf(SipDtmf { code: 1, digit: "1".to_owned() });
                let as_nobody = packet("PA_mallory", "", user("vivavoce.control"));
                [
                    packet("PA_mallory", "cand", user("vivavoce.control")),
                    packet("PA_mallory", "cand", key),
                    as_nobody,
                ]
            })),
        ),
        (
            "data on topics of others",
            1_000,
            Box::new((0..1_000).map(|_| mallory(user("vivavoce.control")))),
        ),
    ]
}

/// R08: each attack by itself, and all by one sender: no event is the candidate's, memory is bounded, and
/// what the candidate was writing meanwhile arrives.
#[test]
fn hostile_packets_are_limited() {
    let mut together = Inbox::default();
    for (attack, events_max, packets) in attacks() {
        let mut alone = Inbox::default();
        for inbox in [&mut alone, &mut together] {
            inbox.meet("PA_mallory", "mallory");
            inbox.meet("PA_cand", "cand");
            let begun = packet("PA_cand", "cand", Value::StreamHeader(header(attack, "lk.chat")));
            assert!(inbox.take(&begun.0, true).unwrap().is_empty());
        }
        let mut told = 0;
        for (bytes, is_reliable) in packets {
            assert!(bytes.len() <= PACKET_BYTES * 3, "{attack}: no server lets that through");
            let events = alone.take(&bytes, is_reliable).unwrap_or_default();
            for event in &events {
                assert_eq!(sender(event), Some("mallory"), "{attack}: {event:?}");
            }
            told += events.len();
            let _ = together.take(&bytes, is_reliable);
            assert!(alone.streams.held() <= HELD_MAX, "{attack}: {}", alone.streams.held());
        }
        assert!(told <= events_max, "{attack}: {told} events");
        for inbox in [&mut alone, &mut together] {
            assert!(inbox.streams.held() <= HELD_MAX, "{attack}: {}", inbox.streams.held());
            let said = packet("PA_cand", "cand", chunk(attack, b"my answer"));
            inbox.take(&said.0, true).unwrap();
            let ended = packet("PA_cand", "cand", trailer(attack));
            let [RoomEvent::Text(text)] = &inbox.take(&ended.0, true).unwrap()[..] else {
                panic!("{attack}: the candidate's text is lost")
            };
            assert_eq!((text.sender.as_str(), text.text.as_str()), ("cand", "my answer"));
        }
    }
}

/// Whose an event is.
fn sender(event: &RoomEvent) -> Option<&str> {
    match event {
        RoomEvent::Data { sender, .. } => sender.as_deref(),
        RoomEvent::Text(text) => Some(&text.sender),
        RoomEvent::TextChunk(chunk) => Some(&chunk.sender),
        RoomEvent::Bytes(bytes) => Some(&bytes.sender),
        RoomEvent::Key { sender, .. } => Some(sender),
        other => panic!("{other:?} out of a data packet"),
    }
}

/// R08: many senders at once hold no more than so many streams.
#[test]
fn many_hostile_senders_are_limited() {
    let mut inbox = Inbox::default();
    for who in 0..500 {
        let (sid, name) = (format!("PA_{who}"), format!("m{who}"));
        inbox.meet(&sid, &name);
        for id in 0..2 * STREAMS_OF_ONE_MAX {
            let begins = Value::StreamHeader(header(&id.to_string(), "lk.chat"));
            inbox.take(&packet(&sid, &name, begins).0, true).unwrap();
        }
    }
    assert!(inbox.streams.held() <= HELD_MAX, "{}", inbox.streams.held());
    let captions = header("c", TRANSCRIPTION_TOPIC);
    let of_another = packet("PA_1", "cand", Value::StreamHeader(captions));
    assert!(inbox.take(&of_another.0, true).is_ok(), "an agent transcribes somebody else");
}

/// R08: what a server says of a participant, as large as somebody could make it.
#[test]
fn hostile_participants_are_cut_down() {
    let info = ParticipantInfo {
        identity: "mallory".to_owned(),
        name: "\u{1f600}".repeat(50_000),
        metadata: "m".repeat(500_000),
        attributes: (0..10_000).map(|n| (format!("a{n}"), "v".repeat(100))).collect(),
        ..Default::default()
    };
    let mallory = Participant::from(&info);
    let bytes =
        mallory.attributes.iter().map(|(key, value)| key.len() + value.len()).sum::<usize>();
    assert!(bytes <= 16 * 1024 && mallory.attributes.len() <= 64, "{bytes}");
    assert_eq!(mallory.name.chars().count(), 256);
    let whole = info.encode_to_vec();
    for cut in (0..whole.len()).step_by(10_007) {
        // What is cut off is nobody or somebody: no panic.
        participant(&whole[..cut]);
    }
}
