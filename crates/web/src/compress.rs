//! Answers that are smaller on their way: gzip for browsers that take it, streams of events included, and
//! no body at all where the browser still has the same one.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::io::Write;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, BodyDataStream, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use futures_core::Stream;

/// Less is sent as it is.
const SMALL: usize = 600;
/// The largest body that is kept in memory to be compressed at once.
const LARGEST: usize = 32 << 20;
/// Little time for most of the gain.
const LEVEL: u32 = 4;

/// Compresses an answer, if the browser takes that and it is worth it.
pub async fn compress(request: Request, next: Next) -> Response {
    let takes_gzip = accepts_gzip(request.headers());
    let known = request.headers().get(header::IF_NONE_MATCH).cloned();
    let reads = request.method() == Method::GET;
    let response = next.run(request).await;
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kind = kind.unwrap_or_default().to_owned();
    if kind.starts_with("text/event-stream") {
        return if takes_gzip { stream(response) } else { response };
    }
    let is_text =
        ["text/", "application/json", "image/svg"].iter().any(|word| kind.starts_with(word))
            || kind.contains("javascript");
    if !is_text || response.headers().contains_key(header::CONTENT_ENCODING) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(body) = to_bytes(body, LARGEST).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    parts.headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if reads && parts.status == StatusCode::OK && is_kept(&parts.headers) {
        let tag = tag(&body);
        if known.as_ref() == Some(&tag) {
            parts.status = StatusCode::NOT_MODIFIED;
            parts.headers.remove(header::CONTENT_LENGTH);
            parts.headers.insert(header::ETAG, tag);
            return Response::from_parts(parts, Body::empty());
        }
        parts.headers.insert(header::ETAG, tag);
    }
    if !takes_gzip || body.len() < SMALL {
        return Response::from_parts(parts, Body::from(body));
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(LEVEL));
    let packed = encoder.write_all(&body).and_then(|()| encoder.finish());
    let Ok(packed) = packed else { return Response::from_parts(parts, Body::from(body)) };
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    Response::from_parts(parts, Body::from(packed))
}

/// Whether a browser may keep an answer and ask whether it is still the same.
fn is_kept(headers: &HeaderMap) -> bool {
    let keep = headers.get(header::CACHE_CONTROL).and_then(|keep| keep.to_str().ok());
    keep.is_some_and(|keep| keep.contains("no-cache"))
}

/// The name of a body: equal bodies have equal names.
fn tag(body: &Bytes) -> HeaderValue {
    let mut hasher = DefaultHasher::new();
    body.hash(&mut hasher);
    let text = format!("W/\"{:016x}\"", hasher.finish());
    HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static("W/\"none\""))
}

fn accepts_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT_ENCODING).iter();
    let mut words =
        accepted.filter_map(|value| value.to_str().ok()).flat_map(|text| text.split(','));
    words.any(|word| {
        let mut parts = word.split(';').map(str::trim);
        parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip"))
            && !parts.any(|weight| matches!(weight, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
    })
}

/// Compresses a stream of events; every event leaves at once.
fn stream(response: Response) -> Response {
    let (mut parts, body) = response.into_parts();
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    parts.headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    let encoder = Some(GzEncoder::new(Vec::new(), Compression::new(LEVEL)));
    let packed = Packed { from: body.into_data_stream(), encoder };
    Response::from_parts(parts, Body::from_stream(packed))
}

/// A stream whose pieces are compressed one after another, so that later ones can refer to earlier ones.
struct Packed {
    from: BodyDataStream,
    /// Nothing after the end.
    encoder: Option<GzEncoder<Vec<u8>>>,
}

impl Stream for Packed {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        let Some(encoder) = &mut this.encoder else { return Poll::Ready(None) };
        match Pin::new(&mut this.from).poll_next(context) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(Some(Ok(piece))) => {
                let packed = encoder.write_all(&piece).and_then(|()| encoder.flush());
                let packed = packed.map(|()| Bytes::from(std::mem::take(encoder.get_mut())));
                Poll::Ready(Some(packed.map_err(axum::Error::new)))
            }
            Poll::Ready(Some(Err(error))) => Poll::Ready(Some(Err(error))),
            Poll::Ready(None) => {
                let end = this.encoder.take().map(GzEncoder::finish);
                Poll::Ready(end.map(|end| end.map(Bytes::from).map_err(axum::Error::new)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(text: &'static str) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(text));
        accepts_gzip(&headers)
    }

    #[test]
    fn browsers_say_what_they_take() {
        assert!(accepts("gzip, deflate, br") && accepts("br;q=1.0, gzip;q=0.8"));
        assert!(!accepts("br") && !accepts("gzip;q=0") && !accepts_gzip(&HeaderMap::new()));
    }
}
