//! What whoever practised gets back, and another try at a question (C03). A recruiter's screening shows none
//! of it.

use std::sync::Arc;

use axum::{
    Extension, Json,
    extract::{Path, State},
    http::StatusCode,
};
use serde::{Deserialize, Serialize};
use tracing::info;
use utoipa::ToSchema;

use super::{
    Shared,
    blocking::blocking,
    index::{self, Made},
    launch::stages,
    link::OpenLink,
    problem::{Body, Problem},
    progress::{InterviewState, progress},
};
use crate::{
    assess::practice::{Answers, Review, ReviewedAnswer},
    blueprint::{Blueprint, asked_again},
    clock::unix_millis,
    coach::{Coach, Coached},
    database::{CandidateWord, Purpose, WordKind},
    journal::{self, Again, Inputs, Practice},
    store::{InterviewId, Launch, LinkToken},
};

/// So many tries a practice interview has.
const TRIES_MAX: usize = 20;
/// The link of a try works for a day at least.
const LINK_MS_MIN: u64 = 24 * 3_600_000;

/// What whoever practised gets back.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct PracticeView {
    /// Answer by answer.
    review: Review,
    /// Whether a model writes better suggestions: ask again in a few seconds.
    writing: bool,
    /// What they tried again, in order.
    tries: Vec<TryView>,
}

/// A question that was tried again.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TryView {
    /// The number of the question in the first interview.
    question: u32,
    /// When they began, in milliseconds since 1970.
    at: i64,
    /// Where it stands.
    state: InterviewState,
    /// What was in the answer; nothing before there is one.
    answer: Option<ReviewedAnswer>,
}

/// The question that they want to try again.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TryForm {
    /// Its number in this interview.
    question: u32,
}

/// Where they try it.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Tried {
    /// The link, relative to this server's address.
    link: String,
}

