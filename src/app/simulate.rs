//! `vivavoce simulate`: interviews in virtual time, with simulated candidates and faults, checked against the rules.

use std::{
    collections::BTreeMap,
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

use super::{Failed, agents::Agents};
use crate::{
    clock::Clock,
    journal,
    sim::{self, Config, Outcome},
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
}

/// Simulates, and fails with every interview that breaks a rule.
pub fn simulate(agents_dir: Option<&Path>, simulate: &Simulate) -> Result<(), Failed> {
    let configs = configs(agents_dir, simulate.blueprint.as_deref())?;
    let clock = Clock::start();
    let next = AtomicU64::new(0);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let reports: Vec<Report> = thread::scope(|scope| {
        let work = || {
            let mut report = Report::default();
            loop {
                let n = next.fetch_add(1, Ordering::Relaxed);
                if n >= simulate.seeds {
                    return report;
                }
                let (name, config) = &configs[(n % configs.len() as u64) as usize];
                let config = config.with_seed(simulate.seed.wrapping_add(n));
                report.note(name, config.seed, &sim::run(&config), simulate.seeds == 1);
            }
        };
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).collect()
    });
    let took = clock.now().as_millis().max(1);
    if reports.len() < cores {
        return Err(Failed("an interview panicked: its message is above".into()));
    }
    let mut ends: BTreeMap<&str, u64> = BTreeMap::new();
    for (end, count) in reports.iter().flat_map(|report| &report.ends) {
        *ends.entry(end).or_default() += count;
    }
    let ends: Vec<_> = ends.iter().map(|(end, count)| format!("{end} {count}")).collect();
    let rate = simulate.seeds * 1_000 / took;
    println!("{} interviews, {rate} a second: {}", simulate.seeds, ends.join(", "));
    let broken: Vec<_> = reports.into_iter().flat_map(|report| report.broken).collect();
    if broken.is_empty() { Ok(()) } else { Err(Failed(broken.join("\n"))) }
}

fn configs(
    agents_dir: Option<&Path>,
    wanted: Option<&str>,
) -> Result<Vec<(String, Config)>, Failed> {
    let agents = Agents::load(agents_dir)?;
    let known = agents.blueprints.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
    let is_wanted = |name: &str| wanted.is_none_or(|wanted| wanted == name);
    let configs: Vec<_> = agents
        .blueprints
        .into_iter()
        .filter(|(name, _)| is_wanted(name))
        .map(|(name, blueprint)| (name, Config::new(&blueprint, &sim::context())))
        .collect();
    match wanted {
        Some(wanted) if configs.is_empty() => {
            Err(Failed(format!("there is no blueprint \"{wanted}\"; there are: {known}")))
        }
        Some(_) | None => Ok(configs),
    }
}

#[derive(Default)]
struct Report {
    ends: BTreeMap<String, u64>,
    broken: Vec<String>,
}

impl Report {
    fn note(&mut self, name: &str, seed: u64, outcome: &Outcome, with_journal: bool) {
        let end = outcome.end.map_or("none".to_owned(), |end| format!("{end:?}"));
        *self.ends.entry(end).or_default() += 1;
        if with_journal {
            outcome.journal.iter().for_each(|entry| print!("{}", journal::line(entry)));
        }
        for violation in &outcome.violations {
            self.broken.push(format!("{name}, seed {seed}: {violation}"));
        }
    }
}
