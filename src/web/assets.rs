use std::borrow::Cow;
use std::io::Read;

use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::read::GzDecoder;
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

/// A file of the built pages, by its path. They are kept packed, and unpacked for whoever does not take them
/// so.
pub(super) async fn file(Path(path): Path<String>, asked: HeaderMap) -> Response {
    let Some(file) = Dist::get(&format!("assets/{path}.gz")) else {
        return (StatusCode::NOT_FOUND, "There is no such file.").into_response();
    };
    let vary = [(header::VARY, "accept-encoding")];
    let caching = "public, max-age=31536000, immutable";
    if takes_gzip(&asked) {
        let encoding = [(header::CONTENT_ENCODING, "gzip")];
        return (vary, encoding, answer(&path, file.data, caching)).into_response();
    }
    match unpacked(&file.data) {
        Ok(data) => (vary, answer(&path, data.into(), caching)).into_response(),
        Err(why) => {
            tracing::error!(%why, path, "a file of the pages could not be unpacked");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

fn takes_gzip(asked: &HeaderMap) -> bool {
    let accepted = asked.get_all(header::ACCEPT_ENCODING).iter();
    let mut accepted = accepted.filter_map(|value| value.to_str().ok()).flat_map(|v| v.split(','));
    accepted.any(|one| {
        let (coding, weight) = one.split_once(";").unwrap_or((one, ""));
        coding.trim() == "gzip" && !matches!(weight.trim(), "q=0" | "q=0.0")
    })
}

fn unpacked(packed: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut data = Vec::new();
    GzDecoder::new(packed).read_to_end(&mut data)?;
    Ok(data)
}

/// The one HTML page: which view it shows is decided by the address, in the browser.
pub(super) async fn page() -> Response {
    page_of(Dist::get("index.html"))
}

fn page_of(index: Option<EmbeddedFile>) -> Response {
    match index {
        Some(index) => answer("index.html", index.data, "no-store"),
        None => (StatusCode::SERVICE_UNAVAILABLE, NO_PAGES).into_response(),
    }
}

fn answer(path: &str, data: Cow<'static, [u8]>, caching: &'static str) -> Response {
    let headers = [(header::CONTENT_TYPE, content_type(path)), (header::CACHE_CONTROL, caching)];
    (headers, data).into_response()
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
    use axum::http::HeaderValue;

    use super::*;

    /// U02: who takes packed files gets them so, and nobody else.
    #[test]
    fn packed_files_are_for_those_who_take_them() {
        for (accepts, takes) in [
            ("gzip", true),
            ("br, gzip;q=0.8, *", true),
            ("identity", false),
            ("br,gzip;q=0", false),
            ("x-gzip2", false),
        ] {
            let headers = [(header::ACCEPT_ENCODING, HeaderValue::from_static(accepts))];
            assert_eq!(takes_gzip(&headers.into_iter().collect()), takes, "{accepts}");
        }
        assert!(!takes_gzip(&HeaderMap::new()));
        let mut packer = flate2::read::GzEncoder::new(&b"const a = 1;"[..], Default::default());
        let mut packed = Vec::new();
        packer.read_to_end(&mut packed).unwrap();
        assert_eq!(unpacked(&packed).unwrap(), b"const a = 1;");
    }

    /// Built without the frontend, the page says so in one sentence.
    #[tokio::test]
    async fn missing_pages_are_one_sentence() {
        let response = page_of(None);
        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
        let body = axum::body::to_bytes(response.into_body(), 1024).await.unwrap();
        assert!(std::str::from_utf8(&body).unwrap().starts_with("The web pages were not built"));
    }
}
