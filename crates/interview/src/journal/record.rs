//! An interview as one document for other programs: who led which stage, what was decided and why, what was
//! said, and numbers. A projection of its journal. Written as `interview.json`, described in
//! `docs/interview-json.md`.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{
    Entry, Header, Inputs, Line, State, Transcript,
    observe::{Happened, Happening, Observer},
    transcript,
};
use crate::{
    blueprint::Manner,
    interview::{ENGINE, End, Event, Note, Request, Settled, Todo},
    time::SessionTime,
};

/// The version of [`Record`]. A new field leaves it; anything else makes a new one.
pub const RECORD_VERSION: u32 = 1;

/// Its file, beside the journal.
pub const RECORD_FILE: &str = "interview.json";

/// An interview as one document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The format's version.
    pub v: u32,
    /// The interview's id.
    pub interview: String,
    /// The engine that decided.
    pub engine: u32,
    /// Milliseconds since 1970.
    pub started_at: u64,
    /// How far it came.
    pub state: State,
    /// How it ended, if it did.
    pub end: Option<End>,
    /// What it was made from.
    #[serde(flatten)]
    pub source: Source,
    /// The stages that were entered, in order.
    pub stages: Vec<StageRecord>,
    /// What was found out.
    #[serde(flatten)]
    pub findings: Findings,
    /// What was decided, and why: tool calls, handoffs, buttons, the end.
    pub decisions: Vec<Happened>,
    /// Everything that happened.
    pub events: Vec<Happened>,
    /// Numbers.
    pub metrics: Metrics,
}

/// What an interview was made from, where its inputs are at hand.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Source {
    /// The blueprint's name.
    pub blueprint: Option<String>,
    /// How the candidate behaves, if they are simulated; left out for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulated: Option<Manner>,
}

/// What was found out in an interview, and what was not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Findings {
    /// The rubric: what is known, with the candidate's own words for it, and what is not (X02).
    pub fields: BTreeMap<String, Settled>,
    /// What is left for somebody else to find out (X06).
    pub todos: Vec<Todo>,
}

/// One agent's stage.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StageRecord {
    /// The agent.
    pub name: String,
    /// Milliseconds since the session began.
    pub entered_ms: u64,
    /// The same; nothing while it lasts.
    pub left_ms: Option<u64>,
    /// The interview's own time in it: without the time in which candidate or line were gone.
    pub duration_ms: Option<u64>,
    /// The handoff's reason, or how the interview ended.
    pub reason: Option<String>,
    /// Questions that were heard, up to the stage's limit.
    pub questions: u32,
    /// Turns of the candidate that belong to it.
    pub answers: u32,
    /// The deepest answer, 1..=5; 0 where none was assessed.
    pub depth: u8,
    /// All assessments, in order.
    pub depths: Vec<u8>,
    /// The depth that it should have reached, where a limit ended it before.
    #[serde(default)]
    pub depth_missed: Option<u8>,
    /// What was said in it.
    pub transcript: Vec<Line>,
}

/// Numbers of an interview.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Metrics {
    /// From the candidate's coming to the end, of the interview's own time.
    pub duration_ms: u64,
    /// Time in which candidate or line were gone.
    pub stopped_ms: u64,
    /// Numbers of its stages.
    #[serde(flatten)]
    pub stages: StageNumbers,
    /// Numbers of its handoffs.
    #[serde(flatten)]
    pub handoffs: HandoffNumbers,
    /// Replies of ours of which something was heard.
    pub interviewer_turns: u32,
    /// Turns of the candidate.
    pub candidate_turns: u32,
    /// Rungs of the silence ladder.
    pub nudges: u32,
    /// Replies that the candidate's words stopped.
    pub barge_ins: u32,
    /// Replies that could not be made.
    pub replies_failed: u32,
    /// Tool calls that were refused.
    pub tools_refused: u32,
    /// From the candidate's last voice to our first sound, of each turn that has one, in order.
    pub response_ms: Vec<u64>,
}

/// Numbers of the stages of an interview, by their names.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StageNumbers {
    /// Questions.
    pub questions: BTreeMap<String, u32>,
    /// Assessments.
    pub depths: BTreeMap<String, Vec<u8>>,
    /// Own time, of those that were left.
    pub stage_durations_ms: BTreeMap<String, u64>,
}

/// Numbers of the handoffs of an interview.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HandoffNumbers {
    /// Handoffs that the model or the count of questions wanted.
    pub natural_handoffs: u32,
    /// All others.
    pub forced_handoffs: u32,
    /// Handoffs by reason.
    pub handoffs: BTreeMap<String, u32>,
}

