//! Levels that people give: the report has them in place of a model's, or where no model gave any.

use std::sync::Arc;

use axum::{
    Extension, Json,
    extract::{Path, State},
    http::StatusCode,
};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    Shared,
    problem::{Body, FieldProblem, Problem},
    report::report,
    who::Who,
};
use crate::{
    assess::{GivenLevel, LEVELS, Report, ReportState},
    assessor::Assessor,
    database::{Act, PersonsLevel},
    store::InterviewId,
};

/// A person's level for a criterion.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LevelForm {
    /// The criterion's name, as the report has it.
    criterion: String,
    /// From 1 (the answers speak against it) to 5 (fully shown); nothing takes back the one before.
    #[serde(default)]
    level: Option<u8>,
}

/// Gives a criterion a level, as a person who has read the answers. It counts in place of a model's.
#[utoipa::path(
    put, path = "/api/interviews/{id}/levels", operation_id = "giveLevel", params(("id" = String, Path)),
    request_body = LevelForm,
    responses(
        (status = 200, body = Report, description = "The report with it"),
        (status = 404, body = Problem, description = "There is no such interview"),
        (status = 409, body = Problem, description = "There is no report yet"),
        (status = 422, body = Problem, description = "There is no such criterion or level"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn give_level(
    State(shared): State<Arc<Shared>>,
    Extension(assessor): Extension<Arc<Assessor>>,
    who: Who,
    Path(id): Path<String>,
    Body(form): Body<LevelForm>,
) -> Result<Json<Report>, Problem> {
    let of = shared.find(&id).await?;
    if !matches!(who, Who::Account(_)) {
        let message = "A program may not judge people. Sign in as a person.";
        return Err(Problem::new(StatusCode::FORBIDDEN, message));
    }
    let before = report(&shared, &assessor, &of, false).await?;
    if before.state != ReportState::Ready {
        let message = "There is no report to give levels in yet.";
        return Err(Problem::new(StatusCode::CONFLICT, message));
    }
    let wrong = |field: &str, message: &str| {
        let problem = FieldProblem { field: field.to_owned(), message: message.to_owned() };
        Err(Problem::of_fields(vec![problem]))
    };
    let LevelForm { criterion, level } = form;
    if !before.criteria.iter().any(|known| known.name == criterion) {
        return wrong("criterion", "The report has no such criterion.");
    }
    let detail = level.map(|level| level.to_string()).unwrap_or_default();
    let database = shared.by(&who, Act::GaveLevel, &id, &detail);
    match level {
        Some(level) if !LEVELS.contains(&level) => {
            return wrong("level", "A level is a number from 1 to 5.");
        }
        Some(level) => {
            let given_by = who.name().to_owned();
            let given = PersonsLevel { criterion, level: i64::from(level), given_by };
            database.give_level(&id, &given).await?;
        }
        None => database.take_level_back(&id, &criterion).await?,
    }
    report(&shared, &assessor, &of, false).await.map(Json)
}

impl Shared {
    /// The report with the levels that people gave.
    pub(super) async fn with_levels(
        &self,
        id: InterviewId,
        report: Report,
    ) -> Result<Report, Problem> {
        let given = self.database.levels(&id.to_string()).await?;
        let given = given.into_iter().map(|PersonsLevel { criterion, level, given_by }| {
            GivenLevel { criterion, level: u8::try_from(level).unwrap_or_default(), by: given_by }
        });
        Ok(report.with_levels(&given.collect::<Vec<_>>()))
    }
}
