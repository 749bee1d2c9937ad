use std::sync::Arc;

use ::documents::{BYTES_MAX, Fault};
use axum::body::Bytes;
use axum::extract::rejection::QueryRejection;
use axum::extract::{DefaultBodyLimit, FromRequest, Query, Request};
use axum::http::{HeaderMap, StatusCode, header};
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use tracing::error;
use utoipa::{IntoParams, ToSchema};

use super::problem::{FieldProblem, Problem};
use crate::blueprint::{LineFault, check_line};
use crate::reading::{Answer, Reader, Unread};

const NAME_MAX_CHARS: usize = 255;
/// Pages of others may send forms and plain text to us without asking, but not this.
const CONTENT_TYPE: &str = "application/octet-stream";

/// What is in the request's address.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct DocumentQuery {
    /// The file's name: its ending says what it is.
    #[serde(default)]
    name: String,
}

/// The file's bytes.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
pub(super) struct DocumentBytes(Bytes);

/// The text of a document.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct DocumentView {
    /// The file's name, as it was sent.
    name: String,
    /// Its text.
    text: String,
    /// How many characters the text has.
    characters: usize,
    /// Whether there was more text, which was left out.
    cut: bool,
    /// What else was not read, a sentence each; left out if it was all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    passed_over: Vec<String>,
}

/// Lets the route take a whole document.
pub(super) fn body_limit() -> DefaultBodyLimit {
    DefaultBodyLimit::max(BYTES_MAX)
}

/// Reads a document (txt, md, pdf, docx or csv) and keeps nothing of it.
#[utoipa::path(
    post, path = "/api/documents", operation_id = "readDocument", params(DocumentQuery),
    request_body(content = inline(DocumentBytes), content_type = "application/octet-stream"),
    responses(
        (status = 200, body = DocumentView),
        (status = 413, body = Problem, description = "It has more than 10 MB"),
        (status = 422, body = Problem, description = "It cannot be read"),
        (status = 503, body = Problem, description = "Too many documents are being read"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn read_document(
    Extension(reader): Extension<Arc<Reader>>,
    query: Result<Query<DocumentQuery>, QueryRejection>,
    request: Request,
) -> Result<Json<DocumentView>, Problem> {
    // Before the body: those who wait for a place hold nothing in memory.
    let place = reader.place()?;
    let (name, bytes) = received(query, request).await?;
    let Answer { text, characters, cut, passed_over } =
        reader.read_at(place, &name, &bytes).await?;
    Ok(Json(DocumentView { name, text, characters, cut, passed_over }))
}

impl From<Unread> for Problem {
    fn from(why: Unread) -> Self {
        let status = match &why {
            Unread::Document(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Unread::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Unread::Failed(why) => {
                error!(%why, "a document could not be read");
                StatusCode::INTERNAL_SERVER_ERROR
            }
        };
        Self::new(status, why.to_string())
    }
}

/// The name and the bytes of a file that was sent.
pub(super) async fn received(
    query: Result<Query<DocumentQuery>, QueryRejection>,
    request: Request,
) -> Result<(String, Bytes), Problem> {
    let name = name(query)?;
    let DocumentBytes(bytes) = bytes(&name, request).await?;
    Ok((name, bytes))
}

fn name(query: Result<Query<DocumentQuery>, QueryRejection>) -> Result<String, Problem> {
    let Ok(Query(DocumentQuery { name })) = query else {
        let message =
            "The address of the request is broken: send the file’s name as ?name=, in UTF-8.";
        return Err(Problem::new(StatusCode::BAD_REQUEST, message));
    };
    let wrong = match check_line(&name, NAME_MAX_CHARS) {
        Ok(()) => return Ok(name),
        Err(LineFault::Empty | LineFault::Wordless) => {
            "Send the file’s name as ?name=, such as cv.pdf.".to_owned()
        }
        Err(LineFault::Long { chars }) => {
            format!(
                "The file’s name has {chars} characters; {NAME_MAX_CHARS} are the most. Rename it."
            )
        }
        Err(LineFault::Hidden) => {
            "The file’s name holds a line break or an invisible mark. Rename it.".to_owned()
        }
    };
    Err(Problem::of_fields(vec![FieldProblem { field: "name".to_owned(), message: wrong }]))
}

async fn bytes(name: &str, request: Request) -> Result<DocumentBytes, Problem> {
    if !is_ours(request.headers()) {
        let message = format!(
            "The request is no document. Send it with the header Content-Type: {CONTENT_TYPE}."
        );
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
    }
    Bytes::from_request(request, &()).await.map(DocumentBytes).map_err(|why| {
        let message = if why.status() == StatusCode::PAYLOAD_TOO_LARGE {
            ::documents::Problem::new(name, Fault::TooLarge).to_string()
        } else {
            "The request broke off before its end. Send it again.".to_owned()
        };
        Problem::new(why.status(), message)
    })
}

fn is_ours(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.trim().eq_ignore_ascii_case(CONTENT_TYPE))
}
