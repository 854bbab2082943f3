//! The list of games, and one game's page.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use gamegrove_gdl::ProverLimits;
use gamegrove_play::library::{self, Header, Kind, Shipped};
use gamegrove_play::load::{LevelChoice, Source};
use gamegrove_play::reasoner::Reasoner;
use gamegrove_play::{Board, Drawing, Setup, native};
use serde::Serialize;
use tokio::sync::OnceCell;

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
            pool.run(move || first_position(&game, level).map(Arc::new)).await?
        });
        drawn.await.cloned()
    }

    /// The place of a drawing; there are no more than games and levels that ship.
    fn slot(&self, name: &'static str, level: usize) -> Slot {
        let mut drawings = self.drawings.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(drawings.entry((name, level)).or_default())
    }
}

/// A game set up in a hurry, for a look at the start.
fn glance(source: &Source, level: usize) -> Answer<Arc<dyn Board>> {
    let setup = Setup {
        prover: ProverLimits { samples: 1, ..ProverLimits::default() },
        ..Setup::new(if source.kind == Kind::Gdl { Reasoner::Prover } else { Reasoner::Native })
    };
    Ok(gamegrove_play::open(source, &LevelChoice::Number(level), &setup)?)
}

fn entry(game: &Shipped) -> Option<Entry> {
    let source = Source::open(game.name).ok()?;
    let header = Header::read(game.text, game.kind);
    let roles = glance(&source, 0).ok()?.about().roles.clone();
    let mut tags = header.tags(roles.len());
    match game.kind {
        Kind::Gdl => tags.extend(game.metadata().ok()?.tags),
        Kind::Vgdl => tags.push("video".to_owned()),
        Kind::Native => {
            tags.extend(native::of(&source).tags.iter().map(|&tag| tag.to_owned()));
        }
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

fn first_position(game: &Shipped, level: usize) -> Answer<Drawing> {
    let board = glance(&Source::open(game.name)?, level)?;
    Ok(board.draw(&board.start(1), None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_game_is_drawn_once_however_many_ask() {
        // If two waited, the second would be refused.
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
