//! ICE over TCP, where UDP does not get through.

use voiceroom::{
    room::{Fault, PeerMode, RoomEvent, Scenario, TRANSCRIPTION_TOPIC},
    server::Role,
};

use crate::{
    client::{Client, Tone},
    interview::{Voice, WorkerProcess, answer, dispatch, launch},
    livekit_server::LiveKit,
};

/// A server whose UDP ports are closed.
const NO_UDP: &str = "  force_tcp: true";

/// R06, R07, R09: without UDP sound flows both ways over TCP, is cut and back, and flows again after the
/// server's restart.
#[tokio::test]
async fn sound_flows_over_tcp() {
    let server = LiveKit::start_with(NO_UDP);
    for mode in [PeerMode::One, PeerMode::Two] {
        let room = format!("tcp-{mode:?}");
        let a = Client::of(&server, &room, "a").role(Role::Agent).mode(mode);
        let a = a.playing(Tone::new(440.0)).join().await;
        let b = Client::of(&server, &room, "b").mode(mode).playing(Tone::new(880.0)).join().await;
        a.hears("b", Some(880.0)).await;
        b.hears("a", Some(440.0)).await;
        if mode == PeerMode::One {
            cut_and_back(&server, &a, &b).await;
            a.hears("b", Some(880.0)).await;
            b.hears("a", Some(440.0)).await;
        }
        outlive_a_restart(&server, &a, &b).await;
        let counters = a.room.counters();
        assert!(counters.tcp_out.get() > 100 && counters.tcp_in.get() > 100, "{counters}");
        a.leave().await;
        b.leave().await;
    }
}

/// Restarts the server: sound flows again, of 440 Hz to `b` and of 880 Hz to `a`.
pub(crate) async fn outlive_a_restart(server: &LiveKit, a: &Client, b: &Client) {
    let backs = a.look(|seen| seen.count(is_back));
    server.restart();
    a.until("line back again", |seen| (seen.count(is_back) > backs).then_some(())).await;
    a.hears("b", Some(880.0)).await;
    b.hears("a", Some(440.0)).await;
}

/// The server stands still until both have noticed.
async fn cut_and_back(server: &LiveKit, a: &Client, b: &Client) {
    server.freeze();
    a.until("cut", |seen| seen.facts.iter().position(is_cut)).await;
    b.until("cut", |seen| seen.facts.iter().position(is_cut)).await;
    server.thaw();
    a.until("line back", |seen| seen.facts.iter().position(is_back)).await;
}

/// R09: a participant for whom the server has decided on TCP comes back over TCP, without and with a new
/// session; UDP is enough for the others.
#[tokio::test]
async fn a_server_may_decide_on_tcp() {
    let server = LiveKit::shared();
    for mode in [PeerMode::One, PeerMode::Two] {
        let room = format!("prefer-tcp-{mode:?}");
        let a = Client::of(&server, &room, "a").role(Role::Agent).mode(mode);
        let a = a.playing(Tone::new(440.0)).join().await;
        let b = Client::of(&server, &room, "b").mode(mode).playing(Tone::new(880.0)).join().await;
        a.hears("b", None).await;
        a.room.inject(Fault::Simulate(Scenario::TcpOnly)).unwrap();
        if mode == PeerMode::Two {
            // With one connection it waits for the next session.
            over_tcp(&a).await;
        }
        a.hears("b", Some(880.0)).await;
        b.hears("a", Some(440.0)).await;
        a.room.inject(Fault::Simulate(Scenario::NodeFailure)).unwrap();
        a.until("new session", |_| (a.room.counters().sessions.get() >= 2).then_some(())).await;
        a.hears("b", Some(880.0)).await;
        b.hears("a", Some(440.0)).await;
        over_tcp(&a).await;
        let counters = b.room.counters();
        // A check may have gone over TCP, if they were slow to come in.
        assert!(counters.tcp_in.get() * 10 < counters.udp_in.get(), "{counters}");
        a.leave().await;
        b.leave().await;
    }
}

/// Waits until sound has come over TCP for a while.
async fn over_tcp(client: &Client) {
    let counters = client.room.counters();
    let before = counters.tcp_in.get();
    client.until("sound over TCP", |_| (counters.tcp_in.get() >= before + 100).then_some(())).await;
}

/// R09: an interview is held over TCP: the candidate hears the question, and the worker understands the
/// answer.
#[tokio::test(flavor = "multi_thread")]
async fn an_interview_over_tcp() {
    let server = LiveKit::start_with(NO_UDP);
    let worker = WorkerProcess::start(&server);
    let candidate = be_understood(&server, &worker).await;
    assert!(candidate.room.counters().tcp_in.get() > 100);
}

/// A candidate is asked a question, and their answer is understood.
pub(crate) async fn be_understood(server: &LiveKit, worker: &WorkerProcess) -> Client {
    let folder = launch(&worker.store(), "two-stage");
    let id = folder.id();
    let voice = Voice::of("two-stage-plain");
    let identity = id.candidate();
    let candidate = Client::of(server, &id.room(), &identity).playing(voice.clone()).join().await;
    dispatch(server, &folder).await;
    let understood = candidate.until("words of the candidate", |seen| {
        let theirs = |text: &&voiceroom::room::Text| {
            text.topic == TRANSCRIPTION_TOPIC && text.sender == identity
        };
        let mut theirs = seen.texts.iter().filter(theirs);
        theirs.any(|text| text.text.contains("engineer")).then_some(())
    });
    tokio::select! {
        () = understood => {}
        _ = answer(&candidate, &voice) => panic!("the interview ended before"),
    }
    candidate
}

fn is_cut(event: &RoomEvent) -> bool {
    matches!(event, RoomEvent::LineCut { .. })
}

fn is_back(event: &RoomEvent) -> bool {
    matches!(event, RoomEvent::LineBack { .. })
}
