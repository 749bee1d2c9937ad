//! What a candidate said before we heard their track: recorded by their page, sent as a file, heard first.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use vivavoce::{
    audio::level,
    codec::fixture::Fixture,
    listen::{Listen, PreConnect, PreConnectError},
    time::SessionTime,
};
use voiceroom::{
    Frame,
    room::{ByteStream, Bytes, FrameSource, PRE_CONNECT_TOPIC, RoomEvent, TRANSCRIPTION_TOPIC, To},
    server::Role,
};

use crate::{
    client::{Client, Seen, Tone},
    interview::{WorkerProcess, dispatch, interviewer, launch},
    listen::{Notes, ear, facts, ms, packets},
    livekit_server::LiveKit,
};

/// Sound at 16 kHz with one loudness for each 100 ms. What is loud is deep: it is no louder version of what
/// is not.
fn steps(loudness: &[i16]) -> Vec<i16> {
    let step = |value: &i16| {
        let (value, period) = (*value, if *value > 4_000 { 80 } else { 50 });
        (0..1_600).map(move |n| if n % period < period / 2 { value } else { -value })
    };
    loudness.iter().flat_map(step).collect()
}

/// The loudness of each 100 ms that an STT was given, as far as it is not silent.
fn given(notes: &Notes) -> Vec<i8> {
    let pieces = notes.0.lock().unwrap();
    let sound: Vec<i16> = pieces.iter().flat_map(|(_, piece)| piece.0.clone()).collect();
    let steps = sound.chunks(1_600).map(level::dbov);
    steps.filter(|dbov| *dbov > -50).collect()
}

fn raw(sound: &[i16]) -> PreConnect {
    let attributes = [("sampleRate", "16000"), ("channels", "1")];
    let attributes = attributes.map(|(key, value)| (key.to_owned(), value.to_owned())).into();
    let bytes = sound.iter().flat_map(|sample| sample.to_le_bytes()).collect();
    PreConnect { mime_type: "application/octet-stream".to_owned(), attributes, bytes }
}

/// An ear whose track has begun at 1 s, and is so loud for half a second.
fn waiting(notes: &Notes) -> Listen {
    let mut listen = ear(notes);
    listen.tick(ms(1_000));
    listen.track_started().unwrap();
    listen.expect_pre_connect(ms(1_000));
    for (n, packet) in packets(&steps(&[1_000; 5])).into_iter().enumerate() {
        listen.packet(ms(1_020 + 20 * n as u64), packet);
    }
    listen
}

/// Ticks whenever the ear wants it, or every 20 ms; gives the time at which it was told that speech had
/// ended.
fn until_speech_ends(listen: &mut Listen, from: SessionTime) -> SessionTime {
    let mut now = from;
    for _ in 0..200 {
        if facts(listen).iter().any(|fact| fact.starts_with('-')) {
            return now;
        }
        now += Duration::from_millis(20);
        listen.tick(now);
        assert!(listen.heard() <= now);
    }
    panic!("speech does not end");
}

/// R05: live sound waits for what was said before it, which comes first; the end of speech is noticed in time
/// although all came at once.
#[test]
fn what_was_said_first_is_heard_first() {
    let notes = Notes::default();
    let mut listen = waiting(&notes);
    assert!(given(&notes).is_empty(), "live sound has not waited");
    let length = listen.pre_connect(ms(1_520), &raw(&steps(&[0, 0, 8_000, 8_000, 8_000]))).unwrap();
    assert_eq!(length, Duration::from_millis(500));
    let given = given(&notes);
    let first = given.iter().take_while(|dbov| **dbov > -20).count();
    let rest = &given[first..];
    assert!((3..=4).contains(&first) && (4..=6).contains(&rest.len()), "{given:?}");
    assert!(rest.iter().all(|dbov| *dbov < -25), "{given:?}");
    listen.muted(ms(1_520));
    let end = until_speech_ends(&mut listen, ms(1_520));
    // 200 ms until silence is an end.
    assert!(end.as_millis() < 2_000, "told at {end}");
}

/// R05, R08: what does not come, or makes no sense, keeps nobody waiting: the live sound is heard without it.
#[test]
fn nobody_waits_for_ever() {
    let notes = Notes::default();
    let mut listen = waiting(&notes);
    listen.tick(ms(2_980));
    assert!(given(&notes).is_empty());
    assert!(listen.deadline().is_some_and(|due| due <= ms(3_000)));
    listen.tick(ms(3_000));
    assert_eq!(given(&notes).len(), 5);
    let late = listen.pre_connect(ms(3_020), &raw(&steps(&[8_000])));
    assert!(matches!(late, Err(PreConnectError::TooLate)), "{late:?}");
    assert_eq!(given(&notes).len(), 5);

    let notes = Notes::default();
    let mut listen = waiting(&notes);
    let senseless = PreConnect { mime_type: "image/png".into(), ..raw(&steps(&[8_000])) };
    let refused = listen.pre_connect(ms(1_520), &senseless).unwrap_err().to_string();
    assert!(refused.contains("image/png"), "{refused}");
    assert_eq!(given(&notes).len(), 5);
}

