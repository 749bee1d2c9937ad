//! Plans before interviews and summaries after them: by the model of the settings or of the blueprint,
//! and by simple rules where there is none or it fails (K05, K06, L07).

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tracing::{info, warn};

use crate::{
    blueprint::{Blueprint, Context},
    providers::{interviewer::Interviewer, usage::Used},
    store::{Plans, StoreError},
    summary::{Material, Summary},
    writing::Writer,
};

pub use interview::planning::*;

/// The most plans whose cost is remembered until they are launched.
const UNLAUNCHED_MAX: usize = 1_000;

/// Makes plans and summaries.
#[derive(Debug)]
pub struct Planner {
    plans: Plans,
    writer: Arc<Writer>,
    /// What was used for plans, by signature, until an interview is launched with it.
    used: Mutex<BTreeMap<String, Vec<Used>>>,
}

/// A plan or a summary, and why no model made it where one should have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made<T> {
    /// What was made.
    pub made: T,
    /// Why a model failed: a sentence.
    pub trouble: Option<String>,
    /// What was used of models to make it.
    pub used: Vec<Used>,
}

impl<T> Made<T> {
    /// What no model was asked for.
    pub fn known(made: T) -> Self {
        Self { made, trouble: None, used: Vec::new() }
    }
}

impl Planner {
    /// Keeps the plans of models in `plans`.
    pub fn new(
        plans: Plans,
        open: impl Fn(&Blueprint) -> Result<Arc<dyn Interviewer>, String> + Send + Sync + 'static,
    ) -> Self {
        Self::within(0, plans, open)
    }

    /// The same, and all that is written uses no more tokens in a day; 0: any number.
    pub fn within(
        tokens_per_day: u64,
        plans: Plans,
        open: impl Fn(&Blueprint) -> Result<Arc<dyn Interviewer>, String> + Send + Sync + 'static,
    ) -> Self {
        let writer = Arc::new(Writer::new(tokens_per_day, open));
        Self { plans, writer, used: Mutex::default() }
    }

    /// What has a model write, for whoever else wants that.
    pub fn writer(&self) -> Arc<Writer> {
        self.writer.clone()
    }

    /// The plan for a blueprint and what the interview is about: the one that was made before of the
    /// same, or a new one.
    pub async fn plan(
        &self,
        blueprint: &Blueprint,
        context: &Context,
    ) -> Result<Made<Plan>, StoreError> {
        if let Some(made) = self.kept(&signature(blueprint, context)).await {
            return Ok(Made::known(made));
        }
        let request = Plan::request(blueprint, context);
        let parse = |json: &str| Plan::parse(blueprint, context, json);
        let (written, used) = self.written(blueprint, request, parse).await;
        match written {
            Ok(Some(plan)) => {
                info!(questions = plan.questions.len(), topics = plan.topics.len(), "plan made");
                self.note(&plan.signature, &used);
                Ok(Made { made: self.plans.keep(plan).await?, trouble: None, used })
            }
            Ok(None) => Ok(Made::known(Plan::by_rules(blueprint, context))),
            Err(why) => {
                let trouble = Some(format!("No model made this plan: {why}."));
                Ok(Made { made: Plan::by_rules(blueprint, context), trouble, used })
            }
        }
    }

    /// The plan of a model that was kept under a signature. One that cannot be read is made anew.
    pub async fn kept(&self, signature: &str) -> Option<Plan> {
        self.plans.read(signature).await.unwrap_or_else(|why| {
            warn!(%why, "a plan cannot be read");
            None
        })
    }

    /// Takes what was used for a plan, if this process made it: the first interview that is launched with it
    /// has it.
    pub fn take_used(&self, signature: &str) -> Vec<Used> {
        self.unlaunched().remove(signature).unwrap_or_default()
    }

    fn note(&self, signature: &str, used: &[Used]) {
        let mut unlaunched = self.unlaunched();
        if unlaunched.len() < UNLAUNCHED_MAX {
            unlaunched.insert(signature.to_owned(), used.to_vec());
        }
    }

    fn unlaunched(&self) -> MutexGuard<'_, BTreeMap<String, Vec<Used>>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What came out of an interview.
    pub async fn summary(&self, blueprint: &Blueprint, material: &Material) -> Made<Summary> {
        let by_rules = |trouble, used| Made { made: material.by_rules(), trouble, used };
        if material.is_empty() {
            return by_rules(None, Vec::new());
        }
        let parse = |json: &str| material.parse(json);
        let (written, used) = self.written(blueprint, material.request(), parse).await;
        match written {
            Ok(Some(made)) => Made { made, trouble: None, used },
            Ok(None) => by_rules(None, used),
            Err(why) => by_rules(Some(format!("No model wrote this summary: {why}.")), used),
        }
    }

    /// What a model writes, nothing where there is none, and what was used of models for it.
    async fn written<T>(
        &self,
        blueprint: &Blueprint,
        request: Request,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> (Result<Option<T>, String>, Vec<Used>) {
        let (written, used) = match self.writer.open(blueprint) {
            Ok(interviewer) => match interviewer.model() {
                Some(model) => {
                    let written = self.writer.write(model, request, parse).await;
                    (written, self.writer.used(&*interviewer))
                }
                None => return (Ok(None), Vec::new()),
            },
            Err(why) => (Err(why), Vec::new()),
        };
        if let Err(why) = &written {
            warn!(why, "a model failed to write, simple rules take its place");
        }
        (written.map(Some), used)
    }
}
