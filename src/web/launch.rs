use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use tracing::info;
use utoipa::ToSchema;

use std::sync::Arc;

use super::blocking::blocking;
use super::index::{self, Made};
use super::plans::{
    DocumentText, PlanInput, PlannedQuestion, PlannedTopic, PlannedView, summarise,
};
use super::problem::{Body, FieldProblem, Problem};
use super::who::Who;
use super::{LaunchableBlueprint, Shared};
use crate::blueprint::{
    Accommodations, Agent, Blueprint, Context, LEVELS, Level, LineFault, NAME_CHARS_MAX, check_line,
};
use crate::clock::unix_millis;
use crate::database::{self, Act};
use crate::journal::{Inputs, Practice};
use crate::planning::{Plannable, Planner, rounds};
use crate::store::{InterviewId, Launch, LinkToken, Stage};
use crate::usage::{self, Purpose};

pub(super) const ROLE_MAX_CHARS: usize = 80;
pub(super) const RESUME_MAX_CHARS: usize = 20_000;
pub(super) const JOB_DESCRIPTION_MAX_CHARS: usize = 20_000;

/// What the form sends. All is text, so that what is missing or absurd is answered field by field.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LaunchForm {
    /// The candidate's name.
    #[serde(default)]
    name: String,
    /// The role they apply for.
    #[serde(default)]
    role: String,
    /// entry, mid, senior, lead or staff.
    #[serde(default)]
    level: String,
    /// The name of a blueprint, as `/api/blueprints` lists them.
    #[serde(default)]
    blueprint: String,
    /// Text of the job description; may be empty.
    #[serde(default)]
    job_description: String,
    /// Text of the candidate's résumé; may be empty.
    #[serde(default)]
    resume: String,
    /// What the interview is about, where its blueprint has a plan.
    #[serde(default)]
    documents: Vec<DocumentText>,
    /// The questions of its backlog, the first one first; none: those of the blueprint alone.
    #[serde(default)]
    questions: Vec<PlannedQuestion>,
    /// The topics that take the place of the blueprint's own.
    #[serde(default)]
    topics: Vec<PlannedTopic>,
    /// The recruiter's own guide to the topics.
    #[serde(default)]
    guide: String,
    /// The signature of the plan that this one was made from, if any.
    #[serde(default)]
    signature: String,
    /// What is different for the candidate, and what they get back.
    #[serde(default)]
    terms: LaunchTerms,
}

/// What is different for a candidate, and what they get back.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LaunchTerms {
    /// What is made different for them, where whoever invites them knows that they need it.
    #[serde(default)]
    accommodations: Accommodations,
    /// Whether it is practice: then whoever is interviewed gets something back.
    #[serde(default)]
    practice: bool,
    /// Whether whoever launches it tries it themselves: then nobody decides about it.
    #[serde(default)]
    trial: bool,
}

/// A launched interview.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Launched {
    /// The interview's id.
    id: String,
    /// The candidate's link, relative to this server's address. It is shown this once.
    link: String,
    /// Until when it works, in milliseconds since 1970.
    expires_at: u64,
}

/// What the form offers for role and level.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct RoleChoices {
    /// Roles that questions are chosen for; any other may be typed.
    roles: Vec<String>,
    /// The levels, lowest first.
    levels: Vec<LevelChoice>,
}

/// A level of experience.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct LevelChoice {
    /// What the form sends.
    name: String,
    /// What people read.
    title: String,
}

/// A blueprint that can be launched.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BlueprintChoice {
    /// What the form sends.
    name: String,
    /// Its version; 0: as it is in the folder.
    version: i64,
    /// What people read.
    title: String,
    /// What comes when the job description is given.
    with_job_description: Plan,
    /// What comes without one.
    without_job_description: Plan,
    /// What can be planned before.
    planned: PlannedView,
    /// How many questions are asked at most, follow-ups among them, where questions are planned.
    rounds: Option<u32>,
    /// Whether it brings documents to try it with.
    has_sample: bool,
    /// What a spoken interview by it lacks here, as a sentence: it can be held in text alone.
    missing: Option<String>,
}

/// What an interview consists of.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Plan {
    /// The titles of its stages, in order.
    stages: Vec<String>,
    /// The longest it can take, in seconds.
    length_limit_s: u64,
}

