//! The checks: DESIGN §4 as far as it concerns the core, on the journal, the candidate's own truth and the
//! samples of ours that were pulled.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    time::Duration,
};

use super::{
    Outcome, Plan,
    faults::{Faults, Mind},
    mouth::Pulled,
};
use crate::{
    interview::{
        AgentState, Brief, CallId, Effect, Epoch, Event, Interview, Notice, Reason, ReplyId, Say,
        Speaker, Task, TurnId, Verdict,
    },
    journal::{self, Entry, Header},
    scripted,
    time::SessionTime,
};

/// Past its limit an interview may last so long (T05).
const GRACE: Duration = Duration::from_secs(90);
/// The longest silence of ours (invariant 10).
const SILENCE_MAX: Duration = Duration::from_secs(4);
/// How soon words over us silence us (invariant 6).
const HUSH_MAX: Duration = Duration::from_millis(300);
const BARGE_IN_WORDS: usize = 2;
const EFFECTS_MAX: usize = 64;

/// What is checked. The numbers are those of DESIGN §4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// 2: the journal replays to the same effects.
    Replay,
    /// 3: who is never woken by a deadline does the same in the same order.
    WokenLate,
    /// 4: every interview ends within its cap plus grace, plus stops.
    EndsInTime,
    /// 5: one handoff per epoch, to the next stage, at the first sound of its bridge.
    OneHandoff,
    /// 5: exactly one end, and nothing after it (7).
    OneEnd,
    /// H04: no handoff while the candidate's voice is on, unless nobody may interrupt.
    HandoffInTurn,
    /// H06: a model's bridge acknowledges something that was said.
    Bridge,
    /// 6, in its form of today: two words over us silence us within 300 ms of their transcript. That we pause
    /// on voice alone comes later. Replies that nobody may interrupt are the exception.
    Hushed,
    /// 7: what is told of us was pulled.
    HeardWasPulled,
    /// H05: every turn is kept, in the record too.
    NothingLost,
    /// 10, with a template alone: a reply sounds 4 s after we owed it at the latest.
    Silence,
    /// H01: one reply at a time.
    OneReply,
    /// Only sound of the reply that lives is let out.
    Gate,
    /// H08: every tool call gets one verdict, and a stale one is refused.
    Answered,
    /// R04: every button is acknowledged.
    Acknowledged,
    /// 11: an event has few effects.
    Bounded,
    /// The journal reads back as it was written.
    Reads,
}

/// A rule that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Which.
    pub rule: Rule,
    /// In which entry of the journal; 0 where it concerns the whole.
    pub n: u64,
    /// In one sentence.
    pub what: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}, entry {}: {}", self.rule, self.n, self.what)
    }
}

#[derive(Debug)]
pub(super) struct Checks {
    faults: Faults,
    stages: Vec<String>,
    violations: Vec<Violation>,
    replies: BTreeMap<ReplyId, Ordered>,
    live: Option<ReplyId>,
    /// What was heard of each reply, by the room.
    heard: BTreeMap<ReplyId, String>,
    stage: usize,
    epoch: Epoch,
    handoffs: BTreeMap<Reason, usize>,
    turns: BTreeMap<TurnId, (String, String)>,
    /// The last transcript of each segment, and when and how each came.
    segments: BTreeMap<u32, String>,
    transcripts: Vec<Transcribed>,
    here: bool,
    cut: bool,
    joined: Option<SessionTime>,
    stopped: Duration,
    voiced: bool,
    state: AgentState,
    silent: Duration,
    at: SessionTime,
    ended: Option<(crate::interview::End, SessionTime)>,
}

/// A reply as it was ordered.
#[derive(Debug)]
struct Ordered {
    interruptible: bool,
    bridges: bool,
    handed_off: bool,
    /// Its segments, a line each, as they really were.
    text: String,
    /// The same as the interview was told.
    told: String,
    /// What the model was told that the candidate said last.
    answer: Option<String>,
}

