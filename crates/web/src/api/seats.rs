//! Seats: a match is changed by the visitor that started it, or with its key. All others watch.

use axum::extract::{ConnectInfo, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::Shared;
use crate::refusal::Refusal;
use crate::visitor::Visitor;

/// The header with the key of a match.
const KEY: &str = "x-match-key";

/// Refuses what would change a match of another visitor.
pub async fn seated(
    State(app): Shared,
    ConnectInfo(peer): ConnectInfo<std::net::SocketAddr>,
    request: Request,
    next: Next,
) -> Response {
    let id = request.uri().path().split('/').nth(3).unwrap_or_default();
    let Ok(found) = app.matches.find(id) else { return next.run(request).await };
    let key = request.headers().get(KEY).and_then(|key| key.to_str().ok());
    let here = Visitor::Address(peer.ip().to_canonical());
    // A match that was started without a cookie belongs to the machine.
    let owned = [Visitor::of(peer, request.headers()), here].contains(&found.visitor);
    match owned || key == Some(&found.key) {
        true => next.run(request).await,
        false => Refusal::foreign(
            "Another visitor plays this match",
            "Watch it, or ask for its invitation to play.",
        )
        .into_response(),
    }
}
