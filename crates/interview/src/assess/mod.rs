//! The report of an interview (U05, U06): what was asked, what was said, and what that shows of each
//! criterion, with quotes that were found in the transcript.
//!
//! Code alone reads the journal, checks quotes and computes figures; a model only proposes a level, a reason
//! and quotes for one criterion at a time. See `docs/report.md`.

mod criteria;
mod evidence;
mod facts;
mod figures;
mod levels;
mod model;
pub mod practice;
mod quality;
mod questions;
mod report;
#[cfg(test)]
mod tests;
mod timeline;
mod titles;
mod turns;

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

pub use levels::{GivenLevel, LEVELS};
pub use model::{Reading, prompt_hash};
pub use report::{
    Answered, Assessed, Basis, CandidateQuestion, Correction, Evidence, Facts, Figures, Made,
    Moment, MomentKind, OpenTodo, Overall, Question, QuestionFigures, REPORT_VERSION, ReplyFigures,
    Report, ReportHeader, ReportState, SlowReply, StageStretch, Stretch, Timeline, TurnLatency,
    Verdict,
};

pub use crate::planning::MadeBy;

use crate::{
    blueprint::{Blueprint, Language, Phrase},
    interview::{Note, TurnId},
    journal::{
        Conversation, Entry, Happened, Happening, Header, Inputs, Line, Outcome, Record, Speaker,
        conversation, name, plan_progress, record,
    },
    planning::Request,
};
use criteria::{Ask, Item, Known};
use questions::{Asked, Coverage};
use titles::Titles;
use turns::Turn;

/// What a report is made from: all that code can say of an interview, and what a model is asked.
#[derive(Clone, Debug)]
pub struct Material {
    basis: Basis,
    items: Vec<Item>,
    turns: Vec<Turn>,
    asked: Vec<Asked>,
    transcript: model::Transcript,
    cues: Vec<Cue>,
    /// The turns by their lines in the transcript.
    turns_by_line: BTreeMap<usize, u32>,
}

/// A line of the conversation with its time, for subtitles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cue {
    /// From when, in milliseconds of the interview.
    pub from_ms: u64,
    /// Until when.
    pub to_ms: u64,
    /// Who spoke.
    pub speaker: Speaker,
    /// The words, with marks where nothing was understood.
    pub text: String,
    /// Its place in the transcript.
    pub line: usize,
}

impl Material {
    /// What there is to say of an interview.
    pub fn of(inputs: &Inputs, header: &Header, entries: &[Entry]) -> Self {
        let blueprint = Blueprint::load(&inputs.files).ok();
        let blueprint = blueprint.map(|blueprint| blueprint.for_candidate(&inputs.context));
        let (told, record) = (conversation(entries), record(header, entries, Some(inputs)));
        let titles = Titles::of(blueprint.as_ref(), entries);
        let turns = Turn::all(&told);
        let progress = plan_progress(inputs, entries);
        let coverage =
            Coverage::of(entries, &turns, blueprint.as_ref(), progress.as_ref(), &titles);
        let ours = timeline::our_speech(entries);
        let timeline = timeline::timeline(entries, &told, &ours, &record, &titles);
        let known = Known {
            blueprint: blueprint.as_ref(),
            turns: &turns,
            coverage: &coverage,
            record: &record,
            titles: &titles,
        };
        let items = criteria::items(&inputs.context.focus.criteria, &known);
        let transcript = transcript(inputs, blueprint.as_ref(), &coverage, &told);
        let mut quality = quality::quality(inputs, entries, &told, &record);
        if transcript.is_cut {
            quality.push("The transcript is too long: the model has not read its end.".to_owned());
        }
        let language = blueprint.as_ref().map_or(Language::English, |it| it.language);
        let is_answer = |turn: &Turn| coverage.is_answer(turn);
        let of = report_header(inputs, header, blueprint.as_ref(), &record, timeline.duration_ms);
        let questions = coverage.questions(&inputs.context.candidate_name);
        let basis = Basis {
            header: ReportHeader { quality, ..of },
            figures: Figures {
                questions: figures::questions(&questions),
                replies: figures::replies(&timeline.latency),
            },
            questions,
            facts: facts::facts(&turns, is_answer, &timeline.speech, language),
            todos: todos(&record),
            candidate_questions: candidate_questions(&record, &turns, blueprint.as_ref()),
            corrections: corrections(&record, &told),
            timeline,
        };
        let cues = cues(&told, &ours, &turns);
        let turns_by_line = told.turns.iter().map(|(turn, heard)| (heard.line, turn.0)).collect();
        Self { basis, items, asked: coverage.asked, turns, transcript, cues, turns_by_line }
    }

