//! The model's health: what it could not say or do lately, which it is told, and how often it failed.

use std::sync::Arc;

use crate::interview::{
    guard::check::{Fault, Secrets},
    ids::ReplyId,
};

/// Failures in a row after which we say goodbye (invariant 9).
pub(crate) const FAILURES_MAX: u32 = 3;
/// Refusals that the model is told of.
const REFUSALS_MAX: usize = 4;

/// How the model has done lately.
#[derive(Clone, Debug, Default)]
pub(crate) struct ModelHealth {
    /// Proposals of this answer that were refused, with the reason.
    refusals: Vec<String>,
    /// The fault of its last words that could not be said.
    last_fault: Option<Fault>,
    /// Replies in a row that could not be made.
    failures: u32,
    /// Whether its last reply failed.
    is_down: bool,
    /// What it was told for a reply and nobody may hear.
    told: Option<(ReplyId, Arc<Secrets>)>,
}

impl ModelHealth {
    /// Proposals of this answer that were refused, with the reason.
    pub(crate) fn refusals(&self) -> &[String] {
        &self.refusals
    }

    /// What it was told for a reply and nobody may hear, if that was noted.
    pub(crate) fn told(&self, reply: ReplyId) -> Option<&Secrets> {
        let (of, secrets) = self.told.as_ref()?;
        (*of == reply).then_some(&**secrets)
    }

    /// Notes what it was told for a reply and nobody may hear.
    pub(crate) fn tell(&mut self, reply: ReplyId, secrets: Secrets) {
        self.told = Some((reply, Arc::new(secrets)));
    }

    /// A proposal was refused; the oldest one is forgotten.
    pub(crate) fn refuse(&mut self, refusal: String) {
        if self.refusals.len() == REFUSALS_MAX {
            self.refusals.remove(0);
        }
        self.refusals.push(refusal);
    }

    /// The answer is over: what was refused in it helps with no other.
    pub(crate) fn forget_refusals(&mut self) {
        self.refusals.clear();
    }

    /// The fault of its last words that could not be said.
    pub(crate) fn last_fault(&self) -> Option<&Fault> {
        self.last_fault.as_ref()
    }

    /// It wanted to say something that cannot be said.
    pub(crate) fn fault(&mut self, fault: Fault) {
        self.last_fault = Some(fault);
    }

    /// Another reply could not be made.
    pub(crate) fn fail(&mut self) {
        self.failures += 1;
    }

    /// Whether so many replies in a row failed that the interview cannot go on.
    pub(crate) fn is_hopeless(&self) -> bool {
        self.failures >= FAILURES_MAX
    }

    /// A reply was heard to its end, made by the model or not.
    pub(crate) fn succeed(&mut self, by_model: bool) {
        self.failures = 0;
        self.is_down &= !by_model;
    }

    /// A reply of the model failed. Whether that is news: the candidate hears an apology once.
    pub(crate) fn go_down(&mut self) -> bool {
        !std::mem::replace(&mut self.is_down, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Invariant 9: only failures in a row end an interview.
    #[test]
    fn failures_count_in_a_row() {
        let mut health = ModelHealth::default();
        (1..FAILURES_MAX).for_each(|_| health.fail());
        assert!(!health.is_hopeless());
        health.succeed(false);
        (1..FAILURES_MAX).for_each(|_| health.fail());
        assert!(!health.is_hopeless());
        health.fail();
        assert!(health.is_hopeless());
    }

    /// Case 31: an apology is said once, until a reply of the model was heard.
    #[test]
    fn an_apology_is_said_once() {
        let mut health = ModelHealth::default();
        assert!(health.go_down());
        health.succeed(false);
        assert!(!health.go_down(), "words of the blueprint say nothing of the model");
        health.succeed(true);
        assert!(health.go_down());
    }

    /// H08: the model is told of its last refusals, of one answer.
    #[test]
    fn refusals_are_bounded() {
        let mut health = ModelHealth::default();
        (0..=REFUSALS_MAX).for_each(|n| health.refuse(n.to_string()));
        assert_eq!((health.refusals().len(), health.refusals()[0].as_str()), (REFUSALS_MAX, "1"));
        health.forget_refusals();
        assert!(health.refusals().is_empty());
    }
}
