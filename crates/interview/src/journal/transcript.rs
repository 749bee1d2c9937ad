//! What was said in an interview, as a projection of its journal.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{Entry, Header, REDACTED};
use crate::{
    interview::{
        Effect, End, Event, Hole, Note, Notice, QuestionId, ReplyId, Status, TurnId, Words, marked,
        understanding::english::is_sensitive,
    },
    time::SessionTime,
};

/// A transcript, as people and programs read it. Written as `transcript.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Transcript {
    /// The format's version.
    pub v: u32,
    /// The interview's id.
    pub interview: String,
    /// Milliseconds since 1970.
    pub started_at: u64,
    /// How far the interview came.
    pub state: State,
    /// How it ended, if it did.
    pub end: Option<End>,
    /// How the candidate is called, where the room told it and the inputs do not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidate: Option<String>,
    /// What was said, in order.
    pub lines: Vec<Line>,
}

/// How far an interview came, as far as the journal knows: whoever holds the lease knows more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// The candidate has not come yet.
    Waiting,
    /// It goes on, or its worker died.
    InProgress,
    /// It has ended.
    Ended,
}

/// Something that was said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// Milliseconds since the session began.
    pub at_ms: u64,
    /// Who said it.
    pub speaker: Speaker,
    /// In whose stage.
    pub stage: String,
    /// The words.
    pub text: String,
    /// Whether it was cut off, or not answered any more.
    pub cut: bool,
    /// Of an answer: how much of its voice has words, in percent; 100 where there was no voice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub covered_percent: Option<u8>,
    /// Of an answer: stretches of voice in which nothing was understood.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holes: Vec<Hole>,
}

impl Line {
    /// Its words, with a mark where nothing was understood.
    pub fn marked(&self) -> String {
        marked(&self.text, &self.holes)
    }
}

/// Who said a [`Line`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = ReportSpeaker))]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// We did.
    Interviewer,
    /// They did.
    Candidate,
}

/// Folds a journal into what was said, without what is nobody's business (case 39).
pub fn transcript(header: &Header, entries: &[Entry]) -> Transcript {
    let mut fold = folded(entries);
    fold.redact();
    fold.transcript(header)
}

/// The same with all words.
pub(crate) fn whole_transcript(header: &Header, entries: &[Entry]) -> Transcript {
    folded(entries).transcript(header)
}

/// Questions and turns that count, in their words.
#[derive(Debug, Default)]
pub(crate) struct Wordings {
    /// What was said up to the end of each question, from the beginning of our reply.
    pub(crate) questions: BTreeMap<QuestionId, String>,
    /// The words of each turn, without what is nobody's business.
    pub(crate) turns: BTreeMap<TurnId, String>,
}

/// The words of questions and turns.
pub(crate) fn wordings(entries: &[Entry]) -> Wordings {
    let mut fold = folded(entries);
    fold.redact();
    let turns = fold.turns.iter().map(|(turn, heard)| (*turn, fold.lines[heard.line].marked()));
    Wordings { turns: turns.collect(), questions: fold.questions }
}

/// What was said, with the turns and replies that its lines are of.
#[derive(Debug, Default)]
pub(crate) struct Conversation {
    /// The lines, without what is nobody's business.
    pub(crate) lines: Vec<Line>,
    /// The committed turns.
    pub(crate) turns: BTreeMap<TurnId, Heard>,
    /// The lines of our replies.
    pub(crate) replies: BTreeMap<ReplyId, usize>,
    /// Turns whose words are left out.
    pub(crate) private: BTreeSet<TurnId>,
}

/// A committed turn.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heard {
    /// Its line.
    pub(crate) line: usize,
    /// Its words as they were recognised, by segment; none of a turn that was typed.
    pub(crate) segments: BTreeMap<u32, Words>,
}

/// What was said, for whoever wants to know of which turn a line is, and when its words were spoken.
pub(crate) fn conversation(entries: &[Entry]) -> Conversation {
    let mut fold = folded(entries);
    fold.redact();
    let (turns, replies) = (fold.turns.clone(), fold.replies.clone());
    let private = fold.private.clone();
    Conversation { turns, replies, private, lines: fold.finish() }
}

fn folded(entries: &[Entry]) -> Fold {
    let mut fold = Fold::default();
    for entry in entries {
        fold.event(entry.at, &entry.event);
        for effect in &entry.effects {
            fold.effect(entry, effect);
        }
    }
    fold
}

