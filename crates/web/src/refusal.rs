//! Why a request is refused, in words that people can act on.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use gamegrove_shelf::Problem;
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

    /// It is too large.
    pub fn large(error: impl Into<String>, help: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, error, help)
    }

    /// This visitor has enough.
    pub fn enough(error: impl Into<String>, help: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::TOO_MANY_REQUESTS, error, help)
    }

    /// Everybody together has enough.
    pub fn busy(error: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, error, "try again in a moment")
    }

    /// Whoever asks may not.
    pub fn forbidden(error: impl Into<String>, help: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::FORBIDDEN, error, help)
    }

    /// With what was found in a rulesheet.
    pub fn with(mut self, findings: Vec<Finding>) -> Refusal {
        self.findings = findings;
        self
    }
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
