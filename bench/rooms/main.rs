//! `make bench`: a real LiveKit server, the worker as a process, providers with fixed delays, candidates who
//! talk half of the time. Prints the figures of speed with their limits beside them, and writes `bench.json`
//! and `turns.svg`. `make bench-net`: the same over bad lines. `--only soak`: many who come and go.
//! `--peers`: beside other workers.
#![expect(clippy::print_stdout, reason = "the table is for people")]

mod candidate;
mod line;
#[path = "../../tests/all/livekit_server.rs"]
#[expect(
    dead_code,
    clippy::unwrap_used,
    reason = "it is written for tests, which do more to a server"
)]
mod livekit_server;
mod net;
mod peers;
mod people;
mod relay;
mod report;
mod soak;
mod still;
mod stubs;
mod worker;

/// What the server's file asks of its tests.
mod client {
    pub(crate) const PATIENCE: std::time::Duration = std::time::Duration::from_secs(30);
}

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use clap::Parser;
use serde::Serialize;
use serde_json::json;
use tokio::{sync::Mutex, task::JoinSet, time::sleep};
use vivavoce::{
    clock,
    codec::fixture::Fixture,
    config::{Log, LogFormat},
    telemetry,
};
use voiceroom::server::Api;

use candidate::{Candidate, Door, Hole, Over, Turn, Utterance};
use livekit_server::LiveKit;
use report::{Hops, Row, heading, percentile};
use still::Watch;
use stubs::Delays;
use worker::{Setup, Worker};

/// Measures the worker with providers of fixed delays.
#[derive(Parser)]
#[command(args_override_self = true)]
struct Args {
    /// Turns of each run in one room.
    #[arg(long, default_value_t = 20)]
    turns: usize,
    /// Rooms at a time, one run each.
    #[arg(long, value_delimiter = ',', default_value = "10,25,50")]
    rooms: Vec<usize>,
    /// How long a run with many rooms is measured.
    #[arg(long, default_value_t = 40)]
    seconds: u64,
    /// Only runs whose name begins so: fixed, own, partials, overhead, load; and embedded, people, net and
    /// soak, which run only when they are named.
    #[arg(long, default_value = "")]
    only: String,
    /// Calls at a time over each bad line.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=50))]
    calls: u8,
    /// Only bad lines whose name begins so.
    #[arg(long, default_value = "")]
    line: String,
    /// What the faults of bad lines come from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Candidates who come and go in the soak.
    #[arg(long, default_value_t = 300)]
    joins: usize,
    /// So many of them are there at a time.
    #[arg(long, default_value_t = 20)]
    crowd: usize,
    /// Measure other workers too, in turn with ours; VIVAVOCE_PEERS_PYTHON names the Python that has them.
    #[arg(long)]
    peers: bool,
    /// The program to measure, instead of the one that was built with this.
    #[arg(long, default_value = env!("CARGO_BIN_EXE_vivavoce"))]
    program: PathBuf,
    /// Where the JSON and the picture go.
    #[arg(long, default_value = concat!(env!("CARGO_TARGET_TMPDIR"), "/bench"))]
    out: PathBuf,
    /// What of the candidates' side is logged, as `voiceroom::room=debug`.
    #[arg(long, default_value = "off")]
    log: String,
    /// What Cargo passes.
    #[arg(long, hide = true)]
    bench: bool,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let format = LogFormat::Human;
    let _logs = telemetry::start_logs(&Log { filter: args.log.clone(), format, personal: false });
    let bench = Bench::new(&args)?;
    if args.peers {
        return peers::run(&bench, args.turns).await;
    }
    match args.only.as_str() {
        "net" => net::run(&bench, &args).await,
        "soak" => soak::run(&bench, &args).await,
        _ => speed(&bench, &args).await,
    }
}