/// Folds a journal into the document. The inputs give the blueprint's name and let deadlines and nudges be
/// told.
pub fn record(header: &Header, entries: &[Entry], inputs: Option<&Inputs>) -> Record {
    let fresh = inputs.filter(|_| header.engine == ENGINE).and_then(|it| it.interview().ok());
    let mut observer = Observer::new(fresh);
    let mut own = OwnTime::new();
    let mut fold = Fold::default();
    let mut events = Vec::new();
    for entry in entries {
        own.see(entry);
        for happened in observer.see(entry) {
            fold.take(&happened, &own);
            events.push(happened);
        }
    }
    let findings = Findings::of(&events);
    let Transcript { state, end, lines, .. } = transcript(header, entries);
    let last = entries.last().map_or(SessionTime::ZERO, |entry| entry.at);
    let (stages, metrics) = fold.finish(&own, last, lines);
    Record {
        v: RECORD_VERSION,
        interview: header.interview.clone(),
        engine: header.engine,
        started_at: header.started_at,
        state,
        end,
        source: Source {
            blueprint: inputs.map(|inputs| inputs.blueprint.clone()),
            simulated: inputs.and_then(|inputs| inputs.simulated),
        },
        stages,
        findings,
        decisions: events.iter().filter(|event| is_decision(&event.what)).cloned().collect(),
        events,
        metrics,
    }
}

impl Findings {
    fn of(events: &[Happened]) -> Self {
        let mut found = Self::default();
        for event in events {
            let Happening::Noted { note } = &event.what else { continue };
            if let Note::Field { key, settled } = note {
                found.fields.insert(key.clone(), settled.clone());
            } else if let Note::Todo(todo) = note {
                found.todos.push(todo.clone());
            }
        }
        found
    }
}

/// The document as it is written.
pub fn record_text(record: &Record) -> String {
    serde_json::to_string_pretty(record).expect("plain data serializes") + "\n"
}

fn is_decision(what: &Happening) -> bool {
    match what {
        Happening::ToolInvoked { .. }
        | Happening::Handoff { .. }
        | Happening::Fallback { .. }
        | Happening::Control { .. }
        | Happening::Ended { .. } => true,
        Happening::StageEntered { .. }
        | Happening::StageLeft { .. }
        | Happening::PromptIssued { .. }
        | Happening::Spoken { .. }
        | Happening::QuestionAsked { .. }
        | Happening::UserTurn { .. }
        | Happening::AnswerAssessed { .. }
        | Happening::TimerFired { .. }
        | Happening::BargeIn { .. }
        | Happening::ReplyFailed { .. }
        | Happening::Noted { .. }
        | Happening::Presence { .. } => false,
    }
}

/// The interview's own time: it begins when the candidate comes, and stands still while they or the line are
/// gone.
#[derive(Clone, Debug)]
struct OwnTime {
    /// Why it stands still, if it does.
    stops: BTreeSet<Stop>,
    began: Option<SessionTime>,
    stopped_ms: u64,
    stopped_since: Option<SessionTime>,
}

/// A reason for which the interview's own time stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stop {
    CandidateAway,
    LineCut,
    Paused,
}

impl Stop {
    /// The reason that begins (`true`) or ends with an event.
    fn of(event: &Event) -> Option<(Self, bool)> {
        match event {
            Event::CandidateJoined => Some((Self::CandidateAway, false)),
            Event::CandidateLeft => Some((Self::CandidateAway, true)),
            Event::LineCut => Some((Self::LineCut, true)),
            Event::LineBack => Some((Self::LineCut, false)),
            Event::Tick
            | Event::CandidateNamed { .. }
            | Event::Muted
            | Event::Unmuted
            | Event::SpeechStarted { .. }
            | Event::SpeechStopped { .. }
            | Event::PauseWeighed { .. }
            | Event::PartialTranscript(_)
            | Event::FinalTranscript(_)
            | Event::SegmentReady { .. }
            | Event::ReplyStarted { .. }
            | Event::SegmentHeard { .. }
            | Event::ReplyFinished { .. }
            | Event::ReplyFailed { .. }
            | Event::Proposed { .. }
            | Event::Typed { .. }
            | Event::Filled { .. }
            | Event::Suggested { .. }
            | Event::Judged { .. }
            | Event::JudgeFailed { .. }
            | Event::Understood { .. } => None,
            Event::Control { request, .. } => match request {
                Request::Pause => Some((Self::Paused, true)),
                Request::Resume => Some((Self::Paused, false)),
                Request::End
                | Request::Terminate
                | Request::Abandon
                | Request::Repeat
                | Request::Rephrase
                | Request::MoreTime
                | Request::Skip
                | Request::MutedSpeech
                | Request::Typing
                | Request::Pauses(_) => None,
            },
        }
    }
}

impl OwnTime {
    /// Before the candidate has come.
    fn new() -> Self {
        let stops = BTreeSet::from([Stop::CandidateAway]);
        Self { stops, began: None, stopped_ms: 0, stopped_since: None }
    }

