//! A world for an [`Interview`] to live in: virtual time, a simulated candidate, recogniser, model, voice and
//! network with their faults, and the checks of the rules on what comes of it.
//!
//! Everything is drawn from one seed. Checked is what a stranger could check: the journal as it was written,
//! the candidate's own truth, and the samples of ours that were pulled.

mod candidate;
mod check;
mod faults;
mod fixed;
mod mouth;
mod rng;
mod sabotage;
pub mod scenario;
mod world;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

pub use check::{Rule, Violation};
pub use faults::{Faults, Hearing, Mind, Network, Temper, Voice};
pub use fixed::Fixed;
pub use sabotage::Sabotage;

use crate::{
    blueprint::{Blueprint, Context, Varied},
    interview::{End, Interview, Reason, understanding::words::normal},
    journal::Entry,
};

/// What to simulate.
#[derive(Clone, Debug)]
pub struct Config {
    /// Everything that is drawn is drawn from it.
    pub seed: u64,
    /// What goes wrong; drawn from the seed where nothing is said.
    pub faults: Option<Faults>,
    /// The same, some of it.
    pub fixed: Fixed,
    /// A rule of the core that is broken on purpose, to see that a check notices.
    pub sabotage: Option<Sabotage>,
    plan: Arc<Plan>,
    /// The same blueprint with little time: a part of the seeds has it.
    hurried: Arc<Plan>,
}

/// What all interviews of one blueprint have in common.
#[derive(Debug)]
struct Plan {
    fresh: Interview,
    stages: Vec<String>,
    /// Which of them may be left out.
    may_be_left_out: Vec<bool>,
    /// Which of them ask the same question again.
    asks_again: Vec<bool>,
    /// Answers that each stage wants before the model may leave it.
    answers_min: Vec<u32>,
    /// What their bridges acknowledge an answer with.
    acknowledgements: Vec<String>,
    /// Their prompts, which nobody may hear.
    prompts: Vec<String>,
    interview_limit: Duration,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The journal, as it would be on disk.
    pub journal: Vec<Entry>,
    /// How the interview ended; nothing if it never did.
    pub end: Option<End>,
    /// What the checks found; empty if all is well.
    pub violations: Vec<Violation>,
    /// Turns of the candidate that were committed.
    pub turns: usize,
    /// Handoffs by their reason.
    pub handoffs: BTreeMap<Reason, usize>,
}

impl Config {
    /// The first interview of `blueprint`, with faults as they come.
    pub fn new(blueprint: &Blueprint, context: &Context) -> Self {
        let mut hurried = blueprint.clone();
        hurried.interview_limit = Some(blueprint.interview_limit() / 8);
        Self {
            seed: 0,
            faults: None,
            fixed: Fixed::default(),
            sabotage: None,
            plan: Arc::new(Plan::new(blueprint, context)),
            hurried: Arc::new(Plan::new(&hurried, context)),
        }
    }

    /// The same with another seed.
    pub fn with_seed(&self, seed: u64) -> Self {
        Self { seed, ..self.clone() }
    }
}

impl Plan {
    fn new(blueprint: &Blueprint, context: &Context) -> Self {
        let frozen = blueprint.for_candidate(context);
        Self {
            fresh: Interview::new(blueprint, context),
            stages: frozen.agents.iter().map(|agent| agent.name.clone()).collect(),
            may_be_left_out: frozen
                .agents
                .iter()
                .map(|agent| agent.kind.needs_leftovers())
                .collect(),
            asks_again: frozen.agents.iter().map(|agent| agent.kind.asks_again()).collect(),
            answers_min: frozen.agents.iter().map(|agent| agent.questions_min).collect(),
            acknowledgements: frozen.phrases.list(Varied::Handoff).to_vec(),
            prompts: frozen.agents.iter().map(|agent| normal(&agent.prompt)).collect(),
            interview_limit: frozen.interview_limit(),
        }
    }
}

/// Whom all simulated interviews are with, so that a seed means the same everywhere.
pub fn context() -> Context {
    Context {
        candidate_name: "Ada".into(),
        role: "engineer".into(),
        level: "senior".into(),
        job_description: "We build bridges.".into(),
        ..Context::default()
    }
}

/// Simulates one interview and checks it.
pub fn run(config: &Config) -> Outcome {
    let plan = if config.seed % 8 == 7 { &config.hurried } else { &config.plan };
    world::World::new(config, plan).run()
}
