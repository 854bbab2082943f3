//! Matches: start one, look at it, do something in it.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{ConnectInfo, Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::IntoResponse;
use gamegrove_play::Drawing;
use serde::{Deserialize, Serialize};

use super::{Shared, read};
use crate::app::App;
use crate::matches::{Match, PositionView, Record, Seat, Setting, StateView, TreeView};
use crate::refusal::{Answer, Refusal};
use crate::room::{OwnGame, Room};
use crate::rooms::language;
use crate::visitor::{Visitor, token};

type Peer = ConnectInfo<std::net::SocketAddr>;

#[derive(Deserialize)]
struct Wanted {
    game: String,
    #[serde(default)]
    level: usize,
    /// The player of each role: `person` or an agent's name. A default agent plays roles that are left out.
    #[serde(default)]
    players: Vec<Option<String>>,
    /// Seconds that agents think about a move.
    clock: Option<f64>,
    seed: Option<u64>,
    /// Milliseconds of a video game's tick.
    tick: Option<u64>,
    /// The moves with which it begins, step by step, each by role.
    #[serde(default)]
    moves: Vec<Vec<String>>,
}

#[derive(Serialize)]
pub struct Started {
    id: String,
    /// With it other visitors may play too.
    key: String,
}

/// `POST /api/matches`.
pub async fn create(
    State(app): Shared,
    ConnectInfo(peer): Peer,
    headers: HeaderMap,
    body: Bytes,
) -> Answer<Json<Started>> {
    let visitor = Visitor::of(peer, &headers);
    let wanted: Wanted = read(&headers, &body)?;
    let room = app.rooms.open(&app.matches, &visitor, &wanted.game, wanted.level).await?;
    let setting = setting(&app, &room, &wanted)?;
    let id = token();
    let made = id.clone();
    let shared = Arc::clone(&room);
    let pool = app.quick_in(&shared);
    let (moves, limits) = (wanted.moves, Arc::clone(&app.limits));
    let begin = move || Match::after(made, visitor, room, setting, moves, &limits);
    let started = pool.run(begin).await??;
    app.matches.add(&started)?;
    if started.room.is_video() {
        started.start_ticking(&app);
    }
    let (job, shared) = (Arc::clone(&started), Arc::clone(&app));
    app.quick_in(&started.room).run(move || job.settle(&shared)).await?;
    Ok(Json(Started { id, key: started.key.clone() }))
}

fn setting(app: &App, room: &Room, wanted: &Wanted) -> Answer<Setting> {
    let roles = room.roles();
    if wanted.players.len() > roles.len() {
        return Err(Refusal::wrong(
            format!("{} players for {} roles", wanted.players.len(), roles.len()),
            format!("the roles are {}", roles.join(", ")),
        ));
    }
    let seat = |role: usize| match wanted.players.get(role).and_then(Option::as_deref) {
        Some("person") => Ok(Seat::Person),
        Some(name) => room.agent(name).map(|agent| Seat::Agent(Box::new(agent))),
        None => room.agent(room.default_agent()).map(|agent| Seat::Agent(Box::new(agent))),
    };
    let most = app.limits.clock.as_secs_f64();
    let clock = wanted.clock.unwrap_or(1.0);
    if !(0.01..=most).contains(&clock) {
        return Err(Refusal::wrong(
            "agents cannot think that long about a move",
            format!("choose from 0.01 to {most} seconds"),
        ));
    }
    let tick = wanted.tick.unwrap_or(120);
    if !(40..=2000).contains(&tick) {
        return Err(Refusal::wrong("a tick cannot be that long", "choose 40 to 2000 milliseconds"));
    }
    Ok(Setting {
        seats: (0..roles.len()).map(seat).collect::<Answer<_>>()?,
        clock: Duration::from_secs_f64(clock),
        // Seeds travel as JSON numbers, which pages read exactly up to 2^53.
        seed: wanted.seed.unwrap_or_else(|| u64::from_str_radix(&token(), 16).unwrap_or(1) >> 12),
        tick: Duration::from_millis(tick),
    })
}

/// `POST /api/replays`.
pub async fn replay(
    State(app): Shared,
    ConnectInfo(peer): Peer,
    headers: HeaderMap,
    body: Bytes,
) -> Answer<Json<Started>> {
    let visitor = Visitor::of(peer, &headers);
    let record: Record = read(&headers, &body)?;
    let name = match &record.rules {
        None => record.played.game.clone(),
        Some(rules) => {
            let level = record.level_text.clone().unwrap_or_default();
            if rules.len().max(level.len()) > app.limits.rules_bytes {
                return Err(Refusal::large("the rules in the record are too large", ""));
            }
            let name = format!("own-{}", token());
            let (kind, rules) = (language(rules), rules.clone());
            app.rooms.keep(&visitor, OwnGame { name: name.clone(), kind, rules, level });
            name
        }
    };
    let room = app.rooms.open(&app.matches, &visitor, &name, record.level.unwrap_or(0)).await?;
    let id = token();
    let (made, limits) = (id.clone(), Arc::clone(&app.limits));
    // Thousands of steps may be played again, of rules that came with the record.
    let replayed =
        app.pasted.run(move || Match::replay(made, visitor, room, &record.played, &limits));
    let replayed = replayed.await??;
    app.matches.add(&replayed)?;
    Ok(Json(Started { id, key: replayed.key.clone() }))
}