#[derive(Default)]
struct Fold {
    lines: Vec<Line>,
    stage: String,
    /// Segments of ours that are known and were not heard to their end.
    ready: BTreeMap<(ReplyId, u16), String>,
    replies: BTreeMap<ReplyId, usize>,
    fillers: BTreeSet<ReplyId>,
    turns: BTreeMap<TurnId, Heard>,
    /// What was said up to the end of each question.
    questions: BTreeMap<QuestionId, String>,
    /// Turns whose words are left out.
    private: BTreeSet<TurnId>,
    uncommitted: Uncommitted,
    /// What the room calls the candidate.
    candidate: Option<String>,
    joined: bool,
    end: Option<End>,
}

/// What the candidate has said and typed since their last committed turn.
#[derive(Default)]
struct Uncommitted {
    /// Their words, by segment.
    open: BTreeMap<u32, Words>,
    /// What they typed.
    typed: Vec<(SessionTime, String)>,
    /// The last segment of a committed turn.
    settled: Option<u32>,
    /// Segments that came late for a turn: they are in its line.
    amended: BTreeSet<u32>,
}

impl Uncommitted {
    fn hear(&mut self, words: &Words) {
        let is_new = self.settled.is_none_or(|settled| words.segment > settled);
        if is_new && !self.amended.contains(&words.segment) {
            self.open.insert(words.segment, words.clone());
        }
    }

    /// A segment is in the line of an earlier turn; what else is open is in no turn yet.
    fn amend(&mut self, segment: u32) {
        self.open.remove(&segment);
        self.amended.insert(segment);
    }

    /// What is open becomes a turn: tells its segments, and when it began.
    fn commit(&mut self, at: SessionTime) -> (BTreeMap<u32, Words>, SessionTime) {
        let began = self.open.values().find(|words| !words.text.is_empty());
        let began = began.map_or(at, |words| words.from);
        self.settled = self.open.keys().last().copied().or(self.settled);
        self.typed.clear();
        let mut segments = std::mem::take(&mut self.open);
        segments.retain(|_, words| !words.text.trim().is_empty());
        (segments, began)
    }

    /// All of it as one text, and when it began; nothing if there are no words.
    fn rest(&self) -> Option<(SessionTime, String)> {
        let spoken = self.open.values().map(|words| (words.from, words.text.trim()));
        let typed = self.typed.iter().map(|(at, text)| (*at, text.as_str()));
        let all = spoken.chain(typed).filter(|(_, text)| !text.is_empty());
        let all: Vec<(SessionTime, &str)> = all.collect();
        let (from, _) = all.first()?;
        Some((*from, all.iter().map(|(_, text)| *text).collect::<Vec<_>>().join(" ")))
    }
}

impl Fold {
    fn event(&mut self, at: SessionTime, event: &Event) {
        match event {
            Event::CandidateNamed { name } => {
                self.candidate.get_or_insert_with(|| name.clone());
            }
            Event::CandidateJoined => self.joined = true,
            Event::PartialTranscript(words) | Event::FinalTranscript(words) => {
                self.uncommitted.hear(words);
            }
            Event::Typed { text, .. } => {
                self.uncommitted.typed.push((at, text.trim().to_owned()));
            }
            Event::SegmentReady { reply, n, text } => {
                self.ready.insert((*reply, *n), text.clone());
            }
            Event::SegmentHeard { reply, n } => {
                if let Some(text) = self.ready.remove(&(*reply, *n)) {
                    self.heard(at, *reply, &text, false);
                }
            }
            Event::ReplyFinished { reply, heard } if !heard.is_empty() => {
                self.heard(at, *reply, heard, true);
            }
            Event::ReplyFinished { .. }
            | Event::Tick
            | Event::CandidateLeft
            | Event::LineCut
            | Event::LineBack
            | Event::Muted
            | Event::Unmuted
            | Event::SpeechStarted { .. }
            | Event::SpeechStopped { .. }
            | Event::PauseWeighed { .. }
            | Event::ReplyStarted { .. }
            | Event::ReplyFailed { .. }
            | Event::Proposed { .. }
            | Event::Judged { .. }
            | Event::JudgeFailed { .. }
            | Event::Understood { .. }
            | Event::Filled { .. }
            | Event::Suggested { .. }
            | Event::Control { .. } => {}
        }
    }

