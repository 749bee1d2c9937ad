//! `make bench-net` (Q14): candidates on bad lines. The worker's own line is good, as it is beside a server.

use std::{sync::Arc, time::Duration};

use serde::Serialize;
use tokio::{
    task::JoinSet,
    time::{sleep, sleep_until},
};
use vivavoce::clock;
use voiceroom::server::Api;

use crate::{
    Args, Bench, FIXED, STAGGER,
    candidate::{Candidate, Door, Over, Turn, Utterance},
    line::{Faults, Loss},
    livekit_server::LiveKit,
    relay::{Access, Datagrams, FRONT, Line, Relay},
    report::percentile,
    stubs::Delays,
    worker::Setup,
};

/// How long a line is dark.
const DARK: Duration = Duration::from_secs(2);
/// What a line may add to our response.
const ADDED_MAX_MS: f64 = 100.0;

/// A bad line.
#[derive(Clone, Copy)]
struct Case {
    name: &'static str,
    faults: Faults,
    /// In each turn it is dark once.
    goes_dark: bool,
    /// Whether [`ADDED_MAX_MS`] holds for it.
    is_timed: bool,
}

const fn lossy(name: &'static str, loss: Loss, is_timed: bool) -> Case {
    Case { name, faults: Faults { loss, jitter: Duration::ZERO }, goes_dark: false, is_timed }
}

const CASES: [Case; 7] = [
    lossy("0 % lost", Loss::Nothing, false),
    lossy("10 % lost", Loss::Uniform { share: 0.1 }, true),
    lossy("20 % lost", Loss::Uniform { share: 0.2 }, true),
    lossy("30 % lost", Loss::Uniform { share: 0.3 }, false),
    lossy("20 % lost, 4 in a row", Loss::Bursts { share: 0.2, length: 4.0 }, false),
    Case {
        name: "jitter of 0 to 60 ms",
        faults: Faults { loss: Loss::Nothing, jitter: Duration::from_millis(60) },
        goes_dark: false,
        is_timed: false,
    },
    Case { name: "2 s dark in each turn", faults: Faults::NONE, goes_dark: true, is_timed: false },
];

/// What became of the calls over a line.
#[derive(Serialize)]
struct Outcome {
    line: &'static str,
    faults: Faults,
    goes_dark: bool,
    /// Asked for the room to our first sound.
    greeted_p50_ms: f64,
    greeted_max_ms: f64,
    turns: usize,
    unanswered: usize,
    /// We spoke before they had ended.
    early: usize,
    response_p50_ms: f64,
    response_p90_ms: f64,
    /// Against the line without loss.
    added_p50_ms: Option<f64>,
    added_p90_ms: Option<f64>,
    /// Why calls ended too soon.
    dropped: Vec<String>,
    /// Times that a call stood still, and joined anew.
    line_cuts: u64,
    rejoins: u64,
    /// Of what they heard of us and of what we heard of them, in percent.
    made_up_of_ours: f64,
    made_up_of_theirs: f64,
    datagrams: Datagrams,
    misses: Vec<String>,
}

/// One call.
struct Call {
    greeted_ms: Option<f64>,
    turns: Vec<Turn>,
    dropped: Option<String>,
    line_cuts: u64,
    rejoins: u64,
    made_up: f64,
    datagrams: Datagrams,
    /// Datagrams that their client got.
    got: u64,
}

/// All lines, one after the other.
pub(crate) async fn run(bench: &Bench, args: &Args) -> anyhow::Result<()> {
    println!(
        "{:24} {:>12} {:>5} {:>8} {:>5} {:>7} {:>7} {:>6} {:>6} {:>7} {:>4} {:>12}",
        "line",
        "greeted s",
        "turns",
        "answered",
        "early",
        "p50 ms",
        "p90 ms",
        "+p50",
        "+p90",
        "dropped",
        "cuts",
        "made up %"
    );
    println!("{:>37}{:>77}", "p50/max", "ours/theirs");
    let mut outcomes: Vec<Outcome> = Vec::new();
    let is_wanted = |case: &&Case| case.name.starts_with(&args.line) || case.name == CASES[0].name;
    for case in CASES.iter().filter(is_wanted) {
        let outcome = over(bench, args, case, outcomes.first()).await?;
        println!("{}", outcome.line());
        outcomes.push(outcome);
    }
    bench.write("net.json", &outcomes)?;
    println!("written: net.json in {}", bench.out.display());
    Ok(())
}

