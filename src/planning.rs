//! Plans before interviews and summaries after them: by the model of the settings or of the blueprint,
//! and by simple rules where there is none or it fails (K05, K06, L07).

use std::sync::Arc;

use tracing::{info, warn};

use crate::{
    blueprint::{Blueprint, Context},
    providers::interviewer::Interviewer,
    store::{Plans, StoreError},
    summary::{Material, Summary},
    writing::Writer,
};

pub use interview::planning::*;

/// Makes plans and summaries.
#[derive(Debug)]
pub struct Planner {
    plans: Plans,
    writer: Arc<Writer>,
}

/// A plan or a summary, and why no model made it where one should have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made<T> {
    /// What was made.
    pub made: T,
    /// Why a model failed: a sentence.
    pub trouble: Option<String>,
}

impl Planner {
    /// Keeps the plans of models in `plans`.
    pub fn new(
        plans: Plans,
        open: impl Fn(&Blueprint) -> Result<Arc<dyn Interviewer>, String> + Send + Sync + 'static,
    ) -> Self {
        Self { plans, writer: Arc::new(Writer::new(open)) }
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
            return Ok(Made { made, trouble: None });
        }
        let request = Plan::request(blueprint, context);
        let parse = |json: &str| Plan::parse(blueprint, context, json);
        match self.written(blueprint, request, parse).await {
            Ok(Some(plan)) => {
                info!(questions = plan.questions.len(), topics = plan.topics.len(), "plan made");
                Ok(Made { made: self.plans.keep(plan).await?, trouble: None })
            }
            Ok(None) => Ok(Made { made: Plan::by_rules(blueprint, context), trouble: None }),
            Err(why) => {
                let trouble = Some(format!("No model made this plan: {why}."));
                Ok(Made { made: Plan::by_rules(blueprint, context), trouble })
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

    /// What came out of an interview.
    pub async fn summary(&self, blueprint: &Blueprint, material: &Material) -> Made<Summary> {
        let by_rules = |trouble| Made { made: material.by_rules(), trouble };
        if material.is_empty() {
            return by_rules(None);
        }
        let parse = |json: &str| material.parse(json);
        match self.written(blueprint, material.request(), parse).await {
            Ok(Some(made)) => Made { made, trouble: None },
            Ok(None) => by_rules(None),
            Err(why) => by_rules(Some(format!("No model wrote this summary: {why}."))),
        }
    }

    /// What a model writes; nothing where there is none.
    async fn written<T>(
        &self,
        blueprint: &Blueprint,
        request: Request,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Result<Option<T>, String> {
        let written = match self.writer.open(blueprint) {
            Ok(interviewer) => match interviewer.model() {
                Some(model) => self.writer.write(model, request, parse).await,
                None => return Ok(None),
            },
            Err(why) => Err(why),
        };
        if let Err(why) = &written {
            warn!(why, "a model failed to write, simple rules take its place");
        }
        written.map(Some)
    }
}
