//! Sessions that lose their signalling or their server, on the real LiveKit server: nothing of an old one
//! takes from a new one.

use std::{sync::Arc, time::Duration};

use livekit_protocol::{self as proto, leave_request, signal_response};
use prost::Message as _;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy},
    net::{TcpListener, TcpStream},
    sync::{broadcast, watch},
    time::timeout,
};
use voiceroom::{
    room::{AGENT_STATE, Fault, RoomEvent},
    server::{Api, Role},
};

use crate::{
    client::{Client, PATIENCE, Seen, Tone},
    interview::until,
    livekit_server::LiveKit,
    net::{
        line::Faults,
        relay::{FRONT, Relay},
    },
};

/// A door before a server's signalling.
struct Gate {
    url: String,
    door: watch::Sender<Door>,
    held: watch::Receiver<Vec<Held>>,
    /// What the gate itself says to those behind it, as if it was the server.
    words: broadcast::Sender<Vec<u8>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Door {
    Open,
    /// Who comes now waits before it, until all are let in.
    Shut,
    AllIn,
    /// Who comes now is hung up on when the server has answered.
    OneAnswer,
}

/// What became of who was held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Held {
    Waiting,
    HungUp,
    LetIn,
    /// Let in, and gone again.
    Gone,
}

impl Gate {
    async fn before(server: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("ws://{}", listener.local_addr().unwrap());
        let (door, at_the_door) = watch::channel(Door::Open);
        let (told, held) = watch::channel(Vec::new());
        let told = Arc::new(told);
        let (words, said_here) = broadcast::channel(1);
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let (mut at_the_door, told) = (at_the_door.clone(), told.clone());
                let words = said_here.resubscribe();
                tokio::spawn(async move {
                    let (mut said, when_it_came) = (Vec::new(), *at_the_door.borrow());
                    let mut place = None;
                    if when_it_came == Door::Shut {
                        let n = told.borrow().len();
                        told.send_modify(|held| held.push(Held::Waiting));
                        let fate = hold(&mut client, &mut said, &mut at_the_door).await;
                        told.send_modify(|held| held[n] = fate);
                        if fate == Held::HungUp {
                            return;
                        }
                        place = Some(n);
                    }
                    let mut server = TcpStream::connect(("127.0.0.1", server)).await.unwrap();
                    server.write_all(&said).await.unwrap();
                    if when_it_came == Door::OneAnswer {
                        pass_one_answer(&mut client, &mut server).await;
                        return told.send_modify(|held| held.push(Held::Gone));
                    }
                    pass_on(&mut client, &mut server, words).await;
                    told.send_modify(|held| place.into_iter().for_each(|n| held[n] = Held::Gone));
                });
            }
        });
        Self { url, door, held, words }
    }

    /// Says something in the server's name, while the server is silent.
    fn says(&self, message: signal_response::Message) {
        let message = proto::SignalResponse { message: Some(message) }.encode_to_vec();
        let header = [0x82, u8::try_from(message.len()).unwrap()];
        assert!(header[1] < 126, "a longer message has another header");
        self.words.send([&header[..], &message].concat()).unwrap();
    }

    async fn holds(&mut self, what: &str, is_it: impl FnMut(&Vec<Held>) -> bool) -> Vec<Held> {
        let waiting = timeout(PATIENCE, self.held.wait_for(is_it)).await;
        waiting.unwrap_or_else(|_| panic!("no {what} at the gate")).unwrap().clone()
    }
}

/// Until the caller hangs up or all are let in; `said` is what they have said meanwhile.
async fn hold(
    client: &mut TcpStream,
    said: &mut Vec<u8>,
    door: &mut watch::Receiver<Door>,
) -> Held {
    loop {
        tokio::select! {
            biased;
            read = client.read_buf(said) => {
                if matches!(read, Ok(0) | Err(_)) {
                    return Held::HungUp;
                }
            }
            _ = door.wait_for(|door| *door == Door::AllIn) => return Held::LetIn,
        }
    }
}

