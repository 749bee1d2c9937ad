//! Who words the replies of an interview and judges its answers: a vendor's model, which reads a request, or
//! the scripted interviewer, which is told the same as data.

use futures_util::{future::BoxFuture, stream::BoxStream};

use super::{JudgeRequest, Llm, Piece, ProviderError, TalkRequest};
use interview::scripted::{Judging, Situation};

/// The interviewer of one interview, in two lanes: *talk* on the response path, *judge* off it. Every [`Llm`]
/// is one.
pub trait Interviewer: Send + Sync {
    /// Starts a reply: streamed text and tool calls. To drop the stream is to cancel the call.
    fn talk(&self, task: TalkTask) -> BoxStream<'static, Result<Piece, ProviderError>>;
    /// Judges an answer: one JSON text by the request's schema, unchecked. To drop the future is to cancel
    /// the call.
    fn judge(&self, task: JudgeTask) -> BoxFuture<'static, Result<String, ProviderError>>;
}

/// A reply to be worded.
#[derive(Clone, Debug, PartialEq)]
pub struct TalkTask {
    /// What a model is asked.
    pub request: TalkRequest,
    /// The same for the scripted interviewer.
    pub situation: Situation,
}

/// An answer to be judged.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgeTask {
    /// What a model is asked.
    pub request: JudgeRequest,
    /// The same for the scripted interviewer.
    pub judging: Judging,
}

impl<L: Llm> Interviewer for L {
    fn talk(&self, task: TalkTask) -> BoxStream<'static, Result<Piece, ProviderError>> {
        Llm::talk(self, task.request)
    }

    fn judge(&self, task: JudgeTask) -> BoxFuture<'static, Result<String, ProviderError>> {
        Llm::judge(self, task.request)
    }
}
