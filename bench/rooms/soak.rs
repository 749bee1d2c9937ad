//! `--only soak`: many candidates come, hear one answer and go, while the CPU is busy. None may be stuck,
//! nothing may pile up.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
    },
    thread::JoinHandle,
    time::Duration,
};

use serde_json::json;
use tokio::{task::JoinSet, time::sleep};
use vivavoce::clock;
use voiceroom::server::Api;

use crate::{
    Args, Bench, FIXED, STAGGER,
    candidate::{Candidate, Door, Over, Utterance},
    livekit_server::LiveKit,
    report::{Row, heading, percentile},
    stubs::Delays,
    worker::{Setup, Usage, Worker},
};

/// Threads that do nothing, and do it all the time.
const SPINNERS: usize = 2;
/// Interviews end within that time after their rooms.
const END_LIMIT: Duration = Duration::from_secs(30);
/// Memory that is given back is given back by then.
const SETTLED: Duration = Duration::from_secs(3);

/// What 280 more joins may leave behind; 6 MiB were measured.
const GROWTH_MIB_MAX: f64 = 20.0;

/// What happened to one after the other.
#[derive(Default)]
struct Tally {
    greetings_ms: Vec<f64>,
    responses_ms: Vec<f64>,
    early: usize,
    unanswered: usize,
    not_greeted: Vec<String>,
    dropped: Vec<String>,
}

/// The soak.
pub(crate) async fn run(bench: &Bench, args: &Args) -> anyhow::Result<()> {
    println!("{}", heading());
    // Interviews that have not ended yet take no place from who comes.
    let setup = Setup { slots: 2 * args.crowd, ..FIXED };
    let stage = bench.stage(Delays::USUAL, setup).await?;
    let fresh = stage.worker.usage()?;
    let spinners = Spinners::start();
    // What is made once is made by the first crowd.
    let warm = crowd(bench, &stage.server, "warm", args.crowd, args.crowd).await;
    let warm_left = settle(&stage.worker).await?;
    let before = stage.worker.usage()?;
    let tally = crowd(bench, &stage.server, "soak", args.joins, args.crowd).await;
    let left = settle(&stage.worker).await?;
    let after = stage.worker.usage()?;
    spinners.stop();
    stage.worker.stop().await?;
    let rows = rows(args, &tally, [&fresh, &before, &after], left);
    rows.iter().for_each(|row| println!("{}", row.line()));
    for why in warm.not_greeted.iter().chain(&tally.not_greeted).chain(&tally.dropped) {
        println!("{why}");
    }
    if warm_left > 0.0 {
        println!("{warm_left} interviews of the first crowd had not ended after {END_LIMIT:?}");
    }
    bench.write("soak.json", &json!({"figures": rows}))?;
    println!("written: soak.json in {}", bench.out.display());
    Ok(())
}

/// So many, some of them at a time.
async fn crowd(bench: &Bench, server: &LiveKit, name: &str, joins: usize, size: usize) -> Tally {
    let next = Arc::new(AtomicUsize::new(0));
    let mut coming = JoinSet::new();
    for _ in 0..size.min(joins) {
        let (door, utterance, next) = (Door::of(server), bench.utterance.clone(), next.clone());
        let name = name.to_owned();
        coming.spawn(async move {
            let mut tally = Tally::default();
            loop {
                let n = next.fetch_add(1, Relaxed);
                if n >= joins {
                    return tally;
                }
                visit(&door, &format!("{name}-{n}"), utterance.clone(), &mut tally).await;
            }
        });
        sleep(STAGGER).await;
    }
    coming.join_all().await.into_iter().fold(Tally::default(), Tally::with)
}

