//! The thread that waits for a [`TurnDetector`], one for all interviews of a process.
//!
//! The network takes a tenth of a second of a core, and its answer is worthless when the pause is over. So
//! an interview has one question at a time, its newest, and a question that has waited for too long is
//! dropped.

use std::{
    collections::VecDeque,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use super::{ProviderError, Retry, TurnDetector};
use crate::clock;
use audio::Pcm16;
use interview::time::SessionTime;

/// The most questions of all interviews that may wait; of more the oldest is dropped.
const QUESTIONS_MAX: usize = 64;
/// The age from which a question is dropped: the shortest pauses are over by then.
const LATE: Duration = Duration::from_millis(400);

/// The consumer of answers: the end of the last voice before the pause, and the end-of-turn probability in
/// percent. Never blocks.
pub type TurnOut = Box<dyn Fn(SessionTime, u8) + Send + Sync>;

/// A turn detector and its thread. The thread ends with the last clone of this.
#[derive(Clone)]
pub struct Turns {
    detector: Arc<dyn TurnDetector>,
    queue: Arc<QueueOwner>,
}

/// The owner of the queue. It closes the queue when it is dropped.
struct QueueOwner(Arc<Queue>);

#[derive(Default)]
struct Queue {
    /// The questions that wait, the oldest first.
    questions: Mutex<Questions>,
    changed: Condvar,
}

enum Questions {
    Open(VecDeque<Question>),
    Closed,
}

impl Default for Questions {
    fn default() -> Self {
        Self::Open(VecDeque::new())
    }
}

struct Question {
    last: SessionTime,
    sound: Pcm16,
    asked: Instant,
    /// The consumer of the answer, which also identifies the interview.
    out: Arc<TurnOut>,
}

impl Turns {
    /// Starts the thread.
    pub fn new(detector: Arc<dyn TurnDetector>) -> Result<Self, ProviderError> {
        Self::with_limit(detector, LATE)
    }

    /// Returns the stream of questions of one interview.
    pub fn open(&self, out: TurnOut) -> TurnStream {
        TurnStream { turns: self.clone(), out: Arc::new(out) }
    }

    /// Asks the detector itself and waits for its answer. For lockstep.
    pub fn ended_percent(&self, sound: &Pcm16) -> Option<u8> {
        self.detector.ended_percent(sound)
    }

    fn with_limit(detector: Arc<dyn TurnDetector>, late: Duration) -> Result<Self, ProviderError> {
        let queue = Arc::new(Queue::default());
        let (asked, answers) = (queue.clone(), detector.clone());
        thread::Builder::new()
            .name("turns".to_owned())
            .spawn(move || asked.serve(&*answers, late))
            .map_err(|error| ProviderError {
                what: format!("no thread for the ends of turns could be started: {error}"),
                retry: Retry::After(Duration::from_secs(1)),
            })?;
        Ok(Self { detector, queue: Arc::new(QueueOwner(queue)) })
    }
}

impl Drop for QueueOwner {
    fn drop(&mut self) {
        *self.0.lock() = Questions::Closed;
        self.0.changed.notify_all();
    }
}

/// The questions of one interview to the detector.
pub struct TurnStream {
    turns: Turns,
    out: Arc<TurnOut>,
}

impl TurnStream {
    /// Asks whether the turn has ended with the voice that was last heard at `last`. Replaces an earlier
    /// question of this interview that has no answer yet.
    pub fn ask(&self, last: SessionTime, sound: Pcm16) {
        let question = Question { last, sound, asked: clock::instant(), out: self.out.clone() };
        self.turns.queue.0.put(question);
    }
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Questions> {
        self.questions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, question: Question) {
        if let Questions::Open(questions) = &mut *self.lock() {
            let before = questions.len();
            questions.retain(|other| !other.is_of_same_interview(&question));
            if questions.len() == QUESTIONS_MAX {
                questions.pop_front();
            }
            count("replaced", before - questions.len());
            questions.push_back(question);
        }
        self.changed.notify_one();
    }

    /// Returns the next question; `None` when the queue is closed.
    fn take(&self) -> Option<Question> {
        let mut questions = self.lock();
        loop {
            match &mut *questions {
                Questions::Closed => return None,
                Questions::Open(waiting) => {
                    if let Some(question) = waiting.pop_front() {
                        return Some(question);
                    }
                }
            }
            questions = self.changed.wait(questions).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Whether the same interview has asked another question since.
    fn is_replaced(&self, question: &Question) -> bool {
        match &*self.lock() {
            Questions::Open(questions) => {
                questions.iter().any(|other| other.is_of_same_interview(question))
            }
            Questions::Closed => true,
        }
    }

    fn serve(&self, detector: &dyn TurnDetector, late: Duration) {
        while let Some(question) = self.take() {
            if clock::instant().duration_since(question.asked) >= late {
                count("late", 1);
                continue;
            }
            let percent = detector.ended_percent(&question.sound);
            if self.is_replaced(&question) {
                count("replaced", 1);
            } else if let Some(percent) = percent {
                count("answered", 1);
                (question.out)(question.last, percent);
            }
        }
    }
}

impl Question {
    fn is_of_same_interview(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.out, &other.out)
    }
}

fn count(outcome: &'static str, questions: usize) {
    metrics::counter!("vivavoce_turn_questions_total", "outcome" => outcome)
        .increment(questions as u64);
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

    use super::*;

    /// A detector that reports each question by its first sample and, when it is released, answers with that
    /// sample.
    struct Held {
        asked: SyncSender<i16>,
        let_go: Mutex<Receiver<()>>,
    }

    impl TurnDetector for Held {
        fn ended_percent(&self, sound: &Pcm16) -> Option<u8> {
            let sample = sound.0.first().copied().unwrap_or_default();
            self.asked.send(sample).unwrap();
            self.let_go.lock().unwrap().recv().unwrap();
            u8::try_from(sample).ok()
        }
    }

    struct Bench {
        turns: Turns,
        asked: Receiver<i16>,
        let_go: SyncSender<()>,
        told: Receiver<(SessionTime, u8)>,
        tell: SyncSender<(SessionTime, u8)>,
    }

    fn bench(late: Duration) -> Bench {
        let ((asked_in, asked), (let_go, go)) = (sync_channel(100), sync_channel(100));
        let held = Held { asked: asked_in, let_go: Mutex::new(go) };
        let (tell, told) = sync_channel(100);
        Bench { turns: Turns::with_limit(Arc::new(held), late).unwrap(), asked, let_go, told, tell }
    }

    impl Bench {
        fn open(&self) -> TurnStream {
            let tell = self.tell.clone();
            self.turns.open(Box::new(move |last, percent| tell.send((last, percent)).unwrap()))
        }
    }

    /// Asks about a pause that began at `ms`, to which the answer is `ms`, too.
    fn ask(stream: &TurnStream, ms: u8) {
        stream.ask(SessionTime::from_millis(u64::from(ms)), Pcm16(vec![ms.into()]));
    }

    fn of(ms: u8) -> (SessionTime, u8) {
        (SessionTime::from_millis(u64::from(ms)), ms)
    }

    /// T04: a question of an interview replaces its earlier one, waiting or being answered; those of other
    /// interviews stay.
    #[test]
    fn the_newest_question_is_answered() {
        let bench = bench(Duration::MAX);
        let (ada, bob) = (bench.open(), bench.open());
        ask(&ada, 1);
        assert_eq!(bench.asked.recv(), Ok(1));
        ask(&bob, 2);
        ask(&ada, 3);
        ask(&ada, 4);
        for _ in 0..3 {
            bench.let_go.send(()).unwrap();
        }
        assert_eq!([bench.asked.recv(), bench.asked.recv()], [Ok(2), Ok(4)]);
        assert_eq!([bench.told.recv(), bench.told.recv()], [Ok(of(2)), Ok(of(4))]);
        assert!(bench.told.try_recv().is_err());
    }

    /// T04: a question that has waited for too long is dropped.
    #[test]
    fn late_questions_are_dropped() {
        let bench = bench(Duration::ZERO);
        let stream = bench.open();
        ask(&stream, 1);
        let is_taken = || {
            let questions = bench.turns.queue.0.lock();
            matches!(&*questions, Questions::Open(waiting) if waiting.is_empty())
        };
        while !is_taken() {
            thread::yield_now();
        }
        drop((stream, bench.turns));
        // The thread ends when the queue is closed, and has asked nothing.
        assert!(bench.asked.recv().is_err());
        assert!(bench.told.try_recv().is_err());
    }

    /// T04: the number of questions is limited: the oldest are dropped.
    #[test]
    fn questions_are_bounded() {
        let bench = bench(Duration::MAX);
        let streams: Vec<_> = (0..QUESTIONS_MAX + 3).map(|_| bench.open()).collect();
        ask(&streams[0], 0);
        assert_eq!(bench.asked.recv(), Ok(0));
        for (n, stream) in (0..).zip(&streams).skip(1) {
            ask(stream, n);
        }
        for _ in 0..=QUESTIONS_MAX {
            bench.let_go.send(()).unwrap();
        }
        let told: Vec<_> = (0..=QUESTIONS_MAX).map(|_| bench.told.recv().unwrap().1).collect();
        let expected: Vec<u8> = (0..1).chain(3..QUESTIONS_MAX as u8 + 3).collect();
        assert_eq!(told, expected);
    }

    /// T04: a detector that cannot tell gives no answer; in lockstep the answer is there at once.
    #[test]
    fn nothing_may_be_said() {
        let bench = bench(Duration::MAX);
        let stream = bench.open();
        bench.let_go.send(()).unwrap();
        stream.ask(SessionTime::ZERO, Pcm16(vec![-1]));
        assert_eq!(bench.asked.recv(), Ok(-1));
        bench.let_go.send(()).unwrap();
        assert_eq!(bench.turns.ended_percent(&Pcm16(vec![7])), Some(7));
        assert!(bench.told.try_recv().is_err());
    }
}
