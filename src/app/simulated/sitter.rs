//! Who sits at the far end of an interview with a simulated candidate: speaks their answers, at the pace at
//! which somebody watches.

use std::{sync::Arc, time::Duration};

use super::{
    sound::{Said, frame},
    stop::Stop,
};
use crate::{
    audio::Pcm48,
    clock::Clock,
    interview::{AgentState, Request},
    scripted::Candidate,
    session::{FarEnd, LineEvent},
    time::SessionTime,
};

/// How long a word takes.
const WORD: Duration = Duration::from_millis(330);
/// Whoever is interrupted goes on for so long.
const YIELDS_AFTER: Duration = Duration::from_millis(700);
/// The pace is kept in steps of so much of the interview's time.
const STEP: Duration = Duration::from_millis(200);
/// The id of our request to end.
const STOP_ID: &str = "simulated-stop";

/// Whoever sits there.
pub(super) struct Sitter {
    candidate: Candidate,
    said: Said,
    pace: Option<Pacing>,
    stop: Arc<Stop>,
    state: AgentState,
    /// What was said to them since they spoke last, and whether they have to answer it.
    asked: String,
    is_asked: bool,
    /// What they are about to say, and when.
    answer: Option<(SessionTime, String)>,
    speaks_until: SessionTime,
    has_told_to_end: bool,
}

/// How an interview's time goes by for somebody who watches.
struct Pacing {
    speed: u32,
    clock: Clock,
    /// What the clock read at the last step, and the interview's time then.
    last: (SessionTime, SessionTime),
}

impl Sitter {
    /// A candidate whose words the recogniser finds in `said`; they go on until `stop`.
    pub(super) fn new(
        candidate: Candidate,
        said: Said,
        speed: Option<u32>,
        stop: Arc<Stop>,
    ) -> Self {
        let last = (SessionTime::ZERO, SessionTime::ZERO);
        Self {
            candidate,
            said,
            pace: speed.map(|speed| Pacing { speed, clock: Clock::start(), last }),
            stop,
            state: AgentState::Initializing,
            asked: String::new(),
            is_asked: false,
            answer: None,
            speaks_until: SessionTime::ZERO,
            has_told_to_end: false,
        }
    }

    fn is_speaking(&self, at: SessionTime) -> bool {
        at < self.speaks_until
    }

    fn speak(&mut self, at: SessionTime, words: &str) {
        self.asked.clear();
        let mut over = at;
        for word in words.split_whitespace() {
            over += WORD;
            self.said.add(over, word);
        }
        self.speaks_until = over;
    }
}

impl FarEnd for Sitter {
    fn see(&mut self, at: SessionTime, state: AgentState) {
        if state == self.state {
            return;
        }
        self.state = state;
        match state {
            AgentState::Speaking => {
                // They listen, even if they were just about to say something.
                (self.is_asked, self.answer) = (true, None);
                if self.is_speaking(at) {
                    self.speaks_until = self.speaks_until.min(at + YIELDS_AFTER);
                    self.said.cut(self.speaks_until);
                }
            }
            AgentState::Listening if self.is_asked && !self.is_speaking(at) => {
                self.is_asked = false;
                let answer = self.candidate.answer(&self.asked);
                self.answer = answer.map(|answer| (at + answer.after, answer.words));
            }
            AgentState::Listening | AgentState::Thinking | AgentState::Initializing => {}
        }
    }

    fn send(&mut self, at: SessionTime) -> Vec<LineEvent> {
        let wait = self.pace.as_mut().map_or(Duration::ZERO, |pace| pace.wait(at));
        let mut events = Vec::new();
        if self.stop.wait(wait) && !self.has_told_to_end {
            self.has_told_to_end = true;
            // Nobody watches any more.
            self.pace = None;
            let (id, request) = (STOP_ID.to_owned(), Request::Terminate);
            events.push(LineEvent::Control { id, request, stage: None });
        }
        if let Some((_, words)) = self.answer.take_if(|(when, _)| *when <= at) {
            self.speak(at, &words);
        }
        events.push(LineEvent::Frame(at, frame(self.is_speaking(at))));
        events
    }

    fn hear(&mut self, _at: SessionTime, _sound: Option<&Pcm48>) {}

    fn keeps_sound(&self) -> bool {
        false
    }

    fn read(&mut self, _at: SessionTime, words: &str) {
        self.asked.push_str(words);
    }
}

impl Pacing {
    /// How long to wait before the interview's time is `at`. What was late stays late: a model that takes its
    /// time is nothing to catch up with.
    fn wait(&mut self, at: SessionTime) -> Duration {
        let (read, passed) = self.last;
        if at.since(passed) < STEP {
            return Duration::ZERO;
        }
        let now = self.clock.now();
        let due = read + at.since(passed) / self.speed;
        self.last = (now.max(due), at);
        due.since(now)
    }
}
