//! The form of an opening: what a recruiter fills in, what may be wrong with it, and how long its
//! interviews take.

use std::{collections::BTreeMap, time::Duration};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    launch::{self, JOB_DESCRIPTION_MAX_CHARS, ROLE_MAX_CHARS, line, problem, text},
    problem::FieldProblem,
    subjects::{forbidden, refused, subject_of, subject_of_order},
};
use crate::{
    blueprint::{
        Agent, AskedPart, Blueprint, Context, Criterion, Kind, Known, LEVELS, Need, OwnQuestion,
        Tailoring,
    },
    planning::known,
};

const QUESTIONS_MAX: usize = 10;
const CRITERIA_MAX: usize = 12;
const KNOWN_MAX: usize = 30;
const FOLLOW_UPS_MAX: u32 = 3;
const TEXT_MAX_CHARS: usize = 400;
const ANSWER_MAX_CHARS: usize = 2_000;
const LENGTH_MAX_MIN: u32 = 120;
const LENGTH_MIN_MIN: u32 = 5;
const LINK_DAYS_MAX: u32 = 90;
const ATTEMPTS_MAX: u32 = 5;
const RETENTION_DAYS_MAX: u32 = 3_650;
/// What an answer and the question before it take, at least and at most.
const ROUND_FROM_S: u64 = 40;
const ROUND_TO_S: u64 = 90;

/// A role to fill, as a recruiter describes it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub(super) struct OpeningForm {
    /// What recruiters call it.
    pub(super) title: String,
    /// The role that candidates apply for.
    pub(super) role: String,
    /// entry, mid, senior, lead or staff.
    pub(super) level: String,
    /// Text of the job description; may be empty.
    pub(super) job_description: String,
    /// The name of a blueprint, as `/api/blueprints` lists them.
    pub(super) blueprint: String,
    /// Questions of their own, in order.
    questions: Vec<OwnQuestionForm>,
    /// What they want to know of each candidate.
    pub(super) criteria: Vec<CriterionForm>,
    /// What candidates who ask may be told.
    knowledge: Vec<KnownAnswer>,
    /// The longest that the interview may take; nothing: as the blueprint says.
    length_min: Option<u32>,
    /// What candidates are told and promised.
    #[serde(flatten)]
    pub(super) terms: Terms,
    /// Fields that nobody knows.
    #[serde(flatten)]
    #[schema(ignore)]
    pub(super) unknown: BTreeMap<String, serde_json::Value>,
}

/// What the candidates of an opening are told and promised.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = OpeningTerms)]
pub(super) struct Terms {
    /// Whether candidates are asked to be recorded.
    pub(super) recording: bool,
    /// How many days a link works.
    pub(super) link_days: u32,
    /// How many attempts a candidate has, 1 to 5.
    #[serde(default = "one")]
    pub(super) attempts: u32,
    /// How many days after its end an interview is removed; nothing: it is kept.
    pub(super) retention_days: Option<u32>,
    /// Whom candidates can ask, such as a name and an address; may be empty.
    pub(super) contact: String,
    /// What happens after the interview, as candidates read it when it is over; may be empty.
    pub(super) next: String,
    /// Whether the candidate gets something back, as in a practice interview.
    pub(super) feedback: bool,
    /// Who reads the report beside recruiters.
    pub(super) candidate_report: ReportFor,
    /// Whether it is noted that a candidate leaves the page's tab, comes back, or pastes into a typed answer.
    pub(super) integrity: Integrity,
}

/// Whether facts are noted while an interview goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Integrity {
    /// Nothing is.
    #[default]
    Off,
    /// Leaving the tab, coming back, pasting into a typed answer.
    Facts,
}

/// Who reads a report beside recruiters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum ReportFor {
    /// Nobody.
    #[default]
    Nobody,
    /// The candidate: facts, and their own words.
    Candidate,
    /// The candidate, with levels and reasons.
    CandidateWithLevels,
}

/// A question of a recruiter's own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
struct OwnQuestionForm {
    /// Its words.
    text: String,
    /// Whether it is asked in these words.
    wording: Wording,
    /// How often the model may ask on, 0 to 3.
    follow_ups: u32,
    /// Why a question about age, family, health and the like is asked all the same; empty for others.
    #[serde(skip_serializing_if = "String::is_empty")]
    reason: String,
}

