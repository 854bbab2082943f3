//! The addresses under `/api`, one file for each kind of thing.

mod events;
mod experiments;
mod games;
mod matches;
mod seats;

use std::sync::Arc;

use axum::Json;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::routing::{get, post};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::app::App;
use crate::refusal::{Answer, Refusal};

/// What every handler gets.
type Shared = State<Arc<App>>;

/// All addresses.
pub fn routes(app: &Arc<App>) -> Router {
    let limits = &app.limits;
    let large = axum::extract::DefaultBodyLimit::max(2 * limits.rules_bytes + 4096);
    let record = axum::extract::DefaultBodyLimit::max(limits.record_bytes);
    let usual = axum::extract::DefaultBodyLimit::max(limits.request_bytes);
    let seated = axum::middleware::from_fn_with_state(Arc::clone(app), seats::seated);
    let changes = Router::new()
        .route("/api/matches/{id}/move", post(matches::choose).layer(usual))
        .route("/api/matches/{id}/undo", post(matches::undo).layer(usual))
        .route("/api/matches/{id}/hint", post(matches::hint).layer(usual))
        .route("/api/matches/{id}/resign", post(matches::resign).layer(usual))
        .route("/api/matches/{id}/pause", post(matches::pause).layer(usual))
        .route("/api/matches/{id}/key", post(matches::key).layer(usual))
        .route_layer(seated);
    Router::new()
        .merge(changes)
        .route("/api/status", get(status))
        .route("/api/games", get(games::list))
        .route("/api/games/{name}", get(games::one))
        .route("/api/games/{name}/drawing", get(games::drawing))
        .route("/api/agents", get(games::agents))
        .route("/api/check", post(games::check).layer(large))
        .route("/api/own-games", post(games::paste).layer(large))
        .route("/api/matches", post(matches::create).layer(record))
        .route("/api/replays", post(matches::replay).layer(record))
        .route("/api/matches/{id}", get(matches::state))
        .route("/api/matches/{id}/positions/{ply}", get(matches::position))
        .route("/api/matches/{id}/record", get(matches::record))
        .route("/api/matches/{id}/preview", get(matches::preview))
        .route("/api/matches/{id}/tree", get(matches::tree))
        .route("/api/matches/{id}/events", get(events::of_match))
        .route("/api/experiments", get(experiments::list))
        .route("/api/experiments/{name}", get(experiments::one))
        .route("/api/experiments/{name}/events", get(events::of_experiment))
        .with_state(Arc::clone(app))
}

/// Reads what was sent. Only our own page can send JSON: others would have to ask first.
fn read<T: DeserializeOwned>(headers: &HeaderMap, body: &Bytes) -> Answer<T> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    if !kind.is_some_and(|kind| kind.starts_with("application/json")) {
        return Err(Refusal::wrong("this is not JSON", "send application/json"));
    }
    serde_json::from_slice(body).map_err(|error| {
        Refusal::wrong(format!("what was sent cannot be read: {error}"), "see docs/web.md")
    })
}

#[derive(Serialize)]
struct Status {
    version: &'static str,
    matches: usize,
    games: usize,
    searches: usize,
    quick: usize,
    pasted: usize,
    browsing: usize,
    minds: usize,
    listeners: usize,
}

/// How busy the server is.
async fn status(State(app): Shared) -> Json<impl Serialize> {
    Json(Status {
        version: env!("CARGO_PKG_VERSION"),
        matches: app.matches.len(),
        games: app.rooms.len(),
        searches: app.search.load() + app.pasted_search.load() + app.realtime.load(),
        quick: app.quick.load(),
        pasted: app.pasted.load(),
        browsing: app.browsing.load(),
        minds: app.minds.len(),
        listeners: app.watching(),
    })
}