async fn over(
    bench: &Bench,
    args: &Args,
    case: &Case,
    good: Option<&Outcome>,
) -> anyhow::Result<Outcome> {
    let setup = Setup { slots: 2 * usize::from(args.calls), ..FIXED };
    let stage = bench.stage_with(LiveKit::behind(FRONT), Delays::USUAL, setup).await?;
    let ports = stage.server.ports();
    let relay = Relay::start(ports.http, ports.udp).await?;
    let utterance = bench.utterance.twice();
    let mut calling = JoinSet::new();
    for n in 1..=args.calls {
        let access = relay.open(n, case.faults, args.seed).await?;
        let api = Api::new(stage.server.url(), stage.server.keys());
        let keys = stage.server.keys();
        let door = Door { url: access.url.clone(), keys, ips: vec![access.ip] };
        let (case, utterance, turns) = (*case, utterance.clone(), args.turns);
        calling.spawn(async move { call(&door, &access, &api, &case, utterance, turns).await });
        sleep(STAGGER).await;
    }
    let calls = calling.join_all().await.into_iter().collect::<Result<Vec<_>, _>>()?;
    for call in &calls {
        anyhow::ensure!(
            call.got <= call.datagrams.given,
            "a candidate got {} datagrams and the relay gave {}: some went around it",
            call.got,
            call.datagrams.given
        );
    }
    let packets = stage.worker.metric("vivavoce_sound_packets_total").await?;
    let lost = stage.worker.metric("vivavoce_sound_lost_packets_total").await?;
    stage.worker.stop().await?;
    let theirs = lost * 100.0 / (packets + lost).max(1.0);
    Ok(Outcome::of(case, args.turns, &calls, theirs, good))
}

async fn call(
    door: &Door,
    access: &Access,
    api: &Api,
    case: &Case,
    utterance: Utterance,
    turns: usize,
) -> anyhow::Result<Call> {
    let name = format!("bench-{}", access.ip);
    let length = utterance.length();
    let candidate = match Candidate::join(door, &name, utterance).await {
        Ok(candidate) => candidate,
        Err(error) => return Ok(Call::never(error.to_string(), access.line.datagrams())),
    };
    let mut done = Vec::new();
    while done.len() < turns && candidate.dropped().is_none() {
        if case.goes_dark {
            let dark = go_dark(access.line.clone(), length, done.len());
            let (turn, lit) = tokio::join!(candidate.turn(Over::Nothing), dark);
            // What they missed may go on when they hear again.
            sleep_until(lit.into()).await;
            candidate.until_quiet().await;
            done.push(turn);
        } else {
            done.push(candidate.turn(Over::Nothing).await);
        }
    }
    let counters = candidate.counters();
    // Before what was given: some may come in between.
    let got = counters.udp_in.get() + counters.tcp_in.get();
    let call = Call {
        greeted_ms: Some(candidate.greeting.as_secs_f64() * 1e3),
        turns: done,
        dropped: candidate.dropped(),
        line_cuts: counters.line_cuts.get(),
        rejoins: counters.sessions.get() - 1,
        made_up: candidate.made_up_percent(),
        datagrams: access.line.datagrams(),
        got,
    };
    let room = candidate.leave().await;
    // It is gone already if the call was dropped.
    let _ = api.delete_room(&room).await;
    Ok(call)
}

/// Darkens a line at another place of each turn: while they speak, at their end, while we think, while we
/// speak. When it will hear and be heard again, with a second for what was on its way.
async fn go_dark(line: Arc<Line>, length: Duration, turn: usize) -> std::time::Instant {
    let ms = Duration::from_millis;
    let places = [ms(800), length.saturating_sub(ms(400)), length + ms(300), length + ms(1_500)];
    sleep(places[turn % places.len()]).await;
    line.go_dark(DARK);
    clock::instant() + DARK + Duration::from_secs(1)
}

