//! The scripted interviewer: needs no model and no key, answers at once.

use futures_util::{
    FutureExt, StreamExt,
    future::{self, BoxFuture},
    stream::{self, BoxStream},
};

use super::{
    Call, Llm, Piece, ProviderError,
    interviewer::{Interviewer, JudgeTask, TalkTask},
};
use interview::scripted::{Move, interviewer, judge};

/// The scripted interviewer. It asks the questions of the situation and ignores the request (P11).
#[derive(Clone, Copy, Debug, Default)]
pub struct ScriptedInterviewer;

impl Interviewer for ScriptedInterviewer {
    fn talk(&self, task: TalkTask) -> BoxStream<'static, Result<Piece, ProviderError>> {
        let moves = interviewer(&task.situation).into_iter().enumerate();
        let pieces = moves.map(|(n, step)| match step {
            Move::Say(text) => Ok(Piece::Text(text)),
            Move::Call { name, arguments } => {
                Ok(Piece::Call(Call { id: n.to_string(), name: name.to_owned(), arguments }))
            }
        });
        stream::iter(pieces.collect::<Vec<_>>()).boxed()
    }

    fn judge(&self, task: JudgeTask) -> BoxFuture<'static, Result<String, ProviderError>> {
        future::ready(Ok(judge(&task.judging))).boxed()
    }

    fn model(&self) -> Option<&dyn Llm> {
        None
    }
}
