//! The script of one interview: the blueprint with the candidate's name in its texts, and the prompts that
//! must never be spoken.

use std::sync::Arc;

use crate::blueprint::{Blueprint, Context, Language, Pauses};
use crate::interview::{guard::check::Secrets, model::secrets::secrets};

/// A blueprint made ready for one candidate.
#[derive(Clone, Debug)]
pub(crate) struct Script {
    plan: Arc<Blueprint>,
    context: Arc<Context>,
    /// The prompts: no sentence of theirs may be spoken.
    secrets: Arc<Secrets>,
    /// How long the candidate may pause.
    pauses: Pauses,
    /// The blueprint without a name in it, while the candidate's name is unknown.
    unnamed: Option<Arc<Blueprint>>,
}

impl Script {
    pub(crate) fn new(blueprint: &Blueprint, context: &Context) -> Self {
        let plan = blueprint.for_candidate(context);
        Self {
            secrets: Arc::new(secrets(&plan, context)),
            plan: Arc::new(plan),
            context: Arc::new(context.clone()),
            pauses: Pauses::Usual,
            unnamed: context.is_nameless().then(|| Arc::new(blueprint.clone())),
        }
    }

    /// The blueprint, with the candidate's name in its texts.
    pub(crate) fn plan(&self) -> &Blueprint {
        &self.plan
    }

    /// The language that the interview is held in.
    pub(crate) fn language(&self) -> Language {
        self.plan.language
    }

    /// The recruiter's inputs about candidate and role.
    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// How long the candidate may pause (C01).
    pub(crate) fn pauses(&self) -> Pauses {
        self.pauses
    }

    /// The candidate chooses how long they may pause.
    pub(crate) fn set_pauses(&mut self, pauses: Pauses) {
        self.pauses = pauses;
    }

    /// The texts that must not be spoken.
    pub(crate) fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// Whether the candidate's name is still unknown.
    pub(crate) fn is_nameless(&self) -> bool {
        self.unnamed.is_some()
    }

    /// Renders all texts with the candidate's name. Only the first name counts.
    pub(crate) fn name_candidate(&mut self, candidate_name: String) {
        if let Some(blueprint) = self.unnamed.take() {
            let context = Context { candidate_name, ..Context::clone(&self.context) };
            *self = Self { pauses: self.pauses, unnamed: None, ..Self::new(&blueprint, &context) };
        }
    }
}
