//! The checks: the rules of the interview, on the journal, the candidate's own truth and the
//! samples of ours that were pulled.

mod button;
mod filler;
mod losses;
mod lost;
mod nobodys;
mod ordered;
mod whole;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    time::Duration,
};

use losses::Lost;
use ordered::Ordered;

use super::{Outcome, Plan, faults::Faults, mouth::Pulled};
use language::Intent;

use crate::{
    interview::{
        AgentState, Brief, CallId, Effect, Epoch, Event, Note, Notice, Reason, ReplyId, Say,
        Settled, Speaker, Task, TurnId,
        understanding::{duplicate::is_duplicate, quote::is_span, words::normal},
    },
    journal::Entry,
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
/// So often a voice without words stops a reply.
const DIPS_MAX: u32 = 3;

/// A rule that is checked. A number is that of the invariant in `docs/rules.md`, as it was first written.
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
    /// H08: no handoff by the model before the stage has the answers that it wants.
    EarlyHandoff,
    /// Case 10: nothing of a prompt is heard.
    Leak,
    /// H06: a model's bridge acknowledges what was said, never in the words of the bridge before.
    Bridge,
    /// 6: two words over us silence us within 300 ms of their transcript. Replies that nobody may interrupt
    /// are the exception.
    Hushed,
    /// T04: a voice over us stops our sound, until it is known whether it has words.
    Paused,
    /// Q02: what is foreseen for the end of a turn is what its end orders.
    Foreseen,
    /// 7: what is told of us was pulled.
    HeardWasPulled,
    /// Case 31: fillers are rare, and no other reply sounds with one.
    Filler,
    /// Cases 25 and 29: what nobody said is no turn.
    NobodySaid,
    /// A stretch of an answer that the recogniser lost is marked as a hole in the record.
    Holes,
    /// Who was not understood is asked to say it again: once per question, and never where there are words.
    SaidAgain,
    /// H05: every turn is kept, in the record too.
    NothingLost,
    /// 8: one question in what is heard of a reply, and nothing after it.
    OneQuestion,
    /// 8: no question counts twice.
    Duplicate,
    /// 9: a field's quote is what the candidate said.
    Quote,
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

/// The checks of one simulated interview: fed with its journal, entry by entry.
#[derive(Debug)]
pub(super) struct Checks {
    faults: Faults,
    violations: Vec<Violation>,
    replies: Replies,
    course: Course,
    told: Told,
    hearing: Hearing,
    presence: Presence,
    voice: Voice,
    silence: Silence,
    /// When the candidate pressed Skip and the interview went on at once.
    skipped_at: Option<SessionTime>,
    at: SessionTime,
    ended: Option<(crate::interview::End, SessionTime)>,
}

/// The interviewer's replies and their sound.
#[derive(Debug, Default)]
struct Replies {
    ordered: BTreeMap<ReplyId, Ordered>,
    live: Option<ReplyId>,
    /// The filler that is not over, and whether it sounds.
    filler: Option<(ReplyId, bool)>,
    /// The number of turns at the last filler.
    filled: Option<usize>,
    /// The reply whose sound is paused.
    standing: Option<ReplyId>,
    /// The words of each reply that the room played.
    heard: BTreeMap<ReplyId, String>,
}

/// The stage, and what ends it.
#[derive(Debug)]
struct Course {
    stages: Vec<String>,
    /// Which of them may be left out.
    may_be_left_out: Vec<bool>,
    /// Which of them ask the same question again.
    asks_again: Vec<bool>,
    stage: usize,
    epoch: Epoch,
    handoffs: BTreeMap<Reason, usize>,
    /// Answers of this stage that count.
    answers: u32,
    answers_min: Vec<u32>,
}

/// What was published and noted.
#[derive(Debug, Default)]
struct Told {
    turns: BTreeMap<TurnId, (String, String)>,
    /// Every version of each turn.
    versions: BTreeMap<TurnId, Vec<String>>,
    questions: Vec<String>,
}

/// The words of the recogniser, and which of them are not the candidate's.
#[derive(Debug, Default)]
struct Hearing {
    /// The last transcript of each segment.
    segments: BTreeMap<u32, String>,
    /// All transcripts, in the order in which they came.
    transcripts: Vec<Transcribed>,
    /// Segments that nobody said.
    nobodys: BTreeSet<u32>,
    /// Segments that are sure to be made up.
    made_up: BTreeSet<u32>,
    /// Segments that say what the interviewer says.
    like_ours: BTreeSet<u32>,
    /// The time up to which a voice over us may be an echo.
    echoes_until: SessionTime,
    /// Words that the recogniser lost.
    lost: Lost,
}

/// Whether candidate and interviewer hear one another.
#[derive(Debug)]
struct Presence {
    apart: BTreeSet<Apart>,
    joined: Option<SessionTime>,
    /// The length of all stops.
    stopped: Duration,
}

/// A reason for which candidate and interviewer do not hear one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Apart {
    Absent,
    LineCut,
    Paused,
}

