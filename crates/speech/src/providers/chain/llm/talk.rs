//! One reply of a chain of interviewers.

use std::{
    collections::VecDeque,
    future::{pending, poll_fn},
    mem,
    sync::atomic::Ordering,
    task::Poll,
    time::Duration,
};

use futures_util::{
    StreamExt,
    stream::{self, BoxStream},
};

use super::{
    super::{
        Order, Pass, limited, lock, note_failover,
        words::{Overlap, WholeWords},
    },
    Members, Task, no_model,
};
use crate::providers::{Message, Piece, ProviderError, http::transient_error};
use interview::time::SessionTime;

/// A provider that has failed lately gets a rival after this time at the latest.
const TRIAL_ALONE: Duration = Duration::from_millis(500);

/// What a model is told that goes on with a reply.
const GOING_ON: &str = "\n\nYour last line is the beginning of a reply that was cut off. It was \
heard as it stands. Go on with its next word, as if nothing had happened: repeat nothing of it and \
do not begin again.";

/// A reply of a chain, as far as it is made.
pub(super) struct Talk<T> {
    members: Members,
    task: T,
    order: Order,
    phase: Phase,
    /// The words on their way, and those that were passed on.
    words: WholeWords,
    said: String,
    /// Takes off what whoever goes on says again.
    overlap: Option<Overlap>,
    calls: Calls,
    ready: VecDeque<Piece>,
    /// Who failed last, until another one has taken over.
    failed: Option<(usize, ProviderError)>,
}

enum Phase {
    /// Nobody speaks.
    Seeking,
    /// Somebody speaks.
    Going(Runner),
    Over,
}

/// The tool calls of a reply. Only one interviewer makes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Calls {
    None,
    /// Whoever speaks has called.
    Made,
    /// Somebody called who failed after it.
    MadeBefore,
}

/// An interviewer that was asked for the reply.
struct Runner {
    n: usize,
    pass: Pass,
    pieces: BoxStream<'static, Result<Piece, ProviderError>>,
    asked: SessionTime,
    /// Its pieces up to its first words.
    early: Vec<Piece>,
}

/// What came of a wait for first words.
enum Raced {
    /// This runner has begun.
    Began(usize),
    Failed(usize, ProviderError),
    /// The only runner is late.
    Late,
}

impl<T: Task> Talk<T> {
    pub(super) fn new(members: Members, task: T) -> Self {
        let order = members.order();
        Self {
            members,
            task,
            order,
            phase: Phase::Seeking,
            words: WholeWords::default(),
            said: String::new(),
            overlap: None,
            calls: Calls::None,
            ready: VecDeque::new(),
            failed: None,
        }
    }

