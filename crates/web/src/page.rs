//! The page: files that were built with the crate, and nothing else.

use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use include_dir::{Dir, include_dir};

use crate::refusal::Refusal;

static PAGE: Dir<'_> = include_dir!("$OUT_DIR/page");

/// Whether the page was built into this program.
pub fn is_built() -> bool {
    PAGE.get_file("index.html").is_some()
}

const ABSENT: &str = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
<title>Gamegrove without its page</title></head><body><main>\
<h1>Gamegrove runs, but its page is not in this program</h1>\
<p>The page is built together with the program where <code>npm</code> (Node.js 20.19 or newer) is \
installed. To add it, install npm and build again:</p>\
<pre>touch crates/web/build.rs\ncargo build --release</pre>\
<p>Everything the page does can be asked for without it too: see <a href=\"/api/games\">/api/games</a> \
and <code>docs/web.md</code>.</p></main></body></html>\n";

/// A file of the page. Every address that is not a file is a place within the page.
pub async fn serve(uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    if path.starts_with("api/") || path == "api" {
        return Refusal::missing("there is no such address", "see docs/web.md").into_response();
    }
    if let Some(file) = PAGE.get_file(path).filter(|_| path != "index.html") {
        let kind = match path.rsplit_once('.').map(|(_, end)| end) {
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("svg") => "image/svg+xml",
            Some("json") => "application/json",
            _ => "application/octet-stream",
        };
        // Names of assets change with their content.
        let keep = if path.starts_with("assets/") {
            "public, max-age=31536000, immutable"
        } else {
            "no-cache"
        };
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
            (header::CACHE_CONTROL, HeaderValue::from_static(keep)),
        ];
        return (headers, file.contents()).into_response();
    }
    if path.starts_with("assets/") {
        return (StatusCode::NOT_FOUND, "there is no such file").into_response();
    }
    match PAGE.get_file("index.html").and_then(|file| file.contents_utf8()) {
        Some(index) => Html(index).into_response(),
        None => Html(ABSENT).into_response(),
    }
}
