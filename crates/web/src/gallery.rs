//! The list of games, and one game's page.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use gamegrove_game::{Describe, Game, Role};
use gamegrove_gdl::{Prover, ProverLimits, Reading};
use gamegrove_play::library::{self, Header, Kind, Shipped};
use gamegrove_play::load::{LevelChoice, Source};
use gamegrove_play::{Rules, picture, video};
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

/// A drawing that is being made or ready.
type Slot = Arc<OnceCell<Arc<Drawing>>>;

/// The list, and the drawings that were asked for.
#[derive(Debug, Default)]
pub struct Gallery {
    list: OnceCell<Arc<Vec<Entry>>>,
    drawings: Mutex<HashMap<(&'static str, usize), Slot>>,
}

impl Gallery {
    /// All games.
    pub async fn list(&self, pool: &Pool) -> Answer<Arc<Vec<Entry>>> {
        let made = self.list.get_or_try_init(|| async {
            pool.run(|| Arc::new(library::games().iter().filter_map(entry).collect())).await
        });
        made.await.cloned()
    }

    /// The first position of a shipped game. However many ask for it, it is drawn once.
    pub async fn drawing(&self, pool: &Pool, name: &str, level: usize) -> Answer<Arc<Drawing>> {
        let missing = || Refusal::missing("no such game is shipped", "the gallery has all games");
        let game = library::find(name).ok_or_else(missing)?;
        let levels = game.levels.len();
        if level > 0 && level >= levels {
            let help = match levels {
                0 => "it has no levels".to_owned(),
                _ => format!("its levels are 0 to {}", levels - 1),
            };
            return Err(Refusal::missing("the game has no such level", help));
        }
        let slot = self.slot(game.name, level);
        let drawn = slot.get_or_try_init(|| async move {
            pool.run(move || first_position(&game, level)).await?.map(Arc::new)
        });
        drawn.await.cloned()
    }

    /// The place of a drawing; there are no more than games and levels that ship.
    fn slot(&self, name: &'static str, level: usize) -> Slot {
        let mut drawings = self.drawings.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(drawings.entry((name, level)).or_default())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_game_is_drawn_once_however_many_ask() {
        // Of two that wait the second would be refused.
        let pool = Pool::new("a test", 1, 1).expect("threads");
        let gallery = Arc::new(Gallery::default());
        let ask = || {
            let (gallery, pool) = (Arc::clone(&gallery), pool.clone());
            tokio::spawn(async move { gallery.drawing(&pool, "chess", 0).await })
        };
        let asked: Vec<_> = (0..20).map(|_| ask()).collect();
        for one in asked {
            one.await.expect("no fault").expect("a drawing");
        }
        let missing = gallery.drawing(&pool, "zelda", 7).await.expect_err("no such level");
        assert!(missing.help.contains("0 to 4"), "{}", missing.help);
    }
}
