//! Rooms on the real LiveKit server. Each trap of the transport that can be tested has a test.

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use voiceroom::{
    Frame,
    room::{
        AGENT_STATE, Caption, End, Fault, FrameSource, JoinError, Microphone, PeerMode, Room,
        RoomEvent, RoomOptions, Scenario, SendError, TRANSCRIPTION_TOPIC, To, Version,
    },
    server::{Api, ApiKeys, Role},
};

use crate::{
    client::{Client, PATIENCE, Seen, Tone, deaf_port, tokens},
    livekit_server::LiveKit,
    rejoin::Refusing,
};

/// R01, R02, R07: who joins hears the other, in every mixture of one and two peer connections, and is told
/// that they are heard.
#[tokio::test]
async fn two_hear_each_other_in_every_mode() {
    let server = LiveKit::shared();
    for (n, (a_mode, b_mode)) in [
        (PeerMode::One, PeerMode::One),
        (PeerMode::Two, PeerMode::Two),
        (PeerMode::One, PeerMode::Two),
    ]
    .into_iter()
    .enumerate()
    {
        let room = format!("hear-{n}");
        let state = [(AGENT_STATE.to_owned(), "listening".to_owned())];
        let a = Client::of(&server, &room, "a").role(Role::Agent).mode(a_mode);
        let a = a.with(|o| o.attributes.extend(state)).playing(Tone::new(440.0)).join().await;
        let b = Client::of(&server, &room, "b").mode(b_mode).playing(Tone::new(880.0)).join().await;
        a.hears("b", Some(880.0)).await;
        b.hears("a", Some(440.0)).await;
        b.until("agent state", |seen| {
            (seen.attribute("a", AGENT_STATE) == Some("listening")).then_some(())
        })
        .await;
        let place = |seen: &Seen, is_it: fn(&RoomEvent) -> bool| seen.facts.iter().position(is_it);
        let is_heard = |event: &RoomEvent| matches!(event, RoomEvent::TrackHeard);
        let is_offered = |event: &RoomEvent| matches!(event, RoomEvent::TrackOffered);
        let heard = a.until("somebody who hears a", |seen| place(seen, is_heard)).await;
        assert!(a.look(|seen| place(seen, is_offered)).is_some_and(|offered| offered < heard));
        b.leave().await;
        a.until("goodbye of b", |seen| (!seen.people.contains_key("b")).then_some(())).await;
        a.leave().await;
    }
}

/// R06: after a server's restart both join again with fresh tokens, publish again and set their
/// attributes again; the line is cut and back once.
#[tokio::test]
async fn a_restarted_server_is_joined_again() {
    let server = LiveKit::start();
    for mode in [PeerMode::One, PeerMode::Two] {
        let (source, pulled) = Noted::new(440.0);
        let a = Client::of(&server, "restart", "a").role(Role::Agent).mode(mode);
        let a = a.playing(source).join().await;
        a.room.set_attributes([(AGENT_STATE.to_owned(), "speaking".to_owned())]).unwrap();
        let b =
            Client::of(&server, "restart", "b").mode(mode).playing(Tone::new(880.0)).join().await;
        a.hears("b", None).await;
        server.restart();
        a.until("line back", |seen| seen.facts.iter().position(is_back)).await;
        b.until("line back", |seen| seen.facts.iter().position(is_back)).await;
        a.hears("b", Some(880.0)).await;
        b.hears("a", Some(440.0)).await;
        b.until("agent state", |seen| {
            (seen.attribute("a", AGENT_STATE) == Some("speaking")).then_some(())
        })
        .await;
        // What was pulled was sent: while the line was cut, playout stood still. It goes on meanwhile.
        let sent = || a.room.counters().audio_out.get();
        let (before, pulled, after) = (sent(), times(&pulled).len() as u64, sent());
        assert!(
            before <= pulled + 2 && pulled <= after + 2,
            "{pulled} pulled, {before}–{after} sent"
        );
        let seen = a.leave().await;
        assert_eq!((seen.count(is_cut), seen.count(is_back)), (1, 1), "{:#?}", seen.facts);
        assert_eq!(seen.end, Some(End::Left));
        b.leave().await;
    }
}

