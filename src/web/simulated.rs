//! An interview of an opening with a simulated candidate, for whoever made the opening to watch (U03). It is
//! held beside the web app, without a room: `app` brings what holds it.

use std::{fmt, sync::Arc};

use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;
use tracing::info;
use utoipa::ToSchema;

use super::{
    Shared,
    index::{self, Made},
    launch::problem,
    openings::{CandidateForm, no_opening, read_form},
    problem::{Body, Problem},
    who::Who,
};
use crate::{
    blueprint::{Language, Manner},
    database::{Act, Purpose},
    journal::Inputs,
    store::InterviewId,
};

/// The fastest that somebody can follow.
const SPEED_MAX: u32 = 20;
const SPEED_USUAL: u32 = 5;

/// What holds interviews with simulated candidates, a few at a time.
pub trait Simulator: fmt::Debug + Send + Sync {
    /// Keeps a place for an interview that is about to begin.
    fn reserve(&self, id: InterviewId) -> Result<(), NoPlace>;

    /// Begins an interview that has a place and is in the store, `speed` times as fast as people speak. The
    /// place is free again when it has ended.
    fn begin(&self, id: InterviewId, inputs: Inputs, speed: u32);

    /// Ends an interview, or gives its place back. False if it is not held here.
    fn end(&self, id: InterviewId) -> bool;

    /// Ends all of them: the server stops.
    fn end_all(&self);
}

/// No interview with a simulated candidate can begin now: there are as many as there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoPlace {
    /// How many there may be at a time.
    pub max: usize,
}

/// How a simulated candidate behaves, and how fast all of it goes.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SimulationForm {
    /// How the candidate behaves.
    #[serde(default)]
    manner: Manner,
    /// How many times as fast as people speak, from 1 to 20; 5 if left out.
    speed: Option<u32>,
}

/// An interview with a simulated candidate that has begun.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SimulatedInterview {
    /// The interview's id.
    id: String,
}

/// Begins an interview of the opening with a simulated candidate. It is marked as such wherever it is shown,
/// counts as no candidate, and is told to no webhook.
#[utoipa::path(
    post, path = "/api/openings/{id}/simulate", operation_id = "simulateOpening",
    params(("id" = String, Path)),
    request_body = SimulationForm,
    responses(
        (status = 201, body = SimulatedInterview),
        (status = 404, body = Problem, description = "There is no such opening"),
        (status = 422, body = Problem, description = "Fields have to be mended"),
        (status = 429, body = Problem, description = "As many as there may be go on already"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn simulate_opening(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Path(id): Path<String>,
    Body(form): Body<SimulationForm>,
) -> Result<(StatusCode, Json<SimulatedInterview>), Problem> {
    let opening = shared.database.opening(&id).await?.ok_or_else(no_opening)?;
    let speed = form.speed.unwrap_or(SPEED_USUAL);
    if !(1..=SPEED_MAX).contains(&speed) {
        let mut problems = Vec::new();
        let message = format!("Choose a speed from 1 to {SPEED_MAX}.");
        problem(&mut problems, "speed", message);
        return Err(Problem::of_fields(problems));
    }
    let simulator = shared.simulator()?;
    let opened = read_form(&opening);
    let (mut inputs, blueprint) = shared.inputs_of(&opened, &CandidateForm::default()).await?;
    inputs.context.candidate_name = name_in(blueprint.language).to_owned();
    inputs.context.recorded = false;
    inputs.practice = None;
    inputs.simulated = Some(form.manner);
    let interview = InterviewId::random();
    simulator.reserve(interview).map_err(|NoPlace { max }| {
        let message = format!(
            "{max} interviews with simulated candidates go on already, which is the most at a time. Try \
             again when one of them has ended."
        );
        Problem::new(StatusCode::TOO_MANY_REQUESTS, message)
    })?;
    let made = Made {
        opening: Some((opening.id, opened.title)),
        purpose: Purpose::Simulated,
        email: String::new(),
    };
    if let Err(why) = shared.keep_simulated(interview, &inputs, &made).await {
        simulator.end(interview);
        return Err(why);
    }
    simulator.begin(interview, inputs, speed);
    shared.audit(&who, Act::Simulated, &id, &interview.to_string()).await?;
    info!(opening = id, %interview, "interview with a simulated candidate began");
    Ok((StatusCode::CREATED, Json(SimulatedInterview { id: interview.to_string() })))
}

/// Ends all that go on when the server is told to stop: nobody would go on with them.
pub(super) fn end_with(shared: &Shared, stop: CancellationToken) {
    let Some(simulator) = shared.site.services.simulator.clone() else { return };
    tokio::spawn(async move {
        stop.cancelled().await;
        simulator.end_all();
    });
}

/// What a simulated candidate is called: nobody takes it for a person's name.
fn name_in(language: Language) -> &'static str {
    match language {
        Language::English => "Alex Example",
        Language::German => "Alex Beispiel",
        Language::Italian => "Alex Esempio",
    }
}

impl Shared {
    /// Whether an interview's candidate is simulated.
    pub(super) async fn is_simulated(&self, id: InterviewId) -> Result<bool, Problem> {
        Ok(self.store.inputs(id).await?.simulated.is_some())
    }

    /// Refuses what is for interviews with people alone.
    pub(super) async fn needs_person(&self, id: InterviewId) -> Result<(), Problem> {
        if !self.is_simulated(id).await? {
            return Ok(());
        }
        let message = "The candidate of this interview is simulated: there is no call, and nobody to decide \
                       about.";
        Err(Problem::new(StatusCode::CONFLICT, message))
    }

    /// Ends an interview with a simulated candidate.
    pub(super) fn end_simulated(&self, id: InterviewId) -> Result<(), Problem> {
        if self.simulator()?.end(id) {
            return Ok(());
        }
        let message = "This interview goes on in another process, which ends it by itself.";
        Err(Problem::new(StatusCode::CONFLICT, message))
    }

    async fn keep_simulated(
        &self,
        id: InterviewId,
        inputs: &Inputs,
        made: &Made,
    ) -> Result<(), Problem> {
        self.store.create(id, inputs, None).await?;
        index::launched(self, id, made).await
    }

    fn simulator(&self) -> Result<Arc<dyn Simulator>, Problem> {
        self.site.services.simulator.clone().ok_or_else(|| {
            let message = "This server holds no interviews with simulated candidates.";
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, message)
        })
    }
}
