//! All games that can be played: the shipped ones, the pasted ones, and those that are set up now.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use gamegrove_play::library::{self, Kind};
use gamegrove_play::native;
use tokio::sync::OnceCell;

use crate::limits::Limits;
use crate::matches::Registry;
use crate::pool::Pool;
use crate::refusal::{Answer, Refusal};
use crate::room::{OwnGame, Room, Sheet};
use crate::visitor::Visitor;

/// A game being set up or ready.
type Slot = Arc<OnceCell<Answer<Arc<Room>>>>;

/// All games that can be played.
#[derive(Debug)]
pub struct Rooms {
    limits: Arc<Limits>,
    setup: Pool,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    open: HashMap<(String, usize), (Slot, Instant)>,
    own: HashMap<String, (Arc<OwnGame>, Visitor, Instant)>,
}

impl Rooms {
    /// No game is set up yet.
    pub fn new(limits: &Arc<Limits>, setup: Pool) -> Rooms {
        Rooms { limits: Arc::clone(limits), setup, inner: Mutex::default() }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many games are set up.
    pub fn len(&self) -> usize {
        self.inner().open.len()
    }

    /// Keeps a pasted game; the visitor's oldest makes room for it.
    pub fn keep(&self, visitor: &Visitor, game: OwnGame) -> Arc<OwnGame> {
        let game = Arc::new(game);
        let mut inner = self.inner();
        let (each, all) = self.limits.own_games;
        let oldest = |own: &HashMap<String, (Arc<OwnGame>, Visitor, Instant)>,
                      whose: Option<&Visitor>| {
            let of = own.iter().filter(|(_, (_, who, _))| whose.is_none_or(|whose| who == whose));
            of.min_by_key(|(_, (_, _, when))| *when).map(|(name, _)| name.clone())
        };
        let mine = inner.own.values().filter(|(_, who, _)| who == visitor).count();
        if mine >= each
            && let Some(name) = oldest(&inner.own, Some(visitor))
        {
            inner.own.remove(&name);
        }
        if inner.own.len() >= all
            && let Some(name) = oldest(&inner.own, None)
        {
            inner.own.remove(&name);
        }
        let entry = (Arc::clone(&game), visitor.clone(), Instant::now());
        inner.own.insert(game.name.clone(), entry);
        game
    }

    /// The rules that a name stands for.
    pub fn sheet(&self, name: &str) -> Answer<Sheet> {
        if let Some((game, _, when)) = self.inner().own.get_mut(name) {
            *when = Instant::now();
            return Ok(Sheet::Own(Arc::clone(game)));
        }
        let known = native::find(name).is_some() || library::find(name).is_some();
        if known && name.len() <= 200 {
            return Ok(Sheet::Shipped(name.to_owned()));
        }
        let help = match name.starts_with("own-") {
            true => "pasted games are forgotten after a while: paste it again",
            false => "the gallery has all games",
        };
        Err(Refusal::missing(format!("no game is called {}", short(name)), help))
    }

    /// The game called `name`, set up; waits until it is. If too many games are set up, matches without
    /// viewers make room.
    pub async fn open(
        &self,
        matches: &Registry,
        visitor: &Visitor,
        name: &str,
        level: usize,
    ) -> Answer<Arc<Room>> {
        let sheet = self.sheet(name)?;
        let key = (sheet.name().to_owned(), level);
        let slot = match self.slot(key.clone()) {
            Err(_) if matches.leave_a_room(visitor, matches!(sheet, Sheet::Own(_))) => {
                self.slot(key.clone())?
            }
            other => other?,
        };
        let (setup, limits) = (self.setup.clone(), Arc::clone(&self.limits));
        let opened = slot
            .get_or_init(|| async move {
                let room = setup.run(move || Room::open(&sheet, level, &limits)).await;
                room.and_then(|room| room).map(Arc::new)
            })
            .await
            .clone();
        if opened.is_err() {
            // Another try may go better: it may just have been busy.
            self.inner().open.remove(&key);
        }
        opened
    }

    /// The place for a game, with room made for it.
    fn slot(&self, key: (String, usize)) -> Answer<Slot> {
        let mut inner = self.inner();
        if let Some((slot, when)) = inner.open.get_mut(&key) {
            *when = Instant::now();
            return Ok(Arc::clone(slot));
        }
        let (all, own) = self.limits.rooms;
        let is_own = |key: &(String, usize)| key.0.starts_with("own-");
        let crowded = is_own(&key) && inner.open.keys().filter(|key| is_own(key)).count() >= own;
        if crowded || inner.open.len() >= all {
            // A game that only this table holds is not played.
            let idle = inner.open.iter().filter(|(known, (slot, _))| {
                (!crowded || is_own(known))
                    && Arc::strong_count(slot) == 1
                    && slot.get().is_some_and(|room| {
                        room.as_ref().map_or(true, |room| Arc::strong_count(room) == 1)
                    })
            });
            let oldest = idle.min_by_key(|(_, (_, when))| *when).map(|(key, _)| key.clone());
            let Some(oldest) = oldest else {
                return Err(Refusal::busy("too many different games are being played"));
            };
            inner.open.remove(&oldest);
        }
        let slot = Slot::default();
        inner.open.insert(key, (Arc::clone(&slot), Instant::now()));
        Ok(slot)
    }
}

/// A name from a request, short enough to be repeated.
pub fn short(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(60).collect()
}

/// The language that pasted rules are in.
pub fn language(rules: &str) -> Kind {
    gamegrove_play::load::language_of(rules.as_bytes())
}