/// The server puts a new track on a used section, with a new SSRC whose numbers start anywhere: a track is
/// heard each time, not merely subscribed.
#[tokio::test]
async fn thirty_republished_tracks_are_heard_each_time() {
    let server = LiveKit::shared();
    tokio::join!(republish(&server, PeerMode::One), republish(&server, PeerMode::Two));
}

async fn republish(server: &LiveKit, mode: PeerMode) {
    let room = format!("republish-{mode:?}");
    let ears = Client::of(server, &room, "ears").role(Role::Agent).mode(mode).join().await;
    // A track that stays has the first section; it is the others that are used again.
    let hum = Client::of(server, &room, "hum").mode(mode).playing(Tone::new(250.0)).join().await;
    ears.hears("hum", Some(250.0)).await;
    let mouth =
        Client::of(server, &room, "mouth").mode(mode).playing(Tone::new(300.0)).join().await;
    for n in 1..=30_u8 {
        ears.hears("mouth", Some(pitch(n - 1))).await;
        mouth.room.unpublish().unwrap();
        ears.until("end of the track", |seen| (seen.tracks.len() == 1).then_some(())).await;
        mouth.room.publish(Box::new(Tone::new(pitch(n)))).unwrap();
    }
    ears.hears("mouth", Some(pitch(30))).await;
    ears.hears("hum", Some(250.0)).await;
    let seen = ears.leave().await;
    assert_eq!(seen.sounds.len(), 32);
    mouth.leave().await;
    hum.leave().await;
}

/// Another pitch for each track, so that the sound of the one before is not taken for it.
fn pitch(n: u8) -> f32 {
    300.0 + 50.0 * f32::from(n)
}

/// R06: a lost signalling connection is resumed in both modes, not joined again; sound flows afterwards, what
/// was said while it was away arrives once and in order, and changes are heard of.
#[tokio::test]
async fn lost_signalling_is_resumed() {
    let server = LiveKit::shared();
    for mode in [PeerMode::One, PeerMode::Two] {
        let room = format!("resume-{mode:?}");
        let a = Client::of(&server, &room, "a").role(Role::Agent).mode(mode);
        let a = a.playing(Tone::new(440.0)).join().await;
        let b = Client::of(&server, &room, "b").mode(mode).playing(Tone::new(880.0)).join().await;
        a.hears("b", None).await;
        b.hears("a", None).await;
        a.room.inject(Fault::DropSignal).unwrap();
        for n in 0..20 {
            a.room.send_data("numbers", vec![n], To::Everybody).unwrap();
        }
        let state = [(AGENT_STATE.to_owned(), "thinking".to_owned())];
        a.room.set_attributes(state).unwrap();
        a.until("resumed", |seen| {
            (seen.count(|f| matches!(f, RoomEvent::Resumed)) == 1).then_some(())
        })
        .await;
        a.hears("b", Some(880.0)).await;
        b.hears("a", Some(440.0)).await;
        b.until("state", |seen| {
            (seen.attribute("a", AGENT_STATE) == Some("thinking")).then_some(())
        })
        .await;
        // What is said and what is changed come on ways of their own.
        let all = |seen: &Seen| Some(numbers(seen)).filter(|numbers| numbers.len() >= 20);
        assert_eq!(b.until("all numbers", all).await, (0..20).collect::<Vec<u8>>());
        let sessions = a.room.counters().sessions.get();
        assert_eq!(sessions, 1, "it was resumed, not joined again");
        let (a, b) = (a.leave().await, b.leave().await);
        // With two peer connections the server restarts ICE of its own.
        let cuts_max = if mode == PeerMode::One { 0 } else { 1 };
        assert!(a.count(is_cut) <= cuts_max, "{mode:?}: {:#?}", a.facts);
        assert_eq!(b.count(is_cut), 0, "{mode:?}: {:#?}", b.facts);
    }
}

fn numbers(seen: &Seen) -> Vec<u8> {
    let number = |fact: &RoomEvent| match fact {
        RoomEvent::Data { topic, payload, .. } if topic == "numbers" => payload.first().copied(),
        _ => None,
    };
    seen.facts.iter().filter_map(number).collect()
}