/// The runs on a good line.
async fn speed(bench: &Bench, args: &Args) -> anyhow::Result<()> {
    let mut rows = Vec::new();
    let mut hops = Vec::new();
    println!("{}", heading());
    let wanted = |name: &str| name.starts_with(&args.only);
    // It needs model files and says nothing of the others: it runs when it is named.
    if args.only == "people" {
        let watch = Watch::begin();
        rows.extend(told(people::run(bench).await?, &[], watch, "people"));
    }
    for rooms in args.rooms.iter().filter(|_| args.only == "embedded") {
        let watch = Watch::begin();
        let setup = Setup { slots: *rooms, is_embedded: true, ..OWN };
        let utterance = bench.answer.clone();
        let found = bench.load(*rooms, Duration::from_secs(args.seconds), setup, utterance).await?;
        rows.extend(told(found.rows, &found.holes, watch, &format!("{rooms} rooms")));
    }
    if wanted("fixed") {
        let watch = Watch::begin();
        let found = bench.fixed(args.turns).await?;
        hops = found.hops;
        rows.extend(told(found.rows, &found.holes, watch, "fixed"));
    }
    if wanted("own") {
        let watch = Watch::begin();
        rows.extend(told(bench.own(args.turns).await?, &[], watch, "own"));
    }
    if wanted("partials") {
        let watch = Watch::begin();
        rows.extend(told(bench.partials(args.turns).await?, &[], watch, "partials"));
    }
    if wanted("overhead") {
        let watch = Watch::begin();
        rows.extend(told(bench.overhead(args.turns).await?, &[], watch, "overhead"));
    }
    for rooms in args.rooms.iter().filter(|_| wanted("load")) {
        let watch = Watch::begin();
        let length = Duration::from_secs(args.seconds);
        let setup = Setup { slots: *rooms, ..FIXED };
        let found = bench.load(*rooms, length, setup, bench.utterance.clone()).await?;
        rows.extend(told(found.rows, &found.holes, watch, &format!("{rooms} rooms")));
    }
    anyhow::ensure!(
        !rows.is_empty(),
        "no run's name begins with `{}`: there are fixed, own, partials, overhead, load, embedded, \
            people, net and soak",
        args.only
    );
    bench.write("bench.json", &json!({"figures": rows, "turns": hops}))?;
    std::fs::write(args.out.join("turns.svg"), report::picture(&hops))?;
    println!("written: bench.json and turns.svg in {}", args.out.display());
    Ok(())
}

fn told(mut rows: Vec<Row>, holes: &[Hole], watch: Watch, run: &str) -> Vec<Row> {
    rows.extend(watch.end(run, holes));
    rows.iter().for_each(|row| println!("{}", row.line()));
    rows
}

/// What a run has found.
struct Found {
    rows: Vec<Row>,
    hops: Vec<Hops>,
    holes: Vec<Hole>,
}

/// What all runs share.
struct Bench {
    utterance: Utterance,
    /// A whole answer of 10 s, pauses and all.
    answer: Utterance,
    out: PathBuf,
    program: PathBuf,
}

/// A server, a worker and providers.
struct Stage {
    server: LiveKit,
    worker: Worker,
    log: stubs::Log,
}

impl Stage {
    /// A candidate leaves, and their room is closed: nobody waits for them to come back.
    async fn leave(&self, candidate: Candidate) -> anyhow::Result<()> {
        let room = candidate.leave().await;
        Ok(Api::new(self.server.url(), self.server.keys()).delete_room(&room).await?)
    }
}

const FIXED: Setup = Setup { blueprint: "fixed", speculates: false, slots: 2, is_embedded: false };
const OWN: Setup = Setup { blueprint: "adaptive", speculates: true, slots: 2, is_embedded: false };
/// An answer to be recognised is so long at most.
const ANSWER_MS: u64 = 10_500;
/// Replies that are spoken over, and coughed over.
const BARGE_INS: usize = 8;
/// The model of the bench has no more questions than that, but one; and an interview has left its place so
/// soon.
const VISIT_TURNS: usize = 18;
const BETWEEN_VISITS: Duration = Duration::from_secs(2);
/// Between two candidates who come. LiveKit's server lets no more than 50 tasks of dispatching run at a time,
/// of which one dispatch takes three for 5 s: who comes faster waits there, not here.
const STAGGER: Duration = Duration::from_millis(400);

impl Bench {
    fn new(args: &Args) -> anyhow::Result<Self> {
        std::fs::create_dir_all(&args.out)?;
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("audio-fixtures");
        let fixture = Fixture::load(&fixtures, "pauses")?;
        // One span: nobody could take its pauses for the end.
        let mut answer = fixture.answers[0].clone();
        answer.spans.truncate(1);
        let utterance = Utterance::new(&fixture.sound_of(&answer));
        let fixture = Fixture::load(&fixtures, "long-answer")?;
        let mut answer = fixture.answers[1].clone();
        let begins = answer.spans[0].start_ms;
        answer.spans.retain(|span| span.end_ms <= begins + ANSWER_MS);
        let answer = Utterance::new(&fixture.sound_of(&answer));
        Ok(Self { utterance, answer, out: args.out.clone(), program: args.program.clone() })
    }

