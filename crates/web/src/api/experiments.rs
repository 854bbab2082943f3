//! Experiments: the list, and one with its results so far.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderValue, header};
use axum::response::IntoResponse;
use serde::Deserialize;

use super::Shared;
use crate::experiments::Listed;
use crate::refusal::Answer;

/// `GET /api/experiments`.
pub async fn list(State(app): Shared) -> Answer<Json<Vec<Listed>>> {
    let shared = Arc::clone(&app);
    app.browsing.run(move || shared.experiments.list()).await.map(Json)
}

#[derive(Deserialize)]
pub struct Choice {
    pub(super) profile: Option<String>,
}

/// `GET /api/experiments/{name}`.
pub async fn one(
    State(app): Shared,
    Path(name): Path<String>,
    Query(choice): Query<Choice>,
) -> Answer<impl IntoResponse> {
    let shared = Arc::clone(&app);
    let job = move || shared.experiments.page(&name, choice.profile.as_deref());
    let page = app.browsing.run(job).await??;
    let kind = [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))];
    Ok((kind, page.to_string()))
}
