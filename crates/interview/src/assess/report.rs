//! The report of an interview as a document: what `docs/report.md` describes and
//! `docs/report.schema.json` publishes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{blueprint::Need, journal::Outcome, planning::MadeBy};

/// The version of [`Report`]. A new field leaves it; anything else makes a new one.
pub const REPORT_VERSION: u32 = 1;

/// The report of an interview.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Report {
    /// The format's version, now 1.
    pub v: u32,
    /// How far the report is.
    pub state: ReportState,
    /// Why it is not whole: one sentence that says how to mend it.
    pub trouble: Option<String>,
    /// Who made it; nothing before it is made.
    pub made: Option<Made>,
    /// What each criterion came to, in the order of the rubric; empty before the report is made.
    pub criteria: Vec<Assessed>,
    /// All criteria together.
    pub overall: Overall,
    /// What code alone reads from the journal: the same each time that a report is made.
    #[serde(flatten)]
    pub basis: Basis,
}

/// How far a report is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ReportState {
    /// The interview is not over.
    #[default]
    None,
    /// A model reads the transcript.
    Making,
    /// It is made.
    Ready,
    /// The model has failed; `trouble` says why.
    Failed,
}

/// Who made a report, and from what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = ReportMade))]
pub struct Made {
    /// A model or rules.
    pub by: MadeBy,
    /// The model's name, as its provider knows it.
    pub model: Option<String>,
    /// SHA-256 of the instructions and the JSON schema that the model got.
    pub prompt_hash: Option<String>,
    /// Tokens that the model read, where its provider counts them.
    pub tokens_in: Option<u64>,
    /// Tokens that it wrote.
    pub tokens_out: Option<u64>,
    /// Milliseconds since 1970.
    pub made_at: u64,
}

/// What a criterion came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Assessed {
    /// The criterion.
    pub name: String,
    /// What shows it; may be empty.
    pub about: String,
    /// How much the role needs it.
    pub priority: Need,
    /// Its share of the overall figure, 1..=5.
    pub weight: u8,
    /// From 1 (the answers speak against it) to 5 (fully shown); nothing where nobody can tell.
    pub level: Option<u8>,
    /// Who gave that level, where a person did; nothing where a model did, or nobody.
    #[serde(default)]
    pub given_by: Option<String>,
    /// What the level and the evidence say.
    pub verdict: Verdict,
    /// Why: a sentence or two.
    pub reason: String,
    /// The candidate's own words for it, each of which was found in the transcript.
    pub evidence: Vec<Evidence>,
}

/// What is said of a criterion. Code decides it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = ReportVerdict))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Level 4 or 5.
    Met,
    /// Level 3.
    Partly,
    /// Level 1 or 2.
    NotMet,
    /// It was asked about, and no quote tells enough.
    InsufficientEvidence,
    /// Nobody asked about it: that says nothing about the candidate, and is no zero.
    NotAsked,
    /// No model has judged it: there are quotes or nothing, and no level.
    NoLevel,
    /// The model failed; the reason says how.
    Failed,
}

/// Words of the candidate that were found in the transcript.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Evidence {
    /// A contiguous part of the turn, as the transcript has it.
    pub quote: String,
    /// The turn that it is in.
    pub turn: u32,
    /// When it was said, in milliseconds of the interview and of its recording; from the turn's words and
    /// their share of its time.
    pub start_ms: u64,
    /// When it ended.
    pub end_ms: u64,
    /// How like it is to what the model quoted: 1 is word for word, 0.9 the least.
    pub confidence: f32,
    /// The whole turn as the candidate meant it, where they corrected it afterwards. No model reads it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corrected: Option<String>,
}

impl Report {
    /// The report with the candidate's corrections, by their turns, beside the quotes.
    pub fn with_corrections(mut self, corrections: &BTreeMap<u32, String>) -> Self {
        let of_criteria = self.criteria.iter_mut().flat_map(|criterion| &mut criterion.evidence);
        let of_questions =
            self.basis.questions.iter_mut().flat_map(|question| &mut question.quotes);
        for evidence in of_criteria.chain(of_questions) {
            evidence.corrected = corrections.get(&evidence.turn).cloned();
        }
        self
    }
}

