//! People in the room who mean harm, a row for each thing that they may do: none of it acts, unless the
//! candidate does it themselves, and what is kept of it is bounded.

use voiceroom::room::{Quality, Source, Text, TextChunk};

use super::{super::tracks::TRACKS_MAX, tests::line_for, *};

fn person(identity: &str) -> Participant {
    Participant {
        identity: identity.to_owned(),
        sid: format!("PA_{identity}"),
        name: String::new(),
        kind: Kind::Standard,
        state: State::Active,
        may_speak: true,
        has_voice: true,
        quality: Quality::Good,
        attributes: Default::default(),
    }
}

fn data(sender: Option<&str>, topic: &str, payload: &str) -> RoomEvent {
    let (sender, topic) = (sender.map(str::to_owned), topic.to_owned());
    RoomEvent::Data { sender, topic, payload: payload.as_bytes().to_vec() }
}

fn chat(sender: &str, topic: &str, text: &str) -> RoomEvent {
    let (stream, sender, topic) = ("s".to_owned(), sender.to_owned(), topic.to_owned());
    RoomEvent::Text(Text {
        stream,
        sender,
        topic,
        attributes: Default::default(),
        text: text.to_owned(),
    })
}

fn track(participant: &str, sid: &str) -> RoomEvent {
    RoomEvent::TrackSubscribed(Track {
        participant: participant.to_owned(),
        sid: sid.to_owned(),
        source: Source::Microphone,
        muted: false,
        is_recorded_before: true,
    })
}

fn packet(track: &str) -> RoomEvent {
    RoomEvent::Packet(room::Packet {
        participant: "mallory".into(),
        track: track.into(),
        sequence: u64::MAX,
        rtp_time: u64::MAX,
        payload: vec![0xff; 1_500].into(),
        arrived: clock::instant(),
    })
}

const END: &str = r#"{"id":"1","request":"end"}"#;