impl Presence {
    fn is_together(&self) -> bool {
        self.apart.is_empty()
    }

    fn set(&mut self, apart: Apart, holds: bool) {
        if holds {
            self.apart.insert(apart)
        } else {
            self.apart.remove(&apart)
        };
    }
}

/// The candidate's voice.
#[derive(Debug, Default)]
struct Voice {
    is_on: bool,
    began: SessionTime,
    /// When the begin was reported.
    told_at: SessionTime,
    /// The number of voices without a word that have kept a reply from its first sound.
    kept_back: u32,
}

/// The silence while a reply is owed.
#[derive(Debug)]
struct Silence {
    state: AgentState,
    silent: Duration,
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
            violations: Vec::new(),
            replies: Replies::default(),
            course: Course {
                stages: plan.stages.clone(),
                may_be_left_out: plan.may_be_left_out.clone(),
                asks_again: plan.asks_again.clone(),
                stage: 0,
                epoch: Epoch(0),
                handoffs: BTreeMap::new(),
                answers: 0,
                answers_min: plan.answers_min.clone(),
            },
            told: Told::default(),
            hearing: Hearing::default(),
            presence: Presence {
                apart: BTreeSet::from([Apart::Absent]),
                joined: None,
                stopped: Duration::ZERO,
            },
            voice: Voice::default(),
            silence: Silence { state: AgentState::Initializing, silent: Duration::ZERO },
            skipped_at: None,
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
                let text = self.replies.ordered.get(reply).map_or("", |ordered| &ordered.text);
                (*reply, text.split('\n').nth(usize::from(*n)).unwrap_or_default().to_owned())
            }
            Event::Tick
            | Event::CandidateNamed { .. }
            | Event::CandidateJoined
            | Event::CandidateLeft
            | Event::LineCut
            | Event::LineBack
            | Event::SpeechStarted { .. }
            | Event::SpeechStopped { .. }
            | Event::PauseWeighed { .. }
            | Event::Muted
            | Event::Unmuted
            | Event::PartialTranscript(_)
            | Event::FinalTranscript(_)
            | Event::ReplyStarted { .. }
            | Event::ReplyFailed { .. }
            | Event::Proposed { .. }
            | Event::Typed { .. }
            | Event::Filled { .. }
            | Event::Suggested { .. }
            | Event::Judged { .. }
            | Event::JudgeFailed { .. }
            | Event::Understood { .. }
            | Event::Control { .. } => return,
        };
        if !words.is_empty() {
            let heard = self.replies.heard.entry(reply).or_default();
            *heard = format!("{heard} {words}").trim().to_owned();
        }
    }

    fn ready(&mut self, reply: ReplyId, n: u16, text: &str) {
        let Some(ordered) = self.replies.ordered.get_mut(&reply) else { return };
        if n > 0 {
            ordered.text.push('\n');
        }
        ordered.text.push_str(text);
        ordered.words += &(normal(text) + " ");
    }

    /// What the model is told: of ours only what was heard.
    pub(super) fn briefed(&mut self, reply: ReplyId, brief: &Brief) {
        for (speaker, text) in &brief.lines {
            if *speaker == Speaker::Interviewer
                && !self.replies.heard.values().any(|heard| heard == text)
            {
                self.found(
                    Rule::HeardWasPulled,
                    0,
                    format!("the model is told that we said: {text}"),
                );
            }
        }
        if let Some(ordered) = self.replies.ordered.get_mut(&reply) {
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
        let together = self.presence.is_together();
        if self.presence.joined.is_some() && !together {
            (self.presence.stopped, self.silence.silent) =
                (self.presence.stopped + passed, Duration::ZERO);
        }
        if self.silence.state == AgentState::Thinking && together && !self.voice.is_on {
            self.silence.silent += passed;
            if self.silence.silent > SILENCE_MAX && self.faults.can_speak() {
                self.found(Rule::Silence, entry.n, format!("silent for {:?}", self.silence.silent));
                self.silence.silent = Duration::ZERO;
            }
        }
    }

    fn event(&mut self, entry: &Entry) {
        let n = entry.n;
        match &entry.event {
            Event::CandidateJoined => self.presence.set(Apart::Absent, false),
            Event::CandidateLeft => self.presence.set(Apart::Absent, true),
            Event::LineCut => self.presence.set(Apart::LineCut, true),
            Event::LineBack => self.presence.set(Apart::LineCut, false),
            // Of the time before a stop it means nothing any more.
            Event::SpeechStarted { at } => {
                self.voice.is_on = self.presence.is_together();
                (self.voice.began, self.voice.told_at) = (*at, entry.at);
                self.hearing.lost.begin_voice(*at);
                self.voice_over_us(entry);
                self.keeps_back(entry);
            }
            Event::SpeechStopped { at } => {
                self.voice.is_on = false;
                self.hearing.lost.end_voice(*at);
            }
            Event::PartialTranscript(words) | Event::FinalTranscript(words) => {
                self.hearing.segments.insert(words.segment, words.text.trim().to_owned());
                let counts = !self.may_be_nobodys(words, entry.at);
                self.hearing.lost.told(&entry.event, counts);
                if counts && !words.text.is_empty() {
                    self.voice.kept_back = 0;
                }
                self.hearing.transcripts.push(Transcribed {
                    at: entry.at,
                    segment: words.segment,
                    from: words.from,
                    words: if counts { words.text.split_whitespace().count() } else { 0 },
                });
            }
            Event::ReplyFinished { reply, .. } | Event::ReplyFailed { reply, .. } => {
                self.replies.filler.take_if(|(filler, _)| filler == reply);
                self.replies.live = self.replies.live.filter(|live| live != reply);
                if matches!(entry.event, Event::ReplyFinished { .. }) {
                    self.voice.kept_back = 0;
                }
            }
            Event::ReplyStarted { reply } => {
                self.silence.silent = Duration::ZERO;
                self.sounds_beside_filler(n, *reply);
            }
            Event::Proposed { epoch, call, .. } => self.verdict(entry, *epoch, *call),
            Event::Control { id, .. } | Event::Typed { id, .. } | Event::Filled { id, .. } => {
                self.acknowledged(entry, id);
                self.button(entry);
                // What is typed is an answer anew.
                self.silence.silent = Duration::ZERO;
            }
            Event::Suggested { id, .. } => self.acknowledged(entry, id),
            Event::SegmentReady { reply, text, .. } => {
                if let Some(ordered) = self.replies.ordered.get_mut(reply) {
                    ordered.told += &format!(" {text}");
                }
            }
            Event::Tick
            | Event::CandidateNamed { .. }
            | Event::Muted
            | Event::Unmuted
            | Event::PauseWeighed { .. }
            | Event::SegmentHeard { .. }
            | Event::Judged { .. }
            | Event::JudgeFailed { .. }
            | Event::Understood { .. } => {}
        }
        if !self.presence.is_together() {
            self.voice.is_on = false;
        } else {
            self.presence.joined.get_or_insert(entry.at);
        }
    }

    fn voice_over_us(&mut self, entry: &Entry) {
        let Some(live) = self
            .replies
            .live
            .filter(|_| self.voice.is_on && self.silence.state == AgentState::Speaking)
        else {
            return;
        };
        let may_go_on = |ordered: &Ordered| !ordered.interruptible || ordered.dips >= DIPS_MAX;
        let may_be_ours = entry.at <= self.hearing.echoes_until;
        if may_be_ours
            || self.replies.standing == Some(live)
            || self.replies.ordered.get(&live).is_none_or(may_go_on)
        {
            return;
        }
        let stops = |effect: &Effect| {
            matches!(effect,
                Effect::Pause { reply } | Effect::Hush { reply } if *reply == live)
        };
        if !entry.effects.iter().any(stops) {
            self.found(Rule::Paused, entry.n, format!("{live:?} sounds on"));
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
        } else if epoch != self.course.epoch && verdicts[0].is_accepted() {
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
                if let Some(live) = self.replies.live.replace(*reply) {
                    self.found(Rule::OneReply, n, format!("{reply:?} is ordered beside {live:?}"));
                }
                let bridges = matches!(say, Say::Model { task: Task::Bridge(_), .. });
                self.replies.ordered.insert(*reply, Ordered::new(*interruptible, bridges));
            }
            Effect::Fill { reply, .. } => self.fills(n, *reply),
            Effect::Play { reply, .. } => {
                let is_filler = self.replies.filler.is_some_and(|(filler, _)| filler == *reply);
                if self.replies.live != Some(*reply) && !is_filler {
                    self.found(Rule::Gate, n, format!("sound of {reply:?}, which does not live"));
                }
            }
            Effect::Hush { reply } => {
                self.replies.live = self.replies.live.filter(|live| live != reply);
                self.replies.filler.take_if(|(filler, _)| filler == reply);
                self.replies.standing.take_if(|standing| standing == reply);
            }
            Effect::Pause { reply } => self.replies.standing = Some(*reply),
            Effect::Resume { reply } => {
                self.replies.standing.take_if(|standing| standing == reply);
                if let Some(ordered) = self.replies.ordered.get_mut(reply) {
                    ordered.dips += 1;
                }
            }
            Effect::Handoff { .. } => self.handoff(entry, effect),
            Effect::Publish(Notice::Status(status)) => {
                if self.silence.state != status.state {
                    self.silence.silent = Duration::ZERO;
                }
                self.silence.state = status.state;
            }
            Effect::Publish(Notice::Turn { turn, stage, text }) => {
                self.told.turns.insert(*turn, (stage.clone(), text.clone()));
                self.told.versions.entry(*turn).or_default().push(text.clone());
            }
            Effect::Hangup { end } => self.ended = Some((*end, entry.at)),
            Effect::Note(note) => self.note(entry, note),
            Effect::Answer { .. }
            | Effect::Seal { .. }
            | Effect::Judge { .. }
            | Effect::Understand { .. }
            | Effect::Listen { .. }
            | Effect::Acknowledge { .. } => {}
        }
    }

    fn note(&mut self, entry: &Entry, note: &Note) {
        let n = entry.n;
        match note {
            Note::NotCaught => self.asks_again(entry),
            Note::Asked { text, .. } => {
                self.hearing.lost.new_question();
                let asked = self.told.questions.iter().map(String::as_str);
                // What broke off in the middle of its sound is asked again.
                let asks_again = self.course.asks_again.get(self.course.stage) == Some(&true);
                if self.faults.can_speak() && !asks_again && is_duplicate(text, asked) {
                    self.found(Rule::Duplicate, n, format!("asked again: {text}"));
                }
                self.told.questions.push(text.clone());
            }
            Note::Answered { kind, .. } => {
                self.course.answers += u32::from(kind.is_none_or(Intent::counts));
            }
            Note::Field { key, settled: Settled::Captured { quote, turn, .. } } => {
                let said = self.told.versions.get(turn);
                // What was filled in on the screen has no turn.
                let is_filled_in = turn.0 == 0;
                if !is_filled_in
                    && !said.is_some_and(|said| said.iter().any(|text| is_span(quote, text)))
                {
                    let what = format!("{key} has a quote that nobody said: {quote}");
                    self.found(Rule::Quote, n, what);
                }
            }
            Note::Field { settled: Settled::Unknown | Settled::Declined, .. }
            | Note::Coverage { .. }
            | Note::Judged { .. }
            | Note::Todo(_)
            | Note::Corrected { .. }
            | Note::CandidateAsked { .. }
            | Note::Skipped { .. }
            | Note::Sensitive { .. }
            | Note::Distress { .. }
            | Note::Insulted { .. }
            | Note::Suggested { .. }
            | Note::Held
            | Note::WantsToStop
            | Note::OtherLanguage
            | Note::Milestone { .. }
            | Note::Guarded { .. }
            | Note::PassedOver { .. }
            | Note::Summary { .. }
            | Note::BelowDepth { .. }
            | Note::Item(_)
            | Note::Topic(_)
            | Note::Extension { .. }
            | Note::Consent { .. }
            | Note::MaxTurns { .. } => {}
        }
    }

    fn handoff(&mut self, entry: &Entry, effect: &Effect) {
        let Effect::Handoff { from, to, epoch, why } = effect else { return };
        let n = entry.n;
        *self.course.handoffs.entry(*why).or_default() += 1;
        // Who has to close the interview leaves stages out (X04); nobody goes back.
        let next = match why {
            Reason::MaxTurns => {
                self.course.stages.iter().position(|stage| stage == to).unwrap_or(0)
            }
            Reason::CandidateSkipped
            | Reason::RubricSettled
            | Reason::Tool
            | Reason::QuestionLimit
            | Reason::Silence
            | Reason::StageLimit
            | Reason::AgendaDone => self.next_stage(to),
        };
        let names = (self.course.stages.get(self.course.stage), self.course.stages.get(next));
        if names != (Some(from), Some(to))
            || next <= self.course.stage
            || epoch.0 != self.course.epoch.0 + 1
        {
            self.found(Rule::OneHandoff, n, format!("{from} to {to} in {epoch:?}"));
        }
        let wanted = self.course.answers_min.get(self.course.stage).copied().unwrap_or_default();
        if *why == Reason::Tool && self.course.answers < wanted {
            let what = format!("{from} is left with {} of {wanted} answers", self.course.answers);
            self.found(Rule::EarlyHandoff, n, what);
        }
        self.course.answers = 0;
        self.hearing.lost.new_question();
        (self.course.stage, self.course.epoch) = (next, *epoch);
        let Event::ReplyStarted { reply } = &entry.event else {
            return self.found(Rule::OneHandoff, n, "a handoff without a bridge".into());
        };
        let speaks = self.voice.is_on && !self.is_passed_over(entry.at);
        let Some(ordered) = self.replies.ordered.get_mut(reply) else { return };
        ordered.handoffs += 1;
        if ordered.handoffs > 1 {
            self.found(Rule::OneHandoff, n, format!("{reply:?} hands off twice"));
        } else if ordered.interruptible && speaks {
            self.found(Rule::HandoffInTurn, n, "the candidate is speaking".into());
        }
    }

    /// The next stage on the way to `to`: stages before it may be left out if their kind may.
    fn next_stage(&self, to: &str) -> usize {
        let next = self.course.stage + 1;
        let later = self.course.stages.iter().zip(&self.course.may_be_left_out).skip(next);
        let passed = later.take_while(|(stage, may)| *stage != to && **may);
        next + passed.count()
    }

    /// The interview is over.
    pub(super) fn finish(mut self, plan: &Plan, entries: &[Entry], pulled: &[Pulled]) -> Self {
        self.end_in_time(plan);
        self.replays(plan, entries);
        self.hushed(pulled);
        self.bridges(plan);
        self.one_question();
        self.leaks(plan);
        self.nobody_said();
        self.record(entries);
        self
    }

    pub(super) fn outcome(self, journal: Vec<Entry>) -> Outcome {
        Outcome {
            journal,
            end: self.ended.map(|(end, _)| end),
            violations: self.violations,
            turns: self.told.turns.len(),
            handoffs: self.course.handoffs,
        }
    }

    pub(super) fn found(&mut self, rule: Rule, n: u64, what: String) {
        self.violations.push(Violation { rule, n, what });
    }
}