/// Passes on what both say, and what is said here.
async fn pass_on(
    client: &mut TcpStream,
    server: &mut TcpStream,
    mut words: broadcast::Receiver<Vec<u8>>,
) {
    let (mut from_client, mut to_client) = client.split();
    let (mut from_server, mut to_server) = server.split();
    let answers = async {
        let mut said = Vec::new();
        loop {
            let is_passed_on = tokio::select! {
                read = from_server.read_buf(&mut said) => {
                    matches!(read, Ok(1..)) && to_client.write_all(&said).await.is_ok()
                }
                Ok(word) = words.recv() => to_client.write_all(&word).await.is_ok(),
            };
            if !is_passed_on {
                return;
            }
            said.clear();
        }
    };
    tokio::select! {
        () = answers => {}
        _ = copy(&mut from_client, &mut to_server) => {}
    }
}

/// Passes on what both say, until the server has said one message.
async fn pass_one_answer(client: &mut TcpStream, server: &mut TcpStream) {
    let (mut from_client, mut to_client) = client.split();
    let (mut from_server, mut to_server) = server.split();
    let answer = async {
        let (mut said, mut passed) = (Vec::new(), 0);
        while matches!(from_server.read_buf(&mut said).await, Ok(1..)) {
            let end = first_message(&said);
            to_client.write_all(&said[passed..end.unwrap_or(said.len())]).await.unwrap();
            passed = said.len();
            if end.is_some() {
                return;
            }
        }
    };
    tokio::select! {
        () = answer => {}
        _ = copy(&mut from_client, &mut to_server) => {}
    }
}

/// Where the first message on a WebSocket ends.
fn first_message(said: &[u8]) -> Option<usize> {
    let begin = said.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
    let message = &said[begin..];
    let (header, length) = match *message.get(1)? {
        length @ ..126 => (2, usize::from(length)),
        126 => (4, usize::from(u16::from_be_bytes([*message.get(2)?, *message.get(3)?]))),
        127.. => panic!("no server says so much at once"),
    };
    (message.len() >= header + length).then_some(begin + header + length)
}

fn is_cut(event: &RoomEvent) -> bool {
    matches!(event, RoomEvent::LineCut { .. })
}

fn is_back(event: &RoomEvent) -> bool {
    matches!(event, RoomEvent::LineBack { .. })
}

fn says(seen: &Seen, identity: &str, state: &str) -> Option<()> {
    (seen.attribute(identity, AGENT_STATE) == Some(state)).then_some(())
}

fn state(value: &str) -> [(String, String); 1] {
    [(AGENT_STATE.to_owned(), value.to_owned())]
}

/// Two who hear each other: `a` is behind a gate, `b` is not.
async fn behind_a_gate(server: &LiveKit, room: &str) -> (Gate, Client, Client) {
    let gate = Gate::before(server.ports().http).await;
    let url = gate.url.clone();
    let a = Client::of(server, room, "a").role(Role::Agent).with(|o| o.url = url);
    let a = a.playing(Tone::new(440.0)).join().await;
    let b = Client::of(server, room, "b").playing(Tone::new(880.0)).join().await;
    b.hears("a", None).await;
    a.hears("b", None).await;
    (gate, a, b)
}

/// R06: a session that ends while it is being resumed takes its attempt with it: what is under way reaches
/// the server only after the new session has joined, and would take its signalling.
#[tokio::test]
async fn a_resume_ends_with_its_session() {
    let server = LiveKit::shared();
    let (mut gate, a, b) = behind_a_gate(&server, "given-up").await;
    gate.door.send_replace(Door::Shut);
    a.room.inject(Fault::DropSignal).unwrap();
    gate.holds("resume", |held| held.len() == 1).await;
    gate.door.send_replace(Door::Open);
    Api::new(server.url(), server.keys()).remove_participant("given-up", "a").await.unwrap();
    a.until("line back", |seen| seen.facts.iter().position(is_back)).await;
    b.hears("a", Some(440.0)).await;
    gate.door.send_replace(Door::AllIn);
    let held = gate.holds("end", |held| held[0] != Held::Waiting).await;
    assert_eq!(held, [Held::HungUp], "an old session's attempt");
    a.room.set_attributes(state("thinking")).unwrap();
    b.until("state", |seen| says(seen, "a", "thinking")).await;
    let counters = a.room.counters();
    assert_eq!((counters.sessions.get(), counters.resumes.get()), (2, 1), "{counters}");
    a.leave().await;
    b.leave().await;
}

