//! The interviewer, which words the replies of an interview and judges its answers: a vendor's model, which
//! reads a request, or the scripted interviewer, which gets the same as data.

use futures_util::{future::BoxFuture, stream::BoxStream};

use super::{JudgeRequest, Llm, Piece, ProviderError, TalkRequest, usage::Used};
use interview::{
    TurnId,
    scripted::{Judging, Situation},
};

/// The interviewer of one interview, with two lanes: *talk* on the response path, *judge* off it. Every
/// [`Llm`] is an interviewer.
pub trait Interviewer: Send + Sync {
    /// Starts a reply: streamed text and tool calls. Dropping the stream cancels the call.
    fn talk(&self, task: TalkTask) -> BoxStream<'static, Result<Piece, ProviderError>>;
    /// Judges an answer. Returns one unchecked JSON text by the request's schema. Dropping the future
    /// cancels the call.
    fn judge(&self, task: JudgeTask) -> BoxFuture<'static, Result<String, ProviderError>>;
    /// The model behind it, which writes documents too; the scripted interviewer is none.
    fn model(&self) -> Option<&dyn Llm>;
    /// Whether this interview has used all tokens that it may use of it.
    fn is_spent(&self) -> bool {
        false
    }
    /// What was used of each model of a vendor.
    fn used(&self) -> Vec<Used> {
        self.model().and_then(Llm::spent).into_iter().collect()
    }
    /// Finds out how its models begin a reply, so that none has to be held (see [`Llm::learn_habits`]).
    fn learn_habits(&self) -> BoxFuture<'static, ()> {
        Box::pin(std::future::ready(()))
    }
}

/// The task to word a reply.
#[derive(Clone, Debug, PartialEq)]
pub struct TalkTask {
    /// The request for a model.
    pub request: TalkRequest,
    /// The same as data for the scripted interviewer.
    pub situation: Situation,
    /// The turn that the reply answers, and its version, where the model may tag what that means.
    pub answers: Option<(TurnId, u32)>,
}

/// The task to judge an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgeTask {
    /// The request for a model.
    pub request: JudgeRequest,
    /// The same as data for the scripted interviewer.
    pub judging: Judging,
}

impl<L: Llm> Interviewer for L {
    fn talk(&self, task: TalkTask) -> BoxStream<'static, Result<Piece, ProviderError>> {
        Llm::talk(self, task.request)
    }

    fn judge(&self, task: JudgeTask) -> BoxFuture<'static, Result<String, ProviderError>> {
        Llm::judge(self, task.request)
    }

    fn model(&self) -> Option<&dyn Llm> {
        Some(self)
    }

    fn is_spent(&self) -> bool {
        Llm::is_spent(self)
    }

    fn learn_habits(&self) -> BoxFuture<'static, ()> {
        Llm::learn_habits(self)
    }
}