#[derive(Debug)]
struct Transcribed {
    at: SessionTime,
    segment: u32,
    from: SessionTime,
    words: usize,
}

impl Checks {
    pub(super) fn new(plan: &Plan, faults: Faults) -> Self {
        Self {
            faults,
            stages: plan.stages.clone(),
            violations: Vec::new(),
            replies: BTreeMap::new(),
            live: None,
            heard: BTreeMap::new(),
            stage: 0,
            epoch: Epoch(0),
            handoffs: BTreeMap::new(),
            turns: BTreeMap::new(),
            segments: BTreeMap::new(),
            transcripts: Vec::new(),
            here: false,
            cut: false,
            joined: None,
            stopped: Duration::ZERO,
            voiced: false,
            state: AgentState::Initializing,
            silent: Duration::ZERO,
            at: SessionTime::ZERO,
            ended: None,
        }
    }

    /// What really happened, before anybody tampers with it.
    pub(super) fn truth(&mut self, event: &Event) {
        let (reply, words) = match event {
            Event::SegmentReady { reply, n, text } => {
                self.ready(*reply, *n, text);
                return;
            }
            Event::ReplyFinished { reply, heard } => (*reply, heard.clone()),
            Event::SegmentHeard { reply, n } => {
                let text = self.replies.get(reply).map_or("", |ordered| &ordered.text);
                (*reply, text.split('\n').nth(usize::from(*n)).unwrap_or_default().to_owned())
            }
            Event::Tick
            | Event::CandidateJoined
            | Event::CandidateLeft
            | Event::LineCut
            | Event::LineBack
            | Event::SpeechStarted { .. }
            | Event::SpeechStopped { .. }
            | Event::PartialTranscript(_)
            | Event::FinalTranscript(_)
            | Event::ReplyStarted { .. }
            | Event::ReplyFailed { .. }
            | Event::Proposed { .. }
            | Event::Control { .. } => return,
        };
        if !words.is_empty() {
            let heard = self.heard.entry(reply).or_default();
            *heard = format!("{heard} {words}").trim().to_owned();
        }
    }

    fn ready(&mut self, reply: ReplyId, n: u16, text: &str) {
        let Some(ordered) = self.replies.get_mut(&reply) else { return };
        if n > 0 {
            ordered.text.push('\n');
        }
        ordered.text.push_str(text);
    }

    /// What the model is told: of ours only what was heard.
    pub(super) fn briefed(&mut self, reply: ReplyId, brief: &Brief) {
        for (speaker, text) in &brief.lines {
            if *speaker == Speaker::Interviewer && !self.heard.values().any(|heard| heard == text) {
                self.found(
                    Rule::HeardWasPulled,
                    0,
                    format!("the model is told that we said: {text}"),
                );
            }
        }
        if let Some(ordered) = self.replies.get_mut(&reply) {
            ordered.answer = brief.situation.answer.clone();
        }
    }

    /// One entry of the journal.
    pub(super) fn step(&mut self, entry: &Entry) {
        if self.ended.is_some() {
            self.found(Rule::OneEnd, entry.n, "something happens after the end".into());
        }
        self.pass_time(entry);
        self.event(entry);
        if entry.effects.len() > EFFECTS_MAX {
            self.found(Rule::Bounded, entry.n, format!("{} effects", entry.effects.len()));
        }
        for effect in &entry.effects {
            self.effect(entry, effect);
        }
    }

    fn pass_time(&mut self, entry: &Entry) {
        let passed = entry.at.since(self.at);
        self.at = entry.at;
        let together = self.here && !self.cut;
        if self.joined.is_some() && !together {
            self.stopped += passed;
        }
        if self.state == AgentState::Thinking && together && !self.voiced {
            self.silent += passed;
            if self.silent > SILENCE_MAX && self.faults.can_speak() {
                self.found(Rule::Silence, entry.n, format!("silent for {:?}", self.silent));
                self.silent = Duration::ZERO;
            }
        }
    }

