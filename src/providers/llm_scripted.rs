//! The scripted interviewer as a model: needs no key, answers at once.

use futures_util::{StreamExt, stream, stream::BoxStream};

use super::{Llm, Piece, ProviderError, TalkRequest};
use crate::scripted::{Move, interviewer};

/// Asks from the questions that its request carries (P11).
#[derive(Clone, Copy, Debug, Default)]
pub struct ScriptedLlm;

impl Llm for ScriptedLlm {
    fn talk(&self, request: TalkRequest) -> BoxStream<'static, Result<Piece, ProviderError>> {
        let pieces = interviewer(&request.situation).into_iter().map(|step| match step {
            Move::Say(text) => Ok(Piece::Text(text)),
            Move::Call { name, arguments } => Ok(Piece::Call { name: name.to_owned(), arguments }),
        });
        stream::iter(pieces.collect::<Vec<_>>()).boxed()
    }
}
