//! Rooms on the real LiveKit server. Each trap of the transport that can be tested has a test.

use vivavoce::{
    livekit::Role,
    room::{AGENT_STATE, End, PeerMode, RoomEvent},
};

use crate::{
    client::{Client, Tone},
    livekit_server::LiveKit,
};

/// R01, R02, R07: who joins hears the other, in every mixture of one and two peer connections.
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
        let a = Client::of(&server, "restart", "a").role(Role::Agent).mode(mode);
        let a = a.playing(Tone::new(440.0)).join().await;
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
        let seen = a.leave().await;
        assert_eq!((seen.count(is_cut), seen.count(is_back)), (1, 1), "{:#?}", seen.facts);
        assert_eq!(seen.end, Some(End::Left));
        b.leave().await;
    }
}

fn is_cut(event: &RoomEvent) -> bool {
    matches!(event, RoomEvent::LineCut { .. })
}

fn is_back(event: &RoomEvent) -> bool {
    matches!(event, RoomEvent::LineBack { .. })
}
