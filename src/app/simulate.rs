//! `vivavoce simulate`: interviews in virtual time, with simulated candidates and faults, checked against the
//! rules.

use std::{
    collections::BTreeMap,
    fs,
    panic::{self, AssertUnwindSafe},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::Duration,
};

use indicatif::{ProgressBar, ProgressStyle};

use super::{
    Failed,
    agents::{Agents, Files},
    out::{PLAIN, say, table},
};
use crate::{
    clock::Clock,
    interview::{End, Reason},
    journal::{self, Header, Inputs},
    sim::{self, Config, Fixed, Outcome},
};

/// What to simulate.
#[derive(Clone, Debug)]
pub struct Simulate {
    /// The first seed.
    pub seed: u64,
    /// How many; one alone is printed with its journal.
    pub seeds: u64,
    /// The blueprint, or all of them in turn.
    pub blueprint: Option<String>,
    /// Faults that are not drawn, such as `mind=loops,voice=slow`.
    pub faults: Option<String>,
    /// How many at a time; as many as there are cores unless said.
    pub jobs: Option<usize>,
    /// Where journals of interviews go that break a rule.
    pub out: PathBuf,
}

/// So many journals are written and so many failures told at most.
const FAILURES_MAX: usize = 20;
/// The progress bar moves after so many interviews.
const TOLD_EVERY: u64 = 64;

/// A blueprint that is simulated.
struct Plan {
    name: String,
    files: Files,
    config: Config,
}

