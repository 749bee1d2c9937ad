//! The example agent of `voiceroom` on the real LiveKit server.

use std::{future::ready, time::Duration};

use tokio::{sync::watch, time::timeout};
use voiceroom::{
    server::{Api, Call, Watched, call_until_begun},
    worker::Shutdown,
};

use crate::{
    client::{Client, PATIENCE, Tone},
    livekit_server::{LiveKit, jobs_ended},
};

#[path = "../../crates/voiceroom/examples/echo.rs"]
#[expect(dead_code, reason = "its command line is not called here")]
mod example;

/// What others begin with works: called into a room, the agent says back what it hears, and reports when the
/// caller has left.
#[tokio::test]
async fn the_echo_agent_says_back_what_it_hears() {
    let server = LiveKit::start();
    let (shutdown, wanted) = watch::channel(Shutdown::No);
    let agent = tokio::spawn(example::serve(server.url().to_owned(), server.keys(), wanted));
    let caller = Client::of(&server, "echo", "caller").playing(Tone::new(440.0)).join().await;
    let call = Call {
        room: "echo".to_owned(),
        agent: "echo".to_owned(),
        metadata: String::new(),
        waiting: None,
    };
    let is_there = || ready(caller.look(|seen| !seen.people.is_empty()));
    let api = Api::new(server.url(), server.keys());
    let again = Duration::from_millis(500);
    let watched = call_until_begun(&api, &call, again, PATIENCE, is_there, || ()).await.unwrap();
    assert_eq!(watched, Watched::Begun);
    let echo = caller.look(|seen| seen.people.keys().next().cloned()).unwrap();
    caller.hears(&echo, Some(440.0)).await;
    caller.leave().await;
    assert_eq!(jobs_ended(1, || server.log()).await, ["JS_SUCCESS"]);
    shutdown.send_replace(Shutdown::Drain);
    timeout(PATIENCE, agent).await.expect("the agent ends").unwrap().unwrap();
}