    pub(super) fn pieces(self) -> BoxStream<'static, Result<Piece, ProviderError>> {
        stream::unfold(self, Self::next).boxed()
    }

    async fn next(mut self) -> Option<(Result<Piece, ProviderError>, Self)> {
        loop {
            if let Some(piece) = self.ready.pop_front() {
                return Some((Ok(piece), self));
            }
            match mem::replace(&mut self.phase, Phase::Over) {
                Phase::Over => return None,
                Phase::Seeking => match self.seek().await {
                    Ok(runner) => self.begin(runner),
                    Err(error) => return Some((Err(error), self)),
                },
                Phase::Going(runner) => self.go_on(runner).await,
            }
        }
    }

    /// Asks until somebody speaks.
    async fn seek(&mut self) -> Result<Runner, ProviderError> {
        let mut runners: Vec<Runner> = Vec::new();
        let mut has_rival = false;
        loop {
            if runners.is_empty() {
                let Some(next) = self.order.next(&self.members.links) else {
                    return Err(self.failed.take().map_or_else(no_model, |(_, error)| error));
                };
                runners.push(self.ask(next));
            }
            match self.race(&mut runners, !has_rival).await {
                Raced::Began(n) => return Ok(self.choose(runners, n)),
                Raced::Failed(n, error) => {
                    let mut runner = runners.remove(n);
                    runner.pass.failed(&error);
                    self.failed = Some((runner.n, error));
                    if let Some(other) = runners.first() {
                        self.note_taken_over(other.n);
                    }
                }
                Raced::Late => {
                    has_rival = true;
                    let rival = self.order.next_admitted(&self.members.links);
                    runners.extend(rival.map(|rival| self.ask(rival)));
                }
            }
        }
    }

    fn ask(&mut self, (n, pass): (usize, Pass)) -> Runner {
        let task = if self.said.is_empty() { self.task.clone() } else { self.rest_of_task() };
        let pieces = task.ask(&*self.members.links[n].provider).fuse().boxed();
        self.members.note_asked(n);
        self.note_taken_over(n);
        Runner { n, pass, pieces, asked: self.members.clock.now(), early: Vec::new() }
    }

    /// Returns the task to go on with what was said.
    fn rest_of_task(&self) -> T {
        let mut task = self.task.clone();
        let request = task.request();
        request.system.push_str(GOING_ON);
        request.messages.push(Message::Assistant(self.said.trim_end().to_owned()));
        if self.calls != Calls::None {
            request.tools.clear();
        }
        task
    }

    fn note_taken_over(&mut self, n: usize) {
        if let Some((before, why)) = self.failed.take() {
            let links = &self.members.links;
            note_failover(&links[before].gate, &links[n].gate, &why);
        }
    }

    /// Waits for the first words of a runner.
    async fn race(&mut self, runners: &mut [Runner], may_have_rival: bool) -> Raced {
        let Members { links, clock, silence_limit, .. } = &self.members;
        let has_next = self.order.has_next(links);
        let silent = |runner: &Runner| runner.asked + *silence_limit;
        let silent = runners.iter().map(silent).min();
        let silent = silent.filter(|_| has_next || runners.len() > 1);
        let late = match runners {
            [runner] if may_have_rival && has_next => {
                self.alone(runner).map(|alone| runner.asked + alone)
            }
            _ => None,
        };
        let deadline = silent.into_iter().chain(late).min();
        let began = limited(*clock, deadline, first_words(runners)).await;
        match began {
            Some(raced) => raced,
            None if late == deadline => Raced::Late,
            None => {
                let slowest = (0..runners.len()).min_by_key(|n| runners[*n].asked).unwrap_or(0);
                Raced::Failed(slowest, self.silent(runners[slowest].n))
            }
        }
    }

    /// How long a runner is waited for before it gets a rival.
    fn alone(&self, runner: &Runner) -> Option<Duration> {
        let usual = lock(&self.members.links[runner.n].gate.first_words).p95();
        let trial = runner.pass.is_trial().then_some(TRIAL_ALONE);
        usual.into_iter().chain(trial).min()
    }

    /// Takes the runner that spoke first; the other one is dropped.
    fn choose(&self, mut runners: Vec<Runner>, n: usize) -> Runner {
        let mut runner = runners.remove(n);
        for mut other in runners {
            if other.asked < runner.asked {
                other.pass.outrun();
            }
        }
        runner.pass.worked();
        let Members { links, clock, answered, .. } = &self.members;
        lock(&links[runner.n].gate.first_words).took(clock.now().since(runner.asked));
        answered.store(runner.n, Ordering::Relaxed);
        runner
    }

    fn begin(&mut self, mut runner: Runner) {
        self.overlap = (!self.said.is_empty()).then(|| Overlap::new(&self.said));
        for piece in mem::take(&mut runner.early) {
            self.take(piece);
        }
        self.phase = Phase::Going(runner);
    }

    /// Takes the next piece of whoever speaks.
    async fn go_on(&mut self, mut runner: Runner) {
        let Members { links, clock, silence_limit, .. } = &self.members;
        let until = self.order.has_next(links).then(|| clock.now() + *silence_limit);
        let piece = limited(*clock, until, runner.pieces.next()).await;
        match piece {
            Some(Some(Ok(piece))) => {
                self.take(piece);
                self.phase = Phase::Going(runner);
            }
            Some(Some(Err(error))) => self.break_off(runner, error),
            Some(None) => self.flush(),
            None => {
                let error = self.silent(runner.n);
                self.break_off(runner, error);
            }
        }
    }

    fn take(&mut self, piece: Piece) {
        match piece {
            Piece::Text(text) => {
                let words = self.words.push(&text);
                self.pass_on(&words);
            }
            Piece::Call(call) => {
                if self.calls == Calls::MadeBefore {
                    return;
                }
                self.flush();
                self.calls = Calls::Made;
                self.ready.push_back(Piece::Call(call));
            }
            Piece::Usage(usage) => self.ready.push_back(Piece::Usage(usage)),
        }
    }

    fn pass_on(&mut self, words: &str) {
        if words.is_empty() {
            return;
        }
        let new = match &mut self.overlap {
            None => words.to_owned(),
            Some(overlap) => match overlap.push(words) {
                None => return,
                Some(new) => {
                    self.overlap = None;
                    new
                }
            },
        };
        self.say(new);
    }

    /// Passes on the words that were held back.
    fn flush(&mut self) {
        let words = self.words.take();
        self.pass_on(&words);
        if let Some(overlap) = self.overlap.take() {
            self.say(overlap.finish());
        }
    }

    fn say(&mut self, words: String) {
        if !words.is_empty() {
            self.said.push_str(&words);
            self.ready.push_back(Piece::Text(words));
        }
    }

    /// Handles that whoever spoke has failed: the next one goes on.
    fn break_off(&mut self, mut runner: Runner, error: ProviderError) {
        runner.pass.failed(&error);
        // Half of a word is not worth keeping: it is said again as a whole.
        self.words.take();
        self.overlap = None;
        match (self.calls, self.said.is_empty()) {
            // Its calls are a whole step: the model is asked for its words when it knows what became of them.
            (Calls::Made | Calls::MadeBefore, true) => return,
            (Calls::Made | Calls::MadeBefore, false) => self.calls = Calls::MadeBefore,
            (Calls::None, _) => {}
        }
        if !self.said.is_empty() {
            // Whoever is no model does not know what was said.
            let links = &self.members.links;
            self.order.0.retain(|n| links[*n].provider.model().is_some());
        }
        self.failed = Some((runner.n, error));
        self.phase = Phase::Seeking;
    }

    fn silent(&self, n: usize) -> ProviderError {
        let Members { links, silence_limit, .. } = &self.members;
        let (name, limit) = (&links[n].gate.name, silence_limit.as_secs_f32());
        transient_error(format!(
            "the model `{name}` said nothing for {limit} s; take a faster one, or raise \
                speech.llm_silence_limit"
        ))
    }
}

/// Waits until a runner says something or fails.
async fn first_words(runners: &mut [Runner]) -> Raced {
    loop {
        let (n, piece) = next_piece(runners).await;
        match piece {
            Some(Ok(piece)) => {
                let has_begun = match &piece {
                    Piece::Text(text) => !text.trim().is_empty(),
                    Piece::Call(_) => true,
                    Piece::Usage(_) => false,
                };
                runners[n].early.push(piece);
                if has_begun {
                    return Raced::Began(n);
                }
            }
            Some(Err(error)) => return Raced::Failed(n, error),
            None => {
                let name = &runners[n].pass.gate.name;
                let what = format!("the model `{name}` answered with nothing; try another model");
                return Raced::Failed(n, transient_error(what));
            }
        }
    }
}

/// Waits for the next piece of any runner, or the end of one.
async fn next_piece(runners: &mut [Runner]) -> (usize, Option<Result<Piece, ProviderError>>) {
    if runners.is_empty() {
        return pending().await;
    }
    poll_fn(|context| {
        for (n, runner) in runners.iter_mut().enumerate() {
            if let Poll::Ready(piece) = runner.pieces.poll_next_unpin(context) {
                return Poll::Ready((n, piece));
            }
        }
        Poll::Pending
    })
    .await
}