    fn see(&mut self, entry: &Entry) {
        let Some((stop, begins)) = Stop::of(&entry.event) else { return };
        if begins {
            self.stops.insert(stop);
        } else {
            self.stops.remove(&stop);
        }
        if self.stops.is_empty() {
            self.began = self.began.or(Some(entry.at));
            self.stopped_ms = self.stopped(entry.at.as_millis());
            self.stopped_since = None;
        } else if self.began.is_some() {
            self.stopped_since = self.stopped_since.or(Some(entry.at));
        }
    }

    /// All stops until then.
    fn stopped(&self, at_ms: u64) -> u64 {
        let now = self.stopped_since.map_or(0, |since| at_ms.saturating_sub(since.as_millis()));
        self.stopped_ms + now
    }

    fn at(&self, at_ms: u64) -> u64 {
        at_ms.saturating_sub(self.stopped(at_ms))
    }
}

#[derive(Default)]
struct Fold {
    /// With the own time of its entry.
    stages: Vec<(StageRecord, u64)>,
    metrics: Metrics,
    /// Replies of ours that were heard; their ids count up.
    spoke: Option<u32>,
}

impl Fold {
    fn take(&mut self, happened: &Happened, own: &OwnTime) {
        let at_ms = happened.at_ms;
        let metrics = &mut self.metrics;
        match &happened.what {
            Happening::StageEntered { stage } => {
                let stage =
                    StageRecord { name: stage.clone(), entered_ms: at_ms, ..Default::default() };
                self.stages.push((stage, own.at(at_ms)));
            }
            Happening::StageLeft { why, .. } => self.leave(at_ms, own.at(at_ms), why),
            Happening::Spoken { reply, nudge, .. } => {
                metrics.interviewer_turns += u32::from(self.spoke != Some(*reply));
                metrics.nudges += u32::from(*nudge && self.spoke != Some(*reply));
                self.spoke = Some(*reply);
            }
            Happening::QuestionAsked { stage, n } => {
                metrics.stages.questions.insert(stage.clone(), *n);
                self.stage(stage, |stage| stage.questions = *n);
            }
            Happening::UserTurn { stage, amended: false, response_ms, .. } => {
                metrics.candidate_turns += 1;
                metrics.response_ms.extend(response_ms);
                self.stage(stage, |stage| stage.answers += 1);
            }
            Happening::AnswerAssessed { stage, depth } => {
                metrics.stages.depths.entry(stage.clone()).or_default().push(*depth);
                self.stage(stage, |stage| {
                    stage.depth = stage.depth.max(*depth);
                    stage.depths.push(*depth);
                });
            }
            Happening::Noted { note: Note::BelowDepth { stage, wanted, .. } } => {
                self.stage(stage, |stage| stage.depth_missed = Some(*wanted));
            }
            Happening::Handoff { forced, why, .. } => {
                let numbers = &mut metrics.handoffs;
                *numbers.handoffs.entry(why.clone()).or_default() += 1;
                numbers.forced_handoffs += u32::from(*forced);
                numbers.natural_handoffs += u32::from(!forced);
            }
            Happening::ToolInvoked { accepted, .. } => {
                metrics.tools_refused += u32::from(!accepted);
            }
            Happening::BargeIn { .. } => metrics.barge_ins += 1,
            Happening::ReplyFailed { .. } => metrics.replies_failed += 1,
            Happening::UserTurn { amended: true, .. }
            | Happening::PromptIssued { .. }
            | Happening::TimerFired { .. }
            | Happening::Fallback { .. }
            | Happening::Control { .. }
            | Happening::Presence { .. }
            | Happening::Noted { .. }
            | Happening::Ended { .. } => {}
        }
    }

    fn leave(&mut self, at_ms: u64, own_ms: u64, why: &str) {
        let Some((stage, entered)) = self.stages.last_mut() else { return };
        let lasted = own_ms.saturating_sub(*entered);
        stage.left_ms = Some(at_ms);
        stage.duration_ms = Some(lasted);
        stage.reason = Some(why.to_owned());
        self.metrics.stages.stage_durations_ms.insert(stage.name.clone(), lasted);
    }

    /// Does something to the last stage of that name.
    fn stage(&mut self, name: &str, change: impl FnOnce(&mut StageRecord)) {
        if let Some((stage, _)) = self.stages.iter_mut().rev().find(|(it, _)| it.name == name) {
            change(stage);
        }
    }

    fn finish(
        mut self,
        own: &OwnTime,
        last: SessionTime,
        lines: Vec<Line>,
    ) -> (Vec<StageRecord>, Metrics) {
        for line in lines {
            let name = line.stage.clone();
            self.stage(&name, |stage| stage.transcript.push(line));
        }
        let last_ms = last.as_millis();
        self.metrics.stopped_ms = own.stopped(last_ms);
        let began = own.began.map_or(last_ms, SessionTime::as_millis);
        self.metrics.duration_ms = own.at(last_ms).saturating_sub(began);
        (self.stages.into_iter().map(|(stage, _)| stage).collect(), self.metrics)
    }
}