/// R06, R07: while the line is cut nothing is pulled, so nothing of what we say is lost; when it is back,
/// sound flows both ways again.
#[tokio::test]
async fn playout_stands_still_while_the_line_is_cut() {
    let server = LiveKit::start();
    let (one, two) = tokio::join!(pair(&server, PeerMode::One), pair(&server, PeerMode::Two));
    server.freeze();
    for (a, b, _) in [&one, &two] {
        a.until("cut", |seen| seen.facts.iter().position(is_cut)).await;
        b.until("cut", |seen| seen.facts.iter().position(is_cut)).await;
    }
    server.thaw();
    for (a, b, pulled) in [&one, &two] {
        a.until("line back", |seen| seen.facts.iter().position(is_back)).await;
        b.until("line back", |seen| seen.facts.iter().position(is_back)).await;
        a.hears("b", Some(880.0)).await;
        b.hears("a", Some(440.0)).await;
        let cuts = a.look(cuts);
        assert!(!cuts.is_empty());
        for (cut, back) in cuts {
            let meanwhile = times(pulled).iter().filter(|at| **at > cut && **at < back).count();
            assert_eq!(meanwhile, 0, "frames were pulled that nobody hears, {:?}", back - cut);
        }
    }
}

/// When the line was cut, and when it was back.
fn cuts(seen: &Seen) -> Vec<(Instant, Instant)> {
    let cuts = seen.facts.iter().filter_map(|fact| match fact {
        RoomEvent::LineCut { at } => Some(*at),
        _ => None,
    });
    let backs = seen.facts.iter().filter_map(|fact| match fact {
        RoomEvent::LineBack { at } => Some(*at),
        _ => None,
    });
    cuts.zip(backs).collect()
}

/// An agent whose pulled frames are noted, and a candidate; they hear each other.
async fn pair(server: &LiveKit, mode: PeerMode) -> (Client, Client, Pulled) {
    let (source, pulled) = Noted::new(440.0);
    let room = format!("pair-{mode:?}");
    let a = Client::of(server, &room, "a").role(Role::Agent).mode(mode);
    let a = a.playing(source).join().await;
    let b = Client::of(server, &room, "b").mode(mode).playing(Tone::new(880.0)).join().await;
    a.hears("b", None).await;
    (a, b, pulled)
}

/// R06: a session that the server drops (a node's failure, a migration, its own leave) is joined again; the
/// others hear us again, and know us under the same identity.
#[tokio::test]
async fn a_dropped_session_is_joined_again() {
    let server = LiveKit::shared();
    let faults = [
        ("node", PeerMode::One, Scenario::NodeFailure),
        ("leave", PeerMode::Two, Scenario::ServerLeave),
        ("migration", PeerMode::One, Scenario::Migration),
    ];
    for (room, mode, scenario) in faults {
        let a = Client::of(&server, room, "a").role(Role::Agent).mode(mode);
        let a = a.playing(Tone::new(440.0)).join().await;
        let b = Client::of(&server, room, "b").mode(mode).playing(Tone::new(880.0)).join().await;
        b.hears("a", None).await;
        a.room.inject(Fault::Simulate(scenario)).unwrap();
        a.until("line back", |seen| seen.facts.iter().position(is_back)).await;
        a.hears("b", Some(880.0)).await;
        b.hears("a", Some(440.0)).await;
        a.room.send_data("numbers", vec![7], To::Everybody).unwrap();
        b.until("data of the new session", |seen| (numbers(seen) == [7]).then_some(())).await;
        a.leave().await;
        b.leave().await;
    }
}

/// R06, N02: who has our identity has our place: two agents must not push each other out for ever.
#[tokio::test]
async fn no_rejoin_after_duplicate_identity() {
    let server = LiveKit::shared();
    let first = Client::of(&server, "duplicate", "cand").playing(Tone::new(440.0)).join().await;
    let watcher = Client::of(&server, "duplicate", "watcher").role(Role::Agent).join().await;
    watcher.hears("cand", Some(440.0)).await;
    let old = watcher.look(|seen| seen.people["cand"].sid.clone());
    let second = Client::of(&server, "duplicate", "cand").playing(Tone::new(880.0)).join().await;
    let end = first.until("end", |seen| seen.end.clone()).await;
    assert_eq!(end, End::Evicted("DUPLICATE_IDENTITY".to_owned()));
    // The same identity under another sid: the late goodbye of the old one must not remove it.
    watcher.hears("cand", Some(880.0)).await;
    let left = |seen: &Seen| {
        seen.count(|f| matches!(f, RoomEvent::ParticipantLeft { sid, .. } if *sid == old))
    };
    watcher.until("goodbye of the old one", |seen| (left(seen) > 0).then_some(())).await;
    let seen = watcher.leave().await;
    assert_ne!(seen.people["cand"].sid, old);
    assert_eq!(left(&seen), 1, "{:#?}", seen.facts);
    assert_eq!(first.room.counters().sessions.get(), 1);
    assert_eq!(second.look(|seen| seen.end.clone()), None);
}