/// R06: a new connection that is lost as soon as the server has agreed is noticed: what we change then
/// reaches the others.
#[tokio::test]
async fn a_resume_that_is_lost_at_once_is_noticed() {
    let server = LiveKit::shared();
    let (mut gate, a, b) = behind_a_gate(&server, "at-once").await;
    gate.door.send_replace(Door::OneAnswer);
    a.room.inject(Fault::DropSignal).unwrap();
    gate.holds("answer", |held| held.len() == 1).await;
    gate.door.send_replace(Door::Open);
    a.room.set_attributes(state("thinking")).unwrap();
    b.until("state", |seen| says(seen, "a", "thinking")).await;
    a.leave().await;
    b.leave().await;
}

/// R06: a server that asks us to resume is about to let go of our media, though it still comes: ICE is
/// restarted then.
#[tokio::test]
async fn a_resume_that_the_server_asks_for_restarts_ice() {
    let server = LiveKit::shared();
    let (gate, a, b) = behind_a_gate(&server, "asked").await;
    let action = leave_request::Action::Resume.into();
    gate.says(signal_response::Message::Leave(proto::LeaveRequest {
        action,
        ..Default::default()
    }));
    a.until("line cut", |seen| seen.facts.iter().position(is_cut)).await;
    a.until("line back", |seen| seen.facts.iter().position(is_back)).await;
    b.hears("a", Some(440.0)).await;
    let counters = a.room.counters();
    assert_eq!((counters.sessions.get(), counters.resumes.get()), (1, 1), "{counters}");
    a.leave().await;
    b.leave().await;
}

/// R06: signalling that is lost again while a resumed session waits for its media is noticed: when sound
/// flows again, the others hear of our changes again, too.
#[tokio::test]
async fn signalling_lost_during_a_resume_comes_back() {
    let server = LiveKit::behind(FRONT);
    let relay = Relay::start(server.ports().http, server.ports().udp).await.unwrap();
    let access = relay.open(1, Faults::NONE, 1).await.unwrap();
    let near = Client::of(&server, "again", "near").playing(Tone::new(440.0)).join().await;
    let far = Client::of(&server, "again", "far").role(Role::Agent).playing(Tone::new(880.0));
    // Its signalling goes around the line, its media does not.
    let far = far.with(|o| o.ips = vec![access.ip]).join().await;
    far.hears("near", None).await;
    access.line.go_dark(2 * PATIENCE);
    far.until("resume", |seen| {
        (seen.count(|f| matches!(f, RoomEvent::Resuming)) == 1).then_some(())
    })
    .await;
    // What is sent after the old connection goes out when the server has agreed.
    until(|| server.log().contains("resuming RTC session")).await;
    far.room.set_attributes(state("thinking")).unwrap();
    near.until("state", |seen| says(seen, "far", "thinking")).await;
    far.room.inject(Fault::DropSignal).unwrap();
    access.line.go_dark(Duration::ZERO);
    far.until("line back", |seen| seen.facts.iter().position(is_back)).await;
    near.hears("far", Some(880.0)).await;
    far.room.set_attributes(state("speaking")).unwrap();
    near.until("state after it", |seen| says(seen, "far", "speaking")).await;
    far.leave().await;
    near.leave().await;
}

/// R01: who gives up a join is not in the room, though the server lets them in afterwards.
#[tokio::test]
async fn a_join_that_is_given_up_leaves_nobody() {
    let server = LiveKit::shared();
    let mut gate = Gate::before(server.ports().http).await;
    let url = gate.url.clone();
    gate.door.send_replace(Door::Shut);
    tokio::select! {
        joined = Client::of(&server, "nobody", "a").with(|o| o.url = url).try_join() => {
            panic!("let in: {:?}", joined.err())
        }
        _ = gate.holds("join", |held| held.len() == 1) => {}
    }
    gate.door.send_replace(Door::AllIn);
    gate.holds("end", |held| held[0] == Held::Gone).await;
    let api = Api::new(server.url(), server.keys());
    let nobody = async {
        while !api.occupants("nobody").await.is_ok_and(|there| there.is_empty()) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(PATIENCE, nobody).await.expect("nobody is there");
}
