use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tracing::error;
use utoipa::ToSchema;
use voiceroom::server::ApiError;

use crate::database::DatabaseError;
use crate::journal::Unreadable;
use crate::store::StoreError;

/// Why a request was not done: what is wrong, where, how to mend it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(super) struct Problem {
    /// One sentence or two.
    pub message: String,
    /// The same by field, when fields of a form are the reason.
    pub fields: Vec<FieldProblem>,
    #[serde(skip)]
    #[schema(ignore)]
    status: u16,
}

/// What is wrong with one field.
#[derive(Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(super) struct FieldProblem {
    /// The field's name, as in the request.
    pub field: String,
    /// One sentence that stands beside it.
    pub message: String,
}

impl Problem {
    pub(super) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { message: message.into(), fields: Vec::new(), status: status.as_u16() }
    }

    /// The status of its answer.
    pub(super) fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    pub(super) fn of_fields(fields: Vec<FieldProblem>) -> Self {
        let message = match fields.as_slice() {
            [one] => one.message.clone(),
            several => format!("{} fields have to be mended first.", several.len()),
        };
        Self { message, fields, status: StatusCode::UNPROCESSABLE_ENTITY.as_u16() }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        (self.status(), Json(self)).into_response()
    }
}

impl From<StoreError> for Problem {
    fn from(why: StoreError) -> Self {
        error!(%why, "store refused a request");
        match why {
            StoreError::NotFound { .. } => {
                Self::new(StatusCode::NOT_FOUND, "There is no such interview.")
            }
            StoreError::Exists { .. }
            | StoreError::Taken { .. }
            | StoreError::Held
            | StoreError::Lost => Self::new(
                StatusCode::CONFLICT,
                "Somebody else is at this interview. Try again in a moment.",
            ),
            StoreError::Damaged { .. } => Self::new(StatusCode::INTERNAL_SERVER_ERROR, DAMAGED),
            StoreError::Behind { .. }
            | StoreError::Io { .. }
            | StoreError::Database { .. }
            | StoreError::Ending => Self::new(
                StatusCode::INSUFFICIENT_STORAGE,
                "The interview could not be saved, so nothing was started. The server's disk may be \
                    full: its log says more.",
            ),
        }
    }
}

impl From<DatabaseError> for Problem {
    fn from(why: DatabaseError) -> Self {
        error!(%why, "database refused a request");
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "The database does not answer, so nothing was changed. Try again in a minute; the server's \
                log says more.",
        )
    }
}

impl From<ApiError> for Problem {
    fn from(why: ApiError) -> Self {
        error!(%why, "room server refused a request");
        Self::new(
            StatusCode::BAD_GATEWAY,
            "The server for the call does not answer. Nothing is lost. Try again in a minute.",
        )
    }
}

impl From<Unreadable> for Problem {
    fn from(why: Unreadable) -> Self {
        error!(%why, "journal cannot be read");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, DAMAGED)
    }
}

const DAMAGED: &str =
    "The interview's files are damaged. Whoever runs this server finds the file's name in its log.";

/// A JSON body, with refusals that are sentences.
pub(super) struct Body<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        match Json::from_request(request, state).await {
            Ok(Json(body)) => Ok(Self(body)),
            Err(why) => Err(refused(&why)),
        }
    }
}

/// What is asked behind the `?` of an address, with refusals that are sentences.
pub(super) struct Asked<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match Query::from_request_parts(parts, state).await {
            Ok(Query(asked)) => Ok(Self(asked)),
            Err(why) => {
                let message = format!("The address is wrong after its “?”: {}.", last_reason(&why));
                Err(Problem::new(why.status(), message))
            }
        }
    }
}

fn refused(why: &JsonRejection) -> Problem {
    let message = match why {
        JsonRejection::MissingJsonContentType(_) => {
            "The request is no JSON. Send it with the header Content-Type: application/json."
                .to_owned()
        }
        JsonRejection::JsonSyntaxError(why) => {
            format!("The request's JSON cannot be read: {}.", last_reason(why))
        }
        JsonRejection::JsonDataError(why) => {
            format!("The request's JSON has the wrong shape: {}.", last_reason(why))
        }
        _ if why.status() == StatusCode::PAYLOAD_TOO_LARGE => {
            "The request is too large. Shorten the documents, the résumé or the job description."
                .to_owned()
        }
        _ => "The request broke off before its end. Send it again.".to_owned(),
    };
    Problem::new(why.status(), message)
}

/// The innermost reason: serde's own words with field, line and column.
fn last_reason(why: &dyn std::error::Error) -> String {
    let mut reason = why;
    while let Some(source) = reason.source() {
        reason = source;
    }
    reason.to_string()
}