/// R06: whom the server puts out, or whose room it deletes, stays out.
#[tokio::test]
async fn no_rejoin_after_removal_or_deletion() {
    let server = LiveKit::shared();
    let api = Api::new(server.url(), server.keys());
    for (room, mode) in [("removed", PeerMode::One), ("deleted", PeerMode::Two)] {
        let client =
            Client::of(&server, room, "a").mode(mode).playing(Tone::new(440.0)).join().await;
        let reason = match room {
            "removed" => {
                api.remove_participant(room, "a").await.unwrap();
                "PARTICIPANT_REMOVED"
            }
            _ => {
                api.delete_room(room).await.unwrap();
                "ROOM_DELETED"
            }
        };
        let end = client.until("end", |seen| seen.end.clone()).await;
        assert_eq!(end, End::Evicted(reason.to_owned()));
        assert_eq!(client.room.counters().sessions.get(), 1);
        assert_eq!(client.room.send_data("x", vec![], To::Everybody), Err(SendError::Over));
        let seen = client.leave().await;
        assert_eq!(seen.count(is_cut), 0, "an end is no cut");
    }
}

/// R03: our words come in deltas in one stream, the candidate's in their name, split between characters.
#[tokio::test]
async fn captions_are_text_streams() {
    let server = LiveKit::shared();
    let agent = Client::of(&server, "captions", "agent").role(Role::Agent);
    let agent = agent.playing(Tone::new(440.0)).join().await;
    let cand = Client::of(&server, "captions", "cand").join().await;
    agent.until("candidate", |seen| seen.people.contains_key("cand").then_some(())).await;
    let ours = |delta: &str| Caption::Ours { segment: "SG_1".into(), delta: delta.into() };
    for delta in ["Good ", "morning."] {
        agent.room.caption(ours(delta)).unwrap();
    }
    agent.room.caption(Caption::OursEnded { segment: "SG_1".into() }).unwrap();
    let long = "grüß ".repeat(4_000);
    let theirs = |text: &str, version| Caption::Theirs {
        participant: "cand".into(),
        track: "TR_x".into(),
        segment: "SG_2".into(),
        text: text.into(),
        version,
    };
    agent.room.caption(theirs("grüß", Version::Partial)).unwrap();
    agent.room.caption(theirs(&long, Version::Final)).unwrap();
    cand.until("three texts", |seen| (seen.texts.len() == 3).then_some(())).await;
    cand.look(|seen| {
        let [ours, partial, last] = &seen.texts[..] else { unreachable!() };
        assert_eq!((ours.text.as_str(), ours.sender.as_str()), ("Good morning.", "agent"));
        assert_eq!(ours.topic, TRANSCRIPTION_TOPIC);
        assert_eq!(ours.attributes["lk.segment_id"], "SG_1");
        assert_eq!(ours.attributes["lk.transcription_final"], "true");
        assert!(ours.attributes["lk.transcribed_track_id"].starts_with("TR_"));
        let of_ours = seen.chunks.iter().filter(|c| c.stream == ours.stream);
        let deltas: Vec<_> = of_ours
            .map(|c| (c.text.as_str(), c.attributes["lk.transcription_final"].as_str()))
            .collect();
        assert_eq!(deltas, [("Good ", "false"), ("morning.", "false")]);
        for (text, words, is_final) in [(partial, "grüß", "false"), (last, &long[..], "true")] {
            assert_eq!((text.text.as_str(), text.sender.as_str()), (words, "cand"));
            assert_eq!(text.attributes["lk.segment_id"], "SG_2");
            assert_eq!(text.attributes["lk.transcription_final"], is_final);
        }
        let pieces = seen.chunks.iter().filter(|c| c.stream == last.stream).count();
        assert!(pieces >= 2, "{pieces} chunks");
    });
}

