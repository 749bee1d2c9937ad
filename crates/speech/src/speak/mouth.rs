//! The playout queue that session and room share, with the words that belong to its sound.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::sync::mpsc;

use audio::{
    Pcm48,
    limiter::Limiter,
    playout::{Playout, PlayoutEvent, Progress, Refused},
};
use interview::{Event, ReplyId, time::SessionTime};

/// The most facts of the playout that may wait for the session.
const FACTS_MAX: usize = 256;
/// The estimated time to speak a character, while the length of a segment is not known.
const CHARACTER: Duration = Duration::from_millis(65);

/// The playout queue of one interview. The room pulls from it.
#[derive(Clone)]
pub struct Mouth {
    state: Arc<Mutex<State>>,
    facts: mpsc::Sender<Heard>,
}

/// A fact about the interviewer's sound.
#[derive(Clone, Debug, PartialEq)]
pub enum Heard {
    /// A fact for the interview.
    Fact(SessionTime, Event),
    /// More words of a segment were heard.
    Words(Progressed),
    /// A segment was heard to its end, or was cut off.
    Ended(ReplyId, u16),
}

/// The words that were just heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progressed {
    /// The reply of the segment.
    pub reply: ReplyId,
    /// The number of the segment in its reply.
    pub n: u16,
    /// The words that were heard since the last progress.
    pub delta: String,
}

/// The part of a reply that was heard before it was cut off.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// The words that were heard of the segment that was cut off in its middle.
    pub words: String,
}

/// A consumer of what is pulled: a frame, or `None` for silence. Never waits.
pub type Tap = Box<dyn FnMut(SessionTime, Option<&Pcm48>) + Send>;

#[derive(Default)]
struct State {
    playout: Playout,
    limiter: Limiter,
    connected: bool,
    tap: Option<Tap>,
    texts: BTreeMap<(u32, u16), Text>,
    /// A reply that broke off in the middle of a segment, and the words of that segment that were heard.
    broken: Option<(u32, String)>,
}

struct Text {
    words: String,
    /// The number of bytes that were reported as heard.
    reported: usize,
}

impl Mouth {
    /// Returns an empty queue, and the facts about its sound.
    pub fn new() -> (Self, mpsc::Receiver<Heard>) {
        let (facts, heard) = mpsc::channel(FACTS_MAX);
        (Self { state: Arc::default(), facts }, heard)
    }

    /// Returns the next 20 ms, or `None` for silence. Never waits for long, as it is called on the room's
    /// own task.
    pub fn pull(&self, at: SessionTime) -> Option<Pcm48> {
        let mut state = self.lock();
        let connected = state.connected;
        let mut pulled = state.playout.pull(connected);
        if let Some(frame) = &mut pulled.frame {
            state.limiter.limit(frame);
        }
        if let Some(tap) = &mut state.tap {
            tap(at, pulled.frame.as_ref());
        }
        let mut told = Vec::new();
        if let Some(progress) = pulled.progress {
            told.extend(state.progress(progress).map(Heard::Words));
        }
        for event in pulled.events {
            let (fact, ended) = match event {
                PlayoutEvent::ReplyStarted { reply } => {
                    (Event::ReplyStarted { reply: ReplyId(reply) }, None)
                }
                PlayoutEvent::SegmentHeard { reply, n } => {
                    let reply = ReplyId(reply);
                    told.extend(state.remaining_words(reply, n).map(Heard::Words));
                    (Event::SegmentHeard { reply, n }, Some(Heard::Ended(reply, n)))
                }
                PlayoutEvent::ReplyFinished { reply } => {
                    let heard = state.take_broken(reply).unwrap_or_default();
                    (Event::ReplyFinished { reply: ReplyId(reply), heard }, None)
                }
            };
            told.extend(ended);
            told.push(Heard::Fact(at, fact));
        }
        drop(state);
        for heard in told {
            self.send_fact(heard);
        }
        pulled.frame
    }

    /// Sets whether the candidate can hear us. While they cannot, playout stands still at the start of its
    /// segment.
    pub fn connect(&self, connected: bool) {
        let mut state = self.lock();
        state.connected = connected;
        if !connected {
            state.playout.rewind();
        }
    }

    /// Passes all that is pulled from now on to `tap`, too.
    pub fn tap(&self, tap: Tap) {
        self.lock().tap = Some(tap);
    }

    /// Sets the words of a segment whose sound will follow.
    pub fn expect(&self, reply: ReplyId, n: u16, words: &str) {
        let text = Text { words: words.to_owned(), reported: 0 };
        self.lock().texts.insert((reply.0, n), text);
    }