/// Simulates, and fails with every interview that breaks a rule.
pub fn simulate(agents_dir: Option<&Path>, simulate: &Simulate) -> Result<(), Failed> {
    let plans = plans(agents_dir, simulate)?;
    // Now, and not when hours of simulating have found something to write.
    fs::create_dir_all(&simulate.out).map_err(|error| {
        let out = simulate.out.display();
        Failed(format!(
            "cannot make the folder {out} for the journals: {error}; name another with --out"
        ))
    })?;
    let clock = Clock::start();
    let bar = progress(simulate.seeds);
    let next = AtomicU64::new(0);
    let jobs = simulate.jobs.unwrap_or_else(cores).max(1);
    let report = thread::scope(|scope| {
        let work = || {
            let mut report = Report::default();
            loop {
                let n = next.fetch_add(1, Ordering::Relaxed);
                if n >= simulate.seeds {
                    return report;
                }
                if n.is_multiple_of(TOLD_EVERY) {
                    bar.set_position(n);
                }
                let plan = &plans[(n % plans.len() as u64) as usize];
                report.run(plan, simulate.seed.wrapping_add(n), simulate.seeds == 1);
            }
        };
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        let reports = workers.into_iter().filter_map(|worker| worker.join().ok());
        reports.fold(Report::default(), Report::add)
    });
    bar.finish_and_clear();
    let took = clock.now().since(crate::time::SessionTime::ZERO);
    say(PLAIN, report.summary(took, jobs).trim_end());
    if report.broken.is_empty() { Ok(()) } else { Err(failures(&plans, simulate, report)) }
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// On standard error, and only where that is a terminal.
fn progress(seeds: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {per_sec}, {eta} left");
    let bar = ProgressBar::new(seeds);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

fn plans(agents_dir: Option<&Path>, simulate: &Simulate) -> Result<Vec<Plan>, Failed> {
    let wanted = simulate.blueprint.as_deref();
    let fixed = match simulate.faults.as_deref() {
        Some(text) => Fixed::parse(text).map_err(|why| Failed(format!("--faults: {why}")))?,
        None => Fixed::default(),
    };
    let Agents { mut files, blueprints } = Agents::load(agents_dir)?;
    let known = blueprints.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
    let is_wanted = |name: &str| wanted.is_none_or(|wanted| wanted == name);
    let chosen = blueprints.into_iter().filter(|(name, _)| is_wanted(name));
    let plan = |(name, blueprint)| {
        let mut config = Config::new(&blueprint, &sim::context());
        config.fixed = fixed;
        Plan { files: files.remove(&name).unwrap_or_default(), name, config }
    };
    let plans: Vec<_> = chosen.map(plan).collect();
    match wanted {
        Some(wanted) if plans.is_empty() => {
            Err(Failed(format!("there is no blueprint \"{wanted}\"; there are: {known}")))
        }
        Some(_) | None => Ok(plans),
    }
}

#[derive(Default)]
struct Report {
    interviews: u64,
    turns: u64,
    /// How they ended; nothing is an interview that never did.
    ends: BTreeMap<Option<End>, u64>,
    handoffs: BTreeMap<Reason, u64>,
    broken: BTreeMap<u64, Broken>,
}

/// An interview that broke a rule, or the program.
struct Broken {
    blueprint: String,
    what: Vec<String>,
    /// Its journal's entries, as far as they are known.
    journal: String,
}

impl Report {
    fn run(&mut self, plan: &Plan, seed: u64, with_journal: bool) {
        self.interviews += 1;
        let config = plan.config.with_seed(seed);
        let run = panic::catch_unwind(AssertUnwindSafe(|| sim::run(&config)));
        let (what, journal) = match run {
            Ok(outcome) => {
                let lines = |outcome: &Outcome| outcome.journal.iter().map(journal::line).collect();
                if with_journal {
                    let lines: String = lines(&outcome);
                    say(PLAIN, lines.trim_end());
                }
                self.note(&outcome);
                if outcome.violations.is_empty() {
                    return;
                }
                (outcome.violations.iter().map(ToString::to_string).collect(), lines(&outcome))
            }
            Err(_) => (vec!["it panicked: the message is above".to_owned()], String::new()),
        };
        self.broken.insert(seed, Broken { blueprint: plan.name.clone(), what, journal });
    }

    fn note(&mut self, outcome: &Outcome) {
        *self.ends.entry(outcome.end).or_default() += 1;
        self.turns += outcome.turns as u64;
        for (why, count) in &outcome.handoffs {
            *self.handoffs.entry(*why).or_default() += *count as u64;
        }
    }

    fn add(mut self, other: Self) -> Self {
        self.interviews += other.interviews;
        self.turns += other.turns;
        for (end, count) in other.ends {
            *self.ends.entry(end).or_default() += count;
        }
        for (why, count) in other.handoffs {
            *self.handoffs.entry(why).or_default() += count;
        }
        self.broken.extend(other.broken);
        self
    }

    fn summary(&self, took: Duration, jobs: usize) -> String {
        let count = self.interviews.max(1);
        let tenths = |n: u64, per: u64| format!("{}.{}", n * 10 / per / 10, n * 10 / per % 10);
        let share = |n: u64| format!("{} %", tenths(n * 100, count));
        let row = |what: String, n: u64, share: String| vec![what, n.to_string(), share];
        let mut rows = Vec::new();
        for (end, n) in &self.ends {
            let end = end.map_or("never".to_owned(), |end| format!("{end:?}"));
            rows.push(row(format!("ended {end}"), *n, share(*n)));
        }
        for (why, n) in &self.handoffs {
            rows.push(row(format!("handoffs by {why:?}"), *n, tenths(*n, count) + " each"));
        }
        rows.push(row("turns".to_owned(), self.turns, tenths(self.turns, count) + " each"));
        let broken = self.broken.len() as u64;
        rows.push(row("broke a rule".to_owned(), broken, share(broken)));
        let millis = u64::try_from(took.as_millis()).unwrap_or(u64::MAX).max(1);
        let rate = self.interviews * 1_000 / millis;
        format!(
            "{}{} interviews in {} s, {rate} a second, {} a second and core\n",
            table(&rows),
            self.interviews,
            tenths(millis, 1_000),
            rate / jobs as u64
        )
    }
}

/// Every failure with the command that repeats it; the journals of the first ones are written.
fn failures(plans: &[Plan], simulate: &Simulate, report: Report) -> Failed {
    let count = report.broken.len();
    let mut lines = Vec::new();
    for (seed, broken) in report.broken.into_iter().take(FAILURES_MAX) {
        let Broken { blueprint, what, journal } = broken;
        lines.extend(what.iter().map(|what| format!("{blueprint}, seed {seed}: {what}")));
        let faults = simulate.faults.as_ref().map(|faults| format!(" --faults {faults}"));
        lines.push(format!(
            "  again: vivavoce simulate --blueprint {blueprint} --seed {seed} --seeds 1{}",
            faults.unwrap_or_default()
        ));
        if let Some(plan) = plans.iter().find(|plan| plan.name == blueprint)
            && !journal.is_empty()
        {
            lines.push(match write(&simulate.out, plan, seed, &journal) {
                Ok(path) => format!("  its journal: {}", path.display()),
                Err(error) => format!("  its journal could not be written: {error}"),
            });
        }
    }
    if count > FAILURES_MAX {
        lines.push(format!("and {} more", count - FAILURES_MAX));
    }
    Failed(lines.join("\n"))
}

fn write(out: &Path, plan: &Plan, seed: u64, entries: &str) -> std::io::Result<PathBuf> {
    let inputs = Inputs::new(&plan.name, plan.files.clone().into_iter().collect(), sim::context());
    let name = format!("simulate-{}-{seed}", plan.name);
    let header = journal::line(&Header::new(&name, 0, &inputs));
    let path = out.join(format!("{name}.jsonl"));
    fs::write(&path, header + entries)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Sabotage;

    /// An interview that breaks a rule is told with the command that repeats it, and its journal
    /// is kept.
    #[test]
    fn a_broken_rule_is_told_with_its_journal() {
        let out = tempfile::tempdir().unwrap();
        let simulate = Simulate {
            seed: 1,
            seeds: 8,
            blueprint: Some("two-stage".to_owned()),
            faults: Some("network=good,voice=good".to_owned()),
            jobs: Some(2),
            out: out.path().to_owned(),
        };
        let mut plans = plans(None, &simulate).unwrap();
        plans[0].config.sabotage = Some(Sabotage::NoEnd);
        let mut report = Report::default();
        (1..9).for_each(|seed| report.run(&plans[0], seed, false));
        let Some((seed, _)) = report.broken.first_key_value() else { panic!("nothing broke") };
        let again = format!(
            "again: vivavoce simulate --blueprint two-stage --seed {seed} --seeds 1 --faults \
                network=good,voice=good"
        );
        let path = out.path().join(format!("simulate-two-stage-{seed}.jsonl"));
        let said = failures(&plans, &simulate, report).0;
        assert!(said.contains(&again) && said.contains("OneEnd"), "{said}");
        let (header, entries) = journal::parse(&fs::read_to_string(&path).unwrap()).unwrap();
        assert!(header.interview.starts_with("simulate-two-stage-") && !entries.is_empty());
    }
}