/// R04: the control topic both ways: the sender is known, the server's API is nobody, and what is for one is
/// for nobody else.
#[tokio::test]
async fn data_names_its_sender() {
    let server = LiveKit::shared();
    let api = Api::new(server.url(), server.keys());
    let agent = Client::of(&server, "data", "agent").role(Role::Agent).join().await;
    let cand = Client::of(&server, "data", "cand").join().await;
    let other = Client::of(&server, "data", "other").join().await;
    cand.until("agent", |seen| seen.people.contains_key("agent").then_some(())).await;
    let topic = "vivavoce.control";
    cand.room.send_data(topic, b"from cand".to_vec(), To::Agent("agent")).unwrap();
    api.send_data("data", topic, b"from api".to_vec(), To::Agent("agent")).await.unwrap();
    agent.until("both", |seen| (data(seen).len() == 2).then_some(())).await;
    let mut got = agent.look(data);
    got.sort();
    assert_eq!(
        got,
        [(None, "from api".to_owned()), (Some("cand".to_owned()), "from cand".to_owned())]
    );
    agent.room.send_data(topic, b"to all".to_vec(), To::Everybody).unwrap();
    other.until("word to all", |seen| (!data(seen).is_empty()).then_some(())).await;
    assert_eq!(other.look(data), [(Some("agent".to_owned()), "to all".to_owned())]);
    let too_large = cand.room.send_data(topic, vec![0; 60_001], To::Everybody);
    assert_eq!(too_large, Err(SendError::TooLarge));
}

fn data(seen: &Seen) -> Vec<(Option<String>, String)> {
    let data = |fact: &RoomEvent| match fact {
        RoomEvent::Data { sender, payload, .. } => {
            Some((sender.clone(), String::from_utf8(payload.clone()).unwrap()))
        }
        _ => None,
    };
    seen.facts.iter().filter_map(data).collect()
}

/// No packets of a muted track are silence, not loss: the listener is told, nothing is pulled meanwhile, and
/// afterwards the sound is there again.
#[tokio::test]
async fn a_muted_track_is_silence() {
    let server = LiveKit::shared();
    let (source, pulled) = Noted::new(440.0);
    let ears = Client::of(&server, "mute", "ears").role(Role::Agent).join().await;
    let hum = Client::of(&server, "mute", "hum").playing(Tone::new(250.0)).join().await;
    let mouth = Client::of(&server, "mute", "mouth").playing(source).join().await;
    ears.hears("mouth", None).await;
    mouth.room.set_microphone(Microphone::Muted).unwrap();
    ears.until("mute", |seen| {
        (seen.count(|f| matches!(f, RoomEvent::TrackMuted { .. })) == 1).then_some(())
    })
    .await;
    let before = times(&pulled).len();
    // As long as the frames of somebody else come.
    ears.hears("hum", None).await;
    assert_eq!(times(&pulled).len(), before, "frames were pulled that nobody hears");
    mouth.room.set_microphone(Microphone::Open).unwrap();
    ears.until("unmute", |seen| {
        (seen.count(|f| matches!(f, RoomEvent::TrackUnmuted { .. })) == 1).then_some(())
    })
    .await;
    ears.hears("mouth", Some(440.0)).await;
    hum.leave().await;
}

/// R01, U04: who is there first or comes later is announced; who only observes hears all and is seen by
/// nobody.
#[tokio::test]
async fn latecomers_are_announced_and_observers_are_not() {
    let server = LiveKit::shared();
    let cand = Client::of(&server, "late", "cand").playing(Tone::new(880.0)).join().await;
    let agent = Client::of(&server, "late", "agent").role(Role::Agent);
    let agent = agent.playing(Tone::new(440.0)).join().await;
    let observer = Client::of(&server, "late", "observer").role(Role::Observer).join().await;
    agent.hears("cand", Some(880.0)).await;
    cand.hears("agent", Some(440.0)).await;
    observer.hears("agent", Some(440.0)).await;
    let late = Client::of(&server, "late", "latecomer").join().await;
    let sees = |seen: &Seen| {
        seen.people.contains_key("latecomer").then(|| seen.people.contains_key("observer"))
    };
    assert!(!agent.until("latecomer", sees).await, "whoever observes is seen by nobody");
    late.leave().await;
    agent.until("goodbye", |seen| (!seen.people.contains_key("latecomer")).then_some(())).await;
    observer.leave().await;
}