impl Call {
    /// A call that never was.
    fn never(why: String, datagrams: Datagrams) -> Self {
        Self {
            greeted_ms: None,
            turns: Vec::new(),
            dropped: Some(why),
            line_cuts: 0,
            rejoins: 0,
            made_up: f64::NAN,
            datagrams,
            got: 0,
        }
    }
}

impl Outcome {
    fn of(case: &Case, turns: usize, calls: &[Call], theirs: f64, good: Option<&Self>) -> Self {
        let done = || calls.iter().flat_map(|call| &call.turns);
        let heard: Vec<f64> = done().filter_map(|turn| turn.response_ms).collect();
        let (p50, p90) = (percentile(&heard, 50), percentile(&heard, 90));
        let greeted: Vec<f64> = calls.iter().filter_map(|call| call.greeted_ms).collect();
        let made_up: Vec<f64> =
            calls.iter().map(|call| call.made_up).filter(|share| !share.is_nan()).collect();
        let datagrams = calls.iter().fold(Datagrams::default(), |sum, call| Datagrams {
            up: sum.up + call.datagrams.up,
            down: sum.down + call.datagrams.down,
            lost: sum.lost + call.datagrams.lost,
            given: sum.given + call.datagrams.given,
        });
        let mut outcome = Self {
            line: case.name,
            faults: case.faults,
            goes_dark: case.goes_dark,
            greeted_p50_ms: percentile(&greeted, 50),
            greeted_max_ms: percentile(&greeted, 100),
            // Those of a call that was dropped were not answered either.
            turns: turns * calls.len(),
            unanswered: turns * calls.len() - heard.len(),
            early: done().filter(|turn| turn.is_early).count(),
            response_p50_ms: p50,
            response_p90_ms: p90,
            added_p50_ms: good.map(|good| p50 - good.response_p50_ms),
            added_p90_ms: good.map(|good| p90 - good.response_p90_ms),
            dropped: calls.iter().filter_map(|call| call.dropped.clone()).collect(),
            line_cuts: calls.iter().map(|call| call.line_cuts).sum(),
            rejoins: calls.iter().map(|call| call.rejoins).sum(),
            made_up_of_ours: made_up.iter().sum::<f64>() / made_up.len() as f64,
            made_up_of_theirs: theirs,
            datagrams,
            misses: Vec::new(),
        };
        outcome.misses = outcome.missed(case);
        outcome
    }

    fn missed(&self, case: &Case) -> Vec<String> {
        let mut misses = Vec::new();
        if self.unanswered > 0 {
            misses.push("not all turns were answered".to_owned());
        }
        // Two seconds without a sound are an end for anybody.
        if self.early > 0 && !self.goes_dark {
            misses.push("we spoke before they had ended".to_owned());
        }
        let is_slow = |added: Option<f64>| added.is_some_and(|added| added > ADDED_MAX_MS);
        if case.is_timed && (is_slow(self.added_p50_ms) || is_slow(self.added_p90_ms)) {
            misses.push(format!("more than {ADDED_MAX_MS:.0} ms were added"));
        }
        if let Some(why) = self.dropped.first() {
            misses.push(format!("calls were dropped: {why}"));
        }
        misses
    }

    fn line(&self) -> String {
        let added = |added: Option<f64>| added.map_or("-".to_owned(), |ms| format!("{ms:+.0}"));
        let verdict = match self.misses.as_slice() {
            [] => "reached".to_owned(),
            misses => format!("missed: {}", misses.join("; ")),
        };
        format!(
            "{:24} {:>12} {:>5} {:>8} {:>5} {:>7.0} {:>7.0} {:>6} {:>6} {:>7} {:>4} {:>12}  {verdict}",
            self.line,
            format!("{:.1}/{:.1}", self.greeted_p50_ms / 1e3, self.greeted_max_ms / 1e3),
            self.turns,
            self.turns - self.unanswered,
            self.early,
            self.response_p50_ms,
            self.response_p90_ms,
            added(self.added_p50_ms),
            added(self.added_p90_ms),
            self.dropped.len(),
            self.line_cuts + self.rejoins,
            format!("{:.1}/{:.1}", self.made_up_of_ours, self.made_up_of_theirs),
        )
    }
}
