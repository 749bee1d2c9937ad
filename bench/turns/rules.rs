//! When a turn is taken for finished: a silence of always the same length, or the product's own rule, by its
//! words.

use std::{fs, time::Duration};

use anyhow::{Context as _, anyhow, ensure};
use vivavoce::{
    audio::Pcm16,
    blueprint::Context,
    interview::{AgentState, Effect, Event, Interview, Notice, Timer, Words},
    journal::Inputs,
    providers::{PAUSE, TURN_MAX, turns::Turns},
    time::SessionTime,
};

use super::{
    ear::{Fact, Step},
    score::End,
    sound::Take,
};

/// What is asked before each answer: an open question, the first one of the blueprint.
const BLUEPRINT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/agents/two-stage");
const ASKED: [&str; 3] = [
    "Hello Ada, I am Alba, an AI.",
    "Let us start with you.",
    "Please tell me about yourself: what do you do today?",
];
/// An answer is looked at from so long before it until so long before the next.
const BEFORE_MS: u64 = 1_000;
/// The recogniser of the trial finds words that a detector's edges have cut.
const EDGE_MS: u64 = 100;

/// What hears ends of turns, and the sound that the candidate makes.
#[derive(Clone, Copy)]
pub(crate) struct Sound<'a> {
    pub(crate) turns: &'a Turns,
    pub(crate) of: &'a [i16],
}

/// A turn is heard with so much before its first voice, as in a session.
const LEAD: Duration = Duration::from_millis(500);

/// Ends of turns by a silence of `wait`, as an interview would tell them that knows no words.
pub(crate) fn fixed(steps: &[Step], wait: Duration) -> Vec<End> {
    let mut ends = Vec::new();
    let mut quiet: Option<SessionTime> = None;
    for step in steps {
        // What is due fires before the fact is taken, as in `Interview::handle`.
        if let Some(stopped) = quiet.take_if(|stopped| step.heard >= *stopped + wait) {
            let (stopped, told) = (stopped.as_millis(), step.now.as_millis());
            ends.push(End { stopped, told, wait: wait.as_millis() as u64 });
        }
        match step.fact {
            Fact::Started { .. } => quiet = None,
            Fact::Stopped { at } => quiet = Some(at),
            Fact::Tick => {}
        }
    }
    ends
}

/// An interview that has just asked its first question.
pub(crate) fn asked() -> anyhow::Result<Interview> {
    let mut files = Vec::new();
    for entry in fs::read_dir(BLUEPRINT).context("the blueprint is not there")? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        files.push((name, fs::read_to_string(path)?));
    }
    let context = Context { candidate_name: "Ada".into(), ..Context::default() };
    let inputs = Inputs::new("two-stage", files, context);
    let mut interview = inputs.interview().map_err(|problems| anyhow!("{problems:?}"))?;
    let mut now = SessionTime::ZERO;
    let mut tell = |event: Event| {
        now += Duration::from_millis(100);
        interview.handle(now, now, event)
    };
    let reply = tell(Event::CandidateJoined).iter().find_map(|effect| match effect {
        Effect::Speak { reply, .. } => Some(*reply),
        _ => None,
    });
    let reply = reply.context("the interview does not begin to speak")?;
    for (n, text) in (0..).zip(ASKED) {
        let effects = tell(Event::SegmentReady { reply, n, text: text.into() });
        ensure!(effects.contains(&Effect::Play { reply, n }), "not let out: {text}");
    }
    tell(Event::ReplyStarted { reply });
    for n in 0..ASKED.len() as u16 {
        tell(Event::SegmentHeard { reply, n });
    }
    let effects = tell(Event::ReplyFinished { reply, heard: String::new() });
    let listens = |effect: &Effect| matches!(effect, Effect::Publish(Notice::Status(status)) if status.state == AgentState::Listening);
    ensure!(effects.iter().any(listens), "the interview does not listen: {effects:?}");
    Ok(interview)
}

/// Ends of turns as the interview tells them, which was `asked` something before each answer and hears the
/// words that were said, without a delay and as far as the detector found them. What is said of the `sound`
/// is there with the end of a voice.
pub(crate) fn adaptive(
    steps: &[Step],
    take: &Take,
    asked: &Interview,
    sound: Option<Sound<'_>>,
) -> Vec<End> {
    let begins: Vec<u64> =
        take.answers.iter().flat_map(|answer| answer.first()).map(|s| s.start).collect();
    let mut ends = Vec::new();
    for (n, begin) in begins.iter().enumerate() {
        let until = begins.get(n + 1).map_or(u64::MAX, |next| next - BEFORE_MS);
        let from = begin.saturating_sub(BEFORE_MS);
        let mut answer = Answering::new(asked, take, sound, from);
        steps.iter().for_each(|step| answer.step(step, until));
        ends.extend(answer.ends);
    }
    ends
}

