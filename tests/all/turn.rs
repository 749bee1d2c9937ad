//! Media through the server's relays (TURN), where nothing else gets through.

use std::{fs, path::Path};

use voiceroom::{
    room::{IceTransportPolicy, PeerMode, RoomOptions},
    server::Role,
};

use crate::{
    client::{Client, Tone},
    interview::WorkerProcess,
    livekit_server::{LiveKit, Turn},
    net::{
        line::{Faults, Loss},
        relay::{FRONT, Relay},
    },
    tcp::{be_understood, outlive_a_restart},
};

/// R06, R09: with a relay alone sound flows both ways, over UDP and TCP, and flows again after the server's
/// restart.
#[tokio::test]
async fn sound_flows_through_a_relay() {
    for (turn, mode) in
        [(Turn::Udp, PeerMode::One), (Turn::Udp, PeerMode::Two), (Turn::Tcp, PeerMode::One)]
    {
        let server = LiveKit::relaying(turn);
        let a = Client::of(&server, "relay", "a").role(Role::Agent).mode(mode).with(relayed);
        let a = a.playing(Tone::new(440.0)).join().await;
        let b = Client::of(&server, "relay", "b").playing(Tone::new(880.0)).join().await;
        a.hears("b", Some(880.0)).await;
        b.hears("a", Some(440.0)).await;
        outlive_a_restart(&server, &a, &b).await;
        let counters = a.room.counters();
        assert!(counters.relays.get() > 1 && counters.tcp_in.get() == 0, "{turn:?} {counters}");
        a.leave().await;
        b.leave().await;
    }
}

/// R09: where UDP does not get through, a relay is asked for beside TCP.
#[tokio::test]
async fn relays_are_for_those_in_need() {
    let server = LiveKit::relaying(Turn::UdpBesideTcp);
    let a = Client::of(&server, "need", "a").playing(Tone::new(440.0)).join().await;
    let b = Client::of(&server, "need", "b").join().await;
    b.hears("a", Some(440.0)).await;
    let counters = b.room.counters();
    b.until("relay", |_| (counters.relays.get() > 0).then_some(())).await;
    a.leave().await;
    b.leave().await;
}

/// R09: where a line lets nothing through to the server's media and there is no TCP, the way through a relay
/// is found without being asked for, and sound flows both ways.
#[tokio::test]
async fn a_relay_is_found_where_nothing_else_gets_through() {
    let server = LiveKit::relaying_behind(Turn::Tcp, FRONT);
    let front = Relay::start(server.ports().http, server.ports().udp).await.unwrap();
    let shut = Faults { loss: Loss::Uniform { share: 1.0 }, ..Faults::NONE };
    let line = front.open(1, shut, 1).await.unwrap();
    // Signalling takes no part in it.
    let a = Client::of(&server, "shut", "a").with(|options| options.ips = vec![line.ip]);
    let a = a.playing(Tone::new(440.0)).join().await;
    let b = Client::of(&server, "shut", "b").playing(Tone::new(880.0)).join().await;
    a.hears("b", Some(880.0)).await;
    b.hears("a", Some(440.0)).await;
    let (counters, tried) = (a.room.counters(), line.line.datagrams());
    assert!(counters.relays.get() > 0 && counters.tcp_in.get() == 0, "{counters}");
    assert!(tried.up > 0 && tried.given == 0, "{tried:?}");
    a.leave().await;
    b.leave().await;
}

/// R09: who may use relays alone takes no other way, though there is one.
#[tokio::test]
async fn without_a_relay_there_is_no_way() {
    let server = LiveKit::shared();
    let Err(error) = Client::of(&server, "no-relay", "a").with(relayed).try_join().await else {
        panic!("there was a way");
    };
    let error = error.to_string();
    assert!(error.contains("no answer through a TURN server"), "{error}");
}

/// R09: an interview is held through a relay that is reached over TLS, as where only port 443 is open: the
/// candidate hears the question, and the worker understands the answer.
#[tokio::test(flavor = "multi_thread")]
async fn an_interview_through_a_relay_over_tls() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, pem: String| -> &'static Path {
        let path = folder.path().join(name);
        fs::write(&path, pem).unwrap();
        Box::leak(path.into_boxed_path())
    };
    let own = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let certificate = file("certificate.pem", own.cert.pem());
    let key = file("key.pem", own.signing_key.serialize_pem());
    let server = LiveKit::relaying(Turn::Tls(certificate, key));
    let settings = [
        ("VIVAVOCE_LIVEKIT__ICE_TRANSPORT_POLICY", "relay"),
        ("SSL_CERT_FILE", certificate.to_str().unwrap()),
    ];
    let worker = WorkerProcess::with(&server, &settings);
    be_understood(&server, &worker).await;
}

fn relayed(options: &mut RoomOptions) {
    options.ice_transport_policy = IceTransportPolicy::Relay;
}
