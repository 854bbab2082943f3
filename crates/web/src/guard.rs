//! What every request must pass, and what every answer carries.
//!
//! - The `Host` must be an address or a name that was allowed: a page elsewhere whose name suddenly
//!   leads to this machine (DNS rebinding) gets nothing.
//! - What changes something must come from our own page: its `Origin` is our host.
//! - Answers forbid everything that the page does not need: other hosts, frames, inline scripts and
//!   styles.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::refusal::Refusal;

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// The names besides addresses under which the server may be called.
#[derive(Clone, Debug)]
pub struct Guard {
    names: Arc<Vec<String>>,
}

impl Guard {
    /// Allows these names and `localhost`.
    pub fn new(names: &[String]) -> Guard {
        Guard { names: Arc::new(names.iter().map(|name| name.to_lowercase()).collect()) }
    }

    fn allows(&self, host: &str) -> bool {
        let name = host_name(host).to_lowercase();
        let address = name.trim_start_matches('[').trim_end_matches(']');
        address.parse::<IpAddr>().is_ok()
            || name == "localhost"
            || name.ends_with(".localhost")
            || self.names.contains(&name)
    }

    fn check(&self, request: &Request) -> Result<(), Refusal> {
        let header = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
        let host = header(header::HOST).unwrap_or_default();
        if !self.allows(host) {
            return Err(Refusal::forbidden(
                "this server is not known under the name it was called by",
                "call it by its address, or start it with --allow-host NAME",
            ));
        }
        if matches!(*request.method(), Method::GET | Method::HEAD) {
            return Ok(());
        }
        if let Some(origin) = header(header::ORIGIN) {
            let from = origin.split_once("://").map_or("", |(_, from)| from);
            if from != host {
                return Err(Refusal::forbidden(
                    "another page may not change anything here",
                    "use the page of this server",
                ));
            }
        }
        Ok(())
    }
}

/// The name in a `Host` header, without the port.
fn host_name(host: &str) -> &str {
    match host.rsplit_once(':') {
        // The colons of an address in brackets are no ports.
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    }
}

/// Checks a request and adds to its answer.
pub async fn guard(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let mut response = match guard.check(&request) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    let headers = response.headers_mut();
    let fixed = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_allowed_names_pass() {
        let guard = Guard::new(&["Games.Example".to_owned()]);
        for host in ["127.0.0.1:8080", "localhost", "[::1]:80", "192.168.1.5:1", "games.example:8"]
        {
            assert!(guard.allows(host), "{host}");
        }
        for host in ["", "evil.example", "localhost.evil.example:8080", "127.0.0.1.evil.example"] {
            assert!(!guard.allows(host), "{host}");
        }
    }
}