/// The blueprints that can be launched.
#[utoipa::path(
    get, path = "/api/blueprints", operation_id = "listBlueprints",
    responses((status = 200, body = Vec<BlueprintChoice>), (status = "default", body = Problem)),
)]
pub(super) async fn list_blueprints(
    State(shared): State<Arc<Shared>>,
) -> Result<Json<Vec<BlueprintChoice>>, Problem> {
    let all = shared.blueprints.all(&shared.database).await?;
    let languages = shared.site.services.languages.clone();
    // What is chosen is opened the first time.
    blocking(move || {
        let missing = |known: &LaunchableBlueprint| languages.missing(&known.blueprint);
        Ok(Json(all.iter().map(|known| choice(known, missing(known))).collect()))
    })
    .await
}

/// The roles and levels that questions are chosen for.
#[utoipa::path(
    get, path = "/api/roles", operation_id = "listRoles",
    responses((status = 200, body = RoleChoices), (status = "default", body = Problem)),
)]
pub(super) async fn list_roles(State(shared): State<Arc<Shared>>) -> Json<RoleChoices> {
    let choice =
        |level: &Level| LevelChoice { name: level.name.to_owned(), title: level.title.clone() };
    Json(RoleChoices {
        roles: shared.roles.names().map(str::to_owned).collect(),
        levels: shared.roles.levels().iter().map(choice).collect(),
    })
}

