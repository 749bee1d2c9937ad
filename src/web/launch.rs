use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use tracing::info;
use utoipa::ToSchema;

use std::sync::Arc;

use super::problem::{Body, FieldProblem, Problem};
use super::{LaunchableBlueprint, Shared};
use crate::clock::unix_millis;
use crate::store::{Candidate, FrozenBlueprint, Inputs, InterviewId, Launch, Level, LinkToken};

const NAME_MAX_CHARS: usize = 120;
const ROLE_MAX_CHARS: usize = 120;
const JOB_DESCRIPTION_MAX_CHARS: usize = 20_000;

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

/// A blueprint that can be launched.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BlueprintChoice {
    /// What the form sends.
    name: String,
    /// What people read.
    title: String,
    /// One sentence on it.
    summary: String,
    /// The titles of its stages, in order.
    stages: Vec<String>,
    /// The longest it can take, in seconds.
    length_limit_s: u64,
}

/// The blueprints that can be launched.
#[utoipa::path(get, path = "/api/blueprints", operation_id = "listBlueprints", responses((status = 200, body = Vec<BlueprintChoice>)))]
pub(super) async fn list_blueprints(
    State(shared): State<Arc<Shared>>,
) -> Json<Vec<BlueprintChoice>> {
    Json(shared.blueprints.iter().map(choice).collect())
}

/// Launches an interview: its inputs are frozen, and its link is made.
#[utoipa::path(post, path = "/api/interviews", operation_id = "launchInterview", request_body = LaunchForm, responses(
    (status = 201, body = Launched),
    (status = 422, body = Problem, description = "Fields have to be mended"),
    (status = "default", body = Problem),
))]
pub(super) async fn launch_interview(
    State(shared): State<Arc<Shared>>,
    Body(form): Body<LaunchForm>,
) -> Result<(StatusCode, Json<Launched>), Problem> {
    let (inputs, blueprint) = form.check(&shared.blueprints)?;
    let token = LinkToken::random(InterviewId::random());
    let now = unix_millis();
    let launch = Launch {
        v: 1,
        token_hash: token.hash(),
        launched_at: now,
        expires_at: now
            .saturating_add(u64::try_from(shared.link_lifetime.as_millis()).unwrap_or(u64::MAX)),
        title: blueprint.title.clone(),
        stages: blueprint.stages.clone(),
        length_limit_s: blueprint.length_limit.as_secs(),
    };
    let expires_at = launch.expires_at;
    let store = shared.store.clone();
    super::api::blocking(move || {
        Ok(store.create(&token.id(), &inputs, Some(&launch)).map(|_| token)?)
    })
    .await
    .map(|token| {
        info!(interview = %token.id(), "interview launched");
        let link = format!("/i/{}", token.reveal());
        (StatusCode::CREATED, Json(Launched { id: token.id().to_string(), link, expires_at }))
    })
}

impl LaunchForm {
    /// The inputs of the interview, or everything that is wrong at once.
    fn check(
        self,
        blueprints: &[LaunchableBlueprint],
    ) -> Result<(Inputs, LaunchableBlueprint), Problem> {
        let mut problems = Vec::new();
        let name = line(&mut problems, "name", "the candidate’s name", &self.name, NAME_MAX_CHARS);
        let role = line(&mut problems, "role", "the role", &self.role, ROLE_MAX_CHARS);
        let level = level(&self.level);
        if level.is_none() {
            problem(
                &mut problems,
                "level",
                "Choose a level: entry, mid, senior, lead or staff.".to_owned(),
            );
        }
        let blueprint = blueprints.iter().find(|blueprint| blueprint.name == self.blueprint);
        if blueprint.is_none() {
            problem(
                &mut problems,
                "blueprint",
                "Choose one of the blueprints in the list.".to_owned(),
            );
        }
        let job_description =
            text(&mut problems, "job_description", "The job description", &self.job_description);
        let (Some(level), Some(blueprint), true) = (level, blueprint, problems.is_empty()) else {
            return Err(Problem::of_fields(problems));
        };
        let inputs = Inputs {
            v: 1,
            blueprint: FrozenBlueprint {
                name: blueprint.name.clone(),
                files: blueprint.files.clone(),
            },
            candidate: Candidate { name, role, level },
            job_description,
            language: "en".to_owned(),
        };
        Ok((inputs, blueprint.clone()))
    }
}

/// A field of one line that is needed.
fn line(
    problems: &mut Vec<FieldProblem>,
    field: &str,
    what: &str,
    value: &str,
    max_chars: usize,
) -> String {
    let value = value.trim();
    let chars = value.chars().count();
    if chars == 0 {
        problem(problems, field, format!("Type {what}."));
    } else if chars > max_chars {
        problem(
            problems,
            field,
            format!("This has {chars} characters; {max_chars} are the most. Shorten it."),
        );
    } else if value.chars().any(char::is_control) {
        problem(
            problems,
            field,
            "This holds a line break or another control character. Type it on one line.".to_owned(),
        );
    } else if !value.chars().any(char::is_alphanumeric) {
        problem(problems, field, format!("This has no letter in it. Type {what}."));
    }
    value.to_owned()
}

/// A field of many lines that may be empty.
fn text(problems: &mut Vec<FieldProblem>, field: &str, what: &str, value: &str) -> Option<String> {
    let value = value.trim();
    let chars = value.chars().count();
    if chars > JOB_DESCRIPTION_MAX_CHARS {
        let max = JOB_DESCRIPTION_MAX_CHARS;
        problem(
            problems,
            field,
            format!(
                "{what} has {chars} characters; {max} are the most. Leave out what the questions do not need."
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
    (chars > 0).then(|| value.to_owned())
}

fn problem(problems: &mut Vec<FieldProblem>, field: &str, message: String) {
    problems.push(FieldProblem { field: field.to_owned(), message });
}

fn level(text: &str) -> Option<Level> {
    match text {
        "entry" => Some(Level::Entry),
        "mid" => Some(Level::Mid),
        "senior" => Some(Level::Senior),
        "lead" => Some(Level::Lead),
        "staff" => Some(Level::Staff),
        _ => None,
    }
}

fn choice(blueprint: &LaunchableBlueprint) -> BlueprintChoice {
    BlueprintChoice {
        name: blueprint.name.clone(),
        title: blueprint.title.clone(),
        summary: blueprint.summary.clone(),
        stages: blueprint.stages.iter().map(|stage| stage.title.clone()).collect(),
        length_limit_s: blueprint.length_limit.as_secs(),
    }
}