/// All criteria together. Code alone computes it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Overall {
    /// Criteria for which there is evidence.
    pub covered: u32,
    /// All criteria.
    pub of: u32,
    /// The mean level by weight of those that have one, to one digit; nothing where none has.
    pub weighted: Option<f32>,
    /// The same in a sentence.
    pub words: String,
    /// Who gave the levels, or why nobody did: a sentence. Empty before the report is made.
    #[serde(default)]
    pub judged_by: String,
}

/// What code alone reads from the journal.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Basis {
    /// What it is the report of.
    pub header: ReportHeader,
    /// Each question, and what became of it.
    pub questions: Vec<Question>,
    /// Counts. They are no scores.
    pub facts: Facts,
    /// What pages and files say in figures of questions and replies.
    #[serde(default)]
    pub figures: Figures,
    /// What is left for people to find out.
    pub todos: Vec<OpenTodo>,
    /// What the candidate asked.
    pub candidate_questions: Vec<CandidateQuestion>,
    /// What the candidate corrected.
    pub corrections: Vec<Correction>,
    /// Who spoke when, and what happened.
    pub timeline: Timeline,
}

/// What a report is of.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReportHeader {
    /// The interview's id.
    pub interview: String,
    /// The blueprint's name.
    pub blueprint: String,
    /// Its title.
    pub title: String,
    /// SHA-256 of its files as they were frozen at the launch.
    pub blueprint_hash: String,
    /// The engine that led it.
    pub engine: u32,
    /// When it began, in milliseconds since 1970.
    pub started_at: u64,
    /// When its journal ends.
    pub ended_at: Option<u64>,
    /// How it ended; nothing for one that was interrupted.
    pub end: Option<String>,
    /// What it came to; nothing before it is over.
    #[serde(default)]
    pub outcome: Option<Outcome>,
    /// What a reader has to know before they rely on it: a sentence each.
    pub quality: Vec<String>,
}

/// A question and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = ReportQuestion))]
pub struct Question {
    /// Its words.
    pub text: String,
    /// What the same question has in the interviews of others: its words without the candidate's name.
    #[serde(default)]
    pub same: String,
    /// The title of its part.
    pub stage: String,
    /// When it was heard; nothing if it was not.
    pub at_ms: Option<u64>,
    /// Whether it was heard.
    pub asked: bool,
    /// What it got.
    pub answered: Answered,
    /// The answers' own words, from their beginning.
    pub quotes: Vec<Evidence>,
}

/// What a question got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Answered {
    /// No answer: also "I do not know".
    Unanswered,
    /// They left it out, or would rather not say.
    Skipped,
    /// An answer that is partial, vague or about something else, as the model of the interview saw it.
    Partly,
    /// An answer.
    Answered,
}

/// Counts of an interview.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Facts {
    /// Words of the candidate.
    pub words: u32,
    /// The candidate's share of all speech, 0..=1; nothing where nobody spoke.
    pub talk_ratio: Option<f32>,
    /// Sounds such as "um", as far as the recogniser writes them.
    pub fillers: u32,
    /// Spoken words per minute of the candidate's speech; nothing below ten seconds of it.
    pub words_per_minute: Option<u32>,
    /// The longest answer.
    pub longest_answer_ms: u64,
    /// Turns that answer a question.
    pub answers: u32,
    /// From the end of our words to the beginning of theirs, in the middle; nothing where nobody knows.
    pub median_answer_delay_ms: Option<u64>,
}

/// What pages and files say in figures of questions and replies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = ReportFigures))]
pub struct Figures {
    /// Of its questions.
    pub questions: QuestionFigures,
    /// Of our replies to what was spoken.
    pub replies: ReplyFigures,
}

/// What became of questions, in figures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct QuestionFigures {
    /// All questions, those that nobody asked too.
    pub of: u32,
    /// Those that were heard.
    pub asked: u32,
    /// Those of them that have an answer.
    pub answered: u32,
    /// Those of them that were answered in part.
    pub partly: u32,
}

