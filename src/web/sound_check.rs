//! The sound check of a candidate: what the recogniser heard of one sentence, and nothing of it is kept.

use std::sync::Arc;

use axum::{
    Json,
    body::Bytes,
    extract::{DefaultBodyLimit, FromRequest, Path, Request, State},
    http::{StatusCode, header},
};
use serde::Serialize;
use tracing::error;
use utoipa::ToSchema;

use super::{Shared, link::OpenLink, problem::Problem, progress::InterviewState};
use crate::{
    blueprint::Blueprint,
    sound_check::{NotHeard, SENTENCE_LIMIT},
};

/// A browser records at 48 kHz, 16 bits, one channel, and a header before it.
const BYTES_MAX: usize = SENTENCE_LIMIT.as_secs() as usize * 48_000 * 2 + 4_096;
const CONTENT_TYPE: &str = "audio/wav";

/// A WAV file.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
struct SoundBytes(#[allow(dead_code, reason = "the schema alone")] Bytes);

/// What was heard.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SoundCheckView {
    /// The words as they were understood; empty where there were none.
    heard: String,
}

/// Lets the route take a sentence.
pub(super) fn body_limit() -> DefaultBodyLimit {
    DefaultBodyLimit::max(BYTES_MAX)
}

/// Says what the recogniser heard in one sentence of the candidate, and keeps nothing of it.
#[utoipa::path(
    post, path = "/api/candidate/{token}/sound-check", operation_id = "checkSound",
    params(("token" = String, Path)),
    request_body(content = inline(SoundBytes), content_type = "audio/wav"),
    responses(
        (status = 200, body = SoundCheckView),
        (status = 404, body = Problem, description = "The link is not one of ours"),
        (status = 409, body = Problem, description = "The interview is over"),
        (status = 413, body = Problem, description = "It is longer than 15 s"),
        (status = 422, body = Problem, description = "It is no sound that can be recognised"),
        (status = 503, body = Problem, description = "Others are being heard, or the recogniser fails"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn check_sound(
    State(shared): State<Arc<Shared>>,
    Path(token): Path<String>,
    request: Request,
) -> Result<Json<SoundCheckView>, Problem> {
    let OpenLink { id, state, .. } = shared.admit(&token).await?.open()?;
    if matches!(state, InterviewState::Completed | InterviewState::Interrupted) {
        let message = "This interview is over, so there is nothing to check the sound for.";
        return Err(Problem::new(StatusCode::CONFLICT, message));
    }
    // Before the body: those who wait for a place hold nothing in memory.
    let place = shared.site.sound_check.place()?;
    let file = bytes(request).await?;
    let inputs = shared.store.inputs(id).await?;
    let blueprint = Blueprint::load(&inputs.files).ok();
    let names = blueprint.map(|blueprint| blueprint.speech.stt).unwrap_or_default();
    let heard = shared.site.sound_check.heard_at(place, &names, &file).await?;
    Ok(Json(SoundCheckView { heard }))
}

impl From<NotHeard> for Problem {
    fn from(why: NotHeard) -> Self {
        let status = match &why {
            NotHeard::Sound(_) => StatusCode::UNPROCESSABLE_ENTITY,
            NotHeard::Busy => StatusCode::SERVICE_UNAVAILABLE,
            NotHeard::Failed(why) => {
                error!(%why, "the sound check could not listen");
                StatusCode::SERVICE_UNAVAILABLE
            }
        };
        Self::new(status, why.to_string())
    }
}

async fn bytes(request: Request) -> Result<Bytes, Problem> {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    if !kind.is_some_and(|kind| kind.trim().eq_ignore_ascii_case(CONTENT_TYPE)) {
        let message = format!(
            "The request is no sound. Send it with the header Content-Type: {CONTENT_TYPE}."
        );
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
    }
    Bytes::from_request(request, &()).await.map_err(|why| {
        let message = if why.status() == StatusCode::PAYLOAD_TOO_LARGE {
            format!(
                "The recording is longer than {} s: say one sentence.",
                SENTENCE_LIMIT.as_secs()
            )
        } else {
            "The request broke off before its end. Send it again.".to_owned()
        };
        Problem::new(why.status(), message)
    })
}
