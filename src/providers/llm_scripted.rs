//! The scripted interviewer as a model: needs no key, answers at once.

use futures_util::{
    FutureExt, StreamExt,
    future::{self, BoxFuture},
    stream::{self, BoxStream},
};

use super::{Call, JudgeRequest, Llm, Piece, ProviderError, TalkRequest};
use crate::scripted::{Move, interviewer, judge};

/// Asks from the questions that its request carries (P11).
#[derive(Clone, Copy, Debug, Default)]
pub struct ScriptedLlm;

impl Llm for ScriptedLlm {
    fn talk(&self, request: TalkRequest) -> BoxStream<'static, Result<Piece, ProviderError>> {
        let moves = interviewer(&request.situation).into_iter().enumerate();
        let pieces = moves.map(|(n, step)| match step {
            Move::Say(text) => Ok(Piece::Text(text)),
            Move::Call { name, arguments } => {
                Ok(Piece::Call(Call { id: n.to_string(), name: name.to_owned(), arguments }))
            }
        });
        stream::iter(pieces.collect::<Vec<_>>()).boxed()
    }
    fn judge(&self, request: JudgeRequest) -> BoxFuture<'static, Result<String, ProviderError>> {
        future::ready(Ok(judge(&request.judging))).boxed()
    }
}
