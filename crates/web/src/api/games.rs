//! Games: the list, one game, its drawing, and pasted games.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{ConnectInfo, Path, Query, State};
use axum::http::{HeaderMap, header};
use axum::response::IntoResponse;
use gamegrove_agents::Agent;
use gamegrove_play::Drawing;
use gamegrove_play::library::{self, Header, Kind};
use serde::{Deserialize, Serialize};

use super::{Shared, read};
use crate::gallery::Entry;
use crate::refusal::{Answer, Refusal};
use crate::room::{Checked, OwnGame, Sheet, check as check_rules, default_agent, suits};
use crate::rooms::language;
use crate::visitor::{Visitor, token};

/// `GET /api/games`.
pub async fn list(State(app): Shared) -> Answer<Json<Vec<Entry>>> {
    let list = app.gallery.list(&app.browsing).await?;
    Ok(Json(list.to_vec()))
}

#[derive(Serialize)]
pub struct GamePage {
    name: String,
    title: String,
    kind: Kind,
    roles: Vec<String>,
    tags: Vec<String>,
    levels: usize,
    /// What the comment at the top of the rules says.
    description: Vec<String>,
    rules: String,
    /// The level of a video game that was asked for, as text.
    level_text: String,
    own: bool,
    source: Vec<String>,
    default_agent: &'static str,
    drawing: Drawing,
}

#[derive(Deserialize)]
pub struct LevelQuery {
    #[serde(default)]
    level: usize,
}

/// `GET /api/games/{name}`.
pub async fn one(
    State(app): Shared,
    ConnectInfo(peer): ConnectInfo<std::net::SocketAddr>,
    headers: HeaderMap,
    Path(name): Path<String>,
    Query(query): Query<LevelQuery>,
) -> Answer<Json<GamePage>> {
    match app.rooms.sheet(&name)? {
        Sheet::Own(game) => own_page(&app, &Visitor::of(peer, &headers), &game).await.map(Json),
        Sheet::Shipped(name) => {
            let base = name.split('(').next().unwrap_or_default().trim();
            let list = app.gallery.list(&app.browsing).await?;
            let missing = || Refusal::missing("there is no such game", "look in the gallery");
            let shipped = library::find(base).ok_or_else(missing)?;
            let entry = list.iter().find(|entry| entry.name == shipped.name).ok_or_else(missing)?;
            let drawing = app.gallery.drawing(&app.browsing, shipped.name, query.level).await?;
            let entry = entry.clone();
            Ok(Json(GamePage {
                name,
                title: entry.title,
                kind: entry.kind,
                roles: entry.roles,
                tags: entry.tags,
                levels: entry.levels,
                description: Header::read(shipped.text, shipped.kind).lines,
                rules: shipped.text.to_owned(),
                level_text: shipped.levels.get(query.level).copied().unwrap_or_default().to_owned(),
                own: false,
                source: shipped.metadata().map(|about| about.source).unwrap_or_default(),
                default_agent: default_agent(shipped.kind),
                drawing: Drawing::clone(&drawing),
            }))
        }
    }
}

async fn own_page(
    app: &crate::app::App,
    visitor: &Visitor,
    game: &Arc<OwnGame>,
) -> Answer<GamePage> {
    let room = app.rooms.open(&app.matches, visitor, &game.name, 0).await?;
    let drawn = Arc::clone(&room);
    let drawing = app.pasted.run(move || drawn.board.draw(&drawn.board.start(1), None)).await?;
    Ok(GamePage {
        name: game.name.clone(),
        title: room.title.clone(),
        kind: game.kind,
        roles: room.roles().to_vec(),
        tags: Vec::new(),
        levels: 0,
        description: Header::read(&game.rules, game.kind).lines,
        rules: game.rules.clone(),
        level_text: game.level.clone(),
        own: true,
        source: Vec::new(),
        default_agent: default_agent(game.kind),
        drawing,
    })
}

/// `GET /api/games/{name}/drawing`. The browser keeps it, and asks whether it is still the same.
pub async fn drawing(
    State(app): Shared,
    Path(name): Path<String>,
    Query(query): Query<LevelQuery>,
) -> Answer<impl IntoResponse> {
    let drawn = app.gallery.drawing(&app.browsing, &name, query.level).await?;
    Ok(([(header::CACHE_CONTROL, "no-cache")], Json(Drawing::clone(&drawn))))
}

#[derive(Serialize)]
pub struct AgentEntry {
    name: &'static str,
    title: &'static str,
    sentence: &'static str,
    source: &'static str,
    /// The kinds of games it can play.
    kinds: Vec<Kind>,
}

/// `GET /api/agents`.
pub async fn agents() -> Json<Vec<AgentEntry>> {
    let entry = |agent: &'static Agent| AgentEntry {
        name: &agent.name,
        title: &agent.title,
        sentence: &agent.sentence,
        source: &agent.source,
        kinds: Kind::ALL.into_iter().filter(|&kind| suits(agent, kind)).collect(),
    };
    Json(Agent::all().iter().map(entry).collect())
}

#[derive(Deserialize)]
struct Pasted {
    rules: String,
    #[serde(default)]
    level: String,
}

impl Pasted {
    fn checked_size(self, most: usize) -> Answer<Pasted> {
        let largest = self.rules.len().max(self.level.len());
        match largest > most {
            true => Err(Refusal::large(
                format!("the text has {} kB", largest / 1000),
                format!(
                    "at most {} kB can be pasted; `grove check` takes larger files",
                    most / 1000
                ),
            )),
            false => Ok(self),
        }
    }
}

/// `POST /api/check`.
pub async fn check(State(app): Shared, headers: HeaderMap, body: Bytes) -> Answer<Json<Checked>> {
    let pasted: Pasted = read(&headers, &body)?;
    let Pasted { rules, level } = pasted.checked_size(app.limits.rules_bytes)?;
    let checked = app.pasted.run(move || check_rules(language(&rules), &rules, &level)).await?;
    Ok(Json(checked))
}

#[derive(Serialize)]
pub struct Kept {
    name: String,
}

/// `POST /api/own-games`.
pub async fn paste(
    State(app): Shared,
    ConnectInfo(peer): ConnectInfo<std::net::SocketAddr>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer<Json<Kept>> {
    let visitor = Visitor::of(peer, &headers);
    let pasted: Pasted = read(&headers, &body)?;
    let Pasted { rules, level } = pasted.checked_size(app.limits.rules_bytes)?;
    let kind = language(&rules);
    let (rules, level, checked) = app
        .pasted
        .run(move || {
            let checked = check_rules(kind, &rules, &level);
            (rules, level, checked)
        })
        .await?;
    if !checked.playable {
        let help = checked.missing.unwrap_or_else(|| "correct the errors first".to_owned());
        return Err(Refusal::wrong("this cannot be played yet", help).with(checked.findings));
    }
    let name = format!("own-{}", token());
    app.rooms.keep(&visitor, OwnGame { name: name.clone(), kind, rules, level });
    // Setting it up shows at once whether it can be played within the limits.
    app.rooms.open(&app.matches, &visitor, &name, 0).await?;
    Ok(Json(Kept { name }))
}
