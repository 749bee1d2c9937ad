//! Work that takes long, such as reading the text of a journal.

use axum::http::StatusCode;

use super::problem::Problem;

/// Runs work on a thread where it keeps no other request waiting.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|why| {
        tracing::error!(%why, "request handler panicked");
        Err(Problem::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "The request failed on our side. Try again.",
        ))
    })
}