    fn event(&mut self, entry: &Entry) {
        let n = entry.n;
        match &entry.event {
            Event::CandidateJoined => self.here = true,
            Event::CandidateLeft => self.here = false,
            Event::LineCut => self.cut = true,
            Event::LineBack => self.cut = false,
            // Of the time before a stop it means nothing any more.
            Event::SpeechStarted { .. } => self.voiced = self.here && !self.cut,
            Event::SpeechStopped { .. } => self.voiced = false,
            Event::PartialTranscript(words) | Event::FinalTranscript(words) => {
                self.segments.insert(words.segment, words.text.trim().to_owned());
                self.transcripts.push(Transcribed {
                    at: entry.at,
                    segment: words.segment,
                    from: words.from,
                    words: words.text.split_whitespace().count(),
                });
            }
            Event::ReplyFinished { reply, .. } | Event::ReplyFailed { reply, .. } => {
                self.live = self.live.filter(|live| live != reply);
            }
            Event::ReplyStarted { .. } => self.silent = Duration::ZERO,
            Event::Proposed { epoch, call, .. } => self.verdict(entry, *epoch, *call),
            Event::Control { id, .. } => {
                let acknowledges = |effect: &&Effect| matches!(effect, Effect::Acknowledge { id: of, .. } if of == id);
                if entry.effects.iter().filter(acknowledges).count() != 1 {
                    self.found(Rule::Acknowledged, n, format!("{id} has no acknowledgement"));
                }
            }
            Event::SegmentReady { reply, text, .. } => {
                if let Some(ordered) = self.replies.get_mut(reply) {
                    ordered.told += &format!(" {text}");
                }
            }
            Event::Tick | Event::SegmentHeard { .. } => {}
        }
        if !self.here || self.cut {
            self.voiced = false;
        } else {
            self.joined.get_or_insert(entry.at);
        }
    }

    fn verdict(&mut self, entry: &Entry, epoch: Epoch, call: CallId) {
        let mut verdicts = Vec::new();
        for effect in &entry.effects {
            if let Effect::Answer { call: answered, verdict } = effect
                && *answered == call
            {
                verdicts.push(verdict);
            }
        }
        if verdicts.len() != 1 {
            self.found(Rule::Answered, entry.n, format!("{} verdicts on {call:?}", verdicts.len()));
        } else if epoch != self.epoch && *verdicts[0] == Verdict::Accepted {
            self.found(Rule::Answered, entry.n, "a stale call was accepted".into());
        }
    }

    fn effect(&mut self, entry: &Entry, effect: &Effect) {
        let n = entry.n;
        if self.ended.is_some() {
            self.found(Rule::OneEnd, n, format!("after the end: {effect:?}"));
        }
        match effect {
            Effect::Speak { reply, say, interruptible, .. } => {
                if let Some(live) = self.live.replace(*reply) {
                    self.found(Rule::OneReply, n, format!("{reply:?} is ordered beside {live:?}"));
                }
                let bridges = matches!(say, Say::Model(Task::Bridge(_)));
                let ordered = Ordered {
                    interruptible: *interruptible,
                    bridges,
                    handed_off: false,
                    text: String::new(),
                    told: String::new(),
                    answer: None,
                };
                self.replies.insert(*reply, ordered);
            }
            Effect::Play { reply, .. } => {
                if self.live != Some(*reply) {
                    self.found(Rule::Gate, n, format!("sound of {reply:?}, which does not live"));
                }
            }
            Effect::Hush { reply } => self.live = self.live.filter(|live| live != reply),
            Effect::Handoff { .. } => self.handoff(entry, effect),
            Effect::Publish(Notice::Status(status)) => {
                if self.state != status.state {
                    self.silent = Duration::ZERO;
                }
                self.state = status.state;
            }
            Effect::Publish(Notice::Turn { turn, stage, text }) => {
                self.turns.insert(*turn, (stage.clone(), text.clone()));
            }
            Effect::Hangup { end } => self.ended = Some((*end, entry.at)),
            Effect::Answer { .. } | Effect::Acknowledge { .. } => {}
        }
    }