    fn effect(&mut self, entry: &Entry, effect: &Effect) {
        match effect {
            Effect::Publish(Notice::Status(Status { stage, .. })) => self.stage = stage.clone(),
            Effect::Handoff { to, .. } => self.stage = to.clone(),
            Effect::Publish(Notice::Turn { turn, stage, text }) => {
                self.turn(entry, *turn, stage, text)
            }
            Effect::Hangup { end } => self.end = Some(*end),
            // Words that say nothing are no line of it.
            Effect::Fill { reply, .. } => {
                self.fillers.insert(*reply);
            }
            Effect::Note(Note::Coverage { turn, percent, holes }) => {
                if let Some(heard) = self.turns.get(turn) {
                    let line = &mut self.lines[heard.line];
                    (line.covered_percent, line.holes) = (Some(*percent), holes.clone());
                }
            }
            Effect::Note(Note::Asked { question, text, .. }) => {
                let ours = self.lines.iter().rfind(|line| line.speaker == Speaker::Interviewer);
                let said = ours.map_or(text, |line| &line.text).clone();
                self.questions.insert(*question, said);
            }
            Effect::Note(Note::Sensitive { turn }) => {
                self.private.insert(*turn);
            }
            Effect::Note(Note::PassedOver { segment, .. }) => {
                self.uncommitted.open.remove(segment);
            }
            Effect::Speak { .. }
            | Effect::Play { .. }
            | Effect::Seal { .. }
            | Effect::Pause { .. }
            | Effect::Resume { .. }
            | Effect::Judge { .. }
            | Effect::Understand { .. }
            | Effect::Listen { .. }
            | Effect::Note(_)
            | Effect::Hush { .. }
            | Effect::Answer { .. }
            | Effect::Acknowledge { .. } => {}
        }
    }

    fn heard(&mut self, at: SessionTime, reply: ReplyId, text: &str, cut: bool) {
        if self.fillers.contains(&reply) {
            return;
        }
        if let Some(&index) = self.replies.get(&reply) {
            let line = &mut self.lines[index];
            line.text = format!("{} {text}", line.text);
            line.cut = cut;
            return;
        }
        self.replies.insert(reply, self.lines.len());
        self.lines.push(self.line(at, Speaker::Interviewer, text, cut));
    }

    fn turn(&mut self, entry: &Entry, turn: TurnId, stage: &str, text: &str) {
        let mut late = None;
        if let Event::PartialTranscript(words) | Event::FinalTranscript(words) = &entry.event
            && (self.turns.contains_key(&turn) || stage != self.stage)
        {
            self.uncommitted.amend(words.segment);
            late = Some(words);
        }
        if let Some(heard) = self.turns.get_mut(&turn) {
            heard.segments.extend(late.map(|words| (words.segment, words.clone())));
            text.clone_into(&mut self.lines[heard.line].text);
            return;
        }
        let (segments, at) = match late {
            Some(words) => (BTreeMap::from([(words.segment, words.clone())]), words.from),
            None => self.uncommitted.commit(entry.at),
        };
        self.turns.insert(turn, Heard { line: self.lines.len(), segments });
        let line = self.line(at, Speaker::Candidate, text, false);
        let line = Line { stage: stage.to_owned(), covered_percent: Some(100), ..line };
        self.lines.push(line);
    }

    fn line(&self, at: SessionTime, speaker: Speaker, text: &str, cut: bool) -> Line {
        let (stage, text) = (self.stage.clone(), text.to_owned());
        let (covered_percent, holes) = (None, Vec::new());
        Line { at_ms: at.as_millis(), speaker, stage, text, cut, covered_percent, holes }
    }

    fn redact(&mut self) {
        for (_, heard) in self.turns.iter().filter(|(turn, _)| self.private.contains(turn)) {
            let line = &mut self.lines[heard.line];
            (line.text, line.holes) = (REDACTED.to_owned(), Vec::new());
        }
        // Of what is not committed nobody has said yet what it is.
        if let Some((from, text)) = self.uncommitted.rest()
            && is_sensitive(&text)
        {
            self.uncommitted.open.clear();
            self.uncommitted.typed = vec![(from, REDACTED.to_owned())];
        }
    }

    fn transcript(mut self, header: &Header) -> Transcript {
        let state = match (self.end, self.joined) {
            (Some(_), _) => State::Ended,
            (None, true) => State::InProgress,
            (None, false) => State::Waiting,
        };
        Transcript {
            v: super::VERSION,
            interview: header.interview.clone(),
            started_at: header.started_at,
            state,
            end: self.end,
            candidate: self.candidate.take(),
            lines: self.finish(),
        }
    }

    /// Words that nobody answered any more are kept too.
    fn finish(mut self) -> Vec<Line> {
        if let Some((from, text)) = self.uncommitted.rest() {
            let line = self.line(from, Speaker::Candidate, &text, true);
            self.lines.push(line);
        }
        self.lines
    }
}