/// An application that takes nothing does not fill the memory, and its room lives on.
#[tokio::test]
async fn an_application_that_stands_still_is_told_no_more_than_fits() {
    let server = LiveKit::shared();
    let mouth = Client::of(&server, "still", "mouth").playing(Tone::new(440.0)).join().await;
    let options =
        RoomOptions::new(server.url(), tokens(server.keys(), "still", "still", Role::Agent));
    let (room, mut events) = Room::join(options, None).await.unwrap();
    mouth.until("listener", |seen| seen.people.contains_key("still").then_some(())).await;
    // Of 1,024 places messages leave a half and sound a quarter; sound comes 50 times a second.
    for n in 0..1_200_u32 {
        while mouth.room.send_data("flood", n.to_be_bytes().to_vec(), To::Everybody).is_err() {
            tokio::task::yield_now().await;
        }
    }
    let waiting = async {
        while room.counters().data_in_dropped.get() == 0
            || room.counters().audio_in_dropped.get() == 0
        {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, waiting).await.expect("something is dropped");
    assert_eq!(room.counters().events_dropped.get(), 0, "who comes and goes has places left");
    while !matches!(events.recv().await.expect("the room lives on"), RoomEvent::Packet(_)) {}
    room.leave().await;
}

/// What is wrong with the way into a room is one sentence that says how to mend it.
#[tokio::test]
async fn a_failed_join_is_one_sentence() {
    let server = LiveKit::shared();
    let join = async |url: &str, keys: ApiKeys| {
        let options = RoomOptions::new(url, tokens(keys, "bad", "a", Role::Agent));
        match Room::join(options, None).await {
            Ok(_) => panic!("joined"),
            Err(error) => error,
        }
    };
    let wrong = ApiKeys::new("devkey", "wrong-wrong-wrong-wrong-wrong-wrong-32");
    let error = join(server.url(), wrong).await;
    assert!(matches!(error, JoinError::Refused { .. }) && !error.is_transient(), "{error}");
    assert!(error.to_string().contains("LIVEKIT_API_SECRET"), "{error}");
    let (_held, port) = deaf_port();
    let error = join(&format!("ws://127.0.0.1:{port}"), server.keys()).await;
    assert!(matches!(error, JoinError::NoServer { .. }) && error.is_transient(), "{error}");
    assert!(error.to_string().contains("LIVEKIT_URL"), "{error}");
    let refusing = Refusing::at(0).await;
    for (status, words) in [("404 Not Found", "LIVEKIT_URL"), ("429 Too Many Requests", "now")] {
        refusing.says(status);
        let error = join(&refusing.url, server.keys()).await.to_string();
        assert!(error.contains(words) && error.contains(status), "{error}");
        assert!(!error.contains("token") && !error.contains("SECRET"), "{error}");
    }
}

/// Whose track the server does not take is told so, and does not wait for ever.
#[tokio::test]
async fn a_track_that_is_not_taken_is_no_join() {
    let server = LiveKit::shared();
    let mute = Client::of(&server, "mute-role", "a").role(Role::Observer);
    let joining = mute.playing(Tone::new(440.0)).try_join();
    let joined = tokio::time::timeout(PATIENCE, joining).await.expect("an answer");
    let error = joined.err().expect("no place in the room");
    assert!(matches!(error, JoinError::NoMedia { .. }), "{error}");
    assert!(error.to_string().contains("the server has not taken our track"), "{error}");
}

/// When frames were pulled.
type Pulled = Arc<Mutex<Vec<Instant>>>;

fn times(pulled: &Pulled) -> Vec<Instant> {
    pulled.lock().unwrap().clone()
}

/// A tone that notes when it was pulled.
struct Noted {
    tone: Tone,
    pulled: Pulled,
}

impl Noted {
    fn new(pitch: f32) -> (Self, Pulled) {
        let pulled = Pulled::default();
        (Self { tone: Tone::new(pitch), pulled: pulled.clone() }, pulled)
    }
}

impl FrameSource for Noted {
    fn pull(&mut self, at: Instant) -> Option<Frame> {
        self.pulled.lock().unwrap().push(at);
        self.tone.pull(at)
    }
}

fn is_cut(event: &RoomEvent) -> bool {
    matches!(event, RoomEvent::LineCut { .. })
}

fn is_back(event: &RoomEvent) -> bool {
    matches!(event, RoomEvent::LineBack { .. })
}
