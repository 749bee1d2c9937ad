//! The worker under test: the program itself, as a process of its own.

use std::{
    net::{Ipv4Addr, SocketAddr, TcpListener},
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::Context;
use procfs::process::Process;
use rustix::process::{Pid, Signal, kill_process};
use tokio::time::sleep;
use vivavoce::clock;
use voiceroom::http::{CallLimit, client};

use crate::livekit_server::{KEY, LiveKit, SECRET};

/// The worker's name at the server.
pub(crate) const AGENT: &str = "bench";
const START_LIMIT: Duration = Duration::from_secs(10);
const STOP_LIMIT: Duration = Duration::from_secs(15);

/// How the worker is set up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setup {
    /// Which of the bench's blueprints.
    pub(crate) blueprint: &'static str,
    /// Whether model and voice begin at the first silence.
    pub(crate) speculates: bool,
    /// Interviews at a time.
    pub(crate) slots: usize,
    /// Whether it hears and speaks by itself, as shipped; the model is the bench's all the same.
    pub(crate) is_embedded: bool,
}

/// A running worker.
pub(crate) struct Worker {
    process: Child,
    health: String,
    /// From its start to its registration.
    pub(crate) registered: Duration,
}

/// What a process has used, and uses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Usage {
    at: Instant,
    cpu: f64,
    /// Resident memory.
    pub(crate) mib: f64,
    /// Open files and sockets.
    pub(crate) files: usize,
}

impl Worker {
    /// Starts one, and waits until it takes interviews.
    pub(crate) async fn start(
        program: &Path,
        server: &LiveKit,
        stubs: SocketAddr,
        data: &Path,
        setup: Setup,
    ) -> anyhow::Result<Self> {
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        let log = std::fs::File::create(data.join("worker.log"))?;
        let began = clock::instant();
        let mut process = Command::new(program)
            .arg("worker")
            .env("LIVEKIT_URL", server.url())
            .env("LIVEKIT_API_KEY", KEY)
            .env("LIVEKIT_API_SECRET", SECRET)
            .env("DEEPGRAM_API_KEY", "bench")
            .env("OPENAI_API_KEY", "bench")
            .envs(settings(stubs, data, port, setup))
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()?;
        let health = format!("http://127.0.0.1:{port}");
        let ready = format!("{health}/readyz");
        let client = client(CallLimit::Callers).build()?;
        while !client.get(&ready).send().await.is_ok_and(|answer| answer.status().is_success()) {
            if began.elapsed() > START_LIMIT || process.try_wait()?.is_some() {
                let told = std::fs::read_to_string(data.join("worker.log")).unwrap_or_default();
                anyhow::bail!("the worker does not register: {told}");
            }
            sleep(Duration::from_millis(2)).await;
        }
        Ok(Self { process, health, registered: began.elapsed() })
    }

    /// Its process.
    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// The sum of a metric over its labels; zero if nothing was counted.
    pub(crate) async fn metric(&self, name: &str) -> anyhow::Result<f64> {
        let client = client(CallLimit::Callers).build()?;
        let metrics = format!("{}/metrics", self.health);
        let text = client.get(metrics).send().await?.text().await?;
        let values = text.lines().filter_map(|line| {
            let (named, value) = line.rsplit_once(' ')?;
            let is_it = named.split('{').next() == Some(name);
            is_it.then(|| value.parse::<f64>().ok()).flatten()
        });
        Ok(values.sum())
    }

    /// What it has used by now.
    pub(crate) fn usage(&self) -> anyhow::Result<Usage> {
        let process = Process::new(self.process.id().cast_signed())?;
        let stat = process.stat()?;
        let ticks = (stat.utime + stat.stime) as f64;
        let pages = stat.rss as f64;
        Ok(Usage {
            at: clock::instant(),
            cpu: ticks / procfs::ticks_per_second() as f64,
            mib: pages * procfs::page_size() as f64 / f64::from(1 << 20),
            files: process.fd_count()?,
        })
    }

    /// Ends it.
    pub(crate) async fn stop(mut self) -> anyhow::Result<()> {
        let pid = Pid::from_child(&self.process);
        kill_process(pid, Signal::TERM).context("the worker is gone already")?;
        let began = clock::instant();
        while self.process.try_wait()?.is_none() && began.elapsed() < STOP_LIMIT {
            sleep(Duration::from_millis(50)).await;
        }
        anyhow::ensure!(
            self.process.try_wait()?.is_some(),
            "the worker did not end in {} s",
            STOP_LIMIT.as_secs()
        );
        Ok(())
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It has ended, or nothing else helps.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Usage {
    /// The share of a core that was used since `before`.
    pub(crate) fn cores_since(&self, before: &Self) -> f64 {
        (self.cpu - before.cpu) / (self.at - before.at).as_secs_f64()
    }
}

fn settings(stubs: SocketAddr, data: &Path, port: u16, setup: Setup) -> Vec<(String, String)> {
    let agents = Path::new(env!("CARGO_MANIFEST_DIR")).join("bench/agents");
    let speech =
        if setup.is_embedded { ["moonshine", "hibari"] } else { ["deepgram", "openai-speech"] };
    let detectors = if setup.is_embedded { ["silero", "smart-turn"] } else { ["earshot", "off"] };
    [
        ("AGENTS__DIR", agents.display().to_string()),
        ("DATA__DIR", data.join("interviews").display().to_string()),
        ("WORKER__AGENT_NAME", AGENT.to_owned()),
        ("WORKER__BLUEPRINT", setup.blueprint.to_owned()),
        ("WORKER__ADMISSION", "slots".to_owned()),
        ("WORKER__SLOTS", setup.slots.to_string()),
        ("WORKER__HEALTH", format!("127.0.0.1:{port}")),
        ("SPEECH__STT", speech[0].to_owned()),
        ("SPEECH__LLM", "openai".to_owned()),
        ("SPEECH__TTS", speech[1].to_owned()),
        ("SPEECH__VAD", detectors[0].to_owned()),
        ("SPEECH__TURN_DETECTOR", detectors[1].to_owned()),
        ("SPEECH__SPECULATES", setup.speculates.to_string()),
        ("PROVIDERS__DEEPGRAM__BASE_URL", format!("ws://{stubs}")),
        ("PROVIDERS__OPENAI__BASE_URL", format!("http://{stubs}/v1")),
        ("PROVIDERS__OPENAI_SPEECH__BASE_URL", format!("http://{stubs}/v1")),
    ]
    .map(|(key, value)| (format!("VIVAVOCE_{key}"), value))
    .to_vec()
}