    fn handoff(&mut self, entry: &Entry, effect: &Effect) {
        let Effect::Handoff { from, to, epoch, why } = effect else { return };
        let n = entry.n;
        *self.handoffs.entry(*why).or_default() += 1;
        let names = (self.stages.get(self.stage), self.stages.get(self.stage + 1));
        if names != (Some(from), Some(to)) || epoch.0 != self.epoch.0 + 1 {
            self.found(Rule::OneHandoff, n, format!("{from} to {to} in {epoch:?}"));
        }
        (self.stage, self.epoch) = (self.stage + 1, *epoch);
        let Event::ReplyStarted { reply } = &entry.event else {
            return self.found(Rule::OneHandoff, n, "a handoff without a bridge".into());
        };
        let Some(ordered) = self.replies.get_mut(reply) else { return };
        if std::mem::replace(&mut ordered.handed_off, true) {
            self.found(Rule::OneHandoff, n, format!("{reply:?} hands off twice"));
        } else if ordered.interruptible && self.voiced {
            self.found(Rule::HandoffInTurn, n, "the candidate is speaking".into());
        }
    }

    /// The interview is over.
    pub(super) fn finish(mut self, plan: &Plan, entries: &[Entry], pulled: &[Pulled]) -> Self {
        self.end_in_time(plan);
        self.replays(plan, entries);
        self.hushed(pulled);
        self.bridges();
        self.record(entries);
        self
    }

    pub(super) fn outcome(self, journal: Vec<Entry>) -> Outcome {
        Outcome {
            journal,
            end: self.ended.map(|(end, _)| end),
            violations: self.violations,
            turns: self.turns.len(),
            handoffs: self.handoffs,
        }
    }

    fn end_in_time(&mut self, plan: &Plan) {
        let Some((_, at)) = self.ended else {
            return self.found(Rule::OneEnd, 0, "the interview never ends".into());
        };
        let late = Interview::sound_late_max();
        let cap = match self.joined {
            Some(joined) => joined + plan.interview_limit + GRACE + self.stopped + late,
            None => SessionTime::from_millis(600_000) + late,
        };
        if at > cap {
            self.found(Rule::EndsInTime, 0, format!("it ends at {at}, not by {cap}"));
        }
        if self.handoffs.values().sum::<usize>() >= self.stages.len() {
            self.found(Rule::OneHandoff, 0, "as many handoffs as stages".into());
        }
    }

    fn replays(&mut self, plan: &Plan, entries: &[Entry]) {
        if let Err(difference) = journal::replay(plan.fresh.clone(), entries) {
            let n = difference.n;
            let what = format!("written {:?}, today {:?}", difference.written, difference.today);
            self.found(Rule::Replay, n, what);
        }
        let mut asleep = plan.fresh.clone();
        let mut done = Vec::new();
        let mut last = (SessionTime::ZERO, SessionTime::ZERO);
        for entry in entries {
            last = (entry.at, entry.heard);
            if entry.event != Event::Tick {
                done.extend(asleep.handle(entry.at, entry.heard, entry.event.clone()));
            }
        }
        done.extend(asleep.handle(last.0, last.1, Event::Tick));
        let mut wanted =
            entries.iter().flat_map(|entry| entry.effects.iter().map(|e| (entry.n, e)));
        let mut done = done.iter();
        loop {
            match (wanted.next(), done.next()) {
                (None, None) => return,
                (Some((_, wanted)), Some(done)) if wanted == done => {}
                (wanted, done) => {
                    let n = wanted.map_or(0, |(n, _)| n);
                    return self.found(
                        Rule::WokenLate,
                        n,
                        format!("awake {wanted:?}, asleep {done:?}"),
                    );
                }
            }
        }
    }