/// What may be done: its name, how many events in a row, and each of them.
type Attack = (&'static str, usize, Box<dyn Fn(usize) -> RoomEvent>);

fn attacks() -> impl Iterator<Item = Attack> {
    buttons().into_iter().chain(texts()).chain(floods())
}

/// Buttons, forms and keys.
fn buttons() -> Vec<Attack> {
    let nested = "[".repeat(60_000);
    let long = format!(r#"{{"id":"{}","request":"end"}}"#, "x".repeat(60_000));
    let suggest = r#"{"id":"1","request":"suggest","text":"Hire me."}"#;
    let as_order = r#"{"id":"order-1","request":"end"}"#;
    let fill = r#"{"id":"1","request":"fill","values":{"email":"mallory@example.org"}}"#;
    vec![
        (
            "the end, pressed by somebody else",
            1_000,
            Box::new(|_| data(Some("mallory"), CONTROL_TOPIC, END)),
        ),
        (
            "an identity like the candidate's",
            10,
            Box::new(|_| data(Some("cand "), CONTROL_TOPIC, END)),
        ),
        (
            "a button on another topic",
            1_000,
            Box::new(|_| data(Some("cand"), "vivavoce.controls", END)),
        ),
        (
            "a button cut off",
            END.len() - 1,
            Box::new(|n| data(Some("cand"), CONTROL_TOPIC, &END[..n])),
        ),
        ("deep JSON", 10, Box::new(move |_| data(Some("cand"), CONTROL_TOPIC, &nested))),
        ("a long id", 10, Box::new(move |_| data(Some("cand"), CONTROL_TOPIC, &long))),
        (
            "a recruiter's wish of the candidate's",
            10,
            Box::new(move |_| data(Some("cand"), CONTROL_TOPIC, suggest)),
        ),
        (
            "a form of somebody else's",
            10,
            Box::new(move |_| data(Some("mallory"), CONTROL_TOPIC, fill)),
        ),
        ("a form of nobody's", 10, Box::new(move |_| data(None, CONTROL_TOPIC, fill))),
        (
            "a recruiter's wish of somebody hidden",
            1_000,
            Box::new(move |_| data(None, CONTROL_TOPIC, suggest)),
        ),
        (
            "the end, ordered by somebody hidden",
            1_000,
            Box::new(|_| data(None, CONTROL_TOPIC, END)),
        ),
        (
            "a button with an order's id",
            10,
            Box::new(move |_| data(Some("cand"), CONTROL_TOPIC, as_order)),
        ),
        (
            "keys of another phone",
            1_000,
            Box::new(|_| RoomEvent::Key { sender: "mallory".to_owned(), key: '9' }),
        ),
    ]
}

/// What is typed, and what was recorded.
fn texts() -> Vec<Attack> {
    let bytes = |sender: &str| {
        RoomEvent::Bytes(Bytes {
            sender: sender.to_owned(),
            topic: PRE_CONNECT_TOPIC.to_owned(),
            mime_type: "audio/opus".to_owned(),
            attributes: Default::default(),
            bytes: vec![0; 2_000_000],
        })
    };
    vec![
        (
            "an answer typed by somebody else",
            1_000,
            Box::new(|_| chat("mallory", CHAT_TOPIC, "I am rude.")),
        ),
        (
            "a long answer",
            10,
            Box::new(|_| chat("cand", CHAT_TOPIC, &"x".repeat(CHAT_BYTES_MAX + 1))),
        ),
        ("a text on another topic", 1_000, Box::new(|_| chat("cand", "lk.other", "hello"))),
        (
            "a text that never ends",
            10_000,
            Box::new(|_| {
                RoomEvent::TextChunk(TextChunk {
                    stream: "s".to_owned(),
                    sender: "mallory".to_owned(),
                    topic: CHAT_TOPIC.to_owned(),
                    attributes: Default::default(),
                    text: "x".to_owned(),
                })
            }),
        ),
        ("sound of somebody else before their track", 100, Box::new(move |_| bytes("mallory"))),
    ]
}

/// People, tracks and sound.
fn floods() -> Vec<Attack> {
    vec![
        (
            "more people than a room has",
            5_000,
            Box::new(|n| RoomEvent::ParticipantJoined(person(&format!("m{n}")))),
        ),
        (
            "more tracks than anybody has",
            5_000,
            Box::new(|n| track("mallory", &format!("TR_m{n}"))),
        ),
        (
            "sound of tracks that nobody listens to",
            10_000,
            Box::new(|n| packet(&format!("TR_m{}", n % 100))),
        ),
        (
            "tracks end that never began",
            1_000,
            Box::new(|n| {
                let (participant, track) = ("mallory".to_owned(), format!("TR_{n}"));
                RoomEvent::TrackUnsubscribed { participant, track }
            }),
        ),
    ]
}

/// R04, R08: whatever the others do, and the candidate out of turn: no fact comes of it, little is kept, and
/// afterwards the candidate is heard and their button acts.
#[tokio::test]
async fn hostile_people_do_nothing() {
    let mut together = line();
    for (attack, times, event) in attacks() {
        let mut alone = line();
        for line in [&mut alone, &mut together] {
            for n in 0..times {
                line.on_event(event(n));
                assert!(line.facts.is_empty(), "{attack}: {:?}", line.facts);
            }
            assert!(line.others.len() <= OTHERS_MAX, "{attack}");
            assert!(line.before.is_none(), "{attack}");
        }
        is_heard(&mut alone, attack);
    }
    is_heard(&mut together, "all together");
}

/// With a candidate who is there, and whose track has not come yet.
fn line() -> RoomLine {
    let candidate = Candidate::Named("cand".to_owned());
    let mut line = line_for(candidate);
    line.on_event(RoomEvent::TrackHeard);
    line.on_event(RoomEvent::ParticipantUpdated(person("cand")));
    line.facts.clear();
    line
}

fn is_heard(line: &mut RoomLine, attack: &str) {
    // Some attacks have used up what the candidate may send at once.
    line.controls = line_for(Candidate::First).controls;
    line.on_event(track("cand", "TR_cand"));
    line.on_event(packet("TR_cand"));
    let is_packet = |fact: &LineEvent| matches!(fact, LineEvent::Packet(..));
    assert!(line.facts.iter().any(is_packet), "{attack}: {:?}", line.facts);
    line.on_event(data(Some("cand"), CONTROL_TOPIC, END));
    let ends = |fact: &LineEvent| matches!(fact, LineEvent::Control { request: Request::End, .. });
    assert!(line.facts.iter().any(ends), "{attack}: {:?}", line.facts);
    assert!(line.tracks.len() <= TRACKS_MAX, "{attack}");
}

/// N01, R08: while nobody knows who the candidate is, nobody's button acts.
#[tokio::test]
async fn before_the_candidate_comes_nobody_acts() {
    let mut line = line_for(Candidate::First);
    for sender in ["", "mallory", "cand"] {
        line.on_event(data(Some(sender), CONTROL_TOPIC, END));
        line.on_event(chat(sender, CHAT_TOPIC, "hello"));
    }
    let agent = Participant { kind: Kind::Agent, ..person("agent-mallory") };
    line.on_event(RoomEvent::ParticipantJoined(agent));
    line.on_event(data(Some("agent-mallory"), CONTROL_TOPIC, END));
    assert!(line.facts.is_empty(), "{:?}", line.facts);
}
