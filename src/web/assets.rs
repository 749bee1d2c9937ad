use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

/// The built pages. The crate builds without them; a debug build reads them from the folder when asked.
#[derive(RustEmbed)]
#[folder = "web/dist"]
#[allow_missing = true]
struct Dist;

/// What is told where there are no pages.
pub const NO_PAGES: &str =
    "The web pages were not built: run `make web`, then build vivavoce again.";

/// Whether the pages were built when this program was.
pub fn has_pages() -> bool {
    Dist::get("index.html").is_some()
}

/// A file of the built pages, by its path.
pub(super) async fn file(Path(path): Path<String>) -> Response {
    let path = format!("assets/{path}");
    match Dist::get(&path) {
        Some(file) => answer(&path, file, "public, max-age=31536000, immutable"),
        None => (StatusCode::NOT_FOUND, "There is no such file.").into_response(),
    }
}

/// The one HTML page: which view it shows is decided by the address, in the browser.
pub(super) async fn page() -> Response {
    page_of(Dist::get("index.html"))
}

fn page_of(index: Option<EmbeddedFile>) -> Response {
    match index {
        Some(index) => answer("index.html", index, "no-store"),
        None => (StatusCode::SERVICE_UNAVAILABLE, NO_PAGES).into_response(),
    }
}

fn answer(path: &str, file: EmbeddedFile, caching: &'static str) -> Response {
    let headers = [(header::CONTENT_TYPE, content_type(path)), (header::CACHE_CONTROL, caching)];
    (headers, file.data).into_response()
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("wav") => "audio/wav",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Built without the frontend, the page says so in one sentence.
    #[tokio::test]
    async fn missing_pages_are_one_sentence() {
        let response = page_of(None);
        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
        let body = axum::body::to_bytes(response.into_body(), 1024).await.unwrap();
        assert!(std::str::from_utf8(&body).unwrap().starts_with("The web pages were not built"));
    }
}