    /// Speech that began when a reply of ours already sounded, and its words.
    fn hushed(&mut self, pulled: &[Pulled]) {
        let mut spans: BTreeMap<ReplyId, (SessionTime, SessionTime)> = BTreeMap::new();
        for span in pulled {
            let whole = spans.entry(span.reply).or_insert((span.from, span.to));
            whole.1 = whole.1.max(span.to);
        }
        for (reply, (first, last)) in spans {
            if !self.replies.get(&reply).is_some_and(|ordered| ordered.interruptible) {
                continue;
            }
            let from = self.transcripts.partition_point(|told| told.at < first);
            let mut words: BTreeMap<u32, usize> = BTreeMap::new();
            for told in &self.transcripts[from..] {
                if told.at > last {
                    break;
                }
                if told.from < first {
                    continue;
                }
                words.insert(told.segment, told.words);
                if words.values().sum::<usize>() >= BARGE_IN_WORDS && last > told.at + HUSH_MAX {
                    let what =
                        format!("{reply:?} sounds until {last}, two words over it at {}", told.at);
                    self.found(Rule::Hushed, 0, what);
                    break;
                }
            }
        }
    }

    /// Of the models that mean well: the others may bridge as they like.
    fn bridges(&mut self) {
        match self.faults.mind {
            Mind::Good | Mind::Stale | Mind::NoTools => {}
            Mind::AllTools
            | Mind::Loops
            | Mind::UnknownTools
            | Mind::Mute
            | Mind::Slow
            | Mind::Fails => return,
        }
        let mut empty = Vec::new();
        for (reply, ordered) in &self.replies {
            let Some(answer) = &ordered.answer else { continue };
            let said: BTreeSet<String> = scripted::content_words(&ordered.told).collect();
            let mut wanted = scripted::content_words(answer).peekable();
            let was_said = wanted.peek().is_none() || wanted.any(|word| said.contains(&word));
            if ordered.bridges && ordered.handed_off && !was_said {
                empty.push(format!("{reply:?} says {:?} after {answer:?}", ordered.told));
            }
        }
        for what in empty {
            self.found(Rule::Bridge, 0, what);
        }
    }

    /// The transcript has all that was said, and nothing that was not.
    fn record(&mut self, entries: &[Entry]) {
        let header = Header {
            v: journal::VERSION,
            engine: crate::interview::ENGINE,
            interview: "simulated".into(),
            started_at: 0,
            inputs: String::new(),
        };
        let transcript = journal::transcript(&header, entries);
        let mut theirs = String::new();
        for line in &transcript.lines {
            match line.speaker {
                journal::Speaker::Candidate => theirs += &format!(" {} ", line.text),
                journal::Speaker::Interviewer => {
                    if !self.heard.values().any(|heard| *heard == line.text) {
                        let what = format!("the record says that we said: {}", line.text);
                        self.found(Rule::HeardWasPulled, 0, what);
                    }
                }
            }
        }
        let lost = self.segments.iter().find(|(_, text)| {
            // A single word over us is no turn (case 23).
            let is_turn = self.turns.values().any(|(_, turn)| turn.contains(text.as_str()));
            let is_kept = is_turn && theirs.contains(text.as_str());
            text.split_whitespace().count() >= BARGE_IN_WORDS && !is_kept
        });
        if let Some((segment, text)) = lost {
            let what = format!("segment {segment} is nowhere in the record: {text}");
            self.found(Rule::NothingLost, 0, what);
        }
        if entries.len().is_multiple_of(32) {
            let written: String = entries.iter().map(journal::line).collect();
            let read = journal::parse(&(journal::line(&header) + &written));
            if read.as_ref().map(|(_, read)| read.as_slice()) != Ok(entries) {
                self.found(Rule::Reads, 0, format!("{:?}", read.err()));
            }
        }
    }

    fn found(&mut self, rule: Rule, n: u64, what: String) {
        self.violations.push(Violation { rule, n, what });
    }
}
