//! Plans of interviews: what is planned before a launch, and what a launch takes of it.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use tracing::error;
use utoipa::ToSchema;

use super::Shared;
use super::problem::{Body, FieldProblem, Problem};
use super::subjects::{refused, subject_of, subject_of_order};
use crate::blueprint::{Context, Document, Planned, Topic, Urgency};
use crate::planning::{
    DOCUMENT_CHARACTERS_MAX, DOCUMENTS_MAX, GUIDE_CHARS_MAX, LINE_CHARS_MAX, LINES_MAX, MadeBy,
    Plannable, Planner, QUESTION_CHARS_MAX, QUESTIONS_MAX, TITLE_CHARS_MAX, TOPICS_MAX, alike,
    fingerprint, wrong_line, wrong_question,
};

/// The longest name of a document, and of a topic for the report.
const NAME_CHARS_MAX: usize = 255;
const KEY_CHARS_MAX: usize = 40;

/// A document as text.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DocumentText {
    /// The file's name.
    name: String,
    /// Its text.
    text: String,
}

/// What a plan is to be made for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PlanForm {
    /// The name of a blueprint that plans something.
    blueprint: String,
    /// The role of who is interviewed; may be empty.
    #[serde(default)]
    role: String,
    /// What the interview is about.
    #[serde(default)]
    documents: Vec<DocumentText>,
    /// The recruiter's own guide to the topics.
    #[serde(default)]
    guide: String,
}

/// A plan to edit and to launch with.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct PlanView {
    /// The hash of what it was made from.
    signature: String,
    /// Who made it.
    by: MadeByView,
    /// Why no model made it, where one should have.
    trouble: Option<String>,
    /// The questions of a backlog.
    questions: Vec<PlannedQuestion>,
    /// Topics to explore.
    topics: Vec<PlannedTopic>,
}

/// Who made a plan or a summary.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = MadeBy)]
pub(super) enum MadeByView {
    /// A model.
    Model,
    /// Simple rules.
    Rules,
}

/// A planned question.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PlannedQuestion {
    /// Its name in the plan; the launch numbers them anew.
    #[serde(default)]
    #[schema(required)]
    id: String,
    /// What is to be found out, as a question.
    text: String,
    /// How much it matters.
    priority: Priority,
}

/// How much a planned question matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub(super) enum Priority {
    /// It has to be asked.
    P0,
    /// It should be asked.
    P1,
    /// It is asked where there is time.
    P2,
}

/// A planned topic.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PlannedTopic {
    /// Its name for the report; one that is empty or not the only one is made anew.
    #[serde(default)]
    #[schema(required)]
    key: String,
    /// Its name for people.
    title: String,
    /// Questions that cover it, in order.
    sub_goals: Vec<String>,
    /// Questions that go deeper where an answer is rich.
    #[serde(default)]
    #[schema(required)]
    probes: Vec<String>,
    /// How to read what they say.
    #[serde(default)]
    #[schema(required)]
    cues: Vec<String>,
    /// Signs of something that is worth more.
    #[serde(default)]
    #[schema(required)]
    signals: Vec<String>,
}

/// What can be planned before an interview.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Planned)]
pub(super) enum PlannedView {
    /// Nothing.
    Nothing,
    /// The questions of a backlog.
    Questions,
    /// Topics to explore.
    Topics,
}

