//! What a model writes for people: plans, summaries and reports, by the model of the settings or of the
//! blueprint.

mod budget;

use std::{fmt, sync::Arc};

use interview::planning::Request;
use tokio::sync::Semaphore;
use tracing::info;

use crate::{
    blueprint::Blueprint,
    clock::unix_millis,
    judge,
    providers::{JudgeRequest, Llm, interviewer::Interviewer, usage::Used},
};
use budget::Budget;

/// So many texts are written at once.
const WRITTEN_AT_ONCE_MAX: usize = 4;

/// Opens the interviewer of a blueprint, or says why that does not work.
type Open = dyn Fn(&Blueprint) -> Result<Arc<dyn Interviewer>, String> + Send + Sync;

/// Has models write.
pub struct Writer {
    open: Box<Open>,
    at_once: Semaphore,
    budget: Budget,
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}

impl Writer {
    /// Opens a model where one has to write; all together may use so many tokens in a day, or with 0 any
    /// number.
    pub fn new(
        tokens_per_day: u64,
        open: impl Fn(&Blueprint) -> Result<Arc<dyn Interviewer>, String> + Send + Sync + 'static,
    ) -> Self {
        let (at_once, budget) = (Semaphore::new(WRITTEN_AT_ONCE_MAX), Budget::new(tokens_per_day));
        Self { open: Box::new(open), at_once, budget }
    }

    /// The interviewer of a blueprint, which counts its tokens from now on; its model writes, if it has one.
    /// Hand it to [`Writer::used`] when it has written.
    pub fn open(&self, blueprint: &Blueprint) -> Result<Arc<dyn Interviewer>, String> {
        (self.open)(blueprint).map_err(plain)
    }

    /// What a model writes, as soon as fewer than four texts are being written. What cannot be read is asked
    /// for once more.
    pub async fn write<T>(
        &self,
        model: &dyn Llm,
        request: Request,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T, String> {
        let Request { system, user, schema } = request;
        let request = JudgeRequest { system, user, schema, is_long: true };
        let _at_once = self.at_once.acquire().await.map_err(|why| why.to_string())?;
        self.budget.check(unix_millis())?;
        judge::write(model, &request, parse).await.map_err(plain)
    }

    /// What an interviewer has used to write. It counts for the budget of today, so ask once.
    pub fn used(&self, interviewer: &dyn Interviewer) -> Vec<Used> {
        let used = interviewer.used();
        let tokens = used
            .iter()
            .map(|Used { amount, .. }| amount.input_tokens.saturating_add(amount.output_tokens));
        let (now_ms, tokens) = (unix_millis(), tokens.fold(0, u64::saturating_add));
        self.budget.spend(now_ms, tokens);
        if let Some(tokens_left) = self.budget.left(now_ms) {
            info!(tokens, tokens_left, "tokens of the day were used to write");
        }
        used
    }
}

fn plain(why: String) -> String {
    why.trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

    use futures_util::{
        FutureExt, StreamExt,
        future::{self, BoxFuture},
        stream::{self, BoxStream},
    };

    use super::*;
    use crate::providers::{
        Piece, ProviderError, TalkRequest,
        usage::{Amount, Source, Work},
    };

    /// A model that uses 60 tokens for each text.
    #[derive(Default)]
    struct Costly(AtomicU64);

    impl Llm for Costly {
        fn talk(&self, _: TalkRequest) -> BoxStream<'static, Result<Piece, ProviderError>> {
            stream::empty().boxed()
        }
        fn judge(&self, _: JudgeRequest) -> BoxFuture<'static, Result<String, ProviderError>> {
            self.0.fetch_add(1, SeqCst);
            future::ready(Ok("{}".to_owned())).boxed()
        }
        fn spent(&self) -> Option<Used> {
            let calls = self.0.load(SeqCst);
            let source =
                Source { work: Work::Thinking, provider: "costly".to_owned(), vendor: None };
            let (input_tokens, output_tokens) = (40 * calls, 20 * calls);
            let amount = Amount { calls, input_tokens, output_tokens, ..Amount::default() };
            Some(Used { source, amount })
        }
    }

    /// LLM10: when the tokens of a day are used up no model is asked, and a sentence says so; without a limit
    /// texts are written for ever.
    #[tokio::test]
    async fn writing_ends_with_the_tokens_of_the_day() {
        for (tokens_per_day, expected) in [(100, 2), (0, 5), (1, 1)] {
            let writer = Writer::new(tokens_per_day, |_| Err("nothing is opened".to_owned()));
            let (mut calls, mut whys) = (0, Vec::new());
            for _ in 0..5 {
                let model = Costly::default();
                let request = Request {
                    system: String::new(),
                    user: String::new(),
                    schema: serde_json::Value::Null,
                };
                let written = writer.write(&model, request, |_| Ok(())).await;
                whys.extend(written.err());
                assert_eq!(writer.used(&model).len(), 1);
                calls += model.0.load(SeqCst);
            }
            assert_eq!(calls, expected, "{tokens_per_day} tokens");
            assert_eq!(whys.len() as u64, 5 - expected, "{whys:?}");
            assert!(
                whys.iter().all(|why| why.contains("usage.writing_tokens_per_day")),
                "{whys:?}"
            );
        }
    }
}