/// How long replies took, in figures, from the candidate's last voice to our first sound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReplyFigures {
    /// Replies to what was spoken.
    pub count: u32,
    /// Half of them took no longer, in milliseconds; 0 where there are none.
    pub half_ms: u64,
    /// What `slow_ms` is.
    pub slow: SlowReply,
    /// How long a slow one took.
    pub slow_ms: u64,
    /// What a bar's full length stands for in a picture; a reply that took longer fills it.
    pub bar_ms: u64,
}

/// Which reply stands for the slow ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SlowReply {
    /// The slowest: there are too few for shares.
    #[default]
    Slowest,
    /// The one that 95 of 100 are no slower than.
    Of100,
}

/// Something that is left for a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct OpenTodo {
    /// Its subject.
    pub text: String,
    /// `high`, `medium` or `low`.
    pub priority: String,
}

/// Something that the candidate asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CandidateQuestion {
    /// Their words.
    pub text: String,
    /// Whether they got an answer, and were not only told that it is passed on.
    pub answered: bool,
    /// The turn that it is in.
    pub turn: u32,
}

/// Something that the candidate corrected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Correction {
    /// The turn in which they did.
    pub turn: u32,
    /// What does not hold.
    pub old: String,
    /// What holds.
    pub text: String,
}

/// Who spoke when, and what happened. Times are milliseconds of the interview.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Timeline {
    /// Its length.
    pub duration_ms: u64,
    /// Stretches of speech, in order.
    pub speech: Vec<Stretch>,
    /// The parts.
    pub stages: Vec<StageStretch>,
    /// What happened.
    pub events: Vec<Moment>,
    /// How long the interviewer took, by turn.
    pub latency: Vec<TurnLatency>,
}

/// A stretch of speech.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Stretch {
    /// Who spoke.
    pub speaker: crate::journal::Speaker,
    /// From when.
    pub from_ms: u64,
    /// Until when.
    pub to_ms: u64,
}

/// A part of the interview.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct StageStretch {
    /// Its title.
    pub title: String,
    /// From when.
    pub from_ms: u64,
    /// Until when.
    pub to_ms: u64,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Moment {
    /// When.
    pub at_ms: u64,
    /// What it was.
    pub kind: MomentKind,
    /// More about it; may be empty.
    pub text: String,
}

/// What can happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum MomentKind {
    /// The candidate's words stopped ours.
    BargeIn,
    /// A reprompt into a silence.
    Nudge,
    /// The next part.
    Handoff,
    /// The candidate paused, or was away.
    Pause,
    /// Our own line was cut.
    LineCut,
    /// A question was wanted again, or in other words.
    Repeat,
    /// A question was left out.
    Skip,
}

/// How long the interviewer took after a turn, from the candidate's last voice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TurnLatency {
    /// The turn.
    pub turn: u32,
    /// To the decision that they had finished.
    pub end_of_turn_ms: Option<u64>,
    /// To the reply's first words.
    pub first_clause_ms: Option<u64>,
    /// To our first sound.
    pub response_ms: u64,
}

impl Report {
    /// A report of an interview that is not over: it says nothing yet.
    pub fn none(interview: &str) -> Self {
        let header = ReportHeader { interview: interview.to_owned(), ..ReportHeader::default() };
        let basis = Basis { header, ..Basis::default() };
        Self::unmade(ReportState::None, basis)
    }

    /// A report that a model is asked for.
    pub fn making(basis: Basis) -> Self {
        Self::unmade(ReportState::Making, basis)
    }

    /// A report that a model has failed to make.
    pub fn failed(basis: Basis, trouble: String) -> Self {
        Self { trouble: Some(trouble), ..Self::unmade(ReportState::Failed, basis) }
    }

    fn unmade(state: ReportState, basis: Basis) -> Self {
        let (made, criteria, overall) = (None, Vec::new(), Overall::default());
        Self { v: REPORT_VERSION, state, trouble: None, made, criteria, overall, basis }
    }
}

impl Verdict {
    /// What a level says.
    pub fn of_level(level: u8) -> Self {
        match level {
            4.. => Self::Met,
            3 => Self::Partly,
            0..=2 => Self::NotMet,
        }
    }
}