    async fn stage(&self, delays: Delays, setup: Setup) -> anyhow::Result<Stage> {
        self.stage_with(LiveKit::start(), delays, setup).await
    }

    async fn stage_with(
        &self,
        server: LiveKit,
        delays: Delays,
        setup: Setup,
    ) -> anyhow::Result<Stage> {
        let (address, log) = stubs::serve(delays).await?;
        let worker = Worker::start(&self.program, &server, address, &self.out, setup).await?;
        Ok(Stage { server, worker, log })
    }

    fn write(&self, name: &str, figures: &impl Serialize) -> anyhow::Result<()> {
        Ok(std::fs::write(self.out.join(name), serde_json::to_vec_pretty(figures)?)?)
    }

    /// Q01, Q04 to Q08: the rule that all are measured with.
    async fn fixed(&self, turns: usize) -> anyhow::Result<Found> {
        let stage = self.stage(Delays::USUAL, FIXED).await?;
        let candidate = self.join(&stage, 0).await?;
        let (answered, stops) = (
            talk(&candidate, turns, Over::Nothing).await,
            talk(&candidate, BARGE_INS, Over::Words).await,
        );
        stage.leave(candidate).await?;
        let candidate = self.join(&stage, 1).await?;
        let coughs = talk(&candidate, BARGE_INS, Over::Cough).await;
        stage.leave(candidate).await?;
        let log = stage.log.all();
        let hops: Vec<Hops> = answered.iter().filter_map(|turn| Hops::of(turn, &log)).collect();
        let at = |name: &str| hops.iter().filter_map(|hops| hops.at(name)).collect::<Vec<f64>>();
        let voice = hops.iter().filter_map(|hops| Some(hops.at("Heard")? - hops.at("FirstByte")?));
        let voice: Vec<f64> = voice.collect();
        let mut rows = responses("Q01", "fixed 300 ms, no speculation", &answered, (770.0, 800.0));
        rows.push(row(
            "Q04",
            "last sample to the recogniser, p50 ms",
            &at("LastSound"),
            50,
            Some(35.0),
        ));
        rows.push(row("", "last sample to the model's request, p50 ms", &at("Request"), 50, None));
        rows.push(row("Q05", "voice's first byte to heard, p50 ms", &voice, 50, Some(35.0)));
        let stop: Vec<f64> = stops.iter().filter_map(|turn| turn.stop_ms).collect();
        rows.push(row("Q06", "voice over us to silence, p50 ms", &stop, 50, Some(150.0)));
        let resumed: Vec<f64> = coughs.iter().filter_map(|turn| turn.resume_ms).collect();
        rows.push(row("Q06", "end of a cough to going on, p50 ms", &resumed, 50, Some(300.0)));
        let missing = stops.len() + coughs.len() - stop.len() - resumed.len();
        rows.push(Row {
            id: "Q06",
            what: "barge-ins and coughs without a figure".to_owned(),
            value: missing as f64,
            limit: Some(0.0),
            of: stops.len() + coughs.len(),
        });
        let holes = holes_of(&answered);
        rows.push(holes_row("one room", &holes, answered.len()));
        let registered = stage.worker.registered.as_secs_f64() * 1e3;
        rows.push(row("Q16", "start to registered, ms", &[registered], 50, Some(100.0)));
        let size = std::fs::metadata(&self.program)?.len() as f64 / 1e6;
        rows.push(row("Q16", "binary, MB", &[size], 50, Some(25.0)));
        stage.worker.stop().await?;
        Ok(Found { rows, hops, holes })
    }

