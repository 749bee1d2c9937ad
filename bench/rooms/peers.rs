//! `--peers`: other workers in turn with ours, with the same providers, rules and candidate. What counts is
//! the ratio.

use std::{
    collections::BTreeSet,
    ffi::OsStr,
    net::{Ipv4Addr, SocketAddr, TcpListener},
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use procfs::process::{Process, all_processes};
use rustix::process::{Pid, Signal, kill_process_group};
use serde::Serialize;
use tokio::time::sleep;
use vivavoce::clock;
use voiceroom::http::{CallLimit, client};

use crate::{
    Bench, FIXED,
    candidate::{Candidate, Door, Over},
    livekit_server::{KEY, LiveKit, SECRET},
    report::percentile,
    stubs::{self, Delays},
    talk,
    worker::AGENT,
};

/// The Python in which the peers are installed.
const PYTHON: &str = "VIVAVOCE_PEERS_PYTHON";
/// Each is measured so often, in turn.
const ROUNDS: usize = 2;
/// How long a peer may take until it takes interviews: models are loaded, a process is forked.
const START_LIMIT: Duration = Duration::from_secs(60);
/// And after that, until its spare process is there.
const WARM: Duration = Duration::from_secs(10);
const STOP_LIMIT: Duration = Duration::from_secs(10);

/// Another worker.
#[derive(Clone, Copy)]
struct Peer {
    name: &'static str,
    /// What must be installed, as Python imports it.
    needs: &'static str,
    /// Its program, beside this one's.
    script: &'static str,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It registers with the server and is called.
    Worker,
    /// It is a process for one room.
    Bot,
}

const PEERS: [Peer; 2] = [
    Peer {
        name: "LiveKit Agents",
        needs: "livekit.agents, livekit.plugins.deepgram, livekit.plugins.openai",
        script: "livekit_agent.py",
        kind: Kind::Worker,
    },
    Peer {
        name: "Pipecat",
        needs: "pipecat.transports.livekit.transport, pipecat.audio.vad.silero, \
            pipecat.services.deepgram.stt",
        script: "pipecat_bot.py",
        kind: Kind::Bot,
    },
];

/// What was measured of one.
#[derive(Clone, Default, Serialize)]
struct Figures {
    name: &'static str,
    responses_ms: Vec<f64>,
    turns: usize,
    /// With one call, its own share of what it shares with others.
    mib: Vec<f64>,
}

/// Us and each peer that is there, in turn.
pub(crate) async fn run(bench: &Bench, turns: usize) -> anyhow::Result<()> {
    let Some(python) = std::env::var_os(PYTHON) else {
        println!(
            "no peers are measured: set {PYTHON} to a Python that has them (see docs/bench.md)"
        );
        return Ok(());
    };
    let mut peers = Vec::new();
    for peer in PEERS {
        match peer.is_missing(&python)? {
            None => peers.push(peer),
            Some(why) => println!("{} is left out, that Python cannot import it: {why}", peer.name),
        }
    }
    if peers.is_empty() {
        return Ok(());
    }
    let mut all = vec![Figures { name: "Vivavoce", ..Figures::default() }];
    all.extend(peers.iter().map(|peer| Figures { name: peer.name, ..Figures::default() }));
    for n in 1..=ROUNDS {
        println!("round {n} of {ROUNDS}");
        all[0].add(ours(bench, turns).await?);
        for (peer, figures) in peers.iter().zip(&mut all[1..]) {
            figures.add(theirs(bench, peer, &python, turns).await?);
        }
    }
    println!(
        "{:16} {:>5} {:>10} {:>8} {:>8} {:>10} {:>10} {:>8} {:>7}",
        "", "turns", "unanswered", "p50 ms", "p90 ms", "p50 ratio", "p90 ratio", "MiB", "ratio"
    );
    all.iter().for_each(|figures| println!("{}", figures.line(&all[0])));
    bench.write("peers.json", &all)?;
    println!("written: peers.json in {}", bench.out.display());
    Ok(())
}

async fn ours(bench: &Bench, turns: usize) -> anyhow::Result<Figures> {
    let stage = bench.stage(Delays::USUAL, FIXED).await?;
    let candidate = bench.join(&stage, 0).await?;
    let figures = measure(&candidate, turns, stage.worker.id()).await;
    stage.leave(candidate).await?;
    stage.worker.stop().await?;
    Ok(figures)
}

async fn theirs(
    bench: &Bench,
    peer: &Peer,
    python: &OsStr,
    turns: usize,
) -> anyhow::Result<Figures> {
    let server = LiveKit::start();
    let (stubs, _) = stubs::serve(Delays::USUAL).await?;
    let name = "bench-peer";
    let running = Running::start(peer, python, &server, stubs, name, &bench.out).await?;
    let candidate = Candidate::join(&Door::of(&server), name, bench.utterance.clone()).await;
    let candidate = candidate.map_err(|error| {
        let log = running.log(&bench.out);
        anyhow::anyhow!("{}: {error}; the end of its log:\n{log}", peer.name)
    })?;
    let figures = measure(&candidate, turns, running.0.id()).await;
    candidate.leave().await;
    running.stop().await;
    Ok(figures)
}

async fn measure(candidate: &Candidate, turns: usize, pid: u32) -> Figures {
    let done = talk(candidate, turns, Over::Nothing).await;
    let answers = done.iter().filter(|turn| !turn.is_early);
    Figures {
        name: "",
        responses_ms: answers.filter_map(|turn| turn.response_ms).collect(),
        turns,
        mib: vec![mib_of_tree(pid.cast_signed())],
    }
}

/// Memory of a process and all that come from it; what they share counts once.
fn mib_of_tree(root: i32) -> f64 {
    let parents: Vec<(i32, i32)> = all_processes()
        .into_iter()
        .flatten()
        .filter_map(|process| process.ok()?.stat().ok())
        .map(|stat| (stat.pid, stat.ppid))
        .collect();
    let mut tree = BTreeSet::from([root]);
    loop {
        let children = parents.iter().filter(|(_, parent)| tree.contains(parent));
        let grown: BTreeSet<i32> =
            tree.iter().copied().chain(children.map(|(pid, _)| *pid)).collect();
        if grown.len() == tree.len() {
            break;
        }
        tree = grown;
    }
    let share = |pid: &i32| {
        let rollup = Process::new(*pid).ok()?.smaps_rollup().ok()?;
        Some(rollup.memory_map_rollup.0.first()?.extension.map.get("Pss").copied()? as f64)
    };
    tree.iter().filter_map(share).sum::<f64>() / f64::from(1 << 20)
}

impl Peer {
    /// Why this Python cannot import it, if it cannot.
    fn is_missing(&self, python: &OsStr) -> anyhow::Result<Option<String>> {
        let tried = Command::new(python).args(["-c", &format!("import {}", self.needs)]).output();
        let tried = tried.map_err(|error| {
            anyhow::anyhow!("{PYTHON} is {}, which cannot be run: {error}", python.display())
        })?;
        let told = String::from_utf8_lossy(&tried.stderr);
        let why = told.lines().last().unwrap_or("it says nothing").to_owned();
        Ok((!tried.status.success()).then_some(why))
    }
}

/// A peer's process, which leads a group: what it starts ends with it.
struct Running(Child);

impl Running {
    async fn start(
        peer: &Peer,
        python: &OsStr,
        server: &LiveKit,
        stubs: SocketAddr,
        room: &str,
        data: &Path,
    ) -> anyhow::Result<Self> {
        use std::os::unix::process::CommandExt;
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("bench/peers").join(peer.script);
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        let log = std::fs::File::create(data.join(LOG))?;
        let process = Command::new(python)
            .arg(script)
            .arg(if peer.kind == Kind::Worker { "start" } else { room })
            .env("LIVEKIT_URL", server.url())
            .env("LIVEKIT_API_KEY", KEY)
            .env("LIVEKIT_API_SECRET", SECRET)
            .env("AGENT_NAME", AGENT)
            .env("STUBS", stubs.to_string())
            .env("HTTP_PORT", port.to_string())
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .process_group(0)
            .spawn()?;
        let mut running = Self(process);
        let began = clock::instant();
        let health = format!("http://127.0.0.1:{port}/");
        let client = client(CallLimit::Callers).build()?;
        let is_up =
            async || client.get(&health).send().await.is_ok_and(|got| got.status().is_success());
        while peer.kind == Kind::Worker && !is_up().await {
            if began.elapsed() > START_LIMIT || running.0.try_wait()?.is_some() {
                anyhow::bail!("{} does not start:\n{}", peer.name, running.log(data));
            }
            sleep(Duration::from_millis(100)).await;
        }
        sleep(WARM).await;
        Ok(running)
    }

    /// The end of what it said.
    fn log(&self, data: &Path) -> String {
        let told = std::fs::read_to_string(data.join(LOG)).unwrap_or_default();
        let lines: Vec<&str> = told.lines().collect();
        lines[lines.len().saturating_sub(LOG_LINES)..].join("\n")
    }

    async fn stop(mut self) {
        self.signal(Signal::TERM);
        let began = clock::instant();
        while matches!(self.0.try_wait(), Ok(None)) && began.elapsed() < STOP_LIMIT {
            sleep(Duration::from_millis(50)).await;
        }
    }

    fn signal(&self, signal: Signal) {
        // It has ended already, or nothing else helps.
        let _ = kill_process_group(Pid::from_child(&self.0), signal);
    }
}

const LOG: &str = "peer.log";
const LOG_LINES: usize = 20;

impl Drop for Running {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
        let _ = self.0.wait();
    }
}

impl Figures {
    fn add(&mut self, other: Self) {
        self.responses_ms.extend(other.responses_ms);
        self.turns += other.turns;
        self.mib.extend(other.mib);
    }

    fn line(&self, ours: &Self) -> String {
        let at = |figures: &Self, percent| percentile(&figures.responses_ms, percent);
        let mib = |figures: &Self| percentile(&figures.mib, 50);
        format!(
            "{:16} {:>5} {:>10} {:>8.0} {:>8.0} {:>10.2} {:>10.2} {:>8.0} {:>7.1}",
            self.name,
            self.turns,
            self.turns - self.responses_ms.len(),
            at(self, 50),
            at(self, 90),
            at(self, 50) / at(ours, 50),
            at(self, 90) / at(ours, 90),
            mib(self),
            mib(self) / mib(ours),
        )
    }
}
