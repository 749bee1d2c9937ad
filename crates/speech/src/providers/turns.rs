//! Who waits for a [`TurnDetector`]: a thread of its own, for all interviews of a process.
//!
//! A network takes a tenth of a second of a core, and what it says is worth nothing when the pause is over.
//! So an interview has one question at a time, its newest, and a question that has waited for too long is not
//! asked any more.

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

/// Questions of all interviews that may wait; of more the oldest is dropped.
const QUESTIONS_MAX: usize = 64;
/// After so long the shortest pauses are over, and who has waited for longer gets no answer.
const LATE: Duration = Duration::from_millis(400);

/// Takes an answer: the last voice of the pause, and how likely that is the end of the turn, in percent.
/// Never blocks.
pub type TurnOut = Box<dyn Fn(SessionTime, u8) + Send + Sync>;

/// A detector of ends of turns and its thread, which ends with the last of us.
#[derive(Clone)]
pub struct Turns {
    detector: Arc<dyn TurnDetector>,
    desk: Arc<Desk>,
}

/// Closes the queue.
struct Desk(Arc<Queue>);

#[derive(Default)]
struct Queue {
    /// Those that wait, the oldest first.
    questions: Mutex<Questions>,
    news: Condvar,
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
    /// Whose question it is.
    out: Arc<TurnOut>,
}

impl Turns {
    /// Starts the thread.
    pub fn new(detector: Arc<dyn TurnDetector>) -> Result<Self, ProviderError> {
        Self::with_limit(detector, LATE)
    }

    /// For one interview.
    pub fn open(&self, out: TurnOut) -> TurnStream {
        TurnStream { turns: self.clone(), out: Arc::new(out) }
    }

    /// The answer, for lockstep: waits for the detector itself.
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
        Ok(Self { detector, desk: Arc::new(Desk(queue)) })
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        *self.0.lock() = Questions::Closed;
        self.0.news.notify_all();
    }
}

/// One interview's way to the detector.
pub struct TurnStream {
    turns: Turns,
    out: Arc<TurnOut>,
}

impl TurnStream {
    /// Asks whether the turn has ended with the voice that was last heard at `last`; takes the place of what
    /// was asked before and has no answer yet.
    pub fn ask(&self, last: SessionTime, sound: Pcm16) {
        let question = Question { last, sound, asked: clock::instant(), out: self.out.clone() };
        self.turns.desk.0.put(question);
    }
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Questions> {
        self.questions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, question: Question) {
        if let Questions::Open(questions) = &mut *self.lock() {
            let before = questions.len();
            questions.retain(|other| !other.is_of(&question));
            if questions.len() == QUESTIONS_MAX {
                questions.pop_front();
            }
            count("replaced", before - questions.len());
            questions.push_back(question);
        }
        self.news.notify_one();
    }

    /// The next question; nothing when nobody will ask any more.
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
            questions = self.news.wait(questions).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Whether whoever asked has asked something else since.
    fn is_replaced(&self, question: &Question) -> bool {
        match &*self.lock() {
            Questions::Open(questions) => questions.iter().any(|other| other.is_of(question)),
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
    fn is_of(&self, other: &Self) -> bool {
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

    /// A network that says what it is asked, as samples, and answers when it is let: what the first sample
    /// says.
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

    /// Asks about a pause that began at so many ms, with that as the answer.
    fn ask(stream: &TurnStream, ms: u8) {
        stream.ask(SessionTime::from_millis(u64::from(ms)), Pcm16(vec![ms.into()]));
    }

    fn of(ms: u8) -> (SessionTime, u8) {
        (SessionTime::from_millis(u64::from(ms)), ms)
    }

    /// T04: what an interview asks takes the place of what it asked before, waiting or being answered;
    /// another's stays.
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

    /// T04: a question that has waited for too long is not asked.
    #[test]
    fn late_questions_are_dropped() {
        let bench = bench(Duration::ZERO);
        let stream = bench.open();
        ask(&stream, 1);
        let is_taken = || matches!(&*bench.turns.desk.0.lock(), Questions::Open(waiting) if waiting.is_empty());
        while !is_taken() {
            thread::yield_now();
        }
        drop((stream, bench.turns));
        // The thread ends when nobody can ask any more, and has asked nothing.
        assert!(bench.asked.recv().is_err());
        assert!(bench.told.try_recv().is_err());
    }

    /// T04: there are not more questions than can be answered in time: the oldest go.
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

    /// T04: a detector that cannot tell says nothing; in lockstep the answer is there at once.
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