    /// Q02: our own way.
    async fn own(&self, turns: usize) -> anyhow::Result<Vec<Row>> {
        let stage = self.stage(Delays::USUAL, OWN).await?;
        let candidate = self.join(&stage, 0).await?;
        let answered = talk(&candidate, turns, Over::Nothing).await;
        stage.leave(candidate).await?;
        let mut greetings = Vec::new();
        for n in 1..=turns {
            let candidate = self.join(&stage, n).await?;
            greetings.push(candidate.greeting.as_secs_f64() * 1e3);
            stage.leave(candidate).await?;
        }
        stage.worker.stop().await?;
        let mut rows =
            responses("Q02", "our own endpointing, speculation", &answered, (600.0, 640.0));
        for (percent, limit) in [(50, None), (99, Some(400.0))] {
            let what = format!("the same: dispatch to greeting, p{percent} ms");
            rows.push(row("Q08", &what, &greetings, percent, limit));
        }
        Ok(rows)
    }

    /// Q02 from stable partial transcripts: the model begins before the words are final.
    async fn partials(&self, turns: usize) -> anyhow::Result<Vec<Row>> {
        let answered = self.one_call(Delays::STABLE, OWN, turns).await?;
        Ok(responses("Q02", "the same from stable partials", &answered, (480.0, f64::NAN)))
    }

    async fn one_call(
        &self,
        delays: Delays,
        setup: Setup,
        turns: usize,
    ) -> anyhow::Result<Vec<Turn>> {
        let stage = self.stage(delays, setup).await?;
        let candidate = self.join(&stage, 0).await?;
        let answered = talk(&candidate, turns, Over::Nothing).await;
        stage.leave(candidate).await?;
        stage.worker.stop().await?;
        Ok(answered)
    }

    /// Q03: what is left when the providers take no time.
    async fn overhead(&self, turns: usize) -> anyhow::Result<Vec<Row>> {
        let answered = self.one_call(Delays::NONE, FIXED, turns).await?;
        let over: Vec<f64> =
            answered.iter().filter_map(|turn| Some(turn.response_ms? - 300.0)).collect();
        Ok(vec![
            row("Q03", "above the rule, providers without delay, p50 ms", &over, 50, Some(60.0)),
            row("Q03", "the same, p99 ms", &over, 99, Some(90.0)),
        ])
    }

    /// Q07 to Q10: many rooms, in each somebody who talks half of the time.
    async fn load(
        &self,
        rooms: usize,
        length: Duration,
        setup: Setup,
        utterance: Utterance,
    ) -> anyhow::Result<Found> {
        let delays = if setup.is_embedded { Delays::NONE } else { Delays::USUAL };
        let stage = self.stage(delays, setup).await?;
        let idle = stage.worker.usage()?;
        let until = clock::instant() + STAGGER * rooms as u32 + length;
        let (entrance, mut talking) = (Arc::new(Mutex::new(())), JoinSet::new());
        for n in 0..rooms {
            let (door, entrance) = (Door::of(&stage.server), entrance.clone());
            let (name, utterance) = (format!("bench-{n}"), utterance.clone());
            talking.spawn(async move { visits(&door, &entrance, &name, utterance, until).await });
        }
        sleep(STAGGER * rooms as u32).await;
        let before = stage.worker.usage()?;
        sleep(length).await;
        let after = stage.worker.usage()?;
        let (mut turns, mut greetings, mut missed) = (Vec::new(), Vec::new(), 0);
        while let Some(talked) = talking.join_next().await {
            let visits = talked??;
            turns.extend(visits.turns);
            greetings.extend(visits.greetings);
            missed += visits.missed;
        }
        stage.worker.stop().await?;
        let each = rooms as f64;
        // The limits for embedded speech are others than those for the bench's providers.
        let is_embedded = setup.is_embedded;
        let limits = if is_embedded { (900.0, 1_500.0) } else { (f64::NAN, f64::NAN) };
        let mut rows = responses("Q10", &format!("{rooms} rooms"), &turns, limits);
        let heard: Vec<f64> = turns.iter().filter_map(|turn| turn.response_ms).collect();
        rows.push(row("Q10", &format!("{rooms} rooms: response p99 ms"), &heard, 99, None));
        for (percent, limit) in [(50, None), (99, Some(400.0))] {
            let what = format!("{rooms} rooms: dispatch to greeting, p{percent} ms");
            rows.push(row("Q08", &what, &greetings, percent, limit));
        }
        rows.push(Row {
            id: "",
            what: format!("{rooms} rooms: interviews without a greeting"),
            value: missed as f64,
            limit: Some(0.0),
            of: greetings.len() + missed,
        });
        // A voice that speaks words is silent between them; that of the bench's provider is a tone.
        let holes = if is_embedded { Vec::new() } else { holes_of(&turns) };
        if !is_embedded {
            rows.push(holes_row(&format!("{rooms} rooms"), &holes, turns.len()));
        }
        let share = after.cores_since(&before) * 100.0 / each;
        rows.push(row(
            "Q10",
            &format!("{rooms} rooms: % of a core for each"),
            &[share],
            50,
            Some(1.5).filter(|_| !is_embedded),
        ));
        let limit = Some(40.0 + 1.5 * each).filter(|_| !is_embedded);
        rows.push(row(
            "Q09",
            &format!("{rooms} rooms: MiB, {:.1} of them idle", idle.mib),
            &[after.mib],
            50,
            limit,
        ));
        Ok(Found { rows, hops: Vec::new(), holes })
    }