    /// Appends sound of a segment.
    pub fn append(&self, reply: ReplyId, n: u16, sound: &Pcm48) {
        Self::log(self.lock().playout.append(reply.0, n, sound));
    }

    /// Marks the sound of a segment as complete.
    pub fn complete(&self, reply: ReplyId, n: u16) {
        Self::log(self.lock().playout.complete(reply.0, n));
    }

    /// Marks a reply as complete: it has all of its segments.
    pub fn finish(&self, reply: ReplyId) {
        Self::log(self.lock().playout.finish(reply.0));
    }

    /// Ends a reply of which no more can be made: its complete segments are heard, then it is finished.
    pub fn break_off(&self, reply: ReplyId) {
        let mut state = self.lock();
        let Some(cut) = state.playout.break_off(reply.0) else { return };
        state.broken = Some((reply.0, state.words_of(cut)));
        state.texts.remove(&(reply.0, cut.n));
        drop(state);
        self.send_fact(Heard::Ended(reply, cut.n));
    }

    /// Ends a reply before segment `n`.
    pub fn seal(&self, reply: ReplyId, n: u16) {
        let mut state = self.lock();
        let sealed = state.playout.seal(reply.0, n);
        let end = *sealed.as_ref().unwrap_or(&n);
        state.texts.retain(|(id, m), _| *id != reply.0 || *m < end);
        Self::log(sealed.map(|_| ()));
    }

    /// Lets a segment be heard.
    pub fn open(&self, reply: ReplyId, n: u16) {
        Self::log(self.lock().playout.open(reply.0, n));
    }

    /// Lets no more of a reply be heard until it is resumed or cleared.
    pub fn pause(&self, reply: ReplyId) {
        self.lock().playout.pause(reply.0);
    }

    /// Continues a paused reply at the exact sample.
    pub fn resume(&self, reply: ReplyId) {
        self.lock().playout.resume(reply.0);
    }

    /// Stops a reply. Returns what was heard of the segment in whose middle it stopped; `None` if it had
    /// made no sound at all.
    pub fn clear(&self, reply: ReplyId) -> Option<Cut> {
        let mut state = self.lock();
        let cleared = state.playout.clear(reply.0);
        let cut = cleared.cut.map(|progress| (progress.n, state.words_of(progress)));
        let broken = state.take_broken(reply.0);
        state.texts.retain(|(id, _), _| *id != reply.0);
        drop(state);
        if let Some((n, _)) = &cut {
            self.send_fact(Heard::Ended(reply, *n));
        }
        let words = cut.map(|(_, words)| words).or(broken).unwrap_or_default();
        cleared.started.then_some(Cut { words })
    }

    /// Whether a reply is being heard.
    pub fn is_sounding(&self) -> bool {
        self.lock().playout.sounding().is_some()
    }

    /// Drops everything that was to be said.
    pub fn reset(&self) {
        let mut state = self.lock();
        state.playout = Playout::default();
        state.texts.clear();
    }

    fn send_fact(&self, heard: Heard) {
        if self.facts.try_send(heard).is_err() {
            // The interview notices the loss by its own deadlines.
            tracing::error!("dropped a fact of the playout, the session stands still");
        }
    }

