//! What is noted while an interview goes on, where the opening says so and the candidate was told before:
//! that they left the page's tab and came back, and that they pasted into a typed answer. Facts with times;
//! nothing weighs them, and the candidate reads them and can say something to them afterwards.

use std::sync::Arc;

use axum::{
    extract::{Path, State},
    http::StatusCode,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Shared,
    link::OpenLink,
    opening_form::Integrity,
    problem::{Body, Problem},
    progress::InterviewState,
};
use crate::{database::Noted, store::InterviewId};

/// So many facts are kept of one interview.
const NOTED_MAX: i64 = 1_000;
const CHARACTERS_MAX: u32 = 100_000;

/// Something that is noted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = NotedKind)]
enum What {
    /// The page's tab was left, or covered.
    Left,
    /// They came back to it.
    Returned,
    /// Text was pasted into a typed answer.
    Pasted,
}

/// A fact, as the candidate's page tells it when it happens.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NoteForm {
    what: What,
    /// How many characters were pasted.
    #[serde(default)]
    characters: Option<u32>,
}

/// A fact that was noted.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct NotedView {
    what: What,
    /// How many characters were pasted.
    characters: Option<u32>,
    /// When, in milliseconds since 1970, by the server's clock.
    pub(super) at: u64,
}

/// Notes that the candidate has left the tab, come back, or pasted into a typed answer. It is refused where
/// the opening has not asked for it, and while the interview does not go on.
#[utoipa::path(
    post, path = "/api/candidate/{token}/integrity", operation_id = "noteIntegrity",
    params(("token" = String, Path)),
    request_body = NoteForm,
    responses(
        (status = 204, description = "It is noted"),
        (status = 404, body = Problem, description = "The link is not one of ours"),
        (status = 409, body = Problem, description = "Nothing is noted in this interview, or no more"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn note_integrity(
    State(shared): State<Arc<Shared>>,
    Path(token): Path<String>,
    Body(form): Body<NoteForm>,
) -> Result<StatusCode, Problem> {
    let OpenLink { id, state, .. } = shared.admit(&token).await?.open()?;
    let conflict = |what: &str| Problem::new(StatusCode::CONFLICT, what);
    if shared.form_of(id).await?.terms.integrity == Integrity::Off {
        return Err(conflict("Nothing is noted in this interview."));
    }
    if state != InterviewState::InProgress {
        return Err(conflict("This interview does not go on."));
    }
    shared.reindex(id).await?;
    let characters = match form.what {
        What::Pasted => form.characters.map(|characters| i64::from(characters.min(CHARACTERS_MAX))),
        What::Left | What::Returned => None,
    };
    let (key, what) = (id.to_string(), form.what.name());
    if !shared.database.note_integrity(&key, what, characters, NOTED_MAX).await? {
        return Err(conflict("So much is noted already that there is no room for more."));
    }
    Ok(StatusCode::NO_CONTENT)
}

impl Shared {
    /// What was noted in an interview, the oldest first.
    pub(super) async fn noted(&self, id: InterviewId) -> Result<Vec<NotedView>, Problem> {
        let noted = self.database.integrity(&id.to_string()).await?;
        Ok(noted.into_iter().filter_map(NotedView::of).collect())
    }
}

impl What {
    const ALL: [Self; 3] = [Self::Left, Self::Returned, Self::Pasted];

    fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Returned => "returned",
            Self::Pasted => "pasted",
        }
    }
}

impl NotedView {
    fn of(noted: Noted) -> Option<Self> {
        let what = What::ALL.into_iter().find(|what| what.name() == noted.what)?;
        let characters = noted.characters.and_then(|characters| u32::try_from(characters).ok());
        Some(Self { what, characters, at: u64::try_from(noted.at).ok()? })
    }

    /// The fact in words, for a file.
    pub(super) fn in_words(&self) -> String {
        match (self.what, self.characters) {
            (What::Left, _) => "left the tab".to_owned(),
            (What::Returned, _) => "came back to the tab".to_owned(),
            (What::Pasted, Some(characters)) => {
                format!("pasted {characters} characters into a typed answer")
            }
            (What::Pasted, None) => "pasted into a typed answer".to_owned(),
        }
    }
}