    /// What code alone says.
    pub fn basis(&self) -> &Basis {
        &self.basis
    }

    /// The conversation with its times.
    pub fn cues(&self) -> &[Cue] {
        &self.cues
    }

    /// The turn that a line of the transcript shows; nothing if it is one of ours.
    pub fn turn_at(&self, line: usize) -> Option<u32> {
        self.turns_by_line.get(&line).copied()
    }

    /// The places of the criteria that a model is asked about.
    pub fn open(&self) -> impl Iterator<Item = usize> {
        let open = self.items.iter().enumerate().filter(|(_, item)| item.ask != Ask::No);
        open.map(|(place, _)| place)
    }

    /// What a model is asked about a criterion; nothing if there is none at this place.
    pub fn request(&self, place: usize) -> Option<Request> {
        Some(model::request(self.items.get(place)?, &self.transcript))
    }

    /// Reads what a model wrote about a criterion and checks its quotes. An error is a sentence for the
    /// model.
    pub fn read(&self, place: usize, json: &str) -> Result<Reading, String> {
        let item = self.items.get(place).ok_or("there is no such criterion")?;
        model::read(json, item, &self.turns, &self.asked)
    }

    /// A criterion about which the model failed.
    pub fn failed(&self, place: usize, why: &str) -> Option<Assessed> {
        let item = self.items.get(place)?;
        let reason = format!("The model failed: {}.", why.trim_end_matches('.'));
        Some(criteria::unjudged(&item.criterion, Verdict::Failed, &reason))
    }

    /// The report with what a model has said of criteria; rules speak for the others.
    pub fn report(&self, made: Made, mut judged: BTreeMap<usize, Assessed>) -> Report {
        let criteria = self.items.iter().enumerate();
        let criteria = criteria
            .map(|(place, item)| judged.remove(&place).unwrap_or_else(|| item.by_rules.clone()));
        let criteria: Vec<Assessed> = criteria.collect();
        let overall = criteria::overall(&criteria, made.by, self.open().next().is_some());
        Report {
            v: REPORT_VERSION,
            state: ReportState::Ready,
            trouble: None,
            made: Some(made),
            overall,
            criteria,
            basis: self.basis.clone(),
        }
    }

    /// The report without a model: facts, questions and quotes, and no level.
    pub fn by_rules(&self, made_at: u64) -> Report {
        let made = Made {
            by: MadeBy::Rules,
            model: None,
            prompt_hash: None,
            tokens_in: None,
            tokens_out: None,
            made_at,
        };
        self.report(made, BTreeMap::new())
    }
}

fn report_header(
    inputs: &Inputs,
    header: &Header,
    blueprint: Option<&Blueprint>,
    record: &Record,
    duration_ms: u64,
) -> ReportHeader {
    let files = serde_json::to_vec(&inputs.files).expect("plain data serializes");
    ReportHeader {
        interview: header.interview.clone(),
        blueprint: inputs.blueprint.clone(),
        title: blueprint.map_or(&inputs.blueprint, |it| &it.title).clone(),
        blueprint_hash: Sha256::digest(files).iter().map(|byte| format!("{byte:02x}")).collect(),
        engine: header.engine,
        started_at: header.started_at,
        ended_at: Some(header.started_at + duration_ms),
        end: record.end.as_ref().map(name),
        outcome: Some(Outcome::of(record.end)),
        quality: Vec::new(),
    }
}

