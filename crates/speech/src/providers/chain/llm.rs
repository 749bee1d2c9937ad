//! Interviewers in a chain: when one fails, the next words the reply, or goes on with it (P02).
//!
//! Before the first word of a reply the next one is asked the same. Within a reply it gets the words that
//! were passed on as the beginning of its own. A model that is slower than it mostly is gets a rival, and
//! whichever speaks first is heard.

mod talk;

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures_util::{
    FutureExt, StreamExt,
    future::{BoxFuture, join_all},
    stream::{self, BoxStream},
};

use super::{Limits, Link, Order, limited, note_failover};
use crate::{
    clock::Clock,
    providers::{
        JudgeRequest, Llm, Piece, ProviderError, Retry, TalkRequest, Usage,
        http::{permanent_error, transient_error},
        interviewer::{Interviewer, JudgeTask, TalkTask},
    },
};
use talk::Talk;

/// The longest judgement of an answer while there is another judge: half of what the interview waits for.
const JUDGE_LIMIT: Duration = Duration::from_secs(9);

/// The interviewer of one interview: several, of which the first that works is asked.
pub(in crate::providers) struct InterviewerChain {
    members: Members,
    /// The models among them.
    model: Option<ModelChain>,
}

/// The models of a chain, as one.
struct ModelChain(Members);

/// The interviewers of a chain.
#[derive(Clone)]
struct Members {
    links: Arc<[Link<dyn Interviewer>]>,
    silence_limit: Duration,
    clock: Clock,
    /// Who answered last.
    answered: Arc<AtomicUsize>,
    /// Who was asked, a bit for each.
    asked: Arc<AtomicUsize>,
}

impl InterviewerChain {
    /// Returns the chain of these interviewers, made for one interview.
    pub(in crate::providers) fn new(links: Vec<Link<dyn Interviewer>>, limits: Limits) -> Self {
        let models = links.iter().filter(|link| link.provider.model().is_some());
        let models: Vec<_> = models
            .map(|link| Link { gate: link.gate.clone(), provider: link.provider.clone() })
            .collect();
        let model = (!models.is_empty()).then(|| ModelChain(Members::new(models, limits)));
        Self { members: Members::new(links, limits), model }
    }
}

impl Interviewer for InterviewerChain {
    fn talk(&self, task: TalkTask) -> BoxStream<'static, Result<Piece, ProviderError>> {
        Talk::new(self.members.clone(), task).pieces()
    }

    fn judge(&self, task: JudgeTask) -> BoxFuture<'static, Result<String, ProviderError>> {
        let limit = limit_of(&task.request);
        let ask = move |interviewer: &dyn Interviewer| interviewer.judge(task.clone());
        self.members.clone().judged(ask, limit).boxed()
    }

    fn model(&self) -> Option<&dyn Llm> {
        self.model.as_ref().map(|model| model as &dyn Llm)
    }

    fn is_spent(&self) -> bool {
        self.members.links.iter().all(|link| link.provider.is_spent())
    }

    fn learn_habits(&self) -> BoxFuture<'static, ()> {
        let each = self.members.links.iter().map(|link| link.provider.learn_habits());
        join_all(each).map(drop).boxed()
    }
}

impl Llm for ModelChain {
    fn talk(&self, request: TalkRequest) -> BoxStream<'static, Result<Piece, ProviderError>> {
        Talk::new(self.0.clone(), request).pieces()
    }

    fn judge(&self, request: JudgeRequest) -> BoxFuture<'static, Result<String, ProviderError>> {
        let limit = limit_of(&request);
        let ask = move |interviewer: &dyn Interviewer| match interviewer.model() {
            Some(model) => model.judge(request.clone()),
            None => std::future::ready(Err(no_model())).boxed(),
        };
        self.0.clone().judged(ask, limit).boxed()
    }

    /// Returns the name of the model that answered last.
    fn name(&self) -> Option<String> {
        let last = self.0.links.get(self.0.answered.load(Ordering::Relaxed))?;
        last.provider.model()?.name()
    }

    fn used(&self) -> Option<Usage> {
        let asked = self.0.asked.load(Ordering::Relaxed);
        let asked = self.0.links.iter().enumerate().filter(|(n, _)| asked & (1 << n) != 0);
        let mut sum = Usage::default();
        for (_, link) in asked {
            let Usage { input, cached, output } = link.provider.model()?.used()?;
            sum.input = sum.input.saturating_add(input);
            sum.cached = sum.cached.saturating_add(cached);
            sum.output = sum.output.saturating_add(output);
        }
        (sum != Usage::default()).then_some(sum)
    }

    fn is_spent(&self) -> bool {
        self.0.links.iter().all(|link| link.provider.is_spent())
    }
}