/// Launches an interview: its inputs are frozen, and its link is made.
#[utoipa::path(
    post, path = "/api/interviews", operation_id = "launchInterview", request_body = LaunchForm,
    responses(
        (status = 201, body = Launched),
        (status = 422, body = Problem, description = "Fields have to be mended"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn launch_interview(
    State(shared): State<Arc<Shared>>,
    Extension(planner): Extension<Arc<Planner>>,
    who: Who,
    Body(form): Body<LaunchForm>,
) -> Result<(StatusCode, Json<Launched>), Problem> {
    let signature = form.signature.clone();
    let purpose = if form.terms.trial { database::Purpose::Trial } else { Default::default() };
    let (inputs, chosen) = form.check(&shared, &planner).await?;
    shared.can_be_held(&chosen.blueprint, inputs.accommodations).await?;
    let blueprint = chosen.blueprint.for_candidate(&inputs.context);
    let token = LinkToken::random(InterviewId::random());
    let now = unix_millis();
    let launch = Launch {
        v: 1,
        token_hash: token.hash(),
        launched_at: now,
        expires_at: now
            .saturating_add(u64::try_from(shared.link_lifetime.as_millis()).unwrap_or(u64::MAX)),
        stages: stages(&blueprint),
        length_limit_s: blueprint.interview_limit().as_secs(),
        cancelled: false,
        mailed: Vec::new(),
        title: blueprint.title,
        interviewer: blueprint.interviewer,
    };
    let expires_at = launch.expires_at;
    shared.store.create(token.id(), &inputs, Some(&launch)).await?;
    usage::add(&shared.store, token.id(), Purpose::Plan, planner.take_used(&signature)).await;
    index::launched(&shared, token.id(), &Made { purpose, ..Made::default() }).await?;
    shared.audit(&who, Act::Launched, &token.id().to_string(), "").await?;
    info!(interview = %token.id(), "interview launched");
    let link = format!("/i/{}", token.reveal());
    Ok((StatusCode::CREATED, Json(Launched { id: token.id().to_string(), link, expires_at })))
}

impl LaunchForm {
    /// The inputs of the interview, or everything that is wrong at once.
    async fn check(
        self,
        shared: &Shared,
        planner: &Planner,
    ) -> Result<(Inputs, Arc<LaunchableBlueprint>), Problem> {
        let mut problems = Vec::new();
        let name = line(&mut problems, "name", "the candidate’s name", &self.name, NAME_CHARS_MAX);
        let role = line(&mut problems, "role", "the role", &self.role, ROLE_MAX_CHARS);
        if !LEVELS.contains(&self.level.as_str()) {
            problem(
                &mut problems,
                "level",
                "Choose a level: entry, mid, senior, lead or staff.".to_owned(),
            );
        }
        let chosen = shared.blueprints.find(&shared.database, &self.blueprint).await?;
        if chosen.is_none() {
            problem(
                &mut problems,
                "blueprint",
                "Choose one of the blueprints in the list.".to_owned(),
            );
        }
        let resume = text(&mut problems, "resume", "The résumé", &self.resume, RESUME_MAX_CHARS);
        let job_description = text(
            &mut problems,
            "job_description",
            "The job description",
            &self.job_description,
            JOB_DESCRIPTION_MAX_CHARS,
        );
        let plannable =
            chosen.as_ref().map_or(Plannable::Nothing, |known| Plannable::of(&known.blueprint));
        let accommodations = self.terms.accommodations;
        let practice = self.terms.practice.then(Practice::default);
        let Self { documents, questions, topics, guide, signature, .. } = self;
        let planned = PlanInput { documents, questions, topics, guide };
        let (mut planned, wrong) = blocking(move || Ok(planned.check(plannable))).await?;
        problems.extend(wrong);
        summarise(&mut planned, planner, &signature).await;
        let (Some(chosen), true) = (chosen, problems.is_empty()) else {
            return Err(Problem::of_fields(problems));
        };
        let context = Context {
            focus: shared.roles.focus(&role, &self.level),
            candidate_name: name,
            role,
            level: self.level,
            resume,
            job_description,
            recorded: shared.site.records,
            ..planned
        };
        let inputs = Inputs::new(&chosen.name, chosen.files.clone(), context);
        Ok((Inputs { accommodations, practice, ..inputs }, chosen))
    }
}

/// A field of one line that is needed.
pub(super) fn line(
    problems: &mut Vec<FieldProblem>,
    field: &str,
    what: &str,
    value: &str,
    max_chars: usize,
) -> String {
    let value = value.trim();
    let wrong = match check_line(value, max_chars) {
        Ok(()) => return value.to_owned(),
        Err(LineFault::Empty) => format!("Type {what}."),
        Err(LineFault::Long { chars }) => {
            format!("This has {chars} characters; {max_chars} are the most. Shorten it.")
        }
        Err(LineFault::Hidden) => {
            "This holds a line break or an invisible mark. Type it anew, on one line.".to_owned()
        }
        Err(LineFault::Wordless) => format!("This has no letter in it. Type {what}."),
    };
    problem(problems, field, wrong);
    value.to_owned()
}

/// A field of many lines that may be empty.
pub(super) fn text(
    problems: &mut Vec<FieldProblem>,
    field: &str,
    what: &str,
    value: &str,
    max_chars: usize,
) -> String {
    let value = value.trim();
    let chars = value.chars().count();
    if chars > max_chars {
        problem(
            problems,
            field,
            format!(
                "{what} has {chars} characters; {max_chars} are the most. Leave out what the \
                    questions do not need."
            ),
        );
    }
    if value.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        problem(
            problems,
            field,
            format!("{what} holds control characters. Paste it as plain text."),
        );
    }
    value.to_owned()
}

pub(super) fn problem(problems: &mut Vec<FieldProblem>, field: &str, message: String) {
    problems.push(FieldProblem { field: field.to_owned(), message });
}

fn choice(launchable: &LaunchableBlueprint, missing: Option<String>) -> BlueprintChoice {
    let plan = |job_description: &str| {
        let context = Context { job_description: job_description.to_owned(), ..Context::default() };
        let blueprint = launchable.blueprint.for_candidate(&context);
        Plan {
            stages: blueprint.agents.iter().map(|agent| agent.title.clone()).collect(),
            length_limit_s: blueprint.interview_limit().as_secs(),
        }
    };
    BlueprintChoice {
        name: launchable.name.clone(),
        version: launchable.version,
        title: launchable.blueprint.title.clone(),
        with_job_description: plan("given"),
        without_job_description: plan(""),
        planned: Plannable::of(&launchable.blueprint).into(),
        rounds: rounds(&launchable.blueprint),
        has_sample: !launchable.sample.is_empty(),
        missing,
    }
}

pub(super) fn stages(blueprint: &Blueprint) -> Vec<Stage> {
    let stage = |agent: &Agent| Stage { id: agent.name.clone(), title: agent.title.clone() };
    blueprint.agents.iter().map(stage).collect()
}
