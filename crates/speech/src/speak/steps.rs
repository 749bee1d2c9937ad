//! A model's way to its words: it may call tools first, and is told what became of each call before it speaks
//! (H08).

use futures_util::Stream;

use super::{Composed, Words, compose};
use crate::providers::{Call, Message, interviewer::Interviewer};
use interview::{CallId, Verdict};

/// A model is asked so often for one reply; then it has said nothing.
const STEPS_MAX: u32 = 3;

/// A reply that has no words yet. A step is one call of the model: it ends with words, or with tool calls
/// only.
#[derive(Clone, Debug)]
pub struct Steps {
    words: Words,
    /// Which step this is, from 1.
    step: u32,
    calls: Vec<Called>,
}

/// A tool call of this step.
#[derive(Clone, Debug)]
struct Called {
    id: CallId,
    call: Call,
    /// What the model is told became of it, once that is known.
    told: Option<String>,
}

impl Steps {
    /// The first step.
    pub fn new(words: Words) -> Self {
        Self { words, step: 1, calls: Vec::new() }
    }

    /// Whether it is the first one: what was begun ahead is of that only.
    pub fn is_first(&self) -> bool {
        self.step == 1
    }

    /// What this step consists of.
    pub fn words(&self) -> &Words {
        &self.words
    }

    /// The pieces of this step, as they come.
    pub fn pieces(&self, llm: &dyn Interviewer) -> impl Stream<Item = Composed> + Send + 'static {
        compose(self.words.clone(), llm)
    }

    /// The model called a tool in this step.
    pub fn called(&mut self, id: CallId, call: Call) {
        self.calls.push(Called { id, call, told: None });
    }

    /// A call was decided. That of a reply before is nobody's any more.
    pub fn answer(&mut self, id: CallId, verdict: &Verdict) {
        if let Some(called) = self.calls.iter_mut().find(|called| called.id == id) {
            called.told = Some(match verdict {
                Verdict::Accepted => "accepted".to_owned(),
                Verdict::Refused(refusal) => format!("refused: {refusal}"),
            });
        }
    }

    /// Whether a call of this step is not decided yet.
    pub fn is_waiting(&self) -> bool {
        self.calls.iter().any(|called| called.told.is_none())
    }

    /// The step that follows one without words whose calls are decided; or why none does.
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
        let answers = self.calls.into_iter().map(|Called { call, told, .. }| Message::Answered {
            id: call.id,
            text: told.unwrap_or_default(),
        });
        request.messages.extend(answers);
        Ok(Self { words: self.words, step: self.step + 1, calls: Vec::new() })
    }
}