/// Does something with a match on a worker thread.
async fn with<T: Send + 'static>(
    app: &Arc<App>,
    id: &str,
    job: impl FnOnce(&Arc<Match>, &Arc<App>) -> T + Send + 'static,
) -> Answer<T> {
    let (found, shared) = (app.matches.find(id)?, Arc::clone(app));
    let room = Arc::clone(&found.room);
    app.quick_in(&room).run(move || job(&found, &shared)).await
}

/// `GET /api/matches/{id}`.
pub async fn state(State(app): Shared, Path(id): Path<String>) -> Answer<Json<StateView>> {
    let most = app.limits.listed_moves;
    with(&app, &id, move |found, _| found.state(most)).await.map(Json)
}

/// `GET /api/matches/{id}/positions/{ply}`.
pub async fn position(
    State(app): Shared,
    Path((id, ply)): Path<(String, usize)>,
) -> Answer<Json<PositionView>> {
    with(&app, &id, move |found, _| found.position(ply)).await?.map(Json)
}

/// `GET /api/matches/{id}/record`.
pub async fn record(State(app): Shared, Path(id): Path<String>) -> Answer<impl IntoResponse> {
    let record = with(&app, &id, |found, _| found.record()).await?;
    let name =
        format!("attachment; filename=\"{}-{}.json\"", record.played.game.replace('"', ""), id);
    let name = HeaderValue::from_str(&name).unwrap_or(HeaderValue::from_static("attachment"));
    Ok(([(header::CONTENT_DISPOSITION, name)], Json(record)))
}

#[derive(Deserialize)]
pub struct PreviewQuery {
    role: usize,
    #[serde(rename = "move")]
    mov: String,
}

/// `GET /api/matches/{id}/preview?role=R&move=M`.
pub async fn preview(
    State(app): Shared,
    Path(id): Path<String>,
    Query(query): Query<PreviewQuery>,
) -> Answer<Json<Drawing>> {
    with(&app, &id, move |found, _| found.preview(query.role, &query.mov)).await?.map(Json)
}

#[derive(Deserialize)]
pub struct TreeQuery {
    ply: Option<usize>,
    role: Option<usize>,
    #[serde(default)]
    node: usize,
}

/// `GET /api/matches/{id}/tree?ply=P&role=R&node=N`.
pub async fn tree(
    State(app): Shared,
    Path(id): Path<String>,
    Query(query): Query<TreeQuery>,
) -> Answer<Json<TreeView>> {
    with(&app, &id, move |found, _| found.tree(query.ply, query.role, query.node)).await?.map(Json)
}

#[derive(Deserialize)]
struct Chosen {
    role: usize,
    #[serde(rename = "move")]
    mov: String,
}

/// What was asked for is done.
#[derive(Serialize)]
pub struct Done {
    done: bool,
}

const DONE: Json<Done> = Json(Done { done: true });

/// `POST /api/matches/{id}/move`.
pub async fn choose(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer<Json<Done>> {
    let Chosen { role, mov } = read(&headers, &body)?;
    with(&app, &id, move |found, app| found.choose(app, role, &mov)).await??;
    Ok(DONE)
}

/// `POST /api/matches/{id}/undo`.
pub async fn undo(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer<Json<Done>> {
    let _: serde_json::Value = read(&headers, &body)?;
    with(&app, &id, Match::undo).await??;
    Ok(DONE)
}

#[derive(Deserialize)]
struct WhichRole {
    role: usize,
}

/// `POST /api/matches/{id}/hint`.
pub async fn hint(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer<Json<Done>> {
    let WhichRole { role } = read(&headers, &body)?;
    with(&app, &id, move |found, app| found.hint(app, role)).await??;
    Ok(DONE)
}

/// `POST /api/matches/{id}/resign`.
pub async fn resign(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer<Json<Done>> {
    let WhichRole { role } = read(&headers, &body)?;
    with(&app, &id, move |found, _| found.resign(role)).await??;
    Ok(DONE)
}

#[derive(Deserialize)]
struct Pause {
    paused: bool,
}

/// `POST /api/matches/{id}/pause`.
pub async fn pause(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer<Json<Done>> {
    let Pause { paused } = read(&headers, &body)?;
    with(&app, &id, move |found, _| found.pause(paused)).await?;
    Ok(DONE)
}

#[derive(Deserialize)]
struct Key {
    #[serde(default)]
    role: usize,
    action: String,
    down: bool,
}

/// `POST /api/matches/{id}/key`.
pub async fn key(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer<Json<Done>> {
    let Key { role, action, down } = read(&headers, &body)?;
    with(&app, &id, move |found, _| found.key(role, &action, down)).await??;
    Ok(DONE)
}