    fn log(refused: Result<(), Refused>) {
        if let Err(why) = refused {
            tracing::debug!(%why, "sound was not taken");
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Returns the words that were heard of the segment in whose middle a reply broke off.
    fn take_broken(&mut self, reply: u32) -> Option<String> {
        self.broken.take_if(|(broken, _)| *broken == reply).map(|(_, words)| words)
    }

    /// Returns the words that were heard since the last call.
    fn progress(&mut self, progress: Progress) -> Option<Progressed> {
        let heard = self.words_of(progress).len();
        self.report_up_to(progress.reply, progress.n, heard)
    }

    fn remaining_words(&mut self, reply: ReplyId, n: u16) -> Option<Progressed> {
        let rest = self.report_up_to(reply.0, n, usize::MAX);
        self.texts.remove(&(reply.0, n));
        rest
    }

    fn report_up_to(&mut self, reply: u32, n: u16, heard: usize) -> Option<Progressed> {
        let text = self.texts.get_mut(&(reply, n))?;
        let delta = text.words.get(text.reported..heard.min(text.words.len()))?;
        if delta.is_empty() {
            return None;
        }
        let delta = delta.to_owned();
        text.reported += delta.len();
        Some(Progressed { reply: ReplyId(reply), n, delta })
    }

    /// Returns the whole words of a segment that were heard so far.
    fn words_of(&self, progress: Progress) -> String {
        let Some(text) = self.texts.get(&(progress.reply, progress.n)) else {
            return String::new();
        };
        let words = &text.words;
        let guess = CHARACTER * u32::try_from(words.chars().count()).unwrap_or(u32::MAX);
        let of = progress.of.unwrap_or(guess).as_secs_f64().max(0.001);
        let share = (progress.pulled.as_secs_f64() / of).min(1.0);
        let bytes = words.floor_char_boundary((words.len() as f64 * share) as usize);
        if bytes == words.len() {
            return words.clone();
        }
        let whole = words[..bytes].rfind(' ').unwrap_or(0);
        words[..whole].to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn second() -> Pcm48 {
        Pcm48(vec![1_000; 48_000])
    }

    /// R03: words are reported in step with the sound, each once, and the segment ends with its last word.
    #[test]
    fn words_keep_step_with_the_sound() {
        let (mouth, mut heard) = Mouth::new();
        let reply = ReplyId(1);
        mouth.connect(true);
        mouth.expect(reply, 0, "one two three four");
        mouth.append(reply, 0, &second());
        mouth.complete(reply, 0);
        mouth.finish(reply);
        mouth.open(reply, 0);
        let mut words = String::new();
        for frame in 0..50 {
            assert!(mouth.pull(SessionTime::from_millis(20 * frame)).is_some());
            while let Ok(Heard::Words(progressed)) = heard.try_recv() {
                words += &progressed.delta;
            }
            if frame == 24 {
                assert_eq!(words, "one two", "after half of the sound");
            }
        }
        assert_eq!(words, "one two three four");
    }

    /// A segment that is being heard is heard to its last word, though its reply is sealed before it.
    #[test]
    fn a_seal_cuts_no_word() {
        let (mouth, mut heard) = Mouth::new();
        let reply = ReplyId(1);
        mouth.connect(true);
        for (n, words) in [(0, "one two"), (1, "three four")] {
            mouth.expect(reply, n, words);
            mouth.append(reply, n, &second());
            mouth.complete(reply, n);
            mouth.open(reply, n);
        }
        mouth.pull(SessionTime::ZERO);
        mouth.seal(reply, 0);
        let frames = (1..100).filter(|n| mouth.pull(SessionTime::from_millis(20 * n)).is_some());
        assert_eq!(frames.count(), 49);
        let mut words = String::new();
        while let Ok(told) = heard.try_recv() {
            if let Heard::Words(progressed) = told {
                words += &progressed.delta;
            }
        }
        assert_eq!(words, "one two");
    }

    /// The words reported of a reply that was cut off are those that were heard (invariant 7).
    #[test]
    fn a_cut_tells_what_was_heard() {
        let (mouth, _heard) = Mouth::new();
        let reply = ReplyId(1);
        mouth.connect(true);
        mouth.expect(reply, 0, "one two three four");
        mouth.append(reply, 0, &second());
        mouth.complete(reply, 0);
        assert_eq!(mouth.clear(ReplyId(9)), None, "nothing was heard of a reply that never was");
        mouth.open(reply, 0);
        for frame in 0..25 {
            mouth.pull(SessionTime::from_millis(20 * frame));
        }
        assert_eq!(mouth.clear(reply), Some(Cut { words: "one two".into() }));
        assert_eq!(mouth.pull(SessionTime::from_millis(600)), None);
    }

    /// The same holds when the voice breaks off in the middle of a segment, whether the reply then ends by
    /// itself or is stopped.
    #[test]
    fn a_voice_that_breaks_off_tells_what_was_heard() {
        for is_stopped in [false, true] {
            let (mouth, mut heard) = Mouth::new();
            let reply = ReplyId(1);
            mouth.connect(true);
            mouth.expect(reply, 0, "one two");
            mouth.append(reply, 0, &second());
            mouth.open(reply, 0);
            let pull = |frame: u64| mouth.pull(SessionTime::from_millis(20 * frame));
            (0..20).for_each(|frame| assert!(pull(frame).is_some()));
            mouth.break_off(reply);
            let words = "one".to_owned();
            if is_stopped {
                assert_eq!(mouth.clear(reply), Some(Cut { words }));
                continue;
            }
            assert_eq!(pull(20), None);
            let told = std::iter::from_fn(|| heard.try_recv().ok()).last();
            let finished = Event::ReplyFinished { reply, heard: words };
            assert_eq!(told, Some(Heard::Fact(SessionTime::from_millis(400), finished)));
        }
    }
}