/// Whether a question is asked in its words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Wording {
    /// Word for word.
    #[default]
    Verbatim,
    /// As it fits the conversation.
    Guide,
}

/// Something that a recruiter wants to know of each candidate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct CriterionForm {
    /// A few words.
    name: String,
    /// What shows it.
    about: String,
    /// How much the role needs it.
    priority: NeedView,
    /// Its share of the overall figure, 1 to 5.
    weight: u8,
}

/// How much a role needs something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = CriterionPriority)]
enum NeedView {
    /// Nobody can do the job without it.
    Must,
    /// It matters.
    #[default]
    Should,
    /// It is welcome.
    Nice,
}

/// A question of candidates, and what they may be told.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
struct KnownAnswer {
    question: String,
    answer: String,
}

/// How long an interview takes.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(super) struct Estimate {
    /// Its stages, in order.
    stages: Vec<StageEstimate>,
    /// With short answers.
    minutes_from: u64,
    /// With long ones.
    minutes_to: u64,
    /// When it ends, whatever is missing.
    length_limit_min: u64,
    /// Why this does not fit, and how to mend it.
    pub(super) over_booked: Option<String>,
    /// What it asks, part by part: the blueprint's questions, and the recruiter's own.
    asked: Vec<AskedPartView>,
}

/// A part of an interview and its questions.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = AskedPart)]
struct AskedPartView {
    title: String,
    /// In order; a model may ask them in other words.
    questions: Vec<String>,
    /// How many are asked at most, follow-ups among them.
    questions_max: u32,
    /// Whether they are the recruiter's own.
    own: bool,
}

/// How long a stage takes.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
struct StageEstimate {
    title: String,
    /// With long answers.
    minutes: u64,
}

impl OpeningForm {
    /// Lines without what stands around them; what is wrong with them is added to the problems.
    pub(super) fn trimmed(self, problems: &mut Vec<FieldProblem>) -> Self {
        let title = line(problems, "title", "a title", &self.title, ROLE_MAX_CHARS);
        let role = line(problems, "role", "the role", &self.role, ROLE_MAX_CHARS);
        if !LEVELS.contains(&self.level.as_str()) {
            problem(
                problems,
                "level",
                "Choose a level: entry, mid, senior, lead or staff.".to_owned(),
            );
        }
        let what = "The job description";
        let job_description = text(
            problems,
            "job_description",
            what,
            &self.job_description,
            JOB_DESCRIPTION_MAX_CHARS,
        );
        let contact = text(problems, "contact", "The contact", &self.terms.contact, TEXT_MAX_CHARS);
        let next = text(problems, "next", "What happens next", &self.terms.next, ANSWER_MAX_CHARS);
        let terms = Terms { contact, next, ..self.terms };
        Self { title, role, job_description, terms, ..self }
    }

    /// Questions, criteria and answers.
    pub(super) fn check_plan(&self, problems: &mut Vec<FieldProblem>) {
        for field in self.unknown.keys() {
            problem(
                problems,
                field,
                format!("An opening has no field `{field}`. Leave it out, or mend its name."),
            );
        }
        let too_many =
            |problems: &mut Vec<FieldProblem>, field: &str, what: &str, n: usize, max: usize| {
                if n > max {
                    problem(
                        problems,
                        field,
                        format!("There are {n} {what}; {max} are the most. Take some out."),
                    );
                }
            };
        too_many(problems, "questions", "questions", self.questions.len(), QUESTIONS_MAX);
        too_many(problems, "criteria", "criteria", self.criteria.len(), CRITERIA_MAX);
        too_many(problems, "knowledge", "answers", self.knowledge.len(), KNOWN_MAX);
        self.check_questions(problems);
        self.check_criteria(problems);
        for (n, told) in self.knowledge.iter().enumerate() {
            let field = format!("knowledge.{n}.question");
            let question = line(problems, &field, "the question", &told.question, TEXT_MAX_CHARS);
            if !question.is_empty() && known(&question, "").about.is_empty() {
                let message = "Candidates’ questions are found by their words, and this one has none that \
                    says what it is about. Write it with such a word, as “What does it pay?”.";
                problem(problems, &field, message.to_owned());
            }
            let field = format!("knowledge.{n}.answer");
            if text(problems, &field, "The answer", &told.answer, ANSWER_MAX_CHARS).is_empty() {
                problem(problems, &field, "Type the answer.".to_owned());
            }
        }
    }