impl Members {
    fn new(links: Vec<Link<dyn Interviewer>>, limits: Limits) -> Self {
        Self {
            links: links.into(),
            silence_limit: limits.llm_silence,
            clock: Clock::start(),
            answered: Arc::default(),
            asked: Arc::default(),
        }
    }

    /// Returns the order of a call. Who has used the tokens of this interview is left out, unless all have.
    fn order(&self) -> Order {
        let is_left = |n: &usize| !self.links[*n].provider.is_spent();
        let mut order = Order::new(&self.links);
        if order.0.iter().any(is_left) {
            order.0.retain(is_left);
        }
        order
    }

    fn note_asked(&self, n: usize) {
        self.asked.fetch_or(1 << n, Ordering::Relaxed);
    }

    /// Asks one after the other for a judgement.
    async fn judged(
        self,
        ask: impl Fn(&dyn Interviewer) -> BoxFuture<'static, Result<String, ProviderError>> + Send,
        limit: Option<Duration>,
    ) -> Result<String, ProviderError> {
        let links = &self.links;
        let mut order = self.order();
        let mut failed: Option<(usize, ProviderError)> = None;
        while let Some((n, mut pass)) = order.next(links) {
            let link = &links[n];
            if let Some((before, why)) = &failed {
                note_failover(&links[*before].gate, &link.gate, why);
            }
            self.note_asked(n);
            let until = limit.filter(|_| order.has_next(links)).map(|it| self.clock.now() + it);
            let judged = limited(self.clock, until, ask(&*link.provider)).await;
            let error = match judged.unwrap_or_else(|| Err(slow_judge(&link.gate.name))) {
                Ok(text) => {
                    pass.worked();
                    self.answered.store(n, Ordering::Relaxed);
                    return Ok(text);
                }
                Err(error) => error,
            };
            // What is wrong with a judgement for good, such as its schema, is no reason not to talk.
            match error.retry {
                Retry::Now | Retry::After(_) => pass.failed(&error),
                Retry::Never => {}
            }
            failed = Some((n, error));
        }
        Err(failed.map_or_else(no_model, |(_, error)| error))
    }
}

/// Whoever waits for a whole document has patience.
fn limit_of(request: &JudgeRequest) -> Option<Duration> {
    (!request.is_long).then_some(JUDGE_LIMIT)
}

fn slow_judge(name: &str) -> ProviderError {
    let limit = JUDGE_LIMIT.as_secs();
    transient_error(format!(
        "the model `{name}` gave no judgement within {limit} s; take a faster one"
    ))
}

fn no_model() -> ProviderError {
    permanent_error("the chain has no model".to_owned())
}

/// What a chain asks of each of its interviewers for a reply.
trait Task: Clone + Send + Sync + 'static {
    fn ask(&self, of: &dyn Interviewer) -> BoxStream<'static, Result<Piece, ProviderError>>;
    fn request(&mut self) -> &mut TalkRequest;
}

impl Task for TalkTask {
    fn ask(&self, of: &dyn Interviewer) -> BoxStream<'static, Result<Piece, ProviderError>> {
        of.talk(self.clone())
    }

    fn request(&mut self) -> &mut TalkRequest {
        &mut self.request
    }
}

impl Task for TalkRequest {
    fn ask(&self, of: &dyn Interviewer) -> BoxStream<'static, Result<Piece, ProviderError>> {
        match of.model() {
            Some(model) => model.talk(self.clone()),
            None => stream::iter([Err(no_model())]).boxed(),
        }
    }

    fn request(&mut self) -> &mut TalkRequest {
        self
    }
}

#[cfg(test)]
mod tests;
