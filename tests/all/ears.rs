//! A room's line on the real LiveKit server: whose sound comes out of it.

use tokio::time::timeout;
use vivavoce::{
    clock::Clock,
    session::{Candidate, Line, LineEvent, RoomLine},
    speak::Mouth,
};
use voiceroom::{
    room::{RoomEvent, RoomOptions},
    server::{Orders, Role},
};

use crate::{
    client::{Client, PATIENCE, Seen, tokens},
    libwebrtc,
    livekit_server::LiveKit,
};

/// A line into a room, as a session has it.
async fn line(server: &LiveKit, room: &str, candidate: Candidate) -> RoomLine {
    let tokens = tokens(server.keys(), room, "agent", Role::Agent);
    let (mouth, _) = Mouth::new();
    let options = RoomOptions::new(server.url(), tokens);
    let orders = Orders::new(&server.keys(), room);
    RoomLine::join(options, candidate, mouth, Clock::start(), orders).await.unwrap()
}

/// What comes until then, sound aside.
async fn until(
    line: &mut RoomLine,
    what: &str,
    is_it: impl Fn(&LineEvent) -> bool,
) -> Vec<LineEvent> {
    let mut came = Vec::new();
    let waiting = async {
        loop {
            let event = line.next().await;
            let is_last = is_it(&event);
            if !matches!(event, LineEvent::Packet(..)) {
                came.push(event);
            }
            if is_last {
                return;
            }
        }
    };
    let waited = timeout(PATIENCE, waiting).await;
    assert!(waited.is_ok(), "no {what}; came: {came:#?}");
    came
}

fn is_packet(event: &LineEvent) -> bool {
    matches!(event, LineEvent::Packet(..))
}

/// R05: a candidate who shares a tab with its sound is heard on, meanwhile and afterwards: what a shared
/// screen plays is not asked for, and no other second track takes the microphone's place.
#[tokio::test]
async fn a_second_track_takes_no_ear() {
    let server = LiveKit::shared();
    for (room, source) in [("share", "SOURCE_SCREENSHARE_AUDIO"), ("second", "SOURCE_UNKNOWN")] {
        let mut line = line(&server, room, Candidate::Named("cand".to_owned())).await;
        let watcher = Client::of(&server, room, "watcher").role(Role::Observer).join().await;
        let token = server.keys().room_token(room, "cand", Role::Person).unwrap();
        let args = ["--share", source, "--seconds", "300"];
        let candidate = libwebrtc::candidate(server.url(), token, &args);
        let hearing = async {
            let is_shared = |event: &LineEvent| matches!(event, LineEvent::Typed { .. });
            let came = until(&mut line, "end of the share", is_shared).await;
            until(&mut line, "sound after it", is_packet).await;
            let ears = came.iter().filter(|e| matches!(e, LineEvent::NewTrack { .. })).count();
            assert_eq!(ears, 1, "{source}: {came:#?}");
            let of_candidate = |event: &RoomEvent| {
                matches!(event,
                    RoomEvent::TrackSubscribed(track) if track.participant == "cand")
            };
            let asked = if room == "share" { 1 } else { 2 };
            let tracks = |seen: &Seen| Some(seen.count(of_candidate)).filter(|n| *n >= asked);
            assert_eq!(watcher.until("their tracks", tracks).await, asked, "{source}");
            line.leave().await;
        };
        tokio::join!(candidate, hearing);
        watcher.leave().await;
    }
}