    fn check_criteria(&self, problems: &mut Vec<FieldProblem>) {
        for (n, criterion) in self.criteria.iter().enumerate() {
            line(
                problems,
                &format!("criteria.{n}.name"),
                "what you want to know",
                &criterion.name,
                ROLE_MAX_CHARS,
            );
            text(
                problems,
                &format!("criteria.{n}.about"),
                "This",
                &criterion.about,
                TEXT_MAX_CHARS,
            );
            for (part, text) in [("name", &criterion.name), ("about", &criterion.about)] {
                if let Some(subject) = subject_of_order(text) {
                    problem(problems, &format!("criteria.{n}.{part}"), refused(subject));
                }
            }
            if !(1..=5).contains(&criterion.weight) {
                problem(
                    problems,
                    &format!("criteria.{n}.weight"),
                    "A weight is from 1 to 5.".to_owned(),
                );
            }
            if self.criteria[..n].iter().any(|other| other.name.trim() == criterion.name.trim()) {
                problem(
                    problems,
                    &format!("criteria.{n}.name"),
                    "This criterion is there already.".to_owned(),
                );
            }
        }
    }

    fn check_questions(&self, problems: &mut Vec<FieldProblem>) {
        for (n, question) in self.questions.iter().enumerate() {
            let field = format!("questions.{n}.text");
            let text = line(problems, &field, "the question", &question.text, TEXT_MAX_CHARS);
            if !text.is_empty() && !text.ends_with('?') {
                let message = "A question ends in a question mark: the candidate hears that it is \
                    their turn. Write \
                               \u{201c}Can you tell me about …?\u{201d}";
                problem(problems, &field, message.to_owned());
            }
            if ["{{", "{%", "{#"].iter().any(|mark| text.contains(mark)) {
                problem(
                    problems,
                    &field,
                    "Leave out the braces: nothing is filled in here.".to_owned(),
                );
            }
            let reason = format!("questions.{n}.reason");
            launch::text(problems, &reason, "The reason", &question.reason, TEXT_MAX_CHARS);
            if let Some(message) = forbidden(&text, &question.reason) {
                problem(problems, &reason, message);
            }
            if question.follow_ups > FOLLOW_UPS_MAX {
                let message = format!("{FOLLOW_UPS_MAX} follow-ups are the most.");
                problem(problems, &format!("questions.{n}.follow_ups"), message);
            }
        }
    }

    pub(super) fn check_numbers(&self, problems: &mut Vec<FieldProblem>) {
        let mut within = |field: &str, value: Option<u32>, min: u32, max: u32, unit: &str| {
            if value.is_some_and(|value| !(min..=max).contains(&value)) {
                problem(problems, field, format!("Choose from {min} to {max} {unit}."));
            }
        };
        within("length_min", self.length_min, LENGTH_MIN_MIN, LENGTH_MAX_MIN, "minutes");
        within("link_days", Some(self.terms.link_days), 1, LINK_DAYS_MAX, "days");
        within("attempts", Some(self.terms.attempts), 1, ATTEMPTS_MAX, "attempts");
        within("retention_days", self.terms.retention_days, 1, RETENTION_DAYS_MAX, "days");
    }

    pub(super) fn tailoring(&self) -> Tailoring {
        let question = |question: &OwnQuestionForm| OwnQuestion {
            text: question.text.trim().to_owned(),
            verbatim: question.wording == Wording::Verbatim,
            follow_ups: question.follow_ups,
        };
        Tailoring {
            questions: self.questions.iter().map(question).collect(),
            limit: self.length_min.map(|minutes| Duration::from_secs(u64::from(minutes) * 60)),
        }
    }

    /// The subjects that own questions ask about with a reason, each with that reason.
    pub(super) fn reasons(&self) -> BTreeMap<&'static str, &str> {
        let questions = self.questions.iter();
        questions
            .filter_map(|question| Some((subject_of(&question.text)?, question.reason.trim())))
            .collect()
    }

    pub(super) fn knowledge(&self) -> Vec<Known> {
        let of = |of: &KnownAnswer| known(&of.question, of.answer.trim());
        self.knowledge.iter().map(of).collect()
    }
}

