//! `vivavoce dev` as a program tree: all of it comes up, and all of it goes.

use std::{
    io::{BufRead, BufReader, Lines},
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process};
use vivavoce::{clock::Clock, time::SessionTime};
use voiceroom::http::{self, CallLimit};

use crate::{
    cli::{text, vivavoce},
    livekit_server::{self, Reserved},
};

const LIMIT: Duration = Duration::from_secs(120);

/// What answers there.
async fn get(url: String) -> reqwest::Response {
    let client = http::client(CallLimit::Whole(LIMIT)).build().unwrap();
    client.get(url).send().await.unwrap()
}

/// `vivavoce dev` on ports and with a data folder of its own.
pub(crate) struct Dev {
    child: Child,
    /// Where it says that it is ready.
    pub(crate) url: String,
    /// Three for LiveKit, and one for the worker's health.
    ports: Reserved,
    /// Held, as a terminal would be.
    stdout: Lines<BufReader<ChildStdout>>,
    /// It works here, and keeps its interviews in `data`.
    pub(crate) folder: tempfile::TempDir,
}

impl Dev {
    /// Starts it and waits until it is ready.
    pub(crate) fn start() -> Self {
        let ports = Reserved::new();
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_vivavoce"))
            .arg("dev")
            .current_dir(folder.path())
            .env_remove("LIVEKIT_API_KEY")
            .env_remove("LIVEKIT_API_SECRET")
            .env("VIVAVOCE_LIVEKIT_SERVER", livekit_server::binary())
            .env("LIVEKIT_URL", format!("ws://127.0.0.1:{}", ports.first))
            .env("VIVAVOCE_WORKER__HEALTH", format!("127.0.0.1:{}", ports.first + 3))
            .env("VIVAVOCE_WEB__LISTEN", "127.0.0.1:0")
            // Our settings for it say `warn`; how jobs end it logs as `info`.
            .env("LIVEKIT_LOGGING_LEVEL", "info")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let ready = lines.next().expect("it says where it is").unwrap();
        let url = ready.strip_prefix("Vivavoce is ready: ").expect(&ready).to_owned();
        Self { child, url, ports, stdout: lines, folder }
    }

    /// What its LiveKit server has logged.
    pub(crate) fn livekit_log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("data/livekit-server.log")).unwrap()
    }

    /// What its worker has counted of that.
    pub(crate) async fn counted(&self, counter: &str) -> u64 {
        let url = format!("http://{}/metrics", self.health());
        let metrics = get(url).await.text().await.unwrap();
        let value = metrics.lines().find_map(|line| line.strip_prefix(counter)?.strip_prefix(' '));
        value.map_or(0, |value| value.parse().unwrap())
    }

    fn health(&self) -> String {
        format!("127.0.0.1:{}", self.ports.first + 3)
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    fn livekit_is_gone(&self) {
        wait_until("LiveKit is gone", || {
            TcpStream::connect(("127.0.0.1", self.ports.first)).is_err()
        });
    }
}

impl Drop for Dev {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let clock = Clock::start();
    while !is_so() {
        assert!(clock.now() < SessionTime::ZERO + LIMIT, "not within {LIMIT:?}: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// `dev` prints one address, says so if it has no pages to show there; the web app answers, the worker is
/// ready; Ctrl-C ends all of it with exit code 0 (W10, N07).
#[tokio::test]
async fn dev_comes_up_whole_and_leaves_nothing_behind() {
    voiceroom::tls::install();
    let mut dev = Dev::start();
    let has_pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/dist/index.html").is_file();
    let next = dev.stdout.next().unwrap().unwrap();
    assert_eq!(!has_pages, next.contains("The web pages were not built: run `make web`"), "{next}");
    let status = async |url: String| get(url).await.status().as_u16();
    assert_eq!(status(format!("{}/api/session", dev.url)).await, 200);
    assert_eq!(status(format!("http://{}/readyz", dev.health())).await, 200);

    dev.signal(Signal::INT);
    let mut code = None;
    wait_until("dev ends", || {
        code = dev.child.try_wait().unwrap();
        code.is_some()
    });
    assert_eq!(code.unwrap().code(), Some(0));
    dev.livekit_is_gone();
}

/// U01: whoever starts the web app alone gets the code of the first account, on this machine too: a server in
/// front of it may be on the same machine.
#[test]
fn the_web_app_alone_prints_the_code() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_vivavoce"))
        .arg("web")
        .current_dir(folder.path())
        .env("LIVEKIT_API_KEY", "key")
        .env("LIVEKIT_API_SECRET", "secret")
        .env("VIVAVOCE_WEB__LISTEN", "127.0.0.1:0")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let said = BufReader::new(child.stdout.take().unwrap()).lines().next().unwrap().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let (_, code) = said.split_once("/#setup=").unwrap_or_else(|| panic!("{said}"));
    assert_eq!(code.len(), 24, "{said}");
}

/// Even killed, `dev` takes its LiveKit server along.
#[test]
fn a_killed_dev_takes_its_server_along() {
    let dev = Dev::start();
    dev.signal(Signal::KILL);
    dev.livekit_is_gone();
}

/// N06: what is at LiveKit's port decides what the sentence advises.
#[test]
fn a_taken_port_is_told_apart_from_a_livekit_server() {
    let server = livekit_server::LiveKit::shared();
    let stranger = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("ws://{}", stranger.local_addr().unwrap());
    let stranger =
        std::thread::spawn(move || drop(stranger.incoming().take(2).collect::<Vec<_>>()));
    let said = |url: &str| {
        let settings = [("LIVEKIT_URL", url), ("VIVAVOCE_WORKER__HEALTH", "127.0.0.1:0")];
        text(&vivavoce(&["dev"], &settings).stderr)
    };
    let (server, taken) = (said(server.url()), said(&address));
    stranger.join().unwrap();
    assert!(
        server.contains("a LiveKit server answers") && server.contains("LIVEKIT_API_KEY"),
        "{server}"
    );
    assert!(taken.contains("is taken by something that is no LiveKit server"), "{taken}");
    assert!(
        [server, taken]
            .iter()
            .all(|said| said.contains("LIVEKIT_URL") && said.lines().count() == 1)
    );
}
