//! The list of games, and one game's page.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use gamegrove_game::{Describe, Game, Role};
use gamegrove_gdl::{Prover, ProverLimits, Reading};
use gamegrove_shelf::library::{self, Header, Kind, Shipped};
use gamegrove_shelf::load::{LevelChoice, Source};
use gamegrove_shelf::{Rules, picture, video};
use serde::Serialize;
use tokio::sync::OnceCell;

use crate::drawing::{Artist, Drawing, FactArtist, OctagonArtist, VideoArtist};
use crate::pool::Pool;
use crate::refusal::{Answer, Refusal};

/// A game in the list.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Its language.
    pub kind: Kind,
    /// For people.
    pub title: String,
    /// The names of the roles.
    pub roles: Vec<String>,
    /// Words for what kind of game it is.
    pub tags: Vec<String>,
    /// How many levels it has.
    pub levels: usize,
}

/// The list, and the drawings that were asked for.
#[derive(Debug, Default)]
pub struct Gallery {
    list: OnceCell<Arc<Vec<Entry>>>,
    drawings: Mutex<HashMap<(String, usize), Arc<Drawing>>>,
}

impl Gallery {
    /// All games.
    pub async fn list(&self, pool: &Pool) -> Answer<Arc<Vec<Entry>>> {
        let made = self.list.get_or_try_init(|| async {
            pool.run(|| Arc::new(library::games().iter().filter_map(entry).collect())).await
        });
        made.await.cloned()
    }

    /// The first position of a shipped game.
    pub async fn drawing(&self, pool: &Pool, name: &str, level: usize) -> Answer<Arc<Drawing>> {
        let missing = || Refusal::missing("no such game is shipped", "the gallery has all games");
        let game = library::find(name).ok_or_else(missing)?;
        let key = (game.name.to_owned(), level.min(game.levels.len()));
        if let Some(known) = self.drawings().get(&key) {
            return Ok(Arc::clone(known));
        }
        let drawn = pool.run(move || first_position(&game, level)).await?;
        let drawn = Arc::new(drawn?);
        // Bounded by the number of games and levels that ship.
        self.drawings().insert(key, Arc::clone(&drawn));
        Ok(drawn)
    }

    fn drawings(&self) -> std::sync::MutexGuard<'_, HashMap<(String, usize), Arc<Drawing>>> {
        self.drawings.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A prover for a look at the start, set up in a hurry.
fn glance(sheet: &gamegrove_gdl::Rulesheet) -> Option<Prover> {
    let limits = ProverLimits { samples: 1, ..ProverLimits::default() };
    Prover::with_limits(&sheet.program, limits).ok()
}

fn entry(game: &Shipped) -> Option<Entry> {
    let source = Source::open(game.name).ok()?;
    let header = Header::read(game.text, game.kind);
    let roles = match game.kind {
        Kind::Vgdl => video::load(&source, &LevelChoice::Number(0)).ok()?.roles(),
        Kind::Octagon => names(&gamegrove_octagon_of(&source)?),
        Kind::Gdl => names(&glance(&source.rulesheet(Reading::Logical).ok()?)?),
    };
    let mut tags = header.tags(roles.len());
    match game.kind {
        Kind::Gdl => tags.extend(game.metadata().ok()?.tags),
        Kind::Vgdl => tags.push("video".to_owned()),
        Kind::Octagon => tags.push("octagons".to_owned()),
    }
    Some(Entry {
        name: game.name.to_owned(),
        kind: game.kind,
        title: header.title().unwrap_or(game.name).to_owned(),
        roles,
        tags,
        levels: game.levels.len(),
    })
}

fn gamegrove_octagon_of(source: &Source) -> Option<gamegrove_octagon::Octagon> {
    match source.rules(Reading::Logical).ok()? {
        Rules::Octagon(game) => Some(*game),
        Rules::Sheet(_) => None,
    }
}

fn names<G: Describe>(game: &G) -> Vec<String> {
    Role::all(game.role_count()).map(|role| game.role_name(role)).collect()
}

fn first_position(game: &Shipped, level: usize) -> Answer<Drawing> {
    let source = Source::open(game.name)?;
    if game.kind == Kind::Vgdl {
        let loaded = video::load(&source, &LevelChoice::Number(level))?;
        let artist = VideoArtist::new(&loaded.world);
        let mut game = gamegrove_vgdl::game::VideoGame::new(loaded.world, 1);
        let state = game.initial_state();
        return Ok(artist.draw(&mut game, &state, None));
    }
    match source.rules(Reading::Logical)? {
        Rules::Octagon(mut game) => {
            let state = game.initial_state();
            Ok(OctagonArtist.draw(&mut game, &state, None))
        }
        Rules::Sheet(sheet) => {
            let layout = picture::layout(&source, &sheet)?;
            let prover = glance(&sheet);
            let mut game = prover.ok_or_else(|| Refusal::wrong("no first position", ""))?;
            let state = game.initial_state();
            Ok(FactArtist(layout).draw(&mut game, &state, None))
        }
    }
}