    async fn join(&self, stage: &Stage, n: usize) -> anyhow::Result<Candidate> {
        let door = Door::of(&stage.server);
        Candidate::join(&door, &format!("bench-{n}"), self.utterance.clone()).await
    }
}

/// What one room has seen: interviews one after another.
#[derive(Default)]
struct Visits {
    turns: Vec<Turn>,
    greetings: Vec<f64>,
    /// Nobody greeted.
    missed: usize,
}

/// Talks until then, and comes again for a new interview when one has had its turns. Through the entrance
/// they come one after another, so that they do not all speak, fall silent and come again at the same time.
async fn visits(
    door: &Door,
    entrance: &Mutex<()>,
    name: &str,
    utterance: Utterance,
    until: Instant,
) -> anyhow::Result<Visits> {
    let api = Api::new(&door.url, door.keys.clone());
    let mut seen = Visits::default();
    for nth in 1.. {
        {
            let _alone = entrance.lock().await;
            sleep(STAGGER).await;
        }
        if clock::instant() >= until {
            break;
        }
        match Candidate::join(door, &format!("{name}-{nth}"), utterance.clone()).await {
            Ok(candidate) => {
                seen.greetings.push(candidate.greeting.as_secs_f64() * 1e3);
                for _ in 0..VISIT_TURNS {
                    if clock::instant() >= until {
                        break;
                    }
                    seen.turns.push(candidate.turn(Over::Nothing).await);
                }
                api.delete_room(&candidate.leave().await).await?;
            }
            Err(error) => {
                eprintln!("{error}");
                seen.missed += 1;
            }
        }
        sleep(BETWEEN_VISITS).await;
    }
    Ok(seen)
}

async fn talk(candidate: &Candidate, turns: usize, over: Over) -> Vec<Turn> {
    let mut all = Vec::new();
    for _ in 0..turns {
        all.push(candidate.turn(over).await);
    }
    all
}

fn responses(id: &'static str, what: &str, turns: &[Turn], limits: (f64, f64)) -> Vec<Row> {
    let answers = turns.iter().filter(|turn| !turn.is_early);
    let heard: Vec<f64> = answers.filter_map(|turn| turn.response_ms).collect();
    let limit = |limit: f64| Some(limit).filter(|limit| !limit.is_nan());
    let mut rows = vec![
        row(id, &format!("{what}: response p50 ms"), &heard, 50, limit(limits.0)),
        row(id, &format!("{what}: response p90 ms"), &heard, 90, limit(limits.1)),
    ];
    rows.push(Row {
        id: "",
        what: format!("{what}: turns unanswered or answered too early"),
        value: (turns.len() - heard.len()) as f64,
        limit: Some(0.0),
        of: turns.len(),
    });
    rows
}

fn holes_of(turns: &[Turn]) -> Vec<Hole> {
    turns.iter().flat_map(|turn| turn.holes.clone()).collect()
}

fn holes_row(what: &str, holes: &[Hole], turns: usize) -> Row {
    Row {
        id: "Q07",
        what: format!("{what}: holes in our sound"),
        value: holes.len() as f64,
        limit: Some(0.0),
        of: turns,
    }
}

fn row(id: &'static str, what: &str, values: &[f64], percent: usize, limit: Option<f64>) -> Row {
    Row { id, what: what.to_owned(), value: percentile(values, percent), limit, of: values.len() }
}
