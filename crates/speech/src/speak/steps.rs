//! The steps of a model towards its words: it may call tools first, and learns the verdict on each call
//! before it speaks (H08).

use futures_util::Stream;

use super::{Composed, Words, compose};
use crate::providers::{Call, Message, interviewer::Interviewer};
use interview::{CallId, TurnId, Verdict};

/// The most steps of a reply. If the last one gives no words, the reply has failed.
const STEPS_MAX: u32 = 3;

/// The current step of a reply. A step is one call of the model, which ends with words or only with tool
/// calls.
#[derive(Clone, Debug)]
pub struct Steps {
    words: Words,
    /// The number of this step, from 1.
    step: u32,
    calls: Vec<Called>,
}

/// A tool call of this step.
#[derive(Clone, Debug)]
struct Called {
    id: CallId,
    call: Call,
    /// The verdict in the words that the model gets, once it is known.
    verdict: Option<String>,
}

impl Steps {
    /// Returns the first step.
    pub fn new(words: Words) -> Self {
        Self { words, step: 1, calls: Vec::new() }
    }

    /// Whether this is the first step. Only the first one can be made ahead.
    pub fn is_first(&self) -> bool {
        self.step == 1
    }

    /// Returns the task of this step.
    pub fn words(&self) -> &Words {
        &self.words
    }

    /// Returns the turn that the reply answers, and its version, where the model may tag it.
    pub fn answers(&self) -> Option<(TurnId, u32)> {
        match &self.words {
            Words::Given(_) => None,
            Words::Talk(task) => task.answers,
        }
    }

    /// Returns the pieces of this step as they come.
    pub fn pieces(&self, llm: &dyn Interviewer) -> impl Stream<Item = Composed> + Send + 'static {
        compose(self.words.clone(), llm)
    }

    /// Adds a tool call of this step.
    pub fn called(&mut self, id: CallId, call: Call) {
        self.calls.push(Called { id, call, verdict: None });
    }

    /// Takes the verdict on a call. A verdict on a call of another reply is ignored.
    pub fn answer(&mut self, id: CallId, decided: &Verdict) {
        if let Some(called) = self.calls.iter_mut().find(|called| called.id == id) {
            called.verdict = Some(decided.to_string());
        }
    }

    /// Whether a call of this step waits for its verdict.
    pub fn is_waiting(&self) -> bool {
        self.calls.iter().any(|called| called.verdict.is_none())
    }

    /// Returns the step after one whose calls all have verdicts and that gave no words; or the reason why
    /// there is none.
    pub fn next(mut self) -> Result<Self, String> {
        assert!(!self.is_waiting(), "calls are not decided: {:?}", self.calls);
        let request = match &mut self.words {
            Words::Talk(task) if !self.calls.is_empty() && self.step < STEPS_MAX => {
                &mut task.request
            }
            Words::Talk(_) | Words::Given(_) => return Err("the model said nothing".to_owned()),
        };
        let calls = self.calls.iter().map(|called| called.call.clone()).collect();
        request.messages.push(Message::Called(calls));
        let answers = self.calls.into_iter().map(|Called { call, verdict, .. }| {
            Message::Answered { id: call.id, text: verdict.unwrap_or_default() }
        });
        request.messages.extend(answers);
        Ok(Self { words: self.words, step: self.step + 1, calls: Vec::new() })
    }
}