async fn visit(door: &Door, name: &str, utterance: Utterance, tally: &mut Tally) {
    match Candidate::join(door, name, utterance).await {
        Ok(candidate) => {
            tally.greetings_ms.push(candidate.greeting.as_secs_f64() * 1e3);
            let turn = candidate.turn(Over::Nothing).await;
            tally.early += usize::from(turn.is_early);
            tally.unanswered += usize::from(turn.response_ms.is_none());
            tally.responses_ms.extend(turn.response_ms);
            tally.dropped.extend(candidate.dropped().map(|why| format!("{name}: {why}")));
            candidate.leave().await;
        }
        Err(error) => tally.not_greeted.push(error.to_string()),
    }
    // Nobody waits for them to come back.
    let _ = Api::new(&door.url, door.keys.clone()).delete_room(name).await;
}

/// Waits until no interview runs; how many still do.
async fn settle(worker: &Worker) -> anyhow::Result<f64> {
    let slots = worker.metric("vivavoce_worker_slots").await?;
    anyhow::ensure!(slots > 0.0, "the worker tells no metrics");
    let limit = clock::instant() + END_LIMIT;
    loop {
        let left = worker.metric("vivavoce_worker_interviews").await?;
        if left == 0.0 || clock::instant() >= limit {
            sleep(SETTLED).await;
            return Ok(left);
        }
        sleep(Duration::from_millis(200)).await;
    }
}

fn rows(args: &Args, tally: &Tally, usage: [&Usage; 3], left: f64) -> Vec<Row> {
    let row = |id, what: &str, value: f64, limit| Row {
        id,
        what: what.to_owned(),
        value,
        limit,
        of: args.joins,
    };
    let [fresh, before, after] = usage;
    // As many idle connections to providers are kept as there were at a time; what leaks does so with each
    // who comes.
    let idle = Some(args.crowd as f64);
    let files = after.files as f64 - before.files as f64;
    vec![
        row("", "came and were not greeted", tally.not_greeted.len() as f64, Some(0.0)),
        row("", "got no answer", tally.unanswered as f64, Some(0.0)),
        // On a busy CPU it may be their own packets that come too late.
        row("", "were answered too early", tally.early as f64, None),
        row("", "calls dropped", tally.dropped.len() as f64, Some(0.0)),
        row("", "interviews that did not end", left, Some(0.0)),
        row("", "dispatch to greeting, p50 ms", percentile(&tally.greetings_ms, 50), None),
        row("", "dispatch to greeting, p99 ms", percentile(&tally.greetings_ms, 99), None),
        row("", "response p50 ms", percentile(&tally.responses_ms, 50), None),
        row("", "response p99 ms", percentile(&tally.responses_ms, 99), None),
        row("Q20", "open files more than after the first crowd", files, idle),
        row("", "open files of a fresh worker", fresh.files as f64, None),
        row("", "open files at the end", after.files as f64, None),
        row(
            "Q20",
            "MiB more than after the first crowd",
            after.mib - before.mib,
            Some(GROWTH_MIB_MAX),
        ),
        row("", "MiB of a fresh worker", fresh.mib, None),
        row("", "MiB at the end", after.mib, None),
        row("", "% of a core, ours", after.cores_since(before) * 100.0, None),
    ]
}

impl Tally {
    fn with(mut self, other: Self) -> Self {
        self.greetings_ms.extend(other.greetings_ms);
        self.responses_ms.extend(other.responses_ms);
        self.not_greeted.extend(other.not_greeted);
        self.dropped.extend(other.dropped);
        self.early += other.early;
        self.unanswered += other.unanswered;
        self
    }
}

/// They keep the CPU busy until they are stopped or dropped.
struct Spinners {
    is_over: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Spinners {
    fn start() -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let spin = |is_over: Arc<AtomicBool>| {
            move || {
                while !is_over.load(Relaxed) {
                    std::hint::spin_loop();
                }
            }
        };
        let threads = (0..SPINNERS).map(|_| std::thread::spawn(spin(is_over.clone()))).collect();
        Self { is_over, threads }
    }

    fn stop(mut self) {
        self.is_over.store(true, Relaxed);
        self.threads.drain(..).for_each(|thread| drop(thread.join()));
    }
}

impl Drop for Spinners {
    fn drop(&mut self) {
        self.is_over.store(true, Relaxed);
    }
}