/// R05: recorded sound comes through the server whole, with its type and attributes, from whom it says; the
/// track it belongs to announces it.
#[tokio::test]
async fn recorded_sound_comes_through_a_room() {
    let server = LiveKit::shared();
    let room = "recorded-before";
    let agent = Client::of(&server, room, "agent").role(Role::Agent).join().await;
    let plain = Client::of(&server, room, "plain").playing(Tone::new(300.0)).join().await;
    let cand = Client::of(&server, room, "cand").with(|o| o.is_recorded_before = true);
    let cand = cand.playing(Tone::new(440.0)).join().await;
    agent.hears("cand", Some(440.0)).await;
    agent.hears("plain", Some(300.0)).await;
    let announced = agent.look(|seen| {
        let tracks = seen.tracks.values().filter(|track| track.is_recorded_before);
        tracks.map(|track| track.participant.clone()).collect::<Vec<_>>()
    });
    assert_eq!(announced, ["cand"]);
    let PreConnect { mime_type, attributes, .. } = raw(&[]);
    let bytes: Vec<u8> = (0..100_000_u32).map(|n| (n % 251) as u8).collect();
    let stream = ByteStream {
        topic: PRE_CONNECT_TOPIC.to_owned(),
        mime_type,
        attributes,
        bytes: bytes.clone(),
        to: vec!["agent".to_owned()],
    };
    cand.room.send_bytes(stream.clone()).unwrap();
    let got = agent.until("recorded sound", |seen| seen.facts.iter().find_map(recorded)).await;
    let ByteStream { topic, mime_type, attributes, .. } = stream;
    assert_eq!(got, Bytes { sender: "cand".to_owned(), topic, mime_type, attributes, bytes });
    cand.room.send_data("after", vec![1], To::Everybody).unwrap();
    let is_after =
        |fact: &RoomEvent| matches!(fact, RoomEvent::Data { topic, .. } if topic == "after");
    plain.until("what came after", |seen| seen.facts.iter().any(is_after).then_some(())).await;
    assert!(plain.look(|seen| seen.facts.iter().all(|fact| recorded(fact).is_none())));
}

fn recorded(fact: &RoomEvent) -> Option<Bytes> {
    match fact {
        RoomEvent::Bytes(bytes) => Some(bytes.clone()),
        _ => None,
    }
}

/// A microphone at which nobody says anything.
struct Silence;

impl FrameSource for Silence {
    fn pull(&mut self, _: Instant) -> Option<Frame> {
        None
    }
}

/// R05, R08: a candidate who has spoken before the interviewer came, and is silent since, is understood:
/// their page has sent what it recorded. What makes no sense is passed over, and the interview goes on.
#[tokio::test(flavor = "multi_thread")]
async fn first_words_are_understood() {
    let server = LiveKit::start();
    let worker = WorkerProcess::start(&server);
    for is_senseless in [false, true] {
        let folder = launch(&worker.store(), "two-stage");
        let id = folder.id();
        let (room, identity) = (id.room(), id.candidate());
        let candidate = Client::of(&server, &room, &identity).with(|o| o.is_recorded_before = true);
        let candidate = candidate.playing(Silence).join().await;
        dispatch(&server, &folder).await;
        let agent = candidate
            .until("interviewer", |seen| Some(interviewer(seen).0).filter(|who| !who.is_empty()))
            .await;
        let fixture = Fixture::load(Path::new("audio-fixtures"), "two-stage-plain").unwrap();
        let span = &fixture.answers[0].spans[0];
        let answer = &fixture.sound.0[span.start_ms as usize * 16..span.end_ms as usize * 16];
        let PreConnect { mut mime_type, attributes, bytes } = raw(answer);
        if is_senseless {
            mime_type = "video/mp4".to_owned();
        }
        let topic = PRE_CONNECT_TOPIC.to_owned();
        let stream = ByteStream { topic, mime_type, attributes, bytes, to: vec![agent.clone()] };
        candidate.room.send_bytes(stream).unwrap();
        if is_senseless {
            // The interviewer is heard, and stays.
            candidate.hears(&agent, None).await;
            let listens = |seen: &Seen| (interviewer(seen).1 == "listening").then_some(());
            candidate.until("end of the question", listens).await;
            worker.says("ignored what a candidate said before we heard them").await;
            assert!(candidate.look(|seen| captions(seen, &identity).is_empty()));
            assert!(!candidate.look(|seen| interviewer(seen).0.is_empty()));
        } else {
            let understood = |seen: &Seen| {
                captions(seen, &identity).iter().any(|text| text.contains("engineer"))
            };
            candidate.until("first words", |seen| understood(seen).then_some(())).await;
        }
        candidate.leave().await;
    }
}

fn captions(seen: &Seen, identity: &str) -> Vec<String> {
    let theirs =
        seen.texts.iter().filter(|t| t.topic == TRANSCRIPTION_TOPIC && t.sender == identity);
    theirs.map(|text| text.text.clone()).collect()
}