impl Estimate {
    pub(super) fn of(blueprint: &Blueprint, form: &OpeningForm) -> Self {
        let limit_s = blueprint.interview_limit().as_secs();
        let seconds = |agent: &Agent, rounds: u64, each: u64| {
            (rounds * each).min(agent.stage_limit.as_secs())
        };
        let most = |agent: &Agent| match agent.kind {
            Kind::Scripted | Kind::Closing | Kind::Offer | Kind::Form => {
                agent.questions.len().max(1) as u64
            }
            Kind::Questions | Kind::Backlog { .. } | Kind::Topics(_) => {
                u64::from(agent.questions_max)
            }
        };
        let agents = &blueprint.agents;
        let from: u64 = agents
            .iter()
            .map(|agent| seconds(agent, u64::from(agent.questions_min.max(1)), ROUND_FROM_S))
            .sum();
        let to: u64 = agents.iter().map(|agent| seconds(agent, most(agent), ROUND_TO_S)).sum();
        let minutes = |seconds: u64| seconds.div_ceil(60);
        let stage = |agent: &Agent| StageEstimate {
            title: agent.title.clone(),
            minutes: minutes(seconds(agent, most(agent), ROUND_TO_S)),
        };
        Self {
            stages: agents.iter().map(stage).collect(),
            minutes_from: minutes(from),
            minutes_to: minutes(to.min(limit_s)),
            length_limit_min: limit_s / 60,
            over_booked: over_booked(from, limit_s, form),
            asked: asked(blueprint, form),
        }
    }
}

/// What an interview asks of somebody whose name is not known yet.
fn asked(blueprint: &Blueprint, form: &OpeningForm) -> Vec<AskedPartView> {
    let context = Context {
        candidate_name: "…".to_owned(),
        role: form.role.clone(),
        level: form.level.clone(),
        job_description: form.job_description.clone(),
        ..Context::default()
    };
    let view = |AskedPart { title, questions, questions_max, is_own }| AskedPartView {
        title,
        questions,
        questions_max,
        own: is_own,
    };
    blueprint.for_candidate(&context).asked().into_iter().map(view).collect()
}

/// Even with short answers there is more to ask than time for it.
fn over_booked(from_s: u64, limit_s: u64, form: &OpeningForm) -> Option<String> {
    if from_s <= limit_s {
        return None;
    }
    let (needs, has) = (from_s.div_ceil(60), limit_s / 60);
    let fewer = match form.questions.is_empty() {
        true => "choose a shorter interview",
        false => "take some of your questions out",
    };
    Some(format!(
        "This needs {needs} minutes even with short answers, and it may take {has}. Allow more, or {fewer}."
    ))
}

/// As openings were before there were more.
fn one() -> u32 {
    1
}

impl From<&CriterionForm> for Criterion {
    fn from(form: &CriterionForm) -> Self {
        Self {
            name: form.name.trim().to_owned(),
            about: form.about.trim().to_owned(),
            priority: match form.priority {
                NeedView::Must => Need::Must,
                NeedView::Should => Need::Should,
                NeedView::Nice => Need::Nice,
            },
            weight: form.weight,
        }
    }
}

impl OpeningForm {
    /// One to begin from: questions with their follow-ups, and criteria with what shows them.
    pub(super) fn template(
        blueprint: &str,
        questions: &[(&str, u32)],
        criteria: &[(&str, &str)],
    ) -> Self {
        let question = |(text, follow_ups): &(&str, u32)| OwnQuestionForm {
            text: (*text).to_owned(),
            wording: if *follow_ups == 0 { Wording::Verbatim } else { Wording::Guide },
            follow_ups: *follow_ups,
            reason: String::new(),
        };
        let criterion = |(name, about): &(&str, &str)| CriterionForm {
            name: (*name).to_owned(),
            about: (*about).to_owned(),
            priority: NeedView::Should,
            weight: 3,
        };
        Self {
            blueprint: blueprint.to_owned(),
            level: "mid".to_owned(),
            questions: questions.iter().map(question).collect(),
            criteria: criteria.iter().map(criterion).collect(),
            terms: Terms { link_days: 7, attempts: 1, ..Terms::default() },
            ..Self::default()
        }
    }
}
