//! Why a request is refused, in words that people can act on.

use axum::Json;
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use gamegrove_play::Problem;
use serde::Serialize;

use crate::findings::Finding;

/// What handlers return.
pub type Answer<T> = Result<T, Refusal>;

/// A request that is refused.
#[derive(Clone, Debug, Serialize)]
pub struct Refusal {
    #[serde(skip)]
    status: StatusCode,
    /// What is wrong.
    pub error: String,
    /// What to do about it; may be empty.
    pub help: String,
    /// What was found in a rulesheet.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
}

impl Refusal {
    fn new(status: StatusCode, error: impl Into<String>, help: impl Into<String>) -> Refusal {
        Refusal { status, error: error.into(), help: help.into(), findings: Vec::new() }
    }

    /// It was asked for wrongly.
    pub fn wrong(error: impl Into<String>, help: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, error, help)
    }

    /// There is no such thing.
    pub fn missing(error: impl Into<String>, help: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, error, help)
    }

    /// Not in this position or not any more.
    pub fn conflict(error: impl Into<String>, help: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::CONFLICT, error, help)
    }

    /// It belongs to another visitor.
    pub fn foreign(error: impl Into<String>, help: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::FORBIDDEN, error, help)
    }

    /// It is too large.
    pub fn large(error: impl Into<String>, help: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, error, help)
    }

    /// This visitor has enough.
    pub fn enough(error: impl Into<String>, help: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::TOO_MANY_REQUESTS, error, help)
    }

    /// A limit on all visitors together is reached.
    pub fn busy(error: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, error, "try again in a moment")
    }

    /// It took too long to ask, or to answer.
    pub fn late(error: impl Into<String>, help: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::REQUEST_TIMEOUT, error, help)
    }

    /// The visitor may not do this.
    pub fn forbidden(error: impl Into<String>, help: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::FORBIDDEN, error, help)
    }

    /// With what was found in a rulesheet.
    pub fn with(mut self, findings: Vec<Finding>) -> Refusal {
        self.findings = findings;
        self
    }
}

/// Says in JSON what the libraries below say in plain text: a number in an address that is none, a method
/// that is not allowed, a body that is too long.
pub async fn in_json(request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE);
    let plain = kind.is_none_or(|kind| kind.as_bytes().starts_with(b"text/plain"));
    if !(status.is_client_error() && plain) {
        return response;
    }
    const MOST: usize = 4096;
    let said = axum::body::to_bytes(response.into_body(), MOST).await.unwrap_or_default();
    let said = String::from_utf8_lossy(&said).trim().to_owned();
    let reason = status.canonical_reason().unwrap_or("it is refused").to_lowercase();
    let error = if said.is_empty() { reason } else { said };
    Refusal::new(status, error, "see docs/web.md for what can be asked").into_response()
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Refusal {
        let findings = match &problem {
            Problem::Rules { text, found, .. } => Finding::all(text, found),
            Problem::Usage { .. } | Problem::Broken { .. } => Vec::new(),
        };
        Refusal::wrong(problem.to_string(), problem.help()).with(findings)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(self)).into_response()
    }
}
