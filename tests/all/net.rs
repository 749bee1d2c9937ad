//! The bad lines of `make bench-net`, which is a program of its own and no test.

#![allow(dead_code, reason = "the bench uses what its tests do not")]

#[path = "../../bench/rooms/line.rs"]
pub(crate) mod line;
#[path = "../../bench/rooms/relay.rs"]
pub(crate) mod relay;

use std::time::Duration;

use line::{Faults, Loss, Way};
use relay::{FRONT, Relay};

use crate::{
    client::{Client, Tone},
    livekit_server::LiveKit,
};

const PACKETS: usize = 100_000;

/// Which of many packets are lost.
fn lost(loss: Loss, seed: u64) -> Vec<bool> {
    let mut way = Way::new(Faults { loss, ..Faults::NONE }, seed);
    (0..PACKETS).map(|_| way.packet().is_none()).collect()
}

/// Q14: a line loses the share it is told to, alone or in bursts of the length it is told to, and does it
/// again from the same seed.
#[test]
fn a_line_loses_what_it_is_told_to() {
    let bursts = Loss::Bursts { share: 0.2, length: 4.0 };
    for (loss, share, length) in [
        (Loss::Nothing, 0.0, 0.0),
        (Loss::Uniform { share: 0.1 }, 0.1, 1.11),
        (Loss::Uniform { share: 0.3 }, 0.3, 1.43),
        (bursts, 0.2, 4.0),
    ] {
        let lost = lost(loss, 1);
        let count = lost.iter().filter(|is_lost| **is_lost).count() as f64;
        let runs = lost.windows(2).filter(|pair| pair[1] && !pair[0]).count().max(1) as f64;
        let found = (count / PACKETS as f64, count / runs);
        assert!((found.0 - share).abs() < 0.01, "{loss:?}: {found:?}");
        assert!((found.1 - length).abs() < 0.15, "{loss:?}: {found:?}");
    }
    assert_eq!(lost(bursts, 1), lost(bursts, 1));
    assert_ne!(lost(bursts, 1), lost(bursts, 2));
}

/// Q14: packets are kept for any time up to the limit, so that they overtake one another; bytes of TCP come
/// late, not never.
#[test]
fn a_line_keeps_packets_and_no_bytes() {
    let jitter = Duration::from_millis(60);
    let mut way = Way::new(Faults { loss: Loss::Nothing, jitter }, 1);
    let kept: Vec<Duration> = (0..PACKETS).filter_map(|_| way.packet()).collect();
    assert_eq!(kept.len(), PACKETS);
    assert!(kept.iter().all(|kept| *kept < jitter));
    assert!(kept.windows(2).any(|two| two[0] > two[1] + Duration::from_millis(40)));
    assert!(
        kept.iter().sum::<Duration>().abs_diff(jitter / 2 * PACKETS as u32)
            < Duration::from_secs(100)
    );
    for loss in [Loss::Uniform { share: 0.2 }, Loss::Bursts { share: 0.2, length: 4.0 }] {
        let mut way = Way::new(Faults { loss, ..Faults::NONE }, 1);
        let late: Vec<Duration> = (0..PACKETS).map(|_| way.bytes()).collect();
        for (limit_ms, share) in [(200, 0.2), (600, 0.04)] {
            let count = late.iter().filter(|late| late.as_millis() >= limit_ms).count() as f64;
            assert!((count / PACKETS as f64 - share).abs() < 0.01, "{loss:?}: {count}");
        }
    }
}

/// Q14, R06: over a line that loses 20 % and is dark for two seconds a call goes on as the same call, and
/// nothing goes around the line: what the client got is what the relay gave it.
#[tokio::test]
async fn a_call_outlives_a_dark_line() {
    let server = LiveKit::behind(FRONT);
    let relay = Relay::start(server.ports().http, server.ports().udp).await.unwrap();
    let faults = Faults { loss: Loss::Uniform { share: 0.2 }, jitter: Duration::ZERO };
    let access = relay.open(1, faults, 1).await.unwrap();
    let near = Client::of(&server, "line", "near").playing(Tone::new(440.0)).join().await;
    let far = Client::of(&server, "line", "far").playing(Tone::new(880.0)).with(|options| {
        options.url.clone_from(&access.url);
        options.ips = vec![access.ip];
    });
    let far = far.join().await;
    far.hears("near", None).await;
    near.hears("far", None).await;
    access.line.go_dark(Duration::from_secs(2));
    far.until("silence in the dark", |seen| {
        seen.sounds_of("near").any(|sound| sound.longest_gap > Duration::from_secs(1)).then_some(())
    })
    .await;
    far.hears("near", None).await;
    near.hears("far", None).await;
    // More comes meanwhile: what the client got is read before what it was given.
    let counters = far.room.counters();
    let (got, line) = (counters.udp_in.get(), access.line.datagrams());
    // After 2 s without a packet the line counts as cut; whether it was that long is chance.
    assert_eq!(counters.sessions.get(), 1, "{counters}");
    assert!(counters.line_cuts.get() <= 1, "{counters}");
    assert!(line.lost > 0, "{line:?}");
    assert!((line.given / 2..=line.given).contains(&got), "{got} {line:?}");
    far.leave().await;
    near.leave().await;
}