fn transcript(
    inputs: &Inputs,
    blueprint: Option<&Blueprint>,
    coverage: &Coverage,
    told: &Conversation,
) -> model::Transcript {
    let turns = told.turns.iter().map(|(turn, heard)| (heard.line, turn.0));
    let turns: BTreeMap<usize, u32> = turns.collect();
    let lines = told.lines.iter().enumerate();
    let lines: Vec<(Line, Option<u32>)> =
        lines.map(|(place, line)| (line.clone(), turns.get(&place).copied())).collect();
    let context = &inputs.context;
    let role = match context.level.is_empty() {
        true => context.role.clone(),
        false => format!("{} ({})", context.role, context.level),
    };
    model::Transcript::new(&model::Source {
        language: blueprint.map_or(Language::English, |it| it.language).name(),
        role: &role,
        name: &context.candidate_name,
        asked: &coverage.asked,
        lines: &lines,
    })
}

fn todos(record: &Record) -> Vec<OpenTodo> {
    let todos = record.findings.todos.iter();
    todos.map(|todo| OpenTodo { text: todo.text.clone(), priority: name(&todo.priority) }).collect()
}

fn notes(record: &Record) -> impl Iterator<Item = &Note> {
    record.events.iter().filter_map(|Happened { what, .. }| {
        if let Happening::Noted { note } = what { Some(note) } else { None }
    })
}

fn candidate_questions(
    record: &Record,
    turns: &[Turn],
    blueprint: Option<&Blueprint>,
) -> Vec<CandidateQuestion> {
    let passed_on = blueprint.map_or("", |blueprint| blueprint.phrases.say(Phrase::PassOn));
    let asked = notes(record).filter_map(|note| {
        let Note::CandidateAsked { turn, answer } = note else { return None };
        let said = turns.iter().find(|said| said.id == turn.0)?;
        let answered = !answer.is_empty() && answer != passed_on;
        Some(CandidateQuestion { text: said.marked.clone(), answered, turn: turn.0 })
    });
    asked.collect()
}

fn corrections(record: &Record, told: &Conversation) -> Vec<Correction> {
    let is_shown = |turn: &TurnId| !told.private.contains(turn);
    let corrected = notes(record).filter_map(|note| {
        let Note::Corrected { turn, old, new } = note else { return None };
        is_shown(turn).then(|| Correction { turn: turn.0, old: old.clone(), text: new.clone() })
    });
    corrected.collect()
}

/// The lines with their times: of ours from the first sound to the last, of theirs from the first word.
fn cues(
    told: &Conversation,
    ours: &BTreeMap<crate::interview::ReplyId, crate::time::Span>,
    turns: &[Turn],
) -> Vec<Cue> {
    let mut times: BTreeMap<usize, (u64, u64)> = BTreeMap::new();
    for (reply, line) in &told.replies {
        if let Some(span) = ours.get(reply) {
            times.insert(*line, (span.from.as_millis(), span.to.as_millis()));
        }
    }
    for turn in turns {
        let line = told.turns.get(&TurnId(turn.id)).map(|heard| heard.line);
        times.extend(line.map(|line| (line, (turn.began_ms(), turn.ended_ms()))));
    }
    let lines = told.lines.iter().enumerate().map(|(place, line)| {
        let (from_ms, to_ms) = times.get(&place).copied().unwrap_or((line.at_ms, line.at_ms));
        Cue { from_ms, to_ms, speaker: line.speaker, text: line.marked(), line: place }
    });
    let mut cues: Vec<Cue> = lines.collect();
    cues.sort_by_key(|cue| cue.from_ms);
    cues
}
