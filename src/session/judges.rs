//! The judges of an interview: each looks at one answer beside everything else.

use std::sync::Arc;

use tokio::{
    sync::mpsc,
    task::{AbortHandle, JoinSet},
    time::timeout,
};

use crate::{
    clock::Clock,
    interview::{Case, Event, TurnId},
    judge,
    providers::interviewer::Interviewer,
    time::SessionTime,
};

/// Answers that are judged at a time.
const JUDGES_MAX: usize = 4;

/// Those who are at it; they end with it.
pub(super) struct Judges {
    llm: Arc<dyn Interviewer>,
    /// Where they tell what they find.
    out: mpsc::Sender<(SessionTime, Event)>,
    clock: Clock,
    running: JoinSet<()>,
    /// Whose answer is being looked at since last.
    latest: Option<(TurnId, AbortHandle)>,
}

impl Judges {
    pub(super) fn new(
        llm: Arc<dyn Interviewer>,
        out: mpsc::Sender<(SessionTime, Event)>,
        clock: Clock,
    ) -> Self {
        Self { llm, out, clock, running: JoinSet::new(), latest: None }
    }

    /// Lets a judge look at an answer; one that looks at less of the same turn stops.
    pub(super) fn look_at(&mut self, turn: TurnId, attempt: u32, case: Case) {
        if let Some((_, handle)) = self.latest.take().filter(|(latest, _)| *latest == turn) {
            handle.abort();
        }
        while self.running.try_join_next().is_some() {}
        if self.running.len() >= JUDGES_MAX {
            metrics::counter!("vivavoce_judgements_dropped_total").increment(1);
            return;
        }
        let (llm, out, clock) = (self.llm.clone(), self.out.clone(), self.clock);
        let handle = self.running.spawn(async move {
            let judged = timeout(judge::LIMIT, judge::judge(&*llm, &case)).await;
            let judged = judged.unwrap_or_else(|_| Err("the judge took too long".to_owned()));
            // A session that is over wants no facts.
            let _ = out.send((clock.now(), judge::judged_event(turn, attempt, judged))).await;
        });
        self.latest = Some((turn, handle));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use futures_util::{
        FutureExt,
        future::{self, BoxFuture},
        stream::{self, BoxStream, StreamExt},
    };

    use super::*;
    use crate::providers::{JudgeRequest, Llm, Piece, ProviderError, TalkRequest};

    /// Never ends with an answer that asks for it; keeps a token of each call that lives.
    #[derive(Default)]
    struct Model(Mutex<Vec<std::sync::Weak<()>>>);

    impl Llm for Model {
        fn talk(&self, _: TalkRequest) -> BoxStream<'static, Result<Piece, ProviderError>> {
            stream::empty().boxed()
        }

        fn judge(&self, asked: JudgeRequest) -> BoxFuture<'static, Result<String, ProviderError>> {
            if !asked.user.contains("for ever") {
                let found = r#"{"depth":3,"answer_kind":"full"}"#.to_owned();
                return future::ready(Ok(found)).boxed();
            }
            let alive = Arc::new(());
            self.0.lock().unwrap().push(Arc::downgrade(&alive));
            let never = future::pending::<Result<String, ProviderError>>();
            never
                .map(move |ended| {
                    drop(alive);
                    ended
                })
                .boxed()
        }
    }

    fn case(answer: &str) -> Case {
        let (question, answer) = ("What do you do?".to_owned(), answer.to_owned());
        Case { question, answer, ..Case::default() }
    }

    /// A06: a judge is found for each answer of a long interview, and who looks at less of a turn stops.
    #[tokio::test]
    async fn every_answer_finds_a_judge() {
        let model = Arc::new(Model::default());
        let (out, mut facts) = mpsc::channel(8);
        let mut judges = Judges::new(model.clone(), out, Clock::start());
        for turn in (1..=20).map(TurnId) {
            judges.look_at(turn, 0, case("I lead a team"));
            let (_, event) = facts.recv().await.expect("a judge has looked at it");
            assert!(matches!(event, Event::Judged { turn: of, .. } if of == turn), "{event:?}");
        }
        let asked = || model.0.lock().unwrap().len();
        let alive = || model.0.lock().unwrap().iter().filter(|w| w.strong_count() > 0).count();
        for attempt in 0..20 {
            judges.look_at(TurnId(21), attempt, case("it goes on for ever"));
            while asked() <= attempt as usize || alive() > 1 {
                tokio::task::yield_now().await;
            }
            assert_eq!(alive(), 1, "attempt {attempt}");
        }
    }
}