/// One answer to the interview.
struct Answering<'a> {
    take: &'a Take,
    sound: Option<Sound<'a>>,
    interview: Interview,
    /// Where the answer's time begins in the recording, and in the interview.
    from: SessionTime,
    zero: SessionTime,
    /// The segment that is being said, and its number.
    segment: Option<SessionTime>,
    segments: u32,
    /// Words before this one were told.
    word: usize,
    stopped: SessionTime,
    ends: Vec<End>,
}

impl<'a> Answering<'a> {
    fn new(asked: &Interview, take: &'a Take, sound: Option<Sound<'a>>, from_ms: u64) -> Self {
        // Some time after all that has happened in it.
        let zero = SessionTime::from_millis(2_000);
        Self {
            take,
            sound,
            interview: asked.clone(),
            from: SessionTime::from_millis(from_ms),
            zero,
            segment: None,
            segments: 0,
            word: take.words.partition_point(|(at, _)| *at < from_ms),
            stopped: zero,
            ends: Vec::new(),
        }
    }

    fn step(&mut self, step: &Step, until_ms: u64) {
        if step.now < self.from {
            // Speech that is on when the answer's time begins was told in it.
            match step.fact {
                Fact::Started { at } => self.segment = Some(at),
                Fact::Stopped { .. } => self.segment = None,
                Fact::Tick => {}
            }
            return;
        }
        if step.now.as_millis() > until_ms {
            return;
        }
        if let Some(at) = self.segment
            && self.segments == 0
        {
            self.begin(step, at);
        }
        match step.fact {
            Fact::Tick => self.tell(step, Event::Tick),
            Fact::Started { at } => self.begin(step, at),
            Fact::Stopped { at } => {
                self.stopped = at;
                self.tell(step, Event::SpeechStopped { at: self.own(at) });
                if let Some(weighed) = self.weigh(at) {
                    self.tell(step, weighed);
                }
                if let Some(from) = self.segment.take() {
                    let words = self.words(from, at);
                    self.tell(step, Event::FinalTranscript(words));
                }
            }
        }
    }

    /// What the sound of the turn says, which may have ended at `last`.
    fn weigh(&self, last: SessionTime) -> Option<Event> {
        let Sound { turns, of } = self.sound?;
        let since = self.interview.weighs_since()?.since(self.zero);
        let sample = |at: Duration| (at.as_millis() as usize * 16).min(of.len());
        let to = last.since(SessionTime::ZERO) + PAUSE;
        let from = self.from.since(SessionTime::ZERO) + since;
        let from = from.saturating_sub(LEAD).max(to.saturating_sub(TURN_MAX));
        let ended_percent = turns.ended_percent(&Pcm16(of[sample(from)..sample(to)].to_vec()))?;
        Some(Event::PauseWeighed { stopped: self.own(last), ended_percent })
    }

    fn begin(&mut self, step: &Step, at: SessionTime) {
        self.segment = Some(at);
        self.segments += 1;
        self.tell(step, Event::SpeechStarted { at: self.own(at) });
    }

    /// The words of a segment that no segment had before.
    fn words(&mut self, from: SessionTime, to: SessionTime) -> Words {
        let (first, last) = (from.as_millis().saturating_sub(EDGE_MS), to.as_millis() + EDGE_MS);
        let left = &self.take.words[self.word..];
        let begin = left.partition_point(|(at, _)| *at < first);
        let end = left.partition_point(|(at, _)| *at <= last);
        let said: Vec<&str> = left[begin.min(end)..end].iter().map(|(_, w)| w.as_str()).collect();
        self.word += end;
        let (from, to) = (self.own(from), self.own(to));
        Words {
            segment: self.segments,
            from,
            to,
            text: said.join(" "),
            confidence: Some(1.0),
            ends_turn: None,
            spans: Vec::new(),
        }
    }

    fn tell(&mut self, step: &Step, event: Event) {
        let deadline = self.interview.deadline();
        let effects = self.interview.handle(self.own(step.now), self.own(step.heard), event);
        let speaks = effects.iter().any(|effect| matches!(effect, Effect::Speak { .. }));
        let Some((due, Timer::Endpointing)) = deadline.filter(|_| speaks) else { return };
        // A final transcript that comes late makes it due at once.
        let due = due.min(self.own(step.now));
        let wait = due.since(self.own(self.stopped)).as_millis() as u64;
        let (stopped, told) = (self.stopped.as_millis(), step.now.as_millis());
        self.ends.push(End { stopped, told, wait });
    }

    /// A time of the recording, as the interview knows it.
    fn own(&self, at: SessionTime) -> SessionTime {
        self.zero + at.since(self.from)
    }
}