/// Makes a plan for an interview from its documents and the guide: once, whoever asks again gets the same.
#[utoipa::path(
    post, path = "/api/plans", operation_id = "planInterview", request_body = PlanForm,
    responses(
        (status = 200, body = PlanView),
        (status = 422, body = Problem, description = "Fields have to be mended"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn plan_interview(
    State(shared): State<Arc<Shared>>,
    Extension(planner): Extension<Arc<Planner>>,
    Body(form): Body<PlanForm>,
) -> Result<Json<PlanView>, Problem> {
    let mut problems = Vec::new();
    let chosen = shared.blueprints.find(&shared.database, &form.blueprint).await?;
    let Some(chosen) =
        chosen.filter(|chosen| Plannable::of(&chosen.blueprint) != Plannable::Nothing)
    else {
        let what = "Choose a blueprint that has a plan: one with a backlog or with topics.";
        return Err(Problem::of_fields(vec![field("blueprint", what.to_owned())]));
    };
    let blueprint = &chosen.blueprint;
    let context = Context {
        role: form.role.trim().to_owned(),
        documents: documents(&mut problems, form.documents),
        guide: guide(&mut problems, &form.guide),
        ..Context::default()
    };
    if context.documents.is_empty() && Plannable::of(blueprint) == Plannable::Questions {
        let what = "Add a document first: the questions are made from what stands there.";
        problems.push(field("documents", what.to_owned()));
    }
    if !problems.is_empty() {
        return Err(Problem::of_fields(problems));
    }
    let made = planner.plan(blueprint, &context).await.map_err(|why| {
        error!(%why, "a plan could not be kept");
        let message = "The plan could not be kept. The server’s log says more. Try again.";
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    })?;
    let plan = made.made;
    Ok(Json(PlanView {
        signature: plan.signature,
        by: plan.by.into(),
        trouble: made.trouble,
        questions: plan.questions.into_iter().map(PlannedQuestion::from).collect(),
        topics: plan.topics.into_iter().map(PlannedTopic::from).collect(),
    }))
}

/// The documents of a sample project, to try a blueprint with.
#[utoipa::path(
    get, path = "/api/blueprints/{name}/sample", operation_id = "getSample",
    params(("name" = String, Path)),
    responses(
        (status = 200, body = Vec<DocumentText>),
        (status = 404, body = Problem, description = "There is no such blueprint, or it has no sample"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn get_sample(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
) -> Result<Json<Vec<DocumentText>>, Problem> {
    let found = shared.blueprints.find(&shared.database, &name).await?;
    match found.filter(|found| !found.sample.is_empty()) {
        Some(found) => {
            let text = |(name, text): &(String, String)| DocumentText {
                name: name.clone(),
                text: text.clone(),
            };
            Ok(Json(found.sample.iter().map(text).collect()))
        }
        None => Err(Problem::new(StatusCode::NOT_FOUND, "There is no such sample.")),
    }
}

/// What a launch says of a plan.
pub(super) struct PlanInput {
    pub(super) documents: Vec<DocumentText>,
    pub(super) questions: Vec<PlannedQuestion>,
    pub(super) topics: Vec<PlannedTopic>,
    pub(super) guide: String,
}

impl PlanInput {
    /// Puts it into the context of an interview that can be planned so, beside what is wrong with it. Takes a
    /// moment.
    pub(super) fn check(self, plannable: Plannable) -> (Context, Vec<FieldProblem>) {
        let mut problems = Vec::new();
        let documents = documents(&mut problems, self.documents);
        let plan = questions(&mut problems, self.questions);
        let topics = topics(&mut problems, self.topics);
        let guide = guide(&mut problems, &self.guide);
        let given = [
            ("documents", !documents.is_empty(), plannable != Plannable::Nothing),
            ("questions", !plan.is_empty(), plannable == Plannable::Questions),
            ("topics", !topics.is_empty(), plannable == Plannable::Topics),
            ("guide", !guide.is_empty(), plannable == Plannable::Topics),
        ];
        for (name, _, _) in given.into_iter().filter(|(_, given, takes)| *given && !takes) {
            let what = format!(
                "This blueprint takes no {name}. Leave out what is there, or choose another one."
            );
            problems.push(field(name, what));
        }
        (Context { plan, topics, guide, documents, ..Context::default() }, problems)
    }
}

/// Gives documents the summaries that a model made of them when it made the plan; those that are others now
/// get none.
pub(super) async fn summarise(context: &mut Context, planner: &Planner, signature: &str) {
    if let Some(kept) = planner.kept(signature).await {
        for document in &mut context.documents {
            let summary = kept.summaries.get(&fingerprint(document));
            document.summary = summary.cloned().unwrap_or_default();
        }
    }
}

fn documents(problems: &mut Vec<FieldProblem>, given: Vec<DocumentText>) -> Vec<Document> {
    let mut say = |what: String| problems.push(field("documents", what));
    if given.len() > DOCUMENTS_MAX {
        say(format!(
            "There are {} documents; {DOCUMENTS_MAX} are the most. Leave some out.",
            given.len()
        ));
        return Vec::new();
    }
    let characters: usize = given.iter().map(|document| document.text.chars().count()).sum();
    if characters > DOCUMENT_CHARACTERS_MAX {
        say(format!(
            "The documents have {characters} characters; {DOCUMENT_CHARACTERS_MAX} are the most. Leave out \
                what the questions do not need."
        ));
    }
    let mut documents = Vec::new();
    for (n, DocumentText { name, text }) in given.into_iter().enumerate() {
        if let Some(what) = wrong_line(&name, NAME_CHARS_MAX) {
            say(format!("The name of document {}: {what}", n + 1));
        }
        if text.trim().is_empty() {
            say(format!("The document “{name}” has no text. Leave it out."));
        }
        if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t' | '\u{c}')) {
            say(format!("The document “{name}” holds control characters. Send it as plain text."));
        }
        documents.push(Document { name, text, summary: String::new() });
    }
    documents
}

fn guide(problems: &mut Vec<FieldProblem>, text: &str) -> String {
    let text = text.trim();
    let chars = text.chars().count();
    text.lines().filter_map(order).for_each(|what| problems.push(field("guide", what)));
    if chars > GUIDE_CHARS_MAX {
        let what = format!(
            "The guide has {chars} characters; {GUIDE_CHARS_MAX} are the most. Shorten it."
        );
        problems.push(field("guide", what));
    }
    text.to_owned()
}

fn questions(problems: &mut Vec<FieldProblem>, given: Vec<PlannedQuestion>) -> Vec<Planned> {
    let mut say = |what: String| problems.push(field("questions", what));
    if given.len() > QUESTIONS_MAX {
        say(format!(
            "There are {} questions; {QUESTIONS_MAX} are the most. Drop some.",
            given.len()
        ));
        return Vec::new();
    }
    let mut questions = Vec::new();
    for (n, PlannedQuestion { text, priority, .. }) in given.into_iter().enumerate() {
        let text = text.trim().to_owned();
        if let Some(what) = wrong_question(&text, QUESTION_CHARS_MAX) {
            say(format!("Question {}: {what}", n + 1));
        } else if let Some(subject) = subject_of(&text) {
            let what = refused(subject);
            say(format!("Question {}: {what}", n + 1));
        }
        questions.push(Planned { id: format!("plan-{}", n + 1), text, priority: priority.into() });
    }
    if let Some((first, second)) = alike(questions.iter().map(|question| question.text.as_str())) {
        say(format!(
            "Questions {} and {} are so alike that only one would be asked. Change one, or drop it.",
            first + 1,
            second + 1
        ));
    }
    questions
}

fn topics(problems: &mut Vec<FieldProblem>, given: Vec<PlannedTopic>) -> Vec<Topic> {
    let mut say = |what: String| problems.push(field("topics", what));
    if given.len() > TOPICS_MAX {
        say(format!("There are {} topics; {TOPICS_MAX} are the most. Drop some.", given.len()));
        return Vec::new();
    }
    let (mut topics, mut keys) = (Vec::new(), BTreeSet::new());
    for (n, given) in given.into_iter().enumerate() {
        let topic = Topic {
            key: key(&given.key, n, &mut keys),
            title: given.title.trim().to_owned(),
            sub_goals: lines(given.sub_goals),
            probes: lines(given.probes),
            cues: lines(given.cues),
            signals: lines(given.signals),
        };
        let what = wrong_topic(&topic);
        what.into_iter().for_each(|what| say(format!("Topic {}: {what}", n + 1)));
        topics.push(topic);
    }
    let is_short = |topic: &&Topic| topic.asked().count() <= 2 * LINES_MAX;
    let asked: Vec<&str> = topics.iter().filter(is_short).flat_map(Topic::asked).collect();
    if let Some((first, second)) = alike(asked.iter().copied()) {
        say(format!(
            "“{}” and “{}” are so alike that only one would be asked. Change one, or drop it.",
            asked[first], asked[second]
        ));
    }
    topics
}

fn wrong_topic(topic: &Topic) -> Vec<String> {
    let mut wrong: Vec<String> = Vec::new();
    wrong
        .extend(wrong_line(&topic.title, TITLE_CHARS_MAX).map(|what| format!("its title: {what}")));
    if topic.sub_goals.is_empty() {
        wrong.push("it needs a question. Add one, or drop the topic.".to_owned());
    }
    for list in [&topic.sub_goals, &topic.probes, &topic.cues, &topic.signals] {
        if list.len() > LINES_MAX {
            wrong.push(format!("it has a list of {} lines; {LINES_MAX} are the most.", list.len()));
        }
    }
    wrong.extend(
        topic.asked().filter_map(|text| {
            Some(format!("“{text}”: {}", wrong_question(text, LINE_CHARS_MAX)?))
        }),
    );
    let subject = |text: &str| subject_of(text).map(|it| format!("“{text}”: {}", refused(it)));
    wrong.extend(topic.asked().filter_map(subject));
    let hints = topic.cues.iter().chain(&topic.signals);
    wrong.extend(hints.clone().filter_map(|text| order(text)));
    wrong.extend(
        hints.filter_map(|text| Some(format!("“{text}”: {}", wrong_line(text, LINE_CHARS_MAX)?))),
    );
    wrong
}

/// What is wrong with a text that tells a model what to ask.
fn order(text: &str) -> Option<String> {
    subject_of_order(text).map(|subject| format!("“{text}”: {}", refused(subject)))
}

/// The name of a topic for the report: its own, if that is one and the only one of its kind.
fn key(given: &str, place: usize, keys: &mut BTreeSet<String>) -> String {
    let is_name = |key: &str| {
        let chars = key.chars().count();
        (1..=KEY_CHARS_MAX).contains(&chars)
            && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
    };
    let mut key = given.trim().to_owned();
    let mut n = place + 1;
    while !is_name(&key) || keys.contains(&key) {
        key = format!("topic-{n}");
        n += TOPICS_MAX;
    }
    keys.insert(key.clone());
    key
}

fn lines(given: Vec<String>) -> Vec<String> {
    let lines = given.into_iter().map(|line| line.trim().to_owned());
    lines.filter(|line| !line.is_empty()).collect()
}

fn field(name: &str, message: String) -> FieldProblem {
    FieldProblem { field: name.to_owned(), message }
}

impl From<Plannable> for PlannedView {
    fn from(plannable: Plannable) -> Self {
        match plannable {
            Plannable::Nothing => Self::Nothing,
            Plannable::Questions => Self::Questions,
            Plannable::Topics => Self::Topics,
        }
    }
}

impl From<MadeBy> for MadeByView {
    fn from(by: MadeBy) -> Self {
        match by {
            MadeBy::Model => Self::Model,
            MadeBy::Rules => Self::Rules,
        }
    }
}

impl From<Planned> for PlannedQuestion {
    fn from(Planned { id, text, priority }: Planned) -> Self {
        Self { id, text, priority: priority.into() }
    }
}

impl From<Topic> for PlannedTopic {
    fn from(Topic { key, title, sub_goals, probes, cues, signals }: Topic) -> Self {
        Self { key, title, sub_goals, probes, cues, signals }
    }
}

impl From<Urgency> for Priority {
    fn from(urgency: Urgency) -> Self {
        match urgency {
            Urgency::P0 => Self::P0,
            Urgency::P1 => Self::P1,
            Urgency::P2 => Self::P2,
        }
    }
}

impl From<Priority> for Urgency {
    fn from(priority: Priority) -> Self {
        match priority {
            Priority::P0 => Self::P0,
            Priority::P1 => Self::P1,
            Priority::P2 => Self::P2,
        }
    }
}