/// What a practice interview gives back.
#[utoipa::path(
    get, path = "/api/candidate/{token}/practice", operation_id = "getPractice",
    params(("token" = String, Path)),
    responses(
        (status = 200, body = PracticeView),
        (status = 404, body = Problem, description = "The link is not one of ours, or it was no practice"),
        (status = 409, body = Problem, description = "The interview is not over"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn get_practice(
    State(shared): State<Arc<Shared>>,
    Extension(coach): Extension<Arc<Coach>>,
    Path(token): Path<String>,
) -> Result<Json<PracticeView>, Problem> {
    let OpenLink { id, state, .. } = shared.admit(&token).await?.open()?;
    let (inputs, practice) = shared.practised(id).await?;
    if !state.is_over() {
        let message = "The interview is not over yet. What was in your answers is here when it is.";
        return Err(Problem::new(StatusCode::CONFLICT, message));
    }
    let of = shared.store.find(id).await?;
    let blueprint = Blueprint::load(&inputs.files).ok();
    let answers = shared.answers(id, inputs).await?;
    let Coached { review, is_writing } = coach.review(&of, answers, blueprint.as_ref()).await?;
    let (first, _) = first_of(id, &practice, 0);
    let tries = shared.tries(&first).await?;
    Ok(Json(PracticeView { review, writing: is_writing, tries }))
}

/// Makes an interview that asks a question of a practice interview once more.
#[utoipa::path(
    post, path = "/api/candidate/{token}/tries", operation_id = "tryAgain",
    params(("token" = String, Path)),
    request_body = TryForm,
    responses(
        (status = 201, body = Tried),
        (status = 404, body = Problem, description = "The link is not one of ours, or it was no practice"),
        (status = 409, body = Problem, description = "There are too many tries"),
        (status = 422, body = Problem, description = "There is no such question"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn try_again(
    State(shared): State<Arc<Shared>>,
    Path(token): Path<String>,
    Body(form): Body<TryForm>,
) -> Result<(StatusCode, Json<Tried>), Problem> {
    let OpenLink { id, launch, .. } = shared.admit(&token).await?.open()?;
    let (inputs, practice) = shared.practised(id).await?;
    let (first, question) = first_of(id, &practice, form.question);
    let before = shared.database.candidate_words(&first).await?;
    if before.iter().filter(|word| word.kind == WordKind::Try).count() >= TRIES_MAX {
        let message =
            format!("You have tried again {TRIES_MAX} times. Begin a new practice interview.");
        return Err(Problem::new(StatusCode::CONFLICT, message));
    }
    let answers = shared.answers(id, inputs.clone()).await?;
    let no_question = || {
        let message = "There is no such question to try again. Load the page anew.";
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    };
    let asked = answers.asked(form.question).ok_or_else(no_question)?;
    let files = asked_again(&inputs.files, asked).map_err(|_| no_question())?;
    let again = Practice { again: Some(Again { interview: first.clone(), question }) };
    let inputs = Inputs { files, practice: Some(again), ..inputs };
    let link = shared.launch_try(&inputs, &launch).await?;
    let text = link.id().to_string();
    let word = CandidateWord {
        kind: WordKind::Try,
        turn: Some(question.into()),
        stars: None,
        text,
        at: 0,
    };
    shared.database.add_candidate_word(&first, &word).await?;
    info!(interview = %link.id(), "a question is tried again");
    Ok((StatusCode::CREATED, Json(Tried { link: format!("/i/{}", link.reveal()) })))
}

/// The first interview of which this one tries a question again, or this one itself, and the number of the
/// question there.
fn first_of(id: InterviewId, practice: &Practice, question: u32) -> (String, u32) {
    match &practice.again {
        Some(again) => (again.interview.clone(), again.question),
        None => (id.to_string(), question),
    }
}

impl Shared {
    /// What a practice interview was made from; whoever was screened gets nothing of it.
    async fn practised(&self, id: InterviewId) -> Result<(Inputs, Practice), Problem> {
        let inputs = self.store.inputs(id).await?;
        let practice = inputs.practice.clone().ok_or_else(|| {
            let message = "This interview was no practice, so there is nothing here.";
            Problem::new(StatusCode::NOT_FOUND, message)
        })?;
        Ok((inputs, practice))
    }

    async fn answers(&self, id: InterviewId, inputs: Inputs) -> Result<Answers, Problem> {
        let text = self.store.read_journal(id).await?;
        blocking(move || {
            let entries = match text {
                Some(text) => journal::parse(&text)?.1,
                None => Vec::new(),
            };
            Ok(Answers::of(&inputs, &entries))
        })
        .await
    }

    /// What was tried again of an interview. What was removed meanwhile is left out.
    async fn tries(&self, first: &str) -> Result<Vec<TryView>, Problem> {
        let mut tries = Vec::new();
        for word in self.database.candidate_words(first).await? {
            let question = word.turn.and_then(|question| u32::try_from(question).ok());
            let id = word.text.parse::<InterviewId>().ok();
            let (WordKind::Try, Some(question), Some(id)) = (word.kind, question, id) else {
                continue;
            };
            let Ok(inputs) = self.store.inputs(id).await else { continue };
            let (state, _) = progress(&*self.store, id).await?;
            let review = self.answers(id, inputs).await?.by_rules();
            let answer = review.answers.into_iter().next();
            tries.push(TryView { question, at: word.at, state, answer });
        }
        tries.truncate(TRIES_MAX);
        Ok(tries)
    }

    async fn launch_try(&self, inputs: &Inputs, of: &Launch) -> Result<LinkToken, Problem> {
        let blueprint = Blueprint::load(&inputs.files).map_err(|_| {
            let message = "This question cannot be asked alone. Begin a new practice interview.";
            Problem::new(StatusCode::CONFLICT, message)
        })?;
        let blueprint = blueprint.for_candidate(&inputs.context);
        let token = LinkToken::random(InterviewId::random());
        let now = unix_millis();
        let launch = Launch {
            token_hash: token.hash(),
            launched_at: now,
            expires_at: of.expires_at.max(now.saturating_add(LINK_MS_MIN)),
            stages: stages(&blueprint),
            length_limit_s: blueprint.interview_limit().as_secs(),
            cancelled: false,
            ..of.clone()
        };
        self.store.create(token.id(), inputs, Some(&launch)).await?;
        // It is in no list, and is removed when its link no longer works.
        let made = Made { purpose: Purpose::Preview, ..Made::default() };
        index::launched(self, token.id(), &made).await?;
        Ok(token)
    }
}
